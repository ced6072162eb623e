//! From one program to the next without making again what stays the same.
//!
//! The derivation is kept as a list of nodes, each before its children, and
//! the order of [`super::locate`] is the lexicographic order of (size,
//! production) over that list. So the next derivation keeps all nodes before
//! the last one that can still change, and of the text it keeps what those
//! nodes wrote.

use lydite_core::BigUint;

use super::Enumeration;
use super::derivation::Derivation;
use super::shape::{EMPTY, SequenceId};
use crate::grammar::{ProductionId, RuleId};

/// Programs in order, beginning anywhere. Not an [`Iterator`]: what it shows
/// is its own and changes with the next step.
#[derive(Debug)]
pub struct Walk<'a> {
    enumeration: &'a Enumeration,
    last_size: u32,
    size: u32,
    /// Which rules and sequences have derivations of which sizes, up to
    /// `size`: number times (size + 1) plus size.
    rules: Vec<bool>,
    sequences: Vec<bool>,
    nodes: Vec<Node>,
    text: Vec<u8>,
}

#[derive(Clone, Copy, Debug)]
struct Node {
    rule: RuleId,
    production: ProductionId,
    size: u32,
    /// The sequence of the parent that this node is the head of, and the size
    /// of all of it; [`EMPTY`] for the root.
    sequence: SequenceId,
    budget: u32,
    parent: u32,
    /// Its number among the parent's symbols.
    symbol: u32,
    /// Where its text begins.
    text: usize,
}

impl<'a> Walk<'a> {
    /// A walk that shows program number `index`, if there is one of at most
    /// `last_size`.
    pub(super) fn from(
        enumeration: &'a Enumeration,
        index: &BigUint,
        last_size: u32,
    ) -> Option<Walk<'a>> {
        let (size, _) = enumeration.place(index)?;
        if size > last_size {
            return None;
        }
        let derivation = enumeration.nth(index)?;
        let mut walk = Walk {
            enumeration,
            last_size,
            size: 0,
            rules: Vec::new(),
            sequences: Vec::new(),
            nodes: Vec::new(),
            text: Vec::new(),
        };
        walk.enter(size);
        walk.place_all(&derivation);
        Some(walk)
    }

    /// The present program.
    pub fn text(&self) -> &[u8] {
        &self.text
    }

    /// The present size.
    pub fn size(&self) -> u32 {
        self.size
    }

    /// The present derivation.
    pub fn derivation(&self) -> Derivation {
        let productions = self.nodes.iter().map(|node| node.production);
        Derivation {
            productions: productions.collect(),
        }
    }

    /// Goes on to the next program; false if there is none.
    pub fn advance(&mut self) -> bool {
        while let Some(&node) = self.nodes.last() {
            if let Some((size, production)) = self.after(&node) {
                let last = self.nodes.last_mut().expect("looked at just now");
                last.size = size;
                last.production = production;
                self.text.truncate(node.text);
                self.complete();
                return true;
            }
            self.nodes.pop();
        }
        let Some(size) = self.enumeration.next_size(self.size, self.last_size) else {
            return false;
        };
        self.enter(size);
        self.push(self.root());
        self.complete();
        true
    }

    /// Takes over which cells are empty at sizes up to `size`.
    fn enter(&mut self, size: u32) {
        self.size = size;
        self.nodes.clear();
        self.text.clear();
        let (rules, sequences) = self.enumeration.nonempty(size);
        self.rules = rules;
        self.sequences = sequences;
    }

    fn has_rule(&self, rule: RuleId, size: u32) -> bool {
        self.rules[rule as usize * (self.size as usize + 1) + size as usize]
    }

    fn has_sequence(&self, sequence: SequenceId, size: u32) -> bool {
        self.sequences[sequence as usize * (self.size as usize + 1) + size as usize]
    }

    fn root(&self) -> Node {
        let rule = self.enumeration.grammar.start;
        Node {
            rule,
            production: self.production(rule, self.size, 0).unwrap_or(0),
            size: self.size,
            sequence: EMPTY,
            budget: self.size,
            parent: 0,
            symbol: 0,
            text: 0,
        }
    }

    /// The first production of `rule` from `from` on with derivations of `size`.
    fn production(&self, rule: RuleId, size: u32, from: ProductionId) -> Option<ProductionId> {
        let range = &self.enumeration.grammar.rules[rule as usize].productions;
        let shape = &self.enumeration.shape;
        (from.max(range.start)..range.end)
            .find(|&production| self.has_sequence(shape.of_production(production), size - 1))
    }

    /// The first size of the head of `sequence` from `from` on that leaves
    /// something for its tail.
    fn head_size(&self, sequence: SequenceId, budget: u32, from: u32) -> Option<u32> {
        let parts = self.enumeration.shape.sequence(sequence);
        if parts.tail == EMPTY {
            return (from <= budget).then_some(budget);
        }
        (from..budget).find(|&head| {
            self.has_rule(parts.head, head) && self.has_sequence(parts.tail, budget - head)
        })
    }

    /// What comes after a node's size and production.
    fn after(&self, node: &Node) -> Option<(u32, ProductionId)> {
        if let Some(production) = self.production(node.rule, node.size, node.production + 1) {
            return Some((node.size, production));
        }
        if node.sequence == EMPTY {
            return None;
        }
        let size = self.head_size(node.sequence, node.budget, node.size + 1)?;
        Some((size, self.production(node.rule, size, 0)?))
    }

    fn push(&mut self, node: Node) {
        self.nodes.push(node);
    }

    /// The last node has its production and the text ends before it: writes
    /// it and all that follows, always taking what comes first.
    fn complete(&mut self) {
        while let Some(mut node) = self.open_next() {
            let size = self.head_size(node.sequence, node.budget, 1);
            node.size = size.expect("the sequence has derivations of its budget");
            let production = self.production(node.rule, node.size, 0);
            node.production = production.expect("the rule has derivations of this size");
            self.push(node);
        }
    }

    /// The derivation as it is given.
    fn place_all(&mut self, derivation: &Derivation) {
        let sizes = derivation.sizes(&self.enumeration.grammar);
        let sizes = sizes.expect("a derivation of this grammar");
        let mut node = self.root();
        for (&production, size) in derivation.productions.iter().zip(sizes) {
            node.production = production;
            node.size = size;
            self.push(node);
            match self.open_next() {
                Some(next) => node = next,
                None => return,
            }
        }
    }

    /// Writes the beginning of the last node, and what follows up to the next
    /// symbol, whose node it returns with size and production left open.
    fn open_next(&mut self) -> Option<Node> {
        let grammar = &self.enumeration.grammar;
        let shape = &self.enumeration.shape;
        let mut number = self.nodes.len() - 1;
        let node = &self.nodes[number];
        let production = &grammar.productions[node.production as usize];
        self.text.extend_from_slice(production.texts[0].as_bytes());
        if let Some(&rule) = production.symbols.first() {
            return Some(Node {
                rule,
                production: 0,
                size: 0,
                sequence: shape.of_production(node.production),
                budget: node.size - 1,
                parent: number as u32,
                symbol: 0,
                text: self.text.len(),
            });
        }
        while number > 0 {
            let node = &self.nodes[number];
            let parent = &self.nodes[node.parent as usize];
            let production = &grammar.productions[parent.production as usize];
            let symbol = node.symbol as usize + 1;
            self.text
                .extend_from_slice(production.texts[symbol].as_bytes());
            if let Some(&rule) = production.symbols.get(symbol) {
                return Some(Node {
                    rule,
                    production: 0,
                    size: 0,
                    sequence: shape.sequence(node.sequence).tail,
                    budget: node.budget - node.size,
                    parent: node.parent,
                    symbol: symbol as u32,
                    text: self.text.len(),
                });
            }
            number = node.parent as usize;
        }
        None
    }
}
