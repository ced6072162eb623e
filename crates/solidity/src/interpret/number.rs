//! Values of elementary value types and what operators make of them.
//!
//! A value is a number: that of an integer, 0 or 1 for `bool`, the number
//! that the bytes of `bytesN` and `address` spell. It always lies in the range
//! of its type; the types stand beside it.

use dashu_int::IBig;
use dashu_int::ops::{BitTest, UnsignedAbs};

use crate::ast::{BinaryOp, UnaryOp};
use crate::types::{Elementary, Family};

/// What ends a transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fault {
    /// `assert` was told something false.
    Assertion,
    /// A result does not fit its type.
    Overflow,
    /// Division by zero.
    Division,
    /// A number that is no member of the enum.
    Enum,
    /// `pop` of an empty array.
    Pop,
    /// An index beyond the end.
    Index,
    /// A function without a value was called.
    Function,
}

impl Fault {
    /// The code of the `Panic` that newer compilers revert with.
    pub const fn code(self) -> u8 {
        match self {
            Fault::Assertion => 0x01,
            Fault::Overflow => 0x11,
            Fault::Division => 0x12,
            Fault::Enum => 0x21,
            Fault::Pop => 0x31,
            Fault::Index => 0x32,
            Fault::Function => 0x51,
        }
    }
}

/// What versions do differently.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arithmetic {
    /// Overflow ends the transaction (since 0.8.0, outside of `unchecked`).
    pub checked: bool,
    /// `>>` of a negative number rounds down (since 0.5.0), not to zero.
    pub shift_rounds_down: bool,
}

/// Bits of the machine's words.
const WORD_BITS: usize = 256;

/// Bits of a type; a `bool` has 8 of which one is used.
pub fn bits(kind: Elementary) -> usize {
    match kind.family() {
        Family::Bool => 8,
        Family::Address => 160,
        _ => usize::from(kind.size()) * 8,
    }
}

fn power_of_two(exponent: usize) -> IBig {
    IBig::ONE << exponent
}

/// The least and the greatest value of a type.
pub fn range(kind: Elementary) -> (IBig, IBig) {
    let bits = bits(kind);
    match kind.family() {
        Family::Bool => (IBig::ZERO, IBig::ONE),
        Family::Int => (-power_of_two(bits - 1), power_of_two(bits - 1) - IBig::ONE),
        _ => (IBig::ZERO, power_of_two(bits) - IBig::ONE),
    }
}

/// True if `value` lies in the range of the type.
pub fn holds(kind: Elementary, value: &IBig) -> bool {
    let (least, greatest) = range(kind);
    least <= *value && *value <= greatest
}

/// The value of the type that has the same lowest bits.
pub fn wrapped(kind: Elementary, value: &IBig) -> IBig {
    if holds(kind, value) {
        return value.clone();
    }
    let bits = bits(kind);
    let rest = modulo(value, &power_of_two(bits));
    match kind.family() {
        Family::Int if rest.bit(bits - 1) => rest - power_of_two(bits),
        _ => rest,
    }
}

/// The rest of a division that rounds down; `by` is positive.
fn modulo(value: &IBig, by: &IBig) -> IBig {
    let rest = value % by;
    match rest < IBig::ZERO {
        true => rest + by,
        false => rest,
    }
}

/// The value of an explicit conversion that the language has.
pub fn converted(from: Elementary, to: Elementary, value: &IBig) -> IBig {
    match (from.family(), to.family()) {
        // The first bytes stay the first.
        (Family::FixedBytes, Family::FixedBytes) => match bits(from) >= bits(to) {
            true => value >> (bits(from) - bits(to)),
            false => value << (bits(to) - bits(from)),
        },
        _ => wrapped(to, value),
    }
}

impl Arithmetic {
    /// What a result becomes in its type.
    fn settled(self, kind: Elementary, value: IBig) -> Result<IBig, Fault> {
        match holds(kind, &value) {
            true => Ok(value),
            false if self.checked => Err(Fault::Overflow),
            false => Ok(wrapped(kind, &value)),
        }
    }

    /// The value of `left op right`. Both operands are of type `kind`, but for
    /// shifts and powers, where the right one is any number and the result
    /// has the type of the left one. `&&` and `||` are not operations on
    /// values.
    pub fn binary(
        self,
        op: BinaryOp,
        kind: Elementary,
        left: &IBig,
        right: &IBig,
    ) -> Result<IBig, Fault> {
        let truth = |holds: bool| Ok(IBig::from(u8::from(holds)));
        match op {
            BinaryOp::Add => self.settled(kind, left + right),
            BinaryOp::Sub => self.settled(kind, left - right),
            BinaryOp::Mul => self.settled(kind, left * right),
            BinaryOp::Div | BinaryOp::Mod if *right == IBig::ZERO => Err(Fault::Division),
            // Both round to zero, as the language does.
            BinaryOp::Div => self.settled(kind, left / right),
            BinaryOp::Mod => Ok(left % right),
            BinaryOp::BitAnd => Ok(wrapped(kind, &(left & right))),
            BinaryOp::BitOr => Ok(wrapped(kind, &(left | right))),
            BinaryOp::BitXor => Ok(wrapped(kind, &(left ^ right))),
            BinaryOp::ShiftLeft => Ok(shifted_left(kind, left, right)),
            BinaryOp::ShiftRight => Ok(self.shifted_right(left, right)),
            BinaryOp::Power => self.power(kind, left, right),
            BinaryOp::Less => truth(left < right),
            BinaryOp::Greater => truth(left > right),
            BinaryOp::AtMost => truth(left <= right),
            BinaryOp::AtLeast => truth(left >= right),
            BinaryOp::Equal => truth(left == right),
            BinaryOp::Unequal => truth(left != right),
            BinaryOp::And => truth(*left != IBig::ZERO && *right != IBig::ZERO),
            BinaryOp::Or => truth(*left != IBig::ZERO || *right != IBig::ZERO),
        }
    }

    fn shifted_right(self, value: &IBig, by: &IBig) -> IBig {
        let by = amount(by);
        match *value < IBig::ZERO && !self.shift_rounds_down {
            true => -(-value >> by),
            false => value >> by,
        }
    }

    /// The exact power where it may fit; else its lowest bits, by squaring.
    fn power(self, kind: Elementary, base: &IBig, exponent: &IBig) -> Result<IBig, Fault> {
        let exponent = exponent.unsigned_abs();
        let is_small = -IBig::ONE <= *base && *base <= IBig::ONE;
        if !is_small && exponent.bit_len() > 9 && self.checked {
            return Err(Fault::Overflow);
        }
        let most = power_of_two(2 * WORD_BITS);
        let mut result = IBig::ONE;
        for at in (0..exponent.bit_len()).rev() {
            result = &result * &result;
            if exponent.bit(at) {
                result *= base;
            }
            if self.checked && (result > most || -&result > most) {
                return Err(Fault::Overflow);
            }
            if !self.checked {
                result = modulo(&result, &power_of_two(WORD_BITS));
            }
        }
        self.settled(kind, result)
    }

    /// The value of an operator without effects on its operand.
    pub fn unary(self, op: UnaryOp, kind: Elementary, operand: &IBig) -> Result<IBig, Fault> {
        match op {
            UnaryOp::Not => Ok(IBig::ONE - operand),
            UnaryOp::BitNot => Ok(wrapped(kind, &!operand)),
            UnaryOp::Negate => self.settled(kind, -operand),
            UnaryOp::Increment | UnaryOp::PostIncrement => self.settled(kind, operand + IBig::ONE),
            UnaryOp::Decrement | UnaryOp::PostDecrement => self.settled(kind, operand - IBig::ONE),
            UnaryOp::Delete => Ok(IBig::ZERO),
        }
    }
}

/// Bits beyond the type are lost, checked or not.
fn shifted_left(kind: Elementary, value: &IBig, by: &IBig) -> IBig {
    wrapped(kind, &(value << amount(by)))
}

/// More than any type has bits is as good as all of them.
fn amount(by: &IBig) -> usize {
    usize::try_from(by).unwrap_or(usize::MAX).min(WORD_BITS)
}

#[cfg(test)]
mod tests {
    use super::*;

    const CHECKED: Arithmetic = Arithmetic {
        checked: true,
        shift_rounds_down: true,
    };
    const WRAPPING: Arithmetic = Arithmetic {
        checked: false,
        ..CHECKED
    };

    fn number(text: &str) -> IBig {
        text.parse().unwrap()
    }

    /// Type, left, right, the value or fault where overflow counts, and the
    /// value where it wraps.
    #[test]
    fn operators_compute_as_the_language_says() {
        let int = Elementary::int;
        let uint = Elementary::uint;
        let overflow = Err(Fault::Overflow);
        for (op, kind, left, right, checked, wrapping) in [
            (BinaryOp::Add, uint(8), "200", "56", overflow, "0"),
            (BinaryOp::Add, int(8), "127", "1", overflow, "-128"),
            (BinaryOp::Sub, uint(16), "0", "1", overflow, "65535"),
            (BinaryOp::Mul, int(8), "-128", "-1", overflow, "-128"),
            (BinaryOp::Div, int(8), "-128", "-1", overflow, "-128"),
            (BinaryOp::Div, int(8), "-7", "2", Ok("-3"), "-3"),
            (BinaryOp::Mod, int(8), "-7", "2", Ok("-1"), "-1"),
            (BinaryOp::Mod, int(8), "7", "-2", Ok("1"), "1"),
            (BinaryOp::Mod, int(8), "-128", "-1", Ok("0"), "0"),
            (BinaryOp::Power, int(8), "-2", "7", Ok("-128"), "-128"),
            (BinaryOp::Power, int(8), "-2", "8", overflow, "0"),
            (BinaryOp::Power, uint(8), "0", "0", Ok("1"), "1"),
            (BinaryOp::Power, uint(8), "3", "5", Ok("243"), "243"),
            (BinaryOp::Power, uint(8), "3", "6", overflow, "217"),
            (
                BinaryOp::Power,
                int(256),
                "-1",
                "1157920892373161954235709850086879",
                Ok("-1"),
                "-1",
            ),
            (
                BinaryOp::Power,
                uint(256),
                "2",
                "1157920892373161954235709850086879",
                overflow,
                "0",
            ),
            (BinaryOp::ShiftLeft, uint(8), "255", "1", Ok("254"), "254"),
            (BinaryOp::ShiftLeft, int(8), "64", "1", Ok("-128"), "-128"),
            (
                BinaryOp::ShiftLeft,
                int(8),
                "1",
                "1000000000000000000000000000",
                Ok("0"),
                "0",
            ),
            (BinaryOp::ShiftRight, int(8), "-1", "300", Ok("-1"), "-1"),
            (BinaryOp::ShiftRight, int(8), "-5", "1", Ok("-3"), "-3"),
            (BinaryOp::BitAnd, int(8), "-1", "85", Ok("85"), "85"),
            (BinaryOp::BitXor, int(8), "-1", "0", Ok("-1"), "-1"),
            (BinaryOp::Less, int(8), "-1", "0", Ok("1"), "1"),
        ] {
            let (left, right) = (number(left), number(right));
            let said = CHECKED.binary(op, kind, &left, &right);
            assert_eq!(said, checked.map(number), "{op:?} {left} {right}");
            let said = WRAPPING.binary(op, kind, &left, &right);
            assert_eq!(said, Ok(number(wrapping)), "{op:?} {left} {right}");
        }
        for op in [BinaryOp::Div, BinaryOp::Mod] {
            let said = WRAPPING.binary(op, uint(8), &IBig::ONE, &IBig::ZERO);
            assert_eq!(said, Err(Fault::Division));
        }
    }

    #[test]
    fn shifts_of_old_compilers_round_to_zero() {
        let old = Arithmetic {
            shift_rounds_down: false,
            ..WRAPPING
        };
        let five = -IBig::from(5);
        let said = old.binary(BinaryOp::ShiftRight, Elementary::int(8), &five, &IBig::ONE);
        assert_eq!(said, Ok(-IBig::from(2)));
    }

    #[test]
    fn conversions_keep_low_bits_of_numbers_and_first_bytes_of_bytes() {
        let (int, uint, bytes) = (Elementary::int, Elementary::uint, Elementary::fixed_bytes);
        for (from, to, value, expected) in [
            (uint(16), uint(8), "511", "255"),
            (uint(8), int(8), "255", "-1"),
            (
                int(8),
                uint(256),
                "-1",
                "115792089237316195423570985008687907853269984665640564039457584007913129639935",
            ),
            (bytes(2), bytes(1), "258", "1"),
            (bytes(1), bytes(2), "1", "256"),
            (bytes(2), uint(16), "258", "258"),
        ] {
            let said = converted(from, to, &number(value));
            assert_eq!(said, number(expected), "{from:?} {to:?} {value}");
        }
    }
}
