//! Independent pieces of work on several threads, their results taken by one.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::sync_channel;

use anyhow::{Context, Result};

/// Stack of a worker, in bytes: strategies may recurse, within reason.
pub(crate) const WORKER_STACK: usize = 64 << 20;

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
    let next = AtomicUsize::new(0);
    let failed = AtomicBool::new(false);
    let stopped = || stop.load(Ordering::Relaxed) || failed.load(Ordering::Relaxed);
    std::thread::scope(|scope| {
        let (sender, receiver) = sync_channel(2 * threads.max(1));
        for number in 0..threads.max(1) {
            let (sender, next, stopped) = (sender.clone(), &next, &stopped);
            std::thread::Builder::new()
                .name(format!("lydite-worker-{number}"))
                .stack_size(WORKER_STACK)
                .spawn_scoped(scope, move || {
                    while !stopped() {
                        let number = next.fetch_add(1, Ordering::Relaxed);
                        if number >= count || sender.send((number, work(number))).is_err() {
                            break;
                        }
                    }
                })
                .context("cannot start a worker thread")?;
        }
        drop(sender);
        let mut result = Ok(());
        for (number, done) in receiver.iter() {
            // After a failure the rest is only taken out of the workers' way.
            if result.is_ok() {
                result = done.and_then(|done| take(number, done));
                failed.store(result.is_err(), Ordering::Relaxed);
            }
        }
        result
    })
}
