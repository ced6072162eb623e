//! Rounds: which cases share a schedule.

/// How many cases the first round has. Nothing is known of them, and all of them may be cut off by
/// the plan's own limit, so there are few.
const FIRST: u64 = 8;

/// How many cases the next rounds have; the second has so many together with the first.
const LEAST: u64 = 32;

/// A later round has one case for so many that were before it.
const GROWTH: u64 = 4;

/// Consecutive cases of a shard that share a schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Round {
    /// The number of the round, from 0. The first round has no schedule.
    pub number: u64,
    /// Its first case, counted within the shard.
    pub start: u64,
    /// The case after its last.
    pub end: u64,
}

impl Round {
    /// The round of case number `place` of a shard. Rounds grow with what is
    /// known already, so that there are few of them even in long campaigns.
    pub fn of(place: u64) -> Round {
        let mut round = Round {
            number: 0,
            start: 0,
            end: FIRST,
        };
        while round.end <= place && round.end < u64::MAX {
            round = round.next();
        }
        round
    }

    /// The round after it.
    pub fn next(self) -> Round {
        let length = match self.number {
            0 => LEAST - FIRST,
            _ => (self.end / GROWTH).max(LEAST),
        };
        Round {
            number: self.number + 1,
            start: self.end,
            end: self.end.saturating_add(length),
        }
    }

    /// The numbers in the campaign that its cases span, for shard `shard` (from
    /// 0) of `of`.
    pub fn numbers(self, shard: u64, of: u64) -> std::ops::Range<u64> {
        let number = |place: u64| place.saturating_mul(of).saturating_add(shard);
        number(self.start)..number(self.end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_case_is_in_one_round_and_rounds_are_few() {
        let mut round = Round::of(0);
        for place in 0..5000 {
            if place == round.end {
                round = round.next();
            }
            assert_eq!(Round::of(place), round);
            assert!(round.start <= place && place < round.end);
        }
        assert!(Round::of(10_000_000).number < 70);
        assert!(Round::of(u64::MAX).end > 0);
    }

    #[test]
    fn the_rounds_of_shards_hold_their_numbers() {
        let round = Round::of(40);
        assert_eq!((round.start, round.end), (32, 64));
        assert_eq!(round.numbers(0, 1), 32..64);
        assert_eq!(round.numbers(2, 3), 98..194);
        // Numbers 98, 101, … 191: the places 32 to 63 of that shard.
        assert_eq!((98..194).step_by(3).count(), 32);
    }
}
