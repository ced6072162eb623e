//! Bags: finite multisets, as maps to how often each element is there.

use std::sync::Arc;

use super::collection::told_apart;
use super::{Call, Operator};
use crate::value::{Array, CannotSay, Int, Value};

pub(super) const TABLE: &[(&str, Operator)] = &[
    ("bag", |call| {
        let [element, count] = call.exactly()?;
        let (element, count) = (told_apart(element)?, number(call, count)?);
        // Nothing if the number is not positive.
        let counted = (*count > Int::ZERO).then(|| (element.clone(), count.clone()));
        Value::bag(counted)
    }),
    ("bag.union_max", |call| {
        counts(call, |a, b| a.max(b).clone())
    }),
    ("bag.union_disjoint", |call| counts(call, |a, b| a + b)),
    ("bag.inter_min", |call| {
        counts(call, |a, b| a.min(b).clone())
    }),
    ("bag.difference_subtract", |call| {
        counts(call, |a, b| if a > b { a - b } else { Int::ZERO })
    }),
    ("bag.difference_remove", |call| {
        counts(call, |a, b| match *b == Int::ZERO {
            true => a.clone(),
            false => Int::ZERO,
        })
    }),
    ("bag.subbag", |call| {
        let [a, b] = call.exactly()?;
        let (a, b) = (bag(call, a)?, bag(call, b)?);
        let mut entries = a.entries().iter();
        Ok(Value::Bool(
            entries.all(|(item, count)| count <= b.select(item)),
        ))
    }),
    ("bag.member", |call| {
        let [item, of] = call.exactly()?;
        let count = bag(call, of)?.look_up(item)?;
        Ok(Value::Bool(*count != Value::Int(Int::ZERO)))
    }),
    ("bag.count", |call| {
        let [item, of] = call.exactly()?;
        Ok(bag(call, of)?.look_up(item)?.clone())
    }),
    ("bag.card", |call| {
        let [of] = call.exactly()?;
        let mut sum = Int::ZERO;
        for count in bag(call, of)?.entries().values() {
            sum += number(call, count)?;
        }
        Ok(Value::Int(sum))
    }),
    ("bag.setof", once),
    ("bag.duplicate_removal", once),
    ("bag.choose", |call| {
        let [of] = call.exactly()?;
        let mut items = bag(call, of)?.entries().keys();
        match (items.next(), items.next()) {
            (Some(only), None) => Ok(only.clone()),
            _ => Err(CannotSay::Underspecified("bag.choose")),
        }
    }),
];

fn bag<'a>(call: &Call<'_>, value: &'a Value) -> Result<&'a Array, CannotSay> {
    match value {
        Value::Bag(array) => Ok(array),
        _ => call.ill_typed(),
    }
}

fn number<'a>(call: &Call<'_>, value: &'a Value) -> Result<&'a Int, CannotSay> {
    match value {
        Value::Int(number) => Ok(number),
        _ => call.ill_typed(),
    }
}

/// An operation on how often each element is there.
fn counts(call: &Call<'_>, f: fn(&Int, &Int) -> Int) -> Result<Value, CannotSay> {
    call.fold(|a, b| {
        let result = Array::map(&[bag(call, a)?, bag(call, b)?], |pair| match pair {
            [Value::Int(a), Value::Int(b)] => Ok(Value::Int(f(a, b))),
            _ => call.ill_typed(),
        })?;
        Ok(Value::Bag(Arc::new(result)))
    })
}

/// Each element once.
fn once(call: &Call<'_>) -> Result<Value, CannotSay> {
    let [of] = call.exactly()?;
    let items = bag(call, of)?.entries().keys();
    Value::bag(items.map(|item| (item.clone(), Int::ONE)))
}
