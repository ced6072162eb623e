//! Which processes are ours: the token of this program, the runs in progress
//! and the children that we started ourselves.

use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError, RwLock};
use std::time::{SystemTime, UNIX_EPOCH};

use rustix::process::{Pid, getpgrp, getpid, set_child_subreaper};

/// The variable that every child and all its descendants carry.
pub(super) const TAG: &str = "LYDITE_RUN";

/// Why we started a child.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// One run of a target: whatever it leaves behind is swept.
    Run,
    /// It stays as long as its owner wants.
    LongLived,
}

/// Names a run to the sweeper.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ticket {
    pub(super) number: u64,
    pub(super) leader: Pid,
}

/// A child that we started, or are about to.
#[derive(Clone, Copy, Debug)]
struct Direct {
    number: u64,
    purpose: Purpose,
    /// None until it has been spawned.
    pid: Option<Pid>,
}

/// The one table of this program's children.
#[derive(Debug)]
pub(super) struct ChildTable {
    /// Unique on this machine: tells our processes from another Lydite's.
    pub(super) token: String,
    pub(super) pid: Pid,
    /// Our own process group.
    pub(super) group: Pid,
    /// Shared while a child is being spawned, exclusive to find out that none
    /// is: a child that exists but is not yet listed must not be mistaken for
    /// an orphan.
    spawning: RwLock<()>,
    children: Mutex<Children>,
    /// Held by the one thread that reaps orphans.
    pub(super) reaping: Mutex<()>,
}

#[derive(Debug, Default)]
struct Children {
    next: u64,
    direct: Vec<Direct>,
}

static CHILDREN: OnceLock<ChildTable> = OnceLock::new();

/// The children; the first call makes this process a child subreaper.
pub(super) fn child_table() -> &'static ChildTable {
    CHILDREN.get_or_init(|| {
        let pid = getpid();
        // Only fails on kernels before 3.4; daemons then escape to init, and
        // everything else still holds.
        let _ = set_child_subreaper(Some(pid));
        let since_epoch = SystemTime::now().duration_since(UNIX_EPOCH);
        let nanos = since_epoch.map_or(0, |time| time.as_nanos());
        ChildTable {
            token: format!("{}-{nanos:x}", pid.as_raw_nonzero()),
            pid,
            group: getpgrp(),
            spawning: RwLock::default(),
            children: Mutex::default(),
            reaping: Mutex::default(),
        }
    })
}

impl ChildTable {
    /// Calls `spawn` with a new number and enters the child that it made.
    pub(super) fn enter<T>(
        &self,
        purpose: Purpose,
        spawn: impl FnOnce(u64) -> std::io::Result<(T, Pid)>,
    ) -> std::io::Result<(T, u64)> {
        let _spawning = self.spawning.read().unwrap_or_else(PoisonError::into_inner);
        let number = {
            let mut children = self.children();
            children.next += 1;
            let number = children.next;
            children.direct.push(Direct {
                number,
                purpose,
                pid: None,
            });
            number
        };
        match spawn(number) {
            Ok((child, pid)) => {
                let mut children = self.children();
                let mut direct = children.direct.iter_mut();
                if let Some(direct) = direct.find(|direct| direct.number == number) {
                    direct.pid = Some(pid);
                }
                Ok((child, number))
            }
            Err(error) => {
                self.leave(number);
                Err(error)
            }
        }
    }

    /// Strikes out a child that has been reaped.
    pub(super) fn leave(&self, number: u64) {
        let mut children = self.children();
        children.direct.retain(|direct| direct.number != number);
    }

    /// Waits until no child is between being spawned and being entered.
    pub(super) fn settle(&self) {
        drop(
            self.spawning
                .write()
                .unwrap_or_else(PoisonError::into_inner),
        );
    }

    /// True if we started this process and have not reaped it.
    pub(super) fn is_direct(&self, pid: Pid) -> bool {
        let children = self.children();
        children.direct.iter().any(|direct| direct.pid == Some(pid))
    }

    /// True if this run has not ended.
    pub(super) fn is_running(&self, number: u64) -> bool {
        let children = self.children();
        children.direct.iter().any(|direct| direct.number == number)
    }

    /// The leader of the longest run apart from this one: `None` if there is
    /// no other, `Some(None)` if it is only now being spawned.
    pub(super) fn oldest_run_but(&self, number: u64) -> Option<Option<Pid>> {
        let children = self.children();
        let others = children
            .direct
            .iter()
            .filter(|direct| direct.purpose == Purpose::Run && direct.number != number);
        others
            .min_by_key(|direct| direct.number)
            .map(|direct| direct.pid)
    }

    /// The environment variable's value for this child.
    pub(super) fn tag(&self, number: u64) -> String {
        format!("{}.{number}", self.token)
    }

    fn children(&self) -> MutexGuard<'_, Children> {
        self.children.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
