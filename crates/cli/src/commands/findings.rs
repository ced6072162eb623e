//! `lydite findings`: what a campaign has found.

use anyhow::{Context, Result};
use lydite_core::Kind;
use lydite_core::fault::Blame;
use lydite_core::nearest::nearest;
use lydite_lab::campaign::{Resolved, SHOWN};
use lydite_lab::finding::{self, Finding};
use lydite_store::folder::ReadFolder;
use lydite_store::{Stands, Store, Wanted};

use super::decide;
use crate::args::FindingsArgs;
use crate::console::{Console, print, print_json};
use crate::exit_code::ExitCode;
use crate::table::print_table;

pub(crate) fn run(args: &FindingsArgs, console: &Console) -> Result<ExitCode> {
    if let Some(command) = &args.command {
        return decide::run(command, console);
    }
    let kind = args.kind.as_deref().map(kind).transpose().or_usage()?;
    let folder = args.folder.as_deref().context("no folder").or_usage()?;
    let folder = ReadFolder::campaign(folder)?;
    let resolved = Resolved::read(&folder)?;
    let store = Store::open_checked(&folder)?;
    let standing = store.standing()?;
    let mut wanted = Wanted {
        kind,
        family: args.family.clone(),
        standing: match args.all {
            true => Stands::Any,
            false => Stands::Alone,
        },
        most: SHOWN,
        ..Wanted::default()
    };
    let mut news = false;
    let mut shown = Vec::new();
    // Page by page: there may be a hundred thousand.
    let total = loop {
        let (total, findings) = finding::page(&store, &resolved, &wanted, &standing)?;
        news |= findings.iter().any(Finding::is_news);
        wanted.skip += SHOWN;
        if args.json {
            for finding in &findings {
                print_json(&serde_json::to_string(finding)?);
            }
        } else if shown.is_empty() {
            shown = findings;
        }
        if wanted.skip >= total {
            break total;
        }
    };
    if args.json {
        return Ok(ExitCode::found(news));
    }
    match shown.is_empty() {
        true => print("no findings"),
        false => table(&shown, total),
    }
    Ok(ExitCode::found(news))
}

fn kind(name: &str) -> Result<Kind> {
    Kind::from_name(name).with_context(|| {
        let names = Kind::ALL.map(Kind::name);
        match nearest(name, names) {
            Some(near) => format!("kind `{name}` is not known; did you mean `{near}`?"),
            None => format!("kind `{name}` is not known (known: {})", names.join(", ")),
        }
    })
}

/// Prints the first findings as a table, and how many there are in all.
pub(super) fn table(findings: &[Finding], total: u64) {
    let rows: Vec<Vec<String>> = findings
        .iter()
        .map(|finding| {
            vec![
                finding.id.clone(),
                finding.kind.to_string(),
                finding.target.to_string(),
                finding.count.to_string(),
                size(finding),
                standing(finding),
                finding.evidence.chars().take(80).collect(),
            ]
        })
        .collect();
    print_table(
        &[
            "finding", "kind", "target", "cases", "bytes", "standing", "evidence",
        ],
        &rows,
    );
    if total > findings.len() as u64 {
        let more = total - findings.len() as u64;
        print(&format!("… and {more} more (lydite findings DIR --json)"));
    }
}

/// The size of the case, and of the reduced one.
fn size(finding: &Finding) -> String {
    match finding.reduced_bytes {
        Some(reduced) => format!("{} to {reduced}", finding.bytes),
        None => finding.bytes.to_string(),
    }
}

/// How a finding stands, in a few words.
fn standing(finding: &Finding) -> String {
    let known = finding.known_issue.as_ref();
    let known = known.map(|issue| format!("known={issue}"));
    let mark = finding.mark.as_ref().map(|mark| mark.status.to_string());
    let merged = finding.merged_into.as_ref();
    let merged = merged.map(|lead| format!("merged into {lead}"));
    merged.or(mark).or(known).unwrap_or_default()
}
