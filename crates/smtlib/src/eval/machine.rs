//! The machine: tasks on a stack, results on another.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::context::{Context, Point};
use super::higher::Walk;
use super::operators::Operator;
use super::quantify::Quantified;
use super::resolve::{Kind, Resolver, literal};
use super::shape::{Shape, Shapes};
use super::{Budget, Completion, roots};
use crate::syntax::{Binder, IdentifierId, Script, Symbol, Term, TermId};
use crate::value::{CannotSay, Domain, Natural, Value};

/// How many calls may be open at once: a recursion without end is over long
/// before it has used up its steps, or much memory.
const MAX_CALLS: u32 = 100_000;

/// A value, or that there is none.
pub(super) type Outcome = Result<Value, CannotSay>;

/// What is left to do. A task that needs results takes them from the results'
/// end, where the tasks above it have put them.
pub(super) enum Task {
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
    /// The result has to be of the sort with which the script declares the name.
    Expect(Symbol, Arc<Shape>),
    /// The value of an ill-sorted term is there, if its parts gave one: it is none.
    Refuse(TermId),
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
    /// The operation on what is there and the next of these, and so on.
    Fold(Box<Fold>),
    /// The result for an element is there, if one was asked for.
    Walk(Box<Walk>),
    Quantify(Box<Quantified>),
}

/// A chain such as `(div a b c)`, taken step by step.
pub(super) struct Fold {
    pub(super) name: String,
    pub(super) operator: Operator,
    pub(super) indices: Vec<Natural>,
    /// The last first.
    pub(super) rest: Vec<Value>,
}

/// A connective in progress: it is decided by the first `decisive` argument.
pub(super) struct Connective {
    term: TermId,
    next: usize,
    decisive: bool,
    unknown: Option<CannotSay>,
}

/// The evaluator of one script under one context.
pub(super) struct Machine<'a> {
    pub(super) script: &'a Script,
    pub(super) context: &'a Context,
    pub(super) completion: Completion,
    pub(super) steps: u64,
    pub(super) tasks: Vec<Task>,
    pub(super) results: Vec<Outcome>,
    /// The values of variables by symbol, with the frame they belong to.
    pub(super) bindings: BTreeMap<Symbol, Vec<(u32, Outcome)>>,
    /// The variables in scope in order of binding, with their frame.
    pub(super) trail: Vec<(u32, Symbol)>,
    pub(super) frame: u32,
    pub(super) frames: u32,
    calls: u32,
    pub(super) kinds: Vec<Option<Kind>>,
    pub(super) constants: BTreeMap<Symbol, Outcome>,
    /// How many quantifiers around are only sampled.
    pub(super) sampling: usize,
    /// An application that is looked out for, and where it was found open.
    pub(super) watched: Option<(TermId, Option<Point>)>,
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
            calls: 0,
            kinds: Vec::new(),
            constants: BTreeMap::new(),
            sampling: 0,
            watched: None,
        }
    }

    pub(super) fn shapes(&self) -> Shapes<'a> {
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
                self.calls = 0;
                self.sampling = 0;
                return Err(CannotSay::OutOfSteps);
            }
            self.perform(task);
        }
        self.result()
    }

    pub(super) fn spend(&mut self, steps: u64) -> Result<(), CannotSay> {
        self.steps = self.steps.saturating_sub(steps);
        match self.steps {
            0 => Err(CannotSay::OutOfSteps),
            _ => Ok(()),
        }
    }

    pub(super) fn result(&mut self) -> Outcome {
        self.results
            .pop()
            .expect("every task leaves what the next one takes")
    }

    /// The last `count` results, in order, or the first of them that is none.
    pub(super) fn take(&mut self, count: usize) -> Result<Vec<Value>, CannotSay> {
        let results = self.results.split_off(self.results.len() - count);
        results.into_iter().collect()
    }

    pub(super) fn perform(&mut self, task: Task) {
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
                self.calls -= 1;
            }
            Task::Keep(symbol) => {
                let result = self.result();
                self.constants.insert(symbol, result.clone());
                self.results.push(result);
            }
            Task::Expect(symbol, shape) => self.expect_sort(symbol, &shape),
            Task::Refuse(term) => {
                if matches!(self.results.last(), Some(Ok(_))) {
                    let what = self.head_name(term).to_string();
                    self.results.pop();
                    self.results.push(Err(CannotSay::IllTyped(what)));
                }
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
            Task::Fold(fold) => self.fold(fold),
            Task::Walk(walk) => self.walk(walk),
            Task::Quantify(quantified) => self.quantify(quantified),
        }
    }

    /// Pushes the evaluation of several terms, whose results come in order.
    pub(super) fn eval_all(&mut self, terms: impl DoubleEndedIterator<Item = TermId>) {
        self.tasks.extend(terms.rev().map(Task::Eval));
    }

    pub(super) fn eval(&mut self, term: TermId) {
        if self.context.is_ill_sorted(term) {
            self.tasks.push(Task::Refuse(term));
        }
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
                Binder::Choice | Binder::Comprehension => {
                    self.results
                        .push(Err(CannotSay::Unsupported(binder.name().to_string())));
                }
            },
            Term::Match { scrutinee, .. } => {
                self.tasks.push(Task::Matched(term));
                self.tasks.push(Task::Eval(scrutinee));
            }
            Term::Annotated { term, .. } => self.tasks.push(Task::Eval(term)),
        }
    }

    /// What an ill-sorted term is called.
    fn head_name(&self, term: TermId) -> &'a str {
        match self.script.term(term) {
            Term::Application { head, .. } => self.script.name(self.script.identifier(head).symbol),
            Term::Bind { binder, .. } => binder.name(),
            _ => "a term",
        }
    }

    /// A new frame, in which no variable around is meant; it ends when the
    /// tasks pushed from now on are done, with `bound` variables of its own.
    pub(super) fn open_frame(&mut self, bound: usize) {
        let frame = self.frame;
        self.tasks.push(Task::Return { bound, frame });
        self.frames += 1;
        self.frame = self.frames;
        self.calls += 1;
        if self.calls > MAX_CALLS {
            self.steps = 0;
        }
    }

    /// The value of a variable of the present frame.
    pub(super) fn local(&self, symbol: Symbol) -> Option<&Outcome> {
        let (frame, outcome) = self.bindings.get(&symbol)?.last()?;
        (*frame == self.frame).then_some(outcome)
    }

    pub(super) fn kind(&mut self, head: IdentifierId) -> Kind {
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

    pub(super) fn eval_application(
        &mut self,
        term: TermId,
        head: IdentifierId,
        arguments: &'a [TermId],
    ) {
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
            Kind::RootObject => {
                self.results.push(roots::root(self.script, arguments));
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

    pub(super) fn connect(&mut self, mut connective: Connective) {
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

    pub(super) fn choose(&mut self, term: TermId) {
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

    pub(super) fn bind(&mut self, symbol: Symbol, outcome: Outcome) {
        self.bindings
            .entry(symbol)
            .or_default()
            .push((self.frame, outcome));
        self.trail.push((self.frame, symbol));
    }

    pub(super) fn unbind(&mut self, count: usize) {
        for (_, symbol) in self.trail.drain(self.trail.len() - count..) {
            if let Some(stack) = self.bindings.get_mut(&symbol) {
                stack.pop();
            }
        }
    }

    pub(super) fn bound(&mut self, term: TermId) {
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

    pub(super) fn matched(&mut self, term: TermId) {
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
}
