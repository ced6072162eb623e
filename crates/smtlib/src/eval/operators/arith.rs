//! Ints, Reals and their mixture.

use std::cmp::Ordering;
use std::sync::Arc;

use dashu_int::Sign;

use super::{Call, Operator};
use crate::value::{Algebraic, CannotSay, Int, Rational, Value, number};

pub(super) const TABLE: &[(&str, Operator)] = &[
    ("+", |call| {
        call.fold(|a, b| arith(call, a, b, number::add, number::add_real, Algebraic::add))
    }),
    ("*", |call| {
        call.fold(|a, b| arith(call, a, b, number::mul, number::mul_real, Algebraic::mul))
    }),
    ("-", minus),
    ("/", |call| {
        call.fold(|a, b| {
            let call = &Call {
                args: &[a.clone(), b.clone()],
                ..*call
            };
            let [a, b] = call.exactly()?;
            let open = Err(CannotSay::Underspecified("/"));
            if let Value::Algebraic(a) = a {
                let inverse = number::div_real(&Rational::ONE, &*call.real(b)?).unwrap_or(open)?;
                return a.mul(&Algebraic::rational(inverse)).map(number_of);
            }
            let quotient = number::div_real(&*call.real(a)?, &*call.real(b)?);
            quotient.unwrap_or(open).map(Value::Real)
        })
    }),
    ("div", |call| {
        call.fold(|a, b| whole(call, a, b, "div", number::div))
    }),
    ("mod", |call| {
        let [a, b] = call.exactly()?;
        whole(call, a, b, "mod", number::modulo)
    }),
    ("rem", |call| {
        let [a, b] = call.exactly()?;
        whole(call, a, b, "rem", z3_rem)
    }),
    ("div_total", |call| {
        total(call, |a, b| number::div(a, b).unwrap_or(Int::ZERO))
    }),
    ("mod_total", |call| {
        total(call, |a, b| number::modulo(a, b).unwrap_or(a.clone()))
    }),
    ("/_total", |call| {
        let [a, b] = call.exactly()?;
        let quotient = number::div_real(&*call.real(a)?, &*call.real(b)?);
        quotient.unwrap_or(Ok(Rational::ZERO)).map(Value::Real)
    }),
    ("abs", |call| {
        let [a] = call.exactly()?;
        match a {
            Value::Real(real) if *real < Rational::ZERO => Ok(Value::Real(-real.clone())),
            Value::Real(_) => Ok(a.clone()),
            _ => Ok(Value::Int(number::abs(&*call.int(a)?))),
        }
    }),
    ("<", |call| {
        call.chain(|a, b| compare(call, a, b).map(|order| order.is_lt()))
    }),
    ("<=", |call| {
        call.chain(|a, b| compare(call, a, b).map(|order| order.is_le()))
    }),
    (">", |call| {
        call.chain(|a, b| compare(call, a, b).map(|order| order.is_gt()))
    }),
    (">=", |call| {
        call.chain(|a, b| compare(call, a, b).map(|order| order.is_ge()))
    }),
    ("to_real", |call| {
        let [a] = call.exactly()?;
        Ok(Value::Real(call.real(a)?.into_owned()))
    }),
    ("to_int", |call| {
        let [a] = call.exactly()?;
        Ok(Value::Int(call.real(a)?.floor()))
    }),
    ("is_int", |call| {
        let [a] = call.exactly()?;
        Ok(Value::Bool(call.real(a)?.is_int()))
    }),
    ("divisible", |call| {
        let [a] = call.exactly()?;
        match number::divisible(&*call.int(a)?, call.big_index(0)?) {
            Some(divisible) => Ok(Value::Bool(divisible)),
            None => call.ill_typed(),
        }
    }),
    ("^", power),
    ("int.pow2", |call| {
        let [a] = call.exactly()?;
        let a = call.int(a)?;
        match a.sign() {
            Sign::Negative => Ok(Value::Int(Int::ZERO)),
            Sign::Positive => number::pow(&Int::from(2), &a)
                .unwrap_or(Ok(Int::ONE))
                .map(Value::Int),
        }
    }),
    ("iand", |call| {
        let [a, b] = call.exactly()?;
        let bits = crate::value::BitVec::from_int(call.index(0)?, &*call.int(a)?)?;
        let other = crate::value::BitVec::from_int(call.index(0)?, &*call.int(b)?)?;
        Ok(Value::Int(Int::from(bits.and(&other).unsigned().clone())))
    }),
    // Transcendental: rational at this point alone (Lindemann).
    ("sin", |call| at_one_point(call, 0, 0)),
    ("tan", |call| at_one_point(call, 0, 0)),
    ("arcsin", |call| at_one_point(call, 0, 0)),
    ("arctan", |call| at_one_point(call, 0, 0)),
    ("asin", |call| at_one_point(call, 0, 0)),
    ("atan", |call| at_one_point(call, 0, 0)),
    ("sinh", |call| at_one_point(call, 0, 0)),
    ("tanh", |call| at_one_point(call, 0, 0)),
    ("asinh", |call| at_one_point(call, 0, 0)),
    ("atanh", |call| at_one_point(call, 0, 0)),
    ("exp", |call| at_one_point(call, 0, 1)),
    ("cos", |call| at_one_point(call, 0, 1)),
    ("sec", |call| at_one_point(call, 0, 1)),
    ("cosh", |call| at_one_point(call, 0, 1)),
    ("arccos", |call| at_one_point(call, 1, 0)),
    ("acos", |call| at_one_point(call, 1, 0)),
    ("arcsec", |call| at_one_point(call, 1, 0)),
    ("acosh", |call| at_one_point(call, 1, 0)),
];

/// A function with this value at this point, and with none that could be written at any other
/// rational one.
fn at_one_point(call: &Call<'_>, point: u8, value: u8) -> Result<Value, CannotSay> {
    let [a] = call.exactly()?;
    match *call.real(a)? == Rational::from(point) {
        true => Ok(Value::Real(Rational::from(value))),
        false => Err(CannotSay::Unsupported(call.name.to_string())),
    }
}

/// An operation on integers if both are, otherwise on reals.
fn arith(
    call: &Call<'_>,
    a: &Value,
    b: &Value,
    ints: fn(&Int, &Int) -> Result<Int, CannotSay>,
    reals: fn(&Rational, &Rational) -> Result<Rational, CannotSay>,
    algebraics: fn(&Algebraic, &Algebraic) -> Result<Algebraic, CannotSay>,
) -> Result<Value, CannotSay> {
    match (a, b) {
        (Value::Int(a), Value::Int(b)) => ints(a, b).map(Value::Int),
        (Value::Real(a), Value::Real(b)) => reals(a, b).map(Value::Real),
        (Value::Int(a), Value::Real(b)) => reals(&Rational::from(a.clone()), b).map(Value::Real),
        (Value::Real(a), Value::Int(b)) => reals(a, &Rational::from(b.clone())).map(Value::Real),
        _ => match (algebraic(a), algebraic(b)) {
            (Some(a), Some(b)) => algebraics(&a, &b).map(number_of),
            _ => call.ill_typed(),
        },
    }
}

fn minus(call: &Call<'_>) -> Result<Value, CannotSay> {
    match call.args {
        [Value::Int(a)] => Ok(Value::Int(-a)),
        [Value::Real(a)] => Ok(Value::Real(-a.clone())),
        [Value::Algebraic(a)] => Ok(number_of(a.neg())),
        [_] => call.ill_typed(),
        _ => call.fold(|a, b| arith(call, a, b, number::sub, number::sub_real, subtract)),
    }
}

/// Any number as an algebraic one.
fn algebraic(value: &Value) -> Option<Algebraic> {
    match value {
        Value::Int(int) => Some(Algebraic::rational(Rational::from(int.clone()))),
        Value::Real(real) => Some(Algebraic::rational(real.clone())),
        Value::Algebraic(number) => Some(Algebraic::clone(number)),
        _ => None,
    }
}

/// The value of an algebraic number, rational where that shows.
pub(crate) fn number_of(number: Algebraic) -> Value {
    match number.as_rational() {
        Some(rational) => Value::Real(rational),
        None => Value::Algebraic(Arc::new(number)),
    }
}

fn subtract(a: &Algebraic, b: &Algebraic) -> Result<Algebraic, CannotSay> {
    a.add(&b.neg())
}

/// The order of two numbers of which at least one is algebraic; `None` for
/// others.
pub(crate) fn compare_algebraic(a: &Value, b: &Value) -> Option<Result<Ordering, CannotSay>> {
    let one = matches!(a, Value::Algebraic(_)) || matches!(b, Value::Algebraic(_));
    let (a, b) = (algebraic(a)?, algebraic(b)?);
    one.then(|| subtract(&a, &b).and_then(|difference| difference.sign()))
}

/// Integer division and remainder; by zero they are what the model says.
fn whole(
    call: &Call<'_>,
    a: &Value,
    b: &Value,
    name: &'static str,
    divide: fn(&Int, &Int) -> Option<Int>,
) -> Result<Value, CannotSay> {
    let args = [a.clone(), b.clone()];
    let call = &Call {
        args: &args,
        ..*call
    };
    let (a, b) = (call.int(&args[0])?, call.int(&args[1])?);
    divide(&a, &b)
        .map(Value::Int)
        .ok_or(CannotSay::Underspecified(name))
}

/// z3's `rem`: the sign of the divisor turned around.
fn z3_rem(a: &Int, b: &Int) -> Option<Int> {
    let rest = number::modulo(a, b)?;
    Some(match b.sign() {
        Sign::Negative => -rest,
        Sign::Positive => rest,
    })
}

fn total(call: &Call<'_>, divide: fn(&Int, &Int) -> Int) -> Result<Value, CannotSay> {
    let [a, b] = call.exactly()?;
    Ok(Value::Int(divide(&*call.int(a)?, &*call.int(b)?)))
}

fn compare(call: &Call<'_>, a: &Value, b: &Value) -> Result<Ordering, CannotSay> {
    match (a, b) {
        (Value::Int(_) | Value::Real(_), Value::Int(_) | Value::Real(_)) => Ok(a.cmp(b)),
        _ => compare_algebraic(a, b).unwrap_or_else(|| call.ill_typed()),
    }
}

fn power(call: &Call<'_>) -> Result<Value, CannotSay> {
    let [a, n] = call.exactly()?;
    let Ok(exponent) = call.int(n) else {
        return Err(CannotSay::Unsupported(
            "^ with a fractional exponent".to_string(),
        ));
    };
    let open = Err(CannotSay::Underspecified("^"));
    match a {
        Value::Int(a) if exponent.sign() == Sign::Positive => {
            number::pow(a, &exponent).map_or(open, |power| power.map(Value::Int))
        }
        _ => {
            let power = number::pow_real(&*call.real(a)?, &exponent);
            power.map_or(open, |power| power.map(Value::Real))
        }
    }
}
