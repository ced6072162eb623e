//! Arithmetic and comparison of floats.

use std::cmp::Ordering;

use dashu_int::Sign;
use dashu_int::ops::{Abs as _, BitTest, SquareRootRem as _};

use super::round::{Exact, cut, round, rounds_up};
use super::{Float, Format, Kind, RoundingMode};
use crate::value::{CannotSay, Int, Natural};

impl Float {
    /// The number, with zero as a significand of zero; `None` for NaN and
    /// infinities.
    pub(super) fn exact(&self) -> Option<Exact> {
        let (significand, exponent) = match &self.kind {
            Kind::Nan | Kind::Infinity => return None,
            Kind::Zero => (Natural::ZERO, 0),
            Kind::Finite {
                significand,
                exponent,
            } => (significand.clone(), *exponent),
        };
        Some(Exact {
            negative: self.negative,
            significand,
            exponent,
        })
    }

    /// `(fp.add mode a b)`
    pub fn add(&self, mode: RoundingMode, b: &Float) -> Float {
        match (self.exact(), b.exact()) {
            (Some(x), Some(y)) => round_sum(self.format, mode, x, y),
            _ if self.is_nan() || b.is_nan() => Float::nan(self.format),
            (None, None) if self.negative != b.negative => Float::nan(self.format),
            (None, _) => self.clone(),
            (_, None) => b.clone(),
        }
    }

    /// `(fp.sub mode a b)`
    pub fn sub(&self, mode: RoundingMode, b: &Float) -> Float {
        self.add(mode, &b.neg())
    }

    /// `(fp.mul mode a b)`
    pub fn mul(&self, mode: RoundingMode, b: &Float) -> Float {
        let negative = self.negative != b.negative;
        match (self.exact(), b.exact()) {
            (Some(x), Some(y)) => round(self.format, mode, product(x, y)),
            _ if self.is_nan() || b.is_nan() => Float::nan(self.format),
            _ if self.is_zero() || b.is_zero() => Float::nan(self.format),
            _ => Float::infinity(self.format, negative),
        }
    }

    /// `(fp.fma mode a b c)`: a * b + c, rounded once.
    pub fn fma(&self, mode: RoundingMode, b: &Float, c: &Float) -> Float {
        let negative = self.negative != b.negative;
        match (self.exact(), b.exact(), c.exact()) {
            (Some(x), Some(y), Some(z)) => round_sum(self.format, mode, product(x, y), z),
            _ if self.is_nan() || b.is_nan() || c.is_nan() => Float::nan(self.format),
            (Some(_), Some(_), None) => c.clone(),
            _ if self.is_zero() || b.is_zero() => Float::nan(self.format),
            (_, _, None) if c.negative != negative => Float::nan(self.format),
            _ => Float::infinity(self.format, negative),
        }
    }

    /// `(fp.div mode a b)`
    pub fn div(&self, mode: RoundingMode, b: &Float) -> Float {
        let negative = self.negative != b.negative;
        match (self.exact(), b.exact()) {
            _ if self.is_nan() || b.is_nan() => Float::nan(self.format),
            (None, None) => Float::nan(self.format),
            (None, Some(_)) => Float::infinity(self.format, negative),
            (Some(_), None) => Float::zero(self.format, negative),
            (Some(x), Some(y)) => match (x.significand.is_zero(), y.significand.is_zero()) {
                (true, true) => Float::nan(self.format),
                (true, false) => Float::zero(self.format, negative),
                (false, true) => Float::infinity(self.format, negative),
                (false, false) => round(self.format, mode, quotient(self.format, x, y)),
            },
        }
    }

    /// `(fp.sqrt mode a)`
    pub fn sqrt(&self, mode: RoundingMode) -> Float {
        match &self.kind {
            Kind::Nan | Kind::Zero => self.clone(),
            _ if self.negative => Float::nan(self.format),
            Kind::Infinity => self.clone(),
            Kind::Finite {
                significand,
                exponent,
            } => {
                // Enough bits for sb + 2 in the root, and an even exponent.
                let want = 2 * (self.format.sb as usize + 2);
                let mut shift = want.saturating_sub(significand.bit_len()) + 1;
                if (exponent - shift as i64) % 2 != 0 {
                    shift += 1;
                }
                let (root, rest) = (significand << shift).sqrt_rem();
                let sticky = Natural::from(!rest.is_zero());
                let exact = Exact {
                    negative: false,
                    significand: (root << 1) | sticky,
                    exponent: (exponent - shift as i64) / 2 - 1,
                };
                round(self.format, mode, exact)
            }
        }
    }

    /// `(fp.rem a b)`: a - b * n with n the integer nearest to a / b, ties to
    /// even; exact, so there is no rounding mode.
    pub fn rem(&self, b: &Float) -> Float {
        let (Some(x), false) = (self.exact(), b.is_nan() || b.is_zero()) else {
            return Float::nan(self.format);
        };
        let Some(y) = b.exact() else {
            return self.clone();
        };
        // Below a quarter of b the nearest multiple is zero.
        if x.significand.is_zero() || x.top() < y.top() - 1 {
            return self.clone();
        }
        let (scaled, divisor, exponent) = match x.exponent >= y.exponent {
            true => {
                let double = &y.significand << 1;
                let gap = (x.exponent - y.exponent).unsigned_abs();
                let scaled = (x.significand * power_of_two_modulo(gap, &double)) % &double;
                (scaled, y.significand, y.exponent)
            }
            false => {
                let gap = (y.exponent - x.exponent) as usize;
                (x.significand, y.significand << gap, x.exponent)
            }
        };
        let (quotient, rest) = (&scaled / &divisor, &scaled % &divisor);
        let up = match (&rest << 1).cmp(&divisor) {
            Ordering::Less => false,
            Ordering::Equal => quotient.bit(0),
            Ordering::Greater => true,
        };
        let (flip, significand) = match up {
            true => (true, divisor - rest),
            false => (false, rest),
        };
        let negative = match significand.is_zero() {
            true => self.negative,
            false => self.negative != flip,
        };
        let exact = Exact {
            negative,
            significand,
            exponent,
        };
        round(self.format, RoundingMode::Rne, exact)
    }

    /// `(fp.roundToIntegral mode a)`
    pub fn round_to_integral(&self, mode: RoundingMode) -> Float {
        match &self.kind {
            Kind::Finite {
                significand,
                exponent,
            } if *exponent < 0 => {
                let (kept, cut) = cut(significand, exponent.unsigned_abs());
                let up = rounds_up(mode, self.negative, kept.bit(0), cut);
                let exact = Exact {
                    negative: self.negative,
                    significand: kept + Natural::from(up),
                    exponent: 0,
                };
                round(self.format, mode, exact)
            }
            _ => self.clone(),
        }
    }

    /// The order of two numbers; `None` if one is NaN.
    pub fn compare(&self, b: &Float) -> Option<Ordering> {
        if self.is_nan() || b.is_nan() {
            return None;
        }
        if self.is_zero() && b.is_zero() {
            return Some(Ordering::Equal);
        }
        let sign = |float: &Float| match (float.is_zero(), float.negative) {
            (true, _) => 0,
            (_, true) => -1,
            (_, false) => 1,
        };
        let signs = sign(self).cmp(&sign(b));
        let magnitudes = match self.negative {
            false => self.magnitude().cmp(&b.magnitude()),
            true => b.magnitude().cmp(&self.magnitude()),
        };
        Some(signs.then(magnitudes))
    }

    /// A key whose order is that of the magnitudes: canonical forms compare
    /// by exponent, then by significand.
    fn magnitude(&self) -> (i64, Natural) {
        match &self.kind {
            Kind::Finite {
                significand,
                exponent,
            } => (*exponent, significand.clone()),
            Kind::Infinity => (i64::MAX, Natural::ZERO),
            Kind::Zero | Kind::Nan => (i64::MIN, Natural::ZERO),
        }
    }

    /// `(fp.eq a b)`
    pub fn ieee_eq(&self, b: &Float) -> bool {
        self.compare(b) == Some(Ordering::Equal)
    }

    /// `(fp.lt a b)`
    pub fn lt(&self, b: &Float) -> bool {
        self.compare(b) == Some(Ordering::Less)
    }

    /// `(fp.leq a b)`
    pub fn leq(&self, b: &Float) -> bool {
        self.compare(b).is_some_and(Ordering::is_le)
    }

    /// `(fp.min a b)`; of zeros of different sign either one is right.
    pub fn minimum(&self, b: &Float) -> Result<Float, CannotSay> {
        match self.compare(b) {
            None => Ok(if self.is_nan() {
                b.clone()
            } else {
                self.clone()
            }),
            Some(Ordering::Equal) if self != b => Err(CannotSay::Underspecified("fp.min")),
            Some(Ordering::Greater) => Ok(b.clone()),
            Some(_) => Ok(self.clone()),
        }
    }

    /// `(fp.max a b)`; of zeros of different sign either one is right.
    pub fn maximum(&self, b: &Float) -> Result<Float, CannotSay> {
        match self.compare(b) {
            None => Ok(if self.is_nan() {
                b.clone()
            } else {
                self.clone()
            }),
            Some(Ordering::Equal) if self != b => Err(CannotSay::Underspecified("fp.max")),
            Some(Ordering::Less) => Ok(b.clone()),
            Some(_) => Ok(self.clone()),
        }
    }
}

fn product(x: Exact, y: Exact) -> Exact {
    Exact {
        negative: x.negative != y.negative,
        significand: x.significand * y.significand,
        exponent: x.exponent + y.exponent,
    }
}

/// The quotient of two non-zero numbers with a sticky last bit.
fn quotient(format: Format, x: Exact, y: Exact) -> Exact {
    let want = format.sb as usize + 3 + y.significand.bit_len();
    let shift = want.saturating_sub(x.significand.bit_len());
    let numerator = x.significand << shift;
    let quotient = &numerator / &y.significand;
    let sticky = Natural::from(!(numerator % y.significand).is_zero());
    Exact {
        negative: x.negative != y.negative,
        significand: (quotient << 1) | sticky,
        exponent: x.exponent - y.exponent - shift as i64 - 1,
    }
}

/// The rounded sum of two finite numbers, with the sign of an exact zero.
fn round_sum(format: Format, mode: RoundingMode, x: Exact, y: Exact) -> Float {
    match (x.significand.is_zero(), y.significand.is_zero()) {
        (true, true) => {
            let negative = match x.negative == y.negative {
                true => x.negative,
                false => mode == RoundingMode::Rtn,
            };
            return Float::zero(format, negative);
        }
        (true, false) => return round(format, mode, y),
        (false, true) => return round(format, mode, x),
        (false, false) => {}
    }
    let (high, low) = match x.top() >= y.top() {
        true => (x, y),
        false => (y, x),
    };
    let sum = sum(format, high, low);
    match sum.significand.is_zero() {
        true => Float::zero(format, mode == RoundingMode::Rtn),
        false => round(format, mode, sum),
    }
}

/// The sum of two non-zero numbers, `high` with the higher top. If `low` lies
/// wholly below the bits that can matter, one unit below them stands for it.
fn sum(format: Format, high: Exact, low: Exact) -> Exact {
    let needed = i64::from(format.sb) + 4;
    // All bits of `high`, and at least `needed` bits below its top.
    let floor = high.exponent.min(high.top() - needed) - 1;
    let low = match low.top() <= floor {
        true => Exact {
            significand: Natural::ONE,
            exponent: floor - 1,
            ..low
        },
        false => low,
    };
    let exponent = high.exponent.min(low.exponent);
    let signed = |number: Exact| {
        let shift = (number.exponent - exponent) as usize;
        let sign = if number.negative {
            Sign::Negative
        } else {
            Sign::Positive
        };
        Int::from_parts(sign, number.significand << shift)
    };
    let total = signed(high) + signed(low);
    Exact {
        negative: total.sign() == Sign::Negative,
        significand: total.abs().try_into().expect("a magnitude"),
        exponent,
    }
}

/// 2^n modulo m, by squaring.
fn power_of_two_modulo(n: u64, m: &Natural) -> Natural {
    let mut power = Natural::ONE % m;
    for bit in (0..u64::BITS).rev() {
        power = (&power * &power) % m;
        if n >> bit & 1 == 1 {
            power = (power << 1) % m;
        }
    }
    power
}
