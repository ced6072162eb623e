//! What statements do.

use super::data::Value;
use super::effects::After;
use super::machine::{Machine, Order, Reason, Stop};
use super::number::Fault;
use crate::ast::{
    ExpressionId, Invocation, ModifierId, Owner, REQUIRE_TEXT, SignalId, Statement, StatementId,
    VariableId,
};
use crate::typing::Form;

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
                // The same modifier may be under way already.
                let own = self.own_variables(*id);
                let mut values = Vec::with_capacity(arguments.len());
                for (parameter, argument) in ast[*id].parameters.iter().zip(arguments) {
                    values.push((*parameter, self.evaluate_for(*argument, *parameter)?));
                }
                let locals = &mut self.frame().locals;
                let outer: Vec<(VariableId, Value)> = own
                    .iter()
                    .filter_map(|id| Some((*id, locals.remove(id)?)))
                    .collect();
                locals.extend(values);
                self.frame().entered = Some((function, level + 1));
                let body = self.block(&ast[*id].body);
                self.frame().entered = Some((function, level));
                body?;
                self.frame().locals.extend(outer);
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

    /// `_`: by way of Yul, whatever follows begins with the arguments that the
    /// function was given, and without results.
    fn enter_again(&mut self) -> Result<(), Stop> {
        if self.run.order == Order::RightFirst {
            return self.enter();
        }
        let ast = self.types.ast;
        let (function, _) = self.frame().entered.expect("a function was called");
        for id in &ast[function].results {
            let value = self.first_value(*id);
            self.frame().locals.insert(*id, value);
        }
        let parameters = ast[function].parameters.iter();
        let given: Vec<(VariableId, Value)> = parameters
            .filter_map(|id| Some((*id, self.frame().locals.get(id)?.clone())))
            .collect();
        self.enter()?;
        self.frame().locals.extend(given);
        Ok(())
    }

    /// The parameters and local variables of a modifier.
    fn own_variables(&self, modifier: ModifierId) -> Vec<VariableId> {
        let ast = self.types.ast;
        let mut own = ast[modifier].parameters.clone();
        let owners = ast.statements.iter().zip(&ast.statement_owners);
        for (statement, owner) in owners {
            if *owner == Owner::Modifier(modifier)
                && let Statement::Declare { variables, .. } = statement
            {
                own.extend(variables.iter().flatten());
            }
        }
        own
    }

    pub(super) fn block(&mut self, statements: &[StatementId]) -> Result<Flow, Stop> {
        for statement in statements {
            self.descend()?;
            let flow = self.statement(*statement);
            self.nesting -= 1;
            if flow.is_err() && self.stopped.statement.is_none() {
                self.stopped.statement = Some(*statement);
            }
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
                None => self.declare_zeros(variables),
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
                let flow = self.repeated(id);
                if flow.is_err() {
                    self.stopped.loops.push(id);
                }
                return flow;
            }
            Statement::Block(body) => return self.block(body),
            Statement::Unchecked(body) => return self.unchecked(body),
            Statement::Return(values) => {
                self.returned(values)?;
                return Ok(Flow::Return);
            }
            Statement::Emit(signal, arguments) => self.emit(*signal, arguments)?,
            Statement::Revert(signal, arguments) => {
                return Err(Stop::Revert(self.reason(*signal, arguments)?));
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
            Statement::Underscore => self.enter_again()?,
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

    fn unchecked(&mut self, body: &[StatementId]) -> Result<Flow, Stop> {
        let outer = std::mem::replace(&mut self.frame().unchecked, true);
        let flow = self.block(body)?;
        self.frame().unchecked = outer;
        Ok(flow)
    }

    fn emit(&mut self, signal: SignalId, arguments: &[ExpressionId]) -> Result<(), Stop> {
        let parameters = &self.types.ast[signal].parameters;
        let values = self.event_list(parameters, arguments)?;
        let values = self.signalled(parameters, arguments, values)?;
        self.tell(signal, values);
        Ok(())
    }

    /// Local variables without a value of their own.
    fn declare_zeros(&mut self, variables: &[Option<VariableId>]) {
        for id in variables.iter().flatten() {
            // Once a variable kept its value from the last round.
            if !self.run.has_block_scopes && self.frame().locals.contains_key(id) {
                continue;
            }
            let value = self.first_value(*id);
            self.frame().locals.insert(*id, value);
        }
    }

    /// What `revert` says.
    fn reason(
        &mut self,
        signal: Option<SignalId>,
        arguments: &[ExpressionId],
    ) -> Result<Reason, Stop> {
        let Some(signal) = signal else {
            return Ok(Reason::Silent);
        };
        let parameters = &self.types.ast[signal].parameters;
        let values = self.list(arguments, After::Copied)?;
        let values = self.signalled(parameters, arguments, values)?;
        Ok(Reason::Signal(signal, values))
    }

    /// The arguments of an event or error as they are encoded: whole.
    pub(super) fn signalled(
        &mut self,
        parameters: &[VariableId],
        arguments: &[ExpressionId],
        values: Vec<Value>,
    ) -> Result<Vec<Value>, Stop> {
        let mut encoded = Vec::with_capacity(values.len());
        for ((parameter, argument), value) in parameters.iter().zip(arguments).zip(values) {
            let from = self.form(*argument).clone();
            let to = Form::of(self.types, self.types.ast[*parameter].kind);
            let value = self.converted(value, &from, &to)?;
            encoded.push(self.whole(&value)?);
        }
        Ok(encoded)
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
            let values = self.list_for(results, values)?;
            returned.extend(results.iter().copied().zip(values));
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
        loop {
            self.step()?;
            if tests_first && !self.goes_on(condition)? {
                return Ok(Flow::Next);
            }
            match self.block(body)? {
                Flow::Break => return Ok(Flow::Next),
                Flow::Return => return Ok(Flow::Return),
                // Once it went past the condition of `do … while`.
                Flow::Continue if !tests_first && !self.run.has_block_scopes => continue,
                Flow::Next | Flow::Continue => {}
            }
            if let Some(step) = step {
                self.evaluate(step)?;
            }
            if !tests_first && !self.goes_on(condition)? {
                return Ok(Flow::Next);
            }
        }
    }

    /// The condition of a loop; without one it goes on.
    fn goes_on(&mut self, condition: Option<ExpressionId>) -> Result<bool, Stop> {
        condition.map_or(Ok(true), |condition| self.truth(condition))
    }
}
