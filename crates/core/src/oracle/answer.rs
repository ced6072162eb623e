//! The claim of the case against what each target says.

use super::{Oracle, shape, transcript};
use crate::{Answer, Case, Claim, Kind, Observation, Outcome, Symptom, Table, TargetName, Verdict};

/// Reports every answer that contradicts what is known of the case.
pub struct AnswerOracle;

impl Oracle for AnswerOracle {
    fn name(&self) -> &'static str {
        "answer"
    }

    fn about(&self) -> &'static str {
        "a target contradicts what is known of the case (its claim)"
    }

    fn judge(&self, case: &Case, table: &Table) -> Vec<Symptom> {
        let symptom = |observation: &Observation| {
            let (kind, site) = contradiction(&case.claim, observation)?;
            Some(Symptom {
                kind,
                target: observation.target.clone(),
                against: Vec::new(),
                program: observation.program,
                site,
                evidence: format!(
                    "{} says {}; known: {}{}",
                    observation.target,
                    observation.outcome,
                    case.claim,
                    difference(&case.claim, &observation.outcome).unwrap_or_default()
                ),
            })
        };
        table.observations.iter().filter_map(symptom).collect()
    }
}

/// The kind and site of the contradiction between claim and outcome, if any.
fn contradiction(claim: &Claim, observation: &Observation) -> Option<(Kind, String)> {
    match (claim, &observation.outcome) {
        (claim, Outcome::Rejected(message)) if claim.is_acceptance() => {
            Some((Kind::RejectsValid, crate::signature::refusal_site(message)))
        }
        (Claim::Rejected, Outcome::Answered(_) | Outcome::Undecided) => {
            Some((Kind::AcceptsInvalid, String::new()))
        }
        (claim, Outcome::Answered(said)) => {
            wrong_answer(&observation.target, claim.answer()?, said)
        }
        _ => None,
    }
}

fn wrong_answer(target: &TargetName, known: &Answer, said: &Answer) -> Option<(Kind, String)> {
    match (known, said) {
        // Lists of different length mean that something else went wrong (an
        // error in the middle of the script): nothing can be compared.
        (Answer::Verdicts(known), Answer::Verdicts(said)) if known.len() == said.len() => {
            let (known, said) = known
                .iter()
                .zip(said)
                .find(|(known, said)| known.contradicts(**said))?;
            let kind = match known {
                Verdict::Sat => Kind::RefutationUnsound,
                _ => Kind::SolutionUnsound,
            };
            Some((kind, format!("{said} not {known}")))
        }
        (
            Answer::Output {
                status: first,
                text: one,
            },
            Answer::Output {
                status: second,
                text: other,
            },
        ) => {
            let other = transcript::claimed_part(one, other);
            if first == second && one[..] == *other {
                return None;
            }
            let (one, other) = (String::from_utf8_lossy(one), String::from_utf8_lossy(other));
            let site = transcript::site(target, &one, &other, "\n");
            let site = site.unwrap_or_else(|| shape::site(one.as_bytes(), other.as_bytes()));
            Some((Kind::WrongOutput, site))
        }
        _ => None,
    }
}

/// How many bytes of a line are shown.
const LINE_BYTES: usize = 200;

/// The first line in which an output of several lines is not what is known.
fn difference(claim: &Claim, outcome: &Outcome) -> Option<String> {
    let (Some(Answer::Output { text: known, .. }), Some(Answer::Output { text: said, .. })) =
        (claim.answer(), outcome.answer())
    else {
        return None;
    };
    let newline = |byte: &u8| *byte == b'\n';
    let (mut known, mut said) = (known.split(newline), said.split(newline));
    let mut number = 0;
    let (known, said) = loop {
        number += 1;
        match (known.next(), said.next()) {
            (None, None) => return None,
            (known, said) if known != said => break (known, said),
            _ => {}
        }
    };
    let shown = |line: Option<&[u8]>| match line {
        Some(line) => line[..line.len().min(LINE_BYTES)]
            .escape_ascii()
            .to_string(),
        None => "nothing".to_string(),
    };
    let (known, said) = (shown(known), shown(said));
    Some(format!("; line {number}: `{said}`, not `{known}`"))
}

#[cfg(test)]
mod tests {
    use super::super::table::{chain, judged, judged_case, table};
    use super::*;
    use crate::Program;

    #[test]
    fn wrong_verdicts_are_unsound_in_their_direction() {
        let rows = [
            "z3 sat", "cvc5 unsat", "yices undecided", "x unsupported", "y timeout",
        ];
        assert_eq!(
            judged(&AnswerOracle, "sat", &rows),
            ["refutation-unsound cvc5 [] unsat not sat"]
        );
        assert_eq!(
            judged(&AnswerOracle, "unsat", &rows),
            ["solution-unsound z3 [] sat not unsat"]
        );
        assert!(judged(&AnswerOracle, "silent", &rows).is_empty());
        assert!(judged(&AnswerOracle, "unknown", &rows).is_empty());
    }

    #[test]
    fn every_program_of_a_chain_is_judged_by_the_known_answer() {
        let rows = ["0/z3 sat", "1/z3 unsat", "2/z3 undecided"];
        for (claim, expected) in [
            (
                "weakens sat",
                vec!["refutation-unsound z3 [] unsat not sat"],
            ),
            (
                "strengthens unsat",
                vec!["solution-unsound z3 [] sat not unsat"],
            ),
            ("weakens", vec![]),
        ] {
            let case = chain(claim, &["a", "b"]);
            assert_eq!(judged_case(&AnswerOracle, &case, &rows), expected);
        }
    }

    #[test]
    fn lists_are_compared_one_by_one_and_only_if_as_long() {
        let rows = [
            "a sat,unsat,sat", "b sat,sat,sat", "c sat,unsat", "d sat,unknown,unsat",
        ];
        assert_eq!(
            judged(&AnswerOracle, "sat unsat sat", &rows),
            [
                "solution-unsound b [] sat not unsat",
                "refutation-unsound d [] unsat not sat",
            ]
        );
    }

    #[test]
    fn acceptance_is_judged_and_missing_features_are_not() {
        let rows = [
            "gcc accepted", "tcc rejected", "pcc unsupported", "sdcc crashed",
        ];
        assert_eq!(
            judged(&AnswerOracle, "accepted", &rows),
            ["rejects-valid tcc [] syntax error"]
        );
        assert_eq!(
            judged(&AnswerOracle, "rejected", &rows),
            ["accepts-invalid gcc [] "]
        );
    }

    #[test]
    fn a_program_whose_output_is_known_must_be_accepted() {
        let claim = Claim::Answers(Answer::Output {
            status: 0,
            text: (*b"42").into(),
        });
        let case = Case::single(Program::single("a.sol", *b""), claim);
        let symptoms = AnswerOracle.judge(&case, &table(&["solc rejected", "solang unsupported"]));
        assert_eq!(symptoms.len(), 1);
        assert_eq!(symptoms[0].kind, Kind::RejectsValid);
        assert_eq!(symptoms[0].target.family, "solc");
    }

    #[test]
    fn equivalent_programs_that_are_valid_must_be_accepted() {
        let case = chain("accepted equivalent", &["text stored"]);
        let rows = ["0/a out=1", "1/a rejected", "0/b out=1", "1/b unsupported"];
        let expected = ["rejects-valid a [] syntax error"];
        assert_eq!(judged_case(&AnswerOracle, &case, &rows), expected);
        let case = chain("equivalent", &["text stored"]);
        assert!(judged_case(&AnswerOracle, &case, &rows).is_empty());
    }

    #[test]
    fn output_is_compared_with_the_known_output() {
        let claim = Claim::Answers(Answer::Output {
            status: 0,
            text: (*b"42").into(),
        });
        let case = Case::single(Program::single("a.c", *b""), claim);
        let symptoms = AnswerOracle.judge(&case, &table(&["gcc out=42", "tcc out=43"]));
        assert_eq!(symptoms.len(), 1);
        assert_eq!(symptoms[0].kind, Kind::WrongOutput);
        assert_eq!(symptoms[0].target.family, "tcc");
        let evidence = &symptoms[0].evidence;
        assert!(evidence.ends_with("; line 1: `43`, not `42`"), "{evidence}");
    }
}
