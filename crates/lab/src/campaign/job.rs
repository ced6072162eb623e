//! What becomes of a case: what was seen of it, what is filed, and the record
//! that the store keeps.

use std::collections::BTreeMap;
use std::time::Duration;

use lydite_core::{Case, Exit, Observation, Remark, Signature, Symptom, Table};

use super::options::OptionChoice;
use lydite_store::record::{
    Arms, CaseRecord, Failure, OPTIONS_FACT, RemarkRecord, Replays, RunRecord, ScheduleId,
    SymptomRecord, TriggerRecord,
};

/// A finished case, as the store keeps it.
#[derive(Clone, Debug, Default)]
pub struct Job {
    /// Its index in the campaign.
    pub index: u64,
    /// The strategy's number in the plan.
    pub strategy: usize,
    /// The schedule that it was drawn by.
    pub schedule: ScheduleId,
    /// The arms that it took.
    pub arms: Arms,
    /// The size of its programs together, in bytes.
    pub bytes: u64,
    /// Why nothing was run, or what was wrong with the case itself.
    pub failure: Option<Failure>,
    /// The number of symptoms that some replay did not show.
    pub unconfirmed: u64,
    /// Every run.
    pub runs: Vec<RunRecord>,
    /// What was found.
    pub symptoms: Vec<Filed>,
    /// How far it could be judged: target numbers and remarks.
    pub remarks: Vec<(usize, Remark)>,
    /// The case itself, if something was found.
    pub trigger: Option<TriggerRecord>,
    /// CPU time of making the case.
    pub make_cpu: Duration,
    /// CPU time of judging.
    pub judge_cpu: Duration,
    /// CPU time of the targets, confirming runs included.
    pub targets_cpu: Duration,
}

impl From<Job> for CaseRecord {
    fn from(job: Job) -> CaseRecord {
        let bytes = job.bytes;
        let symptom = |filed: Filed| SymptomRecord {
            signature: filed.signature,
            target: filed.symptom.target,
            against: filed.symptom.against,
            program: filed.symptom.program as u64,
            evidence: filed.symptom.evidence,
            bytes,
            known: filed.known,
            replays: filed.replays,
        };
        let remark = |(target, remark): (usize, Remark)| RemarkRecord {
            target: target as u64,
            what: remark.what.to_string(),
            decided: remark.decided,
        };
        CaseRecord {
            index: job.index,
            strategy: job.strategy as u64,
            schedule: job.schedule,
            arms: job.arms,
            bytes,
            failure: job.failure,
            unconfirmed: job.unconfirmed,
            runs: job.runs.into_iter().collect(),
            symptoms: job.symptoms.into_iter().map(symptom).collect(),
            remarks: job.remarks.into_iter().map(remark).collect(),
            trigger: job.trigger,
        }
    }
}

/// A symptom with what it is filed under.
#[derive(Clone, Debug, PartialEq)]
pub struct Filed {
    /// The symptom.
    pub symptom: Symptom,
    /// Its identity.
    pub signature: Signature,
    /// The upstream issue that it is known as.
    pub known: Option<String>,
    /// The varied options that it needs, by family.
    pub options: BTreeMap<String, Vec<String>>,
    /// How many cold runs showed it too.
    pub replays: Replays,
}

impl Filed {
    /// Files it under the options that it needs: a bug of some option is not
    /// one of the target as everybody runs it.
    pub(super) fn file_under(&mut self, options: &OptionChoice) {
        let own = &self.symptom.target.family;
        self.options = options.by_family();
        let mut words = Vec::new();
        // In whatever order they were drawn, it is the same bug.
        for (family, args) in &options.sorted().by_family() {
            let prefix = match family == own {
                true => String::new(),
                false => format!("{family}:"),
            };
            words.extend(args.iter().map(|arg| format!("{prefix}{arg}")));
        }
        if words.is_empty() {
            return;
        }
        let words = words.join(" ");
        self.symptom.evidence += &format!("; with {words}");
        let facts = &mut self.signature.facts;
        facts.push((OPTIONS_FACT.to_string(), words));
    }
}

/// What [`super::Examiner::examine`] saw.
pub struct Examined {
    /// The case, with the programs that followed from what was seen.
    pub case: Case,
    /// The first run of every target.
    pub table: Table,
    /// What the targets say with no more options than the symptoms need.
    pub shown: Table,
    /// The options that the symptoms need.
    pub options: OptionChoice,
    /// Symptoms that confirming runs showed too.
    pub symptoms: Vec<Filed>,
    /// How far the first run could be judged.
    pub remarks: Vec<Remark>,
    /// Why the claim of the case is false, if it was seen to be.
    pub claim_refuted: Option<String>,
    /// The targets that contradict the claim, in words, if all do and nobody is accused.
    pub claim_contested: Option<String>,
    /// Signatures that some confirming run did not show.
    pub unconfirmed: Vec<Signature>,
    /// A run or replay that did not start: trouble of the machine, not a property of the case.
    pub not_started: Option<Observation>,
    /// CPU time of judging.
    pub judge_cpu: Duration,
    /// CPU time of the targets.
    pub targets_cpu: Duration,
}

/// What further runs took, and the first of them that did not start.
#[derive(Debug, Default)]
pub(super) struct Further {
    pub cpu: Duration,
    pub not_started: Option<Observation>,
}

impl Further {
    /// Counts a run.
    pub(super) fn add(&mut self, observation: &Observation) {
        self.cpu += observation.cpu;
        if observation.exit == Exit::NotStarted && self.not_started.is_none() {
            self.not_started = Some(observation.clone());
        }
    }

    /// Counts what others took.
    pub(super) fn join(&mut self, other: Further) {
        self.cpu += other.cpu;
        self.not_started = self.not_started.take().or(other.not_started);
    }
}
