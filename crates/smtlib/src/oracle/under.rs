//! Models that our evaluation leaves open, put to solvers.
//!
//! The script under the model ([`crate::model::script_under`]) is a program that
//! follows from what was seen. It says something of the author *A* of the model, by
//! what solvers answer to it:
//!
//! - Somebody of another family says `sat`, nobody says `unsat`: the model counts as
//!   right. Nobody is accused by that alone; but who says `unsat` to the script and
//!   `sat` to the script under the model contradicts itself, since each solution of the
//!   second is one of the first, and *A* has the other answer too: `refutation-unsound`.
//! - *A* itself and another family say `unsat`, nobody says `sat`: `invalid-model`.
//!   *A* calls its own model none, and somebody else agrees.
//! - *A* says `unsat` and nobody agrees: it contradicts itself, `disagreement`.
//! - Others say `unsat`, *A* says nothing: `disagreement`. That *A* says `sat` where
//!   others say `unsat` is for the oracle `differential`.

use lydite_core::oracle::independent_family;
use lydite_core::{Answer, Case, Kind, Observation, Program, Symptom, Table, TargetName, Verdict};

use crate::model::{Reading, script_under};
use crate::syntax::Script;

/// How many models of one case are put to solvers.
pub(super) const MOST: usize = 8;

/// What solvers make of a model.
pub(super) enum Opinion {
    /// Another family confirms it; these contradict themselves by that.
    Right(Vec<Symptom>),
    /// Its author and another family refute it.
    Wrong(Symptom),
    /// They do not agree; what is to be said of it beyond that.
    Contested(Option<Symptom>),
}

/// The program that asks whether a model satisfies question `index`.
pub(super) fn program_under(
    program: &Program,
    script: &Script,
    index: usize,
    author: &TargetName,
    model: &str,
) -> Option<Program> {
    let text = script_under(script, index, model, Reading::of(author))?;
    let name = program.source().name.clone();
    Some(Program::single(name, text.into_bytes()))
}

/// What solvers said to that program, if it was put to them and somebody knows.
/// `refuters` are those who say `unsat` to the question itself.
pub(super) fn opinion_on(
    case: &Case,
    table: &Table,
    put: &Program,
    author: &TargetName,
    refuters: &[&TargetName],
) -> Option<Opinion> {
    let at = case.programs.iter().position(|program| program == put)?;
    Votes::count(table, at, author).opinion(author, refuters)
}

/// What was answered to the program under a model.
struct Votes {
    /// Which of the case's programs it is.
    program: usize,
    /// What the author of the model says.
    own: Option<Verdict>,
    /// The others that are not of the author's family.
    confirming: Vec<TargetName>,
    refuting: Vec<TargetName>,
}

impl Votes {
    fn count(table: &Table, program: usize, author: &TargetName) -> Votes {
        let said = table
            .of_program(program)
            .filter_map(|seen| Some((&seen.target, verdict(seen)?)));
        let said: Vec<(&TargetName, Verdict)> = said.collect();
        let own = said.iter().find(|(target, _)| *target == author);
        let family = independent_family(author);
        let others = |wanted: Verdict| {
            let of_another = |(target, verdict): &&(&TargetName, Verdict)| {
                *verdict == wanted && independent_family(target) != family
            };
            let found = said.iter().filter(of_another);
            found.map(|(target, _)| (*target).clone()).collect()
        };
        Votes {
            program,
            own: own.map(|(_, verdict)| *verdict),
            confirming: others(Verdict::Sat),
            refuting: others(Verdict::Unsat),
        }
    }

    fn opinion(self, author: &TargetName, refuters: &[&TargetName]) -> Option<Opinion> {
        Some(
            match (
                self.own,
                self.confirming.is_empty(),
                self.refuting.is_empty(),
            ) {
                (Some(Verdict::Unsat), true, false) => Opinion::Wrong(self.wrong(author)),
                (Some(Verdict::Unsat), _, _) => {
                    Opinion::Contested(Some(self.contradicts_itself(author)))
                }
                (None, true, false) => Opinion::Contested(Some(self.not_confirmed(author))),
                (_, false, true) => {
                    let confirms = |target: &&&TargetName| self.confirming.contains(target);
                    let wrong = refuters.iter().filter(confirms);
                    let wrong = wrong.map(|target| self.wrongly_refuted(target, author));
                    Opinion::Right(wrong.collect())
                }
                (_, false, false) | (Some(_), true, false) => Opinion::Contested(None),
                (_, true, true) => return None,
            },
        )
    }

    fn wrong(&self, author: &TargetName) -> Symptom {
        Symptom {
            kind: Kind::InvalidModel,
            target: author.clone(),
            against: self.refuting.clone(),
            program: self.program,
            site: "false under its model".to_string(),
            evidence: format!(
                "{author} says sat, and unsat to the same under its own model; {} says so too",
                names(&self.refuting)
            ),
        }
    }

    fn contradicts_itself(&self, author: &TargetName) -> Symptom {
        Symptom {
            kind: Kind::Disagreement,
            target: author.clone(),
            against: vec![author.clone()],
            program: self.program,
            site: "sat then unsat under its own model".to_string(),
            evidence: format!("{author} says sat, and unsat to the same under its own model"),
        }
    }

    fn not_confirmed(&self, author: &TargetName) -> Symptom {
        Symptom {
            kind: Kind::Disagreement,
            target: author.clone(),
            against: self.refuting.clone(),
            program: self.program,
            site: "model not confirmed".to_string(),
            evidence: format!(
                "{author} says sat, {} says unsat to the same under its model",
                names(&self.refuting)
            ),
        }
    }

    fn wrongly_refuted(&self, target: &TargetName, author: &TargetName) -> Symptom {
        Symptom {
            kind: Kind::RefutationUnsound,
            target: target.clone(),
            against: vec![author.clone()],
            program: self.program,
            site: "unsat not sat".to_string(),
            evidence: format!(
                "{target} says unsat, and sat to the same under the model of {author}"
            ),
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

fn names(targets: &[TargetName]) -> String {
    let names: Vec<String> = targets.iter().map(ToString::to_string).collect();
    names.join(" and ")
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use lydite_core::{Capture, Claim, Exit, Oracle, Outcome, Role};

    use super::super::ModelOracle;
    use super::*;

    const SCRIPT: &str = "(set-option :produce-models true)(set-logic UFLIA)\
        (declare-fun f (Int) Int)(assert (forall ((x Int)) (>= (f x) (f 0))))(check-sat)(get-model)";
    const MODEL: &str = "sat\n((define-fun f ((x Int)) Int (* x x)))";

    fn observation(target: &str, program: usize, stdout: &str) -> Observation {
        let verdict = Verdict::from_name(stdout.split_whitespace().next().unwrap()).unwrap();
        Observation {
            program,
            target: target.parse().unwrap(),
            role: Role::Tested,
            outcome: match verdict {
                Verdict::Unknown => Outcome::Undecided,
                _ => Outcome::Answered(Answer::Verdicts(vec![verdict])),
            },
            exit: Exit::Status(0),
            wall: Duration::ZERO,
            cpu: Duration::ZERO,
            peak_kb: 0,
            stdout: Capture::whole(stdout),
            stderr: Capture::default(),
            promises: Vec::new(),
        }
    }

    /// What is said when z3 gives the model, another says `first` to the script, and
    /// z3, cvc5 and z3's older version answer the script under the model.
    fn judged(first: &str, under: [&str; 3]) -> Vec<String> {
        let targets = ["z3@5.4.0", "cvc5", "z3@4.8.7"];
        let mut case = Case::single(Program::single("a.smt2", SCRIPT.as_bytes()), Claim::Silent);
        let mut table = Table {
            timeout: Duration::from_secs(1),
            observations: vec![
                observation(targets[0], 0, MODEL),
                observation(targets[1], 0, first),
            ],
        };
        let further = ModelOracle.follow_up(&case, &table);
        assert_eq!(further.len(), 1);
        case.programs.extend(further);
        // Nothing follows from what followed.
        assert_eq!(ModelOracle.follow_up(&case, &table).len(), 1);
        for (target, said) in targets.iter().zip(under) {
            table.observations.push(observation(target, 1, said));
        }
        let judgement = ModelOracle.judgement(&case, &table);
        let remarks = judgement
            .remarks
            .iter()
            .filter(|remark| remark.program == 0);
        let remarks = remarks.map(|remark| format!("{} {}", remark.decided, remark.what));
        let symptoms = judgement.symptoms.iter();
        let symptoms = symptoms.map(|s| format!("{}/{} {}", s.program, s.kind, s.target));
        remarks.chain(symptoms).collect()
    }

    #[test]
    fn another_familys_word_decides_an_open_model_and_accuses_only_who_contradicts_itself() {
        let right = "true model right by another solver";
        assert_eq!(judged("unknown", ["unknown", "sat", "unknown"]), [right]);
        assert_eq!(judged("unknown", ["sat", "sat", "sat"]), [right]);
        assert_eq!(
            judged("unsat", ["unknown", "sat", "unknown"]),
            [right, "1/refutation-unsound cvc5"]
        );
        // Its own word, or that of its own family, is none.
        let open = "false model open: quantifier";
        assert_eq!(judged("unknown", ["sat", "unknown", "sat"]), [open]);
        assert_eq!(judged("unknown", ["unknown", "unknown", "unsat"]), [open]);
        assert_eq!(judged("unsat", ["sat", "unknown", "unknown"]), [open]);
    }

    #[test]
    fn a_model_is_wrong_if_its_author_and_another_family_say_so() {
        let contested = "false model contested";
        assert_eq!(
            judged("unknown", ["unsat", "unsat", "unknown"]),
            [
                "true model wrong by itself and another",
                "1/invalid-model z3@5.4.0"
            ]
        );
        for under in [["unsat", "unknown", "unsat"], ["unsat", "sat", "unknown"]] {
            assert_eq!(
                judged("unknown", under),
                [contested, "1/disagreement z3@5.4.0"]
            );
        }
        assert_eq!(
            judged("unsat", ["unknown", "unsat", "unknown"]),
            [contested, "1/disagreement z3@5.4.0"]
        );
        // That z3 says sat and cvc5 unsat is for another oracle.
        assert_eq!(judged("unknown", ["sat", "unsat", "unknown"]), [contested]);
    }
}
