//! Paths that stay below a folder, whoever wrote them.

use std::fmt;
use std::path::{Component, Path};

use serde::{Deserialize, Serialize};

/// A path with `/` between its parts that leads to a place below wherever it is
/// put: none of its parts is `..`, and it does not begin at the root.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct RelativePath(String);

/// Why a text is no such path.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("path `{}`: does not stay below its folder", .0.escape_debug())]
pub struct PathError(String);

/// No file system takes longer ones.
const MOST_BYTES: usize = 4000;

impl RelativePath {
    /// Makes a relative path of a text, if it is one.
    pub fn new(text: impl Into<String>) -> Result<RelativePath, PathError> {
        let text = text.into();
        let plain = |part: Component<'_>| matches!(part, Component::Normal(_));
        let fits = !text.is_empty() && text.len() <= MOST_BYTES && !text.contains('\0');
        match fits && Path::new(&text).components().all(plain) {
            true => Ok(RelativePath(text)),
            false => Err(PathError(text)),
        }
    }

    /// This path below a folder of that name.
    pub fn below(&self, folder: &RelativePath) -> RelativePath {
        RelativePath(format!("{}/{}", folder.0, self.0))
    }

    /// The path as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The last part.
    pub fn name(&self) -> &str {
        let path = Path::new(&self.0).file_name();
        path.and_then(|name| name.to_str()).unwrap_or(&self.0)
    }
}

impl AsRef<Path> for RelativePath {
    fn as_ref(&self) -> &Path {
        Path::new(&self.0)
    }
}

impl fmt::Display for RelativePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl TryFrom<String> for RelativePath {
    type Error = PathError;

    fn try_from(text: String) -> Result<RelativePath, PathError> {
        RelativePath::new(text)
    }
}

impl From<RelativePath> for String {
    fn from(path: RelativePath) -> String {
        path.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_paths_that_stay_below_are_paths() {
        for good in ["a", "a/b.smt2", "seeds/0-..x", "é"] {
            let path = RelativePath::new(good).unwrap();
            assert_eq!(path.as_str(), good);
            let json = serde_json::to_string(&path).unwrap();
            assert_eq!(serde_json::from_str::<RelativePath>(&json).unwrap(), path);
        }
        for bad in ["", "/", "/etc/passwd", "..", "a/../../b", "./a", "a\0b"] {
            assert!(RelativePath::new(bad).is_err(), "{bad:?}");
            let json = serde_json::to_string(bad).unwrap();
            assert!(serde_json::from_str::<RelativePath>(&json).is_err());
        }
        let below = RelativePath::new("b").unwrap();
        let folder = RelativePath::new("a").unwrap();
        assert_eq!(below.below(&folder).as_str(), "a/b");
        assert_eq!(below.below(&folder).name(), "b");
    }
}
