//! Which targets a list of names means, decided before anything is installed.
//!
//! Invariant: where installing is allowed, a name means what the sources
//! offer, whatever the machine happens to have. All names of a plan are
//! decided together, so that installing one never changes what another means.

use std::collections::BTreeMap;

use anyhow::{Context, Result, anyhow, bail};
use lydite_core::{Role, TargetName};

use super::available::{Available, available};
use crate::cache::Cache;
use crate::system;
use crate::{Catalogue, Family, ResolveError, Version, VersionSet, version_set};
use lydite_core::fault::Fault;

/// Which versions a name may mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VersionScope {
    /// Those that the sources offer: what is missing will be installed.
    Offered,
    /// Those that are installed: nothing will be installed.
    Installed,
}

/// A name, and who wrote it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WantedTarget {
    /// The name as it was written; its version may be open.
    pub name: TargetName,
    /// Whether it is tested or compared with.
    pub role: Role,
    /// True if the user wrote it, false if a preset did.
    pub by_user: bool,
}

/// A target that will take part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChosenTarget {
    /// Its name, with exactly one version.
    pub name: TargetName,
    /// Whether it is tested or compared with.
    pub role: Role,
    /// The name that was written for it.
    pub written: TargetName,
}

/// Where the versions of a family are known from.
pub trait Versions {
    /// What the sources offer; `refresh` asks again although the last answer
    /// is young.
    fn offered(&self, family: &Family, refresh: bool) -> Available;
    /// What can be run now.
    fn installed(&self, family: &Family) -> Vec<Version>;
}

impl Versions for Cache {
    fn offered(&self, family: &Family, refresh: bool) -> Available {
        available(family, self, refresh)
    }

    fn installed(&self, family: &Family) -> Vec<Version> {
        let cached = Cache::installed(self, family).into_iter();
        let installed = cached.chain(system::installed(family));
        installed.map(|installed| installed.version).collect()
    }
}

/// Decides what all of `wanted` mean. Every family is asked for once.
///
/// A name that means nothing is [`Fault::TargetUnusable`]. Two names that
/// become one target are a mistake of the user's if he wrote both; otherwise the target takes part once, tested if either name says so.
pub fn choose(
    catalogue: &Catalogue,
    wanted: &[WantedTarget],
    scope: VersionScope,
    versions: &dyn Versions,
    progress: &mut dyn FnMut(&str),
) -> Result<Vec<ChosenTarget>> {
    let mut asked = KnownOffers {
        versions,
        offered: BTreeMap::new(),
    };
    let mut choices: Vec<(ChosenTarget, bool)> = Vec::new();
    for WantedTarget {
        name,
        role,
        by_user,
    } in wanted
    {
        let meaning = asked.meaning(catalogue, name, scope, progress);
        for version in meaning.context(Fault::TargetUnusable)? {
            let exact = TargetName {
                version: Some(version.to_string()),
                ..name.clone()
            };
            let choice = ChosenTarget {
                name: exact,
                role: *role,
                written: name.clone(),
            };
            add(&mut choices, choice, *by_user)?;
        }
    }
    Ok(choices.into_iter().map(|(choice, _)| choice).collect())
}

fn add(choices: &mut Vec<(ChosenTarget, bool)>, choice: ChosenTarget, by_user: bool) -> Result<()> {
    let same = |(other, _): &&mut (ChosenTarget, bool)| other.name == choice.name;
    let Some((other, other_by_user)) = choices.iter_mut().find(same) else {
        choices.push((choice, by_user));
        return Ok(());
    };
    if by_user && *other_by_user {
        bail!("{}", twice(&other.written, &choice.written, &choice.name));
    }
    if choice.role == Role::Tested {
        other.role = Role::Tested;
    }
    *other_by_user |= by_user;
    Ok(())
}

/// Why two names cannot stand in one plan.
fn twice(one: &TargetName, other: &TargetName, both: &TargetName) -> String {
    if one == other {
        return match one == both {
            true => format!("target {both}: named twice"),
            false => format!("target {one}: named twice (it is {both})"),
        };
    }
    let became = |name: &TargetName| match name == both {
        true => format!("`{name}`"),
        false => format!("`{name}` (which is {both})"),
    };
    format!(
        "target {both}: named twice, as {} and as {}; leave one of them out",
        became(one),
        became(other)
    )
}

/// What the sources said, kept for the names to come.
struct KnownOffers<'a> {
    versions: &'a dyn Versions,
    offered: BTreeMap<String, Available>,
}

impl KnownOffers<'_> {
    /// The versions that a name means, oldest first; never none.
    fn meaning(
        &mut self,
        catalogue: &Catalogue,
        name: &TargetName,
        scope: VersionScope,
        progress: &mut dyn FnMut(&str),
    ) -> Result<Vec<Version>> {
        let family = catalogue.family(name)?;
        catalogue.check_variant(name)?;
        let set = version_set(name)?;
        if scope == VersionScope::Installed {
            let installed = self.versions.installed(family);
            let versions = select(family, name, &set, &installed);
            return match versions.is_empty() {
                false => Ok(versions),
                true if set.select(&installed).is_empty() => {
                    Err(ResolveError::NotInstalled { name: name.clone() }.into())
                }
                true => Err(catalogue.not_in_version(name)?.into()),
            };
        }
        if let VersionSet::One(version) = &set
            && self.versions.installed(family).contains(version)
        {
            return Ok(vec![version.clone()]);
        }
        let offered = self.offered(family, name, &set, progress);
        if let Ok(versions) = &offered
            && !versions.is_empty()
        {
            return offered;
        }
        // Without a network, what is here has to do.
        let versions = select(family, name, &set, &self.versions.installed(family));
        match offered {
            Err(error) if !versions.is_empty() => {
                progress(&format!("{name}: using what is installed ({error:#})"));
                Ok(versions)
            }
            other => other,
        }
    }

    /// The offered versions that a name means. A list that is a day old may
    /// lack what was asked for: then it is fetched again.
    fn offered(
        &mut self,
        family: &Family,
        name: &TargetName,
        set: &VersionSet,
        progress: &mut dyn FnMut(&str),
    ) -> Result<Vec<Version>> {
        for refresh in [false, true] {
            if refresh || !self.offered.contains_key(&family.family) {
                let again = if refresh { " again" } else { "" };
                progress(&format!("{}: asking for versions{again}", family.family));
                let available = self.versions.offered(family, refresh);
                self.offered.insert(family.family.clone(), available);
            }
            let available = &self.offered[&family.family];
            let offers = available.offers.iter();
            let versions: Vec<Version> = offers.map(|offer| offer.version.clone()).collect();
            let chosen = select(family, name, set, &versions);
            if !chosen.is_empty() {
                return Ok(chosen);
            }
        }
        Err(not_offered(name, &self.offered[&family.family]))
    }
}

/// How many versions a message lists.
const SHOWN_VERSIONS: usize = 8;

fn not_offered(name: &TargetName, available: &Available) -> anyhow::Error {
    let offers = available.offers.iter();
    let offered: Vec<&str> = offers.map(|offer| offer.version.as_str()).collect();
    let problems = available.problems.join("; ");
    if offered.is_empty() {
        return anyhow!("target {name}: no source offers it: {problems}");
    }
    let newest = &offered[offered.len().saturating_sub(SHOWN_VERSIONS)..];
    let more = match offered.len() - newest.len() {
        0 => String::new(),
        more => format!(
            ", and {more} older ones (lydite targets list {} --available)",
            name.family
        ),
    };
    let listed = newest.join(" ");
    let problems = match problems.is_empty() {
        true => problems,
        false => format!("; {problems}"),
    };
    anyhow!("target {name}: no such version; offered: {listed}{more}{problems}")
}

/// The members of `set`. Of a set of several versions those without the
/// variant are left out; a single one without it is an error later on.
fn select(
    family: &Family,
    name: &TargetName,
    set: &VersionSet,
    versions: &[Version],
) -> Vec<Version> {
    let mut chosen = set.select(versions);
    if matches!(set, VersionSet::All(_)) {
        let variant = family.variant(name.variant.as_deref());
        let has = |version: &Version| {
            let variant = variant.as_ref();
            variant.is_none_or(|variant| variant.versions.contains(version))
        };
        chosen.retain(has);
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::install::Offer;

    /// Sources and a machine that are made up: versions of z3.
    struct Made {
        offered: &'static [&'static str],
        installed: &'static [&'static str],
    }

    impl Versions for Made {
        fn offered(&self, family: &Family, _: bool) -> Available {
            let offers = self.offered.iter().map(|version| Offer {
                version: Version::new(*version),
                registry_version: version.to_string(),
                source: 0,
            });
            match family.family.as_str() {
                "z3" => Available {
                    offers: offers.collect(),
                    problems: Vec::new(),
                },
                _ => Available::default(),
            }
        }

        fn installed(&self, family: &Family) -> Vec<Version> {
            let versions = self.installed.iter().map(|version| Version::new(*version));
            versions.filter(|_| family.family == "z3").collect()
        }
    }

    const OFFERED: &[&str] = &["4.8.5", "4.8.9", "5.4.0"];

    fn chosen(
        names: &[(&str, bool)],
        scope: VersionScope,
        installed: &'static [&'static str],
    ) -> String {
        let wanted: Vec<WantedTarget> = names
            .iter()
            .map(|(name, by_user)| WantedTarget {
                name: name.parse().unwrap(),
                role: Role::Tested,
                by_user: *by_user,
            })
            .collect();
        let catalogue = Catalogue::load(&[]).unwrap();
        let versions = Made {
            offered: OFFERED,
            installed,
        };
        match choose(&catalogue, &wanted, scope, &versions, &mut |_| {}) {
            Ok(choices) => {
                let names = choices.iter().map(|choice| choice.name.to_string());
                names.collect::<Vec<_>>().join(" ")
            }
            Err(error) => format!("{error:#}"),
        }
    }

    #[test]
    fn where_installing_is_allowed_a_name_means_the_same_whatever_is_installed() {
        for installed in [&[][..], &["4.8.5"], &["4.8.9"], &["9.9.9"], OFFERED] {
            for (names, meant) in [
                ("z3", "z3@5.4.0"),
                ("z3@latest", "z3@5.4.0"),
                ("z3@4.8", "z3@4.8.9"),
                ("z3@4.8.*", "z3@4.8.5 z3@4.8.9"),
                ("z3@4.8.5", "z3@4.8.5"),
                ("z3@4.8.5 z3@4.8.9 z3", "z3@4.8.5 z3@4.8.9 z3@5.4.0"),
            ] {
                let names: Vec<(&str, bool)> = names.split(' ').map(|name| (name, true)).collect();
                assert_eq!(chosen(&names, VersionScope::Offered, installed), meant);
            }
        }
    }

    #[test]
    fn what_is_installed_and_no_longer_offered_can_be_named() {
        assert_eq!(
            chosen(&[("z3@9.9.9", true)], VersionScope::Offered, &["9.9.9"]),
            "z3@9.9.9"
        );
    }

    #[test]
    fn where_nothing_is_installed_names_mean_what_is_here() {
        let here = |name| {
            chosen(
                &[(name, true)],
                VersionScope::Installed,
                &["4.8.5", "4.8.9"],
            )
        };
        assert_eq!(here("z3"), "z3@4.8.9");
        assert!(here("z3@5.4.0").contains("not installed (lydite targets install z3@5.4.0)"));
        assert!(chosen(&[("z3", true)], VersionScope::Installed, &[]).contains("not installed"));
    }

    #[test]
    fn two_names_of_one_target_are_a_mistake_only_if_the_user_wrote_both() {
        let both = |one, other| chosen(&[one, other], VersionScope::Offered, &[]);
        assert_eq!(
            both(("z3", true), ("z3@5.4.0", true)),
            "target z3@5.4.0: named twice, as `z3` (which is z3@5.4.0) and as `z3@5.4.0`; leave one of them out"
        );
        assert_eq!(
            both(("z3", true), ("z3", true)),
            "target z3: named twice (it is z3@5.4.0)"
        );
        assert_eq!(both(("z3", false), ("z3@5.4.0", false)), "z3@5.4.0");
        assert_eq!(both(("z3", false), ("z3@5.4.0", true)), "z3@5.4.0");
    }

    #[test]
    fn a_version_that_nobody_offers_names_those_that_are() {
        let error = chosen(&[("z3@7", true)], VersionScope::Offered, OFFERED);
        assert!(error.contains("offered: 4.8.5 4.8.9 5.4.0"), "{error}");
        let error = chosen(&[("cvc5", true)], VersionScope::Offered, OFFERED);
        assert!(error.contains("no source offers it"), "{error}");
    }
}
