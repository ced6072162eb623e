//! Programs that are run while they are written: a machine is put aside, the
//! program grows, and the machine goes on, statement by statement.

use std::cell::RefCell;
use std::collections::BTreeMap;

use dashu_int::IBig;

use super::accounts::Account;
use super::data::Value;
use super::machine::{Event, Failed, Frame, Machine, Order, Stop, Stopped, World};
use super::number::Arithmetic;
use crate::ast::{Ast, ContractId, ExpressionId, FunctionId, StatementId, VariableId};
use crate::typing::Types;
use crate::typing::{Form, TypedForm, extend_forms};

/// A machine without its program.
#[derive(Clone, Debug)]
pub struct Paused {
    pub(super) typed: Vec<TypedForm>,
    pub(super) order: Order,
    pub(super) world: World,
    /// The contract that is deployed, then its bases, most derived first.
    pub(super) line: Vec<ContractId>,
    pub(super) storage: BTreeMap<VariableId, Value>,
    /// How many contracts it has created; a contract begins with one.
    pub(super) created: u64,
    /// Other contracts by their addresses.
    pub(super) others: BTreeMap<IBig, Account>,
    /// What accounts have, in wei; who is not there has none.
    pub(super) balances: BTreeMap<IBig, IBig>,
    pub(super) heap: Vec<Value>,
    pub(super) frames: Vec<Frame>,
    pub(super) events: Vec<Event>,
    pub(super) arithmetic: Arithmetic,
    /// Steps that are left.
    pub(super) fuel: u64,
    /// The contract has no code yet: nobody can call it.
    pub(super) is_under_construction: bool,
    /// A local variable lives from its declaration to the end of its block,
    /// not all through the function; and `continue` goes where it does today.
    pub(super) has_block_scopes: bool,
}

impl Paused {
    /// The type of an expression that the machine has seen.
    pub fn form(&self, id: ExpressionId) -> &Form {
        &self.typed[id.0 as usize].form
    }

    /// The value of a state variable, whole.
    pub fn state(&self, variable: VariableId) -> &Value {
        &self.storage[&variable]
    }

    /// Goes on with a program that has grown: what was there is unchanged.
    pub fn resume<'a>(mut self, ast: &'a Ast, values: &'a [u8]) -> Machine<'a> {
        let types = Types { ast, values };
        extend_forms(types, &mut self.typed);
        self.with(types)
    }

    /// The machine, with a program whose expressions it knows.
    pub(super) fn with(self, types: Types<'_>) -> Machine<'_> {
        Machine {
            types,
            run: self,
            nesting: 0,
            failed: None,
            operands: None,
            effects: RefCell::new(Vec::new()),
            stopped: Stopped::default(),
        }
    }
}

impl Machine<'_> {
    /// Puts the machine aside.
    pub fn pause(self) -> Paused {
        self.run
    }

    /// Begins a call of a function whose body is not written yet.
    pub fn begin(&mut self, function: FunctionId, arguments: Vec<Value>) {
        self.run.heap.clear();
        self.run.frames.clear();
        self.push_frame(function, arguments);
    }

    /// Runs one statement of the call that was begun. After a fault everything
    /// is as before, and it is known what failed.
    pub fn perform(&mut self, statement: StatementId) -> Result<(), (Stop, Option<Failed>)> {
        let (storage, frames) = (self.run.storage.clone(), self.run.frames.clone());
        match self.block(&[statement]) {
            Ok(_) => Ok(()),
            Err(stop) => {
                (self.run.storage, self.run.frames) = (storage, frames);
                Err((stop, self.failed.take()))
            }
        }
    }

    /// The value of an expression in the call that was begun.
    pub fn value(&mut self, expression: ExpressionId) -> Result<Value, Stop> {
        let value = self.evaluate(expression)?;
        self.whole(&value)
    }
}
