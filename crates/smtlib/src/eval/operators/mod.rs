//! The functions of the theories by name: tables that the evaluator reads.
//!
//! An operator here is strict: it gets the values of all its arguments, which are
//! of their terms' sorts (see [`super`]). So the kind of a value follows from its
//! sort and tells which of an operator's meanings is meant; numbers of Int and Real
//! are one kind, since an integer is a real. The connectives that may decide on
//! some of their arguments (`and`, `or`, `=>`, `ite`) are the evaluator's own. Old
//! and solver-specific names stand beside the standard ones.

pub(crate) mod arith;
mod bag;
mod bitvec;
mod collection;
mod core;
mod field;
mod float;
pub(super) mod relation;
mod text;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use crate::value::{Array, BitVec, CannotSay, Float, Int, Natural, Rational, RoundingMode, Value};

/// One use of an operator.
pub(crate) struct Call<'a> {
    /// Its name, for messages.
    pub(crate) name: &'a str,
    /// The numerals of `(_ name …)`.
    pub(crate) indices: &'a [Natural],
    /// The arguments.
    pub(crate) args: &'a [Value],
}

/// An operator's meaning.
pub(crate) type Operator = fn(&Call<'_>) -> Result<Value, CannotSay>;

/// The operator of that name.
pub(crate) fn operator(name: &str) -> Option<Operator> {
    static TABLE: OnceLock<BTreeMap<&'static str, Operator>> = OnceLock::new();
    let table = TABLE.get_or_init(|| {
        let tables = [
            core::TABLE,
            arith::TABLE,
            bitvec::TABLE,
            float::TABLE,
            text::TABLE,
            collection::TABLE,
            bag::TABLE,
            field::TABLE,
            relation::TABLE,
        ];
        tables.into_iter().flatten().copied().collect()
    });
    if let Some(operator) = table.get(name) {
        return Some(*operator);
    }
    // A solver's own spelling.
    let aliases = crate::operators::Operators::built_in().aliases();
    let alias = aliases.iter().find(|alias| alias.name == name)?;
    table.get(alias.target.as_str()).copied()
}

impl<'a> Call<'a> {
    pub(crate) fn ill_typed<T>(&self) -> Result<T, CannotSay> {
        Err(CannotSay::IllTyped(self.name.to_string()))
    }

    /// Exactly `N` arguments.
    fn exactly<const N: usize>(&self) -> Result<&'a [Value; N], CannotSay> {
        self.args.try_into().or_else(|_| self.ill_typed())
    }

    /// The index at a place, if it is a machine integer; a larger one is
    /// refused, since every meaning of an index is a size.
    fn index(&self, at: usize) -> Result<u32, CannotSay> {
        match self.indices.get(at) {
            Some(index) => u32::try_from(index).map_err(|_| CannotSay::TooLarge("an index")),
            None => self.ill_typed(),
        }
    }

    fn big_index(&self, at: usize) -> Result<&'a Natural, CannotSay> {
        self.indices.get(at).map_or_else(|| self.ill_typed(), Ok)
    }

    fn bool(&self, value: &Value) -> Result<bool, CannotSay> {
        match value {
            Value::Bool(b) => Ok(*b),
            _ => self.ill_typed(),
        }
    }

    /// An integer; also a real that is one, as solvers coerce.
    fn int(&self, value: &'a Value) -> Result<Cow<'a, Int>, CannotSay> {
        match value {
            Value::Int(int) => Ok(Cow::Borrowed(int)),
            Value::Real(real) if real.is_int() => Ok(Cow::Borrowed(real.numerator())),
            _ => self.ill_typed(),
        }
    }

    fn real(&self, value: &'a Value) -> Result<Cow<'a, Rational>, CannotSay> {
        match value {
            Value::Int(int) => Ok(Cow::Owned(Rational::from(int.clone()))),
            Value::Real(real) => Ok(Cow::Borrowed(real)),
            _ => self.ill_typed(),
        }
    }

    fn bits(&self, value: &'a Value) -> Result<&'a BitVec, CannotSay> {
        match value {
            Value::BitVec(bits) => Ok(bits),
            _ => self.ill_typed(),
        }
    }

    /// Two bit-vectors of one width.
    fn pair(&self, a: &'a Value, b: &'a Value) -> Result<(&'a BitVec, &'a BitVec), CannotSay> {
        let (a, b) = (self.bits(a)?, self.bits(b)?);
        match a.width() == b.width() {
            true => Ok((a, b)),
            false => self.ill_typed(),
        }
    }

    fn float(&self, value: &'a Value) -> Result<&'a Float, CannotSay> {
        match value {
            Value::Float(float) => Ok(float),
            _ => self.ill_typed(),
        }
    }

    /// Two floats of one format.
    fn floats(&self, a: &'a Value, b: &'a Value) -> Result<(&'a Float, &'a Float), CannotSay> {
        let (a, b) = (self.float(a)?, self.float(b)?);
        match a.format() == b.format() {
            true => Ok((a, b)),
            false => self.ill_typed(),
        }
    }

    fn mode(&self, value: &Value) -> Result<RoundingMode, CannotSay> {
        match value {
            Value::RoundingMode(mode) => Ok(*mode),
            _ => self.ill_typed(),
        }
    }

    fn string(&self, value: &'a Value) -> Result<&'a [u32], CannotSay> {
        match value {
            Value::String(text) => Ok(text),
            _ => self.ill_typed(),
        }
    }

    fn array(&self, value: &'a Value) -> Result<&'a Arc<Array>, CannotSay> {
        match value {
            Value::Array(array) | Value::Set(array) => Ok(array),
            _ => self.ill_typed(),
        }
    }

    /// A predicate between each argument and the next.
    fn chain(
        &self,
        holds: impl Fn(&'a Value, &'a Value) -> Result<bool, CannotSay>,
    ) -> Result<Value, CannotSay> {
        if self.args.len() < 2 {
            return self.ill_typed();
        }
        for pair in self.args.windows(2) {
            if !holds(&pair[0], &pair[1])? {
                return Ok(Value::Bool(false));
            }
        }
        Ok(Value::Bool(true))
    }

    /// A binary operation from the left over at least one argument.
    fn fold(
        &self,
        step: impl Fn(&Value, &Value) -> Result<Value, CannotSay>,
    ) -> Result<Value, CannotSay> {
        let Some((first, rest)) = self.args.split_first() else {
            return self.ill_typed();
        };
        rest.iter()
            .try_fold(first.clone(), |sum, next| step(&sum, next))
    }
}
