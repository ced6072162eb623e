//! Nodes found by pattern: tree-sitter's query language.

use tree_sitter::{QueryCursor, StreamingIterator};

use crate::{Grammar, NodeId, SyntaxTree};

/// A compiled list of patterns.
pub struct Query {
    query: tree_sitter::Query,
}

/// Why a text is not a query.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("query of {language}, line {line}: {message}")]
pub struct QueryError {
    /// The language.
    pub language: &'static str,
    /// The line, counted from 1.
    pub line: usize,
    /// What is wrong.
    pub message: String,
}

/// A captured node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Capture<'a> {
    /// The capture's name without the `@`.
    pub name: &'a str,
    /// The node that was captured.
    pub node: NodeId,
}

/// All that one match of one pattern captured.
pub type Match<'a> = Vec<Capture<'a>>;

impl Query {
    /// Compiles the patterns.
    pub fn new(grammar: &Grammar, text: &str) -> Result<Query, QueryError> {
        let query = tree_sitter::Query::new(&grammar.language(), text);
        query
            .map(|query| Query { query })
            .map_err(|error| QueryError {
                language: grammar.name,
                line: error.row + 1,
                message: error.message,
            })
    }

    /// The names of all captures.
    pub fn capture_names(&self) -> &[&str] {
        self.query.capture_names()
    }

    /// All matches in the tree of `text`.
    pub fn matches<'a>(&'a self, tree: &SyntaxTree, text: &[u8]) -> Vec<Match<'a>> {
        let names = self.query.capture_names();
        let mut cursor = QueryCursor::new();
        let mut found = cursor.matches(&self.query, tree.tree.root_node(), text);
        let mut matches = Vec::new();
        while let Some(one) = found.next() {
            let capture = |capture: &tree_sitter::QueryCapture<'_>| Capture {
                name: names[capture.index as usize],
                node: tree.number(capture.node),
            };
            matches.push(one.captures().iter().map(capture).collect());
        }
        matches
    }
}
