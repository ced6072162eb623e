//! Which local variable is meant where: the scopes of a script, and names
//! made unique so that a term means the same wherever its scope is visible.

use std::collections::BTreeSet;

use crate::sort::Sort;
use crate::syntax::{Node, Script, Symbol, Term, TermId, index};
use crate::typing::{Role, Typed};

/// No scope, no variable.
pub(crate) const NONE: u32 = u32::MAX;

/// Where a local variable is introduced, so that it can be renamed there.
#[derive(Clone, Copy, Debug)]
enum Place {
    Binding(usize),
    Variable(usize),
    PatternVariable(usize),
    CaseHead(usize),
    Parameter {
        command: usize,
        definition: usize,
        at: usize,
    },
}

/// A local variable.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Local {
    /// Its name.
    pub(crate) symbol: Symbol,
    /// The scope that it belongs to.
    pub(crate) scope: u32,
    /// Its sort, where the script says it.
    pub(crate) sort: Option<Sort>,
    place: Place,
}

/// A stretch of a script that some variables are visible in. Scopes are
/// numbered in the order in which they open: those inside scope `s` are
/// `s..end`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scope {
    /// The scope around it, or [`NONE`].
    pub(crate) parent: u32,
    /// One more than the last scope inside it.
    pub(crate) end: u32,
    /// The term that opens it; none for the parameters of a definition.
    pub(crate) opener: Option<TermId>,
}

/// The scopes of a script.
#[derive(Clone, Debug, Default)]
pub(crate) struct Locals {
    pub(crate) scopes: Vec<Scope>,
    pub(crate) variables: Vec<Local>,
    /// For each term the innermost scope around it, or [`NONE`].
    pub(crate) scope_of: Vec<u32>,
    /// For each term that is a local variable its number, or [`NONE`].
    pub(crate) variable_of: Vec<u32>,
}

impl Locals {
    /// True if what is visible in `outer` is visible in `inner` too.
    pub(crate) fn visible(&self, outer: u32, inner: u32) -> bool {
        outer == NONE || inner != NONE && outer <= inner && inner < self.scopes[outer as usize].end
    }
}

/// What is left to do, last first.
enum Step {
    Visit(TermId),
    /// Opens the scope of a `let`'s body, a binder, or case `at`.
    Open(TermId, usize),
    /// Closes the innermost scope.
    Close,
}

struct Walk<'a> {
    script: &'a Script,
    typed: &'a Typed,
    constructors: BTreeSet<Symbol>,
    locals: Locals,
    /// For each symbol the variables of that name in scope, innermost last.
    meanings: Vec<Vec<u32>>,
    open: Vec<Open>,
    /// The variables in scope, innermost last.
    live: Vec<u32>,
    steps: Vec<Step>,
}

/// A scope that has not ended, and where its variables begin among the live.
#[derive(Clone, Copy)]
struct Open {
    scope: u32,
    live: usize,
}

/// Finds the scopes of a script.
pub(crate) fn locals(script: &Script, typed: &Typed) -> Locals {
    let constructor = |role: &Role| matches!(role, Role::Constructor { .. });
    let mut walk = Walk {
        script,
        typed,
        constructors: typed
            .functions
            .iter()
            .filter(|function| constructor(&function.role))
            .map(|function| function.symbol)
            .collect(),
        locals: Locals {
            scope_of: vec![NONE; script.term_count()],
            variable_of: vec![NONE; script.term_count()],
            ..Locals::default()
        },
        meanings: vec![Vec::new(); script.symbols().len()],
        open: Vec::new(),
        live: Vec::new(),
        steps: Vec::new(),
    };
    for (at, command) in script.commands.iter().enumerate() {
        let definitions = command.kind.definitions();
        for (definition, defined) in definitions.iter().enumerate() {
            walk.open_scope(None);
            for (position, parameter) in defined.parameters.iter().enumerate() {
                let place = Place::Parameter {
                    command: at,
                    definition,
                    at: position,
                };
                let sort = typed.sort_of_id(parameter.sort);
                walk.declare(parameter.symbol, place, sort);
            }
            walk.term(defined.body);
            walk.close_scope();
        }
        if definitions.is_empty() {
            for term in command.kind.terms() {
                walk.term(term);
            }
        }
    }
    walk.locals
}

impl Walk<'_> {
    fn term(&mut self, root: TermId) {
        self.steps.push(Step::Visit(root));
        while let Some(step) = self.steps.pop() {
            match step {
                Step::Visit(term) => self.visit(term),
                Step::Open(term, at) => self.open(term, at),
                Step::Close => self.close_scope(),
            }
        }
    }

    fn visit(&mut self, term: TermId) {
        self.locals.scope_of[term.index()] = self.innermost();
        match self.script.term(term) {
            Term::Application { head, arguments } => {
                let identifier = self.script.identifier(head);
                let meaning = self.meanings[identifier.symbol.index()].last();
                if let Some(&variable) = meaning
                    && identifier.indices.is_empty()
                    && (arguments.is_empty() || identifier.sort.is_none())
                {
                    self.locals.variable_of[term.index()] = variable;
                }
                self.visit_all(arguments);
            }
            Term::Let { bindings, .. } => {
                self.steps.push(Step::Open(term, 0));
                for binding in bindings.iter().rev() {
                    self.steps.push(Step::Visit(binding.term));
                }
            }
            Term::Bind { .. } => self.steps.push(Step::Open(term, 0)),
            Term::Match { scrutinee, cases } => {
                for at in (0..cases.len()).rev() {
                    self.steps.push(Step::Open(term, at));
                }
                self.steps.push(Step::Visit(scrutinee));
            }
            _ => {
                let mut subterms = Vec::new();
                self.script.push_subterms(term, &mut subterms);
                self.visit_all(&subterms);
            }
        }
    }

    fn visit_all(&mut self, terms: &[TermId]) {
        let steps = terms.iter().rev().map(|&term| Step::Visit(term));
        self.steps.extend(steps);
    }

    /// Opens a scope of `term`, declares into it, and leaves its body and its
    /// end to later steps.
    fn open(&mut self, term: TermId, at: usize) {
        self.open_scope(Some(term));
        self.steps.push(Step::Close);
        let script = self.script;
        match script.nodes[term.index()] {
            Node::Let(body, range) => {
                for place in range.indices() {
                    let binding = script.bindings[place];
                    let sort = self.typed.sort(binding.term);
                    self.declare(binding.symbol, Place::Binding(place), sort);
                }
                self.steps.push(Step::Visit(body));
            }
            Node::Bind(_, body, range) => {
                for place in range.indices() {
                    let sort = self.typed.variable_sorts[place];
                    self.declare(script.variables[place].symbol, Place::Variable(place), sort);
                }
                self.steps.push(Step::Visit(body));
            }
            Node::Match(_, range) => {
                let place = range.indices().start + at;
                let case = script.cases[place];
                let head = script.identifier(case.head).symbol;
                let variables = case.variables.indices();
                if variables.is_empty() && !self.constructors.contains(&head) {
                    self.declare(head, Place::CaseHead(place), None);
                }
                for place in variables {
                    let symbol = script.pattern_variables[place];
                    self.declare(symbol, Place::PatternVariable(place), None);
                }
                self.steps.push(Step::Visit(case.body));
            }
            _ => {}
        }
    }

    fn innermost(&self) -> u32 {
        self.open.last().map_or(NONE, |open| open.scope)
    }

    fn open_scope(&mut self, opener: Option<TermId>) {
        let scope = index(self.locals.scopes.len());
        self.locals.scopes.push(Scope {
            parent: self.innermost(),
            end: NONE,
            opener,
        });
        self.open.push(Open {
            scope,
            live: self.live.len(),
        });
    }

    fn close_scope(&mut self) {
        let Some(Open { scope, live }) = self.open.pop() else {
            return;
        };
        self.locals.scopes[scope as usize].end = index(self.locals.scopes.len());
        for variable in self.live.drain(live..) {
            let symbol = self.locals.variables[variable as usize].symbol;
            self.meanings[symbol.index()].pop();
        }
    }

    fn declare(&mut self, symbol: Symbol, place: Place, sort: Option<Sort>) {
        let number = index(self.locals.variables.len());
        self.meanings[symbol.index()].push(number);
        self.live.push(number);
        self.locals.variables.push(Local {
            symbol,
            scope: self.innermost(),
            sort,
            place,
        });
    }
}

/// Gives every local variable a name of its own, different from every other
/// name of the script, so that nothing is hidden by anything. Wildcards of
/// patterns stay. False if nothing had to be renamed.
pub(crate) fn make_unique(script: &mut Script, locals: &Locals) -> bool {
    let mut count = vec![0u32; script.symbols().len()];
    for command in &script.commands {
        for symbol in crate::syntax::declared_symbols(command).unwrap_or_default() {
            count[symbol.index()] += 1;
        }
    }
    let mut renamed: Vec<Option<Symbol>> = Vec::with_capacity(locals.variables.len());
    let mut any = false;
    for variable in &locals.variables {
        let uses = &mut count[variable.symbol.index()];
        let taken = *uses;
        *uses += 1;
        if taken == 0 || script.name(variable.symbol) == "_" {
            renamed.push(None);
            continue;
        }
        let fresh = fresh_name(script, variable.symbol, taken);
        renamed.push(Some(fresh));
        any = true;
    }
    for (variable, &new) in locals.variables.iter().zip(&renamed) {
        if let Some(new) = new {
            rename(script, variable.place, new);
        }
    }
    for (term, &variable) in locals.variable_of.iter().enumerate() {
        let new = renamed.get(variable as usize).copied().flatten();
        if let (Some(new), Node::Application(_, range)) = (new, script.nodes[term]) {
            let head = script.plain_identifier(new);
            script.nodes[term] = Node::Application(head, range);
        }
    }
    any
}

/// A name that the script does not have.
fn fresh_name(script: &mut Script, symbol: Symbol, from: u32) -> Symbol {
    let stem = script.name(symbol).to_string();
    let mut number = from;
    loop {
        let name = format!("{stem}_{number}");
        if script.symbols().find(&name).is_none() {
            return script.intern(&name);
        }
        number += 1;
    }
}

fn rename(script: &mut Script, place: Place, new: Symbol) {
    match place {
        Place::Binding(at) => script.bindings[at].symbol = new,
        Place::Variable(at) => script.variables[at].symbol = new,
        Place::PatternVariable(at) => script.pattern_variables[at] = new,
        Place::CaseHead(at) => script.cases[at].head = script.plain_identifier(new),
        Place::Parameter {
            command,
            definition,
            at,
        } => {
            let mut definitions = script.commands[command].kind.definitions_mut();
            definitions[definition].parameters[at].symbol = new;
        }
    }
}
