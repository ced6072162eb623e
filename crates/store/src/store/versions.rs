//! What the versions of a family show of a finding.

use anyhow::{Context, Result};
use lydite_core::Signature;
use lydite_core::version::Version;
use rusqlite::{Connection, params};

use super::{Store, commit};
use crate::record::{Seen, VersionRun};
use lydite_core::fault::Blame;

/// How [`Seen`] is stored.
const LETTERS: [(Seen, &str); 3] = [
    (Seen::Bad, "bad"),
    (Seen::Good, "good"),
    (Seen::Unclear, "unclear"),
];

impl Store {
    /// What versions showed so far, oldest first.
    pub fn versions(&self, signature: &Signature) -> Result<Vec<VersionRun>> {
        load(&self.db, &signature.to_string())
    }

    /// Keeps what a version showed.
    pub fn record_version(&mut self, signature: &Signature, run: &VersionRun) -> Result<()> {
        let text = signature.to_string();
        self.writing(&mut |db| {
            let transaction = db.unchecked_transaction()?;
            insert(&transaction, &text, run)?;
            commit(transaction)
        })
    }
}

fn insert(db: &Connection, signature: &str, run: &VersionRun) -> Result<()> {
    let (_, seen) = LETTERS[run.seen as usize];
    db.execute(
        "INSERT OR REPLACE INTO versions VALUES (?1, ?2, ?3, ?4)",
        params![signature, run.version.as_str(), seen, run.said],
    )?;
    Ok(())
}

fn load(db: &Connection, signature: &str) -> Result<Vec<VersionRun>> {
    let mut query = db.prepare_cached(
        "SELECT version, seen, said, whole FROM intact_versions WHERE signature = ?1",
    )?;
    let rows = query.query_map([signature], |row| {
        Ok((
            row.get::<_, String>(0)?,
            row.get::<_, String>(1)?,
            row.get::<_, String>(2)?,
        ))
    })?;
    let mut runs = Vec::new();
    for row in rows {
        let (version, seen, said) = row?;
        let known = LETTERS.iter().find(|(_, name)| *name == seen);
        let (seen, _) = known
            .with_context(|| format!("store: `{}` of a version", seen.escape_debug()))
            .or_usage()?;
        runs.push(VersionRun {
            version: Version::new(version),
            seen: *seen,
            said,
        });
    }
    runs.sort_by(|a, b| a.version.cmp(&b.version));
    Ok(runs)
}

/// Takes what another store knows and this one does not.
pub(super) fn merge(into: &Connection, from: &Connection) -> Result<()> {
    let mut signatures = from.prepare("SELECT DISTINCT signature FROM versions")?;
    for signature in signatures.query_map([], |row| row.get::<_, String>(0))? {
        let signature = signature?;
        let ours = load(into, &signature)?;
        for run in load(from, &signature)? {
            if !ours.iter().any(|other| other.version == run.version) {
                insert(into, &signature, &run)?;
            }
        }
    }
    Ok(())
}
