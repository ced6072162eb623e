//! Functions as values: tables where possible, closures otherwise.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::context::Global;
use super::lambda;
use super::machine::{Machine, Outcome, Task};
use crate::syntax::{Symbol, TermId, Variable};
use crate::value::{Array, CannotSay, Closure, Domain, Value};

/// Tables over finite indices are made by enumeration up to this size.
const MAX_TABLE: usize = 256;

impl Machine<'_> {
    pub(super) fn as_array(&mut self, function: Symbol) {
        match self.context.globals.get(&function) {
            Some(Global::Function(function)) => {
                let function = Arc::clone(function);
                // In a frame of its own: no variable around is meant.
                self.open_frame(0);
                self.eval_lambda(&function.parameters, function.body);
            }
            _ => {
                let name = self.script.name(function).to_string();
                self.results.push(Err(CannotSay::NoInterpretation(name)));
            }
        }
    }

    /// A function as a value: a table where possible.
    pub(super) fn eval_lambda(&mut self, variables: &[Variable], body: TermId) {
        if let [variable] = variables {
            let shapes = self.shapes();
            let domain = shapes
                .shape(variable.sort)
                .and_then(|shape| shapes.domain(&shape));
            let domain = match domain {
                Ok(domain) => domain,
                Err(why) => return self.results.push(Err(why)),
            };
            if let Some(table) = lambda::table(self.script, variable.symbol, body) {
                self.tasks.push(Task::Table {
                    domain,
                    entries: table.entries.len(),
                });
                let entries = table
                    .entries
                    .into_iter()
                    .flat_map(|(index, value)| [index, value]);
                let terms: Vec<TermId> = entries.chain([table.default]).collect();
                return self.eval_all(terms.into_iter());
            }
            if let Domain::Listed(indices) = &domain
                && indices.len() <= MAX_TABLE
            {
                let indices = Arc::clone(indices);
                return match self.closure(variables, body) {
                    Ok(closure) => {
                        self.tasks.push(Task::Listed(Arc::clone(&indices)));
                        let calls = indices.iter().rev();
                        let calls = calls.map(|i| Task::CallOn(closure.clone(), i.clone()));
                        self.tasks.extend(calls);
                    }
                    Err(why) => self.results.push(Err(why)),
                };
            }
        }
        let closure = self.closure(variables, body);
        self.results.push(closure);
    }

    /// A function with the variables around it. One without a value stays one:
    /// inside, its name must not mean something else.
    pub(super) fn closure(&self, variables: &[Variable], body: TermId) -> Outcome {
        let mut environment = Vec::new();
        for &(_, symbol) in self.trail.iter().filter(|(frame, _)| *frame == self.frame) {
            if let Some(outcome) = self.local(symbol) {
                environment.push((symbol.0, outcome.clone()));
            }
        }
        let parameters = variables.iter().map(|variable| variable.symbol.0).collect();
        Ok(Value::Closure(Arc::new(Closure {
            parameters,
            body: body.0,
            environment,
        })))
    }

    pub(super) fn table(&mut self, domain: Domain, entries: usize) -> Outcome {
        let default = self.result();
        let pairs = self.take(2 * entries)?;
        let default = default?;
        let mut map = BTreeMap::new();
        for pair in pairs.chunks_exact(2) {
            map.entry(pair[0].clone())
                .or_insert_with(|| pair[1].clone());
        }
        Array::new(domain, default, map).map(|array| Value::Array(Arc::new(array)))
    }

    pub(super) fn listed(&mut self, indices: Arc<[Value]>) -> Outcome {
        let values = self.take(indices.len())?;
        let Some(default) = values.first().cloned() else {
            return Err(CannotSay::Unsupported("an empty sort".to_string()));
        };
        let entries = indices.iter().cloned().zip(values).collect();
        let array = Array::new(Domain::Listed(indices), default, entries)?;
        Ok(Value::Array(Arc::new(array)))
    }
}
