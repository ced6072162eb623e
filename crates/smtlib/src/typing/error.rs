//! What is wrong with the sorts of a script, and where.

use crate::syntax::Place;

/// Why a script is not well-sorted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("command {}: {problem}", .command + 1)]
pub struct TypeError {
    /// The byte at fault, for terms that were read.
    pub offset: Option<usize>,
    /// The index of the command at fault.
    pub command: usize,
    /// What is wrong.
    pub problem: TypeProblem,
}

/// What can be wrong.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TypeProblem {
    /// A name that nothing declares.
    #[error("unknown {what} `{name}`{}", hint(.nearest))]
    Unknown {
        /// Function, constructor, sort, …
        what: &'static str,
        /// The name.
        name: String,
        /// The nearest known name.
        nearest: Option<String>,
    },
    /// A function that does not take these arguments.
    #[error("`{name}` does not take ({}); it takes {expected}", .found.join(" "))]
    Arguments {
        /// The function, with its indices.
        name: String,
        /// The sorts of the arguments.
        found: Vec<String>,
        /// Its signatures.
        expected: String,
    },
    /// A term of another sort than is wanted.
    #[error("expected a term of sort {expected}, found one of sort {found}")]
    Mismatch {
        /// The sort wanted.
        expected: String,
        /// The sort of the term.
        found: String,
    },
    /// Anything else.
    #[error("{0}")]
    Other(String),
}

fn hint(nearest: &Option<String>) -> String {
    match nearest {
        None => String::new(),
        Some(name) => format!("; did you mean `{name}`?"),
    }
}

impl TypeError {
    /// The error with its line and column in `text`, from which the script was read.
    pub fn located(&self, text: &str) -> String {
        match self.offset {
            Some(offset) => format!("{}: {}", Place::of(text, offset), self.problem),
            None => self.to_string(),
        }
    }
}
