//! What can be wrong with a grammar file, and where.

use std::fmt;

/// A place in a grammar file, counted from 1; the column in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// The line.
    pub line: u32,
    /// The column.
    pub column: u32,
}

/// Why a text is not a grammar that can be enumerated.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{at}: {problem}")]
pub struct GrammarError {
    /// Where.
    pub at: Position,
    /// What, and what would have been right.
    pub problem: String,
}

impl GrammarError {
    pub(crate) fn new(at: Position, problem: impl Into<String>) -> GrammarError {
        GrammarError {
            at,
            problem: problem.into(),
        }
    }
}

impl Position {
    /// The beginning of a file.
    pub const START: Position = Position { line: 1, column: 1 };
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}
