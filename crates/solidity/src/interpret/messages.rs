//! Calls that leave the contract: what goes along, whom they reach, and what
//! comes back.

use dashu_int::IBig;

use super::data::Value;
use super::effects::{After, Touched};
use super::encode::SELECTOR;
use super::expressions::word;
use super::machine::{Machine, Reason, Stop};
use super::statements::Flow;
use crate::ast::{
    CallOption, CatchKind, ContractId, Expression, ExpressionId, FunctionId, StatementId, Type,
    VariableId, Via,
};
use crate::types::Elementary;
use crate::typing::Form;

pub(super) const NO_ADDRESS: Stop = Stop::Unknown("the address of a contract");

/// An external call whose arguments are computed.
pub(super) struct Outgoing {
    /// Nothing if it is the contract itself.
    to: Option<IBig>,
    what: Callee,
    values: Vec<Value>,
    /// The wei that go along.
    wei: IBig,
}

#[derive(Clone, Copy)]
enum Callee {
    Function(FunctionId),
    Getter(VariableId),
    Constructor(ContractId),
}

impl<'a> Machine<'a> {
    /// A call, a getter or a new contract, with or without options, up to where
    /// it leaves the contract.
    pub(super) fn outgoing(&mut self, id: ExpressionId) -> Result<Outgoing, Stop> {
        let ast = self.types.ast;
        let (call, options): (_, &[(CallOption, ExpressionId)]) = match &ast[id] {
            Expression::With { call, options, .. } => (*call, options),
            _ => (id, &[]),
        };
        let (what, to, arguments) = self.callee(call)?;
        if options.iter().any(|(kind, _)| *kind != CallOption::Value) {
            return Err(Stop::Unknown("an amount of gas, or a salt"));
        }
        let paid = options.first().map(|(_, amount)| *amount);
        let members = paid.iter().chain(arguments).copied();
        let members: Vec<ExpressionId> = members.collect();
        let mut values = self.list(&members, After::Copied)?;
        let wei = match paid {
            Some(_) => word(values.remove(0))?,
            None => IBig::ZERO,
        };
        let forms = self.taken(what, arguments.len())?;
        let values = self.sent(&forms, arguments, values)?;
        // Who has no code cannot be called, which the caller finds out.
        if !matches!(what, Callee::Constructor(_)) && !self.has_code(to.as_ref()) {
            return Err(Stop::Revert(Reason::Silent));
        }
        Ok(Outgoing {
            to,
            what,
            values,
            wei,
        })
    }

    /// Whom an expression calls, where that is, and with which arguments.
    fn callee(
        &mut self,
        call: ExpressionId,
    ) -> Result<(Callee, Option<IBig>, &'a [ExpressionId]), Stop> {
        let ast = self.types.ast;
        match &ast[call] {
            Expression::Call {
                function,
                via,
                arguments,
            } => Ok((Callee::Function(*function), self.reached(*via)?, arguments)),
            Expression::Getter {
                variable,
                via,
                arguments,
            } => Ok((Callee::Getter(*variable), self.reached(*via)?, arguments)),
            Expression::New {
                contract,
                arguments,
            } => Ok((Callee::Constructor(*contract), None, arguments)),
            Expression::CallValue {
                callee, arguments, ..
            } => {
                let value = word(self.evaluate(*callee)?)?;
                let address = &value >> (8 * SELECTOR);
                let selector = value - (&address << (8 * SELECTOR));
                let to = self.elsewhere(address);
                if !self.has_code(to.as_ref()) {
                    return Err(Stop::Unknown("a call of nobody"));
                }
                let function = self.function_of_selector(to.as_ref(), &selector);
                let function = function.ok_or(Stop::Unknown("a call of nobody"))?;
                Ok((Callee::Function(function), to, arguments))
            }
            _ => Err(Stop::Unknown("an external call of another kind")),
        }
    }

    /// The address of another contract; nothing for the contract itself.
    pub(super) fn elsewhere(&self, address: IBig) -> Option<IBig> {
        Some(address).filter(|to| Some(to) != self.run.world.this.as_ref())
    }

    fn reached(&mut self, via: Via) -> Result<Option<IBig>, Stop> {
        match via {
            Via::On(on) => {
                let address = word(self.evaluate(on)?)?;
                Ok(self.elsewhere(address))
            }
            Via::Name | Via::This | Via::Super | Via::Library | Via::Attached => Ok(None),
        }
    }

    /// True if there is a contract that is made already.
    pub(super) fn has_code(&self, to: Option<&IBig>) -> bool {
        match to {
            None => !self.run.is_under_construction,
            Some(address) => self
                .run
                .others
                .get(address)
                .is_some_and(|account| !account.is_under_construction),
        }
    }

    /// The types that arguments have to have.
    fn taken(&self, what: Callee, count: usize) -> Result<Vec<Form>, Stop> {
        let ast = self.types.ast;
        let function = match what {
            Callee::Function(function) => Some(function),
            Callee::Constructor(contract) => self.constructor(contract),
            Callee::Getter(variable) => return self.keys_of(variable, count),
        };
        let parameters = function.map_or(&[][..], |function| &ast[function].parameters);
        let forms = parameters.iter();
        Ok(forms
            .map(|id| Form::of(self.types, ast[*id].kind))
            .collect())
    }

    /// Arguments as they are encoded, whole.
    fn sent(
        &mut self,
        forms: &[Form],
        arguments: &[ExpressionId],
        values: Vec<Value>,
    ) -> Result<Vec<Value>, Stop> {
        let mut sent = Vec::with_capacity(values.len());
        for ((to, argument), value) in forms.iter().zip(arguments).zip(values) {
            let from = self.form(*argument).clone();
            let value = self.converted(value, &from, to)?;
            sent.push(self.whole(&value)?);
        }
        Ok(sent)
    }

    /// The types of the keys and indices of a getter.
    fn keys_of(&self, variable: VariableId, count: usize) -> Result<Vec<Form>, Stop> {
        let ast = self.types.ast;
        let mut kind = ast[variable].kind;
        let mut keys = Vec::with_capacity(count);
        for _ in 0..count {
            let (key, next) = match ast[kind] {
                Type::Array { element, .. } => (Form::Elementary(Elementary::UINT256), element),
                Type::Mapping { key, value } => (Form::of(self.types, key), value),
                _ => return Err(Stop::Unknown("a getter of another kind")),
            };
            keys.push(key);
            kind = next;
        }
        Ok(keys)
    }

    /// Leaves the contract. After a failure everything is as before.
    pub(super) fn send(&mut self, call: Outgoing) -> Result<Vec<Value>, Stop> {
        let Outgoing {
            to,
            what,
            values,
            wei,
        } = call;
        if !self.can_pay(&wei)? {
            return Err(Stop::Revert(Reason::Silent));
        }
        match what {
            Callee::Constructor(contract) => Ok(vec![self.create(contract, values, wei)?]),
            Callee::Function(function) => {
                let data = self.call_data(function, &values);
                self.visit(to.as_ref(), wei, data, |machine| {
                    let reached = machine.overriding(function);
                    let values = machine.located(reached, values);
                    let results = machine.invoke(reached, values)?;
                    machine.copies(results)
                })
            }
            Callee::Getter(variable) => self.visit(to.as_ref(), wei, None, |machine| {
                let results = machine.got(variable, values)?;
                machine.copies(results)
            }),
        }
    }

    /// Runs the code of a contract, with wei that are there. After a failure
    /// everything is as before.
    pub(super) fn visit<T>(
        &mut self,
        to: Option<&IBig>,
        wei: IBig,
        data: Option<Vec<u8>>,
        run: impl FnOnce(&mut Self) -> Result<T, Stop>,
    ) -> Result<T, Stop> {
        let before = self.snapshot();
        if let Some(to) = to {
            self.pay(to, &wei);
        }
        let data = std::mem::replace(&mut self.run.world.data, data);
        let value = std::mem::replace(&mut self.run.world.value, wei);
        let done = match to {
            Some(address) => self.within(address, run),
            None => {
                let this = self.run.world.this.clone();
                let sender = std::mem::replace(&mut self.run.world.sender, this);
                let done = run(self);
                self.run.world.sender = sender;
                done
            }
        };
        self.run.world.data = data;
        self.run.world.value = value;
        done.map_err(|stop| {
            self.take_back(before);
            self.returned_failure(stop)
        })
    }

    /// A failure as the caller gets to see it.
    pub(super) fn returned_failure(&self, stop: Stop) -> Stop {
        match stop {
            // All the gas is gone then.
            Stop::Fault(_) if !self.run.arithmetic.checked => {
                Stop::Unknown("a fault within a call")
            }
            stop => stop,
        }
    }

    /// True if the contract has so many wei.
    pub(super) fn can_pay(&self, wei: &IBig) -> Result<bool, Stop> {
        if *wei == IBig::ZERO {
            return Ok(true);
        }
        let this = self.run.world.this.as_ref().ok_or(NO_ADDRESS)?;
        Ok(self.balance(this) >= *wei)
    }

    /// What an account has.
    pub(super) fn balance(&self, address: &IBig) -> IBig {
        self.note_read(|| Touched::Chain);
        let found = self.run.balances.get(address);
        found.cloned().unwrap_or_default()
    }

    /// Wei of the contract become those of another.
    pub(super) fn pay(&mut self, to: &IBig, wei: &IBig) {
        if *wei == IBig::ZERO {
            return;
        }
        self.note_write(|| Touched::Chain);
        if let Some(this) = self.run.world.this.clone() {
            *self.run.balances.entry(this).or_default() -= wei;
        }
        *self.run.balances.entry(to.clone()).or_default() += wei;
    }

    /// `try`: only a failure of what is called is caught.
    pub(super) fn attempt(
        &mut self,
        call: ExpressionId,
        results: &[VariableId],
        body: &[StatementId],
        catches: &[(CatchKind, Vec<StatementId>)],
    ) -> Result<Flow, Stop> {
        let outgoing = self.outgoing(call)?;
        let stop = match self.send(outgoing) {
            Ok(values) => {
                for (id, value) in results.iter().zip(values) {
                    self.frame().locals.insert(*id, value);
                }
                return self.block(body);
            }
            Err(stop @ (Stop::Unknown(_) | Stop::TooLong)) => return Err(stop),
            Err(stop) => stop,
        };
        let fits = |kind: CatchKind| match kind {
            CatchKind::Error => matches!(stop, Stop::Revert(Reason::Text(_))),
            CatchKind::Panic => matches!(stop, Stop::Fault(_)),
            CatchKind::All | CatchKind::Bytes => true,
        };
        match catches.iter().find(|(kind, _)| fits(*kind)) {
            Some((_, body)) => {
                self.forget_failure();
                self.block(body)
            }
            None => Err(stop),
        }
    }
}
