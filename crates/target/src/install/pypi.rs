//! Wheels, by way of pip.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::tool;

/// The versions that pip offers for this machine's Python.
pub(super) fn versions(package: &str) -> Result<Vec<String>> {
    list(package, "--prefer-binary")
}

/// The versions that pip offers as source.
pub(super) fn source_versions(package: &str) -> Result<Vec<String>> {
    list(package, "--no-binary=:all:")
}

fn list(package: &str, which: &str) -> Result<Vec<String>> {
    let text = tool::ask(pip().args(["index", "versions", which, "--", package]))?;
    let line = text
        .lines()
        .find_map(|line| line.trim().strip_prefix("Available versions:"));
    let line = line.with_context(|| {
        format!("pip index versions {package}: no version listed (is pip 21.2 or newer?)")
    })?;
    Ok(line
        .split(',')
        .map(|version| version.trim().to_string())
        .collect())
}

/// Downloads one wheel into `folder`.
pub(super) fn download(package: &str, version: &str, folder: &Path) -> Result<PathBuf> {
    get(package, version, "--only-binary=:all:", folder, &["whl"])
        .with_context(|| format!("no wheel of {package} {version}"))
}

/// Downloads one source distribution into `folder`.
pub(super) fn download_source(package: &str, version: &str, folder: &Path) -> Result<PathBuf> {
    get(
        package,
        version,
        "--no-binary=:all:",
        folder,
        &["gz", "zip"],
    )
    .with_context(|| format!("no source of {package} {version}"))
}

fn get(
    package: &str,
    version: &str,
    which: &str,
    folder: &Path,
    endings: &[&str],
) -> Result<PathBuf> {
    let wanted = format!("{package}=={version}");
    let mut command = pip();
    command.args(["download", "--quiet", "--no-deps", which, "--dest"]);
    tool::ask(command.arg(folder).args(["--", &wanted]))?;
    let mut files = std::fs::read_dir(folder)?.filter_map(|entry| Some(entry.ok()?.path()));
    let fits = |file: &PathBuf| {
        let end = file.extension().and_then(|end| end.to_str());
        end.is_some_and(|end| endings.contains(&end))
    };
    files.find(fits).context("pip downloaded nothing")
}

fn pip() -> Command {
    let mut command = Command::new("python3");
    command
        .args(["-m", "pip"])
        .env("PIP_DISABLE_PIP_VERSION_CHECK", "1")
        .env("PIP_NO_INPUT", "1");
    command
}
