//! How long runs may take: a few times what nearly all answers took.
//!
//! A run that is cut off tells nothing and costs its whole limit, so the limit
//! follows the answers. What takes longer is met again in the share of cases
//! that have the plan's own limit.

use std::time::Duration;

use super::statistics::{is_answered, is_timed_out};
use lydite_store::record::RunRecord;

/// How many times the usual time a run may take.
const TIMES: u64 = 4;

/// No limit is below this, in microseconds: a busy machine needs some time to
/// start a process.
const LEAST: u64 = 250_000;

/// Fewer answers than this tell nothing about the next.
const ENOUGH: u64 = 16;

/// Bins for each doubling of a time.
const BINS: f64 = 2.0;

/// How many bins there are: the last holds more than an hour.
const LAST: usize = 64;

/// The times of many runs, in bins that grow with them.
#[derive(Clone, Debug)]
pub(super) struct RunTimes {
    answered: [u64; LAST + 1],
    ended: [u64; LAST + 1],
}

impl Default for RunTimes {
    fn default() -> RunTimes {
        RunTimes {
            answered: [0; LAST + 1],
            ended: [0; LAST + 1],
        }
    }
}

impl RunTimes {
    /// Counts a run.
    pub(super) fn add(&mut self, run: &RunRecord) {
        let micros = micros(run.wall).max(1);
        let bin = ((micros as f64).log2() * BINS) as usize;
        self.ended[bin.min(LAST)] += 1;
        self.answered[bin.min(LAST)] += u64::from(is_answered(run));
    }

    /// The time in which nine of ten answers came, if there were enough.
    fn usual(&self) -> Option<u64> {
        let answers: u64 = self.answered.iter().sum();
        if answers < ENOUGH {
            return None;
        }
        let mut rest = answers * 9 / 10;
        for (bin, count) in self.answered.iter().enumerate() {
            match rest.checked_sub(*count) {
                Some(left) if left > 0 => rest = left,
                _ => return Some(end_of(bin)),
            }
        }
        None
    }

    /// The limit of a run, up to `most`.
    pub(super) fn limit(&self, most: u64) -> u64 {
        self.usual().map_or(most, |usual| bounded(usual, most))
    }

    /// What a run takes on the average with this limit.
    pub(super) fn mean_within(&self, limit: u64) -> f64 {
        let runs: u64 = self.ended.iter().sum();
        let each = self.ended.iter().enumerate();
        let total: f64 = each
            .map(|(bin, count)| *count as f64 * end_of(bin).min(limit) as f64)
            .sum();
        total / runs.max(1) as f64
    }
}

/// Where a bin ends, in microseconds.
fn end_of(bin: usize) -> u64 {
    ((bin + 1) as f64 / BINS).exp2() as u64
}

fn bounded(usual: u64, most: u64) -> u64 {
    usual.saturating_mul(TIMES).max(LEAST).min(most)
}

fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}

/// The runs of one arm on one target.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ArmTimes {
    answered: u64,
    timed_out: u64,
    /// The longest answered run, in microseconds.
    longest: u64,
}

impl ArmTimes {
    /// Counts a run.
    pub(super) fn add(&mut self, run: &RunRecord) {
        if is_answered(run) {
            self.answered += 1;
            self.longest = self.longest.max(micros(run.wall));
        }
        self.timed_out += u64::from(is_timed_out(run));
    }

    /// The limit of a run, up to `most`: that of the strategy.
    pub(super) fn limit(&self, most: u64) -> u64 {
        match (self.answered, self.timed_out) {
            // It was never in time: the next one is cut off early.
            (0, 2..) => LEAST.min(most),
            (0 | 1, _) => most,
            _ => bounded(self.longest, most),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lydite_core::Outcome;
    use lydite_store::record::outcome_number;

    fn run(millis: u64, outcome: &Outcome) -> RunRecord {
        RunRecord {
            outcome: outcome_number(outcome),
            wall: Duration::from_millis(millis),
            ..RunRecord::default()
        }
    }

    fn answered(millis: u64) -> RunRecord {
        RunRecord {
            outcome: 0,
            wall: Duration::from_millis(millis),
            ..RunRecord::default()
        }
    }

    #[test]
    fn a_limit_is_a_few_times_what_nearly_all_answers_took() {
        let mut times = RunTimes::default();
        const MOST: u64 = 8_000_000;
        assert_eq!(times.limit(MOST), MOST);
        for _ in 0..95 {
            times.add(&answered(200));
        }
        for _ in 0..5 {
            times.add(&answered(3000));
        }
        for _ in 0..50 {
            times.add(&run(8000, &Outcome::TimedOut));
        }
        let limit = times.limit(MOST);
        assert!((800_000..1_200_000).contains(&limit), "{limit}");
        assert_eq!(times.limit(300_000), 300_000);
        let mean = times.mean_within(limit);
        assert!((300_000.0..700_000.0).contains(&mean), "{mean}");
        let mut quick = RunTimes::default();
        (0..100).for_each(|_| quick.add(&answered(3)));
        assert_eq!(quick.limit(MOST), LEAST);
    }

    #[test]
    fn an_arm_that_is_never_in_time_is_cut_off_early() {
        let mut arm = ArmTimes::default();
        assert_eq!(arm.limit(1_000_000), 1_000_000);
        arm.add(&run(8000, &Outcome::TimedOut));
        assert_eq!(arm.limit(1_000_000), 1_000_000);
        arm.add(&run(8000, &Outcome::TimedOut));
        assert_eq!(arm.limit(1_000_000), LEAST);
        arm.add(&answered(150));
        arm.add(&answered(100));
        assert_eq!(arm.limit(1_000_000), 600_000);
    }
}
