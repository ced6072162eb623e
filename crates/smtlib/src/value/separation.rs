//! How small an algebraic number can be that is not zero, and roots to many
//! digits.
//!
//! Let v be a polynomial with rational coefficients in roots of polynomials.
//! Some integer q makes q·v an algebraic integer: the common denominator of
//! the coefficients times powers of the roots' leading coefficients. Every
//! conjugate of v is the same polynomial in other roots of the same
//! polynomials, so there are at most D of them, the product of the degrees,
//! and none is larger than a bound B. The product of the distinct conjugates
//! of q·v is an integer, and not 0 unless v is, so |v| ≥ 1 / (q (qB)^(D-1)).
//!
//! Roots are narrowed by quadratic interval refinement (Abbott, 2006): a
//! guess by linear interpolation is checked by signs, and each guess that
//! holds doubles the digits that the next one tries.

use std::collections::BTreeMap;
use std::sync::Arc;

use dashu_int::Sign;
use dashu_int::ops::{BitTest, Gcd, UnsignedAbs};

use super::algebraic::{Monomial, Root};
use super::{Int, Natural, Rational};

/// More digits than these are not worth the time.
const MAX_BITS: usize = 1 << 15;

/// 2 to the power of minus `bits`.
pub(super) fn power(bits: usize) -> Rational {
    Rational::from_parts(Int::ONE, Natural::ONE << bits)
}

/// A number n such that the sum of these terms is zero if it is smaller in
/// size than 2 to the power of -n; none if n is large.
pub(super) fn zero_bits(terms: &BTreeMap<Monomial, Rational>) -> Option<usize> {
    let mut powers: BTreeMap<&Arc<Root>, u32> = BTreeMap::new();
    for (root, power) in terms.keys().flatten() {
        let most = powers.entry(root).or_default();
        *most = (*most).max(*power);
    }
    let mut conjugates = 1usize;
    let mut whole_bits = 0usize;
    for (root, &power) in &powers {
        conjugates = conjugates.checked_mul(root.polynomial.len() - 1)?;
        let lead = integral(&root.polynomial).pop()?.unsigned_abs();
        whole_bits += lead.bit_len().checked_mul(power as usize)?;
    }
    let mut size = Natural::ZERO;
    for (monomial, coefficient) in terms {
        whole_bits += coefficient.denominator().bit_len();
        let exponents = monomial.iter();
        let exponent: usize = exponents
            .map(|(root, n)| size_bits(root) * *n as usize)
            .sum();
        if exponent > MAX_BITS {
            return None;
        }
        size += (coefficient.numerator().unsigned_abs() + Natural::ONE) << exponent;
    }
    let each = whole_bits.checked_add(size.bit_len())?;
    let bits = each.checked_mul(conjugates)?;
    (bits <= MAX_BITS).then_some(bits)
}

/// Every complex root of the root's polynomial is below 2 to this power
/// (Fujiwara's bound).
fn size_bits(root: &Root) -> usize {
    let [rest @ .., lead] = &root.polynomial[..] else {
        return 0;
    };
    let parts = rest.iter().rev().enumerate().map(|(at, c)| {
        let (_, ratio) = (c / lead).ceil().into_parts();
        let (_, other) = (c / lead).floor().into_parts();
        ratio.max(other).bit_len().div_ceil(at + 1)
    });
    1 + parts.max().unwrap_or(0)
}

/// The polynomial with coefficients that are integers without a common
/// divisor.
fn integral(polynomial: &[Rational]) -> Vec<Int> {
    let product = polynomial.iter().fold(Natural::ONE, |product, c| {
        let whole = Rational::from(Int::from(product.clone())) * c;
        product * whole.denominator().clone()
    });
    let product = Rational::from(Int::from(product));
    let whole = polynomial.iter().map(|c| (c * &product).floor());
    let mut whole: Vec<Int> = whole.collect();
    let divisor = whole.iter().fold(Natural::ZERO, |divisor, c| {
        let c = c.unsigned_abs();
        match divisor.is_zero() {
            true => c,
            false if c.is_zero() => divisor,
            false => divisor.gcd(c),
        }
    });
    let divisor = Int::from(divisor);
    whole.iter_mut().for_each(|c| *c = &*c / &divisor);
    whole
}

/// An interval from `low` to `high`, both over 2 to the power of `scale`,
/// with the polynomial's values at its ends.
struct Span {
    low: Int,
    high: Int,
    scale: usize,
    at_low: Int,
    at_high: Int,
}

impl Root {
    /// Narrows the interval to less than 2 to the power of `-bits`.
    pub(super) fn refine(&mut self, bits: usize) {
        let goal = power(bits);
        let polynomial = integral(&self.polynomial);
        let Some(mut span) = Span::of(self, &polynomial) else {
            return;
        };
        let mut guess = 1;
        let width = (&self.high - &self.low).ceil().unsigned_abs().bit_len();
        while &self.high - &self.low >= goal {
            let before = span.scale;
            match span.guess(&polynomial, guess) {
                true => guess = (2 * guess).min(bits + width),
                false => {
                    guess = (guess / 2).max(1);
                    span.halve(&polynomial);
                }
            }
            (self.low, self.high) = span.ends();
            if self.low == self.high || span.scale == before {
                return;
            }
        }
    }
}

impl Span {
    /// The interval of a root, whose ends are fractions of powers of two; none
    /// if it is a point.
    fn of(root: &Root, polynomial: &[Int]) -> Option<Span> {
        let scale = [&root.low, &root.high].map(|end| end.denominator().bit_len() - 1);
        let scale = scale[0].max(scale[1]);
        let unit = Rational::from(Int::ONE << scale);
        let (low, high) = ((&root.low * &unit).floor(), (&root.high * &unit).floor());
        (low < high).then(|| Span {
            at_low: value(polynomial, &low, scale),
            at_high: value(polynomial, &high, scale),
            low,
            high,
            scale,
        })
    }

    fn ends(&self) -> (Rational, Rational) {
        let over = |end: &Int| Rational::from_parts(end.clone(), Natural::ONE << self.scale);
        (over(&self.low), over(&self.high))
    }

    /// Cuts the interval into 2 to the power of `bits` parts and takes the one
    /// that linear interpolation points at, if the root is in it.
    fn guess(&mut self, polynomial: &[Int], bits: usize) -> bool {
        let part = &self.high - &self.low;
        let place = (&self.at_low << bits) / (&self.at_low - &self.at_high);
        let last = (Int::ONE << bits) - Int::ONE;
        let low = (&self.low << bits) + place.clamp(Int::ZERO, last) * &part;
        let high = &low + part;
        let scale = self.scale + bits;
        let (at_low, at_high) = (
            value(polynomial, &low, scale),
            value(polynomial, &high, scale),
        );
        let holds = side(&at_low) == side(&self.at_low) && side(&at_high) == side(&self.at_high);
        if holds {
            *self = Span {
                low,
                high,
                scale,
                at_low,
                at_high,
            };
        }
        holds
    }

    fn halve(&mut self, polynomial: &[Int]) {
        let scale = self.scale + 1;
        let middle = &self.low + &self.high;
        let at_middle = value(polynomial, &middle, scale);
        let degree = polynomial.len() - 1;
        let (low, high) = (&self.low << 1, &self.high << 1);
        // Values are scaled by the degree.
        let (at_low, at_high) = (&self.at_low << degree, &self.at_high << degree);
        *self = match at_middle.is_zero() {
            true => Span {
                low: middle.clone(),
                high: middle,
                scale,
                at_low: at_middle.clone(),
                at_high: at_middle,
            },
            false if side(&at_middle) == side(&at_low) => Span {
                low: middle,
                high,
                scale,
                at_low: at_middle,
                at_high,
            },
            false => Span {
                low,
                high: middle,
                scale,
                at_low,
                at_high: at_middle,
            },
        };
    }
}

/// The polynomial's value at `x` over 2 to the power of `scale`, times 2 to
/// the power of `scale` times its degree.
fn value(polynomial: &[Int], x: &Int, scale: usize) -> Int {
    let mut sum = Int::ZERO;
    for (at, c) in polynomial.iter().rev().enumerate() {
        sum = sum * x + (c << (scale * at));
    }
    sum
}

/// On which side of zero; zero is on none.
fn side(value: &Int) -> Option<bool> {
    (!value.is_zero()).then(|| value.sign() == Sign::Negative)
}
