//! A target that does not end where another ends at once.

use super::Oracle;
use super::wrong_code::vouched;
use crate::{Answer, Case, Kind, Observation, Outcome, Role, Symptom, Table};

/// Reports a time-out if some other target was done (by any answer but a
/// time-out) in a small part of the limit. A lone target that times out is
/// only slow: nothing says that the input is easy. Where references run a
/// program, they also have to agree on what it does: else it may be one that
/// need not end.
pub struct HangOracle {
    /// The part of the limit within which another target must be done.
    pub quick_fraction: f64,
}

impl Default for HangOracle {
    fn default() -> HangOracle {
        HangOracle {
            quick_fraction: 0.1,
        }
    }
}

impl Oracle for HangOracle {
    fn name(&self) -> &'static str {
        "hang"
    }

    fn about(&self) -> &'static str {
        "a target uses up its time where another one answers in a tenth of it"
    }

    fn judge(&self, _case: &Case, table: &Table) -> Vec<Symptom> {
        let quick = table.timeout.mul_f64(self.quick_fraction);
        let hangs = |observation: &&Observation| {
            observation.outcome == Outcome::TimedOut && is_vouched_for(table, observation.program)
        };
        let symptom = |observation: &Observation| {
            let against: Vec<&Observation> = table
                .of_program(observation.program)
                .filter(|other| other.wall <= quick && is_same_work(other, table))
                .collect();
            let fastest = against.iter().map(|other| other.wall).min()?;
            Some(Symptom {
                kind: Kind::Hang,
                target: observation.target.clone(),
                against: against.iter().map(|other| other.target.clone()).collect(),
                program: observation.program,
                site: String::new(),
                evidence: format!(
                    "{} does not end within {} ms; another target answers in {} ms",
                    observation.target,
                    table.timeout.as_millis(),
                    fastest.as_millis()
                ),
            })
        };
        table
            .observations
            .iter()
            .filter(hangs)
            .filter_map(symptom)
            .collect()
    }
}

/// True unless references run the program and one of them refuses it or does
/// something else than the others.
fn is_vouched_for(table: &Table, program: usize) -> bool {
    let references = || {
        let observations = table.of_program(program);
        let references = observations.filter(|one| one.role == Role::Reference);
        references.map(|one| &one.outcome)
    };
    let runs = |outcome: &Outcome| matches!(outcome.answer(), Some(Answer::Output { .. }));
    !references().any(runs) || vouched(references()).is_some()
}

/// True for an answer that took what the others have to do: where programs
/// are run, that one compiles says nothing; nor does a reference that only
/// compiles, of targets that may run it.
fn is_same_work(observation: &Observation, table: &Table) -> bool {
    let is_output = |one: &Observation| matches!(one.outcome.answer(), Some(Answer::Output { .. }));
    match observation.outcome.answer() {
        None => false,
        Some(Answer::Accepted) => {
            observation.role == Role::Tested
                && !table.of_program(observation.program).any(is_output)
        }
        Some(
            Answer::Verdicts(_)
            | Answer::Output { .. }
            | Answer::Program { .. }
            | Answer::Code { .. },
        ) => true,
    }
}

#[cfg(test)]
mod tests {
    use super::super::table::judged;
    use super::*;

    #[test]
    fn a_time_out_is_a_hang_only_beside_a_quick_answer() {
        let oracle = HangOracle::default();
        assert_eq!(
            judged(
                &oracle,
                "silent",
                &["z3 timeout 8000", "cvc5 sat 20", "yices unsat 30"]
            ),
            ["hang z3 [cvc5 yices] "]
        );
        for rows in [
            vec!["z3 timeout 8000", "cvc5 sat 4000"],
            vec!["z3 timeout 8000", "cvc5 timeout 8000"],
            vec!["z3 timeout 8000", "cvc5 undecided 5"],
            vec!["z3 timeout 8000", "cvc5 rejected 5"],
            vec!["z3 timeout 8000"],
        ] {
            assert!(judged(&oracle, "silent", &rows).is_empty(), "{rows:?}");
        }
    }

    #[test]
    fn a_program_that_references_differ_on_need_not_end() {
        let oracle = HangOracle::default();
        let hang = ["hang tcc [gcc:sanitize clang:memory] "];
        for (rows, expected) in [
            (
                vec![
                    "tcc timeout 8000", "(gcc:sanitize) out=1", "(clang:memory) out=1",
                ],
                &hang[..],
            ),
            (
                vec![
                    "tcc timeout 8000", "(gcc:sanitize) out=1", "(clang:memory) out=2",
                ],
                &[],
            ),
            (
                vec![
                    "tcc timeout 8000", "pcc out=1", "(gcc:sanitize) out=1",
                    "(clang:memory) rejected",
                ],
                &[],
            ),
            // That it compiles does not say that it ends.
            (
                vec!["(gcc:sanitize) timeout 8000", "(gcc:strict) accepted"],
                &[],
            ),
            (vec!["gcc timeout 8000", "(gcc:strict) accepted"], &[]),
            (
                vec!["gcc timeout 8000", "tcc:object accepted", "tcc out=1 6000"],
                &[],
            ),
            (
                vec!["gcc:object timeout 8000", "tcc:object accepted"],
                &["hang gcc:object [tcc:object] "],
            ),
            (
                vec!["z3 timeout 8000", "(cvc5) sat 20", "(yices) rejected"],
                &["hang z3 [cvc5] "],
            ),
        ] {
            assert_eq!(judged(&oracle, "silent", &rows), expected, "{rows:?}");
        }
    }
}
