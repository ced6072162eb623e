//! The report of a campaign: Markdown, JSON, and one self-contained page.
//! All three are made from the same data.

mod page;
mod visible;

pub use visible::visible;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde::Serialize;

use crate::atomic::write_file;
use crate::campaign::Resolved;
use crate::fault::Fault;
use crate::finding::{self, Finding, FindingFile};
use crate::store::{Store, Totals};

/// Everything that a report says.
#[derive(Debug, Serialize)]
pub struct Report {
    /// The campaign's name.
    pub name: String,
    /// Its identity.
    pub id: String,
    /// The version of lydite.
    pub tool: String,
    /// Strategies and oracles, in words.
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
    /// The findings, gravest first.
    pub findings: Vec<FindingEntry>,
    /// (case, distinct findings so far).
    pub discovery: Vec<(u64, u64)>,
}

/// One target of the campaign.
#[derive(Debug, Serialize)]
pub struct TargetLine {
    /// Its name.
    pub name: String,
    /// Runs by outcome.
    pub outcomes: BTreeMap<&'static str, u64>,
    /// How far its answers could be judged, in words; empty if no oracle
    /// remarked on them.
    pub judged: String,
}

/// One finding with what a reader wants to see of it.
#[derive(Debug, Serialize)]
pub struct FindingEntry {
    /// The finding.
    #[serde(flatten)]
    pub finding: Finding,
    /// What was known of the case.
    pub claim: String,
    /// What was done to make it, one line each.
    pub steps: Vec<String>,
    /// The beginning of each program of the smallest case.
    pub programs: Vec<Excerpt>,
    /// What the targets said.
    pub runs: Vec<RunEntry>,
}

/// The beginning of a file.
#[derive(Debug, Serialize)]
pub struct Excerpt {
    /// Its path, relative to the finding's folder.
    pub path: String,
    /// The text, made visible.
    pub text: String,
    /// True if there is more.
    pub cut: bool,
}

/// What one target said.
#[derive(Debug, Serialize)]
pub struct RunEntry {
    /// The target.
    pub target: String,
    /// The program's number.
    pub program: usize,
    /// The outcome's name.
    pub outcome: String,
    /// In words.
    pub said: String,
    /// The beginning of its standard output.
    pub stdout: Excerpt,
    /// The beginning of its standard error.
    pub stderr: Excerpt,
}

/// How much of a program or an output a report shows.
const EXCERPT_BYTES: usize = 4000;

impl Report {
    /// Reads the campaign in `folder`.
    pub fn read(folder: &Path) -> Result<Report> {
        let resolved = Resolved::read(folder)?;
        let store = Store::open_to_read(folder)?;
        let totals = store.totals()?;
        let findings = finding::list(folder)?;
        let mut kinds: BTreeMap<String, usize> = BTreeMap::new();
        for finding in &findings {
            *kinds.entry(finding.kind.to_string()).or_default() += 1;
        }
        let entry = |finding: Finding| entry(folder, finding);
        let plan = &resolved.plan;
        Ok(Report {
            name: plan.name.clone(),
            id: resolved.id.clone(),
            tool: resolved.tool.clone(),
            strategies: plan.strategies.iter().map(|s| s.name.clone()).collect(),
            oracles: plan.oracles.clone(),
            limits: format!("{} and {} per run", plan.limits.timeout, plan.limits.memory),
            targets: target_lines(&resolved, &totals),
            totals,
            kinds,
            findings: findings.into_iter().map(entry).collect::<Result<_>>()?,
            discovery: store.discovery_curve()?,
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
            text += "| finding | kind | target | against | cases | bytes | since | fixed in | known | evidence |\n|---|---|---|---|---|---|---|---|---|---|\n";
        }
        for FindingEntry { finding, .. } in &self.findings {
            text += &format!(
                "| [{id}](findings/{id}/README.md) | {} | {} | {} | {} | {} | {} | {} | {} | {} |\n",
                finding.kind,
                finding.target,
                finding.against.join(" "),
                finding.count,
                finding.reduced_bytes.unwrap_or(finding.bytes),
                finding.since.as_deref().unwrap_or(""),
                finding.fixed_in.as_deref().unwrap_or(""),
                finding.known_issue.as_deref().unwrap_or(""),
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

fn target_lines(resolved: &Resolved, totals: &Totals) -> Vec<TargetLine> {
    let mut lines: Vec<TargetLine> = resolved
        .targets
        .iter()
        .enumerate()
        .map(|(number, target)| TargetLine {
            name: target.name.to_string(),
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

fn entry(folder: &Path, finding: Finding) -> Result<FindingEntry> {
    let place = folder.join(finding::FOLDER).join(&finding.id);
    let (file, _) = finding::load(&place)?;
    let steps = file.steps_in_words();
    let FindingFile {
        claim,
        programs,
        runs,
        ..
    } = file;
    let programs = programs
        .iter()
        .flatten()
        .map(|path| excerpt(&place, path))
        .collect();
    let runs = runs.into_iter().map(|run| RunEntry {
        stdout: excerpt(&place, &run.stdout),
        stderr: excerpt(&place, &run.stderr),
        target: run.target,
        program: run.program,
        outcome: run.outcome,
        said: visible(&run.said),
    });
    Ok(FindingEntry {
        claim: visible(&claim.to_string()),
        steps: steps.iter().map(|step| visible(step)).collect(),
        programs,
        runs: runs.collect(),
        finding: Finding {
            evidence: visible(&finding.evidence),
            signature: visible(&finding.signature),
            ..finding
        },
    })
}

/// A file that cannot be read has no text: the report goes on without it.
fn excerpt(place: &Path, path: &str) -> Excerpt {
    let bytes = match finding::is_below(path) {
        true => std::fs::read(place.join(path)).unwrap_or_default(),
        false => Vec::new(),
    };
    let shown = &bytes[..bytes.len().min(EXCERPT_BYTES)];
    Excerpt {
        path: path.to_string(),
        text: visible(&String::from_utf8_lossy(shown)),
        cut: shown.len() < bytes.len(),
    }
}
