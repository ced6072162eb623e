//! What a compiled program does, against references that vouch for it.
//!
//! A difference between compilers says nothing where the behaviour of the
//! program is undefined. References are there to find that out: builds with
//! sanitizers, compilers whose warnings are errors, interpreters. A program
//! that any reference refuses, or that references disagree on, is not judged.

use super::{Oracle, shape};
use crate::{Answer, Case, Kind, Observation, Outcome, Role, Symptom, Table};

/// Reports targets whose compiled program differs from what all references
/// saw.
pub struct WrongCodeOracle;

impl Oracle for WrongCodeOracle {
    fn name(&self) -> &'static str {
        "wrong-code"
    }

    fn about(&self) -> &'static str {
        "a compiled program behaves otherwise than under the references, all of which accept it"
    }

    fn judge(&self, case: &Case, table: &Table) -> Vec<Symptom> {
        (0..case.programs.len())
            .flat_map(|program| judge_program(program, table))
            .collect()
    }
}

fn judge_program(program: usize, table: &Table) -> Vec<Symptom> {
    let observations: Vec<&Observation> = table.of_program(program).collect();
    let references = || {
        observations
            .iter()
            .filter(|one| one.role == Role::Reference)
    };
    let Some(expected) = vouched(references().map(|one| &one.outcome)) else {
        return Vec::new();
    };
    let against: Vec<_> = references()
        .filter(|one| one.outcome.answer() == Some(expected))
        .map(|one| one.target.clone())
        .collect();
    let differs = |one: &&&Observation| {
        let answer = one.outcome.answer();
        one.role == Role::Tested
            && matches!(answer, Some(Answer::Output { .. }))
            && answer != Some(expected)
    };
    let symptom = |one: &&Observation| Symptom {
        kind: Kind::WrongOutput,
        target: one.target.clone(),
        against: against.clone(),
        program,
        site: site(expected, one),
        evidence: format!("{}: {}; references: {expected}", one.target, one.outcome),
    };
    observations.iter().filter(differs).map(symptom).collect()
}

/// What stands where the output differs, if that tells something.
fn site(expected: &Answer, one: &Observation) -> String {
    match (expected, one.outcome.answer()) {
        (Answer::Output { text, .. }, Some(Answer::Output { text: other, .. })) => {
            shape::difference(text, other).unwrap_or_default()
        }
        _ => String::new(),
    }
}

/// The behaviour that all references accept, if they do and there is one.
pub(super) fn vouched<'a>(references: impl Iterator<Item = &'a Outcome>) -> Option<&'a Answer> {
    let mut expected = None;
    for outcome in references {
        match outcome.answer()? {
            Answer::Accepted | Answer::Program { .. } | Answer::Code { .. } => {}
            answer if expected.is_none() => expected = Some(answer),
            answer if expected == Some(answer) => {}
            _ => return None,
        }
    }
    expected.filter(|answer| matches!(answer, Answer::Output { .. }))
}

#[cfg(test)]
mod tests {
    use super::super::table::judged;
    use super::*;

    #[test]
    fn only_what_every_reference_accepts_is_judged() {
        let judged = |rows: &[&str]| judged(&WrongCodeOracle, "silent", rows);
        assert_eq!(
            judged(&[
                "tcc out=1", "gcc:O0 out=2", "(gcc:sanitize) out=2", "(gcc:strict) accepted"
            ]),
            ["wrong-output tcc [gcc:sanitize] "]
        );
        for rows in [
            &["tcc out=1", "gcc out=2"][..],
            &["tcc out=1", "(gcc:sanitize) rejected"],
            &["tcc out=1", "(gcc:sanitize) out=2", "(gcc:strict) rejected"],
            &[
                "tcc out=1", "(gcc:sanitize) out=2", "(clang:sanitize) out=3",
            ],
            &["tcc out=1", "(gcc:sanitize) timeout"],
            &["tcc out=1", "(gcc:strict) accepted"],
            &[
                "tcc timeout", "gcc rejected", "clang crashed", "(gcc:sanitize) out=2",
            ],
        ] {
            assert!(judged(rows).is_empty(), "{rows:?}");
        }
    }
}
