//! Versions of targets and sets of them.
//!
//! Versions come from package registries, distributions and from what a
//! binary says of itself, so the order takes any text: numbers by value,
//! `alpha`, `beta`, `rc`, `dev` and what follows a `~` before the release,
//! `post` after it, and missing parts as zero (`4.8` is `4.8.0`).

use std::cmp::Ordering;
use std::fmt;

use serde::{Deserialize, Serialize};

/// A version as it is shown, with an order.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Version(String);

/// A set of versions, as a person writes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum VersionSet {
    /// `latest`: the newest one.
    Latest,
    /// `4.8.7`: that one, or the newest that continues it (`12` finds 12.2.0).
    One(Version),
    /// `*`, `>=4.8,<4.9`, `4.5..4.13`, `4.8.*`: all that pass every bound.
    All(Vec<Bound>),
}

/// One condition on a version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Bound {
    /// `>=`
    From(Version),
    /// `>`
    Above(Version),
    /// `<=`
    UpTo(Version),
    /// `<`
    Below(Version),
    /// `=` or `==`
    Is(Version),
    /// `!=`
    IsNot(Version),
    /// `4.8.*`
    StartsWith(Version),
    /// The upper end of `a..b`: up to b and everything that continues it.
    Through(Version),
}

/// Why a text is no set of versions.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "versions `{0}`: expected a version (4.8.7), latest, *, a prefix (4.8.*), bounds (>=4.8,<4.9) or a range (4.5..4.13)"
)]
pub struct VersionSetError(String);

/// A piece of a version, in ascending order of kinds.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum VersionPiece<'a> {
    Before(&'a str),
    Number(u64),
    After(&'a str),
}

impl Version {
    /// Makes a version of any text.
    pub fn new(text: impl Into<String>) -> Version {
        Version(text.into())
    }

    /// The version as it is shown.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// True if `self` is `prefix` or continues it: `4.8.7` continues `4.8`.
    pub fn continues(&self, prefix: &Version) -> bool {
        let (own, prefix) = (self.parts(), prefix.parts());
        own.len() >= prefix.len() && own[..prefix.len()] == prefix[..]
    }

    fn parts(&self) -> Vec<VersionPiece<'_>> {
        let mut parts = Vec::new();
        let mut rest = self.0.as_str();
        while let Some(first) = rest.chars().next() {
            let length = if first.is_ascii_digit() {
                rest.find(|c: char| !c.is_ascii_digit())
            } else if first.is_alphabetic() {
                rest.find(|c: char| !c.is_alphabetic())
            } else {
                Some(first.len_utf8())
            };
            let (piece, after) = rest.split_at(length.unwrap_or(rest.len()));
            rest = after;
            if first.is_ascii_digit() {
                // A number beyond u64 is the largest there is.
                parts.push(VersionPiece::Number(piece.parse().unwrap_or(u64::MAX)));
            } else if first == '~' {
                parts.push(VersionPiece::Before(""));
            } else if first.is_alphabetic() {
                let early = ["a", "b", "alpha", "beta", "c", "rc", "pre", "dev"];
                parts.push(if early.contains(&piece.to_ascii_lowercase().as_str()) {
                    VersionPiece::Before(piece)
                } else {
                    VersionPiece::After(piece)
                });
            }
        }
        parts
    }
}

impl Ord for Version {
    fn cmp(&self, other: &Version) -> Ordering {
        let (mut own, mut others) = (self.parts(), other.parts());
        let length = own.len().max(others.len());
        own.resize_with(length, || VersionPiece::Number(0));
        others.resize_with(length, || VersionPiece::Number(0));
        own.cmp(&others)
    }
}

impl PartialOrd for Version {
    fn partial_cmp(&self, other: &Version) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Version {
    fn eq(&self, other: &Version) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Version {}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Bound {
    fn holds(&self, version: &Version) -> bool {
        match self {
            Bound::From(low) => version >= low,
            Bound::Above(low) => version > low,
            Bound::UpTo(high) => version <= high,
            Bound::Below(high) => version < high,
            Bound::Is(one) => version == one,
            Bound::IsNot(one) => version != one,
            Bound::StartsWith(prefix) => version.continues(prefix),
            Bound::Through(high) => version <= high || version.continues(high),
        }
    }
}

impl VersionSet {
    /// The set without bounds.
    pub fn any() -> VersionSet {
        VersionSet::All(Vec::new())
    }

    /// True if `version` passes; `latest` passes everything, since which one
    /// is the newest is a question about a list.
    pub fn contains(&self, version: &Version) -> bool {
        match self {
            VersionSet::Latest => true,
            VersionSet::One(one) => version == one || version.continues(one),
            VersionSet::All(bounds) => bounds.iter().all(|bound| bound.holds(version)),
        }
    }

    /// The members among `versions`, oldest first, without duplicates.
    pub fn select(&self, versions: &[Version]) -> Vec<Version> {
        let mut versions = versions.to_vec();
        versions.sort();
        versions.dedup();
        match self {
            VersionSet::Latest => versions.pop().into_iter().collect(),
            VersionSet::One(one) => match versions.iter().find(|version| *version == one) {
                Some(version) => vec![version.clone()],
                None => {
                    versions.retain(|version| version.continues(one));
                    versions.pop().into_iter().collect()
                }
            },
            VersionSet::All(_) => {
                versions.retain(|version| self.contains(version));
                versions
            }
        }
    }
}

/// Makes a bound of a version.
type MakeBound = fn(Version) -> Bound;

/// The longer sign first where one begins another.
const OPERATORS: [(&str, MakeBound); 7] = [
    (">=", Bound::From),
    ("<=", Bound::UpTo),
    ("==", Bound::Is),
    ("!=", Bound::IsNot),
    (">", Bound::Above),
    ("<", Bound::Below),
    ("=", Bound::Is),
];

impl std::str::FromStr for VersionSet {
    type Err = VersionSetError;

    fn from_str(text: &str) -> Result<VersionSet, VersionSetError> {
        let error = || VersionSetError(text.to_string());
        let version = |text: &str| {
            let text = text.trim();
            let plain = |b: u8| b.is_ascii_alphanumeric() || b"-_.+~".contains(&b);
            if text.is_empty() || !text.bytes().all(plain) {
                return Err(error());
            }
            Ok(Version::new(text))
        };
        match text.trim() {
            "*" => return Ok(VersionSet::any()),
            "latest" => return Ok(VersionSet::Latest),
            _ => {}
        }
        if let Ok(one) = version(text)
            && !text.contains("..")
        {
            return Ok(VersionSet::One(one));
        }
        let mut bounds = Vec::new();
        for piece in text.split(',').map(str::trim) {
            if let Some((low, high)) = piece.split_once("..") {
                bounds.push(Bound::From(version(low)?));
                bounds.push(Bound::Through(version(high.trim_start_matches('='))?));
                continue;
            }
            if let Some(prefix) = piece.strip_suffix(".*") {
                bounds.push(Bound::StartsWith(version(prefix)?));
                continue;
            }
            let (make, rest) = OPERATORS
                .into_iter()
                .find_map(|(sign, make)| Some((make, piece.strip_prefix(sign)?)))
                .ok_or_else(error)?;
            bounds.push(make(version(rest)?));
        }
        Ok(VersionSet::All(bounds))
    }
}

impl<'de> Deserialize<'de> for VersionSet {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<VersionSet, D::Error> {
        let text = String::deserialize(from)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn versions(texts: &[&str]) -> Vec<Version> {
        texts.iter().map(|text| Version::new(*text)).collect()
    }

    #[test]
    fn versions_are_ordered_as_people_order_them() {
        let ordered = versions(&[
            "0.9.27", "1.0.9", "1.1.0", "2.1.0~beta3", "2.1.0rc1", "2.1.0", "2.1.0.post1", "4.5.1",
            "4.8.7", "4.8.10", "4.13.0", "99999999999999999999999",
        ]);
        for pair in ordered.windows(2) {
            assert!(pair[0] < pair[1], "{} {}", pair[0], pair[1]);
        }
        assert_eq!(Version::new("4.8"), Version::new("4.8.0"));
    }

    #[test]
    fn a_set_selects_what_its_text_says() {
        let have = versions(&["4.13.4", "4.5.1", "4.8.7", "4.8.10", "4.13.0", "4.14.0"]);
        for (set, expected) in [
            ("*", "4.5.1 4.8.7 4.8.10 4.13.0 4.13.4 4.14.0"),
            ("latest", "4.14.0"),
            ("4.8.7", "4.8.7"),
            ("4.8", "4.8.10"),
            ("4", "4.14.0"),
            ("4.8.1", ""),
            ("4.8.*", "4.8.7 4.8.10"),
            (">=4.8,<4.9", "4.8.7 4.8.10"),
            (">=4.8, <4.13", "4.8.7 4.8.10"),
            ("4.5..4.13", "4.5.1 4.8.7 4.8.10 4.13.0 4.13.4"),
            ("!=4.8.7,<=4.13", "4.5.1 4.8.10 4.13.0"),
            ("=4.8.10", "4.8.10"),
            (">5", ""),
        ] {
            let selected = set.parse::<VersionSet>().unwrap().select(&have);
            let texts: Vec<&str> = selected.iter().map(Version::as_str).collect();
            assert_eq!(texts.join(" "), expected, "{set}");
        }
        for bad in ["", ">=", "a b", "1..", "..2", ">=1,", "1,2", "4/8"] {
            assert!(bad.parse::<VersionSet>().is_err(), "{bad}");
        }
    }
}
