//! Statements around statements: conditionals, loops, blocks, `try`.

use lydite_core::Reject;

use super::calls::Callee;
use super::options::Part;
use super::weights::Draw;
use super::{Generator, Intent};
use crate::ast::{
    CatchKind, ContractId, Expression, ExpressionId, Role, Statement, StatementId, Type, TypeId,
    UnaryOp, VariableId,
};
use crate::types::{Location, NUMBERS};
use crate::version::Feature;

impl Generator<'_> {
    pub(super) fn conditional(&mut self, depth: u32) -> Result<Option<StatementId>, Reject> {
        let condition = self.boolean(self.options.depth)?;
        let yes = self.block(depth - 1)?;
        let no = match self.often(Draw::Elses)? {
            true => Some(self.block(depth - 1)?),
            false => None,
        };
        Ok(Some(self.statement(Statement::If { condition, yes, no })))
    }

    pub(super) fn plain_block(&mut self, depth: u32) -> Result<Option<StatementId>, Reject> {
        let body = self.block(depth - 1)?;
        Ok(Some(self.statement(Statement::Block(body))))
    }

    pub(super) fn for_loop(&mut self, depth: u32) -> Result<Option<StatementId>, Reject> {
        let (start, counter) = self.loop_start()?;
        let condition = match self.often(Draw::LoopConditions)? {
            true => Some(self.boolean(self.options.depth)?),
            false => None,
        };
        let step = self.loop_step()?;
        let body = self.loop_body(depth)?;
        if let Some(counter) = counter {
            self.frame.scope.retain(|&variable| variable != counter);
            self.frame.slots -= 1;
        }
        Ok(Some(self.statement(Statement::For {
            start,
            condition,
            step,
            body,
        })))
    }

    /// What a loop starts with, and the variable that only the loop sees.
    fn loop_start(&mut self) -> Result<(Option<StatementId>, Option<VariableId>), Reject> {
        match self.choices.below(3)? {
            1 if self.frame.slots < self.options.slots => {
                let kind = self.pick_elementary(NUMBERS)?;
                let kind = self.leaf(kind);
                let wanted = self.wanted(kind);
                let depth = self.options.depth.min(1);
                let value = self.value(wanted, super::context::ANYWHERE, depth, true)?;
                let variable = self.frame_variable(Role::Local, kind, Location::Memory);
                self.frame.slots += 1;
                self.frame.scope.push(variable);
                let start = self.statement(Statement::Declare {
                    variables: vec![Some(variable)],
                    value: Some(value),
                });
                Ok((Some(start), Some(variable)))
            }
            2 => {
                let accesses = self.accesses(true, |kind, _, _| !self.is_reference(kind));
                if accesses.is_empty() {
                    return Ok((None, None));
                }
                let access = *self.choices.pick(&accesses)?;
                let value = self.assign(access, self.options.depth.min(1))?;
                let start = self.statement(Statement::Expression(value));
                Ok((Some(start), None))
            }
            _ => Ok((None, None)),
        }
    }

    /// What follows each round of a loop.
    fn loop_step(&mut self) -> Result<Option<ExpressionId>, Reject> {
        let accesses = self.accesses(true, |kind, _, _| self.is_within(kind, NUMBERS));
        if accesses.is_empty() || self.percent(10)? {
            return Ok(None);
        }
        let access = *self.choices.pick(&accesses)?;
        if self.percent(25)? {
            return Ok(Some(self.assign(access, self.options.depth.min(1))?));
        }
        let op = *self.choices.pick(&[
            UnaryOp::PostIncrement,
            UnaryOp::Increment,
            UnaryOp::PostDecrement,
            UnaryOp::Decrement,
        ])?;
        let operand = self.follow(access, 0)?;
        Ok(Some(self.expression(Expression::Unary { op, operand })))
    }

    pub(super) fn while_loop(&mut self, depth: u32) -> Result<Option<StatementId>, Reject> {
        let condition = self.boolean(self.options.depth)?;
        let body = self.loop_body(depth)?;
        let statement = match self.often(Draw::DoLoops)? {
            true => Statement::DoWhile { body, condition },
            false => Statement::While { condition, body },
        };
        Ok(Some(self.statement(statement)))
    }

    fn loop_body(&mut self, depth: u32) -> Result<Vec<StatementId>, Reject> {
        let outer = std::mem::replace(&mut self.frame.in_loop, true);
        let body = self.block(depth - 1);
        self.frame.in_loop = outer;
        body
    }

    pub(super) fn unchecked(&mut self, depth: u32) -> Result<Option<StatementId>, Reject> {
        if self.frame.in_unchecked {
            return self.assignment_statement();
        }
        self.frame.in_unchecked = true;
        let body = self.block(depth - 1);
        self.frame.in_unchecked = false;
        let body = body?;
        Ok(Some(self.statement(Statement::Unchecked(body))))
    }

    /// `try this.f() { … } catch { … }`, or the same with `new`.
    pub(super) fn attempt(&mut self, depth: u32) -> Result<Option<StatementId>, Reject> {
        if !self.has(Feature::Try) {
            return self.assignment_statement();
        }
        let mut callees = self.callees();
        callees.retain(Callee::is_external);
        let contracts = self.creatable();
        if callees.is_empty() && contracts.is_empty() {
            return self.assignment_statement();
        }
        let inner = self.options.depth.min(2);
        let (call, kinds) = match callees.is_empty() || !contracts.is_empty() && self.percent(25)? {
            true => {
                let contract = *self.choices.pick(&contracts)?;
                let kind = self.ast.add_type(Type::Contract(contract));
                (self.creation(contract, inner)?, vec![kind])
            }
            false => {
                let callee = *self.choices.pick(&callees)?;
                let results = self.ast[callee.function].results.iter();
                let kinds = results.map(|&result| self.ast[result].kind).collect();
                (self.call(callee, inner)?, kinds)
            }
        };
        let (results, body) = self.success(&kinds, depth)?;
        let catches = self.catches(depth)?;
        Ok(Some(self.statement(Statement::Try {
            call,
            results,
            body,
            catches,
        })))
    }

    /// Names for the results of a call that succeeded, and what is done then.
    fn success(
        &mut self,
        kinds: &[TypeId],
        depth: u32,
    ) -> Result<(Vec<VariableId>, Vec<StatementId>), Reject> {
        let (scope, slots) = (self.frame.scope.len(), self.frame.slots);
        let mut results = Vec::new();
        if self.percent(70)? {
            for &kind in kinds {
                let kind = self.like(kind);
                let variable = self.frame_variable(Role::Local, kind, Location::Memory);
                self.frame.slots += self.slots_of(kind);
                self.frame.scope.push(variable);
                results.push(variable);
            }
        }
        let body = self.block(depth - 1)?;
        self.frame.scope.truncate(scope);
        self.frame.slots = slots;
        Ok((results, body))
    }

    fn catches(&mut self, depth: u32) -> Result<Vec<(CatchKind, Vec<StatementId>)>, Reject> {
        let mut kinds = vec![CatchKind::All, CatchKind::Error, CatchKind::Bytes];
        if self.has(Feature::Panic) {
            kinds.push(CatchKind::Panic);
        }
        let kind = *self.choices.pick(&kinds)?;
        let mut catches = vec![(kind, self.block(depth - 1)?)];
        if matches!(kind, CatchKind::Error | CatchKind::Panic) && self.percent(80)? {
            catches.push((CatchKind::All, Vec::new()));
        }
        Ok(catches)
    }

    /// Contracts that can be made here.
    fn creatable(&self) -> Vec<ContractId> {
        if self.frame.intent < Intent::Write || !self.allows(Part::External) {
            return Vec::new();
        }
        let mut known = self.known_contracts();
        known.retain(|&contract| self.can_create(contract));
        known
    }
}
