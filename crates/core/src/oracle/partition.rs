//! A whole and its parts: what one target says of them cannot be if the whole has
//! a model and no part has, or a part has one and the whole has none.
//!
//! Every restriction cuts the models of the whole to those of a part, and the
//! restrictions leave nothing out ([`Claim::Partition`]). So a target that contradicts
//! itself here is wrong somewhere, whoever else was asked.

use super::chain::symptom;
use crate::{Answer, Case, Claim, Observation, Symptom, Table, TargetName, Verdict};

/// How a target contradicts itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Contradiction<'a> {
    /// The whole has no model, this part has.
    PartAlone(&'a Observation, &'a Observation),
    /// The whole has a model, no part has; the last of them.
    WholeAlone(&'a Observation, &'a Observation),
}

impl<'a> Contradiction<'a> {
    /// In words: what was said of the whole, then of a part.
    pub(super) fn site(self) -> &'static str {
        match self {
            Contradiction::PartAlone(..) => "unsat then sat",
            Contradiction::WholeAlone(..) => "sat then unsat",
        }
    }

    fn observations(self) -> (&'a Observation, &'a Observation) {
        match self {
            Contradiction::PartAlone(whole, part) | Contradiction::WholeAlone(whole, part) => {
                (whole, part)
            }
        }
    }
}

/// The one verdict of an observation.
fn verdict(observation: &Observation) -> Option<Verdict> {
    match observation.outcome.answer()? {
        Answer::Verdicts(verdicts) => match verdicts[..] {
            [verdict] => Some(verdict),
            _ => None,
        },
        _ => None,
    }
}

/// The targets that say enough to confirm or to contradict the claim.
pub(super) fn stands<'a>(
    case: &Case,
    table: &'a Table,
) -> Vec<(&'a TargetName, Option<Contradiction<'a>>)> {
    if case.claim != Claim::Partition || case.programs.len() < 2 {
        return Vec::new();
    }
    let stand = |whole: &'a Observation| {
        let of = |program: usize| {
            let mut seen = table.of_program(program);
            seen.find(|one| one.target == whole.target)
        };
        let parts: Vec<&Observation> = (1..case.programs.len()).filter_map(of).collect();
        let says = |one: &&&Observation, wanted| verdict(one) == Some(wanted);
        let sat = parts.iter().find(|one| says(one, Verdict::Sat)).copied();
        let refuted = parts.iter().filter(|one| says(one, Verdict::Unsat)).count();
        let all_refuted = refuted + 1 == case.programs.len();
        match (verdict(whole)?, sat) {
            (Verdict::Unsat, Some(part)) => Some(Some(Contradiction::PartAlone(whole, part))),
            (Verdict::Sat, None) if all_refuted => {
                Some(Some(Contradiction::WholeAlone(whole, parts.last()?)))
            }
            (Verdict::Sat, Some(_)) => Some(None),
            (Verdict::Unsat, None) if all_refuted => Some(None),
            _ => None,
        }
    };
    let wholes = table.of_program(0);
    wholes
        .filter_map(|whole| Some((&whole.target, stand(whole)?)))
        .collect()
}

/// Targets that contradict themselves.
pub(super) fn contradictions(case: &Case, table: &Table) -> Vec<Symptom> {
    let found = stands(case, table);
    let contradicting = found.into_iter().filter_map(|(_, stand)| stand);
    contradicting
        .map(|contradiction| {
            let (whole, part) = contradiction.observations();
            symptom(case, whole, part, contradiction.site().to_string())
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::table::{chain, judged_case, table};
    use super::super::{DifferentialOracle, contested_claim};

    #[test]
    fn who_contradicts_itself_about_a_whole_and_its_parts_is_accused_by_its_own_words() {
        for (rows, expected) in [
            (
                vec!["0/z3 unsat", "1/z3 unsat", "2/z3 sat"],
                vec!["disagreement z3 [z3] unsat then sat"],
            ),
            (
                vec!["0/z3 sat", "1/z3 unsat", "2/z3 unsat"],
                vec!["disagreement z3 [z3] sat then unsat"],
            ),
            (vec!["0/z3 sat", "1/z3 unsat", "2/z3 sat"], vec![]),
            (vec!["0/z3 sat", "1/z3 unsat", "2/z3 undecided"], vec![]),
            (vec!["0/z3 sat", "1/z3 unsat"], vec![]),
            (vec!["0/z3 unsat", "1/z3 unsat", "2/z3 unsat"], vec![]),
            (vec!["0/z3 unsat", "1/z3 sat,sat", "2/z3 unsat"], vec![]),
            (
                vec![
                    "0/z3 undecided", "1/z3 unsat", "2/z3 unsat", "0/cvc5 sat", "1/cvc5 unsat",
                    "2/cvc5 unsat",
                ],
                vec!["disagreement cvc5 [cvc5] sat then unsat"],
            ),
        ] {
            let case = chain("partition", &["x < 0", "x >= 0"]);
            assert_eq!(
                judged_case(&DifferentialOracle, &case, &rows),
                expected,
                "{rows:?}"
            );
        }
    }

    #[test]
    fn a_partition_that_two_families_contradict_is_ours_to_explain() {
        let case = chain("partition", &["x < 0", "x > 0"]);
        let both = [
            "0/z3 sat", "1/z3 unsat", "2/z3 unsat", "0/cvc5 sat", "1/cvc5 unsat", "2/cvc5 unsat",
        ];
        assert!(contested_claim(&case, &table(&both)).is_some());
        let one = [
            "0/z3 sat", "1/z3 unsat", "2/z3 unsat", "0/cvc5 sat", "1/cvc5 sat", "2/cvc5 unsat",
        ];
        assert_eq!(contested_claim(&case, &table(&one)), None);
    }
}
