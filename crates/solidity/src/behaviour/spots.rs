//! Data in storage, memory and calldata: variables of nested types, the parts
//! of them that an expression can name, and which of them can be copied to
//! which.

use dashu_int::IBig;
use lydite_core::{Choices, Reject};

use super::stage::{CONTRACT, Stage};
use super::values::any_word;
use crate::ast::{
    Expression, ExpressionId, Literal, Member, Role, Struct, StructId, Type, TypeId, VariableId,
};
use crate::types::{
    ADDRESSES, BOOLS, Domain, Elementary, FIXED, Family, INTS, Location, UINTS, values,
};
use crate::version::{Dialect, Feature};

/// Where a variable has its data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Home {
    /// A state variable.
    State,
    /// A local variable that points to a state variable.
    Pointer,
    Memory,
    Calldata,
}

impl Home {
    pub(super) fn is_storage(self) -> bool {
        matches!(self, Home::State | Home::Pointer)
    }

    /// What is written behind the type of a variable.
    pub(super) fn location(self) -> Location {
        match self {
            Home::State | Home::Pointer => Location::Storage,
            Home::Memory => Location::Memory,
            Home::Calldata => Location::Calldata,
        }
    }
}

/// A variable that can be named.
#[derive(Clone, Copy, Debug)]
pub(super) struct Thing {
    pub variable: VariableId,
    pub kind: TypeId,
    pub home: Home,
}

/// A variable, or a part of one.
#[derive(Clone, Debug)]
pub(super) struct Spot {
    variable: VariableId,
    steps: Vec<Step>,
    pub kind: TypeId,
    pub home: Home,
}

#[derive(Clone, Copy, Debug)]
enum Step {
    /// An element below this number, which is there.
    Element(u32),
    /// An element of what may be empty.
    Risky,
    Field(VariableId),
}

impl Spot {
    /// The variable itself.
    pub(super) fn is_whole(&self) -> bool {
        self.steps.is_empty()
    }

    /// True if it may not be there.
    pub(super) fn is_risky(&self) -> bool {
        self.steps.iter().any(|step| matches!(step, Step::Risky))
    }
}

/// How deep types are nested, and expressions reach into them.
const DEPTH: u32 = 2;

/// Elements of arrays of a fixed length, and fields of structs, at most.
const PARTS: u64 = 4;

/// Elements of a dynamic array that expressions reach for, and how often.
const REACHED: [u64; 4] = [6, 3, 1, 1];

/// Families of words and how often they are drawn.
const FAMILIES: [(Domain, u64); 5] = [
    (UINTS, 4),
    (INTS, 4),
    (FIXED, 3),
    (BOOLS, 1),
    (ADDRESSES, 1),
];

/// The contract in the making, and what can be named in its present function.
pub(super) struct Scene<'a> {
    pub stage: Stage,
    pub choices: &'a mut Choices,
    pub dialect: &'a Dialect,
    /// The words that are used.
    pub kinds: Domain,
    pub things: Vec<Thing>,
    /// What fails would leave no contract.
    pub is_constructor: bool,
}

impl Scene<'_> {
    pub(super) fn any_word_kind(&mut self) -> Result<Elementary, Reject> {
        let weights = FAMILIES.map(|(family, weight)| match family & self.kinds {
            0 => 0,
            _ => weight,
        });
        let (family, _) = FAMILIES[self.choices.weighted(&weights)?];
        let kinds: Vec<u8> = values(family & self.kinds).collect();
        Ok(Elementary::from_number(*self.choices.pick(&kinds)?))
    }

    /// A type: often one that something in the contract can be copied to.
    pub(super) fn any_type(&mut self) -> Result<TypeId, Reject> {
        if !self.things.is_empty() && self.choices.chance(1, 2)? {
            let at = self.choices.index(self.things.len())?;
            return self.related(self.things[at].kind);
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

    /// All that can be named.
    pub(super) fn spots(&self) -> Vec<Spot> {
        let mut spots = Vec::new();
        for thing in &self.things {
            let mut open = vec![Spot {
                variable: thing.variable,
                steps: Vec::new(),
                kind: thing.kind,
                home: thing.home,
            }];
            while let Some(spot) = open.pop() {
                if spot.steps.len() < DEPTH as usize + 1 {
                    self.parts(&spot, &mut open);
                }
                spots.push(spot);
            }
        }
        spots
    }

    fn parts(&self, spot: &Spot, parts: &mut Vec<Spot>) {
        let mut part = |step: Step, kind: TypeId| {
            let mut part = spot.clone();
            part.steps.push(step);
            part.kind = kind;
            parts.push(part);
        };
        match self.stage.ast[spot.kind] {
            Type::Array { element, length } => {
                part(length.map_or(Step::Risky, Step::Element), element);
            }
            Type::Struct(id) => {
                for field in &self.stage.ast[id].fields {
                    part(Step::Field(*field), self.stage.ast[*field].kind);
                }
            }
            _ if self.is_bytes(spot.kind) => {
                part(Step::Risky, Stage::kind(Elementary::fixed_bytes(1)));
            }
            _ => {}
        }
    }

    /// The expression that names it.
    pub(super) fn named(&mut self, spot: &Spot) -> Result<ExpressionId, Reject> {
        let mut base = self.stage.add(Expression::Variable(spot.variable));
        for step in &spot.steps {
            let part = match *step {
                Step::Field(field) => Expression::Member { base, field },
                Step::Element(below) => {
                    let value = self.choices.below(u64::from(below))?;
                    let index = self.number(value);
                    Expression::Index { base, index }
                }
                Step::Risky => {
                    let value = self.choices.weighted(&REACHED)? as u64;
                    let index = self.number(value);
                    Expression::Index { base, index }
                }
            };
            base = self.stage.add(part);
        }
        Ok(base)
    }

    pub(super) fn number(&mut self, value: u64) -> ExpressionId {
        let negative = false;
        let literal = Literal::Number { value, negative };
        self.stage.add(Expression::Literal(literal))
    }

    /// A value of a word's type, written out.
    pub(super) fn any_literal(&mut self, kind: Elementary) -> Result<ExpressionId, Reject> {
        let value: IBig = any_word(kind, self.choices)?;
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
    pub(super) fn is_coded(&self, spot: &Spot) -> bool {
        spot.home != Home::Calldata
            || self.is_plain(spot.kind)
            || self.dialect.has(Feature::NestedCalldataCoding)
    }

    /// True if a value can be assigned to something of a type in storage or
    /// memory, and every code generator is able to.
    pub(super) fn flows(&self, from: &Spot, to: TypeId, to_storage: bool) -> bool {
        let nested = !self.is_flat(from.kind);
        if from.home == Home::Calldata && nested && !self.dialect.has(Feature::NestedCalldataCopies)
        {
            return false;
        }
        if !to_storage {
            return self.same(from.kind, to);
        }
        // Arrays of structs are only copied within storage.
        if self.has_array_of_structs(to) && !from.home.is_storage() {
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
