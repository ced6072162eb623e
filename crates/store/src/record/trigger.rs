//! The smallest case of a signature, whole: programs, claim, what every
//! target said. Enough to write a finding's folder without running anything.

use std::collections::BTreeMap;

use lydite_core::{Claim, Signature, TargetName};
use serde::{Deserialize, Serialize};

use crate::folder::RelativePath;

/// A case that shows a symptom.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TriggerRecord {
    /// What was known of it.
    pub claim: Claim,
    /// What was done to make it.
    #[serde(default)]
    pub steps: Vec<String>,
    /// The seeds that it was made from.
    #[serde(default)]
    pub seeds: Vec<SeedRecord>,
    /// How many programs the case had; further ones followed from what was
    /// seen.
    pub asked: usize,
    /// For each program its files, the source first.
    pub programs: Vec<Vec<RelativePath>>,
    /// What every target said.
    pub runs: Vec<TriggerRun>,
    /// The varied options that signatures need, by signature and family.
    #[serde(default)]
    pub options: BTreeMap<Signature, BTreeMap<String, Vec<String>>>,
    /// The contents of all these files, which the store keeps apart.
    #[serde(skip)]
    pub files: Vec<TriggerFile>,
}

/// A seed that a case was made from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeedRecord {
    /// Its name among the seeds of the campaign.
    pub name: String,
    /// The hash of its content.
    pub blake3: String,
    /// Where it is among the files.
    pub path: RelativePath,
}

/// One file of a trigger: of a program, a seed, or what a target printed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TriggerFile {
    /// Where it is in the finding's folder.
    pub path: RelativePath,
    /// Its bytes.
    pub content: Vec<u8>,
}

/// What one target said of one program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TriggerRun {
    /// The program's number.
    pub program: usize,
    /// The target.
    pub target: TargetName,
    /// Where its source is among the files, if it was given another text than
    /// the case has: the same in its dialect.
    pub source: Option<RelativePath>,
    /// The varied options that it had.
    #[serde(default)]
    pub options: Vec<String>,
    /// `answered`, `crashed`, …
    pub outcome: String,
    /// The outcome in words.
    pub said: String,
    /// Where its standard output is among the files.
    pub stdout: RelativePath,
    /// Where its standard error is.
    pub stderr: RelativePath,
}

impl TriggerRecord {
    /// One of two records of the same case, with the options that the signatures
    /// of either need; the order does not matter.
    pub(super) fn join(self, other: TriggerRecord) -> TriggerRecord {
        let rank = |record: &TriggerRecord| {
            let said: Vec<String> = record.runs.iter().map(|run| format!("{run:?}")).collect();
            (said, format!("{:?}", record.programs))
        };
        let (mut first, second) = match rank(&self) <= rank(&other) {
            true => (self, other),
            false => (other, self),
        };
        for (signature, options) in second.options {
            let known = first
                .options
                .entry(signature)
                .or_insert_with(|| options.clone());
            if options < *known {
                *known = options;
            }
        }
        first
    }

    /// The record of a case whose files are gone.
    pub fn missing() -> TriggerRecord {
        TriggerRecord {
            claim: Claim::Silent,
            steps: Vec::new(),
            seeds: Vec::new(),
            asked: 0,
            programs: Vec::new(),
            runs: Vec::new(),
            options: BTreeMap::new(),
            files: Vec::new(),
        }
    }

    /// The content of a file.
    pub fn content(&self, path: &RelativePath) -> Option<&[u8]> {
        let mut files = self.files.iter();
        let file = files.find(|file| file.path == *path)?;
        Some(&file.content)
    }
}
