//! Instants at which a test ends this process, or tells it that the disk is
//! full: every step after which something outside of our memory is different.
//!
//! Only debug builds have them. `LYDITE_FAILPOINT="kill 7"` ends the process
//! with SIGKILL before the seventh such step, `"full 7"` lets that step and all
//! after it fail as on a full disk, `"list FILE"` writes the names of the steps
//! into a file.

use std::io;

/// A step is about to be taken: `rename`, `sync`, `write`, `commit`, `spawn`, …
#[cfg(not(debug_assertions))]
pub fn reach(_step: &str) -> io::Result<()> {
    Ok(())
}

/// A step is about to be taken: `rename`, `sync`, `write`, `commit`, `spawn`, …
#[cfg(debug_assertions)]
pub fn reach(step: &str) -> io::Result<()> {
    use std::io::Write;
    use std::sync::OnceLock;
    use std::sync::atomic::{AtomicU64, Ordering};

    static WISH: OnceLock<Option<(String, String)>> = OnceLock::new();
    static REACHED: AtomicU64 = AtomicU64::new(0);
    let wish = WISH.get_or_init(|| {
        let text = std::env::var("LYDITE_FAILPOINT").ok()?;
        let (what, where_to) = text.split_once(' ')?;
        Some((what.to_string(), where_to.to_string()))
    });
    let Some((what, place)) = wish else {
        return Ok(());
    };
    let number = REACHED.fetch_add(1, Ordering::SeqCst) + 1;
    let wanted: u64 = place.parse().unwrap_or(u64::MAX);
    match what.as_str() {
        "kill" if number == wanted => {
            let own = rustix::process::getpid();
            let _ = rustix::process::kill_process(own, rustix::process::Signal::KILL);
            // The signal is on its way to this very thread.
            loop {
                std::thread::park();
            }
        }
        "full" if number >= wanted && step != "spawn" => {
            Err(io::Error::from(io::ErrorKind::StorageFull))
        }
        "list" => {
            let mut open = std::fs::OpenOptions::new();
            let mut file = open.create(true).append(true).open(place)?;
            writeln!(file, "{step}")
        }
        _ => Ok(()),
    }
}
