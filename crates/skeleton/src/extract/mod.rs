//! Skeletons from real programs.
//!
//! A language is a file of tree-sitter queries (`queries/LANGUAGE.scm`) and a
//! row of [`DIALECTS`]. From the captured nodes comes an [`Outline`]: scopes,
//! variables with their types, and the uses of variables that can be holes.
//! Whatever is not understood is left alone: a hole is a use whose variable,
//! type and visible alternatives are known.

mod barriers;
mod c_types;
pub(crate) mod captures;
mod dialect;
mod names;
mod outline;
mod reader;
mod type_text;
mod typing;

#[cfg(test)]
mod tests;

pub use dialect::{DIALECTS, Dialect};
pub(crate) use outline::parse;
pub use outline::{Outline, Refusal, Scope, Use, Variable};
