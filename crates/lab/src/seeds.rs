//! Seeds: other people's files, read once, in an order that does not depend
//! on the file system.
//!
//! If there are more than may be held, some of them are: which ones is decided
//! by their names and the plan's seed alone, so it is the same on every machine,
//! and another seed of the plan gives others their turn.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use lydite_core::{Language, Seed};
use serde::{Deserialize, Serialize};

use crate::labels::{self, Labels};
use crate::named_file::open_file;
use lydite_core::quantity::Size;

/// How much may be read.
#[derive(Clone, Copy, Debug)]
pub struct SeedLimits {
    /// A larger file is left out and counted.
    pub file: Size,
    /// How much all files together may have; of more, a part is taken.
    pub total: Size,
    /// Decides which part.
    pub seed: u64,
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
    /// How many there were, if only a part of them was taken.
    pub sampled: Option<SampledFrom>,
}

/// The seeds that a part was taken of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SampledFrom {
    /// How many files there were.
    pub files: usize,
    /// Their size, all together.
    pub bytes: u64,
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
    /// Reads every file of `language` below `paths`, or a part of them. A path
    /// that is a file is taken whatever its name.
    pub fn read(paths: &[PathBuf], language: &dyn Language, limits: SeedLimits) -> Result<SeedSet> {
        let mut set = SeedSet::default();
        let mut labels = Labels::default();
        let mut files = Vec::new();
        for path in paths {
            let mut found = files_of(path, language)?;
            found.files.sort();
            found.label_files.sort();
            for path in &found.label_files {
                labels.add(path)?;
            }
            files.append(&mut found.files);
        }
        set.sampled = sample(&mut files, limits);
        let mut total = 0u64;
        for (name, file) in files {
            set.add(name, &file, limits, &mut total)?;
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
        let file = open_file(path).with_context(context)?;
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
        if *total > limits.total.0.saturating_add(limits.file.0) {
            bail!("seeds: they are larger than their folder says; is somebody writing to them?");
        }
        self.hashes.push(blake3::hash(&text).to_hex().to_string());
        self.seeds.push(Seed {
            name,
            text: text.into(),
            claim: None,
        });
        Ok(())
    }

    /// What is to be said where only a part was taken.
    pub fn sampling(&self) -> Option<String> {
        let from = self.sampled?;
        let bytes: u64 = self.seeds.iter().map(|seed| seed.text.len() as u64).sum();
        Some(format!(
            "{} of {} seeds are used, {} of {} (limits.seeds-total; --seed decides which)",
            self.seeds.len(),
            from.files,
            Size(bytes).rounded(),
            Size(from.bytes).rounded(),
        ))
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

/// The files of a path that is named among seeds.
fn files_of(path: &Path, language: &dyn Language) -> Result<Found> {
    let mut found = Found {
        files: Vec::new(),
        label_files: labels_above(path),
    };
    let meta =
        fs::metadata(path).with_context(|| format!("seeds {}: cannot be read", path.display()))?;
    if meta.is_dir() {
        collect(path, &folder_name(path), language, 0, &mut found)?;
        if found.files.is_empty() {
            bail!(
                "seeds {}: no file ending in .{} below this folder",
                path.display(),
                language.extensions().join(" or .")
            );
        }
    } else {
        let folder = path.parent().map(folder_name).unwrap_or_default();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        found
            .files
            .push((format!("{folder}{name}"), path.to_path_buf()));
    }
    Ok(found)
}

/// Leaves so many of the files that they have at most `limits.total` together,
/// in their order: the first by a hash of the seed and their names. Gives what there was, if that
/// was more.
fn sample(files: &mut Vec<(String, PathBuf)>, limits: SeedLimits) -> Option<SampledFrom> {
    let size = |path: &Path| fs::metadata(path).map_or(0, |meta| meta.len());
    let sizes: Vec<u64> = files.iter().map(|(_, path)| size(path)).collect();
    // Larger ones are left out for that reason, and said so.
    let held = |&bytes: &u64| bytes <= limits.file.0;
    let bytes: u64 = sizes.iter().copied().filter(held).sum();
    if bytes <= limits.total.0 {
        return None;
    }
    let from = SampledFrom {
        files: files.len(),
        bytes,
    };
    let rank = |name: &str| {
        let mut hasher = blake3::Hasher::new();
        hasher.update(&limits.seed.to_le_bytes());
        hasher.update(name.as_bytes());
        *hasher.finalize().as_bytes()
    };
    let mut order: Vec<([u8; 32], usize)> = files
        .iter()
        .enumerate()
        .map(|(number, (name, _))| (rank(name), number))
        .collect();
    order.sort_unstable();
    let mut taken = vec![false; files.len()];
    let mut left = limits.total.0;
    for (_, number) in order {
        let bytes = sizes[number];
        if held(&bytes) && bytes <= left {
            left -= bytes;
            taken[number] = true;
        }
    }
    let mut number = 0;
    files.retain(|_| {
        number += 1;
        taken[number - 1]
    });
    Some(from)
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
struct Found {
    /// Seeds: name and path.
    files: Vec<(String, PathBuf)>,
    label_files: Vec<PathBuf>,
}

fn collect(
    folder: &Path,
    prefix: &str,
    language: &dyn Language,
    depth: usize,
    found: &mut Found,
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

#[cfg(test)]
mod tests {
    use super::*;

    fn limits(total: u64, seed: u64) -> SeedLimits {
        SeedLimits {
            file: Size(100),
            total: Size(total),
            seed,
        }
    }

    #[test]
    fn of_too_many_seeds_a_part_is_taken_that_their_names_decide() {
        let folder = tempfile::tempdir().unwrap();
        let mut files = Vec::new();
        for number in 0..200 {
            let path = folder.path().join(format!("{number:03}.c"));
            fs::write(&path, "0123456789").unwrap();
            files.push((format!("x/{number:03}.c"), path));
        }
        let taken = |total: u64, seed: u64| {
            let mut files = files.clone();
            let from = sample(&mut files, limits(total, seed));
            let names: Vec<String> = files.into_iter().map(|(name, _)| name).collect();
            (from, names)
        };
        assert_eq!(taken(2000, 1).0, None);
        assert_eq!(taken(2000, 1).1.len(), 200);
        let (from, names) = taken(505, 1);
        let all = SampledFrom {
            files: 200,
            bytes: 2000,
        };
        assert_eq!(from, Some(all));
        assert_eq!(names.len(), 50);
        assert!(names.is_sorted());
        assert_eq!(taken(505, 1).1, names);
        assert_ne!(taken(505, 2).1, names);
        // A part of a part: more room adds seeds and takes none away.
        let more = taken(1000, 1).1;
        assert!(names.iter().all(|name| more.contains(name)));
    }
}
