//! Functions that are applied to each element of a sequence or a set.
//!
//! z3 counts from the offset that `seq.mapi` and `seq.foldli` are given. Elements of a set are
//! mapped in the order of their values, which nobody can see: equal images become one.

use super::machine::{Machine, Task};
use crate::value::{CannotSay, Int, Value};

/// What is done with the elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Higher {
    /// `seq.map`, `seq.mapi`: a sequence of what they become.
    Map { counts: bool },
    /// `seq.foldl`, `seq.foldli`: what becomes of a value with one after the other.
    Fold { counts: bool },
    /// `set.map`
    MapSet,
    /// `set.filter`
    Filter,
}

/// A walk over elements in progress.
pub(super) struct Walk {
    how: Higher,
    name: String,
    function: Value,
    /// The number of the next element.
    at: Int,
    /// Those that are left, the last first.
    rest: Vec<Value>,
    /// The element whose result is awaited.
    current: Option<Value>,
    /// What the others gave; the value so far of a fold.
    done: Vec<Value>,
}

impl Higher {
    /// The meaning of a name.
    pub(super) fn named(name: &str) -> Option<Higher> {
        Some(match name {
            "seq.map" => Higher::Map { counts: false },
            "seq.mapi" => Higher::Map { counts: true },
            "seq.foldl" => Higher::Fold { counts: false },
            "seq.foldli" => Higher::Fold { counts: true },
            "set.map" => Higher::MapSet,
            "set.filter" => Higher::Filter,
            _ => return None,
        })
    }

    fn counts(self) -> bool {
        matches!(
            self,
            Higher::Map { counts: true } | Higher::Fold { counts: true }
        )
    }
}

impl Machine<'_> {
    /// Begins to apply a function, the first argument, to the elements of the last one.
    pub(super) fn walk_over(&mut self, how: Higher, name: &str, args: Vec<Value>) {
        match begin(how, name, args) {
            Ok(walk) => self.walk(Box::new(walk)),
            Err(why) => self.results.push(Err(why)),
        }
    }

    /// The next element, after the result for the one before is there.
    pub(super) fn walk(&mut self, mut walk: Box<Walk>) {
        if let Some(current) = walk.current.take() {
            match self.result() {
                Ok(result) => {
                    if let Err(why) = walk.take(current, result) {
                        return self.results.push(Err(why));
                    }
                }
                Err(why) => return self.results.push(Err(why)),
            }
        }
        let Some(next) = walk.rest.pop() else {
            return self.results.push(walk.end());
        };
        let mut args = Vec::new();
        if walk.how.counts() {
            args.push(Value::Int(walk.at.clone()));
            walk.at += Int::ONE;
        }
        if matches!(walk.how, Higher::Fold { .. }) {
            args.extend(walk.done.pop());
        }
        args.push(next.clone());
        walk.current = Some(next);
        let function = walk.function.clone();
        self.tasks.push(Task::Walk(walk));
        self.call_value(function, args);
    }
}

impl Walk {
    /// Keeps the result for an element.
    fn take(&mut self, element: Value, result: Value) -> Result<(), CannotSay> {
        match (self.how, &result) {
            (Higher::Filter, Value::Bool(true)) => self.done.push(element),
            (Higher::Filter, Value::Bool(false)) => {}
            (Higher::Filter, _) => return Err(CannotSay::IllTyped(self.name.clone())),
            _ => self.done.push(result),
        }
        Ok(())
    }

    fn end(mut self) -> Result<Value, CannotSay> {
        match self.how {
            Higher::Map { .. } => Value::seq(self.done),
            Higher::Fold { .. } => (self.done.pop()).ok_or(CannotSay::IllTyped(self.name)),
            Higher::MapSet | Higher::Filter => Value::set(self.done),
        }
    }
}

/// Reads the arguments: the function, a first number if it counts, a first value of a fold, and
/// what has the elements.
fn begin(how: Higher, name: &str, args: Vec<Value>) -> Result<Walk, CannotSay> {
    let ill_typed = || CannotSay::IllTyped(name.to_string());
    let mut args = args.into_iter();
    let mut next = || args.next().ok_or_else(ill_typed);
    let function = next()?;
    let at = match how.counts() {
        true => match next()? {
            Value::Int(at) => at,
            _ => return Err(ill_typed()),
        },
        false => Int::ZERO,
    };
    let done = match how {
        Higher::Fold { .. } => vec![next()?],
        _ => Vec::new(),
    };
    let mut rest: Vec<Value> = match (how, next()?) {
        (Higher::Map { .. } | Higher::Fold { .. }, Value::Seq(items)) => items.to_vec(),
        (Higher::MapSet | Higher::Filter, Value::Set(set)) => {
            if *set.default() != Value::Bool(false) {
                return Err(CannotSay::Unsupported(name.to_string()));
            }
            let members = set.entries().iter();
            let held = members.filter(|(_, held)| **held == Value::Bool(true));
            held.map(|(member, _)| member.clone()).collect()
        }
        _ => return Err(CannotSay::Unsupported(name.to_string())),
    };
    rest.reverse();
    Ok(Walk {
        how,
        name: name.to_string(),
        function,
        at,
        rest,
        current: None,
        done,
    })
}
