//! Threads, and when to stop. Workers take numbers, one writer takes what
//! they bring; nothing else is shared.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

use crate::parallel::WORKER_STACK;
use lydite_store::record::Done;

/// Numbers that are still to be done, in ascending order.
#[derive(Debug)]
pub struct Pending {
    next: u64,
    end: u64,
    step: u64,
    done: Done,
}

impl Pending {
    /// Every `step`-th of `numbers`, less those that are done.
    pub fn new(numbers: std::ops::Range<u64>, step: u64, done: Done) -> Pending {
        Pending {
            next: numbers.start,
            end: numbers.end,
            step,
            done,
        }
    }
}

impl Iterator for Pending {
    type Item = u64;

    fn next(&mut self) -> Option<u64> {
        loop {
            if self.next >= self.end {
                return None;
            }
            let number = self.next;
            let end = self.done.end_from(number);
            // The first number of the shard that is not surely done.
            let steps = end.saturating_sub(number).div_ceil(self.step);
            if steps == 0 {
                self.next = number.saturating_add(self.step);
                return Some(number);
            }
            self.next = number.saturating_add(steps.saturating_mul(self.step));
        }
    }
}

/// How long the writer waits before it stores what it has.
const FLUSH_EVERY: Duration = Duration::from_millis(200);

/// How many jobs it stores at once at the most.
const FLUSH_JOBS: usize = 256;

/// When to stop before the numbers end.
pub struct Stop<'a> {
    /// Set from outside: finish what runs.
    pub asked: &'a AtomicBool,
    /// No new case after this instant.
    pub deadline: Option<Instant>,
}

impl Stop<'_> {
    pub(super) fn now(&self) -> bool {
        self.asked.load(Ordering::Relaxed)
            || self
                .deadline
                .is_some_and(|deadline| Instant::now() >= deadline)
    }
}

/// Does `work` for all `numbers` on `threads` threads and hands the results, in
/// batches, to `write` on the calling thread. An error of either stops
/// everything; what is done is still written.
pub fn run_all<N: Send, T: Send>(
    numbers: impl Iterator<Item = N> + Send,
    work: &(dyn Fn(N) -> Result<T> + Sync),
    threads: usize,
    stop: &Stop<'_>,
    write: &mut dyn FnMut(Vec<T>) -> Result<()>,
) -> Result<()> {
    let numbers = Mutex::new(numbers);
    let failed = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let (sender, receiver) = sync_channel::<Result<T>>(2 * threads.max(1));
        for number in 0..threads.max(1) {
            let sender = sender.clone();
            let (numbers, failed) = (&numbers, &failed);
            std::thread::Builder::new()
                .name(format!("lydite-worker-{number}"))
                .stack_size(WORKER_STACK)
                .spawn_scoped(scope, move || {
                    while !stop.now() && !failed.load(Ordering::Relaxed) {
                        let next = numbers
                            .lock()
                            .expect("no worker panics with the lock")
                            .next();
                        let Some(next) = next else { break };
                        let done = work(next);
                        if done.is_err() {
                            failed.store(true, Ordering::Relaxed);
                        }
                        if sender.send(done).is_err() {
                            break;
                        }
                    }
                })
                .context("cannot start a worker thread")?;
        }
        drop(sender);
        let written = write_all(&receiver, write);
        if written.is_err() {
            failed.store(true, Ordering::Relaxed);
            // Let the workers finish: they would wait for room for ever.
            for _ in receiver.iter() {}
        }
        written
    })
}

fn write_all<T>(
    receiver: &Receiver<Result<T>>,
    write: &mut dyn FnMut(Vec<T>) -> Result<()>,
) -> Result<()> {
    let mut batch: Vec<T> = Vec::new();
    let mut flushed = Instant::now();
    loop {
        let wait = FLUSH_EVERY.saturating_sub(flushed.elapsed());
        let ended = match receiver.recv_timeout(wait) {
            Ok(Ok(done)) => {
                batch.push(done);
                false
            }
            Ok(Err(error)) => {
                // What is done is kept; the failed case is not done.
                write(batch)?;
                return Err(error);
            }
            Err(RecvTimeoutError::Timeout) => false,
            Err(RecvTimeoutError::Disconnected) => true,
        };
        if ended || batch.len() >= FLUSH_JOBS || flushed.elapsed() >= FLUSH_EVERY {
            write(std::mem::take(&mut batch))?;
            flushed = Instant::now();
        }
        if ended {
            return Ok(());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pending(end: u64, shard: u64, shards: u64, done: &[(u64, u64)]) -> Vec<u64> {
        let done: Done = done.iter().flat_map(|(start, end)| *start..*end).collect();
        Pending::new(shard..end, shards, done).collect()
    }

    #[test]
    fn pending_numbers_skip_what_is_done() {
        assert_eq!(pending(5, 0, 1, &[]), [0, 1, 2, 3, 4]);
        assert_eq!(pending(8, 0, 1, &[(0, 2), (4, 5), (7, 9)]), [2, 3, 5, 6]);
        assert_eq!(pending(9, 1, 3, &[]), [1, 4, 7]);
        assert_eq!(pending(9, 1, 3, &[(0, 5)]), [7]);
        assert_eq!(pending(12, 2, 3, &[(5, 6), (8, 9)]), [2, 11]);
        assert!(pending(4, 0, 1, &[(0, 10)]).is_empty());
    }

    #[test]
    fn shards_partition_the_numbers_whatever_is_done() {
        for done in [vec![], vec![(3, 9)], vec![(0, 1), (2, 3), (10, 40)]] {
            let mut all: Vec<u64> = (0..4)
                .flat_map(|shard| pending(50, shard, 4, &done))
                .collect();
            all.sort_unstable();
            assert_eq!(all, pending(50, 0, 1, &done));
        }
    }

    #[test]
    fn the_end_of_the_numbers_does_not_overflow() {
        let mut last = Pending::new(u64::MAX - 1..u64::MAX, 7, Done::default());
        assert_eq!(last.next(), Some(u64::MAX - 1));
        assert_eq!(last.next(), None);
    }
}
