//! Terms, with a stack of frames instead of recursion.

use super::lexer::{Kind, Token};
use super::parser::{Parsed, Parser, base, literal};
use super::script::{
    Attribute, AttributeValue, Binder, Binding, COMPREHENSION, IdentifierId, MatchCase, Node,
    TermId,
};
use super::symbols::Symbol;
use super::{Range, index};

/// A term whose end has not been read yet. `base` is where its parts begin on
/// the stack that holds them.
#[derive(Clone, Copy)]
enum Frame {
    Application {
        head: IdentifierId,
        base: u32,
    },
    Apply {
        base: u32,
    },
    LetBinding {
        symbol: Symbol,
        base: u32,
    },
    LetBody {
        base: u32,
    },
    Bind {
        binder: Binder,
        variables: Range,
    },
    /// The element of a `set.comprehension`, after its predicate.
    Element {
        predicate: TermId,
        variables: Range,
    },
    Scrutinee,
    MatchCase {
        scrutinee: TermId,
        head: IdentifierId,
        variables: Range,
        base: u32,
    },
    Annotated,
    Pattern {
        term: TermId,
        keyword: Symbol,
        attributes: u32,
        base: u32,
    },
}

/// What is under way, kept between terms so that nothing is allocated anew.
#[derive(Default)]
pub(super) struct Stacks {
    frames: Vec<(Frame, u32)>,
    values: Vec<TermId>,
    bindings: Vec<Binding>,
    cases: Vec<MatchCase>,
    attributes: Vec<Attribute>,
}

/// What a finished subterm leads to.
enum Step {
    /// The frame around it wants more text.
    More,
    /// The frame around it is finished too.
    Finished(TermId),
    /// There is no frame around it.
    Whole,
}

impl Parser<'_> {
    /// One term.
    pub(crate) fn term(&mut self) -> Parsed<TermId> {
        loop {
            let token = self.lexer.next()?;
            let mut term = match token.kind {
                Kind::Open => match self.open_term(token)? {
                    Some(term) => term,
                    None => continue,
                },
                Kind::Close => match self.close_term(token)? {
                    Some(term) => term,
                    None => continue,
                },
                Kind::Symbol | Kind::Quoted => {
                    let symbol = self.intern(token);
                    let head = self.script.plain_identifier(symbol);
                    let node = Node::Application(head, Range::default());
                    self.script.push_node(node, token.offset)
                }
                _ => {
                    let Some(literal) = literal(token.kind) else {
                        return Err(self.expected("a term", token));
                    };
                    let text = self.intern(token);
                    self.script
                        .push_node(Node::Literal(literal, text), token.offset)
                }
            };
            loop {
                match self.deliver(term)? {
                    Step::More => break,
                    Step::Finished(outer) => term = outer,
                    Step::Whole => return Ok(term),
                }
            }
        }
    }

    /// After `(`: a whole term (an identifier in parentheses), or a frame.
    fn open_term(&mut self, open: Token) -> Parsed<Option<TermId>> {
        let token = self.lexer.next()?;
        let frame = match token.kind {
            Kind::Quoted => self.application(token),
            Kind::Symbol => match self.lexer.text(token) {
                "let" => {
                    self.expect(Kind::Open, "`(` before the bindings")?;
                    self.next_binding(index(self.stacks.bindings.len()))?
                }
                "forall" => self.bind(Binder::Forall)?,
                "exists" => self.bind(Binder::Exists)?,
                "lambda" if self.binder_follows()? => self.bind(Binder::Lambda)?,
                "choice" if self.binder_follows()? => self.bind(Binder::Choice)?,
                COMPREHENSION if self.binder_follows()? => self.bind(Binder::Comprehension)?,
                "match" => Frame::Scrutinee,
                "!" => Frame::Annotated,
                "_" => {
                    let head = self.indexed_identifier()?;
                    return Ok(Some(self.constant(head, open)));
                }
                "as" => {
                    let head = self.qualified_identifier()?;
                    return Ok(Some(self.constant(head, open)));
                }
                _ => self.application(token),
            },
            Kind::Open => self.compound_head(token)?,
            _ => return Err(self.expected("a function or a binder", token)),
        };
        self.stacks.frames.push((frame, open.offset));
        Ok(None)
    }

    fn application(&mut self, token: Token) -> Frame {
        let symbol = self.intern(token);
        Frame::Application {
            head: self.script.plain_identifier(symbol),
            base: base(self.stacks.values.len()),
        }
    }

    fn constant(&mut self, head: IdentifierId, open: Token) -> TermId {
        let node = Node::Application(head, Range::default());
        self.script.push_node(node, open.offset)
    }

    /// After `((`: an identifier in parentheses as head, or any term.
    fn compound_head(&mut self, open: Token) -> Parsed<Frame> {
        let base = base(self.stacks.values.len());
        let token = self.lexer.next()?;
        if self.is_word(token, "_") {
            let head = self.indexed_identifier()?;
            return Ok(Frame::Application { head, base });
        }
        if self.is_word(token, "as") {
            let head = self.qualified_identifier()?;
            return Ok(Frame::Application { head, base });
        }
        self.lexer.position = open.start as usize;
        Ok(Frame::Apply { base })
    }

    /// `lambda` and `choice` are also names that people give to functions.
    fn binder_follows(&mut self) -> Parsed<bool> {
        let position = self.lexer.position;
        let opens = self.lexer.next()?.kind == Kind::Open && self.lexer.next()?.kind == Kind::Open;
        let named = opens && matches!(self.lexer.next()?.kind, Kind::Symbol | Kind::Quoted);
        self.lexer.position = position;
        Ok(named)
    }

    fn bind(&mut self, binder: Binder) -> Parsed<Frame> {
        let variables = self.push_variables()?;
        Ok(Frame::Bind { binder, variables })
    }

    /// Before a binding of a `let`, or before its body.
    fn next_binding(&mut self, base: u32) -> Parsed<Frame> {
        if self.opened("`(` before a variable and its term")? {
            let symbol = self.symbol()?;
            Ok(Frame::LetBinding { symbol, base })
        } else {
            Ok(Frame::LetBody { base })
        }
    }

    /// After `)`: the term that it ends, or nothing if it ended a pattern
    /// and another one follows.
    fn close_term(&mut self, token: Token) -> Parsed<Option<TermId>> {
        let Some(&(frame, offset)) = self.stacks.frames.last() else {
            return Err(self.expected("a term", token));
        };
        let values = self.stacks.values.len();
        match frame {
            Frame::Application { head, base } if (base as usize) < values => {
                let range = self.take_children(base);
                let node = Node::Application(head, range);
                Ok(Some(self.finish(node, offset)))
            }
            Frame::Apply { base } if (base as usize) + 1 < values => {
                let function = self.stacks.values[base as usize];
                let range = self.take_children(base + 1);
                self.stacks.values.pop();
                Ok(Some(self.finish(Node::Apply(function, range), offset)))
            }
            Frame::Pattern {
                term,
                keyword,
                attributes,
                base,
            } => {
                let value = AttributeValue::Pattern(self.take_children(base));
                self.stacks.attributes.push(Attribute { keyword, value });
                self.read_attributes(term, attributes, offset)
            }
            _ => Err(self.expected("a term", token)),
        }
    }

    /// Hands a finished term to the frame around it.
    fn deliver(&mut self, term: TermId) -> Parsed<Step> {
        let Some(&(frame, offset)) = self.stacks.frames.last() else {
            return Ok(Step::Whole);
        };
        match frame {
            Frame::Application { .. } | Frame::Apply { .. } | Frame::Pattern { .. } => {
                self.stacks.values.push(term);
                Ok(Step::More)
            }
            Frame::LetBinding { symbol, base } => {
                self.stacks.bindings.push(Binding { symbol, term });
                self.expect(Kind::Close, "`)` after the binding")?;
                let frame = self.next_binding(base)?;
                self.replace(frame);
                Ok(Step::More)
            }
            Frame::LetBody { base } => {
                self.expect(Kind::Close, "`)` after the body of the let")?;
                let pending = &mut self.stacks.bindings;
                let range = move_up(pending, base, &mut self.script.bindings);
                Ok(Step::Finished(self.finish(Node::Let(term, range), offset)))
            }
            Frame::Bind { binder, variables } => {
                if binder == Binder::Comprehension && self.peek()?.kind != Kind::Close {
                    self.replace(Frame::Element {
                        predicate: term,
                        variables,
                    });
                    return Ok(Step::More);
                }
                self.expect(Kind::Close, "`)` after the body")?;
                let node = Node::Bind(binder, term, variables);
                Ok(Step::Finished(self.finish(node, offset)))
            }
            Frame::Element {
                predicate,
                variables,
            } => {
                self.expect(Kind::Close, "`)` after the element")?;
                let body = self.comprehension_body(predicate, term, offset);
                let node = Node::Bind(Binder::Comprehension, body, variables);
                Ok(Step::Finished(self.finish(node, offset)))
            }
            Frame::Scrutinee => {
                self.expect(Kind::Open, "`(` before the cases")?;
                self.expect(Kind::Open, "`(` before a case")?;
                let base = base(self.stacks.cases.len());
                let frame = self.next_case(term, base)?;
                self.replace(frame);
                Ok(Step::More)
            }
            Frame::MatchCase { .. } => self.deliver_case(frame, term, offset),
            Frame::Annotated => {
                let attributes = base(self.stacks.attributes.len());
                Ok(self
                    .read_attributes(term, attributes, offset)?
                    .map_or(Step::More, Step::Finished))
            }
        }
    }

    /// What is said of the elements of a comprehension, and the elements.
    fn comprehension_body(&mut self, predicate: TermId, element: TermId, offset: u32) -> TermId {
        let symbol = self.script.symbols.intern(COMPREHENSION);
        let head = self.script.plain_identifier(symbol);
        let range = self.script.push_children(&[predicate, element]);
        self.script
            .push_node(Node::Application(head, range), offset)
    }

    fn deliver_case(&mut self, frame: Frame, body: TermId, offset: u32) -> Parsed<Step> {
        let Frame::MatchCase {
            scrutinee,
            head,
            variables,
            base,
        } = frame
        else {
            return Ok(Step::More);
        };
        self.stacks.cases.push(MatchCase {
            head,
            variables,
            body,
        });
        self.expect(Kind::Close, "`)` after the case")?;
        if self.opened("`(` before a case")? {
            let frame = self.next_case(scrutinee, base)?;
            self.replace(frame);
            return Ok(Step::More);
        }
        self.expect(Kind::Close, "`)` after the cases")?;
        let range = move_up(&mut self.stacks.cases, base, &mut self.script.cases);
        let node = Node::Match(scrutinee, range);
        Ok(Step::Finished(self.finish(node, offset)))
    }

    /// A pattern, after the `(` of its case.
    fn next_case(&mut self, scrutinee: TermId, base: u32) -> Parsed<Frame> {
        let token = self.lexer.next()?;
        let start = self.script.pattern_variables.len();
        let head = match token.kind {
            Kind::Symbol | Kind::Quoted => {
                let symbol = self.intern(token);
                self.script.plain_identifier(symbol)
            }
            Kind::Open => self.constructor_pattern()?,
            _ => return Err(self.expected("a pattern", token)),
        };
        let len = self.script.pattern_variables.len() - start;
        Ok(Frame::MatchCase {
            scrutinee,
            head,
            variables: Range::next(start, len),
            base,
        })
    }

    /// `C x … )` or `as C S )`, after `(`; the variables go to the arena.
    fn constructor_pattern(&mut self) -> Parsed<IdentifierId> {
        let token = self.lexer.next()?;
        let head = match token.kind {
            Kind::Symbol if self.is_word(token, "as") => return self.qualified_identifier(),
            Kind::Symbol | Kind::Quoted => {
                let symbol = self.intern(token);
                self.script.plain_identifier(symbol)
            }
            Kind::Open => {
                let word = self.lexer.next()?;
                if !self.is_word(word, "as") {
                    return Err(self.expected("`as` of a qualified constructor", word));
                }
                self.qualified_identifier()?
            }
            _ => return Err(self.expected("a constructor", token)),
        };
        while self.peek()?.kind != Kind::Close {
            let symbol = self.symbol()?;
            self.script.pattern_variables.push(symbol);
        }
        self.lexer.next()?;
        Ok(head)
    }

    /// Reads attributes up to the end of the annotated term, which is then
    /// finished, or up to the first term of a `:pattern`.
    fn read_attributes(
        &mut self,
        term: TermId,
        attributes: u32,
        offset: u32,
    ) -> Parsed<Option<TermId>> {
        loop {
            let token = self.lexer.next()?;
            match token.kind {
                Kind::Close => {
                    let pending = &mut self.stacks.attributes;
                    let range = move_up(pending, attributes, &mut self.script.attributes);
                    return Ok(Some(self.finish(Node::Annotated(term, range), offset)));
                }
                Kind::Keyword => {}
                _ => return Err(self.expected("an attribute", token)),
            }
            let keyword = self.intern(token);
            let value = match (self.lexer.text(token), self.peek()?.kind) {
                (":named", Kind::Symbol | Kind::Quoted) => AttributeValue::Name(self.symbol()?),
                (":pattern", Kind::Open) => {
                    self.lexer.next()?;
                    let base = base(self.stacks.values.len());
                    self.replace(Frame::Pattern {
                        term,
                        keyword,
                        attributes,
                        base,
                    });
                    return Ok(None);
                }
                _ => self.attribute_value()?,
            };
            self.stacks.attributes.push(Attribute { keyword, value });
        }
    }

    fn replace(&mut self, frame: Frame) {
        if let Some(top) = self.stacks.frames.last_mut() {
            top.0 = frame;
        }
    }

    fn finish(&mut self, node: Node, offset: u32) -> TermId {
        self.stacks.frames.pop();
        self.script.push_node(node, offset)
    }

    fn take_children(&mut self, base: u32) -> Range {
        let values = &self.stacks.values[base as usize..];
        let range = self.script.push_children(values);
        self.stacks.values.truncate(base as usize);
        range
    }
}

/// Moves what lies above `base` to the arena.
fn move_up<T>(pending: &mut Vec<T>, base: u32, arena: &mut Vec<T>) -> Range {
    let range = Range::next(arena.len(), pending.len() - base as usize);
    arena.extend(pending.drain(base as usize..));
    range
}
