//! A bank of terms: what other seeds are made of (data-driven type-aware
//! mutation, section 5.6 of the thesis).
//!
//! A bank is one text file. After a first line that says so, each line is a
//! term over built-in sorts, with holes where a seed had its own constants,
//! variables and functions:
//!
//! ```text
//! ((?0 String)) Bool (= (str.len ?0) 5)
//! ```
//!
//! that is, the holes with their sorts, the sort, and the term. Terms that
//! differ only in the names of what was free are one line; the lines are
//! sorted, so that equal seeds give equal files.

mod collect;
mod read;

pub use collect::collect;

use crate::mutate::mutant::{Mutant, NodeId};
use crate::operators::OperatorId;
use crate::sort::{Sort, SortKind, Sorts};

/// The first line of a bank.
pub(crate) const HEADER: &str = "; lydite term bank, format 1";

/// A bank that was read.
#[derive(Default)]
pub(crate) struct Bank {
    sorts: Sorts,
    /// The sorts of terms and of what they consist of, numbered.
    used: Vec<Sort>,
    /// For each of these the terms of that sort.
    by_sort: Vec<Vec<u32>>,
    terms: Vec<BankTerm>,
    /// All nodes, those of a term together, arguments first.
    nodes: Vec<BankNode>,
    /// The names of the operators that occur, sorted.
    names: Vec<String>,
}

#[derive(Clone, Debug)]
struct BankTerm {
    first: u32,
    count: u32,
    holes: u32,
}

#[derive(Clone, Debug)]
struct BankNode {
    part: Part,
    /// The number of its sort.
    sort: u32,
}

#[derive(Clone, Debug)]
enum Part {
    Hole(u32),
    Applied {
        head: Box<str>,
        operator: Option<OperatorId>,
        arguments: u32,
    },
}

impl Bank {
    /// The terms of a sort, by the bank's number of it.
    pub(crate) fn of(&self, sort: usize) -> &[u32] {
        &self.by_sort[sort]
    }

    /// The bank's sorts among those of a script, by number.
    pub(crate) fn adopt_sorts(&self, sorts: &mut Sorts) -> Vec<Sort> {
        let adopt = |&sort: &Sort| adopt(sorts, &self.sorts, sort).unwrap_or(Sort::UNKNOWN);
        self.used.iter().map(adopt).collect()
    }

    /// True if an operator of the bank has one of these (sorted) names.
    pub(crate) fn uses_any(&self, names: &[&str]) -> bool {
        let mut own = self.names.iter();
        own.any(|name| names.binary_search(&name.as_str()).is_ok())
    }

    /// Makes a term without a place. `sorts` are the bank's as the mutant's;
    /// `fill` makes what stands in a hole.
    pub(crate) fn make<E>(
        &self,
        term: u32,
        mutant: &mut Mutant<'_>,
        sorts: &[Sort],
        scope: u32,
        mut fill: impl FnMut(&mut Mutant<'_>, Sort) -> Result<NodeId, E>,
    ) -> Result<NodeId, E> {
        let term = &self.terms[term as usize];
        let first = term.first as usize;
        let nodes = &self.nodes[first..first + term.count as usize];
        let mut filled: Vec<Option<NodeId>> = vec![None; term.holes as usize];
        let mut stack: Vec<NodeId> = Vec::new();
        for node in nodes {
            let sort = sorts[node.sort as usize];
            let made = match &node.part {
                Part::Hole(at) => match filled[*at as usize] {
                    Some(before) => mutant.copy(before, scope),
                    None => {
                        let made = fill(mutant, sort)?;
                        filled[*at as usize] = Some(made);
                        made
                    }
                },
                Part::Applied {
                    head,
                    operator,
                    arguments,
                } => {
                    let split = stack.len() - *arguments as usize;
                    let made = mutant.make(head, *operator, sort, scope, &stack[split..]);
                    stack.truncate(split);
                    made
                }
            };
            stack.push(made);
        }
        Ok(stack.pop().expect("a term has a last node"))
    }
}

/// A sort of `from` among those of `to`; none if it is not built in.
/// Recursion is bounded by the depth of sorts.
fn adopt(to: &mut Sorts, from: &Sorts, sort: Sort) -> Option<Sort> {
    let kind = from.kind(sort);
    match kind {
        SortKind::Field(order) => return Some(to.field(from.order(*order))),
        SortKind::Named(..)
        | SortKind::Parameter(_)
        | SortKind::Unknown
        | SortKind::Function(_)
        | SortKind::WideArray(_) => return None,
        _ => {}
    }
    let parts: Option<Vec<Sort>> = kind
        .parts()
        .iter()
        .map(|&part| adopt(to, from, part))
        .collect();
    let kind = kind.with_parts(parts?);
    to.intern(kind)
}

#[cfg(test)]
mod tests;
