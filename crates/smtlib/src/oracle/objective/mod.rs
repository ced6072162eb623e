//! The oracle `objective`: an optimum is attained, and nothing is better.
//!
//! z3 prints what the objectives of a script (`minimize`, `maximize`, soft assertions)
//! come to. That claims three things, each of which is checked without trusting
//! anybody's optimizer:
//!
//! - **The model has this value.** The objective is evaluated, exactly, under the printed
//!   model, which has to satisfy the script. A model that is worse, or better than the
//!   best, convicts its author. (Of boxes z3 prints one model for all objectives: there
//!   only a better one counts.)
//! - **Nothing is better.** The script with "one better" asserted is put to every target.
//!   A `sat` with a model that checks out convicts; without such a model the two
//!   disagree. Where an objective is real, there may be no best value at all, and what
//!   z3 then prints is promised by nobody: somebody has to say first that there is one
//!   (`sat` to the script in which no other solution is better).
//! - **It is attained, or unbounded.** For boxes the value, for `oo` one beyond 10^24, is
//!   asserted. A value that does not exist is wrong if its author says so itself
//!   (`unsat`) and somebody of another family agrees; one voice alone is a disagreement.
//!
//! The points of a Pareto front are judged likewise: no solution beats a point, and
//! where z3 says that there are no more, every solution is matched by a point. Of boxes
//! and in turn, an objective alone has to come to the same value, by z3 itself.
//!
//! Of polynomials only whoever promises to optimize them is judged (`nonlinear-optima` among the
//! promises of its target file). Optima that are algebraic numbers are not read.

mod claims;

use lydite_core::oracle::independent_family;
use lydite_core::{
    Answer, Case, Judgement, Kind, Observation, Oracle, Program, Remark, Symptom, Table,
    TargetName, Verdict,
};

use crate::model::aim::{Aim, Objective};
use crate::model::objectives::{Optimization, Priority};
use crate::model::optimum::{Extended, Optimum, optima};
use crate::model::{Check, Printed, Reading, Reply, ask_for_models, check, replies, values_under};
use crate::operators::Operators;
use crate::syntax::{Script, parse};
use crate::value::{Rational, Value};
use claims::{Ask, Meaning, claims, exact};

/// What a target promises that optimizes polynomials.
const NONLINEAR: &str = "nonlinear-optima";

/// How many scripts follow from one case.
const MOST: usize = 16;

/// Judges optima.
pub struct ObjectiveOracle;

impl Oracle for ObjectiveOracle {
    fn name(&self) -> &'static str {
        "objective"
    }

    fn about(&self) -> &'static str {
        "the optimum of an objective is not attained, or something is better"
    }

    fn wants_witness(&self) -> bool {
        true
    }

    fn follow_up(&self, case: &Case, table: &Table) -> Vec<Program> {
        let mut programs: Vec<Program> = Vec::new();
        for said in all_said(case, table) {
            for ask in said.claims() {
                let new = said.program_of(&ask);
                let new = new.filter(|new| !programs.contains(new) && programs.len() < MOST);
                programs.extend(new);
            }
        }
        programs
    }

    fn judge(&self, case: &Case, table: &Table) -> Vec<Symptom> {
        self.judgement(case, table).symptoms
    }

    /// One remark for each question with objectives.
    fn judgement(&self, case: &Case, table: &Table) -> Judgement {
        let mut judgement = Judgement::default();
        for said in all_said(case, table) {
            // One thing that is wrong is enough: what its own model shows comes first, then
            // what convicts, then who differs.
            let mut symptoms = said.judge_models();
            if symptoms.is_empty() {
                symptoms = said.judge_claims(case, table);
                symptoms.sort_by_key(|symptom| !symptom.kind.convicts());
            }
            symptoms.truncate(1);
            judgement.remarks.push(said.remark(!symptoms.is_empty()));
            for symptom in symptoms {
                let same = |one: &Symptom| {
                    (&one.target, one.kind, &one.site, one.program)
                        == (
                            &symptom.target, symptom.kind, &symptom.site, symptom.program,
                        )
                };
                if !judgement.symptoms.iter().any(same) {
                    judgement.symptoms.push(symptom);
                }
            }
        }
        judgement
    }
}

/// What one target said of the objectives of one program.
struct Said<'a> {
    target: &'a TargetName,
    program: usize,
    script: Script,
    optimization: Optimization,
    name: String,
    /// For each question that was answered `sat`: its number, optimum and model.
    points: Vec<(usize, Vec<Optimum>, Option<String>)>,
    /// True if z3 said that there are no more points.
    is_whole: bool,
}

fn all_said<'a>(case: &Case, table: &'a Table) -> Vec<Said<'a>> {
    let mut all = Vec::new();
    for observation in &table.observations {
        let Some(program) = case.programs.get(observation.program) else {
            continue;
        };
        let answers = answers(observation);
        if answers.iter().all(|answer| answer.optima.is_none()) {
            continue;
        }
        let Ok(script) = parse(&program.source().text) else {
            continue;
        };
        for (index, answer) in answers.iter().enumerate() {
            if answer.verdict != Verdict::Sat || answer.optima.is_none() {
                continue;
            }
            let Ok(optimization) = Optimization::of(&script, index, Operators::built_in()) else {
                continue;
            };
            let promises = &observation.promises;
            if !optimization.is_linear && !promises.iter().any(|one| one == NONLINEAR) {
                continue;
            }
            // A front is one claim, and so is a box, whatever is asked behind it.
            let is_one = optimization.priority != Priority::Lexicographic;
            if is_one && index > 0 {
                break;
            }
            let own = match is_one {
                true => &answers[..],
                false => &answers[index..=index],
            };
            all.extend(Said::new(
                observation, &script, optimization, own, index, program,
            ));
        }
    }
    all
}

/// The answer to one question, and what stands behind it.
struct Answered {
    verdict: Verdict,
    model: Option<String>,
    optima: Option<Vec<Optimum>>,
}

fn answers(observation: &Observation) -> Vec<Answered> {
    let Some(Answer::Verdicts(verdicts)) = observation.outcome.answer() else {
        return Vec::new();
    };
    let output = observation.stdout.text();
    let mut said: Vec<Answered> = Vec::new();
    for reply in replies(&output) {
        match (reply, said.last_mut()) {
            (Reply::Verdict(verdict), _) => said.push(Answered {
                verdict,
                model: None,
                optima: None,
            }),
            (Reply::Model(model), Some(last)) => {
                last.model.get_or_insert_with(|| model.to_string());
            }
            (Reply::Objectives(text), Some(last)) => last.optima = optima(text),
            _ => {}
        }
    }
    let same = said
        .iter()
        .map(|one| one.verdict)
        .eq(verdicts.iter().copied());
    match same && !observation.stdout.truncated() {
        true => said,
        false => Vec::new(),
    }
}

impl<'a> Said<'a> {
    fn new(
        observation: &'a Observation,
        script: &Script,
        optimization: Optimization,
        answers: &[Answered],
        first: usize,
        program: &Program,
    ) -> Option<Said<'a>> {
        let count = optimization.objectives.len();
        let mut points = Vec::new();
        for (at, answer) in answers.iter().enumerate() {
            if answer.verdict != Verdict::Sat {
                break;
            }
            let optima = answer
                .optima
                .clone()
                .filter(|optima| optima.len() == count)?;
            points.push((first + at, optima, answer.model.clone()));
            if optimization.priority == Priority::Box {
                break;
            }
        }
        let after = answers.get(points.len()).map(|answer| answer.verdict);
        Some(Said {
            target: &observation.target,
            program: observation.program,
            script: script.clone(),
            is_whole: optimization.questions > 1 && after == Some(Verdict::Unsat),
            optimization,
            name: program.source().name.clone(),
            points,
        })
    }

    fn claims(&self) -> Vec<Ask> {
        let points: Vec<Vec<Optimum>> = self.points.iter().map(|(_, p, _)| p.clone()).collect();
        claims(&self.optimization, &points, self.is_whole)
    }

    fn program_of(&self, ask: &Ask) -> Option<Program> {
        let text = ask_for_models(ask.script.as_bytes(), None).ok()?;
        Some(Program::single(self.name.clone(), text.into_bytes()))
    }

    fn remark(&self, is_wrong: bool) -> Remark {
        Remark {
            target: self.target.clone(),
            program: self.program,
            decided: true,
            what: match is_wrong {
                true => "optimum wrong",
                false => "optimum not refuted",
            },
            why: String::new(),
        }
    }

    /// What the models that were printed say of the optima.
    fn judge_models(&self) -> Vec<Symptom> {
        let mut symptoms = Vec::new();
        let of = &self.optimization;
        for (index, point, model) in &self.points {
            let Some(model) = model.as_deref() else {
                continue;
            };
            let reading = Reading::of(self.target);
            let checked = check(&self.script, *index, model, reading);
            if checked != Check::Valid {
                continue;
            }
            for (objective, optimum) in of.objectives.iter().zip(point) {
                let value = value_of(&self.script, *index, model.into(), reading, objective);
                let (Some(value), Some(said)) = (value, exact(optimum)) else {
                    break;
                };
                let value = Extended::plain(value);
                let is_better = objective.prefers(&value, said);
                // Some number is worse than `oo`, and than what is beside a number, which
                // reals may be written without.
                let is_number = said.number().is_some() && !objective.is_dense();
                let is_worse = is_number && objective.prefers(said, &value);
                let site = match (is_better, is_worse && of.priority != Priority::Box) {
                    (true, _) => "its model is better",
                    (_, true) => "its model is worse",
                    _ => "",
                };
                if !site.is_empty() {
                    let evidence = format!(
                        "{} says that the optimum of `{}` is {}; its model gives {}: {}",
                        self.target,
                        objective.shown(),
                        said.shown(),
                        value.shown(),
                        model.trim(),
                    );
                    symptoms.push(self.symptom(
                        Kind::WrongOptimum,
                        Vec::new(),
                        self.program,
                        site,
                        evidence,
                    ));
                }
                // Behind one without a best value nothing is promised.
                if of.priority == Priority::Lexicographic && said.number().is_none() {
                    break;
                }
            }
        }
        symptoms
    }

    fn symptom(
        &self,
        kind: Kind,
        against: Vec<TargetName>,
        program: usize,
        site: &str,
        evidence: String,
    ) -> Symptom {
        Symptom {
            kind,
            target: self.target.clone(),
            against,
            program,
            site: site.to_string(),
            evidence,
        }
    }

    /// What the answers to the scripts that followed say of the optima.
    fn judge_claims(&self, case: &Case, table: &Table) -> Vec<Symptom> {
        let mut symptoms = Vec::new();
        let asks = self.claims();
        let place = |ask: &Ask| {
            let program = self.program_of(ask)?;
            case.programs.iter().position(|other| *other == program)
        };
        for ask in &asks {
            let Some(at) = place(ask) else { continue };
            let symptom = match ask.meaning {
                Meaning::Better(number) if self.optimization.objectives[number].is_dense() => {
                    let best = |other: &&Ask| other.meaning == Meaning::Best(number);
                    let best = asks.iter().find(best).and_then(place);
                    let is_there = best.is_some_and(|best| has_best(table, best));
                    is_there
                        .then(|| self.judge_better(table, at, ask))
                        .flatten()
                }
                Meaning::Better(_) | Meaning::Beaten | Meaning::Missing => {
                    self.judge_better(table, at, ask)
                }
                Meaning::Attained(_) | Meaning::Unbounded(_) => self.judge_attained(table, at, ask),
                Meaning::Alone(number) => self.judge_alone(table, at, number),
                Meaning::Best(_) => None,
            };
            symptoms.extend(symptom);
        }
        symptoms
    }

    /// Somebody has something better.
    fn judge_better(&self, table: &Table, at: usize, ask: &Ask) -> Option<Symptom> {
        let (site, what) = match ask.meaning {
            Meaning::Beaten => (
                "a point is beaten",
                "a solution that beats a point of its front",
            ),
            Meaning::Missing => (
                "a point is missing",
                "a solution that no point of its front matches",
            ),
            _ => (
                "something is better",
                "a solution that is better than its optimum",
            ),
        };
        let script = parse(ask.script.as_bytes()).ok()?;
        let mut doubted = None;
        for observation in table.of_program(at) {
            if verdict(observation) != Some(Verdict::Sat) {
                continue;
            }
            let output = observation.stdout.text();
            let model = replies(&output).into_iter().find_map(|reply| match reply {
                Reply::Model(model) => Some(model),
                _ => None,
            });
            let checked =
                model.map(|model| check(&script, 0, model, Reading::of(&observation.target)));
            match (checked, model) {
                (Some(Check::Valid | Check::Partial), Some(model)) => {
                    let evidence = format!(
                        "{} says that {}; {} has {what}, which checks out: {}",
                        self.target,
                        self.shown(),
                        observation.target,
                        model.trim()
                    );
                    let against = match observation.target == *self.target {
                        true => Vec::new(),
                        false => vec![observation.target.clone()],
                    };
                    return Some(self.symptom(Kind::WrongOptimum, against, at, site, evidence));
                }
                (Some(Check::Invalid(_)), _) => {}
                _ => doubted = doubted.or(Some(&observation.target)),
            }
        }
        let other = doubted?;
        let evidence = format!(
            "{} says that {}; {other} says that there is {what}, without a model that was checked",
            self.target,
            self.shown()
        );
        Some(self.symptom(Kind::Disagreement, vec![other.clone()], at, site, evidence))
    }

    /// What is said to be attained is not.
    fn judge_attained(&self, table: &Table, at: usize, ask: &Ask) -> Option<Symptom> {
        let site = match ask.meaning {
            Meaning::Unbounded(_) => "it is bounded",
            _ => "it is not attained",
        };
        let mut own = None;
        let (mut refuting, mut confirming) = (Vec::new(), false);
        for observation in table.of_program(at) {
            let is_kin = independent_family(&observation.target) == independent_family(self.target);
            match verdict(observation) {
                Some(said) if observation.target == *self.target => own = Some(said),
                Some(Verdict::Unsat) if !is_kin => refuting.push(observation.target.clone()),
                Some(Verdict::Sat) => confirming = true,
                _ => {}
            }
        }
        let says = |who: &str| {
            format!(
                "{} says that {}; {who} says unsat to it",
                self.target,
                self.shown()
            )
        };
        match (own, refuting.is_empty()) {
            (Some(Verdict::Unsat), false) if !confirming => {
                let evidence = says(&format!("it and {}", refuting[0]));
                Some(self.symptom(Kind::WrongOptimum, refuting, at, site, evidence))
            }
            (Some(Verdict::Unsat), _) => {
                let itself = vec![self.target.clone()];
                Some(self.symptom(Kind::Disagreement, itself, at, site, says("itself")))
            }
            (None, false) if !confirming => {
                let evidence = says(&refuting[0].to_string());
                Some(self.symptom(Kind::Disagreement, refuting, at, site, evidence))
            }
            _ => None,
        }
    }

    /// The same objective alone comes to another number.
    fn judge_alone(&self, table: &Table, at: usize, number: usize) -> Option<Symptom> {
        let (_, point, _) = self.points.first()?;
        let mut seen = table.of_program(at);
        let own = seen.find(|observation| observation.target == *self.target)?;
        let answers = answers(own);
        let alone = answers.first()?.optima.as_ref()?.first()?;
        let [together, alone] = [exact(&point[number])?, exact(alone)?];
        // What is beside a number depends on how it was come by, which is allowed.
        let plain = |value: &Extended| value.beside().is_none();
        let dense = self.optimization.objectives[number].is_dense();
        if together == alone || dense || !plain(together) || !plain(alone) {
            return None;
        }
        let evidence = format!(
            "{} says that {}; the objective alone comes to {}",
            self.target,
            self.shown(),
            alone.shown()
        );
        let itself = vec![self.target.clone()];
        Some(self.symptom(
            Kind::Disagreement,
            itself,
            at,
            "alone it is another",
            evidence,
        ))
    }

    /// The objectives and what they come to.
    fn shown(&self) -> String {
        let said = |(objective, optimum): (&Objective, &Optimum)| {
            let value = match optimum {
                Optimum::Exactly(value) => value.shown(),
                Optimum::Between(low, high) => format!("{} to {}", low.shown(), high.shown()),
            };
            format!("`{}` comes to {value}", objective.shown())
        };
        let each = self.points.iter().map(|(_, point, _)| {
            let parts: Vec<String> = self
                .optimization
                .objectives
                .iter()
                .zip(point)
                .map(said)
                .collect();
            parts.join(" and ")
        });
        each.collect::<Vec<String>>().join(", then ")
    }
}

/// Somebody says that there is a best value, and nobody that there is none.
fn has_best(table: &Table, at: usize) -> bool {
    let said: Vec<Verdict> = table.of_program(at).filter_map(verdict).collect();
    said.contains(&Verdict::Sat) && !said.contains(&Verdict::Unsat)
}

/// The value of an objective under a model.
fn value_of(
    script: &Script,
    index: usize,
    printed: Printed<'_>,
    reading: Reading,
    objective: &Objective,
) -> Option<Rational> {
    match &objective.aim {
        Aim::Term(term, _) => {
            let values = values_under(script, index, printed, reading, &[term])?;
            match values.first()? {
                Value::Int(number) => Some(Rational::from(number.clone())),
                Value::Real(number) => Some(number.clone()),
                Value::BitVec(bits) => Some(Rational::from(bits.unsigned().clone())),
                _ => None,
            }
        }
        Aim::Cost(soft) => {
            let terms: Vec<&str> = soft.iter().map(|(term, _)| term.as_str()).collect();
            let values = values_under(script, index, printed, reading, &terms)?;
            let mut cost = Rational::ZERO;
            for (value, (_, weight)) in values.iter().zip(soft) {
                match value {
                    Value::Bool(true) => {}
                    Value::Bool(false) => cost += weight,
                    _ => return None,
                }
            }
            Some(cost)
        }
    }
}

/// The answer to the one question, if it is decided.
fn verdict(observation: &Observation) -> Option<Verdict> {
    match observation.outcome.answer() {
        Some(Answer::Verdicts(verdicts)) => match verdicts[..] {
            [verdict @ (Verdict::Sat | Verdict::Unsat)] => Some(verdict),
            _ => None,
        },
        _ => None,
    }
}

#[cfg(test)]
mod tests;
