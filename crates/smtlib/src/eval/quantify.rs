//! Quantifiers: decided over domains that can be listed, and elsewhere only
//! by an example that decides them.

use std::sync::Arc;

use super::machine::{Machine, Task};
use crate::syntax::{Term, TermId, Variable};
use crate::value::{CannotSay, Value};

/// How many tuples of a domain without end are tried, by how many such
/// quantifiers are around: one may decide, none is ever enough for all.
const SAMPLES: &[usize] = &[64, 8, 2];

/// A quantifier in progress.
pub(super) struct Quantified {
    term: TermId,
    universal: bool,
    domains: Vec<Arc<[Value]>>,
    at: Option<Vec<usize>>,
    /// An error if the domains are only samples.
    complete: Result<(), CannotSay>,
    unknown: Option<CannotSay>,
    /// How many more tuples are tried.
    tries: usize,
}

impl Machine<'_> {
    pub(super) fn start_quantifier(
        &mut self,
        term: TermId,
        universal: bool,
        variables: &[Variable],
    ) {
        let shapes = self.shapes();
        let mut complete = Ok(());
        let mut domains: Vec<Arc<[Value]>> = Vec::new();
        for variable in variables {
            let listed = shapes.shape(variable.sort).and_then(|shape| {
                let values = shapes.values(&shape)?;
                Ok((shape, values))
            });
            match listed {
                Ok((_, Some(values))) => domains.push(values),
                Ok((shape, None)) => {
                    let sort = crate::print::sort(self.script, variable.sort);
                    complete = Err(CannotSay::Quantifier(sort));
                    domains.push(shapes.samples(&shape).into());
                }
                Err(why) => return self.results.push(Err(why)),
            }
        }
        // Samples inside samples would multiply.
        let tries = match &complete {
            Ok(()) => usize::MAX,
            Err(_) => {
                self.sampling += 1;
                *SAMPLES.get(self.sampling - 1).unwrap_or(&1)
            }
        };
        let quantified = Quantified {
            term,
            universal,
            domains,
            at: None,
            complete,
            unknown: None,
            tries,
        };
        self.quantify(Box::new(quantified));
    }

    pub(super) fn leave(&mut self, quantified: &Quantified) {
        if quantified.complete.is_err() {
            self.sampling -= 1;
        }
    }

    pub(super) fn quantify(&mut self, mut quantified: Box<Quantified>) {
        let Term::Bind {
            variables, body, ..
        } = self.script.term(quantified.term)
        else {
            unreachable!("only for quantifiers");
        };
        if quantified.at.is_some() {
            match self.result() {
                Ok(Value::Bool(value)) if value != quantified.universal => {
                    self.leave(&quantified);
                    return self.results.push(Ok(Value::Bool(value)));
                }
                Ok(Value::Bool(_)) => {}
                Ok(_) => {
                    quantified.unknown = Some(CannotSay::IllTyped("a quantifier".to_string()));
                }
                Err(why) => quantified.unknown = quantified.unknown.or(Some(why)),
            }
        }
        if !quantified.advance() {
            self.leave(&quantified);
            let outcome = match (quantified.unknown, quantified.complete) {
                (Some(why), _) | (None, Err(why)) => Err(why),
                (None, Ok(())) => Ok(Value::Bool(quantified.universal)),
            };
            return self.results.push(outcome);
        }
        let at = quantified.at.as_deref().expect("just advanced");
        for ((variable, domain), &at) in variables.iter().zip(&quantified.domains).zip(at) {
            self.bind(variable.symbol, Ok(domain[at].clone()));
        }
        self.tasks.push(Task::Quantify(quantified));
        self.tasks.push(Task::Unbind(variables.len()));
        self.tasks.push(Task::Eval(body));
    }
}

impl Quantified {
    /// Moves on to the next tuple; false after the last.
    fn advance(&mut self) -> bool {
        let Some(tries) = self.tries.checked_sub(1) else {
            return false;
        };
        self.tries = tries;
        let Some(at) = &mut self.at else {
            self.at = Some(vec![0; self.domains.len()]);
            return self.domains.iter().all(|domain| !domain.is_empty());
        };
        for (place, domain) in at.iter_mut().zip(&self.domains).rev() {
            *place += 1;
            if *place < domain.len() {
                return true;
            }
            *place = 0;
        }
        false
    }
}
