//! Whose failure it is: decides the exit code. Attached to errors as context.

use std::fmt;

/// The kinds of failure that a caller tells apart. An error without one is
/// the user's: a file, a setting or a name that is not right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// A target is missing or does not work.
    TargetUnusable,
    /// Results cannot be written.
    CannotWrite,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Fault::TargetUnusable => "target unusable",
            Fault::CannotWrite => "cannot write",
        })
    }
}
