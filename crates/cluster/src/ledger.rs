//! Which cases are done, which are out with workers, and what the next shard
//! is. Pure: the coordinator tells it what happened.

use std::collections::BTreeMap;
use std::ops::Range;

use serde::{Deserialize, Serialize};

/// Disjoint ranges of numbers that do not touch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Ranges(BTreeMap<u64, u64>);

impl Ranges {
    pub(crate) fn insert(&mut self, range: Range<u64>) {
        let Range { mut start, mut end } = range;
        if start >= end {
            return;
        }
        let before = self.0.range(..=start).next_back();
        if let Some((&first, &last)) = before
            && last >= start
        {
            (start, end) = (first, end.max(last));
        }
        while let Some((&first, &last)) = self.0.range(start..=end).next() {
            end = end.max(last);
            self.0.remove(&first);
        }
        self.0.insert(start, end);
    }

    fn remove(&mut self, range: &Range<u64>) {
        if range.is_empty() {
            return;
        }
        let first = self.0.range(..=range.start).next_back();
        let first = first.map_or(range.start, |(start, _)| *start);
        let touched: Vec<(u64, u64)> = self
            .0
            .range(first..range.end)
            .filter(|(_, end)| **end > range.start)
            .map(|(start, end)| (*start, *end))
            .collect();
        for (start, end) in touched {
            self.0.remove(&start);
            self.insert(start..range.start.min(end));
            self.insert(range.end.max(start)..end);
        }
    }

    /// The end of the range that holds `number`.
    fn end_of(&self, number: u64) -> Option<u64> {
        let (_, end) = self.0.range(..=number).next_back()?;
        (*end > number).then_some(*end)
    }

    /// Where the first range after `number` begins.
    fn next_start(&self, number: u64) -> u64 {
        let next = self.0.range(number..).next();
        next.map_or(u64::MAX, |(start, _)| *start)
    }

    fn len(&self) -> u64 {
        self.0.iter().map(|(start, end)| end - start).sum()
    }
}

/// Cases that nobody could finish, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SetAside {
    /// The index of the first case.
    pub start: u64,
    /// The index after the last case.
    pub end: u64,
    /// What happened to those who tried.
    pub reason: String,
}

/// How a campaign stands.
#[derive(Debug)]
pub(crate) struct Ledger {
    end: u64,
    done: Ranges,
    /// Published, and not done.
    out: Ranges,
    aside: Ranges,
    pub(crate) set_aside: Vec<SetAside>,
    /// The index before which every case is done, out or set aside.
    next: u64,
}

impl Ledger {
    pub(crate) fn new(end: u64, finished: &[(u64, u64)]) -> Ledger {
        let mut done = Ranges::default();
        for (start, end) in finished {
            done.insert(*start..*end);
        }
        Ledger {
            end,
            done,
            out: Ranges::default(),
            aside: Ranges::default(),
            set_aside: Vec::new(),
            next: 0,
        }
    }

    /// The index after the last case.
    pub(crate) fn end(&self) -> u64 {
        self.end
    }

    /// Cases that are done.
    pub(crate) fn done(&mut self, range: Range<u64>) {
        self.out.remove(&range);
        self.done.insert(range);
    }

    /// A shard that is with the workers.
    pub(crate) fn is_out(&mut self, shard: &Range<u64>) {
        for gap in self.missing(shard) {
            self.out.insert(gap);
        }
    }

    /// The parts of a range that are not done.
    pub(crate) fn missing(&self, range: &Range<u64>) -> Vec<Range<u64>> {
        let mut gaps = Vec::new();
        let mut at = range.start;
        while at < range.end {
            match self.done.end_of(at) {
                Some(end) => at = end,
                None => {
                    let end = self.done.next_start(at).min(range.end);
                    gaps.push(at..end);
                    at = end;
                }
            }
        }
        gaps
    }

    /// The next cases that nobody has, up to `most` of them, and none beyond what
    /// `bound` says of the first.
    pub(crate) fn next_shard(
        &mut self,
        most: u64,
        bound: &dyn Fn(u64) -> u64,
    ) -> Option<Range<u64>> {
        loop {
            if self.next >= self.end {
                return None;
            }
            let sets = [&self.done, &self.out, &self.aside];
            if let Some(end) = sets.iter().find_map(|set| set.end_of(self.next)) {
                self.next = end;
                continue;
            }
            let free = sets.iter().map(|set| set.next_start(self.next));
            let free = free.min().unwrap_or(u64::MAX);
            let end = free
                .min(self.end)
                .min(bound(self.next).max(self.next + 1))
                .min(self.next.saturating_add(most.max(1)));
            let shard = self.next..end;
            self.out.insert(shard.clone());
            self.next = end;
            return Some(shard);
        }
    }

    /// What is out was lost: it is to be published again.
    pub(crate) fn lost(&mut self) {
        self.out = Ranges::default();
        self.next = 0;
    }

    /// Nobody finished this shard after several tries. What is left of it is
    /// to be tried in parts; a case that is alone is set aside.
    pub(crate) fn exhausted(&mut self, shard: &Range<u64>, reason: &str) -> Vec<Range<u64>> {
        let gaps = self.missing(shard);
        if let [only] = gaps.as_slice()
            && only.end - only.start == 1
        {
            self.out.remove(only);
            if self.aside.end_of(only.start).is_none() {
                self.aside.insert(only.clone());
                self.set_aside.push(SetAside {
                    start: only.start,
                    end: only.end,
                    reason: reason.to_string(),
                });
            }
            return Vec::new();
        }
        // A worker does its cases in order, so the first that is missing is
        // the likeliest culprit.
        gaps.into_iter()
            .flat_map(|gap| {
                let second = gap.start + 1;
                let middle = second + (gap.end - second).div_ceil(2);
                [gap.start..second, second..middle, middle..gap.end]
            })
            .filter(|part| !part.is_empty())
            .collect()
    }

    /// Cases that nobody has yet.
    pub(crate) fn free(&self) -> u64 {
        let taken = self.done.len() + self.out.len() + self.aside.len();
        self.end.saturating_sub(taken)
    }

    /// True if nothing is left but what was set aside.
    pub(crate) fn is_complete(&self) -> bool {
        self.done.len() + self.aside.len() >= self.end
    }
}

/// How many cases a shard should have: so many that it takes about this long.
const SHARD_S: f64 = 10.0;

/// The first shards are small: nothing is known of the targets yet.
const FIRST_CASES: u64 = 8;

/// A shard has no more.
const MOST_CASES: u64 = 1_000_000;

/// How long cases take, from the shards that were done.
#[derive(Debug, Default)]
pub(crate) struct CasePace {
    seconds_per_case: Option<f64>,
}

impl CasePace {
    pub(crate) fn add(&mut self, cases: u64, seconds: f64) {
        if cases == 0 {
            return;
        }
        let seen = seconds.max(1e-6) / cases as f64;
        let known = self.seconds_per_case.unwrap_or(seen);
        self.seconds_per_case = Some(0.7 * known + 0.3 * seen);
    }

    /// The size of the next shard, with so many cases free and so many tasks.
    /// Towards the end shards get smaller, so that all tasks end together.
    pub(crate) fn shard_cases(&self, free: u64, tasks: u64) -> u64 {
        let by_time = match self.seconds_per_case {
            None => FIRST_CASES,
            Some(seconds) => (SHARD_S / seconds) as u64,
        };
        let fair = free / (2 * tasks.max(1));
        by_time.min(fair).clamp(1, MOST_CASES)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_join_and_part() {
        let mut ranges = Ranges::default();
        for range in [4..6, 0..2, 9..9, 6..7, 1..5] {
            ranges.insert(range);
        }
        assert_eq!(ranges.0, BTreeMap::from([(0, 7)]));
        ranges.remove(&(2..3));
        ranges.remove(&(5..100));
        assert_eq!(ranges.0, BTreeMap::from([(0, 2), (3, 5)]));
        assert_eq!((ranges.end_of(4), ranges.end_of(2)), (Some(5), None));
        assert_eq!(ranges.len(), 4);
    }

    #[test]
    fn every_case_is_handed_out_once_whatever_was_done_before() {
        for finished in [vec![], vec![(0, 3)], vec![(2, 3), (5, 9)], vec![(0, 20)]] {
            let mut ledger = Ledger::new(20, &finished);
            ledger.is_out(&(8..12));
            let mut seen = Vec::new();
            while let Some(shard) = ledger.next_shard(3, &|_| u64::MAX) {
                seen.extend(shard);
            }
            let was_done = |n: &u64| finished.iter().any(|(a, b)| (*a..*b).contains(n));
            let expected: Vec<u64> = (0..20)
                .filter(|n| !was_done(n) && !(8..12).contains(n))
                .collect();
            assert_eq!(seen, expected);
            assert_eq!(ledger.free(), 0);
        }
    }

    #[test]
    fn what_was_lost_is_handed_out_again_and_what_is_done_is_not() {
        let mut ledger = Ledger::new(10, &[]);
        while ledger.next_shard(4, &|_| u64::MAX).is_some() {}
        ledger.done(0..4);
        ledger.done(5..6);
        ledger.lost();
        let mut again = Vec::new();
        while let Some(shard) = ledger.next_shard(4, &|_| u64::MAX) {
            again.push(shard);
        }
        assert_eq!(again, [4..5, 6..10]);
    }

    #[test]
    fn a_poisonous_case_is_found_in_parts_and_the_rest_is_done() {
        let mut ledger = Ledger::new(100, &[]);
        let mut queue = vec![ledger.next_shard(100, &|_| u64::MAX).unwrap()];
        let mut tries = 0;
        while let Some(shard) = queue.pop() {
            tries += 1;
            if shard.contains(&37) {
                // What came before the poison was done.
                ledger.done(shard.start..37);
                queue.extend(ledger.exhausted(&shard, "killed"));
            } else {
                ledger.done(shard);
            }
        }
        assert!(ledger.is_complete());
        let aside: Vec<_> = ledger.set_aside.iter().map(|s| (s.start, s.end)).collect();
        assert_eq!(aside, [(37, 38)]);
        assert!(tries < 20, "{tries}");
        assert_eq!(ledger.done.len(), 99);
    }

    #[test]
    fn shards_grow_with_the_pace_and_shrink_towards_the_end() {
        let mut pace = CasePace::default();
        assert_eq!(pace.shard_cases(10_000, 4), FIRST_CASES);
        pace.add(8, 0.08);
        assert_eq!(pace.shard_cases(1_000_000, 4), 1000);
        assert_eq!(pace.shard_cases(80, 4), 10);
        assert_eq!(pace.shard_cases(1, 4), 1);
        pace.add(0, 5.0);
        assert_eq!(pace.shard_cases(1_000_000, 4), 1000);
    }
}
