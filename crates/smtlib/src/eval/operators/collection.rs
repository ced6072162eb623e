//! Arrays and sets.

use std::sync::Arc;

use super::{Call, Operator};
use crate::value::{Array, CannotSay, Int, Value};

/// Ranges of more numbers than this are not listed.
const MAX_RANGE: usize = 10_000;

pub(super) const TABLE: &[(&str, Operator)] = &[
    ("select", |call| {
        let [array, index] = call.exactly()?;
        Ok(call.array(array)?.look_up(index)?.clone())
    }),
    ("store", |call| {
        let [array, index, value] = call.exactly()?;
        let stored = Array::clone(call.array(array)?).store(index.clone(), value.clone())?;
        Ok(rewrap(array, stored))
    }),
    ("set.singleton", singleton),
    ("singleton", singleton),
    ("set.union", |call| pointwise(call, |a, b| a || b)),
    ("union", |call| pointwise(call, |a, b| a || b)),
    ("set.inter", |call| pointwise(call, |a, b| a && b)),
    ("intersection", |call| pointwise(call, |a, b| a && b)),
    ("intersect", |call| pointwise(call, |a, b| a && b)),
    ("set.minus", |call| pointwise(call, |a, b| a && !b)),
    ("setminus", |call| pointwise(call, |a, b| a && !b)),
    ("set.subset", subset),
    ("subset", subset),
    ("set.member", member),
    ("member", member),
    ("set.insert", |call| {
        let Some((set, items)) = call.args.split_last() else {
            return call.ill_typed();
        };
        let mut set = Array::clone(call.array(set)?);
        for item in items {
            set = set.store(item.clone(), Value::Bool(true))?;
        }
        Ok(Value::Set(Arc::new(set)))
    }),
    ("set.complement", complement),
    ("complement", complement),
    ("set.card", card),
    ("card", card),
    ("set.range", |call| {
        let [low, high] = call.exactly()?;
        let (low, high) = (call.int(low)?, call.int(high)?);
        let mut members = Vec::new();
        let mut next = low.into_owned();
        while next <= *high.as_ref() {
            if members.len() > MAX_RANGE {
                return Err(CannotSay::TooLarge("a range"));
            }
            members.push(Value::Int(next.clone()));
            next += Int::ONE;
        }
        Value::set(members)
    }),
    // z3 documents no meaning, and its own evaluator gives it none.
    ("set.diff", |_| Err(CannotSay::Underspecified("set.diff"))),
    ("set.is_empty", |call| {
        let [a] = call.exactly()?;
        Ok(Value::Bool(members(call, a)?.is_empty()))
    }),
    ("set.is_singleton", |call| {
        let [a] = call.exactly()?;
        Ok(Value::Bool(members(call, a)?.len() == 1))
    }),
    ("set.choose", |call| {
        let [a] = call.exactly()?;
        match &members(call, a)?[..] {
            [only] => Ok(only.clone()),
            _ => Err(CannotSay::Underspecified("set.choose")),
        }
    }),
];

/// An operation on membership, index by index. Sets that z3 writes as arrays
/// stay arrays.
fn pointwise(call: &Call<'_>, f: fn(bool, bool) -> bool) -> Result<Value, CannotSay> {
    call.fold(|a, b| {
        let result = Array::map(
            &[call_array(call, a)?, call_array(call, b)?],
            |pair| match pair {
                [Value::Bool(a), Value::Bool(b)] => Ok(Value::Bool(f(*a, *b))),
                _ => call.ill_typed(),
            },
        )?;
        Ok(rewrap(a, result))
    })
}

fn call_array<'a>(call: &Call<'_>, value: &'a Value) -> Result<&'a Array, CannotSay> {
    match value {
        Value::Array(array) | Value::Set(array) => Ok(array),
        _ => call.ill_typed(),
    }
}

fn rewrap(like: &Value, array: Array) -> Value {
    match like {
        Value::Set(_) => Value::Set(Arc::new(array)),
        _ => Value::Array(Arc::new(array)),
    }
}

/// Elements that cannot be told apart make no set.
pub(super) fn told_apart(element: &Value) -> Result<&Value, CannotSay> {
    match element.decidable() {
        true => Ok(element),
        false => Err(CannotSay::Unsupported("a set of such elements".to_string())),
    }
}

fn singleton(call: &Call<'_>) -> Result<Value, CannotSay> {
    let [element] = call.exactly()?;
    Value::set([told_apart(element)?.clone()])
}

fn subset(call: &Call<'_>) -> Result<Value, CannotSay> {
    let [a, _] = call.exactly()?;
    let both = pointwise(call, |a, b| a && b)?;
    Ok(Value::Bool(both == *a))
}

fn member(call: &Call<'_>) -> Result<Value, CannotSay> {
    let [item, set] = call.exactly()?;
    Ok(call.array(set)?.look_up(item)?.clone())
}

fn complement(call: &Call<'_>) -> Result<Value, CannotSay> {
    let [a] = call.exactly()?;
    if matches!(a, Value::Set(_)) {
        // Within `set.universe`, of which cvc5's manual says little.
        return Err(CannotSay::Underspecified("set.complement"));
    }
    let result = Array::map(&[call.array(a)?], |values| match values {
        [Value::Bool(b)] => Ok(Value::Bool(!b)),
        _ => call.ill_typed(),
    })?;
    Ok(rewrap(a, result))
}

fn members(call: &Call<'_>, set: &Value) -> Result<Vec<Value>, CannotSay> {
    let members = call_array(call, set)?.members();
    members.ok_or(CannotSay::TooLarge("a set without end"))
}

fn card(call: &Call<'_>) -> Result<Value, CannotSay> {
    let [a] = call.exactly()?;
    Ok(Value::Int(Int::from(members(call, a)?.len())))
}
