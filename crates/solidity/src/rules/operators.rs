//! The rules of operators, conditionals and assignments.

use super::{Form, NOTHING, Rules, Typed, WRITABLE, WRITING};
use crate::ast::{
    BinaryOp, Expression, ExpressionId, Owner, Role, Shape, Type, UnaryOp, VariableId,
};
use crate::qualify::{Kind, Level, Relation};
use crate::types::{BOOLS, Location, MAPPINGS, NUMBERS, UINTS, Visibility};
use crate::typing::KindOf;
use crate::version::Feature;

impl Rules<'_> {
    /// T-Assign and S-Assign.
    pub(super) fn assign(
        &mut self,
        op: Option<BinaryOp>,
        target: ExpressionId,
        value: ExpressionId,
        owner: Owner,
    ) {
        self.write(target, owner);
        if let (Expression::Tuple(targets), None) = (&self.ast[target], op) {
            self.assign_parts(targets, value);
            return;
        }
        let (to, from) = (self.of(target), self.of(value));
        match op {
            Some(op) if op.shape() == Shape::Shift => {
                self.restrict(target, op.operands());
                self.restrict(value, self.shift_amounts());
            }
            Some(op) => {
                self.restrict(target, op.operands());
                self.put(from, to);
            }
            None => {
                self.put(from, to);
                match to.is_place {
                    true => self.copied_to(from, to),
                    false => self.flows(value, to.location),
                }
            }
        }
    }

    /// Several places take what a tuple, a call or a decoding gives; a place
    /// may be several again.
    fn assign_parts(&mut self, targets: &[Option<ExpressionId>], value: ExpressionId) {
        let mut open = vec![(targets, value)];
        while let Some((targets, value)) = open.pop() {
            for (at, target) in targets.iter().enumerate() {
                let Some(target) = *target else { continue };
                match (&self.ast[target], &self.ast[value]) {
                    (Expression::Tuple(inner), Expression::Tuple(values)) => {
                        open.extend(values[at].map(|value| (&inner[..], value)));
                    }
                    _ => {
                        if let Some(from) = self.part(value, at) {
                            self.put(from, self.of(target));
                        }
                    }
                }
            }
        }
    }

    /// One of the values that an expression gives.
    pub(super) fn part(&mut self, value: ExpressionId, at: usize) -> Option<Typed> {
        match self.typing(value).kind {
            KindOf::Several(mut parts) if at < parts.len() => {
                let part = parts.swap_remove(at)?;
                Some(self.open(&part))
            }
            _ => None,
        }
    }

    fn put(&mut self, from: Typed, to: Typed) {
        match (from.form, to.form) {
            (Form::Elementary(from), Form::Elementary(own)) => {
                self.set.relate(Relation::Converts, from, own);
                // A mapping is not copied.
                if to.is_place {
                    self.set.restrict(own, !MAPPINGS);
                }
            }
            (Form::Composite(one), Form::Composite(other)) => {
                let stored = to
                    .location
                    .is_some_and(|location| self.set.domain(location) == Location::Storage.bit());
                self.same(one, other, stored && to.is_place);
            }
            _ => {}
        }
    }

    /// The places that an expression stands for are changed.
    fn write(&mut self, target: ExpressionId, owner: Owner) {
        let mut open = vec![target];
        while let Some(target) = open.pop() {
            match &self.ast[target] {
                Expression::Tuple(parts) => open.extend(parts.iter().flatten()),
                _ => self.write_one(target, owner),
            }
        }
    }

    fn write_one(&mut self, target: ExpressionId, owner: Owner) {
        match &self.ast[target] {
            Expression::Variable(id) => {
                let variable = &self.ast[*id];
                // Which mapping it stands for is up to the caller.
                if variable.role == Role::Parameter
                    && let Type::Elementary(own) = self.ast[variable.kind]
                    && self.set.domain(own) & MAPPINGS != 0
                {
                    self.set.restrict(own, !MAPPINGS);
                }
                if let Some(&persistence) = self.ast.persistences.get(id) {
                    self.uses_state(Relation::WritesState, persistence, owner);
                } else if variable.contract().is_some() {
                    self.needs(owner, WRITING);
                } else if let Some(location) = variable.location
                    && !self.dialect.has(Feature::CalldataAssignable)
                {
                    self.set.restrict(location, WRITABLE);
                    self.keep_from_outside(*id, owner);
                } else if !self.dialect.has(Feature::ExternalAssignable) {
                    self.keep_from_outside(*id, owner);
                }
            }
            Expression::Index { base, .. } | Expression::Member { base, .. } => {
                let location = self.of(*base).location;
                if let Some(location) = location {
                    self.set.restrict(location, WRITABLE);
                }
                self.through(owner, location, Relation::Writes);
            }
            _ => {}
        }
    }

    /// What an external function is given is read-only in old compilers,
    /// wherever it is.
    fn keep_from_outside(&mut self, variable: VariableId, owner: Owner) {
        if let Owner::Function(function) = owner
            && let Some(visibility) = self.ast[function].visibility
            && self.ast[function].parameters.contains(&variable)
        {
            self.set.restrict(visibility, !Visibility::External.bit());
        }
    }

    fn shift_amounts(&self) -> u128 {
        match self.dialect.has(Feature::SignedShift) {
            true => NUMBERS,
            false => UINTS,
        }
    }

    /// T-Bop.
    pub(super) fn binary(&mut self, op: BinaryOp, left: ExpressionId, right: ExpressionId) {
        self.restrict(left, op.operands());
        match op.shape() {
            Shape::Arithmetic => self.restrict(right, op.operands()),
            Shape::Shift => {
                if op == BinaryOp::Power && !self.dialect.has(Feature::SignedExponentBase) {
                    self.restrict(left, UINTS);
                }
                let amounts = match op {
                    BinaryOp::Power => UINTS,
                    _ => self.shift_amounts(),
                };
                self.restrict(right, amounts);
            }
            Shape::Comparison => {
                self.restrict(right, op.operands());
                let both_literals = self.of(left).is_literal && self.of(right).is_literal;
                if !both_literals {
                    self.join(left, right);
                }
            }
            Shape::Logic => self.restrict(right, BOOLS),
        }
    }

    /// The common type of two operands, and their common location. It is
    /// always one of the two.
    pub(super) fn join(&mut self, one: ExpressionId, other: ExpressionId) -> Typed {
        let (one, other) = (self.of(one), self.of(other));
        let form = match (one.form, other.form) {
            (Form::Elementary(a), Form::Elementary(b)) => {
                // A literal takes the type of what stands beside it.
                match (one.is_literal, other.is_literal) {
                    (true, false) => self.set.relate(Relation::Converts, a, b),
                    (false, true) => self.set.relate(Relation::Converts, b, a),
                    _ => self.set.relate(Relation::Common, a, b),
                }
                let domain = !MAPPINGS;
                match (one.is_literal, other.is_literal) {
                    (true, false) => Form::Elementary(b),
                    (false, true) => Form::Elementary(a),
                    _ => {
                        let joined = self.fresh(domain);
                        self.set.relate(Relation::Converts, a, joined);
                        self.set.relate(Relation::Converts, b, joined);
                        // It is one of the two, and not what both widen to.
                        if self.dialect.has(Feature::SignWidening) {
                            self.set.relate(Relation::Common, a, joined);
                            self.set.relate(Relation::Common, b, joined);
                        }
                        Form::Elementary(joined)
                    }
                }
            }
            (Form::Composite(a), Form::Composite(b)) => {
                self.same(a, b, false);
                Form::Composite(a)
            }
            _ => Form::Nothing,
        };
        let location = match (one.location, other.location) {
            (Some(a), Some(b)) => {
                let domain = self.set.domain(a) | self.set.domain(b) | Location::Memory.bit();
                let joined = self.set.add(Kind::Location, Level::Expression, domain);
                let (joins, flows) = match self.stays_in_calldata(form) {
                    true => (Relation::JoinsUncopied, Relation::FlowsUncopied),
                    false => (Relation::Joins, Relation::Flows),
                };
                self.set.relate(joins, a, b);
                self.set.relate(flows, a, joined);
                self.set.relate(flows, b, joined);
                Some(joined)
            }
            _ => None,
        };
        Typed {
            form,
            location,
            ..NOTHING
        }
    }

    /// T-Uop.
    pub(super) fn unary(&mut self, op: UnaryOp, operand: ExpressionId, owner: Owner) {
        let typed = self.of(operand);
        self.restrict(operand, op.operands(self.dialect));
        if op.assigns() {
            self.write(operand, owner);
        }
        if op == UnaryOp::Delete {
            self.restrict(operand, !MAPPINGS);
            // A pointer cannot be deleted, and what is read-only neither.
            if let Some(location) = typed.location.filter(|_| !typed.is_place) {
                self.set.restrict(location, Location::Memory.bit());
            }
        }
    }
}
