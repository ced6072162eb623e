//! Labelling: the answers of seeds that do not state them, decided by several
//! families of targets, with models checked.
//!
//! A label is ground truth for strategies, so it is given only where at least
//! two families decide, nobody contradicts, and what is satisfiable has a
//! model that an oracle has evaluated.

pub use lydite_lab::labels::{FILE_NAME, Label, LabelWriter, Labels, ModelCheck};

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::AtomicBool;

use anyhow::Result;
use lydite_core::strategy::known_of;
use lydite_core::{Answer, Case, Claim, Observation, Program, Seed, Table, TargetName, Verdict};

use lydite_lab::campaign::{Examined, Examiner, panic_text};
use lydite_lab::parallel::in_parallel;

/// What became of one seed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SeedDecision {
    /// Its answer is known now.
    Labelled {
        /// The answer.
        answer: Answer,
        /// The targets that gave it.
        targets: Vec<TargetName>,
        /// How it is known that there is a model.
        model: ModelCheck,
    },
    /// Fewer than two families decide it; what each said.
    Undecided(String),
    /// The targets agree, but no model of theirs can be checked.
    Unchecked(Answer),
    /// Targets contradict each other, or a checked model contradicts one: a
    /// bug in one of them.
    Disagreement(String),
    /// The targets agree on something else than the seed or its folder
    /// states: its author or all of them are wrong.
    Contradicted {
        /// What is stated.
        stated: Claim,
        /// What the targets say.
        answer: Answer,
    },
    /// We could not judge it.
    Failed(String),
}

impl SeedDecision {
    /// A short stable name, for counts and JSON.
    pub fn name(&self) -> &'static str {
        match self {
            SeedDecision::Labelled { .. } => "labelled",
            SeedDecision::Undecided(_) => "undecided",
            SeedDecision::Unchecked(_) => "unchecked",
            SeedDecision::Disagreement(_) => "disagreement",
            SeedDecision::Contradicted { .. } => "contradicted",
            SeedDecision::Failed(_) => "failed",
        }
    }

    /// True if a target or a stated answer is wrong.
    pub fn is_alarming(&self) -> bool {
        matches!(
            self,
            SeedDecision::Disagreement(_) | SeedDecision::Contradicted { .. }
        )
    }

    /// Why a seed is not labelled, in words.
    pub fn why(&self) -> String {
        match self {
            SeedDecision::Labelled { answer, .. } => answer.to_string(),
            SeedDecision::Unchecked(answer) => {
                format!("{answer}, but no model can be checked (--trust takes their word)")
            }
            SeedDecision::Contradicted { stated, answer } => {
                format!("states {stated}, but every target that decides says {answer}")
            }
            SeedDecision::Undecided(why)
            | SeedDecision::Disagreement(why)
            | SeedDecision::Failed(why) => why.clone(),
        }
    }
}

/// Decides every seed on `threads` threads and hands the decisions, as they
/// come, to `take` on the calling thread.
pub fn decide_all(
    examiner: &Examiner,
    seeds: &[&Seed],
    trust: bool,
    threads: usize,
    stop: &AtomicBool,
    take: &mut dyn FnMut(usize, SeedDecision) -> Result<()>,
) -> Result<()> {
    let work = |number: usize| decide(examiner, seeds[number], trust);
    in_parallel(seeds.len(), threads, stop, &work, take)
}

/// Decides one seed. A panic of ours is a decision like any other; a target
/// that does not start is an error.
fn decide(examiner: &Examiner, seed: &Seed, trust: bool) -> Result<SeedDecision> {
    let stated = known_of(examiner.judge.language.as_ref(), seed);
    let decided = catch_unwind(AssertUnwindSafe(|| {
        let program = Program::single(file_name(&seed.name), seed.text.clone());
        let case = examiner.judge.prepare(Case::single(program, Claim::Silent));
        let examined = examiner.examine(&case);
        let decision = judge(examiner, &examined, &stated, trust);
        (examined, decision)
    }));
    match decided {
        Ok((examined, decision)) => {
            examiner.check_started(&examined)?;
            Ok(decision)
        }
        Err(panic) => Ok(SeedDecision::Failed(format!(
            "panic: {}",
            panic_text(panic)
        ))),
    }
}

fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

fn judge(examiner: &Examiner, examined: &Examined, stated: &Claim, trust: bool) -> SeedDecision {
    if let Some(filed) = examined.symptoms.first() {
        return SeedDecision::Disagreement(format!(
            "{}: {}",
            filed.symptom.kind, filed.symptom.evidence
        ));
    }
    let (answer, targets) = match agreed(&examined.table) {
        Ok(agreed) => agreed,
        Err(why) => return SeedDecision::Undecided(why),
    };
    let said = Answer::Verdicts(answer.clone());
    if matches!(stated, Claim::Answers(stated) if stated.contradicts(&said)) {
        return SeedDecision::Contradicted {
            stated: stated.clone(),
            answer: said,
        };
    }
    let mut satisfiable = (0..answer.len()).filter(|&question| answer[question] == Verdict::Sat);
    let model = if !answer.contains(&Verdict::Sat) {
        ModelCheck::None
    } else if satisfiable.all(|question| has_checked_model(examiner, examined, &answer, question)) {
        ModelCheck::Checked
    } else if trust {
        ModelCheck::Trusted
    } else {
        return SeedDecision::Unchecked(Answer::Verdicts(answer));
    };
    SeedDecision::Labelled {
        answer: Answer::Verdicts(answer),
        targets,
        model,
    }
}

/// The list of verdicts that at least two families give, and who gives it;
/// or what everybody said. That nobody contradicts it is the differential
/// oracle's to say.
fn agreed(table: &Table) -> Result<(Vec<Verdict>, Vec<TargetName>), String> {
    let decided = |observation: &Observation| match observation.outcome.answer() {
        Some(Answer::Verdicts(verdicts)) => (!verdicts.is_empty()
            && !verdicts.contains(&Verdict::Unknown))
        .then(|| verdicts.clone()),
        _ => None,
    };
    for observation in &table.observations {
        let Some(answer) = decided(observation) else {
            continue;
        };
        let same = |other: &&Observation| decided(other).as_ref() == Some(&answer);
        let targets: Vec<TargetName> = table
            .observations
            .iter()
            .filter(same)
            .map(|other| other.target.clone())
            .collect();
        let families: BTreeSet<&str> = targets.iter().map(|t| t.family.as_str()).collect();
        if families.len() >= 2 {
            return Ok((answer, targets));
        }
    }
    let said = table.observations.iter().map(|observation| {
        let outcome: String = observation.outcome.to_string().chars().take(100).collect();
        format!("{}: {outcome}", observation.target)
    });
    Err(said.collect::<Vec<_>>().join("; "))
}

/// True if some oracle has checked a model for a question: it would then
/// refute the claim that the question is unsat.
fn has_checked_model(
    examiner: &Examiner,
    examined: &Examined,
    answer: &[Verdict],
    question: usize,
) -> bool {
    let mut claimed = vec![Verdict::Unknown; answer.len()];
    claimed[question] = Verdict::Unsat;
    let case = Case {
        claim: Claim::Answers(Answer::Verdicts(claimed)),
        ..examined.case.clone()
    };
    let mut oracles = examiner.judge.oracles.iter();
    oracles.any(|oracle| oracle.refutes_claim(&case, &examined.table).is_some())
}
