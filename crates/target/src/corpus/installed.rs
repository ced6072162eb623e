//! Corpora that are in the cache.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};

use super::file::Corpus;
use crate::Version;
use crate::install::Cache;

/// The version of the manifest's format.
pub(super) const FORMAT: u32 = 1;

/// What `manifest.json` of a corpus holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CorpusManifest {
    /// The version of this format.
    pub format: u32,
    /// The corpus.
    pub corpus: String,
    /// Its version, as we write it.
    pub version: String,
    /// The package, such as `crates solang-parser`.
    pub package: String,
    /// The version, as the registry writes it.
    pub registry_version: String,
    /// [`Corpus::recipe`] of the file that it was made by.
    pub recipe: String,
    /// The language of the programs.
    pub language: String,
    /// The licence, by its SPDX name.
    pub licence: String,
    /// What was downloaded.
    pub archives: Vec<ArchiveRecord>,
    /// How many seeds there are.
    pub files: u64,
    /// Their size, all together.
    pub bytes: u64,
    /// Hash over the names and contents of all seeds.
    pub blake3: String,
    /// Files whose content another seed has.
    pub copies: u64,
    /// Files that hold no program.
    pub empty: u64,
}

/// An archive that a corpus was made of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ArchiveRecord {
    /// Its file name.
    pub name: String,
    /// Its size in bytes.
    pub bytes: u64,
    /// The hash of its content.
    pub blake3: String,
}

/// A corpus in the cache.
#[derive(Clone, Debug)]
pub struct InstalledCorpus {
    /// The folder of its seeds.
    pub seeds: PathBuf,
    /// What it is and where it came from.
    pub manifest: CorpusManifest,
}

/// The folder of one version.
pub(super) fn version_folder(cache: &Cache, corpus: &str, version: &str) -> PathBuf {
    cache.root().join("corpora").join(corpus).join(version)
}

/// What is installed of a corpus as its file is today, oldest version first.
pub fn installed(corpus: &Corpus, cache: &Cache) -> Result<Vec<InstalledCorpus>> {
    let recipe = corpus.recipe()?;
    let Ok(entries) = fs::read_dir(cache.root().join("corpora").join(&corpus.corpus)) else {
        return Ok(Vec::new());
    };
    let folders = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let mut found: Vec<InstalledCorpus> = folders
        .filter_map(|folder| {
            let manifest = load(&folder).ok()?;
            let current = manifest.recipe == recipe && manifest.corpus == corpus.corpus;
            current.then(|| InstalledCorpus {
                seeds: folder.join(&corpus.corpus),
                manifest,
            })
        })
        .collect();
    found.sort_by_key(|one| Version::new(one.manifest.version.clone()));
    Ok(found)
}

fn load(folder: &Path) -> Result<CorpusManifest> {
    let path = folder.join("manifest.json");
    let text = fs::read(&path).with_context(|| path.display().to_string())?;
    let manifest: CorpusManifest = serde_json::from_slice(&text)?;
    ensure!(manifest.format == FORMAT, "another format");
    Ok(manifest)
}
