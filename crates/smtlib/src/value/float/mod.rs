//! IEEE 754 binary floats of any format (eb, sb) and all five rounding modes.
//!
//! Every operation unpacks to an exact number `significand * 2^exponent`,
//! computes exactly (or exactly up to a sticky last bit, where operands lie
//! far apart) and rounds once. Exponents are machine integers, so that a
//! format with a 60-bit exponent costs no more than a small one.
//!
//! Invariant (canonical form): a finite non-zero float has either `sb`
//! significant bits, or the least exponent and fewer bits (subnormal). There
//! is one NaN. So `==` is the `=` of SMT-LIB; IEEE equality is
//! [`Float::ieee_eq`].

mod arith;
mod convert;
mod round;
#[cfg(test)]
mod tests;

use dashu_int::ops::BitTest;

use super::{BitVec, CannotSay, MAX_WIDTH, Natural};

/// The largest number of exponent bits: exponents of products stay in i64.
pub const MAX_EXPONENT_BITS: u32 = 60;

/// The five rounding modes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RoundingMode {
    /// To nearest, ties to even.
    Rne,
    /// To nearest, ties away from zero.
    Rna,
    /// Toward positive.
    Rtp,
    /// Toward negative.
    Rtn,
    /// Toward zero.
    Rtz,
}

impl RoundingMode {
    /// All modes.
    pub const ALL: [RoundingMode; 5] = [
        RoundingMode::Rne,
        RoundingMode::Rna,
        RoundingMode::Rtp,
        RoundingMode::Rtn,
        RoundingMode::Rtz,
    ];

    /// Short and long name in SMT-LIB.
    pub fn names(self) -> [&'static str; 2] {
        match self {
            RoundingMode::Rne => ["RNE", "roundNearestTiesToEven"],
            RoundingMode::Rna => ["RNA", "roundNearestTiesToAway"],
            RoundingMode::Rtp => ["RTP", "roundTowardPositive"],
            RoundingMode::Rtn => ["RTN", "roundTowardNegative"],
            RoundingMode::Rtz => ["RTZ", "roundTowardZero"],
        }
    }

    /// The mode of that name.
    pub fn from_name(name: &str) -> Option<RoundingMode> {
        RoundingMode::ALL
            .into_iter()
            .find(|mode| mode.names().contains(&name))
    }
}

/// A float format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Format {
    /// Bits of the exponent, at least 2.
    pub eb: u32,
    /// Bits of the significand with the hidden one, at least 2.
    pub sb: u32,
}

impl Format {
    /// Binary16.
    pub const HALF: Format = Format { eb: 5, sb: 11 };
    /// Binary32.
    pub const SINGLE: Format = Format { eb: 8, sb: 24 };
    /// Binary64.
    pub const DOUBLE: Format = Format { eb: 11, sb: 53 };
    /// Binary128.
    pub const QUAD: Format = Format { eb: 15, sb: 113 };

    /// A format within the bounds.
    pub fn new(eb: u32, sb: u32) -> Result<Format, CannotSay> {
        if eb < 2 || sb < 2 {
            return Err(CannotSay::IllTyped(
                "a float of less than 2 bits".to_string(),
            ));
        }
        if eb > MAX_EXPONENT_BITS || sb > MAX_WIDTH / 4 {
            return Err(CannotSay::TooLarge("a float format"));
        }
        Ok(Format { eb, sb })
    }

    /// The bits of an interchange encoding.
    pub fn width(self) -> u32 {
        self.eb + self.sb
    }

    /// The exponent of the highest bit of the largest finite number.
    fn top(self) -> i64 {
        (1i64 << (self.eb - 1)) - 1
    }

    /// The exponent of the lowest bit of every subnormal number.
    fn bottom(self) -> i64 {
        1 - self.top() - (i64::from(self.sb) - 1)
    }
}

/// What a float is.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Nan,
    Infinity,
    Zero,
    /// significand * 2^exponent, not zero, canonical.
    Finite {
        significand: Natural,
        exponent: i64,
    },
}

/// A float.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Float {
    format: Format,
    /// False for NaN.
    negative: bool,
    kind: Kind,
}

impl Float {
    fn of(format: Format, negative: bool, kind: Kind) -> Float {
        let negative = negative && kind != Kind::Nan;
        Float {
            format,
            negative,
            kind,
        }
    }

    /// `(_ NaN eb sb)`
    pub fn nan(format: Format) -> Float {
        Float::of(format, false, Kind::Nan)
    }

    /// `(_ +oo eb sb)` and `(_ -oo eb sb)`
    pub fn infinity(format: Format, negative: bool) -> Float {
        Float::of(format, negative, Kind::Infinity)
    }

    /// `(_ +zero eb sb)` and `(_ -zero eb sb)`
    pub fn zero(format: Format, negative: bool) -> Float {
        Float::of(format, negative, Kind::Zero)
    }

    /// The largest finite number.
    fn largest(format: Format, negative: bool) -> Float {
        let significand = Natural::ones(format.sb as usize);
        let exponent = format.top() - (i64::from(format.sb) - 1);
        Float::of(
            format,
            negative,
            Kind::Finite {
                significand,
                exponent,
            },
        )
    }

    /// The float's format.
    pub fn format(&self) -> Format {
        self.format
    }

    /// From the interchange encoding, whose width must be eb + sb.
    pub fn from_bits(format: Format, bits: &BitVec) -> Result<Float, CannotSay> {
        if bits.width() != format.width() {
            return Err(CannotSay::IllTyped("to_fp".to_string()));
        }
        let fraction_bits = (format.sb - 1) as usize;
        let negative = bits.sign_bit();
        let (fraction, rest) = bits.unsigned().clone().split_bits(fraction_bits);
        let (biased, _) = rest.split_bits(format.eb as usize);
        let all_ones = biased == Natural::ones(format.eb as usize);
        let biased = i64::try_from(&biased).expect("at most 60 bits");
        let kind = match (biased, fraction.is_zero()) {
            (_, true) if all_ones => Kind::Infinity,
            (_, false) if all_ones => Kind::Nan,
            (0, true) => Kind::Zero,
            (0, false) => Kind::Finite {
                significand: fraction,
                exponent: format.bottom(),
            },
            (biased, _) => Kind::Finite {
                significand: fraction | (Natural::ONE << fraction_bits),
                exponent: format.bottom() + biased - 1,
            },
        };
        Ok(Float::of(format, negative, kind))
    }

    /// The interchange encoding; `None` for NaN, which has many.
    pub fn to_bits(&self) -> Option<BitVec> {
        let fraction_bits = (self.format.sb - 1) as usize;
        let ones = Natural::ones(self.format.eb as usize);
        let (biased, fraction) = match &self.kind {
            Kind::Nan => return None,
            Kind::Infinity => (ones, Natural::ZERO),
            Kind::Zero => (Natural::ZERO, Natural::ZERO),
            Kind::Finite {
                significand,
                exponent,
            } => {
                let mut fraction = significand.clone();
                match self.is_subnormal() {
                    true => (Natural::ZERO, fraction),
                    false => {
                        fraction.clear_high_bits(fraction_bits);
                        let biased = exponent - self.format.bottom() + 1;
                        (Natural::from(biased.unsigned_abs()), fraction)
                    }
                }
            }
        };
        let sign = Natural::from(self.negative) << (self.format.eb as usize);
        let bits = ((sign | biased) << fraction_bits) | fraction;
        Some(BitVec::new(self.format.width(), bits).expect("a format's width is allowed"))
    }

    /// `(fp.isNaN a)`
    pub fn is_nan(&self) -> bool {
        self.kind == Kind::Nan
    }

    /// `(fp.isInfinite a)`
    pub fn is_infinite(&self) -> bool {
        self.kind == Kind::Infinity
    }

    /// `(fp.isZero a)`
    pub fn is_zero(&self) -> bool {
        self.kind == Kind::Zero
    }

    /// `(fp.isSubnormal a)`
    pub fn is_subnormal(&self) -> bool {
        match &self.kind {
            Kind::Finite { significand, .. } => significand.bit_len() < self.format.sb as usize,
            _ => false,
        }
    }

    /// `(fp.isNormal a)`
    pub fn is_normal(&self) -> bool {
        matches!(self.kind, Kind::Finite { .. }) && !self.is_subnormal()
    }

    /// `(fp.isNegative a)`
    pub fn is_negative(&self) -> bool {
        self.negative
    }

    /// `(fp.isPositive a)`
    pub fn is_positive(&self) -> bool {
        !self.negative && !self.is_nan()
    }

    /// `(fp.abs a)`
    pub fn abs(&self) -> Float {
        Float::of(self.format, false, self.kind.clone())
    }

    /// `(fp.neg a)`
    pub fn neg(&self) -> Float {
        Float::of(self.format, !self.negative, self.kind.clone())
    }
}
