//! Versions of one processor against each other: who takes a program.
//!
//! Only targets of one family are compared, since families differ in what
//! they are meant to take; so may versions, and who is at fault is not said.
//! A target that lacks a feature, times out or dies takes no part.

use std::collections::BTreeMap;

use super::Oracle;
use crate::signature::refusal_site;
use crate::{Case, Kind, Observation, Outcome, Symptom, Table};

/// Reports the targets of a family that refuse what others of it accept, or
/// if these are fewer, those that accept what others refuse.
pub struct AcceptanceOracle;

impl Oracle for AcceptanceOracle {
    fn name(&self) -> &'static str {
        "acceptance"
    }

    fn about(&self) -> &'static str {
        "some versions of a target accept a program that others refuse"
    }

    fn judge(&self, case: &Case, table: &Table) -> Vec<Symptom> {
        (0..case.programs.len())
            .flat_map(|program| judge_program(program, table))
            .collect()
    }
}

/// The observations of one family that accept, and those that refuse.
type Sides<'a> = (Vec<&'a Observation>, Vec<(&'a Observation, &'a str)>);

fn judge_program(program: usize, table: &Table) -> Vec<Symptom> {
    let mut families: BTreeMap<&str, Sides> = BTreeMap::new();
    for observation in table.of_program(program) {
        let (accepting, refusing) = families.entry(&observation.target.family).or_default();
        match &observation.outcome {
            Outcome::Answered(_) | Outcome::Undecided => accepting.push(observation),
            Outcome::Rejected(message) => refusing.push((observation, message)),
            _ => {}
        }
    }
    families
        .into_values()
        .flat_map(|sides| symptoms(program, &sides))
        .collect()
}

fn symptoms(program: usize, (accepting, refusing): &Sides) -> Vec<Symptom> {
    let (Some(_), Some((_, message))) = (accepting.first(), refusing.first()) else {
        return Vec::new();
    };
    let names = |side: &[&Observation]| side.iter().map(|one| one.target.clone()).collect();
    let refusers: Vec<&Observation> = refusing.iter().map(|(one, _)| *one).collect();
    let symptom =
        |one: &Observation, against: &[&Observation], site: String, says: String| Symptom {
            kind: Kind::Disagreement,
            target: one.target.clone(),
            against: names(against),
            program,
            site,
            evidence: format!("{} {says}", one.target),
        };
    if accepting.len() < refusing.len() {
        let site = format!("accepts, not {}", refusal_site(message));
        let says = format!("accepts; others: {message}");
        let accused = accepting.iter();
        return accused
            .map(|one| symptom(one, &refusers, site.clone(), says.clone()))
            .collect();
    }
    let accused = refusing.iter();
    accused
        .map(|(one, message)| {
            let site = refusal_site(message);
            symptom(
                one,
                accepting,
                site,
                format!("refuses: {message}; others accept"),
            )
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::table::judged;
    use super::*;

    #[test]
    fn versions_that_differ_in_what_they_take_are_reported() {
        let judged = |rows: &[&str]| judged(&AcceptanceOracle, "silent", rows);
        assert_eq!(
            judged(&["s@1 accepted", "s@2 rejected", "s@3 accepted"]),
            ["disagreement s@2 [s@1 s@3] syntax error"]
        );
        assert_eq!(
            judged(&["s@1 accepted", "s@2 rejected", "s@3 rejected"]),
            ["disagreement s@1 [s@2 s@3] accepts, not syntax error"]
        );
        assert_eq!(
            judged(&["s@1 out=7", "s@2 rejected"]),
            ["disagreement s@2 [s@1] syntax error"]
        );
    }

    #[test]
    fn other_families_and_other_ends_take_no_part() {
        for rows in [
            &["gcc accepted", "tcc rejected"][..],
            &[
                "s@1 accepted", "s@2 unsupported", "s@3 crashed", "s@4 timeout", "s@5 memory",
            ],
            &["s@1 rejected", "s@2 rejected"],
            &["s@1 rejected"],
            &[],
        ] {
            assert!(
                judged(&AcceptanceOracle, "silent", rows).is_empty(),
                "{rows:?}"
            );
        }
    }
}
