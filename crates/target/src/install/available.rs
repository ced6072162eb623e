//! Which versions the sources of a family offer. Asking takes seconds, so
//! the answer is kept for a day.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use anyhow::{Context, Result};
use serde::Serialize;

use super::{crates, debian, npm, pypi};
use crate::cache::Cache;
use crate::system;
use crate::{Family, Get, PackageRegistry, SourceKind, Version};

/// How long an answer is good for.
const LASTS: Duration = Duration::from_secs(24 * 3600);

/// A version that a source offers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Offer {
    /// The version, as we write it.
    pub version: Version,
    /// The version, as the registry writes it.
    pub registry_version: String,
    /// Index into [`Family::get`].
    pub source: usize,
}

/// What is offered, and what went wrong in asking.
#[derive(Clone, Debug, Default)]
pub struct Available {
    /// One offer per version, of the first source that has it; oldest version first.
    pub offers: Vec<Offer>,
    /// One sentence per source that could not be asked.
    pub problems: Vec<String>,
}

/// What is offered of a family, or of its builds. `refresh` asks again although
/// the last answer is less than a day old.
pub fn available(family: &Family, build: bool, cache: &Cache, refresh: bool) -> Available {
    let mut available = Available::default();
    for (source, get) in family.sources(build) {
        match registry_versions(family, get, cache, refresh) {
            Ok(versions) if versions.is_empty() && get.package.is_some() => {
                let problem = format!("{}: there is no such package", get.key());
                available.problems.push(problem);
            }
            Ok(versions) => add(&mut available.offers, get, source, versions),
            Err(error) => available.problems.push(format!("{}: {error:#}", get.key())),
        }
    }
    available.offers.sort_by(|a, b| a.version.cmp(&b.version));
    available
}

fn add(offers: &mut Vec<Offer>, get: &Get, source: usize, mut versions: Vec<String>) {
    // Of several releases of one version (`.post1`, `.post2`) the newest.
    versions.sort_by_key(|version| std::cmp::Reverse(Version::new(version.clone())));
    for registry_version in versions {
        let of_debian =
            get.from == SourceKind::Debian || get.registry == Some(PackageRegistry::Debian);
        let theirs = match of_debian && get.version_pattern.is_none() {
            true => debian::upstream(&registry_version),
            false => &registry_version,
        };
        let Some(version) = get.own_version(theirs) else {
            continue;
        };
        if !offers.iter().any(|offer| offer.version == version) {
            offers.push(Offer {
                version,
                registry_version,
                source,
            });
        }
    }
}

fn registry_versions(
    family: &Family,
    get: &Get,
    cache: &Cache,
    refresh: bool,
) -> Result<Vec<String>> {
    let package = get.package.as_deref().unwrap_or_default();
    match get.from {
        SourceKind::Pypi => remembered(cache, &get.key(), refresh, || pypi::versions(package)),
        SourceKind::Npm => remembered(cache, &get.key(), refresh, || npm::versions(package)),
        SourceKind::Debian => remembered(cache, &get.key(), refresh, || {
            debian::Apt::open(cache, refresh)?.versions(package)
        }),
        SourceKind::Crates => remembered(cache, &get.key(), refresh, || crates::versions(package)),
        // Nobody has to be asked.
        SourceKind::Source if get.release.is_some() => {
            Ok(get.release.clone().into_iter().collect())
        }
        SourceKind::Source => match get.registry {
            Some(PackageRegistry::Debian) => remembered(cache, &get.key(), refresh, || {
                debian::Apt::open_sources(cache, refresh)?.versions(package)
            }),
            Some(PackageRegistry::Pypi) => remembered(cache, &get.key(), refresh, || {
                pypi::source_versions(package)
            }),
            Some(PackageRegistry::Npm) => {
                remembered(cache, &get.key(), refresh, || npm::versions(package))
            }
            Some(PackageRegistry::Crates) => {
                remembered(cache, &get.key(), refresh, || crates::versions(package))
            }
            None => Ok(get.version.clone().into_iter().collect()),
        },
        SourceKind::System => {
            let installed = system::installed(family).into_iter();
            let own = installed.filter(|installed| installed.get.key() == get.key());
            Ok(own.map(|installed| installed.version.to_string()).collect())
        }
        SourceKind::Archive => Ok(get.version.clone().into_iter().collect()),
    }
}

/// Answers by source.
type OffersBySource = BTreeMap<String, Vec<String>>;

pub(super) fn remembered(
    cache: &Cache,
    key: &str,
    refresh: bool,
    ask: impl FnOnce() -> Result<Vec<String>>,
) -> Result<Vec<String>> {
    let name: String = key
        .chars()
        .map(|c| {
            if c.is_ascii_alphanumeric() || "-.".contains(c) {
                c
            } else {
                '_'
            }
        })
        .collect();
    let path = cache.folder("available")?.join(format!("{name}.json"));
    if !refresh && let Some(versions) = recall(&path, key) {
        return Ok(versions);
    }
    let versions = ask()?;
    let memory = OffersBySource::from([(key.to_string(), versions.clone())]);
    // Written beside and renamed: another process may be reading.
    let fresh = path.with_extension(format!("{}.tmp", std::process::id()));
    fs::write(&fresh, serde_json::to_vec(&memory)?).with_context(|| fresh.display().to_string())?;
    fs::rename(&fresh, &path).with_context(|| path.display().to_string())?;
    Ok(versions)
}

/// A young enough answer; what cannot be read is asked for again.
fn recall(path: &PathBuf, key: &str) -> Option<Vec<String>> {
    let written = fs::metadata(path).ok()?.modified().ok()?;
    let age = SystemTime::now().duration_since(written).ok()?;
    if age > LASTS {
        return None;
    }
    let mut memory: OffersBySource = serde_json::from_slice(&fs::read(path).ok()?).ok()?;
    memory.remove(key)
}
