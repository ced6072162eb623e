//! The schedules of a campaign, each written before its first case is made.

use anyhow::{Context, Result};
use rusqlite::{Connection, OptionalExtension, Transaction, params};

use super::Store;
use crate::record::{CaseRecord, ScheduleId, ScheduleRecord};
use lydite_core::fault::Blame;
use lydite_process::failpoint;

impl Store {
    /// Keeps a schedule. One that is there already stays.
    pub fn add_schedule(&self, schedule: &ScheduleRecord) -> Result<ScheduleId> {
        let id = schedule.id();
        let text = serde_json::to_string(schedule)?;
        self.writing(&mut |db| {
            failpoint::reach("commit")?;
            let sql = "INSERT OR IGNORE INTO schedules VALUES (?1, ?2, ?3, ?4, ?5)";
            db.execute(
                sql,
                params![
                    id.0 as i64, schedule.shard as i64, schedule.of as i64, schedule.round as i64,
                    text
                ],
            )?;
            failpoint::reach("committed")?;
            Ok(())
        })?;
        Ok(id)
    }

    /// The schedule of a round of shard `shard`, from 1, of `of`.
    pub fn schedule_of(&self, shard: u64, of: u64, round: u64) -> Result<Option<ScheduleRecord>> {
        let sql = "SELECT record, whole FROM intact_schedules
                   WHERE shard = ?1 AND shards = ?2 AND round = ?3 ORDER BY id LIMIT 1";
        let values = params![shard as i64, of as i64, round as i64];
        let text: Option<String> = self
            .db
            .query_row(sql, values, |row| row.get(0))
            .optional()?;
        text.map(|text| read(&text)).transpose()
    }

    /// The schedule of that name; none if the name stands for the plan alone.
    pub fn schedule(&self, id: ScheduleId) -> Result<Option<ScheduleRecord>> {
        if id.is_none() {
            return Ok(None);
        }
        let sql = "SELECT record, whole FROM intact_schedules WHERE id = ?1";
        let text: Option<String> = self
            .db
            .query_row(sql, [id.0 as i64], |row| row.get(0))
            .optional()?;
        let text = text
            .with_context(|| format!("store: schedule {id} is missing"))
            .or_usage()?;
        read(&text).map(Some)
    }

    /// All schedules, by shard and round.
    pub fn schedules(&self) -> Result<Vec<ScheduleRecord>> {
        let sql = "SELECT record, whole FROM intact_schedules ORDER BY shards, shard, round, id";
        let mut query = self.db.prepare(sql)?;
        let mut rows = query.query([])?;
        let mut schedules = Vec::new();
        while let Some(row) = rows.next()? {
            schedules.push(read(&row.get::<_, String>(0)?)?);
        }
        Ok(schedules)
    }

    /// The schedule that a case was drawn by.
    pub fn schedule_of_case(&self, index: u64) -> Result<ScheduleId> {
        let sql = "SELECT schedule, whole FROM intact_cases WHERE idx = ?1";
        let id: Option<i64> = self
            .db
            .query_row(sql, [index as i64], |row| row.get(0))
            .optional()?;
        Ok(ScheduleId(id.unwrap_or_default() as u64))
    }

    /// Hands over the cases of `numbers` that belong to the shard, lowest first, without their
    /// triggers.
    pub fn each_case_of(
        &self,
        numbers: std::ops::Range<u64>,
        step: u64,
        visit: &mut dyn FnMut(&CaseRecord),
    ) -> Result<()> {
        let start = numbers.start;
        self.each_case_in(numbers, &mut |case| {
            if (case.index - start).is_multiple_of(step.max(1)) {
                visit(case);
            }
            Ok(())
        })
    }
}

fn read(text: &str) -> Result<ScheduleRecord> {
    serde_json::from_str(text)
        .context("store: a schedule")
        .or_usage()
}

pub(super) fn merge(into: &Transaction<'_>, from: &Connection) -> Result<()> {
    let mut query =
        from.prepare("SELECT id, shard, shards, round, record, whole FROM intact_schedules")?;
    let mut rows = query.query([])?;
    let sql = "INSERT OR IGNORE INTO schedules VALUES (?1, ?2, ?3, ?4, ?5)";
    let mut insert = into.prepare(sql)?;
    while let Some(row) = rows.next()? {
        let numbers: [i64; 4] = [row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?];
        let text: String = row.get(4)?;
        let [id, shard, shards, round] = numbers;
        insert.execute(params![id, shard, shards, round, text])?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::SessionRecord;
    use crate::store::merge;
    use crate::store::tests::store_in;
    use lydite_process::Scratch;

    fn schedule(shard: u64, round: u64) -> ScheduleRecord {
        ScheduleRecord {
            shard,
            of: 2,
            round,
            cases: 32 * round,
            ..ScheduleRecord::default()
        }
    }

    #[test]
    fn the_schedules_of_shards_are_all_there_after_a_merge() {
        let scratch = Scratch::new().unwrap();
        let folders = [(); 3].map(|()| scratch.folder().unwrap());
        let mut stores = folders.each_ref().map(store_in);
        for round in 1..3 {
            stores[0].1.add_schedule(&schedule(1, round)).unwrap();
            stores[1].1.add_schedule(&schedule(2, round)).unwrap();
            stores[1].1.add_schedule(&schedule(2, round)).unwrap();
        }
        let [(_, first), (_, second), (_, into)] = &mut stores;
        for _ in 0..2 {
            merge(into, first).unwrap();
            merge(into, second).unwrap();
        }
        let all: Vec<(u64, u64)> = into
            .schedules()
            .unwrap()
            .iter()
            .map(|s| (s.shard, s.round))
            .collect();
        assert_eq!(all, [(1, 1), (1, 2), (2, 1), (2, 2)]);
        assert_eq!(into.schedule_of(2, 2, 1).unwrap(), Some(schedule(2, 1)));
        assert_eq!(into.schedule_of(1, 1, 1).unwrap(), None);
        let id = schedule(2, 2).id();
        assert_eq!(into.schedule(id).unwrap(), Some(schedule(2, 2)));
        assert_eq!(into.schedule(ScheduleId::default()).unwrap(), None);
        assert!(into.schedule(ScheduleId(7)).is_err());
    }

    #[test]
    fn a_case_that_two_schedules_drew_is_refused() {
        let scratch = Scratch::new().unwrap();
        let folder = scratch.folder().unwrap();
        let (_locked, mut store) = store_in(&folder);
        let case = |schedule| CaseRecord {
            index: 3,
            schedule: ScheduleId(schedule),
            ..CaseRecord::default()
        };
        let session = SessionRecord::default();
        store.record(&[case(5)], &session).unwrap();
        store.record(&[case(5)], &session).unwrap();
        assert_eq!(store.schedule_of_case(3).unwrap(), ScheduleId(5));
        let error = store.record(&[case(6)], &session).unwrap_err();
        assert!(format!("{error:#}").contains("two schedules"), "{error:#}");
    }
}
