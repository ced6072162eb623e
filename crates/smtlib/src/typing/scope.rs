//! What names mean, as a trail that can be wound back.

use super::FunctionId;
use crate::sort::{Sort, SortDeclarationId};
use crate::syntax::{Symbol, index};

/// What a symbol means as a term.
#[derive(Clone, Copy, Debug)]
pub(super) enum Meaning {
    /// A bound variable.
    Local(Sort),
    /// A bound variable whose sort could not be found out.
    Broken,
    /// A function of the script.
    Function(FunctionId),
}

/// What a symbol means as a sort.
#[derive(Clone, Copy, Debug)]
pub(super) enum SortMeaning {
    /// A declared sort or datatype.
    Declared(SortDeclarationId),
    /// `define-sort` with so many parameters.
    Defined(usize, Sort),
    /// A sort parameter.
    Parameter(Sort),
}

const NONE: u32 = u32::MAX;

/// One namespace: for each symbol its last entry, for each entry the one it hides.
pub(super) struct Trail<T> {
    current: Vec<u32>,
    entries: Vec<(Symbol, T, u32)>,
}

impl<T: Copy> Trail<T> {
    fn new(symbols: usize) -> Trail<T> {
        Trail {
            current: vec![NONE; symbols],
            entries: Vec::new(),
        }
    }

    pub(super) fn declare(&mut self, symbol: Symbol, meaning: T) {
        let slot = &mut self.current[symbol.index()];
        let previous = std::mem::replace(slot, index(self.entries.len()));
        self.entries.push((symbol, meaning, previous));
    }

    pub(super) fn get(&self, symbol: Symbol) -> Option<T> {
        self.meanings(symbol).next()
    }

    /// The meanings of a symbol, the last declared first.
    pub(super) fn meanings(&self, symbol: Symbol) -> impl Iterator<Item = T> + '_ {
        let mut at = self.current[symbol.index()];
        std::iter::from_fn(move || {
            let &(_, meaning, previous) = self.entries.get(at as usize)?;
            at = previous;
            Some(meaning)
        })
    }

    /// The symbols in scope, newest first.
    pub(super) fn symbols(&self) -> impl Iterator<Item = Symbol> + '_ {
        self.entries.iter().rev().map(|&(symbol, ..)| symbol)
    }

    pub(super) fn mark(&self) -> usize {
        self.entries.len()
    }

    pub(super) fn rewind(&mut self, mark: usize) {
        while self.entries.len() > mark {
            if let Some((symbol, _, previous)) = self.entries.pop() {
                self.current[symbol.index()] = previous;
            }
        }
    }
}

/// Several `push`es in a row are one entry: `(push 1000000000)` costs nothing.
#[derive(Clone, Copy)]
struct Level {
    count: u64,
    functions: usize,
    sorts: usize,
}

/// Both namespaces, and the levels of `push`.
pub(super) struct Scope {
    pub(super) functions: Trail<Meaning>,
    pub(super) sorts: Trail<SortMeaning>,
    levels: Vec<Level>,
    /// `:global-declarations`: `pop` keeps what was declared.
    pub(super) global_declarations: bool,
    /// How many binders the term under way stands under.
    pub(super) binders: usize,
}

impl Scope {
    pub(super) fn new(symbols: usize) -> Scope {
        Scope {
            functions: Trail::new(symbols),
            sorts: Trail::new(symbols),
            levels: Vec::new(),
            global_declarations: false,
            binders: 0,
        }
    }

    pub(super) fn push(&mut self, count: u64) {
        if count > 0 {
            self.levels.push(Level {
                count,
                functions: self.functions.mark(),
                sorts: self.sorts.mark(),
            });
        }
    }

    /// False if there are fewer levels.
    pub(super) fn pop(&mut self, mut count: u64) -> bool {
        while count > 0 {
            let Some(level) = self.levels.last_mut() else {
                return false;
            };
            let taken = count.min(level.count);
            level.count -= taken;
            count -= taken;
            let level = *level;
            if level.count == 0 {
                self.levels.pop();
            }
            if !self.global_declarations {
                self.functions.rewind(level.functions);
                self.sorts.rewind(level.sorts);
            }
        }
        true
    }

    pub(super) fn reset_assertions(&mut self) {
        self.levels.clear();
        if !self.global_declarations {
            self.functions.rewind(0);
            self.sorts.rewind(0);
        }
    }

    pub(super) fn reset(&mut self) {
        self.levels.clear();
        self.functions.rewind(0);
        self.sorts.rewind(0);
        self.global_declarations = false;
    }
}
