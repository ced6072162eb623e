//! Tuples, and relations as sets of them.

use std::collections::BTreeSet;

use super::{Call, Operator};
use crate::value::{CannotSay, Value};

/// Relations of more tuples than this are not computed.
const MAX_TUPLES: usize = 4096;

/// What a tuple is called among the values of datatypes.
pub(crate) const TUPLE: &str = "tuple";

pub(super) const TABLE: &[(&str, Operator)] = &[
    ("tuple", |call| tuple(call.args.to_vec())),
    ("tuple.unit", |_| tuple(Vec::new())),
    ("tuple.select", |call| {
        let [whole] = call.exactly()?;
        let at = position(call, 0)?;
        match fields(call, whole)?.get(at) {
            Some(field) => Ok(field.clone()),
            None => call.ill_typed(),
        }
    }),
    ("tuple.update", |call| {
        let [whole, field] = call.exactly()?;
        let mut fields = fields(call, whole)?.to_vec();
        match fields.get_mut(position(call, 0)?) {
            Some(slot) => *slot = field.clone(),
            None => return call.ill_typed(),
        }
        tuple(fields)
    }),
    ("tuple.project", |call| {
        let [whole] = call.exactly()?;
        tuple(projection(call, fields(call, whole)?)?)
    }),
    ("rel.transpose", |call| {
        let [rows] = call.exactly()?;
        let reversed = |row: &[Value]| Ok(row.iter().rev().cloned().collect());
        relation(table(call, rows)?.into_iter().map(reversed))
    }),
    ("rel.project", |call| {
        let [rows] = call.exactly()?;
        let rows = table(call, rows)?.into_iter();
        relation(rows.map(|row| projection(call, row)))
    }),
    ("rel.product", |call| {
        let [left, right] = call.exactly()?;
        let (left, right) = (table(call, left)?, table(call, right)?);
        let pairs = left.iter().flat_map(|l| right.iter().map(move |r| (l, r)));
        relation(pairs.map(|(l, r)| Ok([*l, *r].concat())))
    }),
    ("rel.join", |call| {
        let [left, right] = call.exactly()?;
        relation(
            join(&table(call, left)?, &table(call, right)?)
                .into_iter()
                .map(Ok),
        )
    }),
    ("rel.tclosure", |call| {
        let [rows] = call.exactly()?;
        let mut all: Vec<Vec<Value>> = table(call, rows)?.into_iter().map(<[_]>::to_vec).collect();
        loop {
            let rows: Vec<&[Value]> = all.iter().map(Vec::as_slice).collect();
            let mut more = join(&rows, &rows);
            more.extend(all.iter().cloned());
            more.sort();
            more.dedup();
            if more.len() > MAX_TUPLES {
                return Err(CannotSay::TooLarge("a relation"));
            }
            if more.len() == all.len() {
                return relation(more.into_iter().map(Ok));
            }
            all = more;
        }
    }),
];

fn tuple(fields: Vec<Value>) -> Result<Value, CannotSay> {
    Value::datatype(TUPLE.into(), fields)
}

fn fields<'a>(call: &Call<'_>, value: &'a Value) -> Result<&'a [Value], CannotSay> {
    match value {
        Value::Datatype(datatype) if *datatype.constructor == *TUPLE => Ok(&datatype.fields),
        _ => call.ill_typed(),
    }
}

fn position(call: &Call<'_>, at: usize) -> Result<usize, CannotSay> {
    let index = call.indices.get(at).map(usize::try_from);
    index
        .and_then(Result::ok)
        .map_or_else(|| call.ill_typed(), Ok)
}

/// The fields at the positions that the indices say.
fn projection(call: &Call<'_>, row: &[Value]) -> Result<Vec<Value>, CannotSay> {
    let field = |at: usize| match row.get(position(call, at)?) {
        Some(field) => Ok(field.clone()),
        None => call.ill_typed(),
    };
    (0..call.indices.len()).map(field).collect()
}

/// The rows of a relation.
fn table<'a>(call: &Call<'_>, value: &'a Value) -> Result<Vec<&'a [Value]>, CannotSay> {
    let Value::Set(set) = value else {
        return call.ill_typed();
    };
    if *set.default() != Value::Bool(false) {
        return Err(CannotSay::TooLarge("a set without end"));
    }
    set.entries().keys().map(|row| fields(call, row)).collect()
}

/// Rows whose last and first fields agree, without these.
fn join(left: &[&[Value]], right: &[&[Value]]) -> Vec<Vec<Value>> {
    let mut joined = Vec::new();
    for row in left {
        for other in right {
            if let (Some((last, kept)), Some((first, rest))) =
                (row.split_last(), other.split_first())
                && last == first
            {
                joined.push([kept, rest].concat());
            }
        }
    }
    joined
}

fn relation(rows: impl Iterator<Item = Result<Vec<Value>, CannotSay>>) -> Result<Value, CannotSay> {
    let mut tuples = BTreeSet::new();
    for row in rows {
        tuples.insert(tuple(row?)?);
        if tuples.len() > MAX_TUPLES {
            return Err(CannotSay::TooLarge("a relation"));
        }
    }
    Value::set(tuples)
}
