//! What a campaign knows, in one SQLite file.
//!
//! Invariants: a case is in the file with all of its symptoms or not at all
//! (one transaction); a case that is there is never counted again, and one that
//! ran twice has the symptoms of both runs ([`CaseRecord::join`]); so findings
//! are a function of what was recorded, and the order in which cases arrive and
//! the number of processes that made them do not matter. The smallest case of
//! each signature is there whole.
//!
//! What would take a look at every case (sums, which cases are done) is kept up
//! with them.

mod case;
mod connection;
mod decisions;
mod inspection;
mod log;
mod merge;
mod pace;
mod query;
mod reduction;
mod schedules;
pub mod seal;
mod signatures;
mod sums;
mod trigger;
mod versions;
mod written;

pub use connection::{Opened, connect, connect_to_read, trust_log};
pub use decisions::DecisionStore;
pub use merge::merge;
pub use pace::{PaceSpan, SessionPace};
pub use query::FindingRow;
pub use reduction::Reduction;
pub use signatures::{GroupBy, Order, Stands, Wanted};
pub use sums::{OutcomeCount, RemarkCount, Times, Totals};

use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result};
use lydite_core::Signature;
use rusqlite::{Connection, ErrorCode, OptionalExtension, Transaction, params};

use self::inspection::Inspection;
use crate::folder::{LockedFolder, ReadFolder};
use crate::record::{CaseRecord, Provenance, SessionRecord};
use lydite_core::fault::{Blame, Fault, usage};
use lydite_process::failpoint;

/// The number of the format on disk. A store with another number belongs to another version of
/// lydite.
pub const FORMAT: u32 = 7;

/// An open store.
pub struct Store {
    db: Connection,
    path: PathBuf,
    /// The look at all of a large file, while it is under way.
    inspection: RefCell<Option<Inspection>>,
}

/// What a call of [`Store::record`] changed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recorded {
    /// Signatures that are new (true) or have a smaller case now, in order.
    pub changed: Vec<(Signature, bool)>,
    /// How many of the cases were not there before.
    pub cases: u64,
    /// The number of runs of targets in these new cases.
    pub runs: u64,
    /// How many of these new cases were abandoned while they were made.
    pub rejects: u64,
}

impl Store {
    /// Makes a new store for the campaign `id`.
    pub fn create(folder: &LockedFolder, id: &str) -> Result<Store> {
        folder.make_store(&|path| {
            let db = Connection::open(path)?;
            let tables = concat!(include_str!("schema.sql"), include_str!("signatures.sql"));
            seal::create(&db, tables)?;
            let insert = "INSERT INTO meta (key, value) VALUES (?1, ?2)";
            db.execute(insert, params!["format", FORMAT.to_string()])?;
            db.execute(insert, params!["campaign", id])?;
            Ok(())
        })?;
        Store::open(folder)
    }

    /// Opens the store for reading, also where nothing can be written. Every row
    /// is checked where it is read.
    pub fn open_to_read(folder: &ReadFolder) -> Result<Store> {
        let path = folder.store();
        connect_to_read(&path)
            .and_then(|db| Store::check(db, path.clone()))
            .map_err(|error| explained(error, &path))
    }

    /// Opens the store for reading after a check for damage: of all of a small file, and
    /// of what is read most of a large one.
    pub fn open_checked(folder: &ReadFolder) -> Result<Store> {
        let store = Store::open_to_read(folder)?;
        let checked = match store.is_small(inspection::SMALL) {
            true => check_all(&store.db),
            false => seal::check_tables(&store.db, ALWAYS_CHECKED),
        };
        checked.map_err(|error| explained(error, &store.path))?;
        Ok(store)
    }

    /// Opens the store of a campaign's folder for reading and writing.
    pub fn open(folder: &LockedFolder) -> Result<Store> {
        Store::open_to_write(folder, inspection::SMALL)
    }

    /// What is written would make damage worse, so it is looked for first: in all of a
    /// file of up to so many bytes; in a larger one while it is used.
    fn open_to_write(folder: &ReadFolder, small: u64) -> Result<Store> {
        let path = folder.store();
        let open = || -> Result<Store> {
            let Opened { db, left } = connect(&path)?;
            let store = Store::check(db, path.clone())?;
            if store.is_small(small) {
                check_all(&store.db)?;
                if left {
                    trust_log(&store.db)?;
                }
            } else {
                seal::check_tables(&store.db, ALWAYS_CHECKED)?;
                let begun = Inspection::begin(&path, check_all)?;
                store.inspection.replace(Some(begun));
            }
            Ok(store)
        };
        open().map_err(|error| explained(error, &path))
    }

    fn is_small(&self, small: u64) -> bool {
        let bytes = |path: &Path| path.metadata().map_or(0, |data| data.len());
        bytes(&self.path) + bytes(&log::beside(&self.path)) <= small
    }

    /// An error if the look at all of the store has found damage by now.
    fn hear_inspection(&self) -> Result<()> {
        let ended = self.inspection.borrow_mut().take_if(|look| look.is_over());
        if let Some(inspection) = ended {
            inspection.end()?;
            trust_log(&self.db)?;
        }
        Ok(())
    }

    fn check(db: Connection, path: PathBuf) -> Result<Store> {
        let sql = "SELECT value FROM meta WHERE key = 'format'";
        let format: Option<String> = db.query_row(sql, [], |row| row.get(0)).optional()?;
        let number: Option<u32> = format.as_deref().and_then(|text| text.parse().ok());
        match number {
            Some(FORMAT) => Ok(Store {
                db,
                path,
                inspection: RefCell::default(),
            }),
            Some(newer) if newer > FORMAT => Err(usage(format!(
                "{}: its format {newer} is that of a newer lydite (this one has {FORMAT}); \
                 use that one, or choose another folder with -o",
                path.display()
            ))),
            Some(older) => Err(usage(format!(
                "{}: its format {older} is that of an older lydite (this one has {FORMAT}); \
                 go on with that one, or begin anew in another folder with -o",
                path.display()
            ))),
            None => Err(usage(format!(
                "{}: no store of lydite (its format is not a number)",
                path.display()
            ))),
        }
    }

    /// The campaign's identity.
    pub fn campaign(&self) -> Result<String> {
        self.meta("campaign")?
            .with_context(|| format!("{}: no campaign id", self.path.display()))
            .or_usage()
    }

    /// A stored text.
    pub fn meta(&self, key: &str) -> Result<Option<String>> {
        let sql = "SELECT value, whole FROM intact_meta WHERE key = ?1";
        Ok(self.db.query_row(sql, [key], |row| row.get(0)).optional()?)
    }

    /// Stores a text.
    pub fn set_meta(&self, key: &str, value: &str) -> Result<()> {
        let sql = "INSERT INTO meta (key, value) VALUES (?1, ?2)
                   ON CONFLICT (key) DO UPDATE SET value = excluded.value";
        self.writing(&mut |db| {
            failpoint::reach("commit")?;
            db.execute(sql, params![key, value])?;
            Ok(())
        })
    }

    /// Stores finished cases and the session's times, all or nothing. They may
    /// come from elsewhere, in any order and more than once.
    pub fn record(&mut self, records: &[CaseRecord], session: &SessionRecord) -> Result<Recorded> {
        let path = self.path.clone();
        self.record_all(records, session)
            .map_err(|error| written(error, &path))
    }

    fn record_all(&mut self, records: &[CaseRecord], session: &SessionRecord) -> Result<Recorded> {
        self.hear_inspection()?;
        let transaction = self.db.transaction()?;
        let mut recording = case::Recording::new(&transaction);
        for record in records {
            recording.add(record)?;
        }
        let recorded = recording.finish()?;
        insert_session(&transaction, session)?;
        let (cases, runs) = (recorded.cases, recorded.runs);
        pace::add(&transaction, &session.id, session.spent.wall, cases, runs)?;
        commit(transaction)?;
        Ok(recorded)
    }

    /// What the processes that worked on the campaign worked with, each once.
    pub fn provenances(&self) -> Result<Vec<Provenance>> {
        let sql = "SELECT DISTINCT provenance, whole FROM intact_sessions ORDER BY 1";
        let mut query = self.db.prepare(sql)?;
        let rows = query.query_map([], |row| row.get::<_, String>(0))?;
        rows.map(|text| serde_json::from_str(&text?).context("store: a session"))
            .collect()
    }

    /// As long as this is there, nothing changes between two questions.
    fn at_one_moment(&self) -> Result<Option<Transaction<'_>>> {
        let begin = self.db.is_autocommit();
        Ok(begin.then(|| self.db.unchecked_transaction()).transpose()?)
    }

    /// Does something that writes; what goes wrong names the file.
    fn writing<T>(&self, write: &mut dyn FnMut(&Connection) -> Result<T>) -> Result<T> {
        self.hear_inspection()
            .and_then(|()| write(&self.db))
            .map_err(|error| written(error, &self.path))
    }
}

/// Tables of which every row is read before something is written: they are small,
/// and what is counted is added to them.
const ALWAYS_CHECKED: &[&str] = &["meta", "sums", "sessions", "pace", "done", "decisions"];

/// An error if anything in a store is not as it was written, or if its parts do not
/// fit each other: as many cases are there as were counted and are known to be done.
fn check_all(db: &Connection) -> Result<()> {
    seal::check_all(db)?;
    let _together = db.unchecked_transaction()?;
    let count = |sql: &str| db.query_row(sql, [], |row| row.get::<_, i64>(0));
    let cases = count("SELECT COUNT(*) FROM cases")?;
    let counted = count("SELECT IFNULL(SUM(count), 0) FROM sums WHERE what = 'cases'")?;
    let done = case::finished(db)?.count() as i64;
    if (counted, done) != (cases, cases) {
        let words = format!("{cases} cases are there, {counted} were counted, {done} are done");
        return Err(seal::damaged(Some(words)).into());
    }
    Ok(())
}

fn commit(transaction: Transaction<'_>) -> Result<()> {
    failpoint::reach("commit")?;
    transaction.commit()?;
    failpoint::reach("committed")?;
    Ok(())
}

/// An error while something was written.
fn written(error: anyhow::Error, path: &Path) -> anyhow::Error {
    let error = explained(error, path);
    match Fault::of(&error) {
        Some(_) => error,
        None => error.context(Fault::CannotWrite),
    }
}

/// What the message about a damaged store says.
pub const DAMAGED: &str = "damaged: take the folder from a copy, or begin anew in another";

/// An error of the database with the file's name; a damaged file is the user's
/// to restore, and one that cannot be written is said to be that.
fn explained(error: anyhow::Error, path: &Path) -> anyhow::Error {
    if Fault::of(&error).is_some() {
        return error;
    }
    let code = match error.downcast_ref::<rusqlite::Error>() {
        Some(rusqlite::Error::SqliteFailure(failure, _)) => Some(failure.code),
        _ => None,
    };
    let damaged = seal::is_damage(&error);
    let error = error.context(path.display().to_string());
    match code {
        _ if damaged => Err::<(), _>(error)
            .context(DAMAGED)
            .or_usage()
            .expect_err("it is one"),
        Some(
            ErrorCode::CannotOpen
            | ErrorCode::DiskFull
            | ErrorCode::ReadOnly
            | ErrorCode::SystemIoFailure
            | ErrorCode::PermissionDenied
            | ErrorCode::DatabaseBusy
            | ErrorCode::DatabaseLocked,
        ) => error.context(Fault::CannotWrite),
        _ => error,
    }
}

fn insert_session(db: &Transaction<'_>, session: &SessionRecord) -> Result<()> {
    let micros = |duration: Duration| i64::try_from(duration.as_micros()).unwrap_or(i64::MAX);
    let spent = &session.spent;
    // A session only grows: the larger of two reports is the later.
    db.execute(
        "INSERT INTO sessions VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
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
            micros(spent.own_cpu),
            serde_json::to_string(&session.provenance)?
        ],
    )?;
    Ok(())
}

/// A signature as it is stored: the one place where it is read.
fn signature(text: &str) -> Result<Signature> {
    text.parse()
        .with_context(|| format!("store: `{}` is no signature", text.escape_debug()))
        .or_usage()
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::folder::CAMPAIGN;
    use lydite_process::Folder;

    /// A new store in a folder.
    pub(crate) fn store_in(folder: &Folder) -> (LockedFolder, Store) {
        let locked = LockedFolder::make(folder.path(), &CAMPAIGN).unwrap();
        let store = Store::create(&locked, "0123456789").unwrap();
        (locked, store)
    }

    #[test]
    fn a_store_of_another_format_is_refused_with_what_to_do() {
        let scratch = lydite_process::Scratch::new().unwrap();
        for (format, words) in [("6", "older"), ("8", "newer"), ("x", "no store of lydite")] {
            let folder = scratch.folder().unwrap();
            let (locked, store) = store_in(&folder);
            store.set_meta("format", format).unwrap();
            drop(store);
            for error in [
                Store::open(&locked).err(),
                Store::open_to_read(&locked).err(),
            ] {
                let error = error.unwrap();
                assert!(format!("{error:#}").contains(words), "{error:#}");
                assert_eq!(Fault::of(&error), Some(Fault::Usage));
            }
        }
    }
}
