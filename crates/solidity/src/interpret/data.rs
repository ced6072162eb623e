//! Values at run time, and where they live.
//!
//! Storage holds values whole: an assignment copies. Memory is a heap of
//! objects, and what stands in an object or a variable for something larger
//! than a word is a reference to it: an assignment shares.

use std::collections::BTreeMap;

use dashu_int::IBig;

use crate::ast::{Ast, Type, TypeId, VariableId};
use crate::qualify::Placeholder;
use crate::types::{Elementary, Family};

/// A value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// Of a value type: a number in the range of its type.
    Word(IBig),
    /// Of `bytes` or `string`.
    Bytes(Vec<u8>),
    /// The elements of an array or the fields of a struct.
    Parts(Vec<Value>),
    /// What a mapping holds; what is not there is zero.
    Map(BTreeMap<Key, Value>),
    /// An object in memory.
    Memory(ObjectId),
    /// A place in storage.
    Storage(Path),
}

/// A key of a mapping.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Key {
    /// Of a value type.
    Word(IBig),
    /// Of `bytes` or `string`.
    Bytes(Vec<u8>),
}

/// An object in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ObjectId(pub usize);

/// A place in storage: a state variable and the way into it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Path {
    /// The state variable.
    pub variable: VariableId,
    /// From the whole to the part.
    pub steps: Vec<Step>,
}

/// One step into a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// An element, a field, or a byte.
    Part(usize),
    /// The value of a key.
    Key(Key),
}

impl Path {
    /// The state variable itself.
    pub fn to(variable: VariableId) -> Path {
        Path {
            variable,
            steps: Vec::new(),
        }
    }

    /// One step further.
    pub fn then(&self, step: Step) -> Path {
        let mut path = self.clone();
        path.steps.push(step);
        path
    }
}

/// The program and the values of its placeholders: what types are.
#[derive(Clone, Copy, Debug)]
pub struct Types<'a> {
    /// The program.
    pub ast: &'a Ast,
    /// By placeholder.
    pub values: &'a [u8],
}

impl Types<'_> {
    /// The elementary type of a placeholder.
    pub fn elementary(self, placeholder: Placeholder) -> Elementary {
        Elementary::from_number(self.values[placeholder.0 as usize])
    }

    /// The elementary type that values of a type are represented in.
    pub fn word(self, kind: TypeId) -> Option<Elementary> {
        match self.ast[kind] {
            Type::Elementary(placeholder) => {
                Some(self.elementary(placeholder)).filter(|kind| !kind.is_reference())
            }
            Type::Enum(_) => Some(Elementary::uint(8)),
            Type::Value(id) => Some(self.elementary(self.ast[id].underlying)),
            Type::Contract(_) => Some(Elementary::ADDRESS),
            _ => None,
        }
    }

    /// True if values of the type live in a data location.
    pub fn is_reference(self, kind: TypeId) -> bool {
        let is_sequence = |placeholder| self.elementary(placeholder).is_reference();
        self.ast.is_reference(kind, is_sequence)
    }

    /// True for `string`.
    pub fn is_string(self, kind: TypeId) -> bool {
        matches!(self.ast[kind], Type::Elementary(placeholder)
            if self.elementary(placeholder).family() == Family::String)
    }

    /// What a type is before anything is assigned, whole.
    pub fn zero(self, kind: TypeId) -> Value {
        self.zero_of(self.ast[kind])
    }

    /// The same of a type that is taken apart.
    pub fn zero_of(self, kind: Type) -> Value {
        match kind {
            Type::Elementary(placeholder) if self.elementary(placeholder).is_reference() => {
                Value::Bytes(Vec::new())
            }
            Type::Array {
                element,
                length: Some(length),
            } => Value::Parts(vec![self.zero(element); length as usize]),
            Type::Array { length: None, .. } => Value::Parts(Vec::new()),
            Type::Mapping { .. } => Value::Map(BTreeMap::new()),
            Type::Struct(id) => {
                let fields = self.ast[id].fields.iter();
                Value::Parts(
                    fields
                        .map(|field| self.zero(self.ast[*field].kind))
                        .collect(),
                )
            }
            _ => Value::Word(IBig::ZERO),
        }
    }

    /// The type one step further in.
    pub fn part(self, kind: TypeId, step: &Step) -> Option<TypeId> {
        match (self.ast[kind], step) {
            (Type::Array { element, .. }, Step::Part(_)) => Some(element),
            (Type::Mapping { value, .. }, Step::Key(_)) => Some(value),
            (Type::Struct(id), Step::Part(number)) => {
                let field = self.ast[id].fields.get(*number)?;
                Some(self.ast[*field].kind)
            }
            _ => None,
        }
    }
}
