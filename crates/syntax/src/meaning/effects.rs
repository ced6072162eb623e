//! What the evaluation of an expression reads and writes.

use std::collections::BTreeSet;

/// The number of a name.
pub(super) type Name = u32;

/// What an evaluation does, as far as its order matters.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Effects {
    /// Variables that are read.
    pub reads: BTreeSet<Name>,
    /// Variables that are written, by calls too.
    pub writes: BTreeSet<Name>,
    /// Those written by the expression itself: not sequenced at all, where
    /// the inside of a call is.
    pub own_writes: BTreeSet<Name>,
    /// Something is read through a pointer, or by unknown code.
    pub reads_memory: bool,
    /// Something is written through a pointer, or by unknown code.
    pub writes_memory: bool,
    /// The expression itself writes through a pointer.
    pub own_writes_memory: bool,
    /// Functions that are called, while it is not known what they do.
    pub calls: BTreeSet<Name>,
}

/// What an expression that can be written to stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// A variable or a part of it.
    Variable(Name),
    /// What a pointer shows.
    Memory,
}

impl Effects {
    /// Those of unknown code.
    pub(super) fn of_unknown() -> Effects {
        Effects {
            reads_memory: true,
            writes_memory: true,
            ..Effects::default()
        }
    }

    /// Those of code that only reads.
    pub(super) fn of_reading() -> Effects {
        Effects {
            reads_memory: true,
            ..Effects::default()
        }
    }

    pub(super) fn add(&mut self, other: &Effects) {
        self.reads.extend(&other.reads);
        self.writes.extend(&other.writes);
        self.own_writes.extend(&other.own_writes);
        self.calls.extend(&other.calls);
        self.reads_memory |= other.reads_memory;
        self.writes_memory |= other.writes_memory;
        self.own_writes_memory |= other.own_writes_memory;
    }

    pub(super) fn read(&mut self, place: Place) {
        match place {
            Place::Variable(name) => {
                self.reads.insert(name);
            }
            Place::Memory => self.reads_memory = true,
        }
    }

    /// The expression itself writes to a place.
    pub(super) fn write(&mut self, place: Place) {
        match place {
            Place::Variable(name) => {
                self.writes.insert(name);
                self.own_writes.insert(name);
            }
            Place::Memory => {
                self.writes_memory = true;
                self.own_writes_memory = true;
            }
        }
    }

    /// The same, done inside of a call.
    pub(super) fn inside_call(mut self) -> Effects {
        self.own_writes.clear();
        self.own_writes_memory = false;
        self
    }

    /// True if it matters which of the two comes first. What a pointer shows
    /// may be any of the `shared` variables.
    pub(super) fn conflicts(&self, other: &Effects, shared: &BTreeSet<Name>) -> bool {
        self.disturbs(other, shared) || other.disturbs(self, shared)
    }

    fn disturbs(&self, other: &Effects, shared: &BTreeSet<Name>) -> bool {
        let touched = |name: &Name| other.reads.contains(name) || other.writes.contains(name);
        let is_shared = |name: &Name| shared.contains(name);
        let any_memory = other.reads_memory || other.writes_memory;
        self.writes.iter().any(touched)
            || any_memory && self.writes.iter().any(is_shared)
            || self.writes_memory
                && (any_memory
                    || other.reads.iter().any(is_shared)
                    || other.writes.iter().any(is_shared))
    }

    /// True if the expression itself may write to a place.
    pub(super) fn writes_to(&self, place: Place, shared: &BTreeSet<Name>) -> bool {
        match place {
            Place::Variable(name) => {
                self.own_writes.contains(&name) || self.own_writes_memory && shared.contains(&name)
            }
            Place::Memory => {
                self.own_writes_memory || self.own_writes.iter().any(|name| shared.contains(name))
            }
        }
    }

    /// How many names there are.
    pub(super) fn size(&self) -> usize {
        self.reads.len() + self.writes.len() + self.calls.len()
    }
}
