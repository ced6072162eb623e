//! The operators of the language as data; see `operators.txt` for the format.

mod pattern;
mod signs;
mod table;

use std::collections::BTreeMap;
use std::sync::OnceLock;

use crate::sort::{Sort, SortTable, Sorts};
pub use crate::speaker::Speaker;
pub use crate::table::TableError;
pub(crate) use pattern::{Bound, MAX_LETTERS};
pub use pattern::{Number, Pattern};
pub use signs::{Order, Signs};

/// The table that ships with the crate.
const BUILT_IN: &str = include_str!("../operators.txt");

/// An operator of one table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OperatorId(u16);

impl OperatorId {
    /// Its number in the order of the table.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// How an operator takes more arguments than its signature has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grouping {
    /// It does not.
    Fixed,
    /// `(f a b c)` is `(f (f a b) c)`
    Left,
    /// `(f a b c)` is `(f a (f b c))`
    Right,
    /// `(f a b c)` is `(and (f a b) (f b c))`
    Chainable,
    /// `(f a b c)` is `(and (f a b) (f a c) (f b c))`
    Pairwise,
    /// The last argument repeats.
    Variadic,
}

/// A comparison between numbers of a signature.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Condition {
    pub(crate) left: Number,
    pub(crate) relation: Relation,
    pub(crate) right: Number,
}

/// How two numbers compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Relation {
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

/// One signature of one operator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operator {
    /// Its name.
    pub name: String,
    /// The theory it belongs to.
    pub theory: String,
    /// Its numeral indices: the numbers they are called in the signature.
    pub indices: Vec<u8>,
    /// What it takes.
    pub parameters: Vec<Pattern>,
    /// What it gives.
    pub result: Pattern,
    /// How it takes more.
    pub grouping: Grouping,
    /// The least number of arguments that solvers take.
    pub least: usize,
    /// Who knows it.
    pub speaker: Speaker,
    /// What must hold of the numbers.
    pub conditions: Vec<Condition>,
    /// True if what it means depends on the rest of the script.
    pub relative: bool,
    /// How the result moves with each argument.
    pub monotone: Signs,
    /// The signature as the table writes it, without attributes.
    pub signature: String,
}

/// Another spelling of an operator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alias {
    /// The other spelling.
    pub name: String,
    /// The operator meant.
    pub target: String,
    /// True if solvers before SMT-LIB 2.6 know only this spelling.
    pub old: bool,
    /// Whose spelling it is.
    pub speaker: Speaker,
}

/// A table of operators.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Operators {
    pub(crate) sorts: SortTable,
    pub(crate) operators: Vec<Operator>,
    pub(crate) aliases: Vec<Alias>,
    pub(crate) groups: BTreeMap<String, Vec<OperatorId>>,
}

/// What an operator is applied to.
#[derive(Clone, Copy, Debug)]
pub struct Call<'a> {
    /// The numeral indices.
    pub indices: &'a [u64],
    /// The sorts of the arguments.
    pub arguments: &'a [Sort],
    /// The sort it is qualified with, as in `(as f S)`.
    pub qualified: Option<Sort>,
    /// True if an `Int` may stand for a `Real`.
    pub coerce: bool,
    /// True if only what the standard allows is taken.
    pub strict: bool,
}

impl Operators {
    /// The table of the standard, z3 and cvc5.
    pub fn built_in() -> &'static Operators {
        static TABLE: OnceLock<Operators> = OnceLock::new();
        TABLE.get_or_init(|| {
            let mut table = Operators::default();
            table
                .read(BUILT_IN)
                .expect("the built-in table is read by a test");
            table
        })
    }

    /// This table and what `text` adds to it; see `operators.txt`.
    pub fn extended(&self, text: &str) -> Result<Operators, TableError> {
        let mut table = self.clone();
        table.read(text)?;
        Ok(table)
    }

    /// The sorts of the theories.
    pub fn sorts(&self) -> &SortTable {
        &self.sorts
    }

    /// The operator.
    pub fn get(&self, id: OperatorId) -> &Operator {
        &self.operators[id.index()]
    }

    /// All of them, in the order of the table.
    pub fn iter(&self) -> impl Iterator<Item = (OperatorId, &Operator)> {
        (0..).map(OperatorId).zip(&self.operators)
    }

    /// Every name, aliases too, in alphabetical order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.groups.keys().map(String::as_str)
    }

    /// The other spellings.
    pub fn aliases(&self) -> &[Alias] {
        &self.aliases
    }

    /// The signatures of a name.
    pub fn named(&self, name: &str) -> &[OperatorId] {
        self.groups.get(name).map_or(&[], Vec::as_slice)
    }

    /// The result of `id` on `call`, if it takes it.
    pub fn apply(&self, id: OperatorId, call: &Call<'_>, sorts: &mut Sorts) -> Option<Sort> {
        self.get(id).apply(call, sorts)
    }

    /// The first signature of a group that takes `call`, exactly if one does.
    pub fn resolve(
        &self,
        group: &[OperatorId],
        call: &Call<'_>,
        sorts: &mut Sorts,
    ) -> Option<(OperatorId, Sort)> {
        let exact = Call {
            coerce: false,
            ..*call
        };
        let passes = if call.coerce {
            &[exact, *call][..]
        } else {
            &[exact][..]
        };
        passes.iter().find_map(|call| {
            group
                .iter()
                .find_map(|&id| Some((id, self.apply(id, call, sorts)?)))
        })
    }

    /// Operators without indices that take these arguments and give this
    /// result: what an application can be changed to.
    pub fn compatible(
        &self,
        arguments: &[Sort],
        result: Sort,
        sorts: &mut Sorts,
    ) -> Vec<OperatorId> {
        let call = Call {
            indices: &[],
            arguments,
            qualified: None,
            coerce: false,
            strict: true,
        };
        self.iter()
            .filter(|(_, operator)| operator.indices.is_empty())
            .filter(|(_, operator)| operator.apply(&call, sorts) == Some(result))
            .map(|(id, _)| id)
            .collect()
    }

    /// Operators whose result can be of this sort.
    pub fn giving(&self, result: Sort, sorts: &Sorts) -> Vec<OperatorId> {
        self.iter()
            .filter(|(_, operator)| {
                let mut bound = Bound::default();
                operator.result.fit_loosely(result, &mut bound, sorts)
            })
            .map(|(id, _)| id)
            .collect()
    }
}
