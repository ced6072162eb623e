//! The report of a campaign: Markdown, JSON, and one self-contained page.
//! All three are made from the same data.

mod chart;
mod diff;
mod entry;
mod highlight;
mod page;
mod summary;
mod visible;

pub use chart::{Chart, charts};
pub(crate) use diff::diff;
pub use diff::{Diff, DiffLine};
pub use entry::{Excerpt, FindingEntry, RunEntry, entry};
pub use page::{STYLE, templates};
pub use summary::{share, summary};
pub use visible::visible;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde::Serialize;

use crate::atomic::write_file;
use crate::campaign::Resolved;
use crate::clock;
use crate::fault::Fault;
use crate::finding::{self, Finding};
use crate::plan::StrategyPlan;
use crate::store::{SessionPace, Store, Totals};
use entry::words;

/// Everything that a report says.
#[derive(Debug, Serialize)]
pub struct Report {
    /// The campaign's name.
    pub name: String,
    /// Its identity.
    pub id: String,
    /// The version of lydite.
    pub tool: String,
    /// When the first process began and how many there were, in words.
    pub when: String,
    /// The strategies with their settings, in words.
    pub strategies: Vec<String>,
    /// The oracles.
    pub oracles: Vec<String>,
    /// Limits of a run, in words.
    pub limits: String,
    /// The targets and how their runs ended.
    pub targets: Vec<TargetLine>,
    /// Sums.
    pub totals: Totals,
    /// Findings by kind.
    pub kinds: BTreeMap<String, usize>,
    /// Findings by target.
    pub by_target: BTreeMap<String, usize>,
    /// Findings by strategy.
    pub by_strategy: BTreeMap<String, usize>,
    /// The findings, gravest first.
    pub findings: Vec<FindingEntry>,
    /// (case, distinct findings so far).
    pub discovery: Vec<(u64, u64)>,
    /// What each process did over time.
    pub pace: Vec<SessionPace>,
}

/// One target of the campaign.
#[derive(Debug, Serialize)]
pub struct TargetLine {
    /// Its name.
    pub name: String,
    /// Where it came from.
    pub source: String,
    /// The beginning of the hash of its binary.
    pub hash: String,
    /// Its commands.
    pub commands: Vec<String>,
    /// Runs by outcome.
    pub outcomes: BTreeMap<&'static str, u64>,
    /// How far its answers could be judged, in words; empty if no oracle
    /// remarked on them.
    pub judged: String,
}

impl Report {
    /// Reads the campaign in `folder`.
    pub fn read(folder: &Path) -> Result<Report> {
        let resolved = Resolved::read(folder)?;
        let store = Store::open_to_read(folder)?;
        let totals = store.totals()?;
        let mut findings = finding::list(folder)?;
        // Another finding stands for these.
        findings.retain(|finding| finding.merged_into.is_none());
        let plan = &resolved.plan;
        let pace = store.pace()?;
        let by = |key: &dyn Fn(&Finding) -> String| {
            let mut counts: BTreeMap<String, usize> = BTreeMap::new();
            for finding in &findings {
                *counts.entry(key(finding)).or_default() += 1;
            }
            counts
        };
        Ok(Report {
            name: plan.name.clone(),
            id: resolved.id.clone(),
            tool: resolved.tool.clone(),
            when: when(&pace),
            strategies: plan.strategies.iter().map(strategy_words).collect(),
            oracles: plan.oracles.clone(),
            limits: format!("{} and {} per run", plan.limits.timeout, plan.limits.memory),
            targets: target_lines(&resolved, &totals),
            totals,
            kinds: by(&|finding| finding.kind.to_string()),
            by_target: by(&|finding| finding.target.clone()),
            by_strategy: by(&|finding| finding.strategy.clone()),
            discovery: store.discovery_curve()?,
            pace,
            findings: findings
                .into_iter()
                .map(|finding| entry(folder, &resolved, finding))
                .collect::<Result<_>>()?,
        })
    }

    /// Writes `report.md`, `report.json` and `report.html` into `folder`;
    /// returns the path of the page.
    pub fn write(&self, folder: &Path) -> Result<PathBuf> {
        let page = folder.join("report.html");
        let json = serde_json::to_string_pretty(self)? + "\n";
        for (path, text) in [
            (folder.join("report.md"), self.markdown()),
            (folder.join("report.json"), json),
            (page.clone(), self.html()?),
        ] {
            write_file(&path, text.as_bytes()).context(Fault::CannotWrite)?;
        }
        Ok(page)
    }

    /// The report as a page that needs nothing else.
    pub fn html(&self) -> Result<String> {
        page::render(self)
    }

    /// The report as Markdown.
    pub fn markdown(&self) -> String {
        let totals = &self.totals;
        let mut text = format!("# {}\n\n", cell(&self.name));
        text += &format!(
            "{} cases, {} runs, {} abandoned, {} findings; {:.1} s, of which targets {:.1} s of CPU and lydite {:.1} s.\n\n",
            totals.cases,
            totals.runs,
            totals.rejects,
            self.findings.len(),
            totals.times.wall_s,
            totals.times.targets_s,
            totals.times.own_s
        );
        text += &format!(
            "Strategy: {}. Oracles: {}. Limits: {}.\n\n",
            self.strategies.join(", "),
            self.oracles.join(", "),
            self.limits
        );
        text += "## Findings\n\n";
        if self.findings.is_empty() {
            text += "None.\n\n";
        } else {
            text += "| finding | kind | target | against | cases | bytes | since | fixed in | known | standing | evidence |\n|---|---|---|---|---|---|---|---|---|---|---|\n";
        }
        for FindingEntry {
            finding, standing, ..
        } in &self.findings
        {
            text += &format!(
                "| [{id}](findings/{id}/README.md) | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} |\n",
                finding.kind,
                finding.target,
                finding.against.join(" "),
                finding.count,
                finding.reduced_bytes.unwrap_or(finding.bytes),
                finding.since.as_deref().unwrap_or(""),
                finding.fixed_in.as_deref().unwrap_or(""),
                cell(finding.known_issue.as_deref().unwrap_or("")),
                cell(standing),
                cell(&finding.evidence),
                id = finding.id,
            );
        }
        text += "\n## Targets\n\n| target | runs | judged |\n|---|---|---|\n";
        for target in &self.targets {
            let counts: Vec<String> = target
                .outcomes
                .iter()
                .map(|(outcome, runs)| format!("{outcome} {runs}"))
                .collect();
            let (name, judged) = (&target.name, &target.judged);
            text += &format!("| {name} | {} | {judged} |\n", counts.join(", "));
        }
        let failures = totals.reject_reasons.iter().chain(&totals.own_failures);
        let failures: Vec<String> = failures
            .map(|(reason, count)| format!("- {count} × {}\n", cell(reason)))
            .collect();
        if !failures.is_empty() {
            text += &format!("\n## Cases that were not judged\n\n{}", failures.concat());
        }
        text
    }
}

/// Text in one cell of a Markdown table.
fn cell(text: &str) -> String {
    let text = visible(text).replace(['\n', '\t'], " ");
    text.replace('|', "\\|").replace('<', "&lt;")
}

/// When a campaign was at work.
fn when(pace: &[SessionPace]) -> String {
    match pace.first() {
        None => "not begun".to_string(),
        Some(first) => format!(
            "begun {}, {} process(es)",
            clock::shown(first.started_ms),
            pace.len()
        ),
    }
}

/// A strategy with its settings and seeds.
fn strategy_words(strategy: &StrategyPlan) -> String {
    let settings = strategy.settings.iter();
    let settings = settings.map(|(key, value)| format!(" {key}={value}"));
    let seeds = strategy.seeds.iter().map(|path| {
        let name = path.file_name().unwrap_or(path.as_os_str());
        format!(" {}", name.to_string_lossy())
    });
    words(
        &settings
            .chain(seeds)
            .fold(strategy.name.clone(), |a, b| a + &b),
    )
}

/// The targets of a campaign and how their runs ended.
pub fn target_lines(resolved: &Resolved, totals: &Totals) -> Vec<TargetLine> {
    let mut lines: Vec<TargetLine> = resolved
        .targets
        .iter()
        .enumerate()
        .map(|(number, target)| TargetLine {
            name: target.name.to_string(),
            source: words(&target.description.source),
            hash: target.description.blake3.chars().take(12).collect(),
            commands: finding::commands(&target.reproduction, &[])
                .iter()
                .map(|line| words(line))
                .collect(),
            outcomes: BTreeMap::new(),
            judged: totals.judged(number),
        })
        .collect();
    for count in &totals.outcomes {
        if let Some(line) = lines.get_mut(count.target) {
            line.outcomes.insert(count.outcome, count.runs);
        }
    }
    lines
}
