//! What the versions of a family show of a finding.

use lydite_core::version::Version;
use serde::{Deserialize, Serialize};

/// What a version showed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Seen {
    /// The bug.
    Bad,
    /// An answer without the bug.
    Good,
    /// Neither: it does not take the program, or gave no answer.
    Unclear,
}

/// What one version said of the case of a finding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct VersionRun {
    /// Its version.
    pub version: Version,
    /// What it showed.
    pub seen: Seen,
    /// The outcome in words.
    pub said: String,
}
