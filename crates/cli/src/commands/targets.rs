//! `lydite targets`: list, install, doctor.

use std::path::PathBuf;

use anyhow::{Context, Result};
use lydite_core::TargetName;
use lydite_core::fault::Fault;
use lydite_core::visible::visible;
use lydite_target::install::{self, FamilyListing, Health};
use lydite_target::{Catalogue, Variant};
use serde_json::json;

use super::toolbox::{Toolbox, scratch};
use crate::args::{TargetsArgs, TargetsCommand};
use crate::console::{Console, print, print_json};
use crate::exit_code::ExitCode;
use crate::table::{is_wide, print_table, print_text};

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
            &target_files.paths,
            *json,
            console,
        ),
        TargetsCommand::Install {
            targets,
            target_files,
            json,
        } => install_all(targets, &target_files.paths, *json, console),
        TargetsCommand::Doctor {
            targets,
            options,
            target_files,
            json,
        } => doctor(targets, *options, &target_files.paths, *json),
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
    let toolbox = Toolbox::open(target_files)?;
    for name in families {
        toolbox.catalogue.family(name)?;
    }
    if ask {
        console.say("asking the registries for versions");
    }
    let mut listings = install::list(&toolbox.catalogue, &toolbox.cache, ask, refresh);
    listings.retain(|listing| {
        families.is_empty() || families.iter().any(|name| name.family == listing.family)
    });
    if as_json {
        for listing in &listings {
            print_json(&serde_json::to_string(listing)?);
        }
        return Ok(ExitCode::Clean);
    }
    if families.is_empty() {
        show_families(&listings, ask);
    } else {
        for listing in &listings {
            show_family(listing, &toolbox.catalogue, ask)?;
        }
    }
    for listing in &listings {
        for problem in &listing.problems {
            console.warn(&format!("{}: {problem}", listing.family));
        }
    }
    Ok(ExitCode::Clean)
}

/// Prints one line per family.
fn show_families(listings: &[FamilyListing], asked: bool) {
    let mut heads = vec!["family", "language", "installed"];
    if asked {
        heads.push("offered");
    }
    heads.push("about");
    let row = |listing: &FamilyListing| {
        let mut cells = vec![
            listing.family.clone(),
            listing.language.clone(),
            few(&listing.installed),
        ];
        if asked {
            cells.push(few(&listing.available));
        }
        cells.push(listing.about.clone());
        cells
    };
    let rows: Vec<Vec<String>> = listings.iter().map(row).collect();
    print_table(&heads, &rows);
    print("");
    print("one in full, with its variants and all versions: lydite targets list FAMILY");
}

/// The newest versions, and how many more there are.
fn few(versions: &[String]) -> String {
    const SHOWN: usize = 3;
    let newest = versions.iter().rev().take(SHOWN).rev();
    let newest: Vec<&str> = newest.map(String::as_str).collect();
    match versions.len().saturating_sub(SHOWN) {
        0 => newest.join(" "),
        more => format!("{} (and {more} older)", newest.join(" ")),
    }
}

/// Shows one family in full.
fn show_family(listing: &FamilyListing, catalogue: &Catalogue, asked: bool) -> Result<()> {
    let name: TargetName = listing.family.parse()?;
    let family = catalogue.family(&name)?;
    let listed = |versions: &[String]| match versions.is_empty() {
        true => "none".to_string(),
        false => versions.join(" "),
    };
    let mut rows = [
        ["about", &listing.about],
        ["language", &listing.language],
        ["tracker", listing.tracker.as_deref().unwrap_or("none")],
        ["installed", &listed(&listing.installed)],
    ]
    .map(|row| row.map(str::to_string).to_vec())
    .to_vec();
    if !listing.knows.is_empty() {
        rows.push(vec!["knows".to_string(), listing.knows.join(" ")]);
    }
    rows.push(vec![
        "offered".to_string(),
        match asked {
            true => listed(&listing.available),
            false => format!("lydite targets list {} --available", listing.family),
        },
    ]);
    print_table(&["family", &listing.family], &rows);
    if !family.variant.is_empty() {
        let row = |(name, variant): (&String, &Variant)| {
            let options = variant.options.join(" ");
            vec![
                format!("{}:{name}", listing.family),
                variant.versions.as_str().to_string(),
                options,
                variant.about.clone().unwrap_or_default(),
            ]
        };
        let rows: Vec<Vec<String>> = family.variant.iter().map(row).collect();
        print("");
        print_table(&["variant", "versions", "options", "about"], &rows);
    }
    if !listing.options.is_empty() {
        print("");
        print_text(&described(&listing.family, &listing.options, is_wide()));
    }
    print("");
    Ok(())
}

/// How many of a family's options are named, unless all are asked for.
const SOME_OPTIONS: usize = 12;

fn described(family: &str, options: &[String], all: bool) -> String {
    let count = options.len();
    let varied = format!("{count} options that a campaign may vary (options = N in a plan)");
    match all || count <= SOME_OPTIONS {
        true => format!("{varied}: {}", options.join(", ")),
        false => format!(
            "{varied}, among them {} (all: lydite targets list {family} --wide)",
            options[..SOME_OPTIONS].join(", ")
        ),
    }
}

fn install_all(
    names: &[TargetName],
    target_files: &[PathBuf],
    as_json: bool,
    console: &Console,
) -> Result<ExitCode> {
    let toolbox = Toolbox::open(target_files)?;
    for name in names {
        let mut progress = |text: &str| console.say(text);
        let targets = install::install(&toolbox.catalogue, name, &toolbox.cache, &mut progress);
        let targets = targets.map_err(|error| match Fault::of(&error) {
            Some(_) => error,
            None => error.context(Fault::TargetUnusable),
        })?;
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
    let toolbox = Toolbox::open(target_files)?;
    let scratch = scratch()?;
    let mut healths = install::doctor(&toolbox.catalogue, names, &toolbox.cache, &scratch)
        .context(Fault::TargetUnusable)?;
    if options {
        for health in healths.iter_mut().filter(|health| health.is_good()) {
            for target in toolbox.catalogue.resolve(&health.target, &toolbox.cache)? {
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
