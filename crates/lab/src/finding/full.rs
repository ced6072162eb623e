//! A finding with everything that its folder holds: made from the store, or
//! read from a folder that somebody sent.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use lydite_core::{Case, Program, Signature, SourceFile};

use super::file::{FORMAT, FindingFile, Participant};
use super::seed_diff::SeedDiff;
use super::{Finding, readme, script};
use crate::resolved::{Resolved, TargetRecord};
use lydite_core::fault::{Blame, usage};
use lydite_store::folder::{NewFile, RelativePath};
use lydite_store::record::{TriggerFile, TriggerRecord};
use lydite_store::{FindingRow, Store};

/// A finding, its case and what targets printed.
#[derive(Clone, Debug)]
pub struct FullFinding {
    /// The finding.
    pub file: FindingFile,
    contents: Contents,
}

#[derive(Clone, Debug)]
enum Contents {
    /// Kept in memory.
    Kept(Vec<TriggerFile>),
    /// In the files of a folder.
    Folder(PathBuf),
}

impl FullFinding {
    /// Reads a finding from the store of its campaign.
    pub fn of(store: &Store, resolved: &Resolved, row: &FindingRow) -> Result<FullFinding> {
        let mut finding = Finding::of(row, resolved);
        // A case that is not there can be made again (`lydite hunt`); the rest of
        // the campaign does not wait for it.
        let trigger = store.trigger(row.index)?;
        let mut trigger = trigger.unwrap_or_else(TriggerRecord::missing);
        let reduction = match row.reduced_bytes {
            Some(_) => store.reduction(&row.symptom.signature)?,
            None => None,
        };
        let (mut original, mut shown) = (Vec::new(), None);
        let found_with = trigger.options.get(&finding.signature).cloned();
        let seed_diff = SeedDiff::of(&trigger);
        if let Some(reduction) = reduction {
            finding.evidence = reduction.evidence;
            shown = Some(reduction.shown);
            let unreduced = std::mem::replace(&mut trigger, reduction.trigger);
            original = keep_original(unreduced, &mut trigger)?;
        }
        let file = FindingFile {
            options_by_family: needed_options(&trigger, shown.as_ref(), &finding.signature),
            original_options: found_with.unwrap_or_default(),
            original,
            shown,
            nearest_seed: seed_diff.as_ref().map(|diff| diff.seed),
            ..file(finding, row, &trigger, resolved)
        };
        let mut files = trigger.files;
        files.extend(seed_diff.map(SeedDiff::file));
        Ok(FullFinding {
            file,
            contents: Contents::Kept(files),
        })
    }

    /// Reads a finding from its folder.
    pub fn read(folder: &Path) -> Result<FullFinding> {
        FullFinding::read_folder(folder).or_usage()
    }

    fn read_folder(folder: &Path) -> Result<FullFinding> {
        let path = folder.join(FILE_NAME);
        let text = fs::read_to_string(&path)
            .with_context(|| format!("{}: no finding here", folder.display()))?;
        let value: serde_json::Value = serde_json::from_str(&text)
            .with_context(|| format!("{}: not a finding", path.display()))?;
        if value["format"] != FORMAT {
            bail!(
                "{}: its format {} is that of another lydite (this one has {FORMAT})",
                path.display(),
                value["format"]
            );
        }
        let file: FindingFile = serde_json::from_value(value)
            .with_context(|| format!("{}: not a finding of this format", path.display()))?;
        Ok(FullFinding {
            file,
            contents: Contents::Folder(folder.to_path_buf()),
        })
    }

    /// Its case, reduced if it was.
    pub fn case(&self) -> Result<Case> {
        let asked = match self.file.original.is_empty() {
            true => self.file.asked,
            false => self.file.programs.len(),
        };
        self.case_of(&self.file.programs, asked)
    }

    /// Its case as it was found, before any reduction.
    pub fn original(&self) -> Result<Case> {
        match self.file.original.is_empty() {
            true => self.case(),
            false => self.case_of(&self.file.original, self.file.original.len()),
        }
    }

    fn case_of(&self, programs: &[Vec<RelativePath>], asked: usize) -> Result<Case> {
        let id = &self.file.finding.id;
        let mut read = Vec::new();
        for paths in programs.iter().take(asked) {
            let mut files = Vec::new();
            for path in paths {
                let text = self.content(path).or_usage()?;
                files.push(SourceFile {
                    name: path.name().to_string(),
                    text: text.into(),
                });
            }
            if files.is_empty() {
                return Err(usage(format!("finding {id}: a program without files")));
            }
            read.push(Program { files });
        }
        if read.is_empty() {
            return Err(usage(format!(
                "finding {id}: its case {} is not in the store; lydite hunt -o DIR makes it again",
                self.file.recipe.index
            )));
        }
        Ok(Case {
            programs: read,
            claim: self.file.claim.clone(),
            steps: self.file.steps.clone(),
            seeds: Vec::new(),
        })
    }

    fn content(&self, path: &RelativePath) -> Result<Vec<u8>> {
        match &self.contents {
            Contents::Kept(files) => {
                let mut files = files.iter();
                let file = files.find(|file| file.path == *path);
                let file = file.with_context(|| format!("{path}: not in the store"))?;
                Ok(file.content.clone())
            }
            Contents::Folder(folder) => {
                let place = folder.join(path);
                fs::read(&place).with_context(|| format!("{}: cannot be read", place.display()))
            }
        }
    }

    /// The first `limit` bytes of one of its files, and whether there are more.
    /// What cannot be read has none: whoever shows it goes on without it.
    pub fn beginning(&self, path: &RelativePath, limit: usize) -> (Vec<u8>, bool) {
        let mut bytes = Vec::new();
        match &self.contents {
            Contents::Kept(files) => {
                let mut files = files.iter();
                if let Some(file) = files.find(|file| file.path == *path) {
                    bytes.extend(file.content.iter().take(limit + 1));
                }
            }
            Contents::Folder(folder) => {
                if let Ok(file) = File::open(folder.join(path)) {
                    let _ = file.take(limit as u64 + 1).read_to_end(&mut bytes);
                }
            }
        }
        let cut = bytes.len() > limit;
        bytes.truncate(limit);
        (bytes, cut)
    }

    /// Every file of its folder, from the store: what is ours comes last and
    /// wins.
    pub(super) fn write(
        &self,
        targets: &[TargetRecord],
        place: &mut dyn FnMut(&[NewFile<'_>]) -> Result<()>,
    ) -> Result<()> {
        let json = serde_json::to_string_pretty(&self.file)? + "\n";
        let own = [
            (FILE_NAME, json, false),
            ("README.md", readme::readme(&self.file), false),
            ("reproduce.sh", script::reproduce(&self.file, targets), true),
        ];
        let mut files: Vec<NewFile<'_>> = Vec::new();
        if let Contents::Kept(kept) = &self.contents {
            files.extend(kept.iter().map(|file| NewFile {
                path: &file.path,
                content: &file.content,
                runs: false,
            }));
        }
        let paths = own.each_ref().map(|(name, _, _)| RelativePath::new(*name));
        for (path, (_, text, runs)) in paths.iter().zip(&own) {
            let path = path.as_ref().expect("a plain name");
            files.push(NewFile {
                path,
                content: text.as_bytes(),
                runs: *runs,
            });
        }
        place(&files)
    }
}

/// The file that makes a folder one of a finding.
pub(super) const FILE_NAME: &str = "finding.json";

fn file(
    finding: Finding,
    row: &FindingRow,
    trigger: &TriggerRecord,
    resolved: &Resolved,
) -> FindingFile {
    let plan = &resolved.plan;
    let participant = |target: &TargetRecord| Participant {
        name: target.name.clone(),
        reference: target.reference,
    };
    FindingFile {
        format: FORMAT,
        options_by_family: BTreeMap::new(),
        original_options: BTreeMap::new(),
        finding,
        language: resolved.language.clone(),
        claim: trigger.claim.clone(),
        steps: trigger.steps.clone(),
        asked: trigger.asked,
        programs: trigger.programs.clone(),
        original: Vec::new(),
        shown: None,
        nearest_seed: None,
        versions: row.versions.clone(),
        runs: trigger.runs.clone(),
        targets: resolved.targets.iter().map(participant).collect(),
        oracles: plan.oracles.clone(),
        timeout: plan.limits.timeout,
        memory: plan.limits.memory,
        recipe: resolved.recipe(row, &trigger.seeds),
    }
}

/// The options that the case needs to show its signature: a reduced one may
/// show another than it was found with.
fn needed_options(
    trigger: &TriggerRecord,
    shown: Option<&Signature>,
    signature: &Signature,
) -> BTreeMap<String, Vec<String>> {
    let options = trigger.options.get(shown.unwrap_or(signature));
    options.cloned().unwrap_or_default()
}

/// Adds the programs of the unreduced case to the files of the reduced one,
/// in a folder of their own, and the seeds that both were made from.
fn keep_original(
    unreduced: TriggerRecord,
    reduced: &mut TriggerRecord,
) -> Result<Vec<Vec<RelativePath>>> {
    let folder = RelativePath::new("original")?;
    let asked = unreduced.programs.iter().take(unreduced.asked);
    let names: Vec<Vec<RelativePath>> = asked
        .map(|paths| paths.iter().map(|path| path.below(&folder)).collect())
        .collect();
    reduced.seeds = unreduced.seeds;
    for mut file in unreduced.files {
        if reduced.seeds.iter().any(|seed| seed.path == file.path) {
            reduced.files.push(file);
            continue;
        }
        file.path = file.path.below(&folder);
        if names.iter().flatten().any(|name| *name == file.path) {
            reduced.files.push(file);
        }
    }
    Ok(names)
}

#[cfg(test)]
impl FullFinding {
    /// A finding without anything special whose files are in `folder`.
    pub(crate) fn sample(folder: &Path) -> FullFinding {
        FullFinding::in_folder(FindingFile::sample(), folder)
    }

    /// A finding whose files are in `folder`.
    pub(crate) fn in_folder(file: FindingFile, folder: &Path) -> FullFinding {
        FullFinding {
            file,
            contents: Contents::Folder(folder.to_path_buf()),
        }
    }
}
