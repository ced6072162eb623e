//! The write-ahead log that a killed process leaves beside a database.
//!
//! The database itself reads such a log up to the first frame that is not as it was
//! written, and forgets the rest without a word. Where no transaction ends behind that
//! frame, a process was killed while it wrote (and perhaps another one wrote a part of
//! that anew), and nothing was promised yet. Where one does, transactions that had ended
//! would be lost: the log is damaged, and we say so before the database sees it.

use std::fs::{self, File};
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use lydite_core::fault::{Blame, usage};

/// What a log holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LeftLog {
    /// No transaction.
    Nothing,
    /// Transactions that are not in the database's own file yet, or not surely.
    Transactions,
}

/// The name of the log of a database.
pub(super) fn beside(database: &Path) -> PathBuf {
    let mut name = database.as_os_str().to_owned();
    name.push("-wal");
    PathBuf::from(name)
}

/// Looks through the log of a database; an error if it is damaged.
pub(super) fn look(database: &Path) -> Result<LeftLog> {
    let path = beside(database);
    let is_file = match fs::metadata(&path) {
        Ok(data) => data.is_file(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(LeftLog::Nothing),
        Err(error) => return Err(error).context(cannot_be_read(&path)).or_usage(),
    };
    if !is_file {
        return Err(damaged(&path, "it is no file"));
    }
    // Another process may write to it just now: it begins a log anew, or a frame is
    // there by half. A second look at a damaged log shows the same.
    let mut before = None;
    loop {
        let seen = Reader::open(&path).and_then(|reader| reader.read(page_size(database)));
        match seen.context(cannot_be_read(&path)).or_usage()? {
            (_, LogState::Whole(left)) => return Ok(left),
            (header, LogState::Damaged(words)) => {
                let seen = (header, words);
                if before.as_ref() == Some(&seen) {
                    return Err(damaged(&path, &seen.1));
                }
                before = Some(seen);
            }
        }
    }
}

fn cannot_be_read(path: &Path) -> String {
    format!("{}: cannot be read", path.display())
}

fn damaged(path: &Path, words: &str) -> anyhow::Error {
    usage(format!(
        "{}: damaged: {words}. Take the folder from a copy; or move this file away to go on \
         without what it holds: cases that were recorded there are done again",
        path.display()
    ))
}

/// What one look showed.
#[derive(Debug, PartialEq, Eq)]
enum LogState {
    Whole(LeftLog),
    Damaged(String),
}

/// The size of a page of the database, as its file says.
fn page_size(database: &Path) -> Option<u32> {
    let mut begin = [0; 18];
    File::open(database).ok()?.read_exact(&mut begin).ok()?;
    match u16::from_be_bytes([begin[16], begin[17]]) {
        1 => Some(65_536),
        size => Some(u32::from(size)),
    }
}

/// The lengths of a log's beginning and of what is before each page.
const HEADER: usize = 32;
const FRAME: usize = 24;

/// Logs begin with this number; its last bit says how the words of checksums are
/// read.
const MAGIC: u32 = 0x377f_0682;
const VERSION: u32 = 3_007_000;

struct Reader {
    input: BufReader<File>,
    header: [u8; HEADER],
    /// How many bytes of the beginning are there.
    begun: usize,
}

impl Reader {
    fn open(path: &Path) -> io::Result<Reader> {
        let mut input = BufReader::with_capacity(1 << 16, File::open(path)?);
        let mut header = [0; HEADER];
        let begun = fill(&mut input, &mut header)?;
        Ok(Reader {
            input,
            header,
            begun,
        })
    }

    fn read(mut self, page: Option<u32>) -> io::Result<([u8; HEADER], LogState)> {
        let seen = match self.begun {
            0 => LogState::Whole(LeftLog::Nothing),
            HEADER => match self.check_header(page) {
                Ok(size) => self.read_frames(size)?,
                Err(words) => LogState::Damaged(words.to_string()),
            },
            bytes => LogState::Damaged(format!("it ends after {bytes} bytes")),
        };
        Ok((self.header, seen))
    }

    /// The size of a page, if the log begins as one of this database.
    fn check_header(&self, page: Option<u32>) -> Result<u32, &'static str> {
        let header = &self.header;
        let size = word(header, 8);
        if word(header, 0) & !1 != MAGIC || word(header, 4) != VERSION {
            return Err("it does not begin like a write-ahead log");
        }
        if self.sum((0, 0), &header[..24]) != (word(header, 24), word(header, 28)) {
            return Err("its first bytes do not fit their checksum");
        }
        if !size.is_power_of_two() || !(512..=65_536).contains(&size) || page != Some(size) {
            return Err("its pages are not those of the store, so it is another one's");
        }
        Ok(size)
    }

    fn read_frames(&mut self, page: u32) -> io::Result<LogState> {
        let salts = (word(&self.header, 16), word(&self.header, 20));
        let length = FRAME + page as usize;
        let mut sum = (word(&self.header, 24), word(&self.header, 28));
        let mut frame = vec![0; length];
        let mut left = LeftLog::Nothing;
        // The first frame that is not as it was written, and what the next one may
        // have been summed up from.
        let mut broken: Option<(u64, [(u32, u32); 2])> = None;
        for number in 0_u64.. {
            let bytes = fill(&mut self.input, &mut frame)?;
            if bytes < length {
                break;
            }
            let ours = (word(&frame, 8), word(&frame, 12)) == salts;
            let stored = (word(&frame, 16), word(&frame, 20));
            let ends = word(&frame, 4) != 0;
            let sum_from = |sum| self.sum(self.sum(sum, &frame[..8]), &frame[FRAME..]);
            match broken {
                None => {
                    sum = sum_from(sum);
                    match ours && sum == stored {
                        true if ends => left = LeftLog::Transactions,
                        true => {}
                        false => broken = Some((number, [stored, sum])),
                    }
                }
                Some((first, from)) => {
                    let whole = ours && from.into_iter().any(|sum| sum_from(sum) == stored);
                    if whole && ends {
                        let at = HEADER as u64 + first * length as u64;
                        return Ok(LogState::Damaged(format!(
                            "bytes from {at} on are not as they were written, and a \
                             transaction ends behind them"
                        )));
                    }
                    broken = Some((first, [stored, sum_from(from[0])]));
                }
            }
        }
        Ok(LogState::Whole(left))
    }

    /// The checksum of bytes that follow others with this one.
    fn sum(&self, (mut first, mut second): (u32, u32), bytes: &[u8]) -> (u32, u32) {
        let read = match word(&self.header, 0) & 1 {
            1 => u32::from_be_bytes,
            _ => u32::from_le_bytes,
        };
        let (words, _) = bytes.as_chunks::<4>();
        for pair in words.chunks_exact(2) {
            first = first.wrapping_add(read(pair[0])).wrapping_add(second);
            second = second.wrapping_add(read(pair[1])).wrapping_add(first);
        }
        (first, second)
    }
}

fn word(bytes: &[u8], at: usize) -> u32 {
    u32::from_be_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}

/// Reads until the buffer is full or the file ends; how many bytes it were.
fn fill(input: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    let mut bytes = 0;
    while bytes < buffer.len() {
        match input.read(&mut buffer[bytes..])? {
            0 => break,
            more => bytes += more,
        }
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Store;
    use crate::folder::{CAMPAIGN, LockedFolder};
    use crate::record::CaseRecord;
    use crate::store::case::tests::{case, essence, record};
    use lydite_core::fault::Fault;
    use lydite_process::{Folder, Scratch};

    /// What a killed process left: the store's file, its log, and what the store
    /// said after each of its transactions.
    struct Left {
        file: Vec<u8>,
        log: Vec<u8>,
        states: Vec<String>,
        cases: Vec<CaseRecord>,
    }

    fn leave(scratch: &Scratch, campaign: &str) -> Left {
        let folder = scratch.folder().unwrap();
        let locked = LockedFolder::make(folder.path(), &CAMPAIGN).unwrap();
        let mut store = Store::create(&locked, campaign).unwrap();
        let cases: Vec<CaseRecord> = (0..12)
            .map(|number| case(number, 10 + number, 4, &[("boom", 3), ("other", 2)]))
            .collect();
        let mut states = vec![essence(&store)];
        for some in cases.chunks(3) {
            record(&mut store, some);
            states.push(essence(&store));
        }
        // The connection is open: what is there is what a kill would leave.
        let path = locked.store();
        let log = fs::read(beside(&path)).unwrap();
        assert!(!log.is_empty());
        Left {
            file: fs::read(&path).unwrap(),
            log,
            states,
            cases,
        }
    }

    impl Left {
        fn write(&self, scratch: &Scratch, log: &[u8]) -> (Folder, LockedFolder) {
            let folder = scratch.folder().unwrap();
            fs::write(folder.path().join(CAMPAIGN.store), &self.file).unwrap();
            let locked = LockedFolder::make(folder.path(), &CAMPAIGN).unwrap();
            fs::write(beside(&locked.store()), log).unwrap();
            (folder, locked)
        }

        /// Opens a store with that log: what it holds is what it held at some
        /// moment, and with the same cases once more it holds all; or it is said to
        /// be damaged, and the file is as it was. True if it was opened.
        fn is_true_with(&self, scratch: &Scratch, log: &[u8], at: usize) -> bool {
            let (_folder, locked) = self.write(scratch, log);
            let read = Store::open_checked(&locked).map(|store| essence(&store));
            match Store::open(&locked) {
                Ok(mut store) => {
                    let state = essence(&store);
                    assert!(self.states.contains(&state), "byte {at}: {state}");
                    assert_eq!(read.unwrap(), state, "byte {at}");
                    record(&mut store, &self.cases);
                    assert_eq!(&essence(&store), self.states.last().unwrap(), "byte {at}");
                    true
                }
                Err(error) => {
                    let (text, read) = (format!("{error:#}"), read.unwrap_err());
                    assert!(text.contains("damaged"), "byte {at}: {text}");
                    assert!(text.contains(CAMPAIGN.store), "byte {at}: {text}");
                    for error in [error, read] {
                        assert_eq!(Fault::of(&error), Some(Fault::Usage), "byte {at}");
                    }
                    let path = locked.store();
                    assert_eq!(fs::read(&path).unwrap(), self.file, "byte {at}");
                    assert_eq!(fs::read(beside(&path)).unwrap(), log, "byte {at}");
                    false
                }
            }
        }
    }

    #[test]
    fn a_log_that_was_cut_short_ends_with_some_transaction_or_is_refused() {
        let scratch = Scratch::new().unwrap();
        let left = leave(&scratch, "0123456789");
        assert!(left.is_true_with(&scratch, &left.log, left.log.len()));
        let cuts = (0..left.log.len()).step_by(1031).chain([1, 31, 32, 33, 56]);
        for at in cuts {
            let opened = left.is_true_with(&scratch, &left.log[..at], at);
            assert_eq!(opened, at == 0 || at >= HEADER, "byte {at}");
        }
    }

    #[test]
    fn a_log_with_a_flipped_bit_loses_no_transaction_in_silence() {
        let scratch = Scratch::new().unwrap();
        let left = leave(&scratch, "0123456789");
        let last = left.log.len() - FRAME - 4096;
        for at in (0..left.log.len())
            .step_by(709)
            .chain([0, 9, 17, 40, last + 5])
        {
            let mut log = left.log.clone();
            log[at] ^= 1 << (at % 8);
            // The last frame might have been about to be written.
            let opened = left.is_true_with(&scratch, &log, at);
            assert_eq!(opened, at >= last, "byte {at}");
        }
    }

    #[test]
    fn a_log_of_another_store_is_refused_and_changes_nothing() {
        let scratch = Scratch::new().unwrap();
        let [ours, theirs] = ["0123456789", "abcdef"].map(|id| leave(&scratch, id));
        let again = leave(&scratch, "0123456789");
        for foreign in [&theirs.log, &again.log] {
            let (_folder, locked) = ours.write(&scratch, foreign);
            let error = Store::open(&locked).err().unwrap();
            assert!(format!("{error:#}").contains("damaged"), "{error:#}");
            assert_eq!(Fault::of(&error), Some(Fault::Usage));
            let path = locked.store();
            assert_eq!(fs::read(&path).unwrap(), ours.file);
            // Without it, all is as before, and its own log is as good as ever.
            fs::write(beside(&path), &ours.log).unwrap();
            let store = Store::open(&locked).unwrap();
            assert_eq!(&essence(&store), ours.states.last().unwrap());
        }
    }

    #[test]
    fn what_killed_processes_left_half_written_is_no_damage() {
        let scratch = Scratch::new().unwrap();
        let left = leave(&scratch, "0123456789");
        let (_folder, locked) = left.write(&scratch, &left.log);
        let path = locked.store();
        // A transaction that is too large for memory is in the log before it ends.
        let db = rusqlite::Connection::open(&path).unwrap();
        crate::seal::attach(&db).unwrap();
        db.pragma_update(None, "cache_size", 2).unwrap();
        db.execute_batch("BEGIN").unwrap();
        for number in 100..140 {
            let record = "x".repeat(4000);
            db.execute("INSERT INTO triggers VALUES (?1, ?2)", (number, record))
                .unwrap();
        }
        let log = fs::read(beside(&path)).unwrap();
        assert!(log.len() > left.log.len() + 20 * 4096);
        drop(db);
        assert!(left.is_true_with(&scratch, &log, 0));
        // The next one writes over its beginning, and is killed as well.
        let (_again, locked) = left.write(&scratch, &log);
        let mut store = Store::open(&locked).unwrap();
        store
            .db
            .pragma_update(None, "wal_autocheckpoint", 0)
            .unwrap();
        record(&mut store, &[case(99, 10, 0, &[])]);
        let path = locked.store();
        let (file, log) = (fs::read(&path).unwrap(), fs::read(beside(&path)).unwrap());
        let said = essence(&store);
        drop(store);
        let (_third, locked) = Left { file, ..left }.write(&scratch, &log);
        assert_eq!(essence(&Store::open(&locked).unwrap()), said);
    }

    #[test]
    fn a_log_is_read_without_its_index_or_with_a_damaged_one() {
        let scratch = Scratch::new().unwrap();
        let left = leave(&scratch, "0123456789");
        for index in [
            None,
            Some(vec![]),
            Some(vec![7; 32_768]),
            Some(vec![0; 100]),
        ] {
            let (_folder, locked) = left.write(&scratch, &left.log);
            if let Some(index) = index {
                fs::write(locked.path().join("campaign.sqlite-shm"), index).unwrap();
            }
            let store = Store::open(&locked).unwrap();
            assert_eq!(&essence(&store), left.states.last().unwrap());
        }
    }
}
