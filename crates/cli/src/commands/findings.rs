//! `lydite findings`: what a campaign has found.

use anyhow::{Context, Result};
use lydite_core::Kind;
use lydite_core::nearest::nearest;
use lydite_lab::finding::{self, Finding};

use crate::args::FindingsArgs;
use crate::console::{print, print_table};
use crate::exit_code::ExitCode;

pub(crate) fn run(args: &FindingsArgs) -> Result<ExitCode> {
    let kind = args.kind.as_deref().map(kind).transpose()?;
    let mut findings = finding::list(&args.folder)?;
    findings.retain(|finding| {
        let family = finding.target.split(['@', ':']).next();
        kind.is_none_or(|kind| finding.kind == kind)
            && args
                .family
                .as_deref()
                .is_none_or(|wanted| family == Some(wanted))
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
    Ok(ExitCode::found(
        findings.iter().any(|finding| finding.known_issue.is_none()),
    ))
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
                finding.bytes.to_string(),
                finding.known_issue.clone().unwrap_or_default(),
                finding.evidence.chars().take(80).collect(),
            ]
        })
        .collect();
    print_table(
        &[
            "finding", "kind", "target", "cases", "bytes", "known", "evidence",
        ],
        &rows,
    );
}
