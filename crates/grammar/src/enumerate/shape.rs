//! The parts of a grammar that are counted: rules, and the sequences of
//! symbols that follow one another in productions.

use std::collections::BTreeMap;

use crate::grammar::{Grammar, ProductionId, Rule, RuleId, as_range};

/// A sequence's number; 0 is the empty one.
pub(crate) type SequenceId = u32;

/// The sequence without symbols.
pub(crate) const EMPTY: SequenceId = 0;

/// Productions that end with the same symbols share the sequence of these,
/// so `(+ t t)` and `(* t t)` are counted once.
#[derive(Debug)]
pub(crate) struct Shape {
    /// Number 0 stands for the empty sequence and is never looked at.
    sequences: Vec<Sequence>,
    of_production: Vec<SequenceId>,
    /// Rules of literals only, all of whose derivations have size 1.
    flat: Vec<bool>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Sequence {
    pub head: RuleId,
    /// A smaller number than its own.
    pub tail: SequenceId,
}

impl Shape {
    pub(crate) fn of(grammar: &Grammar) -> Shape {
        let mut sequences = vec![Sequence {
            head: 0,
            tail: EMPTY,
        }];
        let mut known: BTreeMap<(RuleId, SequenceId), SequenceId> = BTreeMap::new();
        let of_production = grammar.productions.iter().map(|production| {
            production.symbols.iter().rev().fold(EMPTY, |tail, &head| {
                *known.entry((head, tail)).or_insert_with(|| {
                    sequences.push(Sequence { head, tail });
                    sequences.len() as SequenceId - 1
                })
            })
        });
        let of_production = of_production.collect();
        let literal = |rule: &Rule| {
            let productions = &grammar.productions[as_range(&rule.productions)];
            productions.iter().all(|p| p.symbols.is_empty())
        };
        Shape {
            sequences,
            of_production,
            flat: grammar.rules.iter().map(literal).collect(),
        }
    }

    /// The number of sequences, the empty one included.
    pub(crate) fn len(&self) -> usize {
        self.sequences.len()
    }

    #[inline]
    pub(crate) fn sequence(&self, id: SequenceId) -> Sequence {
        self.sequences[id as usize]
    }

    /// True if all derivations of `rule` have size 1.
    #[inline]
    pub(crate) fn is_flat(&self, rule: RuleId) -> bool {
        self.flat[rule as usize]
    }

    #[inline]
    pub(crate) fn of_production(&self, production: ProductionId) -> SequenceId {
        self.of_production[production as usize]
    }
}
