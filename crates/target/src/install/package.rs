//! Packages whose source is wanted for the files in it: nothing is built.

use std::fs::{self, File};
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::process::{ChildStdout, Command, Stdio};

use anyhow::{Context, Result, bail, ensure};
use flate2::read::GzDecoder;
use serde::{Deserialize, Serialize};

use super::archive::{Place, Unpacking};
use super::available::remembered;
use super::{crates, debian, npm, pypi};
use crate::Version;
use crate::cache::Cache;

/// Where the source of a package can be had.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PackageOrigin {
    /// A source package that apt downloads.
    DebianSource,
    /// A source distribution that pip downloads.
    Pypi,
    /// A package that npm downloads.
    Npm,
    /// A crate that cargo downloads.
    Crates,
    /// A local archive or folder.
    Archive,
}

impl PackageOrigin {
    /// As it is written in files.
    pub fn as_str(self) -> &'static str {
        match self {
            PackageOrigin::DebianSource => "debian-source",
            PackageOrigin::Pypi => "pypi",
            PackageOrigin::Npm => "npm",
            PackageOrigin::Crates => "crates",
            PackageOrigin::Archive => "archive",
        }
    }
}

/// A package whose source is wanted.
#[derive(Clone, Copy, Debug)]
pub struct SourcePackage<'a> {
    /// Where it can be had.
    pub from: PackageOrigin,
    /// Its name there; the path of an archive.
    pub name: &'a str,
}

impl SourcePackage<'_> {
    /// What tells packages apart: `crates solang-parser`.
    pub fn key(&self) -> String {
        format!("{} {}", self.from.as_str(), self.name)
    }

    /// The version that a registry calls the newest.
    pub fn newest(&self, cache: &Cache, refresh: bool) -> Result<String> {
        let key = self.key();
        let versions = match self.from {
            PackageOrigin::DebianSource => remembered(cache, &key, refresh, || {
                debian::Apt::open_sources(cache, refresh)?.versions(self.name)
            }),
            PackageOrigin::Pypi => {
                remembered(cache, &key, refresh, || pypi::source_versions(self.name))
            }
            PackageOrigin::Npm => remembered(cache, &key, refresh, || npm::versions(self.name)),
            PackageOrigin::Crates => {
                remembered(cache, &key, refresh, || crates::versions(self.name))
            }
            PackageOrigin::Archive => bail!("an archive has the version that its file states"),
        }?;
        let newest = versions
            .into_iter()
            .max_by_key(|version| Version::new(version.clone()));
        newest.with_context(|| format!("{key}: there is no such package"))
    }

    /// The version as we write it: upstream's, without what Debian adds.
    pub fn own_version(&self, theirs: &str) -> String {
        match self.from {
            PackageOrigin::DebianSource => debian::upstream(theirs).to_string(),
            _ => theirs.to_string(),
        }
    }

    /// How much would be downloaded, where the registry says it.
    pub fn download_bytes(&self, version: &str, cache: &Cache) -> Result<Option<u64>> {
        if self.from != PackageOrigin::DebianSource {
            return Ok(None);
        }
        let sizes = debian::Apt::open_sources(cache, false)?.original_sizes(self.name, version)?;
        Ok(Some(sizes.iter().map(|(_, bytes)| bytes).sum()))
    }

    /// Downloads it into `folder`; gives its archives in the order of their names.
    pub fn download(&self, version: &str, folder: &Path, cache: &Cache) -> Result<Vec<PathBuf>> {
        match self.from {
            PackageOrigin::DebianSource => {
                let apt = debian::Apt::open_sources(cache, false)?;
                apt.download_original(self.name, version, folder)?;
                let mut files: Vec<PathBuf> = fs::read_dir(folder)?
                    .filter_map(|entry| Some(entry.ok()?.path()))
                    .filter(|path| path.is_file())
                    .collect();
                files.sort();
                ensure!(!files.is_empty(), "apt-get gave no source of {}", self.name);
                Ok(files)
            }
            PackageOrigin::Pypi => Ok(vec![pypi::download_source(self.name, version, folder)?]),
            PackageOrigin::Npm => Ok(vec![npm::download(self.name, version, folder)?]),
            PackageOrigin::Crates => Ok(vec![crates::download(self.name, version)?]),
            PackageOrigin::Archive => Ok(vec![PathBuf::from(self.name)]),
        }
    }
}

/// The files of an archive that `place` gives a path. Which kind of archive it
/// is, its name's ending says; a folder is copied.
pub(crate) fn pick(
    path: &Path,
    unpacking: &mut Unpacking<'_>,
    place: &mut Place<'_>,
) -> Result<()> {
    let named = || path.display().to_string();
    if path.is_dir() {
        return pick_folder(path, unpacking, place).with_context(named);
    }
    let name = path.to_string_lossy();
    let ends = |endings: &[&str]| endings.iter().any(|ending| name.ends_with(ending));
    let file = || File::open(path).map(BufReader::new).with_context(named);
    let picked = if ends(&[".zip", ".whl"]) {
        unpacking.pick_zip(file()?, place)
    } else if ends(&[".tar.gz", ".tgz", ".crate"]) {
        unpacking.pick_tar(GzDecoder::new(file()?), place)
    } else if ends(&[".tar.xz", ".txz"]) {
        through("xz", path, |stream| unpacking.pick_tar(stream, place))
    } else if ends(&[".tar.bz2", ".tbz2"]) {
        through("bzip2", path, |stream| unpacking.pick_tar(stream, place))
    } else if ends(&[".tar"]) {
        unpacking.pick_tar(file()?, place)
    } else {
        bail!(
            "{}: expected a folder, .zip, .crate, .tar, or .tar with .gz, .xz or .bz2",
            named()
        )
    };
    picked.with_context(named)
}

/// A tar file behind a compression that a program of the system undoes.
pub(super) fn through(
    program: &str,
    path: &Path,
    read: impl FnOnce(BufReader<ChildStdout>) -> Result<()>,
) -> Result<()> {
    let mut child = Command::new(program)
        .args(["--decompress", "--stdout", "--"])
        .arg(path)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .with_context(|| format!("{program} not found: install it"))?;
    let stream = child.stdout.take().context("the pipe was asked for")?;
    let done = read(BufReader::with_capacity(1 << 16, stream));
    if done.is_err() {
        // What is left of the archive is wanted by nobody.
        let _ = child.kill();
    }
    let status = child.wait()?;
    done?;
    // tar ends before the padding of a stream does: a closed pipe is no damage.
    let closed = status.code().is_none();
    ensure!(status.success() || closed, "{program} cannot read it");
    Ok(())
}

fn pick_folder(folder: &Path, unpacking: &mut Unpacking<'_>, place: &mut Place<'_>) -> Result<()> {
    let mut folders = vec![folder.to_path_buf()];
    while let Some(current) = folders.pop() {
        for entry in fs::read_dir(&current)? {
            let entry = entry?;
            let kind = entry.file_type()?;
            if kind.is_dir() {
                folders.push(entry.path());
            } else if kind.is_file() {
                let path = entry.path();
                let relative = path.strip_prefix(folder).context("below the folder")?;
                if let Some(name) = relative.to_str() {
                    unpacking.pick(name, &mut File::open(&path)?, place)?;
                }
            }
        }
    }
    Ok(())
}
