//! Is this derivation the least of its class?
//!
//! Indices order derivations by the list of (size, production) over their
//! nodes, each node before its children ([`crate::enumerate`]). So the least
//! way to order exchangeable children is ascending in that order, each child
//! having been put in its own least form before; and renaming alone is least
//! if names are used in their order. Where both count, every renaming of the
//! names in use is tried: names that are not in use come after those that
//! are, or else closing the gaps would give a smaller derivation.

use std::cmp::Ordering;

use super::Classes;
use crate::Grammar;
use crate::enumerate::Derivation;
use crate::grammar::{Production, ProductionId};

/// A derivation as what its index is compared by.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Tree {
    nodes: Vec<(u32, ProductionId)>,
}

pub(super) fn is_least(classes: &Classes, grammar: &Grammar, derivation: &Derivation) -> bool {
    let Some(sizes) = derivation.sizes(grammar) else {
        return false;
    };
    let nodes = sizes
        .into_iter()
        .zip(derivation.productions.iter().copied());
    let tree = Tree {
        nodes: nodes.collect(),
    };
    match (classes.unique.renaming, classes.unique.commutativity) {
        (false, false) => true,
        (true, false) => names_in_order(classes, &tree),
        (false, true) => tree.is_sorted(grammar),
        (true, true) => tree.is_sorted(grammar) && least_of_renamings(classes, grammar, &tree),
    }
}

/// True if each name's first use comes after that of the name before it.
fn names_in_order(classes: &Classes, tree: &Tree) -> bool {
    classes.names.iter().all(|names| {
        let mut used = 0;
        tree.nodes.iter().all(|(_, production)| {
            let Ok(place) = names.binary_search(production) else {
                return true;
            };
            used = used.max(place + 1).min(used + 1);
            place < used
        })
    })
}

fn least_of_renamings(classes: &Classes, grammar: &Grammar, tree: &Tree) -> bool {
    let mut used: Vec<&[ProductionId]> = Vec::new();
    for names in &classes.names {
        let is_used = |name: &&ProductionId| tree.nodes.iter().any(|(_, p)| p == *name);
        let count = names.iter().filter(is_used).count();
        if !names[..count].iter().all(|name| is_used(&name)) {
            return false;
        }
        used.push(&names[..count]);
    }
    let mut renamed: Vec<Vec<ProductionId>> = used.iter().map(|names| names.to_vec()).collect();
    while next_renaming(&mut renamed) {
        let mut other = tree.clone();
        for (_, production) in &mut other.nodes {
            for (names, renamed) in used.iter().zip(&renamed) {
                if let Ok(place) = names.binary_search(production) {
                    *production = renamed[place];
                    break;
                }
            }
        }
        other.sort(grammar);
        if other < *tree {
            return false;
        }
    }
    true
}

/// The next combination of permutations; false after the last.
fn next_renaming(renamed: &mut [Vec<ProductionId>]) -> bool {
    renamed.iter_mut().any(|names| next_permutation(names))
}

/// The next permutation in lexicographic order; after the last one, back to
/// the first and false.
fn next_permutation(items: &mut [ProductionId]) -> bool {
    let Some(pivot) = items.windows(2).rposition(|pair| pair[0] < pair[1]) else {
        items.reverse();
        return false;
    };
    let larger = items.iter().rposition(|item| *item > items[pivot]);
    items.swap(pivot, larger.expect("the one after the pivot is larger"));
    items[pivot + 1..].reverse();
    true
}

impl Tree {
    fn subtree(&self, node: usize) -> &[(u32, ProductionId)] {
        &self.nodes[node..node + self.nodes[node].0 as usize]
    }

    /// The nodes of a node's children.
    fn children(&self, node: usize, production: &Production) -> Vec<usize> {
        let mut next = node + 1;
        let child = |_| {
            let child = next;
            next += self.nodes[child].0 as usize;
            child
        };
        production.symbols.iter().map(child).collect()
    }

    /// True if all exchangeable children are in ascending order.
    fn is_sorted(&self, grammar: &Grammar) -> bool {
        (0..self.nodes.len()).all(|node| {
            let production = &grammar.productions[self.nodes[node].1 as usize];
            if !production.commutative {
                return true;
            }
            let children = self.children(node, production);
            groups(production).iter().all(|places| {
                places.windows(2).all(|pair| {
                    let (a, b) = (children[pair[0]], children[pair[1]]);
                    self.subtree(a).cmp(self.subtree(b)) != Ordering::Greater
                })
            })
        })
    }

    /// Puts all exchangeable children in ascending order, inner ones first:
    /// from the last node to the first, so that what moves is done already.
    fn sort(&mut self, grammar: &Grammar) {
        for node in (0..self.nodes.len()).rev() {
            let production = &grammar.productions[self.nodes[node].1 as usize];
            if !production.commutative {
                continue;
            }
            let children = self.children(node, production);
            let mut order = children.clone();
            for places in groups(production) {
                let mut group: Vec<usize> = places.iter().map(|&place| children[place]).collect();
                group.sort_by(|&a, &b| self.subtree(a).cmp(self.subtree(b)));
                for (&place, child) in places.iter().zip(group) {
                    order[place] = child;
                }
            }
            if order != children {
                let sorted: Vec<_> = order
                    .iter()
                    .flat_map(|&child| self.subtree(child))
                    .copied()
                    .collect();
                self.nodes[node + 1..node + 1 + sorted.len()].copy_from_slice(&sorted);
            }
        }
    }
}

/// Places of symbols that may be exchanged with one another.
fn groups(production: &Production) -> Vec<Vec<usize>> {
    let mut rules: Vec<u32> = production.symbols.clone();
    rules.sort_unstable();
    rules.dedup();
    let places = |rule: u32| -> Vec<usize> {
        let symbols = production.symbols.iter().enumerate();
        let same = symbols.filter(|(_, symbol)| **symbol == rule);
        same.map(|(place, _)| place).collect()
    };
    rules.into_iter().map(places).collect()
}
