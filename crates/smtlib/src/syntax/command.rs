//! Commands: all of SMT-LIB 2.6/2.7, the solvers' own, and the unknown.

use super::script::{Attribute, SexprId, SortId, TermId, Variable};
use super::symbols::Symbol;

/// One command and where it stands.
#[derive(Clone, Debug)]
pub struct Command {
    /// What it is.
    pub kind: CommandKind,
    /// The byte of the text where it begins; `u32::MAX` for a made one.
    pub(crate) offset: u32,
}

impl PartialEq for Command {
    fn eq(&self, other: &Command) -> bool {
        self.kind == other.kind
    }
}

impl From<CommandKind> for Command {
    fn from(kind: CommandKind) -> Command {
        Command {
            kind,
            offset: u32::MAX,
        }
    }
}

impl Command {
    /// The byte of the text where it begins; none for a made command.
    pub fn offset(&self) -> Option<usize> {
        (self.offset != u32::MAX).then_some(self.offset as usize)
    }
}

/// `f ((x S) …) S t` of a definition.
#[derive(Clone, Debug, PartialEq)]
pub struct Definition {
    /// What is defined.
    pub symbol: Symbol,
    /// Its parameters.
    pub parameters: Vec<Variable>,
    /// The sort of its body.
    pub sort: SortId,
    /// What it stands for.
    pub body: TermId,
}

/// `(C (s S) …)`.
#[derive(Clone, Debug, PartialEq)]
pub struct Constructor {
    /// Its name.
    pub symbol: Symbol,
    /// Its selectors and their sorts.
    pub selectors: Vec<Variable>,
}

/// One datatype of a declaration.
#[derive(Clone, Debug, PartialEq)]
pub struct Datatype {
    /// Its name.
    pub symbol: Symbol,
    /// The sort parameters of `par`, or of the old form.
    pub parameters: Vec<Symbol>,
    /// In order.
    pub constructors: Vec<Constructor>,
}

/// How a datatype declaration is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DatatypeForm {
    /// `(declare-datatype T (…))`
    Single,
    /// `(declare-datatypes ((T 0)) ((…)))`
    Standard,
    /// `(declare-datatypes (X) ((T …)))`: before 2.6; all share the parameters
    Old,
}

/// What a command says.
#[derive(Clone, Debug, PartialEq)]
pub enum CommandKind {
    /// `(set-logic L)`
    SetLogic(Symbol),
    /// `(set-option :o v)`
    SetOption(Attribute),
    /// `(set-info :i v)`
    SetInfo(Attribute),
    /// `(get-info :i)`
    GetInfo(Symbol),
    /// `(get-option :o)`
    GetOption(Symbol),
    /// `(declare-sort S n)`; the numeral is text, and z3 users leave it out
    DeclareSort(Symbol, Option<Symbol>),
    /// `(declare-sort-parameter S)`
    DeclareSortParameter(Symbol),
    /// `(define-sort S (X …) T)`
    DefineSort(Symbol, Vec<Symbol>, SortId),
    /// `(declare-fun f (S …) S)`
    DeclareFun(Symbol, Vec<SortId>, SortId),
    /// `(declare-const c S)`
    DeclareConst(Symbol, SortId),
    /// `(declare-var x S)`: fixedpoint and SyGuS
    DeclareVar(Symbol, SortId),
    /// `(define-fun f (…) S t)`
    DefineFun(Definition),
    /// `(define-const c S t)`
    DefineConst(Definition),
    /// `(define-fun-rec f (…) S t)`
    DefineFunRec(Definition),
    /// `(define-funs-rec (…) (…))`
    DefineFunsRec(Vec<Definition>),
    /// `(define-funs-rec ((f (par (X …) (((x S) …) S))) …) (…))`: each
    /// definition with its sort parameters; at least one has some
    ParametricFunsRec(Vec<(Vec<Symbol>, Definition)>),
    /// `(declare-fun f (par (X …) ((S …) S)))`, for `define-fun` and
    /// `define-fun-rec` `(define-fun f (par (X …) (((x S) …) S)) t)`, and
    /// `(assert (par (X …) t))`, as TIP writes them: the declaration,
    /// definition or assertion under the parameters
    Parametric(Vec<Symbol>, Box<CommandKind>),
    /// `(declare-datatypes …)`; the flag says codatatypes
    DeclareDatatypes(DatatypeForm, bool, Vec<Datatype>),
    /// `(assert t)`
    Assert(TermId),
    /// `(assert-soft t :weight w :id i)`
    AssertSoft(TermId, Vec<Attribute>),
    /// `(minimize t …)`
    Minimize(TermId, Vec<Attribute>),
    /// `(maximize t …)`
    Maximize(TermId, Vec<Attribute>),
    /// `(check-sat)`; z3 takes assumptions here too
    CheckSat(Vec<TermId>),
    /// `(check-sat-assuming (t …))`
    CheckSatAssuming(Vec<TermId>),
    /// `(check-sat-using tactic)`
    CheckSatUsing(Vec<SexprId>),
    /// `(get-value (t …))`, and what options follow
    GetValue(Vec<TermId>, Vec<SexprId>),
    /// `(simplify t …)`
    Simplify(TermId, Vec<Attribute>),
    /// `(eval t …)`
    Eval(TermId, Vec<Attribute>),
    /// `(echo "…")`, the text as a string literal's
    Echo(Symbol),
    /// `(push n)`; without a numeral, 1
    Push(Option<Symbol>),
    /// `(pop n)`; without a numeral, 1
    Pop(Option<Symbol>),
    /// A command that is one word with no arguments, as `(get-model)`
    Word(Symbol),
    /// Any other, as an s-expression
    Unknown(SexprId),
}

impl CommandKind {
    /// The terms it holds, in the order of the text.
    pub fn terms(&self) -> Vec<TermId> {
        match self {
            CommandKind::Parametric(_, inner) => inner.terms(),
            CommandKind::Assert(term)
            | CommandKind::AssertSoft(term, _)
            | CommandKind::Minimize(term, _)
            | CommandKind::Maximize(term, _)
            | CommandKind::Simplify(term, _)
            | CommandKind::Eval(term, _) => vec![*term],
            CommandKind::CheckSat(terms)
            | CommandKind::CheckSatAssuming(terms)
            | CommandKind::GetValue(terms, _) => terms.clone(),
            _ => self.definitions().iter().map(|d| d.body).collect(),
        }
    }

    /// What it defines.
    pub fn definitions(&self) -> Vec<&Definition> {
        match self {
            CommandKind::Parametric(_, inner) => inner.definitions(),
            CommandKind::DefineFun(definition)
            | CommandKind::DefineConst(definition)
            | CommandKind::DefineFunRec(definition) => vec![definition],
            CommandKind::DefineFunsRec(definitions) => definitions.iter().collect(),
            CommandKind::ParametricFunsRec(definitions) => definitions
                .iter()
                .map(|(_, definition)| definition)
                .collect(),
            _ => Vec::new(),
        }
    }

    /// What it defines, to be changed.
    pub(crate) fn definitions_mut(&mut self) -> Vec<&mut Definition> {
        match self {
            CommandKind::Parametric(_, inner) => inner.definitions_mut(),
            CommandKind::DefineFun(definition)
            | CommandKind::DefineConst(definition)
            | CommandKind::DefineFunRec(definition) => vec![definition],
            CommandKind::DefineFunsRec(definitions) => definitions.iter_mut().collect(),
            CommandKind::ParametricFunsRec(definitions) => definitions
                .iter_mut()
                .map(|(_, definition)| definition)
                .collect(),
            _ => Vec::new(),
        }
    }
}
