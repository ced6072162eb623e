//! One row of the table: what is true of the case, and who is wrong.
//!
//! As in the thesis, the references say what is true. A reference that a
//! checked model refutes, or whose own model is wrong, is not believed; where
//! no reference answers, what the seed states of itself is taken, and where
//! that says nothing, versions that contradict the majority are only said to
//! disagree.

use std::sync::Arc;
use std::time::Duration;

use lydite_core::oracle::{DifferentialOracle, settle};
use lydite_core::{
    Answer, Case, Claim, Kind, Observation, Oracle, Outcome, Role, Symptom, Table, Verdict,
};

use super::cells::{Again, Row};
use lydite_lab::campaign::{Judge, Source};
use lydite_store::record::Failure;

/// What the true answer of a case was taken from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Truth {
    /// All references that answered say the same.
    Reference,
    /// The seed states it.
    Stated,
    /// Nobody; versions are compared with each other.
    Nobody,
    /// The references contradict each other, or one is refuted.
    ReferenceWrong,
}

/// A judged row.
#[derive(Clone, Debug)]
pub(super) struct Judged {
    pub(super) index: u64,
    pub(super) bytes: u64,
    /// Why it was not run.
    pub(super) failure: Option<Failure>,
    pub(super) truth: Truth,
    pub(super) cells: Vec<JudgedCell>,
}

/// A judged cell.
#[derive(Clone, Debug)]
pub(super) struct JudgedCell {
    /// [`super::cells::Column::id`]
    pub(super) target: i64,
    pub(super) observation: Observation,
    pub(super) again: Again,
    /// The gravest that is wrong with it.
    pub(super) symptom: Option<Symptom>,
}

impl JudgedCell {
    /// True if something is wrong with it that was seen once only.
    pub(super) fn is_suspect(&self) -> bool {
        self.symptom.is_some() && self.again == Again::NotRun
    }

    /// What is wrong with it, unless a second run ended differently.
    pub(super) fn flaw(&self) -> Option<&Symptom> {
        let symptom = self.symptom.as_ref();
        symptom.filter(|_| self.again != Again::Different)
    }

    /// True if it answered every question.
    pub(super) fn solved(&self) -> bool {
        decided(&self.observation).is_some()
    }
}

/// The answer, if no part of it is unknown.
fn decided(observation: &Observation) -> Option<&Answer> {
    match &observation.outcome {
        Outcome::Answered(answer) => {
            let open = matches!(answer, Answer::Verdicts(v) if v.contains(&Verdict::Unknown));
            (!open).then_some(answer)
        }
        _ => None,
    }
}

/// What judges rows.
pub(super) struct RowJudge {
    pub(super) judge: Judge,
    /// The limit that every run had.
    pub(super) timeout: Duration,
}

impl RowJudge {
    /// Judges a row; its case is made again, as it was put to the targets.
    pub(super) fn judge(&self, source: &Source, row: Row) -> Judged {
        let (_, case) = source.case(row.index);
        let table = Table {
            timeout: self.timeout,
            observations: row.cells.iter().map(|c| c.observation.clone()).collect(),
        };
        let (truth, symptoms) = match case {
            Ok(case) if row.failure.is_none() => {
                let case = self.judge.prepare(case);
                judge_table(case, &table, &self.judge.oracles)
            }
            _ => (Truth::Nobody, Vec::new()),
        };
        let gravest = |observation: &Observation| {
            let own = symptoms.iter().filter(|s| s.target == observation.target);
            own.min_by_key(|symptom| symptom.kind).cloned()
        };
        let cells = row.cells.into_iter().map(|cell| JudgedCell {
            target: cell.target,
            symptom: gravest(&cell.observation),
            observation: cell.observation,
            again: cell.again,
        });
        Judged {
            index: row.index,
            bytes: row.bytes,
            failure: row.failure,
            truth,
            cells: cells.collect(),
        }
    }
}

fn judge_table(
    mut case: Case,
    table: &Table,
    oracles: &[Arc<dyn Oracle>],
) -> (Truth, Vec<Symptom>) {
    let stated = case.claim.clone();
    let references: Vec<&Observation> = table
        .observations
        .iter()
        .filter(|observation| observation.role == Role::Reference)
        .collect();
    let mut answers: Vec<&Answer> = references.iter().copied().filter_map(decided).collect();
    answers.dedup();
    let mut truth = Truth::Nobody;
    if let [answer] = answers.as_slice() {
        case.claim = Claim::Answers((*answer).clone());
        if let Some(symptoms) = believed(&case, table, oracles) {
            return (Truth::Reference, symptoms);
        }
    }
    if !answers.is_empty() {
        truth = Truth::ReferenceWrong;
    }
    case.claim = stated;
    if case.claim.answer().is_some()
        && let Some(symptoms) = believed(&case, table, oracles)
    {
        let truth = match truth {
            Truth::Nobody => Truth::Stated,
            wrong => wrong,
        };
        return (truth, symptoms);
    }
    case.claim = Claim::Silent;
    let mut symptoms = judged_by(&case, table, oracles);
    symptoms.extend(DifferentialOracle.judge(&case, table));
    (truth, settle(symptoms))
}

/// What the oracles say, unless the claim is not to be believed.
fn believed(case: &Case, table: &Table, oracles: &[Arc<dyn Oracle>]) -> Option<Vec<Symptom>> {
    let refuted = oracles
        .iter()
        .any(|oracle| oracle.refutes_claim(case, table).is_some());
    if refuted {
        return None;
    }
    let symptoms = settle(judged_by(case, table, oracles));
    let convicted = |symptom: &Symptom| {
        let mut observations = table.observations.iter();
        let accused = observations.find(|o| o.target == symptom.target);
        symptom.kind.convicts() && accused.is_some_and(|o| o.role == Role::Reference)
    };
    (!symptoms.iter().any(convicted)).then_some(symptoms)
}

fn judged_by(case: &Case, table: &Table, oracles: &[Arc<dyn Oracle>]) -> Vec<Symptom> {
    let judged = oracles.iter().map(|oracle| oracle.judge(case, table));
    judged.flatten().collect()
}

/// The columns of the table of triggers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Flaw {
    /// A wrong answer.
    Unsound,
    InvalidModel,
    Crash,
    /// It differs from the majority, and nobody knows who is right.
    Dissent,
}

impl Flaw {
    pub(super) fn of(kind: Kind) -> Option<Flaw> {
        match kind {
            Kind::RefutationUnsound
            | Kind::SolutionUnsound
            | Kind::WrongOptimum
            | Kind::WrongOutput => Some(Flaw::Unsound),
            Kind::InvalidModel => Some(Flaw::InvalidModel),
            Kind::Crash => Some(Flaw::Crash),
            Kind::Disagreement => Some(Flaw::Dissent),
            _ => None,
        }
    }
}
