//! Functions over numbers that may be too large for 64 bits.

use std::rc::Rc;

use dashu_int::IBig;
use dashu_int::ops::BitTest;

use super::builtin::{Builtin, NONE, SOME, option};
use super::machine::{Fault, FaultKind, Machine};
use super::value::{Fields, Value};

/// Longer numbers are refused: what is done with them takes long.
const MAX_BITS: usize = 16_384;
/// No number of so many bits has more digits.
const MAX_DIGITS: usize = MAX_BITS;
/// What a step may do: so many products of two words.
const WORDS_OF_STEP: u64 = 16;

pub(super) fn apply(machine: &mut Machine, builtin: Builtin, first: usize) -> Result<Value, Fault> {
    match (builtin, &machine.stack[first]) {
        (Builtin::Wide, Value::Int(number)) => Ok(Value::Wide(Rc::new(IBig::from(*number)))),
        (Builtin::WideNumber, Value::Text(text)) => {
            let text = machine.texts.get(*text);
            let number = match text.len() <= MAX_DIGITS {
                true => decimal(text),
                false => None,
            };
            machine.spend(work(number.as_ref()) + 1)?;
            match number {
                Some(number) => {
                    let number = made(machine, number)?;
                    machine.data(SOME, Fields::One([number]))
                }
                None => Ok(Value::Tag(NONE)),
            }
        }
        (_, Value::Wide(number)) => {
            let number = number.clone();
            on_wide(machine, builtin, first, &number)
        }
        _ => Err(machine.fault(FaultKind::Type)),
    }
}

fn on_wide(
    machine: &mut Machine,
    builtin: Builtin,
    first: usize,
    a: &IBig,
) -> Result<Value, Fault> {
    match builtin {
        Builtin::Narrow => return option(machine, i64::try_from(a.clone()).ok()),
        Builtin::WideHexadecimal => {
            machine.spend(work(Some(a)))?;
            return machine.compose(|out| out.push(&format!("{a:x}")));
        }
        _ => {}
    }
    match machine.stack[first + 1].clone() {
        Value::Int(b) => with_small(machine, builtin, a, b),
        Value::Wide(b) => with_wide(machine, builtin, a, &b),
        _ => Err(machine.fault(FaultKind::Type)),
    }
}

fn with_wide(machine: &mut Machine, builtin: Builtin, a: &IBig, b: &IBig) -> Result<Value, Fault> {
    machine.spend(work(Some(a)).max(work(Some(b))))?;
    let zero = matches!(builtin, Builtin::WideDivide | Builtin::WideRemainder) && *b == IBig::ZERO;
    if zero {
        return Err(machine.fault(FaultKind::Zero));
    }
    let result = match builtin {
        Builtin::WideCompare => return Ok(Value::Int(a.cmp(b) as i64)),
        Builtin::WideAdd => a + b,
        Builtin::WideSubtract => a - b,
        Builtin::WideMultiply => a * b,
        Builtin::WideDivide => a / b,
        Builtin::WideRemainder => a % b,
        Builtin::WideAnd => a & b,
        Builtin::WideOr => a | b,
        _ => a ^ b,
    };
    made(machine, result)
}

fn with_small(machine: &mut Machine, builtin: Builtin, a: &IBig, b: i64) -> Result<Value, Fault> {
    machine.spend(work(Some(a)) + 1)?;
    let many = usize::try_from(b).ok();
    let bits = many.filter(|bits| (1..=MAX_BITS).contains(bits));
    let result = match builtin {
        Builtin::WidePower => many
            .and_then(|many| power(a, many))
            .ok_or_else(|| too_long(machine))?,
        Builtin::WideShiftLeft | Builtin::WideShiftRight => {
            let bad = || FaultKind::Error(format!("a shift by {b}: 0 to {MAX_BITS} are possible"));
            let by = many.filter(|by| *by <= MAX_BITS);
            let by = by.ok_or_else(|| machine.fault(bad()))?;
            match builtin {
                Builtin::WideShiftLeft => a << by,
                _ => a >> by,
            }
        }
        _ => {
            let bad =
                || FaultKind::Error(format!("numbers of {b} bits: 1 to {MAX_BITS} are possible"));
            let bits = bits.ok_or_else(|| machine.fault(bad()))?;
            let low = a & ((IBig::ONE << bits) - IBig::ONE);
            let negative = builtin == Builtin::WideWrap && low.bit(bits - 1);
            if negative {
                low - (IBig::ONE << bits)
            } else {
                low
            }
        }
    };
    made(machine, result)
}

/// `None` if it is too long; known before it is made.
fn power(base: &IBig, exponent: usize) -> Option<IBig> {
    let small = base.bit_len() <= 1;
    let bits = base.bit_len().saturating_sub(1).saturating_mul(exponent);
    match small {
        // 0, 1 and -1.
        true if exponent == 0 => Some(IBig::ONE),
        true if exponent.is_multiple_of(2) => Some(base * base),
        true => Some(base.clone()),
        false => (bits <= MAX_BITS).then(|| base.pow(exponent)),
    }
}

fn decimal(text: &str) -> Option<IBig> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    plain.then(|| text.parse().ok()).flatten()
}

/// The number, unless it is too long.
fn made(machine: &Machine, number: IBig) -> Result<Value, Fault> {
    match number.bit_len() <= MAX_BITS {
        true => Ok(Value::Wide(Rc::new(number))),
        false => Err(too_long(machine)),
    }
}

fn too_long(machine: &Machine) -> Fault {
    let what = format!("a number of more than {MAX_BITS} bits, or none");
    machine.fault(FaultKind::Error(what))
}

/// How many steps it takes to do something with a number: at worst as many products as
/// its words squared.
fn work(number: Option<&IBig>) -> u64 {
    let words = number.map_or(0, |number| number.bit_len() as u64 / 64);
    1 + words * words / WORDS_OF_STEP
}
