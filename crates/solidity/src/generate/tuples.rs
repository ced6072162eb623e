//! Statements on several values at once, and on arrays that grow.

use lydite_core::Reject;

use super::Generator;
use super::context::ANYWHERE;
use super::options::Part;
use super::places::Place;
use super::types::Wanted;
use super::weights::Draw;
use crate::ast::{Expression, ExpressionId, Role, Statement, StatementId, Type, TypeId};
use crate::types::{ADDRESSES, Elementary, Location};
use crate::version::Feature;

impl Generator<'_> {
    /// Several variables, places or results at once.
    pub(super) fn tuple(&mut self) -> Result<Option<StatementId>, Reject> {
        if !self.has(Feature::TupleDeclarations) {
            return self.assigned_tuple();
        }
        match self.choices.below(5)? {
            0 | 1 => self.declared_tuple(),
            2 => self.assigned_tuple(),
            3 => self.results_apart(),
            _ => self.decoded_tuple(),
        }
    }

    /// Two variables from two values.
    fn declared_tuple(&mut self) -> Result<Option<StatementId>, Reject> {
        if self.frame.slots + 2 > self.options.slots {
            return self.assignment_statement();
        }
        let mut variables = Vec::new();
        let mut values = Vec::new();
        for _ in 0..2 {
            let kind = self.pick_elementary(self.values_only())?;
            let kind = self.leaf(kind);
            let wanted = self.wanted(kind);
            let depth = self.options.depth.saturating_sub(1);
            values.push(Some(self.value(wanted, ANYWHERE, depth, true)?));
            variables.push(Some((kind, Location::Memory)));
        }
        let value = self.expression(Expression::Tuple(values));
        Ok(Some(self.declare_parts(&variables, value)))
    }

    /// Local variables for the parts of a value; a gap takes nothing.
    pub(super) fn declare_parts(
        &mut self,
        parts: &[Option<(TypeId, Location)>],
        value: ExpressionId,
    ) -> StatementId {
        let mut variables = Vec::new();
        for part in parts {
            variables.push(part.map(|(kind, location)| {
                let variable = self.frame_variable(Role::Local, kind, location);
                self.frame.scope.push(variable);
                self.frame.slots += self.slots_of(kind);
                variable
            }));
        }
        let value = Some(value);
        self.statement(Statement::Declare { variables, value })
    }

    /// `(a, b) = (x, y)`, perhaps with a gap on the left.
    fn assigned_tuple(&mut self) -> Result<Option<StatementId>, Reject> {
        let accesses = self.accesses(true, |kind, _, _| !self.is_reference(kind));
        if accesses.is_empty() {
            return self.assignment_statement();
        }
        let depth = self.options.depth.saturating_sub(1);
        let gap = match self.often(Draw::Gaps)? {
            true => Some(self.choices.index(2)?),
            false => None,
        };
        let (mut targets, mut values) = (Vec::new(), Vec::new());
        for at in 0..2 {
            let access = *self.choices.pick(&accesses)?;
            let wanted = self.wanted(access.kind);
            values.push(Some(self.value(wanted, ANYWHERE, depth, true)?));
            targets.push(match gap == Some(at) {
                true => None,
                false => Some(self.follow(access, depth.min(1))?),
            });
        }
        let op = None;
        let mut target = self.expression(Expression::Tuple(targets));
        let mut value = self.expression(Expression::Tuple(values));
        if self.allows(Part::Slices) && self.often(Draw::NestedTuples)? {
            (target, value) = self.nested(&accesses, target, value)?;
        }
        let value = self.expression(Expression::Assign { op, target, value });
        Ok(Some(self.statement(Statement::Expression(value))))
    }

    /// `(c, (a, b)) = (z, (x, y))`
    fn nested(
        &mut self,
        accesses: &[Place],
        target: ExpressionId,
        value: ExpressionId,
    ) -> Result<(ExpressionId, ExpressionId), Reject> {
        let access = *self.choices.pick(accesses)?;
        let wanted = self.wanted(access.kind);
        let first = self.value(wanted, ANYWHERE, 1, true)?;
        let place = match self.percent(80)? {
            true => Some(self.follow(access, 0)?),
            false => None,
        };
        let value = self.expression(Expression::Tuple(vec![Some(first), Some(value)]));
        let target = self.expression(Expression::Tuple(vec![place, Some(target)]));
        Ok((target, value))
    }

    /// Variables for some of the results of a call.
    fn results_apart(&mut self) -> Result<Option<StatementId>, Reject> {
        let mut callees = self.callees();
        callees.retain(|callee| {
            let results = &self.ast[callee.function].results;
            let kinds = results.iter().map(|&result| self.ast[result].kind);
            results.len() > 1 && kinds.into_iter().all(|kind| self.can_return(callee, kind))
        });
        if callees.is_empty() {
            return self.declared_tuple();
        }
        let callee = *self.choices.pick(&callees)?;
        let results = self.ast[callee.function].results.clone();
        let slots: u32 = results
            .iter()
            .map(|&result| self.slots_of(self.ast[result].kind))
            .sum();
        if self.frame.slots + slots > self.options.slots {
            return self.assignment_statement();
        }
        let value = self.call(callee, self.options.depth.saturating_sub(1))?;
        let taken = self.choices.index(results.len())?;
        let mut parts = Vec::new();
        for (at, result) in results.into_iter().enumerate() {
            if at != taken && self.percent(40)? {
                parts.push(None);
                continue;
            }
            let location = self.found_in(&callee, result);
            parts.push(Some((self.like(self.ast[result].kind), location)));
        }
        Ok(Some(self.declare_parts(&parts, value)))
    }

    /// Two variables from what bytes are decoded to.
    fn decoded_tuple(&mut self) -> Result<Option<StatementId>, Reject> {
        let decodes = self.allows(Part::Encoding) && self.has(Feature::AbiDecode);
        if !decodes || self.frame.slots + 4 > self.options.slots {
            return self.declared_tuple();
        }
        let wanted = Wanted::Elementary(Elementary::BYTES);
        let depth = self.options.depth.saturating_sub(1);
        let data = self.typed_value(wanted, ANYWHERE, depth)?;
        let (mut kinds, mut parts) = (Vec::new(), Vec::new());
        for _ in 0..2 {
            // An address that is decoded is payable, whatever is written.
            let domain = self.types & !ADDRESSES;
            let kind = self.pick_elementary(domain)?;
            let domain = match kind.is_reference() {
                true => crate::types::SEQUENCES,
                false => self.values_only() & domain,
            };
            kinds.push(self.leaf_within(kind, domain));
            parts.push(Some((self.leaf(kind), Location::Memory)));
        }
        let value = self.expression(Expression::Decode { data, kinds });
        Ok(Some(self.declare_parts(&parts, value)))
    }

    /// `push` and `pop`.
    pub(super) fn growth(&mut self) -> Result<Option<StatementId>, Reject> {
        let accesses = self.accesses(true, |kind, location, _| {
            let dynamic = match self.ast[kind] {
                Type::Array {
                    element,
                    length: None,
                } => !self.has_mapping(element) && self.pushable(element) || self.is_own(element),
                Type::Elementary(_) => self.is_within(kind, Elementary::BYTES.bit()),
                _ => false,
            };
            dynamic && location == Location::Storage
        });
        if accesses.is_empty() {
            return self.assignment_statement();
        }
        let access = *self.choices.pick(&accesses)?;
        let pop = self.has(Feature::Pop) && self.often(Draw::Pops)?;
        let own = match self.ast[access.kind] {
            Type::Array { element, .. } => self.is_own(element),
            _ => false,
        };
        let empty = !pop && self.has(Feature::PushMember) && (own || self.percent(15)?);
        let depth = self.options.depth.saturating_sub(1);
        let wanted = match self.ast[access.kind] {
            Type::Array { element, .. } => self.wanted(element),
            _ => Wanted::Elementary(Elementary::fixed_bytes(1)),
        };
        let value = match pop || empty {
            true => None,
            false => Some(self.value(wanted, ANYWHERE, depth, true)?),
        };
        let array = self.follow(access, 1)?;
        let expression = match value {
            Some(value) => Expression::Push { array, value },
            None if empty => Expression::Grow(array),
            None => Expression::Pop(array),
        };
        let value = self.expression(expression);
        Ok(Some(self.statement(Statement::Expression(value))))
    }

    /// True for structs that only grow: no value of theirs is made.
    fn is_own(&self, element: TypeId) -> bool {
        match self.ast[element] {
            Type::Struct(id) => self.ast.is_recursive(id) && self.has(Feature::PushMember),
            _ => false,
        }
    }

    fn pushable(&self, element: TypeId) -> bool {
        !self.is_reference(element) || self.is_copyable(element)
    }
}
