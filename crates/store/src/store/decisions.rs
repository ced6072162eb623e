//! The decisions about findings.

use anyhow::{Context, Result};
use rusqlite::{Connection, params};

use super::{Store, commit, inspection};
use crate::clock;
use crate::folder::ReadFolder;
use crate::record::{Act, Decision, Standing};
use lydite_core::fault::Blame;

impl Store {
    /// All decisions, oldest first.
    pub fn decisions(&self) -> Result<Vec<Decision>> {
        let sql = "SELECT id, at_ms, record, whole FROM intact_decisions ORDER BY at_ms, id";
        let mut query = self.db.prepare_cached(sql)?;
        let mut rows = query.query([])?;
        let mut decisions = Vec::new();
        while let Some(row) = rows.next()? {
            let id: String = row.get(0)?;
            let act = serde_json::from_str(&row.get::<_, String>(2)?)
                .with_context(|| format!("store: decision {}", id.escape_debug()))
                .or_usage()?;
            decisions.push(Decision {
                id,
                at_ms: row.get(1)?,
                act,
            });
        }
        Ok(decisions)
    }

    /// How all findings stand after these decisions.
    pub fn standing(&self) -> Result<Standing> {
        Ok(Standing::of(&self.decisions()?))
    }

    /// Keeps a decision.
    pub fn decide(&mut self, act: &Act) -> Result<()> {
        // Two decisions of one moment keep their order, also where the clock
        // goes back.
        let last = self.decisions()?.last().map_or(i64::MIN, |last| last.at_ms);
        let at_ms = clock::now_ms().max(last.saturating_add(1));
        let record = serde_json::to_string(act)?;
        let text = format!("{at_ms} {} {record}", std::process::id());
        let id = blake3::hash(text.as_bytes()).to_hex().to_string();
        self.writing(&mut |db| {
            let transaction = db.unchecked_transaction()?;
            insert(&transaction, &id, at_ms, &record)?;
            commit(transaction)
        })
    }
}

/// A store in which nothing but decisions can be written. It needs no lock: a
/// decision is a row of its own, and a hunt that is at work in the folder
/// writes what follows from it when it ends.
pub struct DecisionStore(Store);

impl DecisionStore {
    /// Opens the decisions of the campaign in this folder.
    pub fn open(folder: &ReadFolder) -> Result<DecisionStore> {
        let store = Store::open_to_write(folder, inspection::SMALL)?;
        // Nobody can make a decision again: it outlasts a power cut.
        store.db.pragma_update(None, "synchronous", "FULL")?;
        Ok(DecisionStore(store))
    }

    /// The store, for reading.
    pub fn store(&self) -> &Store {
        &self.0
    }

    /// Keeps a decision.
    pub fn decide(&mut self, act: &Act) -> Result<()> {
        self.0.decide(act)?;
        if self.0.inspection.borrow().is_none() {
            // Out of the log: as much of it as nobody reads just now.
            let sql = "PRAGMA wal_checkpoint(PASSIVE)";
            self.0.db.query_row(sql, [], |_| Ok(()))?;
        }
        Ok(())
    }
}

fn insert(db: &Connection, id: &str, at_ms: i64, record: &str) -> Result<()> {
    db.execute(
        "INSERT OR IGNORE INTO decisions VALUES (?1, ?2, ?3)",
        params![id, at_ms, record],
    )?;
    Ok(())
}

/// Takes the decisions of another store.
pub(super) fn merge(into: &Connection, from: &Connection) -> Result<()> {
    let mut query = from.prepare("SELECT id, at_ms, record, whole FROM intact_decisions")?;
    let mut rows = query.query([])?;
    while let Some(row) = rows.next()? {
        let (id, record): (String, String) = (row.get(0)?, row.get(2)?);
        insert(into, &id, row.get(1)?, &record)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{CaseRecord, Replays, SessionRecord, Status, SymptomRecord};
    use crate::store::tests::store_in;
    use lydite_process::Scratch;

    fn case(index: u64, version: u32) -> CaseRecord {
        CaseRecord {
            index,
            bytes: 100 - index,
            symptoms: vec![SymptomRecord {
                signature: format!("v{version} crash z3 site=\"boom\"")
                    .parse()
                    .unwrap(),
                target: "z3@4.8.7".parse().unwrap(),
                against: Vec::new(),
                program: 0,
                evidence: "boom".to_string(),
                bytes: 100 - index,
                known: None,
                replays: Replays { shown: 3, of: 3 },
            }],
            ..CaseRecord::default()
        }
    }

    #[test]
    fn a_new_signature_function_files_no_old_finding_anew() {
        let scratch = Scratch::new().unwrap();
        let folder = scratch.folder().unwrap();
        let (locked, mut store) = store_in(&folder);
        let record = |store: &mut Store, cases: &[CaseRecord]| {
            store.record(cases, &SessionRecord::default()).unwrap();
        };
        record(&mut store, &[case(0, 0), case(1, 0)]);
        let old = "v0 crash z3 site=\"boom\"".to_string();
        let mark = Act::Mark {
            finding: old.clone(),
            status: Status::Reported,
            upstream: None,
            note: None,
        };
        store.decide(&mark).unwrap();
        let signature = old.parse().unwrap();
        let before = store.finding(&signature).unwrap().unwrap();
        assert_eq!((before.count, before.index), (2, 1));
        // The same bug, filed by a newer function.
        record(&mut store, &[case(2, 1), case(3, 1)]);
        drop(store);
        let mut store = Store::open(&locked).unwrap();
        assert_eq!(store.finding(&signature).unwrap().unwrap(), before);
        let all = store.findings().unwrap();
        assert_eq!(all.len(), 2);
        // A person may say that they are one.
        let merge = Act::Merge {
            into: old.clone(),
            findings: vec!["v1 crash z3 site=\"boom\"".to_string()],
            why: None,
        };
        store.decide(&merge).unwrap();
        let lead = store.finding(&signature).unwrap().unwrap();
        assert_eq!(lead.count, 4);
        assert_eq!(lead.mark, before.mark);
    }
}
