//! Why an attempt to make a case was abandoned.

/// An abandoned attempt: counted by its reason, never an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, thiserror::Error)]
pub enum Reject {
    /// The tape ended or its limit was reached.
    #[error("out of choices")]
    OutOfChoices,
    /// The strategy has nothing to do here; says why.
    #[error("not applicable: {0}")]
    NotApplicable(&'static str),
}
