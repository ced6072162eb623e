//! Oracles: pure functions from (case, table of observations) to symptoms.
//!
//! An oracle runs nothing, so every one of them gets replay, re-judging and
//! reduction for free and is tested with literal tables.

mod acceptance;
mod answer;
mod chain;
mod contested;
mod crash;
mod differential;
mod hang;
mod incomplete;
mod partition;
mod round_trip;
mod shape;
mod slow;
mod transcript;
mod vote;
mod wrong_code;

pub use acceptance::AcceptanceOracle;
pub use answer::AnswerOracle;
pub use contested::{contested_claim, independent_family};
pub use crash::CrashOracle;
pub use differential::DifferentialOracle;
pub use hang::HangOracle;
pub use incomplete::{ImplicationOracle, RegressionOracle};
pub use round_trip::RoundTripOracle;
pub use slow::SlowOracle;
pub use vote::VoteOracle;
pub use wrong_code::WrongCodeOracle;

use chain::spans_programs;

use crate::{Case, Judgement, Kind, Program, Symptom, Table, TargetName};

/// Judges a case by what targets answered.
pub trait Oracle: Send + Sync {
    /// Its name in plans and on the command line.
    fn name(&self) -> &'static str;

    /// One sentence for `lydite list oracles`.
    fn about(&self) -> &'static str;

    /// True if it reads witnesses, so that targets are asked for them
    /// ([`crate::Language::asking_for_witness`]).
    fn wants_witness(&self) -> bool {
        false
    }

    /// True if targets should be asked what a negative answer rests on
    /// ([`crate::Language::asking_for_core`]).
    fn wants_core(&self) -> bool {
        false
    }

    /// True if it judges only where a plan or the command line names it.
    fn only_if_named(&self) -> bool {
        false
    }

    /// Names of oracles that have to judge beside it, where the language has
    /// them: what they find out settles what this one may say.
    fn beside(&self) -> &'static [&'static str] {
        &[]
    }

    /// Further programs that follow from what was seen, to be run on every
    /// target before judging. They are added to the case's programs.
    fn follow_up(&self, case: &Case, table: &Table) -> Vec<Program> {
        let _ = (case, table);
        Vec::new()
    }

    /// Why the claim of the case cannot be true, if it was seen to be false:
    /// then nobody is judged by it.
    fn refutes_claim(&self, case: &Case, table: &Table) -> Option<String> {
        let _ = (case, table);
        None
    }

    /// What is wrong, in a stable order; nothing if all is well or nothing
    /// can be said.
    fn judge(&self, case: &Case, table: &Table) -> Vec<Symptom>;

    /// The same symptoms, and remarks on how far it could judge.
    fn judgement(&self, case: &Case, table: &Table) -> Judgement {
        Judgement {
            symptoms: self.judge(case, table),
            remarks: Vec::new(),
        }
    }
}

/// Symptoms without those that say less of the same: once it is known who
/// answers wrongly, that others differ from it is no news, nor that it
/// contradicts itself, nor that the model of a wrong answer is no model.
pub fn settle(symptoms: Vec<Symptom>) -> Vec<Symptom> {
    let convicted: Vec<(usize, Kind, TargetName)> = symptoms
        .iter()
        .filter(|symptom| symptom.kind.convicts())
        .map(|symptom| (symptom.program, symptom.kind, symptom.target.clone()))
        .collect();
    // Whoever contradicts itself is at fault, if nobody knows at which program.
    let inconsistent: Vec<TargetName> = symptoms
        .iter()
        .filter(|symptom| spans_programs(symptom) && symptom.against == [symptom.target.clone()])
        .map(|symptom| symptom.target.clone())
        .collect();
    let open = |symptom: &Symptom| {
        let guilty = |target: &TargetName, gravest: bool| {
            convicted.iter().any(|(program, kind, name)| {
                (*program == symptom.program || spans_programs(symptom))
                    && name == target
                    && !(gravest && *kind == Kind::InvalidModel)
            }) || !spans_programs(symptom)
                && symptom.kind == Kind::Disagreement
                && inconsistent.contains(target)
        };
        match symptom.kind {
            Kind::Disagreement => {
                !guilty(&symptom.target, false)
                    && !symptom.against.iter().all(|target| guilty(target, false))
            }
            Kind::InvalidModel => !guilty(&symptom.target, true),
            // Nobody has to keep up with a wrong answer.
            Kind::IncompleteRegression => !symptom
                .against
                .iter()
                .all(|target| guilty(target, false) || inconsistent.contains(target)),
            Kind::IncompleteImplication => {
                !convicted.iter().any(|(_, _, name)| *name == symptom.target)
            }
            _ => true,
        }
    };
    symptoms.into_iter().filter(open).collect()
}

/// The oracles that know no language.
pub fn oracles() -> Vec<Box<dyn Oracle>> {
    vec![
        Box::new(CrashOracle),
        Box::new(AnswerOracle),
        Box::new(DifferentialOracle),
        Box::new(VoteOracle),
        Box::new(WrongCodeOracle),
        Box::new(AcceptanceOracle),
        Box::new(RoundTripOracle),
        Box::new(HangOracle::default()),
        Box::new(SlowOracle::default()),
        Box::new(RegressionOracle::default()),
        Box::new(ImplicationOracle::default()),
    ]
}

#[cfg(test)]
mod tests {
    use super::table::{case, table};
    use super::*;

    fn all(claim: &str, rows: &[&str]) -> Vec<String> {
        let (case, table) = (case(claim), table(rows));
        let symptoms = oracles()
            .iter()
            .filter(|oracle| !oracle.only_if_named())
            .flat_map(|oracle| oracle.judge(&case, &table))
            .collect();
        let line = |symptom: Symptom| format!("{} {}", symptom.kind, symptom.target);
        settle(symptoms).into_iter().map(line).collect()
    }

    #[test]
    fn a_disagreement_is_settled_once_the_guilty_are_known() {
        let rows = ["a unsat", "b sat", "c sat"];
        assert_eq!(all("silent", &rows), ["disagreement a"]);
        assert_eq!(all("sat", &rows), ["refutation-unsound a"]);
        assert_eq!(
            all("unsat", &rows),
            ["solution-unsound b", "solution-unsound c"]
        );
    }

    #[test]
    fn what_the_guilty_do_not_explain_stays_open() {
        let symptoms = vec![
            Symptom {
                kind: Kind::InvalidModel,
                target: "a".parse().unwrap(),
                against: Vec::new(),
                program: 0,
                site: String::new(),
                evidence: String::new(),
            },
            Symptom {
                kind: Kind::Disagreement,
                target: "b".parse().unwrap(),
                against: vec!["a".parse().unwrap(), "c".parse().unwrap()],
                program: 0,
                site: String::new(),
                evidence: String::new(),
            },
        ];
        assert_eq!(settle(symptoms).len(), 2);
    }
}

#[cfg(test)]
pub(crate) mod table {
    //! Literal tables for the tests of the oracles.

    use std::time::Duration;

    use crate::{
        Answer, Capture, Case, Claim, Exit, Observation, Outcome, Program, Role, Table, Verdict,
    };

    /// A case of one program with a claim in words.
    pub(crate) fn case(claim: &str) -> Case {
        let claim: Claim = claim.parse().unwrap();
        Case::single(Program::single("a.smt2", *b"(check-sat)"), claim)
    }

    /// A case of programs that belong together, with the steps between them.
    pub(crate) fn chain(claim: &str, steps: &[&str]) -> Case {
        let program = |_| Program::single("a.smt2", *b"(check-sat)");
        Case {
            programs: (0..=steps.len()).map(program).collect(),
            claim: claim.parse().unwrap(),
            steps: steps.iter().map(ToString::to_string).collect(),
            seeds: Vec::new(),
        }
    }

    /// An observation from words: `z3@4.8.7 sat 10` — target, outcome, wall
    /// milliseconds. A target in parentheses is a reference; a number and a
    /// slash before it are the program's: `1/z3 sat`.
    pub(crate) fn observation(words: &str) -> Observation {
        let mut words = words.split(' ');
        let target = words.next().unwrap();
        let (program, target) = target.split_once('/').unwrap_or(("0", target));
        let outcome = words.next().unwrap();
        let wall_ms: u64 = words.next().map_or(10, |ms| ms.parse().unwrap());
        let role = if target.starts_with('(') {
            Role::Reference
        } else {
            Role::Tested
        };
        Observation {
            program: program.parse().unwrap(),
            target: target.trim_matches(['(', ')']).parse().unwrap(),
            role,
            outcome: match outcome {
                "timeout" => Outcome::TimedOut,
                "memory" => Outcome::OutOfMemory,
                "undecided" => Outcome::Undecided,
                "rejected" => Outcome::Rejected("syntax error".into()),
                "unsupported" => Outcome::Unsupported("no floats".into()),
                "crashed" => Outcome::Crashed("SIGSEGV in /src/rewriter.cpp:77".into()),
                "refuted" => Outcome::SelfRefuted("an invalid model was generated".into()),
                "accepted" => Outcome::Answered(Answer::Accepted),
                text if text.starts_with("out=") => Outcome::Answered(Answer::Output {
                    status: 0,
                    text: text.as_bytes()[4..].into(),
                }),
                text if text.starts_with("wrote=") => Outcome::Answered(Answer::Program {
                    text: text.as_bytes()[6..].into(),
                }),
                text if text.starts_with("code=") => Outcome::Answered(Answer::Code {
                    text: text[5..].replace('/', "\n").into_bytes().into(),
                }),
                verdicts => Outcome::Answered(Answer::Verdicts(
                    verdicts
                        .split(',')
                        .map(|v| Verdict::from_name(v).unwrap())
                        .collect(),
                )),
            },
            exit: Exit::Status(0),
            wall: Duration::from_millis(wall_ms),
            cpu: Duration::from_millis(wall_ms),
            peak_kb: 0,
            stdout: Capture::default(),
            stderr: Capture::default(),
            promises: Vec::new(),
        }
    }

    /// A table with a limit of 8 seconds.
    pub(crate) fn table(rows: &[&str]) -> Table {
        Table {
            timeout: Duration::from_secs(8),
            observations: rows.iter().map(|row| observation(row)).collect(),
        }
    }

    /// What an oracle says, one line per symptom.
    pub(crate) fn judged(oracle: &dyn super::Oracle, claim: &str, rows: &[&str]) -> Vec<String> {
        judged_case(oracle, &case(claim), rows)
    }

    /// The same for any case.
    pub(crate) fn judged_case(
        oracle: &dyn super::Oracle,
        case: &Case,
        rows: &[&str],
    ) -> Vec<String> {
        let symptoms = oracle.judge(case, &table(rows));
        let line = |s: crate::Symptom| {
            let against: Vec<String> = s.against.iter().map(ToString::to_string).collect();
            format!("{} {} [{}] {}", s.kind, s.target, against.join(" "), s.site)
        };
        symptoms.into_iter().map(line).collect()
    }
}
