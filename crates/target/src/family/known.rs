//! Bugs that upstream knows of: the tables `[[known]]` of a target file.

use anyhow::{Result, ensure};
use lydite_core::Kind;
use lydite_core::version::Version;
use serde::{Deserialize, Serialize};

use super::{Pattern, VersionRule};

/// A bug that upstream knows of.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Known {
    /// The number in upstream's tracker.
    pub issue: String,
    /// Where it can be read.
    pub url: String,
    /// The versions that have it; a newer one that shows the same is news.
    #[serde(default)]
    pub versions: VersionRule,
    /// The first version that does not have it any more: from there on the
    /// entry means nothing.
    #[serde(default)]
    pub fixed: Option<Version>,
    /// The kind of symptom; any kind without it.
    #[serde(default)]
    pub kind: Option<Kind>,
    /// An expression that the text of the signature has to match.
    #[serde(default)]
    pub signature: Option<Pattern>,
    /// Operators, words or features that a program has to use, all of them.
    /// Without `signature` and `kind`, the target is left out of cases that
    /// use them.
    #[serde(default)]
    pub features: Vec<String>,
    /// One sentence for people.
    #[serde(default)]
    pub note: String,
}

impl Known {
    /// True if this version has it.
    pub fn affects(&self, version: &Version) -> bool {
        let fixed = self.fixed.as_ref().is_some_and(|fixed| version >= fixed);
        !fixed && self.versions.contains(version)
    }

    /// True for a symptom of this kind with this signature.
    pub fn fits(&self, kind: Kind, signature: &str) -> bool {
        let matches = |pattern: &Pattern| pattern.regex().is_match(signature);
        self.kind.is_none_or(|only| only == kind) && self.signature.as_ref().is_none_or(matches)
    }

    /// True if a whole feature is broken, whatever that looks like.
    pub fn is_about_a_feature(&self) -> bool {
        self.signature.is_none() && self.kind.is_none()
    }

    pub(super) fn check(&self) -> Result<()> {
        ensure!(
            self.signature.is_some() || !self.features.is_empty(),
            "issue {}: `signature` or `features` is needed",
            self.issue
        );
        let empty = self
            .features
            .iter()
            .any(|feature| feature.trim().is_empty());
        ensure!(!empty, "issue {}: a feature without a name", self.issue);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(more: &str) -> Known {
        toml::from_str(&format!("issue = \"7\"\nurl = \"u\"\n{more}")).unwrap()
    }

    #[test]
    fn an_issue_expires_with_the_version_that_fixes_it() {
        for (more, version, expected) in [
            ("", "1.0", true),
            ("fixed = \"1.3.2\"", "1.3.1", true),
            ("fixed = \"1.3.2\"", "1.3.2", false),
            ("fixed = \"1.3.2\"", "1.10", false),
            ("versions = \">=1.2\"\nfixed = \"1.3\"", "1.1", false),
            ("versions = \">=1.2\"\nfixed = \"1.3\"", "1.2.9", true),
            ("versions = \"<2\"", "2.0", false),
        ] {
            let affects = known(more).affects(&Version::new(version));
            assert_eq!(affects, expected, "{more} {version}");
        }
    }

    #[test]
    fn an_issue_fits_by_kind_and_signature() {
        let text = "v1 crash toy site=\"boom at N\"";
        for (more, kind, expected) in [
            ("signature = 'site=\"boom'", Kind::Crash, true),
            ("signature = 'site=\"bang'", Kind::Crash, false),
            ("signature = 'boom'\nkind = \"crash\"", Kind::Hang, false),
            ("kind = \"crash\"\nfeatures = [\"x\"]", Kind::Crash, true),
            ("features = [\"x\"]", Kind::Hang, true),
        ] {
            assert_eq!(known(more).fits(kind, text), expected, "{more}");
        }
        assert!(known("features = [\"x\"]").is_about_a_feature());
        assert!(!known("features = [\"x\"]\nkind = \"crash\"").is_about_a_feature());
    }

    #[test]
    fn an_issue_without_signature_and_features_is_refused() {
        for bad in ["", "kind = \"crash\"", "features = [\" \"]"] {
            assert!(known(bad).check().is_err(), "{bad}");
        }
        assert!(known("features = [\"str.rev\"]").check().is_ok());
        let text = "issue = \"7\"\nurl = \"u\"\nsignature = '('";
        assert!(toml::from_str::<Known>(text).is_err());
    }
}
