//! Values at run time, and where they live.
//!
//! Storage holds values whole: an assignment copies. Memory is a heap of
//! objects, and what stands in an object or a variable for something larger
//! than a word is a reference to it: an assignment shares. Calldata holds
//! values whole, and nobody changes them.

use std::collections::BTreeMap;

use dashu_int::IBig;

use crate::ast::{Type, TypeId, VariableId};
use crate::typing::Types;

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
    /// Something in calldata, whole; it is larger than a word.
    Calldata(Box<Value>),
}

impl Value {
    /// A whole value as calldata has it.
    pub fn in_calldata(self) -> Value {
        match self {
            Value::Bytes(_) | Value::Parts(_) => Value::Calldata(Box::new(self)),
            other => other,
        }
    }
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
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

impl Types<'_> {
    /// The name of a type in a signature, if it can stand in one.
    pub fn abi_name(self, kind: TypeId) -> Option<String> {
        super::encode::abi_name(self, kind)
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
            Type::Elementary(_)
            | Type::Contract(_)
            | Type::Enum(_)
            | Type::Value(_)
            | Type::Function(_) => Value::Word(IBig::ZERO),
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
