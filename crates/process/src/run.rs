//! One run, from its start to its bill.

use std::io;
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use std::time::{Duration, Instant};

use lydite_core::Exit;

use crate::command::{Command, Cut, Ended, Limits};
use crate::{pipes, start, sweep};

/// Runs a command to its end, or to the end of its limits.
///
/// An error means that it could not be started (or not be limited, and was
/// killed at once); whatever happens after that is data.
pub fn run(command: &Command) -> io::Result<Ended> {
    let started = Instant::now();
    let mut running = start::start(command)?;
    let mut pipes = pipes::Pipes::new(&mut running.child, command.limits)?;
    let since = pipes::Since {
        at: started,
        cpu: Duration::ZERO,
    };
    let cut = pipes.follow(&running, command.limits, since, &mut |_| false);
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

pub(crate) fn exit_of(status: ExitStatus) -> Exit {
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
