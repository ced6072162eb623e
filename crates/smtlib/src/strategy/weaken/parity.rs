//! Parity: what a change at a place does to the whole script.
//!
//! Definition 6.3.2 of the thesis for all of the language: a place is
//! positive if the whole is weakened by weakening what stands there, negative
//! if it is strengthened, and neither if nothing can be said. It is carried
//! on from Bool into what else is ordered: a larger language in `str.in_re`,
//! a larger number right of `<=`, a larger set. The table of operators says
//! how (`:monotone`), and `monotone` checks what it says.
//!
//! What a `let` binds and what a definition stands for has the parity of its
//! uses, and none if these differ. So the body of a `let` is looked at before
//! its bindings, and commands from the last to the first.

use super::rules::{Rules, quantifier};
use crate::mutate::mutant::{Mutant, NONE, NodeId, Original};
use crate::syntax::{AttributeValue, CommandKind, Term, TermId, index};
use crate::typing::{Resolved, Role};

/// How a place counts: a set of the two below.
pub(super) type Parity = u8;
/// Weakening what is here weakens the whole.
pub(super) const POSITIVE: Parity = 1;
/// Weakening what is here strengthens the whole.
pub(super) const NEGATIVE: Parity = 2;
/// Only what is equivalent may stand here.
pub(super) const NEITHER: Parity = 3;

/// A place where a rule may be applied.
#[derive(Clone, Copy, Debug)]
pub(super) struct Site {
    pub(super) node: NodeId,
    pub(super) parity: Parity,
    /// The number of its head, if a rule has it.
    pub(super) head: Option<u16>,
}

/// What does not depend on changes: which parts of a original have no parity.
#[derive(Clone, Debug, Default)]
pub(super) struct Marks {
    /// Terms whose name is used somewhere.
    named: Vec<TermId>,
    /// True if functions are also used by their names as text.
    by_name: bool,
    /// For each symbol the local variable of that name: names are unique.
    variables: Vec<u32>,
}

impl Marks {
    /// Looks a original over once.
    pub(super) fn of(original: &Original) -> Marks {
        let mut marks = Marks {
            variables: vec![NONE; original.script.symbols().len()],
            ..Marks::default()
        };
        for (at, local) in original.locals.variables.iter().enumerate() {
            marks.variables[local.symbol.index()] = index(at);
        }
        for term in original.script.terms() {
            match original.typed.resolved(term) {
                Resolved::Map | Resolved::Lift | Resolved::AsArray(_) => marks.by_name = true,
                Resolved::Function(id) => {
                    if let Role::Named(named) = original.typed.function(id).role {
                        marks.named.push(named);
                    }
                }
                _ => {}
            }
        }
        marks
    }

    fn uses_name_of(&self, original: &Original, annotated: TermId, inner: TermId) -> bool {
        let Term::Annotated { attributes, .. } = original.script.term(annotated) else {
            return false;
        };
        let names = |attribute: &crate::syntax::Attribute| {
            matches!(attribute.value, AttributeValue::Name(_))
        };
        attributes.iter().any(names)
            && (self.named.contains(&annotated) || self.named.contains(&inner))
    }
}

enum Step {
    Visit(NodeId, Parity),
    /// The bindings of a `let`, after its body.
    Bindings(NodeId),
}

/// The places of a mutant, and how many terms stand at each.
#[derive(Default)]
pub(super) struct Places {
    pub(super) sites: Vec<Site>,
    sizes: Vec<u32>,
    visited: Vec<NodeId>,
    variables: Vec<Parity>,
    functions: Vec<Parity>,
    steps: Vec<Step>,
    children: Vec<NodeId>,
}

impl Places {
    /// How many terms a term consists of, up to a few more.
    pub(super) fn size(&self, node: NodeId) -> usize {
        self.sizes
            .get(node.index())
            .map_or(usize::MAX, |&size| size as usize)
    }

    /// How many terms the script consists of.
    pub(super) fn total(&self) -> usize {
        self.visited.len()
    }

    /// Finds all places again.
    pub(super) fn find(&mut self, mutant: &Mutant<'_>, rules: &Rules, marks: &Marks) {
        let original = mutant.original();
        self.sites.clear();
        self.visited.clear();
        self.variables.clear();
        self.variables.resize(original.locals.variables.len(), 0);
        self.functions.clear();
        self.functions.resize(original.typed.functions.len(), 0);
        for root in mutant.roots().iter().rev() {
            let parity = match &original.script.commands[root.command].kind {
                CommandKind::Assert(_) => POSITIVE,
                CommandKind::DefineFun(_) | CommandKind::DefineConst(_) if !marks.by_name => {
                    self.uses_of_definition(original, root.command)
                }
                // Assumptions have to be literals.
                CommandKind::CheckSat(_) | CommandKind::CheckSatAssuming(_) => {
                    self.note_uses(mutant, root.node);
                    continue;
                }
                _ => NEITHER,
            };
            self.steps.push(Step::Visit(root.node, parity));
            while let Some(step) = self.steps.pop() {
                match step {
                    Step::Visit(node, parity) => self.visit(mutant, rules, marks, node, parity),
                    Step::Bindings(node) => self.bindings(mutant, marks, node),
                }
            }
        }
        self.measure(mutant);
    }

    fn uses_of_definition(&self, original: &Original, command: usize) -> Parity {
        let functions = original.typed.functions.iter().zip(&self.functions);
        let mut own = functions.filter(|(function, _)| {
            matches!(function.role, Role::Defined { command: at, .. } if at as usize == command)
        });
        match own.next() {
            Some((_, &uses)) if uses != 0 => uses,
            _ => NEITHER,
        }
    }

    /// A use in an assumption counts in both ways: it is seldom and small.
    fn note_uses(&mut self, mutant: &Mutant<'_>, root: NodeId) {
        let mut work = vec![root];
        while let Some(node) = work.pop() {
            self.note_use(mutant, node, NEITHER);
            work.extend_from_slice(mutant.children(node));
        }
    }

    fn note_use(&mut self, mutant: &Mutant<'_>, node: NodeId, parity: Parity) {
        let Some(origin) = mutant.origin(node) else {
            return;
        };
        let original = mutant.original();
        let variable = original.locals.variable_of[origin.index()];
        if variable != NONE {
            self.variables[variable as usize] |= parity;
        } else if let Resolved::Function(id) = original.typed.resolved(origin) {
            self.functions[id.index()] |= parity;
        }
    }

    /// Takes note of a term that rules may change.
    fn note_site(
        &mut self,
        mutant: &Mutant<'_>,
        node: NodeId,
        parity: Parity,
        head: Option<usize>,
    ) {
        let origin = mutant.origin(node);
        if !origin.is_some_and(|term| mutant.original().is_fixed(term)) {
            self.sites.push(Site {
                node,
                parity,
                head: head.map(|head| u16::try_from(head).expect("few heads")),
            });
        }
    }

    fn visit(
        &mut self,
        mutant: &Mutant<'_>,
        rules: &Rules,
        marks: &Marks,
        node: NodeId,
        parity: Parity,
    ) {
        self.visited.push(node);
        let original = mutant.original();
        let children = mutant.children(node);
        if let Some(operator) = mutant.operator(node) {
            self.note_site(mutant, node, parity, rules.heads.of(mutant, node));
            for (at, &child) in children.iter().enumerate() {
                let sign = rules.sign(operator, at, children.len());
                self.steps.push(Step::Visit(child, carried(parity, sign)));
            }
            return;
        }
        let keep_all = |steps: &mut Vec<Step>, kept: &[NodeId]| {
            steps.extend(kept.iter().map(|&child| Step::Visit(child, parity)));
        };
        match mutant.term(node) {
            Some(Term::Annotated { term, .. }) => {
                let origin = mutant.origin(node).expect("it is a term of the original");
                let used = marks.uses_name_of(original, origin, term);
                let parity = if used { NEITHER } else { parity };
                self.steps.push(Step::Visit(children[0], parity));
            }
            Some(Term::Let { .. }) => {
                self.note_site(mutant, node, parity, None);
                self.steps.push(Step::Bindings(node));
                let body = children[children.len() - 1];
                self.steps.push(Step::Visit(body, parity));
            }
            Some(Term::Match { .. }) => {
                self.note_site(mutant, node, parity, None);
                self.steps.push(Step::Visit(children[0], NEITHER));
                keep_all(&mut self.steps, &children[1..]);
            }
            _ if quantifier(mutant, node).is_some() => {
                self.note_site(mutant, node, parity, rules.heads.of(mutant, node));
                keep_all(&mut self.steps, children);
            }
            _ => {
                self.note_site(mutant, node, parity, None);
                self.note_use(mutant, node, parity);
                let none = |&child: &NodeId| Step::Visit(child, NEITHER);
                self.steps.extend(children.iter().map(none));
            }
        }
    }

    fn bindings(&mut self, mutant: &Mutant<'_>, marks: &Marks, node: NodeId) {
        let original = mutant.original();
        let origin = mutant
            .origin(node)
            .expect("a let is a term of the original");
        let Term::Let { bindings, .. } = original.script.term(origin) else {
            return;
        };
        self.children.clear();
        self.children.extend_from_slice(mutant.children(node));
        for (at, binding) in bindings.iter().enumerate() {
            let variable = marks.variables[binding.symbol.index()];
            let uses = self.variables.get(variable as usize).copied();
            let uses = uses.unwrap_or(NEITHER);
            let parity = if uses == 0 { NEITHER } else { uses };
            self.steps.push(Step::Visit(self.children[at], parity));
        }
    }

    /// Those around a term come before it among the visited.
    fn measure(&mut self, mutant: &Mutant<'_>) {
        self.sizes.clear();
        self.sizes.resize(mutant.node_count(), 0);
        for &node in self.visited.iter().rev() {
            let size = self.sizes[node.index()].saturating_add(1);
            self.sizes[node.index()] = size;
            if let Some(parent) = mutant.parent(node) {
                let around = &mut self.sizes[parent.index()];
                *around = around.saturating_add(size);
            }
        }
    }
}

fn carried(parity: Parity, sign: i8) -> Parity {
    match (sign, parity) {
        (1, _) => parity,
        (-1, POSITIVE) => NEGATIVE,
        (-1, NEGATIVE) => POSITIVE,
        _ => NEITHER,
    }
}
