//! A derivation: the productions of its tree, each node before its children.

use super::shape::{EMPTY, Shape};
use super::tables::{Sums, Tables};
use crate::grammar::{Grammar, ProductionId};
use lydite_core::BigUint;

/// Which productions make a program, from the first symbol on.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Derivation {
    pub(crate) productions: Vec<ProductionId>,
}

impl Derivation {
    /// The number of productions used.
    pub fn size(&self) -> usize {
        self.productions.len()
    }

    /// The size of the subtree at each node, or `None` if this is no
    /// derivation of `grammar`.
    pub(crate) fn sizes(&self, grammar: &Grammar) -> Option<Vec<u32>> {
        let mut sizes = vec![0u32; self.productions.len()];
        // Roots of finished subtrees, the leftmost last.
        let mut open: Vec<usize> = Vec::new();
        for (node, &id) in self.productions.iter().enumerate().rev() {
            let production = grammar.productions.get(id as usize)?;
            sizes[node] = 1;
            for &symbol in &production.symbols {
                let child = open.pop()?;
                let rule = grammar.productions[self.productions[child] as usize].rule;
                if rule != symbol {
                    return None;
                }
                sizes[node] += sizes[child];
            }
            open.push(node);
        }
        let root = grammar.productions[*self.productions.first()? as usize].rule;
        (open.len() == 1 && root == grammar.start).then_some(sizes)
    }

    /// Appends the program.
    pub(crate) fn write(&self, grammar: &Grammar, text: &mut Vec<u8>) {
        let mut open: Vec<(ProductionId, usize)> = Vec::new();
        for &id in &self.productions {
            let production = &grammar.productions[id as usize];
            text.extend_from_slice(production.texts[0].as_bytes());
            open.push((id, 0));
            while let Some((id, done)) = open.last_mut() {
                let production = &grammar.productions[*id as usize];
                if *done < production.symbols.len() {
                    *done += 1;
                    break;
                }
                open.pop();
                if let Some((id, done)) = open.last() {
                    let production = &grammar.productions[*id as usize];
                    text.extend_from_slice(production.texts[*done].as_bytes());
                }
            }
        }
    }
}

/// The number of a derivation among those of its size: what
/// [`super::locate`] undoes. From the last node to the first, so that every
/// node's children are done before it. `sizes` are its subtree sizes, and
/// they are counted in `tables`.
pub(super) fn rank(
    derivation: &Derivation,
    sizes: &[u32],
    grammar: &Grammar,
    shape: &Shape,
    tables: &Tables,
) -> BigUint {
    let mut open: Vec<(usize, BigUint)> = Vec::new();
    for (node, &id) in derivation.productions.iter().enumerate().rev() {
        let production = &grammar.productions[id as usize];
        let children = open.split_off(open.len() - production.symbols.len());
        let sequences: Vec<_> = std::iter::successors(Some(shape.of_production(id)), |&q| {
            (q != EMPTY).then(|| shape.sequence(q).tail)
        })
        .collect();
        // The last child is at the bottom of the stack.
        let (mut index, mut size) = (BigUint::ZERO, 0);
        for ((child, rank), &sequence) in children.into_iter().zip(sequences.iter().rev().skip(1)) {
            let head = sizes[child];
            let tails = &tables.sequence(shape.sequence(sequence).tail, size).count;
            index += rank * tails;
            size += head;
            if shape.sequence(sequence).tail != EMPTY {
                index += before_split(shape, tables, sequence, size, head);
            }
        }
        let first = grammar.rules[production.rule as usize].productions.start;
        for other in first..id {
            index += &tables.sequence(shape.of_production(other), size).count;
        }
        open.push((node, index));
    }
    open.pop().map_or(BigUint::ZERO, |(_, index)| index)
}

/// How many of a sequence at `size` have a head smaller than `head`.
fn before_split(shape: &Shape, tables: &Tables, sequence: u32, size: u32, head: u32) -> BigUint {
    if head == 1 {
        return BigUint::ZERO;
    }
    match tables.splits(shape, sequence, size) {
        Some(Sums::Words(sums)) => BigUint::from(sums[head as usize - 2]),
        Some(Sums::Bigs(sums)) => sums.up_to(head as usize - 2),
        None => (1..head).fold(BigUint::ZERO, |sum, head| {
            sum + tables.part(shape, sequence, size, head)
        }),
    }
}
