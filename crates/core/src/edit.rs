//! A smaller form of a program.

use crate::Program;

/// A change to a program that a reduction may try: the new program and how
/// much smaller it is. Candidates are data; the search over them is the lab's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// What the edit does, for the log: `remove assertion 3`.
    pub what: String,
    /// The program after the edit.
    pub program: Program,
    /// True if the program still means the same, so that a bug nearly always stays.
    pub keeps_meaning: bool,
}
