//! A finished case as rows of the store: what a job becomes when it is kept,
//! and what travels from one machine to another.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::signatures::Size;
use super::{RUN_BYTES, SymptomRow, TriggerRecord};
use crate::campaign::{Filed, Job};

/// A finished case with all that is stored of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JobRow {
    /// Its number.
    pub index: u64,
    /// The strategy's number in the plan.
    pub strategy: u64,
    /// The size of its programs.
    pub bytes: u64,
    /// Why nothing was run, or what was wrong with the case itself.
    pub failure: Option<String>,
    /// Symptoms that some replay did not show.
    pub unconfirmed: u64,
    /// Every run, as `cases.runs` has it.
    pub runs: Vec<u8>,
    /// What was found.
    pub symptoms: Vec<SymptomRow>,
    /// How far it could be judged.
    pub remarks: Vec<RemarkRow>,
    /// The case itself, if it is needed.
    pub trigger: Option<TriggerRecord>,
}

/// What an oracle remarked on the answers of a target to one case.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RemarkRow {
    /// The target's number in the plan.
    pub target: u64,
    /// What was remarked.
    pub what: String,
    /// True if the oracle could tell right from wrong.
    pub decided: bool,
}

/// Who did some cases, and what that has taken so far.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SessionRow {
    /// Unlike that of any other process on any machine.
    pub id: String,
    /// When it began, in milliseconds of Unix time.
    pub started_ms: i64,
    /// Its times so far.
    pub spent: Spent,
}

/// CPU and wall time that one process has spent on the campaign so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spent {
    /// Wall time.
    pub wall: Duration,
    /// CPU time of making cases.
    pub make_cpu: Duration,
    /// CPU time of judging.
    pub judge_cpu: Duration,
    /// CPU time of the targets.
    pub targets_cpu: Duration,
    /// CPU time of our own process, all threads.
    pub own_cpu: Duration,
}

impl JobRow {
    /// How many runs it has.
    pub fn run_count(&self) -> u64 {
        (self.runs.len() / RUN_BYTES) as u64
    }

    /// Where the case stands among those of one of its signatures.
    pub(super) fn size(&self, symptom: &SymptomRow) -> Size {
        Size {
            flaky: symptom.replays.is_flaky(),
            bytes: self.bytes,
            index: self.index,
        }
    }
}

impl From<Job> for JobRow {
    fn from(job: Job) -> JobRow {
        let runs = encode_runs(&job);
        let symptom = |filed: Filed| SymptomRow {
            signature: filed.signature.to_string(),
            known: filed.known,
            replays: filed.replays,
            ..SymptomRow::of(&filed.symptom, job.bytes)
        };
        let remarks = job.remarks.into_iter();
        JobRow {
            index: job.index,
            strategy: job.strategy as u64,
            bytes: job.bytes,
            failure: job.failure,
            unconfirmed: job.unconfirmed,
            runs,
            symptoms: job.symptoms.into_iter().map(symptom).collect(),
            remarks: remarks
                .map(|(target, remark)| RemarkRow {
                    target: target as u64,
                    what: remark.what.to_string(),
                    decided: remark.decided,
                })
                .collect(),
            trigger: job.trigger,
        }
    }
}

/// Drops the cases that no store needs: those that are not smaller than an
/// earlier one of the same signatures among `rows`.
pub fn drop_needless_triggers(rows: &mut [JobRow]) {
    let mut smallest: BTreeMap<String, Size> = BTreeMap::new();
    for row in rows {
        let mut needed = false;
        for symptom in &row.symptoms {
            let size = row.size(symptom);
            let known = smallest.get(&symptom.signature);
            if known.is_none_or(|known| size < *known) {
                smallest.insert(symptom.signature.clone(), size);
                needed = true;
            }
        }
        if !needed {
            row.trigger = None;
        }
    }
}

fn encode_runs(job: &Job) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(job.runs.len() * RUN_BYTES);
    let micros = |duration: Duration| u32::try_from(duration.as_micros()).unwrap_or(u32::MAX);
    for run in &job.runs {
        bytes.extend((run.program as u16).to_le_bytes());
        bytes.extend((run.target as u16).to_le_bytes());
        bytes.push(run.outcome as u8);
        bytes.extend(micros(run.wall).to_le_bytes());
        bytes.extend(micros(run.cpu).to_le_bytes());
    }
    bytes
}
