//! Wheels, by way of pip.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::tool;

/// The versions that pip offers for this machine's Python.
pub(super) fn versions(package: &str) -> Result<Vec<String>> {
    list(package, None)
}

/// The versions that pip offers as source.
pub(super) fn source_versions(package: &str) -> Result<Vec<String>> {
    list(package, Some("--no-binary=:all:"))
}

fn list(package: &str, which: Option<&str>) -> Result<Vec<String>> {
    let mut command = pip();
    command.args(["index", "versions"]).args(which);
    let text = tool::ask(command.args(["--", package]))?;
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
    file_in(folder, &["whl"]).with_context(|| format!("pip downloaded no wheel of {wanted}"))
}

/// `pip download` of a source runs the package's own build files, which want
/// compilers and further packages; pip's finder and session, as `pip index` uses
/// them, bring the file alone.
const SOURCE_PROGRAM: &str = r#"
import hashlib, os, sys
from pip._internal.commands import create_command
name, version, folder = sys.argv[1:]
command = create_command("index")
options, _ = command.parse_args(["versions", "--no-binary=:all:", name])
session = command._build_session(options)
finder = command._build_package_finder(
    options=options, session=session, target_python=None, ignore_requires_python=True)
for candidate in finder.find_all_candidates(name):
    link = candidate.link
    if str(candidate.version) == version and not link.is_wheel:
        answer = session.get(link.url_without_fragment)
        answer.raise_for_status()
        if link.hash is not None:
            seen = hashlib.new(link.hash_name, answer.content).hexdigest()
            if seen != link.hash:
                sys.exit("error: the file is not what the index says")
        with open(os.path.join(folder, os.path.basename(link.filename)), "wb") as file:
            file.write(answer.content)
        break
"#;

/// Downloads one source distribution into `folder`.
pub(super) fn download_source(package: &str, version: &str, folder: &Path) -> Result<PathBuf> {
    let mut command = Command::new("python3");
    command
        .args(["-c", SOURCE_PROGRAM, package, version])
        .arg(folder);
    tool::ask(&mut command)
        .with_context(|| format!("pip gives no source of {package} {version}"))?;
    let found = file_in(folder, &["gz", "zip"]);
    found.with_context(|| format!("{package} {version} has no source distribution"))
}

/// The file in `folder` with one of these endings.
fn file_in(folder: &Path, endings: &[&str]) -> Option<PathBuf> {
    let entries = std::fs::read_dir(folder).ok()?;
    let mut files = entries.filter_map(|entry| Some(entry.ok()?.path()));
    files.find(|file| {
        let end = file.extension().and_then(|end| end.to_str());
        end.is_some_and(|end| endings.contains(&end))
    })
}

fn pip() -> Command {
    let mut command = Command::new("python3");
    command
        .args(["-m", "pip"])
        .env("PIP_DISABLE_PIP_VERSION_CHECK", "1")
        .env("PIP_NO_INPUT", "1");
    command
}
