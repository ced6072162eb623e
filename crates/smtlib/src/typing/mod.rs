//! Sorts of terms: every term node of a script gets one, or an error says why.
//!
//! Scopes are a trail that is wound back at the end of a `let`, a binder, a
//! case, a definition or a `pop`. Nothing recurses over the depth of terms.

mod apply;
mod commands;
mod containers;
mod error;
mod scope;
mod sorts;
mod terms;

use std::collections::BTreeSet;

use crate::operators::{OperatorId, Operators};
use crate::sort::{Sort, SortDeclarationId, Sorts};
use crate::syntax::{Script, Symbol, TermId};
pub use error::{TypeError, TypeProblem};
use scope::Scope;

/// How strictly to judge.
#[derive(Clone, Copy, Debug)]
pub struct Options<'a> {
    /// Only what the standard allows: no `Int` where a `Real` is wanted, no
    /// functions as values, no single arguments of `and`, …
    pub strict: bool,
    /// The operators there are.
    pub operators: &'a Operators,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Options {
            strict: false,
            operators: Operators::built_in(),
        }
    }
}

/// A function of one script: declared, defined, or of a datatype.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FunctionId(pub(crate) u32);

impl FunctionId {
    /// Its number in the order of declaration.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Where a function comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// `declare-fun`, `declare-const`, `declare-var`
    Declared,
    /// `define-fun` and its like: definition `at` of command `command`
    Defined {
        /// The index of the command.
        command: u32,
        /// Which of its definitions.
        at: u32,
    },
    /// `:named`
    Named(TermId),
    /// Constructor `at` of a datatype
    Constructor {
        /// The datatype.
        datatype: SortDeclarationId,
        /// Which of its constructors.
        at: u32,
    },
    /// A selector of a datatype
    Selector {
        /// The datatype.
        datatype: SortDeclarationId,
        /// Which of its constructors.
        constructor: u32,
        /// Which of its selectors.
        at: u32,
    },
}

/// A function of one script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// Its name.
    pub symbol: Symbol,
    /// Where it comes from.
    pub role: Role,
    /// What it takes.
    pub parameters: Vec<Sort>,
    /// What it gives.
    pub result: Sort,
    /// How many sort parameters its signature has.
    pub sort_parameters: usize,
    /// The index of the command that introduces it.
    pub command: usize,
}

/// A constructor of a datatype.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConstructorInfo {
    /// Itself.
    pub function: FunctionId,
    /// In order.
    pub selectors: Vec<FunctionId>,
}

/// A declared sort or datatype.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SortDeclaration {
    /// Its name.
    pub symbol: Symbol,
    /// How many arguments it takes.
    pub arity: usize,
    /// The constructors of a datatype; none for an uninterpreted sort.
    pub constructors: Option<Vec<ConstructorInfo>>,
    /// True for a codatatype.
    pub co: bool,
    /// The index of the command that introduces it.
    pub command: usize,
}

/// What the head of a term was found to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resolved {
    /// The term has no head, or was not reached.
    None,
    /// A variable of a `let`, binder, case or definition.
    Local,
    /// An operator of the table.
    Operator(OperatorId),
    /// A function of the script.
    Function(FunctionId),
    /// `(_ is C)` or `is-C`.
    Tester(FunctionId),
    /// `(_ update s)`: a selector's updater.
    Updater(FunctionId),
    /// `(_ as-array f)`.
    AsArray(FunctionId),
    /// `(_ map f)` of an operator or function by that name.
    Map,
    /// `(_ bv5 8)`, `(as ff5 F)`, `-5`: a literal spelled as an identifier.
    Literal,
    /// `tuple`, `(_ tuple.select 0)`.
    Tuple,
    /// `(@ f x)`.
    Apply,
    /// `rel.join`, `table.join` and their like.
    Relation,
    /// `select` and its like on z3's arrays of several indices.
    WideArray,
    /// `(_ is nil)` of z3's built-in lists.
    List,
    /// `(_ nullable.lift f)` of an operator or function by that name.
    Lift,
}

/// A script's sorts and functions, and the sort of each of its terms.
#[derive(Clone, Debug)]
pub struct Typed {
    /// All sorts.
    pub sorts: Sorts,
    pub(crate) term_sorts: Vec<Option<Sort>>,
    pub(crate) resolved: Vec<Resolved>,
    pub(crate) variable_sorts: Vec<Option<Sort>>,
    pub(crate) sort_ids: Vec<Option<Sort>>,
    /// All declared sorts and datatypes, also those that were popped.
    pub sort_declarations: Vec<SortDeclaration>,
    /// All functions, also those that were popped.
    pub functions: Vec<Function>,
    /// A name that means two functions at once, if there is one, and the index
    /// of the command where that shows. z3 takes such scripts, the standard
    /// does not; what knows functions by their names cannot read them.
    pub overloaded: Option<(Symbol, usize)>,
    /// False if something is wrong with the script, so that not all of it is typed.
    pub(crate) is_complete: bool,
    /// Terms whose parts do not fit together, and bodies of definitions that are of
    /// another sort than these say; none in a script that [`check`] takes.
    pub(crate) ill_sorted: BTreeSet<TermId>,
}

impl Typed {
    /// The sort of a term; none if no command reaches it.
    pub fn sort(&self, term: TermId) -> Option<Sort> {
        self.term_sorts.get(term.index()).copied().flatten()
    }

    /// What the head of a term was found to be.
    pub fn resolved(&self, term: TermId) -> Resolved {
        self.resolved
            .get(term.index())
            .copied()
            .unwrap_or(Resolved::None)
    }

    /// The function.
    pub fn function(&self, id: FunctionId) -> &Function {
        &self.functions[id.index()]
    }

    /// The sorts of the variables of a quantified term, in order.
    pub fn bound_sorts(&self, script: &Script, term: TermId) -> Option<Vec<Sort>> {
        let range = script.bound_range(term)?;
        self.variable_sorts[range].iter().copied().collect()
    }

    /// What a sort as written was last found to be.
    pub fn sort_of_id(&self, id: crate::syntax::SortId) -> Option<Sort> {
        self.sort_ids.get(id.index()).copied().flatten()
    }

    /// The declaration of a declared sort.
    pub fn declaration(&self, id: SortDeclarationId) -> &SortDeclaration {
        &self.sort_declarations[id.index()]
    }

    /// A sort as text, as the script would write it.
    pub fn show(&self, script: &Script, sort: Sort) -> String {
        self.sorts.show(sort, &|id| {
            crate::print::quoted(script.name(self.declaration(id).symbol))
        })
    }
}

/// Types a script. Errors come in the order of the text, at most a handful.
pub fn check(script: &Script, options: &Options<'_>) -> Result<Typed, Vec<TypeError>> {
    let mut checker = Checker::new(script, *options);
    checker.commands();
    if checker.errors.is_empty() {
        Ok(checker.typed)
    } else {
        Err(checker.errors)
    }
}

/// Types as much of a script as can be: what speaks of names that nothing declares has
/// no sort, and what is ill-sorted is noted. Behind a handful of errors nothing is typed.
pub(crate) fn check_as_far(script: &Script, options: &Options<'_>) -> Typed {
    let mut checker = Checker::new(script, *options);
    checker.commands();
    checker.typed.is_complete = checker.errors.is_empty();
    checker.typed
}

/// More errors than this are not reported.
const MAX_ERRORS: usize = 20;

/// The work in progress.
pub(crate) struct Checker<'a> {
    script: &'a Script,
    options: Options<'a>,
    typed: Typed,
    errors: Vec<TypeError>,
    scope: Scope,
    /// The operators of each symbol, by symbol.
    groups: Vec<&'a [OperatorId]>,
    /// True if numerals are of sort Real.
    numerals_are_real: bool,
    /// The command under way.
    command: usize,
    /// Names given by `:named` under a binder, declared after the command.
    pending_names: Vec<(Symbol, TermId)>,
    steps: Vec<terms::Step>,
    /// The parameters of the datatypes under way, which the old form leaves
    /// out where a datatype speaks of itself.
    own_sorts: Option<Box<[Sort]>>,
    /// How many sort parameters were declared.
    sort_parameters: u32,
    /// z3's `root-obj` and the variable of its polynomial, if the script has both.
    root_object: Option<(Symbol, Symbol)>,
}

impl<'a> Checker<'a> {
    fn new(script: &'a Script, options: Options<'a>) -> Checker<'a> {
        let symbols = script.symbols();
        let groups = symbols
            .iter()
            .map(|(_, name)| options.operators.named(name))
            .collect();
        Checker {
            script,
            options,
            typed: Typed {
                sorts: Sorts::default(),
                term_sorts: vec![None; script.term_count()],
                resolved: vec![Resolved::None; script.term_count()],
                variable_sorts: vec![None; script.variable_count()],
                sort_ids: vec![None; script.sort_count()],
                sort_declarations: Vec::new(),
                functions: Vec::new(),
                overloaded: None,
                is_complete: true,
                ill_sorted: BTreeSet::new(),
            },
            errors: Vec::new(),
            scope: Scope::new(script.symbols().len()),
            groups,
            numerals_are_real: false,
            command: 0,
            pending_names: Vec::new(),
            steps: Vec::new(),
            own_sorts: None,
            sort_parameters: 0,
            root_object: symbols.find("root-obj").zip(symbols.find("x")),
        }
    }

    fn full(&self) -> bool {
        self.errors.len() >= MAX_ERRORS
    }

    /// Reports a term, which is ill-sorted unless it only speaks of what nobody declares.
    fn report_term(&mut self, term: TermId, problem: TypeProblem) {
        if !matches!(problem, TypeProblem::Unknown { .. }) {
            self.typed.ill_sorted.insert(term);
        }
        self.report(self.script.offset(term), problem);
    }

    fn report(&mut self, offset: Option<usize>, problem: TypeProblem) {
        if !self.full() {
            self.errors.push(TypeError {
                offset,
                command: self.command,
                problem,
            });
        }
    }
}
