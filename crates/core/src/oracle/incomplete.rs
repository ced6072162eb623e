//! Incompleteness: a solver says unknown where it could be expected to know.
//!
//! Definition 6.2.1 of the thesis. *Regression*: an older version of the same
//! family decides what a newer one does not. *Implication*: a target decides
//! a program, and not the next one, whose answer follows from that.
//!
//! Not every unknown is a bug, so neither oracle is in the default set of a
//! plan. A target that rejects, lacks something, crashes or runs out of time
//! says nothing about completeness; nor does an older version whose answer
//! somebody contradicts.

use std::cmp::Ordering;

use super::{Oracle, chain};
use crate::version::Version;
use crate::{
    Answer, Case, Kind, Observation, Outcome, Remark, Role, Symptom, Table, TargetName, Verdict,
};

/// Reports a target that does not know what an older version of it knows.
#[derive(Default)]
pub struct RegressionOracle {
    /// True if a target that runs out of time counts as one that says unknown.
    pub timeouts: bool,
}

/// Reports a target that does not know what follows from its own answer.
#[derive(Default)]
pub struct ImplicationOracle {
    /// True if a target that runs out of time counts as one that says unknown.
    pub timeouts: bool,
}

/// An unknown that came later than this part of the limit is the limit's.
const IN_TIME: f64 = 0.8;

/// The verdict on each question of one run; `None` if the run says nothing.
/// An outcome that is undecided as a whole is unknown on every question.
fn verdict(
    observation: &Observation,
    question: usize,
    timeouts: bool,
    table: &Table,
) -> Option<Verdict> {
    let late = observation.wall > table.timeout.mul_f64(IN_TIME);
    let verdict = match &observation.outcome {
        Outcome::Answered(Answer::Verdicts(verdicts)) => *verdicts.get(question)?,
        Outcome::Undecided => Verdict::Unknown,
        Outcome::TimedOut if timeouts => return Some(Verdict::Unknown),
        _ => return None,
    };
    (verdict != Verdict::Unknown || !late || timeouts).then_some(verdict)
}

/// The most questions that some run answers.
fn questions<'a>(observations: impl Iterator<Item = &'a Observation>) -> usize {
    let count = |observation: &Observation| match observation.outcome.answer() {
        Some(Answer::Verdicts(verdicts)) => verdicts.len(),
        _ => 0,
    };
    observations.map(count).max().unwrap_or(0)
}

/// The answer that nobody contradicts: neither a target nor the claim, nor
/// what follows from answers to other programs of the case.
fn agreed(case: &Case, table: &Table, program: usize, question: usize) -> Option<Verdict> {
    let asked = questions(table.of_program(program));
    let known = match case.claim.answer() {
        Some(Answer::Verdicts(verdicts)) => verdicts.get(question).copied(),
        _ => None,
    };
    let said = table.observations.iter().filter_map(|observation| {
        let verdict = verdict(observation, question, false, table)?;
        let applies = match observation.program.cmp(&program) {
            Ordering::Equal => true,
            // Lists of different length are not about the same questions.
            _ if questions(std::iter::once(observation)) != asked => false,
            Ordering::Less => chain::carries_over(&case.claim, verdict),
            Ordering::Greater => chain::carries_back(&case.claim, verdict),
        };
        applies.then_some(verdict)
    });
    let mut decided = said.chain(known).filter(|v| *v != Verdict::Unknown);
    let first = decided.next()?;
    decided.all(|other| other == first).then_some(first)
}

/// For each target, whether it left a question open in one of two programs that have the same
/// answers, or in both: counted, since it is no fault, but nothing was compared.
pub(super) fn open_forms(case: &Case, table: &Table) -> Vec<Remark> {
    let mut remarks = Vec::new();
    for before in table.observations.iter() {
        let to = before.program + 1;
        let after = table.of_program(to).find(|o| o.target == before.target);
        let Some(after) = after.filter(|_| case.claim.is_equivalence()) else {
            continue;
        };
        let asked = questions([before, after].into_iter());
        let said = |question| {
            let of = |observation| verdict(observation, question, false, table);
            Some((of(before)?, of(after)?))
        };
        let pairs: Vec<(Verdict, Verdict)> = (0..asked.max(1)).filter_map(said).collect();
        let open = |(one, other): &(Verdict, Verdict)| {
            (*one == Verdict::Unknown, *other == Verdict::Unknown)
        };
        let what = if pairs
            .iter()
            .any(|pair| matches!(open(pair), (true, false) | (false, true)))
        {
            "unknown in one form alone"
        } else if pairs.iter().any(|pair| open(pair) == (true, true)) {
            "unknown in both forms"
        } else {
            continue;
        };
        remarks.push(Remark {
            target: before.target.clone(),
            program: before.program,
            decided: false,
            what,
            why: case.step_to(to).unwrap_or("").to_string(),
        });
    }
    remarks
}

impl Oracle for RegressionOracle {
    fn name(&self) -> &'static str {
        "incomplete-regression"
    }

    fn about(&self) -> &'static str {
        "a newer version of a target answers unknown where an older one decides"
    }

    fn beside(&self) -> &'static [&'static str] {
        &["model"]
    }

    fn judge(&self, case: &Case, table: &Table) -> Vec<Symptom> {
        let tested = table.observations.iter();
        let tested = tested.filter(|observation| observation.role == Role::Tested);
        tested
            .filter_map(|newer| self.regression(case, table, newer))
            .collect()
    }
}

impl RegressionOracle {
    fn regression(&self, case: &Case, table: &Table, newer: &Observation) -> Option<Symptom> {
        let program = newer.program;
        (0..questions(table.of_program(program))).find_map(|question| {
            if verdict(newer, question, self.timeouts, table)? != Verdict::Unknown {
                return None;
            }
            let answer = agreed(case, table, program, question)?;
            let decides = |older: &&Observation| {
                is_older(&older.target, &newer.target)
                    && verdict(older, question, false, table) == Some(answer)
            };
            let against: Vec<TargetName> = table
                .of_program(program)
                .filter(decides)
                .map(|older| older.target.clone())
                .collect();
            let names: Vec<String> = against.iter().map(ToString::to_string).collect();
            (!against.is_empty()).then(|| Symptom {
                kind: Kind::IncompleteRegression,
                target: newer.target.clone(),
                evidence: format!(
                    "{} says {}, older {} says {answer} (program {program})",
                    newer.target,
                    newer.outcome,
                    names.join(", "),
                ),
                against,
                program,
                site: case.step_to(program).unwrap_or("").to_string(),
            })
        })
    }
}

/// True for an older version of the same family and variant.
fn is_older(older: &TargetName, newer: &TargetName) -> bool {
    let version = |name: &TargetName| name.version.as_ref().map(Version::new);
    older.family == newer.family
        && older.variant == newer.variant
        && match (version(older), version(newer)) {
            (Some(older), Some(newer)) => older < newer,
            _ => false,
        }
}

impl Oracle for ImplicationOracle {
    fn name(&self) -> &'static str {
        "incomplete-implication"
    }

    fn about(&self) -> &'static str {
        "a target decides a program, but answers unknown for the next one, whose answer follows"
    }

    fn judge(&self, case: &Case, table: &Table) -> Vec<Symptom> {
        let tested = table.observations.iter();
        let tested = tested.filter(|observation| observation.role == Role::Tested);
        tested
            .filter_map(|before| self.implication(case, table, before))
            .collect()
    }
}

impl ImplicationOracle {
    fn implication(&self, case: &Case, table: &Table, before: &Observation) -> Option<Symptom> {
        let (from, to) = (before.program, before.program + 1);
        let after = table.of_program(to).find(|o| o.target == before.target)?;
        let asked = |o: &Observation| questions(std::iter::once(o));
        if asked(after) != asked(before) && after.outcome.answer().is_some() {
            return None;
        }
        let lost = (0..asked(before)).find(|&question| {
            let decided = verdict(before, question, false, table);
            decided.is_some_and(|decided| {
                chain::carries_over(&case.claim, decided)
                    && agreed(case, table, from, question) == Some(decided)
                    && verdict(after, question, self.timeouts, table) == Some(Verdict::Unknown)
            })
        })?;
        let answer = verdict(before, lost, false, table)?;
        let step = case.step_to(to).unwrap_or("");
        Some(Symptom {
            kind: Kind::IncompleteImplication,
            target: before.target.clone(),
            against: Vec::new(),
            program: to,
            site: step.to_string(),
            evidence: format!(
                "{} says {answer} to program {from} and {} to program {to}, which {}{}",
                before.target,
                after.outcome,
                relation(&case.claim),
                chain::steps_between(case, from, to),
            ),
        })
    }
}

/// How a program stands to the one before it.
fn relation(claim: &crate::Claim) -> &'static str {
    match claim {
        crate::Claim::Weakens(_) => "follows from it",
        crate::Claim::Strengthens(_) => "implies it",
        _ => "is equivalent",
    }
}

#[cfg(test)]
mod tests {
    use super::super::table::{case, chain, judged, judged_case, table};
    use super::super::{AnswerOracle, settle};
    use super::*;

    #[test]
    fn nobody_has_to_keep_up_with_an_answer_that_is_contradicted() {
        let regression = RegressionOracle::default();
        let blamed = ["incomplete-regression z@2 [z@1] b"];
        for (claim, rows, expected) in [
            (
                "weakens",
                &["1/z@1 sat", "1/z@2 undecided"][..],
                &blamed[..],
            ),
            (
                "weakens",
                &["0/a sat", "1/z@1 sat", "1/z@2 undecided"],
                &blamed,
            ),
            // Somebody knows the program before it, or the one after it.
            (
                "weakens",
                &["0/a sat", "1/z@1 unsat", "1/z@2 undecided"],
                &[],
            ),
            (
                "weakens",
                &["0/z@1 sat", "1/z@1 unsat", "1/z@2 undecided"],
                &[],
            ),
            (
                "weakens",
                &["2/a unsat", "1/z@1 sat", "1/z@2 undecided"],
                &[],
            ),
            (
                "strengthens",
                &["0/a unsat", "1/z@1 sat", "1/z@2 undecided"],
                &[],
            ),
            (
                "strengthens",
                &["2/a sat", "1/z@1 unsat", "1/z@2 undecided"],
                &[],
            ),
            (
                "equivalent",
                &["0/a sat", "1/z@1 unsat", "1/z@2 undecided"],
                &[],
            ),
            // What does not follow contradicts nothing.
            (
                "weakens",
                &["0/a unsat", "1/z@1 sat", "1/z@2 undecided"],
                &blamed,
            ),
            (
                "silent",
                &["0/a sat", "1/z@1 unsat", "1/z@2 undecided"],
                &blamed,
            ),
            // The claim itself, and another target.
            ("weakens sat", &["1/z@1 unsat", "1/z@2 undecided"], &[]),
            (
                "weakens",
                &["1/a sat", "1/z@1 unsat", "1/z@2 undecided"],
                &[],
            ),
        ] {
            let case = chain(claim, &["b", "c"]);
            assert_eq!(
                judged_case(&regression, &case, rows),
                expected,
                "{claim} {rows:?}"
            );
        }
    }

    #[test]
    fn what_is_left_open_of_two_forms_is_counted() {
        let said = |claim: &str, rows: &[&str]| -> Vec<String> {
            let remarks = super::open_forms(&chain(claim, &["scope"]), &table(rows));
            let line = |one: Remark| format!("{} {}", one.target, one.what);
            remarks.into_iter().map(line).collect()
        };
        let one = ["a unknown in one form alone"];
        assert_eq!(said("equivalent", &["0/a sat", "1/a undecided"]), one);
        assert_eq!(said("equivalent", &["0/a unknown,sat", "1/a sat,sat"]), one);
        assert_eq!(
            said(
                "equivalent",
                &["0/a undecided", "0/b sat", "1/a unknown", "1/b sat"]
            ),
            ["a unknown in both forms"]
        );
        for (claim, rows) in [
            ("equivalent", ["0/a sat", "1/a unsat"]),
            ("equivalent", ["0/a sat", "1/b undecided"]),
            ("equivalent", ["0/a sat", "1/a timeout"]),
            ("weakens", ["0/a sat", "1/a undecided"]),
        ] {
            assert_eq!(said(claim, &rows), [""; 0], "{claim} {rows:?}");
        }
    }

    #[test]
    fn a_newer_version_that_does_not_know_what_an_older_one_knows_is_reported() {
        let oracle = RegressionOracle::default();
        for (rows, expected) in [
            (
                vec!["z3@5.0.0 undecided", "z3@4.8.10 unsat"],
                vec!["incomplete-regression z3@5.0.0 [z3@4.8.10] "],
            ),
            // 4.8.9 is older than 4.8.10, whatever the letters say.
            (
                vec!["z3@4.8.10 undecided", "z3@4.8.9 sat", "z3@4.8.11 sat"],
                vec!["incomplete-regression z3@4.8.10 [z3@4.8.9] "],
            ),
            (
                vec!["z3@5 undecided", "(z3@4.9) sat", "(z3@4.8) sat"],
                vec!["incomplete-regression z3@5 [z3@4.9 z3@4.8] "],
            ),
            (
                vec!["z3@5 sat,unknown", "z3@4 unknown,unsat"],
                vec!["incomplete-regression z3@5 [z3@4] "],
            ),
            (
                vec!["z3@5 sat,unknown", "z3@4 sat,unsat"],
                vec!["incomplete-regression z3@5 [z3@4] "],
            ),
        ] {
            assert_eq!(judged(&oracle, "silent", &rows), expected, "{rows:?}");
        }
    }

    #[test]
    fn nothing_else_is_a_regression_of_completeness() {
        let oracle = RegressionOracle::default();
        for (claim, rows) in [
            ("silent", vec!["z3@5 undecided", "z3@4 undecided"]),
            ("silent", vec!["z3@5 undecided", "z3@6 sat"]),
            ("silent", vec!["z3@5 undecided", "cvc5@1 sat"]),
            ("silent", vec!["z3@5 undecided", "z3@4:new-core sat"]),
            ("silent", vec!["z3@5 rejected", "z3@4 sat"]),
            ("silent", vec!["z3@5 unsupported", "z3@4 sat"]),
            ("silent", vec!["z3@5 timeout 8000", "z3@4 sat"]),
            ("silent", vec!["z3@5 undecided 7000", "z3@4 sat"]),
            ("silent", vec!["z3@5 undecided", "z3@4 crashed"]),
            ("silent", vec!["(z3@5) undecided", "z3@4 sat"]),
            // The older version may well be wrong.
            ("silent", vec!["z3@5 undecided", "z3@4 sat", "cvc5@1 unsat"]),
            ("unsat", vec!["z3@5 undecided", "z3@4 sat"]),
        ] {
            assert!(judged(&oracle, claim, &rows).is_empty(), "{claim} {rows:?}");
        }
        let timeouts = RegressionOracle { timeouts: true };
        let rows = ["z3@5 timeout 8000", "z3@4 sat"];
        assert_eq!(judged(&timeouts, "silent", &rows).len(), 1);
    }

    #[test]
    fn an_answer_that_carries_over_must_not_get_lost() {
        let oracle = ImplicationOracle::default();
        for (claim, rows, expected) in [
            (
                "weakens",
                vec!["0/cvc5 sat", "1/cvc5 undecided", "2/cvc5 undecided"],
                vec!["incomplete-implication cvc5 [] eq-to-ge"],
            ),
            (
                "weakens sat",
                vec!["0/cvc5 sat", "1/cvc5 sat", "2/cvc5 undecided"],
                vec!["incomplete-implication cvc5 [] drop"],
            ),
            (
                "strengthens",
                vec!["0/cvc5 unsat", "1/cvc5 undecided"],
                vec!["incomplete-implication cvc5 [] eq-to-ge"],
            ),
            (
                "equivalent",
                vec!["0/z3 sat,unsat", "1/z3 sat,unknown"],
                vec!["incomplete-implication z3 [] eq-to-ge"],
            ),
        ] {
            let case = chain(claim, &["eq-to-ge", "drop"]);
            let said = judged_case(&oracle, &case, &rows);
            assert_eq!(said, expected, "{claim} {rows:?}");
        }
        let case = chain("weakens", &["eq-to-ge"]);
        let symptoms = oracle.judge(&case, &table(&["0/cvc5 sat", "1/cvc5 undecided"]));
        assert_eq!(
            symptoms[0].evidence,
            "cvc5 says sat to program 0 and undecided to program 1, which follows from it; \
             between them: eq-to-ge"
        );
    }

    #[test]
    fn what_does_not_carry_over_may_get_lost() {
        let oracle = ImplicationOracle::default();
        for (claim, rows) in [
            ("weakens", vec!["0/z3 unsat", "1/z3 undecided"]),
            ("strengthens", vec!["0/z3 sat", "1/z3 undecided"]),
            ("silent", vec!["0/z3 sat", "1/z3 undecided"]),
            ("weakens", vec!["0/z3 sat", "1/z3 timeout"]),
            ("weakens", vec!["0/z3 sat", "1/z3 undecided 7900"]),
            ("weakens", vec!["0/z3 sat", "1/z3 rejected"]),
            ("weakens", vec!["0/z3 sat", "1/z3 unsupported"]),
            ("weakens", vec!["0/z3 sat", "1/cvc5 undecided"]),
            ("weakens", vec!["0/z3 sat,sat", "1/z3 unknown,unknown,sat"]),
            ("weakens", vec!["0/(z3) sat", "1/(z3) undecided"]),
            // Its answer to the first program may well be wrong.
            (
                "weakens",
                vec!["0/z3 sat", "1/z3 undecided", "0/cvc5 unsat"],
            ),
        ] {
            let case = chain(claim, &["eq-to-ge"]);
            let said = judged_case(&oracle, &case, &rows);
            assert!(said.is_empty(), "{claim} {rows:?}");
        }
        let timeouts = ImplicationOracle { timeouts: true };
        let case = chain("weakens", &["eq-to-ge"]);
        let rows = ["0/z3 sat", "1/z3 timeout 8000"];
        assert_eq!(judged_case(&timeouts, &case, &rows).len(), 1);
    }

    #[test]
    fn a_wrong_answer_is_no_measure_of_completeness() {
        let rows = ["z3@5 undecided", "z3@4 sat"];
        let table = table(&rows);
        let mut symptoms = RegressionOracle::default().judge(&case("silent"), &table);
        symptoms.extend(AnswerOracle.judge(&case("unsat"), &table));
        let kinds: Vec<Kind> = settle(symptoms).iter().map(|s| s.kind).collect();
        assert_eq!(kinds, [Kind::SolutionUnsound]);
    }
}
