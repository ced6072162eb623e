//! Which numbers are still to be done.

use lydite_store::record::Done;

/// Numbers that are still to be done, in ascending order.
#[derive(Debug)]
pub struct Pending {
    next: u64,
    end: u64,
    step: u64,
    done: Done,
}

impl Pending {
    /// Every `step`-th of `numbers`, less those that are done.
    pub fn new(numbers: std::ops::Range<u64>, step: u64, done: Done) -> Pending {
        Pending {
            next: numbers.start,
            end: numbers.end,
            step,
            done,
        }
    }
}

impl Iterator for Pending {
    type Item = u64;

    fn next(&mut self) -> Option<u64> {
        loop {
            if self.next >= self.end {
                return None;
            }
            let number = self.next;
            let end = self.done.end_from(number);
            // The first number of the shard that is not surely done.
            let steps = end.saturating_sub(number).div_ceil(self.step);
            if steps == 0 {
                self.next = number.saturating_add(self.step);
                return Some(number);
            }
            self.next = number.saturating_add(steps.saturating_mul(self.step));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pending(end: u64, shard: u64, shards: u64, done: &[(u64, u64)]) -> Vec<u64> {
        let done: Done = done.iter().flat_map(|(start, end)| *start..*end).collect();
        Pending::new(shard..end, shards, done).collect()
    }

    #[test]
    fn pending_numbers_skip_what_is_done() {
        assert_eq!(pending(5, 0, 1, &[]), [0, 1, 2, 3, 4]);
        assert_eq!(pending(8, 0, 1, &[(0, 2), (4, 5), (7, 9)]), [2, 3, 5, 6]);
        assert_eq!(pending(9, 1, 3, &[]), [1, 4, 7]);
        assert_eq!(pending(9, 1, 3, &[(0, 5)]), [7]);
        assert_eq!(pending(12, 2, 3, &[(5, 6), (8, 9)]), [2, 11]);
        assert!(pending(4, 0, 1, &[(0, 10)]).is_empty());
    }

    #[test]
    fn shards_partition_the_numbers_whatever_is_done() {
        for done in [vec![], vec![(3, 9)], vec![(0, 1), (2, 3), (10, 40)]] {
            let mut all: Vec<u64> = (0..4)
                .flat_map(|shard| pending(50, shard, 4, &done))
                .collect();
            all.sort_unstable();
            assert_eq!(all, pending(50, 0, 1, &done));
        }
    }

    #[test]
    fn the_end_of_the_numbers_does_not_overflow() {
        let mut last = Pending::new(u64::MAX - 1..u64::MAX, 7, Done::default());
        assert_eq!(last.next(), Some(u64::MAX - 1));
        assert_eq!(last.next(), None);
    }
}
