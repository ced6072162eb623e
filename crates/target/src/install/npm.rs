//! Packages of npm, by way of its command line: the package alone, without
//! what it depends on, and none of its scripts is run.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::tool;

/// The versions that the registry offers.
pub(super) fn versions(package: &str) -> Result<Vec<String>> {
    let text = tool::ask(npm("view").args(["--json", "--", package, "versions"]))?;
    read_versions(&text).with_context(|| format!("npm view {package}: no version listed"))
}

/// npm prints a list, or a string if there is one version only.
fn read_versions(text: &str) -> Option<Vec<String>> {
    match serde_json::from_str(text).ok()? {
        serde_json::Value::String(only) => Some(vec![only]),
        list => serde_json::from_value(list).ok(),
    }
}

/// Downloads one package into `folder`.
pub(super) fn download(package: &str, version: &str, folder: &Path) -> Result<PathBuf> {
    let wanted = format!("{package}@{version}");
    let mut command = npm("pack");
    command.args(["--ignore-scripts", "--pack-destination"]);
    tool::ask(command.arg(folder).args(["--", &wanted]))?;
    let mut files = std::fs::read_dir(folder)?.filter_map(|entry| Some(entry.ok()?.path()));
    let tarball = files.find(|file| file.extension().is_some_and(|extension| extension == "tgz"));
    tarball.with_context(|| format!("npm downloaded nothing for {wanted}"))
}

fn npm(verb: &str) -> Command {
    let mut command = Command::new("npm");
    command
        .args([verb, "--silent"])
        .env("NPM_CONFIG_UPDATE_NOTIFIER", "false");
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_version_is_listed_as_several_are() {
        assert_eq!(read_versions("[\"1.0\", \"1.1\"]").unwrap().len(), 2);
        assert_eq!(read_versions("\"1.0\"").unwrap(), ["1.0"]);
        assert_eq!(read_versions("{}"), None);
        assert_eq!(read_versions(""), None);
    }
}
