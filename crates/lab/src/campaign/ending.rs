//! What becomes of cases that run when a hunt is to end: they have a little more
//! time. A case that needs longer is given up; it is not recorded, so whoever goes
//! on with the campaign makes it anew.

use std::time::{Duration, Instant};

use anyhow::Result;
use lydite_process::Withdrawn;

use crate::parallel::Stop;

/// How long a person waits who asked for the end.
const ASKED: Duration = Duration::from_secs(3);

/// How long cases go on after the hunt's time, at least.
const LATE: Duration = Duration::from_secs(10);

/// Gives up the cases that run, in its time.
pub(super) struct Ending<'a> {
    stop: &'a Stop<'a>,
    /// How long cases go on after the hunt's time.
    late: Duration,
    /// Since when the hunt is to end.
    since: Option<Instant>,
    withdrawn: Withdrawn,
}

impl<'a> Ending<'a> {
    /// The end of a hunt whose runs have this limit.
    pub(super) fn new(stop: &'a Stop<'a>, limit: Duration) -> Ending<'a> {
        Ending {
            stop,
            late: LATE.max(limit.saturating_mul(2)),
            since: None,
            withdrawn: Withdrawn::default(),
        }
    }

    /// What runs ask whether they are still wanted.
    pub(super) fn withdrawn(&self) -> Withdrawn {
        self.withdrawn.clone()
    }

    /// Looks at the clock: to be called often.
    pub(super) fn look(&mut self) {
        if !self.stop.now() {
            return;
        }
        let since = *self.since.get_or_insert_with(Instant::now);
        let patience = match self.stop.is_asked() {
            true => ASKED,
            false => self.late,
        };
        if since.elapsed() >= patience {
            self.withdrawn.withdraw();
        }
    }

    /// Nobody can keep what the cases bring, so they are given up at once.
    pub(super) fn unless_kept(&self, kept: Result<()>) -> Result<()> {
        if kept.is_err() {
            self.withdrawn.withdraw();
        }
        kept
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;

    #[test]
    fn cases_go_on_for_a_while_after_the_end_of_time_and_not_for_ever() {
        let asked = AtomicBool::new(false);
        let past = Instant::now();
        let stop = Stop {
            asked: &asked,
            deadline: Some(past),
        };
        let mut ending = Ending::new(&stop, Duration::from_secs(8));
        assert_eq!(ending.late, Duration::from_secs(16));
        ending.look();
        assert!(!ending.withdrawn.is_withdrawn());
        ending.since = past.checked_sub(Duration::from_secs(16));
        ending.look();
        assert!(ending.withdrawn.is_withdrawn());
    }

    #[test]
    fn a_person_waits_for_a_shorter_time_than_a_clock() {
        let asked = AtomicBool::new(true);
        let stop = Stop {
            asked: &asked,
            deadline: None,
        };
        let mut ending = Ending::new(&stop, Duration::from_secs(3600));
        ending.since = Instant::now().checked_sub(ASKED);
        ending.look();
        assert!(ending.withdrawn.is_withdrawn());
    }

    #[test]
    fn nothing_is_given_up_while_nobody_asks() {
        let asked = AtomicBool::new(false);
        let stop = Stop {
            asked: &asked,
            deadline: None,
        };
        let mut ending = Ending::new(&stop, Duration::ZERO);
        ending.look();
        assert!(ending.since.is_none() && !ending.withdrawn.is_withdrawn());
    }
}
