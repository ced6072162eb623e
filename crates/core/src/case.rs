//! Cases and their programs.

use std::fmt;
use std::sync::Arc;

use crate::claim::SHOWN_BYTES;
use crate::{Claim, Seed};

/// One file of a program. The text is bytes, since seeds are other people's.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct SourceFile {
    /// A plain file name without folders.
    pub name: String,
    /// The bytes, shared: a case is cloned often.
    pub text: Arc<[u8]>,
}

/// A test program: `files[0]` is the source, the rest its input (further
/// sources, transactions, ...).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Program {
    /// The files; there is at least one.
    pub files: Vec<SourceFile>,
}

/// One test: programs that belong together, and what is claimed of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// The programs: one, or several for equivalences and implications.
    pub programs: Vec<Program>,
    /// What is known of the programs.
    pub claim: Claim,
    /// What was done, one line each, for people and for grouping: `steps[i]`
    /// made program *i* + 1 from program *i*; for a case of one program, what
    /// was done to the seed, in order. Empty where there is nothing to say.
    pub steps: Vec<String>,
    /// The seeds that it was made from: with the strategy and its choices they
    /// remake it, and a reader sees what was changed. Empty where there are
    /// none, or where nobody needs to know.
    pub seeds: Vec<Seed>,
}

impl Program {
    /// A program of one file.
    pub fn single(name: impl Into<String>, text: impl Into<Arc<[u8]>>) -> Program {
        Program {
            files: vec![SourceFile {
                name: name.into(),
                text: text.into(),
            }],
        }
    }

    /// The source file.
    pub fn source(&self) -> &SourceFile {
        &self.files[0]
    }

    /// The size of all files together, in bytes.
    pub fn bytes(&self) -> u64 {
        self.files.iter().map(|file| file.text.len() as u64).sum()
    }
}

impl Case {
    /// A case of one program.
    pub fn single(program: Program, claim: Claim) -> Case {
        Case {
            programs: vec![program],
            claim,
            steps: Vec::new(),
            seeds: Vec::new(),
        }
    }

    /// The same case, with a note of the seeds that it was made from.
    pub fn made_from<'a>(mut self, seeds: impl IntoIterator<Item = &'a Seed>) -> Case {
        self.seeds = seeds.into_iter().cloned().collect();
        self
    }

    /// The step that made `program` from the one before it.
    pub fn step_to(&self, program: usize) -> Option<&str> {
        let step = self.steps.get(program.checked_sub(1)?)?;
        (self.programs.len() > 1).then_some(step.as_str())
    }

    /// The size of all programs together, in bytes.
    pub fn bytes(&self) -> u64 {
        self.programs.iter().map(Program::bytes).sum()
    }
}

impl fmt::Debug for SourceFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = &self.text[..self.text.len().min(SHOWN_BYTES)];
        write!(
            f,
            "{} ({} bytes) \"{}\"",
            self.name,
            self.text.len(),
            shown.escape_ascii()
        )
    }
}
