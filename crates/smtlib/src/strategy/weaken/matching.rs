//! Finding a rule's side in a mutant.

use super::pattern::{LETTERS, Letters, MAX_VARIABLES, Pattern, Variable};
use super::rules::{Heads, quantifier};
use crate::mutate::mutant::{Mutant, NodeId};
use crate::sort::Sort;
use crate::syntax::{Literal, Term};

/// More ways than this to match one term are not looked for.
const MAX_WAYS: usize = 16;

/// Some arguments of a node, one after the other.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stretch {
    pub(super) parent: NodeId,
    pub(super) start: usize,
    pub(super) len: usize,
}

/// What the metavariables stand for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bindings {
    pub(super) nodes: [Option<NodeId>; MAX_VARIABLES],
    pub(super) stretches: [Option<Stretch>; MAX_VARIABLES],
    pub(super) letters: Letters,
    /// The quantifier that was matched.
    pub(super) quantifier: Option<NodeId>,
}

impl Bindings {
    /// Nothing.
    pub(super) fn none() -> Bindings {
        Bindings {
            nodes: [None; MAX_VARIABLES],
            stretches: [None; MAX_VARIABLES],
            letters: [None; LETTERS.len()],
            quantifier: None,
        }
    }
}

#[derive(Clone, Copy)]
enum Goal<'p> {
    One(&'p Pattern, NodeId),
    /// Patterns against the children of a node, from one of them on.
    List(&'p [Pattern], NodeId, usize),
}

/// A mutant and the rule that is looked for.
pub(super) struct Matcher<'a, 'd> {
    pub(super) mutant: &'a Mutant<'d>,
    pub(super) heads: &'a Heads,
    pub(super) variables: &'a [Variable],
}

impl Matcher<'_, '_> {
    /// Every way in which `pattern` is the term at `node`, up to a number.
    pub(super) fn ways(&self, pattern: &Pattern, node: NodeId) -> Vec<Bindings> {
        let mut found = Vec::new();
        let mut goals = vec![Goal::One(pattern, node)];
        self.solve(&mut goals, Bindings::none(), &mut found);
        found
    }

    /// Recursion is bounded by the size of the pattern.
    fn solve<'p>(
        &self,
        goals: &mut Vec<Goal<'p>>,
        mut bindings: Bindings,
        found: &mut Vec<Bindings>,
    ) {
        while let Some(goal) = goals.pop() {
            let fits = match goal {
                Goal::One(pattern, node) => self.one(pattern, node, goals, &mut bindings),
                Goal::List([], parent, at) => at == self.mutant.children(parent).len(),
                Goal::List([Pattern::Many(variable), rest @ ..], parent, at) => {
                    return self.stretches(*variable, rest, parent, at, goals, bindings, found);
                }
                Goal::List([first, rest @ ..], parent, at) => {
                    let child = self.mutant.children(parent).get(at).copied();
                    goals.push(Goal::List(rest, parent, at + 1));
                    child.is_some_and(|child| {
                        goals.push(Goal::One(first, child));
                        true
                    })
                }
            };
            if !fits {
                return;
            }
        }
        if found.len() < MAX_WAYS {
            found.push(bindings);
        }
    }

    /// Goes on with every length that the arguments of a metavariable can have.
    #[allow(clippy::too_many_arguments, reason = "the parts of one goal")]
    fn stretches<'p>(
        &self,
        variable: usize,
        rest: &'p [Pattern],
        parent: NodeId,
        at: usize,
        goals: &[Goal<'p>],
        bindings: Bindings,
        found: &mut Vec<Bindings>,
    ) {
        let many = |pattern: &&Pattern| matches!(pattern, Pattern::Many(_));
        let single = rest.iter().filter(|pattern| !many(pattern)).count();
        let left = self.mutant.children(parent).len() - at;
        let Some(most) = left.checked_sub(single) else {
            return;
        };
        let least = if rest.iter().any(|pattern| many(&pattern)) {
            0
        } else {
            most
        };
        let sort = &self.variables[variable].sort;
        let sorts = &self.mutant.original().typed.sorts;
        for len in 0..=most {
            let mut bindings = bindings;
            let nodes = &self.mutant.children(parent)[at..at + len];
            let admits =
                |&node: &NodeId| sort.admits(self.mutant.sort(node), sorts, &mut bindings.letters);
            if !nodes.iter().all(admits) || found.len() >= MAX_WAYS {
                return;
            }
            if len >= least {
                bindings.stretches[variable] = Some(Stretch {
                    parent,
                    start: at,
                    len,
                });
                let mut goals = goals.to_vec();
                goals.push(Goal::List(rest, parent, at + len));
                self.solve(&mut goals, bindings, found);
            }
        }
    }

    fn one<'p>(
        &self,
        pattern: &'p Pattern,
        node: NodeId,
        goals: &mut Vec<Goal<'p>>,
        bindings: &mut Bindings,
    ) -> bool {
        let mutant = self.mutant;
        match pattern {
            Pattern::Variable(variable) => self.variable(*variable, node, bindings),
            Pattern::Apply {
                head,
                text,
                indexed,
                arguments,
            } => {
                goals.push(Goal::List(arguments, node, 0));
                self.heads.of(mutant, node) == Some(*head)
                    && *indexed == mutant.head(node).starts_with("(_ ")
                    && (!indexed || mutant.head(node) == text)
            }
            Pattern::Number(value) => {
                let sort = number_sort(&bindings.letters);
                let text = number(*value, sort, mutant);
                mutant.sort(node) == sort && text.is_some_and(|text| mutant.head(node) == text)
            }
            Pattern::Text(text) => mutant.children(node).is_empty() && mutant.head(node) == text,
            Pattern::Quantifier { word, body } => {
                let is = quantifier(mutant, node) == Some(word);
                let children = mutant.children(node);
                // A pattern belongs right below its quantifier.
                let plain =
                    |child: NodeId| !matches!(mutant.term(child), Some(Term::Annotated { .. }));
                let fits = is && bindings.quantifier.is_none() && plain(children[0]);
                if fits {
                    bindings.quantifier = Some(node);
                    goals.push(Goal::One(body, children[0]));
                }
                fits
            }
            Pattern::Many(_) | Pattern::Fresh { .. } | Pattern::Bound(_) => false,
        }
    }

    fn variable(&self, variable: usize, node: NodeId, bindings: &mut Bindings) -> bool {
        if let Some(bound) = bindings.nodes[variable] {
            return same(self.mutant, bound, node);
        }
        let declared = &self.variables[variable];
        let sorts = &self.mutant.original().typed.sorts;
        let sort = self.mutant.sort(node);
        if !declared.sort.admits(sort, sorts, &mut bindings.letters)
            || declared.literal && !positive(self.mutant, node)
        {
            return false;
        }
        bindings.nodes[variable] = Some(node);
        true
    }
}

/// The sort of the numbers of a rule: its `N` or `V`, else Int.
pub(super) fn number_sort(letters: &Letters) -> Sort {
    letters[0].or(letters[1]).unwrap_or(Sort::INT)
}

/// A number as a literal of a sort.
pub(super) fn number(value: i64, sort: Sort, mutant: &Mutant<'_>) -> Option<String> {
    use crate::sort::SortKind;
    match mutant.original().typed.sorts.kind(sort) {
        SortKind::Int => Some(value.to_string()),
        SortKind::Real => Some(format!("{value}.0")),
        SortKind::BitVec(width) => Some(format!("(_ bv{value} {width})")),
        _ => None,
    }
}

fn positive(mutant: &Mutant<'_>, node: NodeId) -> bool {
    let literal = match mutant.term(node) {
        Some(term) => matches!(term, Term::Literal(Literal::Numeral | Literal::Decimal, _)),
        None => mutant.head(node).starts_with(|c: char| c.is_ascii_digit()),
    };
    literal
        && mutant
            .head(node)
            .contains(|c: char| ('1'..='9').contains(&c))
}

/// True if two terms of one place are written alike.
fn same(mutant: &Mutant<'_>, left: NodeId, right: NodeId) -> bool {
    let written = |node| {
        let mut text = Vec::new();
        mutant.write_node(node, &mut text);
        text
    };
    left == right || written(left) == written(right)
}
