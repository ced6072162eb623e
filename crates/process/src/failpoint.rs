//! Instants at which a test ends this process, or lets something fail: every step
//! after which something outside of our memory is different.
//!
//! Only debug builds have them. The variable `LYDITE_FAILPOINT` says what is to
//! happen: one of
//!
//! | value | what happens |
//! |---|---|
//! | `kill 7` | SIGKILL before the seventh step |
//! | `full 7` | from the seventh step on every write fails as on a full disk |
//! | `panic 7` | the seventh step is a panic |
//! | `log FILE` | the name of each step is written to a file, a line each |
//!
//! Words behind it are the names of the steps that count, such as `kill 7 commit
//! rename`; without any all do.

use std::io;

/// Says that a step is about to be taken: `rename`, `sync`, `write`, `remove`, `commit`
/// (`committed` comes after it), `spawn`, or `message` to a server.
#[cfg(not(debug_assertions))]
pub fn reach(_step: &str) -> io::Result<()> {
    Ok(())
}

/// Says that a step is about to be taken: `rename`, `sync`, `write`, `remove`, `commit`
/// (`committed` comes after it), `spawn`, or `message` to a server.
#[cfg(debug_assertions)]
pub fn reach(step: &str) -> io::Result<()> {
    use std::sync::OnceLock;
    use std::sync::atomic::{AtomicU64, Ordering};

    /// What is to happen, where, and which steps count (all, if none is named).
    type Wish = (String, String, Vec<String>);
    static WISH: OnceLock<Option<Wish>> = OnceLock::new();
    static REACHED: AtomicU64 = AtomicU64::new(0);
    let wish = WISH.get_or_init(|| {
        let text = std::env::var("LYDITE_FAILPOINT").ok()?;
        let mut words = text.split_whitespace().map(str::to_string);
        Some((words.next()?, words.next()?, words.collect()))
    });
    let Some((what, at, steps)) = wish else {
        return Ok(());
    };
    if !steps.is_empty() && !steps.iter().any(|counted| counted == step) {
        return Ok(());
    }
    let number = REACHED.fetch_add(1, Ordering::SeqCst) + 1;
    let wanted: u64 = at.parse().unwrap_or(u64::MAX);
    match what.as_str() {
        "kill" if number == wanted => {
            let own = rustix::process::getpid();
            let _ = rustix::process::kill_process(own, rustix::process::Signal::KILL);
            // The signal is on its way to this very process.
            loop {
                std::thread::park();
            }
        }
        "full" if number >= wanted && step != "spawn" && step != "message" => {
            Err(io::Error::from(io::ErrorKind::StorageFull))
        }
        "panic" if number == wanted => panic!("the failpoint {step}"),
        "log" => log(at, step),
        _ => Ok(()),
    }
}

#[cfg(debug_assertions)]
fn log(path: &str, step: &str) -> io::Result<()> {
    use std::io::Write;
    let mut file = std::fs::OpenOptions::new()
        .create(true)
        .append(true)
        .open(path)?;
    // One write, so that lines of several threads stay whole.
    file.write_all(format!("{step}\n").as_bytes())
}
