//! Making something that runs out of what was unpacked: the binary is found,
//! the driver placed or compiled.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};
use regex::Regex;

use super::Placed;
use crate::Get;
use crate::tool;

/// What an unpacked source runs by, relative to its root.
#[derive(Debug)]
pub(super) struct Built {
    /// The binary, or the driver where there is none.
    pub(super) bin: PathBuf,
    /// The driver, if the source has one.
    pub(super) driver: Option<PathBuf>,
}

/// The folder below the root in which the driver is put.
const DRIVER_FOLDER: &str = "lydite";

/// Finds the binary below `root` and makes the driver, which is the first of
/// `files`.
pub(super) fn build(get: &Get, files: &[Placed], root: &Path) -> Result<Built> {
    let mut placed = Vec::new();
    for (name, text) in files {
        placed.push(place(name, text, root)?);
    }
    let driver = match placed.into_iter().next() {
        Some(source) => Some(make_driver(get, source, root)?),
        None => None,
    };
    let bin = match &get.bin {
        Some(pattern) => {
            let found = matching(pattern, root)?;
            let bin = found.into_iter().next();
            bin.with_context(|| format!("no file matches `bin = \"{pattern}\"`"))?
        }
        None => driver.clone().context("neither binary nor driver")?,
    };
    let path = root.join(&bin);
    let mode = fs::metadata(&path)?.permissions().mode();
    if get.bin.is_some() && mode & 0o100 == 0 {
        fs::set_permissions(&path, fs::Permissions::from_mode(mode | 0o755))?;
    }
    Ok(Built { bin, driver })
}

/// Files and links below `root` that match, in the order of paths.
pub(super) fn matching(pattern: &str, root: &Path) -> Result<Vec<PathBuf>> {
    let glob = glob(pattern)?;
    let mut found = Vec::new();
    let mut folders = vec![root.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).with_context(|| folder.display().to_string())? {
            let entry = entry?;
            if entry.file_type()?.is_dir() {
                folders.push(entry.path());
                continue;
            }
            let path = entry.path();
            let relative = path.strip_prefix(root).context("below the root")?;
            if glob.is_match(&relative.to_string_lossy()) {
                found.push(relative.to_path_buf());
            }
        }
    }
    found.sort();
    Ok(found)
}

/// `*` and `?` stay within a folder, `**/` crosses any number of them.
pub(crate) fn glob(pattern: &str) -> Result<Regex> {
    let escaped = regex::escape(pattern)
        .replace(r"\*\*/", "(?:.*/)?")
        .replace(r"\*", "[^/]*")
        .replace(r"\?", "[^/]");
    Ok(Regex::new(&format!("^{escaped}$"))?)
}

/// Puts a file of ours into its folder; gives its path below the root.
fn place(name: &str, text: &str, root: &Path) -> Result<PathBuf> {
    let base = Path::new(name).file_name().context("a driver has a name")?;
    let path = Path::new(DRIVER_FOLDER).join(base);
    fs::create_dir_all(root.join(DRIVER_FOLDER))?;
    fs::write(root.join(&path), text).with_context(|| path.display().to_string())?;
    Ok(path)
}

fn make_driver(get: &Get, source: PathBuf, root: &Path) -> Result<PathBuf> {
    if source.extension().is_none_or(|extension| extension != "c") {
        return Ok(source);
    }
    let binary = Path::new(DRIVER_FOLDER).join("driver");
    compile(get, &root.join(source), &root.join(&binary), root)?;
    Ok(binary)
}

fn compile(get: &Get, source: &Path, binary: &Path, root: &Path) -> Result<()> {
    let mut command = Command::new(tool::c_compiler()?);
    command.arg("-O2").arg("-o").arg(binary).arg(source);
    for pattern in &get.link {
        let libraries = matching(pattern, root)?;
        ensure!(
            !libraries.is_empty(),
            "no file matches `link = \"{pattern}\"`"
        );
        for library in libraries {
            let Some(folder) = library.parent() else {
                bail!("a library lies in a folder");
            };
            // The tree is renamed after this, so the driver looks for its
            // libraries relative to itself.
            command.arg(root.join(&library));
            command.arg(format!("-Wl,-rpath,$ORIGIN/../{}", folder.display()));
            command.arg(format!("-Wl,-rpath-link,{}", root.join(folder).display()));
        }
    }
    tool::ask(&mut command).context("the driver does not compile")?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn globs_match_within_folders_and_across_them() {
        for (pattern, path, expected) in [
            (
                "*.data/data/bin/z3",
                "z3_solver-4.8.7.0.data/data/bin/z3",
                true,
            ),
            ("*.data/data/bin/z3", "a/b.data/data/bin/z3", false),
            ("**/z3", "a/b/z3", true),
            ("**/z3", "z3", true),
            ("**/z3", "a/bz3", false),
            ("lib?.so", "lib1.so", true),
            ("lib?.so", "lib12.so", false),
            ("a+b", "aab", false),
        ] {
            assert_eq!(
                glob(pattern).unwrap().is_match(path),
                expected,
                "{pattern} {path}"
            );
        }
    }
}
