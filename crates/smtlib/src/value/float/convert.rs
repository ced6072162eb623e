//! Floats from and to reals, integers, bit-vectors and other formats.

use dashu_int::Sign;
use dashu_int::ops::BitTest;

use super::round::{Exact, cut, round, rounds_up};
use super::{Float, Format, Kind, RoundingMode};
use crate::value::{BitVec, CannotSay, Int, MAX_BITS, Natural, Rational};

impl Float {
    /// `((_ to_fp eb sb) mode float)`
    pub fn to_format(&self, format: Format, mode: RoundingMode) -> Float {
        match &self.kind {
            Kind::Finite {
                significand,
                exponent,
            } => {
                let exact = Exact {
                    negative: self.negative,
                    significand: significand.clone(),
                    exponent: *exponent,
                };
                round(format, mode, exact)
            }
            kind => Float::of(format, self.negative, kind.clone()),
        }
    }

    /// `((_ to_fp eb sb) mode real)`; zero is positive.
    pub fn from_rational(format: Format, mode: RoundingMode, real: &Rational) -> Float {
        let (sign, numerator) = real.numerator().clone().into_parts();
        let denominator = real.denominator();
        if numerator.is_zero() {
            return Float::zero(format, false);
        }
        let want = format.sb as usize + 3 + denominator.bit_len();
        let shift = want.saturating_sub(numerator.bit_len());
        let shifted = numerator << shift;
        let sticky = Natural::from(!(&shifted % denominator).is_zero());
        let exact = Exact {
            negative: sign == Sign::Negative,
            significand: ((shifted / denominator) << 1) | sticky,
            exponent: -(shift as i64) - 1,
        };
        round(format, mode, exact)
    }

    /// `((_ to_fp eb sb) mode signed)` and `((_ to_fp_unsigned eb sb) mode
    /// unsigned)`, of the integer that the bits stand for.
    pub fn from_int(format: Format, mode: RoundingMode, int: &Int) -> Float {
        let (sign, significand) = int.clone().into_parts();
        let negative = sign == Sign::Negative;
        round(
            format,
            mode,
            Exact {
                negative,
                significand,
                exponent: 0,
            },
        )
    }

    /// The nearest integer by the mode, if it has at most `limit` bits.
    fn integral(&self, mode: RoundingMode, limit: u64) -> Option<Int> {
        let Exact {
            negative,
            significand,
            exponent,
        } = self.exact()?;
        let magnitude = match u64::try_from(exponent) {
            Ok(shift) if significand.bit_len() as u64 + shift > limit => return None,
            Ok(shift) => significand << shift as usize,
            Err(_) => {
                let (kept, cut) = cut(&significand, exponent.unsigned_abs());
                let up = rounds_up(mode, negative, kept.bit(0), cut);
                kept + Natural::from(up)
            }
        };
        let sign = if negative {
            Sign::Negative
        } else {
            Sign::Positive
        };
        Some(Int::from_parts(sign, magnitude))
    }

    /// `((_ fp.to_ubv width) mode a)`; underspecified out of range.
    pub fn to_ubv(&self, width: u32, mode: RoundingMode) -> Result<BitVec, CannotSay> {
        let zero = BitVec::new(width, Natural::ZERO)?;
        let int = self.integral(mode, u64::from(width));
        int.and_then(|int| Natural::try_from(int).ok())
            .filter(|natural| natural.bit_len() <= width as usize)
            .map(|natural| BitVec::new(zero.width(), natural))
            .unwrap_or(Err(CannotSay::Underspecified("fp.to_ubv")))
    }

    /// `((_ fp.to_sbv width) mode a)`; underspecified out of range.
    pub fn to_sbv(&self, width: u32, mode: RoundingMode) -> Result<BitVec, CannotSay> {
        BitVec::new(width, Natural::ZERO)?;
        let int = self.integral(mode, u64::from(width));
        let fits = |int: &Int| BitVec::from_int(width, int).is_ok_and(|bits| bits.signed() == *int);
        match int.filter(fits) {
            Some(int) => BitVec::from_int(width, &int),
            None => Err(CannotSay::Underspecified("fp.to_sbv")),
        }
    }

    /// `(fp.to_real a)`; underspecified for NaN and infinities, refused where
    /// the exponent is too large to write the number down.
    pub fn to_real(&self) -> Result<Rational, CannotSay> {
        let Some(Exact {
            negative,
            significand,
            exponent,
        }) = self.exact()
        else {
            return Err(CannotSay::Underspecified("fp.to_real"));
        };
        if exponent.unsigned_abs() + significand.bit_len() as u64 > MAX_BITS as u64 {
            return Err(CannotSay::TooLarge("a float as a real"));
        }
        let sign = if negative {
            Sign::Negative
        } else {
            Sign::Positive
        };
        let shift = exponent.unsigned_abs() as usize;
        Ok(match exponent >= 0 {
            true => Rational::from(Int::from_parts(sign, significand << shift)),
            false => {
                let numerator = Int::from_parts(sign, significand);
                Rational::from_parts(numerator, Natural::ONE << shift)
            }
        })
    }
}
