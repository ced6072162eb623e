//! The rules of statements.

use super::{Rules, Typed};
use crate::ast::{Expression, ExpressionId, Owner, SignalId, Statement, StatementId, VariableId};
use crate::types::{BOOLS, Location};

impl Rules<'_> {
    pub(super) fn statements(&mut self) {
        for number in 0..self.ast.statements.len() {
            let owner = self.ast.statement_owners[number];
            self.statement(StatementId(number as u32), owner);
        }
    }

    fn statement(&mut self, id: StatementId, owner: Owner) {
        match &self.ast[id] {
            Statement::Declare { variables, value } => self.declare(variables, *value),
            Statement::If { condition, .. }
            | Statement::While { condition, .. }
            | Statement::DoWhile { condition, .. }
            | Statement::Require(condition)
            | Statement::Assert(condition)
            | Statement::For {
                condition: Some(condition),
                ..
            } => self.restrict(*condition, BOOLS),
            Statement::Return(values) => {
                for (at, &value) in values.iter().enumerate() {
                    if let Some(&result) = self.results(owner).get(at) {
                        self.hand_over(value, result);
                    }
                }
            }
            Statement::Emit(signal, arguments) => {
                self.needs(owner, super::WRITING);
                self.signal(*signal, arguments);
            }
            Statement::Revert(Some(signal), arguments) => self.signal(*signal, arguments),
            Statement::Try { call, results, .. } => self.attempt(*call, results),
            Statement::Expression(_)
            | Statement::For {
                condition: None, ..
            }
            | Statement::Block(_)
            | Statement::Unchecked(_)
            | Statement::Revert(None, _)
            | Statement::Break
            | Statement::Continue
            | Statement::Underscore
            | Statement::Assembly(_)
            | Statement::Comment(_) => {}
        }
    }

    /// A value goes to a variable.
    fn hand_over(&mut self, value: ExpressionId, to: VariableId) {
        let variable = &self.ast[to];
        self.converts(value, variable.kind);
        self.flows(value, variable.location);
    }

    fn declare(&mut self, variables: &[Option<VariableId>], value: Option<ExpressionId>) {
        let Some(value) = value else {
            // A pointer has to point somewhere.
            for variable in variables.iter().flatten() {
                if let Some(location) = self.ast[*variable].location {
                    debug_assert!(self.is_local(*variable));
                    self.set.restrict(location, Location::Memory.bit());
                }
            }
            return;
        };
        if let [Some(variable)] = variables {
            self.hand_over(value, *variable);
            return;
        }
        for (at, variable) in variables.iter().enumerate() {
            if let (Some(variable), Some(typed)) = (variable, self.part(value, at)) {
                self.hand_over_typed(typed, *variable);
            }
        }
    }

    fn hand_over_typed(&mut self, value: Typed, to: VariableId) {
        let variable = &self.ast[to];
        self.converts_typed(value, variable.kind);
        self.flows_typed(value, variable.location);
    }

    pub(super) fn signal(&mut self, id: SignalId, arguments: &[ExpressionId]) {
        let parameters = &self.ast[id].parameters;
        for (&argument, &parameter) in arguments.iter().zip(parameters) {
            self.converts(argument, self.ast[parameter].kind);
        }
    }

    /// The names of a `try` have exactly the types of the call's results.
    fn attempt(&mut self, call: ExpressionId, names: &[VariableId]) {
        let Expression::Call { function, .. } = &self.ast[self.ast.call_of(call)] else {
            // A new contract: the name has its type, which is not open.
            return;
        };
        let results = &self.ast[*function].results;
        for (&name, &result) in names.iter().zip(results) {
            let (name, result) = (&self.ast[name], &self.ast[result]);
            self.same(self.ast[name.kind], self.ast[result.kind], false);
            if let Some(location) = name.location {
                self.set.restrict(location, Location::Memory.bit());
            }
        }
    }
}
