//! Looking at the case of a finding in other versions, and keeping what they
//! show.

use std::collections::BTreeMap;

use anyhow::Result;
use lydite_core::version::Version;
use lydite_core::{Case, Outcome, TargetName};

use super::Workplace;
use crate::bisect::search;
use crate::reduce::SameBug;
use lydite_core::fault::{Blame, usage};
use lydite_store::record::{Seen, VersionRun};
use lydite_target::Target;
use lydite_target::install;

/// The versions that are tried.
#[derive(Clone, Copy, Debug)]
pub struct Among<'a> {
    /// A set of versions.
    pub versions: &'a str,
    /// True if what the registries offer is installed as needed.
    pub install: bool,
}

/// The result of a bisection.
#[derive(Clone, Debug)]
pub struct Bisected {
    /// The finding's id.
    pub id: String,
    /// What each version showed, oldest first.
    pub runs: Vec<VersionRun>,
    /// The version that it was found in.
    pub known: Version,
}

/// Looks at the versions of a finding and keeps what they show with it.
pub fn bisect(workplace: &mut Workplace<'_>, id: &str, among: &Among<'_>) -> Result<Bisected> {
    let full = workplace.finding(id)?;
    let (file, case) = (&full.file, full.case()?);
    let examiner = workplace.examiner(file)?;
    let options = file.options_by_family.clone();
    let bug = SameBug::of(examiner, &case, Some(&file.shows()), options)?;
    let accused = bug.target().clone();
    let known = Version::new(accused.version.clone().unwrap_or_default());
    let signature = &file.finding.signature;
    let mut runs: BTreeMap<Version, VersionRun> = BTreeMap::new();
    let before = file.versions.iter();
    runs.extend(before.map(|run| (run.version.clone(), run.clone())));
    let set = TargetName {
        version: Some(among.versions.to_string()),
        ..accused
    };
    let installed = match among.install {
        false => workplace.targets(&set)?,
        true => Vec::new(),
    };
    let Workplace { tools, home, .. } = workplace;
    let mut probe = |target: Target| -> Result<Seen> {
        if let Some(run) = runs.get(&target.version) {
            return Ok(run.seen);
        }
        (tools.say)(&format!("{id}: trying {}", target.name));
        let run = show(&bug, target, &case)?;
        let seen = run.seen;
        home.keep(signature, &mut |store| {
            store.record_version(signature, &run)
        })?;
        runs.insert(run.version.clone(), run);
        Ok(seen)
    };
    for target in installed {
        probe(target)?;
    }
    if among.install {
        search_offered(tools, &set, &known, &mut probe)?;
    }
    Ok(Bisected {
        id: file.finding.id.clone(),
        runs: runs.into_values().collect(),
        known,
    })
}

/// What one version says of the case.
fn show(bug: &SameBug, target: Target, case: &Case) -> Result<VersionRun> {
    let (version, name) = (target.version.clone(), target.name.clone());
    let (examined, bad) = bug.in_target(target).look(case);
    // A version that was not run has shown nothing.
    bug.examiner().check_started(&examined)?;
    let own = examined.table.observations.iter();
    let outcomes: Vec<&Outcome> = own
        .filter(|o| o.target == name)
        .map(|o| &o.outcome)
        .collect();
    let answered = |outcome: &&Outcome| matches!(outcome, Outcome::Answered(_));
    let said: Vec<String> = outcomes.iter().map(ToString::to_string).collect();
    Ok(VersionRun {
        version,
        seen: match bad {
            true => Seen::Bad,
            false if outcomes.iter().all(answered) => Seen::Good,
            false => Seen::Unclear,
        },
        said: said.join("; ").chars().take(SAID_CHARS).collect(),
    })
}

/// How much of what a version said is kept.
const SAID_CHARS: usize = 200;

/// Goes through what the registries offer by halves, installing as it goes.
fn search_offered(
    tools: &super::Tools<'_>,
    set: &TargetName,
    known: &Version,
    probe: &mut dyn FnMut(Target) -> Result<Seen>,
) -> Result<()> {
    let family = tools.catalogue.family(set).or_usage()?;
    let wanted = lydite_target::version_set(set).or_usage()?;
    let offered = install::available(family, tools.cache, false);
    let mut versions: Vec<Version> = offered.offers.into_iter().map(|o| o.version).collect();
    versions.retain(|version| wanted.contains(version) || version == known);
    versions.sort();
    versions.dedup();
    let Some(start) = versions.iter().position(|version| version == known) else {
        return Err(usage(format!(
            "version {known} is not offered; leave out --install to try what is installed"
        )));
    };
    search(versions.len(), start, &mut |at| {
        let name = TargetName {
            version: Some(versions[at].to_string()),
            ..set.clone()
        };
        let mut progress = |text: &str| (tools.say)(text);
        let installed = install::install(&tools.catalogue, &name, tools.cache, &mut progress);
        match installed.map(|mut targets| targets.pop()) {
            Ok(Some(target)) => probe(target),
            // A release that cannot be had here says nothing.
            _ => Ok(Seen::Unclear),
        }
    })
}
