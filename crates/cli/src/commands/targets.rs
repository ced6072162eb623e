//! `lydite targets`: list, install, doctor.

use std::path::PathBuf;

use anyhow::{Context, Result};
use lydite_core::TargetName;
use lydite_lab::fault::Fault;
use lydite_lab::install::{self, Health};
use lydite_lab::report::visible;
use serde_json::json;

use super::workbench::{Workbench, scratch};
use crate::args::{TargetsArgs, TargetsCommand};
use crate::console::{Console, print, print_json, print_table};
use crate::exit_code::ExitCode;

pub(crate) fn run(args: &TargetsArgs, console: &Console) -> Result<ExitCode> {
    let Some(command) = &args.command else {
        return list(&[], false, false, &[], false, console);
    };
    match command {
        TargetsCommand::List {
            families,
            available,
            refresh,
            target_files,
            json,
        } => list(
            families,
            *available || *refresh,
            *refresh,
            target_files,
            *json,
            console,
        ),
        TargetsCommand::Install {
            targets,
            target_files,
            json,
        } => install_all(targets, target_files, *json, console),
        TargetsCommand::Doctor {
            targets,
            options,
            target_files,
            json,
        } => doctor(targets, *options, target_files, *json),
    }
}

fn list(
    families: &[TargetName],
    ask: bool,
    refresh: bool,
    target_files: &[PathBuf],
    as_json: bool,
    console: &Console,
) -> Result<ExitCode> {
    let workbench = Workbench::open(target_files)?;
    for name in families {
        workbench.catalogue.family(name)?;
    }
    if ask {
        console.say("asking the registries for versions");
    }
    let mut listings = install::list(&workbench.catalogue, &workbench.cache, ask, refresh);
    listings.retain(|listing| {
        families.is_empty() || families.iter().any(|name| name.family == listing.family)
    });
    if as_json {
        for listing in &listings {
            print_json(&serde_json::to_string(listing)?);
        }
        return Ok(ExitCode::Clean);
    }
    let rows: Vec<Vec<String>> = listings
        .iter()
        .map(|listing| {
            vec![
                listing.family.clone(),
                listing.language.clone(),
                listing.installed.join(" "),
                listing.variants.join(" "),
                listing.about.clone(),
            ]
        })
        .collect();
    print_table(
        &["family", "language", "installed", "variants", "about"],
        &rows,
    );
    if ask {
        print("");
        for listing in &listings {
            print(&format!(
                "{} available: {}",
                listing.family,
                listing.available.join(" ")
            ));
        }
    }
    for listing in &listings {
        for problem in &listing.problems {
            console.warn(&format!("{}: {problem}", listing.family));
        }
    }
    Ok(ExitCode::Clean)
}

fn install_all(
    names: &[TargetName],
    target_files: &[PathBuf],
    as_json: bool,
    console: &Console,
) -> Result<ExitCode> {
    let workbench = Workbench::open(target_files)?;
    for name in names {
        let mut progress = |text: &str| console.say(text);
        let targets = install::install(&workbench.catalogue, name, &workbench.cache, &mut progress)
            .context(Fault::TargetUnusable)?;
        for target in targets {
            let installed = target.installed();
            if as_json {
                print_json(&json!({ "target": target.name, "source": installed.source, "binary": installed.bin }).to_string());
            } else {
                print(&format!(
                    "{} is installed ({})",
                    target.name, installed.source
                ));
            }
        }
    }
    Ok(ExitCode::Clean)
}

fn doctor(
    names: &[TargetName],
    options: bool,
    target_files: &[PathBuf],
    as_json: bool,
) -> Result<ExitCode> {
    let workbench = Workbench::open(target_files)?;
    let scratch = scratch()?;
    let mut healths = install::doctor(&workbench.catalogue, names, &workbench.cache, &scratch)
        .context(Fault::TargetUnusable)?;
    if options {
        for health in healths.iter_mut().filter(|health| health.is_good()) {
            for target in workbench
                .catalogue
                .resolve(&health.target, &workbench.cache)?
            {
                health.problems = install::check_options(&target, &scratch);
            }
        }
    }
    if as_json {
        for health in &healths {
            print_json(&serde_json::to_string(health)?);
        }
    } else {
        let rows: Vec<Vec<String>> = healths
            .iter()
            .map(|health| {
                let verdict = if health.is_good() { "good" } else { "broken" };
                vec![
                    health.target.to_string(),
                    verdict.to_string(),
                    health.reported_version.clone().unwrap_or_default(),
                    format!("{} ms", health.smoke_ms),
                    health.source.clone(),
                ]
            })
            .collect();
        print_table(
            &["target", "health", "says it is", "smoke run", "source"],
            &rows,
        );
        for health in &healths {
            for problem in &health.problems {
                print(&format!("{}: {}", health.target, visible(problem)));
            }
        }
    }
    Ok(if healths.iter().all(Health::is_good) {
        ExitCode::Clean
    } else {
        ExitCode::TargetUnusable
    })
}
