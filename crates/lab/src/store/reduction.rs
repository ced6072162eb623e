//! The reduced case of a signature.

use anyhow::{Context, Result};
use rusqlite::{Connection, OptionalExtension, Transaction, params};

use super::{Store, TriggerFile, TriggerRecord};
use crate::campaign::options_of;
use crate::fault::Fault;

/// A reduced case, whole.
#[derive(Clone, Debug, PartialEq)]
pub struct Reduction {
    /// The signature of the finding that it belongs to.
    pub signature: String,
    /// The size of its programs.
    pub bytes: u64,
    /// The signature that it shows itself: it may use less than the original.
    pub shown: String,
    /// What is wrong with it, in words.
    pub evidence: String,
    /// The case and what every target said.
    pub trigger: TriggerRecord,
}

/// Keeps a reduction, if there is no smaller one (or, among equals, one that
/// needs fewer options or comes first, so that the order in which they arrive
/// does not matter).
pub(super) fn insert(db: &Transaction<'_>, reduction: &Reduction) -> Result<bool> {
    let record = serde_json::to_string(&reduction.trigger)?;
    let known: Option<(i64, String, String)> = db
        .prepare_cached("SELECT bytes, shown, record FROM reductions WHERE signature = ?1")?
        .query_row([&reduction.signature], |row| {
            Ok((row.get(0)?, row.get(1)?, row.get(2)?))
        })
        .optional()?;
    let known = known.map(|(bytes, shown, record)| (bytes, options_of(&shown).len(), record));
    let options = options_of(&reduction.shown).len();
    if known.is_some_and(|known| known <= (reduction.bytes as i64, options, record.clone())) {
        return Ok(false);
    }
    let signature = &reduction.signature;
    db.execute("DELETE FROM reductions WHERE signature = ?1", [signature])?;
    db.execute(
        "DELETE FROM reduction_files WHERE signature = ?1",
        [signature],
    )?;
    db.execute(
        "INSERT INTO reductions VALUES (?1, ?2, ?3, ?4, ?5)",
        params![
            signature, reduction.bytes as i64, reduction.shown, reduction.evidence, record
        ],
    )?;
    for file in &reduction.trigger.files {
        db.execute(
            "INSERT INTO reduction_files VALUES (?1, ?2, ?3)",
            params![signature, file.path, file.content],
        )?;
    }
    Ok(true)
}

pub(super) fn load(db: &Connection, signature: &str) -> Result<Option<Reduction>> {
    let row: Option<(i64, String, String, String)> = db
        .prepare_cached(
            "SELECT bytes, shown, evidence, record FROM reductions WHERE signature = ?1",
        )?
        .query_row([signature], |row| {
            Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?))
        })
        .optional()?;
    let Some((bytes, shown, evidence, record)) = row else {
        return Ok(None);
    };
    let mut trigger: TriggerRecord = serde_json::from_str(&record)?;
    trigger.files = db
        .prepare_cached(
            "SELECT path, content FROM reduction_files WHERE signature = ?1 ORDER BY path",
        )?
        .query_map([signature], |row| {
            Ok(TriggerFile {
                path: row.get(0)?,
                content: row.get(1)?,
            })
        })?
        .collect::<Result<_, _>>()?;
    Ok(Some(Reduction {
        signature: signature.to_string(),
        bytes: bytes as u64,
        shown,
        evidence,
        trigger,
    }))
}

/// Takes the reductions of another store.
pub(super) fn merge(into: &Transaction<'_>, from: &Connection) -> Result<()> {
    let mut signatures = from.prepare("SELECT signature FROM reductions ORDER BY signature")?;
    for signature in signatures.query_map([], |row| row.get::<_, String>(0))? {
        if let Some(reduction) = load(from, &signature?)? {
            insert(into, &reduction)?;
        }
    }
    Ok(())
}

impl Store {
    /// The reduced case of a finding.
    pub fn reduction(&self, signature: &str) -> Result<Option<Reduction>> {
        load(&self.db, signature)
    }

    /// The size of the reduced case of a finding, and what it shows.
    pub(super) fn reduced_form(&self, signature: &str) -> Result<Option<(u64, String)>> {
        let sql = "SELECT bytes, shown FROM reductions WHERE signature = ?1";
        let mut query = self.db.prepare_cached(sql)?;
        let form = query.query_row([signature], |row| {
            Ok((row.get::<_, i64>(0)? as u64, row.get(1)?))
        });
        Ok(form.optional()?)
    }

    /// Keeps a reduced case; false if a smaller one was there.
    pub fn record_reduction(&mut self, reduction: &Reduction) -> Result<bool> {
        let written = (|| -> Result<bool> {
            let transaction = self.db.transaction()?;
            let kept = insert(&transaction, reduction)?;
            transaction.commit()?;
            Ok(kept)
        })();
        written
            .with_context(|| self.path.display().to_string())
            .context(Fault::CannotWrite)
    }
}
