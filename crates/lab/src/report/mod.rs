//! The report of a campaign: Markdown, JSON, and one self-contained page.
//! All three are made from the same data.

mod chart;
mod entry;
mod highlight;
mod page;
mod rounds;
mod summary;

pub use crate::diff::{Diff, DiffLine};
pub use chart::{Chart, charts};
pub use entry::{Excerpt, FindingEntry, RunEntry, entry, shown};
pub use page::{STYLE, templates};
pub use rounds::RoundLine;
pub use summary::{share, summary};

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::Result;
use serde::Serialize;

use crate::finding::{self, FullFinding};
use crate::plan::StrategyPlan;
use crate::resolved::Resolved;
use entry::words;
use lydite_core::visible::markdown_cell;
use lydite_store::clock;
use lydite_store::folder::{LockedFolder, ReadFolder, RelativePath};
use lydite_store::{GroupBy, SessionPace, Stands, Store, Totals, Wanted};

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
    /// Totals over the campaign.
    pub totals: Totals,
    /// The number of findings by kind.
    pub kinds: BTreeMap<String, u64>,
    /// The number of findings by target.
    pub by_target: BTreeMap<String, u64>,
    /// The number of findings by strategy.
    pub by_strategy: BTreeMap<String, u64>,
    /// How many findings there are.
    pub count: u64,
    /// The first 1,000 findings, gravest first; from number 100 on without their
    /// cases, outputs and differences.
    pub findings: Vec<FindingEntry>,
    /// For cases that brought a new finding: the number of the case, and how many findings there
    /// were by then.
    pub discovery: Vec<(u64, u64)>,
    /// What each process did over time.
    pub pace: Vec<SessionPace>,
    /// How schedules moved the weights, round by round.
    pub rounds: Vec<RoundLine>,
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
    /// The number of runs by outcome.
    pub outcomes: BTreeMap<&'static str, u64>,
    /// How far its answers could be judged, in words; empty if no oracle
    /// remarked on them.
    pub judged: String,
}

/// How many findings are shown whole; the rest is in the table.
const SHOWN_FINDINGS: usize = 100;

/// How many findings the table has at most.
const SHOWN_ROWS: usize = 1000;

impl Report {
    /// Reads the campaign in `folder`: its plan and its store.
    pub fn read(folder: &ReadFolder) -> Result<Report> {
        let resolved = Resolved::read(folder)?;
        Report::of(&Store::open_checked(folder)?, &resolved)
    }

    /// The report of an open campaign.
    pub fn of(store: &Store, resolved: &Resolved) -> Result<Report> {
        let totals = store.totals()?;
        let standing = store.standing()?;
        let plan = &resolved.plan;
        let pace = store.pace()?;
        // Others stand for those that were merged.
        let wanted = Wanted {
            standing: Stands::Alone,
            most: SHOWN_ROWS as u64,
            ..Wanted::default()
        };
        let (count, rows) = store.some_findings(&wanted, &standing)?;
        let mut findings = Vec::new();
        for (number, row) in rows.iter().enumerate() {
            let full = FullFinding::of(store, resolved, row)?;
            findings.push(match number < SHOWN_FINDINGS {
                true => entry(resolved, &full),
                false => entry::short(&full),
            });
        }
        let by = |group| -> Result<BTreeMap<String, u64>> {
            Ok(store.signatures_by(group, &standing)?.into_iter().collect())
        };
        let strategies = store.signatures_by(GroupBy::Strategy, &standing)?;
        let name = |number: &str| {
            let strategy = number
                .parse()
                .ok()
                .and_then(|at: usize| plan.strategies.get(at));
            strategy
                .map(|strategy| strategy.name.clone())
                .unwrap_or_default()
        };
        let names: Vec<String> = plan.strategies.iter().map(|s| s.name.clone()).collect();
        let mut by_strategy: BTreeMap<String, u64> = BTreeMap::new();
        for (number, count) in strategies {
            *by_strategy.entry(name(&number)).or_default() += count;
        }
        Ok(Report {
            name: plan.name.clone(),
            id: resolved.id.clone(),
            tool: resolved.tool.clone(),
            when: when(&pace),
            strategies: plan.strategies.iter().map(strategy_words).collect(),
            oracles: plan.oracles.clone(),
            limits: format!("{} and {} per run", plan.limits.timeout, plan.limits.memory),
            targets: target_lines(resolved, &totals),
            totals,
            kinds: by(GroupBy::Kind)?,
            by_target: by(GroupBy::Target)?,
            by_strategy,
            discovery: store.discovery_curve()?,
            rounds: rounds::round_lines(&store.schedules()?, &names),
            pace,
            count,
            findings,
        })
    }

    /// Writes `report.md`, `report.json` and `report.html` into `folder`;
    /// returns the path of the page.
    pub fn write(&self, folder: &LockedFolder) -> Result<PathBuf> {
        let json = serde_json::to_string_pretty(self)? + "\n";
        folder.write(&RelativePath::new("report.md")?, self.markdown().as_bytes())?;
        folder.write(&RelativePath::new("report.json")?, json.as_bytes())?;
        folder.write(&RelativePath::new("report.html")?, self.html()?.as_bytes())
    }

    /// The report as a page that needs nothing else.
    pub fn html(&self) -> Result<String> {
        page::render(self)
    }

    /// The report as Markdown.
    pub fn markdown(&self) -> String {
        let totals = &self.totals;
        let mut text = format!("# {}\n\n", markdown_cell(&self.name));
        text += &format!(
            "{} cases, {} runs, {} abandoned, {} findings; {:.1} s, of which targets {:.1} s of CPU and lydite {:.1} s.\n\n",
            totals.cases,
            totals.runs,
            totals.rejects,
            self.count,
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
        text += &self.findings_text();
        text += &self.targets_text();
        text += &self.rounds_text();
        let failures = totals.reject_reasons.iter().chain(&totals.own_failures);
        let failures: Vec<String> = failures
            .map(|(reason, count)| format!("- {count} × {}\n", markdown_cell(reason)))
            .collect();
        if !failures.is_empty() {
            text += &format!("\n## Cases that were not judged\n\n{}", failures.concat());
        }
        text
    }

    /// The table of findings, as Markdown.
    fn findings_text(&self) -> String {
        let mut text = "## Findings\n\n".to_string();
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
                targets(&finding.against),
                finding.count,
                finding.reduced_bytes.unwrap_or(finding.bytes),
                finding.since.as_deref().unwrap_or(""),
                finding.fixed_in.as_deref().unwrap_or(""),
                markdown_cell(finding.known_issue.as_deref().unwrap_or("")),
                markdown_cell(standing),
                markdown_cell(&finding.evidence),
                id = finding.id,
            );
        }
        if self.count > self.findings.len() as u64 {
            let more = self.count - self.findings.len() as u64;
            text += &format!("\n{more} more: `lydite findings DIR --json` lists all.\n");
        }
        text
    }

    /// How the runs of each target ended, as Markdown.
    fn targets_text(&self) -> String {
        let mut text = "\n## Targets\n\n| target | runs | judged |\n|---|---|---|\n".to_string();
        for target in &self.targets {
            let counts: Vec<String> = target
                .outcomes
                .iter()
                .map(|(outcome, runs)| format!("{outcome} {runs}"))
                .collect();
            let (name, judged) = (&target.name, &target.judged);
            text += &format!("| {name} | {} | {judged} |\n", counts.join(", "));
        }
        text
    }

    /// How schedules moved the weights, as Markdown.
    fn rounds_text(&self) -> String {
        if self.rounds.is_empty() {
            return String::new();
        }
        let mut text = "\n## Rounds\n\n| round | cases before | answered per CPU s | long cases | \
                        strategies, limits, likeliest arms |\n|---|---|---|---|---|\n"
            .to_string();
        for line in &self.rounds {
            text += &format!(
                "| {}{} | {} | {:.1} | {:.1} % | {} |\n",
                line.round,
                match line.shard.is_empty() {
                    true => String::new(),
                    false => format!(" of {}", line.shard),
                },
                line.cases,
                line.answered_per_cpu_s,
                line.long_percent,
                markdown_cell(&line.strategies.join(" · ")),
            );
        }
        text
    }
}

fn targets(names: &[lydite_core::TargetName]) -> String {
    let names: Vec<String> = names.iter().map(ToString::to_string).collect();
    names.join(" ")
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
