//! Which findings are one bug, layer by layer.
//!
//! A signature groups symptoms by what shows at once: kind, place, theories.
//! Once a finding is reduced and its versions are known, more can be told.
//! Different lives are different bugs, whatever else is alike. With the same
//! life, the same reduced form is the same bug, and so is the same set of
//! constructs and options; where the version that mends it is known, and the
//! place is the same or none, a set that holds another one is too.

use std::collections::BTreeSet;
use std::fmt;

use lydite_core::Kind;

/// The facts of a reduced finding by which findings are compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clues {
    /// The signature of the finding.
    pub signature: String,
    /// The family at fault.
    pub family: String,
    /// What is wrong.
    pub kind: Kind,
    /// The first bad version, if it is known.
    pub since: Option<String>,
    /// The first good version after the bad ones, if it is known.
    pub fixed: Option<String>,
    /// The constructs of the reduced case.
    pub constructs: BTreeSet<String>,
    /// The options that it needs.
    pub options: Vec<String>,
    /// The place of the crash, if the target names one; otherwise empty.
    pub site: String,
    /// The reduced case without names and layout.
    pub form: String,
    /// The size of its case, in bytes.
    pub bytes: u64,
}

/// Why two findings are one bug.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layer {
    /// The reduced cases differ in names and layout only.
    Form,
    /// They need the same constructs and options.
    Constructs,
    /// One needs some constructs more, and the same version mends both.
    FixedTogether,
}

impl fmt::Display for Layer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Layer::Form => "the same reduced case up to names",
            Layer::Constructs => "the same constructs and options, in the same versions",
            Layer::FixedTogether => "constructs of the other, mended by the same version",
        })
    }
}

/// A bug: the finding that stands for it, and the others with the reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// The number of the lead.
    pub lead: usize,
    /// Numbers of the others.
    pub members: Vec<(usize, Layer)>,
}

/// The reason to take these two for one bug, if there is one.
pub fn same(one: &Clues, other: &Clues) -> Option<Layer> {
    let apart = |one: &Option<String>, other: &Option<String>| matches!((one, other), (Some(one), Some(other)) if one != other);
    let class = |kind: Kind| match kind {
        Kind::RefutationUnsound | Kind::SolutionUnsound | Kind::InvalidModel => Kind::Disagreement,
        kind => kind,
    };
    if one.family != other.family
        || class(one.kind) != class(other.kind)
        || one.options != other.options
        // Not mended and mended are different lives too.
        || one.fixed != other.fixed
        || apart(&one.since, &other.since)
    {
        return None;
    }
    if one.form == other.form {
        return Some(Layer::Form);
    }
    if one.constructs.is_empty() || other.constructs.is_empty() {
        return None;
    }
    if one.constructs == other.constructs {
        return Some(Layer::Constructs);
    }
    let within =
        one.constructs.is_subset(&other.constructs) || other.constructs.is_subset(&one.constructs);
    (within && one.fixed.is_some() && one.site == other.site).then_some(Layer::FixedTogether)
}

/// The findings by bug, each with the smallest as its lead; the order of the
/// leads is that in which to look at them ([`furthest_first`]).
pub fn groups(all: &[Clues]) -> Vec<Group> {
    let mut numbers: Vec<usize> = (0..all.len()).collect();
    numbers.sort_by_key(|&number| (all[number].bytes, &all[number].signature));
    let mut groups: Vec<Group> = Vec::new();
    for number in numbers {
        let found = groups
            .iter_mut()
            .find_map(|group| Some((same(&all[group.lead], &all[number])?, group)));
        match found {
            Some((layer, group)) => group.members.push((number, layer)),
            None => groups.push(Group {
                lead: number,
                members: Vec::new(),
            }),
        }
    }
    let leads: Vec<&Clues> = groups.iter().map(|group| &all[group.lead]).collect();
    let order = furthest_first(&leads);
    order.into_iter().map(|at| groups[at].clone()).collect()
}

/// An order in which each is as unlike those before it as can be; the gravest
/// and smallest first.
pub fn furthest_first(all: &[&Clues]) -> Vec<usize> {
    let first = (0..all.len()).min_by_key(|&at| (all[at].kind, all[at].bytes, &all[at].signature));
    let Some(first) = first else {
        return Vec::new();
    };
    let mut order = vec![first];
    let mut nearest: Vec<u64> = all.iter().map(|one| distance(all[first], one)).collect();
    while order.len() < all.len() {
        let rest = (0..all.len()).filter(|at| !order.contains(at));
        let next = rest.max_by_key(|&at| {
            let small = std::cmp::Reverse((all[at].kind, all[at].bytes, &all[at].signature));
            (nearest[at], small)
        });
        let Some(next) = next else { break };
        order.push(next);
        for (at, nearest) in nearest.iter_mut().enumerate() {
            *nearest = (*nearest).min(distance(all[next], all[at]));
        }
    }
    order
}

/// How unlike two findings are, in thousandths: families and kinds first, then
/// the share of constructs that only one of them has.
fn distance(one: &Clues, other: &Clues) -> u64 {
    let differ = |differ: bool| u64::from(differ) * 1000;
    let both = one.constructs.intersection(&other.constructs).count() as u64;
    let either = one.constructs.union(&other.constructs).count() as u64;
    let constructs = match either {
        0 => 0,
        _ => 1000 - 1000 * both / either,
    };
    differ(one.family != other.family) + differ(one.kind != other.kind) + constructs
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clues(signature: &str, fixed: &str, constructs: &str, form: &str) -> Clues {
        Clues {
            signature: signature.to_string(),
            family: "z3".to_string(),
            kind: Kind::Crash,
            since: None,
            fixed: (!fixed.is_empty()).then(|| fixed.to_string()),
            constructs: constructs.split_whitespace().map(str::to_string).collect(),
            options: Vec::new(),
            site: String::new(),
            form: form.to_string(),
            bytes: signature.len() as u64,
        }
    }

    #[test]
    fn one_bug_is_told_by_life_form_and_constructs() {
        let base = clues("a", "4.9", "bvadd =", "f");
        for (other, expected) in [
            (clues("b", "4.9", "x y", "f"), Some(Layer::Form)),
            (clues("b", "4.9", "= bvadd", "g"), Some(Layer::Constructs)),
            (clues("b", "4.9", "bvadd", "g"), Some(Layer::FixedTogether)),
            (clues("b", "4.9", "bvmul =", "g"), None),
            // Mended by another version, or not at all: another bug.
            (clues("b", "5.0", "bvadd =", "f"), None),
            (clues("b", "", "bvadd =", "f"), None),
            (clues("b", "4.9", "", "g"), None),
        ] {
            assert_eq!(same(&base, &other), expected, "{other:?}");
            assert_eq!(same(&other, &base), expected, "{other:?}");
        }
        let unmended = clues("a", "", "bvadd =", "f");
        let less = clues("b", "", "bvadd", "g");
        assert_eq!(same(&unmended, &less), None, "nothing says it is the same");
        let elsewhere = Clues {
            site: "other.cpp".to_string(),
            ..clues("b", "4.9", "bvadd", "g")
        };
        assert_eq!(same(&base, &elsewhere), None);
        let other_kind = Clues {
            kind: Kind::InvalidModel,
            ..base.clone()
        };
        assert_eq!(same(&base, &other_kind), None);
    }

    #[test]
    fn the_smallest_stands_for_the_others_and_unlike_ones_come_first() {
        let all = [
            clues("long", "4.9", "bvadd =", "f"),
            clues("b", "4.9", "bvadd", "g"),
            clues("cc", "", "bvadd bvmul", "h"),
            clues("dd", "", "str.++", "i"),
        ];
        let groups = groups(&all);
        let leads: Vec<usize> = groups.iter().map(|group| group.lead).collect();
        assert_eq!(leads, [1, 3, 2]);
        assert_eq!(groups[0].members, [(0, Layer::FixedTogether)]);
    }
}
