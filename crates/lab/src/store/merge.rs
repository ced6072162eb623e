//! Joining the folders of shards. Idempotent, and in any order the same.

use anyhow::{Result, bail};
use rusqlite::params;

use super::{
    Store, decisions, insert_symptom, pace, query::symptom_row, reduction, trigger, versions,
};

/// Takes into `into` every case of `from` that it lacks.
pub fn merge(into: &mut Store, from: &Store) -> Result<u64> {
    let (ours, theirs) = (into.campaign()?, from.campaign()?);
    if ours != theirs {
        bail!(
            "{}: campaign {} cannot be merged with {}: plan, seeds, targets or limits differ",
            from.path.display(),
            short(&theirs),
            short(&ours)
        );
    }
    let transaction = into.db.transaction()?;
    let mut taken = 0;
    {
        let mut cases = from
            .db
            .prepare("SELECT idx, strategy, bytes, failure, unconfirmed, runs FROM cases")?;
        let mut symptoms = from.db.prepare(
            "SELECT signature, kind, target, against, program, evidence, bytes, known, shown,
             replays, seq FROM symptoms WHERE idx = ?1",
        )?;
        let mut remarks = from
            .db
            .prepare("SELECT target, what, decided, count FROM remarks WHERE idx = ?1")?;
        let mut rows = cases.query([])?;
        while let Some(row) = rows.next()? {
            let index: i64 = row.get(0)?;
            let inserted = transaction
                .prepare_cached("INSERT OR IGNORE INTO cases VALUES (?1, ?2, ?3, ?4, ?5, ?6)")?
                .execute(params![
                    index,
                    row.get::<_, i64>(1)?,
                    row.get::<_, i64>(2)?,
                    row.get::<_, Option<String>>(3)?,
                    row.get::<_, i64>(4)?,
                    row.get::<_, Vec<u8>>(5)?
                ])?;
            if inserted == 0 {
                continue;
            }
            taken += 1;
            let mut rows = symptoms.query([index])?;
            while let Some(row) = rows.next()? {
                let seq = row.get::<_, i64>(10)? as u64;
                insert_symptom(&transaction, index as u64, seq, &symptom_row(row)?)?;
            }
            let mut rows = remarks.query([index])?;
            while let Some(row) = rows.next()? {
                transaction.execute(
                    "INSERT INTO remarks VALUES (?1, ?2, ?3, ?4, ?5)",
                    params![
                        index,
                        row.get::<_, i64>(0)?,
                        row.get::<_, String>(1)?,
                        row.get::<_, i64>(2)?,
                        row.get::<_, i64>(3)?
                    ],
                )?;
            }
        }
        // Each store keeps the smallest case of each of its signatures, so
        // the smallest of all is in one of them.
        let mut triggers = from.db.prepare("SELECT idx FROM triggers")?;
        for index in triggers.query_map([], |row| row.get::<_, i64>(0))? {
            let index = index? as u64;
            if let Some(record) = trigger::load(&from.db, index)? {
                trigger::insert(&transaction, index, &record)?;
            }
        }
        reduction::merge(&transaction, &from.db)?;
        versions::merge(&transaction, &from.db)?;
        pace::merge(&transaction, &from.db)?;
        decisions::merge(&transaction, &from.db)?;
        let mut sessions = from.db.prepare("SELECT * FROM sessions")?;
        let mut rows = sessions.query([])?;
        while let Some(row) = rows.next()? {
            transaction.execute(
                // A session only grows: the larger of two copies is the later.
                "INSERT INTO sessions VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
                 ON CONFLICT (id) DO UPDATE SET wall = MAX(wall, excluded.wall),
                 make_cpu = MAX(make_cpu, excluded.make_cpu),
                 judge_cpu = MAX(judge_cpu, excluded.judge_cpu),
                 targets_cpu = MAX(targets_cpu, excluded.targets_cpu),
                 own_cpu = MAX(own_cpu, excluded.own_cpu)",
                params![
                    row.get::<_, String>(0)?,
                    row.get::<_, i64>(1)?,
                    row.get::<_, i64>(2)?,
                    row.get::<_, i64>(3)?,
                    row.get::<_, i64>(4)?,
                    row.get::<_, i64>(5)?,
                    row.get::<_, i64>(6)?
                ],
            )?;
        }
    }
    trigger::prune(&transaction)?;
    transaction.commit()?;
    Ok(taken)
}

fn short(id: &str) -> &str {
    id.get(..12).unwrap_or(id)
}
