//! Operators of user-defined value types.

use lydite_core::Reject;

use super::options::Part;
use super::types::Wanted;
use super::{Generator, Intent};
use crate::ast::{
    BinaryOp, Expression, ExpressionId, Function, FunctionId, FunctionName, Item, Role, Shape,
    Type, ValueTypeId,
};
use crate::qualify::Kind;
use crate::types::{Elementary, Location, Mutability};
use crate::version::Feature;

impl Generator<'_> {
    /// Sometimes a function that is an operator of a value type, and what
    /// says so.
    pub(super) fn operators(&mut self, items: &mut Vec<Item>) -> Result<(), Reject> {
        let usable = self.allows(Part::Operators) && self.has(Feature::Operators);
        if !usable || self.ast.value_types.is_empty() || !self.percent(40)? {
            return Ok(());
        }
        let kind = ValueTypeId(self.choices.index(self.ast.value_types.len())? as u32);
        let definable = BinaryOp::ALL.into_iter().filter(|op| match op.shape() {
            Shape::Arithmetic | Shape::Comparison => true,
            Shape::Shift | Shape::Logic => false,
        });
        let definable: Vec<BinaryOp> = definable.collect();
        let op = *self.choices.pick(&definable)?;
        let function = self.operator_head(kind, op);
        items.push(Item::Function(function));
        items.push(Item::Operator(kind, function, op));
        self.body(function)?;
        self.operators.push((kind, function, op));
        Ok(())
    }

    fn operator_head(&mut self, kind: ValueTypeId, op: BinaryOp) -> FunctionId {
        let variable = |generator: &mut Self, role: Role| {
            let kind = generator.ast.add_type(Type::Value(kind));
            generator.frame_variable(role, kind, Location::Memory)
        };
        let parameters = vec![
            variable(self, Role::Parameter),
            variable(self, Role::Parameter),
        ];
        let results = match op.shape() {
            Shape::Comparison => {
                let truth = self.leaf_within(Elementary::BOOL, Elementary::BOOL.bit());
                vec![self.frame_variable(Role::Result, truth, Location::Memory)]
            }
            _ => vec![variable(self, Role::Result)],
        };
        let pure = Mutability::Pure;
        let mutability = self.declare(Kind::Mutability, pure.bit(), pure.number());
        let function = Function {
            name: FunctionName::Named(self.ast.functions.len() as u32),
            contract: None,
            parameters,
            results,
            visibility: None,
            mutability: Some(mutability),
            modifiers: Vec::new(),
            is_virtual: false,
            is_override: false,
            body: Some(Vec::new()),
        };
        self.add_function(function, Intent::Pure)
    }

    /// `a + b` of a user-defined type.
    pub(super) fn operator_for(
        &mut self,
        wanted: Wanted,
        depth: u32,
    ) -> Result<Option<ExpressionId>, Reject> {
        let fitting = self.operators.iter().filter(|(kind, _, op)| {
            let compares = op.shape() == Shape::Comparison;
            match wanted {
                Wanted::Elementary(wanted) => compares && wanted == Elementary::BOOL,
                Wanted::Type(wanted) => !compares && self.ast[wanted] == Type::Value(*kind),
            }
        });
        let fitting: Vec<(ValueTypeId, FunctionId, BinaryOp)> = fitting.copied().collect();
        if fitting.is_empty() {
            return Ok(None);
        }
        let (kind, function, op) = *self.choices.pick(&fitting)?;
        let kind = self.ast.add_type(Type::Value(kind));
        let within = super::context::ANYWHERE;
        let left = self.typed_value(Wanted::Type(kind), within, depth - 1)?;
        let right = self.typed_value(Wanted::Type(kind), within, depth - 1)?;
        Ok(Some(self.expression(Expression::Operator {
            op,
            function,
            left,
            right,
        })))
    }
}
