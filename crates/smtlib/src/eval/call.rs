//! Applying functions: of the theories, of the script, of the model.

use std::sync::Arc;

use super::context::{Function, Global, Point};
use super::machine::{Fold, Machine, Outcome, Task};
use super::operators::{Call, Operator};
use super::resolve::Kind;
use super::shape::Shape;
use super::{Completion, open};
use crate::syntax::{Symbol, Term, TermId};
use crate::value::{Array, CannotSay, Domain, Int, Natural, Value};

impl Machine<'_> {
    pub(super) fn apply(&mut self, term: TermId) {
        let Term::Application { head, arguments } = self.script.term(term) else {
            unreachable!("only for applications");
        };
        let kind = self.kind(head);
        let name = self.script.name(self.script.identifier(head).symbol);
        let args = match self.take(arguments.len()) {
            Ok(args) => args,
            Err(why) => return self.results.push(Err(why)),
        };
        let words = args.iter().map(Value::words);
        let has = |test: fn(&Value) -> bool| args.iter().any(test);
        let cost = match name {
            // Matching fills a table of positions for each node.
            _ if has(|arg| matches!(arg, Value::Regex(_))) => words.fold(1, u64::saturating_mul),
            // A sign may take as many digits as there are conjugates.
            _ if has(|arg| matches!(arg, Value::Algebraic(_))) => {
                let degrees = args.iter().map(|arg| match arg {
                    Value::Algebraic(number) => number.degree(),
                    _ => 1,
                });
                let degree = degrees.fold(1, u64::saturating_mul);
                degree.saturating_mul(degree).saturating_mul(64)
            }
            // A chain of stores changes one array in place.
            "store" | "select" => 1,
            _ => words.sum(),
        };
        // An exhausted budget shows at the next task.
        let _ = self.spend(cost / 8);
        let ill_typed = || Err(CannotSay::IllTyped(name.to_string()));
        let outcome = match kind {
            Kind::Operator(operator, indices) => {
                let watched = self.is_watched(term).then(|| args.clone());
                self.operate(name, operator, &indices, args);
                return self.note_open(name, &indices, watched);
            }
            Kind::Global(symbol) => {
                let watched = self.is_watched(term).then(|| args.clone());
                self.call_global(symbol, args);
                return self.note_open(name, &[], watched);
            }
            Kind::AsArray(function) => return self.as_array(function),
            Kind::Map(function) => self.map(function, &args),
            Kind::Constant(Err(why)) => Err(why),
            Kind::Constant(Ok(_)) => ill_typed(),
            Kind::ConstantArray(shape) => self.constant_array(&shape, args),
            Kind::Tester(constructor) => match &args[..] {
                [Value::Datatype(datatype)] => Ok(Value::Bool(
                    *datatype.constructor == *self.script.name(constructor),
                )),
                _ => ill_typed(),
            },
            Kind::Update(selector) => self.update(selector, args),
            Kind::Singleton => self.singleton(args),
            Kind::Bag => self.bag(args),
            Kind::And | Kind::Or | Kind::Implies | Kind::Ite | Kind::RootObject => ill_typed(),
        };
        self.results.push(outcome);
    }

    fn is_watched(&self, term: TermId) -> bool {
        matches!(self.watched, Some((watched, _)) if watched == term)
    }

    /// Takes note of the arguments at which the application that is watched
    /// turned out to be open.
    fn note_open(&mut self, name: &str, indices: &[Natural], args: Option<Vec<Value>>) {
        let open = matches!(self.results.last(), Some(Err(CannotSay::Underspecified(_))));
        if let (true, Some(args), Some((_, point))) = (open, args, &mut self.watched) {
            *point = Some(Point {
                name: name.to_string(),
                indices: indices.to_vec(),
                args,
            });
        }
    }

    /// A strict operator; open results are looked up in the model.
    pub(super) fn operate(
        &mut self,
        name: &str,
        operator: Operator,
        indices: &[Natural],
        args: Vec<Value>,
    ) {
        if name == "select"
            && let [Value::Closure(_), index] = &args[..]
        {
            let index = index.clone();
            let function = args.into_iter().next().expect("two arguments");
            return self.call_value(function, vec![index]);
        }
        if name == "store" && matches!(args[..], [Value::Array(_), _, _]) {
            return self.results.push(store(args));
        }
        let outcome = operator(&Call {
            name,
            indices,
            args: &args,
        });
        let Err(CannotSay::Underspecified(operation)) = outcome else {
            return self.results.push(outcome);
        };
        if args.len() > 2 && !matches!(name, "/" | "div") {
            return self.results.push(Err(CannotSay::Underspecified(operation)));
        }
        if args.len() > 2 {
            // A chain such as (/ a 0 b): each step may be open.
            let mut rest = args;
            rest.reverse();
            self.results.push(Ok(rest.pop().expect("more than two")));
            return self.fold(Box::new(Fold {
                name: name.to_string(),
                operator,
                indices: indices.to_vec(),
                rest,
            }));
        }
        for &(interpretation, count) in open::interpretations(operation) {
            let symbol = self.script.symbols().find(interpretation);
            let Some(symbol) = symbol else { continue };
            let function = match self.context.globals.get(&symbol) {
                Some(Global::Function(function)) => Arc::clone(function),
                _ => continue,
            };
            if function.parameters.len() == count {
                let args = args.into_iter().take(count).map(Ok).collect();
                return self.call(&function, args);
            }
        }
        let known = self.context.known(name, indices, &args).cloned();
        self.results.push(match known {
            Some(value) => Ok(value),
            None => open::choice(self.completion, operation, indices, &args),
        });
    }

    /// The next step of a chain: what is there, and the next argument.
    pub(super) fn fold(&mut self, mut fold: Box<Fold>) {
        if !matches!(self.results.last(), Some(Ok(_))) {
            return;
        }
        let Some(next) = fold.rest.pop() else { return };
        let Ok(before) = self.result() else { return };
        let (name, indices) = (fold.name.clone(), fold.indices.clone());
        let operator = fold.operator;
        self.tasks.push(Task::Fold(fold));
        self.operate(&name, operator, &indices, vec![before, next]);
    }

    pub(super) fn call_global(&mut self, symbol: Symbol, args: Vec<Value>) {
        let ill_typed = Err(CannotSay::IllTyped(self.script.name(symbol).to_string()));
        let outcome = match &self.context.globals[&symbol] {
            Global::Function(function) if function.parameters.len() == args.len() => {
                if args.is_empty() {
                    if let Some(outcome) = self.constants.get(&symbol) {
                        return self.results.push(outcome.clone());
                    }
                    self.tasks.push(Task::Keep(symbol));
                }
                let function = Arc::clone(function);
                return self.call(&function, args.into_iter().map(Ok).collect());
            }
            // A constant whose value is a function or an array.
            Global::Function(function) if function.parameters.is_empty() => {
                let function = Arc::clone(function);
                self.tasks.push(Task::ApplyTo(args));
                return self.call(&function, Vec::new());
            }
            // A function where a value is wanted: yices prints arrays so.
            Global::Function(_) if args.is_empty() => {
                if let Some(outcome) = self.constants.get(&symbol) {
                    return self.results.push(outcome.clone());
                }
                self.tasks.push(Task::Keep(symbol));
                return self.as_array(symbol);
            }
            Global::Function(_) => ill_typed,
            Global::Declared { arguments, sort } => match self.completion {
                _ if *arguments != args.len() => ill_typed,
                Completion::None => Err(CannotSay::NoInterpretation(
                    self.script.name(symbol).to_string(),
                )),
                completion => {
                    let shapes = self.shapes();
                    shapes
                        .shape(*sort)
                        .and_then(|shape| shapes.first(&shape, completion))
                }
            },
            Global::Constructor { name, arity } if *arity == args.len() => {
                Value::datatype(Arc::clone(name), args)
            }
            Global::Constructor { .. } => ill_typed,
            Global::Selector {
                constructor,
                field,
                sort,
            } => {
                let constructor = self.script.name(*constructor);
                let known = self.context.known(self.script.name(symbol), &[], &args);
                match known {
                    Some(value) => Ok(value.clone()),
                    None => self
                        .select_field(constructor, *field, *sort, &args)
                        .unwrap_or(ill_typed),
                }
            }
            Global::Value(value) if args.is_empty() => Ok(value.clone()),
            Global::Value(_) => ill_typed,
            Global::Parametric => Err(CannotSay::Unsupported("sort parameters".to_string())),
        };
        self.results.push(outcome);
    }

    /// A selector; `None` for arguments that are no datatypes.
    pub(super) fn select_field(
        &self,
        constructor: &str,
        field: usize,
        sort: crate::syntax::SortId,
        args: &[Value],
    ) -> Option<Outcome> {
        let [Value::Datatype(datatype)] = args else {
            return None;
        };
        if *datatype.constructor == *constructor {
            return datatype.fields.get(field).cloned().map(Ok);
        }
        let shapes = self.shapes();
        Some(match self.completion {
            Completion::None => Err(CannotSay::Underspecified("a selector")),
            // A parametric field's sort needs the instance, which is unknown.
            completion => shapes
                .shape(sort)
                .and_then(|shape| shapes.first(&shape, completion)),
        })
    }

    /// Enters a function.
    pub(super) fn call(&mut self, function: &Function, args: Vec<Outcome>) {
        let parameters = function.parameters.iter().map(|parameter| parameter.symbol);
        self.enter(parameters.zip(args).collect(), function.body);
    }

    pub(super) fn enter(&mut self, bindings: Vec<(Symbol, Outcome)>, body: TermId) {
        self.open_frame(bindings.len());
        for (symbol, outcome) in bindings {
            self.bind(symbol, outcome);
        }
        self.tasks.push(Task::Eval(body));
    }

    pub(super) fn call_value(&mut self, function: Value, args: Vec<Value>) {
        match (&function, &args[..]) {
            (Value::Closure(closure), _) if closure.parameters.len() == args.len() => {
                let environment = closure.environment.iter().cloned();
                let parameters = closure.parameters.iter().copied();
                let bindings = environment
                    .chain(parameters.zip(args.into_iter().map(Ok)))
                    .map(|(symbol, outcome)| (Symbol(symbol), outcome))
                    .collect();
                self.enter(bindings, TermId(closure.body));
            }
            (Value::Array(array), [index]) => {
                self.results.push(array.look_up(index).cloned());
            }
            _ => self.results.push(Err(CannotSay::Unsupported(
                "such an application".to_string(),
            ))),
        }
    }

    pub(super) fn constant_array(&self, shape: &Shape, args: Vec<Value>) -> Outcome {
        let ([value], Some(index)) = (&args[..], shape.index()) else {
            return Err(CannotSay::IllTyped("const".to_string()));
        };
        let array = Array::constant(self.shapes().domain(index)?, value.clone())?;
        Ok(Value::Array(Arc::new(array)))
    }

    pub(super) fn singleton(&self, args: Vec<Value>) -> Outcome {
        let [element] = &args[..] else {
            return Err(CannotSay::IllTyped("set.singleton".to_string()));
        };
        let domain = self.shapes().domain_of(element)?;
        let set = Array::constant(domain, Value::Bool(false))?;
        Ok(Value::Set(Arc::new(
            set.store(element.clone(), Value::Bool(true))?,
        )))
    }

    /// `(bag e n)`: nothing if n is not positive.
    pub(super) fn bag(&self, args: Vec<Value>) -> Outcome {
        let [element, Value::Int(count)] = &args[..] else {
            return Err(CannotSay::IllTyped("bag".to_string()));
        };
        let domain = match self.shapes().domain_of(element)? {
            Domain::Unknown => Domain::Unknown,
            _ => Domain::Infinite,
        };
        let none = Value::Int(Int::ZERO);
        let mut bag = Array::constant(domain, none)?;
        if *count > Int::ZERO {
            bag = bag.store(element.clone(), args[1].clone())?;
        }
        Ok(Value::Bag(Arc::new(bag)))
    }

    pub(super) fn update(&self, selector: Symbol, args: Vec<Value>) -> Outcome {
        let ill_typed = Err(CannotSay::IllTyped("update-field".to_string()));
        let Some(Global::Selector {
            constructor, field, ..
        }) = self.context.globals.get(&selector)
        else {
            return ill_typed;
        };
        match &args[..] {
            [Value::Datatype(datatype), value]
                if *datatype.constructor == *self.script.name(*constructor) =>
            {
                let mut fields = datatype.fields.clone();
                fields[*field] = value.clone();
                Value::datatype(Arc::clone(&datatype.constructor), fields)
            }
            [whole @ Value::Datatype(_), _] => Ok(whole.clone()),
            _ => ill_typed,
        }
    }

    /// `((_ map f) a …)` for functions of the theories.
    pub(super) fn map(&mut self, function: Symbol, args: &[Value]) -> Outcome {
        let name = self.script.name(function);
        let arrays: Option<Vec<&Array>> = args
            .iter()
            .map(|arg| match arg {
                Value::Array(array) | Value::Set(array) => Some(&**array),
                _ => None,
            })
            .collect();
        let Some(arrays) = arrays else {
            return Err(CannotSay::Unsupported("map of functions".to_string()));
        };
        let array = Array::map(&arrays, |values| {
            let args: Vec<Value> = values.iter().map(|value| (*value).clone()).collect();
            pointwise(name, &args)
        })?;
        Ok(Value::Array(Arc::new(array)))
    }
}

/// `(store a i v)`; an array that nobody else holds is changed in place.
fn store(args: Vec<Value>) -> Outcome {
    let Ok([Value::Array(array), index, value]) = <[Value; 3]>::try_from(args) else {
        return Err(CannotSay::IllTyped("store".to_string()));
    };
    let array = Arc::try_unwrap(array).unwrap_or_else(|shared| Array::clone(&shared));
    let stored = array.store(index, value)?;
    Ok(Value::Array(Arc::new(stored)))
}

/// A function of the theories on values, connectives included.
fn pointwise(name: &str, args: &[Value]) -> Outcome {
    let bools: Option<Vec<bool>> = args
        .iter()
        .map(|arg| match arg {
            Value::Bool(b) => Some(*b),
            _ => None,
        })
        .collect();
    match (name, bools, args) {
        ("and", Some(bools), _) => Ok(Value::Bool(bools.iter().all(|b| *b))),
        ("or", Some(bools), _) => Ok(Value::Bool(bools.iter().any(|b| *b))),
        ("=>", Some(bools), _) => {
            let [before @ .., last] = &bools[..] else {
                return Err(CannotSay::IllTyped("=>".to_string()));
            };
            Ok(Value::Bool(*last || before.iter().any(|b| !b)))
        }
        ("ite", _, [Value::Bool(condition), yes, no]) => {
            Ok(if *condition { yes.clone() } else { no.clone() })
        }
        _ => match super::operators::operator(name) {
            Some(operator) => operator(&Call {
                name,
                indices: &[],
                args,
            }),
            None => Err(CannotSay::Unsupported(format!("map of {name}"))),
        },
    }
}
