//! A first value of each sort: what a completed model says where it is silent.

use std::sync::Arc;

use super::Completion;
use super::operators::relation::TUPLE;
use super::shape::{MAX_DEPTH, Shape, Shapes};
use crate::sort::Values;
use crate::value::{
    Array, BitVec, CannotSay, Element, Float, Format, Int, Rational, Regex, RoundingMode, Value,
};

/// A chain of datatypes that is longer than this is not worth a search that
/// may branch at each step.
const MAX_DATATYPES: u32 = 6;

impl Shapes<'_> {
    /// A value of the sort.
    pub(super) fn first(&self, shape: &Shape, completion: Completion) -> Result<Value, CannotSay> {
        self.first_at(shape, completion, 0)
    }

    fn first_at(
        &self,
        shape: &Shape,
        completion: Completion,
        depth: u32,
    ) -> Result<Value, CannotSay> {
        if depth > MAX_DEPTH {
            return Err(CannotSay::TooLarge("a nested sort"));
        }
        match shape {
            Shape::Datatype(number, arguments) => {
                self.first_datatype(*number, arguments, completion, depth)
            }
            Shape::Uninterpreted(name) => Ok(self.first_element(name)),
            Shape::Theory(values, _, parts) => match &parts[..] {
                [] => self.first_simple(shape, completion),
                parts => self.first_of_parts(values, parts, completion, depth),
            },
        }
    }

    /// The first value of a sort of a theory that is made of no other sorts.
    fn first_simple(&self, shape: &Shape, completion: Completion) -> Result<Value, CannotSay> {
        let (values, [width, sb], _) = shape.theory().expect("the caller has seen that it is one");
        let ones = completion == Completion::Ones;
        Ok(match values {
            Values::Bool => Value::Bool(ones),
            Values::Int => Value::Int(Int::from(u8::from(ones))),
            Values::Real => Value::Real(Rational::from(Int::from(u8::from(ones)))),
            Values::String => Value::string([])?,
            Values::RegLan => Value::Regex(Arc::new(Regex::nothing())),
            Values::RoundingMode => Value::RoundingMode(RoundingMode::Rne),
            Values::BitVec => Value::BitVec(BitVec::from_int(width, &Int::from(-i8::from(ones)))?),
            Values::Float => Value::Float(match (Format::new(width, sb)?, ones) {
                (format, true) => Float::nan(format),
                (format, false) => Float::zero(format, false),
            }),
            Values::Field => self.field_element(shape, &Int::from(u8::from(ones)))?,
            Values::Tuple => Value::datatype(TUPLE.into(), Vec::new())?,
            _ => return Err(CannotSay::Unsupported(values.name().to_string())),
        })
    }

    fn first_of_parts(
        &self,
        values: &Values,
        parts: &[Shape],
        completion: Completion,
        depth: u32,
    ) -> Result<Value, CannotSay> {
        let part = |part: &Shape| self.first_at(part, completion, depth + 1);
        match (values, parts) {
            (Values::Array, [from, to]) => {
                let array = Array::constant(self.domain(from)?, part(to)?)?;
                Ok(Value::Array(Arc::new(array)))
            }
            (Values::Set, _) => Value::set([]),
            (Values::Bag, _) => Value::bag([]),
            (Values::Seq, _) => Value::seq([]),
            (Values::Tuple, parts) => {
                let fields: Result<Vec<Value>, CannotSay> = parts.iter().map(part).collect();
                Value::datatype(TUPLE.into(), fields?)
            }
            _ => Err(CannotSay::Unsupported(values.name().to_string())),
        }
    }

    fn first_element(&self, sort: &str) -> Value {
        let universe = self.context.universes.get(sort);
        match universe.and_then(|universe| universe.first()) {
            Some(element) => element.clone(),
            None => Value::Element(Arc::new(Element {
                name: format!("{sort}!first").into(),
            })),
        }
    }

    /// The first constructor that ends.
    fn first_datatype(
        &self,
        number: usize,
        arguments: &[Shape],
        completion: Completion,
        depth: u32,
    ) -> Result<Value, CannotSay> {
        if depth > MAX_DATATYPES {
            return Err(CannotSay::TooLarge("a datatype's first value"));
        }
        let constructors = self.context.datatypes[number].constructors.iter();
        for (at, constructor) in constructors.enumerate() {
            let fields: Result<Vec<Value>, CannotSay> = self
                .fields(number, at, arguments)?
                .iter()
                .map(|field| self.first_at(field, completion, depth + 1))
                .collect();
            if let Ok(fields) = fields {
                return Value::datatype(self.script.name(constructor.symbol).into(), fields);
            }
        }
        Err(CannotSay::TooLarge("a datatype's first value"))
    }
}
