//! Functional enumeration (FEAT; thesis section 7.3): the derivations of a
//! grammar, smallest first, as a numbered list with random access.
//!
//! The size of a derivation is the number of productions it uses.

mod derivation;
mod limbs;
mod locate;
mod shape;
mod tables;
#[cfg(test)]
mod tests;
mod walk;

use std::sync::{PoisonError, RwLock, RwLockReadGuard};

pub use derivation::Derivation;
use lydite_core::BigUint;
pub use walk::Walk;

use crate::Grammar;
use locate::Locator;
use shape::Shape;
use tables::Tables;

/// The largest size that is counted: far beyond index 10^1700 for a grammar
/// that branches, and a bound for one that does not.
pub const MAX_SIZE: u32 = 4096;

/// The numbered derivations of a grammar. Counts are made when they are
/// first needed, and shared between threads.
#[derive(Debug)]
pub struct Enumeration {
    grammar: Grammar,
    shape: Shape,
    /// The largest size worth counting.
    largest: u32,
    finite: bool,
    tables: RwLock<Tables>,
}

/// How many bytes of running sums are kept, unless told otherwise.
const ROOM_BYTES: usize = 512 << 20;

impl Enumeration {
    /// Counts nothing yet.
    pub fn new(grammar: Grammar) -> Enumeration {
        Enumeration::with_room(grammar, ROOM_BYTES)
    }

    /// The same with other bounds on the memory for running sums: what finds
    /// no room is computed again each time.
    pub fn with_room(grammar: Grammar, room_bytes: usize) -> Enumeration {
        let shape = Shape::of(&grammar);
        let tables = Tables::new(&grammar, &shape, room_bytes);
        let largest = grammar.largest_size(MAX_SIZE + 1);
        Enumeration {
            finite: largest.is_some_and(|size| size <= MAX_SIZE),
            largest: largest.map_or(MAX_SIZE, |size| size.min(MAX_SIZE)),
            tables: RwLock::new(tables),
            grammar,
            shape,
        }
    }

    /// What is enumerated.
    pub fn grammar(&self) -> &Grammar {
        &self.grammar
    }

    /// True if there are finitely many derivations, none of them larger than
    /// [`Enumeration::largest_size`].
    pub fn is_finite(&self) -> bool {
        self.finite
    }

    /// The largest size that can be asked for.
    pub fn largest_size(&self) -> u32 {
        self.largest
    }

    /// The number of derivations of exactly this size; none beyond
    /// [`Enumeration::largest_size`].
    pub fn count(&self, size: u32) -> BigUint {
        match size > self.largest {
            true => BigUint::ZERO,
            false => self
                .counted(size)
                .rule(self.grammar.start, size)
                .count
                .clone(),
        }
    }

    /// The number of derivations of at most this size, which is also the
    /// index of the first that is larger.
    pub fn count_up_to(&self, size: u32) -> BigUint {
        let size = size.min(self.largest);
        self.counted(size).up_to(size).clone()
    }

    /// The size of derivation number `index`, and its number in that size.
    pub fn place(&self, index: &BigUint) -> Option<(u32, BigUint)> {
        let mut known = self.read().known();
        loop {
            let tables = self.read();
            if let Some(size) = tables.size_of(index) {
                return Some((size, index - tables.up_to(size - 1)));
            }
            drop(tables);
            if known >= self.largest {
                return None;
            }
            known += 1;
            drop(self.counted(known));
        }
    }

    /// Derivation number `index`; `None` beyond the last one or the largest
    /// size.
    pub fn nth(&self, index: &BigUint) -> Option<Derivation> {
        let mut derivation = Derivation::default();
        let written = self.write_nth(index, &mut derivation, &mut Vec::new());
        written.then_some(derivation)
    }

    /// Puts program number `index` in place of `text`, and its productions
    /// in place of `derivation`; false beyond the last one.
    pub fn write_nth(
        &self,
        index: &BigUint,
        derivation: &mut Derivation,
        text: &mut Vec<u8>,
    ) -> bool {
        let Some((size, index)) = self.place(index) else {
            return false;
        };
        derivation.productions.clear();
        text.clear();
        let locator = Locator {
            grammar: &self.grammar,
            shape: &self.shape,
            tables: &self.read(),
        };
        locator.write(size, index, derivation, text);
        true
    }

    /// The program of a derivation.
    pub fn text(&self, derivation: &Derivation) -> Vec<u8> {
        let mut text = Vec::new();
        derivation.write(&self.grammar, &mut text);
        text
    }

    /// The number of `derivation`: what [`Enumeration::nth`] undoes. `None`
    /// if it is none of this grammar or larger than the largest size.
    pub fn index_of(&self, derivation: &Derivation) -> Option<BigUint> {
        let sizes = derivation.sizes(&self.grammar)?;
        let size = sizes[0];
        if size > self.largest {
            return None;
        }
        let tables = self.counted(size);
        let rank = derivation::rank(derivation, &sizes, &self.grammar, &self.shape, &tables);
        Some(tables.up_to(size - 1) + rank)
    }

    /// A walk through all derivations from number `index` on, up to those of
    /// `last_size`; `None` if there is none.
    pub fn walk(&self, index: &BigUint, last_size: u32) -> Option<Walk<'_>> {
        Walk::from(self, index, last_size.min(self.largest))
    }

    fn read(&self) -> RwLockReadGuard<'_, Tables> {
        // Counting does not panic, and whoever panics while reading has
        // changed nothing.
        self.tables.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// The tables with everything up to `size` in them.
    fn counted(&self, size: u32) -> RwLockReadGuard<'_, Tables> {
        let tables = self.read();
        if tables.known() >= size {
            return tables;
        }
        drop(tables);
        let mut tables = self.tables.write().unwrap_or_else(PoisonError::into_inner);
        while tables.known() < size {
            tables.extend(&self.grammar, &self.shape);
        }
        drop(tables);
        self.read()
    }

    /// The next size after `size` that has derivations.
    fn next_size(&self, size: u32, last_size: u32) -> Option<u32> {
        (size + 1..=last_size).find(|&size| {
            let tables = self.counted(size);
            !tables.rule(self.grammar.start, size).is_zero()
        })
    }

    /// Which rules and which sequences have derivations of which sizes up to
    /// `size`.
    fn nonempty(&self, size: u32) -> (Vec<bool>, Vec<bool>) {
        let tables = self.counted(size);
        let rules = 0..self.grammar.rules.len() as u32;
        let sequences = 0..self.shape.len() as u32;
        let sizes = |number| (0..=size).map(move |size| (number, size));
        (
            rules
                .flat_map(sizes)
                .map(|(rule, size)| !tables.rule(rule, size).is_zero())
                .collect(),
            sequences
                .flat_map(sizes)
                .map(|(sequence, size)| !tables.sequence(sequence, size).is_zero())
                .collect(),
        )
    }
}
