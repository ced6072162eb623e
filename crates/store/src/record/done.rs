//! Which cases are done: one bit each, and next to nothing where all of a
//! stretch are.

use std::collections::BTreeMap;
use std::ops::Range;

/// A set of case numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Done {
    /// By the number of the stretch.
    stretches: BTreeMap<u64, Stretch>,
    count: u64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Stretch {
    Full,
    Part(Box<[u8; BYTES]>),
}

/// Bytes and numbers of a stretch.
const BYTES: usize = 1024;
const NUMBERS: u64 = 8 * BYTES as u64;

impl Done {
    /// How many numbers are in it.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// How many of these numbers are in it.
    pub fn count_in(&self, numbers: Range<u64>) -> u64 {
        let within = |(start, end): &(u64, u64)| {
            let (start, end) = (numbers.start.max(*start), numbers.end.min(*end));
            end.saturating_sub(start)
        };
        self.ranges().iter().map(within).sum()
    }

    /// Adds a number; false if it was there.
    pub fn insert(&mut self, number: u64) -> bool {
        let (stretch, at) = (number / NUMBERS, (number % NUMBERS) as usize);
        let part = self
            .stretches
            .entry(stretch)
            .or_insert_with(|| Stretch::Part(Box::new([0; BYTES])));
        let Stretch::Part(bits) = part else {
            return false;
        };
        if bits[at / 8] & (1 << (at % 8)) != 0 {
            return false;
        }
        bits[at / 8] |= 1 << (at % 8);
        if bits.iter().all(|byte| *byte == u8::MAX) {
            *part = Stretch::Full;
        }
        self.count += 1;
        true
    }

    /// True if the number is in it.
    pub fn contains(&self, number: u64) -> bool {
        let at = (number % NUMBERS) as usize;
        match self.stretches.get(&(number / NUMBERS)) {
            None => false,
            Some(Stretch::Full) => true,
            Some(Stretch::Part(bits)) => bits[at / 8] & (1 << (at % 8)) != 0,
        }
    }

    /// An index such that all numbers from `number` up to it are in the set. It is `number` itself
    /// if that is not in the set.
    pub fn end_from(&self, number: u64) -> u64 {
        match self.stretches.get(&(number / NUMBERS)) {
            Some(Stretch::Full) => (number / NUMBERS + 1).saturating_mul(NUMBERS),
            _ if self.contains(number) => number.saturating_add(1),
            _ => number,
        }
    }

    /// Its numbers as ranges [start, end) in order; no two of them touch.
    pub fn ranges(&self) -> Vec<(u64, u64)> {
        let mut ranges: Vec<(u64, u64)> = Vec::new();
        let mut add = |start: u64, end: u64| match ranges.last_mut() {
            Some((_, last)) if *last == start => *last = end,
            _ => ranges.push((start, end)),
        };
        for (stretch, content) in &self.stretches {
            let first = stretch * NUMBERS;
            match content {
                Stretch::Full => add(first, first.saturating_add(NUMBERS)),
                Stretch::Part(bits) => {
                    let set = |at: &u64| bits[*at as usize / 8] & (1 << (at % 8)) != 0;
                    let numbers = (0..NUMBERS).filter(set);
                    numbers.for_each(|at| add(first + at, first + at + 1));
                }
            }
        }
        ranges
    }

    /// The stretch that holds a number: its own number, and its bits, none if
    /// all are set.
    pub fn stretch_of(&self, number: u64) -> (u64, &[u8]) {
        let stretch = number / NUMBERS;
        match self.stretches.get(&stretch) {
            Some(Stretch::Part(bits)) => (stretch, bits.as_slice()),
            _ => (stretch, &[]),
        }
    }

    /// Adds a stretch as [`Done::stretch_of`] gave it; false if these bits are no stretch.
    pub fn add_stretch(&mut self, stretch: u64, bits: &[u8]) -> bool {
        let content = match bits {
            [] => Stretch::Full,
            bits => match <[u8; BYTES]>::try_from(bits) {
                Ok(bits) => Stretch::Part(Box::new(bits)),
                Err(_) => return false,
            },
        };
        if stretch > u64::MAX / NUMBERS {
            return false;
        }
        let count = |content: &Stretch| match content {
            Stretch::Full => NUMBERS,
            Stretch::Part(bits) => bits.iter().map(|byte| u64::from(byte.count_ones())).sum(),
        };
        self.count += count(&content);
        if let Some(before) = self.stretches.insert(stretch, content) {
            self.count -= count(&before);
        }
        true
    }
}

impl FromIterator<u64> for Done {
    fn from_iter<I: IntoIterator<Item = u64>>(numbers: I) -> Done {
        let mut done = Done::default();
        numbers.into_iter().for_each(|number| {
            done.insert(number);
        });
        done
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_went_in_are_in_it_and_no_others() {
        let sets: [Vec<u64>; 4] = [
            vec![],
            vec![0, 1, 2, 9, 8191, 8192, 8193, u64::MAX - 1],
            (0..20_000).collect(),
            (0..30_000).filter(|n| n % 3 == 1).collect(),
        ];
        for numbers in sets {
            let done: Done = numbers.iter().copied().collect();
            assert_eq!(done.count(), numbers.len() as u64);
            let listed: Vec<u64> = done.ranges().into_iter().flat_map(|(a, b)| a..b).collect();
            assert_eq!(listed, numbers);
            let mut again = Done::default();
            for number in &numbers {
                let (stretch, bits) = done.stretch_of(*number);
                assert!(again.add_stretch(stretch, bits));
                assert!(done.contains(*number) && !again.insert(*number));
                assert!(done.end_from(*number) > *number);
            }
            assert_eq!(again, done);
            let absent = [3, 10, 25_001, 1 << 40];
            for number in absent.into_iter().filter(|n| !numbers.contains(n)) {
                assert!(!done.contains(number));
                assert_eq!(done.end_from(number), number);
            }
        }
        assert!(!Done::default().add_stretch(0, &[1, 2]));
        assert!(!Done::default().add_stretch(u64::MAX, &[]));
    }
}
