//! Where a family comes from: the sources of a target file.

use std::collections::BTreeMap;
use std::path::{Component, Path};

use anyhow::{Context, Result, bail, ensure};
use lydite_core::version::Version;
use serde::{Deserialize, Serialize};

use super::{Build, Pattern, VersionRule};

/// The kinds of source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SourceKind {
    /// A wheel that pip downloads.
    Pypi,
    /// A package that npm downloads, without what it depends on.
    Npm,
    /// Packages that apt downloads and that are unpacked without root.
    Debian,
    /// A command on the PATH.
    System,
    /// A local archive or folder.
    Archive,
    /// A crate that cargo builds.
    Crates,
    /// A source that is built by the commands of the target file.
    Source,
}

/// Where a source that is built here can be had, if not in a folder of the user's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PackageRegistry {
    /// A source package that apt downloads.
    Debian,
    /// A source distribution that pip downloads.
    Pypi,
    /// A package that npm downloads.
    Npm,
    /// A crate that cargo downloads.
    Crates,
}

/// One source of a family.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Get {
    /// The kind of source.
    pub from: SourceKind,
    /// The package, for all but `system` and `archive`.
    #[serde(default)]
    pub package: Option<String>,
    /// Where the package of a `source` is; none if it is at `path`.
    #[serde(default)]
    pub registry: Option<PackageRegistry>,
    /// True if a source package of Debian is wanted as upstream packed it, without Debian's
    /// patches.
    #[serde(default)]
    pub original: bool,
    /// How a `source` is built.
    #[serde(default)]
    pub build: Option<Build>,
    /// Further packages that the system may lack, for `debian`; tools of the
    /// build, for `source`.
    #[serde(default)]
    pub with: Vec<String>,
    /// Packages that come along, each in one version, without what they
    /// depend on: what is installed is the same on every day. Those of a
    /// `source` are tools of its build.
    #[serde(default)]
    pub also: Vec<Also>,
    /// Commands to look for, for `system`.
    #[serde(default)]
    pub commands: Vec<String>,
    /// A zip, wheel, tar, tar.gz or folder, for `archive` and `source`; `~/`
    /// and paths relative to the target file are understood.
    #[serde(default)]
    pub path: Option<String>,
    /// The version that an `archive`, a `source` at a path, or the `release` of a package holds.
    #[serde(default)]
    pub version: Option<String>,
    /// The one release of a `source` package that holds `version`, where the package is not
    /// counted as the processor in it is.
    #[serde(default)]
    pub release: Option<String>,
    /// The versions that this source is used for.
    #[serde(default)]
    pub versions: VersionRule,
    /// An expression that is matched on the registry's version; its first group is the version as
    /// we write it.
    #[serde(default)]
    pub version_pattern: Option<Pattern>,
    /// The binary inside what was unpacked; `*` and `?` match within a
    /// folder, `**` across folders.
    #[serde(default)]
    pub bin: Option<String>,
    /// What `{bin}` stands for in a step, if not the binary alone.
    #[serde(default)]
    pub launch: Vec<String>,
    /// A driver of ours: a `.c` file is compiled at install time, any other
    /// is placed beside the package; its path is `{driver}`.
    #[serde(default)]
    pub driver: Option<String>,
    /// Further files of ours that the driver wants beside it.
    #[serde(default)]
    pub beside: Vec<String>,
    /// Libraries to link the driver with: globs inside the package.
    #[serde(default)]
    pub link: Vec<String>,
    /// Environment of every step, on top of the family's.
    #[serde(default)]
    pub env: BTreeMap<String, String>,
    /// Options that versions of this source need, before the variant's.
    #[serde(default)]
    pub options: Vec<String>,
}

/// A package that comes along with a source.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Also {
    /// Its registry: `pypi` or `npm`.
    pub from: SourceKind,
    /// Its name there.
    pub package: String,
    /// Its version there, exactly; `{version}` is that of the source's package.
    pub version: String,
    /// The folder that npm's folder `package` becomes; without it, packages
    /// of npm lie in one.
    #[serde(default)]
    pub into: Option<String>,
}

/// Stands for the version of the package that others come along with.
const SAME_VERSION: &str = "{version}";

impl Also {
    /// Its version, where that of the source's package is `version`.
    pub fn version_beside<'a>(&'a self, version: &'a str) -> &'a str {
        match self.version.as_str() {
            SAME_VERSION => version,
            own => own,
        }
    }

    fn check(&self) -> Result<()> {
        let plain = |b: u8| b.is_ascii_alphanumeric() || b"-_.+".contains(&b);
        ensure!(
            matches!(self.from, SourceKind::Pypi | SourceKind::Npm),
            "`{}`: comes from pypi or npm",
            self.package
        );
        ensure!(
            self.version == SAME_VERSION
                || !self.version.is_empty() && self.version.bytes().all(plain),
            "`{}`: expected one version",
            self.package
        );
        let below = |path: &String| {
            let mut parts = Path::new(path).components();
            parts.all(|part| matches!(part, Component::Normal(_)))
        };
        ensure!(
            self.into
                .as_ref()
                .is_none_or(|into| self.from == SourceKind::Npm && below(into)),
            "`{}`: `into` is a folder below the root, for a package of npm",
            self.package
        );
        Ok(())
    }
}

impl Get {
    /// What tells sources apart: `pypi z3-solver`.
    pub fn key(&self) -> String {
        let from = match self.from {
            SourceKind::Pypi => "pypi",
            SourceKind::Npm => "npm",
            SourceKind::Debian => "debian",
            SourceKind::System => "system",
            SourceKind::Archive => "archive",
            SourceKind::Crates => "crates",
            SourceKind::Source => match self.registry {
                Some(PackageRegistry::Debian) => "source debian",
                Some(PackageRegistry::Pypi) => "source pypi",
                Some(PackageRegistry::Npm) => "source npm",
                Some(PackageRegistry::Crates) => "source crates",
                None => "source",
            },
        };
        let named = || self.package.clone().unwrap_or_default();
        let placed = || self.path.clone().unwrap_or_default();
        let what = match self.from {
            SourceKind::System => self.commands.join(" "),
            SourceKind::Archive => placed(),
            SourceKind::Source if self.registry.is_none() => placed(),
            _ => named(),
        };
        format!("{from} {what}")
    }

    /// The driver and what it wants beside it.
    pub fn files(&self) -> impl Iterator<Item = &String> {
        self.driver.iter().chain(&self.beside)
    }

    /// The version as we write it, from that of the registry; none if this source is not meant for
    /// it.
    pub fn own_version(&self, theirs: &str) -> Option<Version> {
        let version = match (&self.release, &self.version_pattern) {
            (Some(release), _) if release != theirs => return None,
            (Some(_), _) => Version::new(self.version.clone()?),
            (None, None) => Version::new(theirs),
            (None, Some(pattern)) => {
                Version::new(pattern.regex().captures(theirs)?.get(1)?.as_str())
            }
        };
        self.versions.contains(&version).then_some(version)
    }

    fn check_release(&self) -> Result<()> {
        let Some(release) = &self.release else {
            return Ok(());
        };
        let plain = |b: u8| b.is_ascii_alphanumeric() || b"-_.+:~".contains(&b);
        ensure!(
            !release.is_empty() && release.bytes().all(plain),
            "`release`: expected one version of the package"
        );
        ensure!(
            self.registry.is_some(),
            "`release` goes with the `registry` of a source"
        );
        ensure!(
            self.version.is_some() && self.version_pattern.is_none(),
            "`release` goes with `version`, which says what it holds"
        );
        Ok(())
    }

    fn check_build(&self) -> Result<()> {
        let fits = match self.from {
            SourceKind::Source => self.build.is_some(),
            SourceKind::Crates => true,
            _ => self.build.is_none(),
        };
        ensure!(
            fits,
            "[get.build] goes with `from = \"source\"` and `from = \"crates\"`"
        );
        let Some(build) = &self.build else {
            return Ok(());
        };
        let checked = match self.from {
            SourceKind::Crates => build.check_crate(),
            _ => build.check(),
        };
        checked.context("[get.build]")
    }

    pub(super) fn check(&self) -> Result<()> {
        if let Some(pattern) = &self.version_pattern {
            let groups = pattern.regex().captures_len();
            ensure!(groups > 1, "`version-pattern` has no group");
        }
        let local = self.from == SourceKind::Source && self.registry.is_none();
        self.check_release()?;
        let (need, given) = match self.from {
            SourceKind::System => ("commands", !self.commands.is_empty()),
            SourceKind::Archive => ("path", self.path.is_some()),
            SourceKind::Source if local => ("registry` or `path", self.path.is_some()),
            _ => ("package", self.package.is_some()),
        };
        ensure!(given, "`{need}` is missing");
        if local || self.from == SourceKind::Archive {
            ensure!(self.version.is_some(), "`version` is missing");
        }
        ensure!(
            self.registry.is_none() || self.from == SourceKind::Source,
            "`registry` goes with `from = \"source\"`"
        );
        self.check_build()?;
        ensure!(
            !self.original || self.registry == Some(PackageRegistry::Debian),
            "`original` goes with `registry = \"debian\"`"
        );
        if self.from != SourceKind::System && self.bin.is_none() && self.driver.is_none() {
            bail!("`bin` or `driver` is missing");
        }
        if self.files().any(|name| name.contains("..")) {
            bail!("`driver`, `beside`: expected names without `..`");
        }
        ensure!(
            self.driver.is_some() || self.beside.is_empty(),
            "`beside` goes with `driver`"
        );
        let registry = matches!(
            self.from,
            SourceKind::Pypi | SourceKind::Npm | SourceKind::Source
        );
        ensure!(
            registry || self.also.is_empty(),
            "`also` goes with pypi, npm and source"
        );
        for also in &self.also {
            also.check().context("`also`")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn get(lines: &str) -> Result<Get> {
        let build = "[build]\ncommands = [[\"make\"]]\nkeep = [\"x\"]\n";
        let text = format!("from = \"source\"\npackage = \"jq\"\nbin = \"x\"\n{lines}\n{build}");
        let get: Get = toml::from_str(&text)?;
        get.check()?;
        Ok(get)
    }

    #[test]
    fn of_a_crate_flags_environment_and_minutes_are_said_and_no_commands() {
        let get = |lines: &str| {
            let text = format!("from = \"crates\"\npackage = \"x\"\nbin = \"x\"\n[build]\n{lines}");
            let get: Get = toml::from_str(&text)?;
            get.check()?;
            Ok::<Get, anyhow::Error>(get)
        };
        let said = get("flags = \"--features a,b\"\nminutes = 90").unwrap();
        let build = Build::of_crate(said.build.as_ref());
        assert_eq!(
            build.commands[0].join(" "),
            "cargo install --locked --force --root {out} --version ={version} \
             --features a,b {package}"
        );
        assert_eq!(build.minutes, 90);
        let refused = get("commands = [[\"make\"]]").unwrap_err();
        assert!(format!("{refused:#}").contains("cargo builds a crate"));
        assert!(get("minutes = 0").is_err());
    }

    #[test]
    fn a_release_stands_for_the_version_that_it_holds_and_no_other_does() {
        let own = get("registry = \"pypi\"\nrelease = \"1.13.0\"\nversion = \"1.8.2\"").unwrap();
        assert_eq!(own.own_version("1.13.0"), Some(Version::new("1.8.2")));
        assert_eq!(own.own_version("1.12.0"), None);
        let refused = |lines: &str| get(lines).unwrap_err().to_string();
        assert!(
            refused("registry = \"npm\"\nrelease = \"1.13.0\"").contains("goes with `version`")
        );
        let local = "path = \"x\"\nversion = \"1\"\nrelease = \"1.13.0\"";
        assert!(refused(local).contains("goes with the `registry`"));
    }
}
