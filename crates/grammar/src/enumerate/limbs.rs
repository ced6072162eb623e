//! Large indices as machine words, the lowest first, and tables of running
//! sums laid out so that a search touches little memory.
//!
//! Finding a program far out is bound by memory, not by arithmetic: the sums
//! of a grammar near index 10^300 take tens of megabytes. So the leading bits
//! of a table's sums stand side by side, the sums themselves in one block,
//! and both ends of a table, where nearly all indices fall, are tried first.

use dashu_int::Word;
use dashu_int::ops::{BitTest, DivRem};
use lydite_core::BigUint;

/// How many sums at either end of a table are tried first: a cache line.
const NEAR: usize = 8;

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
        while self.0.last() == Some(&0) {
            self.0.pop();
        }
    }

    /// Quotient and remainder.
    pub(super) fn divide(&self, by: &BigUint) -> (Limbs, Limbs) {
        let (quotient, rest) = self.to_big().div_rem(by);
        (Limbs::new(&quotient), Limbs::new(&rest))
    }

    /// `self >> shift`, which fits.
    fn shifted(&self, shift: usize) -> Word {
        let limb = |i: usize| self.0.get(i).copied().unwrap_or(0);
        let (first, bits) = (shift / BITS, shift % BITS);
        match bits {
            0 => limb(first),
            _ => limb(first) >> bits | limb(first + 1) << (BITS - bits),
        }
    }
}

/// Running sums, the last of them the total.
#[derive(Debug)]
pub(super) struct BigSums {
    /// The sums shifted right by `shift` bits.
    leading: Box<[Word]>,
    shift: usize,
    /// All sums, `stride` limbs each.
    limbs: Box<[Word]>,
    stride: usize,
}

impl BigSums {
    /// The sums of `parts`, which make `total`.
    pub(super) fn new(total: &BigUint, parts: impl Iterator<Item = BigUint>) -> BigSums {
        let stride = total.bit_len().div_ceil(BITS);
        let shift = total.bit_len().saturating_sub(BITS);
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
        BigSums {
            leading: leading.into(),
            shift,
            limbs: limbs.into(),
            stride,
        }
    }

    /// Bytes per sum of a table with this total.
    pub(super) fn bytes_each(total: &BigUint) -> usize {
        total.bit_len() / 8 + 2 * size_of::<Word>()
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
        let mut place = self.near(index.shifted(self.shift));
        while self.at_most(place, &index) {
            place += 1;
        }
        if place > 0 {
            index.subtract(self.sum(place - 1));
        }
        (place, index)
    }

    /// The first place with leading bits of at least `wanted`.
    fn near(&self, wanted: Word) -> usize {
        let len = self.leading.len();
        let search = |from: usize, to: usize| {
            from + self.leading[from..to].partition_point(|sum| *sum < wanted)
        };
        match len {
            _ if len <= 2 * NEAR => search(0, len),
            _ if wanted <= self.leading[NEAR - 1] => search(0, NEAR),
            _ if wanted > self.leading[len - NEAR] => search(len - NEAR, len),
            _ => search(NEAR, len - NEAR + 1),
        }
    }

    fn at_most(&self, place: usize, index: &Limbs) -> bool {
        let leading = index.shifted(self.shift);
        if self.leading[place] != leading {
            return self.leading[place] < leading;
        }
        let limb = |i: usize| index.0.get(i).copied().unwrap_or(0);
        let sum = self.sum(place).iter().copied().rev();
        sum.cmp((0..self.stride).rev().map(limb)).is_le()
    }
}
