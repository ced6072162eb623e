//! Making a rule's other side, and putting it in place.

use lydite_core::{Choices, Reject};

use super::matching::{Bindings, Stretch, number, number_sort};
use super::pattern::{MAX_VARIABLES, Pattern};
use super::rules::Rule;
use super::terms::{Supply, positive};
use crate::mutate::mutant::{Mutant, NodeId};
use crate::operators::{Grouping, OperatorId, Operators, Pattern as Sorted};
use crate::sort::{Sort, SortKind, Sorts};

/// The place that is being changed, and what the change may use.
pub(super) struct Maker<'a, 'd> {
    pub(super) mutant: &'a mut Mutant<'d>,
    pub(super) choices: &'a mut Choices,
    pub(super) operators: &'a Operators,
    pub(super) supply: &'a Supply,
    pub(super) rule: &'a Rule,
    pub(super) bindings: Bindings,
    /// The command that holds the place, and the scope that it is in.
    pub(super) command: usize,
    pub(super) scope: u32,
    /// The metavariables whose terms stand in what is made already.
    placed: u16,
    quantifier_placed: bool,
    /// The name of the new bound variable.
    bound: String,
}

impl<'a, 'd> Maker<'a, 'd> {
    /// Gets ready to change the term at `node`.
    pub(super) fn new(
        mutant: &'a mut Mutant<'d>,
        choices: &'a mut Choices,
        operators: &'a Operators,
        supply: &'a Supply,
        rule: &'a Rule,
        bindings: Bindings,
        node: NodeId,
    ) -> Maker<'a, 'd> {
        Maker {
            command: mutant.command(node).unwrap_or(0),
            scope: mutant.scope(node),
            mutant,
            choices,
            operators,
            supply,
            rule,
            bindings,
            placed: 0,
            quantifier_placed: false,
            bound: String::new(),
        }
    }

    /// Finds terms for the metavariables of `to` that stand for nothing yet.
    /// False if there is none for one of them. Nothing is changed by that.
    pub(super) fn complete(&mut self, to: &Pattern) -> Result<bool, Reject> {
        let mut counts = [0; MAX_VARIABLES];
        to.uses(&mut counts);
        for (at, variable) in self.rule.variables.iter().enumerate() {
            if counts[at] == 0 || self.bindings.nodes[at].is_some() || variable.many {
                continue;
            }
            let Some(sort) = variable.sort.instance(&self.bindings.letters) else {
                return Ok(false);
            };
            let node = match variable.literal {
                true => Some(positive(self.mutant, self.choices, sort, self.scope)?),
                false => self.added(sort)?,
            };
            match node {
                Some(node) => self.bindings.nodes[at] = Some(node),
                None => return Ok(false),
            }
        }
        Ok(true)
    }

    /// A new node for some term of a sort.
    pub(super) fn added(&mut self, sort: Sort) -> Result<Option<NodeId>, Reject> {
        self.supply
            .term(self.mutant, self.choices, sort, self.command, self.scope)
    }

    /// The node of a pattern whose metavariables all stand for something.
    /// Recursion is bounded by the size of the pattern.
    pub(super) fn make(&mut self, pattern: &Pattern) -> Option<NodeId> {
        match pattern {
            Pattern::Variable(at) => {
                let node = self.bindings.nodes[*at]?;
                let again = self.placed & 1 << at != 0;
                self.placed |= 1 << at;
                Some(match again {
                    true => self.mutant.copy(node, self.mutant.scope(node)),
                    false => node,
                })
            }
            Pattern::Number(value) => {
                let sort = number_sort(&self.bindings.letters);
                let text = number(*value, sort, self.mutant)?;
                Some(self.mutant.make(&text, None, sort, self.scope, &[]))
            }
            Pattern::Text(text) => {
                let sort = match text.starts_with('"') {
                    true => Sort::STRING,
                    false => Sort::UNKNOWN,
                };
                Some(self.mutant.make(text, None, sort, self.scope, &[]))
            }
            Pattern::Apply {
                text, arguments, ..
            } => {
                let mut nodes = Vec::with_capacity(arguments.len());
                for argument in arguments {
                    match argument {
                        Pattern::Many(at) => self.stretch(*at, &mut nodes)?,
                        argument => nodes.push(self.make(argument)?),
                    }
                }
                self.apply(text, &nodes)
            }
            Pattern::Quantifier { word, body } => {
                let body = self.make(body)?;
                self.quantifier(word, body)
            }
            Pattern::Fresh { word, sort, body } => {
                self.bound = fresh_name(self.mutant);
                let head = format!("{word} (({} {sort}))", self.bound);
                let body = self.make(body)?;
                Some(
                    self.mutant
                        .make(&head, None, Sort::BOOL, self.scope, &[body]),
                )
            }
            Pattern::Bound(sort) => {
                let name = std::mem::take(&mut self.bound);
                let node = self.mutant.make(&name, None, *sort, self.scope, &[]);
                self.bound = name;
                Some(node)
            }
            Pattern::Many(_) => None,
        }
    }

    fn stretch(&mut self, at: usize, nodes: &mut Vec<NodeId>) -> Option<()> {
        let Stretch { parent, start, len } = self.bindings.stretches[at]?;
        let again = self.placed & 1 << at != 0;
        self.placed |= 1 << at;
        for position in start..start + len {
            let node = self.mutant.children(parent)[position];
            nodes.push(match again {
                true => self.mutant.copy(node, self.mutant.scope(node)),
                false => node,
            });
        }
        Some(())
    }

    /// The matched quantifier, or a copy of it, with another body.
    fn quantifier(&mut self, word: &str, body: NodeId) -> Option<NodeId> {
        let matched = self.bindings.quantifier?;
        let node = match self.quantifier_placed {
            true => self.mutant.copy(matched, self.mutant.scope(matched)),
            false => matched,
        };
        self.quantifier_placed = true;
        // A made quantifier has its variables in its head.
        let variables = match self.mutant.origin(node) {
            Some(_) => String::new(),
            None => self.mutant.head(node)[word.len()..].to_string(),
        };
        self.mutant
            .set_head(node, &format!("{word}{variables}"), None);
        self.mutant
            .put(crate::mutate::mutant::Slot::Child(node, 0), body);
        Some(node)
    }

    /// An operator applied to nodes; where too shortened are left for it, what it
    /// then stands for.
    pub(super) fn apply(&mut self, text: &str, nodes: &[NodeId]) -> Option<NodeId> {
        let name = operator_name(text);
        let text = match shortened(self.operators, name, nodes.len()) {
            Shortened::Enough => text,
            Shortened::Itself => return nodes.first().copied(),
            Shortened::Constant(text) => text,
            Shortened::Nothing => return None,
        };
        let nodes = if text == "true" || text == "false" {
            &[]
        } else {
            nodes
        };
        let sorts: Vec<Sort> = nodes.iter().map(|&node| self.mutant.sort(node)).collect();
        let all = &self.mutant.original().typed.sorts;
        let (operator, sort) = resolve(self.operators, operator_name(text), &sorts, all);
        Some(self.mutant.make(text, operator, sort, self.scope, nodes))
    }
}

/// `re.loop` of `(_ re.loop 1 3)`.
fn operator_name(text: &str) -> &str {
    text.strip_prefix("(_ ")
        .and_then(|rest| rest.split(' ').next())
        .unwrap_or(text)
}

/// What an operator of several arguments is when it has shortened.
pub(super) enum Shortened {
    /// These are not too shortened.
    Enough,
    /// `(and p)` is p.
    Itself,
    /// `(and)` is true.
    Constant(&'static str),
    /// Nothing.
    Nothing,
}

/// What `(and)`, `(or p)`, `(= x)` and their like are.
pub(super) fn shortened(operators: &Operators, name: &str, count: usize) -> Shortened {
    let group = || operators.named(name).iter().map(|&id| operators.get(id));
    let binary = group().find(|operator| operator.parameters.len() == 2);
    // `(- x)` is an operator of its own.
    let takes = group().any(|operator| operator.parameters.len() == count);
    match (binary, count) {
        (Some(operator), 0 | 1) if !takes => match (operator.grouping, count, name) {
            (Grouping::Left | Grouping::Right, 1, _) => Shortened::Itself,
            (Grouping::Chainable | Grouping::Pairwise, ..) | (_, 0, "and") => {
                Shortened::Constant("true")
            }
            (_, 0, "or") => Shortened::Constant("false"),
            _ => Shortened::Nothing,
        },
        _ => Shortened::Enough,
    }
}

/// A name that neither the script nor an earlier change has.
pub(super) fn fresh_name(mutant: &Mutant<'_>) -> String {
    // Nodes are only ever added: their number tells changes apart.
    let mut number = mutant.node_count() - mutant.original().script.term_count();
    loop {
        let name = format!("w{number}");
        if mutant.original().script.symbols().find(&name).is_none() {
            return name;
        }
        number += 1;
    }
}

/// The signature of an operator that fits, and the sort of the result, which
/// is unknown where it is none of the arguments'.
pub(super) fn resolve(
    operators: &Operators,
    name: &str,
    arguments: &[Sort],
    sorts: &Sorts,
) -> (Option<OperatorId>, Sort) {
    for &id in operators.named(name) {
        let operator = operators.get(id);
        let last = operator.parameters.len().saturating_sub(1);
        let more = operator.grouping != Grouping::Fixed;
        let enough = arguments.len() >= operator.least
            && (more || arguments.len() == operator.parameters.len());
        let fits = |(at, &sort): (usize, &Sort)| {
            let parameter = operator.parameters.get(at.min(last));
            parameter.is_some_and(|parameter| looks_like(parameter, sort, sorts))
        };
        if !enough || !arguments.iter().enumerate().all(fits) {
            continue;
        }
        let same = operator
            .parameters
            .iter()
            .position(|p| *p == operator.result);
        let sort = match (&operator.result, same) {
            (Sorted::Simple(sort), _) => *sort,
            (_, Some(at)) if at < arguments.len() => arguments[at],
            _ => match (name, arguments.first().map(|&first| sorts.kind(first))) {
                ("select", Some(SortKind::Array([_, element]))) => *element,
                _ => Sort::UNKNOWN,
            },
        };
        return (Some(id), sort);
    }
    (None, Sort::UNKNOWN)
}

fn looks_like(pattern: &Sorted, sort: Sort, sorts: &Sorts) -> bool {
    match (pattern, sorts.kind(sort)) {
        (Sorted::Simple(simple), _) => *simple == sort,
        (Sorted::Any(_), _) => true,
        (Sorted::Made(values, ..), kind) => kind.has(values),
    }
}
