//! Crates, by way of cargo, which builds them.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result};

use crate::tool;

/// The version that cargo offers for this machine's toolchain: the newest that
/// it can build. cargo lists no others.
pub(super) fn versions(package: &str) -> Result<Vec<String>> {
    let mut command = Command::new("cargo");
    // Outside of any workspace, whose own crates would come first.
    command
        .current_dir("/")
        .args(["info", "--quiet", "--color=never", "--", package]);
    let text = tool::ask(&mut command)?;
    let version = version_in(&text).with_context(|| format!("cargo info {package}: no version"))?;
    Ok(vec![version])
}

/// The archive of one version, as cargo keeps it: asking for what a crate says
/// of itself has cargo download and check it.
pub(super) fn download(package: &str, version: &str) -> Result<PathBuf> {
    let wanted = format!("{package}@{version}");
    let mut command = Command::new("cargo");
    command
        .current_dir("/")
        .args(["info", "--quiet", "--color=never", "--", &wanted]);
    tool::ask(&mut command)?;
    let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    let home = variable("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(PathBuf::from(variable("HOME")?).join(".cargo")));
    let home = home.context("cargo's folder is not known: set CARGO_HOME or HOME")?;
    let registries = home.join("registry/cache");
    let folders = std::fs::read_dir(&registries);
    let folders = folders.with_context(|| registries.display().to_string())?;
    let name = format!("{package}-{version}.crate");
    let mut files = folders.filter_map(|entry| Some(entry.ok()?.path().join(&name)));
    files
        .find(|file| file.is_file())
        .with_context(|| format!("cargo keeps no archive of {wanted}"))
}

/// The first word of the line `version: 1.2.3 (latest 1.3.0)`.
fn version_in(text: &str) -> Option<String> {
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix("version:"))?;
    Some(line.split_whitespace().next()?.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_is_the_newest_that_the_toolchain_can_build() {
        let text = "jaq #json #cli\nJust another JSON query tool\nversion: 2.1.1 (latest 3.0.0)\nlicense: MIT\n";
        assert_eq!(version_in(text).as_deref(), Some("2.1.1"));
        assert_eq!(version_in("nothing"), None);
    }
}
