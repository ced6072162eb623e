//! Finite fields of prime order.

use std::sync::Arc;

use super::{Call, Operator};
use crate::value::{CannotSay, FieldElement, Natural, Value};

pub(super) const TABLE: &[(&str, Operator)] = &[
    ("ff.add", |call| fold(call, |a, b| a + b)),
    ("ff.mul", |call| fold(call, |a, b| a * b)),
    ("ff.neg", |call| {
        let [a] = call.exactly()?;
        let a = element(call, a)?;
        Ok(made(a, &a.order - &a.value))
    }),
    // The first argument counts once, the next twice, the next four times.
    ("ff.bitsum", |call| {
        let Some(first) = call.args.first() else {
            return call.ill_typed();
        };
        let first = element(call, first)?;
        let mut sum = Natural::ZERO;
        let mut weight = Natural::ONE;
        for value in call.args {
            let value = element(call, value)?;
            if value.order != first.order {
                return call.ill_typed();
            }
            sum = (sum + &weight * &value.value) % &first.order;
            weight = (weight << 1) % &first.order;
        }
        Ok(made(first, sum))
    }),
];

fn element<'a>(call: &Call<'_>, value: &'a Value) -> Result<&'a FieldElement, CannotSay> {
    match value {
        Value::Field(element) => Ok(element),
        _ => call.ill_typed(),
    }
}

fn made(like: &FieldElement, value: Natural) -> Value {
    Value::Field(Arc::new(FieldElement {
        value: value % &like.order,
        order: like.order.clone(),
    }))
}

fn fold(call: &Call<'_>, f: fn(&Natural, &Natural) -> Natural) -> Result<Value, CannotSay> {
    call.fold(|a, b| {
        let (a, b) = (element(call, a)?, element(call, b)?);
        match a.order == b.order {
            true => Ok(made(a, f(&a.value, &b.value))),
            false => call.ill_typed(),
        }
    })
}
