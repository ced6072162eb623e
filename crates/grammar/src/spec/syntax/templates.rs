//! What stands inside texts.
//!
//! | written | means |
//! |---|---|
//! | `${name : Class}` | a child (templates only) |
//! | `${hidden name : Class}` | a child that is not printed |
//! | `${name}` | a child that is declared already (further templates only) |
//! | `#{expr}` | the value, printed |
//! | `\+` `\-` | from the next line on indent more, less (templates only) |
//! | `\(` `\)` | parentheses where precedence wants them (templates only) |
//! | `$name` | an error in templates: a child has braces |
//! | `\n` `\t` `\r` `\"` `\\` `\$` `\#` `\u{41}` | that character |

use super::lexer::{TokenKind, tokens};
use super::{Name, Parser, Piece};
use crate::spec::source::{Problem, Span};

/// Texts next to each other, as a template.
pub(super) fn template(parser: &mut Parser) -> Result<Vec<Piece>, Problem> {
    pieces(parser, Kind::Template)
}

/// Texts next to each other, as a further template of a production.
pub(super) fn further(parser: &mut Parser) -> Result<Vec<Piece>, Problem> {
    pieces(parser, Kind::Further)
}

/// Texts next to each other, as an expression.
pub(super) fn text(parser: &mut Parser) -> Result<Vec<Piece>, Problem> {
    pieces(parser, Kind::Text)
}

/// A text in which nothing is printed.
pub(super) fn plain(parser: &mut Parser) -> Result<String, Problem> {
    let span = parser.peek().span;
    let mut all = String::new();
    for piece in pieces(parser, Kind::Text)? {
        match piece {
            Piece::Text(text) => all.push_str(&text),
            _ => return Err(Problem::error(span, "nothing can be printed in this text")),
        }
    }
    Ok(all)
}

/// What a text is: a template has children, of which a further one declares none.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Text,
    Template,
    Further,
}

fn pieces(parser: &mut Parser, kind: Kind) -> Result<Vec<Piece>, Problem> {
    let mut reader = Reader {
        kind,
        pieces: Vec::new(),
        text: String::new(),
    };
    if parser.peek().kind != TokenKind::Text {
        return Err(parser.expected("a text"));
    }
    while parser.peek().kind == TokenKind::Text {
        let span = parser.advance().span;
        reader.read(parser, span)?;
    }
    reader.end_text();
    Ok(reader.pieces)
}

struct Reader {
    kind: Kind,
    pieces: Vec<Piece>,
    text: String,
}

impl Reader {
    fn end_text(&mut self) {
        if !self.text.is_empty() {
            self.pieces
                .push(Piece::Text(std::mem::take(&mut self.text)));
        }
    }

    fn piece(&mut self, piece: Piece) {
        self.end_text();
        self.pieces.push(piece);
    }

    /// `span` is a text with its quotes.
    fn read(&mut self, parser: &mut Parser, span: Span) -> Result<(), Problem> {
        let source = parser.text;
        let (mut at, end) = (span.start as usize + 1, span.end as usize - 1);
        while at < end {
            let rest = &source[at..end];
            let here = |length: usize| Span {
                file: span.file,
                start: at as u32,
                end: (at + length) as u32,
            };
            if rest.starts_with("#{") {
                let length = braces(rest);
                let expr = inner(parser, here(length), at + 2, at + length - 1)?;
                self.piece(Piece::Print(expr));
                at += length;
            } else if rest.starts_with("${") {
                let Some(length) = rest.find('}').map(|at| at + 1) else {
                    return Err(Problem::error(here(2), "a child that does not end: `}`"));
                };
                if self.kind == Kind::Text {
                    let problem = "a child can only stand in a production's template";
                    return Err(Problem::error(here(length), problem));
                }
                self.child(parser, here(length))?;
                at += length;
            } else if let Some(escaped) = rest.strip_prefix('\\') {
                let length = 1 + self
                    .escape(escaped)
                    .ok_or_else(|| Problem::error(here(2), self.known_escapes()))?;
                at += length;
            } else if let Some(stray) = self.stray(rest) {
                let problem = format!(
                    "`{stray}` is not a child: write `${{{} : Class}}`, or `\\$` for the sign itself",
                    &stray[1..]
                );
                return Err(Problem::error(here(stray.len()), problem));
            } else {
                let c = rest.chars().next().expect("not at the end");
                self.text.push(c);
                at += c.len_utf8();
            }
        }
        Ok(())
    }

    /// A `$` with a name behind it, in a template: braces were surely meant.
    fn stray<'r>(&self, rest: &'r str) -> Option<&'r str> {
        let name = rest.strip_prefix('$').filter(|_| self.kind != Kind::Text)?;
        let of_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let begins = name.starts_with(|c: char| of_name(c) && !c.is_ascii_digit());
        let length = name.find(|c| !of_name(c)).unwrap_or(name.len());
        begins.then(|| &rest[..=length])
    }

    fn known_escapes(&self) -> &'static str {
        match self.kind != Kind::Text {
            true => "expected an escape: \\n \\t \\r \\\" \\\\ \\$ \\# \\+ \\- \\( \\) or \\u{41}",
            false => "expected an escape: \\n \\t \\r \\\" \\\\ \\$ \\# or \\u{41}",
        }
    }

    /// What the escape stands for; its length without the backslash.
    fn escape(&mut self, rest: &str) -> Option<usize> {
        let first = rest.chars().next()?;
        let simple = match first {
            'n' => '\n',
            't' => '\t',
            'r' => '\r',
            '"' | '\\' | '$' | '#' => first,
            'u' => {
                let digits = rest.strip_prefix("u{")?.split_once('}')?.0;
                let code = u32::from_str_radix(digits, 16).ok()?;
                self.text.push(char::from_u32(code)?);
                return Some(digits.len() + 3);
            }
            _ if self.kind == Kind::Text => return None,
            '+' => {
                self.piece(Piece::Indent);
                return Some(1);
            }
            '-' => {
                self.piece(Piece::Unindent);
                return Some(1);
            }
            '(' => {
                self.piece(Piece::Open);
                return Some(1);
            }
            ')' => {
                self.piece(Piece::Close);
                return Some(1);
            }
            _ => return None,
        };
        self.text.push(simple);
        Some(1)
    }

    fn child(&mut self, parser: &mut Parser, span: Span) -> Result<(), Problem> {
        let (start, end) = (span.start as usize + 2, span.end as usize - 1);
        let all = tokens(parser.text, span.file, start, end)?;
        let mut inner = Parser::new(parser.text, &all);
        inner.end = "`}`";
        if self.kind == Kind::Template && !begins_small(inner.peek_word()) {
            let problem = "expected `${name : Class}`: a name begins with a small letter";
            return Err(Problem::error(span, problem));
        }
        let hidden = inner.peek_word() == Some("hidden")
            && inner.peek_second().kind == TokenKind::Name
            && inner.take_word("hidden");
        let name = inner.small_word("a child")?;
        if self.kind == Kind::Further {
            if hidden || inner.peek().kind != TokenKind::End {
                let problem = "expected `${name}`: the production's first text declares the child";
                return Err(Problem::error(span, problem));
            }
            self.piece(Piece::Again(name));
            return Ok(());
        }
        if !inner.take(":") {
            return Err(Problem::error(span, "expected `${name : Class}`"));
        }
        let class: Name = inner.capital("a class")?;
        if inner.peek().kind != TokenKind::End {
            return Err(Problem::error(span, "expected `${name : Class}`"));
        }
        self.piece(Piece::Child {
            name,
            class,
            hidden,
        });
        Ok(())
    }
}

/// True for a word that may be the name of a child.
fn begins_small(word: Option<&str>) -> bool {
    word.is_some_and(|word| !word.starts_with(|c: char| c.is_ascii_uppercase()))
}

/// The length of `#{…}`, which the lexer has seen to end.
fn braces(rest: &str) -> usize {
    let mut depth = 0usize;
    let mut texts = 0usize;
    let bytes = rest.as_bytes();
    let mut at = 1;
    // Inside braces quotes open and close texts, which may hold braces again.
    let mut stack: Vec<u8> = Vec::new();
    while at < bytes.len() {
        let in_text = stack.last() == Some(&b'"');
        match bytes[at] {
            b'\\' if in_text => at += 1,
            b'"' if in_text => {
                stack.pop();
                texts -= 1;
            }
            b'"' => {
                stack.push(b'"');
                texts += 1;
            }
            b'{' if !in_text || bytes[at - 1] == b'#' => {
                stack.push(b'{');
                depth += 1;
            }
            b'}' if !in_text => {
                stack.pop();
                depth -= 1;
                if depth == 0 && texts == 0 {
                    return at + 1;
                }
            }
            _ => {}
        }
        at += 1;
    }
    rest.len()
}

/// The expression between the braces.
fn inner(
    parser: &mut Parser,
    span: Span,
    start: usize,
    end: usize,
) -> Result<super::Expr, Problem> {
    let all = tokens(parser.text, span.file, start, end)?;
    let mut inner = Parser::new(parser.text, &all);
    inner.depth = parser.depth;
    inner.end = "`}`";
    let expr = inner.deeper(Parser::expr)?;
    match inner.peek().kind {
        TokenKind::End => Ok(expr),
        _ => Err(inner.expected("`}`")),
    }
}
