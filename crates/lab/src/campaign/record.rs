//! The one writer of a campaign: rows go into the store, findings into their
//! folders, and whoever listens is told.

use anyhow::Result;

use super::{Event, Progress};
use crate::finding::Writer;
use lydite_store::Store;
use lydite_store::record::{CaseRecord, SessionRecord};

/// Stores what was done, wherever it was done.
pub struct Recorder<'a> {
    pub(super) store: &'a mut Store,
    pub(super) writer: Writer<'a>,
    pub(super) progress: Progress,
    pub(super) listen: &'a mut dyn FnMut(Event<'_>),
}

impl Recorder<'_> {
    /// Stores finished cases; those that are there already gain what they lack.
    pub fn record(&mut self, records: &[CaseRecord], session: &SessionRecord) -> Result<()> {
        let recorded = self.store.record(records, session)?;
        let progress = &mut self.progress;
        progress.cases += recorded.cases;
        progress.runs += recorded.runs;
        progress.rejects += recorded.rejects;
        for (signature, new) in &recorded.changed {
            progress.findings += usize::from(*new);
            if let Some(finding) = self.writer.write(self.store, signature)? {
                (self.listen)(Event::Found {
                    finding: &finding,
                    new: *new,
                });
            }
        }
        (self.listen)(Event::Progress(progress));
        Ok(())
    }

    /// Indices of finished cases as sorted, disjoint ranges [start, end).
    pub fn finished(&self) -> Result<Vec<(u64, u64)>> {
        Ok(self.store.finished()?.ranges())
    }

    /// A text that was kept beside the results.
    pub fn noted(&self, key: &str) -> Result<Option<String>> {
        self.store.meta(key)
    }

    /// Keeps a text beside the results; see [`Store::set_meta`].
    pub fn note(&self, key: &str, value: &str) -> Result<()> {
        self.store.set_meta(key, value)
    }
}
