//! What to run, within what, and how it ended.

use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;

use lydite_core::{Capture, Exit};

use crate::withdrawn::Withdrawn;

/// What one run may use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Wall time, which lydite itself watches.
    pub wall: Duration,
    /// CPU time of each process, in whole seconds rounded up; kept by the kernel.
    pub cpu: Duration,
    /// CPU time of all of its processes together, which lydite itself watches:
    /// unlike wall time it is the same on a busy machine. One that waits instead of
    /// computing is cut off about when this time has passed.
    pub busy: Option<Duration>,
    /// How much memory it may use.
    pub memory: Memory,
    /// The largest file that it may write, in bytes.
    pub file_bytes: u64,
    /// How many bytes of each output stream are kept from its beginning.
    pub keep_head: usize,
    /// How many bytes of each output stream are kept from its end, if it is longer.
    pub keep_tail: usize,
    /// Ends the run early, if whoever asked for it may withdraw the question.
    pub withdrawn: Option<Withdrawn>,
}

/// How memory is limited, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Memory {
    /// Without a limit.
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
    /// [`Limits::cpu`] or [`Limits::busy`]
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
            busy: None,
            memory: Memory::AddressSpace(4 << 30),
            file_bytes: 256 << 20,
            keep_head: 1 << 20,
            keep_tail: 64 << 10,
            withdrawn: None,
        }
    }
}
