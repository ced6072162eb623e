//! Marks: what instrumented code shows of itself to whoever runs it.
//!
//! A mark is two words that code writes into the scratch space of memory: a
//! value to place 0, then at place 32 a word that begins with an agreed prefix
//! and ends with a number that says what the value is. Writing there changes
//! nothing that a contract can see between its statements, is allowed in
//! functions that promise not even to read the state, and no compiler may
//! leave it out.

use revm::primitives::U256;

/// How many marks a transaction may leave.
const MARKS: usize = 400_000;

/// A value that the code has shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    /// What the value is, as whoever wrote the code has numbered it.
    pub id: u128,
    /// The value, the most significant byte first.
    pub word: [u8; 32],
}

/// The marks of a transaction.
#[derive(Clone, Debug, Default)]
pub(crate) struct Marks {
    prefix: u128,
    last: U256,
    found: Vec<Mark>,
    overflown: bool,
}

impl Marks {
    pub(crate) fn new(prefix: u128) -> Marks {
        Marks {
            prefix,
            ..Marks::default()
        }
    }

    /// `word` is written to `place`.
    pub(crate) fn see(&mut self, place: U256, word: U256) {
        if place.is_zero() {
            self.last = word;
            return;
        }
        let [low, high, first, second] = word.into_limbs();
        let joined = |high: u64, low: u64| u128::from(high) << 64 | u128::from(low);
        if place != U256::from(32) || joined(second, first) != self.prefix {
            return;
        }
        if self.found.len() == MARKS {
            self.overflown = true;
            return;
        }
        self.found.push(Mark {
            id: joined(high, low),
            word: self.last.to_be_bytes(),
        });
    }

    /// What was found since the last time; nothing if it was too much.
    pub(crate) fn take(&mut self) -> Option<Vec<Mark>> {
        let found = std::mem::take(&mut self.found);
        (!std::mem::take(&mut self.overflown)).then_some(found)
    }
}
