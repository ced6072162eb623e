//! What the standard leaves open: the names under which solvers print their
//! choice, and the choices that complete a model that does not say.

use super::Completion;
use crate::value::{BitVec, CannotSay, Int, Natural, Rational, Value};

/// The functions of a model that give the results of an open operation, and
/// how many of the operation's arguments they take.
pub(super) fn interpretations(operation: &str) -> &'static [(&'static str, usize)] {
    match operation {
        "/" => &[("/0", 1), ("@/by_zero", 1), ("@div_by_zero", 1), ("/0", 2)],
        "div" => &[("div0", 1), ("@int_div_by_zero", 1), ("div0", 2)],
        "mod" => &[("mod0", 1), ("@mod_by_zero", 1), ("mod0", 2)],
        "rem" => &[("rem0", 1), ("rem0", 2)],
        "fp.to_ubv" => &[("fp.to_ubv_unspecified", 0), ("fp.to_ubv_unspecified", 2)],
        "fp.to_sbv" => &[("fp.to_sbv_unspecified", 0), ("fp.to_sbv_unspecified", 2)],
        "fp.to_real" => &[("fp.to_real_unspecified", 0), ("fp.to_real_unspecified", 1)],
        "fp.to_ieee_bv" => &[
            ("fp.to_ieee_bv_unspecified", 0),
            ("fp.to_ieee_bv_unspecified", 1),
        ],
        "fp.min" => &[("fp.min_unspecified", 2), ("fp.min_i", 2)],
        "fp.max" => &[("fp.max_unspecified", 2), ("fp.max_i", 2)],
        "seq.nth" => &[("seq.nth_u", 2)],
        "^" => &[("^0", 1), ("^0", 2)],
        _ => &[],
    }
}

/// Whether an open operation may give `value`: the standard leaves some of them
/// open only so far.
pub(super) fn admits(operation: &str, indices: &[Natural], args: &[Value], value: &Value) -> bool {
    let int = || matches!(value, Value::Int(_));
    match (operation, args) {
        ("/" | "fp.to_real", _) => int() || matches!(value, Value::Real(_)),
        ("div" | "mod" | "rem", _) => int(),
        ("fp.to_ubv" | "fp.to_sbv", _) => match value {
            Value::BitVec(bits) => indices.first() == Some(&Natural::from(bits.width())),
            _ => false,
        },
        // Zeros of different signs: one of the two.
        ("fp.min" | "fp.max", [a, b]) => value == a || value == b,
        ("seq.nth", [Value::Seq(items), _]) => {
            items.first().is_none_or(|item| item.same_kind(value))
        }
        ("a selector", _) => true,
        _ => false,
    }
}

/// The result of an open operation by a completion.
pub(super) fn choice(
    completion: Completion,
    operation: &'static str,
    indices: &[Natural],
    args: &[Value],
) -> Result<Value, CannotSay> {
    let open = Err(CannotSay::Underspecified(operation));
    let ones = match completion {
        Completion::None => return open,
        Completion::Zero => false,
        Completion::Ones => true,
    };
    let int = Int::from(u8::from(ones));
    match (operation, args) {
        ("/" | "fp.to_real", _) => Ok(Value::Real(Rational::from(int))),
        ("div" | "mod" | "rem" | "^", _) => Ok(Value::Int(int)),
        ("fp.min" | "fp.max", [a, b]) => Ok(if ones { b.clone() } else { a.clone() }),
        ("fp.to_ubv" | "fp.to_sbv", _) => {
            let width = indices.first().and_then(|width| u32::try_from(width).ok());
            let width = width.ok_or(CannotSay::TooLarge("an index"))?;
            BitVec::from_int(width, &-int).map(Value::BitVec)
        }
        ("fp.to_ieee_bv", [Value::Float(float)]) => {
            let format = float.format();
            // The quiet NaN: all ones in the exponent and one bit below.
            let high = Natural::ones(format.eb as usize + 1);
            BitVec::new(format.width(), high << (format.sb as usize - 2)).map(Value::BitVec)
        }
        ("seq.nth", [Value::Seq(items), _]) if !items.is_empty() => Ok(items[0].clone()),
        _ => open,
    }
}
