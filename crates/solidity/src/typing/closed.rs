//! Types where no gap is open: every placeholder has a value.

use super::{DataOf, KindOf, typing};
use crate::ast::{Ast, ExpressionId, Type, TypeId, VariableId};
use crate::qualify::Placeholder;
use crate::types::{Domain, Elementary, Family, Location};

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
        self.word_of(self.ast[kind])
    }

    /// The same of a type that is taken apart.
    fn word_of(self, kind: Type) -> Option<Elementary> {
        match kind {
            Type::Elementary(placeholder) => {
                Some(self.elementary(placeholder)).filter(|kind| !kind.is_reference())
            }
            Type::Enum(_) => Some(Elementary::uint(8)),
            Type::Value(id) => Some(self.elementary(self.ast[id].underlying)),
            Type::Contract(_) => Some(Elementary::ADDRESS),
            Type::Array { .. } | Type::Mapping { .. } | Type::Struct(_) | Type::Function(_) => None,
        }
    }

    /// True if values of the type live in a data location.
    pub fn is_reference(self, kind: TypeId) -> bool {
        let is_sequence = |placeholder| self.elementary(placeholder).is_reference();
        self.ast.is_reference(kind, is_sequence)
    }

    /// True if both are the same.
    pub fn is_same(self, one: TypeId, other: TypeId) -> bool {
        match (self.ast[one], self.ast[other]) {
            (Type::Elementary(a), Type::Elementary(b)) => self.elementary(a) == self.elementary(b),
            (
                Type::Array { element, length },
                Type::Array {
                    element: other,
                    length: other_length,
                },
            ) => length == other_length && self.is_same(element, other),
            (
                Type::Mapping { key, value },
                Type::Mapping {
                    key: other_key,
                    value: other_value,
                },
            ) => self.is_same(key, other_key) && self.is_same(value, other_value),
            (a, b) => a == b,
        }
    }

    /// Where a variable has its data, if its type needs a location.
    pub fn location(self, id: VariableId) -> Option<Location> {
        let variable = &self.ast[id];
        if !self.is_reference(variable.kind) {
            return None;
        }
        let written = variable.location.map(|at| self.values[at.0 as usize]);
        Some(match (written, variable.contract()) {
            (Some(written), _) => Location::ALL[usize::from(written)],
            (None, Some(_)) => Location::Storage,
            (None, None) => Location::Memory,
        })
    }

    /// True if values have no fixed size where they are encoded.
    pub fn is_dynamic(self, kind: TypeId) -> bool {
        let is_sequence = |placeholder| self.elementary(placeholder).is_reference();
        self.ast.is_dynamic(kind, is_sequence)
    }

    /// True for `string`.
    pub fn is_string(self, kind: TypeId) -> bool {
        matches!(self.ast[kind], Type::Elementary(placeholder)
            if self.elementary(placeholder).family() == Family::String)
    }

    /// True if the value of a placeholder is one of a set.
    fn within(self, placeholder: Placeholder, domain: Domain) -> bool {
        domain >> self.values[placeholder.0 as usize] & 1 == 1
    }

    /// Where the data of an expression is whose type is known.
    fn data(self, typed: &[TypedForm], data: DataOf) -> Option<Location> {
        let at = |id: ExpressionId| typed[id.0 as usize].location;
        match data {
            DataOf::Nowhere => None,
            DataOf::At(location) => Some(location),
            DataOf::Variable(id) => self.location(id),
            DataOf::Same(id) => at(id),
            // Storage, calldata and memory have memory in common.
            DataOf::Common(one, other) => match (at(one)?, at(other)?) {
                (one, other) if one == other => Some(one),
                _ => Some(Location::Memory),
            },
        }
    }

    fn form(self, typed: &[TypedForm], kind: &KindOf) -> Form {
        let at = |id: ExpressionId| typed[id.0 as usize].form.clone();
        match kind {
            KindOf::Declared(kind) => Form::of(self, *kind),
            KindOf::Elementary(kind) => Form::Elementary(*kind),
            KindOf::Composite(kind) => Form::Composite(*kind),
            KindOf::Address => Form::Elementary(Elementary::ADDRESS),
            KindOf::Number(_) => Form::Number,
            KindOf::Text(_) => Form::Text,
            KindOf::Underlying(id) => Form::Elementary(self.elementary(self.ast[*id].underlying)),
            KindOf::Same(id) => at(*id),
            KindOf::Common(one, other) => common(at(*one), at(*other)),
            KindOf::Element(base) => match at(*base) {
                Form::Composite(kind) => match kind.element() {
                    Some(element) => Form::of(self, element),
                    None => Form::Unknown,
                },
                Form::Elementary(_) => Form::Elementary(Elementary::fixed_bytes(1)),
                Form::Number | Form::Text | Form::Several(_) | Form::Unknown => Form::Unknown,
            },
            KindOf::Several(parts) => {
                let parts = parts.iter().map(|part| match part {
                    Some(part) => self.form(typed, &part.kind),
                    None => Form::Unknown,
                });
                Form::Several(parts.collect())
            }
        }
    }
}

/// The type of an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Form {
    /// An elementary type.
    Elementary(Elementary),
    /// Any other type.
    Composite(Type),
    /// A number without a type of its own.
    Number,
    /// A text without a type of its own.
    Text,
    /// No value, or several.
    Several(Vec<Form>),
    /// A gap of a tuple, or what has no type.
    Unknown,
}

/// What is known of an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypedForm {
    /// Its type.
    pub form: Form,
    /// Where its data is, if it is of a reference type.
    pub location: Option<Location>,
}

/// Adds what is known of expressions that are new, by their numbers.
pub(crate) fn extend_forms(types: Types<'_>, typed: &mut Vec<TypedForm>) {
    for number in typed.len()..types.ast.expressions.len() {
        let within = |placeholder, domain| types.within(placeholder, domain);
        let typing = typing(types.ast, &within, ExpressionId(number as u32));
        let form = types.form(typed, &typing.kind);
        let location = types.data(typed, typing.data);
        let location = location.filter(|_| form.is_reference());
        typed.push(TypedForm { form, location });
    }
}

impl Form {
    /// The type of that number.
    pub fn of(types: Types<'_>, kind: TypeId) -> Form {
        match types.ast[kind] {
            Type::Elementary(placeholder) => Form::Elementary(types.elementary(placeholder)),
            other => Form::Composite(other),
        }
    }

    /// True if values are words: of a value type, or functions.
    pub fn is_word(&self, types: Types<'_>) -> bool {
        matches!(self, Form::Composite(Type::Function(_))) || self.word(types).is_some()
    }

    /// The elementary type that values are represented in, if they are words.
    pub fn word(&self, types: Types<'_>) -> Option<Elementary> {
        match self {
            Form::Elementary(kind) => Some(*kind).filter(|kind| !kind.is_reference()),
            Form::Composite(kind) => types.word_of(*kind),
            Form::Number | Form::Text | Form::Several(_) | Form::Unknown => None,
        }
    }

    /// True if values live in a data location.
    pub fn is_reference(&self) -> bool {
        match self {
            Form::Elementary(kind) => kind.is_reference(),
            Form::Composite(kind) => kind.is_reference(),
            Form::Text => true,
            Form::Number | Form::Several(_) | Form::Unknown => false,
        }
    }
}

/// The type that both convert to.
pub(crate) fn common(left: Form, right: Form) -> Form {
    match (left, right) {
        (left, right) if left == right => left,
        (Form::Number | Form::Text, other) | (other, Form::Number | Form::Text) => other,
        (Form::Elementary(left), Form::Elementary(right)) => common_elementary(left, right),
        // Programs are typed: they are the same but for their numbers.
        (Form::Composite(left), Form::Composite(_)) => Form::Composite(left),
        _ => Form::Unknown,
    }
}

fn common_elementary(left: Elementary, right: Elementary) -> Form {
    let wider = match left.size() >= right.size() {
        true => left,
        false => right,
    };
    let common = match (left.family(), right.family()) {
        (a, b) if a == b && a != Family::Address => Some(wider),
        (Family::Address, Family::Address) => Some(Elementary::ADDRESS),
        (Family::Uint, Family::Int) if right.size() > left.size() => Some(right),
        (Family::Int, Family::Uint) if left.size() > right.size() => Some(left),
        _ => None,
    };
    common.map_or(Form::Unknown, Form::Elementary)
}
