//! Operators, and the bytes of words.

use dashu_int::IBig;

use super::data::Value;
use super::expressions::{UNTYPED, word};
use super::machine::{Machine, Order, Stop};
use super::number::{Fault, range, wrapped};
use crate::ast::{BinaryOp, ExpressionId, Shape, Type, TypeId, UnaryOp};
use crate::types::Elementary;
use crate::typing::{Form, common};

impl Machine<'_> {
    /// Both operands, in the order of the code generator.
    pub(super) fn operands(
        &mut self,
        left: ExpressionId,
        right: ExpressionId,
    ) -> Result<(Value, Value), Stop> {
        match self.run.order {
            Order::LeftFirst => {
                let left = self.evaluate(left)?;
                Ok((left, self.evaluate(right)?))
            }
            Order::RightFirst => {
                let right = self.evaluate(right)?;
                Ok((self.evaluate(left)?, right))
            }
        }
    }

    pub(super) fn binary(
        &mut self,
        op: BinaryOp,
        left: ExpressionId,
        right: ExpressionId,
    ) -> Result<Value, Stop> {
        if op.shape() == Shape::Logic {
            let decided = op == BinaryOp::Or;
            let first = self.truth(left)?;
            let truth = match first == decided {
                true => decided,
                false => self.truth(right)?,
            };
            return Ok(Value::Word(IBig::from(u8::from(truth))));
        }
        let (left_form, right_form) = (self.form(left).clone(), self.form(right).clone());
        let (left, right) = self.operands(left, right)?;
        let result = self.operation(op, (left, &left_form), (right, &right_form))?;
        Ok(Value::Word(result))
    }

    /// An operator on values with their types.
    pub(super) fn operation(
        &mut self,
        op: BinaryOp,
        (left, left_form): (Value, &Form),
        (right, right_form): (Value, &Form),
    ) -> Result<IBig, Stop> {
        let together = match op.shape() {
            Shape::Shift => left_form.clone(),
            Shape::Arithmetic | Shape::Comparison | Shape::Logic => {
                common(left_form.clone(), right_form.clone())
            }
        };
        let kind = together.word(self.types).ok_or(UNTYPED)?;
        let left = word(self.converted(left, left_form, &together)?)?;
        let right = match op.shape() {
            Shape::Shift => word(right)?,
            Shape::Arithmetic | Shape::Comparison | Shape::Logic => {
                word(self.converted(right, right_form, &together)?)?
            }
        };
        if op.shape() == Shape::Shift && right < IBig::ZERO {
            return Err(Stop::Unknown("a shift or power by less than zero"));
        }
        let result = self.arithmetic().binary(op, kind, &left, &right);
        if result.is_err() {
            self.operands = Some((kind, left, right));
        }
        result.map_err(Stop::Fault)
    }

    pub(super) fn unary(&mut self, op: UnaryOp, operand: ExpressionId) -> Result<Value, Stop> {
        if op == UnaryOp::Delete {
            return self.delete(operand);
        }
        let form = self.form(operand).clone();
        let kind = form.word(self.types).ok_or(UNTYPED)?;
        if !op.assigns() {
            let value = word(self.evaluate(operand)?)?;
            let result = self.arithmetic().unary(op, kind, &value);
            return result.map(Value::Word).map_err(Stop::Fault);
        }
        let place = self.place(operand)?;
        let old = word(self.read(&place, operand)?)?;
        let new = self
            .arithmetic()
            .unary(op, kind, &old)
            .map_err(Stop::Fault)?;
        self.write(&place, Value::Word(new.clone()))?;
        let is_post = matches!(op, UnaryOp::PostIncrement | UnaryOp::PostDecrement);
        Ok(Value::Word(if is_post { old } else { new }))
    }

    /// A byte of `bytesN`.
    pub(super) fn byte_of(
        &mut self,
        base: ExpressionId,
        index: ExpressionId,
        kind: Elementary,
    ) -> Result<Value, Stop> {
        let (value, at) = (word(self.evaluate(base)?)?, word(self.evaluate(index)?)?);
        let size = usize::from(kind.size());
        let at = usize::try_from(&at).ok().filter(|at| *at < size);
        let at = at.ok_or(Stop::Fault(Fault::Index))?;
        let byte = wrapped(Elementary::uint(8), &(value >> (8 * (size - 1 - at))));
        Ok(Value::Word(byte))
    }

    /// `type(T).max`, `type(T).min`
    pub(super) fn limit(&self, kind: TypeId, is_largest: bool) -> Result<Value, Stop> {
        if let Type::Enum(id) = self.types.ast[kind] {
            let last = self.types.ast[id].members.saturating_sub(1);
            return Ok(Value::Word(IBig::from(if is_largest { last } else { 0 })));
        }
        let kind = self.types.word(kind).ok_or(UNTYPED)?;
        let (least, greatest) = range(kind);
        Ok(Value::Word(if is_largest { greatest } else { least }))
    }
}
