//! The search: candidates tried in their order, several at a time.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{channel, sync_channel};
use std::sync::{Mutex, PoisonError};

use super::Candidate;
use crate::campaign::WORKER_STACK;

/// What came of one search.
pub(super) struct Searched {
    /// The first candidate, in their order, that shows what is wanted.
    pub(super) found: Option<Candidate>,
    /// How many were tried.
    pub(super) tests: u64,
    /// Those that were tried although they come after the one found.
    pub(super) in_vain: Vec<Candidate>,
}

/// Tries candidates until one shows what is wanted and none before it does;
/// `threads` work ahead, so that nobody waits for a slow one.
pub(super) fn first(
    candidates: &mut dyn Iterator<Item = Candidate>,
    threads: usize,
    shows: &(dyn Fn(&Candidate) -> bool + Sync),
    is_over: &dyn Fn() -> bool,
) -> Searched {
    let best = AtomicUsize::new(usize::MAX);
    let mut done: Vec<(usize, Candidate, bool)> = Vec::new();
    // Nothing is kept in store: a worker gets the next candidate when it is
    // free, and by then an earlier one may have been found.
    let (sender, receiver) = sync_channel::<(usize, Candidate)>(0);
    let (finished, results) = channel();
    let receiver = Mutex::new(receiver);
    let (receiver, best) = (&receiver, &best);
    std::thread::scope(|scope| {
        let mut workers = 0;
        for number in 0..threads.max(1) {
            let finished = finished.clone();
            let worker = move || {
                loop {
                    let waiting = receiver.lock().unwrap_or_else(PoisonError::into_inner);
                    let next = waiting.recv();
                    drop(waiting);
                    let Ok((position, candidate)) = next else {
                        break;
                    };
                    if position > best.load(Ordering::Relaxed) {
                        continue;
                    }
                    let shown = tried(shows, &candidate);
                    if shown {
                        best.fetch_min(position, Ordering::Relaxed);
                    }
                    if finished.send((position, candidate, shown)).is_err() {
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
        for (position, candidate) in candidates.enumerate() {
            if is_over() || best.load(Ordering::Relaxed) != usize::MAX {
                break;
            }
            if workers > 0 {
                // Fails only if all workers are gone.
                let _ = sender.send((position, candidate));
                continue;
            }
            let shown = tried(shows, &candidate);
            if shown {
                best.fetch_min(position, Ordering::Relaxed);
            }
            let _ = finished.send((position, candidate, shown));
        }
        drop((sender, finished));
        done.extend(results.iter());
    });
    let tests = done.len() as u64;
    let best = best.load(Ordering::Relaxed);
    let mut found = None;
    let mut in_vain = Vec::new();
    for (position, candidate, _) in done {
        if position == best {
            found = Some(candidate);
        } else if position > best {
            in_vain.push(candidate);
        }
    }
    Searched {
        found,
        tests,
        in_vain,
    }
}

/// A candidate that makes us panic is no use.
fn tried(shows: &(dyn Fn(&Candidate) -> bool + Sync), candidate: &Candidate) -> bool {
    catch_unwind(AssertUnwindSafe(|| shows(candidate))).unwrap_or(false)
}
