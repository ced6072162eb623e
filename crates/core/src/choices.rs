//! Every decision of every strategy goes through [`Choices`].
//!
//! A run of a strategy leaves a [`Tape`]: the list of (value, bound) pairs it
//! asked for. The same strategy code therefore serves four uses: random
//! generation ([`Choices::seeded`]), exact replay ([`Choices::replay`]),
//! bounded enumeration ([`Odometer`]) and reduction (replay of a shrunk tape
//! with [`Choices::guided`]).
//!
//! Invariants:
//! - The seeded stream is ChaCha8 with a fixed seed layout and our own
//!   bounded sampling on top, so an upgrade of a dependency cannot change it;
//!   golden tests pin it.
//! - Value 0 is the simplest choice by convention; strategies order their
//!   alternatives simplest first, so that smaller tapes make smaller programs.
//! - A tape holds only choices that survived: [`Choices::rewind`] takes back
//!   what was recorded since the mark. Replaying a tape never needs to rewind.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use dashu_int::ops::BitTest;
use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};

use crate::lots::{Alternatives, Arm, Lots};
use crate::{BigUint, Reject};

/// One decision: `value` was chosen among `bound` alternatives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Choice {
    /// The number of alternatives there were; at least 1.
    pub bound: u64,
    /// The alternative taken; below `bound`.
    pub value: u64,
}

/// A recorded sequence of choices. Its text form is `value/bound` pairs
/// separated by spaces.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tape(pub Vec<Choice>);

/// How many choices a run may make before it is abandoned, unless told
/// otherwise: enough for programs of tens of megabytes.
pub const DEFAULT_LIMIT: usize = 1 << 22;

/// The source of all decisions of one run of a strategy.
#[derive(Debug)]
pub struct Choices {
    source: ChoiceSource,
    tape: Vec<Choice>,
    limit: usize,
    lots: Arc<Lots>,
    /// The arms that were taken.
    arms: Vec<Arm>,
}

#[derive(Debug)]
enum ChoiceSource {
    Random(Box<ChaCha8Rng>),
    /// Values are read from a tape. `exact`: a bound that differs or a tape
    /// that ends is a refusal; otherwise values are clamped and zeros follow.
    Tape {
        tape: Vec<Choice>,
        exact: bool,
    },
    /// After a rewind in a tape-driven run: the same values would come again.
    Spent,
}

/// A position on the tape, made by [`Choices::mark`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TapePosition {
    tape: usize,
    arms: usize,
}

impl Choices {
    /// The random stream number `index` of `seed`: the same on every machine.
    pub fn seeded(seed: u64, index: u64) -> Choices {
        let mut key = [0u8; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        key[8..16].copy_from_slice(b"lydite.1");
        let mut rng = ChaCha8Rng::from_seed(key);
        rng.set_stream(index);
        Choices::from_source(ChoiceSource::Random(Box::new(rng)))
    }

    /// Replays `tape` exactly: a strategy that asks for anything else gets
    /// [`Reject::OutOfChoices`].
    pub fn replay(tape: Tape) -> Choices {
        Choices::from_source(ChoiceSource::Tape {
            tape: tape.0,
            exact: true,
        })
    }

    /// Follows `tape` as far as it fits: values are clamped to the bound that
    /// is asked for, and zeros follow its end. For reduction.
    pub fn guided(tape: Tape) -> Choices {
        Choices::from_source(ChoiceSource::Tape {
            tape: tape.0,
            exact: false,
        })
    }

    fn from_source(source: ChoiceSource) -> Choices {
        Choices {
            source,
            tape: Vec::new(),
            limit: DEFAULT_LIMIT,
            lots: Arc::default(),
            arms: Vec::new(),
        }
    }

    /// Lets `lots` say from now on how likely arms are.
    pub fn steer(&mut self, lots: Arc<Lots>) {
        self.lots = lots;
    }

    /// The arms that were taken so far, in order.
    pub fn arms(&self) -> &[Arm] {
        &self.arms
    }

    /// The same with room for at most `limit` choices; the next one is [`Reject::OutOfChoices`].
    pub fn with_limit(mut self, limit: usize) -> Choices {
        self.limit = limit;
        self
    }

    /// The choices made so far.
    pub fn tape(&self) -> Tape {
        Tape(self.tape.clone())
    }

    /// The choices made so far, without a copy.
    pub fn into_tape(self) -> Tape {
        Tape(self.tape)
    }

    /// How many choices were made so far.
    pub fn made(&self) -> usize {
        self.tape.len()
    }

    /// Remembers the present position.
    pub fn mark(&self) -> TapePosition {
        TapePosition {
            tape: self.tape.len(),
            arms: self.arms.len(),
        }
    }

    /// Takes back every choice since `mark`.
    ///
    /// In a random run, the choices that follow are fresh, so a strategy can
    /// try again. A tape-driven run would only make the same choices again:
    /// there the attempt is over and the next choice is a reject. (An
    /// enumeration reaches the other alternatives by itself.)
    pub fn rewind(&mut self, mark: TapePosition) {
        self.arms.truncate(mark.arms);
        match self.source {
            ChoiceSource::Random(_) => self.tape.truncate(mark.tape),
            // The tape stays whole: the odometer steps on from it.
            ChoiceSource::Tape { .. } | ChoiceSource::Spent => self.source = ChoiceSource::Spent,
        }
    }

    /// A number below `bound`, uniformly. `bound` 1 costs nothing and is not
    /// recorded; `bound` 0 is a bug of the caller and counted as a reject.
    pub fn below(&mut self, bound: u64) -> Result<u64, Reject> {
        match bound {
            0 => return Err(Reject::NotApplicable("a choice among no alternatives")),
            1 => return Ok(0),
            _ => {}
        }
        self.choose(bound, |rng| uniform(rng, bound))
    }

    /// A number below `bound`, at least 2: as a tape says, or as `draw` does.
    fn choose(
        &mut self,
        bound: u64,
        draw: impl FnOnce(&mut ChaCha8Rng) -> u64,
    ) -> Result<u64, Reject> {
        if self.tape.len() >= self.limit {
            return Err(Reject::OutOfChoices);
        }
        let value = match &mut self.source {
            ChoiceSource::Random(rng) => draw(rng),
            ChoiceSource::Spent => return Err(Reject::OutOfChoices),
            ChoiceSource::Tape { tape, exact } => match (tape.get(self.tape.len()), *exact) {
                (Some(choice), true) if choice.bound == bound && choice.value < bound => {
                    choice.value
                }
                (_, true) => return Err(Reject::OutOfChoices),
                (Some(choice), false) => choice.value.min(bound - 1),
                (None, false) => 0,
            },
        };
        self.tape.push(Choice { bound, value });
        Ok(value)
    }

    /// An index below `len`.
    pub fn index(&mut self, len: usize) -> Result<usize, Reject> {
        Ok(self.below(len as u64)? as usize)
    }

    /// Draws one of `count` alternatives of the decision `of`, and notes which. Lots say how likely
    /// each is; without lots all are equally likely.
    pub fn arm(&mut self, of: &str, count: usize) -> Result<usize, Reject> {
        self.arm_among(of, &Alternatives::All(count))
    }

    /// The same as [`Choices::arm`], among the alternatives with these numbers. Returns the place
    /// in `numbers`, and notes the number.
    pub fn arm_of(&mut self, of: &str, numbers: &[usize]) -> Result<usize, Reject> {
        self.arm_among(of, &Alternatives::Some(numbers))
    }

    fn arm_among(&mut self, of: &str, among: &Alternatives<'_>) -> Result<usize, Reject> {
        let lots = self.lots.clone();
        let place = match lots.among(of, among) {
            Some(draw) if among.len() > 1 => {
                let place = |rng: &mut ChaCha8Rng| {
                    let drawn = uniform(rng, draw.total);
                    draw.place(among, drawn)
                };
                self.choose(among.len() as u64, place)?
            }
            _ => self.below(among.len() as u64)?,
        };
        let arm = Arm {
            of: Arc::from(of),
            number: among.number(place as usize),
        };
        self.arms.push(arm);
        Ok(place as usize)
    }

    /// A number in `low..=high`.
    pub fn between(&mut self, low: u64, high: u64) -> Result<u64, Reject> {
        match high.checked_sub(low).map(|width| width.checked_add(1)) {
            Some(Some(bound)) => Ok(low + self.below(bound)?),
            // The whole range of u64: two halves, since the bound has no u64.
            Some(None) => Ok((self.below(1 << 32)? << 32) | self.below(1 << 32)?),
            None => Err(Reject::NotApplicable("a choice in an empty range")),
        }
    }

    /// True `times` out of `out_of`; false is the simpler choice.
    pub fn chance(&mut self, times: u64, out_of: u64) -> Result<bool, Reject> {
        Ok(self.below(out_of)? >= out_of.saturating_sub(times))
    }

    /// One of `items`.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> Result<&'a T, Reject> {
        let index = self.index(items.len())?;
        Ok(&items[index])
    }

    /// An index, each with probability proportional to its weight.
    pub fn weighted(&mut self, weights: &[u64]) -> Result<usize, Reject> {
        let total = weights
            .iter()
            .try_fold(0u64, |sum, &weight| sum.checked_add(weight))
            .ok_or(Reject::NotApplicable("weights that exceed 64 bits"))?;
        let mut rest = self.below(total)?;
        for (index, &weight) in weights.iter().enumerate() {
            if rest < weight {
                return Ok(index);
            }
            rest -= weight;
        }
        Err(Reject::NotApplicable("a choice among no alternatives"))
    }

    /// A random permutation of `items` in place (Fisher–Yates from the front;
    /// all-zero choices leave the order as it is).
    pub fn shuffle<T>(&mut self, items: &mut [T]) -> Result<(), Reject> {
        for i in 0..items.len().saturating_sub(1) {
            let j = i + self.index(items.len() - i)?;
            items.swap(i, j);
        }
        Ok(())
    }

    /// A big number below `bound`, uniform up to a bias below 2^-64.
    ///
    /// It draws 64 bits more than the bound has and scales, so it never has
    /// to try again and a tape stays monotone: smaller choices, smaller value.
    pub fn below_big(&mut self, bound: &BigUint) -> Result<BigUint, Reject> {
        if let Ok(small) = u64::try_from(bound) {
            return Ok(BigUint::from(self.below(small)?));
        }
        let limbs = bound.bit_len().div_ceil(32) + 2;
        let mut drawn = BigUint::ZERO;
        for _ in 0..limbs {
            drawn = (drawn << 32) + BigUint::from(self.below(1 << 32)?);
        }
        Ok((drawn * bound) >> (32 * limbs))
    }
}

/// Lemire's method on 64-bit words, exact by rejection. The words that are
/// thrown away are not on the tape.
fn uniform(rng: &mut ChaCha8Rng, bound: u64) -> u64 {
    let threshold = bound.wrapping_neg() % bound;
    loop {
        let product = u128::from(rng.next_u64()) * u128::from(bound);
        if product as u64 >= threshold {
            return (product >> 64) as u64;
        }
    }
}

/// Runs a strategy once for every possible tape, in lexicographic order.
///
/// Only for strategies whose tree of choices is finite within the limit;
/// tapes that hit the limit count as runs like any other.
#[derive(Debug)]
pub struct Odometer {
    next: Option<Vec<Choice>>,
    limit: usize,
}

impl Default for Odometer {
    fn default() -> Odometer {
        Odometer::new(DEFAULT_LIMIT)
    }
}

impl Odometer {
    /// Enumerates tapes of at most `limit` choices.
    pub fn new(limit: usize) -> Odometer {
        Odometer {
            next: Some(Vec::new()),
            limit,
        }
    }

    /// The result of `run` on the next tape, or `None` after the last.
    pub fn run<T>(&mut self, run: impl FnOnce(&mut Choices) -> T) -> Option<T> {
        let prefix = self.next.take()?;
        let mut choices = Choices::guided(Tape(prefix)).with_limit(self.limit);
        let result = run(&mut choices);
        self.next = successor(choices.tape);
        Some(result)
    }
}

fn successor(mut tape: Vec<Choice>) -> Option<Vec<Choice>> {
    while let Some(last) = tape.last_mut() {
        if last.value + 1 < last.bound {
            last.value += 1;
            return Some(tape);
        }
        tape.pop();
    }
    None
}

impl fmt::Display for Tape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, choice) in self.0.iter().enumerate() {
            let space = if i == 0 { "" } else { " " };
            write!(f, "{space}{}/{}", choice.value, choice.bound)?;
        }
        Ok(())
    }
}

/// Why a text is not a tape.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("tape: word {position} is `{word}`; expected value/bound with value < bound")]
pub struct TapeError {
    /// The position of the word, counted from 1.
    pub position: usize,
    /// The word at fault.
    pub word: String,
}

impl FromStr for Tape {
    type Err = TapeError;

    fn from_str(text: &str) -> Result<Tape, TapeError> {
        let parse = |(i, word): (usize, &str)| {
            word.split_once('/')
                .and_then(|(value, bound)| {
                    let choice = Choice {
                        value: value.parse().ok()?,
                        bound: bound.parse().ok()?,
                    };
                    (choice.value < choice.bound).then_some(choice)
                })
                .ok_or_else(|| TapeError {
                    position: i + 1,
                    word: word.to_string(),
                })
        };
        let words = text.split_whitespace().enumerate();
        Ok(Tape(words.map(parse).collect::<Result<_, _>>()?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_seeded_stream_is_the_same_for_ever() {
        let mut choices = Choices::seeded(1, 0);
        let first: Vec<u64> = (0..8).map(|_| choices.below(1000).unwrap()).collect();
        let mut other = Choices::seeded(1, 1);
        let second: Vec<u64> = (0..4).map(|_| other.below(u64::MAX).unwrap()).collect();
        let mut dice = Choices::seeded(42, 7);
        let mut deck: Vec<u32> = (0..10).collect();
        dice.shuffle(&mut deck).unwrap();
        assert_eq!(first, GOLDEN_BELOW_1000);
        assert_eq!(second, GOLDEN_STREAM_1);
        assert_eq!(deck, GOLDEN_DECK);
    }

    // Computed with an implementation of ChaCha8 that is not the crate's.
    const GOLDEN_BELOW_1000: [u64; 8] = [442, 81, 993, 759, 873, 167, 250, 333];
    const GOLDEN_STREAM_1: [u64; 4] = [
        17384205198611369467, 13985411883032620141, 3782546871593659646, 16936720656852027798,
    ];
    const GOLDEN_DECK: [u32; 10] = [0, 8, 3, 6, 5, 1, 9, 2, 4, 7];

    fn three_dice(choices: &mut Choices) -> Result<Vec<u64>, Reject> {
        (0..3).map(|_| choices.below(6)).collect()
    }

    #[test]
    fn a_tape_replays_exactly_and_survives_text() {
        let mut choices = Choices::seeded(3, 9);
        let thrown = three_dice(&mut choices).unwrap();
        let text = choices.tape().to_string();
        let tape: Tape = text.parse().unwrap();
        assert_eq!(tape, choices.into_tape());
        assert_eq!(three_dice(&mut Choices::replay(tape)).unwrap(), thrown);
    }

    #[test]
    fn an_exact_replay_refuses_another_bound_and_a_short_tape() {
        let tape: Tape = "3/6 2/5".parse().unwrap();
        let mut choices = Choices::replay(tape);
        assert_eq!(choices.below(6), Ok(3));
        assert_eq!(choices.below(6), Err(Reject::OutOfChoices));
        assert_eq!(choices.below(5), Ok(2));
        assert_eq!(choices.below(5), Err(Reject::OutOfChoices));
    }

    #[test]
    fn a_guided_run_clamps_and_continues_with_zeros() {
        let mut choices = Choices::guided("5/6".parse().unwrap());
        assert_eq!(choices.below(3), Ok(2));
        assert_eq!(choices.below(9), Ok(0));
    }

    #[test]
    fn a_bad_tape_names_the_word() {
        for (text, position) in [("1/2 x", 2), ("2/2", 1), ("1/2 1/", 2), ("-1/2", 1)] {
            let error = text.parse::<Tape>().unwrap_err();
            assert_eq!(error.position, position, "{text}");
        }
    }

    #[test]
    fn the_odometer_visits_every_tape_once_in_order() {
        // The number of further choices depends on the first: 1 + 2*2 + 3.
        let mut odometer = Odometer::default();
        let mut seen = Vec::new();
        while let Some(run) = odometer.run(|choices| {
            let first = choices.below(3).unwrap();
            match first {
                0 => vec![first],
                1 => vec![first, choices.below(2).unwrap(), choices.below(2).unwrap()],
                _ => vec![first, choices.below(3).unwrap()],
            }
        }) {
            seen.push(run);
        }
        assert_eq!(seen.len(), 1 + 4 + 3);
        assert!(seen.is_sorted());
        seen.dedup();
        assert_eq!(seen.len(), 8);
    }

    #[test]
    fn rewinding_gives_fresh_choices_and_a_clean_tape() {
        // Throw until a six: the tape holds the six alone.
        let mut choices = Choices::seeded(5, 5);
        let mark = choices.mark();
        while choices.below(6).unwrap() != 5 {
            choices.rewind(mark);
        }
        assert_eq!(choices.tape().to_string(), "5/6");
    }

    #[test]
    fn rewinding_in_an_enumeration_ends_the_attempt() {
        let mut odometer = Odometer::default();
        let mut kept = Vec::new();
        while let Some(run) = odometer.run(|choices| {
            let mark = choices.mark();
            loop {
                let value = choices.below(4)?;
                if value % 2 == 0 {
                    return Ok(value);
                }
                choices.rewind(mark);
            }
        }) {
            let _: Result<u64, Reject> = run;
            kept.extend(run.ok());
            assert!(kept.len() < 10, "the enumeration does not end");
        }
        assert_eq!(kept, [0, 2]);
    }

    #[test]
    fn the_limit_is_a_reject() {
        let mut choices = Choices::seeded(0, 0).with_limit(2);
        assert_eq!(three_dice(&mut choices), Err(Reject::OutOfChoices));
    }

    #[test]
    fn bounds_hold_and_every_value_occurs() {
        let mut choices = Choices::seeded(11, 0);
        let mut seen = [0u32; 7];
        for _ in 0..7000 {
            seen[choices.index(7).unwrap()] += 1;
        }
        assert!(
            seen.iter().all(|&count| (800..1200).contains(&count)),
            "{seen:?}"
        );
        for _ in 0..1000 {
            assert!((3..=9).contains(&choices.between(3, 9).unwrap()));
        }
        choices.between(0, u64::MAX).unwrap();
        assert!(choices.between(2, 1).is_err());
        assert!(choices.below(0).is_err());
        assert_eq!(choices.weighted(&[0, 5, 0]), Ok(1));
        assert!(choices.weighted(&[0, 0]).is_err());
        assert!(choices.weighted(&[u64::MAX, 2]).is_err());
    }

    #[test]
    fn big_numbers_are_below_their_bound_and_spread() {
        let mut choices = Choices::seeded(2, 2);
        let bound = BigUint::from(10u8).pow(40);
        let tenth = &bound / BigUint::from(10u8);
        let mut deciles = [0u32; 10];
        for _ in 0..5000 {
            let value = choices.below_big(&bound).unwrap();
            assert!(value < bound);
            deciles[usize::try_from(&value / &tenth).unwrap()] += 1;
        }
        assert!(
            deciles.iter().all(|&count| (400..600).contains(&count)),
            "{deciles:?}"
        );
    }
}
