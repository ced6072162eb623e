//! What is kept of a build.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};

use super::super::build::matching;
use super::super::unpack_archive;
use super::BuildOrder;
use crate::SourceKind;

/// Copies what is kept below `root`; links become what they lead to, which has to lie in the
/// source's folder too.
pub(super) fn keep(order: &BuildOrder<'_>, folder: &Path, root: &Path) -> Result<()> {
    if order.get.from == SourceKind::Crates {
        return unpack_archive(&folder.join("out"), root);
    }
    let source = folder.join("source");
    let source = fs::canonicalize(&source).with_context(|| source.display().to_string())?;
    for pattern in &order.build.keep {
        let found = matching(pattern, &source)?;
        ensure!(
            !found.is_empty(),
            "no file of the build matches `keep = \"{pattern}\"`"
        );
        for path in found {
            keep_file(&source, &path, root)?;
        }
    }
    // What a build with --coverage needs to be read later.
    for path in matching(COVERAGE_NOTES, &source)? {
        keep_file(&source, &path, root)?;
    }
    Ok(())
}

/// The notes of a compiler that counts.
const COVERAGE_NOTES: &str = "**/*.gcno";

fn keep_file(source: &Path, path: &Path, root: &Path) -> Result<()> {
    let place = root.join(path);
    let parent = place.parent().context("a file lies in a folder")?;
    fs::create_dir_all(parent)?;
    let real = fs::canonicalize(source.join(path)).ok();
    ensure!(
        real.is_none_or(|real| real.starts_with(source)),
        "{}: `keep` names it, and it leads out of the source's folder",
        path.display()
    );
    ensure!(
        source.join(path).is_file(),
        "{}: `keep` names it, and it is neither a file nor a link to one",
        path.display()
    );
    fs::copy(source.join(path), &place).with_context(|| path.display().to_string())?;
    Ok(())
}
