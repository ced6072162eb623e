//! Sorts as far as values need them: which values there are, and a first one.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::Completion;
use super::context::{Context, SortName};
use crate::syntax::{Index, Script, SortId, Symbol};
use crate::value::{
    Array, BitVec, CannotSay, Domain, Element, Float, Format, Int, Natural, Rational, Regex,
    RoundingMode, Value, number,
};

/// The most values of a sort that are listed.
const MAX_LISTED: usize = 4096;
/// How deep sorts may be nested.
const MAX_DEPTH: u32 = 64;

/// A sort with all names resolved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    Bool,
    Int,
    Real,
    String,
    RegLan,
    RoundingMode,
    BitVec(u32),
    Float(Format),
    Array(Box<Shape>, Box<Shape>),
    Set(Box<Shape>),
    Seq(Box<Shape>),
    Datatype(usize, Vec<Shape>),
    Uninterpreted(String),
    Other(String),
}

/// Reads sorts of one script.
pub(super) struct Shapes<'a> {
    pub(super) script: &'a Script,
    pub(super) context: &'a Context,
}

type Parameters = BTreeMap<Symbol, Shape>;

impl Shapes<'_> {
    /// The resolved sort.
    pub(super) fn shape(&self, sort: SortId) -> Result<Shape, CannotSay> {
        self.resolve(sort, &Parameters::new(), 0)
    }

    fn resolve(&self, id: SortId, bound: &Parameters, depth: u32) -> Result<Shape, CannotSay> {
        if depth > MAX_DEPTH {
            return Err(CannotSay::TooLarge("a nested sort"));
        }
        let sort = self.script.sort(id);
        let head = self.script.identifier(sort.head);
        if let Some(shape) = bound.get(&head.symbol) {
            return Ok(shape.clone());
        }
        let arguments: Result<Vec<Shape>, CannotSay> = sort
            .arguments
            .iter()
            .map(|&argument| self.resolve(argument, bound, depth + 1))
            .collect();
        let arguments = arguments?;
        match self.context.sorts.get(&head.symbol) {
            Some(SortName::Declared) => {
                Ok(Shape::Uninterpreted(crate::print::sort(self.script, id)))
            }
            Some(SortName::Datatype(number)) => Ok(Shape::Datatype(*number, arguments)),
            Some(SortName::Alias(parameters, body)) => {
                let bound = parameters.iter().copied().zip(arguments).collect();
                self.resolve(*body, &bound, depth + 1)
            }
            None => self.built_in(id, arguments),
        }
    }

    fn built_in(&self, id: SortId, mut arguments: Vec<Shape>) -> Result<Shape, CannotSay> {
        let head = self.script.identifier(self.script.sort(id).head);
        let index = |at: usize| match head.indices.get(at) {
            Some(Index::Numeral(text)) => {
                let natural = number::parse_numeral(self.script.name(*text))?;
                u32::try_from(&natural).map_err(|_| CannotSay::TooLarge("a sort's index"))
            }
            _ => Err(CannotSay::IllTyped("a sort".to_string())),
        };
        let last = arguments.pop();
        let before = arguments.pop();
        Ok(match (self.script.name(head.symbol), before, last) {
            ("Bool", None, None) => Shape::Bool,
            ("Int", None, None) => Shape::Int,
            ("Real", None, None) => Shape::Real,
            ("String" | "Unicode", None, None) => Shape::String,
            ("RegLan", None, None) => Shape::RegLan,
            ("RegEx", None, Some(Shape::String)) => Shape::RegLan,
            ("RoundingMode", None, None) => Shape::RoundingMode,
            ("BitVec", None, None) => Shape::BitVec(index(0)?),
            ("FloatingPoint", None, None) => Shape::Float(Format::new(index(0)?, index(1)?)?),
            ("Float16", None, None) => Shape::Float(Format::HALF),
            ("Float32", None, None) => Shape::Float(Format::SINGLE),
            ("Float64", None, None) => Shape::Float(Format::DOUBLE),
            ("Float128", None, None) => Shape::Float(Format::QUAD),
            ("Array", Some(from), Some(to)) => Shape::Array(Box::new(from), Box::new(to)),
            ("Set", None, Some(element)) => Shape::Set(Box::new(element)),
            ("Seq", None, Some(element)) => Shape::Seq(Box::new(element)),
            _ => Shape::Other(crate::print::sort(self.script, id)),
        })
    }

    /// The field sorts of a constructor at an instance of its datatype.
    fn fields(
        &self,
        number: usize,
        constructor: usize,
        arguments: &[Shape],
    ) -> Result<Vec<Shape>, CannotSay> {
        let datatype = &self.context.datatypes[number];
        let bound = datatype
            .parameters
            .iter()
            .copied()
            .zip(arguments.iter().cloned())
            .collect();
        let selectors = &datatype.constructors[constructor].selectors;
        selectors
            .iter()
            .map(|selector| self.resolve(selector.sort, &bound, 0))
            .collect()
    }

    /// All values of a sort, if they are few.
    pub(super) fn values(&self, shape: &Shape) -> Result<Option<Arc<[Value]>>, CannotSay> {
        Ok(self.list(shape, 0)?.map(Arc::from))
    }

    fn list(&self, shape: &Shape, depth: u32) -> Result<Option<Vec<Value>>, CannotSay> {
        let values = match shape {
            Shape::Bool => vec![Value::Bool(false), Value::Bool(true)],
            Shape::RoundingMode => RoundingMode::ALL.map(Value::RoundingMode).to_vec(),
            Shape::BitVec(width) if *width <= MAX_LISTED.ilog2() => {
                let value = |bits: u32| BitVec::new(*width, Natural::from(bits)).map(Value::BitVec);
                (0..1 << width).map(value).collect::<Result<_, _>>()?
            }
            Shape::Float(format) if format.width() <= MAX_LISTED.ilog2() => {
                let value = |bits: u32| {
                    let bits = BitVec::new(format.width(), Natural::from(bits))?;
                    Float::from_bits(*format, &bits).map(Value::Float)
                };
                let mut all = (0..1 << format.width())
                    .map(value)
                    .collect::<Result<Vec<_>, _>>()?;
                all.sort();
                all.dedup();
                all
            }
            Shape::Uninterpreted(name) => match self.context.universes.get(name) {
                Some(universe) => universe.to_vec(),
                None => return Ok(None),
            },
            Shape::Datatype(number, arguments) if depth < 8 => {
                return self.list_datatype(*number, arguments, depth);
            }
            _ => return Ok(None),
        };
        Ok(Some(values))
    }

    fn list_datatype(
        &self,
        number: usize,
        arguments: &[Shape],
        depth: u32,
    ) -> Result<Option<Vec<Value>>, CannotSay> {
        let mut all = Vec::new();
        for (at, constructor) in self.context.datatypes[number]
            .constructors
            .iter()
            .enumerate()
        {
            let mut tuples: Vec<Vec<Value>> = vec![Vec::new()];
            for field in self.fields(number, at, arguments)? {
                let Some(values) = self.list(&field, depth + 1)? else {
                    return Ok(None);
                };
                if tuples.len() * values.len() > MAX_LISTED {
                    return Ok(None);
                }
                let extended = tuples.iter().flat_map(|tuple| {
                    values
                        .iter()
                        .map(move |value| [&tuple[..], std::slice::from_ref(value)].concat())
                });
                tuples = extended.collect();
            }
            let name: Arc<str> = self.script.name(constructor.symbol).into();
            for fields in tuples {
                all.push(Value::datatype(Arc::clone(&name), fields)?);
            }
            if all.len() > MAX_LISTED {
                return Ok(None);
            }
        }
        Ok(Some(all))
    }

    /// The index sort of an array, as the array needs to know it.
    pub(super) fn domain(&self, shape: &Shape) -> Result<Domain, CannotSay> {
        if let Some(values) = self.values(shape)? {
            return Ok(Domain::Listed(values));
        }
        Ok(match shape {
            Shape::Int | Shape::Real | Shape::String | Shape::Seq(_) => Domain::Infinite,
            Shape::BitVec(width) => Domain::Large(1u64.checked_shl(*width).unwrap_or(u64::MAX)),
            // Some values of NaN fall together.
            Shape::Float(format) => Domain::Large(1u64 << (format.width() - 1).min(62)),
            Shape::Set(element) if self.values(element)?.is_none() => {
                Domain::Large(MAX_LISTED as u64)
            }
            Shape::Array(..) | Shape::Datatype(..) => Domain::Large(64),
            Shape::Uninterpreted(_) => Domain::Unknown,
            // A sort of unknown size: no array over it is in canonical form.
            _ => Domain::Large(0),
        })
    }

    /// Some values of a sort without end, to try in quantifiers.
    pub(super) fn samples(&self, shape: &Shape) -> Vec<Value> {
        let ints = [0i32, 1, -1, 2, 3, -2, 7, 10, 100];
        match shape {
            Shape::Int => ints.map(|n| Value::Int(Int::from(n))).to_vec(),
            Shape::Real => ints
                .into_iter()
                .flat_map(|n| [(n, 1u8), (2 * n + 1, 2)])
                .map(|(n, d)| Value::Real(Rational::from_parts(Int::from(n), Natural::from(d))))
                .collect(),
            Shape::BitVec(width) => (ints.into_iter())
                .filter_map(|n| BitVec::from_int(*width, &Int::from(n)).ok())
                .map(Value::BitVec)
                .collect(),
            Shape::String | Shape::Float(_) => [Completion::Zero, Completion::Ones]
                .into_iter()
                .filter_map(|completion| self.first(shape, completion).ok())
                .collect(),
            // A made-up element of an uninterpreted sort may not exist.
            _ => Vec::new(),
        }
    }

    /// A value of the sort: what a completed model says where it is silent.
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
        let ones = completion == Completion::Ones;
        Ok(match shape {
            Shape::Bool => Value::Bool(ones),
            Shape::Int => Value::Int(Int::from(u8::from(ones))),
            Shape::Real => Value::Real(Rational::from(Int::from(u8::from(ones)))),
            Shape::String => Value::string([])?,
            Shape::RegLan => Value::Regex(Arc::new(Regex::nothing())),
            Shape::RoundingMode => Value::RoundingMode(RoundingMode::Rne),
            Shape::BitVec(width) => {
                Value::BitVec(BitVec::from_int(*width, &Int::from(-i8::from(ones)))?)
            }
            Shape::Float(format) => Value::Float(match ones {
                true => Float::nan(*format),
                false => Float::zero(*format, false),
            }),
            Shape::Array(from, to) => {
                let default = self.first_at(to, completion, depth + 1)?;
                Value::Array(Arc::new(Array::constant(self.domain(from)?, default)?))
            }
            Shape::Set(element) => {
                let nothing = Value::Bool(false);
                Value::Set(Arc::new(Array::constant(self.domain(element)?, nothing)?))
            }
            Shape::Seq(_) => Value::seq([])?,
            Shape::Datatype(number, arguments) => {
                self.first_datatype(*number, arguments, completion, depth)?
            }
            Shape::Uninterpreted(name) => match self.context.universes.get(name) {
                Some(universe) if !universe.is_empty() => universe[0].clone(),
                _ => Value::Element(Arc::new(Element {
                    name: format!("{name}!first").into(),
                })),
            },
            Shape::Other(name) => return Err(CannotSay::Unsupported(name.clone())),
        })
    }

    /// The first constructor that ends.
    fn first_datatype(
        &self,
        number: usize,
        arguments: &[Shape],
        completion: Completion,
        depth: u32,
    ) -> Result<Value, CannotSay> {
        // A chain of datatypes that is longer than this is not worth a search
        // that may branch at each step.
        if depth > 6 {
            return Err(CannotSay::TooLarge("a datatype's first value"));
        }
        for (at, constructor) in self.context.datatypes[number]
            .constructors
            .iter()
            .enumerate()
        {
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

    /// The domain of which a value is, as far as the value tells.
    pub(super) fn domain_of(&self, value: &Value) -> Result<Domain, CannotSay> {
        let shape = match value {
            Value::Bool(_) => Shape::Bool,
            Value::Int(_) => Shape::Int,
            Value::Real(_) => Shape::Real,
            Value::BitVec(bits) => Shape::BitVec(bits.width()),
            Value::Float(float) => Shape::Float(float.format()),
            Value::RoundingMode(_) => Shape::RoundingMode,
            Value::String(_) | Value::Seq(_) => Shape::String,
            _ => return Err(CannotSay::Unsupported("a set of such elements".to_string())),
        };
        self.domain(&shape)
    }
}
