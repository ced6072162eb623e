//! Why a case was not run, or what was wrong with it itself.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// Why a case has no answers, or why its claim does not count. As text: the
/// name, a colon, the reason.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum Failure {
    /// It was abandoned while it was made.
    Reject(String),
    /// Our own check refused a program that we made.
    IllFormed(String),
    /// We panicked.
    Panic(String),
    /// It was run, but a checked witness refutes what was claimed of it.
    ClaimRefuted(String),
    /// It was run, and all targets contradict what was claimed of it.
    ClaimContested(String),
}

/// Why a text is no failure.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("failure `{}`: expected `reject: …`, `ill-formed: …`, `panic: …`, `claim refuted: …` or `claim contested: …`", .0.escape_debug())]
pub struct FailureError(String);

/// Names and makers.
type FailureMaker = fn(String) -> Failure;
const NAMES: [(&str, FailureMaker); 5] = [
    ("reject", Failure::Reject),
    ("ill-formed", Failure::IllFormed),
    ("panic", Failure::Panic),
    ("claim refuted", Failure::ClaimRefuted),
    ("claim contested", Failure::ClaimContested),
];

impl Failure {
    /// True for a case that was abandoned, which is nobody's fault.
    pub fn is_reject(&self) -> bool {
        matches!(self, Failure::Reject(_))
    }

    /// The reason.
    pub fn reason(&self) -> &str {
        let (Failure::Reject(reason)
        | Failure::IllFormed(reason)
        | Failure::Panic(reason)
        | Failure::ClaimRefuted(reason)
        | Failure::ClaimContested(reason)) = self;
        reason
    }

    fn name(&self) -> &'static str {
        match self {
            Failure::Reject(_) => "reject",
            Failure::IllFormed(_) => "ill-formed",
            Failure::Panic(_) => "panic",
            Failure::ClaimRefuted(_) => "claim refuted",
            Failure::ClaimContested(_) => "claim contested",
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.name(), self.reason())
    }
}

impl FromStr for Failure {
    type Err = FailureError;

    fn from_str(text: &str) -> Result<Failure, FailureError> {
        let wrong = || FailureError(text.to_string());
        let (name, reason) = text.split_once(": ").ok_or_else(wrong)?;
        let known = NAMES.iter().find(|(known, _)| *known == name);
        let (_, make) = known.ok_or_else(wrong)?;
        Ok(make(reason.to_string()))
    }
}

impl From<Failure> for String {
    fn from(failure: Failure) -> String {
        failure.to_string()
    }
}

impl TryFrom<String> for Failure {
    type Error = FailureError;

    fn try_from(text: String) -> Result<Failure, FailureError> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_reads_back_what_it_shows() {
        for (_, make) in NAMES {
            for reason in ["", "a: b", "\n\u{1b}"] {
                let failure = make(reason.to_string());
                assert_eq!(failure.to_string().parse(), Ok(failure.clone()));
            }
        }
        for bad in ["", "reject", "refused: x"] {
            assert!(bad.parse::<Failure>().is_err(), "{bad}");
        }
    }
}
