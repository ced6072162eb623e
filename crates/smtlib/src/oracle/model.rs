//! The oracle `model`: who is wrong, shown by a model that was checked.
//!
//! It reads the models that targets printed behind their verdicts (see
//! [`crate::model`] for how they are asked for) and evaluates the script
//! under them. A model that satisfies every assertion is a witness: whoever
//! said unsat is convicted. A model that makes an assertion false convicts
//! its author. What cannot be decided convicts nobody.

use lydite_core::{
    Answer, Case, Claim, Kind, Observation, Oracle, Program, Symptom, Table, TargetName, Verdict,
};

use crate::model::{Check, Reading, Reply, check, replies};
use crate::print;
use crate::syntax::{Script, parse};

/// How much of a model or assertion is quoted.
const SHOWN_CHARS: usize = 2000;

/// Judges models.
pub struct ModelOracle;

impl Oracle for ModelOracle {
    fn name(&self) -> &'static str {
        "model"
    }

    fn about(&self) -> &'static str {
        "a printed model is evaluated: it convicts who said unsat, or its own author"
    }

    fn wants_witness(&self) -> bool {
        true
    }

    /// A model that satisfies what is claimed to be unsat refutes the claim.
    fn refutes_claim(&self, case: &Case, table: &Table) -> Option<String> {
        let claimed_unsat = |index: usize| known(&case.claim, index) == Some(Verdict::Unsat);
        for observation in &table.observations {
            let said = answers(observation)
                .unwrap_or_default()
                .into_iter()
                .enumerate();
            for (index, said) in said.filter(|(index, _)| claimed_unsat(*index)) {
                let Some(model) = said.model else { continue };
                let program = case.programs.get(observation.program)?;
                let script = parse(&program.source().text).ok()?;
                let checked = check(&script, index, &model, Reading::of(said.target));
                if checked == Check::Valid {
                    let who = said.target;
                    return Some(format!("the model of {who} satisfies every assertion"));
                }
            }
        }
        None
    }

    fn judge(&self, case: &Case, table: &Table) -> Vec<Symptom> {
        let programs = case.programs.iter().enumerate();
        programs
            .flat_map(|(at, program)| judge_program(case, table, at, program))
            .collect()
    }
}

/// What one target said to one question.
struct Said<'a> {
    target: &'a TargetName,
    verdict: Verdict,
    model: Option<String>,
}

fn judge_program(case: &Case, table: &Table, at: usize, program: &Program) -> Vec<Symptom> {
    let answers: Vec<Vec<Said<'_>>> = table.of_program(at).filter_map(answers).collect();
    let questions = answers.iter().map(Vec::len).max().unwrap_or(0);
    if !answers.iter().flatten().any(|said| said.model.is_some()) {
        return Vec::new();
    }
    let Ok(script) = parse(&program.source().text) else {
        return Vec::new();
    };
    let mut symptoms: Vec<Symptom> = Vec::new();
    for index in 0..questions {
        let said: Vec<&Said<'_>> = answers.iter().filter_map(|list| list.get(index)).collect();
        let known = known(&case.claim, index);
        for mut symptom in judge_question(&script, index, &said, known) {
            symptom.program = at;
            // One symptom of a kind per target, however many questions.
            let same = |s: &Symptom| s.target == symptom.target && s.kind == symptom.kind;
            if !symptoms.iter().any(same) {
                symptoms.push(symptom);
            }
        }
    }
    symptoms
}

/// The verdict that is claimed of a question.
fn known(claim: &Claim, index: usize) -> Option<Verdict> {
    match claim.answer() {
        Some(Answer::Verdicts(verdicts)) => verdicts.get(index).copied(),
        _ => None,
    }
}

/// The verdicts of an observation, each with its model.
fn answers(observation: &Observation) -> Option<Vec<Said<'_>>> {
    let Some(Answer::Verdicts(verdicts)) = observation.outcome.answer() else {
        return None;
    };
    let output = observation.stdout.text();
    let mut said: Vec<Said<'_>> = Vec::new();
    for reply in replies(&output) {
        match reply {
            Reply::Verdict(verdict) => said.push(Said {
                target: &observation.target,
                verdict,
                model: None,
            }),
            Reply::Model(model) => {
                if let Some(last) = said.last_mut().filter(|last| last.verdict == Verdict::Sat) {
                    last.model.get_or_insert_with(|| model.to_string());
                }
            }
            // Without a model there is none to give. Any other error means that
            // the target did not take the script as it stands.
            Reply::Error(_) if matches!(said.last(), Some(last) if last.verdict != Verdict::Sat) => {
            }
            Reply::Error(_) => return None,
            Reply::Names(_) | Reply::Other(_) => {}
        }
    }
    // What we read must be what the target's own rules read.
    let same = said
        .iter()
        .map(|said| said.verdict)
        .eq(verdicts.iter().copied());
    (same && !observation.stdout.truncated()).then_some(said)
}

fn judge_question(
    script: &Script,
    index: usize,
    said: &[&Said<'_>],
    known: Option<Verdict>,
) -> Vec<Symptom> {
    let mut symptoms = Vec::new();
    let mut witnesses: Vec<(&Said<'_>, &str)> = Vec::new();
    for author in said {
        let Some(model) = &author.model else { continue };
        match check(script, index, model, Reading::of(author.target)) {
            Check::Valid => witnesses.push((author, model)),
            Check::CannotSay(_) => {}
            Check::Invalid(assertion) => {
                // The sites are those of the oracle `answer`, so that both
                // speak of the same bug.
                let (kind, site) = match known {
                    Some(Verdict::Unsat) => (Kind::SolutionUnsound, "sat not unsat"),
                    _ => (Kind::InvalidModel, "false assertion"),
                };
                symptoms.push(Symptom {
                    kind,
                    target: author.target.clone(),
                    against: Vec::new(),
                    program: 0,
                    site: site.to_string(),
                    evidence: format!(
                        "{} says sat, but its model makes this assertion false: {}; the model: {}",
                        author.target,
                        shown(&print::term(script, assertion)),
                        shown(model.trim()),
                    ),
                });
            }
        }
    }
    let Some((witness, model)) = witnesses.first() else {
        return symptoms;
    };
    for wrong in said.iter().filter(|said| said.verdict == Verdict::Unsat) {
        symptoms.push(Symptom {
            kind: Kind::RefutationUnsound,
            target: wrong.target.clone(),
            against: witnesses
                .iter()
                .map(|(said, _)| said.target.clone())
                .collect(),
            program: 0,
            site: "unsat not sat".to_string(),
            evidence: format!(
                "{} says unsat, but the model of {} satisfies every assertion: {}",
                wrong.target,
                witness.target,
                shown(model.trim()),
            ),
        });
    }
    symptoms
}

fn shown(text: &str) -> String {
    let mut shown: String = text.chars().take(SHOWN_CHARS).collect();
    if shown.len() < text.len() {
        shown.push('…');
    }
    shown
}
