//! Whose failure it is: decides the exit code. Attached to errors.

use std::fmt;

use anyhow::Result;

/// The kinds of failure that are expected. An error without one is unexpected,
/// so it is a bug of ours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The user's: a file, a setting or a name that is not right.
    Usage,
    /// A target is missing or does not work.
    TargetUnusable,
    /// Results cannot be written.
    CannotWrite,
}

impl Fault {
    /// Whose failure an error is, if that was said.
    pub fn of(error: &anyhow::Error) -> Option<Fault> {
        let said = error.downcast_ref::<Blamed>().map(|blamed| blamed.fault);
        said.or_else(|| error.downcast_ref::<Fault>().copied())
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Fault::Usage => "not right",
            Fault::TargetUnusable => "target unusable",
            Fault::CannotWrite => "cannot write",
        })
    }
}

/// An error with a fault that its words do not mention.
#[derive(Debug)]
struct Blamed {
    fault: Fault,
    error: anyhow::Error,
}

impl fmt::Display for Blamed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#}", self.error)
    }
}

impl std::error::Error for Blamed {}

/// An error that is the user's fault.
pub fn usage(words: impl fmt::Display + fmt::Debug + Send + Sync + 'static) -> anyhow::Error {
    anyhow::Error::new(Blamed {
        fault: Fault::Usage,
        error: anyhow::Error::msg(words),
    })
}

/// Says whose failure an error is, unless that was said nearer to it.
pub trait Blame<T>: Sized {
    /// The same, with a fault.
    fn blame(self, fault: Fault) -> Result<T>;

    /// The same, as the user's failure.
    fn or_usage(self) -> Result<T> {
        self.blame(Fault::Usage)
    }
}

impl<T, E: Into<anyhow::Error>> Blame<T> for Result<T, E> {
    fn blame(self, fault: Fault) -> Result<T> {
        self.map_err(|error| {
            let error = error.into();
            match Fault::of(&error) {
                Some(_) => error,
                None => anyhow::Error::new(Blamed { fault, error }),
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use anyhow::{Context, anyhow};

    use super::*;

    #[test]
    fn the_fault_that_was_said_first_counts_and_words_stay_as_they_are() {
        let inner: Result<()> = Err(anyhow!("z3 is gone").context(Fault::TargetUnusable));
        let outer = inner.or_usage().context("plan").unwrap_err();
        assert_eq!(Fault::of(&outer), Some(Fault::TargetUnusable));
        let plain: Result<()> = Err(anyhow!("no such file").context("seeds"));
        let blamed = plain.or_usage().context("plan").unwrap_err();
        assert_eq!(Fault::of(&blamed), Some(Fault::Usage));
        assert_eq!(format!("{blamed:#}"), "plan: seeds: no such file");
        assert_eq!(Fault::of(&anyhow!("what")), None);
        assert_eq!(Fault::of(&usage("no")), Some(Fault::Usage));
    }
}
