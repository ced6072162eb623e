//! What holds of every preset.

use std::collections::BTreeMap;

use lydite_core::version::{Version, VersionSet};
use lydite_core::{Role, TargetName};
use lydite_lab::plan::CORPUS;
use lydite_target::install::{Available, Offer, VersionScope, Versions, WantedTarget, choose};
use lydite_target::{Catalogue, Family};

use super::*;

/// Versions that no source has ever had: older and newer than all.
const OLDEST: &str = "0.0.1";
const NEWEST: &str = "999.0";

/// What a machine has of every family.
#[derive(Clone, Copy, Debug)]
enum Here {
    Nothing,
    Older,
    Newer,
    All,
}

/// Every family is offered in the versions that presets name, one that is
/// older and one that is newer.
struct Made {
    named: BTreeMap<String, Vec<Version>>,
    here: Here,
}

impl Made {
    fn all(&self, family: &Family) -> Vec<Version> {
        let named = self.named.get(&family.family).cloned().unwrap_or_default();
        let ends = [OLDEST, NEWEST].map(Version::new);
        named.into_iter().chain(ends).collect()
    }
}

impl Versions for Made {
    fn offered(&self, family: &Family, _: bool, _: bool) -> Available {
        let offers = self.all(family).into_iter().map(|version| Offer {
            registry_version: version.to_string(),
            version,
            source: 0,
        });
        Available {
            offers: offers.collect(),
            problems: Vec::new(),
        }
    }

    fn installed(&self, family: &Family, _: Option<&str>) -> Vec<Version> {
        match self.here {
            Here::Nothing => Vec::new(),
            Here::Older => vec![Version::new(OLDEST)],
            Here::Newer => vec![Version::new(NEWEST)],
            Here::All => self.all(family),
        }
    }
}

fn plans() -> Vec<Plan> {
    let plan = |preset: &Preset| preset.plan(Path::new("/seeds")).unwrap();
    let mut plans: Vec<Plan> = PRESETS.iter().map(plan).collect();
    let own = "targets = [\"z3\", \"cvc5\", \"solc\"]\nreferences = [\"z3@4.8.5\"]\n\
               [[strategy]]\nname = \"files\"\nseeds = [\"seeds\"]\n";
    plans.push(Plan::parse(own, "own.toml", Path::new("/seeds")).unwrap());
    plans
}

fn named(plans: &[Plan]) -> BTreeMap<String, Vec<Version>> {
    let mut named: BTreeMap<String, Vec<Version>> = BTreeMap::new();
    for name in plans.iter().flat_map(names) {
        if let Some(version) = &name.version {
            let set: VersionSet = version.parse().unwrap();
            let VersionSet::One(version) = set else {
                panic!("{name}: presets name single versions");
            };
            named.entry(name.family.clone()).or_default().push(version);
        }
    }
    named
}

fn names(plan: &Plan) -> impl Iterator<Item = &TargetName> {
    plan.targets.iter().chain(&plan.references)
}

#[test]
fn the_seeds_of_every_preset_are_shipped() {
    for preset in PRESETS {
        let plan = preset.plan(Path::new("/seeds")).unwrap();
        for seeds in plan.strategies.iter().flat_map(|strategy| &strategy.seeds) {
            // A corpus is got when it is wanted.
            let Ok(wanted) = seeds.strip_prefix("/seeds") else {
                let is_corpus = seeds.to_string_lossy().starts_with(CORPUS);
                assert!(is_corpus, "{}: {}", preset.name, seeds.display());
                continue;
            };
            let mut shipped = SHIPPED_SEEDS.iter();
            let is_there = shipped.any(|(path, _)| Path::new(path).starts_with(wanted));
            assert!(is_there, "{}: {}", preset.name, wanted.display());
        }
    }
}

#[test]
fn a_plan_means_the_same_on_every_machine() {
    let catalogue = Catalogue::load(&[]).unwrap();
    let plans = plans();
    for plan in &plans {
        let wanted: Vec<WantedTarget> = names(plan)
            .map(|name| WantedTarget {
                name: name.clone(),
                role: Role::Tested,
                by_user: true,
            })
            .collect();
        for here in [Here::Nothing, Here::Older, Here::Newer, Here::All] {
            let versions = Made {
                named: named(&plans),
                here,
            };
            let chosen = choose(
                &catalogue,
                &wanted,
                VersionScope::Offered,
                &versions,
                &mut |_| {},
            );
            let chosen = chosen.unwrap_or_else(|e| panic!("{} {here:?}: {e:#}", plan.name));
            let meant: Vec<&TargetName> = chosen.iter().map(|choice| &choice.name).collect();
            assert_eq!(meant.len(), wanted.len(), "{} {here:?}", plan.name);
            for (name, written) in meant.iter().zip(names(plan)) {
                let version = written.version.as_deref().unwrap_or(NEWEST);
                assert_eq!(name.version.as_deref(), Some(version), "{here:?}");
            }
        }
    }
}
