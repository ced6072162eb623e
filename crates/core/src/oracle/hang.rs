//! A target that does not end where another ends at once.

use std::time::Duration;

use super::Oracle;
use crate::{Case, Kind, Observation, Outcome, Symptom, Table};

/// Reports a time-out if some other target was done (by any answer but a
/// time-out) in a small part of the limit. A lone target that times out is
/// only slow: nothing says that the input is easy.
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
        let hangs = |observation: &&Observation| observation.outcome == Outcome::TimedOut;
        let symptom = |observation: &Observation| {
            let against: Vec<&Observation> = table
                .of_program(observation.program)
                .filter(|other| answered_within(other, quick))
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

fn answered_within(observation: &Observation, limit: Duration) -> bool {
    matches!(observation.outcome, Outcome::Answered(_)) && observation.wall <= limit
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
}
