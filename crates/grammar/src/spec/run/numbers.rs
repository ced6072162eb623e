//! Functions over bits and over numbers that may not fit.
//!
//! A number has 64 bits. Three kinds of functions say what becomes of one that
//! does not fit: `checked_…` give nothing, `wrapped_…` drop the bits above,
//! `unsigned_…` take the same 64 bits for a number without a sign.

use super::builtin::{Builtin, option};
use super::machine::{Fault, FaultKind, Machine};
use super::value::Value;

const BITS: i64 = 64;

/// What can be done without a look at the machine.
pub(super) fn quick(builtin: Builtin, a: i64, b: i64) -> Option<Value> {
    Some(Value::Int(match builtin {
        Builtin::BitAnd => a & b,
        Builtin::BitOr => a | b,
        Builtin::BitXor => a ^ b,
        Builtin::WrappedAdd => a.wrapping_add(b),
        Builtin::WrappedSubtract => a.wrapping_sub(b),
        Builtin::WrappedMultiply => a.wrapping_mul(b),
        Builtin::Wrap if (1..=BITS).contains(&b) => a << (BITS - b) >> (BITS - b),
        Builtin::WrapUnsigned if (1..=BITS).contains(&b) => {
            ((a as u64) << (BITS - b) >> (BITS - b)) as i64
        }
        _ => return None,
    }))
}

pub(super) fn apply(machine: &mut Machine, builtin: Builtin, first: usize) -> Result<Value, Fault> {
    let number = |at: usize| match machine.stack.get(at) {
        Some(Value::Int(number)) => *number,
        _ => 0,
    };
    let a = number(first);
    match builtin {
        Builtin::BitNot => return Ok(Value::Int(!a)),
        Builtin::Character => {
            let character = u32::try_from(a).ok().and_then(char::from_u32);
            let none = || FaultKind::Error(format!("there is no character of code {a}"));
            let character = character.ok_or_else(|| machine.fault(none()))?;
            return machine.compose(|out| out.push(character.encode_utf8(&mut [0; 4])));
        }
        Builtin::UnsignedText => return machine.compose(|out| out.push(&(a as u64).to_string())),
        Builtin::Hexadecimal => return machine.compose(|out| out.push(&format!("{a:x}"))),
        _ => {}
    }
    let b = number(first + 1);
    let wrapped = match builtin {
        Builtin::ShiftLeft | Builtin::ShiftRight | Builtin::ShiftRightUnsigned => {
            let by = u32::try_from(b).ok().filter(|by| i64::from(*by) < BITS);
            let bad = || FaultKind::Error(format!("a shift by {b}: 0 to 63 are possible"));
            let by = by.ok_or_else(|| machine.fault(bad()))?;
            match builtin {
                Builtin::ShiftLeft => a << by,
                Builtin::ShiftRight => a >> by,
                _ => ((a as u64) >> by) as i64,
            }
        }
        Builtin::Wrap | Builtin::WrapUnsigned => {
            let bad = format!("numbers of {b} bits: 1 to 64 are possible");
            return Err(machine.fault(FaultKind::Error(bad)));
        }
        Builtin::UnsignedDivide | Builtin::UnsignedRemainder => {
            let (x, y) = (a as u64, b as u64);
            let result = match builtin {
                Builtin::UnsignedDivide => x.checked_div(y),
                _ => x.checked_rem(y),
            };
            result.ok_or_else(|| machine.fault(FaultKind::Zero))? as i64
        }
        Builtin::UnsignedLess => return Ok(Value::Bool((a as u64) < (b as u64))),
        _ => return option(machine, checked(builtin, a, b)),
    };
    Ok(Value::Int(wrapped))
}

/// The result, if it is a number of 64 bits.
fn checked(builtin: Builtin, a: i64, b: i64) -> Option<i64> {
    match builtin {
        Builtin::CheckedAdd => a.checked_add(b),
        Builtin::CheckedSubtract => a.checked_sub(b),
        Builtin::CheckedMultiply => a.checked_mul(b),
        Builtin::CheckedDivide => a.checked_div(b),
        Builtin::CheckedRemainder => a.checked_rem(b),
        _ => a.checked_pow(u32::try_from(b).ok()?),
    }
}
