//! Tests that run ahead of the question: workers try what will probably be
//! asked next, and what they find is kept by content.
//!
//! Who asks goes through the candidates in their order and takes the first that
//! shows what is wanted, so the result is the same on any number of threads;
//! only how much is known by the time it is asked differs.

use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, PoisonError};

use lydite_core::Case;

use super::{Digest, Test};
use crate::campaign::WORKER_STACK;

/// Workers and what is known so far.
pub(super) struct Ahead<'a> {
    test: &'a dyn Test,
    jobs: Sender<(Digest, Case)>,
    results: Receiver<(Digest, bool)>,
    workers: usize,
    running: BTreeSet<Digest>,
    known: BTreeMap<Digest, bool>,
    tests: u64,
}

impl Ahead<'_> {
    /// True if somebody has nothing to do.
    pub(super) fn has_free(&self) -> bool {
        self.running.len() < self.workers.max(1)
    }

    /// Whether the case with this digest shows what is wanted, if that is
    /// known.
    pub(super) fn answer(&self, digest: &Digest) -> Option<bool> {
        self.known.get(digest).copied()
    }

    /// Has a case tried, unless it was or is; true if it was not.
    pub(super) fn start(&mut self, digest: Digest, case: &Case) -> bool {
        if self.known.contains_key(&digest) || !self.running.insert(digest) {
            return false;
        }
        self.tests += 1;
        // Without any worker it is tried here and now.
        if self.workers == 0 || self.jobs.send((digest, case.clone())).is_err() {
            self.running.remove(&digest);
            self.known.insert(digest, shows(self.test, case));
        }
        true
    }

    /// Waits until some test has ended, and takes in all that have.
    pub(super) fn wait(&mut self) {
        if self.running.is_empty() {
            return;
        }
        let first = self.results.recv().into_iter();
        for (digest, shown) in first.chain(self.results.try_iter()) {
            self.running.remove(&digest);
            self.known.insert(digest, shown);
        }
    }

    /// How many tests were begun.
    pub(super) fn tests(&self) -> u64 {
        self.tests
    }
}

/// Does `work` with so many workers. Tests that nobody waits for any more end
/// before this returns.
pub(super) fn with_workers<R>(
    threads: usize,
    test: &dyn Test,
    work: impl FnOnce(&mut Ahead<'_>) -> R,
) -> R {
    let (jobs, waiting) = channel::<(Digest, Case)>();
    let (finished, results) = channel();
    let waiting = Mutex::new(waiting);
    let waiting = &waiting;
    std::thread::scope(|scope| {
        let mut workers = 0;
        for number in 0..threads.max(1) {
            let finished = finished.clone();
            let worker = move || {
                loop {
                    let queue = waiting.lock().unwrap_or_else(PoisonError::into_inner);
                    let next = queue.recv();
                    drop(queue);
                    let Ok((digest, case)) = next else { break };
                    let shown = shows(test, &case);
                    if finished.send((digest, shown)).is_err() {
                        break;
                    }
                }
            };
            let builder = std::thread::Builder::new()
                .name(format!("lydite-worker-{number}"))
                .stack_size(WORKER_STACK);
            if builder.spawn_scoped(scope, worker).is_err() {
                break;
            }
            workers += 1;
        }
        work(&mut Ahead {
            test,
            jobs,
            results,
            workers,
            running: BTreeSet::new(),
            known: BTreeMap::new(),
            tests: 0,
        })
    })
}

/// A candidate that makes us panic is no use.
fn shows(test: &dyn Test, case: &Case) -> bool {
    catch_unwind(AssertUnwindSafe(|| test.shows(case))).unwrap_or(false)
}

/// How often each sort of candidate showed what is wanted: what follows on a
/// likely success is tried before it is certain.
#[derive(Default)]
pub(super) struct Forecast(BTreeMap<String, (u32, u32)>);

impl Forecast {
    /// Takes in how one came out.
    pub(super) fn note(&mut self, what: &str, shown: bool) {
        let (tried, succeeded) = self.0.entry(sort_of(what)).or_default();
        *tried += 1;
        *succeeded += u32::from(shown);
    }

    /// True if more than half of its sort succeeded.
    pub(super) fn is_likely(&self, what: &str) -> bool {
        let known = self.0.get(&sort_of(what));
        known.is_some_and(|(tried, succeeded)| 2 * succeeded > *tried)
    }
}

/// What was done, without the numbers.
fn sort_of(what: &str) -> String {
    what.chars().filter(|c| !c.is_ascii_digit()).collect()
}
