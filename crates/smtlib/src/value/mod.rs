//! Values of the SMT-LIB theories, and their operations as pure functions.
//!
//! Everything here is exact. An operation whose result would exceed a stated
//! bound ([`MAX_BITS`], [`MAX_WIDTH`], [`MAX_LENGTH`], [`MAX_NESTING`]) is
//! refused with [`CannotSay::TooLarge`] before it is computed, so hostile
//! numerals and widths cost nothing. An operation that the standard leaves
//! open says [`CannotSay::Underspecified`]; whoever knows the model may then
//! look the result up there.
//!
//! Invariants: two values of one sort denote the same thing if and only if
//! they are equal by `==` (arrays, sets and floats are kept in a canonical
//! form); an integer equals the real of the same value, so that the mixed
//! arithmetic that solvers accept needs no casts; the nesting of values is
//! bounded, so that comparing and dropping them may recurse.

pub mod algebraic;
pub mod array;
pub mod bitvec;
pub mod float;
pub mod number;
pub mod regex;
mod separation;
mod show;
pub mod text;

use std::cmp::Ordering;
use std::sync::Arc;

pub use algebraic::Algebraic;
pub use array::{Array, Domain};
pub use bitvec::BitVec;
pub use float::{Float, Format, RoundingMode};
pub use number::{Int, Natural, Rational};
pub use regex::Regex;

/// The largest magnitude of an integer, numerator or denominator, in bits.
pub const MAX_BITS: usize = 1 << 20;
/// The largest width of a bit-vector, and of a float's significand.
pub const MAX_WIDTH: u32 = 1 << 20;
/// The longest string or sequence, and the most entries of an array.
pub const MAX_LENGTH: usize = 1 << 20;
/// How deep values may be nested in each other (long lists as datatypes).
pub const MAX_NESTING: u32 = 2000;

/// Why no value can be given. Never an accusation against anyone.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
pub enum CannotSay {
    /// The result would exceed a bound.
    #[error("too large: {0}")]
    TooLarge(&'static str),
    /// The evaluation took more steps than its budget.
    #[error("the budget of evaluation steps is used up")]
    OutOfSteps,
    /// The standard leaves the result open and the model does not give it.
    #[error("{0} is underspecified here and the model does not say")]
    Underspecified(&'static str),
    /// A function, sort or form that is not evaluated.
    #[error("not evaluated: {0}")]
    Unsupported(String),
    /// A quantifier over a domain that is infinite or large.
    #[error("quantifier over {0}")]
    Quantifier(String),
    /// Arguments that the operation is not defined on.
    #[error("ill-typed arguments for {0}")]
    IllTyped(String),
    /// The model gives a name a value of another sort than the script declares.
    #[error("the model's value of `{0}` is not of its sort")]
    OtherSort(String),
    /// The model gives no interpretation.
    #[error("no interpretation of `{0}`")]
    NoInterpretation(String),
}

/// A value of some sort.
#[derive(Clone, Debug)]
pub enum Value {
    /// Of Bool.
    Bool(bool),
    /// Of Int, or a Real that happens to be written as an integer.
    Int(Int),
    /// Of Real.
    Real(Rational),
    /// Of Real, irrational or not known to be rational.
    Algebraic(Arc<Algebraic>),
    /// Of (_ BitVec w).
    BitVec(BitVec),
    /// Of (_ FloatingPoint eb sb).
    Float(Float),
    /// Of RoundingMode.
    RoundingMode(RoundingMode),
    /// Of String: code points below 0x30000.
    String(Arc<[u32]>),
    /// Of RegLan. Compared by shape only: see [`Value::decidable`].
    Regex(Arc<Regex>),
    /// Of (Array I E).
    Array(Arc<Array>),
    /// Of (Set E): an array to Bool, false but for its members. See [`Value::set`].
    Set(Arc<Array>),
    /// Of (Bag E): how often each element is there. See [`Value::bag`].
    Bag(Arc<Array>),
    /// Of (_ FiniteField p).
    Field(Arc<FieldElement>),
    /// Of (Seq E).
    Seq(Arc<[Value]>),
    /// Of a datatype.
    Datatype(Arc<Datatype>),
    /// Of an uninterpreted sort.
    Element(Arc<Element>),
    /// A function given by a term; compared by identity only.
    Closure(Arc<Closure>),
}

/// An element of a finite field.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct FieldElement {
    /// How many elements there are.
    pub order: Natural,
    /// Which one it is: below the order.
    pub value: Natural,
}

/// A constructor applied to values.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Datatype {
    /// The constructor's name.
    pub constructor: Arc<str>,
    /// Its arguments.
    pub fields: Vec<Value>,
    extent: Extent,
}

/// The size of a value: what bounds recursion over it and copies of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Extent {
    /// The longest path to a part.
    pub depth: u32,
    /// The number of parts, shared ones counted each time.
    pub parts: u64,
}

impl Extent {
    /// One more than its parts need.
    pub fn of<'a>(parts: impl Iterator<Item = &'a Value>) -> Extent {
        let whole = parts.fold(Extent::default(), |sum, part| {
            let part = part.extent();
            Extent {
                depth: sum.depth.max(part.depth),
                parts: sum.parts.saturating_add(part.parts),
            }
        });
        Extent {
            depth: whole.depth.saturating_add(1),
            parts: whole.parts.saturating_add(1),
        }
    }
}

/// An element of an uninterpreted sort, by the name that the model gives it.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Element {
    /// The element's name; only elements of one sort are ever compared.
    pub name: Arc<str>,
}

/// A function whose graph is given by a term of the script, together with
/// the values of the variables around it. The evaluator knows how to apply
/// it; here it is only carried.
#[derive(Debug)]
pub struct Closure {
    /// The parameters, as numbers of symbols.
    pub parameters: Vec<u32>,
    /// The number of the body's node.
    pub body: u32,
    /// The enclosing variables and their values, where these could be said,
    /// innermost last.
    pub environment: Vec<Variable>,
}

/// The number of a symbol, and what it stands for or why that is not known.
pub type Variable = (u32, Result<Value, CannotSay>);

/// The steps of Ord for values of different kinds.
fn rank(value: &Value) -> u8 {
    match value {
        Value::Bool(_) => 0,
        Value::Int(_) | Value::Real(_) => 1,
        Value::BitVec(_) => 2,
        Value::Float(_) => 3,
        Value::RoundingMode(_) => 4,
        Value::String(_) => 5,
        Value::Regex(_) => 6,
        Value::Array(_) => 7,
        Value::Set(_) => 8,
        Value::Seq(_) => 9,
        Value::Datatype(_) => 10,
        Value::Element(_) => 11,
        Value::Closure(_) => 12,
        Value::Algebraic(_) => 13,
        Value::Bag(_) => 14,
        Value::Field(_) => 15,
    }
}

impl Ord for Value {
    fn cmp(&self, other: &Value) -> Ordering {
        match (self, other) {
            (Value::Bool(a), Value::Bool(b)) => a.cmp(b),
            (Value::Int(a), Value::Int(b)) => a.cmp(b),
            (Value::Real(a), Value::Real(b)) => a.cmp(b),
            (Value::Int(a), Value::Real(b)) => number::compare(a, b),
            (Value::Real(a), Value::Int(b)) => number::compare(b, a).reverse(),
            (Value::Algebraic(a), Value::Algebraic(b)) => a.cmp(b),
            (Value::BitVec(a), Value::BitVec(b)) => a.cmp(b),
            (Value::Float(a), Value::Float(b)) => a.cmp(b),
            (Value::RoundingMode(a), Value::RoundingMode(b)) => a.cmp(b),
            (Value::String(a), Value::String(b)) => a.cmp(b),
            (Value::Regex(a), Value::Regex(b)) => a.cmp(b),
            (Value::Array(a), Value::Array(b))
            | (Value::Set(a), Value::Set(b))
            | (Value::Bag(a), Value::Bag(b)) => a.cmp(b),
            (Value::Field(a), Value::Field(b)) => a.cmp(b),
            (Value::Seq(a), Value::Seq(b)) => a.cmp(b),
            (Value::Datatype(a), Value::Datatype(b)) => a.cmp(b),
            (Value::Element(a), Value::Element(b)) => a.cmp(b),
            (Value::Closure(a), Value::Closure(b)) => closure_key(a).cmp(&closure_key(b)),
            _ => rank(self).cmp(&rank(other)),
        }
    }
}

fn closure_key(closure: &Closure) -> (u32, &[u32], &[Variable]) {
    (closure.body, &closure.parameters, &closure.environment)
}

impl PartialOrd for Value {
    fn partial_cmp(&self, other: &Value) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Value {
    fn eq(&self, other: &Value) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Value {}

impl Value {
    /// A string value; refused above [`MAX_LENGTH`].
    pub fn string(text: impl Into<Arc<[u32]>>) -> Result<Value, CannotSay> {
        let text = text.into();
        match text.len() <= MAX_LENGTH {
            true => Ok(Value::String(text)),
            false => Err(CannotSay::TooLarge("a string")),
        }
    }

    /// A sequence value; refused above [`MAX_LENGTH`] and [`MAX_NESTING`].
    pub fn seq(items: impl Into<Arc<[Value]>>) -> Result<Value, CannotSay> {
        let items = items.into();
        if items.len() > MAX_LENGTH {
            return Err(CannotSay::TooLarge("a sequence"));
        }
        Value::Seq(items).nested()
    }

    /// A datatype value; refused above [`MAX_NESTING`].
    pub fn datatype(constructor: Arc<str>, fields: Vec<Value>) -> Result<Value, CannotSay> {
        let extent = Extent::of(fields.iter());
        Value::Datatype(Arc::new(Datatype {
            constructor,
            fields,
            extent,
        }))
        .nested()
    }

    /// The finite set of these members. How many other values their sort has plays no
    /// part, so sets of one sort are equal if they have the same members.
    pub fn set(members: impl IntoIterator<Item = Value>) -> Result<Value, CannotSay> {
        let members = members.into_iter();
        let entries = members.map(|member| (member, Value::Bool(true))).collect();
        let set = Array::new(Domain::Infinite, Value::Bool(false), entries)?;
        Ok(Value::Set(Arc::new(set)))
    }

    /// The finite bag in which these elements are as often as they say.
    pub fn bag(counts: impl IntoIterator<Item = (Value, Int)>) -> Result<Value, CannotSay> {
        let counts = counts.into_iter();
        let entries = counts.map(|(item, count)| (item, Value::Int(count)));
        let none = Value::Int(Int::ZERO);
        let bag = Array::new(Domain::Infinite, none, entries.collect())?;
        Ok(Value::Bag(Arc::new(bag)))
    }

    /// The value itself unless it is nested too deep or has too many parts.
    fn nested(self) -> Result<Value, CannotSay> {
        let extent = self.extent();
        match extent.depth > MAX_NESTING || extent.parts > MAX_LENGTH as u64 {
            true => Err(CannotSay::TooLarge("a value nested too deep")),
            false => Ok(self),
        }
    }

    /// How deep the value is nested and how many parts it has, written out.
    pub fn extent(&self) -> Extent {
        match self {
            Value::Seq(items) => Extent::of(items.iter()),
            Value::Datatype(datatype) => datatype.extent,
            Value::Array(array) | Value::Set(array) | Value::Bag(array) => array.extent(),
            Value::Closure(closure) => {
                let items = closure.environment.iter();
                Extent::of(items.filter_map(|(_, item)| item.as_ref().ok()))
            }
            _ => Extent { depth: 1, parts: 1 },
        }
    }

    /// True if `==` between values of this shape decides whether they denote
    /// the same thing: not so for regular expressions, closures and
    /// algebraic numbers.
    pub fn decidable(&self) -> bool {
        let mut stack = vec![self];
        while let Some(value) = stack.pop() {
            match value {
                Value::Regex(_) | Value::Closure(_) | Value::Algebraic(_) => return false,
                Value::Seq(items) => stack.extend(items.iter()),
                Value::Datatype(datatype) => stack.extend(datatype.fields.iter()),
                Value::Array(array) | Value::Set(array) | Value::Bag(array)
                    if *array.domain() == Domain::Unknown =>
                {
                    return false;
                }
                Value::Array(array) | Value::Set(array) | Value::Bag(array) => {
                    stack.extend(array.parts());
                }
                _ => {}
            }
        }
        true
    }

    /// False if the two cannot be of one sort, as far as that shows: values do
    /// not carry their sorts.
    pub fn same_kind(&self, other: &Value) -> bool {
        let is_number =
            |value: &Value| matches!(value, Value::Int(_) | Value::Real(_) | Value::Algebraic(_));
        match (self, other) {
            (Value::BitVec(a), Value::BitVec(b)) => a.width() == b.width(),
            (Value::Float(a), Value::Float(b)) => a.format() == b.format(),
            (Value::Seq(a), Value::Seq(b)) => match (a.first(), b.first()) {
                (Some(a), Some(b)) => a.same_kind(b),
                _ => true,
            },
            (Value::Field(a), Value::Field(b)) => a.order == b.order,
            (Value::Array(a), Value::Array(b))
            | (Value::Set(a), Value::Set(b))
            | (Value::Bag(a), Value::Bag(b)) => {
                let key = b.entries().keys().next();
                a.default().same_kind(b.default()) && key.is_none_or(|key| a.takes(key))
            }
            (Value::Datatype(a), Value::Datatype(b)) if a.constructor == b.constructor => {
                let mut fields = a.fields.iter().zip(&b.fields);
                a.fields.len() == b.fields.len() && fields.all(|(a, b)| a.same_kind(b))
            }
            // z3 has functions for arrays.
            (Value::Closure(_), Value::Array(_)) | (Value::Array(_), Value::Closure(_)) => true,
            _ => rank(self) == rank(other) || is_number(self) && is_number(other),
        }
    }

    /// A rough count of the machine words that hold the value's own part:
    /// what an operation on it costs.
    pub fn words(&self) -> u64 {
        use dashu_int::ops::BitTest;
        let words = match self {
            Value::Int(int) => int.bit_len() / 64,
            Value::Real(real) => (real.numerator().bit_len() + real.denominator().bit_len()) / 64,
            Value::BitVec(bits) => bits.width() as usize / 64,
            Value::Float(float) => float.format().sb as usize / 64,
            Value::String(text) => text.len() / 2,
            Value::Seq(items) => items.len(),
            Value::Array(array) | Value::Set(array) | Value::Bag(array) => array.entries().len(),
            Value::Datatype(datatype) => datatype.fields.len(),
            Value::Regex(regex) => regex.nodes().len(),
            Value::Algebraic(_) => 64,
            _ => 0,
        };
        words as u64 + 1
    }
}
