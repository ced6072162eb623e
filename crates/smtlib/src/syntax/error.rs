//! What is wrong with a text, and where.

use std::fmt;

/// A place in a text, both counted from 1; the column counts characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The line.
    pub line: usize,
    /// The character in the line.
    pub column: usize,
}

impl Place {
    /// The place of byte `offset` of `text`.
    pub fn of(text: &str, offset: usize) -> Place {
        let before = &text.as_bytes()[..offset.min(text.len())];
        let line_start = before
            .iter()
            .rposition(|&byte| byte == b'\n')
            .map_or(0, |at| at + 1);
        let in_line = &before[line_start..];
        Place {
            line: 1 + before.iter().filter(|&&byte| byte == b'\n').count(),
            column: 1 + in_line.iter().filter(|&&byte| byte & 0xc0 != 0x80).count(),
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// Why a text is not a script.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {problem}")]
pub struct ParseError {
    /// The byte at fault.
    pub offset: usize,
    /// The same as line and column.
    pub place: Place,
    /// What is wrong there.
    pub problem: Problem,
}

/// What can be wrong with a text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// Something else should stand here.
    #[error("expected {expected}, found {found}")]
    Expected {
        /// What would have been right.
        expected: &'static str,
        /// What stands there, shortened.
        found: String,
    },
    /// A byte that begins no token.
    #[error("character `{}` begins no token", .0.escape_ascii())]
    BadByte(u8),
    /// A number that runs into letters, or a `#` without digits.
    #[error("malformed number")]
    BadNumber,
    /// A string without end.
    #[error("string literal is not closed")]
    OpenString,
    /// A quoted symbol without end.
    #[error("quoted symbol is not closed")]
    OpenQuoted,
    /// More bytes than offsets of 32 bits can name.
    #[error("text of {0} bytes is larger than 4 GiB")]
    TooLarge(usize),
}

impl ParseError {
    /// The place is filled in by [`super::parse`], once, where the text is at hand.
    pub(crate) fn new(offset: usize, problem: Problem) -> ParseError {
        ParseError {
            offset,
            place: Place { line: 1, column: 1 },
            problem,
        }
    }
}
