//! Functions that call themselves or each other, a few times: a parameter
//! says how often.

use lydite_core::Reject;

use super::Generator;
use super::options::Part;
use super::weights::Draw;
use crate::ast::{
    BinaryOp, ContractId, Expression, ExpressionId, Function, FunctionId, FunctionName, Owner,
    Role, Statement, StatementId, VariableId, Via,
};
use crate::qualify::Kind;
use crate::types::{Elementary, Location, Mutability, Visibility};

/// How many calls deep the first of them goes, at most.
const ROUNDS: u64 = 4;

/// A function that calls another, and the parameter that counts down.
#[derive(Clone, Copy, Debug)]
pub(super) struct Round {
    function: FunctionId,
    next: FunctionId,
    counter: VariableId,
}

impl Generator<'_> {
    /// Sometimes lets one of the functions call itself, or a twin that calls
    /// it back; gives the twin.
    pub(super) fn recursion(
        &mut self,
        contract: ContractId,
        functions: &[FunctionId],
    ) -> Result<Option<FunctionId>, Reject> {
        if !self.allows(Part::Recursion) || !self.often(Draw::Recursion)? {
            return Ok(None);
        }
        let fitting = functions.iter().copied().filter(|&id| self.can_recur(id));
        let fitting: Vec<FunctionId> = fitting.collect();
        if fitting.is_empty() {
            return Ok(None);
        }
        let function = *self.choices.pick(&fitting)?;
        let counter = self.counter(function);
        if !self.often(Draw::Twins)? {
            self.rounds.push(Round {
                function,
                next: function,
                counter,
            });
            return Ok(None);
        }
        let twin = self.twin(contract, function);
        let parameters = &self.ast[twin].parameters;
        let own = parameters[parameters.len() - 1];
        self.rounds.extend([
            Round {
                function,
                next: twin,
                counter,
            },
            Round {
                function: twin,
                next: function,
                counter: own,
            },
        ]);
        Ok(Some(twin))
    }

    fn can_recur(&self, id: FunctionId) -> bool {
        let function = &self.ast[id];
        let hidden = [Visibility::Public.number(), Visibility::Internal.number()];
        let visibility = function.visibility.map(|own| self.witness(own));
        let own = function.parameters.iter().chain(&function.results);
        let slots: u32 = own.map(|&own| self.slots_of(self.ast[own].kind)).sum();
        matches!(function.name, FunctionName::Named(_))
            && function.body.is_some()
            && !function.is_virtual
            && !function.is_override
            && visibility.is_some_and(|own| hidden.contains(&own))
            && slots < self.options.slots
    }

    /// A parameter more, which counts.
    fn counter(&mut self, id: FunctionId) -> VariableId {
        let kind = Elementary::uint(8);
        let kind = self.leaf_within(kind, kind.bit());
        let counter = self.frame_variable(Role::Parameter, kind, Location::Memory);
        self.ast[id].parameters.push(counter);
        counter
    }

    /// Another function with the same parameters and results.
    fn twin(&mut self, contract: ContractId, like: FunctionId) -> FunctionId {
        let copied = self.ast[like].clone();
        let mut copy = |variables: &[VariableId]| {
            let mut copies = Vec::new();
            for &id in variables {
                let kind = self.like(self.ast[id].kind);
                let role = self.ast[id].role;
                let location = self.location_of(id);
                copies.push(self.frame_variable(role, kind, location));
            }
            copies
        };
        let parameters = copy(&copied.parameters);
        let results = copy(&copied.results);
        let internal = Visibility::Internal;
        let domain = internal.bit() | Visibility::Private.bit();
        let visibility = self.declare(Kind::Visibility, domain, internal.number());
        let value = Mutability::NonPayable;
        let domain = super::functions::UNPAID;
        let mutability = self.declare(Kind::Mutability, domain, value.number());
        let intent = self.intents[like.0 as usize];
        let function = Function {
            name: FunctionName::Named(self.ast.functions.len() as u32),
            contract: Some(contract),
            parameters,
            results,
            visibility: Some(visibility),
            mutability: Some(mutability),
            modifiers: Vec::new(),
            is_virtual: false,
            is_override: false,
            body: Some(Vec::new()),
        };
        self.add_function(function, intent)
    }

    /// True for a parameter that counts: nothing else uses it.
    pub(super) fn is_counter(&self, id: VariableId) -> bool {
        self.rounds.iter().any(|round| round.counter == id)
    }

    /// What callers give a parameter that counts.
    pub(super) fn first_count(&mut self) -> Result<ExpressionId, Reject> {
        let rounds = self.choices.below(ROUNDS)?;
        Ok(self.number(rounds))
    }

    /// `if (n > 0) r = f(…, (n - 1) % 4);`, if the function is one of those.
    pub(super) fn next_round(&mut self, id: FunctionId) -> Option<StatementId> {
        let round = self.rounds.iter().find(|round| round.function == id);
        let Round { next, counter, .. } = *round?;
        self.frame.owner = Owner::Function(id);
        let mut arguments = Vec::new();
        for parameter in self.ast[id].parameters.clone() {
            arguments.push(self.expression(Expression::Variable(parameter)));
        }
        arguments.pop();
        let left = self.expression(Expression::Variable(counter));
        let right = self.number(1);
        let op = BinaryOp::Sub;
        let left = self.expression(Expression::Binary { op, left, right });
        let right = self.number(ROUNDS);
        let op = BinaryOp::Mod;
        arguments.push(self.expression(Expression::Binary { op, left, right }));
        let mut value = self.expression(Expression::Call {
            function: next,
            via: Via::Name,
            arguments,
        });
        if let [result] = self.ast[id].results[..]
            && self.ast[result].location.is_none()
        {
            let target = self.expression(Expression::Variable(result));
            let op = None;
            value = self.expression(Expression::Assign { op, target, value });
        }
        let call = self.statement(Statement::Expression(value));
        let left = self.expression(Expression::Variable(counter));
        let right = self.number(0);
        let op = BinaryOp::Greater;
        let condition = self.expression(Expression::Binary { op, left, right });
        let (yes, no) = (vec![call], None);
        Some(self.statement(Statement::If { condition, yes, no }))
    }
}
