//! Calls within the contract, functions as values, errors of `require`.

use dashu_int::IBig;

use super::data::Value;
use super::effects::After;
use super::encode::SELECTOR;
use super::expressions::{UNTYPED, known, one_or_parts, word};
use super::keccak::number_of;
use super::machine::{Machine, Order, Reason, Stop};
use super::number::Fault;
use crate::ast::{Expression, ExpressionId, FunctionId, SignalId, Via};

impl Machine<'_> {
    pub(super) fn call(
        &mut self,
        function: FunctionId,
        via: Via,
        arguments: &[ExpressionId],
    ) -> Result<Value, Stop> {
        let reached = match via {
            Via::Super => self.overridden(function),
            Via::Library | Via::Attached => function,
            Via::Name | Via::This | Via::On(_) => self.overriding(function),
        };
        self.invoked(reached, arguments)
    }

    /// Calls exactly this function.
    pub(super) fn invoked(
        &mut self,
        reached: FunctionId,
        arguments: &[ExpressionId],
    ) -> Result<Value, Stop> {
        let values = self.list_for(&self.types.ast[reached].parameters, arguments)?;
        Ok(one_or_parts(self.invoke(reached, values)?))
    }

    /// True if a call leaves the contract.
    pub(super) fn leaves(&self, call: ExpressionId) -> bool {
        match &self.types.ast[call] {
            Expression::Call { via, .. } => via.is_external(),
            Expression::CallValue { function, .. } => self.types.ast.is_external_type(*function),
            _ => true,
        }
    }

    /// A call of a value of an internal function type: directly generated code
    /// looks at the function last.
    pub(super) fn call_value(
        &mut self,
        callee: ExpressionId,
        like: FunctionId,
        arguments: &[ExpressionId],
    ) -> Result<Value, Stop> {
        let mut members = vec![callee];
        members.extend(arguments);
        let mut order: Vec<usize> = (0..members.len()).collect();
        if self.run.order == Order::RightFirst {
            order.rotate_left(1);
        }
        let mut values = self.list_in(&members, &order, After::Passed)?;
        let function = word(values.remove(0))?;
        let parameters = &self.types.ast[like].parameters;
        let mut fitted = Vec::with_capacity(values.len());
        for ((variable, member), value) in parameters.iter().zip(arguments).zip(values) {
            let form = self.form(*member).clone();
            fitted.push(self.fitted(value, &form, *variable)?);
        }
        let function = u32::try_from(&function).map_err(|_| UNTYPED)?;
        match function.checked_sub(1) {
            Some(function) => Ok(one_or_parts(self.invoke(FunctionId(function), fitted)?)),
            None => Err(Stop::Fault(Fault::Function)),
        }
    }

    /// `require(condition, R(…))`: all is evaluated, whatever the condition.
    pub(super) fn require_error(
        &mut self,
        condition: ExpressionId,
        signal: SignalId,
        arguments: &[ExpressionId],
    ) -> Result<Value, Stop> {
        let mut members = vec![condition];
        members.extend(arguments);
        let mut values = self.list(&members, After::Copied)?;
        if word(values.remove(0))? != IBig::ZERO {
            return Ok(Value::Parts(Vec::new()));
        }
        let parameters = &self.types.ast[signal].parameters;
        let values = self.signalled(parameters, arguments, values)?;
        Err(Stop::Revert(Reason::Signal(signal, values)))
    }

    /// What goes in and out of an external call is a copy.
    pub(super) fn copies(&mut self, values: Vec<Value>) -> Result<Vec<Value>, Stop> {
        let mut copies = Vec::with_capacity(values.len());
        for value in values {
            let whole = self.whole(&value)?;
            copies.push(self.in_memory(whole));
        }
        Ok(copies)
    }

    /// A function as a value. Zero is no function.
    pub(super) fn reference(&self, function: FunctionId) -> Value {
        let reached = self.overriding(function);
        Value::Word(IBig::from(reached.0) + 1)
    }

    /// `this.f` as a value: an address and a selector.
    pub(super) fn reference_outside(&self, function: FunctionId) -> Result<Value, Stop> {
        let this = word(known(&self.run.world.this)?)?;
        let selector = number_of(&self.selector(function)?);
        Ok(Value::Word((this << (8 * SELECTOR)) + selector))
    }
}
