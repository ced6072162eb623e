//! Large indices as machine words, the lowest first, and tables of running
//! sums laid out so that a search touches little memory.
//!
//! Finding a program far out is bound by memory, not by arithmetic: the sums
//! of a grammar near index 10^300 take tens of megabytes. So the leading bits
//! of a table's sums stand side by side, the sums themselves in one block,
//! and both ends of a table, where nearly all indices fall, are tried first.

use dashu_int::ops::{BitTest, DivRem};
use dashu_int::{DoubleWord, Word};
use lydite_core::BigUint;

/// How many sums at either end of a table are tried first: together a cache
/// line.
const NEAR: usize = 8;

/// How many leading bits of a sum stand for it in a search.
const LEADING: usize = u32::BITS as usize;

const BITS: usize = Word::BITS as usize;

/// A large index, without leading zeros.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Limbs(Vec<Word>);

impl Limbs {
    pub(super) fn new(number: &BigUint) -> Limbs {
        Limbs(number.as_words().to_vec())
    }

    pub(super) fn to_big(&self) -> BigUint {
        BigUint::from_words(&self.0)
    }

    /// The number, which is known to fit.
    pub(super) fn word(&self) -> u128 {
        let limbs = self.0.iter().rev();
        limbs.fold(0, |word, &limb| word << BITS | u128::from(limb))
    }

    fn subtract(&mut self, other: &[Word]) {
        let mut borrow = false;
        for (i, limb) in self.0.iter_mut().enumerate() {
            let (rest, under) = limb.overflowing_sub(other.get(i).copied().unwrap_or(0));
            let (rest, under_again) = rest.overflowing_sub(Word::from(borrow));
            *limb = rest;
            borrow = under || under_again;
        }
        self.trim();
    }

    /// Quotient and remainder.
    pub(super) fn divide(mut self, by: &BigUint) -> (Limbs, Limbs) {
        if let Some(quotient) = self.divide_once(by.as_words()) {
            let quotient = if quotient == 0 {
                Vec::new()
            } else {
                vec![quotient]
            };
            return (Limbs(quotient), self);
        }
        let (quotient, rest) = self.to_big().div_rem(by);
        (Limbs::new(&quotient), Limbs::new(&rest))
    }

    /// The quotient if it can be seen to fit one limb, leaving the rest in
    /// place: one step of Knuth's algorithm D. Indices of large tails are
    /// divided like this nearly always.
    fn divide_once(&mut self, by: &[Word]) -> Option<Word> {
        let len = by.len();
        if self.0.len() < len {
            return Some(0);
        }
        let top = by[len - 1];
        let next = self.0.get(len).copied().unwrap_or(0);
        if self.0.len() > len + 1 || next >= top {
            return None;
        }
        // The first BITS bits of the divisor, and what stands above them.
        let shift = top.leading_zeros() as usize;
        let joined = |high: Word, low: Word| match shift {
            0 => high,
            _ => high << shift | low >> (BITS - shift),
        };
        let limb = |limbs: &[Word], i: Option<usize>| i.map_or(0, |i| limbs[i]);
        let below = len.checked_sub(2);
        let divisor = joined(top, limb(by, below));
        let high = joined(next, self.0[len - 1]);
        let low = joined(self.0[len - 1], limb(&self.0, below));
        let wide = DoubleWord::from(high) << BITS | DoubleWord::from(low);
        let guess = wide / DoubleWord::from(divisor);
        let mut quotient = Word::try_from(guess).unwrap_or(Word::MAX);
        self.0.resize(len + 1, 0);
        if self.subtract_times(by, quotient) {
            // At most two too many.
            loop {
                quotient -= 1;
                if self.add(by) {
                    break;
                }
            }
        }
        self.trim();
        Some(quotient)
    }

    /// `self -= other * times`, with `other` one limb shorter; true if that
    /// was too much.
    fn subtract_times(&mut self, other: &[Word], times: Word) -> bool {
        let mut carry: Word = 0;
        for (limb, &other) in self.0.iter_mut().zip(other) {
            let product =
                DoubleWord::from(other) * DoubleWord::from(times) + DoubleWord::from(carry);
            let (rest, under) = limb.overflowing_sub(product as Word);
            *limb = rest;
            carry = (product >> BITS) as Word + Word::from(under);
        }
        let last = self.0.last_mut().expect("one limb more than the other");
        let (rest, under) = last.overflowing_sub(carry);
        *last = rest;
        under
    }

    /// `self += other`, with `other` one limb shorter; true if it overflows.
    fn add(&mut self, other: &[Word]) -> bool {
        let mut carry = false;
        for (i, limb) in self.0.iter_mut().enumerate() {
            let (sum, over) = limb.overflowing_add(other.get(i).copied().unwrap_or(0));
            let (sum, over_again) = sum.overflowing_add(Word::from(carry));
            *limb = sum;
            carry = over || over_again;
        }
        carry
    }

    fn trim(&mut self) {
        while self.0.last() == Some(&0) {
            self.0.pop();
        }
    }

    /// `self >> shift`, which fits.
    fn shifted(&self, shift: usize) -> u32 {
        let limb = |i: usize| self.0.get(i).copied().unwrap_or(0);
        let (first, bits) = (shift / BITS, shift % BITS);
        let shifted = match bits {
            0 => limb(first),
            _ => limb(first) >> bits | limb(first + 1) << (BITS - bits),
        };
        shifted as u32
    }
}

/// Running sums, the last of them the total.
#[derive(Debug)]
pub(super) struct BigSums {
    /// The sums shifted right by `shift` bits.
    leading: Box<[u32]>,
    shift: usize,
    /// The first and the last of `leading`; all of it if that fits, and then
    /// the greatest number.
    ends: [u32; 2 * NEAR],
    /// All sums, `stride` limbs each.
    limbs: Box<[Word]>,
    stride: usize,
}

impl BigSums {
    /// The sums of `parts`, which make `total`.
    pub(super) fn new(total: &BigUint, parts: impl Iterator<Item = BigUint>) -> BigSums {
        let stride = total.bit_len().div_ceil(BITS);
        let shift = total.bit_len().saturating_sub(LEADING);
        let (mut leading, mut limbs) = (Vec::new(), Vec::new());
        let mut sum = BigUint::ZERO;
        for part in parts {
            sum += part;
            let sum = Limbs::new(&sum);
            leading.push(sum.shifted(shift));
            let padding = stride - sum.0.len();
            limbs.extend(sum.0);
            limbs.extend(std::iter::repeat_n(0, padding));
        }
        let mut ends = [u32::MAX; 2 * NEAR];
        let len = leading.len();
        if len <= 2 * NEAR {
            ends[..len].copy_from_slice(&leading);
        } else {
            ends[..NEAR].copy_from_slice(&leading[..NEAR]);
            ends[NEAR..].copy_from_slice(&leading[len - NEAR..]);
        }
        BigSums {
            ends,
            leading: leading.into(),
            shift,
            limbs: limbs.into(),
            stride,
        }
    }

    /// Bytes per sum of a table with this total.
    pub(super) fn bytes_each(total: &BigUint) -> usize {
        total.bit_len() / 8 + size_of::<Word>() + size_of::<u32>()
    }

    fn sum(&self, place: usize) -> &[Word] {
        &self.limbs[place * self.stride..(place + 1) * self.stride]
    }

    /// The sum up to and with `place`.
    pub(super) fn up_to(&self, place: usize) -> BigUint {
        BigUint::from_words(self.sum(place))
    }

    /// The first place with a sum above `index`, and how far `index` is
    /// beyond the sum before it.
    pub(super) fn place(&self, mut index: Limbs) -> (usize, Limbs) {
        let leading = index.shifted(self.shift);
        let mut place = self.near(leading);
        while self.at_most(place, &index, leading) {
            place += 1;
        }
        if place > 0 {
            index.subtract(self.sum(place - 1));
        }
        (place, index)
    }

    /// The first place with leading bits of at least `wanted`.
    fn near(&self, wanted: u32) -> usize {
        let len = self.leading.len();
        let below = |ends: &[u32]| {
            ends.iter()
                .map(|end| usize::from(*end < wanted))
                .sum::<usize>()
        };
        if len <= 2 * NEAR {
            below(&self.ends)
        } else if wanted <= self.ends[NEAR - 1] {
            below(&self.ends[..NEAR])
        } else if wanted > self.ends[NEAR] {
            len - NEAR + below(&self.ends[NEAR..])
        } else {
            let middle = &self.leading[NEAR..len - NEAR + 1];
            NEAR + middle.partition_point(|sum| *sum < wanted)
        }
    }

    /// True if the sum at `place` is at most `index`. It is not less by its
    /// leading bits.
    fn at_most(&self, place: usize, index: &Limbs, leading: u32) -> bool {
        let len = self.leading.len();
        let end = match place {
            _ if place < NEAR || len <= 2 * NEAR => self.ends[place],
            _ if place >= len - NEAR => self.ends[place + 2 * NEAR - len],
            _ => self.leading[place],
        };
        if end != leading {
            return end < leading;
        }
        let limb = |i: usize| index.0.get(i).copied().unwrap_or(0);
        let sum = self.sum(place).iter().copied().rev();
        sum.cmp((0..self.stride).rev().map(limb)).is_le()
    }
}

#[cfg(test)]
mod tests {
    use lydite_core::Choices;

    use super::*;

    /// Numbers of many lengths, with runs of ones and zeros: where guesses of
    /// quotients go wrong.
    fn number(choices: &mut Choices, limbs: u64) -> BigUint {
        let count = choices.between(1, limbs).unwrap();
        (0..count).fold(BigUint::ZERO, |number, _| {
            let limb = match choices.below(4).unwrap() {
                0 => 0,
                1 => u64::MAX,
                2 => 1 << 63,
                _ => choices.between(0, u64::MAX).unwrap(),
            };
            (number << 64) + BigUint::from(limb)
        })
    }

    #[test]
    fn division_is_that_of_the_library() {
        let mut choices = Choices::seeded(1, 0);
        let mut once = 0;
        for _ in 0..200_000 {
            let by = number(&mut choices, 5) + BigUint::ONE;
            let factor = number(&mut choices, 2);
            let index = match choices.below(3).unwrap() {
                0 => number(&mut choices, 6),
                1 => &by * factor,
                _ => &by * factor + (&by - BigUint::ONE),
            };
            once += u64::from(Limbs::new(&index).divide_once(by.as_words()).is_some());
            let (quotient, rest) = Limbs::new(&index).divide(&by);
            let (expected, expected_rest) = index.div_rem(&by);
            assert_eq!(quotient.to_big(), expected);
            assert_eq!(rest.to_big(), expected_rest);
        }
        assert!(once > 50_000);
    }

    #[test]
    fn a_place_is_where_the_sums_pass_the_index() {
        let mut choices = Choices::seeded(2, 0);
        for len in [1, 2, 8, 15, 16, 17, 18, 40, 200] {
            let parts: Vec<BigUint> = (0..len)
                .map(|_| match choices.below(3).unwrap() {
                    0 => BigUint::ZERO,
                    1 => BigUint::from(choices.below(5).unwrap()),
                    _ => number(&mut choices, 4),
                })
                .chain([BigUint::ONE << 300])
                .collect();
            let total: BigUint = parts.iter().sum();
            let sums = BigSums::new(&total, parts.iter().cloned());
            let mut before = BigUint::ZERO;
            for (place, part) in parts.iter().enumerate() {
                let after = &before + part;
                assert_eq!(sums.up_to(place), after);
                if *part != BigUint::ZERO {
                    let first = sums.place(Limbs::new(&before));
                    assert_eq!(first, (place, Limbs::default()));
                    let last = part - BigUint::ONE;
                    let found = sums.place(Limbs::new(&(&before + &last)));
                    assert_eq!(found, (place, Limbs::new(&last)));
                }
                before = after;
            }
        }
    }
}
