//! Operators of user-defined value types.

use lydite_core::Reject;

use super::context::ANYWHERE;
use super::options::Part;
use super::types::Wanted;
use super::weights::Draw;
use super::{Generator, Intent};
use crate::ast::{
    BinaryOp, Expression, ExpressionId, Function, FunctionId, FunctionName, Item, OperatorSign,
    Role, Shape, Type, UnaryOp, ValueTypeId,
};
use crate::qualify::{Kind, Relation};
use crate::types::{Elementary, Location, Mutability};
use crate::version::Feature;

/// Signs of one operand that can be defined.
const UNARY: [UnaryOp; 2] = [UnaryOp::Negate, UnaryOp::BitNot];

impl Generator<'_> {
    /// Sometimes functions that are operators of a value type, and what says
    /// so.
    pub(super) fn operators(&mut self, items: &mut Vec<Item>) -> Result<(), Reject> {
        let usable = self.allows(Part::Operators) && self.has(Feature::Operators);
        if !usable || self.ast.value_types.is_empty() || !self.often(Draw::Operators)? {
            return Ok(());
        }
        let kind = ValueTypeId(self.choices.index(self.ast.value_types.len())? as u32);
        let binary = BinaryOp::ALL.into_iter().filter(|op| match op.shape() {
            Shape::Arithmetic | Shape::Comparison => true,
            Shape::Shift | Shape::Logic => false,
        });
        let mut signs: Vec<OperatorSign> = binary.map(OperatorSign::Binary).collect();
        for _ in 0..self.choices.between(1, 2)? {
            let at = self.choices.index(signs.len())?;
            self.operator(kind, signs.swap_remove(at), items)?;
        }
        if self.percent(50)? {
            let op = *self.choices.pick(&UNARY)?;
            self.operator(kind, OperatorSign::Unary(op), items)?;
        }
        Ok(())
    }

    fn operator(
        &mut self,
        kind: ValueTypeId,
        sign: OperatorSign,
        items: &mut Vec<Item>,
    ) -> Result<(), Reject> {
        let function = self.operator_head(kind, sign);
        items.push(Item::Function(function));
        items.push(Item::Operator(kind, function, sign));
        self.body(function)?;
        self.operators.push((kind, function, sign));
        Ok(())
    }

    fn operator_head(&mut self, kind: ValueTypeId, sign: OperatorSign) -> FunctionId {
        let variable = |generator: &mut Self, role: Role| {
            let kind = generator.ast.add_type(Type::Value(kind));
            generator.frame_variable(role, kind, Location::Memory)
        };
        let operands = match sign {
            OperatorSign::Binary(_) => 2,
            OperatorSign::Unary(_) => 1,
        };
        let parameters = (0..operands)
            .map(|_| variable(self, Role::Parameter))
            .collect();
        let results = match compares(sign) {
            true => {
                let truth = self.leaf_within(Elementary::BOOL, Elementary::BOOL.bit());
                vec![self.frame_variable(Role::Result, truth, Location::Memory)]
            }
            false => vec![variable(self, Role::Result)],
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

    /// `a + b` or `-a` of a user-defined type.
    pub(super) fn operator_for(
        &mut self,
        wanted: Wanted,
        depth: u32,
    ) -> Result<Option<ExpressionId>, Reject> {
        let fitting = self
            .operators
            .iter()
            .filter(|(kind, _, sign)| match wanted {
                Wanted::Elementary(wanted) => compares(*sign) && wanted == Elementary::BOOL,
                Wanted::Type(wanted) => !compares(*sign) && self.ast[wanted] == Type::Value(*kind),
            });
        let fitting: Vec<(ValueTypeId, FunctionId, OperatorSign)> = fitting.copied().collect();
        if fitting.is_empty() {
            return Ok(None);
        }
        let (kind, function, sign) = *self.choices.pick(&fitting)?;
        let kind = self.ast.add_type(Type::Value(kind));
        let mut operand = || {
            let within = super::context::ANYWHERE;
            self.typed_value(Wanted::Type(kind), within, depth - 1)
        };
        let expression = match sign {
            OperatorSign::Binary(op) => {
                let (left, right) = (operand()?, operand()?);
                Expression::Operator {
                    op,
                    function,
                    left,
                    right,
                }
            }
            OperatorSign::Unary(op) => Expression::UnaryOperator {
                op,
                function,
                operand: operand()?,
            },
        };
        Ok(Some(self.expression(expression)))
    }

    pub(super) fn unwrap_for(
        &mut self,
        wanted: Wanted,
        depth: u32,
    ) -> Result<Option<ExpressionId>, Reject> {
        let Wanted::Elementary(to) = wanted else {
            return Ok(None);
        };
        let fitting = (0..self.ast.value_types.len() as u32)
            .map(ValueTypeId)
            .filter(|&id| {
                let own = self.witness(self.ast[id].underlying);
                self.theory.holds(Relation::Converts, own, to.number())
            });
        let fitting: Vec<ValueTypeId> = fitting.collect();
        if fitting.is_empty() {
            return Ok(None);
        }
        let id = *self.choices.pick(&fitting)?;
        let kind = self.ast.add_type(Type::Value(id));
        let operand = self.identifier(Wanted::Type(kind), ANYWHERE, depth - 1)?;
        Ok(Some(self.expression(Expression::Unwrap(id, operand))))
    }
}

fn compares(sign: OperatorSign) -> bool {
    matches!(sign, OperatorSign::Binary(op) if op.shape() == Shape::Comparison)
}
