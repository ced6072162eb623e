//! Children that stay: warm targets, servers, the warden.

use std::io;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command};

use rustix::process::{Pid, PidfdFlags, Signal, kill_process_group, pidfd_open};

use super::child_table::{Purpose, TAG, Ticket, child_table};
use super::patience::{KILL_PATIENCE, ends_within};
use super::sweep;

/// A child in its own process group that lives until this is dropped; then
/// it is killed with its group and whatever it left behind, and reaped.
#[derive(Debug)]
pub struct LongLived {
    child: Child,
    ticket: Ticket,
}

impl LongLived {
    /// Starts it. Environment and pipes are the caller's business; limits
    /// are not set.
    pub fn start(process: &mut Command) -> io::Result<LongLived> {
        LongLived::enter(process, true)
    }

    /// Starts it without our tag, so that it is not swept.
    pub(super) fn start_untagged(process: &mut Command) -> io::Result<LongLived> {
        LongLived::enter(process, false)
    }

    fn enter(process: &mut Command, tagged: bool) -> io::Result<LongLived> {
        process.process_group(0);
        let (child, number) = child_table().enter(Purpose::LongLived, |number| {
            if tagged {
                process.env(TAG, child_table().tag(number));
            }
            let child = process.spawn()?;
            let pid = Pid::from_child(&child);
            Ok((child, pid))
        })?;
        let leader = Pid::from_child(&child);
        Ok(LongLived {
            child,
            ticket: Ticket { number, leader },
        })
    }

    /// The child, for its pipes. Do not wait for it before the last use:
    /// dropping this does.
    pub fn child(&mut self) -> &mut Child {
        &mut self.child
    }
}

impl Drop for LongLived {
    fn drop(&mut self) {
        // Once somebody has waited for it, its number may be another's.
        if matches!(self.child.try_wait(), Ok(None)) {
            let _ = kill_process_group(self.ticket.leader, Signal::KILL);
            let _ = self.child.kill();
            if let Ok(pidfd) = pidfd_open(self.ticket.leader, PidfdFlags::empty())
                && ends_within(&pidfd, KILL_PATIENCE)
            {
                sweep::sweep(Some(self.ticket));
                let _ = self.child.wait();
            }
        }
        child_table().leave(self.ticket.number);
        sweep::sweep(None);
    }
}
