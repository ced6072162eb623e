//! The one place where a number becomes a float.

use dashu_int::ops::BitTest;

use super::{Float, Format, Kind, RoundingMode};
use crate::value::Natural;

/// An exact number, or one with a sticky last bit: `significand * 2^exponent`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Exact {
    pub(super) negative: bool,
    pub(super) significand: Natural,
    pub(super) exponent: i64,
}

impl Exact {
    /// The exponent just above the highest bit.
    pub(super) fn top(&self) -> i64 {
        self.exponent + self.significand.bit_len() as i64
    }
}

/// True if what was cut off makes the magnitude grow by one unit.
pub(super) fn rounds_up(mode: RoundingMode, negative: bool, odd: bool, cut: Cut) -> bool {
    match mode {
        _ if cut == Cut::Nothing => false,
        RoundingMode::Rne => cut == Cut::AboveHalf || (cut == Cut::Half && odd),
        RoundingMode::Rna => cut >= Cut::Half,
        RoundingMode::Rtp => !negative,
        RoundingMode::Rtn => negative,
        RoundingMode::Rtz => false,
    }
}

/// How much was cut off, in units of the last place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Cut {
    Nothing,
    BelowHalf,
    Half,
    AboveHalf,
}

/// Splits off the lowest `drop` bits.
pub(super) fn cut(significand: &Natural, drop: u64) -> (Natural, Cut) {
    let len = significand.bit_len() as u64;
    if significand.is_zero() || drop == 0 {
        return (significand.clone(), Cut::Nothing);
    }
    if drop > len {
        return (Natural::ZERO, Cut::BelowHalf);
    }
    let drop = drop as usize;
    let kept = significand >> drop;
    let half = significand.bit(drop - 1);
    let below = significand
        .trailing_zeros()
        .is_some_and(|zeros| zeros < drop - 1);
    let cut = match (half, below) {
        (false, false) => Cut::Nothing,
        (false, true) => Cut::BelowHalf,
        (true, false) => Cut::Half,
        (true, true) => Cut::AboveHalf,
    };
    (kept, cut)
}

/// The float nearest to a number, by the mode. A number of zero gives a zero
/// of its sign.
///
/// A sticky last bit is allowed if the significand has at least `sb + 2` bits.
pub(super) fn round(format: Format, mode: RoundingMode, exact: Exact) -> Float {
    let Exact {
        negative,
        significand,
        exponent,
    } = exact;
    if significand.is_zero() {
        return Float::zero(format, negative);
    }
    let top = exponent + significand.bit_len() as i64;
    let lowest = (top - i64::from(format.sb)).max(format.bottom());
    let (significand, exponent) = match lowest > exponent {
        true => {
            let (kept, cut) = cut(&significand, (lowest - exponent).unsigned_abs());
            let up = rounds_up(mode, negative, kept.bit(0), cut);
            (kept + Natural::from(up), lowest)
        }
        false => (significand, exponent),
    };
    place(format, mode, negative, significand, exponent)
}

/// Brings a number that needs no rounding into canonical form, or lets it
/// overflow.
fn place(
    format: Format,
    mode: RoundingMode,
    negative: bool,
    significand: Natural,
    exponent: i64,
) -> Float {
    if significand.is_zero() {
        return Float::zero(format, negative);
    }
    let top = exponent + significand.bit_len() as i64;
    if top > format.top() + 1 {
        let to_infinity = match mode {
            RoundingMode::Rne | RoundingMode::Rna => true,
            RoundingMode::Rtp => !negative,
            RoundingMode::Rtn => negative,
            RoundingMode::Rtz => false,
        };
        return match to_infinity {
            true => Float::infinity(format, negative),
            false => Float::largest(format, negative),
        };
    }
    let lowest = (top - i64::from(format.sb)).max(format.bottom());
    // Rounding up to the next power of two leaves zeros below; a number that
    // was exact may have fewer bits than the format.
    let significand = match exponent >= lowest {
        true => significand << (exponent - lowest) as usize,
        false => significand >> (lowest - exponent) as usize,
    };
    Float::of(
        format,
        negative,
        Kind::Finite {
            significand,
            exponent: lowest,
        },
    )
}
