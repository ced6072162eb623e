//! How long runs take, and how long they may: the curve of what is still running
//! after some time, and the limit that follows from it.
//!
//! A run that is cut off tells only that it takes longer than its limit, and limits
//! differ from round to round. So what is estimated is the share of runs that are
//! still running after some time, by the product limit over those that were there to be
//! seen (Kaplan and Meier 1958). What little is known of an arm is joined with what is
//! known of all of them (a beta process as prior, Hjort 1990): so many runs count as
//! if they had been seen.
//!
//! Times are CPU times, which are the same on a busy machine.

use std::collections::BTreeMap;
use std::time::Duration;

use super::statistics::{is_answered, is_timed_out};
use lydite_store::record::RunRecord;

/// Bins for each doubling of a time.
const BINS: f64 = 2.0;

/// The last bin; it holds more than an hour.
const LAST: usize = 64;

/// A run whose CPU time is below this part of its wall time has waited for something: then
/// its wall time counts.
const WAITED: u32 = 32;

/// No run has less CPU time than this.
const LEAST: Duration = Duration::from_millis(1);

/// How many runs of an arm's own the times of all other arms count for.
const PRIOR: f64 = 1.0;

/// A limit is at least so many times as long as half of the answers took.
const USUAL: f64 = 2.0;

/// The limit of a run of a target, of which so many runs on programs of the same case were cut off
/// before.
///
/// Programs of one case are much alike: where one takes too long, most others do. So after each run
/// that is cut off the others have a quarter of its limit, and a case of many programs can lose
/// hardly a third more than a case of one program.
pub fn spared(limit: Duration, cut_before: u32) -> Duration {
    let part = 4_u32.checked_pow(cut_before).unwrap_or(u32::MAX);
    (limit / part).max(LEAST)
}

/// The times of runs, in bins that grow with them.
#[derive(Clone, Debug, Default)]
pub(super) struct RunTimes(BTreeMap<usize, Bin>);

/// Runs of about the same time.
#[derive(Clone, Copy, Debug, Default)]
struct Bin {
    /// Those that ended by themselves.
    ended: f64,
    /// Those of them that ended with an answer.
    answered: f64,
    /// Those that were cut off.
    cut: f64,
}

impl RunTimes {
    /// Counts a run.
    pub(super) fn add(&mut self, run: &RunRecord) {
        let time = match run.cpu.saturating_mul(WAITED) < run.wall {
            true => run.wall,
            false => run.cpu,
        };
        self.add_time(micros(time), is_timed_out(run), is_answered(run));
    }

    /// Counts a run that took so many microseconds until it ended, perhaps with an answer,
    /// or was cut off.
    pub(super) fn add_time(&mut self, micros: u64, is_cut: bool, is_answered: bool) {
        let bin = ((micros.max(1) as f64).log2() * BINS) as usize;
        let bin = self.0.entry(bin.min(LAST)).or_default();
        match is_cut {
            true => bin.cut += 1.0,
            false => bin.ended += 1.0,
        }
        bin.answered += f64::from(u8::from(is_answered));
    }

    /// Counts all runs of another strategy.
    pub(super) fn add_all(&mut self, other: &RunTimes) {
        for (number, bin) in &other.0 {
            let own = self.0.entry(*number).or_default();
            own.ended += bin.ended;
            own.answered += bin.answered;
            own.cut += bin.cut;
        }
    }

    /// Counts all runs of another arm as one run in all. Runs that were cut off there count as
    /// runs that go on: slow arms are cut off sooner than others, so that runs of other arms end
    /// later tells nothing of them.
    fn add_as_one(&mut self, other: &RunTimes) {
        let runs = other.runs();
        for (number, bin) in &other.0 {
            let own = self.0.entry(*number).or_default();
            own.ended += bin.ended / runs;
            own.answered += bin.answered / runs;
            self.0.entry(LAST).or_default().cut += bin.cut / runs;
        }
    }

    fn runs(&self) -> f64 {
        self.0.values().map(|bin| bin.ended + bin.cut).sum()
    }
}

/// Where a bin ends, in microseconds.
fn end_of(bin: usize) -> f64 {
    ((bin + 1) as f64 / BINS).exp2()
}

pub(super) fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}

/// Which share of runs is still running after some time.
#[derive(Clone, Debug)]
pub(super) struct Curve {
    /// The share at the end of each bin.
    running: [f64; LAST + 1],
    /// The mean time of runs that are cut off at the end of each bin.
    mean: [f64; LAST + 1],
    /// The share that has answered by the end of each bin.
    answered: [f64; LAST + 1],
    /// What a run that is cut off costs beside its own time, in microseconds.
    restart: f64,
}

impl Curve {
    /// The curve of runs that are all of one kind. One run that never ends is added to them: what
    /// never happened in *n* runs is thought to happen in one of *n* + 1.
    pub(super) fn of(times: &RunTimes) -> Curve {
        Curve::joined(times, 0.0, |_| (1.0, 0.0, 0.0))
    }

    /// The same runs, where one that is cut off takes a process with it whose start takes so many
    /// microseconds.
    pub(super) fn with_restart(self, restart: u64) -> Curve {
        Curve {
            restart: restart as f64,
            ..self
        }
    }

    /// The curve of an arm of which nothing is known: that of all other arms, each counted as one
    /// run, with this curve as what is known of other strategies.
    pub(super) fn with_arms<'a>(&self, arms: impl Iterator<Item = &'a RunTimes>) -> Curve {
        let mut all = RunTimes::default();
        arms.for_each(|times| all.add_as_one(times));
        self.with(&all)
    }

    /// The curve of an arm of which these times are known, with this curve as what is known of others.
    pub(super) fn with(&self, own: &RunTimes) -> Curve {
        Curve::joined(own, self.restart, |bin| {
            let (running, answered) = match bin {
                0 => (1.0, 0.0),
                _ => (self.running[bin - 1], self.answered[bin - 1]),
            };
            (
                PRIOR * running,
                PRIOR * (running - self.running[bin]),
                PRIOR * (self.answered[bin] - answered),
            )
        })
    }

    /// `prior` gives for each bin how many runs are added to those that were seen, how many of
    /// these ended there, and how many of these with an answer.
    fn joined(times: &RunTimes, restart: f64, prior: impl Fn(usize) -> (f64, f64, f64)) -> Curve {
        let mut left = times.runs();
        let (mut share, mut mean, mut from, mut answers) = (1.0, 0.0, 0.0, 0.0);
        let mut curve = Curve {
            running: [1.0; LAST + 1],
            mean: [0.0; LAST + 1],
            answered: [0.0; LAST + 1],
            restart,
        };
        for number in 0..=LAST {
            let bin = times.0.get(&number).copied().unwrap_or_default();
            // Those that were cut off in it are gone from its beginning.
            let (more, more_ended, more_answered) = prior(number);
            let there = (left - bin.cut).max(0.0) + more;
            let ended = (bin.ended + more_ended) / there.max(1e-9);
            let after = share * (1.0 - ended.clamp(0.0, 1.0));
            let to = end_of(number);
            answers += share * ((bin.answered + more_answered) / there.max(1e-9)).min(1.0);
            mean += (to - from) * (share + after) / 2.0;
            (share, from) = (after, to);
            left -= bin.ended + bin.cut;
            (curve.running[number], curve.mean[number]) = (share, mean);
            curve.answered[number] = answers;
        }
        curve
    }

    /// What runs with this limit take, in microseconds.
    pub(super) fn forecast(&self, limit: u64) -> CostForecast {
        let bin = bin_before(limit);
        let limit = limit as f64;
        let restarts = self.restart * self.running[bin];
        CostForecast {
            cost: self.mean[bin].min(limit) + restarts,
            lost: (limit * self.running[bin]).min(self.mean[bin]),
        }
    }

    /// The limit, up to `most`, with a share of the time for runs that are cut off.
    ///
    /// It is as long as that share allows, but no shorter than the one with the most answers
    /// per CPU second: from there on waiting is worth less than beginning anew (Luby, Sinclair
    /// and Zuckerman 1993). And no shorter than a few times what answers usually take, so
    /// that trivial ones do not drive out the rest.
    pub(super) fn limit(&self, share: f64, most: u64) -> u64 {
        let bins = (0..=LAST).filter(|bin| end_of(*bin) < most as f64);
        let mut limits: Vec<u64> = bins.map(|bin| end_of(bin) as u64).collect();
        limits.push(most);
        let half = self.answered[bin_before(most)] / 2.0;
        if half <= 0.0 {
            return most;
        }
        let usual = (0..=LAST).find(|bin| self.answered[*bin] >= half);
        let usual = usual.map_or(most, |bin| (end_of(bin) * USUAL) as u64);
        let (mut best, mut best_rate) = (most, 0.0);
        let mut longest = 0;
        for limit in limits {
            let forecast = self.forecast(limit);
            let rate = self.answered[bin_before(limit)] / forecast.cost.max(1e-9);
            if rate > best_rate {
                (best, best_rate) = (limit, rate);
            }
            if forecast.lost_share() <= share {
                longest = limit;
            }
        }
        longest.max(best).max(usual.min(most))
    }
}

/// The bin that ends about there.
fn bin_before(micros: u64) -> usize {
    let bin = ((micros.max(1) as f64).log2() * BINS).round() as usize;
    bin.clamp(1, LAST + 1) - 1
}

/// What runs or cases are thought to take, in microseconds of CPU time each.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct CostForecast {
    /// The CPU time of all runs.
    pub(super) cost: f64,
    /// The CPU time of runs that are cut off.
    pub(super) lost: f64,
}

impl CostForecast {
    /// The share that goes to runs that are cut off.
    pub(super) fn lost_share(&self) -> f64 {
        self.lost / self.cost.max(1e-9)
    }

    /// The same where so many times as much is lost.
    pub(super) fn with_loss(self, ratio: f64) -> CostForecast {
        CostForecast {
            cost: self.cost + self.lost * (ratio - 1.0),
            lost: self.lost * ratio,
        }
    }

    /// Adds another forecast, so many times.
    pub(super) fn add(&mut self, other: CostForecast, times: f64) {
        self.cost += other.cost * times;
        self.lost += other.lost * times;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MOST: u64 = 8_000_000;

    fn times(rows: &[(u64, u64, bool)]) -> RunTimes {
        let mut times = RunTimes::default();
        for (count, millis, is_cut) in rows {
            (0..*count).for_each(|_| times.add_time(millis * 1000, *is_cut, !*is_cut));
        }
        times
    }

    #[test]
    fn what_was_cut_off_early_says_nothing_of_later() {
        // Of eight that were watched for long four ended after 200 ms.
        let long = times(&[(4, 20, false), (4, 200, false), (4, 8000, true)]);
        let mut short = long.clone();
        // Of many others half ended after 20 ms, and the rest was cut off.
        (0..500).for_each(|_| short.add_time(20_000, false, true));
        (0..500).for_each(|_| short.add_time(60_000, true, false));
        let curve = Curve::of(&short);
        let running = |micros| {
            let forecast = curve.forecast(micros);
            forecast.lost / micros as f64
        };
        assert!((running(46_340) - 0.5).abs() < 0.02, "{}", running(46_340));
        // Half of those, and no more, end by 400 ms.
        assert!(
            (running(370_727) - 0.27).abs() < 0.03,
            "{}",
            running(370_727)
        );
    }

    #[test]
    fn limits_keep_to_the_share_and_never_cut_off_what_is_usual() {
        // Nothing is ever cut off: the more was seen, the longer the limit.
        let mut last = 0;
        for count in [10, 100, 1000, 100_000] {
            let limit = Curve::of(&times(&[(count, 20, false)])).limit(0.1, MOST);
            assert!(limit > last && limit >= 23_000, "{count}: {limit}");
            last = limit;
        }
        assert_eq!(last, MOST);
        // A few never end.
        let some = Curve::of(&times(&[(985, 20, false), (15, 8000, true)]));
        let limit = some.limit(0.1, MOST);
        assert!((60_000..200_000).contains(&limit), "{limit}");
        assert!(some.forecast(limit).lost_share() <= 0.1);
        // A slow target has a longer one.
        let slow = Curve::of(&times(&[(985, 400, false), (15, 8000, true)]));
        assert!(slow.limit(0.1, MOST) > 10 * limit);
        // Whoever mostly never ends cannot keep to it, and yet gets its usual time.
        let most_never = Curve::of(&times(&[(300, 20, false), (700, 8000, true)]));
        let limit = most_never.limit(0.1, MOST);
        assert!((23_000..80_000).contains(&limit), "{limit}");
        assert!(most_never.forecast(limit).lost_share() > 0.5);
        // Of nothing nothing is known.
        assert_eq!(Curve::of(&RunTimes::default()).limit(0.1, MOST), MOST);
    }

    #[test]
    fn an_arm_is_thought_to_be_as_the_others_until_it_was_seen() {
        let quick = times(&[(900, 20, false)]);
        let never = times(&[(2, 60, true)]);
        let nothing = Curve::of(&RunTimes::default());
        let all = nothing.with_arms([&quick, &quick, &quick, &never].into_iter());
        let lost = |curve: &Curve| curve.forecast(65_536).lost_share();
        // Each arm counts once, however often it ran.
        assert!((0.3..0.8).contains(&lost(&all)), "{}", lost(&all));
        let same = all.with(&RunTimes::default());
        assert!((lost(&same) - lost(&all)).abs() < 1e-9);
        assert!(lost(&all.with(&quick)) < 0.02);
        assert!(lost(&all.with(&never)) > lost(&all));
    }

    #[test]
    fn what_other_strategies_took_and_what_a_restart_takes_make_limits_longer() {
        let others = times(&[(20, 30, false), (10, 300, false), (5, 700, false)]);
        let own = times(&[(2, 30, false)]);
        let limit = |curve: &Curve| curve.with(&own).limit(0.02, MOST);
        let nothing = Curve::of(&RunTimes::default());
        // Two short runs alone: whoever takes longer is thought to go on for ever.
        assert!(limit(&nothing) < 120_000, "{}", limit(&nothing));
        // The next start takes longer than all that others ever took.
        let kept = Curve::of(&others).with_restart(900_000);
        assert!(limit(&kept) >= 700_000, "{}", limit(&kept));
        assert!(limit(&kept) > limit(&Curve::of(&others)));
        // Nothing is known of other strategies: as if there were none.
        assert_eq!(limit(&nothing), Curve::of(&own).limit(0.02, MOST));
    }
}
