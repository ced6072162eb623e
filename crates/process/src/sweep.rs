//! Orphans: what a run started and left behind.
//!
//! A process that leaves its group (a daemon) becomes our child as soon as
//! its parent is gone, since we are a subreaper. Each sweep looks at those
//! children of ours that we have not started ourselves and takes the ones
//! that belong to the run that just ended, or to no run at all any more:
//!
//! - the group's members and whatever carries the run's tag, or the tag of a
//!   run that has ended: killed and reaped;
//! - zombies: reaped, whosever they were. One in our own process group may be
//!   a child that other code of this program waits for; it is left alone;
//! - living ones without a tag (a cleaned environment, a process that hides
//!   or overwrites it): killed once every run that could have started them
//!   has ended;
//! - what carries the tag of a run that goes on: left alone.

use std::time::{Duration, Instant};

use rustix::process::{Pid, PidfdFlags, Signal, WaitOptions, kill_process, pidfd_open, waitpid};

use super::child_table::{ChildTable, Ticket, child_table};
use super::{patience, procfs};

/// How long one sweep may take: something may fork as fast as we kill.
const SWEEP_PATIENCE: Duration = Duration::from_secs(5);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    Leave,
    Reap,
    Kill,
}

/// Kills and reaps the orphans of a run whose leader is dead but not reaped
/// (or of none), and those of all runs that have ended.
pub(super) fn sweep(ticket: Option<Ticket>) {
    let children = child_table();
    if strangers(children).is_empty() {
        return;
    }
    let _reaping = children.reaping.lock();
    let deadline = Instant::now() + SWEEP_PATIENCE;
    while Instant::now() < deadline {
        let mut found = strangers(children);
        children.settle();
        found.retain(|&pid| !children.is_direct(pid));
        // Only we reap orphans, so these numbers stay theirs.
        let fates = found
            .into_iter()
            .map(|pid| (pid, fate(children, pid, ticket)));
        let taken: Vec<(Pid, Fate)> = fates.filter(|&(_, fate)| fate != Fate::Leave).collect();
        if taken.is_empty() {
            return;
        }
        for &(pid, fate) in &taken {
            if fate == Fate::Kill {
                let _ = kill_process(pid, Signal::KILL);
            }
        }
        for (pid, _) in taken {
            reap(pid, deadline);
        }
    }
}

/// The living processes of a run, apart from descendants of other members:
/// its leader and its orphans.
pub(super) fn members(ticket: Ticket) -> Vec<Pid> {
    let children = child_table();
    let mut members = strangers(children);
    members.retain(|&pid| {
        let in_group = |pid| procfs::stat(pid).is_some_and(|stat| stat.group == raw(ticket.leader));
        in_group(pid) || procfs::tag(pid) == children.tag(ticket.number)
    });
    members.push(ticket.leader);
    members
}

fn strangers(children: &ChildTable) -> Vec<Pid> {
    let mut pids = procfs::adopted();
    pids.retain(|&pid| !children.is_direct(pid));
    pids
}

fn fate(children: &ChildTable, pid: Pid, ticket: Option<Ticket>) -> Fate {
    let Some(stat) = procfs::stat(pid) else {
        return Fate::Leave;
    };
    if stat.parent != raw(children.pid) {
        return Fate::Leave;
    }
    let in_our_group = stat.group == raw(children.group);
    if stat.zombie {
        return if in_our_group {
            Fate::Leave
        } else {
            Fate::Reap
        };
    }
    if ticket.is_some_and(|ticket| stat.group == raw(ticket.leader)) {
        return Fate::Kill;
    }
    let number = ticket.map_or(0, |ticket| ticket.number);
    match run_of(children, pid) {
        Some(owner) if owner == number || !children.is_running(owner) => Fate::Kill,
        Some(_) => Fate::Leave,
        None if in_our_group => Fate::Leave,
        None => match children.oldest_run_but(number) {
            None => Fate::Kill,
            Some(oldest) => match oldest.and_then(procfs::stat) {
                Some(oldest) if stat.started < oldest.started => Fate::Kill,
                _ => Fate::Leave,
            },
        },
    }
}

/// How long a process may look as if it had no environment: between the end
/// of its parent's wait for `exec` and the moment when the new program's
/// environment is in place.
const EXEC_PATIENCE: Duration = Duration::from_millis(50);

/// The number of the run whose tag a process carries, if it is one of ours.
fn run_of(children: &ChildTable, pid: Pid) -> Option<u64> {
    let deadline = Instant::now() + EXEC_PATIENCE;
    let mut tag = procfs::tag(pid);
    while tag.is_empty() && Instant::now() < deadline {
        patience::pause(Duration::from_millis(1));
        tag = procfs::tag(pid);
    }
    let number = tag.strip_prefix(&children.token)?.strip_prefix('.')?;
    number.parse().ok()
}

fn reap(pid: Pid, deadline: Instant) {
    let left = deadline.saturating_duration_since(Instant::now());
    if let Ok(pidfd) = pidfd_open(pid, PidfdFlags::empty())
        && patience::ends_within(&pidfd, left)
    {
        let _ = waitpid(Some(pid), WaitOptions::NOHANG);
    }
}

fn raw(pid: Pid) -> i32 {
    pid.as_raw_nonzero().get()
}
