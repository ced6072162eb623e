//! The reduced case of a signature.

use anyhow::{Context, Result};
use lydite_core::Signature;
use rusqlite::{Connection, OptionalExtension, Transaction, params};

use super::{Store, commit, signature, trigger};
use crate::record::{TriggerRecord, options_of};

/// A reduced case with its trigger.
#[derive(Clone, Debug, PartialEq)]
pub struct Reduction {
    /// The signature of the finding that it belongs to.
    pub signature: Signature,
    /// The size of its programs, in bytes.
    pub bytes: u64,
    /// The signature that it shows itself: it may use less than the original.
    pub shown: Signature,
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
    let text = reduction.signature.to_string();
    let known: Option<(i64, String, String)> = db
        .prepare_cached(
            "SELECT bytes, shown, record, whole FROM intact_reductions WHERE signature = ?1",
        )?
        .query_row([&text], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
        .optional()?;
    let options = options_of(&reduction.shown).len();
    if let Some((bytes, shown, known)) = known {
        let known = (bytes, options_of(&signature(&shown)?).len(), known);
        if known <= (reduction.bytes as i64, options, record.clone()) {
            return Ok(false);
        }
    }
    let signature = &text;
    db.execute("DELETE FROM reductions WHERE signature = ?1", [signature])?;
    db.execute(
        "DELETE FROM reduction_files WHERE signature = ?1",
        [signature],
    )?;
    db.execute(
        "INSERT INTO reductions VALUES (?1, ?2, ?3, ?4, ?5)",
        params![
            signature,
            reduction.bytes as i64,
            reduction.shown.to_string(),
            reduction.evidence,
            record
        ],
    )?;
    for file in &reduction.trigger.files {
        db.execute(
            "INSERT INTO reduction_files VALUES (?1, ?2, ?3)",
            params![signature, file.path.as_str(), file.content],
        )?;
    }
    Ok(true)
}

pub(super) fn load(db: &Connection, text: &str) -> Result<Option<Reduction>> {
    let row: Option<(i64, String, String, String)> = db
        .prepare_cached(
            "SELECT bytes, shown, evidence, record, whole FROM intact_reductions WHERE signature = ?1",
        )?
        .query_row([text], |row| {
            Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?))
        })
        .optional()?;
    let Some((bytes, shown, evidence, record)) = row else {
        return Ok(None);
    };
    let sql = "SELECT path, content, whole FROM intact_reduction_files WHERE signature = ?1 ORDER BY path";
    let mut query = db.prepare_cached(sql)?;
    let files = query.query_map([text], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(Some(Reduction {
        signature: signature(text)?,
        bytes: bytes as u64,
        shown: signature(&shown)?,
        evidence,
        trigger: trigger::read(&record, files).context("store: a reduced case")?,
    }))
}

/// Takes the reductions of another store.
pub(super) fn merge(into: &Transaction<'_>, from: &Connection) -> Result<()> {
    let mut signatures =
        from.prepare("SELECT signature, whole FROM intact_reductions ORDER BY signature")?;
    for signature in signatures.query_map([], |row| row.get::<_, String>(0))? {
        if let Some(reduction) = load(from, &signature?)? {
            insert(into, &reduction)?;
        }
    }
    Ok(())
}

impl Store {
    /// The reduced case of a finding.
    pub fn reduction(&self, signature: &Signature) -> Result<Option<Reduction>> {
        load(&self.db, &signature.to_string())
    }

    /// The size of the reduced case of a finding, and what it shows.
    pub(super) fn reduced_form(&self, text: &str) -> Result<Option<(u64, Signature)>> {
        let sql = "SELECT bytes, shown, whole FROM intact_reductions WHERE signature = ?1";
        let mut query = self.db.prepare_cached(sql)?;
        let form: Option<(i64, String)> = query
            .query_row([text], |row| Ok((row.get(0)?, row.get(1)?)))
            .optional()?;
        form.map(|(bytes, shown)| Ok((bytes as u64, signature(&shown)?)))
            .transpose()
    }

    /// Keeps a reduced case; false if a smaller one was there.
    pub fn record_reduction(&mut self, reduction: &Reduction) -> Result<bool> {
        self.writing(&mut |db| {
            let transaction = db.unchecked_transaction()?;
            let kept = insert(&transaction, reduction)?;
            commit(transaction)?;
            Ok(kept)
        })
    }
}
