//! Randomized differential testing with a majority vote (*Smith, section V):
//! where no reference is at hand, the minority is at fault if the majority is
//! clear.
//!
//! Releases and option sets of one family share most of their code and so
//! their bugs, and so do families that have one code inside. A family, with its
//! kin, therefore has one vote, divided among its targets that
//! answer, and a majority of several families is needed where several take
//! part. Two small processors may be wrong alike, so two families convict a
//! third only if one of them is a reference; otherwise it takes three. Without a
//! clear majority it is a `disagreement`.

use std::collections::BTreeMap;

use super::Oracle;
use super::contested::independent_family;
use super::differential::{
    AnswerGroups, Answering, comparable, disagreement_site, disagreements, evidence, questions,
};
use crate::{Case, Kind, Observation, Role, Symptom, Table, TargetName, Verdict};

/// Convicts targets whose answer differs from that of the majority.
pub struct VoteOracle;

impl Oracle for VoteOracle {
    fn name(&self) -> &'static str {
        "vote"
    }

    fn about(&self) -> &'static str {
        "a target answers otherwise than a clear majority of the others: the minority is at fault"
    }

    fn only_if_named(&self) -> bool {
        true
    }

    fn judge(&self, case: &Case, table: &Table) -> Vec<Symptom> {
        (0..case.programs.len())
            .flat_map(|program| comparable(case, program, table))
            .flat_map(|answering| judge_answers(&answering, table))
            .collect()
    }
}

fn judge_answers(answering: &Answering<'_>, table: &Table) -> Vec<Symptom> {
    let program = answering.first().map_or(0, |(one, _)| one.program);
    let mut symptoms: Vec<Symptom> = Vec::new();
    for groups in questions(answering) {
        if groups.len() < 2 {
            continue;
        }
        let said = match elected(&groups, answering) {
            Some(majority) => outvoted(program, &groups, majority, table),
            None => disagreements(&groups, answering),
        };
        for symptom in said {
            // One symptom per accused target, however many questions differ.
            if !symptoms.iter().any(|s| s.target == symptom.target) {
                symptoms.push(symptom);
            }
        }
    }
    symptoms
}

/// What more than half of all votes say, with as many families behind it as it takes.
fn elected<'a>(groups: &'a AnswerGroups<'_>, answering: &Answering<'_>) -> Option<&'a str> {
    let families = tally(groups.values().flatten());
    // Shares of votes are fractions: all are counted in units of this.
    let whole = families.values().copied().fold(1, least_common_multiple);
    let votes = |group: &Vec<&TargetName>| -> u128 {
        let share = |target: &&TargetName| whole / families[independent_family(target)];
        group.iter().map(share).sum()
    };
    let is_reference = |target: &&TargetName| {
        let mut references = answering.iter().filter(|(o, _)| o.role == Role::Reference);
        references.any(|(o, _)| o.target == **target)
    };
    let needed = |group: &Vec<&TargetName>| match families.len() {
        several @ 3.. if !group.iter().any(is_reference) => several.min(3),
        few => few.min(2),
    };
    groups
        .iter()
        .find(|(_, group)| {
            2 * votes(group) > whole * families.len() as u128
                && tally(group.iter()).len() >= needed(group)
        })
        .map(|(said, _)| said.as_str())
}

fn least_common_multiple(a: u128, b: u128) -> u128 {
    let (mut divisor, mut rest) = (a, b);
    while rest > 0 {
        (divisor, rest) = (rest, divisor % rest);
    }
    a / divisor * b
}

/// How many targets each family has.
fn tally<'a>(targets: impl Iterator<Item = &'a &'a TargetName>) -> BTreeMap<&'a str, u128> {
    let mut families = BTreeMap::new();
    for target in targets {
        *families.entry(independent_family(target)).or_default() += 1;
    }
    families
}

fn outvoted(
    program: usize,
    groups: &AnswerGroups<'_>,
    majority: &str,
    table: &Table,
) -> Vec<Symptom> {
    let against: Vec<TargetName> = groups[majority].iter().map(|&t| t.clone()).collect();
    let accused = |observation: &&Observation| {
        let (said, _) = groups
            .iter()
            .find(|(_, group)| group.contains(&&observation.target))?;
        (said != majority && observation.role == Role::Tested).then_some(said)
    };
    let symptom = |observation: &Observation| {
        let said = accused(&observation)?;
        Some(Symptom {
            kind: match Verdict::from_name(majority) {
                Some(Verdict::Sat) => Kind::RefutationUnsound,
                Some(_) => Kind::SolutionUnsound,
                None => Kind::WrongOutput,
            },
            target: observation.target.clone(),
            against: against.clone(),
            program,
            site: disagreement_site(&observation.target, said, majority),
            evidence: evidence(groups, Some(majority)),
        })
    };
    table.of_program(program).filter_map(symptom).collect()
}

#[cfg(test)]
mod tests {
    use super::super::table::judged;
    use super::*;

    #[test]
    fn whoever_is_outvoted_is_at_fault() {
        for (rows, expected) in [
            (
                &[
                    "tcc out=1", "gcc:O0 out=2", "gcc:O3 out=2", "clang out=2", "pcc out=2",
                ][..],
                &["wrong-output tcc [gcc:O0 gcc:O3 clang pcc] output"][..],
            ),
            (
                &["a unsat", "b sat", "c sat", "(e) sat", "d crashed"],
                &["refutation-unsound a [b c e] unsat not sat"],
            ),
            (
                &["a sat,sat", "b sat,unsat", "(c) sat,unsat"],
                &["solution-unsound a [b c] sat not unsat"],
            ),
            // One family over its versions.
            (
                &["z@1 sat", "z@2 unsat", "z@3 unsat"],
                &["solution-unsound z@1 [z@2 z@3] sat not unsat"],
            ),
            (&["a out=1", "b out=1", "c out=1"], &[]),
        ] {
            assert_eq!(judged(&VoteOracle, "silent", rows), expected);
        }
    }

    #[test]
    fn many_option_sets_of_one_family_have_one_vote() {
        let rows = [
            "gcc:O0 out=1", "gcc:O1 out=1", "gcc:O2 out=1", "tcc out=2", "clang out=2", "pcc out=2",
        ];
        let judged = judged(&VoteOracle, "silent", &rows);
        let accused = |name| format!("wrong-output gcc:{name} [tcc clang pcc] output");
        assert_eq!(judged, ["O0", "O1", "O2"].map(accused));
    }

    #[test]
    fn two_that_agree_convict_a_third_only_with_a_reference_among_them() {
        for (rows, expected) in [
            (
                ["hermes out=1", "mujs out=2", "duktape out=2"],
                "disagreement hermes [mujs duktape] output",
            ),
            (
                ["mujs out=1", "hermes out=2", "(node) out=2"],
                "wrong-output mujs [hermes node] output",
            ),
            // These have one code inside, and so one vote.
            (
                ["hermes out=1", "quickjs out=2", "quickjs-ng out=2"],
                "disagreement hermes [quickjs quickjs-ng] output",
            ),
        ] {
            assert_eq!(judged(&VoteOracle, "silent", &rows), [expected]);
        }
    }

    #[test]
    fn without_a_clear_majority_it_is_a_disagreement() {
        for (rows, expected) in [
            (
                &["a sat", "b unsat"][..],
                &["disagreement a [b] sat not unsat"][..],
            ),
            (
                &["gcc:O0 out=1", "gcc:O1 out=1", "tcc out=2"],
                &["disagreement tcc [gcc:O0 gcc:O1] output"],
            ),
            (
                &["gcc out=1", "tcc out=1", "clang out=2", "pcc out=2"],
                &[
                    "disagreement gcc [clang pcc] output",
                    "disagreement tcc [clang pcc] output",
                ],
            ),
        ] {
            assert_eq!(judged(&VoteOracle, "silent", rows), expected);
        }
    }

    #[test]
    fn a_reference_votes_and_is_not_accused() {
        let rows = ["(a) out=1", "b out=2", "c out=2"];
        let expected = ["disagreement b [a] output", "disagreement c [a] output"];
        assert_eq!(judged(&VoteOracle, "silent", &rows), expected);
        let rows = ["(a) out=1", "b out=2", "c out=2", "d out=2"];
        assert!(judged(&VoteOracle, "silent", &rows).is_empty());
    }
}
