//! The smallest case of a signature, whole, as it is stored.

use anyhow::{Context, Result};
use rusqlite::{Connection, OptionalExtension, Transaction, params};

use super::{Store, seal, signatures};
use crate::folder::RelativePath;
use crate::record::{TriggerFile, TriggerRecord};
use lydite_core::fault::Blame;

/// Inserts a trigger; one that is already there is replaced.
pub(super) fn insert(db: &Transaction<'_>, index: u64, trigger: &TriggerRecord) -> Result<()> {
    remove(db, index)?;
    let record = serde_json::to_string(trigger)?;
    db.prepare_cached("INSERT INTO triggers VALUES (?1, ?2)")?
        .execute(params![index as i64, record])?;
    let mut insert =
        db.prepare_cached("INSERT OR IGNORE INTO trigger_files VALUES (?1, ?2, ?3)")?;
    for file in &trigger.files {
        insert.execute(params![index as i64, file.path.as_str(), file.content])?;
    }
    Ok(())
}

fn remove(db: &Transaction<'_>, index: u64) -> Result<()> {
    for table in ["triggers", "trigger_files"] {
        db.prepare_cached(&format!("DELETE FROM {table} WHERE idx = ?1"))?
            .execute([index as i64])?;
    }
    Ok(())
}

/// Removes a trigger that is no signature's smallest any more.
pub(super) fn remove_unless_smallest(db: &Transaction<'_>, index: u64) -> Result<()> {
    if !signatures::is_smallest(db, index)? {
        remove(db, index)?;
    }
    Ok(())
}

pub(super) fn load(db: &Connection, index: u64) -> Result<Option<TriggerRecord>> {
    let sql = "SELECT record, whole FROM intact_triggers WHERE idx = ?1";
    let record: Option<String> = db
        .prepare_cached(sql)?
        .query_row([index as i64], |row| row.get(0))
        .optional()?;
    let Some(record) = record else {
        // A damaged page may lead past it; a look at all of them does not.
        let sql = "SELECT COUNT(*) FROM triggers WHERE +idx = ?1";
        let hidden: i64 = db
            .prepare_cached(sql)?
            .query_row([index as i64], |row| row.get(0))?;
        return match hidden {
            0 => Ok(None),
            _ => Err(seal::damaged(Some(format!("case {index} is out of place"))).into()),
        };
    };
    let sql = "SELECT path, content, whole FROM intact_trigger_files WHERE idx = ?1 ORDER BY path";
    let mut query = db.prepare_cached(sql)?;
    let files = query.query_map([index as i64], |row| Ok((row.get(0)?, row.get(1)?)))?;
    read(&record, files)
        .with_context(|| format!("store: case {index}"))
        .map(Some)
}

/// A trigger from its record and its files, which may be anybody's.
pub(super) fn read(
    record: &str,
    files: impl Iterator<Item = rusqlite::Result<(String, Vec<u8>)>>,
) -> Result<TriggerRecord> {
    let mut trigger: TriggerRecord = serde_json::from_str(record).or_usage()?;
    for file in files {
        let (path, content) = file?;
        let path = RelativePath::new(path).or_usage()?;
        trigger.files.push(TriggerFile { path, content });
    }
    Ok(trigger)
}

impl Store {
    /// The stored case number `index`, if it is some signature's smallest.
    pub fn trigger(&self, index: u64) -> Result<Option<TriggerRecord>> {
        load(&self.db, index)
    }
}
