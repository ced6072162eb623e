//! Independent pieces of work on several threads. Workers take numbers, one
//! writer takes what they bring; nothing else is shared.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread::Scope;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

/// Stack of a worker, in bytes: strategies may recurse, within reason.
const WORKER_STACK: usize = 64 << 20;

/// Starts `threads` workers, at least one, that all do the same; fewer if the
/// system gives no more, and an error if it gives none. Returns how many.
pub(crate) fn start_workers<'scope>(
    scope: &'scope Scope<'scope, '_>,
    threads: usize,
    worker: impl FnOnce() + Clone + Send + 'scope,
) -> Result<usize> {
    for number in 0..threads.max(1) {
        let started = std::thread::Builder::new()
            .name(format!("lydite-worker-{number}"))
            .stack_size(WORKER_STACK)
            .spawn_scoped(scope, worker.clone());
        match started {
            Ok(_) => {}
            Err(_) if number > 0 => return Ok(number),
            Err(error) => return Err(error).context("cannot start a worker thread"),
        }
    }
    Ok(threads.max(1))
}

/// Does `work` for each number below `count`, and gives each result to `take`
/// on the caller's thread, in the order in which they come. Ends early when
/// `stop` is set, and with the first error.
pub fn in_parallel<T: Send>(
    count: usize,
    threads: usize,
    stop: &AtomicBool,
    work: &(dyn Fn(usize) -> Result<T> + Sync),
    take: &mut dyn FnMut(usize, T) -> Result<()>,
) -> Result<()> {
    let stop = Stop {
        asked: stop,
        deadline: None,
    };
    let work = |number: usize| Ok((number, work(number)?));
    run_all(0..count, &work, threads, &stop, &mut |batch| {
        let mut done = batch.into_iter();
        done.try_for_each(|(number, done)| take(number, done))
    })
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
    /// True if no new case is to be begun.
    pub fn now(&self) -> bool {
        self.is_asked()
            || self
                .deadline
                .is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// True if somebody asked for the end.
    pub fn is_asked(&self) -> bool {
        self.asked.load(Ordering::Relaxed)
    }
}

/// Does `work` for all `numbers` on `threads` threads and hands the results, in
/// batches, to `write` on the calling thread, which is called
/// several times a second even if there is nothing. An error of either stops
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
        let (numbers, failed) = (&numbers, &failed);
        start_workers(scope, threads, move || {
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
        })?;
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
