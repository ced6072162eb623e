//! Exact evaluation of terms under an interpretation.
//!
//! Every value is of its term's sort. The terms of a script are typed first
//! ([`crate::typing`]), and those whose parts do not fit together have no value
//! but [`CannotSay::IllTyped`]. A model is somebody else's text: the values that it
//! gives are looked at when they come in (`fit`), and inside its functions an
//! operator refuses what it is not defined for.
//!
//! It is a machine with an explicit stack, so that deep terms and long chains
//! of `let` cost memory but no stack, and it counts its steps.
//!
//! What cannot be said is a value of its own: `(or unknown true)` is true.
//! Where the standard leaves a result open (x/0, a selector of another
//! constructor, a symbol that the model does not mention), the model is asked
//! first; what then happens is up to [`Completion`]: with
//! [`Completion::None`] the result is unknown, so a term that is false is
//! false whatever the missing parts are; with the others a fixed choice is
//! made, so a term that is true is true under some completion of the model.

mod call;
mod context;
mod first;
mod fit;
mod function;
mod higher;
mod lambda;
mod machine;
mod open;
pub(crate) mod operators;
mod quantify;
mod resolve;
pub(crate) mod roots;
mod shape;

pub use crate::value::CannotSay;
pub use context::{Context, Question, question, questions};

use crate::syntax::{Script, Term, TermId};
use crate::value::Value;

/// What the result of something that nobody specified is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Completion {
    /// Unknown.
    None,
    /// Zero, false, empty, the first.
    Zero,
    /// Ones, true, the last.
    Ones,
}

/// How far an evaluation may go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Machine steps; an operation counts more for larger values.
    pub steps: u64,
}

impl Default for Budget {
    fn default() -> Budget {
        Budget { steps: 20_000_000 }
    }
}

/// The value of a closed term of `script` under the declarations and the
/// interpretation in `context`.
pub fn evaluate(
    script: &Script,
    context: &Context,
    term: TermId,
    completion: Completion,
    budget: Budget,
) -> Result<Value, CannotSay> {
    machine::Machine::new(script, context, completion, budget).run(term)
}

/// Takes note of what the author of a model says of a term: if that is an
/// operation which the standard leaves open (perhaps under `let`), and the
/// model does not say what it gives at these arguments, it gives `said`. False
/// if it is not, or its arguments have no values.
pub fn learn(
    script: &Script,
    context: &mut Context,
    term: TermId,
    said: Value,
    budget: Budget,
) -> bool {
    let mut inner = term;
    while let Term::Let { body, .. } | Term::Annotated { term: body, .. } = script.term(inner) {
        inner = body;
    }
    let mut machine = machine::Machine::new(script, context, Completion::None, budget);
    machine.watched = Some((inner, None));
    let outcome = machine.run(term);
    let point = machine.watched.and_then(|(_, point)| point);
    match (outcome, point) {
        (Err(CannotSay::Underspecified(operation)), Some(point))
            if point.args.iter().all(Value::decidable)
                && said.decidable()
                && open::admits(operation, &point.indices, &point.args, &said) =>
        {
            context.points.insert(point, said);
            true
        }
        _ => false,
    }
}

/// The values of several terms, which share one budget and what is known of
/// constants.
pub fn evaluate_all(
    script: &Script,
    context: &Context,
    terms: &[TermId],
    completion: Completion,
    budget: Budget,
) -> Vec<Result<Value, CannotSay>> {
    let mut machine = machine::Machine::new(script, context, completion, budget);
    terms.iter().map(|&term| machine.run(term)).collect()
}
