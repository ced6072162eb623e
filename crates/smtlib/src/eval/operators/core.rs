//! Core: equality and the strict connectives.

use std::collections::BTreeSet;

use super::{Call, Operator};
use crate::value::{CannotSay, Value};

pub(super) const TABLE: &[(&str, Operator)] = &[
    ("=", |call| call.chain(equal)),
    ("distinct", distinct),
    ("not", |call| {
        let [a] = call.exactly()?;
        Ok(Value::Bool(!call.bool(a)?))
    }),
    ("xor", |call| {
        call.fold(|a, b| match (a, b) {
            (Value::Bool(a), Value::Bool(b)) => Ok(Value::Bool(a != b)),
            _ => call.ill_typed(),
        })
    }),
    // Old names that some files still use for the equality of Booleans.
    ("iff", |call| call.chain(equal)),
];

/// Whether two values denote the same; regular expressions and functions are
/// only known to if they are written alike.
pub(crate) fn equal(a: &Value, b: &Value) -> Result<bool, CannotSay> {
    if let Some(order) = super::arith::compare_algebraic(a, b) {
        return order.map(|order| order.is_eq());
    }
    match a == b {
        true => Ok(true),
        false if !a.same_kind(b) => Err(CannotSay::IllTyped("=".to_string())),
        false if a.decidable() && b.decidable() => Ok(false),
        false if differ_somewhere(a, b) => Ok(false),
        false => Err(CannotSay::Unsupported(
            "equality of regular expressions, functions or the like".to_string(),
        )),
    }
}

/// True if two arrays differ at an index that one of them names.
fn differ_somewhere(a: &Value, b: &Value) -> bool {
    let (Value::Array(a), Value::Array(b)) = (a, b) else {
        return false;
    };
    let indices = a.entries().keys().chain(b.entries().keys());
    let differ = |index: &Value| equal(a.select(index), b.select(index)) == Ok(false);
    indices.filter(|index| index.decidable()).any(differ)
}

fn distinct(call: &Call<'_>) -> Result<Value, CannotSay> {
    if !call.args.iter().all(Value::decidable) {
        for (at, a) in call.args.iter().enumerate() {
            for b in &call.args[at + 1..] {
                if equal(a, b)? {
                    return Ok(Value::Bool(false));
                }
            }
        }
        return Ok(Value::Bool(true));
    }
    let mut pairs = call.args.windows(2);
    if pairs.any(|pair| !pair[0].same_kind(&pair[1])) {
        return call.ill_typed();
    }
    let different: BTreeSet<&Value> = call.args.iter().collect();
    Ok(Value::Bool(different.len() == call.args.len()))
}
