//! Decisions that somebody may want to steer: arms, and how likely they are.
//!
//! A strategy that decides something of consequence (which seed, how long a
//! chain) asks for an *arm* instead of a plain number: [`crate::Choices::arm`].
//! It notes which arm was taken, and where lots are given, they say how likely
//! each is. The tape holds the arm's number, as for any choice, so a tape needs
//! no lots to be replayed.

use std::collections::BTreeMap;
use std::sync::Arc;

/// The decision which seed a case is made of: the number of the seed among those
/// that the strategy was opened with.
pub const SEED_ARM: &str = "seed";

/// An alternative of a named decision that was taken.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Arm {
    /// What was decided: `seed`, `length`.
    pub of: Arc<str>,
    /// The number of the alternative.
    pub number: u64,
}

/// How likely the alternatives of some decisions are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lots(BTreeMap<Arc<str>, Weights>);

/// Weights of alternatives 0, 1, …: those of some, and one for all others.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Weights {
    /// Numbers, ascending, each with the sum of weights up to and with it.
    rows: Vec<(u64, u64)>,
    rest: u64,
}

impl Lots {
    /// Gives alternatives of `of` these weights, and all others `rest`. More
    /// than 32 bits of a weight, or 63 of their sum, are cut off.
    pub fn set(&mut self, of: &str, weights: &BTreeMap<u64, u64>, rest: u64) {
        let most = u64::from(u32::MAX);
        let mut sum = 0u64;
        let rows = weights.iter().map(|(number, weight)| {
            sum = sum.saturating_add((*weight).min(most)).min(u64::MAX >> 1);
            (*number, sum)
        });
        let rows: Vec<(u64, u64)> = rows.collect();
        let rest = rest.min(most);
        self.0.insert(Arc::from(of), Weights { rows, rest });
    }

    /// How likely alternative `number` of a decision is, beside the others; none if they have no
    /// weights.
    pub fn weight(&self, of: &str, number: u64) -> Option<u64> {
        Some(self.0.get(of)?.of(number))
    }

    /// The weights of the alternatives `among` of a decision; none if there is
    /// nothing to draw by.
    pub(crate) fn among(&self, of: &str, among: &Alternatives<'_>) -> Option<Draw<'_>> {
        let weights = self.0.get(of)?;
        let total = match among {
            Alternatives::All(count) => {
                let count = *count as u64;
                let (last, sum) = weights.rows.last().copied().unwrap_or_default();
                if last >= count {
                    return None;
                }
                let others = count - weights.rows.len() as u64;
                sum.checked_add(others.checked_mul(weights.rest)?)?
            }
            Alternatives::Some(numbers) => {
                let each = numbers.iter().map(|&number| weights.of(number as u64));
                each.fold(0u64, u64::saturating_add)
            }
        };
        (total > 0).then_some(Draw { weights, total })
    }
}

impl Weights {
    fn of(&self, number: u64) -> u64 {
        match self.rows.binary_search_by_key(&number, |row| row.0) {
            Ok(0) => self.rows[0].1,
            Ok(at) => self.rows[at].1 - self.rows[at - 1].1,
            Err(_) => self.rest,
        }
    }

    /// The alternative that has no weight of its own, counted from 0.
    fn other(&self, place: u64) -> u64 {
        // Before row `at` there are `number - at` of them.
        let (mut low, mut high) = (0, self.rows.len());
        while low < high {
            let middle = (low + high) / 2;
            match self.rows[middle].0 - middle as u64 <= place {
                true => low = middle + 1,
                false => high = middle,
            }
        }
        place + low as u64
    }
}

/// Which alternatives there are.
pub(crate) enum Alternatives<'a> {
    /// 0 up to this number.
    All(usize),
    /// These.
    Some(&'a [usize]),
}

impl Alternatives<'_> {
    pub(crate) fn len(&self) -> usize {
        match self {
            Alternatives::All(count) => *count,
            Alternatives::Some(numbers) => numbers.len(),
        }
    }

    /// The number of the alternative at `place`.
    pub(crate) fn number(&self, place: usize) -> u64 {
        match self {
            Alternatives::All(_) => place as u64,
            Alternatives::Some(numbers) => numbers.get(place).map_or(0, |number| *number as u64),
        }
    }
}

/// Weights to draw by.
pub(crate) struct Draw<'a> {
    weights: &'a Weights,
    pub(crate) total: u64,
}

impl Draw<'_> {
    /// The place among the alternatives that `drawn`, below the total, falls on.
    pub(crate) fn place(&self, among: &Alternatives<'_>, drawn: u64) -> u64 {
        match among {
            Alternatives::All(_) => {
                let rows = &self.weights.rows;
                let sum = rows.last().map_or(0, |row| row.1);
                match drawn < sum {
                    true => rows[rows.partition_point(|row| row.1 <= drawn)].0,
                    false => self.weights.other((drawn - sum) / self.weights.rest.max(1)),
                }
            }
            Alternatives::Some(numbers) => {
                let mut rest = drawn;
                for (place, &number) in numbers.iter().enumerate() {
                    let weight = self.weights.of(number as u64);
                    if rest < weight {
                        return place as u64;
                    }
                    rest -= weight;
                }
                0
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Choices;

    fn drawn(lots: &Lots, among: Option<&[usize]>, count: usize) -> Vec<u64> {
        let mut seen = vec![0u64; 4];
        for index in 0..4000 {
            let mut choices = Choices::seeded(1, index);
            choices.steer(Arc::new(lots.clone()));
            let place = match among {
                None => choices.arm("seed", count).unwrap(),
                Some(numbers) => numbers[choices.arm_of("seed", numbers).unwrap()],
            };
            seen[place] += 1;
            assert_eq!(choices.arms()[0].number, place as u64);
            // The tape needs no lots.
            let mut again = Choices::replay(choices.into_tape());
            match among {
                None => assert_eq!(again.arm("seed", count).unwrap(), place),
                Some(numbers) => assert_eq!(numbers[again.arm_of("seed", numbers).unwrap()], place),
            }
        }
        seen
    }

    #[test]
    fn weights_can_be_asked_for() {
        let lots = lots(&[(0, 1), (2, 6)], 9);
        let weights = [0, 1, 2, 3].map(|number| lots.weight("seed", number).unwrap());
        assert_eq!(weights, [1, 9, 6, 9]);
        assert_eq!(lots.weight("length", 0), None);
    }

    fn lots(weights: &[(u64, u64)], rest: u64) -> Lots {
        let mut lots = Lots::default();
        lots.set("seed", &weights.iter().copied().collect(), rest);
        lots
    }

    #[test]
    fn arms_are_taken_as_often_as_their_weights_say() {
        let all = lots(&[(0, 1), (1, 0), (2, 6), (3, 3)], 9);
        // Those without a weight of their own have that of the rest.
        for lots in [all.clone(), lots(&[(0, 1), (1, 0), (2, 6)], 3)] {
            let seen = drawn(&lots, None, 4);
            assert_eq!(seen[1], 0);
            for (count, expected) in [(seen[0], 400), (seen[2], 2400), (seen[3], 1200)] {
                assert!(count.abs_diff(expected) < 150, "{seen:?}");
            }
            let seen = drawn(&lots, Some(&[1, 2, 3]), 4);
            assert_eq!((seen[0], seen[1]), (0, 0));
            assert!(seen[2].abs_diff(2667) < 150, "{seen:?}");
        }
        let seen = drawn(&lots(&[(1, 0), (3, 0)], 1), None, 4);
        assert_eq!((seen[1], seen[3]), (0, 0));
        assert!(seen[0].abs_diff(2000) < 150, "{seen:?}");
    }

    #[test]
    fn weights_that_do_not_fit_the_decision_change_nothing() {
        let plain = drawn(&Lots::default(), None, 4);
        assert_eq!(drawn(&lots(&[(7, 1)], 0), None, 4), plain);
        assert_eq!(drawn(&lots(&[(0, 0)], 0), None, 4), plain);
        assert_eq!(drawn(&lots(&[], 1), None, 4), plain);
        let some = Some(&[0, 3][..]);
        assert_eq!(
            drawn(&lots(&[(1, 5)], 0), some, 4),
            drawn(&Lots::default(), some, 4)
        );
        // Weights beyond all measure are cut off.
        let seen = drawn(&lots(&[(0, u64::MAX), (1, u64::MAX)], 0), None, 2);
        assert!(seen[0].abs_diff(2000) < 150, "{seen:?}");
    }

    #[test]
    fn an_arm_that_was_taken_back_is_not_noted() {
        let mut choices = Choices::seeded(1, 1);
        choices.arm("seed", 9).unwrap();
        let mark = choices.mark();
        choices.arm("length", 9).unwrap();
        choices.rewind(mark);
        let of: Vec<&str> = choices.arms().iter().map(|arm| &*arm.of).collect();
        assert_eq!(of, ["seed"]);
        // A decision without an alternative is noted too.
        assert_eq!(choices.arm("kind", 1), Ok(0));
        assert_eq!(choices.arms().len(), 2);
    }
}
