//! The name of a target: `family[@version][:variant]`.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// Which processor, in which version, with which set of options.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct TargetName {
    /// The family: `z3`.
    pub family: String,
    /// The version: `4.8.7`. Where a set of versions may be named, also `*`, `latest`, `>=4.8` or
    /// `4.5..4.13`.
    pub version: Option<String>,
    /// A named option set: `new-core`.
    pub variant: Option<String>,
}

/// Why a text is not a target's name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("target `{0}`: expected family[@version][:variant], such as z3@4.13.0 or gcc:O3")]
pub struct TargetNameError(pub String);

impl fmt::Display for TargetName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.family)?;
        if let Some(version) = &self.version {
            write!(f, "@{version}")?;
        }
        if let Some(variant) = &self.variant {
            write!(f, ":{variant}")?;
        }
        Ok(())
    }
}

impl FromStr for TargetName {
    type Err = TargetNameError;

    fn from_str(text: &str) -> Result<TargetName, TargetNameError> {
        let error = || TargetNameError(text.to_string());
        let (rest, variant) = match text.split_once(':') {
            Some((rest, variant)) => (rest, Some(variant)),
            None => (text, None),
        };
        let (family, version) = match rest.split_once('@') {
            Some((family, version)) => (family, Some(version)),
            None => (rest, None),
        };
        let plain = |word: &str| {
            !word.is_empty()
                && !word.starts_with('.')
                && word
                    .bytes()
                    .all(|b| b.is_ascii_alphanumeric() || b"-_.+".contains(&b))
        };
        let version_like = |word: &str| {
            !word.is_empty()
                && word
                    .bytes()
                    .all(|b| b.is_ascii_alphanumeric() || b"-_.+*<>=!,~ ".contains(&b))
        };
        if !plain(family) || !version.is_none_or(version_like) || !variant.is_none_or(plain) {
            return Err(error());
        }
        Ok(TargetName {
            family: family.to_string(),
            version: version.map(str::to_string),
            variant: variant.map(str::to_string),
        })
    }
}

impl From<TargetName> for String {
    fn from(name: TargetName) -> String {
        name.to_string()
    }
}

impl TryFrom<String> for TargetName {
    type Error = TargetNameError;

    fn try_from(text: String) -> Result<TargetName, TargetNameError> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_reads_back_what_it_shows() {
        for text in [
            "z3", "z3@4.8.7", "z3@4.13.0:new-core", "gcc:O3", "z3@>=4.8", "cvc5@*", "z3@4.5..4.13",
        ] {
            assert_eq!(text.parse::<TargetName>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn paths_and_empty_parts_are_no_names() {
        for text in [
            "", "@1", "z3@", "z3:", "../z3", "z3@1/2", "a b", "z3:a:b", ".z3",
        ] {
            assert!(text.parse::<TargetName>().is_err(), "{text}");
        }
    }
}
