//! A target far slower than the reference.

use std::time::Duration;

use super::Oracle;
use crate::{Case, Kind, Observation, Outcome, Role, Symptom, Table};

/// Reports a target under test that takes `factor` times as long as the
/// fastest reference, if it takes at least `floor`. CPU time is compared:
/// a busy machine must not make findings. Time-outs count as the limit.
pub struct SlowOracle {
    /// How many times slower is too slow.
    pub factor: f64,
    /// Below this nothing is slow.
    pub floor: Duration,
}

impl Default for SlowOracle {
    fn default() -> SlowOracle {
        SlowOracle {
            factor: 10.0,
            floor: Duration::from_secs(1),
        }
    }
}

impl Oracle for SlowOracle {
    fn name(&self) -> &'static str {
        "slow"
    }

    fn about(&self) -> &'static str {
        "a target takes ten times as long as a reference target or version, and at least a second"
    }

    fn judge(&self, _case: &Case, table: &Table) -> Vec<Symptom> {
        let symptom = |observation: &Observation| {
            let spent = time_spent(observation, table.timeout)?;
            if observation.role != Role::Tested || spent < self.floor {
                return None;
            }
            let (best, reference) = table
                .of_program(observation.program)
                .filter(|other| other.role == Role::Reference)
                .filter(|other| matches!(other.outcome, Outcome::Answered(_)))
                .map(|other| (other.cpu, &other.target))
                .min()?;
            // A reference that takes no measurable time still takes some.
            let best = best.max(Duration::from_millis(1));
            (spent.as_secs_f64() >= self.factor * best.as_secs_f64()).then(|| Symptom {
                kind: Kind::SlowRegression,
                target: observation.target.clone(),
                against: vec![reference.clone()],
                program: observation.program,
                site: String::new(),
                evidence: format!(
                    "{} takes {} ms of CPU, {reference} {} ms",
                    observation.target,
                    spent.as_millis(),
                    best.as_millis()
                ),
            })
        };
        table.observations.iter().filter_map(symptom).collect()
    }
}

fn time_spent(observation: &Observation, timeout: Duration) -> Option<Duration> {
    match observation.outcome {
        Outcome::Answered(_) | Outcome::Undecided => Some(observation.cpu),
        Outcome::TimedOut => Some(timeout),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::table::judged;
    use super::*;

    #[test]
    fn only_a_tested_target_far_behind_a_reference_is_slow() {
        let oracle = SlowOracle::default();
        assert_eq!(
            judged(
                &oracle,
                "silent",
                &["z3@5.0 sat 3000", "(z3@4.8) sat 100", "(cvc5) sat 200"]
            ),
            ["slow-regression z3@5.0 [z3@4.8] "]
        );
        assert_eq!(
            judged(
                &oracle,
                "silent",
                &["z3@5.0 timeout 8000", "(z3@4.8) unsat 100"]
            ),
            ["slow-regression z3@5.0 [z3@4.8] "]
        );
        for rows in [
            vec!["z3@5.0 sat 900", "(z3@4.8) sat 1"],
            vec!["z3@5.0 sat 3000", "(z3@4.8) sat 400"],
            vec!["z3@5.0 sat 3000", "z3@4.8 sat 100"],
            vec!["z3@5.0 sat 3000", "(z3@4.8) undecided 1"],
            vec!["z3@5.0 crashed 3000", "(z3@4.8) sat 1"],
            vec!["(z3@5.0) sat 3000", "(z3@4.8) sat 1"],
        ] {
            assert!(judged(&oracle, "silent", &rows).is_empty(), "{rows:?}");
        }
    }
}
