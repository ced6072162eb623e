//! How the result of an operator moves with its arguments, as the table says.

use super::{Grouping, Operator, Pattern};
use crate::sort::{Sort, Values};

/// How terms of a kind are ordered: what weaker means for them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Bool: implication.
    Implication,
    /// RegLan: more words.
    Languages,
    /// Int, Real: greater or equal.
    Numbers,
    /// Set: superset.
    Sets,
    /// None: such terms can only be equal.
    Equality,
}

impl Order {
    /// That of the sorts of a signature; none where any sort may stand.
    pub fn of(pattern: &Pattern) -> Option<Order> {
        Some(match pattern {
            Pattern::Any(_) => return None,
            Pattern::Simple(Sort::BOOL) => Order::Implication,
            Pattern::Simple(Sort::REG_LAN) => Order::Languages,
            Pattern::Simple(Sort::INT | Sort::REAL) => Order::Numbers,
            Pattern::Made(Values::Set, ..) => Order::Sets,
            _ => Order::Equality,
        })
    }
}

/// One sign per argument: 1 if the result moves as the argument does, -1 if
/// against it, 0 if nothing is known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Signs {
    signs: Vec<i8>,
    /// The position that stands for any number of arguments.
    repeated: Option<usize>,
}

impl Signs {
    /// True for a word that [`Signs::read`] takes.
    pub(super) fn is_sign(word: &str) -> bool {
        matches!(word.strip_suffix("..").unwrap_or(word), "+" | "-" | "0")
    }

    /// Reads what stands behind `:monotone`.
    pub(super) fn read(words: &[&str]) -> Result<Signs, String> {
        let mut signs = Signs::default();
        for (at, word) in words.iter().enumerate() {
            let sign = match word.strip_suffix("..") {
                Some(_) if signs.repeated.is_some() => {
                    return Err("only one sign of `:monotone` can repeat".to_string());
                }
                Some(sign) => {
                    signs.repeated = Some(at);
                    sign
                }
                None => *word,
            };
            signs.signs.push(match sign {
                "+" => 1,
                "-" => -1,
                _ => 0,
            });
        }
        match signs.signs.is_empty() {
            true => Err("expected signs (+, -, 0) behind `:monotone`".to_string()),
            false => Ok(signs),
        }
    }

    /// The sign of argument `at` of `count`: 0 where there is none for it.
    pub fn of(&self, at: usize, count: usize) -> i8 {
        let Some(repeated) = self.repeated else {
            // A sign is about a number of arguments: with more or fewer of
            // them the same place may count otherwise.
            return match self.signs.len() == count {
                true => self.signs.get(at).copied().unwrap_or(0),
                false => 0,
            };
        };
        let after = self.signs.len() - repeated - 1;
        if at >= count || count < repeated + after {
            return 0;
        }
        let from_end = count - 1 - at;
        if at < repeated {
            self.signs[at]
        } else if from_end < after {
            self.signs[self.signs.len() - 1 - from_end]
        } else {
            self.signs[repeated]
        }
    }

    /// True if no argument has a sign.
    pub fn is_empty(&self) -> bool {
        self.signs.iter().all(|&sign| sign == 0)
    }
}

impl Operator {
    /// The pattern of argument `at` of `count`.
    pub(crate) fn parameter(&self, at: usize, count: usize) -> Option<&Pattern> {
        match self.grouping {
            // `(f a b c)` with f of two: the sides have the sorts of the two.
            Grouping::Right if count != self.parameters.len() => match at + 1 < count {
                true => self.parameters.first(),
                false => self.parameters.last(),
            },
            _ => self
                .parameters
                .get(at.min(self.parameters.len().checked_sub(1)?)),
        }
    }

    /// The numbers of arguments that an operator of this grouping takes, up to
    /// `most`.
    pub(crate) fn counts(&self, most: usize) -> std::ops::RangeInclusive<usize> {
        let own = self.parameters.len();
        match self.grouping {
            Grouping::Fixed => own..=own,
            _ => self.least.max(1)..=most.max(own),
        }
    }

    /// Refuses signs that say nothing, or of sorts without an order.
    pub(super) fn check_signs(&self) -> Result<(), String> {
        if self.monotone.is_empty() {
            return match self.monotone == Signs::default() {
                true => Ok(()),
                false => Err("`:monotone` without + or - says nothing".to_string()),
            };
        }
        let mut any = false;
        for count in self.counts(4) {
            for at in (0..count).filter(|&at| self.monotone.of(at, count) != 0) {
                any = true;
                let argument = self.parameter(at, count).and_then(Order::of);
                if argument == Some(Order::Equality) {
                    return Err(format!("argument {} of `:monotone` has no order", at + 1));
                }
            }
        }
        match (any, Order::of(&self.result)) {
            (_, Some(Order::Equality)) => Err("`:monotone` of a result without an order".into()),
            (false, _) => Err("`:monotone` has signs for no number of arguments it takes".into()),
            _ => Ok(()),
        }
    }
}
