//! Instants at which a test ends this process, or tells it that the disk is
//! full: every step after which something outside of our memory is different.
//!
//! Only debug builds have them. `LYDITE_FAILPOINT="kill 7"` ends the process
//! with SIGKILL before the seventh such step, `"full 7"` lets that step and all
//! after it fail as on a full disk, `"kill 7 commit rename"` counts only steps of
//! these names.

use std::io;

/// A step is about to be taken: `rename`, `sync`, `write`, `commit`, `spawn`, …
#[cfg(not(debug_assertions))]
pub fn reach(_step: &str) -> io::Result<()> {
    Ok(())
}

/// A step is about to be taken: `rename`, `sync`, `write`, `commit`, `spawn`, …
#[cfg(debug_assertions)]
pub fn reach(step: &str) -> io::Result<()> {
    use std::sync::OnceLock;
    use std::sync::atomic::{AtomicU64, Ordering};

    /// What is to happen, at which step, and which steps count (all, if none
    /// is named).
    type Wish = (String, u64, Vec<String>);
    static WISH: OnceLock<Option<Wish>> = OnceLock::new();
    static REACHED: AtomicU64 = AtomicU64::new(0);
    let wish = WISH.get_or_init(|| {
        let text = std::env::var("LYDITE_FAILPOINT").ok()?;
        let mut words = text.split_whitespace().map(str::to_string);
        let (what, number) = (words.next()?, words.next()?.parse().ok()?);
        Some((what, number, words.collect()))
    });
    let Some((what, wanted, steps)) = wish else {
        return Ok(());
    };
    if !steps.is_empty() && !steps.iter().any(|counted| counted == step) {
        return Ok(());
    }
    let number = REACHED.fetch_add(1, Ordering::SeqCst) + 1;
    match what.as_str() {
        "kill" if number == *wanted => {
            let own = rustix::process::getpid();
            let _ = rustix::process::kill_process(own, rustix::process::Signal::KILL);
            // The signal is on its way to this very process.
            loop {
                std::thread::park();
            }
        }
        "full" if number >= *wanted && step != "spawn" => {
            Err(io::Error::from(io::ErrorKind::StorageFull))
        }
        _ => Ok(()),
    }
}
