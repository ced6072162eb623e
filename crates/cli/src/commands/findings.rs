//! `lydite findings`: what a campaign has found.

use anyhow::{Context, Result};
use lydite_core::Kind;
use lydite_core::nearest::nearest;
use lydite_lab::finding::{self, Finding};

use super::decide;
use crate::args::FindingsArgs;
use crate::console::{Console, print};
use crate::exit_code::ExitCode;
use crate::table::print_table;

pub(crate) fn run(args: &FindingsArgs, console: &Console) -> Result<ExitCode> {
    if let Some(command) = &args.command {
        return decide::run(command, console);
    }
    let kind = args.kind.as_deref().map(kind).transpose()?;
    let folder = args.folder.as_deref().context("no folder")?;
    let mut findings = finding::list(folder)?;
    findings.retain(|finding| {
        let family = args.family.as_deref();
        kind.is_none_or(|kind| finding.kind == kind)
            && family.is_none_or(|wanted| finding.family() == wanted)
            && (args.all || finding.merged_into.is_none())
    });
    if args.json {
        for finding in &findings {
            print(&serde_json::to_string(finding)?);
        }
    } else if findings.is_empty() {
        print("no findings");
    } else {
        table(&findings);
    }
    Ok(ExitCode::found(findings.iter().any(Finding::is_news)))
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

/// Findings as a table.
pub(super) fn table(findings: &[Finding]) {
    let rows: Vec<Vec<String>> = findings
        .iter()
        .map(|finding| {
            vec![
                finding.id.clone(),
                finding.kind.to_string(),
                finding.target.clone(),
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
