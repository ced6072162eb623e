//! The rules of variables, and of what is in structs, arrays and mappings.

use super::calls::INHERITED;
use super::{Form, READING, Rules, WRITING};
use crate::ast::{ExpressionId, Owner, StructId, Type, TypeId, ValueTypeId, VariableId};
use crate::qualify::{Placeholder, Relation};
use crate::types::{Domain, ELEMENTARY, Elementary, FIXED, Location, NUMBERS, Persistence, UINTS};
use crate::typing::KindOf;

/// What can be assigned again.
const CHANGING: Domain = Persistence::Stored.bit() | Persistence::Transient.bit();

impl Rules<'_> {
    pub(super) fn variable(&mut self, id: VariableId, owner: Owner) {
        let variable = &self.ast[id];
        if variable.contract().is_none() {
            return;
        }
        match self.ast.persistences.get(&id) {
            Some(&persistence) => {
                let is_number = |value| matches!(self.typing(value).kind, KindOf::Number(_));
                let relation = match variable.value.is_some_and(is_number) {
                    true => Relation::ReadsNumber,
                    false => Relation::ReadsState,
                };
                self.uses_state(relation, persistence, owner);
            }
            None if variable.is_constant() => {}
            None => self.needs(owner, READING),
        }
        if let Some(visibility) = variable.visibility
            && self
                .contract_of(owner)
                .is_some_and(|own| Some(own) != variable.contract())
        {
            self.set.restrict(visibility, INHERITED);
        }
    }

    /// Code reads or changes a state variable whose persistence is open.
    pub(super) fn uses_state(
        &mut self,
        relation: Relation,
        persistence: Placeholder,
        owner: Owner,
    ) {
        let mutabilities = self.mutabilities(owner);
        // A modifier that stands nowhere changes what it changes all the same.
        if relation == Relation::WritesState {
            self.set.restrict(persistence, CHANGING);
        }
        for mutability in mutabilities {
            self.set.relate(relation, persistence, mutability);
        }
    }

    pub(super) fn fields(&mut self, id: StructId, arguments: &[ExpressionId]) {
        let fields = &self.ast[id].fields;
        for (&argument, &field) in arguments.iter().zip(fields) {
            self.converts(argument, self.ast[field].kind);
            self.copied(self.of(argument));
        }
    }

    /// A part of something is looked at.
    pub(super) fn looks_into(&mut self, base: ExpressionId, owner: Owner) {
        self.through(owner, self.of(base).location, Relation::Reads);
    }

    /// T-Ind.
    pub(super) fn index(&mut self, base: ExpressionId, index: ExpressionId, owner: Owner) {
        self.looks_into(base, owner);
        match self.of(base).form {
            Form::Composite(Type::Array { .. }) => self.restrict(index, UINTS),
            Form::Composite(Type::Mapping { key, .. }) => self.converts(index, key),
            _ => {
                self.restrict(index, UINTS);
                self.restrict(base, FIXED | Elementary::BYTES.bit());
            }
        }
    }

    pub(super) fn length(&mut self, base: ExpressionId, owner: Owner) {
        self.restrict(base, Elementary::BYTES.bit());
        self.looks_into(base, owner);
    }

    pub(super) fn push(&mut self, array: ExpressionId, value: ExpressionId, owner: Owner) {
        self.stored(array, owner);
        if let Form::Composite(Type::Array { element, .. }) = self.of(array).form {
            self.converts(value, element);
            self.copied(self.of(value));
        } else {
            self.restrict(array, Elementary::BYTES.bit());
            self.restrict(value, Elementary::fixed_bytes(1).bit());
        }
    }

    /// `pop()`, and `push()` without a value.
    pub(super) fn resize(&mut self, array: ExpressionId, owner: Owner) {
        self.stored(array, owner);
        self.restrict(array, Elementary::BYTES.bit());
    }

    /// Only what is in storage grows and shrinks.
    fn stored(&mut self, array: ExpressionId, owner: Owner) {
        if let Some(location) = self.of(array).location {
            self.set.restrict(location, Location::Storage.bit());
        }
        self.needs(owner, WRITING);
    }

    /// A part of what is in calldata is a pointer into the same.
    pub(super) fn slice(&mut self, base: ExpressionId, ends: [Option<ExpressionId>; 2]) {
        for end in ends.into_iter().flatten() {
            self.restrict(end, UINTS);
        }
        self.restrict(base, ELEMENTARY);
        if let Some(location) = self.of(base).location {
            self.set.restrict(location, Location::Calldata.bit());
        }
    }

    pub(super) fn cast(&mut self, kind: TypeId, operand: ExpressionId) {
        let from = self.of(operand).form;
        if let (Form::Elementary(from), Type::Elementary(to)) = (from, self.ast[kind]) {
            self.set.restrict(from, ELEMENTARY);
            self.set.relate(Relation::Casts, from, to);
        }
    }

    pub(super) fn wrap(&mut self, id: ValueTypeId, operand: ExpressionId) {
        if let Form::Elementary(own) = self.of(operand).form {
            let underlying = self.ast[id].underlying;
            self.set.relate(Relation::Converts, own, underlying);
        }
    }

    /// Only numbers have limits, and enums.
    pub(super) fn limit(&mut self, kind: TypeId) {
        if let Type::Elementary(own) = self.ast[kind] {
            self.set.restrict(own, NUMBERS);
        }
    }
}
