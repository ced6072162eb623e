//! From the files that a coverage build writes to what was reached, through
//! `gcov`.
//!
//! The compiler writes a note (`.gcno`) for each part of the program; an
//! install keeps them. Each run adds to a file of counts (`.gcda`) for each
//! part, below the folder that `GCOV_PREFIX` names, at the path where the part
//! was compiled.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use lydite_target::ask_in;
use lydite_target::install::Installed;
use serde::Deserialize;

use super::reach::{FileReach, Reach};

/// How many parts of a program one process of gcov reads.
const PARTS_AT_ONCE: usize = 64;

/// The notes of a coverage build.
pub(super) struct Notes {
    root: PathBuf,
    /// Relative to `root`, without an extension.
    parts: BTreeSet<PathBuf>,
}

/// What gcov says of one part of a program.
#[derive(Deserialize)]
struct PartForm {
    files: Vec<FileForm>,
}

#[derive(Deserialize)]
struct FileForm {
    file: String,
    functions: Vec<FunctionForm>,
    lines: Vec<LineForm>,
}

#[derive(Deserialize)]
struct FunctionForm {
    name: String,
    execution_count: u64,
}

#[derive(Deserialize)]
struct LineForm {
    line_number: u32,
    count: u64,
    #[serde(default)]
    branches: Vec<BranchForm>,
}

#[derive(Deserialize)]
struct BranchForm {
    count: u64,
}

impl Notes {
    /// The notes of an install; a command of the system has none.
    pub(super) fn of(installed: &Installed) -> Result<Notes> {
        let root = &installed.root;
        let notes = match installed.binary {
            Some(_) => files_below(root, "gcno")?,
            None => BTreeSet::new(),
        };
        Ok(Notes {
            root: root.clone(),
            parts: notes
                .into_iter()
                .map(|path| path.with_extension(""))
                .collect(),
        })
    }

    pub(super) fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// What the counts below `counts` say was reached; `work` is an empty
    /// folder.
    pub(super) fn reach(&self, counts: &Path, work: &Path) -> Result<Reach> {
        let mut built_in = BTreeSet::new();
        for part in &self.parts {
            let place = work.join(part);
            let parent = place.parent().context("a file lies in a folder")?;
            fs::create_dir_all(parent)?;
            let note = with_ending(part, "gcno");
            fs::copy(self.root.join(&note), work.join(&note))
                .with_context(|| note.display().to_string())?;
        }
        for path in files_below(counts, "gcda")? {
            let part = path.with_extension("");
            // The note whose path is the end of this one; the longest of several.
            let own = self.parts.iter().filter(|note| part.ends_with(note));
            let Some(own) = own.max_by_key(|note| note.components().count()) else {
                continue;
            };
            fs::copy(counts.join(&path), work.join(with_ending(own, "gcda")))?;
            let above = part.ancestors().nth(own.components().count());
            built_in.extend(above.map(|above| Path::new("/").join(above)));
        }
        let mut reach = Reach::default();
        let parts: Vec<&PathBuf> = self.parts.iter().collect();
        for some in parts.chunks(PARTS_AT_ONCE) {
            let mut words = vec![
                "gcov".to_string(),
                "--json-format".to_string(),
                "--stdout".to_string(),
                "--branch-probabilities".to_string(),
            ];
            for part in some {
                let note = with_ending(part, "gcno");
                let note = note.to_str().context("a path that is no text")?;
                words.push(note.to_string());
            }
            let said = ask_in(&words, work)?;
            read(&said, &built_in, &mut reach)?;
        }
        Ok(reach)
    }
}

/// Adds what gcov printed, one JSON text after the other. Files of the system
/// are left out: they are not the processor's.
fn read(said: &str, built_in: &BTreeSet<PathBuf>, reach: &mut Reach) -> Result<()> {
    for part in serde_json::Deserializer::from_str(said).into_iter::<PartForm>() {
        let part = part.context("gcov printed something else than expected")?;
        for file in part.files {
            let path = Path::new(&file.file);
            let own = match path.is_absolute() {
                false => Some(path),
                true => built_in
                    .iter()
                    .find_map(|folder| path.strip_prefix(folder).ok()),
            };
            if let Some(own) = own.and_then(Path::to_str) {
                reach.add(own, reach_of(&file));
            }
        }
    }
    Ok(())
}

fn reach_of(file: &FileForm) -> FileReach {
    let mut reach = FileReach::default();
    for function in &file.functions {
        let known = reach.functions.entry(function.name.clone()).or_default();
        *known |= function.execution_count > 0;
    }
    let mut in_line: BTreeMap<u32, u32> = BTreeMap::new();
    for line in &file.lines {
        *reach.lines.entry(line.line_number).or_default() |= line.count > 0;
        for branch in &line.branches {
            let number = in_line.entry(line.line_number).or_default();
            reach
                .branches
                .insert((line.line_number, *number), branch.count > 0);
            *number += 1;
        }
    }
    reach
}

fn with_ending(part: &Path, ending: &str) -> PathBuf {
    let mut name = part.as_os_str().to_os_string();
    name.push(format!(".{ending}"));
    PathBuf::from(name)
}

/// The files with that extension below a folder, relative to it, in order.
fn files_below(folder: &Path, extension: &str) -> Result<BTreeSet<PathBuf>> {
    let mut found = BTreeSet::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(current) = folders.pop() {
        let entries = match fs::read_dir(&current) {
            Ok(entries) => entries,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => continue,
            Err(error) => return Err(error).with_context(|| current.display().to_string()),
        };
        for entry in entries {
            let entry = entry?;
            let kind = entry.file_type()?;
            if kind.is_dir() {
                folders.push(entry.path());
            } else if kind.is_file() && entry.path().extension().is_some_and(|e| e == extension) {
                let path = entry.path();
                let own = path.strip_prefix(folder).context("a file below a folder")?;
                ensure!(own.to_str().is_some(), "{}: no text", own.display());
                found.insert(own.to_path_buf());
            }
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SAID: &str = r#"{"files": [
        {"file": "src/a.c", "functions": [{"name": "f", "execution_count": 2}], "lines": [
            {"line_number": 3, "count": 2, "branches": [{"count": 2}, {"count": 0}]},
            {"line_number": 4, "count": 0}]},
        {"file": "/usr/include/x.h", "functions": [], "lines": [{"line_number": 1, "count": 9}]},
        {"file": "/built/here/src/b.h", "functions": [], "lines": [{"line_number": 7, "count": 1}]}
    ]}
    {"files": [{"file": "src/a.c", "functions": [], "lines": [{"line_number": 4, "count": 1}]}]}"#;

    #[test]
    fn what_gcov_prints_is_joined_by_file_without_the_files_of_the_system() {
        let built_in = BTreeSet::from([PathBuf::from("/built/here")]);
        let mut reach = Reach::default();
        read(SAID, &built_in, &mut reach).unwrap();
        let shares = reach.shares();
        assert_eq!((shares.lines.reached, shares.lines.all), (3, 3));
        assert_eq!((shares.branches.reached, shares.branches.all), (1, 2));
        assert_eq!((shares.functions.reached, shares.functions.all), (1, 1));
        let lines = reach.lines_beyond(&Reach::default());
        let files: Vec<&str> = lines.keys().map(String::as_str).collect();
        assert_eq!(files, ["src/a.c", "src/b.h"]);
    }

    #[test]
    fn what_is_no_json_is_an_error() {
        let mut reach = Reach::default();
        let error = read("lines: 3", &BTreeSet::new(), &mut reach).unwrap_err();
        assert!(format!("{error:#}").contains("gcov"), "{error:#}");
    }
}
