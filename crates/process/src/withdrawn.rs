//! A run that nobody waits for any more.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Shared by a run and whoever asked for it: once the question is withdrawn,
/// the run ends as if its time were over, and its outcome means nothing.
#[derive(Clone, Debug, Default)]
pub struct Withdrawn(Arc<AtomicBool>);

impl Withdrawn {
    /// Withdraws the question: nobody waits for the answer any more.
    pub fn withdraw(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// True if nobody waits any more.
    pub fn is_withdrawn(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// The same question, not the same state of it.
impl PartialEq for Withdrawn {
    fn eq(&self, other: &Withdrawn) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Withdrawn {}
