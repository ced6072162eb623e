//! `lydite queue`: what to report next, and why.

use anyhow::Result;
use lydite_lab::campaign::Resolved;
use lydite_lab::finding;
use lydite_lab::triage::{Action, QueueEntry, queue};
use lydite_store::Store;
use lydite_store::clock;
use lydite_store::folder::ReadFolder;

use super::toolbox::catalogue_of;
use crate::args::QueueArgs;
use crate::console::{print, print_json};
use crate::exit_code::ExitCode;
use crate::table::print_table;

pub(crate) fn run(args: &QueueArgs) -> Result<ExitCode> {
    let folder = ReadFolder::campaign(&args.folder)?;
    let resolved = Resolved::read(&folder)?;
    let catalogue = catalogue_of(Some(&resolved), &args.target_files.paths)?;
    let family = |name: &str| {
        let families = catalogue.families();
        let mut named = families.filter(|family| family.family == name);
        named.next().map(|family| family.as_ref().clone())
    };
    let findings = finding::list(&Store::open_checked(&folder)?, &resolved)?;
    let entries = queue(&findings, &family, clock::now_ms());
    if args.json {
        for entry in &entries {
            print_json(&serde_json::to_string(entry)?);
        }
    } else if entries.is_empty() {
        print("no findings");
    } else {
        table(&entries);
    }
    let open = entries.iter().any(|entry| entry.action != Action::Skip);
    Ok(ExitCode::found(open))
}

fn table(entries: &[QueueEntry]) {
    let row = |entry: &QueueEntry| {
        let action = match entry.action {
            Action::Report => "report",
            Action::Prepare => "prepare",
            Action::Wait => "wait",
            Action::Skip => "skip",
        };
        let why: Vec<&str> = entry
            .missing
            .iter()
            .chain(&entry.why)
            .map(String::as_str)
            .collect();
        vec![
            action.to_string(),
            entry.id.clone(),
            entry.bytes.to_string(),
            why.join("; "),
        ]
    };
    let rows: Vec<Vec<String>> = entries.iter().map(row).collect();
    print_table(&["do", "finding", "bytes", "why"], &rows);
}
