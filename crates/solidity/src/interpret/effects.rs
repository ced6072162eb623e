//! Lists of expressions, and what their members do to each other.
//!
//! The language leaves open in which order the members of a list (arguments,
//! parts of a tuple, fields of a struct) are evaluated, and when a reference
//! among them is read: the code generators of solc differ in both. Whatever
//! two members read and write is therefore noted, and where one writes what
//! another reads or writes, the list has no meaning that could be claimed.

use std::collections::BTreeSet;

use dashu_int::IBig;

use super::data::{ObjectId, Value};
use super::machine::{Machine, Order, Stop};
use crate::ast::{ExpressionId, Role, VariableId};

/// Something that is read or written.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Touched {
    /// A variable of a call, by how many calls are under way.
    Local(usize, VariableId),
    /// A state variable of the contract at an address.
    State(Option<IBig>, VariableId),
    /// An object in memory.
    Object(ObjectId),
    /// What everybody sees: events, contracts that are created.
    Chain,
}

/// What was read and written while something ran.
#[derive(Clone, Debug, Default)]
pub(super) struct Effects {
    reads: BTreeSet<Touched>,
    writes: BTreeSet<Touched>,
}

impl Effects {
    fn add(&mut self, other: &Effects) {
        self.reads.extend(other.reads.iter().cloned());
        self.writes.extend(other.writes.iter().cloned());
    }

    /// True if it is written.
    pub(super) fn writes(&self, touched: &Touched) -> bool {
        self.writes.contains(touched)
    }

    /// True if the order of the two can be seen.
    fn meets(&self, other: &Effects) -> bool {
        let one_sided = |a: &Effects, b: &Effects| {
            let mut writes = a.writes.iter();
            writes.any(|touched| b.reads.contains(touched) || b.writes.contains(touched))
        };
        one_sided(self, other) || one_sided(other, self)
    }
}

/// What happens to references in a list once all of it is evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum After {
    /// They are copied, wherever they point to.
    Copied,
    /// They go on as references; what is in storage may be copied to memory.
    Passed,
}

const ORDER: Stop = Stop::Unknown("the order in a list matters");

impl Machine<'_> {
    /// Notes that something is read.
    pub(super) fn note_read(&self, touched: impl FnOnce() -> Touched) {
        if let Some(effects) = self.effects.borrow_mut().last_mut() {
            effects.reads.insert(touched());
        }
    }

    /// Notes that something is written.
    pub(super) fn note_write(&self, touched: impl FnOnce() -> Touched) {
        if let Some(effects) = self.effects.borrow_mut().last_mut() {
            effects.writes.insert(touched());
        }
    }

    /// A state variable of the contract whose code runs.
    pub(super) fn touched_state(&self, variable: VariableId) -> Touched {
        Touched::State(self.run.world.this.clone(), variable)
    }

    /// Runs something, and what it read and wrote; what calls within it kept to
    /// themselves is left out.
    pub(super) fn observed<T>(
        &mut self,
        run: impl FnOnce(&mut Self) -> Result<T, Stop>,
    ) -> Result<(T, Effects), Stop> {
        self.effects.borrow_mut().push(Effects::default());
        let done = run(self);
        let mut stack = self.effects.borrow_mut();
        let mut own = stack.pop().unwrap_or_default();
        let depth = self.run.frames.len();
        let is_seen = |touched: &Touched| !matches!(touched, Touched::Local(at, _) if *at > depth);
        own.reads.retain(is_seen);
        own.writes.retain(is_seen);
        if let Some(outer) = stack.last_mut() {
            outer.add(&own);
        }
        drop(stack);
        Ok((done?, own))
    }

    /// The members of a list from left to right, not yet converted.
    pub(super) fn list(
        &mut self,
        members: &[ExpressionId],
        after: After,
    ) -> Result<Vec<Value>, Stop> {
        let order: Vec<usize> = (0..members.len()).collect();
        self.list_in(members, &order, after)
    }

    /// The arguments of an event: directly generated code begins with those
    /// that are indexed, the last one first.
    pub(super) fn event_list(
        &mut self,
        parameters: &[VariableId],
        arguments: &[ExpressionId],
    ) -> Result<Vec<Value>, Stop> {
        let is_indexed = |at: &usize| {
            let role = parameters.get(*at).map(|id| self.types.ast[*id].role);
            role == Some(Role::Signal { indexed: true })
        };
        let all = 0..arguments.len();
        let order: Vec<usize> = match self.run.order {
            Order::LeftFirst => all.collect(),
            Order::RightFirst => {
                let (indexed, others): (Vec<usize>, Vec<usize>) = all.partition(is_indexed);
                indexed.into_iter().rev().chain(others).collect()
            }
        };
        self.list_in(arguments, &order, After::Copied)
    }

    /// The members in an order, as they stand in the list.
    pub(super) fn list_in(
        &mut self,
        members: &[ExpressionId],
        order: &[usize],
        after: After,
    ) -> Result<Vec<Value>, Stop> {
        if let [only] = members {
            return Ok(vec![self.evaluate(*only)?]);
        }
        let mut values = vec![Value::Parts(Vec::new()); members.len()];
        let mut effects = vec![Effects::default(); members.len()];
        for &at in order {
            (values[at], effects[at]) = self.observed(|machine| machine.evaluate(members[at]))?;
        }
        for (value, effects) in values.iter().zip(&mut effects) {
            effects.reads.extend(self.read_later(value, after));
        }
        let mut pairs = (0..effects.len()).flat_map(|at| (0..at).map(move |other| (at, other)));
        match pairs.any(|(at, other)| effects[at].meets(&effects[other])) {
            true => Err(ORDER),
            false => Ok(values),
        }
    }

    /// The value, then something else whose effects must not reach what the
    /// value refers to.
    pub(super) fn before<T>(
        &mut self,
        value: &Value,
        run: impl FnOnce(&mut Self) -> Result<T, Stop>,
    ) -> Result<T, Stop> {
        let reads = self.read_later(value, After::Copied);
        if reads.is_empty() {
            return run(self);
        }
        let (done, effects) = self.observed(run)?;
        let value = Effects {
            reads,
            writes: BTreeSet::new(),
        };
        match value.meets(&effects) {
            true => Err(ORDER),
            false => Ok(done),
        }
    }

    /// What is read of a value after all of the list is evaluated.
    fn read_later(&self, value: &Value, after: After) -> BTreeSet<Touched> {
        let mut reads = BTreeSet::new();
        match value {
            Value::Storage(path) => {
                reads.insert(self.touched_state(path.variable));
            }
            Value::Memory(id) if after == After::Copied => {
                let mut open = vec![*id];
                while let Some(id) = open.pop() {
                    if !reads.insert(Touched::Object(id)) {
                        continue;
                    }
                    if let Value::Parts(parts) = &self.run.heap[id.0] {
                        open.extend(parts.iter().filter_map(|part| match part {
                            Value::Memory(id) => Some(*id),
                            _ => None,
                        }));
                    }
                }
            }
            _ => {}
        }
        reads
    }
}
