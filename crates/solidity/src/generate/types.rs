//! Types of new declarations, and whether the types of two things fit under
//! the witness.

use lydite_core::Reject;

use super::options::Part;
use super::persistence::CHANGING;
use super::policy::{OPEN_FAMILIES, draw_elementary};
use super::weights::Draw;
use super::{Generator, Intent};
use crate::ast::{Role, Type, TypeId, Variable, VariableId};
use crate::qualify::{Kind, Placeholder, Relation};
use crate::types::{
    Domain, Elementary, FIXED, Location, Persistence, SEQUENCES, VALUES, Visibility,
};
use crate::typing::Types;
use crate::version::Feature;

/// Where a type is going to stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Standing {
    /// A state variable: anything.
    State,
    /// A parameter, result or local variable: no mapping.
    Frame,
    /// A field of a struct, a parameter of an event: no mapping, no struct.
    Inner,
    /// An element of what an old coder has to take: of a known size.
    Element,
}

impl Generator<'_> {
    /// A random elementary type among those in `domain`.
    pub(super) fn pick_elementary(&mut self, domain: Domain) -> Result<Elementary, Reject> {
        let weighed = OPEN_FAMILIES
            .iter()
            .map(|&(family, draw)| (family, self.weight(draw)));
        let families: Vec<(Domain, u64)> = weighed.collect();
        draw_elementary(self.choices, &families, domain & self.types)
    }

    /// A new open elementary type.
    pub(super) fn leaf(&mut self, kind: Elementary) -> TypeId {
        let domain = match kind.is_reference() {
            true => SEQUENCES,
            false => VALUES,
        };
        self.leaf_within(kind, domain)
    }

    pub(super) fn leaf_within(&mut self, kind: Elementary, domain: Domain) -> TypeId {
        let domain = domain & self.types | kind.bit();
        let placeholder = self.declare(Kind::Type, domain, kind.number());
        self.ast.add_type(Type::Elementary(placeholder))
    }

    pub(super) fn values_only(&self) -> Domain {
        VALUES & self.types
    }

    fn elementary_types(&self) -> Domain {
        match self.options.features.has(Part::Bytes) {
            true => self.types,
            false => self.types & !FIXED & !Elementary::BYTES.bit(),
        }
    }

    /// A random type.
    pub(super) fn new_type(&mut self, place: Standing, depth: u32) -> Result<TypeId, Reject> {
        let structs = self.usable_structs(place);
        let weights = self.type_weights(place, depth, !structs.is_empty());
        match self.choices.weighted(&weights)? {
            1 => {
                let element = self.new_type(self.within(place), depth - 1)?;
                let length = None;
                Ok(self.ast.add_type(Type::Array { element, length }))
            }
            2 => {
                let element = self.new_type(self.within(place), depth - 1)?;
                let length = Some(self.choices.between(1, 6)? as u32);
                Ok(self.ast.add_type(Type::Array { element, length }))
            }
            3 => self.new_mapping(depth - 1),
            4 => {
                let id = *self.choices.pick(&structs)?;
                Ok(self.ast.add_type(Type::Struct(id)))
            }
            5 => {
                let id = self.choices.index(self.ast.enums.len())? as u32;
                Ok(self.ast.add_type(Type::Enum(crate::ast::EnumId(id))))
            }
            6 => {
                let id = self.choices.index(self.ast.value_types.len())? as u32;
                Ok(self.ast.add_type(Type::Value(crate::ast::ValueTypeId(id))))
            }
            7 => {
                let known = self.known_contracts();
                let id = *self.choices.pick(&known)?;
                Ok(self.ast.add_type(Type::Contract(id)))
            }
            _ => {
                let types = match place {
                    Standing::Element => self.elementary_types() & VALUES,
                    _ => self.elementary_types(),
                };
                let kind = self.pick_elementary(types)?;
                Ok(self.leaf(kind))
            }
        }
    }

    /// How often each of the kinds of types is drawn that [`Self::new_type`] tells
    /// apart.
    fn type_weights(&self, place: Standing, depth: u32, structs: bool) -> [u64; 8] {
        let part = |part: Part| u64::from(self.options.features.has(part));
        let deep = u64::from(depth > 0);
        let whole = match place {
            Standing::State => true,
            Standing::Frame => self.has(Feature::NestedCoding),
            Standing::Inner | Standing::Element => false,
        };
        [
            self.weight(Draw::Elementary).max(1),
            self.weight(Draw::Arrays)
                * deep
                * part(Part::Arrays)
                * u64::from(place != Standing::Element),
            self.weight(Draw::FixedArrays) * deep * part(Part::Arrays),
            self.weight(Draw::Mappings)
                * deep
                * part(Part::Mappings)
                * u64::from(place == Standing::State),
            self.weight(Draw::StructValues) * part(Part::Structs) * u64::from(structs && whole),
            self.weight(Draw::EnumValues) * u64::from(!self.ast.enums.is_empty()),
            self.weight(Draw::UserValues) * u64::from(!self.ast.value_types.is_empty()),
            self.weight(Draw::ContractValues)
                * part(Part::External)
                * u64::from(!self.known_contracts().is_empty()),
        ]
    }

    fn new_mapping(&mut self, depth: u32) -> Result<TypeId, Reject> {
        let keys = self.elementary_types() & !Elementary::PAYABLE.bit();
        let key = self.pick_elementary(keys)?;
        let domain = match key.is_reference() {
            true => SEQUENCES,
            false => VALUES & !Elementary::PAYABLE.bit(),
        };
        let key = self.leaf_within(key, domain);
        let value = self.new_type(Standing::State, depth)?;
        Ok(self.ast.add_type(Type::Mapping { key, value }))
    }

    /// Where the elements of an array stand.
    fn within(&self, place: Standing) -> Standing {
        match place {
            Standing::State => Standing::State,
            _ if self.has(Feature::NestedCoding) => Standing::Inner,
            _ => Standing::Element,
        }
    }

    /// Another type like this one: the same under the witness, open anew.
    pub(super) fn like(&mut self, kind: TypeId) -> TypeId {
        // Composite types are at most a few levels deep: what makes them
        // counts its depth down.
        let copy = match self.ast[kind] {
            Type::Elementary(placeholder) => {
                let domain = self.declared.domain(placeholder);
                let kind = self.witness_type(placeholder);
                return self.leaf_within(kind, domain);
            }
            Type::Array { element, length } => Type::Array {
                element: self.like(element),
                length,
            },
            Type::Mapping { key, value } => Type::Mapping {
                key: self.like(key),
                value: self.like(value),
            },
            other => other,
        };
        self.ast.add_type(copy)
    }

    /// True if both are the same under the witness.
    pub(super) fn same_type(&self, one: TypeId, other: TypeId) -> bool {
        self.under_witness().is_same(one, other)
    }

    /// True if a value of the first converts to the second under the witness,
    /// within its family: where signs mix, two that convert to a third need
    /// not have a common type.
    pub(super) fn fits(&self, from: TypeId, to: Wanted) -> bool {
        match (self.ast[from], to) {
            (Type::Elementary(from), Wanted::Elementary(to)) => {
                let from = self.witness_type(from);
                from.family() == to.family()
                    && self
                        .theory
                        .holds(Relation::Converts, from.number(), to.number())
            }
            (Type::Elementary(_), Wanted::Type(_)) | (_, Wanted::Elementary(_)) => false,
            (_, Wanted::Type(to)) => self.same_type(from, to),
        }
    }

    /// What an expression of a declared type has to be.
    pub(super) fn wanted(&self, kind: TypeId) -> Wanted {
        match self.ast[kind] {
            Type::Elementary(placeholder) => Wanted::Elementary(self.witness_type(placeholder)),
            _ => Wanted::Type(kind),
        }
    }

    pub(super) fn is_reference(&self, kind: TypeId) -> bool {
        self.under_witness().is_reference(kind)
    }

    /// True if a mapping is in it, so that it lives in storage alone.
    pub(super) fn has_mapping(&self, kind: TypeId) -> bool {
        match self.ast[kind] {
            Type::Array { element, .. } => self.has_mapping(element),
            Type::Mapping { .. } => true,
            Type::Struct(id) => self.ast.is_recursive(id),
            _ => false,
        }
    }

    /// A variable of a function's frame, with a location if it needs one.
    pub(super) fn frame_variable(
        &mut self,
        role: Role,
        kind: TypeId,
        location: Location,
    ) -> VariableId {
        let location = self.is_reference(kind).then(|| {
            let domain = self.locations();
            self.declare(Kind::Location, domain | location.bit(), location.number())
        });
        self.ast.add_variable(Variable {
            role,
            kind,
            location,
            visibility: None,
            value: None,
        })
    }

    fn locations(&self) -> Domain {
        Location::ALL
            .iter()
            .fold(0, |set, location| set | location.bit())
    }

    /// How many stack slots a variable takes, at most.
    pub(super) fn slots_of(&self, kind: TypeId) -> u32 {
        match self.ast[kind] {
            Type::Array { length: None, .. } => 2,
            Type::Elementary(placeholder) if self.witness_type(placeholder).is_reference() => 2,
            Type::Function(id) if self.ast.is_external_type(id) => 2,
            _ => 1,
        }
    }

    /// A state variable of the present contract.
    pub(super) fn state_variable(&mut self, kind: TypeId) -> Option<VariableId> {
        let contract = self.frame.contract.filter(|_| self.can_have_state())?;
        Some(self.add_state_variable(contract, kind))
    }

    /// True in code that may use a new state variable.
    pub(super) fn can_have_state(&self) -> bool {
        self.frame.intent >= Intent::View && !self.is_in_library()
    }

    pub(super) fn add_state_variable(
        &mut self,
        contract: crate::ast::ContractId,
        kind: TypeId,
    ) -> VariableId {
        let domain =
            Visibility::Public.bit() | Visibility::Private.bit() | Visibility::Internal.bit();
        let visibility = self.declare(Kind::Visibility, domain, Visibility::Internal.number());
        let variable = self.ast.add_variable(Variable {
            role: Role::State(contract),
            kind,
            location: None,
            visibility: Some(visibility),
            value: None,
        });
        self.ast[contract]
            .members
            .push(crate::ast::Member::Variable(variable));
        self.open_persistence(variable, Persistence::Stored, CHANGING);
        variable
    }

    pub(super) fn elementary_of(&self, kind: TypeId) -> Option<Placeholder> {
        match self.ast[kind] {
            Type::Elementary(placeholder) => Some(placeholder),
            _ => None,
        }
    }

    /// What types are under the witness.
    pub(super) fn under_witness(&self) -> Types<'_> {
        Types {
            ast: &self.ast,
            values: &self.witness,
        }
    }

    /// The location that a reference variable has under the witness.
    pub(super) fn location_of(&self, id: VariableId) -> Location {
        let location = self.under_witness().location(id);
        location.unwrap_or(Location::Storage)
    }

    pub(super) fn has_calldata(&self) -> bool {
        self.has(Feature::CalldataAnywhere)
    }
}

/// What an expression has to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wanted {
    /// Convertible to an elementary type.
    Elementary(Elementary),
    /// Of another type.
    Type(TypeId),
}
