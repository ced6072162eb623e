//! The oracle `model`: who is wrong, shown by a model that was checked.
//!
//! It reads the models that targets printed behind their verdicts (see
//! [`crate::model`] for how they are asked for) and evaluates the script
//! under them. A model that satisfies every assertion is a witness: whoever
//! said unsat is convicted. A model that makes an assertion false convicts
//! its author. What we cannot decide because of a quantifier is put to solvers
//! (`under`); what cannot be decided at all convicts nobody.

use lydite_core::{
    Answer, Case, Claim, Judgement, Kind, Observation, Oracle, Program, Remark, Symptom, Table,
    TargetName, Verdict,
};

use super::under::{MOST, Opinion, opinion_on, program_under};
use crate::eval::CannotSay;
use crate::model::{
    Check, Printed, Reading, Reply, asking_for_left_out, check, has_quantifiers, replies,
};
use crate::print;
use crate::syntax::{Script, TermId, parse};

/// How much of a model or assertion is quoted.
const SHOWN_CHARS: usize = 2000;

/// Judges models.
pub struct ModelOracle;

impl Oracle for ModelOracle {
    fn name(&self) -> &'static str {
        "model"
    }

    fn about(&self) -> &'static str {
        "a printed model, evaluated, shows that a target wrongly said unsat, or that the model is wrong"
    }

    fn wants_witness(&self) -> bool {
        true
    }

    /// Scripts with quantifiers under the models that our evaluation leaves open, and
    /// scripts that ask for what models leave out.
    fn follow_up(&self, case: &Case, table: &Table) -> Vec<Program> {
        let mut further: Vec<Program> = Vec::new();
        for (at, program) in case.programs.iter().enumerate() {
            let said = table.of_program(at).filter_map(answers).flat_map(numbered);
            let sat = said.filter(|(_, said)| said.model.is_some());
            let sat: Vec<(usize, Said<'_>)> = sat.collect();
            let script = match sat.is_empty() {
                true => continue,
                false => parse(&program.source().text),
            };
            let Ok(script) = script else { continue };
            for (index, said) in sat {
                if further.len() == MOST {
                    return further;
                }
                let put = further_program(program, &script, index, &said);
                further.extend(put.filter(|put| !further.contains(put)));
            }
        }
        further
    }

    /// A model that satisfies what is claimed to be unsat refutes the claim.
    fn refutes_claim(&self, case: &Case, table: &Table) -> Option<String> {
        let claimed_unsat = |index: usize| known(&case.claim, index) == Some(Verdict::Unsat);
        for observation in &table.observations {
            let said = numbered(answers(observation).unwrap_or_default());
            for (index, said) in said.filter(|(index, _)| claimed_unsat(*index)) {
                let Some(printed) = said.printed() else {
                    continue;
                };
                let program = case.programs.get(observation.program)?;
                let script = parse(&program.source().text).ok()?;
                let checked = check(&script, index, printed, Reading::of(said.target));
                if matches!(checked, Check::Valid | Check::Partial) {
                    let who = said.target;
                    return Some(format!("the model of {who} satisfies every assertion"));
                }
            }
        }
        None
    }

    fn judge(&self, case: &Case, table: &Table) -> Vec<Symptom> {
        self.judgement(case, table).symptoms
    }

    /// One remark for each `sat`.
    fn judgement(&self, case: &Case, table: &Table) -> Judgement {
        let mut judgement = Judgement::default();
        for (at, program) in case.programs.iter().enumerate() {
            let judged = judge_program(case, table, at, program);
            judgement.symptoms.extend(judged.symptoms);
            judgement.remarks.extend(judged.remarks);
        }
        judgement
    }
}

/// What is asked of a model that is not clearly right or wrong.
fn further_program(
    program: &Program,
    script: &Script,
    index: usize,
    said: &Said<'_>,
) -> Option<Program> {
    let printed = said.printed()?;
    let is_quantified = has_quantifiers(script);
    let asking = match is_quantified {
        true => None,
        false => Some(asking_for_left_out(script, index, printed.model)?),
    };
    match (
        check(script, index, printed, Reading::of(said.target)),
        asking,
    ) {
        (Check::CannotSay(_), None) => {
            program_under(program, script, index, said.target, printed.model)
        }
        (Check::Partial | Check::CannotSay(CannotSay::NoInterpretation(_)), Some(text)) => {
            let name = program.source().name.clone();
            Some(Program::single(name, text.into_bytes()))
        }
        _ => None,
    }
}

/// The answers of one target with the numbers of their questions.
fn numbered(said: Vec<Said<'_>>) -> impl Iterator<Item = (usize, Said<'_>)> {
    said.into_iter().enumerate()
}

/// What one target said to one question.
struct Said<'a> {
    target: &'a TargetName,
    program: usize,
    verdict: Verdict,
    model: Option<String>,
    values: Option<String>,
}

impl Said<'_> {
    /// What it printed behind its `sat`.
    fn printed(&self) -> Option<Printed<'_>> {
        Some(Printed {
            model: self.model.as_deref()?,
            values: self.values.as_deref(),
        })
    }
}

fn judge_program(case: &Case, table: &Table, at: usize, program: &Program) -> Judgement {
    let mut judgement = Judgement::default();
    let mut heard: Vec<Vec<Said<'_>>> = Vec::new();
    for observation in table.of_program(at) {
        match answers(observation) {
            Some(said) => heard.push(said),
            None => judgement.remarks.extend(not_read(observation)),
        }
    }
    let questions = heard.iter().map(Vec::len).max().unwrap_or(0);
    let is_sat = |said: &Said<'_>| said.verdict == Verdict::Sat;
    if !heard.iter().flatten().any(is_sat) {
        return judgement;
    }
    let script = match parse(&program.source().text) {
        Ok(script) => script,
        Err(error) => {
            let sat = heard.iter().flatten().filter(|said| is_sat(said));
            let remark =
                |said: &Said<'_>| remark(said, false, "script not read", error.to_string());
            judgement.remarks.extend(sat.map(remark));
            return judgement;
        }
    };
    for index in 0..questions {
        let said: Vec<&Said<'_>> = heard.iter().filter_map(|list| list.get(index)).collect();
        let asked = Asked {
            case,
            table,
            program,
            script: &script,
            index,
        };
        let judged = judge_question(&asked, &said);
        judgement.remarks.extend(judged.remarks);
        for symptom in judged.symptoms {
            // One symptom of a kind per target, however many questions.
            let same = |s: &Symptom| s.target == symptom.target && s.kind == symptom.kind;
            if !judgement.symptoms.iter().any(same) {
                judgement.symptoms.push(symptom);
            }
        }
    }
    judgement
}

fn remark(said: &Said<'_>, decided: bool, what: &'static str, why: String) -> Remark {
    Remark {
        target: said.target.clone(),
        program: said.program,
        decided,
        what,
        why,
    }
}

/// A remark for each `sat` of an output that could not be read.
fn not_read(observation: &Observation) -> Vec<Remark> {
    let Some(Answer::Verdicts(verdicts)) = observation.outcome.answer() else {
        return Vec::new();
    };
    let sat = verdicts.iter().filter(|verdict| **verdict == Verdict::Sat);
    sat.map(|_| Remark {
        target: observation.target.clone(),
        program: observation.program,
        decided: false,
        what: "output not read",
        why: shown(&observation.stdout.text()),
    })
    .collect()
}

/// Why a model stays open, as it is counted.
fn open(why: &CannotSay) -> &'static str {
    match why {
        CannotSay::TooLarge(_) => "model open: too large",
        CannotSay::OutOfSteps => "model open: out of steps",
        CannotSay::Underspecified(_) => "model open: underspecified",
        CannotSay::Unsupported(_) => "model open: not evaluated",
        CannotSay::Quantifier(_) => "model open: quantifier",
        CannotSay::IllTyped(_) | CannotSay::OtherSort(_) => "model open: ill-typed",
        CannotSay::NoInterpretation(_) => "model open: no interpretation",
    }
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
                program: observation.program,
                verdict,
                model: None,
                values: None,
            }),
            Reply::Model(model) => {
                if let Some(last) = said.last_mut().filter(|last| last.verdict == Verdict::Sat) {
                    last.model.get_or_insert_with(|| model.to_string());
                }
            }
            Reply::Other(values) => {
                if let Some(last) = said.last_mut().filter(|last| last.model.is_some()) {
                    last.values.get_or_insert_with(|| values.to_string());
                }
            }
            // Without a model there is none to give. Any other error means that
            // the target did not take the script as it stands.
            Reply::Error(_) if matches!(said.last(), Some(last) if last.verdict != Verdict::Sat) => {
            }
            // Of a `sat` there is no core and there are no assumptions, if these are asked for too.
            Reply::Error(text) if text.contains(" core") || text.contains(" assumptions") => {}
            Reply::Error(_) => return None,
            Reply::Names(_) | Reply::Objectives(_) => {}
        }
    }
    // What we read must be what the target's own rules read.
    let same = said
        .iter()
        .map(|said| said.verdict)
        .eq(verdicts.iter().copied());
    (same && !observation.stdout.truncated()).then_some(said)
}

/// One question of one program.
struct Asked<'a> {
    case: &'a Case,
    table: &'a Table,
    program: &'a Program,
    script: &'a Script,
    index: usize,
}

fn judge_question(asked: &Asked<'_>, said: &[&Said<'_>]) -> Judgement {
    let mut judgement = Judgement::default();
    let mut witnesses: Vec<(&Said<'_>, &str)> = Vec::new();
    for author in said.iter().filter(|said| said.verdict == Verdict::Sat) {
        if let Some(model) = judge_model(asked, author, said, &mut judgement) {
            witnesses.push((author, model));
        }
    }
    let Some((witness, model)) = witnesses.first() else {
        return judgement;
    };
    for wrong in said.iter().filter(|said| said.verdict == Verdict::Unsat) {
        judgement.symptoms.push(Symptom {
            kind: Kind::RefutationUnsound,
            target: wrong.target.clone(),
            against: witnesses
                .iter()
                .map(|(said, _)| said.target.clone())
                .collect(),
            program: wrong.program,
            site: "unsat not sat".to_string(),
            evidence: format!(
                "{} says unsat, but the model of {} satisfies every assertion: {}",
                wrong.target,
                witness.target,
                shown(model.trim()),
            ),
        });
    }
    judgement
}

/// Judges what one solver gives as its model; gives the model if it is a witness.
fn judge_model<'a>(
    asked: &Asked<'_>,
    author: &'a Said<'_>,
    said: &[&Said<'_>],
    judgement: &mut Judgement,
) -> Option<&'a str> {
    let (Some(model), Some(printed)) = (&author.model, author.printed()) else {
        let about = remark(author, false, "no model", String::new());
        judgement.remarks.push(about);
        return None;
    };
    let decided = |what: &'static str| remark(author, true, what, String::new());
    let reading = Reading::of(author.target);
    match check(asked.script, asked.index, printed, reading) {
        Check::Valid => {
            judgement.remarks.push(decided("model right"));
            Some(model)
        }
        Check::Partial => {
            let about = decided("model right for some of what it leaves out");
            judgement.remarks.push(about);
            Some(model)
        }
        Check::CannotSay(why) => {
            let (about, further) = judge_by_others(asked, author, model, said, &why);
            judgement.remarks.push(about);
            judgement.symptoms.extend(further);
            None
        }
        Check::Invalid(assertion) => {
            judgement.remarks.push(decided("model wrong"));
            let wrong = wrong_model(asked, author, model, assertion);
            judgement.symptoms.push(wrong);
            None
        }
    }
}

/// The symptom of a model that makes an assertion false.
fn wrong_model(asked: &Asked<'_>, author: &Said<'_>, model: &str, assertion: TermId) -> Symptom {
    // The sites are those of the oracle `answer`, so that both speak of the same bug.
    let (kind, site) = match known(&asked.case.claim, asked.index) {
        Some(Verdict::Unsat) => (Kind::SolutionUnsound, "sat not unsat"),
        _ => (Kind::InvalidModel, "false assertion"),
    };
    Symptom {
        kind,
        target: author.target.clone(),
        against: Vec::new(),
        program: author.program,
        site: site.to_string(),
        evidence: format!(
            "{} says sat, but its model makes this assertion false: {}; the model: {}{}",
            author.target,
            shown(&print::term(asked.script, assertion)),
            shown(model.trim()),
            author.values.as_deref().map_or(String::new(), |values| {
                format!("; the values that it gives: {}", shown(values.trim()))
            }),
        ),
    }
}

/// What solvers make of a model that we leave open: a remark, and whom that accuses.
fn judge_by_others(
    asked: &Asked<'_>,
    author: &Said<'_>,
    model: &str,
    said: &[&Said<'_>],
    why: &CannotSay,
) -> (Remark, Vec<Symptom>) {
    let refuters = said.iter().filter(|said| said.verdict == Verdict::Unsat);
    let refuters: Vec<&TargetName> = refuters.map(|said| said.target).collect();
    let put = has_quantifiers(asked.script).then(|| {
        program_under(
            asked.program, asked.script, asked.index, author.target, model,
        )
    });
    let opinion = put
        .flatten()
        .and_then(|put| opinion_on(asked.case, asked.table, &put, author.target, &refuters));
    let (decided, what, symptoms) = match opinion {
        Some(Opinion::Right(wrong)) => (true, "model right by another solver", wrong),
        Some(Opinion::Wrong(wrong)) => (true, "model wrong by itself and another", vec![wrong]),
        Some(Opinion::Contested(symptom)) => {
            (false, "model contested", symptom.into_iter().collect())
        }
        None => (false, open(why), Vec::new()),
    };
    (remark(author, decided, what, why.to_string()), symptoms)
}

fn shown(text: &str) -> String {
    let mut shown: String = text.chars().take(SHOWN_CHARS).collect();
    if shown.len() < text.len() {
        shown.push('…');
    }
    shown
}
