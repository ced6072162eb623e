//! The arena: one script as flat vectors of small nodes.
//!
//! Invariants: a node's children have smaller ids than the node itself (so a
//! pass over `0..term_count()` sees children first); nothing is shared by the
//! parser, so that a term's sort does not depend on where it is looked at;
//! nodes are never changed, new ones are appended. An edited script may hold
//! nodes that no command reaches; printing and reading it again drops them.

use std::collections::BTreeMap;

use super::command::Command;
use super::symbols::{Symbol, Symbols};
use super::{Range, index};

/// A term of one script.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TermId(pub(crate) u32);

/// A sort as written in one script; equal ids are equal texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SortId(pub(crate) u32);

/// An identifier of one script: a symbol with indices and perhaps a sort.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct IdentifierId(pub(crate) u32);

/// A raw s-expression of one script: where the language gives it no meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SexprId(pub(crate) u32);

impl TermId {
    /// Its number: below [`Script::term_count`].
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl SortId {
    /// Its number: below [`Script::sort_count`].
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The literals of the language. Their text is kept as written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Literal {
    /// `42`
    Numeral,
    /// `4.2`
    Decimal,
    /// `#x2a`, text with `#x`
    Hexadecimal,
    /// `#b101`, text with `#b`
    Binary,
    /// `"a""b"`, text without the outer quotes, inner ones still doubled
    String,
}

/// How [`Binder::Comprehension`] is written.
pub(crate) const COMPREHENSION: &str = "set.comprehension";

/// What binds variables, besides `let` and `match`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Binder {
    /// `forall`
    Forall,
    /// `exists`
    Exists,
    /// `lambda`
    Lambda,
    /// `choice` (cvc5)
    Choice,
    /// `set.comprehension` (cvc5): its body is the predicate, or, where the
    /// element is written too, see [`Script::comprehension`].
    Comprehension,
}

/// One index of an identifier `(_ name index …)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Index {
    /// Digits, as written.
    Numeral(Symbol),
    /// A name.
    Symbol(Symbol),
    /// `#x…`, as in `(_ char #x41)`.
    Hexadecimal(Symbol),
    /// Anything else, as in z3's `(_ is (cons (Int) List))`.
    Sexpr(SexprId),
}

/// A symbol, its indices, and the sort it is qualified with.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Identifier {
    /// The name.
    pub symbol: Symbol,
    /// What follows it in `(_ name …)`.
    pub indices: Box<[Index]>,
    /// `S` of `(as name S)`.
    pub sort: Option<SortId>,
}

/// A sort as written: an identifier and its arguments.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SortExpr {
    /// Its name and indices; never qualified.
    pub head: IdentifierId,
    /// Its arguments.
    pub arguments: Box<[SortId]>,
}

/// `(x t)` of a `let`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Binding {
    /// The variable.
    pub symbol: Symbol,
    /// What it stands for.
    pub term: TermId,
}

/// `(x S)`: a bound variable, parameter or selector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Variable {
    /// Its name.
    pub symbol: Symbol,
    /// Its sort.
    pub sort: SortId,
}

/// One case of a `match`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MatchCase {
    /// A constructor, or a variable that catches all.
    pub head: IdentifierId,
    pub(crate) variables: Range,
    /// The term after the pattern.
    pub body: TermId,
}

/// `:keyword value` of an annotated term, option or info.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attribute {
    /// The keyword with its colon.
    pub keyword: Symbol,
    /// What follows it.
    pub value: AttributeValue,
}

/// The value of an attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AttributeValue {
    /// None.
    Absent,
    /// The name that `:named` gives.
    Name(Symbol),
    /// The terms of a `:pattern`; see [`Script::pattern`].
    Pattern(Range),
    /// Anything else.
    Sexpr(SexprId),
}

/// A term, seen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Term<'a> {
    /// A literal and its text; see [`Literal`].
    Literal(Literal, &'a str),
    /// An identifier applied to terms; a constant or variable has none.
    Application {
        /// What is applied.
        head: IdentifierId,
        /// To what.
        arguments: &'a [TermId],
    },
    /// A term applied to terms: `((lambda …) t)`, `((f x) y)`.
    Apply {
        /// What is applied.
        function: TermId,
        /// To what.
        arguments: &'a [TermId],
    },
    /// `(let (…) body)`, all bindings at once.
    Let {
        /// In order.
        bindings: &'a [Binding],
        /// Where they hold.
        body: TermId,
    },
    /// `(forall (…) body)` and its like.
    Bind {
        /// Which.
        binder: Binder,
        /// In order.
        variables: &'a [Variable],
        /// Where they hold.
        body: TermId,
    },
    /// `(match term (case …))`.
    Match {
        /// What is taken apart.
        scrutinee: TermId,
        /// In order; the first that fits counts.
        cases: &'a [MatchCase],
    },
    /// `(! term attribute …)`.
    Annotated {
        /// What is annotated.
        term: TermId,
        /// In order.
        attributes: &'a [Attribute],
    },
}

/// A raw s-expression, seen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Sexpr<'a> {
    /// A symbol.
    Symbol(Symbol),
    /// A keyword, with its colon.
    Keyword(Symbol),
    /// A literal.
    Literal(Literal, Symbol),
    /// A list.
    List(&'a [SexprId]),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Node {
    Literal(Literal, Symbol),
    Application(IdentifierId, Range),
    Apply(TermId, Range),
    Let(TermId, Range),
    Bind(Binder, TermId, Range),
    Match(TermId, Range),
    Annotated(TermId, Range),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SexprNode {
    Symbol(Symbol),
    Keyword(Symbol),
    Literal(Literal, Symbol),
    List(Range),
}

/// The offset of a term that no text was read for.
pub(crate) const NO_OFFSET: u32 = u32::MAX;

/// A script: its commands, and the arena they point into.
///
/// Two scripts are equal if they were built in the same way, apart from the
/// offsets; a script and what its printed text reads to are.
#[derive(Clone, Debug, Default)]
pub struct Script {
    /// In order.
    pub commands: Vec<Command>,
    pub(crate) symbols: Symbols,
    pub(crate) nodes: Vec<Node>,
    pub(crate) offsets: Vec<u32>,
    pub(crate) children: Vec<TermId>,
    pub(crate) bindings: Vec<Binding>,
    pub(crate) variables: Vec<Variable>,
    pub(crate) cases: Vec<MatchCase>,
    pub(crate) pattern_variables: Vec<Symbol>,
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) identifiers: Vec<Identifier>,
    plain_identifiers: Vec<u32>,
    identifier_ids: BTreeMap<Identifier, IdentifierId>,
    pub(crate) sorts: Vec<SortExpr>,
    sort_ids: BTreeMap<SortExpr, SortId>,
    pub(crate) sexprs: Vec<SexprNode>,
    pub(crate) sexpr_children: Vec<SexprId>,
}

impl PartialEq for Script {
    fn eq(&self, other: &Script) -> bool {
        self.commands == other.commands
            && self.symbols == other.symbols
            && self.nodes == other.nodes
            && self.children == other.children
            && self.bindings == other.bindings
            && self.variables == other.variables
            && self.cases == other.cases
            && self.pattern_variables == other.pattern_variables
            && self.attributes == other.attributes
            && self.identifiers == other.identifiers
            && self.sorts == other.sorts
            && self.sexprs == other.sexprs
            && self.sexpr_children == other.sexpr_children
    }
}

impl Script {
    /// The text of a symbol, keyword or literal.
    pub fn name(&self, symbol: Symbol) -> &str {
        self.symbols.text(symbol)
    }

    /// All names.
    pub fn symbols(&self) -> &Symbols {
        &self.symbols
    }

    /// The symbol with this text, made if need be.
    pub fn intern(&mut self, name: &str) -> Symbol {
        self.symbols.intern(name)
    }

    /// About how many bytes the terms take: nodes, their children, bindings
    /// and variables, and where they stand in the text.
    pub fn term_bytes(&self) -> usize {
        size_of_val(&self.nodes[..])
            + size_of_val(&self.offsets[..])
            + size_of_val(&self.children[..])
            + size_of_val(&self.bindings[..])
            + size_of_val(&self.variables[..])
            + size_of_val(&self.cases[..])
            + size_of_val(&self.attributes[..])
    }

    /// How many terms the arena holds, reachable or not.
    pub fn term_count(&self) -> usize {
        self.nodes.len()
    }

    /// How many sorts the arena holds.
    pub fn sort_count(&self) -> usize {
        self.sorts.len()
    }

    /// How many bound variables the arena holds.
    pub(crate) fn variable_count(&self) -> usize {
        self.variables.len()
    }

    /// The predicate and the element of a `set.comprehension` that writes
    /// both: its body is then the application of that name to the two.
    pub fn comprehension(&self, body: TermId) -> Option<[TermId; 2]> {
        let Term::Application { head, arguments } = self.term(body) else {
            return None;
        };
        let head = self.identifier(head);
        let plain = head.indices.is_empty() && head.sort.is_none();
        let pair: [TermId; 2] = arguments.try_into().ok()?;
        (plain && self.name(head.symbol) == COMPREHENSION).then_some(pair)
    }

    /// Where the variables of a quantified term stand in the arena.
    pub(crate) fn bound_range(&self, term: TermId) -> Option<std::ops::Range<usize>> {
        match self.nodes[term.index()] {
            Node::Bind(_, _, range) => Some(range.indices()),
            _ => None,
        }
    }

    /// Every sort of the arena, arguments before what they are arguments of.
    pub fn sort_ids(&self) -> impl Iterator<Item = SortId> + use<> {
        (0..index(self.sorts.len())).map(SortId)
    }

    /// Every term of the arena, children before parents.
    pub fn terms(&self) -> impl DoubleEndedIterator<Item = TermId> + use<> {
        (0..index(self.nodes.len())).map(TermId)
    }

    /// The byte of the text at which a term begins; none for a made term.
    pub fn offset(&self, term: TermId) -> Option<usize> {
        let offset = self.offsets[term.index()];
        (offset != NO_OFFSET).then_some(offset as usize)
    }

    /// The term, seen.
    pub fn term(&self, term: TermId) -> Term<'_> {
        match self.nodes[term.index()] {
            Node::Literal(literal, text) => Term::Literal(literal, self.name(text)),
            Node::Application(head, range) => Term::Application {
                head,
                arguments: &self.children[range.indices()],
            },
            Node::Apply(function, range) => Term::Apply {
                function,
                arguments: &self.children[range.indices()],
            },
            Node::Let(body, range) => Term::Let {
                bindings: &self.bindings[range.indices()],
                body,
            },
            Node::Bind(binder, body, range) => Term::Bind {
                binder,
                variables: &self.variables[range.indices()],
                body,
            },
            Node::Match(scrutinee, range) => Term::Match {
                scrutinee,
                cases: &self.cases[range.indices()],
            },
            Node::Annotated(term, range) => Term::Annotated {
                term,
                attributes: &self.attributes[range.indices()],
            },
        }
    }

    /// Appends the direct subterms of `term` to `out`, in the order of the
    /// text; those of patterns come last.
    pub fn push_subterms(&self, term: TermId, out: &mut Vec<TermId>) {
        match self.term(term) {
            Term::Literal(..) => {}
            Term::Application { arguments, .. } => out.extend_from_slice(arguments),
            Term::Apply {
                function,
                arguments,
            } => {
                out.push(function);
                out.extend_from_slice(arguments);
            }
            Term::Let { bindings, body } => {
                out.extend(bindings.iter().map(|binding| binding.term));
                out.push(body);
            }
            Term::Bind { body, .. } => out.push(body),
            Term::Match { scrutinee, cases } => {
                out.push(scrutinee);
                out.extend(cases.iter().map(|case| case.body));
            }
            Term::Annotated { term, attributes } => {
                out.push(term);
                for attribute in attributes {
                    if let AttributeValue::Pattern(range) = attribute.value {
                        out.extend_from_slice(self.pattern(range));
                    }
                }
            }
        }
    }

    /// The name and arguments of an application of a plain name.
    pub(crate) fn call(&self, term: TermId) -> Option<(&str, &[TermId])> {
        let Term::Application { head, arguments } = self.term(term) else {
            return None;
        };
        let head = self.identifier(head);
        let plain = head.indices.is_empty() && head.sort.is_none();
        plain.then(|| (self.name(head.symbol), arguments))
    }

    /// The identifier.
    pub fn identifier(&self, id: IdentifierId) -> &Identifier {
        &self.identifiers[id.0 as usize]
    }

    /// The sort as written.
    pub fn sort(&self, id: SortId) -> &SortExpr {
        &self.sorts[id.index()]
    }

    /// The variables of a pattern `(C x y)`.
    pub fn case_variables(&self, case: &MatchCase) -> &[Symbol] {
        &self.pattern_variables[case.variables.indices()]
    }

    /// The terms of a `:pattern`.
    pub fn pattern(&self, range: Range) -> &[TermId] {
        &self.children[range.indices()]
    }

    /// The s-expression, seen.
    pub fn sexpr(&self, id: SexprId) -> Sexpr<'_> {
        match self.sexprs[id.0 as usize] {
            SexprNode::Symbol(symbol) => Sexpr::Symbol(symbol),
            SexprNode::Keyword(symbol) => Sexpr::Keyword(symbol),
            SexprNode::Literal(literal, text) => Sexpr::Literal(literal, text),
            SexprNode::List(range) => Sexpr::List(&self.sexpr_children[range.indices()]),
        }
    }

    /// The identifier that is just this symbol.
    pub fn plain_identifier(&mut self, symbol: Symbol) -> IdentifierId {
        let at = symbol.index();
        if at >= self.plain_identifiers.len() {
            self.plain_identifiers
                .resize(self.symbols.len().max(at + 1), NO_OFFSET);
        }
        if self.plain_identifiers[at] == NO_OFFSET {
            self.plain_identifiers[at] = index(self.identifiers.len());
            self.identifiers.push(Identifier {
                symbol,
                indices: Box::default(),
                sort: None,
            });
        }
        IdentifierId(self.plain_identifiers[at])
    }

    /// The id of an identifier.
    pub fn intern_identifier(&mut self, identifier: Identifier) -> IdentifierId {
        if identifier.indices.is_empty() && identifier.sort.is_none() {
            return self.plain_identifier(identifier.symbol);
        }
        if let Some(&id) = self.identifier_ids.get(&identifier) {
            return id;
        }
        let id = IdentifierId(index(self.identifiers.len()));
        self.identifiers.push(identifier.clone());
        self.identifier_ids.insert(identifier, id);
        id
    }

    /// The id of a sort.
    pub fn intern_sort(&mut self, head: IdentifierId, arguments: &[SortId]) -> SortId {
        let sort = SortExpr {
            head,
            arguments: arguments.into(),
        };
        if let Some(&id) = self.sort_ids.get(&sort) {
            return id;
        }
        let id = SortId(index(self.sorts.len()));
        self.sorts.push(sort.clone());
        self.sort_ids.insert(sort, id);
        id
    }

    /// The sort that is just a name, as `Int`.
    pub fn named_sort(&mut self, name: &str) -> SortId {
        let symbol = self.intern(name);
        let head = self.plain_identifier(symbol);
        self.intern_sort(head, &[])
    }

    /// An identifier `(_ name index …)` with numeral indices.
    pub fn indexed_identifier(&mut self, name: &str, numerals: &[u32]) -> IdentifierId {
        let symbol = self.intern(name);
        let indices = numerals
            .iter()
            .map(|numeral| Index::Numeral(self.symbols.intern(&numeral.to_string())))
            .collect();
        self.intern_identifier(Identifier {
            symbol,
            indices,
            sort: None,
        })
    }
}
