//! Whether a value is one of a sort.
//!
//! The terms of a script are typed before they are evaluated, so their values
//! are of their sorts. A model is the text of somebody else: what it gives a
//! name is looked at here before it meets the values of the script.

use super::operators::relation::TUPLE;
use super::shape::{Shape, Shapes};
use crate::sort::Values;
use crate::value::{Array, Datatype, Value};

impl Shapes<'_> {
    /// True if the sort has the value. Of a function only that it is one is
    /// asked; sorts of which nothing is known have any value.
    pub(super) fn has_value(&self, shape: &Shape, value: &Value) -> bool {
        match (shape, value) {
            (Shape::Uninterpreted(_), value) => matches!(value, Value::Element(_)),
            (Shape::Datatype(number, arguments), Value::Datatype(datatype)) => {
                self.has_constructed(*number, arguments, datatype)
            }
            (Shape::Datatype(..), _) => false,
            (Shape::Theory(values, _, parts), value) => match &parts[..] {
                [] => has_simple(shape, value),
                parts => self.has_of_parts(values, parts, value),
            },
        }
    }

    fn has_constructed(&self, number: usize, arguments: &[Shape], datatype: &Datatype) -> bool {
        let mut constructors = self.context.datatypes[number].constructors.iter();
        let is_meant = |symbol| self.script.name(symbol) == &*datatype.constructor;
        let Some(at) = constructors.position(|constructor| is_meant(constructor.symbol)) else {
            return false;
        };
        let fields = self.fields(number, at, arguments);
        fields.is_ok_and(|fields| self.have_values(&fields, &datatype.fields))
    }

    fn have_values(&self, shapes: &[Shape], values: &[Value]) -> bool {
        let mut pairs = shapes.iter().zip(values);
        shapes.len() == values.len() && pairs.all(|(shape, value)| self.has_value(shape, value))
    }

    fn has_of_parts(&self, values: &Values, parts: &[Shape], value: &Value) -> bool {
        let have_keys = |array: &Array, key: &Shape| {
            let mut keys = array.entries().keys();
            keys.all(|index| self.has_value(key, index))
        };
        match (values, parts, value) {
            (Values::Array, [from, to], Value::Array(array)) => {
                let mut given = array.entries().values().chain([array.default()]);
                have_keys(array, from) && given.all(|given| self.has_value(to, given))
            }
            (Values::Array, _, Value::Closure(_)) => true,
            (Values::Set, [element], Value::Set(array))
            // z3 has arrays for sets.
            | (Values::Set, [element], Value::Array(array))
            | (Values::Bag, [element], Value::Bag(array)) => have_keys(array, element),
            (Values::Seq, [element], Value::Seq(items)) => {
                items.iter().all(|item| self.has_value(element, item))
            }
            // A sequence of characters.
            (Values::Seq, [Shape::Theory(Values::Opaque(_), ..)], Value::String(_)) => true,
            (Values::Tuple, parts, Value::Datatype(tuple)) => {
                *tuple.constructor == *TUPLE && self.have_values(parts, &tuple.fields)
            }
            (Values::WideArray | Values::Function | Values::Opaque(_), ..) => true,
            _ => false,
        }
    }
}

/// The same for a sort of a theory that is made of no other sorts.
fn has_simple(shape: &Shape, value: &Value) -> bool {
    let Shape::Theory(values, numbers, _) = shape else {
        return false;
    };
    let is = |at: usize, number: u32| numbers.get(at).is_some_and(|n| *n == number.into());
    match (values, value) {
        (Values::Bool, Value::Bool(_))
        | (Values::Int, Value::Int(_))
        // An integer is a real too.
        | (Values::Real, Value::Int(_) | Value::Real(_) | Value::Algebraic(_))
        | (Values::String, Value::String(_))
        | (Values::RegLan, Value::Regex(_))
        | (Values::RoundingMode, Value::RoundingMode(_)) => true,
        (Values::Int, Value::Real(real)) => real.is_int(),
        (Values::BitVec, Value::BitVec(bits)) => is(0, bits.width()),
        (Values::Float, Value::Float(float)) => {
            is(0, float.format().eb) && is(1, float.format().sb)
        }
        (Values::Field, Value::Field(element)) => numbers.first() == Some(&element.order),
        (Values::Tuple, Value::Datatype(tuple)) => {
            *tuple.constructor == *TUPLE && tuple.fields.is_empty()
        }
        (Values::Opaque(_), _) => true,
        _ => false,
    }
}
