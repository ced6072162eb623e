//! What the names of a script mean at one of its questions, and what a model
//! adds to that.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::shape::{Shape, Shapes};
use crate::syntax::{
    AttributeValue, Command, CommandKind, Datatype, Definition, Script, SortId, Symbol, Term,
    TermId, Variable,
};
use crate::typing::{self, Typed};
use crate::value::text::Escapes;
use crate::value::{Element, Natural, Value};

/// One `check-sat` of a script: what is asserted and declared when it is
/// asked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Question {
    /// The assertions in force, and the assumptions of the question itself.
    pub assertions: Vec<TermId>,
    /// The commands that declare or define something in force.
    pub declarations: Vec<usize>,
    /// The other commands whose terms may give names (`:named`) in force.
    pub naming: Vec<usize>,
    /// Which command asks.
    pub command: usize,
}

/// An operation that the standard leaves open, and what it is applied to.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Point {
    pub(super) name: String,
    pub(super) indices: Vec<Natural>,
    pub(super) args: Vec<Value>,
}

/// A function with a body.
#[derive(Clone, Debug)]
pub(super) struct Function {
    pub(super) parameters: Vec<Variable>,
    pub(super) body: TermId,
    /// The name and the sort that the script declares it with, if a model defines it.
    pub(super) declared: Option<(Symbol, Arc<Shape>)>,
}

/// What a name stands for.
#[derive(Clone, Debug)]
pub(super) enum Global {
    Function(Arc<Function>),
    Declared {
        arguments: usize,
        sort: SortId,
    },
    Constructor {
        name: Arc<str>,
        arity: usize,
    },
    Selector {
        constructor: Symbol,
        field: usize,
        sort: SortId,
    },
    Value(Value),
    /// Of sort parameters: a function for each instance, which is not known here.
    Parametric,
}

/// What a sort's name stands for.
#[derive(Clone, Debug)]
pub(super) enum SortName {
    Declared,
    Alias(Vec<Symbol>, SortId),
    Datatype(usize),
}

/// The meaning of names: declarations of a script and an interpretation.
#[derive(Clone, Debug, Default)]
pub struct Context {
    pub(super) globals: BTreeMap<Symbol, Global>,
    pub(super) sorts: BTreeMap<Symbol, SortName>,
    pub(super) datatypes: Vec<Datatype>,
    /// Constructor to datatype.
    pub(super) constructors: BTreeMap<Symbol, (usize, usize)>,
    /// The elements of uninterpreted sorts, where the model lists them.
    pub(super) universes: BTreeMap<String, Arc<[Value]>>,
    /// The names that the script declares, in order.
    declared: Vec<Symbol>,
    /// What operations that the standard leaves open give, at these arguments.
    pub(super) points: BTreeMap<Point, Value>,
    /// The sorts of the script's terms.
    pub(super) typed: Option<Arc<Typed>>,
    /// How string literals are written.
    pub escapes: Escapes,
}

/// How many questions a script asks.
pub fn questions(script: &Script) -> usize {
    script
        .commands
        .iter()
        .filter(|command| asks(command))
        .count()
}

fn asks(command: &Command) -> bool {
    matches!(
        command.kind,
        CommandKind::CheckSat(_) | CommandKind::CheckSatAssuming(_) | CommandKind::CheckSatUsing(_)
    )
}

/// Question number `index` of a script, counted from 0.
pub fn question(script: &Script, index: usize) -> Option<Question> {
    let mut force = InForce::default();
    let mut asked = 0;
    for (at, command) in script.commands.iter().enumerate() {
        match &command.kind {
            CommandKind::Assert(term) => {
                force.question.assertions.push(*term);
                force.question.naming.push(at);
            }
            // A script cannot hold more pops than it has bytes.
            CommandKind::Push(count) => {
                force.push(count_of(script, *count).min(script.commands.len()));
            }
            CommandKind::Pop(count) => force.pop(count_of(script, *count)),
            CommandKind::SetOption(attribute)
                if script.name(attribute.keyword) == ":global-declarations" =>
            {
                force.global_declarations = sets_true(script, attribute.value);
            }
            CommandKind::Word(word) => match script.name(*word) {
                "reset" => force.reset(),
                "reset-assertions" => force.reset_assertions(),
                _ => {}
            },
            _ if asks(command) => {
                // Assumptions may give names too.
                force.question.naming.push(at);
                if asked == index {
                    let mut question = force.question;
                    question.command = at;
                    let assumed = assumptions(&command.kind);
                    question.assertions.extend_from_slice(assumed);
                    return Some(question);
                }
                asked += 1;
            }
            _ => force.question.declarations.push(at),
        }
    }
    None
}

/// What is in force after some commands.
#[derive(Default)]
struct InForce {
    /// The question that would be asked now.
    question: Question,
    /// How much there was when each level began.
    levels: Vec<[usize; 3]>,
    /// True if declarations outlive their level.
    global_declarations: bool,
}

impl InForce {
    fn push(&mut self, count: usize) {
        let level = [
            self.question.assertions.len(),
            self.question.declarations.len(),
            self.question.naming.len(),
        ];
        self.levels.extend(std::iter::repeat_n(level, count));
    }

    fn pop(&mut self, count: usize) {
        for _ in 0..count.min(self.levels.len()) {
            if let Some(level) = self.levels.pop() {
                self.go_back_to(level);
            }
        }
    }

    fn go_back_to(&mut self, [assertions, declarations, naming]: [usize; 3]) {
        self.question.assertions.truncate(assertions);
        if !self.global_declarations {
            self.question.declarations.truncate(declarations);
            self.question.naming.truncate(naming);
        }
    }

    fn reset(&mut self) {
        self.question = Question::default();
        self.levels.clear();
    }

    fn reset_assertions(&mut self) {
        self.levels.clear();
        self.go_back_to([0; 3]);
    }
}

fn assumptions(kind: &CommandKind) -> &[TermId] {
    match kind {
        CommandKind::CheckSat(terms) | CommandKind::CheckSatAssuming(terms) => terms,
        _ => &[],
    }
}

fn count_of(script: &Script, count: Option<Symbol>) -> usize {
    count.map_or(1, |count| script.name(count).parse().unwrap_or(usize::MAX))
}

fn sets_true(script: &Script, value: AttributeValue) -> bool {
    match value {
        AttributeValue::Name(symbol) => script.name(symbol) == "true",
        AttributeValue::Sexpr(sexpr) => crate::print::sexpr(script, sexpr) == "true",
        _ => false,
    }
}

impl Context {
    /// The declarations in force at a question.
    pub fn new(script: &Script, question: &Question) -> Context {
        let typed = typing::check_as_far(script, &typing::Options::default());
        let mut context = Context {
            typed: Some(Arc::new(typed)),
            ..Context::default()
        };
        for &at in &question.declarations {
            let kind = &script.commands[at].kind;
            context.declare(script, kind);
            context.declare_named(script, kind);
        }
        for &at in &question.naming {
            context.declare_named(script, &script.commands[at].kind);
        }
        context
    }

    /// Adds what one command of the script declares.
    fn declare(&mut self, script: &Script, kind: &CommandKind) {
        match kind {
            CommandKind::DeclareSort(symbol, _) => {
                self.sorts.insert(*symbol, SortName::Declared);
            }
            CommandKind::DefineSort(symbol, parameters, sort) => {
                let alias = SortName::Alias(parameters.clone(), *sort);
                self.sorts.insert(*symbol, alias);
            }
            CommandKind::DeclareFun(symbol, arguments, sort) => {
                self.declare_function(*symbol, arguments.len(), *sort);
            }
            CommandKind::DeclareConst(symbol, sort) | CommandKind::DeclareVar(symbol, sort) => {
                self.declare_function(*symbol, 0, *sort);
            }
            CommandKind::Parametric(_, inner) => match &**inner {
                CommandKind::DeclareFun(symbol, ..) => {
                    self.declare_name(*symbol, Global::Parametric);
                }
                CommandKind::DefineFun(definition) | CommandKind::DefineFunRec(definition) => {
                    self.declare_name(definition.symbol, Global::Parametric);
                }
                _ => {}
            },
            CommandKind::DefineFun(definition)
            | CommandKind::DefineConst(definition)
            | CommandKind::DefineFunRec(definition) => self.declare_definition(definition),
            CommandKind::DefineFunsRec(definitions) => {
                definitions
                    .iter()
                    .for_each(|definition| self.declare_definition(definition));
            }
            CommandKind::ParametricFunsRec(definitions) => {
                for (sorts, definition) in definitions {
                    match sorts.is_empty() {
                        true => self.declare_definition(definition),
                        false => {
                            self.declare_name(definition.symbol, Global::Parametric);
                        }
                    }
                }
            }
            CommandKind::DeclareDatatypes(_, _, datatypes) => {
                datatypes
                    .iter()
                    .for_each(|datatype| self.declare_datatype(script, datatype));
            }
            _ => {}
        }
    }

    fn declare_function(&mut self, symbol: Symbol, arguments: usize, sort: SortId) {
        self.declare_name(symbol, Global::Declared { arguments, sort });
    }

    /// Gives a name of the script its meaning.
    fn declare_name(&mut self, symbol: Symbol, global: Global) {
        self.declared.push(symbol);
        self.globals.insert(symbol, global);
    }

    fn declare_definition(&mut self, definition: &Definition) {
        self.declared.push(definition.symbol);
        self.define(definition);
    }

    /// False if a name of the script may mean two things, so that what a term
    /// means can only be told by sorts: it was declared twice, or a theory has
    /// it too. A script that has such names without using them so is fine.
    pub fn is_clear(&self, script: &Script) -> bool {
        let mut seen = std::collections::BTreeSet::new();
        let mut clear = |symbol: &Symbol| {
            let theory = super::operators::operator(script.name(*symbol));
            seen.insert(*symbol) && theory.is_none()
        };
        self.declared.iter().all(&mut clear)
            || self
                .typed
                .as_ref()
                .is_some_and(|typed| typed.is_complete && typed.overloaded.is_none())
    }

    fn define(&mut self, definition: &Definition) {
        self.define_as(definition, None);
    }

    fn define_as(&mut self, definition: &Definition, sort: Option<Shape>) {
        let function = Function {
            parameters: definition.parameters.clone(),
            body: definition.body,
            declared: sort.map(|sort| (definition.symbol, Arc::new(sort))),
        };
        self.globals
            .insert(definition.symbol, Global::Function(Arc::new(function)));
    }

    fn declare_datatype(&mut self, script: &Script, datatype: &Datatype) {
        let number = self.datatypes.len();
        self.sorts
            .insert(datatype.symbol, SortName::Datatype(number));
        for (at, constructor) in datatype.constructors.iter().enumerate() {
            self.constructors.insert(constructor.symbol, (number, at));
            let global = Global::Constructor {
                name: script.name(constructor.symbol).into(),
                arity: constructor.selectors.len(),
            };
            self.declare_name(constructor.symbol, global);
            for (field, selector) in constructor.selectors.iter().enumerate() {
                let global = Global::Selector {
                    constructor: constructor.symbol,
                    field,
                    sort: selector.sort,
                };
                self.declare_name(selector.symbol, global);
            }
        }
        self.datatypes.push(datatype.clone());
    }

    /// The names that `(! t :named n)` gives in the terms of a command. One that
    /// is given again after a `pop` means the new term.
    fn declare_named(&mut self, script: &Script, kind: &CommandKind) {
        if script.symbols().find(":named").is_none() {
            return;
        }
        let mut work = kind.terms();
        while let Some(id) = work.pop() {
            script.push_subterms(id, &mut work);
            let Term::Annotated { term, attributes } = script.term(id) else {
                continue;
            };
            for attribute in attributes {
                if let AttributeValue::Name(symbol) = attribute.value
                    && script.name(attribute.keyword) == ":named"
                {
                    let function = Function {
                        parameters: Vec::new(),
                        body: term,
                        declared: None,
                    };
                    self.declare_name(symbol, Global::Function(Arc::new(function)));
                }
            }
        }
    }

    /// Adds a model's commands, which were read into the same script: its
    /// definitions interpret what the script declares, and stand beside what
    /// it defines.
    pub fn interpret(&mut self, script: &Script, commands: &[Command]) {
        for command in commands {
            match &command.kind {
                CommandKind::DefineFun(definition)
                | CommandKind::DefineConst(definition)
                | CommandKind::DefineFunRec(definition) => self.interpret_one(script, definition),
                CommandKind::DefineFunsRec(definitions) => {
                    definitions
                        .iter()
                        .for_each(|definition| self.interpret_one(script, definition));
                }
                // z3 declares the elements of uninterpreted sorts.
                CommandKind::DeclareFun(symbol, arguments, _) if arguments.is_empty() => {
                    let name = script.name(*symbol).into();
                    let element = Value::Element(Arc::new(Element { name }));
                    self.globals
                        .entry(*symbol)
                        .or_insert(Global::Value(element));
                }
                _ => {}
            }
        }
    }

    fn interpret_one(&mut self, script: &Script, definition: &Definition) {
        match self.globals.get(&definition.symbol) {
            Some(Global::Declared { arguments, sort })
                if *arguments == definition.parameters.len() =>
            {
                let shapes = Shapes {
                    script,
                    context: self,
                };
                let sort = shapes.shape(*sort).ok();
                self.define_as(definition, sort);
            }
            None | Some(Global::Declared { .. }) => self.define(definition),
            // The script's own definition counts.
            Some(_) => {}
        }
    }

    /// What an open operation gives at a point, if that is known.
    pub(super) fn known(&self, name: &str, indices: &[Natural], args: &[Value]) -> Option<&Value> {
        if self.points.is_empty() {
            return None;
        }
        self.points.get(&Point {
            name: name.to_string(),
            indices: indices.to_vec(),
            args: args.to_vec(),
        })
    }

    /// True if typing found that the term's parts do not fit together.
    pub(super) fn is_ill_sorted(&self, term: TermId) -> bool {
        let typed = self.typed.as_ref();
        typed.is_some_and(|typed| !typed.ill_sorted.is_empty() && typed.ill_sorted.contains(&term))
    }

    /// Says which elements an uninterpreted sort has, by their names.
    pub fn set_universe(&mut self, sort: &str, elements: &[String]) {
        let element = |name: &String| {
            Value::Element(Arc::new(Element {
                name: name.as_str().into(),
            }))
        };
        self.universes
            .insert(sort.to_string(), elements.iter().map(element).collect());
    }

    /// Gives a declared constant a value.
    pub(crate) fn assign(&mut self, symbol: Symbol, value: Value) {
        self.globals.insert(symbol, Global::Value(value));
    }

    /// True if the name is that of a declared constant that nothing interprets.
    pub(crate) fn is_open_constant(&self, symbol: Symbol) -> bool {
        let global = self.globals.get(&symbol);
        matches!(global, Some(Global::Declared { arguments: 0, .. }))
    }

    /// The sort that the script declares a constant with that nothing interprets.
    pub(crate) fn sort_of(&self, symbol: Symbol) -> Option<SortId> {
        match self.globals.get(&symbol) {
            Some(Global::Declared { arguments: 0, sort }) => Some(*sort),
            _ => None,
        }
    }

    /// True if the script gives the name a meaning of its own.
    pub(crate) fn declares(&self, script: &Script, name: &str) -> bool {
        let symbol = script.symbols().find(name);
        symbol.is_some_and(|symbol| self.globals.contains_key(&symbol))
    }

    /// All values that a constant which nothing interprets may have, if they
    /// are few.
    pub(crate) fn all_values(&self, script: &Script, symbol: Symbol) -> Option<Arc<[Value]>> {
        let Some(Global::Declared { arguments: 0, sort }) = self.globals.get(&symbol) else {
            return None;
        };
        let shapes = Shapes {
            script,
            context: self,
        };
        shapes.values(&shapes.shape(*sort).ok()?).ok()?
    }

    /// The names of declared functions that nothing interprets.
    pub fn uninterpreted(&self) -> impl Iterator<Item = Symbol> {
        let declared = |(symbol, global): (&Symbol, &Global)| {
            matches!(global, Global::Declared { .. }).then_some(*symbol)
        };
        self.globals.iter().filter_map(declared)
    }
}
