//! The getters of public state variables.

use super::{Ast, Type, TypeId, VariableId};

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

impl Ast {
    /// The keys and indices that the getter of a state variable takes, from
    /// the whole to the part.
    pub fn getter_keys(&self, variable: VariableId) -> Vec<GetterKey> {
        let mut kind = self[variable].kind;
        let mut keys = Vec::new();
        loop {
            kind = match self[kind] {
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
    pub fn getter_results(&self, variable: VariableId) -> GetterResults {
        let mut kind = self[variable].kind;
        while let Type::Array { element: next, .. } | Type::Mapping { value: next, .. } = self[kind]
        {
            kind = next;
        }
        let Type::Struct(id) = self[kind] else {
            return GetterResults::One(kind);
        };
        let fields = self[id].fields.iter().enumerate();
        let fields = fields.map(|(at, field)| (at, self[*field].kind));
        GetterResults::Fields(
            fields
                .filter(|(_, kind)| {
                    !matches!(self[*kind], Type::Array { .. } | Type::Mapping { .. })
                })
                .collect(),
        )
    }
}
