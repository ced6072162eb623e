//! The concrete syntax of programming languages, through tree-sitter.
//!
//! A [`Grammar`] reads text into a [`SyntaxTree`]: a flat list of nodes that
//! can be walked without recursion, whatever the text. A [`Query`] finds
//! nodes by pattern.
//!
//! This crate is pure, and the only one that knows tree-sitter.

mod grammar;
mod query;
mod surface;
mod tree;

pub use grammar::{GRAMMARS, Grammar};
pub use query::{Capture, Match, Query, QueryError};
pub use surface::Surface;
pub use tree::{MAX_BYTES, Node, NodeId, ParseError, SyntaxTree};
