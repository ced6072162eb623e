//! From a text back to its derivation: Earley's algorithm without a lexer.
//!
//! An item is a production, how many of its symbols are read, and where it
//! began; it stands at the position where the text after those symbols ends.
//! Each item remembers how it came about, so that a finished one is a tree.
//! The grammar's only derivation is found if there is one; of several, one.

use std::collections::BTreeSet;

use super::derivation::Derivation;
use crate::grammar::{Grammar, ProductionId, RuleId};

/// The most items that are made: some hundred megabytes.
const MAX_ITEMS: usize = 4_000_000;

/// An item's position in the text and its number there.
type Place = (usize, usize);

#[derive(Clone, Copy)]
struct Item {
    production: ProductionId,
    /// How many symbols are read.
    read: usize,
    origin: usize,
    /// The same with one symbol less, and the finished item of that symbol.
    from: Option<(Place, Place)>,
}

struct Chart<'a> {
    grammar: &'a Grammar,
    text: &'a [u8],
    items: Vec<Vec<Item>>,
    known: Vec<BTreeSet<(ProductionId, usize, usize)>>,
    count: usize,
}

/// A derivation of `text`; `None` if it has none, or takes too long to read.
pub(super) fn derivation_of(grammar: &Grammar, text: &[u8]) -> Option<Derivation> {
    let positions = text.len() + 1;
    let mut chart = Chart {
        grammar,
        text,
        items: vec![Vec::new(); positions],
        known: vec![BTreeSet::new(); positions],
        count: 0,
    };
    for position in 0..positions {
        if position == 0 {
            chart.begin(grammar.start, 0);
        }
        let mut next = 0;
        while next < chart.items[position].len() {
            chart.step((position, next));
            next += 1;
            if chart.count > MAX_ITEMS {
                return None;
            }
        }
        // Only the items are looked at again.
        chart.known[position] = BTreeSet::new();
    }
    let last = &chart.items[text.len()];
    let whole = last.iter().position(|item| {
        let production = &grammar.productions[item.production as usize];
        item.origin == 0 && production.rule == grammar.start && chart.next_symbol(item).is_none()
    })?;
    Some(chart.tree((text.len(), whole)))
}

impl Chart<'_> {
    fn next_symbol(&self, item: &Item) -> Option<RuleId> {
        let production = &self.grammar.productions[item.production as usize];
        production.symbols.get(item.read).copied()
    }

    /// Puts an item where the text after its symbols ends, if it is there.
    fn add(&mut self, item: Item, position: usize) {
        let production = &self.grammar.productions[item.production as usize];
        let text = production.texts[item.read].as_bytes();
        if !self.text[position..].starts_with(text) {
            return;
        }
        let position = position + text.len();
        if self.known[position].insert((item.production, item.read, item.origin)) {
            self.items[position].push(item);
            self.count += 1;
        }
    }

    /// All productions of a rule, from `position` on.
    fn begin(&mut self, rule: RuleId, position: usize) {
        for production in self.grammar.rules[rule as usize].productions.clone() {
            let item = Item {
                production,
                read: 0,
                origin: position,
                from: None,
            };
            self.add(item, position);
        }
    }

    fn step(&mut self, place: Place) {
        let item = self.items[place.0][place.1];
        let Some(symbol) = self.next_symbol(&item) else {
            return self.finish(place, &item);
        };
        self.begin(symbol, place.0);
        // What is finished without any text may have been so before this item
        // came to wait for it.
        for number in 0..self.items[place.0].len() {
            let child = self.items[place.0][number];
            let rule = self.grammar.productions[child.production as usize].rule;
            if child.origin == place.0 && rule == symbol && self.next_symbol(&child).is_none() {
                self.advance(place, (place.0, number));
            }
        }
    }

    /// Takes all items on that wait for a finished one.
    fn finish(&mut self, place: Place, item: &Item) {
        let rule = self.grammar.productions[item.production as usize].rule;
        for number in 0..self.items[item.origin].len() {
            let waiting = self.items[item.origin][number];
            if self.next_symbol(&waiting) == Some(rule) {
                self.advance((item.origin, number), place);
            }
        }
    }

    fn advance(&mut self, waiting: Place, child: Place) {
        let item = self.items[waiting.0][waiting.1];
        let next = Item {
            read: item.read + 1,
            from: Some((waiting, child)),
            ..item
        };
        self.add(next, child.0);
    }

    /// The derivation of a finished item, each node before its children.
    fn tree(&self, root: Place) -> Derivation {
        let mut derivation = Derivation::default();
        let mut open = vec![root];
        while let Some(place) = open.pop() {
            let mut item = self.items[place.0][place.1];
            derivation.productions.push(item.production);
            // From the last child to the first, so that the first is on top.
            while let Some((before, child)) = item.from {
                open.push(child);
                item = self.items[before.0][before.1];
            }
        }
        derivation
    }
}
