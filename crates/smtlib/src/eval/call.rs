//! Applying functions: of the theories, of the script, of the model.

use std::sync::Arc;

use super::context::{Function, Global, Point};
use super::machine::{Fold, Machine, Outcome, Task};
use super::operators::{Call, Operator};
use super::resolve::Kind;
use super::shape::Shape;
use super::{Completion, open};
use crate::syntax::{SortId, Symbol, Term, TermId};
use crate::value::{Array, CannotSay, Natural, Value};

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
                self.call_global(term, symbol, args);
                return self.note_open(name, &[], watched);
            }
            Kind::AsArray(function) => return self.as_array(function),
            Kind::Higher(how) => return self.walk_over(how, name, args),
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

    /// What a name of the script or the model stands for, applied.
    fn call_global(&mut self, term: TermId, symbol: Symbol, args: Vec<Value>) {
        let ill_typed = Err(CannotSay::IllTyped(self.script.name(symbol).to_string()));
        let outcome = match &self.context.globals[&symbol] {
            Global::Function(function) => {
                let function = Arc::clone(function);
                return self.call_function(symbol, &function, args);
            }
            Global::Declared { arguments, sort } if *arguments == args.len() => {
                match self.completion {
                    Completion::None => Err(CannotSay::NoInterpretation(
                        self.script.name(symbol).to_string(),
                    )),
                    completion => self.first_of(term, *sort, completion),
                }
            }
            Global::Constructor { name, arity } if *arity == args.len() => {
                Value::datatype(Arc::clone(name), args)
            }
            Global::Selector {
                constructor,
                field,
                sort,
            } => {
                let constructor = self.script.name(*constructor);
                let known = self.context.known(self.script.name(symbol), &[], &args);
                match (known, &args[..]) {
                    (Some(value), _) => Ok(value.clone()),
                    (None, [Value::Datatype(datatype)])
                        if *datatype.constructor == *constructor =>
                    {
                        datatype.fields.get(*field).cloned().map_or(ill_typed, Ok)
                    }
                    (None, [Value::Datatype(_)]) => match self.completion {
                        Completion::None => Err(CannotSay::Underspecified("a selector")),
                        completion => self.first_of(term, *sort, completion),
                    },
                    _ => ill_typed,
                }
            }
            Global::Value(value) if args.is_empty() => Ok(value.clone()),
            Global::Parametric => Err(CannotSay::Unsupported("sort parameters".to_string())),
            Global::Declared { .. } | Global::Constructor { .. } | Global::Value(_) => ill_typed,
        };
        self.results.push(outcome);
    }

    fn call_function(&mut self, symbol: Symbol, function: &Function, args: Vec<Value>) {
        let parameters = function.parameters.len();
        if args.is_empty() {
            if let Some(outcome) = self.constants.get(&symbol) {
                return self.results.push(outcome.clone());
            }
            self.tasks.push(Task::Keep(symbol));
        }
        match (parameters, args.len()) {
            (parameters, count) if parameters == count => {
                self.call(function, args.into_iter().map(Ok).collect());
            }
            // A function where a value is wanted: yices prints arrays so.
            (_, 0) => self.as_array(symbol),
            // A constant whose value is a function or an array.
            (0, _) => {
                self.tasks.push(Task::ApplyTo(args));
                self.call(function, Vec::new());
            }
            _ => {
                let name = self.script.name(symbol).to_string();
                self.results.push(Err(CannotSay::IllTyped(name)));
            }
        }
    }

    /// The first value of a term's sort: as typing found it, else as it was
    /// written. What a sort parameter stands for only the former says.
    fn first_of(&self, term: TermId, written: SortId, completion: Completion) -> Outcome {
        let shapes = self.shapes();
        let typed = self.context.typed.as_deref();
        let found = typed.and_then(|typed| shapes.of_sort(typed, typed.sort(term)?));
        let shape = found.map_or_else(|| shapes.shape(written), Ok)?;
        shapes.first(&shape, completion)
    }

    /// A model's value has to be of the sort that the script declares.
    pub(super) fn expect_sort(&mut self, symbol: Symbol, shape: &Shape) {
        let Some(Ok(value)) = self.results.last() else {
            return;
        };
        let parts = value.extent().parts;
        if !self.shapes().has_value(shape, value) {
            let name = self.script.name(symbol).to_string();
            self.results.pop();
            self.results.push(Err(CannotSay::OtherSort(name)));
        }
        // An exhausted budget shows at the next task.
        let _ = self.spend(parts / 8);
    }

    /// Enters a function.
    pub(super) fn call(&mut self, function: &Function, args: Vec<Outcome>) {
        if let Some((symbol, sort)) = &function.declared {
            self.tasks.push(Task::Expect(*symbol, Arc::clone(sort)));
        }
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
