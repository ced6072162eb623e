//! A target must not die, and must not refute itself.

use super::Oracle;
use crate::signature::normalise_site;
use crate::{Case, Kind, Outcome, Symptom, Table};

/// Reports every crash, and every answer that its author's own check refutes.
pub struct CrashOracle;

impl Oracle for CrashOracle {
    fn name(&self) -> &'static str {
        "crash"
    }

    fn about(&self) -> &'static str {
        "a target dies of a signal, an assertion or an internal error, or its own check refutes its answer"
    }

    fn judge(&self, _case: &Case, table: &Table) -> Vec<Symptom> {
        let symptom = |observation: &crate::Observation| {
            let (kind, message) = match &observation.outcome {
                Outcome::Crashed(message) => (Kind::Crash, message),
                Outcome::SelfRefuted(message) => (Kind::InvalidModel, message),
                _ => return None,
            };
            Some(Symptom {
                kind,
                target: observation.target.clone(),
                against: Vec::new(),
                program: observation.program,
                site: normalise_site(message),
                evidence: format!("{}: {message}", observation.target),
            })
        };
        table.observations.iter().filter_map(symptom).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::table::judged;
    use super::*;

    #[test]
    fn a_crash_and_a_self_refutation_are_reported_and_nothing_else() {
        let rows = [
            "z3@4.8.7 crashed", "cvc5 sat", "z3 refuted", "yices timeout", "x rejected",
        ];
        assert_eq!(
            judged(&CrashOracle, "sat", &rows),
            [
                "crash z3@4.8.7 [] SIGSEGV in rewriter.cpp:N",
                "invalid-model z3 [] an invalid model was generated",
            ]
        );
    }
}
