//! Attributes that depend on themselves (section III-B).
//!
//! The grammar has to be strongly non-cyclic, with the implicit dependencies
//! of guarded classes: all their synthesized attributes depend on all their
//! inherited ones. Then any set of guarded nodes has one that depends on no
//! other, and the engine always knows where to go on.
//!
//! For each class, the dependencies between its inherited and synthesized
//! attributes over all its trees are approximated from above, to a fixpoint;
//! no production may have a cycle in its own dependencies together with those
//! of its children's classes.

use super::classes::Grammar;
use super::emit::{ClassDef, Place};
use super::types::Problems;
use crate::spec::compiled::Production;

/// `through[class][inherited][slot]`: the slot may depend on the inherited
/// attribute.
type Through = Vec<Vec<Vec<bool>>>;

/// Says where attributes depend on themselves, and fills in the order in which
/// productions look for alternatives.
pub(super) fn check(defs: &[ClassDef], grammar: &mut Grammar, problems: &mut Problems) {
    let through = fixpoint(defs, grammar);
    let mut orders = Vec::new();
    for production in &grammar.productions {
        let graph = Graph::new(production, defs, grammar, &through);
        if let Some(cycle) = graph.cycle() {
            let names = cycle
                .iter()
                .map(|&vertex| graph.name(vertex, production, defs));
            let names = names.collect::<Vec<_>>().join(" -> ");
            let problem = format!(
                "production `{}`: attributes depend on themselves: {names}",
                production.name
            );
            problems.error(production.span, problem);
        }
        orders.push(graph.order(production));
    }
    for (production, order) in grammar.productions.iter_mut().zip(orders) {
        production.order = order;
    }
}

fn fixpoint(defs: &[ClassDef], grammar: &Grammar) -> Through {
    let classes = grammar.classes.iter().zip(defs);
    let mut through: Through = classes
        .map(|(class, def)| {
            let slots = def.attributes.len();
            let guarded = |slot: usize| class.guarded && slot >= class.inherited as usize;
            let row: Vec<bool> = (0..slots).map(guarded).collect();
            vec![row; class.inherited as usize]
        })
        .collect();
    loop {
        let mut changed = false;
        // Most specs are written from the top: what depends on what is known below first.
        for production in grammar.productions.iter().rev() {
            let class = production.class as usize;
            let graph = Graph::new(production, defs, grammar, &through);
            for (inherited, row) in through[class].iter_mut().enumerate() {
                let reached = graph.reached(inherited);
                for (slot, mark) in row.iter_mut().enumerate() {
                    if reached[slot] && slot != inherited && !*mark {
                        *mark = true;
                        changed = true;
                    }
                }
            }
        }
        if !changed {
            return through;
        }
    }
}

/// The dependencies of one production. Vertices are its own slots, then those
/// of its children.
struct Graph {
    /// The first vertex of each child.
    firsts: Vec<usize>,
    edges: Vec<Vec<usize>>,
}

impl Graph {
    fn new(
        production: &Production,
        defs: &[ClassDef],
        grammar: &Grammar,
        through: &Through,
    ) -> Graph {
        let mut count = production.own.len();
        let mut firsts = Vec::new();
        for child in &production.children {
            firsts.push(count);
            count += defs[*child as usize].attributes.len();
        }
        let mut graph = Graph {
            firsts,
            edges: vec![Vec::new(); count],
        };
        for (slot, readers) in production.own_readers.iter().enumerate() {
            graph.edges[slot] = readers.iter().map(|place| graph.vertex(*place)).collect();
        }
        for (child, slots) in production.child_readers.iter().enumerate() {
            for (slot, readers) in slots.iter().enumerate() {
                let to: Vec<usize> = readers.iter().map(|place| graph.vertex(*place)).collect();
                graph.edges[graph.firsts[child] + slot].extend(to);
            }
        }
        if let Some(generator) = &production.generator {
            for source in &generator.sources {
                let from = graph.vertex(*source);
                graph.edges[from].push(generator.slot as usize);
            }
        }
        for (child, class) in production.children.iter().enumerate() {
            let first = graph.firsts[child];
            let inherited = grammar.classes[*class as usize].inherited as usize;
            for (from, row) in through[*class as usize].iter().enumerate().take(inherited) {
                let to = row.iter().enumerate().filter(|(_, mark)| **mark);
                let to: Vec<usize> = to.map(|(slot, _)| first + slot).collect();
                graph.edges[first + from].extend(to);
            }
        }
        graph
    }

    fn vertex(&self, place: Place) -> usize {
        match place {
            Place::Own(slot) => slot as usize,
            Place::Child(child, slot) => self.firsts[usize::from(child)] + slot as usize,
        }
    }

    fn reached(&self, from: usize) -> Vec<bool> {
        let mut seen = vec![false; self.edges.len()];
        let mut todo = vec![from];
        while let Some(vertex) = todo.pop() {
            for &next in &self.edges[vertex] {
                if !seen[next] {
                    seen[next] = true;
                    todo.push(next);
                }
            }
        }
        seen
    }

    /// Vertices that depend on each other in a circle, the first one twice.
    fn cycle(&self) -> Option<Vec<usize>> {
        let start = (0..self.edges.len()).find(|&vertex| self.reached(vertex)[vertex])?;
        // The shortest way back.
        let mut before = vec![usize::MAX; self.edges.len()];
        let mut queue = std::collections::VecDeque::from([start]);
        while let Some(vertex) = queue.pop_front() {
            for &next in &self.edges[vertex] {
                if next == start {
                    let mut path = vec![start, vertex];
                    let mut at = vertex;
                    while at != start {
                        at = before[at];
                        path.push(at);
                    }
                    path.reverse();
                    path.dedup();
                    return Some(path);
                }
                if before[next] == usize::MAX {
                    before[next] = vertex;
                    queue.push_back(next);
                }
            }
        }
        None
    }

    fn name(&self, vertex: usize, production: &Production, defs: &[ClassDef]) -> String {
        let child = self.firsts.iter().rposition(|&first| first <= vertex);
        match child {
            None => self.own_name(vertex, production, defs),
            Some(child) => {
                let def = &defs[production.children[child] as usize];
                let attribute = &def.attributes[vertex - self.firsts[child]].name;
                format!("{}.{attribute}", production.child_names[child])
            }
        }
    }

    /// Own slots are attributes, then `$` if there is one, then local names.
    fn own_name(&self, vertex: usize, production: &Production, defs: &[ClassDef]) -> String {
        let attributes = &defs[production.class as usize].attributes;
        if let Some(attribute) = attributes.get(vertex) {
            return format!("this.{}", attribute.name);
        }
        let locals = production.own.len() - production.local_names.len();
        match vertex.checked_sub(locals) {
            Some(local) => production.local_names[local].clone(),
            None => "$".to_string(),
        }
    }

    /// Children that nobody depends on first; among equals the last one.
    fn order(&self, production: &Production) -> Vec<u16> {
        let count = production.children.len();
        let end = |child: usize| {
            self.firsts
                .get(child + 1)
                .copied()
                .unwrap_or(self.edges.len())
        };
        let depends: Vec<Vec<bool>> = (0..count)
            .map(|on| {
                let mut others = vec![false; count];
                for vertex in self.firsts[on]..end(on) {
                    let reached = self.reached(vertex);
                    for (other, mark) in others.iter_mut().enumerate() {
                        *mark |= reached[self.firsts[other]..end(other)].contains(&true);
                    }
                }
                others
            })
            .collect();
        let mut left: Vec<usize> = (0..count).collect();
        let mut order = Vec::new();
        while !left.is_empty() {
            let free = |on: &usize| {
                left.iter()
                    .all(|other| other == on || !depends[*on][*other])
            };
            let next = left.iter().rposition(free).unwrap_or(left.len() - 1);
            order.push(left.remove(next) as u16);
        }
        order
    }
}
