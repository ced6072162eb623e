//! A look at all of a large store, beside the work on it.
//!
//! A small store is looked over before it is used. In a large one every row that is
//! read is checked on the way; the rest is looked over by a thread of its own, and
//! the first write after it has found damage fails.

use std::path::Path;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use anyhow::{Result, anyhow};
use rusqlite::{Connection, InterruptHandle};

use super::connection::connect_to_read;

/// Stores of up to so many bytes are looked over before they are used.
pub(super) const SMALL: u64 = 16 << 20;

/// A look that is under way.
pub(super) struct Inspection {
    thread: Option<JoinHandle<Result<()>>>,
    interrupt: InterruptHandle,
}

impl Inspection {
    /// Begins to look over a store with `check`.
    pub(super) fn begin(path: &Path, check: fn(&Connection) -> Result<()>) -> Result<Inspection> {
        let db = connect_to_read(path)?;
        let interrupt = db.get_interrupt_handle();
        let thread = thread::Builder::new()
            .name("inspection".to_string())
            .spawn(move || check(&db))?;
        Ok(Inspection {
            thread: Some(thread),
            interrupt,
        })
    }

    /// True if it has come to its end.
    pub(super) fn is_over(&self) -> bool {
        self.thread.as_ref().is_none_or(JoinHandle::is_finished)
    }

    /// Waits for its end: an error if the store is damaged.
    pub(super) fn end(mut self) -> Result<()> {
        let ended = self.thread.take().map(JoinHandle::join);
        ended
            .unwrap_or(Ok(Ok(())))
            .unwrap_or_else(|_| Err(anyhow!("the look at the store panicked")))
    }
}

impl Drop for Inspection {
    fn drop(&mut self) {
        // Whoever is between two questions does not hear the first call.
        while !self.is_over() {
            self.interrupt.interrupt();
            thread::sleep(Duration::from_millis(1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Store;
    use crate::record::SessionRecord;
    use crate::store::case::tests::{case, essence, record};
    use crate::store::tests::store_in;
    use lydite_process::Scratch;

    /// Opens a store as a large one is opened, and waits for the look at it.
    fn open_as_large(locked: &crate::folder::LockedFolder) -> Store {
        let store = Store::open_to_write(locked, 0).unwrap();
        while !store.inspection.borrow().as_ref().unwrap().is_over() {
            thread::sleep(Duration::from_millis(1));
        }
        store
    }

    #[test]
    fn a_large_store_is_looked_over_while_it_is_used() {
        let scratch = Scratch::new().unwrap();
        let folder = scratch.folder().unwrap();
        let (locked, mut store) = store_in(&folder);
        record(
            &mut store,
            &[case(0, 10, 4, &[("boom", 3)]), case(1, 10, 0, &[])],
        );
        drop(store);
        let path = locked.store();
        let whole = std::fs::read(&path).unwrap();
        let mut store = open_as_large(&locked);
        record(&mut store, &[case(2, 10, 0, &[])]);
        assert!(store.inspection.borrow().is_none());
        drop(store);
        // The text of a symptom, which nobody asks for here.
        let at = whole
            .windows(4)
            .rposition(|bytes| bytes == b"boom")
            .unwrap();
        let mut damaged = whole.clone();
        damaged[at] ^= 1;
        std::fs::write(&path, &damaged).unwrap();
        let mut store = open_as_large(&locked);
        let recorded = store.record(&[case(2, 10, 0, &[])], &SessionRecord::default());
        let error = recorded.unwrap_err();
        assert!(format!("{error:#}").contains("damaged"), "{error:#}");
        assert!(lydite_core::fault::Fault::of(&error) == Some(lydite_core::fault::Fault::Usage));
        drop(store);
        assert_eq!(std::fs::read(&path).unwrap(), damaged);
    }

    #[test]
    fn whoever_is_done_before_the_look_at_a_large_store_does_not_wait_for_it() {
        let scratch = Scratch::new().unwrap();
        let folder = scratch.folder().unwrap();
        let (locked, store) = store_in(&folder);
        let said = essence(&store);
        drop(store);
        let begun = Inspection::begin(&locked.store(), |db| {
            let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
                           SELECT MAX(i) FROM n";
            Ok(db.query_row(endless, [], |_| Ok(()))?)
        });
        drop(begun.unwrap());
        assert_eq!(essence(&Store::open(&locked).unwrap()), said);
    }
}
