//! What a hunt says before, meanwhile and at its end.

use std::path::Path;

use anyhow::Result;
use lydite_core::Role;
use lydite_lab::campaign::{CONTESTED_FOLDER, Campaign, Summary};
use lydite_lab::compare::Comparison;
use lydite_lab::finding::{self, Finding};
use lydite_lab::plan::Plan;
use lydite_lab::{report, seeds};
use lydite_store::Totals;
use lydite_store::record::Failure;
use lydite_target::install::ChosenTarget;
use serde_json::{Value, json};

use super::super::toolbox::Toolbox;
use super::super::{compare, findings};
use crate::args::HuntArgs;
use crate::console::{Console, counted, print, print_json};
use crate::exit_code::ExitCode;
use crate::table::print_table;

/// Prints what the names of targets mean on this machine: `--dry-run`.
pub(super) fn show_choices(
    choices: &[ChosenTarget],
    toolbox: &Toolbox,
    args: &HuntArgs,
) -> Result<ExitCode> {
    let mut rows = Vec::new();
    for ChosenTarget {
        name,
        role,
        written,
    } in choices
    {
        let installed = toolbox.catalogue.resolve(name, &toolbox.cache).is_ok();
        let role = match role {
            Role::Tested => "tested",
            Role::Reference => "reference",
        };
        if args.json {
            let object =
                json!({ "target": name, "written": written, "role": role, "installed": installed });
            print(&object.to_string());
            continue;
        }
        let state = match installed {
            true => "installed",
            false => "would be installed",
        };
        let words = [&name.to_string(), role, &written.to_string(), state];
        rows.push(words.map(str::to_string).to_vec());
    }
    if !args.json {
        print_table(&["target", "role", "written as", "state"], &rows);
    }
    Ok(ExitCode::Clean)
}

pub(super) fn announce(console: &Console, plan: &Plan, campaign: &Campaign) {
    let targets = campaign.engine.resolved.targets.iter();
    let targets: Vec<String> = targets.map(|target| target.name.to_string()).collect();
    console.say(&format!(
        "hunting with {} on {}, judged by {} (into {})",
        plan.strategies
            .iter()
            .map(|s| s.name.as_str())
            .collect::<Vec<_>>()
            .join(", "),
        targets.join(", "),
        plan.oracles.join(", "),
        campaign.folder.path().display()
    ));
    for corpus in &plan.corpora {
        console.say(&format!(
            "seeds of {} {} ({}, licence {})",
            corpus.name, corpus.version, corpus.package, corpus.licence
        ));
    }
    if campaign.resumed_at > 0 {
        console.say(&format!(
            "going on: {} cases are done already",
            campaign.resumed_at
        ));
    }
    let left_out: &[seeds::LeftOut] = &campaign.engine.left_out;
    for left in left_out.iter().take(3) {
        console.warn(&format!("seed {}: left out, {}", left.path, left.reason));
    }
    if left_out.len() > 3 {
        console.warn(&format!("{} more seeds were left out", left_out.len() - 3));
    }
}

pub(super) fn found_line(news: &str, finding: &Finding) -> String {
    let evidence: String = finding.evidence.chars().take(120).collect();
    format!(
        "{news} {} ({} bytes): {evidence}",
        finding.id, finding.bytes
    )
}

fn show(summary: &Summary, report: &Path, console: &Console) {
    if summary.findings.is_empty() {
        print("no findings");
    } else {
        findings::table(&summary.findings, summary.count);
    }
    let totals = &summary.totals;
    let rows: Vec<Vec<String>> = summary
        .targets
        .iter()
        .enumerate()
        .map(|(number, name)| {
            let counts = totals
                .outcomes
                .iter()
                .filter(|count| count.target == number);
            let words: Vec<String> = counts
                .map(|count| format!("{} {}", count.runs, count.outcome))
                .collect();
            vec![name.clone(), words.join(", "), totals.judged(number)]
        })
        .collect();
    print("");
    print_table(&["target", "runs", "judged"], &rows);
    print("");
    print(&format!(
        "{}, {}, {} abandoned, {} in {:.1} s; {:.1} % of the CPU time was the targets'",
        counted(totals.cases, "case"),
        counted(totals.runs, "run"),
        totals.rejects,
        counted(summary.count, "finding"),
        totals.times.wall_s,
        100.0 * report::share(totals.times.targets_s, &totals.times),
    ));
    for (failure, count) in &totals.own_failures {
        if !matches!(failure.parse(), Ok(Failure::ClaimContested(_))) {
            console.warn(&format!(
                "{count} case(s) with trouble of their own: {failure}"
            ));
        }
    }
    if let Some(line) = contested_line(totals, report.parent().unwrap_or(report)) {
        console.warn(&line);
    }
    print(&format!("report: {}", report.display()));
}

/// Prints the commands that one may want next.
fn suggest(summary: &Summary, folder: &Path) {
    let folder = folder.display();
    let news = summary.findings.iter().filter(|finding| finding.is_news());
    let first = news.min_by_key(|finding| finding.reduced_bytes.unwrap_or(finding.bytes));
    print("");
    print("next:");
    let line = |command: String, why: &str| print(&format!("  {command}\n      {why}"));
    match first {
        None => line(
            format!("lydite hunt -o {folder} --for 1h"),
            "go on with this campaign",
        ),
        Some(finding) => {
            let place = format!("{folder}/{}/{}", finding::FOLDER, finding.id);
            line(
                format!("lydite replay {place}"),
                "run the smallest finding again and see what every target says",
            );
            match finding.reduced_bytes {
                None => line(format!("lydite reduce {place}"), "make its case small"),
                Some(_) => line(
                    format!("lydite bisect {place}"),
                    "find the version that brought it",
                ),
            }
            line(
                format!("lydite bug {place}"),
                "write the report in the tracker's form",
            );
        }
    }
}

/// One line on claims of ours that everybody contradicts.
fn contested_line(totals: &Totals, folder: &Path) -> Option<String> {
    let (cases, first) = totals.contested()?;
    let kept = folder.join(CONTESTED_FOLDER);
    Some(format!(
        "{cases} case(s) in which everybody contradicts lydite, so nobody is accused (such as: {first}); \
         please report them as the README files in {} say",
        kept.display()
    ))
}

fn summary_json(summary: &Summary, folder: &Path, report: &Path) -> Value {
    let findings = summary.count as usize;
    let mut object = report::summary(&summary.totals, &summary.targets, findings);
    object["campaign"] = json!(folder);
    object["report"] = json!(report);
    object["interrupted"] = json!(summary.interrupted);
    object
}

/// Prints the result, as a table or as JSON.
pub(super) fn tell(
    args: &HuntArgs,
    summary: &Summary,
    folder: &Path,
    judged: Option<&Comparison>,
    console: &Console,
) {
    let report = &folder.join("report.html");
    if args.json {
        let mut object = summary_json(summary, folder, report);
        if let Some(judged) = judged {
            object["gate"] = compare::to_json(judged);
        }
        print_json(&object.to_string());
        return;
    }
    show(summary, report, console);
    match judged {
        Some(judged) => compare::show(judged, folder),
        None => suggest(summary, folder),
    }
}
