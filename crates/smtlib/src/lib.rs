//! SMT-LIB: syntax, sorts, typing, printing, exact evaluation, models, edits.
//!
//! [`syntax::parse`] reads a script into an arena, [`mod@print`] writes it back.
//! [`eval`] gives terms their exact [`value`] under an interpretation, [`model`]
//! checks what solvers print, and [`oracle`] judges by it. [`mutate`] lays seeds
//! out so that strategies change their terms quickly.

pub mod edits;
pub mod eval;
mod language;
mod logic;
pub mod model;
pub mod mutate;
pub mod operators;
pub mod oracle;
pub mod print;
mod scan;
pub mod sort;
mod speaker;
pub mod strategy;
pub mod syntax;
mod table;
pub mod typing;
pub mod value;

pub use language::SmtLib;
