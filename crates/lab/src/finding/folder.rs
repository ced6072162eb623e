//! The folders of findings: readable, runnable, ready to be attached to a bug
//! report. They are derived from the store, and whoever needs one makes it.

use std::collections::BTreeSet;

use anyhow::Result;
use lydite_core::Signature;

use super::full::{FILE_NAME, FullFinding};
use super::{FOLDER, Finding};
use crate::resolved::Resolved;
use lydite_store::folder::{LockedFolder, RelativePath};
use lydite_store::record::id_of;
use lydite_store::{FindingRow, Stands, Store, Wanted};

/// Writes the folders of a campaign's findings.
pub struct Writer<'a> {
    folder: &'a LockedFolder,
    resolved: &'a Resolved,
    /// What is the same for all of them.
    plan: String,
}

/// How many findings have a folder, gravest first. Commands read the others from the store.
pub const MOST_FOLDERS: usize = 1000;

impl<'a> Writer<'a> {
    /// A writer for the campaign in `folder`.
    pub fn new(folder: &'a LockedFolder, resolved: &'a Resolved) -> Writer<'a> {
        // Paths of targets are in the scripts and not in the identity.
        let text = format!("{:?}", resolved.targets);
        let hash = blake3::hash(text.as_bytes()).to_hex();
        Writer {
            folder,
            resolved,
            plan: format!("{} {hash}", resolved.id),
        }
    }

    /// Writes the folder of a finding as it stands, unless there are very many
    /// others.
    pub fn write(&self, store: &Store, signature: &Signature) -> Result<Option<Finding>> {
        let Some(row) = store.finding(signature)? else {
            return Ok(None);
        };
        let written = store.written()?;
        if written.len() < MOST_FOLDERS || written.contains_key(&signature.to_string()) {
            self.write_row(store, &row)?;
        }
        Ok(Some(Finding::of(&row, self.resolved)))
    }

    /// Writes all folders that are missing or not as the store says, and removes
    /// those that there should not be: what is there afterwards depends on the
    /// store alone.
    pub fn write_all(&self, store: &Store) -> Result<()> {
        let wanted = Wanted {
            standing: Stands::Any,
            most: MOST_FOLDERS as u64,
            ..Wanted::default()
        };
        let written = store.written()?;
        let mut kept: BTreeSet<String> = BTreeSet::new();
        for row in store.some_findings(&wanted, &store.standing()?)?.1 {
            let signature = &row.symptom.signature;
            let text = signature.to_string();
            let there = self.place(signature)?;
            let there = self.folder.place(&there).join(FILE_NAME).is_file();
            if !there || written.get(&text) != Some(&self.state(&row)) {
                self.write_row(store, &row)?;
            }
            kept.insert(text);
        }
        for text in written.keys().filter(|text| !kept.contains(*text)) {
            if let Ok(signature) = text.parse() {
                self.folder.remove(&self.place(&signature)?)?;
                store.note_written(&signature, None)?;
            }
        }
        Ok(())
    }

    fn write_row(&self, store: &Store, row: &FindingRow) -> Result<()> {
        let signature = &row.symptom.signature;
        let full = FullFinding::of(store, self.resolved, row)?;
        let place = self.place(signature)?;
        full.write(&self.resolved.targets, &mut |files| {
            self.folder.write_folder(&place, files)
        })?;
        store.note_written(signature, Some(&self.state(row)))
    }

    fn place(&self, signature: &Signature) -> Result<RelativePath> {
        Ok(RelativePath::new(format!("{FOLDER}/{}", id_of(signature)))?)
    }

    /// All that a folder is made of, in short.
    fn state(&self, row: &FindingRow) -> String {
        let text = format!("{} {row:?}", self.plan);
        blake3::hash(text.as_bytes()).to_hex().to_string()
    }
}
