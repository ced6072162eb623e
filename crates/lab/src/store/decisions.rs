//! The decisions about findings.

use anyhow::{Context, Result};
use rusqlite::{Connection, params};

use super::Store;
use crate::clock;
use crate::fault::Fault;
use crate::triage::{Act, Decision, Standing};

impl Store {
    /// All decisions, oldest first.
    pub fn decisions(&self) -> Result<Vec<Decision>> {
        let sql = "SELECT id, at_ms, record FROM decisions ORDER BY at_ms, id";
        let mut query = self.db.prepare_cached(sql)?;
        let mut rows = query.query([])?;
        let mut decisions = Vec::new();
        while let Some(row) = rows.next()? {
            let id: String = row.get(0)?;
            let act = serde_json::from_str(&row.get::<_, String>(2)?)
                .with_context(|| format!("store: decision {id}"))?;
            decisions.push(Decision {
                id,
                at_ms: row.get(1)?,
                act,
            });
        }
        Ok(decisions)
    }

    /// How findings stand.
    pub fn standing(&self) -> Result<Standing> {
        Ok(Standing::of(&self.decisions()?))
    }

    /// Keeps a decision.
    pub fn decide(&mut self, act: &Act) -> Result<()> {
        // Two decisions of one moment keep their order.
        let last = self.decisions()?.last().map_or(i64::MIN, |last| last.at_ms);
        let at_ms = clock::now_ms().max(last.saturating_add(1));
        let record = serde_json::to_string(act)?;
        let text = format!("{at_ms} {} {record}", std::process::id());
        let id = blake3::hash(text.as_bytes()).to_hex().to_string();
        insert(&self.db, &id, at_ms, &record)
            .with_context(|| self.path.display().to_string())
            .context(Fault::CannotWrite)
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
    let mut query = from.prepare("SELECT id, at_ms, record FROM decisions")?;
    let mut rows = query.query([])?;
    while let Some(row) = rows.next()? {
        let (id, record): (String, String) = (row.get(0)?, row.get(2)?);
        insert(into, &id, row.get(1)?, &record)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use lydite_core::{Kind, Signature, Symptom};

    use super::*;
    use crate::campaign::{Filed, Job, Replays};
    use crate::process::Scratch;
    use crate::store::SessionRow;
    use crate::triage::Status;

    fn job(index: u64, signature_version: u32) -> Job {
        let symptom = Symptom {
            kind: Kind::Crash,
            target: "z3@4.8.7".parse().unwrap(),
            against: Vec::new(),
            program: 0,
            site: "boom".to_string(),
            evidence: "boom".to_string(),
        };
        let signature = Signature {
            version: signature_version,
            ..Signature::of(&symptom, &[])
        };
        Job {
            index,
            bytes: 100 - index,
            symptoms: vec![Filed {
                symptom,
                signature,
                known: None,
                options: BTreeMap::new(),
                replays: Replays { shown: 3, of: 3 },
            }],
            ..Job::default()
        }
    }

    #[test]
    fn a_new_signature_function_files_no_old_finding_anew() {
        let scratch = Scratch::new().unwrap();
        let folder = scratch.folder().unwrap();
        let mut store = Store::create(folder.path(), "0123456789").unwrap();
        let record = |store: &mut Store, jobs: Vec<Job>| {
            store.record(jobs, &SessionRow::default()).unwrap();
        };
        record(&mut store, vec![job(0, 0), job(1, 0)]);
        let old = "v0 crash z3 site=\"boom\"".to_string();
        let mark = Act::Mark {
            finding: old.clone(),
            status: Status::Reported,
            upstream: None,
            note: None,
        };
        store.decide(&mark).unwrap();
        let before = store.finding(&old).unwrap().unwrap();
        assert_eq!((before.count, before.index), (2, 1));
        // The same bug, filed by a newer function.
        record(&mut store, vec![job(2, 1), job(3, 1)]);
        drop(store);
        let mut store = Store::open(folder.path()).unwrap();
        assert_eq!(store.finding(&old).unwrap().unwrap(), before);
        let all = store.findings().unwrap();
        assert_eq!(all.len(), 2);
        // A person may say that they are one.
        let merge = Act::Merge {
            into: old.clone(),
            findings: vec!["v1 crash z3 site=\"boom\"".to_string()],
            why: None,
        };
        store.decide(&merge).unwrap();
        let lead = store.finding(&old).unwrap().unwrap();
        assert_eq!(lead.count, 4);
        assert_eq!(lead.mark, before.mark);
    }
}
