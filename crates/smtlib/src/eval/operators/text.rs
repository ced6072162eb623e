//! Strings, regular expressions, and the functions that sequences share with
//! strings.

use std::sync::Arc;

use dashu_int::Sign;

use super::{Call, Operator};
use crate::value::{CannotSay, Int, Natural, Regex, Value, text};

pub(super) const TABLE: &[(&str, Operator)] = &[
    ("str.++", concat),
    ("seq.++", concat),
    ("str.len", len),
    ("seq.len", len),
    ("str.at", at),
    ("seq.at", at),
    ("str.substr", substr),
    ("seq.extract", substr),
    ("str.prefixof", |call| {
        search(call, |a, b| b.starts_with(a), |a, b| b.starts_with(a))
    }),
    ("seq.prefixof", |call| {
        search(call, |a, b| b.starts_with(a), |a, b| b.starts_with(a))
    }),
    ("str.suffixof", |call| {
        search(call, |a, b| b.ends_with(a), |a, b| b.ends_with(a))
    }),
    ("seq.suffixof", |call| {
        search(call, |a, b| b.ends_with(a), |a, b| b.ends_with(a))
    }),
    ("str.contains", |call| {
        search(call, text::contains, text::contains)
    }),
    ("seq.contains", |call| {
        search(call, text::contains, text::contains)
    }),
    ("str.indexof", index_of),
    ("seq.indexof", index_of),
    ("seq.last_indexof", last_index_of),
    ("str.last_indexof", last_index_of),
    ("str.replace", |call| {
        replace(call, text::replace, text::replace)
    }),
    ("seq.replace", |call| {
        replace(call, text::replace, text::replace)
    }),
    ("str.replace_all", |call| {
        replace(call, text::replace_all, text::replace_all)
    }),
    ("str.replaceall", |call| {
        replace(call, text::replace_all, text::replace_all)
    }),
    ("seq.replace_all", |call| {
        replace(call, text::replace_all, text::replace_all)
    }),
    ("str.update", update),
    ("seq.update", update),
    ("str.rev", reverse),
    ("seq.rev", reverse),
    ("seq.unit", |call| {
        let [a] = call.exactly()?;
        Value::seq([a.clone()])
    }),
    ("seq.nth", |call| {
        let [s, i] = call.exactly()?;
        let Value::Seq(items) = s else {
            return call.ill_typed();
        };
        let at = usize::try_from(&*call.int(i)?)
            .ok()
            .and_then(|i| items.get(i));
        at.cloned().ok_or(CannotSay::Underspecified("seq.nth"))
    }),
    ("str.<", |call| {
        call.chain(|a, b| Ok(call.string(a)? < call.string(b)?))
    }),
    ("str.<=", |call| {
        call.chain(|a, b| Ok(call.string(a)? <= call.string(b)?))
    }),
    ("str.is_digit", |call| {
        let [a] = call.exactly()?;
        Ok(Value::Bool(text::is_digit_string(call.string(a)?)))
    }),
    ("str.to_code", |call| {
        to_number(call, |a| Ok(text::to_code(a)))
    }),
    ("str.to_int", |call| to_number(call, text::to_int)),
    ("str.to.int", |call| to_number(call, text::to_int)),
    ("str.from_code", |call| from_number(call, text::from_code)),
    ("str.from_int", |call| from_number(call, text::from_int)),
    ("int.to.str", |call| from_number(call, text::from_int)),
    ("str.from-int", |call| from_number(call, text::from_int)),
    ("str.to-int", |call| to_number(call, text::to_int)),
    ("str.from_ubv", |call| {
        let [a] = call.exactly()?;
        Value::string(text::from_int(&Int::from(call.bits(a)?.unsigned().clone())))
    }),
    ("str.from_sbv", |call| {
        let [a] = call.exactly()?;
        Value::string(text::from_signed(&call.bits(a)?.signed()))
    }),
    ("str.to_lower", |call| map(call, text::to_lower)),
    ("str.tolower", |call| map(call, text::to_lower)),
    ("str.to_upper", |call| map(call, text::to_upper)),
    ("str.toupper", |call| map(call, text::to_upper)),
    ("str.in_re", in_re),
    ("str.in.re", in_re),
    ("seq.in_re", in_re),
    ("str.replace_re", |call| replace_re(call, Regex::replace)),
    ("str.replace_re_all", |call| {
        replace_re(call, Regex::replace_all)
    }),
    ("str.indexof_re", index_of_re),
    ("str.to_re", to_re),
    ("str.to.re", to_re),
    ("seq.to_re", to_re),
    ("re.none", |_| regex(Ok(Regex::nothing()))),
    ("re.nostr", |_| regex(Ok(Regex::nothing()))),
    ("re.empty", |_| regex(Ok(Regex::nothing()))),
    ("re.all", |_| regex(Ok(Regex::all()))),
    ("re.full", |_| regex(Ok(Regex::all()))),
    ("re.allchar", |_| regex(Ok(Regex::all_char()))),
    ("re.++", |call| regex(Regex::concat(&regexes(call)?))),
    ("re.union", |call| regex(Regex::union(&regexes(call)?))),
    ("re.inter", |call| regex(Regex::inter(&regexes(call)?))),
    ("re.diff", |call| regex(Regex::diff(&regexes(call)?))),
    ("re.comp", |call| regex(one(call)?.complement())),
    ("re.complement", |call| regex(one(call)?.complement())),
    ("re.*", |call| regex(one(call)?.repeat(0, None))),
    ("re.+", |call| regex(one(call)?.repeat(1, None))),
    ("re.opt", |call| regex(one(call)?.repeat(0, Some(1)))),
    ("re.range", |call| {
        let [low, high] = call.exactly()?;
        regex(Ok(Regex::range(call.string(low)?, call.string(high)?)))
    }),
    ("re.^", |call| {
        let times = times(call.big_index(0)?);
        regex(one(call)?.repeat(times, Some(times)))
    }),
    ("re.loop", repeat),
];

fn seq(call: &Call<'_>, value: &Value) -> Result<Arc<[Value]>, CannotSay> {
    match value {
        Value::Seq(items) => Ok(Arc::clone(items)),
        _ => call.ill_typed(),
    }
}

fn concat(call: &Call<'_>) -> Result<Value, CannotSay> {
    match call.args.first() {
        Some(Value::String(_)) => {
            let parts: Result<Vec<&[u32]>, _> = call.args.iter().map(|a| call.string(a)).collect();
            Value::string(text::concat(&parts?)?)
        }
        _ => {
            let parts: Result<Vec<_>, _> = call.args.iter().map(|a| seq(call, a)).collect();
            let parts = parts?;
            let slices: Vec<&[Value]> = parts.iter().map(|part| &**part).collect();
            Value::seq(text::concat(&slices)?)
        }
    }
}

fn len(call: &Call<'_>) -> Result<Value, CannotSay> {
    let [a] = call.exactly()?;
    match a {
        Value::String(text) => Ok(Value::Int(Int::from(text.len()))),
        _ => Ok(Value::Int(Int::from(seq(call, a)?.len()))),
    }
}

fn at(call: &Call<'_>) -> Result<Value, CannotSay> {
    let [a, i] = call.exactly()?;
    let i = call.int(i)?;
    match a {
        Value::String(text) => Value::string(text::at(text, &i)),
        _ => Value::seq(text::at(&seq(call, a)?, &i)),
    }
}

fn substr(call: &Call<'_>) -> Result<Value, CannotSay> {
    let [a, i, n] = call.exactly()?;
    let (i, n) = (call.int(i)?, call.int(n)?);
    match a {
        Value::String(text) => Value::string(text::substr(text, &i, &n)),
        _ => Value::seq(text::substr(&seq(call, a)?, &i, &n)),
    }
}

fn search(
    call: &Call<'_>,
    strings: fn(&[u32], &[u32]) -> bool,
    seqs: fn(&[Value], &[Value]) -> bool,
) -> Result<Value, CannotSay> {
    let [a, b] = call.exactly()?;
    Ok(Value::Bool(match (a, b) {
        (Value::String(a), Value::String(b)) => strings(a, b),
        _ => seqs(&seq(call, a)?, &seq(call, b)?),
    }))
}

fn index_of(call: &Call<'_>) -> Result<Value, CannotSay> {
    let (a, b, from) = match call.args {
        [a, b] => (a, b, Int::ZERO),
        [a, b, from] => (a, b, call.int(from)?.into_owned()),
        _ => return call.ill_typed(),
    };
    Ok(Value::Int(match (a, b) {
        (Value::String(a), Value::String(b)) => text::index_of(a, b, &from),
        _ => text::index_of(&seq(call, a)?, &seq(call, b)?, &from),
    }))
}

fn last_index_of(call: &Call<'_>) -> Result<Value, CannotSay> {
    let [a, b] = call.exactly()?;
    Ok(Value::Int(match (a, b) {
        (Value::String(a), Value::String(b)) => text::last_index_of(a, b),
        _ => text::last_index_of(&seq(call, a)?, &seq(call, b)?),
    }))
}

type Replace<T> = fn(&[T], &[T], &[T]) -> Result<Vec<T>, CannotSay>;

fn replace(
    call: &Call<'_>,
    strings: Replace<u32>,
    seqs: Replace<Value>,
) -> Result<Value, CannotSay> {
    let [a, b, c] = call.exactly()?;
    match (a, b, c) {
        (Value::String(a), Value::String(b), Value::String(c)) => Value::string(strings(a, b, c)?),
        _ => Value::seq(seqs(&seq(call, a)?, &seq(call, b)?, &seq(call, c)?)?),
    }
}

fn update(call: &Call<'_>) -> Result<Value, CannotSay> {
    let [a, i, b] = call.exactly()?;
    let i = call.int(i)?;
    match (a, b) {
        (Value::String(a), Value::String(b)) => Value::string(text::update(a, &i, b)),
        _ => Value::seq(text::update(&seq(call, a)?, &i, &seq(call, b)?)),
    }
}

fn reverse(call: &Call<'_>) -> Result<Value, CannotSay> {
    let [a] = call.exactly()?;
    match a {
        Value::String(text) => Value::string(text::reverse(text)),
        _ => Value::seq(text::reverse(&seq(call, a)?)),
    }
}

fn to_number(call: &Call<'_>, f: fn(&[u32]) -> Result<Int, CannotSay>) -> Result<Value, CannotSay> {
    let [a] = call.exactly()?;
    f(call.string(a)?).map(Value::Int)
}

fn from_number(call: &Call<'_>, f: fn(&Int) -> Vec<u32>) -> Result<Value, CannotSay> {
    let [a] = call.exactly()?;
    Value::string(f(&*call.int(a)?))
}

fn map(call: &Call<'_>, f: fn(&[u32]) -> Vec<u32>) -> Result<Value, CannotSay> {
    let [a] = call.exactly()?;
    Value::string(f(call.string(a)?))
}

fn as_regex<'a>(call: &Call<'a>, value: &'a Value) -> Result<&'a Regex, CannotSay> {
    match value {
        Value::Regex(regex) => Ok(regex),
        _ => call.ill_typed(),
    }
}

fn regexes<'a>(call: &Call<'a>) -> Result<Vec<&'a Regex>, CannotSay> {
    call.args
        .iter()
        .map(|value| as_regex(call, value))
        .collect()
}

fn one<'a>(call: &Call<'a>) -> Result<&'a Regex, CannotSay> {
    let [a] = call.exactly()?;
    as_regex(call, a)
}

fn regex(result: Result<Regex, CannotSay>) -> Result<Value, CannotSay> {
    result.map(|regex| Value::Regex(Arc::new(regex)))
}

fn to_re(call: &Call<'_>) -> Result<Value, CannotSay> {
    match call.args {
        [Value::String(text)] => regex(Ok(Regex::literal(Arc::clone(text)))),
        _ => call.ill_typed(),
    }
}

/// A count of repetitions; no string is long enough to tell larger ones apart.
fn times(natural: &Natural) -> u64 {
    u64::try_from(natural).unwrap_or(u64::MAX)
}

/// `((_ re.loop low high) r)`, and z3's and older forms with the bounds as
/// arguments or without an upper one.
fn repeat(call: &Call<'_>) -> Result<Value, CannotSay> {
    let bound = |value: &Value| match value {
        Value::Int(int) if int.sign() == Sign::Positive => {
            Ok(u64::try_from(int).unwrap_or(u64::MAX))
        }
        _ => call.ill_typed(),
    };
    let indices: Vec<u64> = call.indices.iter().map(times).collect();
    match (call.args, &indices[..]) {
        ([r], [low, high]) => regex(as_regex(call, r)?.repeat(*low, Some(*high))),
        ([r], [low]) => regex(as_regex(call, r)?.repeat(*low, None)),
        ([r, low, high], []) => regex(as_regex(call, r)?.repeat(bound(low)?, Some(bound(high)?))),
        ([r, low], []) => regex(as_regex(call, r)?.repeat(bound(low)?, None)),
        _ => call.ill_typed(),
    }
}

fn in_re(call: &Call<'_>) -> Result<Value, CannotSay> {
    let [a, r] = call.exactly()?;
    as_regex(call, r)?.matches(call.string(a)?).map(Value::Bool)
}

/// Replaces matches in a text by another.
type ReplaceMatch = fn(&Regex, &[u32], &[u32]) -> Result<Vec<u32>, CannotSay>;

fn replace_re(call: &Call<'_>, f: ReplaceMatch) -> Result<Value, CannotSay> {
    let [a, r, b] = call.exactly()?;
    Value::string(f(as_regex(call, r)?, call.string(a)?, call.string(b)?)?)
}

fn index_of_re(call: &Call<'_>) -> Result<Value, CannotSay> {
    let [a, r, from] = call.exactly()?;
    let text = call.string(a)?;
    let from = usize::try_from(&*call.int(from)?).ok();
    let found = match from.filter(|from| *from <= text.len()) {
        Some(from) => as_regex(call, r)?.index_of(text, from)?,
        None => None,
    };
    Ok(Value::Int(found.map_or(Int::NEG_ONE, Int::from)))
}
