//! What the file of a corpus says.

use std::path::Path;

use anyhow::{Context, Result, ensure};
use regex::Regex;
use serde::{Deserialize, Serialize};

use super::split::Split;
use crate::install::{PackageOrigin, SourcePackage, glob};
use crate::toml_file;

/// Regression tests in a source package. `docs/seeds.md` documents every key.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Corpus {
    /// Its name: `corpus:NAME` among seeds.
    pub corpus: String,
    /// What it is, in a line.
    pub about: String,
    /// The language of the programs.
    pub language: String,
    /// Where the package is.
    pub from: PackageOrigin,
    /// The package, for all but `archive`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub package: Option<String>,
    /// A local archive or folder, for `archive`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// The version, as the registry writes it; without it the newest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// An archive inside of the package that the files are in: a glob.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub archive: Option<String>,
    /// The files that are seeds: globs.
    pub files: Vec<String>,
    /// Files that are not, although a glob of `files` matches: globs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub leave_out: Vec<String>,
    /// What the names of seeds end with, where the files' own end otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ending: Option<String>,
    /// The licence of the files, by its SPDX name.
    pub licence: String,
    /// The file of the package that says so: a glob.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub licence_file: Option<String>,
    /// How files that hold several programs are split.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub split: Option<Split>,
}

impl Corpus {
    /// Reads the text of a file; `file` is named in errors, and a relative
    /// `path` is relative to its folder.
    pub fn read(text: &str, file: &Path) -> Result<Corpus> {
        let named = file.display().to_string();
        let mut corpus: Corpus = toml_file::parse(text, &named)?;
        corpus.check().with_context(|| named.clone())?;
        if let (Some(path), Some(folder)) = (&mut corpus.path, file.parent()) {
            let whole = std::path::absolute(folder.join(&*path)).with_context(|| named.clone())?;
            *path = whole.to_str().context("`path` is no text")?.to_string();
        }
        Ok(corpus)
    }

    fn check(&self) -> Result<()> {
        let plain = |b: u8| b.is_ascii_alphanumeric() || b"-_.+".contains(&b);
        let is_name =
            |name: &str| !name.is_empty() && !name.starts_with('.') && name.bytes().all(plain);
        ensure!(
            is_name(&self.corpus),
            "`corpus`: expected letters, digits and -_.+"
        );
        let needed = [
            ("about", &self.about),
            ("language", &self.language),
            ("licence", &self.licence),
        ];
        for (key, value) in needed {
            ensure!(!value.trim().is_empty(), "`{key}` is empty");
        }
        let local = self.from == PackageOrigin::Archive;
        ensure!(
            self.package.is_none() == local,
            "`package` goes with every `from` but \"archive\""
        );
        ensure!(
            self.path.is_some() == local,
            "`path` goes with `from = \"archive\"`"
        );
        ensure!(
            !local || self.version.is_some(),
            "`version` is missing: nobody else says which an archive has"
        );
        // It becomes a word of a command line.
        let package_byte = |b: u8| plain(b) || b"@/".contains(&b);
        let is_package =
            |name: &String| name.bytes().all(package_byte) && !name.starts_with(['-', '/', '.']);
        ensure!(
            self.package.as_ref().is_none_or(is_package),
            "`package`: expected a name of the registry"
        );
        let version_byte = |b: u8| plain(b) || b"~:".contains(&b);
        let is_version = |version: &String| {
            version.starts_with(|c: char| c.is_ascii_digit()) && version.bytes().all(version_byte)
        };
        ensure!(
            self.version.as_ref().is_none_or(is_version),
            "`version`: expected one version"
        );
        ensure!(!self.files.is_empty(), "`files` is empty");
        ensure!(
            self.ending.as_deref().is_none_or(is_name),
            "`ending`: expected an ending without its dot"
        );
        if let Some(split) = &self.split {
            split.check().context("[split]")?;
        }
        Globs::new(&self.files)?;
        Globs::new(&self.leave_out)?;
        Ok(())
    }

    /// The package that it is in.
    pub fn source(&self) -> SourcePackage<'_> {
        let name = self.package.as_deref().or(self.path.as_deref());
        SourcePackage {
            from: self.from,
            name: name.unwrap_or_default(),
        }
    }

    /// Hash of what decides which seeds are made of a package.
    pub fn recipe(&self) -> Result<String> {
        let mut deciding = self.clone();
        deciding.about.clear();
        let text = serde_json::to_string(&deciding)?;
        Ok(blake3::hash(text.as_bytes()).to_hex().to_string())
    }
}

/// Globs on the paths of an archive, or below its top folder: most archives
/// have one, whose name tells the version.
#[derive(Debug)]
pub(super) struct Globs(Vec<Regex>);

impl Globs {
    pub(super) fn new(patterns: &[String]) -> Result<Globs> {
        let compiled = patterns.iter().map(|pattern| glob(pattern));
        Ok(Globs(compiled.collect::<Result<_>>()?))
    }

    /// The part of the path that a glob matches: all of it, or what is below the
    /// top folder, which is tried first.
    pub(super) fn matched<'a>(&self, path: &'a str) -> Option<&'a str> {
        let below = path.split_once('/').map(|(_, below)| below);
        let parts = below.into_iter().chain([path]);
        let matches = |part: &&str| self.0.iter().any(|glob| glob.is_match(part));
        parts.into_iter().find(matches)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SMALL: &str = "corpus = \"toy\"\nabout = \"a toy\"\nlanguage = \"c\"\n\
                         from = \"crates\"\npackage = \"toy\"\nfiles = [\"t/*.c\"]\nlicence = \"MIT\"\n";

    fn read(text: &str) -> Result<Corpus> {
        Corpus::read(text, Path::new("/x/toy.toml"))
    }

    #[test]
    fn errors_name_the_file_and_what_is_wrong() {
        assert!(read(SMALL).is_ok());
        for (from, to, expected) in [
            ("licence =", "license =", "did you mean `licence`?"),
            ("\"MIT\"", "\" \"", "`licence` is empty"),
            ("\"toy\"\nabout", "\"../toy\"\nabout", "`corpus`: expected"),
            ("\"crates\"", "\"crate\"", "did you mean `crates`?"),
            ("package = \"toy\"", "package = \"--help\"", "`package`"),
            ("package = \"toy\"", "", "`package` goes with"),
            ("[\"t/*.c\"]", "[]", "`files` is empty"),
            (
                "files", "version = \"newest\"\nfiles", "expected one version",
            ),
            ("files", "ending = \"a/b\"\nfiles", "`ending`"),
            (
                "\"crates\"\npackage = \"toy\"",
                "\"archive\"\npath = \"a.tar\"",
                "`version` is missing",
            ),
            ("licence", "split = {}\nlicence", "[split]"),
        ] {
            let error = format!("{:#}", read(&SMALL.replacen(from, to, 1)).unwrap_err());
            assert!(error.contains("/x/toy.toml"), "{error}");
            assert!(error.contains(expected), "{expected}: {error}");
        }
    }

    #[test]
    fn globs_match_below_the_top_folder_or_from_the_start() {
        let globs = Globs::new(&["tests/**/*.c".to_string()]).unwrap();
        assert_eq!(globs.matched("tests/a.c"), Some("tests/a.c"));
        assert_eq!(globs.matched("tcc-1.0/tests/x/a.c"), Some("tests/x/a.c"));
        assert_eq!(globs.matched("a/b/tests/a.c"), None);
        assert_eq!(globs.matched("tests/a.h"), None);
    }
}
