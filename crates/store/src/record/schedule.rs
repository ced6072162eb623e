//! A schedule as it is kept: how the cases of one round are drawn, and the
//! numbers that it came from. It is written before its first case is made, and
//! every case names the schedule that it was drawn by.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use lydite_core::Arm;
use serde::{Deserialize, Serialize};

/// How the cases of a round are drawn. Times are microseconds.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScheduleRecord {
    /// The shard that it is for, from 1.
    pub shard: u64,
    /// How many shards there are.
    pub of: u64,
    /// The round, from 1: the first round has no schedule.
    pub round: u64,
    /// How many cases had been measured.
    pub cases: u64,
    /// How many cases in a million run with the plan's own limit.
    pub long_per_million: u64,
    /// For each target how many cases in a million use processes of it that stay.
    #[serde(default)]
    pub kept_per_million: Vec<u64>,
    /// What cases with the plan's own limit took so far.
    pub long: Tally,
    /// What the other cases took so far.
    pub short: Tally,
    /// The share of each strategy of the plan.
    pub strategies: Vec<StrategyShare>,
    /// Signatures that were confirmed already.
    pub confirmed: Vec<ConfirmedSignature>,
}

/// What cases took and brought.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// How many cases, rejected ones included.
    pub cases: u64,
    /// How many of them could not be made.
    pub rejected: u64,
    /// The number of runs with an answer.
    pub answered: u64,
    /// The number of runs that were cut off at their limit.
    pub timed_out: u64,
    /// CPU time of all runs, in microseconds.
    pub cpu: u64,
    /// CPU time of those that were cut off, in microseconds.
    #[serde(default)]
    pub lost: u64,
    /// The number of signatures and behaviours that were seen for the first time.
    pub news: u64,
}

/// The share of a strategy.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StrategyShare {
    /// Its weight among the others: how likely it is.
    pub weight: u64,
    /// What its cases took and brought so far.
    pub tally: Tally,
    /// The limit of a run of each target, in microseconds.
    pub limits: Vec<u64>,
    /// The decisions that it takes.
    pub decisions: BTreeMap<String, DecisionShare>,
}

/// The shares of the alternatives of a decision.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DecisionShare {
    /// The weight of each alternative that is not in the list.
    pub rest: u64,
    /// The shares, by the number of the alternative.
    pub arms: BTreeMap<u64, ArmShare>,
}

/// The share of one alternative.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ArmShare {
    /// Its weight among the others: how likely it is.
    pub weight: u64,
    /// What its cases took and brought so far.
    pub tally: Tally,
    /// The limit of a run of each target, in microseconds; empty if it is that of the strategy.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub limits: Vec<u64>,
    /// The CPU time that the unchanged seed takes on all targets, in microseconds, if it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unchanged: Option<u64>,
}

/// A signature that replays have shown.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConfirmedSignature {
    /// The text of the signature.
    pub signature: String,
    /// In how many cases replays showed it.
    pub cases: u64,
    /// The size of the smallest of them, in bytes.
    pub bytes: u64,
}

impl ScheduleRecord {
    /// The name of the schedule, which is never 0 and below 2^63.
    pub fn id(&self) -> ScheduleId {
        let text = serde_json::to_vec(self).unwrap_or_default();
        let hash = blake3::hash(&text);
        let bytes = hash.as_bytes().first_chunk().expect("a hash has 32 bytes");
        ScheduleId((u64::from_le_bytes(*bytes) >> 1).max(1))
    }
}

/// The name of a schedule: a hash over all that it says. The default names no schedule: the plan
/// alone decides.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(into = "String", try_from = "String")]
pub struct ScheduleId(pub u64);

impl ScheduleId {
    /// True if the plan alone decides.
    pub fn is_none(&self) -> bool {
        self.0 == 0
    }
}

impl fmt::Display for ScheduleId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

impl From<ScheduleId> for String {
    fn from(id: ScheduleId) -> String {
        id.to_string()
    }
}

impl TryFrom<String> for ScheduleId {
    type Error = std::num::ParseIntError;

    fn try_from(text: String) -> Result<ScheduleId, Self::Error> {
        u64::from_str_radix(&text, 16).map(ScheduleId)
    }
}

/// The arms that a case took, in order; as text `seed=7 length=2`.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Arms(pub Vec<(String, u64)>);

/// The name of the decision how long a case may run: arm 0 is the limit of the schedule, arm 1 that
/// of the plan.
pub const LIMIT_ARM: &str = "limit";

/// The decision which targets a case is run on in processes that stay: bit *n* of its
/// number is target *n*.
pub const KEPT_ARM: &str = "kept";

impl Arms {
    /// Makes a record of the arms that were taken while a case was made.
    pub fn noted(arms: &[Arm]) -> Arms {
        let arms = arms.iter();
        Arms(arms.map(|arm| (arm.of.to_string(), arm.number)).collect())
    }

    /// The targets that it was run on in processes that stay, if some can, as bits.
    pub fn kept(&self) -> Option<u64> {
        let mut arms = self.0.iter();
        arms.find(|(of, _)| of == KEPT_ARM).map(|(_, bits)| *bits)
    }

    /// True if the case ran with the plan's own limit.
    pub fn is_long(&self) -> bool {
        !self
            .0
            .iter()
            .any(|(of, number)| of == LIMIT_ARM && *number == 0)
    }
}

impl fmt::Display for Arms {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, (of, number)) in self.0.iter().enumerate() {
            let space = if at == 0 { "" } else { " " };
            write!(f, "{space}{of}={number}")?;
        }
        Ok(())
    }
}

/// Why a text does not name arms.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("arms: `{0}` is not a decision, `=` and a number")]
pub struct ArmsError(String);

impl FromStr for Arms {
    type Err = ArmsError;

    fn from_str(text: &str) -> Result<Arms, ArmsError> {
        let arm = |word: &str| {
            let (of, number) = word.rsplit_once('=')?;
            Some((of.to_string(), number.parse().ok()?))
        };
        let words = text.split_whitespace();
        words
            .map(|word| arm(word).ok_or_else(|| ArmsError(word.escape_debug().to_string())))
            .collect::<Result<_, _>>()
            .map(Arms)
    }
}

impl From<Arms> for String {
    fn from(arms: Arms) -> String {
        arms.to_string()
    }
}

impl TryFrom<String> for Arms {
    type Error = ArmsError;

    fn try_from(text: String) -> Result<Arms, ArmsError> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arms_survive_text() {
        let arms = Arms(vec![("seed".to_string(), 7), ("option-z3".to_string(), 0)]);
        assert_eq!(arms.to_string(), "seed=7 option-z3=0");
        assert_eq!(arms.to_string().parse(), Ok(arms));
        assert_eq!("".parse(), Ok(Arms::default()));
        for bad in ["seed", "seed=", "seed=-1", "=x"] {
            assert!(bad.parse::<Arms>().is_err(), "{bad}");
        }
    }

    #[test]
    fn a_schedule_is_named_by_all_that_it_says() {
        let one = ScheduleRecord::default();
        let other = ScheduleRecord {
            round: 1,
            ..ScheduleRecord::default()
        };
        assert_ne!(one.id(), other.id());
        assert!(!one.id().is_none() && one.id().0 < 1 << 63);
        let text = serde_json::to_string(&one.id()).unwrap();
        assert_eq!(serde_json::from_str::<ScheduleId>(&text).unwrap(), one.id());
    }
}
