//! `lydite bisect`: since which version a finding is there, and until which.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use lydite_core::{Outcome, TargetName};
use lydite_lab::bisect::{Seen, VersionRun, life, search};
use lydite_lab::campaign::Resolved;
use lydite_lab::finding::{self, Writer};
use lydite_lab::install;
use lydite_lab::reduce::SameBug;
use lydite_lab::report::Report;
use lydite_lab::store::{self, Store};
use lydite_lab::target::{Target, Version};
use serde_json::json;

use super::replay::{all_named, bench_of};
use super::workbench::Workbench;
use crate::args::BisectArgs;
use crate::console::{Console, print};
use crate::exit_code::ExitCode;
use crate::table::print_table;

pub(crate) fn run(args: &BisectArgs, console: &Console) -> Result<ExitCode> {
    let mut failed = false;
    for folder in all_named(&args.what, args.campaign.as_deref())? {
        let among = Among {
            versions: &args.versions,
            install: args.install,
            target_files: &args.target_files,
        };
        match bisect(&among, &folder, console) {
            Ok(bisected) => report(args.json, &bisected),
            Err(error) => {
                console.error(&error.context(folder.display().to_string()));
                failed = true;
            }
        }
    }
    Ok(match failed {
        true => ExitCode::Internal,
        false => ExitCode::Clean,
    })
}

/// Which versions are looked at.
pub(super) struct Among<'a> {
    pub versions: &'a str,
    pub install: bool,
    pub target_files: &'a [PathBuf],
}

/// What the versions showed.
pub(super) struct Bisected {
    id: String,
    runs: Vec<VersionRun>,
    known: Version,
}

/// Looks at the versions of a finding and keeps what they show with it.
pub(super) fn bisect(among: &Among<'_>, folder: &Path, console: &Console) -> Result<Bisected> {
    let (file, case) = finding::load(folder)?;
    let campaign = folder.parent().and_then(Path::parent);
    let campaign = campaign.filter(|campaign| campaign.join(store::FILE_NAME).is_file());
    let resolved = campaign.map(Resolved::read).transpose()?;
    let (workbench, bench) = bench_of(&file, resolved.as_ref(), among.target_files, console)?;
    let options = file.options_by_family.clone();
    let bug = SameBug::of(bench, &case, Some(&file.shows()), options)?;
    let accused = bug.target().clone();
    let known_version = Version::new(accused.version.clone().unwrap_or_default());
    let mut store = campaign.map(Store::open).transpose()?;
    let signature = &file.finding.signature;
    let mut runs: BTreeMap<Version, VersionRun> = BTreeMap::new();
    if let Some(store) = &store {
        let known = store.versions(signature)?;
        runs.extend(known.into_iter().map(|run| (run.version.clone(), run)));
    }
    let set = TargetName {
        version: Some(among.versions.to_string()),
        ..accused.clone()
    };
    let mut probe = |target: Target| -> Result<Seen> {
        if let Some(run) = runs.get(&target.version) {
            return Ok(run.seen);
        }
        console.say(&format!("{}: trying {}", file.finding.id, target.name));
        let run = show(&bug, target, &case);
        let seen = run.seen;
        if let Some(store) = &mut store {
            store.record_version(signature, &run)?;
        }
        runs.insert(run.version.clone(), run);
        Ok(seen)
    };
    match among.install {
        false => {
            for target in workbench.catalogue.resolve(&set, &workbench.cache)? {
                probe(target)?;
            }
        }
        true => search_offered(&workbench, &set, &known_version, console, &mut probe)?,
    }
    let runs: Vec<VersionRun> = runs.into_values().collect();
    if let (Some(campaign), Some(resolved), Some(store)) = (campaign, &resolved, &store) {
        Writer::new(campaign, resolved).write_changed(store, std::slice::from_ref(signature))?;
        Report::read(campaign)?.write(campaign)?;
    }
    Ok(Bisected {
        id: file.finding.id.clone(),
        runs,
        known: known_version,
    })
}

/// What one version says of the case.
fn show(bug: &SameBug, target: Target, case: &lydite_core::Case) -> VersionRun {
    let (version, name) = (target.version.clone(), target.name.clone());
    let (examined, bad) = bug.in_target(target).look(case);
    let own = examined.table.observations.iter();
    let outcomes: Vec<&Outcome> = own
        .filter(|o| o.target == name)
        .map(|o| &o.outcome)
        .collect();
    let answered = |outcome: &&Outcome| matches!(outcome, Outcome::Answered(_));
    let said: Vec<String> = outcomes.iter().map(ToString::to_string).collect();
    VersionRun {
        version,
        seen: match bad {
            true => Seen::Bad,
            false if outcomes.iter().all(answered) => Seen::Good,
            false => Seen::Unclear,
        },
        said: said.join("; ").chars().take(200).collect(),
    }
}

/// Goes through what the registries offer by halves, installing as it goes.
fn search_offered(
    workbench: &Workbench,
    set: &TargetName,
    known: &Version,
    console: &Console,
    probe: &mut dyn FnMut(Target) -> Result<Seen>,
) -> Result<()> {
    let family = workbench.catalogue.family(set)?;
    let wanted = lydite_lab::target::version_set(set)?;
    let offered = install::available(family, &workbench.cache, false);
    let mut versions: Vec<Version> = offered.offers.into_iter().map(|o| o.version).collect();
    versions.retain(|version| wanted.contains(version) || version == known);
    versions.sort();
    versions.dedup();
    let Some(start) = versions.iter().position(|version| version == known) else {
        bail!("version {known} is not offered; leave out --install to try what is installed");
    };
    search(versions.len(), start, &mut |at| {
        let name = TargetName {
            version: Some(versions[at].to_string()),
            ..set.clone()
        };
        let mut progress = |text: &str| console.say(text);
        let installed =
            install::install(&workbench.catalogue, &name, &workbench.cache, &mut progress);
        match installed.map(|mut targets| targets.pop()) {
            Ok(Some(target)) => probe(target),
            // A release that cannot be had here says nothing.
            _ => Ok(Seen::Unclear),
        }
    })
}

fn report(as_json: bool, bisected: &Bisected) {
    let Bisected { id, runs, known } = bisected;
    let life = life(runs, known);
    let (since, before) = life.since.unwrap_or((known.clone(), None));
    if as_json {
        let object = json!({
            "id": id,
            "since": since,
            "last_good": before,
            "fixed_in": life.fixed,
            "versions": runs,
        });
        print(&object.to_string());
        return;
    }
    let word = |seen: Seen| match seen {
        Seen::Bad => "bad",
        Seen::Good => "good",
        Seen::Unclear => "-",
    };
    let row = |run: &VersionRun| {
        vec![
            run.version.to_string(),
            word(run.seen).to_string(),
            run.said.clone(),
        ]
    };
    let rows: Vec<Vec<String>> = runs.iter().map(row).collect();
    print_table(&["version", "shows it", "said"], &rows);
    let since = match before {
        Some(before) => format!("since {since} (good in {before})"),
        None => format!("since {since} or earlier"),
    };
    let fixed = life.fixed.map_or_else(
        || "not fixed as far as was looked".to_string(),
        |version| format!("fixed in {version}"),
    );
    print(&format!("{id}: {since}; {fixed}"));
}
