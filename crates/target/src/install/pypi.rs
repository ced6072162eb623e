//! Wheels, by way of pip.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::tool;

/// The versions that pip offers for this machine's Python.
pub(super) fn versions(package: &str) -> Result<Vec<String>> {
    let text = tool::ask(pip().args(["index", "versions", "--", package]))?;
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
    let wanted = format!("{package}=={version}");
    let mut command = pip();
    command.args([
        "download", "--quiet", "--no-deps", "--only-binary=:all:", "--dest",
    ]);
    tool::ask(command.arg(folder).args(["--", &wanted]))?;
    let mut files = std::fs::read_dir(folder)?.filter_map(|entry| Some(entry.ok()?.path()));
    let wheel = files.find(|file| file.extension().is_some_and(|extension| extension == "whl"));
    wheel.with_context(|| format!("pip downloaded no wheel of {wanted}"))
}

fn pip() -> Command {
    let mut command = Command::new("python3");
    command
        .args(["-m", "pip"])
        .env("PIP_DISABLE_PIP_VERSION_CHECK", "1")
        .env("PIP_NO_INPUT", "1");
    command
}
