//! The concrete syntax of programming languages, through tree-sitter.
//!
//! A [`Grammar`] reads text into a [`SyntaxTree`]: a flat list of nodes that
//! can be walked without recursion, whatever the text. A [`Query`] finds
//! nodes by pattern. A [`SyntaxLanguage`] is what the workbench can know of a
//! language from that alone. [`Sql`] is read without a grammar.
//!
//! This crate is pure, and the only one that knows tree-sitter.

mod change;
mod contract;
mod edits;
mod grammar;
mod language;
mod meaning;
mod query;
mod sql;
mod surface;
mod tree;

pub use edits::Rewrite;
pub use grammar::{GRAMMARS, Grammar};
pub use language::{LANGUAGES, SyntaxLanguage};
pub use meaning::{Meaning, find_open_directive, find_open_meaning};
pub use query::{Capture, Match, Query, QueryError};
pub use sql::Sql;
pub use surface::Surface;
pub use tree::{MAX_BYTES, Node, NodeId, ParseError, SyntaxTree};
