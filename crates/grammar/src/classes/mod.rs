//! Which programs are the same up to the names of variables and the order of
//! arguments that may be exchanged.
//!
//! Grammar files mark both (`# interchangeable`, `# commutative`). Two
//! derivations are in one class if renaming and exchanging lead from one to
//! the other. The one with the least index stands for its class; whether a
//! derivation is that one is seen from it alone ([`Classes::is_least`]), and
//! how many classes there are is computed without listing them
//! ([`Classes::count`]).

mod count;
mod group;
mod least;

use std::str::FromStr;

use crate::Grammar;
use crate::enumerate::Derivation;
use crate::grammar::ProductionId;
use lydite_core::BigUint;

/// What counts as the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Unique {
    /// Productions marked `# interchangeable` may be exchanged for one
    /// another, all at once.
    pub renaming: bool,
    /// Symbols of productions marked `# commutative` may change places.
    pub commutativity: bool,
}

/// The classes of a grammar's derivations.
#[derive(Debug)]
pub struct Classes {
    unique: Unique,
    /// Productions that may be exchanged for one another, per rule.
    names: Vec<Vec<ProductionId>>,
}

/// Why classes cannot be told apart.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "renaming and commutativity together need at most {MAX_RENAMINGS} ways to rename, \
     and this grammar has more (fewer variables, or only one of the two)"
)]
pub struct TooManyNames;

/// Renamings that are tried, one by one, where commutativity counts too: as
/// many as 8 variables have.
const MAX_RENAMINGS: u64 = 40_320;

impl Classes {
    /// The classes of `grammar`.
    pub fn new(grammar: &Grammar, unique: Unique) -> Result<Classes, TooManyNames> {
        let names = match unique.renaming {
            true => grammar.interchangeable(),
            false => Vec::new(),
        };
        let lens = names.iter().flat_map(|class| 1..=class.len() as u64);
        let renamings = lens.fold(1u64, u64::saturating_mul);
        match unique.commutativity && renamings > MAX_RENAMINGS {
            true => Err(TooManyNames),
            false => Ok(Classes { unique, names }),
        }
    }

    /// What counts as the same here.
    pub fn unique(&self) -> Unique {
        self.unique
    }

    /// True if no derivation of the same class has a smaller index. False
    /// for what is no derivation of `grammar`.
    pub fn is_least(&self, grammar: &Grammar, derivation: &Derivation) -> bool {
        least::is_least(self, grammar, derivation)
    }

    /// The number of classes at each size up to `largest`, from size 0 on;
    /// `None` if there are too many names to count them.
    pub fn count(&self, grammar: &Grammar, largest: u32) -> Option<Vec<BigUint>> {
        count::count(self, grammar, largest)
    }
}

impl Unique {
    /// True if anything counts as the same as anything else.
    pub fn is_any(self) -> bool {
        self.renaming || self.commutativity
    }
}

/// The words of the setting `unique`, for messages.
pub const UNIQUE_WORDS: &str = "no, renaming, commutativity or renaming,commutativity";

impl FromStr for Unique {
    type Err = ();

    fn from_str(text: &str) -> Result<Unique, ()> {
        let mut unique = Unique::default();
        if text == "no" {
            return Ok(unique);
        }
        for word in text.split(',') {
            match word.trim() {
                "renaming" => unique.renaming = true,
                "commutativity" => unique.commutativity = true,
                _ => return Err(()),
            }
        }
        Ok(unique)
    }
}
