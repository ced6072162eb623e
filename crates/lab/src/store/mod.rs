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
mod trigger;
mod versions;

pub use cases::CaseRow;
pub use merge::merge;
pub use pace::{PaceSpan, SessionPace};
pub use query::{FindingRow, OutcomeCount, RemarkCount, SymptomRow, Times, Totals};
pub use reduction::Reduction;
pub use trigger::{SeedRecord, TriggerFile, TriggerRecord, TriggerRun};

use std::collections::BTreeMap;
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
    /// The smallest case of each signature.
    best: BTreeMap<String, Size>,
}

/// What is compared to find the smallest case of a signature: one that shows
/// it every time comes before any that does not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Size {
    flaky: bool,
    bytes: u64,
    index: u64,
}

/// CPU and wall time that one process has spent on the campaign so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spent {
    /// Wall time.
    pub wall: Duration,
    /// CPU time of making cases.
    pub make_cpu: Duration,
    /// CPU time of judging.
    pub judge_cpu: Duration,
    /// CPU time of the targets.
    pub targets_cpu: Duration,
    /// CPU time of our own process, all threads.
    pub own_cpu: Duration,
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
            return Store::check(db, path);
        }
        // Without a writable folder SQLite cannot share the file with a
        // writer; there is none, so it may be read as it stands.
        let text = path.display().to_string();
        let escaped = text
            .replace('%', "%25")
            .replace('?', "%3f")
            .replace('#', "%23");
        let db = Connection::open_with_flags(format!("file:{escaped}?immutable=1"), flags)?;
        Store::check(db, path)
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
        Store::check(db, path)
    }

    fn check(db: Connection, path: PathBuf) -> Result<Store> {
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
        let mut store = Store {
            db,
            path,
            best: BTreeMap::new(),
        };
        store.best = store.smallest_cases()?;
        Ok(store)
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

    /// Stores finished jobs and the session's times, all or nothing. Returns
    /// the signatures that are new or have a smaller case now.
    pub fn record(
        &mut self,
        jobs: &[Job],
        session: &str,
        started_ms: i64,
        spent: &Spent,
    ) -> Result<Vec<String>> {
        let written = self.record_all(jobs, session, started_ms, spent);
        if written.is_err() {
            // The transaction is undone, and so is what was noted on its way.
            self.best = self.smallest_cases().unwrap_or_default();
        }
        written
            .with_context(|| self.path.display().to_string())
            .context(Fault::CannotWrite)
    }

    fn record_all(
        &mut self,
        jobs: &[Job],
        session: &str,
        started_ms: i64,
        spent: &Spent,
    ) -> Result<Vec<String>> {
        let best = &mut self.best;
        let mut changed = Vec::new();
        let transaction = self.db.transaction()?;
        for job in jobs {
            let improved = insert_job(&transaction, job, best)?;
            changed.extend(improved);
        }
        if !changed.is_empty() {
            trigger::prune(&transaction, best.values().map(|size| size.index))?;
        }
        insert_session(&transaction, session, started_ms, spent)?;
        pace::add(&transaction, session, spent.wall, jobs)?;
        transaction.commit()?;
        changed.sort();
        changed.dedup();
        Ok(changed)
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

fn insert_session(db: &Transaction<'_>, id: &str, started_ms: i64, spent: &Spent) -> Result<()> {
    let micros = |duration: Duration| duration.as_micros() as i64;
    db.execute(
        "INSERT INTO sessions VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
         ON CONFLICT (id) DO UPDATE SET wall = excluded.wall, make_cpu = excluded.make_cpu,
         judge_cpu = excluded.judge_cpu, targets_cpu = excluded.targets_cpu, own_cpu = excluded.own_cpu",
        params![
            id,
            started_ms,
            micros(spent.wall),
            micros(spent.make_cpu),
            micros(spent.judge_cpu),
            micros(spent.targets_cpu),
            micros(spent.own_cpu)
        ],
    )?;
    Ok(())
}

/// Inserts one job; a case that is already there is left as it is.
fn insert_job(
    db: &Transaction<'_>,
    job: &Job,
    best: &mut BTreeMap<String, Size>,
) -> Result<Vec<String>> {
    let inserted = db
        .prepare_cached("INSERT OR IGNORE INTO cases VALUES (?1, ?2, ?3, ?4, ?5, ?6)")?
        .execute(params![
            job.index as i64,
            job.strategy as i64,
            job.bytes as i64,
            job.failure,
            job.unconfirmed as i64,
            encode_runs(job)
        ])?;
    if inserted == 0 {
        return Ok(Vec::new());
    }
    for (target, remark) in &job.remarks {
        db.prepare_cached(
            "INSERT INTO remarks VALUES (?1, ?2, ?3, ?4, 1)
             ON CONFLICT (idx, target, what) DO UPDATE SET count = count + 1",
        )?
        .execute(params![
            job.index as i64, *target as i64, remark.what, remark.decided
        ])?;
    }
    let mut improved = Vec::new();
    for (seq, filed) in job.symptoms.iter().enumerate() {
        let signature = filed.signature.to_string();
        let row = SymptomRow {
            signature: signature.clone(),
            known: filed.known.clone(),
            replays: filed.replays,
            ..SymptomRow::of(&filed.symptom, job.bytes)
        };
        insert_symptom(db, job.index, seq as u64, &row)?;
        let size = Size {
            flaky: filed.replays.is_flaky(),
            bytes: job.bytes,
            index: job.index,
        };
        if best.get(&signature).is_none_or(|smallest| size < *smallest) {
            best.insert(signature.clone(), size);
            improved.push(signature);
        }
    }
    if !improved.is_empty()
        && let Some(trigger) = &job.trigger
    {
        trigger::insert(db, job.index, trigger)?;
    }
    Ok(improved)
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

fn encode_runs(job: &Job) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(job.runs.len() * RUN_BYTES);
    let micros = |duration: Duration| u32::try_from(duration.as_micros()).unwrap_or(u32::MAX);
    for run in &job.runs {
        bytes.extend((run.program as u16).to_le_bytes());
        bytes.extend((run.target as u16).to_le_bytes());
        bytes.push(run.outcome as u8);
        bytes.extend(micros(run.wall).to_le_bytes());
        bytes.extend(micros(run.cpu).to_le_bytes());
    }
    bytes
}

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
