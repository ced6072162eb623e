//! What a campaign knows, in one SQLite file.
//!
//! Invariants: a case is in the file with all of its symptoms or not at all
//! (one transaction); a case that is there is never counted again; findings
//! are a function of the rows, so the order in which cases arrive and the
//! number of processes that made them do not matter.

mod cases;
mod decisions;
mod merge;
mod pace;
mod query;
mod reduction;
mod row;
mod signatures;
mod trigger;
mod versions;

pub use cases::CaseRow;
pub use merge::merge;
pub use pace::{PaceSpan, SessionPace};
pub use query::{FindingRow, OutcomeCount, RemarkCount, SymptomRow, Times, Totals};
pub use reduction::Reduction;
pub use row::{JobRow, RemarkRow, SessionRow, Spent, drop_needless_triggers};
pub use signatures::{Group, Order, Stands, Wanted};
pub use trigger::{SeedRecord, TriggerFile, TriggerRecord, TriggerRun};

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use lydite_core::{Kind, Outcome, Symptom};
use rusqlite::{Connection, OpenFlags, OptionalExtension, Transaction, params};

use crate::campaign::{Job, Replays};
use crate::fault::Fault;

/// The number of the on-disk format. Another number is another program's.
pub const FORMAT: u32 = 3;

/// The file's name in a campaign's folder.
pub const FILE_NAME: &str = "campaign.sqlite";

/// An open store.
pub struct Store {
    db: Connection,
    path: PathBuf,
}

/// What a call of [`Store::record_rows`] changed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recorded {
    /// Signatures that are new or have a smaller case now.
    pub changed: Vec<String>,
    /// How many of the cases were not there before.
    pub cases: u64,
    /// Their runs.
    pub runs: u64,
    /// How many of them were abandoned.
    pub rejects: u64,
}

impl Store {
    /// Makes a new store for the campaign `id`.
    pub fn create(folder: &Path, id: &str) -> Result<Store> {
        let path = folder.join(FILE_NAME);
        let made = Store::create_file(folder, &path, id);
        made.with_context(|| path.display().to_string())
            .context(Fault::CannotWrite)?;
        Store::open(folder)
    }

    /// The schema is written under another name first: a kill in the middle
    /// leaves no half store behind.
    fn create_file(folder: &Path, path: &Path, id: &str) -> Result<()> {
        let fresh = folder.join(format!("{FILE_NAME}.new"));
        remove_if_there(&fresh)?;
        // What a killed process had begun to undo would be undone here.
        remove_if_there(&folder.join(format!("{FILE_NAME}.new-journal")))?;
        let db = Connection::open(&fresh)?;
        db.execute_batch(include_str!("schema.sql"))?;
        signatures::create(&db)?;
        let insert = "INSERT INTO meta (key, value) VALUES (?1, ?2)";
        db.execute(insert, params!["format", FORMAT.to_string()])?;
        db.execute(insert, params!["campaign", id])?;
        drop(db);
        std::fs::rename(&fresh, path)?;
        Ok(())
    }

    /// Opens the store for reading, also where nothing can be written.
    pub fn open_to_read(folder: &Path) -> Result<Store> {
        let path = Store::path_in(folder)?;
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI;
        let db = Connection::open_with_flags(&path, flags)?;
        let readable = |db: &Connection| db.query_row("SELECT COUNT(*) FROM meta", [], |_| Ok(()));
        if readable(&db).is_ok() {
            return Store::check(db, path, true);
        }
        // Without a writable folder SQLite cannot share the file with a
        // writer; there is none, so it may be read as it stands.
        let text = path.display().to_string();
        let escaped = text
            .replace('%', "%25")
            .replace('?', "%3f")
            .replace('#', "%23");
        let db = Connection::open_with_flags(format!("file:{escaped}?immutable=1"), flags)?;
        Store::check(db, path, true)
    }

    fn path_in(folder: &Path) -> Result<PathBuf> {
        let path = folder.join(FILE_NAME);
        if !path.is_file() {
            bail!(
                "{}: no campaign here (it has no {FILE_NAME})",
                folder.display()
            );
        }
        Ok(path)
    }

    /// Opens the store of a campaign's folder for reading and writing.
    pub fn open(folder: &Path) -> Result<Store> {
        let path = Store::path_in(folder)?;
        let opened = (|| {
            let db = Connection::open(&path)?;
            db.busy_timeout(Duration::from_secs(10))?;
            db.pragma_update(None, "journal_mode", "WAL")?;
            // A kill of the process loses nothing; only a power cut may lose
            // the last transactions, and the cases are then done again.
            db.pragma_update(None, "synchronous", "NORMAL")?;
            Ok::<_, rusqlite::Error>(db)
        })();
        let db = opened
            .with_context(|| path.display().to_string())
            .context(Fault::CannotWrite)?;
        Store::check(db, path, false)
    }

    fn check(db: Connection, path: PathBuf, read_only: bool) -> Result<Store> {
        let sql = "SELECT value FROM meta WHERE key = 'format'";
        let format: Option<String> = db
            .query_row(sql, [], |row| row.get(0))
            .optional()
            .with_context(|| format!("{}: cannot be read", path.display()))?;
        if format.as_deref() != Some(&FORMAT.to_string()) {
            bail!(
                "{}: format {} is not the one this lydite writes ({FORMAT})",
                path.display(),
                format.as_deref().unwrap_or("unknown")
            );
        }
        signatures::ensure(&db, read_only).with_context(|| path.display().to_string())?;
        Ok(Store { db, path })
    }

    /// The campaign's identity.
    pub fn campaign(&self) -> Result<String> {
        self.meta("campaign")?
            .with_context(|| format!("{}: no campaign id", self.path.display()))
    }

    /// A stored text.
    pub fn meta(&self, key: &str) -> Result<Option<String>> {
        let sql = "SELECT value FROM meta WHERE key = ?1";
        Ok(self.db.query_row(sql, [key], |row| row.get(0)).optional()?)
    }

    /// Stores a text.
    pub fn set_meta(&self, key: &str, value: &str) -> Result<()> {
        let sql = "INSERT INTO meta (key, value) VALUES (?1, ?2)
                   ON CONFLICT (key) DO UPDATE SET value = excluded.value";
        self.db.execute(sql, params![key, value])?;
        Ok(())
    }

    /// Stores finished jobs and the session's times, all or nothing.
    pub fn record(&mut self, jobs: Vec<Job>, session: &SessionRow) -> Result<Recorded> {
        let rows: Vec<JobRow> = jobs.into_iter().map(JobRow::from).collect();
        self.record_rows(&rows, session)
    }

    /// The same for rows, which may come from elsewhere, in any order and
    /// more than once: a case that is there is not touched.
    pub fn record_rows(&mut self, rows: &[JobRow], session: &SessionRow) -> Result<Recorded> {
        self.record_all(rows, session)
            .with_context(|| self.path.display().to_string())
            .context(Fault::CannotWrite)
    }

    fn record_all(&mut self, rows: &[JobRow], session: &SessionRow) -> Result<Recorded> {
        let mut recorded = Recorded::default();
        let transaction = self.db.transaction()?;
        for row in rows {
            if let Some(improved) = insert_job(&transaction, row)? {
                recorded.changed.extend(improved);
                recorded.cases += 1;
                recorded.runs += row.run_count();
                recorded.rejects += u64::from(row.failure.is_some());
            }
        }
        insert_session(&transaction, session)?;
        let (cases, runs) = (recorded.cases, recorded.runs);
        pace::add(&transaction, &session.id, session.spent.wall, cases, runs)?;
        transaction.commit()?;
        recorded.changed.sort();
        recorded.changed.dedup();
        Ok(recorded)
    }
}

/// Removes a file that a killed process may have left.
fn remove_if_there(path: &Path) -> Result<()> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(error).with_context(|| format!("{}: cannot be removed", path.display()))
        }
        _ => Ok(()),
    }
}

fn insert_session(db: &Transaction<'_>, session: &SessionRow) -> Result<()> {
    let micros = |duration: Duration| duration.as_micros() as i64;
    let spent = &session.spent;
    // A session only grows: the larger of two reports is the later.
    db.execute(
        "INSERT INTO sessions VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
         ON CONFLICT (id) DO UPDATE SET wall = MAX(wall, excluded.wall),
         make_cpu = MAX(make_cpu, excluded.make_cpu),
         judge_cpu = MAX(judge_cpu, excluded.judge_cpu),
         targets_cpu = MAX(targets_cpu, excluded.targets_cpu),
         own_cpu = MAX(own_cpu, excluded.own_cpu)",
        params![
            session.id,
            session.started_ms,
            micros(spent.wall),
            micros(spent.make_cpu),
            micros(spent.judge_cpu),
            micros(spent.targets_cpu),
            micros(spent.own_cpu)
        ],
    )?;
    Ok(())
}

/// Inserts one job and returns the signatures that have a smaller case now; a
/// case that is already there is left as it is (`None`).
fn insert_job(db: &Transaction<'_>, row: &JobRow) -> Result<Option<Vec<String>>> {
    let inserted = db
        .prepare_cached("INSERT OR IGNORE INTO cases VALUES (?1, ?2, ?3, ?4, ?5, ?6)")?
        .execute(params![
            row.index as i64, row.strategy as i64, row.bytes as i64, row.failure,
            row.unconfirmed as i64, row.runs
        ])?;
    if inserted == 0 {
        return Ok(None);
    }
    for remark in &row.remarks {
        db.prepare_cached(
            "INSERT INTO remarks VALUES (?1, ?2, ?3, ?4, 1)
             ON CONFLICT (idx, target, what) DO UPDATE SET count = count + 1",
        )?
        .execute(params![
            row.index as i64, remark.target as i64, remark.what, remark.decided
        ])?;
    }
    let mut improved = Vec::new();
    let mut replaced = Vec::new();
    for (seq, symptom) in row.symptoms.iter().enumerate() {
        let before = signatures::counted(db, &symptom.signature)?;
        insert_symptom(db, row.index, seq as u64, symptom)?;
        if before.is_none_or(|before| row.size(symptom) < before.smallest) {
            improved.push(symptom.signature.clone());
            replaced.extend(before.map(|before| before.smallest.index));
        }
    }
    if !improved.is_empty()
        && let Some(trigger) = &row.trigger
    {
        trigger::insert(db, row.index, trigger)?;
    }
    for index in replaced {
        trigger::remove_unless_smallest(db, index)?;
    }
    Ok(Some(improved))
}

fn insert_symptom(db: &Transaction<'_>, index: u64, seq: u64, row: &SymptomRow) -> Result<()> {
    db.prepare_cached(
        "INSERT INTO symptoms VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)",
    )?
    .execute(params![
        index as i64,
        seq as i64,
        row.signature,
        row.kind.name(),
        row.target,
        row.against,
        row.program as i64,
        row.evidence,
        row.bytes as i64,
        row.known,
        row.replays.shown,
        row.replays.of
    ])?;
    Ok(())
}

impl SymptomRow {
    fn of(symptom: &Symptom, bytes: u64) -> SymptomRow {
        let against: Vec<String> = symptom.against.iter().map(ToString::to_string).collect();
        SymptomRow {
            signature: String::new(),
            kind: symptom.kind,
            target: symptom.target.to_string(),
            against: against.join(" "),
            program: symptom.program as u64,
            evidence: symptom.evidence.clone(),
            bytes,
            known: None,
            replays: Replays::default(),
        }
    }
}

/// Bytes per observation in `cases.runs`.
const RUN_BYTES: usize = 13;

/// (target, outcome, wall µs) of each run of a row.
fn decode_runs(bytes: &[u8]) -> impl Iterator<Item = (usize, usize, u32)> + '_ {
    bytes.chunks_exact(RUN_BYTES).map(|run| {
        let target = u16::from_le_bytes([run[2], run[3]]);
        let wall = u32::from_le_bytes([run[5], run[6], run[7], run[8]]);
        (target as usize, run[4] as usize, wall)
    })
}

/// The number of an outcome in [`Outcome::NAMES`].
pub(crate) fn outcome_number(outcome: &Outcome) -> usize {
    let name = outcome.name();
    Outcome::NAMES
        .iter()
        .position(|known| *known == name)
        .expect("every outcome's name is in the list")
}

fn kind_of(name: &str) -> Result<Kind> {
    Kind::from_name(name).with_context(|| format!("store: unknown kind `{name}`"))
}
