//! What the programs of a hunt do without: constructs that its targets have not got.

use std::collections::BTreeSet;

use lydite_target::Target;

/// How a plan names the families whose constructs programs may have: `of apsw, duckdb`.
const OF: &str = "of ";

/// What a family has not got: all of it, and what of it the family takes all the same and means
/// otherwise.
struct Dialect<'a> {
    family: &'a str,
    lacks: Vec<&'a str>,
    differs: Vec<&'a str>,
}

/// The switches that are off, of a strategy for which the plan says `own`: what any of `targets`
/// lacks. With `of NAME, NAME` those count that are named, and of the others what they take and
/// mean otherwise: what they refuse is no accusation. If none that is named takes part, all count.
/// Anything else that the plan says stays.
pub(crate) fn settle(own: Option<&str>, targets: &[&Target]) -> Option<String> {
    let dialects: Vec<Dialect> = targets
        .iter()
        .map(|target| Dialect {
            family: &target.family().family,
            lacks: target.lacks().collect(),
            differs: target.differs().collect(),
        })
        .collect();
    settle_among(own, &dialects)
}

fn settle_among(own: Option<&str>, dialects: &[Dialect]) -> Option<String> {
    let named: Option<BTreeSet<&str>> = match own {
        None => None,
        Some(own) => Some(own.strip_prefix(OF)?.split(',').map(str::trim).collect()),
    };
    let counts = |name: &str| named.as_ref().is_none_or(|named| named.contains(name));
    let all = !dialects.iter().any(|dialect| counts(dialect.family));
    let lacks: BTreeSet<&str> = dialects
        .iter()
        .flat_map(|dialect| match all || counts(dialect.family) {
            true => &dialect.lacks,
            false => &dialect.differs,
        })
        .copied()
        .collect();
    let none_said = own.is_none() && lacks.is_empty();
    (!none_said).then(|| lacks.into_iter().collect::<Vec<_>>().join(","))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dialect<'a>(family: &'a str, lacks: &[&'a str], differs: &[&'a str]) -> Dialect<'a> {
        Dialect {
            family,
            lacks: lacks.to_vec(),
            differs: differs.to_vec(),
        }
    }

    fn settled(own: Option<&str>) -> Option<String> {
        let dialects = [
            dialect("apsw", &["schemas", "dates"], &[]),
            dialect("duckdb", &["upserts"], &[]),
            dialect("polars", &["upserts", "changes"], &[]),
        ];
        settle_among(own, &dialects)
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
    fn what_a_target_takes_and_means_otherwise_is_never_put_to_it() {
        let dialects = [
            dialect("apsw", &["schemas"], &[]),
            dialect("duckdb", &["upserts", "division"], &["division"]),
        ];
        assert_eq!(
            settle_among(Some("of apsw"), &dialects).unwrap(),
            "division,schemas"
        );
    }

    #[test]
    fn where_nothing_is_lacking_nothing_is_said() {
        let one = [dialect("one", &[], &[])];
        assert_eq!(settle_among(None, &one), None);
        assert_eq!(settle_among(Some("of one"), &one).unwrap(), "");
    }
}
