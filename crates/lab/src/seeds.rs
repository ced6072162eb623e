//! Seeds: other people's files, read once, in an order that does not depend
//! on the file system.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use lydite_core::{Language, Seed};
use serde::{Deserialize, Serialize};

use crate::labels::{self, Labels};
use lydite_core::quantity::Size;

/// How much may be read.
#[derive(Clone, Copy, Debug)]
pub struct SeedLimits {
    /// A larger file is left out and counted.
    pub file: Size,
    /// The largest size of all files together; more is an error.
    pub total: Size,
}

/// Seeds and what was left out.
#[derive(Clone, Debug, Default)]
pub struct SeedSet {
    /// The seeds, sorted by name.
    pub seeds: Vec<Seed>,
    /// Content hashes, in the order of `seeds`.
    pub hashes: Vec<String>,
    /// Files that were left out, with the reason.
    pub left_out: Vec<LeftOut>,
}

/// A file that is not a seed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeftOut {
    /// Its path.
    pub path: String,
    /// Why it was left out.
    pub reason: String,
}

/// Folders deeper than this are refused: no test suite is, a loop would be.
const MAX_DEPTH: usize = 64;

impl SeedSet {
    /// Reads every file of `language` below `paths`. A path that is a file
    /// is taken whatever its name.
    pub fn read(paths: &[PathBuf], language: &dyn Language, limits: SeedLimits) -> Result<SeedSet> {
        let mut set = SeedSet::default();
        let mut labels = Labels::default();
        let mut total = 0u64;
        for path in paths {
            let mut files = Vec::new();
            let mut label_files = labels_above(path);
            let meta = fs::metadata(path)
                .with_context(|| format!("seeds {}: cannot be read", path.display()))?;
            if meta.is_dir() {
                let mut found = Found {
                    files: &mut files,
                    label_files: &mut label_files,
                };
                collect(path, &folder_name(path), language, 0, &mut found)?;
                if files.is_empty() {
                    bail!(
                        "seeds {}: no file ending in .{} below this folder",
                        path.display(),
                        language.extensions().join(" or .")
                    );
                }
            } else {
                let folder = path.parent().map(folder_name).unwrap_or_default();
                let name = path.file_name().unwrap_or_default().to_string_lossy();
                files.push((format!("{folder}{name}"), path.clone()));
            }
            files.sort();
            label_files.sort();
            for path in &label_files {
                labels.add(path)?;
            }
            for (name, file) in files {
                set.add(name, &file, limits, &mut total)?;
            }
        }
        for (seed, hash) in set.seeds.iter_mut().zip(&set.hashes) {
            seed.claim = labels.claim(hash).cloned();
        }
        if set.seeds.is_empty() && !paths.is_empty() {
            bail!(
                "seeds: every file was left out (the first: {}); raise limits.seed-size",
                set.left_out.first().map_or("", |left| left.reason.as_str())
            );
        }
        Ok(set)
    }

    fn add(
        &mut self,
        name: String,
        path: &Path,
        limits: SeedLimits,
        total: &mut u64,
    ) -> Result<()> {
        let context = || format!("seed {}: cannot be read", path.display());
        let file = fs::File::open(path).with_context(context)?;
        let mut text = Vec::new();
        // The limit is on what is read, not on what the file claims to be:
        // a device or a growing file has no size.
        file.take(limits.file.0.saturating_add(1))
            .read_to_end(&mut text)
            .with_context(context)?;
        if text.len() as u64 > limits.file.0 {
            self.left_out.push(LeftOut {
                path: path.display().to_string(),
                reason: format!("larger than limits.seed-size = {}", limits.file),
            });
            return Ok(());
        }
        *total += text.len() as u64;
        if *total > limits.total.0 {
            bail!(
                "seeds: more than limits.seeds-total = {} in all; name a smaller folder or raise it",
                limits.total
            );
        }
        self.hashes.push(blake3::hash(&text).to_hex().to_string());
        self.seeds.push(Seed {
            name,
            text: text.into(),
            claim: None,
        });
        Ok(())
    }

    /// One hash over all names, contents and labels.
    pub fn digest(&self) -> String {
        let mut hasher = blake3::Hasher::new();
        for (seed, hash) in self.seeds.iter().zip(&self.hashes) {
            hasher.update(format!("{hash} {}\n", seed.name).as_bytes());
            if let Some(claim) = &seed.claim {
                hasher.update(format!("{claim}\n").as_bytes());
            }
        }
        hasher.finalize().to_hex().to_string()
    }
}

/// The last name of a folder with a slash: a seed's name begins with it,
/// since the folder that the user names may itself be `sat`.
fn folder_name(folder: &Path) -> String {
    let full = fs::canonicalize(if folder.as_os_str().is_empty() {
        Path::new(".")
    } else {
        folder
    });
    match full.as_deref().map(Path::file_name) {
        Ok(Some(name)) => format!("{}/", name.to_string_lossy()),
        _ => String::new(),
    }
}

/// The label files of the folders above a path, outermost first: somebody may
/// label a whole collection and then use a part of it.
fn labels_above(path: &Path) -> Vec<PathBuf> {
    let Ok(path) = fs::canonicalize(path) else {
        return Vec::new();
    };
    let above = path.ancestors().skip(1);
    let mut files: Vec<PathBuf> = above
        .map(|folder| folder.join(labels::FILE_NAME))
        .filter(|file| file.is_file())
        .collect();
    files.reverse();
    files
}

/// What lies below a folder.
struct Found<'a> {
    /// Seeds: name and path.
    files: &'a mut Vec<(String, PathBuf)>,
    label_files: &'a mut Vec<PathBuf>,
}

fn collect(
    folder: &Path,
    prefix: &str,
    language: &dyn Language,
    depth: usize,
    found: &mut Found<'_>,
) -> Result<()> {
    if depth > MAX_DEPTH {
        bail!(
            "seeds {}: folders nested deeper than {MAX_DEPTH}",
            folder.display()
        );
    }
    let context = || format!("seeds {}: cannot be read", folder.display());
    for entry in fs::read_dir(folder).with_context(context)? {
        let entry = entry.with_context(context)?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = entry.path();
        let kind = entry.file_type().with_context(context)?;
        // A link to a folder is not followed: it may lead back up.
        if kind.is_dir() {
            collect(
                &path,
                &format!("{prefix}{name}/"),
                language,
                depth + 1,
                found,
            )?;
            continue;
        }
        let extension = path.extension().and_then(|e| e.to_str()).unwrap_or("");
        if language.extensions().contains(&extension) && path.is_file() {
            found.files.push((format!("{prefix}{name}"), path));
        } else if name == labels::FILE_NAME && path.is_file() {
            found.label_files.push(path);
        }
    }
    Ok(())
}
