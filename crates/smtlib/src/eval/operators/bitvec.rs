//! Fixed-size bit-vectors.

use super::{Call, Operator};
use crate::value::{BitVec, CannotSay, Int, Natural, Value};

pub(super) const TABLE: &[(&str, Operator)] = &[
    ("bvnot", |call| unary(call, BitVec::not)),
    ("bvneg", |call| unary(call, BitVec::neg)),
    ("bvand", |call| left(call, BitVec::and)),
    ("bvor", |call| left(call, BitVec::or)),
    ("bvxor", |call| left(call, BitVec::xor)),
    ("bvadd", |call| left(call, BitVec::add)),
    ("bvmul", |call| left(call, BitVec::mul)),
    ("bvsub", |call| left(call, BitVec::sub)),
    ("bvnand", |call| binary(call, |a, b| a.and(b).not())),
    ("bvnor", |call| binary(call, |a, b| a.or(b).not())),
    ("bvxnor", |call| left(call, |a, b| a.xor(b).not())),
    ("bvudiv", |call| binary(call, BitVec::udiv)),
    ("bvurem", |call| binary(call, BitVec::urem)),
    ("bvsdiv", |call| binary(call, BitVec::sdiv)),
    ("bvsrem", |call| binary(call, BitVec::srem)),
    ("bvsmod", |call| binary(call, BitVec::smod)),
    ("bvudiv_i", |call| binary(call, BitVec::udiv)),
    ("bvurem_i", |call| binary(call, BitVec::urem)),
    ("bvsdiv_i", |call| binary(call, BitVec::sdiv)),
    ("bvsrem_i", |call| binary(call, BitVec::srem)),
    ("bvsmod_i", |call| binary(call, BitVec::smod)),
    ("bvshl", |call| binary(call, BitVec::shl)),
    ("bvlshr", |call| binary(call, BitVec::lshr)),
    ("bvashr", |call| binary(call, BitVec::ashr)),
    ("bvcomp", |call| binary(call, BitVec::comp)),
    ("bvredor", |call| unary(call, BitVec::redor)),
    ("bvredand", |call| unary(call, BitVec::redand)),
    ("bvult", |call| compare(call, BitVec::ult)),
    ("bvule", |call| compare(call, |a, b| !b.ult(a))),
    ("bvugt", |call| compare(call, |a, b| b.ult(a))),
    ("bvuge", |call| compare(call, |a, b| !a.ult(b))),
    ("bvslt", |call| compare(call, BitVec::slt)),
    ("bvsle", |call| compare(call, |a, b| !b.slt(a))),
    ("bvsgt", |call| compare(call, |a, b| b.slt(a))),
    ("bvsge", |call| compare(call, |a, b| !a.slt(b))),
    ("bvultbv", |call| binary(call, |a, b| flag(a.ult(b)))),
    ("bvsltbv", |call| binary(call, |a, b| flag(a.slt(b)))),
    ("bvnego", |call| {
        let [a] = call.exactly()?;
        Ok(Value::Bool(call.bits(a)?.nego()))
    }),
    ("bvuaddo", |call| compare(call, BitVec::uaddo)),
    ("bvsaddo", |call| compare(call, BitVec::saddo)),
    ("bvumulo", |call| compare(call, BitVec::umulo)),
    ("bvsmulo", |call| compare(call, BitVec::smulo)),
    ("bvusubo", |call| compare(call, BitVec::usubo)),
    ("bvssubo", |call| compare(call, BitVec::ssubo)),
    ("bvsdivo", |call| compare(call, BitVec::sdivo)),
    ("bvumul_noovfl", |call| compare(call, |a, b| !a.umulo(b))),
    ("bvsmul_noovfl", |call| {
        compare(call, |a, b| !a.smul_above(b))
    }),
    ("bvsmul_noudfl", |call| {
        compare(call, |a, b| !a.smul_below(b))
    }),
    ("concat", |call| {
        call.fold(|a, b| match (a, b) {
            (Value::BitVec(a), Value::BitVec(b)) => a.concat(b).map(Value::BitVec),
            _ => call.ill_typed(),
        })
    }),
    ("extract", |call| {
        sized(call, |a, call| a.extract(call.index(0)?, call.index(1)?))
    }),
    ("zero_extend", |call| {
        sized(call, |a, call| a.zero_extend(call.index(0)?))
    }),
    ("sign_extend", |call| {
        sized(call, |a, call| a.sign_extend(call.index(0)?))
    }),
    ("repeat", |call| {
        sized(call, |a, call| a.repeat(call.index(0)?))
    }),
    ("rotate_left", |call| {
        sized(call, |a, call| Ok(a.rotate_left(call.big_index(0)?)))
    }),
    ("rotate_right", |call| {
        sized(call, |a, call| Ok(a.rotate_right(call.big_index(0)?)))
    }),
    ("ext_rotate_left", |call| {
        binary(call, |a, b| a.rotate_left(b.unsigned()))
    }),
    ("ext_rotate_right", |call| {
        binary(call, |a, b| a.rotate_right(b.unsigned()))
    }),
    ("bit2bool", bit),
    ("bit", bit),
    ("bv2nat", |call| {
        number(call, |a| Int::from(a.unsigned().clone()))
    }),
    ("bv2int", |call| {
        number(call, |a| Int::from(a.unsigned().clone()))
    }),
    ("ubv_to_int", |call| {
        number(call, |a| Int::from(a.unsigned().clone()))
    }),
    ("sbv_to_int", |call| number(call, BitVec::signed)),
    ("int2bv", from_int),
    ("int_to_bv", from_int),
    ("nat2bv", from_int),
];

fn flag(b: bool) -> BitVec {
    BitVec::new(1, Natural::from(b)).expect("width 1 is allowed")
}

fn unary(call: &Call<'_>, f: fn(&BitVec) -> BitVec) -> Result<Value, CannotSay> {
    let [a] = call.exactly()?;
    Ok(Value::BitVec(f(call.bits(a)?)))
}

fn binary(call: &Call<'_>, f: fn(&BitVec, &BitVec) -> BitVec) -> Result<Value, CannotSay> {
    let [a, b] = call.exactly()?;
    let (a, b) = call.pair(a, b)?;
    Ok(Value::BitVec(f(a, b)))
}

fn left(call: &Call<'_>, f: fn(&BitVec, &BitVec) -> BitVec) -> Result<Value, CannotSay> {
    call.fold(|a, b| match (a, b) {
        (Value::BitVec(a), Value::BitVec(b)) if a.width() == b.width() => {
            Ok(Value::BitVec(f(a, b)))
        }
        _ => call.ill_typed(),
    })
}

fn compare(call: &Call<'_>, f: fn(&BitVec, &BitVec) -> bool) -> Result<Value, CannotSay> {
    call.chain(|a, b| {
        let (a, b) = call.pair(a, b)?;
        Ok(f(a, b))
    })
}

fn sized(
    call: &Call<'_>,
    f: fn(&BitVec, &Call<'_>) -> Result<BitVec, CannotSay>,
) -> Result<Value, CannotSay> {
    let [a] = call.exactly()?;
    f(call.bits(a)?, call).map(Value::BitVec)
}

fn number(call: &Call<'_>, f: fn(&BitVec) -> Int) -> Result<Value, CannotSay> {
    let [a] = call.exactly()?;
    Ok(Value::Int(f(call.bits(a)?)))
}

fn from_int(call: &Call<'_>) -> Result<Value, CannotSay> {
    let [a] = call.exactly()?;
    BitVec::from_int(call.index(0)?, &*call.int(a)?).map(Value::BitVec)
}

fn bit(call: &Call<'_>) -> Result<Value, CannotSay> {
    let [a] = call.exactly()?;
    let (a, index) = (call.bits(a)?, call.index(0)?);
    match index < a.width() {
        true => Ok(Value::Bool(a.bit(index))),
        false => call.ill_typed(),
    }
}
