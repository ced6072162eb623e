//! From an index to a derivation, top-down: which production, which sizes for
//! its symbols, and which index within each of them.
//!
//! Order within a size: by production in the file's order, then by the size
//! of the first symbol's derivation, then by that derivation, then by the
//! rest likewise. So an index within a sequence is
//! `(index of the head) * (number of tails) + (index of the tail)` beyond the
//! sum over smaller heads.

use lydite_core::BigUint;

use super::derivation::Derivation;
use super::limbs::Limbs;
use super::shape::{EMPTY, SequenceId, Shape};
use super::tables::{Cell, Snippets, Sums, Tables};
use crate::grammar::{Grammar, ProductionId, RuleId};

/// An index below the count of some cell: a machine number exactly if that
/// count is one.
enum Index {
    Word(u64),
    Big(Limbs),
}

/// A production whose symbols from number `next` on are still to be made.
struct Frame {
    production: ProductionId,
    next: u32,
    sequence: SequenceId,
    size: u32,
    index: Index,
}

/// The same where all indices are machine numbers, which most are.
#[derive(Clone, Copy)]
struct WordFrame {
    production: ProductionId,
    next: u32,
    sequence: SequenceId,
    size: u32,
    index: u64,
}

pub(super) struct Locator<'a> {
    pub grammar: &'a Grammar,
    pub shape: &'a Shape,
    pub tables: &'a Tables,
}

impl Index {
    fn within(cell: &Cell, index: Limbs) -> Index {
        match cell.word {
            Some(_) => Index::Word(index.word()),
            None => Index::Big(index),
        }
    }

    /// The index, which is known to be a machine number.
    fn word(&self) -> u64 {
        match self {
            Index::Word(index) => *index,
            Index::Big(index) => index.word(),
        }
    }

    fn into_big(self) -> BigUint {
        match self {
            Index::Word(index) => BigUint::from(index),
            Index::Big(index) => index.to_big(),
        }
    }
}

impl Locator<'_> {
    /// Appends program number `index` among those of `size` to `text` and its
    /// productions to `derivation`. `index` is below their number.
    pub(super) fn write(
        &self,
        size: u32,
        index: BigUint,
        derivation: &mut Derivation,
        text: &mut Vec<u8>,
    ) {
        let start = self.grammar.start;
        let index = Index::within(self.tables.rule(start, size), Limbs::new(&index));
        self.write_rule((start, size, index), derivation, text);
    }

    /// The same for any rule.
    fn write_rule(
        &self,
        wanted: (RuleId, u32, Index),
        derivation: &mut Derivation,
        text: &mut Vec<u8>,
    ) {
        let mut frames: Vec<Frame> = Vec::new();
        let mut word_frames: Vec<WordFrame> = Vec::new();
        let mut wanted = Some(wanted);
        while let Some((rule, size, index)) = wanted {
            match index {
                Index::Word(index) => {
                    let wanted = (rule, size, index);
                    self.write_words(wanted, false, &mut word_frames, derivation, text);
                    self.close(&mut frames, text);
                }
                Index::Big(_) => {
                    let (id, index) = self.choose(rule, size, index);
                    derivation.productions.push(id);
                    let production = &self.grammar.productions[id as usize];
                    text.extend_from_slice(production.texts[0].as_bytes());
                    frames.push(Frame {
                        production: id,
                        next: 0,
                        sequence: self.shape.of_production(id),
                        size: size - 1,
                        index,
                    });
                }
            }
            wanted = self.next_symbol(&mut frames);
        }
    }

    /// The same where the index is a machine number. `slowly`: the first node
    /// is made from its parts, even if it could be copied. `frames` is empty
    /// before and after.
    fn write_words(
        &self,
        (mut rule, mut size, mut index): (RuleId, u32, u64),
        mut slowly: bool,
        frames: &mut Vec<WordFrame>,
        derivation: &mut Derivation,
        text: &mut Vec<u8>,
    ) {
        loop {
            let snippets = match slowly {
                true => None,
                false => self.snippets(rule, size),
            };
            slowly = false;
            let mut done = true;
            if let Some(snippets) = snippets {
                snippets.copy(index, &mut derivation.productions, text);
            } else {
                let (id, index) = self.choose_word(rule, size, index);
                derivation.productions.push(id);
                let production = &self.grammar.productions[id as usize];
                text.extend_from_slice(production.texts[0].as_bytes());
                done = production.symbols.is_empty();
                if !done {
                    frames.push(WordFrame {
                        production: id,
                        next: 0,
                        sequence: self.shape.of_production(id),
                        size: size - 1,
                        index,
                    });
                }
            }
            if done {
                self.close_words(frames, text);
            }
            let Some(frame) = frames.last_mut() else {
                return;
            };
            let sequence = self.shape.sequence(frame.sequence);
            rule = sequence.head;
            if sequence.tail == EMPTY {
                (size, index) = (frame.size, frame.index);
            } else {
                (size, index, frame.index) =
                    self.split_word(frame.sequence, frame.size, frame.index);
                frame.size -= size;
            }
            frame.next += 1;
            frame.sequence = sequence.tail;
        }
    }

    fn close_words(&self, frames: &mut Vec<WordFrame>, text: &mut Vec<u8>) {
        while let Some(frame) = frames.last() {
            let production = &self.grammar.productions[frame.production as usize];
            text.extend_from_slice(production.texts[frame.next as usize].as_bytes());
            if frame.sequence != EMPTY {
                return;
            }
            frames.pop();
        }
    }

    /// The next symbol of the innermost production, which has one.
    #[inline]
    fn next_symbol(&self, frames: &mut [Frame]) -> Option<(RuleId, u32, Index)> {
        let frame = frames.last_mut()?;
        let sequence = self.shape.sequence(frame.sequence);
        frame.next += 1;
        let index = std::mem::replace(&mut frame.index, Index::Word(0));
        let wanted = if sequence.tail == EMPTY {
            (sequence.head, frame.size, index)
        } else {
            let (head, head_index, tail_index) = self.split(frame.sequence, frame.size, index);
            frame.size -= head;
            frame.index = tail_index;
            (sequence.head, head, head_index)
        };
        frame.sequence = sequence.tail;
        Some(wanted)
    }

    #[inline]
    fn snippets(&self, rule: RuleId, size: u32) -> Option<&Snippets> {
        let cell = self.tables.rule(rule, size);
        cell.snippets(size, |count| {
            let mut snippets = Snippets::new(size);
            let (mut derivation, mut text) = (Derivation::default(), Vec::new());
            for index in 0..count {
                derivation.productions.clear();
                text.clear();
                let (wanted, frames) = ((rule, size, index), &mut Vec::new());
                self.write_words(wanted, true, frames, &mut derivation, &mut text);
                if !snippets.push(&derivation.productions, &text) {
                    return None;
                }
            }
            Some(snippets)
        })
    }

    /// Writes what follows a finished derivation, up to the next symbol.
    fn close(&self, frames: &mut Vec<Frame>, text: &mut Vec<u8>) {
        while let Some(frame) = frames.last() {
            let production = &self.grammar.productions[frame.production as usize];
            text.extend_from_slice(production.texts[frame.next as usize].as_bytes());
            if frame.sequence != EMPTY {
                return;
            }
            frames.pop();
        }
    }

    /// The production of a rule that an index falls to, and the index in it.
    #[inline]
    fn choose(&self, rule: RuleId, size: u32, index: Index) -> (ProductionId, Index) {
        let first = self.grammar.rules[rule as usize].productions.start;
        let sums = self.tables.choices(self.grammar, self.shape, rule, size);
        match (sums, index) {
            (Some(Sums::Bigs(sums)), Index::Big(index)) => {
                let (place, rest) = sums.place(index);
                let production = first + place as ProductionId;
                let sequence = self.shape.of_production(production);
                let cell = self.tables.sequence(sequence, size - 1);
                (production, Index::within(cell, rest))
            }
            (_, index) => self.choose_by_scan(rule, size, index.into_big()),
        }
    }

    #[inline]
    fn choose_word(&self, rule: RuleId, size: u32, index: u64) -> (ProductionId, u64) {
        let first = self.grammar.rules[rule as usize].productions.start;
        match self.tables.choices(self.grammar, self.shape, rule, size) {
            Some(Sums::Words(sums)) => {
                let (place, rest) = place_word(sums, index);
                (first + place as ProductionId, rest)
            }
            _ => {
                let (production, index) = self.choose_by_scan(rule, size, BigUint::from(index));
                (production, index.word())
            }
        }
    }

    fn choose_by_scan(&self, rule: RuleId, size: u32, mut index: BigUint) -> (ProductionId, Index) {
        for production in self.grammar.rules[rule as usize].productions.clone() {
            let sequence = self.shape.of_production(production);
            let cell = self.tables.sequence(sequence, size - 1);
            if index < cell.count {
                return (production, Index::within(cell, Limbs::new(&index)));
            }
            index -= &cell.count;
        }
        unreachable!("an index is below the count of its rule");
    }

    /// The size of the head, and the indices of head and tail.
    #[inline]
    fn split(&self, id: SequenceId, size: u32, index: Index) -> (u32, Index, Index) {
        let index = match index {
            Index::Big(index) => index,
            Index::Word(index) => {
                let (head, head_index, tail_index) = self.split_word(id, size, index);
                return (head, Index::Word(head_index), Index::Word(tail_index));
            }
        };
        if self.shape.is_flat(self.shape.sequence(id).head) {
            return self.divide(id, size, 1, index);
        }
        match self.tables.splits(self.shape, id, size) {
            Some(Sums::Bigs(sums)) => {
                let (place, rest) = sums.place(index);
                self.divide(id, size, place as u32 + 1, rest)
            }
            _ => self.split_by_scan(id, size, index.to_big()),
        }
    }

    #[inline]
    fn split_word(&self, id: SequenceId, size: u32, index: u64) -> (u32, u64, u64) {
        let sequence = self.shape.sequence(id);
        // A head of literals has but one size: no search.
        let (head, rest) = match self.shape.is_flat(sequence.head) {
            true => (1, index),
            false => match self.tables.splits(self.shape, id, size) {
                Some(Sums::Words(sums)) => {
                    let (place, rest) = place_word(sums, index);
                    (place as u32 + 1, rest)
                }
                _ => {
                    let (head, head_index, tail_index) =
                        self.split_by_scan(id, size, BigUint::from(index));
                    return (head, head_index.word(), tail_index.word());
                }
            },
        };
        let tails = self.tables.sequence(sequence.tail, size - head).word;
        let tails = tails.expect("a factor of what fits");
        (head, rest / tails, rest % tails)
    }

    fn divide(&self, id: SequenceId, size: u32, head: u32, rest: Limbs) -> (u32, Index, Index) {
        let sequence = self.shape.sequence(id);
        let head_cell = self.tables.rule(sequence.head, head);
        let tail_cell = self.tables.sequence(sequence.tail, size - head);
        let (head_index, tail_index) = rest.divide(&tail_cell.count);
        (
            head,
            Index::within(head_cell, head_index),
            Index::within(tail_cell, tail_index),
        )
    }

    /// Without running sums. From the nearer end: nearly all derivations
    /// have a small head or a small tail.
    fn split_by_scan(&self, id: SequenceId, size: u32, mut index: BigUint) -> (u32, Index, Index) {
        let total = &self.tables.sequence(id, size).count;
        let part = |head| self.tables.part(self.shape, id, size, head);
        if &index + &index < *total {
            for head in 1..size {
                let part = part(head);
                if index < part {
                    return self.divide(id, size, head, Limbs::new(&index));
                }
                index -= part;
            }
        } else {
            let mut end = total.clone();
            for head in (1..size).rev() {
                end -= part(head);
                if index >= end {
                    return self.divide(id, size, head, Limbs::new(&(index - end)));
                }
            }
        }
        unreachable!("an index is below the count of its sequence");
    }
}

#[inline]
fn place_word(sums: &[u64], index: u64) -> (usize, u64) {
    let place = sums.partition_point(|sum| *sum <= index);
    match place {
        0 => (0, index),
        _ => (place, index - sums[place - 1]),
    }
}
