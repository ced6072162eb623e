//! The smallest case of a signature, whole: programs, claim, what every
//! target said. Enough to write a finding's folder without running anything.

use std::collections::BTreeMap;

use anyhow::Result;
use lydite_core::Claim;
use rusqlite::{Connection, OptionalExtension, Transaction, params};
use serde::{Deserialize, Serialize};

use super::{Store, signatures};

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
    /// For each program the names of its files, the source first.
    pub programs: Vec<Vec<String>>,
    /// What every target said.
    pub runs: Vec<TriggerRun>,
    /// The varied options that signatures need, by signature and family.
    #[serde(default)]
    pub options: BTreeMap<String, BTreeMap<String, Vec<String>>>,
    /// The contents, kept apart in the store.
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
    pub path: String,
}

/// One file of a trigger: of a program, a seed, or what a target printed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TriggerFile {
    /// Relative, with `/`.
    pub path: String,
    /// Its bytes.
    pub content: Vec<u8>,
}

/// What one target said of one program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TriggerRun {
    /// The program's number.
    pub program: usize,
    /// The target.
    pub target: String,
    /// Where its source is among the files, if it was given another text than
    /// the case has: the same in its dialect.
    pub source: Option<String>,
    /// The varied options that it had.
    #[serde(default)]
    pub options: Vec<String>,
    /// `answered`, `crashed`, …
    pub outcome: String,
    /// The outcome in words.
    pub said: String,
    /// Where its standard output is among the files.
    pub stdout: String,
    /// Where its standard error is.
    pub stderr: String,
}

/// Inserts a trigger; one that is already there is left as it is.
pub(super) fn insert(db: &Transaction<'_>, index: u64, trigger: &TriggerRecord) -> Result<()> {
    let record = serde_json::to_string(trigger)?;
    db.prepare_cached("INSERT OR IGNORE INTO triggers VALUES (?1, ?2)")?
        .execute(params![index as i64, record])?;
    let mut insert =
        db.prepare_cached("INSERT OR IGNORE INTO trigger_files VALUES (?1, ?2, ?3)")?;
    for file in &trigger.files {
        insert.execute(params![index as i64, file.path, file.content])?;
    }
    Ok(())
}

/// Removes a trigger that is no signature's smallest any more.
pub(super) fn remove_unless_smallest(db: &Transaction<'_>, index: u64) -> Result<()> {
    if !signatures::is_smallest(db, index)? {
        for table in ["triggers", "trigger_files"] {
            db.prepare_cached(&format!("DELETE FROM {table} WHERE idx = ?1"))?
                .execute([index as i64])?;
        }
    }
    Ok(())
}

/// Removes all triggers that are no signature's smallest.
pub(super) fn prune(db: &Transaction<'_>) -> Result<()> {
    for table in ["triggers", "trigger_files"] {
        let sql = format!("DELETE FROM {table} WHERE idx NOT IN (SELECT best_idx FROM signatures)");
        db.execute(&sql, [])?;
    }
    Ok(())
}

pub(super) fn load(db: &Connection, index: u64) -> Result<Option<TriggerRecord>> {
    let sql = "SELECT record FROM triggers WHERE idx = ?1";
    let record: Option<String> = db
        .query_row(sql, [index as i64], |row| row.get(0))
        .optional()?;
    let Some(record) = record else {
        return Ok(None);
    };
    let mut trigger: TriggerRecord = serde_json::from_str(&record)?;
    trigger.files = db
        .prepare_cached("SELECT path, content FROM trigger_files WHERE idx = ?1 ORDER BY path")?
        .query_map([index as i64], |row| {
            Ok(TriggerFile {
                path: row.get(0)?,
                content: row.get(1)?,
            })
        })?
        .collect::<Result<_, _>>()?;
    Ok(Some(trigger))
}

impl Store {
    /// The stored case number `index`, if it is some signature's smallest.
    pub fn trigger(&self, index: u64) -> Result<Option<TriggerRecord>> {
        load(&self.db, index)
    }
}
