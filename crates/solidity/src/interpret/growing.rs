//! Programs that are run while they are written: a machine is put aside, the
//! program grows, and the machine goes on, statement by statement.

use std::collections::BTreeMap;

use dashu_int::IBig;

use super::accounts::Account;
use super::data::{Types, Value};
use super::forms::{Form, extend_forms};
use super::machine::{Event, Failed, Frame, Machine, Order, Stop, World};
use super::number::Arithmetic;
use crate::ast::{Ast, ContractId, ExpressionId, FunctionId, StatementId, VariableId};

/// A machine without its program.
#[derive(Clone, Debug)]
pub struct Paused {
    forms: Vec<Form>,
    order: Order,
    world: World,
    line: Vec<ContractId>,
    storage: BTreeMap<VariableId, Value>,
    created: u64,
    others: BTreeMap<IBig, Account>,
    heap: Vec<Value>,
    frames: Vec<Frame>,
    events: Vec<Event>,
    arithmetic: Arithmetic,
    fuel: u64,
    is_under_construction: bool,
}

impl Paused {
    /// The type of an expression that the machine has seen.
    pub fn form(&self, id: ExpressionId) -> &Form {
        &self.forms[id.0 as usize]
    }

    /// The value of a state variable, whole.
    pub fn state(&self, variable: VariableId) -> &Value {
        &self.storage[&variable]
    }

    /// Goes on with a program that has grown: what was there is unchanged.
    pub fn resume<'a>(self, ast: &'a Ast, values: &'a [u8]) -> Machine<'a> {
        let types = Types { ast, values };
        let mut forms = self.forms;
        extend_forms(types, &mut forms);
        Machine {
            types,
            forms,
            order: self.order,
            world: self.world,
            line: self.line,
            storage: self.storage,
            created: self.created,
            others: self.others,
            heap: self.heap,
            frames: self.frames,
            events: self.events,
            arithmetic: self.arithmetic,
            fuel: self.fuel,
            is_under_construction: self.is_under_construction,
            nesting: 0,
            failed: None,
            operands: None,
        }
    }
}

impl Machine<'_> {
    /// Puts the machine aside.
    pub fn pause(self) -> Paused {
        Paused {
            forms: self.forms,
            order: self.order,
            world: self.world,
            line: self.line,
            storage: self.storage,
            created: self.created,
            others: self.others,
            heap: self.heap,
            frames: self.frames,
            events: self.events,
            arithmetic: self.arithmetic,
            fuel: self.fuel,
            is_under_construction: self.is_under_construction,
        }
    }

    /// Begins a call of a function whose body is not written yet.
    pub fn begin(&mut self, function: FunctionId, arguments: Vec<Value>) {
        self.heap.clear();
        self.frames.clear();
        self.push_frame(function, arguments);
    }

    /// Runs one statement of the call that was begun. After a fault everything
    /// is as before, and it is known what failed.
    pub fn perform(&mut self, statement: StatementId) -> Result<(), (Stop, Option<Failed>)> {
        let (storage, frames) = (self.storage.clone(), self.frames.clone());
        match self.block(&[statement]) {
            Ok(_) => Ok(()),
            Err(stop) => {
                (self.storage, self.frames) = (storage, frames);
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
