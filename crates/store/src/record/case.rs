//! A finished case: what a job becomes when it is kept, what travels from one
//! machine to another, and what is merged.

use std::collections::BTreeMap;
use std::time::Duration;

use lydite_core::{Answer, Outcome, Signature, Verdict};
use serde::{Deserialize, Serialize};

use super::symptom::join;
use super::{Arms, CaseSize, Failure, ScheduleId, SymptomRecord, TriggerRecord};

/// A finished case with all that is kept of it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CaseRecord {
    /// Its number.
    pub index: u64,
    /// The strategy's number in the plan.
    pub strategy: u64,
    /// The schedule that it was drawn by.
    #[serde(default)]
    pub schedule: ScheduleId,
    /// The arms that it took.
    #[serde(default)]
    pub arms: Arms,
    /// The size of all its programs, in bytes.
    pub bytes: u64,
    /// Why nothing was run, or what was wrong with the case itself.
    pub failure: Option<Failure>,
    /// How many symptoms some replay did not show.
    pub unconfirmed: u64,
    /// Every run of a target on a program.
    pub runs: Runs,
    /// What was found.
    pub symptoms: Vec<SymptomRecord>,
    /// How far it could be judged.
    pub remarks: Vec<RemarkRecord>,
    /// The case itself, if a finding needs it.
    pub trigger: Option<TriggerRecord>,
}

/// What an oracle remarked on the answers of a target to one case.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct RemarkRecord {
    /// The target's number in the plan.
    pub target: u64,
    /// What the oracle remarked.
    pub what: String,
    /// True if the oracle could tell right from wrong.
    pub decided: bool,
}

/// One run of a target on a program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RunRecord {
    /// The program's number in the case.
    pub program: u16,
    /// The target's number in the plan.
    pub target: u16,
    /// The outcome's number in [`Outcome::NAMES`].
    pub outcome: u8,
    /// The verdicts of its answer, as a number ([`verdicts`]).
    pub answer: u8,
    /// Wall time.
    pub wall: Duration,
    /// CPU time.
    pub cpu: Duration,
}

/// All runs of a case, 14 bytes each: program u16, target u16, outcome u8, answer u8,
/// wall and CPU time in microseconds u32, all with the low byte first.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Runs(Vec<u8>);

/// Bytes per run.
const RUN_BYTES: usize = 14;

impl Runs {
    /// Makes runs from the bytes that [`Runs::bytes`] gave.
    pub fn from_bytes(bytes: Vec<u8>) -> Runs {
        Runs(bytes)
    }

    /// The runs as bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// Takes the bytes out.
    pub fn take_bytes(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.0)
    }

    /// How many runs there are.
    pub fn count(&self) -> u64 {
        (self.0.len() / RUN_BYTES) as u64
    }

    /// The runs, one by one.
    pub fn iter(&self) -> impl Iterator<Item = RunRecord> + '_ {
        self.0.chunks_exact(RUN_BYTES).map(|run| {
            let short = |at: usize| u16::from_le_bytes([run[at], run[at + 1]]);
            let micros = |at: usize| {
                let bytes = [run[at], run[at + 1], run[at + 2], run[at + 3]];
                Duration::from_micros(u64::from(u32::from_le_bytes(bytes)))
            };
            RunRecord {
                program: short(0),
                target: short(2),
                outcome: run[4],
                answer: run[5],
                wall: micros(6),
                cpu: micros(10),
            }
        })
    }

    /// Without times: program, target and outcome of each.
    fn outcomes(&self) -> Vec<(u16, u16, u8)> {
        self.iter()
            .map(|run| (run.program, run.target, run.outcome))
            .collect()
    }
}

impl FromIterator<RunRecord> for Runs {
    fn from_iter<I: IntoIterator<Item = RunRecord>>(runs: I) -> Runs {
        let micros = |time: Duration| u32::try_from(time.as_micros()).unwrap_or(u32::MAX);
        let mut bytes = Vec::new();
        for run in runs {
            bytes.extend(run.program.to_le_bytes());
            bytes.extend(run.target.to_le_bytes());
            bytes.push(run.outcome);
            bytes.push(run.answer);
            bytes.extend(micros(run.wall).to_le_bytes());
            bytes.extend(micros(run.cpu).to_le_bytes());
        }
        Runs(bytes)
    }
}

impl CaseRecord {
    /// What is known of a case that ran twice: the symptoms of both runs, and of
    /// the rest what one of them has. The order does not matter, and joining
    /// what was joined changes nothing; so folders can be merged in any order.
    pub fn join(self, other: CaseRecord) -> CaseRecord {
        let (mut first, mut second) = match self.rank() <= other.rank() {
            true => (self, other),
            false => (other, self),
        };
        let ours = std::mem::take(&mut first.symptoms);
        let theirs = std::mem::take(&mut second.symptoms);
        first.symptoms = join(ours, theirs);
        first.trigger = match (first.trigger, second.trigger) {
            (Some(ours), Some(theirs)) => Some(ours.join(theirs)),
            (ours, theirs) => ours.or(theirs),
        };
        first
    }

    fn rank(&self) -> impl Ord + use<> {
        let mut remarks = self.remarks.clone();
        remarks.sort();
        let judged = (self.failure.clone(), self.unconfirmed, self.runs.outcomes());
        (
            judged,
            remarks,
            self.strategy,
            self.bytes,
            self.runs.clone(),
        )
    }
}

/// Drops the cases that no store needs: those that are not smaller than an
/// earlier one of the same signatures among `records`.
pub fn drop_needless_triggers(records: &mut [CaseRecord]) {
    let mut smallest: BTreeMap<Signature, CaseSize> = BTreeMap::new();
    for record in records {
        let mut needed = false;
        for symptom in &record.symptoms {
            let size = symptom.size(record.index);
            let known = smallest.get(&symptom.signature);
            if known.is_none_or(|known| size < *known) {
                smallest.insert(symptom.signature.clone(), size);
                needed = true;
            }
        }
        if !needed {
            record.trigger = None;
        }
    }
}

/// Which verdicts are in an answer: the sum of 1 for sat, 2 for unsat, 4 for
/// unknown; 0 for any other outcome.
pub fn verdicts(outcome: &Outcome) -> u8 {
    let Some(Answer::Verdicts(verdicts)) = outcome.answer() else {
        return 0;
    };
    let bits = verdicts.iter().map(|verdict| match verdict {
        Verdict::Sat => 1,
        Verdict::Unsat => 2,
        Verdict::Unknown => 4,
    });
    bits.fold(0, |sum, bit| sum | bit)
}

/// The number of an outcome in [`Outcome::NAMES`].
pub fn outcome_number(outcome: &Outcome) -> u8 {
    let name = outcome.name();
    let mut names = Outcome::NAMES.iter();
    let number = names.position(|known| *known == name);
    number.expect("every outcome's name is in the list") as u8
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Replays;

    fn record(outcome: u8, wall: u64, symptoms: &[(&str, u32)]) -> CaseRecord {
        let run = RunRecord {
            outcome,
            wall: Duration::from_micros(wall),
            ..RunRecord::default()
        };
        CaseRecord {
            index: 7,
            bytes: 10,
            runs: [run].into_iter().collect(),
            symptoms: symptoms
                .iter()
                .map(|(site, shown)| SymptomRecord {
                    signature: format!("v1 crash z3 {site}").parse().unwrap(),
                    target: "z3@4".parse().unwrap(),
                    against: Vec::new(),
                    program: 0,
                    evidence: format!("{site} {shown}"),
                    bytes: 10,
                    known: None,
                    replays: Replays {
                        shown: *shown,
                        of: 3,
                    },
                })
                .collect(),
            ..CaseRecord::default()
        }
    }

    #[test]
    fn a_case_that_ran_twice_has_the_symptoms_of_both_in_any_order() {
        let runs = [
            record(0, 5, &[]),
            record(4, 5, &[("site=\"a\"", 3)]),
            record(4, 9, &[("site=\"a\"", 1), ("site=\"b\"", 2)]),
            record(4, 5, &[("site=\"a\" apart=\"2\"", 1)]),
        ];
        for a in &runs {
            assert_eq!(a.clone().join(a.clone()), *a);
            for b in &runs {
                let joined = a.clone().join(b.clone());
                assert_eq!(joined, b.clone().join(a.clone()));
                assert_eq!(joined.clone().join(a.clone()), joined);
                for c in &runs {
                    let left = joined.clone().join(c.clone());
                    assert_eq!(left, a.clone().join(b.clone().join(c.clone())));
                }
            }
        }
        let all = runs.iter().cloned().reduce(CaseRecord::join).unwrap();
        let signatures: Vec<String> = all
            .symptoms
            .iter()
            .map(|s| s.signature.to_string())
            .collect();
        // Whole of a, which was set apart by one of them, and b.
        assert_eq!(
            signatures,
            [
                "v1 crash z3 site=\"a\" apart=\"2\"",
                "v1 crash z3 site=\"b\""
            ]
        );
        assert_eq!(all.runs.iter().next().unwrap().outcome, 0);
    }

    #[test]
    fn runs_come_out_as_they_went_in() {
        let run = RunRecord {
            program: 300,
            target: 2,
            outcome: 5,
            answer: 3,
            wall: Duration::from_micros(1_000_001),
            cpu: Duration::from_micros(7),
        };
        let runs: Runs = [run, run].into_iter().collect();
        assert_eq!(runs.count(), 2);
        assert_eq!(runs.iter().collect::<Vec<_>>(), [run, run]);
        assert_eq!(Runs::from_bytes(runs.bytes().to_vec()), runs);
        // Bytes may come from anywhere.
        assert_eq!(Runs::from_bytes(vec![1; 20]).iter().count(), 1);
    }
}
