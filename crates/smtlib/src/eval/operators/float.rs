//! Floating point.

use super::{Call, Operator};
use crate::value::{BitVec, CannotSay, Float, Format, Int, RoundingMode, Value};

pub(super) const TABLE: &[(&str, Operator)] = &[
    ("fp", |call| {
        let [sign, exponent, fraction] = call.exactly()?;
        let (exponent, fraction) = (call.bits(exponent)?, call.bits(fraction)?);
        let format = Format::new(exponent.width(), fraction.width().saturating_add(1))?;
        let bits = call.bits(sign)?.concat(exponent)?.concat(fraction)?;
        Float::from_bits(format, &bits).map(Value::Float)
    }),
    ("+oo", |call| {
        Ok(Value::Float(Float::infinity(format(call)?, false)))
    }),
    ("-oo", |call| {
        Ok(Value::Float(Float::infinity(format(call)?, true)))
    }),
    ("+zero", |call| {
        Ok(Value::Float(Float::zero(format(call)?, false)))
    }),
    ("-zero", |call| {
        Ok(Value::Float(Float::zero(format(call)?, true)))
    }),
    ("NaN", |call| Ok(Value::Float(Float::nan(format(call)?)))),
    ("fp.abs", |call| unary(call, Float::abs)),
    ("fp.neg", |call| unary(call, Float::neg)),
    ("fp.add", |call| rounded(call, Float::add)),
    ("fp.sub", |call| rounded(call, Float::sub)),
    ("fp.mul", |call| rounded(call, Float::mul)),
    ("fp.div", |call| rounded(call, Float::div)),
    ("fp.fma", |call| {
        let [mode, a, b, c] = call.exactly()?;
        let (a, b) = call.floats(a, b)?;
        let (_, c) = call.floats(&call.args[1], c)?;
        Ok(Value::Float(a.fma(call.mode(mode)?, b, c)))
    }),
    ("fp.sqrt", |call| {
        let [mode, a] = call.exactly()?;
        Ok(Value::Float(call.float(a)?.sqrt(call.mode(mode)?)))
    }),
    ("fp.rem", |call| {
        let [a, b] = call.exactly()?;
        let (a, b) = call.floats(a, b)?;
        Ok(Value::Float(a.rem(b)))
    }),
    ("fp.roundToIntegral", |call| {
        let [mode, a] = call.exactly()?;
        Ok(Value::Float(
            call.float(a)?.round_to_integral(call.mode(mode)?),
        ))
    }),
    ("fp.min", |call| {
        let [a, b] = call.exactly()?;
        let (a, b) = call.floats(a, b)?;
        a.minimum(b).map(Value::Float)
    }),
    ("fp.max", |call| {
        let [a, b] = call.exactly()?;
        let (a, b) = call.floats(a, b)?;
        a.maximum(b).map(Value::Float)
    }),
    ("fp.leq", |call| compare(call, Float::leq)),
    ("fp.lt", |call| compare(call, Float::lt)),
    ("fp.geq", |call| compare(call, |a, b| b.leq(a))),
    ("fp.gt", |call| compare(call, |a, b| b.lt(a))),
    ("fp.eq", |call| compare(call, Float::ieee_eq)),
    ("fp.isNormal", |call| test(call, Float::is_normal)),
    ("fp.isSubnormal", |call| test(call, Float::is_subnormal)),
    ("fp.isZero", |call| test(call, Float::is_zero)),
    ("fp.isInfinite", |call| test(call, Float::is_infinite)),
    ("fp.isNaN", |call| test(call, Float::is_nan)),
    ("fp.isNegative", |call| test(call, Float::is_negative)),
    ("fp.isPositive", |call| test(call, Float::is_positive)),
    ("to_fp", to_fp),
    ("to_fp_bv", to_fp),
    ("to_fp_fp", to_fp),
    ("to_fp_real", to_fp),
    ("to_fp_signed", to_fp),
    ("to_fp_unsigned", |call| {
        let [mode, a] = call.exactly()?;
        let int = Int::from(call.bits(a)?.unsigned().clone());
        Ok(Value::Float(Float::from_int(
            format(call)?,
            call.mode(mode)?,
            &int,
        )))
    }),
    ("fp.to_ubv", |call| {
        let [mode, a] = call.exactly()?;
        let bits = call.float(a)?.to_ubv(call.index(0)?, call.mode(mode)?);
        bits.map(Value::BitVec)
    }),
    ("fp.to_sbv", |call| {
        let [mode, a] = call.exactly()?;
        let bits = call.float(a)?.to_sbv(call.index(0)?, call.mode(mode)?);
        bits.map(Value::BitVec)
    }),
    ("fp.to_real", |call| {
        let [a] = call.exactly()?;
        call.float(a)?.to_real().map(Value::Real)
    }),
    ("fp.to_ieee_bv", to_bits),
    ("to_ieee_bv", to_bits),
];

fn format(call: &Call<'_>) -> Result<Format, CannotSay> {
    Format::new(call.index(0)?, call.index(1)?)
}

fn unary(call: &Call<'_>, f: fn(&Float) -> Float) -> Result<Value, CannotSay> {
    let [a] = call.exactly()?;
    Ok(Value::Float(f(call.float(a)?)))
}

fn rounded(
    call: &Call<'_>,
    f: fn(&Float, RoundingMode, &Float) -> Float,
) -> Result<Value, CannotSay> {
    let [mode, a, b] = call.exactly()?;
    let (a, b) = call.floats(a, b)?;
    Ok(Value::Float(f(a, call.mode(mode)?, b)))
}

fn compare(call: &Call<'_>, f: fn(&Float, &Float) -> bool) -> Result<Value, CannotSay> {
    call.chain(|a, b| {
        let (a, b) = call.floats(a, b)?;
        Ok(f(a, b))
    })
}

fn test(call: &Call<'_>, f: fn(&Float) -> bool) -> Result<Value, CannotSay> {
    let [a] = call.exactly()?;
    Ok(Value::Bool(f(call.float(a)?)))
}

/// All meanings of `to_fp`, told apart by their arguments.
fn to_fp(call: &Call<'_>) -> Result<Value, CannotSay> {
    let format = format(call)?;
    let float = match call.args {
        [Value::BitVec(bits)] => Float::from_bits(format, bits)?,
        [mode, Value::Float(float)] => float.to_format(format, call.mode(mode)?),
        [mode, Value::BitVec(bits)] => Float::from_int(format, call.mode(mode)?, &bits.signed()),
        [mode, real] => Float::from_rational(format, call.mode(mode)?, &*call.real(real)?),
        _ => return call.ill_typed(),
    };
    Ok(Value::Float(float))
}

fn to_bits(call: &Call<'_>) -> Result<Value, CannotSay> {
    let [a] = call.exactly()?;
    let bits: Option<BitVec> = call.float(a)?.to_bits();
    bits.map(Value::BitVec)
        .ok_or(CannotSay::Underspecified("fp.to_ieee_bv"))
}
