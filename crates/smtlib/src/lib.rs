//! SMT-LIB: syntax, sorts, typing, printing, exact evaluation, models, edits.
//!
//! [`syntax::parse`] reads a script into an arena, [`print`] writes it back.
//! [`eval`] gives terms their exact [`value`] under an interpretation.

pub mod eval;
pub mod model;
pub mod oracle;
pub mod print;
pub mod syntax;
pub mod value;
