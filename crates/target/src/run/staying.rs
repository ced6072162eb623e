//! Processes that stay and wait for their next program: a target's start can cost as much as
//! ten of its runs, and what it has learnt to run fast is lost with it.

use std::ffi::OsString;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use lydite_core::Observation;

use super::{NOTHING_SPENT, RunLimits, Target};
use lydite_process::{Command, Dialogue, Folder, Limits, Scratch};

/// How many programs one process runs before the next one.
pub(super) const PROGRAMS: u32 = 200;

/// A process that stays.
pub(super) struct StayingProcess {
    pub dialogue: Dialogue,
    /// The folder that it was started in.
    _folder: Folder,
    /// How many programs it has run.
    pub done: u32,
    /// How many programs it may run.
    most: u32,
}

impl StayingProcess {
    /// Starts a process for so many programs.
    pub(super) fn start(
        target: &Target,
        argv: Vec<String>,
        limits: &RunLimits,
        programs: u32,
        scratch: &Scratch,
    ) -> Option<StayingProcess> {
        let folder = scratch.folder().ok()?;
        let argv: Vec<OsString> = argv.into_iter().map(OsString::from).collect();
        let limits = target.process_limits(limits, NOTHING_SPENT);
        let dialogue = Dialogue::start(&Command {
            argv: &argv,
            dir: folder.path(),
            stdin: None,
            env: &target.environment(),
            limits: &Limits {
                cpu: limits.cpu.saturating_mul(programs),
                // It outlives the question that it is started for.
                withdrawn: None,
                ..limits
            },
        });
        Some(StayingProcess {
            dialogue: dialogue.ok()?,
            _folder: folder,
            done: 0,
            most: programs,
        })
    }
}

/// The processes of one target that wait, for several who ask at a time.
#[derive(Clone, Default)]
pub(super) struct Waiting {
    processes: Arc<Mutex<Vec<StayingProcess>>>,
    /// The least CPU time that one of them took until its first answer.
    start: Arc<Mutex<Option<Duration>>>,
}

impl Waiting {
    pub(super) fn take(&self) -> Option<StayingProcess> {
        lock(&self.processes).pop()
    }

    /// The CPU time that a start takes, with a first answer; none if nobody knows yet.
    pub(super) fn start(&self) -> Option<Duration> {
        *lock(&self.start)
    }

    /// Learns that a start took so long.
    pub(super) fn saw_start(&self, cpu: Duration) {
        let mut start = lock(&self.start);
        *start = Some(start.map_or(cpu, |least| least.min(cpu)));
    }

    /// Takes back a process that has run one more program, unless it has run enough of them.
    pub(super) fn put(&self, mut process: StayingProcess) {
        process.done += 1;
        if process.done < process.most {
            lock(&self.processes).push(process);
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl fmt::Debug for Waiting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Waiting")
    }
}

/// True if a run that was cut off had used the CPU time that it was given: it did not
/// wait for us.
pub(super) fn used_up(observation: &Observation, limits: &RunLimits) -> bool {
    let busy = limits.busy;
    busy.is_some_and(|busy| observation.cpu >= busy.mul_f64(0.9))
}
