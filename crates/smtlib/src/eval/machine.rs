//! The machine: tasks on a stack, results on another.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::context::{Context, Function, Global};
use super::operators::{Call, Operator};
use super::resolve::{Kind, Resolver, literal};
use super::shape::{Shape, Shapes};
use super::{Budget, Completion, lambda, open};
use crate::syntax::{Binder, IdentifierId, Script, Symbol, Term, TermId, Variable};
use crate::value::{Array, CannotSay, Closure, Domain, Natural, Value};

/// A value, or that there is none.
type Outcome = Result<Value, CannotSay>;

/// Tables over finite indices are made by enumeration up to this size.
const MAX_TABLE: usize = 256;

/// How many tuples of a domain without end are tried, by how many such
/// quantifiers are around: one may decide, none is ever enough for all.
const SAMPLES: &[usize] = &[64, 8, 2];

/// What is left to do. A task that needs results takes them from the results'
/// end, where the tasks above it have put them.
enum Task {
    Eval(TermId),
    /// All arguments of an application are there.
    Apply(TermId),
    /// `(f x)` where f is a term: function and arguments are there.
    ApplyValue(usize),
    /// The next argument of `and`, `or`, `=>` is there.
    Connect(Connective),
    /// The condition is there.
    Choose(TermId),
    /// The bindings of a `let` are there.
    Bound(TermId),
    /// The scrutinee of a `match` is there.
    Matched(TermId),
    /// Takes variables out of scope.
    Unbind(usize),
    /// Ends a function: its variables, and the frame before.
    Return {
        bound: usize,
        frame: u32,
    },
    /// Keeps the result as the value of a constant.
    Keep(Symbol),
    /// Index, value pairs and a default are there.
    Table {
        domain: Domain,
        entries: usize,
    },
    /// One value for each index of the domain is there.
    Listed(Arc<[Value]>),
    /// Calls a function value on one argument.
    CallOn(Value, Value),
    /// A function value is there; its arguments are known.
    ApplyTo(Vec<Value>),
    Quantify(Box<Quantified>),
}

/// A connective in progress: it is decided by the first `decisive` argument.
struct Connective {
    term: TermId,
    next: usize,
    decisive: bool,
    unknown: Option<CannotSay>,
}

/// A quantifier in progress.
struct Quantified {
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

/// The evaluator of one script under one context.
pub(super) struct Machine<'a> {
    script: &'a Script,
    context: &'a Context,
    completion: Completion,
    steps: u64,
    tasks: Vec<Task>,
    results: Vec<Outcome>,
    /// The values of variables by symbol, with the frame they belong to.
    bindings: BTreeMap<Symbol, Vec<(u32, Outcome)>>,
    /// The variables in scope in order of binding, with their frame.
    trail: Vec<(u32, Symbol)>,
    frame: u32,
    frames: u32,
    kinds: Vec<Option<Kind>>,
    constants: BTreeMap<Symbol, Outcome>,
    /// How many quantifiers around are only sampled.
    sampling: usize,
}

impl<'a> Machine<'a> {
    pub(super) fn new(
        script: &'a Script,
        context: &'a Context,
        completion: Completion,
        budget: Budget,
    ) -> Machine<'a> {
        Machine {
            script,
            context,
            completion,
            steps: budget.steps,
            tasks: Vec::new(),
            results: Vec::new(),
            bindings: BTreeMap::new(),
            trail: Vec::new(),
            frame: 0,
            frames: 0,
            kinds: Vec::new(),
            constants: BTreeMap::new(),
            sampling: 0,
        }
    }

    fn shapes(&self) -> Shapes<'a> {
        Shapes {
            script: self.script,
            context: self.context,
        }
    }

    /// The value of a closed term.
    ///
    /// What is open in one term does not hurt the next, only an exhausted
    /// budget does.
    pub(super) fn run(&mut self, term: TermId) -> Outcome {
        self.tasks.push(Task::Eval(term));
        while let Some(task) = self.tasks.pop() {
            if self.spend(1).is_err() {
                // Whatever was going on is over.
                self.tasks.clear();
                self.results.clear();
                self.bindings.clear();
                self.trail.clear();
                self.frame = 0;
                self.sampling = 0;
                return Err(CannotSay::OutOfSteps);
            }
            self.perform(task);
        }
        self.result()
    }

    fn spend(&mut self, steps: u64) -> Result<(), CannotSay> {
        self.steps = self.steps.saturating_sub(steps);
        match self.steps {
            0 => Err(CannotSay::OutOfSteps),
            _ => Ok(()),
        }
    }

    fn result(&mut self) -> Outcome {
        self.results
            .pop()
            .expect("every task leaves what the next one takes")
    }

    /// The last `count` results, in order, or the first of them that is none.
    fn take(&mut self, count: usize) -> Result<Vec<Value>, CannotSay> {
        let results = self.results.split_off(self.results.len() - count);
        results.into_iter().collect()
    }

    fn perform(&mut self, task: Task) {
        match task {
            Task::Eval(term) => self.eval(term),
            Task::Apply(term) => self.apply(term),
            Task::ApplyValue(count) => {
                let args = self.take(count);
                match (self.result(), args) {
                    (Ok(function), Ok(args)) => self.call_value(function, args),
                    (Err(why), _) | (_, Err(why)) => self.results.push(Err(why)),
                }
            }
            Task::Connect(connective) => self.connect(connective),
            Task::Choose(term) => self.choose(term),
            Task::Bound(term) => self.bound(term),
            Task::Matched(term) => self.matched(term),
            Task::Unbind(count) => self.unbind(count),
            Task::Return { bound, frame } => {
                self.unbind(bound);
                self.frame = frame;
            }
            Task::Keep(symbol) => {
                let result = self.result();
                self.constants.insert(symbol, result.clone());
                self.results.push(result);
            }
            Task::Table { domain, entries } => {
                let array = self.table(domain, entries);
                self.results.push(array);
            }
            Task::Listed(indices) => {
                let array = self.listed(indices);
                self.results.push(array);
            }
            Task::ApplyTo(args) => match self.result() {
                Ok(function) => self.call_value(function, args),
                Err(why) => self.results.push(Err(why)),
            },
            Task::CallOn(function, argument) => self.call_value(function, vec![argument]),
            Task::Quantify(quantified) => self.quantify(quantified),
        }
    }

    /// Pushes the evaluation of several terms, whose results come in order.
    fn eval_all(&mut self, terms: impl DoubleEndedIterator<Item = TermId>) {
        self.tasks.extend(terms.rev().map(Task::Eval));
    }

    fn eval(&mut self, term: TermId) {
        match self.script.term(term) {
            Term::Literal(kind, written) => {
                let value = literal(kind, written, self.context.escapes);
                self.results.push(value);
            }
            Term::Application { head, arguments } => self.eval_application(term, head, arguments),
            Term::Apply {
                function,
                arguments,
            } => {
                self.tasks.push(Task::ApplyValue(arguments.len()));
                self.eval_all([function].into_iter().chain(arguments.iter().copied()));
            }
            Term::Let { bindings, .. } => {
                self.tasks.push(Task::Bound(term));
                self.eval_all(bindings.iter().map(|binding| binding.term));
            }
            Term::Bind {
                binder,
                variables,
                body,
            } => match binder {
                Binder::Forall | Binder::Exists => {
                    self.start_quantifier(term, binder == Binder::Forall, variables);
                }
                Binder::Lambda => self.eval_lambda(variables, body),
                Binder::Choice => {
                    self.results
                        .push(Err(CannotSay::Unsupported("choice".to_string())));
                }
            },
            Term::Match { scrutinee, .. } => {
                self.tasks.push(Task::Matched(term));
                self.tasks.push(Task::Eval(scrutinee));
            }
            Term::Annotated { term, .. } => self.tasks.push(Task::Eval(term)),
        }
    }

    /// The value of a variable of the present frame.
    fn local(&self, symbol: Symbol) -> Option<&Outcome> {
        let (frame, outcome) = self.bindings.get(&symbol)?.last()?;
        (*frame == self.frame).then_some(outcome)
    }

    fn kind(&mut self, head: IdentifierId) -> Kind {
        let at = head.0 as usize;
        if at >= self.kinds.len() {
            self.kinds.resize(at + 1, None);
        }
        let resolver = Resolver {
            script: self.script,
            context: self.context,
        };
        self.kinds[at]
            .get_or_insert_with(|| resolver.resolve(head))
            .clone()
    }

    fn eval_application(&mut self, term: TermId, head: IdentifierId, arguments: &'a [TermId]) {
        let identifier = self.script.identifier(head);
        if identifier.indices.is_empty()
            && let Some(outcome) = self.local(identifier.symbol)
        {
            self.results.push(outcome.clone());
            if !arguments.is_empty() {
                self.tasks.push(Task::ApplyValue(arguments.len()));
                self.eval_all(arguments.iter().copied());
            }
            return;
        }
        let (decisive, next) = match self.kind(head) {
            Kind::And => (false, 0),
            Kind::Or | Kind::Implies => (true, 0),
            Kind::Ite if arguments.len() == 3 => {
                self.tasks.push(Task::Choose(term));
                self.tasks.push(Task::Eval(arguments[0]));
                return;
            }
            Kind::Constant(outcome) if arguments.is_empty() => {
                self.results.push(outcome);
                return;
            }
            _ => {
                self.tasks.push(Task::Apply(term));
                self.eval_all(arguments.iter().copied());
                return;
            }
        };
        let Some(&first) = arguments.first() else {
            self.results.push(Ok(Value::Bool(!decisive)));
            return;
        };
        self.tasks.push(Task::Connect(Connective {
            term,
            next,
            decisive,
            unknown: None,
        }));
        self.tasks.push(Task::Eval(first));
    }

    fn connect(&mut self, mut connective: Connective) {
        let Term::Application { head, arguments } = self.script.term(connective.term) else {
            unreachable!("connectives are applications");
        };
        let implies = matches!(self.kind(head), Kind::Implies);
        let last = connective.next + 1 == arguments.len();
        match self.result() {
            // In an implication all but the last argument count negated.
            Ok(Value::Bool(value)) if (value != (implies && !last)) == connective.decisive => {
                return self.results.push(Ok(Value::Bool(connective.decisive)));
            }
            Ok(Value::Bool(_)) => {}
            Ok(_) => connective.unknown = Some(CannotSay::IllTyped("a connective".to_string())),
            Err(why) => connective.unknown = connective.unknown.or(Some(why)),
        }
        connective.next += 1;
        match arguments.get(connective.next) {
            Some(&next) => {
                self.tasks.push(Task::Connect(connective));
                self.tasks.push(Task::Eval(next));
            }
            None => self.results.push(match connective.unknown {
                Some(why) => Err(why),
                None => Ok(Value::Bool(!connective.decisive)),
            }),
        }
    }

    fn choose(&mut self, term: TermId) {
        let Term::Application {
            arguments: [_, yes, no],
            ..
        } = self.script.term(term)
        else {
            unreachable!("checked when the condition was asked for");
        };
        match self.result() {
            Ok(Value::Bool(true)) => self.tasks.push(Task::Eval(*yes)),
            Ok(Value::Bool(false)) => self.tasks.push(Task::Eval(*no)),
            Ok(_) => self
                .results
                .push(Err(CannotSay::IllTyped("ite".to_string()))),
            Err(why) => self.results.push(Err(why)),
        }
    }

    fn bind(&mut self, symbol: Symbol, outcome: Outcome) {
        self.bindings
            .entry(symbol)
            .or_default()
            .push((self.frame, outcome));
        self.trail.push((self.frame, symbol));
    }

    fn unbind(&mut self, count: usize) {
        for (_, symbol) in self.trail.drain(self.trail.len() - count..) {
            if let Some(stack) = self.bindings.get_mut(&symbol) {
                stack.pop();
            }
        }
    }

    fn bound(&mut self, term: TermId) {
        let Term::Let { bindings, body } = self.script.term(term) else {
            unreachable!("only for let");
        };
        let outcomes = self.results.split_off(self.results.len() - bindings.len());
        for (binding, outcome) in bindings.iter().zip(outcomes) {
            self.bind(binding.symbol, outcome);
        }
        self.tasks.push(Task::Unbind(bindings.len()));
        self.tasks.push(Task::Eval(body));
    }

    fn matched(&mut self, term: TermId) {
        let Term::Match { cases, .. } = self.script.term(term) else {
            unreachable!("only for match");
        };
        let scrutinee = match self.result() {
            Ok(Value::Datatype(datatype)) => datatype,
            Ok(_) => {
                return self
                    .results
                    .push(Err(CannotSay::IllTyped("match".to_string())));
            }
            Err(why) => return self.results.push(Err(why)),
        };
        for case in cases {
            let head = self.script.identifier(case.head).symbol;
            let is_constructor = self.context.constructors.contains_key(&head);
            let variables = self.script.case_variables(case);
            if is_constructor && self.script.name(head) != &*scrutinee.constructor {
                continue;
            }
            let count = match is_constructor {
                true => {
                    for (&variable, field) in variables.iter().zip(&scrutinee.fields) {
                        self.bind(variable, Ok(field.clone()));
                    }
                    variables.len().min(scrutinee.fields.len())
                }
                false => {
                    self.bind(head, Ok(Value::Datatype(Arc::clone(&scrutinee))));
                    1
                }
            };
            self.tasks.push(Task::Unbind(count));
            return self.tasks.push(Task::Eval(case.body));
        }
        self.results
            .push(Err(CannotSay::IllTyped("match".to_string())));
    }

    fn apply(&mut self, term: TermId) {
        let Term::Application { head, arguments } = self.script.term(term) else {
            unreachable!("only for applications");
        };
        let kind = self.kind(head);
        let name = self.script.name(self.script.identifier(head).symbol);
        let args = match self.take(arguments.len()) {
            Ok(args) => args,
            Err(why) => return self.results.push(Err(why)),
        };
        let cost: u64 = args.iter().map(Value::words).sum();
        // An exhausted budget shows at the next task.
        let _ = self.spend(cost / 4);
        let ill_typed = || Err(CannotSay::IllTyped(name.to_string()));
        let outcome = match kind {
            Kind::Operator(operator, indices) => {
                return self.operate(name, operator, &indices, args);
            }
            Kind::Global(symbol) => return self.call_global(symbol, args),
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
            Kind::And | Kind::Or | Kind::Implies | Kind::Ite => ill_typed(),
        };
        self.results.push(outcome);
    }

    /// A strict operator; open results are looked up in the model.
    fn operate(&mut self, name: &str, operator: Operator, indices: &[Natural], args: Vec<Value>) {
        if name == "select"
            && let [Value::Closure(_), index] = &args[..]
        {
            let index = index.clone();
            let function = args.into_iter().next().expect("two arguments");
            return self.call_value(function, vec![index]);
        }
        let outcome = operator(&Call {
            name,
            indices,
            args: &args,
        });
        let Err(CannotSay::Underspecified(operation)) = outcome else {
            return self.results.push(outcome);
        };
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
        self.results
            .push(open::choice(self.completion, operation, indices, &args));
    }

    fn call_global(&mut self, symbol: Symbol, args: Vec<Value>) {
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
            Global::Function(function) if args.is_empty() => {
                let parameters = function.parameters.iter().map(|p| p.symbol.0).collect();
                let body = function.body.0;
                let environment = Vec::new();
                Ok(Value::Closure(Arc::new(Closure {
                    parameters,
                    body,
                    environment,
                })))
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
                self.select_field(constructor, *field, *sort, &args)
                    .unwrap_or(ill_typed)
            }
            Global::Value(value) if args.is_empty() => Ok(value.clone()),
            Global::Value(_) => ill_typed,
        };
        self.results.push(outcome);
    }

    /// A selector; `None` for arguments that are no datatypes.
    fn select_field(
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
    fn call(&mut self, function: &Function, args: Vec<Outcome>) {
        let parameters = function.parameters.iter().map(|parameter| parameter.symbol);
        self.enter(parameters.zip(args).collect(), function.body);
    }

    fn enter(&mut self, bindings: Vec<(Symbol, Outcome)>, body: TermId) {
        self.tasks.push(Task::Return {
            bound: bindings.len(),
            frame: self.frame,
        });
        self.frames += 1;
        self.frame = self.frames;
        for (symbol, outcome) in bindings {
            self.bind(symbol, outcome);
        }
        self.tasks.push(Task::Eval(body));
    }

    fn call_value(&mut self, function: Value, args: Vec<Value>) {
        match (&function, &args[..]) {
            (Value::Closure(closure), _) if closure.parameters.len() == args.len() => {
                let environment = closure.environment.iter().cloned();
                let parameters = closure.parameters.iter().copied().zip(args);
                let bindings = environment
                    .chain(parameters)
                    .map(|(symbol, value)| (Symbol(symbol), Ok(value)))
                    .collect();
                self.enter(bindings, TermId(closure.body));
            }
            (Value::Array(array), [index]) => self.results.push(Ok(array.select(index).clone())),
            _ => self.results.push(Err(CannotSay::Unsupported(
                "such an application".to_string(),
            ))),
        }
    }

    fn constant_array(&self, shape: &Shape, args: Vec<Value>) -> Outcome {
        let ([value], Shape::Array(index, _)) = (&args[..], shape) else {
            return Err(CannotSay::IllTyped("const".to_string()));
        };
        let array = Array::constant(self.shapes().domain(index)?, value.clone())?;
        Ok(Value::Array(Arc::new(array)))
    }

    fn singleton(&self, args: Vec<Value>) -> Outcome {
        let [element] = &args[..] else {
            return Err(CannotSay::IllTyped("set.singleton".to_string()));
        };
        let domain = self.shapes().domain_of(element)?;
        let set = Array::constant(domain, Value::Bool(false))?;
        Ok(Value::Set(Arc::new(
            set.store(element.clone(), Value::Bool(true))?,
        )))
    }

    fn update(&self, selector: Symbol, args: Vec<Value>) -> Outcome {
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
    fn map(&mut self, function: Symbol, args: &[Value]) -> Outcome {
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

    fn as_array(&mut self, function: Symbol) {
        match self.context.globals.get(&function) {
            Some(Global::Function(function)) => {
                let function = Arc::clone(function);
                self.eval_lambda(&function.parameters, function.body);
            }
            _ => {
                let name = self.script.name(function).to_string();
                self.results.push(Err(CannotSay::NoInterpretation(name)));
            }
        }
    }

    /// A function as a value: a table where possible.
    fn eval_lambda(&mut self, variables: &[Variable], body: TermId) {
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

    /// A function with the variables around it that have values.
    fn closure(&self, variables: &[Variable], body: TermId) -> Outcome {
        let mut environment = Vec::new();
        for &(frame, symbol) in self.trail.iter().filter(|(frame, _)| *frame == self.frame) {
            if let Some(Ok(value)) = self.local(symbol) {
                environment.push((symbol.0, value.clone()));
            }
            let _ = frame;
        }
        let parameters = variables.iter().map(|variable| variable.symbol.0).collect();
        Ok(Value::Closure(Arc::new(Closure {
            parameters,
            body: body.0,
            environment,
        })))
    }

    fn table(&mut self, domain: Domain, entries: usize) -> Outcome {
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

    fn listed(&mut self, indices: Arc<[Value]>) -> Outcome {
        let values = self.take(indices.len())?;
        let Some(default) = values.first().cloned() else {
            return Err(CannotSay::Unsupported("an empty sort".to_string()));
        };
        let entries = indices.iter().cloned().zip(values).collect();
        let array = Array::new(Domain::Listed(indices), default, entries)?;
        Ok(Value::Array(Arc::new(array)))
    }

    fn start_quantifier(&mut self, term: TermId, universal: bool, variables: &[Variable]) {
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

    fn leave(&mut self, quantified: &Quantified) {
        if quantified.complete.is_err() {
            self.sampling -= 1;
        }
    }

    fn quantify(&mut self, mut quantified: Box<Quantified>) {
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
