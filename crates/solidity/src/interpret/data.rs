//! Values at run time, and where they live.
//!
//! Storage holds values whole: an assignment copies. Memory is a heap of
//! objects, and what stands in an object or a variable for something larger
//! than a word is a reference to it: an assignment shares. Calldata holds
//! values whole, and nobody changes them.

use std::collections::BTreeMap;

use dashu_int::IBig;

use crate::ast::{Ast, Type, TypeId, VariableId};
use crate::qualify::Placeholder;
use crate::types::{Elementary, Family, Location};

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

/// Something that a getter takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GetterKey {
    /// An index of an array.
    Index,
    /// A key of a mapping, of this type.
    Key(TypeId),
}

/// What a getter returns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GetterResults {
    /// One value.
    One(TypeId),
    /// Fields of a struct, with their numbers.
    Fields(Vec<(usize, TypeId)>),
}

impl GetterResults {
    /// The types.
    pub fn kinds(&self) -> Vec<TypeId> {
        match self {
            GetterResults::One(kind) => vec![*kind],
            GetterResults::Fields(fields) => fields.iter().map(|(_, kind)| *kind).collect(),
        }
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

    /// Where a variable has its data, if its type needs a location.
    pub fn location(self, id: VariableId) -> Option<Location> {
        let variable = &self.ast[id];
        if !self.is_reference(variable.kind) {
            return None;
        }
        let written = variable.location.map(|at| self.values[at.0 as usize]);
        Some(written.map_or(Location::Memory, |at| Location::ALL[usize::from(at)]))
    }

    /// True if values have no fixed size where they are encoded.
    pub fn is_dynamic(self, kind: TypeId) -> bool {
        let is_sequence = |placeholder| self.elementary(placeholder).is_reference();
        self.ast.is_dynamic(kind, is_sequence)
    }

    /// The name of a type in a signature, if it can stand in one.
    pub fn abi_name(self, kind: TypeId) -> Option<String> {
        super::encode::abi_name(self, kind)
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

    /// The keys and indices that the getter of a state variable takes, from
    /// the whole to the part.
    pub fn getter_keys(self, variable: VariableId) -> Vec<GetterKey> {
        let mut kind = self.ast[variable].kind;
        let mut keys = Vec::new();
        loop {
            kind = match self.ast[kind] {
                Type::Array { element, .. } => {
                    keys.push(GetterKey::Index);
                    element
                }
                Type::Mapping { key, value } => {
                    keys.push(GetterKey::Key(key));
                    value
                }
                _ => return keys,
            };
        }
    }

    /// What the getter of a state variable returns.
    pub fn getter_results(self, variable: VariableId) -> GetterResults {
        let mut kind = self.ast[variable].kind;
        while let Type::Array { element: next, .. } | Type::Mapping { value: next, .. } =
            self.ast[kind]
        {
            kind = next;
        }
        let Type::Struct(id) = self.ast[kind] else {
            return GetterResults::One(kind);
        };
        let fields = self.ast[id].fields.iter().enumerate();
        let fields = fields.map(|(at, field)| (at, self.ast[*field].kind));
        GetterResults::Fields(
            fields
                .filter(|(_, kind)| {
                    !matches!(self.ast[*kind], Type::Array { .. } | Type::Mapping { .. })
                })
                .collect(),
        )
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
