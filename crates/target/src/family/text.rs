//! Words of a target file that mean something: they are understood when the
//! file is read, once, and kept beside what was written.

use lydite_core::version::{Version, VersionSet, VersionSetError};
use regex::Regex;
use serde::{Deserialize, Serialize};

/// A set of versions, with the text that it was written as.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct VersionRule {
    text: String,
    set: VersionSet,
}

impl VersionRule {
    /// True for a member of the set.
    pub fn contains(&self, version: &Version) -> bool {
        self.set.contains(version)
    }

    /// The set as it is written.
    pub fn as_str(&self) -> &str {
        &self.text
    }
}

/// All of them.
impl Default for VersionRule {
    fn default() -> VersionRule {
        VersionRule {
            text: "*".to_string(),
            set: VersionSet::any(),
        }
    }
}

impl TryFrom<String> for VersionRule {
    type Error = VersionSetError;

    fn try_from(text: String) -> Result<VersionRule, VersionSetError> {
        let set = text.parse()?;
        Ok(VersionRule { text, set })
    }
}

impl From<VersionRule> for String {
    fn from(versions: VersionRule) -> String {
        versions.text
    }
}

/// A regular expression.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Pattern(Regex);

impl Pattern {
    /// The compiled expression.
    pub fn regex(&self) -> &Regex {
        &self.0
    }
}

impl TryFrom<String> for Pattern {
    type Error = regex::Error;

    fn try_from(text: String) -> Result<Pattern, regex::Error> {
        Regex::new(&text).map(Pattern)
    }
}

impl From<Pattern> for String {
    fn from(pattern: Pattern) -> String {
        pattern.0.as_str().to_string()
    }
}
