//! How many derivations of each size every rule and sequence has.
//!
//! With `N(A, s)` the number of derivations of rule `A` of size `s` and
//! `S(q, s)` that of sequence `q`:
//!
//! ```text
//! N(A, s) = sum of S(symbols of p, s - 1) over the productions p of A
//! S((), 0) = 1,    S(A q, s) = sum of N(A, i) * S(q, s - i) over 1 <= i <= s
//! ```
//!
//! The tables grow by one size at a time, and only when somebody asks.
//! Running sums, which a search for an index needs, are made when a cell is
//! first visited and kept while there is room for them.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use lydite_core::BigUint;

use super::limbs::BigSums;
use super::shape::{EMPTY, SequenceId, Shape};
use crate::grammar::{Grammar, ProductionId, RuleId};

/// Counts up to a size.
#[derive(Debug)]
pub(crate) struct Tables {
    start: RuleId,
    /// `[rule][size]` and `[sequence][size]`.
    rules: Vec<Vec<Cell>>,
    sequences: Vec<Vec<Cell>>,
    /// The sizes of each rule that have derivations.
    nonempty: Vec<Vec<u32>>,
    /// `[size]`: programs of at most that size.
    up_to: Vec<BigUint>,
    room: AtomicUsize,
}

/// The number of derivations of one rule or sequence at one size.
#[derive(Debug)]
pub(crate) struct Cell {
    pub count: BigUint,
    /// The same as a machine number, if it fits.
    pub word: Option<u128>,
    sums: OnceLock<Option<Sums>>,
    /// For rules, see [`Snippets`].
    snippets: OnceLock<Option<Box<Snippets>>>,
}

/// All derivations of a rule at a small size, ready to be copied.
#[derive(Debug, Default)]
pub(super) struct Snippets {
    size: usize,
    /// Texts one after the other, and where each ends.
    texts: Vec<u8>,
    ends: Vec<u32>,
    productions: Vec<ProductionId>,
}

/// The largest size of snippets; also how deep their making may nest.
const SNIPPET_SIZE: u32 = 16;

/// The most snippets of one rule and size, and the most bytes of one.
const SNIPPETS: u128 = 256;
const SNIPPET_BYTES: usize = 1024;

impl Snippets {
    pub(super) fn new(size: u32) -> Snippets {
        Snippets {
            size: size as usize,
            ..Snippets::default()
        }
    }

    /// Adds the next one; false if it is too long.
    pub(super) fn push(&mut self, productions: &[ProductionId], text: &[u8]) -> bool {
        self.texts.extend_from_slice(text);
        self.ends.push(self.texts.len() as u32);
        self.productions.extend_from_slice(productions);
        text.len() <= SNIPPET_BYTES
    }

    #[inline]
    pub(super) fn copy(
        &self,
        index: u128,
        productions: &mut Vec<ProductionId>,
        text: &mut Vec<u8>,
    ) {
        let index = index as usize;
        let start = match index {
            0 => 0,
            _ => self.ends[index - 1] as usize,
        };
        text.extend_from_slice(&self.texts[start..self.ends[index] as usize]);
        let made = &self.productions[index * self.size..(index + 1) * self.size];
        productions.extend_from_slice(made);
    }
}

/// Running sums over the productions of a rule, or over the sizes (from 1) of
/// a sequence's head.
#[derive(Debug)]
pub(super) enum Sums {
    Words(Box<[u128]>),
    Bigs(BigSums),
}

impl Cell {
    fn new(count: BigUint) -> Cell {
        Cell {
            word: u128::try_from(&count).ok(),
            count,
            sums: OnceLock::new(),
            snippets: OnceLock::new(),
        }
    }

    pub(crate) fn is_zero(&self) -> bool {
        self.word == Some(0)
    }

    /// Snippets of a rule at `size`, if there are few; `make` makes them.
    #[inline]
    pub(super) fn snippets(
        &self,
        size: u32,
        make: impl FnOnce(u128) -> Option<Snippets>,
    ) -> Option<&Snippets> {
        let count = self.word.filter(|count| *count <= SNIPPETS)?;
        if size > SNIPPET_SIZE {
            return None;
        }
        let made = self.snippets.get_or_init(|| make(count).map(Box::new));
        made.as_deref()
    }
}

impl Tables {
    /// Size 0: nothing but the empty sequence. `room_bytes` of running sums
    /// are kept.
    pub(crate) fn new(grammar: &Grammar, shape: &Shape, room_bytes: usize) -> Tables {
        let zero = || vec![Cell::new(BigUint::ZERO)];
        let mut sequences: Vec<Vec<Cell>> = (0..shape.len()).map(|_| zero()).collect();
        sequences[EMPTY as usize] = vec![Cell::new(BigUint::ONE)];
        Tables {
            start: grammar.start,
            rules: grammar.rules.iter().map(|_| zero()).collect(),
            sequences,
            nonempty: vec![Vec::new(); grammar.rules.len()],
            up_to: vec![BigUint::ZERO],
            room: AtomicUsize::new(room_bytes),
        }
    }

    /// The largest size that is counted.
    pub(crate) fn known(&self) -> u32 {
        self.up_to.len() as u32 - 1
    }

    /// Counts one size more.
    pub(crate) fn extend(&mut self, grammar: &Grammar, shape: &Shape) {
        let size = self.up_to.len();
        for (number, rule) in grammar.rules.iter().enumerate() {
            let mut count = BigUint::ZERO;
            for production in rule.productions.clone() {
                let sequence = shape.of_production(production);
                count += &self.sequences[sequence as usize][size - 1].count;
            }
            if count != BigUint::ZERO {
                self.nonempty[number].push(size as u32);
            }
            self.rules[number].push(Cell::new(count));
        }
        self.sequences[EMPTY as usize].push(Cell::new(BigUint::ZERO));
        for id in 1..shape.len() as SequenceId {
            let count = self.convolution(shape, id, size);
            self.sequences[id as usize].push(Cell::new(count));
        }
        let total = &self.up_to[size - 1] + &self.rule(self.start, size as u32).count;
        self.up_to.push(total);
    }

    fn convolution(&self, shape: &Shape, id: SequenceId, size: usize) -> BigUint {
        let sequence = shape.sequence(id);
        let head = &self.rules[sequence.head as usize];
        if sequence.tail == EMPTY {
            return head[size].count.clone();
        }
        let tail = &self.sequences[sequence.tail as usize];
        let then = shape.sequence(sequence.tail);
        // The square of a series needs half the products.
        let square = then.head == sequence.head && then.tail == EMPTY;
        let last = if square { (size - 1) / 2 } else { size - 1 };
        let sizes = self.nonempty[sequence.head as usize].iter();
        let mut sum = BigUint::ZERO;
        for i in sizes.map(|&i| i as usize).take_while(|&i| i <= last) {
            if !tail[size - i].is_zero() {
                sum += &head[i].count * &tail[size - i].count;
            }
        }
        if square {
            sum <<= 1;
            if size.is_multiple_of(2) {
                sum += head[size / 2].count.sqr();
            }
        }
        sum
    }

    #[inline]
    pub(crate) fn rule(&self, rule: RuleId, size: u32) -> &Cell {
        &self.rules[rule as usize][size as usize]
    }

    #[inline]
    pub(crate) fn sequence(&self, sequence: SequenceId, size: u32) -> &Cell {
        &self.sequences[sequence as usize][size as usize]
    }

    /// Programs of at most this size.
    pub(crate) fn up_to(&self, size: u32) -> &BigUint {
        &self.up_to[size as usize]
    }

    /// The size of program number `index`, if it is counted already.
    pub(crate) fn size_of(&self, index: &BigUint) -> Option<u32> {
        let size = self.up_to.partition_point(|total| total <= index);
        (size < self.up_to.len()).then_some(size as u32)
    }

    /// Running sums over the productions of `rule` at `size`; `None` if there
    /// is no room for them.
    #[inline]
    pub(super) fn choices(
        &self,
        grammar: &Grammar,
        shape: &Shape,
        rule: RuleId,
        size: u32,
    ) -> Option<&Sums> {
        let cell = self.rule(rule, size);
        let made = cell.sums.get_or_init(|| {
            let productions = grammar.rules[rule as usize].productions.clone();
            let parts = productions.map(|production| {
                let sequence = shape.of_production(production);
                self.sequence(sequence, size - 1).count.clone()
            });
            self.sums(cell, parts)
        });
        made.as_ref()
    }

    /// Running sums over the sizes of the head of `sequence`, which has a
    /// tail, at `size`; `None` if there is no room for them.
    #[inline]
    pub(super) fn splits(&self, shape: &Shape, sequence: SequenceId, size: u32) -> Option<&Sums> {
        let cell = self.sequence(sequence, size);
        let made = cell.sums.get_or_init(|| {
            let parts = (1..size).map(|head| self.part(shape, sequence, size, head));
            self.sums(cell, parts)
        });
        made.as_ref()
    }

    /// How many of `sequence` at `size` have a head of size `head`.
    pub(crate) fn part(
        &self,
        shape: &Shape,
        sequence: SequenceId,
        size: u32,
        head: u32,
    ) -> BigUint {
        let sequence = shape.sequence(sequence);
        let head_cell = self.rule(sequence.head, head);
        let tail_cell = self.sequence(sequence.tail, size - head);
        if head_cell.is_zero() || tail_cell.is_zero() {
            return BigUint::ZERO;
        }
        &head_cell.count * &tail_cell.count
    }

    fn sums(&self, cell: &Cell, parts: impl ExactSizeIterator<Item = BigUint>) -> Option<Sums> {
        let bytes = parts.len() * BigSums::bytes_each(&cell.count);
        let take = |room: usize| room.checked_sub(bytes);
        self.room
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, take)
            .ok()?;
        if cell.word.is_none() {
            return Some(Sums::Bigs(BigSums::new(&cell.count, parts)));
        }
        let mut sum = 0u128;
        let running = parts.map(|part| {
            sum += u128::try_from(&part).expect("no more than the total, which fits");
            sum
        });
        Some(Sums::Words(running.collect()))
    }
}
