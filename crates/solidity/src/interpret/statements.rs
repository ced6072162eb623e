//! What statements do.

use super::data::Value;
use super::machine::{Machine, Reason, Stop};
use super::number::Fault;
use crate::ast::{ExpressionId, Invocation, REQUIRE_TEXT, Statement, StatementId, VariableId};

/// Where execution goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Flow {
    Next,
    Break,
    Continue,
    Return,
}

impl Machine<'_> {
    /// The next modifier of the function that was called, or its body. A
    /// `return` ends no more than that.
    pub(super) fn enter(&mut self) -> Result<(), Stop> {
        let ast = self.types.ast;
        let (function, level) = self.frame().entered.expect("a function was called");
        let outer = std::mem::replace(&mut self.frame().unchecked, false);
        match ast[function].modifiers.get(level) {
            Some((Invocation::Modifier(id), arguments)) => {
                for (parameter, argument) in ast[*id].parameters.iter().zip(arguments) {
                    let value = self.evaluate_for(*argument, *parameter)?;
                    self.frame().locals.insert(*parameter, value);
                }
                self.frame().entered = Some((function, level + 1));
                let body = self.block(&ast[*id].body);
                self.frame().entered = Some((function, level));
                body?;
            }
            // The base has its arguments already.
            Some((Invocation::Base(_), _)) => {
                self.frame().entered = Some((function, level + 1));
                let entered = self.enter();
                self.frame().entered = Some((function, level));
                entered?;
            }
            None => {
                let body = ast[function].body.as_deref();
                self.block(body.ok_or(Stop::Unknown("a function without a body"))?)?;
            }
        }
        self.frame().unchecked = outer;
        Ok(())
    }

    pub(super) fn block(&mut self, statements: &[StatementId]) -> Result<Flow, Stop> {
        for statement in statements {
            self.descend()?;
            let flow = self.statement(*statement);
            self.nesting -= 1;
            let flow = flow?;
            if flow != Flow::Next {
                return Ok(flow);
            }
        }
        Ok(Flow::Next)
    }

    fn statement(&mut self, id: StatementId) -> Result<Flow, Stop> {
        match &self.types.ast[id] {
            Statement::Expression(value) => {
                self.evaluate(*value)?;
            }
            Statement::Declare { variables, value } => match value {
                None => {
                    for id in variables.iter().flatten() {
                        let value = self.first_value(*id);
                        self.frame().locals.insert(*id, value);
                    }
                }
                Some(value) => self.declare(variables, *value)?,
            },
            Statement::If { condition, yes, no } => {
                return match (self.truth(*condition)?, no) {
                    (true, _) => self.block(yes),
                    (false, Some(no)) => self.block(no),
                    (false, None) => Ok(Flow::Next),
                };
            }
            Statement::For { .. } | Statement::While { .. } | Statement::DoWhile { .. } => {
                return self.repeated(id);
            }
            Statement::Block(body) => return self.block(body),
            Statement::Unchecked(body) => {
                let outer = std::mem::replace(&mut self.frame().unchecked, true);
                let flow = self.block(body)?;
                self.frame().unchecked = outer;
                return Ok(flow);
            }
            Statement::Return(values) => {
                self.returned(values)?;
                return Ok(Flow::Return);
            }
            Statement::Emit(signal, arguments) => {
                let parameters = &self.types.ast[*signal].parameters;
                let values = self.arguments(parameters, arguments)?;
                self.tell(*signal, values);
            }
            Statement::Revert(signal, arguments) => {
                let Some(signal) = signal else {
                    return Err(Stop::Revert(Reason::Silent));
                };
                let parameters = &self.types.ast[*signal].parameters;
                let values = self.arguments(parameters, arguments)?;
                return Err(Stop::Revert(Reason::Signal(*signal, values)));
            }
            Statement::Require(condition) => {
                if !self.truth(*condition)? {
                    return Err(Stop::Revert(Reason::Text(REQUIRE_TEXT)));
                }
            }
            Statement::Assert(condition) => {
                if !self.truth(*condition)? {
                    return Err(Stop::Fault(Fault::Assertion));
                }
            }
            Statement::Break => return Ok(Flow::Break),
            Statement::Continue => return Ok(Flow::Continue),
            Statement::Underscore => self.enter()?,
            Statement::Comment(_) => {}
            Statement::Try {
                call,
                results,
                body,
                catches,
            } => return self.attempt(*call, results, body, catches),
            Statement::Assembly(_) => return Err(Stop::Unknown("inline assembly")),
        }
        Ok(Flow::Next)
    }

    /// Whole values of the arguments of an event or error.
    fn arguments(
        &mut self,
        parameters: &[VariableId],
        arguments: &[ExpressionId],
    ) -> Result<Vec<Value>, Stop> {
        let mut values = Vec::with_capacity(arguments.len());
        for (parameter, argument) in parameters.iter().zip(arguments) {
            let value = self.evaluate_for(*argument, *parameter)?;
            values.push(self.whole(&value)?);
        }
        Ok(values)
    }

    fn declare(
        &mut self,
        variables: &[Option<VariableId>],
        value: ExpressionId,
    ) -> Result<(), Stop> {
        if let [Some(id)] = variables {
            let value = self.evaluate_for(value, *id)?;
            self.frame().locals.insert(*id, value);
            return Ok(());
        }
        let values = self.several(value)?;
        for (id, (form, value)) in variables.iter().zip(values) {
            if let Some(id) = id {
                let value = self.fitted(value, &form, *id)?;
                self.frame().locals.insert(*id, value);
            }
        }
        Ok(())
    }

    fn returned(&mut self, values: &[ExpressionId]) -> Result<(), Stop> {
        let ast = self.types.ast;
        let (function, _) = self.frame().entered.expect("a function was called");
        let results = &ast[function].results;
        let mut returned = Vec::with_capacity(results.len());
        if let ([value], true) = (values, results.len() > 1) {
            for (id, (form, value)) in results.iter().zip(self.several(*value)?) {
                returned.push((*id, self.fitted(value, &form, *id)?));
            }
        } else {
            for (id, value) in results.iter().zip(values) {
                returned.push((*id, self.evaluate_for(*value, *id)?));
            }
        }
        self.frame().locals.extend(returned);
        Ok(())
    }

    fn repeated(&mut self, id: StatementId) -> Result<Flow, Stop> {
        let ast = self.types.ast;
        let (condition, step, body, tests_first) = match &ast[id] {
            Statement::For {
                start,
                condition,
                step,
                body,
            } => {
                if let Some(start) = start {
                    self.statement(*start)?;
                }
                (*condition, *step, body, true)
            }
            Statement::While { condition, body } => (Some(*condition), None, body, true),
            Statement::DoWhile { body, condition } => (Some(*condition), None, body, false),
            _ => return Ok(Flow::Next),
        };
        let mut tested = !tests_first;
        loop {
            self.step()?;
            if !tested
                && let Some(condition) = condition
                && !self.truth(condition)?
            {
                return Ok(Flow::Next);
            }
            tested = false;
            match self.block(body)? {
                Flow::Break => return Ok(Flow::Next),
                Flow::Return => return Ok(Flow::Return),
                Flow::Next | Flow::Continue => {}
            }
            if let Some(step) = step {
                self.evaluate(step)?;
            }
        }
    }
}
