//! Sorts as far as values need them: which values there are, and a first one.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::Completion;
use super::context::{Context, SortName};
use crate::operators::Operators;
use crate::sort::{Sort, SortKind, Values};
use crate::syntax::{Index, Script, SortId, Symbol};
use crate::typing::Typed;
use crate::value::{
    BitVec, CannotSay, Domain, FieldElement, Float, Format, Int, Natural, Rational, RoundingMode,
    Value, number,
};

/// The most values of a sort that are listed.
const MAX_LISTED: usize = 4096;
/// How deep sorts may be nested.
pub(super) const MAX_DEPTH: u32 = 64;

/// A sort with all names resolved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// A sort of a theory: its values, numbers and parts.
    Theory(Values, Vec<Natural>, Vec<Shape>),
    Datatype(usize, Vec<Shape>),
    Uninterpreted(String),
}

impl Shape {
    /// A sort of a theory that is made of nothing.
    fn plain(values: Values) -> Shape {
        Shape::Theory(values, Vec::new(), Vec::new())
    }

    /// The values of a sort of a theory, its numbers as far as they are small,
    /// and its parts.
    pub(super) fn theory(&self) -> Option<(&Values, [u32; 2], &[Shape])> {
        let Shape::Theory(values, numbers, parts) = self else {
            return None;
        };
        let number = |at: usize| {
            let number = numbers.get(at).map(u32::try_from);
            number.and_then(Result::ok).unwrap_or(0)
        };
        Some((values, [number(0), number(1)], parts))
    }

    /// True for a sort of a theory that has such values.
    pub(super) fn has(&self, such: &Values) -> bool {
        matches!(self, Shape::Theory(values, ..) if values == such)
    }

    /// The sort of an array's indices.
    pub(super) fn index(&self) -> Option<&Shape> {
        match self {
            Shape::Theory(Values::Array, _, parts) => parts.first(),
            _ => None,
        }
    }
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

    /// The sort that typing found, as values need it; none where the script leaves it open.
    pub(super) fn of_sort(&self, typed: &Typed, sort: Sort) -> Option<Shape> {
        let kind = typed.sorts.kind(sort);
        let parts = kind.parts().iter();
        let parts: Vec<Shape> = parts
            .map(|&part| self.of_sort(typed, part))
            .collect::<Option<_>>()?;
        if let SortKind::Named(declaration, _) = kind {
            let symbol = typed.declaration(*declaration).symbol;
            return Some(match self.context.sorts.get(&symbol) {
                Some(SortName::Datatype(number)) => Shape::Datatype(*number, parts),
                _ => Shape::Uninterpreted(typed.show(self.script, sort)),
            });
        }
        let numbers = match kind {
            SortKind::Field(field) => {
                vec![number::parse_numeral(typed.sorts.order(*field)).ok()?]
            }
            kind => kind.numbers().iter().copied().map(Natural::from).collect(),
        };
        Some(Shape::Theory(kind.values()?, numbers, parts))
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

    fn built_in(&self, id: SortId, arguments: Vec<Shape>) -> Result<Shape, CannotSay> {
        let head = self.script.identifier(self.script.sort(id).head);
        let mut digits = Vec::with_capacity(head.indices.len());
        for index in &head.indices {
            match index {
                Index::Numeral(text) => digits.push(self.script.name(*text)),
                _ => return Err(CannotSay::IllTyped("a sort".to_string())),
            }
        }
        let table = Operators::built_in().sorts();
        let name = self.script.name(head.symbol);
        let Some(row) = table.find(name, digits.len(), arguments.len()) else {
            return Ok(Shape::plain(Values::Opaque(
                crate::print::sort(self.script, id).into(),
            )));
        };
        row.make(&digits, &arguments, &mut |values, digits, parts| {
            let parse = |digits: &&str| number::parse_numeral(digits);
            let numbers: Vec<Natural> = digits.iter().map(parse).collect::<Result<_, _>>()?;
            let small = |number: &Natural| u32::try_from(number).is_ok();
            if *values != Values::Field && !numbers.iter().all(small) {
                return Err(CannotSay::TooLarge("a sort's index"));
            }
            let shape = Shape::Theory(values.clone(), numbers, parts);
            if let Some((Values::Float, [eb, sb], _)) = shape.theory() {
                Format::new(eb, sb)?;
            }
            Ok(shape)
        })
    }

    /// The field sorts of a constructor at an instance of its datatype.
    pub(super) fn fields(
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
            Shape::Uninterpreted(name) => match self.context.universes.get(name) {
                Some(universe) => universe.to_vec(),
                None => return Ok(None),
            },
            Shape::Datatype(number, arguments) if depth < 8 => {
                return self.list_datatype(*number, arguments, depth);
            }
            _ => return list_theory(shape),
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
        let large = |bits: u32| Domain::Large(1u64.checked_shl(bits).unwrap_or(u64::MAX));
        Ok(match (shape, shape.theory()) {
            (_, Some((Values::Int | Values::Real | Values::String | Values::Seq, ..))) => {
                Domain::Infinite
            }
            (_, Some((Values::BitVec, [width, _], _))) => large(width),
            // Some values of NaN fall together.
            (_, Some((Values::Float, [eb, sb], _))) => large((eb + sb - 1).min(62)),
            (_, Some((Values::Set, _, [element]))) if self.values(element)?.is_none() => {
                Domain::Large(MAX_LISTED as u64)
            }
            (_, Some((Values::Bag, ..))) => Domain::Infinite,
            (_, Some((Values::Tuple, _, parts))) => {
                let mut domain = Domain::Large(64);
                for part in parts {
                    if self.domain(part)? == Domain::Infinite {
                        domain = Domain::Infinite;
                    }
                }
                domain
            }
            (_, Some((Values::Array, ..))) | (Shape::Datatype(..), _) => Domain::Large(64),
            (Shape::Uninterpreted(_), _) => Domain::Unknown,
            // A sort of unknown size: no array over it is in canonical form.
            _ => Domain::Large(0),
        })
    }

    /// The element of a field that a number stands for.
    pub(super) fn field_element(&self, shape: &Shape, number: &Int) -> Result<Value, CannotSay> {
        let order = match shape {
            Shape::Theory(Values::Field, numbers, _) => numbers.first(),
            _ => None,
        };
        let order = order.filter(|order| **order > Natural::ONE);
        let order = order.ok_or_else(|| CannotSay::IllTyped("a field's element".to_string()))?;
        let whole = Int::from(order.clone());
        let value = (number % &whole + &whole) % &whole;
        Ok(Value::Field(Arc::new(FieldElement {
            value: Natural::try_from(value).unwrap_or_default(),
            order: order.clone(),
        })))
    }

    /// Some values of a sort without end, to try in quantifiers.
    pub(super) fn samples(&self, shape: &Shape) -> Vec<Value> {
        let ints = [0i32, 1, -1, 2, 3, -2, 7, 10, 100];
        let Some((values, [width, _], _)) = shape.theory() else {
            // A made-up element of an uninterpreted sort may not exist.
            return Vec::new();
        };
        match values {
            Values::Int => ints.map(|n| Value::Int(Int::from(n))).to_vec(),
            Values::Real => ints
                .into_iter()
                .flat_map(|n| [(n, 1u8), (2 * n + 1, 2)])
                .map(|(n, d)| Value::Real(Rational::from_parts(Int::from(n), Natural::from(d))))
                .collect(),
            Values::BitVec => (ints.into_iter())
                .filter_map(|n| BitVec::from_int(width, &Int::from(n)).ok())
                .map(Value::BitVec)
                .collect(),
            Values::String | Values::Float => [Completion::Zero, Completion::Ones]
                .into_iter()
                .filter_map(|completion| self.first(shape, completion).ok())
                .collect(),
            _ => Vec::new(),
        }
    }
}

/// All values of a sort of a theory, if they are few.
fn list_theory(shape: &Shape) -> Result<Option<Vec<Value>>, CannotSay> {
    let few = MAX_LISTED.ilog2();
    Ok(Some(match shape.theory() {
        Some((Values::Bool, ..)) => vec![Value::Bool(false), Value::Bool(true)],
        Some((Values::RoundingMode, ..)) => RoundingMode::ALL.map(Value::RoundingMode).to_vec(),
        Some((Values::BitVec, [width, _], _)) if width <= few => {
            let value = |bits: u32| BitVec::new(width, Natural::from(bits)).map(Value::BitVec);
            (0..1 << width).map(value).collect::<Result<_, _>>()?
        }
        Some((Values::Float, [eb, sb], _)) if eb + sb <= few => {
            let format = Format::new(eb, sb)?;
            let value = |bits: u32| {
                let bits = BitVec::new(format.width(), Natural::from(bits))?;
                Float::from_bits(format, &bits).map(Value::Float)
            };
            let mut all = (0..1 << format.width())
                .map(value)
                .collect::<Result<Vec<_>, _>>()?;
            all.sort();
            all.dedup();
            all
        }
        _ => return Ok(None),
    }))
}
