//! Grammar files: the restricted ANTLR form of figures 7.4 and 7.5 of the
//! thesis, with numbers that can be set. `docs/enumerate.md` is for users.

mod error;
mod examine;
mod expand;
mod lexer;
mod parser;

use std::collections::BTreeMap;

pub use error::{GrammarError, Position};

use crate::Grammar;

/// The largest grammar file that is read.
pub const MAX_BYTES: usize = 4 << 20;

/// A grammar file of which the parameters can be set.
#[derive(Debug)]
pub struct GrammarFile {
    file: parser::File,
}

impl GrammarFile {
    /// Reads `text`.
    pub fn read(text: &str) -> Result<GrammarFile, GrammarError> {
        if text.len() > MAX_BYTES {
            let problem = format!("more than {MAX_BYTES} bytes");
            return Err(GrammarError::new(Position::START, problem));
        }
        let tokens = lexer::tokens(text)?;
        let file = parser::parse(&tokens)?;
        Ok(GrammarFile { file })
    }

    /// The name that it gives itself.
    pub fn name(&self) -> &str {
        &self.file.name
    }

    /// The language of its programs, if it says so.
    pub fn language(&self) -> Option<&str> {
        self.file.language.as_deref()
    }

    /// What can be set, with its defaults.
    pub fn parameters(&self) -> &[(String, u32)] {
        &self.file.parameters
    }

    /// The grammar with these parameters, others at their defaults. Refuses
    /// rules that are undefined, unreachable, never end or derive themselves
    /// for nothing. Names that are not the file's are the caller's to refuse.
    pub fn grammar(&self, set: &BTreeMap<String, u32>) -> Result<Grammar, GrammarError> {
        let (grammar, positions) = expand::expand(&self.file, set)?;
        examine::examine(&grammar, &positions)?;
        Ok(grammar)
    }
}
