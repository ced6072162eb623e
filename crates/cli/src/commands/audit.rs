//! `lydite hunt --preset audit`: every strategy that claims something, on
//! processors that are known to be right there.
//!
//! A campaign has one language, so the audit is a sequence of campaigns, each
//! in a folder of its own; it ends with the number of accusations by kind.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Result;
use lydite_core::fault::usage;
use lydite_core::quantity::Span;
use lydite_lab::campaign::Summary;
use serde_json::json;

use super::hunt;
use crate::args::HuntArgs;
use crate::console::{Console, print};
use crate::exit_code::ExitCode;
use crate::presets::AUDIT_PARTS;
use crate::table::print_table;

/// The result of one campaign of the audit.
struct AuditPart {
    name: &'static str,
    cases: u64,
    cpu_s: f64,
    contested: u64,
    /// The number of cases that accuse a target, by the kind of the accusation.
    accusations: BTreeMap<String, u64>,
}

pub(crate) fn run(args: &HuntArgs, console: &Console) -> Result<ExitCode> {
    if args.cluster.is_some() || args.candidate.is_some() {
        return Err(usage(
            "preset audit is several campaigns: run its parts one by one (lydite list presets)",
        ));
    }
    let folder = args.output.clone();
    let folder = folder.unwrap_or_else(|| Path::new("lydite-out").join("audit"));
    let seeds = super::seeds::locate(&args.seeds)?;
    let mut parts = Vec::new();
    let mut interrupted = false;
    for &(name, ending) in AUDIT_PARTS {
        let part_args = HuntArgs {
            preset: Some(name.to_string()),
            output: Some(folder.join(name)),
            seeds: seeds_with(&seeds, ending),
            duration: args
                .duration
                .map(|span| Span(span.0 / AUDIT_PARTS.len() as u32)),
            json: false,
            ..args.clone()
        };
        console.say(&format!("audit: {name}"));
        let (code, summary) = hunt::run_one(&part_args, console)?;
        let Some(summary) = summary else {
            continue;
        };
        parts.push(AuditPart::of(name, &summary));
        interrupted = code == ExitCode::Interrupted;
        if interrupted {
            break;
        }
    }
    if args.dry_run {
        return Ok(ExitCode::Clean);
    }
    tell(&parts, args.json);
    let accused = parts.iter().any(|part| !part.accusations.is_empty());
    Ok(match interrupted {
        true => ExitCode::Interrupted,
        false => ExitCode::found(accused),
    })
}

impl AuditPart {
    fn of(name: &'static str, summary: &Summary) -> AuditPart {
        let totals = &summary.totals;
        AuditPart {
            name,
            cases: totals.cases,
            cpu_s: totals.times.targets_s + totals.times.own_s,
            contested: totals.contested().map_or(0, |(cases, _)| cases),
            accusations: summary.accusations.clone(),
        }
    }

    fn accusations_in_words(&self) -> String {
        let words = self
            .accusations
            .iter()
            .map(|(kind, count)| format!("{count} {kind}"));
        match self.accusations.is_empty() {
            true => "none".to_string(),
            false => words.collect::<Vec<_>>().join(", "),
        }
    }
}

/// The user's seeds that hold a file with the ending of the part's language.
fn seeds_with(seeds: &[PathBuf], ending: Option<&str>) -> Vec<PathBuf> {
    let Some(ending) = ending else {
        return Vec::new();
    };
    let has = |path: &&PathBuf| holds_file(path, ending);
    seeds.iter().filter(has).cloned().collect()
}

fn holds_file(path: &Path, ending: &str) -> bool {
    let mut open = vec![path.to_path_buf()];
    while let Some(path) = open.pop() {
        if path.is_file() && path.extension().is_some_and(|found| found == ending) {
            return true;
        }
        // Links are not followed: they may lead back here.
        let is_folder = fs::symlink_metadata(&path).is_ok_and(|found| found.is_dir());
        let entries = is_folder.then(|| fs::read_dir(&path));
        for entry in entries.into_iter().flatten().flatten().flatten() {
            open.push(entry.path());
        }
    }
    false
}

fn tell(parts: &[AuditPart], as_json: bool) {
    let accusations: u64 = parts
        .iter()
        .flat_map(|part| part.accusations.values())
        .sum();
    if as_json {
        let part = |part: &AuditPart| {
            json!({
                "preset": part.name,
                "cases": part.cases,
                "cpu_s": part.cpu_s,
                "contested": part.contested,
                "accusations": part.accusations,
            })
        };
        let parts: Vec<_> = parts.iter().map(part).collect();
        print(&json!({ "parts": parts, "accusations": accusations }).to_string());
        return;
    }
    let rows: Vec<Vec<String>> = parts
        .iter()
        .map(|part| {
            vec![
                part.name.to_string(),
                part.cases.to_string(),
                format!("{:.0}", part.cpu_s),
                part.contested.to_string(),
                part.accusations_in_words(),
            ]
        })
        .collect();
    print("");
    print_table(
        &["part", "cases", "CPU s", "contested", "accusations"],
        &rows,
    );
    print(&format!("\naccusations: {accusations}"));
}
