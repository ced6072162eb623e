//! Context-free grammars as numbered spaces of programs (thesis chapter 7).
//!
//! A [`GrammarFile`] becomes a [`Grammar`]; an [`Enumeration`] counts its
//! derivations by size, finds number *n* of them and the number of a given
//! one, and walks through them in order; [`classes`] tells which of them are
//! the same up to renaming and commutativity; the strategy [`Enumerate`]
//! offers all that to the workbench.
//!
//! This crate is pure: grammar files are read by others.

pub mod built_in;
pub mod classes;
pub mod enumerate;
pub mod file;
mod grammar;
mod sizes;
mod space;
pub mod spec;
mod strategy;

pub use enumerate::{Derivation, Enumeration, Walk};
pub use file::{GrammarError, GrammarFile};
pub use grammar::Grammar;
pub use spec::{Spec, SpecError, SpecStrategy};
pub use strategy::Enumerate;
