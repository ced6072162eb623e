//! Running other people's programs, which may have any manners.
//!
//! [`run`] starts one command in its own process group, drains both its pipes
//! while it waits, holds it to its [`Limits`], and does not return before
//! everything that the command started is dead and reaped: its group is
//! killed while the leader's zombie still holds the group's number, and what
//! left the group (daemons) comes back to us as an orphan, since we are a
//! child subreaper, and is swept up by the tag in its environment.
//!
//! One thread per run, no signal handlers, no `pre_exec` (which would turn
//! `posix_spawn` into `fork` and make a run cost time in proportion to our
//! own memory), no `unsafe`.
//!
//! Whatever else starts a process of its own group from this program has to
//! do so through [`Kept`]: an unknown child in another group counts as
//! somebody's escaped daemon.

mod dialogue;
mod keep;
mod kept;
mod pipes;
mod procfs;
mod registry;
mod remove;
mod scratch;
mod start;
mod sweep;
mod warden;
mod withdrawn;

use std::ffi::OsString;
use std::io;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::ExitStatus;
use std::time::{Duration, Instant};

use lydite_core::{Capture, Exit};

pub use dialogue::Dialogue;
pub use kept::Kept;
pub use scratch::{Folder, Scratch};
pub use withdrawn::Withdrawn;

/// What one run may use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Wall time; kept by us.
    pub wall: Duration,
    /// CPU time of each process, in whole seconds rounded up; kept by the kernel.
    pub cpu: Duration,
    /// Memory.
    pub memory: Memory,
    /// The largest file it may write.
    pub file_bytes: u64,
    /// How many bytes of each output stream are kept from its beginning.
    pub keep_head: usize,
    /// How many bytes of each output stream are kept from its end, if it is longer.
    pub keep_tail: usize,
    /// Ends it before its time, if somebody may do so.
    pub withdrawn: Option<Withdrawn>,
}

/// How memory is limited, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Memory {
    /// Not at all.
    Unlimited,
    /// Address space of each process, kept by the kernel: allocation fails.
    AddressSpace(u64),
    /// Resident size of all processes together, watched by us: for targets
    /// that reserve far more address space than they use (sanitizers, node,
    /// java). Killed when seen above it.
    Resident(u64),
}

/// What to run.
#[derive(Clone, Copy, Debug)]
pub struct Command<'a> {
    /// Program and arguments, verbatim. A program without `/` is looked up in
    /// the `PATH` that it will get.
    pub argv: &'a [OsString],
    /// The working folder; also its `HOME` and `TMPDIR`.
    pub dir: &'a Path,
    /// The file that is its standard input; none means an empty one.
    pub stdin: Option<&'a Path>,
    /// Variables on top of a clean environment (`PATH`, `HOME`, `TMPDIR`, `LANG`).
    pub env: &'a [(String, String)],
    /// What it may use.
    pub limits: &'a Limits,
}

/// Which limit ended a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cut {
    /// [`Limits::wall`]
    WallTime,
    /// [`Limits::cpu`]
    CpuTime,
    /// [`Memory::Resident`]; an address-space limit only makes allocations
    /// fail, so what comes of it is the target's own doing.
    Memory,
    /// [`Limits::file_bytes`]
    FileSize,
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ended {
    /// How the started process ended.
    pub exit: Exit,
    /// The limit that ended it, if one did.
    pub cut: Option<Cut>,
    /// Wall time until the started process ended.
    pub wall: Duration,
    /// User and system time of the started process and of those that it waited for.
    pub cpu: Duration,
    /// Its largest resident size. An upper bound: Linux counts the moment
    /// between spawn and exec, when the child still has our own memory.
    pub peak_kb: u64,
    /// Its standard output.
    pub stdout: Capture,
    /// Its standard error.
    pub stderr: Capture,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            wall: Duration::from_secs(10),
            cpu: Duration::from_secs(20),
            memory: Memory::AddressSpace(4 << 30),
            file_bytes: 256 << 20,
            keep_head: 1 << 20,
            keep_tail: 64 << 10,
            withdrawn: None,
        }
    }
}

/// Runs a command to its end, or to the end of its limits.
///
/// An error means that it could not be started (or not be limited, and was
/// killed at once); whatever happens after that is data.
pub fn run(command: &Command) -> io::Result<Ended> {
    let started = Instant::now();
    let mut running = start::start(command)?;
    let mut pipes = pipes::Pipes::new(&mut running.child, command.limits)?;
    let cut = pipes.follow(&running, command.limits, started, &mut |_| false);
    let wall = started.elapsed();
    running.kill();
    sweep::sweep(Some(running.ticket()));
    pipes.drain();
    let Some(used) = running.reap() else {
        return Ok(unkillable(cut, wall, pipes));
    };
    let cpu = used.rusage.utime + used.rusage.stime;
    let exit = exit_of(used.status);
    let (stdout, stderr) = pipes.into_captures();
    // It may have ended by itself in the moment before we killed it.
    let cut = cut.filter(|_| exit == Exit::Signal(SIGKILL));
    Ok(Ended {
        exit,
        cut: cut.or_else(|| cut_by_kernel(exit, cpu, command.limits)),
        wall,
        cpu,
        peak_kb: used.rusage.maxrss / 1024,
        stdout,
        stderr,
    })
}

/// A process that even SIGKILL does not end (a broken file system): a later
/// sweep reaps it.
fn unkillable(cut: Option<Cut>, wall: Duration, pipes: pipes::Pipes) -> Ended {
    let (stdout, stderr) = pipes.into_captures();
    Ended {
        exit: Exit::Signal(SIGKILL),
        cut,
        wall,
        cpu: Duration::ZERO,
        peak_kb: 0,
        stdout,
        stderr,
    }
}

const SIGABRT: i32 = 6;
const SIGKILL: i32 = 9;
const SIGXCPU: i32 = 24;
const SIGXFSZ: i32 = 25;

fn exit_of(status: ExitStatus) -> Exit {
    match (status.code(), status.signal()) {
        (Some(code), _) => Exit::Status(code),
        (None, Some(signal)) => Exit::Signal(signal),
        (None, None) => Exit::NotStarted,
    }
}

/// Which kernel limit this end speaks of.
///
/// The kernel counts CPU time for the limit in ticks, for the bill exactly;
/// on a loaded machine the bill may be a fifth lower. A target may also catch
/// the signal and exit or abort, or be a driver that reports its killed child
/// (gcc and cc1). But a SIGXCPU long before the limit is its own doing.
fn cut_by_kernel(exit: Exit, cpu: Duration, limits: &Limits) -> Option<Cut> {
    let share = match exit {
        Exit::Signal(SIGXFSZ) => return Some(Cut::FileSize),
        Exit::Signal(SIGXCPU) => 0.5,
        Exit::Signal(SIGKILL | SIGABRT) => 0.75,
        Exit::Status(status) if status != 0 => 0.75,
        _ => return None,
    };
    let limit = start::cpu_seconds(limits) as f64;
    (cpu.as_secs_f64() >= share * limit).then_some(Cut::CpuTime)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_near_the_cpu_limit_are_cuts_unless_they_have_another_reason() {
        let limits = Limits {
            cpu: Duration::from_millis(3001),
            ..Limits::default()
        };
        for (exit, cpu_ms, cut) in [
            (Exit::Signal(SIGXCPU), 3300, Some(Cut::CpuTime)),
            (Exit::Signal(SIGXCPU), 10, None),
            (Exit::Signal(SIGKILL), 4900, Some(Cut::CpuTime)),
            (Exit::Signal(SIGKILL), 10, None),
            (Exit::Signal(SIGABRT), 3900, Some(Cut::CpuTime)),
            (Exit::Signal(SIGABRT), 2900, None),
            (Exit::Status(1), 3900, Some(Cut::CpuTime)),
            (Exit::Status(1), 2900, None),
            (Exit::Status(0), 9000, None),
            (Exit::Signal(11), 9000, None),
            (Exit::Signal(SIGXFSZ), 10, Some(Cut::FileSize)),
        ] {
            let cpu = Duration::from_millis(cpu_ms);
            assert_eq!(cut_by_kernel(exit, cpu, &limits), cut, "{exit:?} {cpu:?}");
        }
    }
}
