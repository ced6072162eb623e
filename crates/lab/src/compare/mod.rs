//! A comparison for changes: what a campaign found in a candidate, set against its
//! baseline. Only what is new fails.
//!
//! A finding is new if the candidate shows it and the baseline, on the same
//! case, cold, does not. The result is written in the forms that continuous
//! integration reads: JUnit, SARIF, Markdown.

mod junit;
mod sarif;
mod summary;

use anyhow::{Context, Result};
use lydite_core::{Case, TargetName};
use serde::Serialize;

use crate::campaign::Examiner;
use crate::finding::{FOLDER, Finding, FindingFile, FullFinding};
use crate::reduce::SameBug;
use lydite_core::visible::visible;
use lydite_store::folder::{LockedFolder, RelativePath};
use lydite_target::Target;

/// The result of a comparison.
#[derive(Debug, Serialize)]
pub struct Comparison {
    /// What the candidate is compared with.
    pub baseline: String,
    /// The target that is tested.
    pub candidate: String,
    /// The number of finished cases.
    pub cases: u64,
    /// The number of runs of targets.
    pub runs: u64,
    /// The number of runs that were saved by answers kept from earlier hunts.
    pub reused: u64,
    /// The findings of the campaign, gravest first.
    pub entries: Vec<ComparedFinding>,
}

/// One finding, and what it is beside the baseline.
#[derive(Debug, Serialize)]
pub struct ComparedFinding {
    /// The finding.
    pub finding: Finding,
    /// What it is beside the baseline.
    pub standing: ComparedAs,
    /// The beginning of its first program, made visible.
    pub program: String,
    /// The file of that program, relative to the campaign's folder.
    pub file: String,
}

/// What a finding of the candidate is beside the baseline.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ComparedAs {
    /// The candidate shows it, the baseline does not.
    New,
    /// The baseline shows it too.
    Old,
    /// It is known upstream as this issue.
    Known(String),
    /// It did not show again; why.
    Unclear(String),
    /// It is not the candidate's.
    Elsewhere,
}

impl ComparedAs {
    /// One word for it.
    pub fn name(&self) -> &'static str {
        match self {
            ComparedAs::New => "new",
            ComparedAs::Old => "old",
            ComparedAs::Known(_) => "known",
            ComparedAs::Unclear(_) => "unclear",
            ComparedAs::Elsewhere => "elsewhere",
        }
    }

    /// Why it does not fail; empty if it does.
    pub fn reason(&self, comparison: &Comparison) -> String {
        match self {
            ComparedAs::New => String::new(),
            ComparedAs::Old => format!("{} shows it too", comparison.baseline),
            ComparedAs::Known(issue) => format!("known as {issue}"),
            ComparedAs::Unclear(why) => format!("not seen again: {why}"),
            ComparedAs::Elsewhere => format!("it is not {}'s", comparison.candidate),
        }
    }
}

/// How much of a program is shown.
const SHOWN_CHARS: usize = 2000;

impl ComparedFinding {
    /// Sets a finding against the baseline. `examiner` makes what runs and judges
    /// its case.
    pub fn of(
        full: &FullFinding,
        candidate: &TargetName,
        baseline: &Target,
        examiner: &dyn Fn(&FindingFile) -> Result<Examiner>,
    ) -> Result<ComparedFinding> {
        let (file, finding) = (&full.file, &full.file.finding);
        let standing = match &finding.known_issue {
            _ if finding.target != *candidate => ComparedAs::Elsewhere,
            Some(issue) => ComparedAs::Known(issue.clone()),
            None => against(examiner(file)?, file, &full.case()?, baseline)?,
        };
        let path = file.programs.first().and_then(|files| files.first());
        let text = path.map(|path| full.beginning(path, 4 * SHOWN_CHARS).0);
        let text = text.unwrap_or_default();
        let text = visible(&String::from_utf8_lossy(&text));
        let name = path.map(ToString::to_string).unwrap_or_default();
        Ok(ComparedFinding {
            file: format!("{FOLDER}/{}/{name}", finding.id),
            finding: finding.clone(),
            standing,
            program: text.chars().take(SHOWN_CHARS).collect(),
        })
    }
}

/// Runs the case again, and then with the baseline in the candidate's place.
fn against(
    examiner: Examiner,
    file: &FindingFile,
    case: &Case,
    baseline: &Target,
) -> Result<ComparedAs> {
    let options = file.options_by_family.clone();
    let bug = match SameBug::of(examiner, case, Some(&file.shows()), options) {
        Err(error) => return Ok(ComparedAs::Unclear(format!("{error:#}"))),
        Ok(bug) => bug,
    };
    let (examined, shown) = bug.in_target(baseline.cold()).look(case);
    // A baseline that was not run has not been seen to be right.
    bug.examiner().check_started(&examined)?;
    Ok(match shown {
        true => ComparedAs::Old,
        false => ComparedAs::New,
    })
}

impl Comparison {
    /// The findings that only the candidate shows.
    pub fn new_entries(&self) -> impl Iterator<Item = &ComparedFinding> {
        let new = |entry: &&ComparedFinding| entry.standing == ComparedAs::New;
        self.entries.iter().filter(new)
    }

    /// Writes `junit.xml`, `results.sarif` and `summary.md` into the
    /// campaign's folder.
    pub fn write(&self, folder: &LockedFolder) -> Result<()> {
        let sarif =
            serde_json::to_string_pretty(&sarif::log(self)).context("results.sarif")? + "\n";
        for (name, text) in [
            ("junit.xml", junit::document(self)),
            ("results.sarif", sarif),
            ("summary.md", summary::markdown(self)),
        ] {
            folder.write(&RelativePath::new(name)?, text.as_bytes())?;
        }
        Ok(())
    }
}

#[cfg(test)]
pub(super) mod tests {
    use lydite_core::Kind;

    use super::*;

    /// A comparison with one entry of each standing and hostile text in it.
    pub(super) fn comparison() -> Comparison {
        let hostile = "]]></failure>|<b>`\u{1b}[2J\"&'";
        let standings = [
            ComparedAs::New,
            ComparedAs::Old,
            ComparedAs::Known("#12".to_string()),
            ComparedAs::Unclear("flaky".to_string()),
            ComparedAs::Elsewhere,
        ];
        let entry = |(number, standing): (usize, ComparedAs)| ComparedFinding {
            finding: Finding {
                count: 2,
                reproduce: format!("findings/z3-crash-{number}/reproduce.sh"),
                evidence: hostile.into(),
                ..Finding::sample(&format!("z3-crash-{number}"), "z3@5.0", Kind::Crash)
            },
            standing,
            program: visible(hostile),
            file: format!("findings/z3-crash-{number}/case.smt2"),
        };
        Comparison {
            baseline: "z3@4.8.7".into(),
            candidate: "z3@5.0".into(),
            cases: 100,
            runs: 200,
            reused: 50,
            entries: standings.into_iter().enumerate().map(entry).collect(),
        }
    }

    #[test]
    fn only_what_is_new_fails() {
        let comparison = comparison();
        let new: Vec<&str> = comparison
            .new_entries()
            .map(|e| e.finding.id.as_str())
            .collect();
        assert_eq!(new, ["z3-crash-0"]);
        for entry in &comparison.entries {
            let fails = entry.standing.reason(&comparison).is_empty();
            assert_eq!(fails, entry.standing == ComparedAs::New);
        }
    }
}
