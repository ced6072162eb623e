//! Finished cases, one by one: how they get in and out.

use std::collections::BTreeMap;

use anyhow::{Context, Result};
use lydite_core::{Signature, TargetName};
use rusqlite::{Connection, OptionalExtension, Row, Transaction, params};

use super::signatures::{Counted, counted};
use super::sums::Sums;
use super::{Recorded, Store, seal, signature, signatures, trigger};
use crate::record::{
    Arms, CaseRecord, Done, Failure, RemarkRecord, Replays, Runs, ScheduleId, SymptomRecord,
};
use lydite_core::fault::Blame;

/// Cases on their way into a store, in one transaction.
pub(super) struct Recording<'a> {
    db: &'a Transaction<'a>,
    recorded: Recorded,
    changed: BTreeMap<Signature, bool>,
    sums: Sums,
    /// The stretches of cases that are touched, as they are then.
    done: Done,
    touched: BTreeMap<u64, u64>,
}

impl<'a> Recording<'a> {
    pub(super) fn new(db: &'a Transaction<'a>) -> Recording<'a> {
        Recording {
            db,
            recorded: Recorded::default(),
            changed: BTreeMap::new(),
            sums: Sums::default(),
            done: Done::default(),
            touched: BTreeMap::new(),
        }
    }

    /// Adds a case. One that is there already gains what it lacks.
    pub(super) fn add(&mut self, record: &CaseRecord) -> Result<()> {
        if i64::try_from(record.index).is_err() {
            let words = format!("case {}: no store has so many", record.index);
            return Err(lydite_core::fault::usage(words));
        }
        if insert_case(self.db, record)? {
            self.recorded.cases += 1;
            self.recorded.runs += record.runs.count();
            let rejected = record.failure.as_ref().is_some_and(Failure::is_reject);
            self.recorded.rejects += u64::from(rejected);
            self.note_done(record.index)?;
            return self.add_facts(record, &[]);
        }
        if record.symptoms.is_empty() && has_run(self.db, record)? {
            // The same run, sent twice.
            return Ok(());
        }
        let before = load(self.db, record.index)?.context("store: a case came and went")?;
        refuse_other_schedule(&before, record)?;
        let signatures: Vec<Signature> = before
            .symptoms
            .iter()
            .map(|s| s.signature.clone())
            .collect();
        let joined = before.clone().join(CaseRecord {
            trigger: record.trigger.clone(),
            ..record.clone()
        });
        self.sums.add(&before, -1);
        remove_case(self.db, record.index)?;
        insert_case(self.db, &joined)?;
        self.add_facts(&joined, &signatures)
    }

    /// The symptoms and remarks of a case that was inserted, and the case itself
    /// if it is some signature's smallest now. `before` are the signatures that
    /// it had when it was there already.
    fn add_facts(&mut self, record: &CaseRecord, before: &[Signature]) -> Result<()> {
        let db = self.db;
        self.sums.add(record, 1);
        insert_remarks(db, record)?;
        let mut affected: BTreeMap<Signature, Option<Counted>> = BTreeMap::new();
        let now = record.symptoms.iter().map(|symptom| &symptom.signature);
        for signature in now.chain(before) {
            let text = signature.to_string();
            affected.insert(signature.clone(), counted(db, &text)?);
        }
        for (seq, symptom) in record.symptoms.iter().enumerate() {
            insert_symptom(db, record.index, seq as u64, symptom)?;
        }
        if !before.is_empty() {
            let texts: Vec<String> = affected.keys().map(ToString::to_string).collect();
            let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
            signatures::fill(db, Some(&texts))?;
        }
        let mut replaced = Vec::new();
        for (signature, before) in affected {
            let after = counted(db, &signature.to_string())?;
            let smallest = |counted: Option<Counted>| counted.map(|counted| counted.smallest);
            if smallest(after) != smallest(before) {
                replaced.extend(before.map(|before| before.smallest.index));
                let new = self.changed.entry(signature).or_default();
                *new |= before.is_none();
            }
        }
        if let Some(case) = &record.trigger
            && signatures::is_smallest(db, record.index)?
        {
            trigger::insert(db, record.index, case)?;
        }
        for index in replaced {
            trigger::remove_unless_smallest(db, index)?;
        }
        Ok(())
    }

    fn note_done(&mut self, index: u64) -> Result<()> {
        let (stretch, _) = self.done.stretch_of(index);
        if self.touched.insert(stretch, index).is_none() {
            load_stretch(self.db, stretch, &mut self.done)?;
        }
        self.done.insert(index);
        Ok(())
    }

    /// Writes what was summed up.
    pub(super) fn finish(mut self) -> Result<Recorded> {
        self.sums.write(self.db)?;
        let sql = "INSERT OR REPLACE INTO done VALUES (?1, ?2)";
        let mut insert = self.db.prepare_cached(sql)?;
        for index in self.touched.values() {
            let (stretch, bits) = self.done.stretch_of(*index);
            insert.execute(params![stretch as i64, bits])?;
        }
        self.recorded.changed = self.changed.into_iter().collect();
        Ok(self.recorded)
    }
}

/// An error if a case was drawn by two schedules: these are two cases of one
/// number, and only one can be kept.
fn refuse_other_schedule(ours: &CaseRecord, theirs: &CaseRecord) -> Result<()> {
    if ours.schedule == theirs.schedule {
        return Ok(());
    }
    Err(lydite_core::fault::usage(format!(
        "case {} was drawn by two schedules: the same shard ran twice on its own; run shards \
         (--shard 1/2, --shard 2/2), another seed, or with schedule = \"fixed\"",
        ours.index
    )))
}

fn insert_case(db: &Transaction<'_>, record: &CaseRecord) -> Result<bool> {
    let failure = record.failure.as_ref().map(ToString::to_string);
    let inserted = db
        .prepare_cached("INSERT OR IGNORE INTO cases VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)")?
        .execute(params![
            record.index as i64,
            record.strategy as i64,
            record.bytes as i64,
            failure,
            record.unconfirmed as i64,
            record.runs.bytes(),
            record.schedule.0 as i64,
            record.arms.to_string()
        ])?;
    Ok(inserted > 0)
}

/// True if the stored runs are these very ones, times and all.
fn has_run(db: &Transaction<'_>, record: &CaseRecord) -> Result<bool> {
    let sql = "SELECT EXISTS (SELECT 1 FROM cases WHERE idx = ?1 AND runs = ?2
               AND length(runs) > 0 AND unconfirmed = ?3)";
    let mut query = db.prepare_cached(sql)?;
    let values = params![
        record.index as i64,
        record.runs.bytes(),
        record.unconfirmed as i64
    ];
    Ok(query.query_row(values, |row| row.get(0))?)
}

fn remove_case(db: &Transaction<'_>, index: u64) -> Result<()> {
    for table in ["cases", "symptoms", "remarks"] {
        let sql = format!("DELETE FROM {table} WHERE idx = ?1");
        db.prepare_cached(&sql)?.execute([index as i64])?;
    }
    Ok(())
}

fn insert_remarks(db: &Transaction<'_>, record: &CaseRecord) -> Result<()> {
    for remark in &record.remarks {
        let sql = "INSERT INTO remarks VALUES (?1, ?2, ?3, ?4, 1)
                   ON CONFLICT (idx, target, what) DO UPDATE SET count = count + 1";
        db.prepare_cached(sql)?.execute(params![
            record.index as i64, remark.target as i64, remark.what, remark.decided
        ])?;
    }
    Ok(())
}

fn insert_symptom(db: &Transaction<'_>, index: u64, seq: u64, row: &SymptomRecord) -> Result<()> {
    let against: Vec<String> = row.against.iter().map(ToString::to_string).collect();
    let sql =
        "INSERT INTO symptoms VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)";
    db.prepare_cached(sql)?.execute(params![
        index as i64,
        seq as i64,
        row.signature.to_string(),
        row.kind().name(),
        row.target.family,
        row.target.to_string(),
        against.join(" "),
        row.program as i64,
        row.evidence,
        row.bytes as i64,
        row.known,
        row.replays.shown,
        row.replays.of
    ])?;
    Ok(())
}

/// The columns that [`symptom_record`] reads, of a table `s`.
pub(super) const SYMPTOM: &str =
    "s.signature, s.target, s.against, s.program, s.evidence, s.bytes, s.known, s.shown, s.replays";

/// A symptom from a row that begins with [`SYMPTOM`].
pub(super) fn symptom_record(row: &Row<'_>) -> Result<SymptomRecord> {
    let name = |text: &str| -> Result<TargetName> {
        text.parse()
            .with_context(|| format!("store: `{}` is no target", text.escape_debug()))
            .or_usage()
    };
    let against: String = row.get(2)?;
    Ok(SymptomRecord {
        signature: signature(&row.get::<_, String>(0)?)?,
        target: name(&row.get::<_, String>(1)?)?,
        against: against
            .split_whitespace()
            .map(name)
            .collect::<Result<_>>()?,
        program: row.get::<_, i64>(3)? as u64,
        evidence: row.get(4)?,
        bytes: row.get::<_, i64>(5)? as u64,
        known: row.get(6)?,
        replays: Replays {
            shown: row.get(7)?,
            of: row.get(8)?,
        },
    })
}

const CASE: &str = "idx, strategy, bytes, failure, unconfirmed, runs, schedule, arms";

/// A case from a row with the columns of [`CASE`], with symptoms and remarks.
fn case_record(db: &Connection, row: &Row<'_>) -> Result<CaseRecord> {
    let index: i64 = row.get(0)?;
    if index < 0 {
        let words = format!("store: {index} is no case");
        return Err(lydite_core::fault::usage(words));
    }
    let failure: Option<String> = row.get(3)?;
    let failure = failure.map(|text| text.parse::<Failure>()).transpose();
    let arms = row.get::<_, String>(7)?.parse::<Arms>();
    let mut record = CaseRecord {
        index: index as u64,
        strategy: row.get::<_, i64>(1)? as u64,
        bytes: row.get::<_, i64>(2)? as u64,
        failure: failure.context("store").or_usage()?,
        unconfirmed: row.get::<_, i64>(4)? as u64,
        runs: Runs::from_bytes(row.get(5)?),
        schedule: ScheduleId(row.get::<_, i64>(6)? as u64),
        arms: arms.context("store").or_usage()?,
        ..CaseRecord::default()
    };
    let sql =
        format!("SELECT {SYMPTOM}, s.whole FROM intact_symptoms s WHERE s.idx = ?1 ORDER BY s.seq");
    let mut symptoms = db.prepare_cached(&sql)?;
    let mut rows = symptoms.query([index])?;
    while let Some(row) = rows.next()? {
        record.symptoms.push(symptom_record(row)?);
    }
    let sql = "SELECT target, what, decided, count, whole FROM intact_remarks WHERE idx = ?1";
    let mut remarks = db.prepare_cached(sql)?;
    let mut rows = remarks.query([index])?;
    while let Some(row) = rows.next()? {
        let remark = RemarkRecord {
            target: row.get::<_, i64>(0)? as u64,
            what: row.get(1)?,
            decided: row.get(2)?,
        };
        let count = row.get::<_, i64>(3)?.clamp(0, MOST_REMARKS) as usize;
        record.remarks.extend(std::iter::repeat_n(remark, count));
    }
    Ok(record)
}

/// No oracle says the same of one target and case more often.
const MOST_REMARKS: i64 = 10_000;

/// A case as it is stored, with what is kept of it whole.
fn load(db: &Connection, index: u64) -> Result<Option<CaseRecord>> {
    let sql = format!("SELECT {CASE}, whole FROM intact_cases WHERE idx = ?1");
    let mut query = db.prepare_cached(&sql)?;
    let mut rows = query.query([index as i64])?;
    let Some(row) = rows.next()? else {
        return Ok(None);
    };
    let mut record = case_record(db, row)?;
    record.trigger = trigger::load(db, index)?;
    Ok(Some(record))
}

fn load_stretch(db: &Connection, stretch: u64, done: &mut Done) -> Result<()> {
    let sql = "SELECT bits, whole FROM intact_done WHERE stretch = ?1";
    let mut query = db.prepare_cached(sql)?;
    let bits: Option<Vec<u8>> = query
        .query_row([stretch as i64], |row| row.get(0))
        .optional()?;
    if let Some(bits) = bits {
        add_stretch(done, stretch, &bits)?;
    }
    Ok(())
}

fn add_stretch(done: &mut Done, stretch: u64, bits: &[u8]) -> Result<()> {
    match done.add_stretch(stretch, bits) {
        true => Ok(()),
        false => Err(lydite_core::fault::usage(
            "store: its list of finished cases is damaged",
        )),
    }
}

/// Which cases are finished.
pub(super) fn finished(db: &Connection) -> Result<Done> {
    let mut done = Done::default();
    let mut query = db.prepare("SELECT stretch, bits, whole FROM intact_done ORDER BY 1")?;
    let mut rows = query.query([])?;
    while let Some(row) = rows.next()? {
        let stretch = row.get::<_, i64>(0)? as u64;
        add_stretch(&mut done, stretch, row.get_ref(1)?.as_blob()?)?;
    }
    Ok(done)
}

impl Store {
    /// Which cases are finished.
    pub fn finished(&self) -> Result<Done> {
        finished(&self.db)
    }

    /// Hands over the cases below `end`, lowest index first, without their triggers.
    pub fn each_case(
        &self,
        end: u64,
        visit: &mut dyn FnMut(&CaseRecord) -> Result<()>,
    ) -> Result<()> {
        self.each_case_in(0..end, visit)
    }

    /// The same for the cases of these numbers.
    pub(super) fn each_case_in(
        &self,
        numbers: std::ops::Range<u64>,
        visit: &mut dyn FnMut(&CaseRecord) -> Result<()>,
    ) -> Result<()> {
        let sql = format!(
            "SELECT {CASE}, whole FROM intact_cases WHERE idx >= ?1 AND idx < ?2 ORDER BY idx"
        );
        let mut cases = self.db.prepare(&sql)?;
        let signed = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
        let _together = self.at_one_moment()?;
        let mut rows = cases.query([signed(numbers.start), signed(numbers.end)])?;
        let mut there = 0;
        while let Some(row) = rows.next()? {
            visit(&case_record(&self.db, row)?)?;
            there += 1;
        }
        let done = self.finished()?.count_in(numbers);
        match there == done {
            true => Ok(()),
            // A damaged page may lead past some of them.
            false => {
                let words = format!("{done} cases are done, {there} are there");
                Err(seal::damaged(Some(words)).into())
            }
        }
    }

    /// How many cases below `end` are missing, and the first of them; every case is looked at.
    pub fn missing(&self, end: u64) -> Result<Option<(u64, u64)>> {
        let sql = "SELECT idx, whole FROM intact_cases WHERE idx >= 0 AND idx < ?1 ORDER BY idx";
        let mut query = self.db.prepare(sql)?;
        let mut rows = query.query([i64::try_from(end).unwrap_or(i64::MAX)])?;
        let (mut there, mut first) = (0, None);
        while let Some(row) = rows.next()? {
            if row.get::<_, i64>(0)? as u64 != there && first.is_none() {
                first = Some(there);
            }
            there += 1;
        }
        let missing = end.saturating_sub(there);
        Ok((missing > 0).then(|| (missing, first.unwrap_or(there))))
    }

    /// The numbers of cases that are the smallest of a signature, but have no trigger in the store.
    pub fn lacking(&self) -> Result<Vec<u64>> {
        let sql = "SELECT DISTINCT best_idx FROM signatures
                   WHERE best_idx NOT IN (SELECT idx FROM triggers) ORDER BY 1";
        let mut query = self.db.prepare(sql)?;
        let rows = query.query_map([], |row| row.get::<_, i64>(0))?;
        rows.map(|index| Ok(index? as u64)).collect()
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::record::{RunRecord, SessionRecord, TriggerRecord};
    use crate::store::merge;
    use crate::store::tests::store_in;
    use lydite_process::Scratch;

    /// Case `index`, whose one run shows a crash of these sites, so often of 3.
    pub(in crate::store) fn case(
        index: u64,
        bytes: u64,
        outcome: u8,
        sites: &[(&str, u32)],
    ) -> CaseRecord {
        let run = RunRecord {
            outcome,
            wall: std::time::Duration::from_micros(index + u64::from(outcome)),
            ..RunRecord::default()
        };
        let symptom = |(site, shown): &(&str, u32)| SymptomRecord {
            signature: format!("v1 crash z3 site=\"{site}\"").parse().unwrap(),
            target: "z3@4.8.7".parse().unwrap(),
            against: Vec::new(),
            program: 0,
            evidence: site.to_string(),
            bytes,
            known: None,
            replays: Replays {
                shown: *shown,
                of: 3,
            },
        };
        CaseRecord {
            index,
            bytes,
            runs: [run].into_iter().collect(),
            symptoms: sites.iter().map(symptom).collect(),
            trigger: (!sites.is_empty()).then(TriggerRecord::missing),
            ..CaseRecord::default()
        }
    }

    pub(in crate::store) fn record(store: &mut Store, cases: &[CaseRecord]) {
        store.record(cases, &SessionRecord::default()).unwrap();
    }

    pub(in crate::store) fn essence(store: &Store) -> String {
        let mut text = format!("{:?} {:?}\n", store.finished().unwrap().ranges(), {
            let totals = store.totals().unwrap();
            (totals.cases, totals.bytes, totals.runs, totals.outcomes)
        });
        store
            .each_case(u64::MAX, &mut |case| {
                text += &format!("{case:?}\n");
                Ok(())
            })
            .unwrap();
        for row in store.findings().unwrap() {
            text += &format!("{row:?}\n");
            assert!(store.trigger(row.index).unwrap().is_some(), "{text}");
        }
        assert!(store.lacking().unwrap().is_empty());
        text
    }

    #[test]
    fn a_flaky_case_that_ran_twice_loses_nothing_in_any_order() {
        let scratch = Scratch::new().unwrap();
        // A calm machine saw nothing in case 0; a busy one crashed in 0 and 1.
        let calm = vec![case(0, 10, 0, &[])];
        let busy = vec![
            case(0, 10, 4, &[("boom", 1)]),
            case(1, 20, 4, &[("boom", 1)]),
        ];
        let third = vec![case(1, 20, 4, &[("boom", 3), ("other", 2)])];
        let mut expected = None;
        for order in [[0, 1, 2], [2, 1, 0], [1, 0, 2], [1, 2, 0]] {
            let parts = [&calm, &busy, &third];
            let folder = scratch.folder().unwrap();
            let (_locked, mut store) = store_in(&folder);
            for part in order {
                record(&mut store, parts[part]);
                record(&mut store, parts[part]);
            }
            let recorded = essence(&store);
            assert_eq!(*expected.get_or_insert(recorded.clone()), recorded);
            let merged = scratch.folder().unwrap();
            let (_held, mut into) = store_in(&merged);
            for part in order.into_iter().rev() {
                let folder = scratch.folder().unwrap();
                let (_locked, mut from) = store_in(&folder);
                record(&mut from, parts[part]);
                merge(&mut into, &from).unwrap();
                merge(&mut into, &from).unwrap();
            }
            assert_eq!(Some(essence(&into)), expected);
        }
        assert!(expected.unwrap().contains("site"));
    }

    #[test]
    fn sums_and_finished_cases_are_those_of_a_recount() {
        let scratch = Scratch::new().unwrap();
        let folder = scratch.folder().unwrap();
        let (_locked, mut store) = store_in(&folder);
        let cases: Vec<CaseRecord> = (0..40)
            .map(|number| CaseRecord {
                failure: (number % 5 == 0).then(|| Failure::Reject("no".to_string())),
                unconfirmed: number % 3,
                remarks: vec![RemarkRecord {
                    target: number % 2,
                    what: "right".to_string(),
                    decided: true,
                }],
                ..case(number * 400, 10 + number, (number % 4) as u8, &[])
            })
            .collect();
        for part in cases.chunks(7) {
            record(&mut store, part);
        }
        // Some ran twice, with another outcome.
        record(&mut store, &[case(400, 11, 6, &[]), case(800, 12, 0, &[])]);
        let kept = store.totals().unwrap();
        assert_eq!((kept.cases, kept.rejects), (40, 8));
        assert_eq!(super::super::sums::recount(&store).unwrap(), kept);
        let numbers: Done = (0..40).map(|number| number * 400).collect();
        assert_eq!(store.finished().unwrap(), numbers);
    }
}
