//! What the programs of a hunt do without: constructs that its targets have not got.

use std::collections::BTreeSet;

use lydite_target::Target;

/// How a plan names the families whose constructs programs may have: `of apsw, duckdb`.
const OF: &str = "of ";

/// The switches that are off, of a strategy for which the plan says `own`: what any of `targets`
/// lacks. With `of NAME, NAME` only those count that are named; if none of them takes part, all
/// do. Anything else that the plan says stays.
pub(crate) fn settle(own: Option<&str>, targets: &[&Target]) -> Option<String> {
    let lacks: Vec<(&str, Vec<&str>)> = targets
        .iter()
        .map(|target| (target.family().family.as_str(), target.lacks().collect()))
        .collect();
    settle_among(own, &lacks)
}

fn settle_among(own: Option<&str>, families: &[(&str, Vec<&str>)]) -> Option<String> {
    let named: Option<BTreeSet<&str>> = match own {
        None => None,
        Some(own) => Some(own.strip_prefix(OF)?.split(',').map(str::trim).collect()),
    };
    let counts = |name: &str| named.as_ref().is_none_or(|named| named.contains(name));
    let all = !families.iter().any(|(name, _)| counts(name));
    let lacks: BTreeSet<&str> = families
        .iter()
        .filter(|(name, _)| all || counts(name))
        .flat_map(|(_, lacks)| lacks.iter().copied())
        .collect();
    let none_said = own.is_none() && lacks.is_empty();
    (!none_said).then(|| lacks.into_iter().collect::<Vec<_>>().join(","))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settled(own: Option<&str>) -> Option<String> {
        let families = [
            ("apsw", vec!["schemas", "dates"]),
            ("duckdb", vec!["upserts"]),
            ("polars", vec!["upserts", "changes"]),
        ];
        settle_among(own, &families)
    }

    #[test]
    fn programs_do_without_what_any_target_lacks() {
        assert_eq!(settled(None).unwrap(), "changes,dates,schemas,upserts");
    }

    #[test]
    fn a_plan_may_name_those_whose_constructs_programs_have() {
        assert_eq!(
            settled(Some("of duckdb, apsw")).unwrap(),
            "dates,schemas,upserts"
        );
        assert_eq!(settled(Some("of apsw,turso")).unwrap(), "dates,schemas");
    }

    #[test]
    fn if_none_that_is_named_takes_part_all_count() {
        assert_eq!(settled(Some("of turso")), settled(None));
    }

    #[test]
    fn what_a_plan_says_itself_stays() {
        assert_eq!(settled(Some("")), None);
        assert_eq!(settled(Some("dates")), None);
    }

    #[test]
    fn where_nothing_is_lacking_nothing_is_said() {
        assert_eq!(settle_among(None, &[("one", vec![])]), None);
        assert_eq!(
            settle_among(Some("of one"), &[("one", vec![])]).unwrap(),
            ""
        );
    }
}
