//! Answers of a target that are kept from run to run: what a baseline said
//! of a program it need not say again.
//!
//! The key is all that an answer depends on: the program as it is run, the
//! target's name, binary, driver and target file, every word of its steps, its
//! environment, the limits, and lydite itself, which reads the output. Only what a first look
//! needs is taken from here; whatever turns into a finding is run cold
//! ([`super::Target::cold`]).

use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use anyhow::{Context, Result};
use lydite_core::{Capture, Exit, Observation, Outcome, Program};
use rusqlite::{Connection, OptionalExtension, params};

use super::RunLimits;
use crate::outcome_text::{detail, outcome};

/// The number of this format: part of every key, so that an old file is no
/// trouble.
const FORMAT: &str = "2";

/// A longer output is not kept.
const OUTPUT_BYTES: usize = 256 << 10;

/// When the file is larger, the older half of the answers goes.
const FILE_BYTES: i64 = 1 << 30;

/// The answers, in one SQLite file.
#[derive(Debug)]
pub struct AnswerCache {
    db: Mutex<Connection>,
    reused: AtomicU64,
}

/// What names an answer.
pub(super) type AnswerKey = [u8; 32];

impl AnswerCache {
    /// Opens the file, or makes it.
    pub fn open(path: &Path) -> Result<AnswerCache> {
        let context = || format!("kept answers {}", path.display());
        let open = || -> Result<Connection> {
            if let Some(folder) = path.parent() {
                std::fs::create_dir_all(folder)?;
            }
            let db = Connection::open(path)?;
            db.busy_timeout(Duration::from_secs(10))?;
            db.pragma_update(None, "journal_mode", "WAL")?;
            db.pragma_update(None, "synchronous", "OFF")?;
            db.execute_batch(
                "CREATE TABLE IF NOT EXISTS answers (
                    id INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE, outcome TEXT NOT NULL,
                    detail TEXT NOT NULL, exit TEXT NOT NULL, wall INTEGER NOT NULL,
                    cpu INTEGER NOT NULL, peak INTEGER NOT NULL, stdout BLOB NOT NULL,
                    stderr BLOB NOT NULL)",
            )?;
            let size = "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size";
            let bytes: i64 = db.query_row(size, [], |row| row.get(0))?;
            if bytes > FILE_BYTES {
                db.execute_batch(
                    "DELETE FROM answers WHERE id <= (SELECT (MIN(id) + MAX(id)) / 2 FROM answers);
                     VACUUM",
                )?;
            }
            Ok(db)
        };
        Ok(AnswerCache {
            db: Mutex::new(open().with_context(context)?),
            reused: AtomicU64::new(0),
        })
    }

    /// How many runs were saved.
    pub fn reused(&self) -> u64 {
        self.reused.load(Ordering::Relaxed)
    }

    /// Fills in what was kept; false if there is nothing.
    pub(super) fn fill(&self, key: &AnswerKey, observation: &mut Observation) -> bool {
        // What cannot be read is run: a cache never stops a campaign.
        let found = self.read(key, observation).unwrap_or(false);
        if found {
            self.reused.fetch_add(1, Ordering::Relaxed);
        }
        found
    }

    fn read(&self, key: &AnswerKey, observation: &mut Observation) -> Result<bool> {
        let db = self.db.lock().expect("nobody panics with the lock");
        let mut query = db.prepare_cached(
            "SELECT outcome, detail, exit, wall, cpu, peak, stdout, stderr
             FROM answers WHERE key = ?1",
        )?;
        let micros = |at: usize, row: &rusqlite::Row<'_>| {
            let time: i64 = row.get(at)?;
            Ok::<_, rusqlite::Error>(Duration::from_micros(time.max(0) as u64))
        };
        let row = query
            .query_row([key], |row| {
                let words: [String; 3] = [row.get(0)?, row.get(1)?, row.get(2)?];
                let times = [micros(3, row)?, micros(4, row)?];
                let streams: [Vec<u8>; 2] = [row.get(6)?, row.get(7)?];
                Ok((words, times, row.get::<_, i64>(5)?, streams))
            })
            .optional()?;
        let Some(([name, text, exit], [wall, cpu], peak, [stdout, stderr])) = row else {
            return Ok(false);
        };
        observation.outcome = outcome(&name, text)?;
        observation.exit = match exit.split_once(' ') {
            Some(("signal", number)) => Exit::Signal(number.parse()?),
            Some((_, number)) => Exit::Status(number.parse()?),
            None => return Ok(false),
        };
        observation.wall = wall;
        observation.cpu = cpu;
        observation.peak_kb = peak.max(0) as u64;
        observation.stdout = Capture::whole(stdout);
        observation.stderr = Capture::whole(stderr);
        Ok(true)
    }

    /// Keeps what was seen, if it is worth it.
    pub(super) fn keep(&self, key: &AnswerKey, observation: &Observation) {
        let exit = match observation.exit {
            Exit::Status(number) => format!("status {number}"),
            Exit::Signal(number) => format!("signal {number}"),
            Exit::NotStarted => return,
        };
        let (stdout, stderr) = (&observation.stdout, &observation.stderr);
        let long = stdout.head.len() + stderr.head.len() > OUTPUT_BYTES;
        let odd = matches!(observation.outcome, Outcome::Unusable(_));
        let Ok(detail) = detail(&observation.outcome) else {
            return;
        };
        if long || odd || stdout.truncated() || stderr.truncated() {
            return;
        }
        let micros = |time: Duration| i64::try_from(time.as_micros()).unwrap_or(i64::MAX);
        let db = self.db.lock().expect("nobody panics with the lock");
        // A full disk is the campaign's to notice, not the cache's.
        let _ = db
            .prepare_cached(
                "INSERT OR IGNORE INTO answers
                 (key, outcome, detail, exit, wall, cpu, peak, stdout, stderr)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
            )
            .and_then(|mut insert| {
                insert.execute(params![
                    key,
                    observation.outcome.name(),
                    detail,
                    exit,
                    micros(observation.wall),
                    micros(observation.cpu),
                    i64::try_from(observation.peak_kb).unwrap_or(i64::MAX),
                    stdout.head,
                    stderr.head
                ])
            });
    }
}

/// The key of a program on a target that `words` describe.
pub(super) fn key(words: &[String], program: &Program, limits: &RunLimits) -> AnswerKey {
    let mut hasher = blake3::Hasher::new();
    let mut word = |bytes: &[u8]| {
        hasher.update(&(bytes.len() as u64).to_le_bytes());
        hasher.update(bytes);
    };
    word(FORMAT.as_bytes());
    word(format!("{limits:?}").as_bytes());
    for text in words {
        word(text.as_bytes());
    }
    for file in &program.files {
        word(file.name.as_bytes());
        word(&file.text);
    }
    *hasher.finalize().as_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_another_if_anything_is() {
        let limits = RunLimits::default();
        let program = |text: &str| Program::single("a.smt2", text.as_bytes().to_vec());
        let more = RunLimits {
            wall: limits.wall * 2,
            ..limits.clone()
        };
        let words =
            |words: &[&str]| -> Vec<String> { words.iter().map(ToString::to_string).collect() };
        let keys = [
            key(&words(&["z3", "h"]), &program("x"), &limits),
            key(&words(&["z3", "i"]), &program("x"), &limits),
            key(&words(&["z", "3h"]), &program("x"), &limits),
            key(&words(&["z3", "h"]), &program("y"), &limits),
            key(&words(&["z3", "h"]), &program("x"), &more),
        ];
        for (at, one) in keys.iter().enumerate() {
            assert!(!keys[..at].contains(one), "{at}");
        }
        assert_eq!(keys[0], key(&words(&["z3", "h"]), &program("x"), &limits));
    }
}
