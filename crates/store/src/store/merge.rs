//! Joining the folders of shards: the records of one store are recorded in
//! another. Idempotent, and in any order the same.

use anyhow::Result;
use rusqlite::Row;

use super::case::Recording;
use super::{
    Store, commit, decisions, explained, insert_session, pace, reduction, schedules, trigger,
    versions, written,
};
use crate::record::{SessionRecord, Spent};
use lydite_core::fault::usage;

/// Takes into `into` every case of `from` that it lacks; returns how many.
pub fn merge(into: &mut Store, from: &Store) -> Result<u64> {
    let (ours, theirs) = (into.campaign()?, from.campaign()?);
    if ours != theirs {
        return Err(usage(format!(
            "{}: campaign {} cannot be merged with {}: plan, seeds, targets, their binaries, \
             limits or the version of lydite differ",
            from.path.display(),
            short(&theirs),
            short(&ours)
        )));
    }
    let path = into.path.clone();
    let sessions = from
        .sessions()
        .map_err(|error| explained(error, &from.path))?;
    let transaction = into.db.transaction()?;
    let mut recording = Recording::new(&transaction);
    let mut failed = None;
    let taken = from.each_case(u64::MAX, &mut |case| {
        let mut case = case.clone();
        if !case.symptoms.is_empty() {
            case.trigger = trigger::load(&from.db, case.index)?;
        }
        let added = recording.add(&case);
        // Whose failure it is decides what is said.
        failed = added.as_ref().err().map(|_| ());
        added
    });
    if let Err(error) = taken {
        return Err(match failed {
            Some(()) => written(error, &path),
            None => explained(error, &from.path),
        });
    }
    let recorded = recording.finish()?;
    reduction::merge(&transaction, &from.db)?;
    versions::merge(&transaction, &from.db)?;
    pace::merge(&transaction, &from.db)?;
    decisions::merge(&transaction, &from.db)?;
    schedules::merge(&transaction, &from.db)?;
    for session in &sessions {
        insert_session(&transaction, session)?;
    }
    commit(transaction).map_err(|error| written(error, &path))?;
    Ok(recorded.cases)
}

impl Store {
    /// The processes that worked on the campaign.
    fn sessions(&self) -> Result<Vec<SessionRecord>> {
        let sql = "SELECT id, started_ms, wall, make_cpu, judge_cpu, targets_cpu, own_cpu,
                   provenance, whole FROM intact_sessions ORDER BY id";
        let mut query = self.db.prepare(sql)?;
        let mut rows = query.query([])?;
        let time = |row: &Row<'_>, at: usize| -> Result<std::time::Duration> {
            let micros = row.get::<_, i64>(at)?.max(0);
            Ok(std::time::Duration::from_micros(micros as u64))
        };
        let mut sessions = Vec::new();
        while let Some(row) = rows.next()? {
            sessions.push(SessionRecord {
                id: row.get(0)?,
                started_ms: row.get(1)?,
                spent: Spent {
                    wall: time(row, 2)?,
                    make_cpu: time(row, 3)?,
                    judge_cpu: time(row, 4)?,
                    targets_cpu: time(row, 5)?,
                    own_cpu: time(row, 6)?,
                },
                provenance: serde_json::from_str(&row.get::<_, String>(7)?)?,
            });
        }
        Ok(sessions)
    }
}

fn short(id: &str) -> &str {
    id.get(..12).unwrap_or(id)
}
