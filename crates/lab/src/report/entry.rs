//! One finding with all that a reader wants to see of it. Whatever its files
//! hold, what is kept of them is short and visible.

use lydite_core::Signature;
use serde::Serialize;

use crate::diff::{Diff, diff};
use crate::finding::{self, Finding, FindingFile, FullFinding};
use crate::resolved::Resolved;
use lydite_core::visible::visible;
use lydite_store::folder::RelativePath;
use lydite_store::record::{Mark, TriggerRun, VersionRun};

/// One finding with what a reader wants to see of it.
#[derive(Debug, Serialize)]
pub struct FindingEntry {
    /// The finding.
    #[serde(flatten)]
    pub finding: Finding,
    /// How it stands, in words; empty if nobody decided anything.
    pub standing: String,
    /// The language of its programs.
    pub language: String,
    /// What was known of the case.
    pub claim: String,
    /// What was done to make it, one line each.
    pub steps: Vec<String>,
    /// The beginning of each program of the smallest case.
    pub programs: Vec<Excerpt>,
    /// What was changed in the nearest seed, what the reduction removed, and
    /// what makes one program of a case from the one before it.
    pub diffs: Vec<Diff>,
    /// What the targets said.
    pub runs: Vec<RunEntry>,
    /// What other versions of the target show of it.
    pub versions: Vec<VersionRun>,
    /// The exact commands, one per step of the target.
    pub commands: Vec<String>,
    /// How many programs and runs there are beyond those above.
    pub left_out: usize,
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
    /// The varied options that it had.
    pub options: Vec<String>,
    /// The program's number.
    pub program: usize,
    /// The outcome's name.
    pub outcome: String,
    /// The outcome in words.
    pub said: String,
    /// The beginning of its standard output.
    pub stdout: Excerpt,
    /// The beginning of its standard error.
    pub stderr: Excerpt,
}

/// How much of a program or an output a report shows.
const EXCERPT_BYTES: usize = 4000;

/// How much of a text of ours that quotes a target.
const WORDS_CHARS: usize = 2000;

/// How many programs of a case a report shows, and how many runs.
const SHOWN_PROGRAMS: usize = 6;
const SHOWN_RUNS: usize = 16;

/// A finding with all that is shown of it.
pub fn entry(resolved: &Resolved, full: &FullFinding) -> FindingEntry {
    let file = &full.file;
    let paths: Vec<&RelativePath> = file.programs.iter().flatten().collect();
    let programs = paths.iter().take(SHOWN_PROGRAMS);
    let left_out =
        paths.len().saturating_sub(SHOWN_PROGRAMS) + file.runs.len().saturating_sub(SHOWN_RUNS);
    let steps = file.steps_in_words();
    let steps = steps.iter().take(SHOWN_PROGRAMS * 4);
    let runs = file.runs.iter().take(SHOWN_RUNS);
    let versions = file.versions.iter().map(|run| VersionRun {
        said: words(&run.said),
        ..run.clone()
    });
    FindingEntry {
        steps: steps.map(|step| words(step)).collect(),
        programs: programs.map(|path| excerpt(full, path)).collect(),
        diffs: diffs(full),
        runs: runs.map(|run| run_entry(full, run)).collect(),
        versions: versions.collect(),
        commands: commands(resolved, file),
        left_out,
        ..short(full)
    }
}

/// A finding without what its files hold.
pub(super) fn short(full: &FullFinding) -> FindingEntry {
    let (file, finding) = (&full.file, &full.file.finding);
    FindingEntry {
        claim: words(&file.claim.to_string()),
        steps: Vec::new(),
        programs: Vec::new(),
        diffs: Vec::new(),
        runs: Vec::new(),
        versions: Vec::new(),
        commands: Vec::new(),
        left_out: 0,
        language: file.language.clone(),
        standing: words(&standing(finding)),
        finding: Finding {
            evidence: words(&finding.evidence),
            signature: shown(&finding.signature),
            known_issue: finding.known_issue.as_deref().map(words),
            ..finding.clone()
        },
    }
}

/// A signature whose facts are short and visible.
pub fn shown(signature: &Signature) -> Signature {
    let facts = signature.facts.iter();
    Signature {
        family: words(&signature.family),
        facts: facts.map(|(key, text)| (words(key), words(text))).collect(),
        ..signature.clone()
    }
}

/// What people decided about a finding.
fn standing(finding: &Finding) -> String {
    let mark = finding.mark.as_ref().map(Mark::in_words);
    let merged = (!finding.merged.is_empty())
        .then(|| format!("the same bug: {}", finding.merged.join(", ")));
    let parts: Vec<String> = mark.into_iter().chain(merged).collect();
    parts.join("; ")
}

/// The commands that show a finding with its own target.
pub(crate) fn commands(resolved: &Resolved, file: &FindingFile) -> Vec<String> {
    let target = resolved
        .targets
        .iter()
        .find(|target| target.name == file.finding.target);
    let Some(target) = target else {
        return Vec::new();
    };
    let options = file.options_by_family.get(&target.name.family);
    let lines = finding::commands(
        &target.reproduction,
        options.map_or(&[], |words| words.as_slice()),
    );
    lines.iter().map(|line| words(line)).collect()
}

/// From the nearest seed to the case as it was found, from there to the
/// reduced one, and from one program to the next.
fn diffs(full: &FullFinding) -> Vec<Diff> {
    let file = &full.file;
    let first = |names: &Vec<RelativePath>| names.first().cloned();
    let current: Vec<RelativePath> = file.programs.iter().filter_map(first).collect();
    let original: Vec<RelativePath> = file.original.iter().filter_map(first).collect();
    let found = original.first().or(current.first());
    let nearest = file.nearest_seed.and_then(|at| file.recipe.seeds.get(at));
    let seed = nearest.map(|seed| &seed.path).zip(found);
    let asked = current.len().min(file.asked);
    let reduced = original.iter().zip(&current);
    let chain = current[..asked].iter().zip(current[..asked].iter().skip(1));
    seed.into_iter()
        .chain(reduced)
        .chain(chain)
        .take(SHOWN_PROGRAMS)
        .map(|(from, to)| {
            let (before, after) = (excerpt(full, from), excerpt(full, to));
            let cut = match before.cut || after.cut {
                true => ", their beginnings",
                false => "",
            };
            let title = format!("{} to {}{cut}", before.path, after.path);
            diff(title, &before.text, &after.text)
        })
        .collect()
}

fn run_entry(full: &FullFinding, run: &TriggerRun) -> RunEntry {
    RunEntry {
        stdout: excerpt(full, &run.stdout),
        stderr: excerpt(full, &run.stderr),
        target: words(&run.target.to_string()),
        options: run.options.iter().map(|word| words(word)).collect(),
        program: run.program,
        outcome: words(&run.outcome),
        said: words(&run.said),
    }
}

/// Our own words, which may quote anything.
pub(super) fn words(text: &str) -> String {
    let mut short: String = text.chars().take(WORDS_CHARS).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    visible(&short)
}

/// A file that cannot be read has no text: the report goes on without it.
fn excerpt(full: &FullFinding, path: &RelativePath) -> Excerpt {
    let (bytes, cut) = full.beginning(path, EXCERPT_BYTES);
    Excerpt {
        path: visible(path.as_str()),
        text: visible(&String::from_utf8_lossy(&bytes)),
        cut,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lydite_process::Scratch;

    #[test]
    fn megabytes_and_bytes_that_are_no_text_become_a_short_excerpt() {
        let scratch = Scratch::new().unwrap();
        let folder = scratch.folder().unwrap();
        let mut bytes = b"\xff\xfe<b>\x1b[2J".to_vec();
        bytes.resize(8 << 20, 0x9b);
        std::fs::write(folder.path().join("large"), &bytes).unwrap();
        let full = FullFinding::sample(folder.path());
        let path = |text: &str| RelativePath::new(text).unwrap();
        let large = excerpt(&full, &path("large"));
        assert!(large.cut);
        assert!(large.text.len() < 5 * EXCERPT_BYTES);
        assert!(large.text.starts_with("\u{fffd}\u{fffd}<b>␛[2J"));
        let none = excerpt(&full, &path("none"));
        assert_eq!((none.text.as_str(), none.cut), ("", false));
        assert_eq!(words(&"x".repeat(1 << 20)).chars().count(), WORDS_CHARS + 1);
    }
}
