//! SMT-LIB: syntax, sorts, typing, printing, exact evaluation, models, edits.
//!
//! [`syntax::parse`] reads a script into an arena, [`print`] writes it back.

pub mod edits;
mod language;
pub mod operators;
pub mod print;
mod scan;
pub mod sort;
pub mod syntax;
pub mod typing;

pub use language::SmtLib;
