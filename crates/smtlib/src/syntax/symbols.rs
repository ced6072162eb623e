//! Interned names: every symbol, keyword and literal text once, as a `u32`.
//!
//! The table is open addressing over one text buffer, so that a script with a
//! million names costs a handful of allocations. Its order is the order of
//! first use, and nothing ever iterates over the hash table itself.

use super::{Range, index};

/// A name, keyword or literal text of one script.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Symbol(pub(crate) u32);

impl Symbol {
    /// Its number in the order of first use.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The names of one script.
#[derive(Clone, Debug)]
pub struct Symbols {
    text: String,
    spans: Vec<Range>,
    hashes: Vec<u32>,
    slots: Vec<u32>,
}

const EMPTY: u32 = u32::MAX;

impl Default for Symbols {
    fn default() -> Symbols {
        Symbols {
            text: String::new(),
            spans: Vec::new(),
            hashes: Vec::new(),
            slots: vec![EMPTY; 64],
        }
    }
}

impl PartialEq for Symbols {
    fn eq(&self, other: &Symbols) -> bool {
        self.text == other.text && self.spans == other.spans
    }
}

impl Eq for Symbols {}

impl Symbols {
    /// The symbol with this text, made if need be.
    pub fn intern(&mut self, name: &str) -> Symbol {
        match self.find(name) {
            Some(symbol) => symbol,
            None => self.append(name),
        }
    }

    /// A new symbol, also if there is one with this text: symbols and the
    /// contents of string literals share the table and may look alike.
    pub(super) fn append(&mut self, name: &str) -> Symbol {
        let hash = hash(name.as_bytes());
        let mask = self.slots.len() - 1;
        let mut slot = hash as usize & mask;
        while self.slots[slot] != EMPTY {
            slot = (slot + 1) & mask;
        }
        let symbol = index(self.spans.len());
        self.spans.push(Range {
            start: index(self.text.len()),
            len: index(name.len()),
        });
        self.text.push_str(name);
        self.hashes.push(hash);
        self.slots[slot] = symbol;
        if self.spans.len() * 2 > self.slots.len() {
            self.grow();
        }
        Symbol(symbol)
    }

    /// The symbol with this text, if there is one.
    pub fn find(&self, name: &str) -> Option<Symbol> {
        let hash = hash(name.as_bytes());
        let mask = self.slots.len() - 1;
        let mut slot = hash as usize & mask;
        while self.slots[slot] != EMPTY {
            let found = self.slots[slot];
            if self.hashes[found as usize] == hash && self.text_of(found) == name {
                return Some(Symbol(found));
            }
            slot = (slot + 1) & mask;
        }
        None
    }

    /// The text of a symbol.
    pub fn text(&self, symbol: Symbol) -> &str {
        self.text_of(symbol.0)
    }

    /// How many symbols there are; their indices are below it.
    pub fn len(&self) -> usize {
        self.spans.len()
    }

    /// True if nothing was interned.
    pub fn is_empty(&self) -> bool {
        self.spans.is_empty()
    }

    /// Every symbol in order of first use.
    pub fn iter(&self) -> impl Iterator<Item = (Symbol, &str)> {
        (0..index(self.spans.len())).map(|id| (Symbol(id), self.text_of(id)))
    }

    fn text_of(&self, id: u32) -> &str {
        let span = self.spans[id as usize];
        &self.text[span.start as usize..span.start as usize + span.len as usize]
    }

    fn grow(&mut self) {
        let mask = self.slots.len() * 4 - 1;
        let mut slots = vec![EMPTY; mask + 1];
        for (id, &hash) in self.hashes.iter().enumerate() {
            let mut slot = hash as usize & mask;
            while slots[slot] != EMPTY {
                slot = (slot + 1) & mask;
            }
            slots[slot] = index(id);
        }
        self.slots = slots;
    }
}

/// Eight bytes at a time, multiply and fold: short names are the rule.
fn hash(bytes: &[u8]) -> u32 {
    let mut state: u64 = 0x9e37_79b9_7f4a_7c15 ^ bytes.len() as u64;
    let mut chunks = bytes.chunks_exact(8);
    for chunk in &mut chunks {
        let word = u64::from_le_bytes(chunk.try_into().expect("chunks of eight"));
        state = fold(state ^ word);
    }
    let mut word = 0;
    for &byte in chunks.remainder() {
        word = word << 8 | u64::from(byte);
    }
    state = fold(state ^ word);
    (state ^ state >> 32) as u32
}

fn fold(word: u64) -> u64 {
    let product = u128::from(word) * 0xe703_7ed1_a0b4_28db;
    product as u64 ^ (product >> 64) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_texts_are_one_symbol_and_keep_their_text() {
        let mut symbols = Symbols::default();
        let ids: Vec<Symbol> = (0..5000)
            .map(|i| symbols.intern(&format!("x{i}")))
            .collect();
        for (i, &id) in ids.iter().enumerate() {
            assert_eq!(symbols.intern(&format!("x{i}")), id);
            assert_eq!(symbols.find(&format!("x{i}")), Some(id));
            assert_eq!(symbols.text(id), format!("x{i}"));
        }
        assert_eq!(symbols.len(), 5000);
        assert_eq!(symbols.find("y"), None);
    }
}
