//! How long a candidate may take.
//!
//! A reduction gives up on candidates that take much longer than what showed the
//! bug last. What it ends in must not depend on how busy the machine is, so what a
//! candidate may use is CPU time: one that was cut short by the clock before it had
//! that much is run again for longer.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use lydite_core::{Observation, Outcome};

/// So many times the CPU time of the slowest run of what showed the bug last, and
/// never less than [`LEAST_TIME`]; at most `full` by the clock.
pub(super) struct Patience {
    full: Duration,
    budget_ms: AtomicU64,
}

const FACTOR: u32 = 8;
const LEAST_TIME: Duration = Duration::from_millis(500);

/// A run that never waits has this part of the clock's time as CPU time, and more.
const BUSY: f64 = 0.75;

impl Clone for Patience {
    fn clone(&self) -> Patience {
        Patience {
            full: self.full,
            budget_ms: AtomicU64::new(self.budget_ms.load(Ordering::Relaxed)),
        }
    }
}

impl Patience {
    /// Every candidate may take `full`, as long as none has shown the bug.
    pub(super) fn new(full: Duration) -> Patience {
        Patience {
            full,
            budget_ms: AtomicU64::new(full.as_millis() as u64),
        }
    }

    /// How long a candidate may take by the clock when it is run first.
    pub(super) fn limit(&self) -> Duration {
        self.budget().min(self.full)
    }

    /// The bug was shown by runs of which the slowest used so much CPU time.
    pub(super) fn shown(&self, slowest: Duration) {
        let enough = (slowest * FACTOR).max(LEAST_TIME);
        self.budget_ms
            .fetch_min(enough.as_millis() as u64, Ordering::Relaxed);
    }

    /// How long a run may take that was cut short at `limit` and had used so much
    /// CPU time by then; nothing if it had what it may use.
    pub(super) fn longer(&self, limit: Duration, cpu: Duration) -> Option<Duration> {
        let budget = self.budget();
        if limit >= self.full || cpu.as_secs_f64() >= BUSY * budget.as_secs_f64() {
            return None;
        }
        // At this pace it would have had its share by then.
        let pace = limit.as_secs_f64() / cpu.as_secs_f64().max(0.001);
        let wanted = budget.mul_f64(pace.min(1e6)).max(limit * 2);
        Some(wanted.min(self.full))
    }

    /// The same for all runs of a candidate.
    pub(super) fn longer_for(&self, limit: Duration, runs: &[Observation]) -> Option<Duration> {
        let cut = runs.iter().filter(|run| is_cut(run));
        cut.filter_map(|run| self.longer(limit, run.cpu)).max()
    }

    fn budget(&self) -> Duration {
        Duration::from_millis(self.budget_ms.load(Ordering::Relaxed))
    }
}

/// True if the clock ended a run.
pub(super) fn is_cut(run: &Observation) -> bool {
    matches!(run.outcome, Outcome::TimedOut)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    #[test]
    fn what_a_busy_machine_cut_short_is_run_again_until_it_had_its_share() {
        let patience = Patience::new(ms(8000));
        assert_eq!(patience.limit(), ms(8000));
        assert_eq!(patience.longer(ms(8000), ms(10)), None);
        patience.shown(ms(20));
        assert_eq!(patience.limit(), ms(500));
        patience.shown(ms(2000));
        assert_eq!(patience.limit(), ms(500));
        // It had the machine for itself: it is too slow.
        assert_eq!(patience.longer(ms(500), ms(480)), None);
        // It had a tenth of it, or waited.
        assert_eq!(patience.longer(ms(500), ms(50)), Some(ms(5000)));
        assert_eq!(patience.longer(ms(500), ms(300)), Some(ms(1000)));
        assert_eq!(patience.longer(ms(500), ms(0)), Some(ms(8000)));
        assert_eq!(patience.longer(ms(8000), ms(0)), None);
        assert_eq!(patience.clone().limit(), ms(500));
    }
}
