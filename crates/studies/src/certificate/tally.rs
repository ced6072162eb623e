//! Counts and a hash over the results in a store.

use std::collections::BTreeMap;

use anyhow::Result;
use lydite_core::Outcome;
use serde::{Deserialize, Serialize};

use lydite_core::fault::usage;
use lydite_store::Store;
use lydite_store::record::{CaseRecord, SymptomRecord, whole};

/// Cases by how they ended. Each is counted once, under the first that
/// applies: skipped, failed, with findings, unconfirmed, timed out, undecided,
/// agreed, not taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Counts {
    /// The number of cases that every target answered and no oracle objected to.
    pub agreed: u64,
    /// The number of cases for which some target says that it does not know.
    pub undecided: u64,
    /// The number of cases on which some target ran out of time or memory.
    pub timed_out: u64,
    /// The number of cases that some target did not take, or died on without a finding.
    pub not_taken: u64,
    /// The number of cases in which something was seen that a second run did not show.
    pub unconfirmed: u64,
    /// The number of cases with findings.
    pub with_findings: u64,
    /// The number of cases that were not run, since the settings leave out what equals an earlier one.
    pub skipped: u64,
    /// The number of cases that were not judged, by a fault of ours or of a seed's label.
    pub failed: u64,
}

impl Counts {
    /// The number of all cases.
    pub fn all(&self) -> u64 {
        let counts = [
            self.agreed, self.undecided, self.timed_out, self.not_taken, self.unconfirmed,
            self.with_findings, self.skipped, self.failed,
        ];
        // A certificate may come from anybody.
        counts.into_iter().fold(0, u64::saturating_add)
    }

    /// The count that a case belongs to.
    fn of(&mut self, case: &CaseRecord) -> &mut u64 {
        let any = |names: &[&str]| {
            let mut outcomes = case.runs.iter().map(|run| run.outcome);
            outcomes.any(|outcome| names.contains(&outcome_name(outcome)))
        };
        match &case.failure {
            Some(failure) if failure.is_reject() => &mut self.skipped,
            Some(_) => &mut self.failed,
            None if !case.symptoms.is_empty() => &mut self.with_findings,
            None if case.unconfirmed > 0 => &mut self.unconfirmed,
            None if any(&["timed-out", "out-of-memory"]) => &mut self.timed_out,
            None if any(&["undecided"]) => &mut self.undecided,
            None if any(&["answered"]) && all_answered(case) => &mut self.agreed,
            None => &mut self.not_taken,
        }
    }
}

fn all_answered(case: &CaseRecord) -> bool {
    let mut outcomes = case.runs.iter().map(|run| run.outcome);
    outcomes.all(|outcome| outcome_name(outcome) == "answered")
}

fn outcome_name(outcome: u8) -> &'static str {
    let names = &Outcome::NAMES;
    names.get(usize::from(outcome)).copied().unwrap_or("?")
}

/// What the rows of a store say.
pub(super) struct RowTally {
    pub(super) counts: Counts,
    /// By target's number.
    pub(super) outcomes: Vec<BTreeMap<String, u64>>,
    /// The number of cases by signature.
    pub(super) findings: BTreeMap<String, u64>,
    pub(super) results: String,
}

impl RowTally {
    /// Of the first `cases` cases; an error if row *k* is not case *k*.
    pub(super) fn of(store: &Store, cases: u64, targets: usize) -> Result<RowTally> {
        let mut tally = RowTally {
            counts: Counts::default(),
            outcomes: vec![BTreeMap::new(); targets],
            findings: BTreeMap::new(),
            results: String::new(),
        };
        let mut hasher = blake3::Hasher::new();
        let mut next = 0;
        store.each_case(cases, &mut |case| {
            if case.index != next {
                return Err(usage(format!(
                    "store: case {next} is not there once, but {} is",
                    case.index
                )));
            }
            next += 1;
            *tally.counts.of(case) += 1;
            for run in case.runs.iter() {
                let Some(outcomes) = tally.outcomes.get_mut(usize::from(run.target)) else {
                    return Err(usage(format!(
                        "store: case {} was run on target {}, which is not in the plan",
                        case.index, run.target
                    )));
                };
                *outcomes
                    .entry(outcome_name(run.outcome).to_string())
                    .or_default() += 1;
            }
            let symptoms = case.symptoms.iter();
            let mut signatures: Vec<String> = symptoms
                .map(|symptom| symptom.signature.to_string())
                .collect();
            signatures.sort_unstable();
            signatures.dedup();
            for signature in signatures {
                *tally.findings.entry(signature).or_default() += 1;
            }
            hash_case(&mut hasher, case);
            Ok(())
        })?;
        if next != cases {
            return Err(usage(format!(
                "store: it has {next} of the first {cases} cases"
            )));
        }
        tally.results = hasher.finalize().to_hex().to_string();
        Ok(tally)
    }
}

/// Everything of a case but its times and what is said of it in words, which
/// may hold times.
fn hash_case(hasher: &mut blake3::Hasher, case: &CaseRecord) {
    let mut word = |bytes: &[u8]| {
        hasher.update(&(bytes.len() as u64).to_le_bytes());
        hasher.update(bytes);
    };
    let numbers = [case.index, case.strategy, case.bytes, case.unconfirmed];
    let numbers: Vec<u8> = numbers.into_iter().flat_map(u64::to_le_bytes).collect();
    word(&numbers);
    let failure = case.failure.as_ref().map(ToString::to_string);
    word(failure.unwrap_or_default().as_bytes());
    let runs: Vec<u8> = case
        .runs
        .iter()
        .flat_map(|run| {
            let [p0, p1] = run.program.to_le_bytes();
            let [t0, t1] = run.target.to_le_bytes();
            [p0, p1, t0, t1, run.outcome]
        })
        .collect();
    word(&runs);
    word(&(case.symptoms.len() as u64).to_le_bytes());
    let mut symptoms: Vec<&SymptomRecord> = case.symptoms.iter().collect();
    // Deduplication may divide a finding later.
    symptoms.sort_by_key(|symptom| whole(&symptom.signature));
    for symptom in symptoms {
        let against: Vec<String> = symptom.against.iter().map(ToString::to_string).collect();
        word(whole(&symptom.signature).to_string().as_bytes());
        word(symptom.kind().name().as_bytes());
        word(symptom.target.to_string().as_bytes());
        word(against.join(" ").as_bytes());
        word(&symptom.program.to_le_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lydite_store::record::{RunRecord, outcome_number};

    fn case(failure: Option<&str>, unconfirmed: u64, outcomes: &[Outcome]) -> CaseRecord {
        let run = |outcome| RunRecord {
            outcome: outcome_number(outcome),
            ..RunRecord::default()
        };
        CaseRecord {
            bytes: 1,
            failure: failure.map(|text| text.parse().unwrap()),
            unconfirmed,
            runs: outcomes.iter().map(run).collect(),
            ..CaseRecord::default()
        }
    }

    #[test]
    fn a_case_is_counted_once_by_the_gravest_that_happened() {
        use Outcome::{Crashed, OutOfMemory, TimedOut, Undecided, Unsupported};
        let answered = || Outcome::Answered(lydite_core::Answer::Accepted);
        let crashed = || Crashed(String::new());
        let mut counts = Counts::default();
        for case in [
            case(None, 0, &[answered(), answered()]),
            case(None, 0, &[answered(), Undecided]),
            case(None, 0, &[Undecided, TimedOut]),
            case(None, 0, &[OutOfMemory, crashed()]),
            case(None, 0, &[answered(), crashed()]),
            case(None, 0, &[Unsupported(String::new())]),
            case(None, 1, &[answered(), answered()]),
            case(Some("reject: not applicable: x"), 0, &[]),
            case(Some("panic: x"), 0, &[]),
        ] {
            *counts.of(&case) += 1;
        }
        let expected = Counts {
            agreed: 1,
            undecided: 1,
            timed_out: 2,
            not_taken: 2,
            unconfirmed: 1,
            with_findings: 0,
            skipped: 1,
            failed: 1,
        };
        assert_eq!((counts, counts.all()), (expected, 9));
    }
}
