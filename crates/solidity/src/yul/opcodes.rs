//! Opcodes on values: their names, and what they compute.

use dashu_int::ops::BitTest;
use dashu_int::{IBig, UBig};

/// An opcode without effects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Opcode {
    Add,
    Sub,
    Mul,
    Div,
    SignedDiv,
    Mod,
    SignedMod,
    Power,
    Not,
    Less,
    Greater,
    SignedLess,
    SignedGreater,
    Equal,
    IsZero,
    And,
    Or,
    Xor,
    Byte,
    ShiftLeft,
    ShiftRight,
    SignedShiftRight,
    AddMod,
    MulMod,
    SignExtend,
}

/// Bits of a word.
const BITS: usize = 256;

impl Opcode {
    /// All of them, with how often they are drawn.
    pub(super) const WEIGHTS: [(Opcode, u64); 25] = [
        (Opcode::Add, 6),
        (Opcode::Sub, 6),
        (Opcode::Mul, 4),
        (Opcode::Div, 3),
        (Opcode::SignedDiv, 2),
        (Opcode::Mod, 3),
        (Opcode::SignedMod, 2),
        (Opcode::Power, 2),
        (Opcode::Not, 3),
        (Opcode::Less, 2),
        (Opcode::Greater, 2),
        (Opcode::SignedLess, 2),
        (Opcode::SignedGreater, 2),
        (Opcode::Equal, 3),
        (Opcode::IsZero, 3),
        (Opcode::And, 4),
        (Opcode::Or, 3),
        (Opcode::Xor, 3),
        (Opcode::Byte, 2),
        (Opcode::ShiftLeft, 3),
        (Opcode::ShiftRight, 3),
        (Opcode::SignedShiftRight, 2),
        (Opcode::AddMod, 1),
        (Opcode::MulMod, 1),
        (Opcode::SignExtend, 2),
    ];

    /// Name and number of operands.
    pub(super) const fn row(self) -> (&'static str, usize) {
        match self {
            Opcode::Add => ("add", 2),
            Opcode::Sub => ("sub", 2),
            Opcode::Mul => ("mul", 2),
            Opcode::Div => ("div", 2),
            Opcode::SignedDiv => ("sdiv", 2),
            Opcode::Mod => ("mod", 2),
            Opcode::SignedMod => ("smod", 2),
            Opcode::Power => ("exp", 2),
            Opcode::Not => ("not", 1),
            Opcode::Less => ("lt", 2),
            Opcode::Greater => ("gt", 2),
            Opcode::SignedLess => ("slt", 2),
            Opcode::SignedGreater => ("sgt", 2),
            Opcode::Equal => ("eq", 2),
            Opcode::IsZero => ("iszero", 1),
            Opcode::And => ("and", 2),
            Opcode::Or => ("or", 2),
            Opcode::Xor => ("xor", 2),
            Opcode::Byte => ("byte", 2),
            Opcode::ShiftLeft => ("shl", 2),
            Opcode::ShiftRight => ("shr", 2),
            Opcode::SignedShiftRight => ("sar", 2),
            Opcode::AddMod => ("addmod", 3),
            Opcode::MulMod => ("mulmod", 3),
            Opcode::SignExtend => ("signextend", 2),
        }
    }

    /// What it computes of as many operands as it has.
    pub(super) fn compute(self, operands: &[UBig]) -> UBig {
        let zero = UBig::ZERO;
        let [a, b, c] = [0, 1, 2].map(|at| operands.get(at).unwrap_or(&zero));
        let truth = |holds: bool| UBig::from(u8::from(holds));
        match self {
            Opcode::Add => cut(a + b),
            Opcode::Sub => wrap(IBig::from(a.clone()) - IBig::from(b.clone())),
            Opcode::Mul => cut(a * b),
            Opcode::Div | Opcode::SignedDiv | Opcode::Mod | Opcode::SignedMod
                if *b == UBig::ZERO =>
            {
                UBig::ZERO
            }
            Opcode::Div => a / b,
            Opcode::Mod => a % b,
            // Both round to zero.
            Opcode::SignedDiv => wrap(signed(a) / signed(b)),
            Opcode::SignedMod => wrap(signed(a) % signed(b)),
            Opcode::Power => raise(a, b),
            Opcode::Not => most() - a,
            Opcode::Less => truth(a < b),
            Opcode::Greater => truth(a > b),
            Opcode::SignedLess => truth(signed(a) < signed(b)),
            Opcode::SignedGreater => truth(signed(a) > signed(b)),
            Opcode::Equal => truth(a == b),
            Opcode::IsZero => truth(*a == UBig::ZERO),
            Opcode::And => a & b,
            Opcode::Or => a | b,
            Opcode::Xor => a ^ b,
            Opcode::Byte => match small(a, 32) {
                Some(at) => (b >> (8 * (31 - at))) & UBig::from(255u8),
                None => UBig::ZERO,
            },
            Opcode::ShiftLeft => small(a, BITS).map_or(UBig::ZERO, |by| cut(b << by)),
            Opcode::ShiftRight => small(a, BITS).map_or(UBig::ZERO, |by| b >> by),
            // Beyond the word only the sign is left.
            Opcode::SignedShiftRight => wrap(signed(b) >> small(a, BITS).unwrap_or(BITS)),
            Opcode::AddMod | Opcode::MulMod if *c == UBig::ZERO => UBig::ZERO,
            Opcode::AddMod => (a + b) % c,
            Opcode::MulMod => (a * b) % c,
            Opcode::SignExtend => match small(a, 31) {
                Some(bytes) => extend(b, 8 * bytes + 8),
                None => b.clone(),
            },
        }
    }
}

/// The largest word.
pub(super) fn most() -> UBig {
    (UBig::ONE << BITS) - UBig::ONE
}

/// The lowest bits.
fn cut(value: UBig) -> UBig {
    value & most()
}

/// The word of a number.
pub(super) fn wrap(value: IBig) -> UBig {
    let modulus = IBig::ONE << BITS;
    let rest = value % &modulus;
    let rest = match rest < IBig::ZERO {
        true => rest + modulus,
        false => rest,
    };
    UBig::try_from(rest).unwrap_or(UBig::ZERO)
}

/// A word in two's complement.
fn signed(value: &UBig) -> IBig {
    let number = IBig::from(value.clone());
    match value.bit(BITS - 1) {
        true => number - (IBig::ONE << BITS),
        false => number,
    }
}

/// The number if it is below a bound.
fn small(value: &UBig, below: usize) -> Option<usize> {
    usize::try_from(value).ok().filter(|value| *value < below)
}

fn raise(base: &UBig, exponent: &UBig) -> UBig {
    let mut result = UBig::ONE;
    for at in (0..exponent.bit_len()).rev() {
        result = cut(&result * &result);
        if exponent.bit(at) {
            result = cut(result * base);
        }
    }
    result
}

/// The lowest bits, the highest of which is the sign.
fn extend(value: &UBig, bits: usize) -> UBig {
    let low = value & ((UBig::ONE << bits) - UBig::ONE);
    match low.bit(bits - 1) {
        true => wrap(IBig::from(low) - (IBig::ONE << bits)),
        false => low,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opcodes_compute_as_the_yellow_paper_says() {
        let minus = |value: u64| wrap(-IBig::from(value));
        let word = |value: u64| UBig::from(value);
        let least = UBig::ONE << 255;
        for (opcode, operands, expected) in [
            (Opcode::Add, vec![most(), word(2)], word(1)),
            (Opcode::Sub, vec![word(1), word(2)], most()),
            (Opcode::Mul, vec![most(), most()], word(1)),
            (Opcode::Div, vec![word(7), word(0)], word(0)),
            (Opcode::SignedDiv, vec![minus(7), word(2)], minus(3)),
            (
                Opcode::SignedDiv,
                vec![least.clone(), most()],
                least.clone(),
            ),
            (Opcode::SignedMod, vec![minus(7), word(3)], minus(1)),
            (Opcode::Mod, vec![word(7), word(4)], word(3)),
            (Opcode::Power, vec![word(0), word(0)], word(1)),
            (Opcode::Power, vec![word(2), word(256)], word(0)),
            (Opcode::Power, vec![word(3), most()], {
                // 3 to the power of the order of odd numbers is 1.
                let order = UBig::ONE << 254;
                assert_eq!(raise(&word(3), &order), word(1));
                raise(&word(3), &(order - UBig::ONE))
            }),
            (Opcode::Not, vec![word(0)], most()),
            (Opcode::SignedLess, vec![most(), word(0)], word(1)),
            (Opcode::Less, vec![most(), word(0)], word(0)),
            (Opcode::Byte, vec![word(31), word(0x1234)], word(0x34)),
            (Opcode::Byte, vec![word(32), most()], word(0)),
            (Opcode::ShiftLeft, vec![word(255), word(3)], least.clone()),
            (Opcode::ShiftLeft, vec![word(256), word(3)], word(0)),
            (Opcode::ShiftRight, vec![word(255), least.clone()], word(1)),
            (Opcode::SignedShiftRight, vec![word(4), minus(16)], most()),
            (Opcode::SignedShiftRight, vec![most(), minus(16)], most()),
            (Opcode::SignedShiftRight, vec![most(), word(16)], word(0)),
            (
                Opcode::AddMod,
                vec![most(), most(), word(7)],
                (most() + most()) % word(7),
            ),
            (Opcode::MulMod, vec![most(), most(), word(0)], word(0)),
            (Opcode::SignExtend, vec![word(0), word(0x1ff)], most()),
            (Opcode::SignExtend, vec![word(0), word(0x17f)], word(0x7f)),
            (Opcode::SignExtend, vec![word(31), minus(5)], minus(5)),
        ] {
            assert_eq!(
                opcode.compute(&operands),
                expected,
                "{opcode:?} {operands:?}"
            );
            assert_eq!(opcode.row().1, operands.len());
        }
    }
}
