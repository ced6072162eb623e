//! Data in storage, memory and calldata: variables of nested types, and which
//! of their parts can be copied to which.

use lydite_core::{Choices, Reject};

use crate::ast::{Ast, Expression, ExpressionId, Member, Role, Struct, StructId, Type, TypeId};
use crate::generate::{
    CONTRACT, MOVED, MOVED_REACH, NamePlaces, Place, Stage, Step, any_word, draw_elementary, number,
};
use crate::types::{Domain, Elementary, Family, Location, Visibility, values};
use crate::version::{Dialect, Feature};

/// How deep types are nested.
const DEPTH: u32 = 2;

/// Elements of arrays of a fixed length, and fields of structs, at most.
const PARTS: u64 = 4;

/// Elements of a dynamic array that expressions reach for, and how often.
const REACHED: [u64; 4] = [6, 3, 1, 1];

/// Elements of an array across the end of storage, which are words, and slots before the end.
const ACROSS: u64 = 12;
const BEFORE_END: u64 = 3;

/// The contract in the making, and what can be named in its present function.
pub(super) struct Scene<'a> {
    pub stage: Stage,
    pub choices: &'a mut Choices,
    pub dialect: &'a Dialect,
    /// The words that are used.
    pub kinds: Domain,
    /// Variables that can be named.
    pub roots: Vec<Place>,
    /// What fails would leave no contract.
    pub is_constructor: bool,
}

impl Scene<'_> {
    pub(super) fn any_word_kind(&mut self) -> Result<Elementary, Reject> {
        draw_elementary(self.choices, MOVED, self.kinds)
    }

    /// A type: often one that something in the contract can be copied to.
    pub(super) fn any_type(&mut self) -> Result<TypeId, Reject> {
        if !self.roots.is_empty() && self.choices.chance(1, 2)? {
            let at = self.choices.index(self.roots.len())?;
            return self.related(self.roots[at].kind);
        }
        self.new_type(DEPTH)
    }

    fn new_type(&mut self, depth: u32) -> Result<TypeId, Reject> {
        let deep = u64::from(depth > 0);
        let structs = self.stage.ast.structs.len();
        let weights = [4, 3, 5 * deep, 3 * deep, 2 * deep * (structs.min(1) as u64)];
        Ok(match self.choices.weighted(&weights)? {
            0 => Stage::kind(self.any_word_kind()?),
            1 => {
                let kinds = [Elementary::BYTES, Elementary::BYTES, Elementary::STRING];
                Stage::kind(*self.choices.pick(&kinds)?)
            }
            2 => {
                let element = self.new_type(depth - 1)?;
                self.array(element, None)
            }
            3 => {
                let element = self.new_type(depth - 1)?;
                let length = self.choices.between(1, PARTS)? as u32;
                self.array(element, Some(length))
            }
            _ => {
                let id = StructId(self.choices.index(structs)? as u32);
                self.stage.ast.add_type(Type::Struct(id))
            }
        })
    }

    fn array(&mut self, element: TypeId, length: Option<u32>) -> TypeId {
        self.stage.ast.add_type(Type::Array { element, length })
    }

    /// The type, or for arrays of words sometimes one with room for more.
    fn related(&mut self, kind: TypeId) -> Result<TypeId, Reject> {
        let Type::Array { element, length } = self.stage.ast[kind] else {
            return Ok(kind);
        };
        let Some(word) = self.stage.types().word(element) else {
            return Ok(kind);
        };
        let wider = values(self.kinds)
            .map(Elementary::from_number)
            .filter(|other| other.family() == word.family() && other.size() >= word.size());
        let wider: Vec<Elementary> = wider.collect();
        let word = match wider.is_empty() {
            true => word,
            false => *self.choices.pick(&wider)?,
        };
        let length = match (length, self.choices.below(3)?) {
            (None, _) | (_, 0) => None,
            (Some(length), 1) => Some(length + 1),
            (length, _) => length,
        };
        Ok(self.array(Stage::kind(word), length))
    }

    /// A struct of a few fields.
    pub(super) fn structure(&mut self) -> Result<(), Reject> {
        let id = StructId(self.stage.ast.structs.len() as u32);
        let mut fields = Vec::new();
        for _ in 0..self.choices.between(1, PARTS)? {
            let kind = self.new_type(1)?;
            fields.push(self.stage.field(Role::Field(id), kind));
        }
        self.stage.ast.structs.push(Struct {
            contract: Some(CONTRACT),
            fields,
        });
        self.stage.ast[CONTRACT].members.push(Member::Struct(id));
        Ok(())
    }

    /// A state variable across the end of storage: a struct with an array.
    pub(super) fn across_the_end(&mut self) -> Result<Place, Reject> {
        let id = StructId(self.stage.ast.structs.len() as u32);
        let mut fields = Vec::new();
        if self.choices.chance(1, 4)? {
            let kind = Stage::kind(self.any_word_kind()?);
            fields.push(self.stage.field(Role::Field(id), kind));
        }
        let element = Stage::kind(self.any_word_kind()?);
        let length = self.choices.between(2, ACROSS)? as u32;
        let array = self.array(element, Some(length));
        fields.push(self.stage.field(Role::Field(id), array));
        self.stage.ast.structs.push(Struct {
            contract: Some(CONTRACT),
            fields,
        });
        self.stage.ast[CONTRACT].members.push(Member::Struct(id));
        let kind = self.stage.ast.add_type(Type::Struct(id));
        let variable = self.stage.state(kind, None);
        self.stage.ast[variable].visibility = Some(Stage::visibility(Visibility::Internal));
        let before = self.choices.between(1, BEFORE_END)? as u32;
        self.stage.ast.at_end.insert(variable, before);
        Ok(Place::of(variable, kind, Location::Storage))
    }

    /// All that can be named.
    pub(super) fn places(&self) -> Vec<Place> {
        let mut places = Vec::new();
        for root in &self.roots {
            root.walk(self.stage.types(), MOVED_REACH, &mut |place| {
                // What a function finds is changed in parts only.
                let is_found = self.stage.ast.at_end.contains_key(&place.variable);
                if !is_found || !place.is_variable() {
                    places.push(place);
                }
            });
        }
        places
    }

    /// The expression that names a place.
    pub(super) fn named(&mut self, place: Place) -> Result<ExpressionId, Reject> {
        self.name(place, 0)
    }

    pub(super) fn number(&mut self, value: u64) -> ExpressionId {
        self.stage.add(number(value))
    }

    /// True if the place is, or is in, a state variable.
    pub(super) fn is_state(&self, place: &Place) -> bool {
        place.is_state(&self.stage.ast)
    }

    /// A value of a word's type, written out.
    pub(super) fn any_literal(&mut self, kind: Elementary) -> Result<ExpressionId, Reject> {
        let value = any_word(kind, self.choices)?;
        Ok(self.stage.word(kind, &value))
    }

    pub(super) fn is_reference(&self, kind: TypeId) -> bool {
        self.stage.types().is_reference(kind)
    }

    pub(super) fn is_bytes(&self, kind: TypeId) -> bool {
        kind == Stage::kind(Elementary::BYTES)
    }

    /// True for what has `push`.
    pub(super) fn is_growing(&self, kind: TypeId) -> bool {
        let kind_of = self.stage.ast[kind];
        self.is_bytes(kind) || matches!(kind_of, Type::Array { length: None, .. })
    }

    /// The type of what `push` takes.
    pub(super) fn element(&self, kind: TypeId) -> TypeId {
        match self.stage.ast[kind] {
            Type::Array { element, .. } => element,
            _ => Stage::kind(Elementary::fixed_bytes(1)),
        }
    }

    /// A word, a text, or an array of words.
    pub(super) fn is_flat(&self, kind: TypeId) -> bool {
        match self.stage.ast[kind] {
            Type::Array { element, .. } => !self.is_reference(element),
            Type::Struct(_) => false,
            _ => true,
        }
    }

    /// A word or a text.
    pub(super) fn is_plain(&self, kind: TypeId) -> bool {
        !matches!(self.stage.ast[kind], Type::Array { .. } | Type::Struct(_))
    }

    fn has_struct(&self, kind: TypeId) -> bool {
        match self.stage.ast[kind] {
            Type::Array { element, .. } => self.has_struct(element),
            Type::Struct(_) => true,
            _ => false,
        }
    }

    /// True if arrays of structs are in it, or it is one.
    fn has_array_of_structs(&self, kind: TypeId) -> bool {
        let ast = &self.stage.ast;
        match ast[kind] {
            Type::Array { element, .. } => self.has_struct(element),
            Type::Struct(id) => {
                let mut fields = ast[id].fields.iter();
                fields.any(|&field| self.has_array_of_structs(ast[field].kind))
            }
            _ => false,
        }
    }

    /// True if the code generator can encode it where it is.
    pub(super) fn is_coded(&self, place: &Place) -> bool {
        place.location != Location::Calldata
            || self.is_plain(place.kind)
            || self.dialect.has(Feature::NestedCalldataCoding)
    }

    /// True if a value can be assigned to something of a type in storage or
    /// memory, and every code generator is able to.
    pub(super) fn flows(&self, from: &Place, to: TypeId, to_storage: bool) -> bool {
        let nested = !self.is_flat(from.kind);
        let in_calldata = from.location == Location::Calldata;
        if in_calldata && nested && !self.dialect.has(Feature::NestedCalldataCopies) {
            return false;
        }
        if !to_storage {
            return self.same(from.kind, to);
        }
        // Arrays of structs are only copied within storage.
        if self.has_array_of_structs(to) && from.location != Location::Storage {
            return false;
        }
        self.same(from.kind, to) || self.widens(from.kind, to)
    }

    fn same(&self, one: TypeId, other: TypeId) -> bool {
        match (self.stage.ast[one], self.stage.ast[other]) {
            (
                Type::Array { element, length },
                Type::Array {
                    element: other,
                    length: other_length,
                },
            ) => length == other_length && self.same(element, other),
            (one, other) => one == other,
        }
    }

    /// Words, and arrays of words with no more and no wider elements.
    fn widens(&self, from: TypeId, to: TypeId) -> bool {
        let types = self.stage.types();
        if let (Some(from), Some(to)) = (types.word(from), types.word(to)) {
            let sized = matches!(
                from.family(),
                Family::Uint | Family::Int | Family::FixedBytes
            );
            return sized && from.family() == to.family() && from.size() <= to.size();
        }
        match (self.stage.ast[from], self.stage.ast[to]) {
            (
                Type::Array { element, length },
                Type::Array {
                    element: other,
                    length: other_length,
                },
            ) => {
                let has_room = match (length, other_length) {
                    (_, None) => true,
                    (Some(length), Some(other)) => length <= other,
                    (None, Some(_)) => false,
                };
                has_room
                    && types.word(element).is_some()
                    && (element == other || self.widens(element, other))
            }
            _ => false,
        }
    }
}

impl NamePlaces for Scene<'_> {
    fn ast(&self) -> &Ast {
        &self.stage.ast
    }

    fn add(&mut self, expression: Expression) -> ExpressionId {
        self.stage.add(expression)
    }

    fn index(&mut self, of: TypeId, _: Step, _: u32) -> Result<ExpressionId, Reject> {
        let value = match self.stage.ast[of] {
            Type::Array {
                length: Some(length),
                ..
            } => self.choices.below(u64::from(length))?,
            _ => self.choices.weighted(&REACHED)? as u64,
        };
        Ok(self.number(value))
    }
}
