//! Getting targets: downloaded by the package clients of the machine,
//! unpacked into a cache folder of the user's, without root.
//!
//! Invariant: what is in its place in the cache is whole. Everything is made
//! in a work folder and renamed; two installs of the same version wait for
//! each other, and the second finds the work done.

mod archive;
mod available;
mod build;
mod choose;
mod debian;
mod doctor;
mod npm;
mod pypi;

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use flate2::read::GzDecoder;
use lydite_core::{Role, TargetName};

pub use crate::cache::{Cache, FileRecord, Installed, Manifest};
pub use archive::{Caps, Unpacking};
pub use available::{Available, Offer, available};
pub use choose::{ChosenTarget, VersionScope, Versions, WantedTarget, choose};
pub use doctor::{FamilyListing, Health, check_options, check_options_once, doctor, list};

use crate::tool;
use crate::{Also, Catalogue, Family, Get, ResolveError, SourceKind, Target, Version};

/// Installs what `name` means: the version, every version of a set, or the
/// newest that is offered. What is installed already is left alone. Gives all
/// of them, oldest first.
pub fn install(
    catalogue: &Catalogue,
    name: &TargetName,
    cache: &Cache,
    progress: &mut dyn FnMut(&str),
) -> Result<Vec<Target>> {
    let wanted = WantedTarget {
        name: name.clone(),
        role: Role::Tested,
        by_user: true,
    };
    let choices = choose(catalogue, &[wanted], VersionScope::Offered, cache, progress)?;
    let mut failures = Vec::new();
    let mut targets = Vec::new();
    for choice in choices {
        match install_exactly(catalogue, &choice.name, cache, progress) {
            Ok(target) => targets.push(target),
            Err(error) => failures.push(format!("{error:#}")),
        }
    }
    ensure!(failures.is_empty(), "{}", failures.join("\n"));
    Ok(targets)
}

/// The target of a name with exactly one version. It is installed if it is missing, or if it would
/// be made in another way today.
pub fn install_exactly(
    catalogue: &Catalogue,
    name: &TargetName,
    cache: &Cache,
    progress: &mut dyn FnMut(&str),
) -> Result<Target> {
    cache.sweep_dead()?;
    let family = catalogue.family(name)?;
    let here = |cache: &Cache| -> Result<Target, ResolveError> {
        let targets = catalogue.resolve(name, cache)?;
        let newest = targets.into_iter().next_back();
        newest.ok_or_else(|| ResolveError::NotInstalled { name: name.clone() })
    };
    let found = here(cache);
    if let Ok(target) = &found
        && is_current(catalogue, family, target.installed())
    {
        return Ok(found?);
    }
    let Some(offer) = offer_of(family, name, cache)? else {
        // It is here, and cannot be made anew.
        return Ok(found?);
    };
    let installed = install_offer(catalogue, family, &offer, cache, progress);
    installed.with_context(|| format!("target {name}"))?;
    Ok(here(cache)?)
}

/// The offer of exactly this version, from the last answer of the sources if
/// that has it.
fn offer_of(family: &Family, name: &TargetName, cache: &Cache) -> Result<Option<Offer>> {
    let set = crate::version_set(name)?;
    for refresh in [false, true] {
        let offers = available(family, cache, refresh).offers;
        let versions: Vec<Version> = offers.iter().map(|offer| offer.version.clone()).collect();
        if let Some(version) = set.select(&versions).pop() {
            return Ok(offers.into_iter().find(|offer| offer.version == version));
        }
    }
    Ok(None)
}

fn install_offer(
    catalogue: &Catalogue,
    family: &Family,
    offer: &Offer,
    cache: &Cache,
    progress: &mut dyn FnMut(&str),
) -> Result<()> {
    let get = &family.get[offer.source];
    if get.from == SourceKind::System {
        return Ok(());
    }
    let label = format!("{}@{}", family.family, offer.version);
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"-_.+~".contains(&b);
    let is_plain = offer.version.as_str().bytes().all(plain);
    ensure!(is_plain, "version `{}` is no plain name", offer.version);
    let _installing = cache.lock(&label)?;
    let here = cache.installed(family);
    let here = here.iter().find(|here| here.version == offer.version);
    if here.is_some_and(|here| here.check_binary().is_ok() && is_current(catalogue, family, here)) {
        return Ok(());
    }
    let work = cache.work()?;
    let folder = work.path().join("version");
    let root = folder.join("root");
    fs::create_dir_all(&root).with_context(|| root.display().to_string())?;
    progress(&format!(
        "{label}: getting {} {}",
        get.key(),
        offer.registry_version
    ));
    fetch(get, offer, work.path(), &root, cache)?;
    progress(&format!("{label}: unpacked"));
    make(get, offer, &files_of(catalogue, family, get)?, &folder)?;
    let place = cache.version_folder(family, &offer.version);
    cache.publish(&work, &folder, &place)?;
    progress(&format!("{label}: installed"));
    Ok(())
}

/// A file of ours that is placed: its name and its text.
type Placed = (String, String);

/// The driver of a source, if it has one, and what it wants beside it.
fn files_of(catalogue: &Catalogue, family: &Family, get: &Get) -> Result<Vec<Placed>> {
    let placed = |name: &String| Ok((name.clone(), catalogue.driver(family, name)?));
    get.files().map(placed).collect()
}

/// Makes what was unpacked below `folder` ready to run, and writes down what
/// is there.
fn make(get: &Get, offer: &Offer, files: &[Placed], folder: &Path) -> Result<()> {
    let root = folder.join("root");
    let built = build::build(get, files, &root)?;
    let python = match get.launch.iter().any(|word| word.contains("{python}")) {
        true => Some(tool::python()?),
        false => None,
    };
    let relative = |path: PathBuf| path.to_string_lossy().into_owned();
    let manifest = Manifest {
        format: Manifest::format(),
        version: offer.version.to_string(),
        key: get.key(),
        registry_version: offer.registry_version.clone(),
        recipe: recipe(get, files),
        bin: relative(real_path(&root, &built.bin)?),
        driver: built.driver.map(relative),
        python,
        files: crate::cache::record_files(&root)?,
    };
    manifest.save(folder)
}

/// The file behind a link, still relative to the root.
fn real_path(root: &Path, path: &Path) -> Result<PathBuf> {
    let real = fs::canonicalize(root.join(path)).with_context(|| path.display().to_string())?;
    let root = fs::canonicalize(root)?;
    let relative = real
        .strip_prefix(&root)
        .context("the binary lies outside")?;
    Ok(relative.to_path_buf())
}

/// True if the installed version was made as it would be made today.
fn is_current(catalogue: &Catalogue, family: &Family, installed: &Installed) -> bool {
    if installed.get.from == SourceKind::System {
        return true;
    }
    let Ok(files) = files_of(catalogue, family, &installed.get) else {
        return false;
    };
    let folder = installed.root.parent();
    let manifest = folder.and_then(|folder| Manifest::load(folder).ok());
    manifest.is_some_and(|manifest| manifest.recipe == recipe(&installed.get, &files))
}

/// Hash of what decides what an install makes; launch words, environment and
/// options are read from the target file at each run and do not count.
fn recipe(get: &Get, files: &[Placed]) -> String {
    let (driver, beside) = files.split_first().unzip();
    let mut parts = vec![
        get.key(),
        get.with.join(" "),
        get.bin.clone().unwrap_or_default(),
        get.link.join(" "),
        driver.map(|(_, text)| text.clone()).unwrap_or_default(),
    ];
    parts.extend(
        beside
            .unwrap_or_default()
            .iter()
            .map(|(_, text)| text.clone()),
    );
    parts.extend(get.also.iter().map(|also| format!("{also:?}")));
    blake3::hash(parts.join("\n").as_bytes())
        .to_hex()
        .to_string()
}

/// Brings the source's files below `root`.
fn fetch(get: &Get, offer: &Offer, work: &Path, root: &Path, cache: &Cache) -> Result<()> {
    let downloads = work.join("downloads");
    fs::create_dir_all(&downloads)?;
    let package = get.package.as_deref().unwrap_or_default();
    match get.from {
        SourceKind::Pypi | SourceKind::Npm => {
            let version = &offer.registry_version;
            fetch_package(get.from, package, version, &downloads, root)?;
            for (number, also) in get.also.iter().enumerate() {
                fetch_along(also, version, &work.join(format!("also-{number}")), root)?;
            }
            Ok(())
        }
        SourceKind::Debian => {
            let apt = debian::Apt::open(cache, false)?;
            let packages = apt.download(package, &offer.registry_version, &get.with, &downloads)?;
            debian::unpack(&packages, root)
        }
        SourceKind::Archive => {
            let path = get.path.as_deref().unwrap_or_default();
            unpack_archive(Path::new(path), root)
        }
        SourceKind::System => Ok(()),
    }
}

/// A package that comes along with `version` of another; `work` is a folder for it alone.
fn fetch_along(also: &Also, version: &str, work: &Path, root: &Path) -> Result<()> {
    let version = also.version_beside(version);
    fs::create_dir_all(work)?;
    let Some(into) = &also.into else {
        return fetch_package(also.from, &also.package, version, work, root);
    };
    let unpacked = work.join("unpacked");
    fs::create_dir(&unpacked)?;
    fetch_package(also.from, &also.package, version, work, &unpacked)?;
    let place = root.join(into);
    fs::create_dir_all(place.parent().context("a folder below the root")?)?;
    fs::rename(unpacked.join("package"), &place)
        .with_context(|| format!("{}: does not go to {into}", also.package))
}

/// One package of a registry, without what it depends on.
fn fetch_package(
    from: SourceKind,
    package: &str,
    version: &str,
    downloads: &Path,
    root: &Path,
) -> Result<()> {
    let archive = match from {
        SourceKind::Npm => npm::download(package, version, downloads)?,
        _ => pypi::download(package, version, downloads)?,
    };
    unpack_archive(&archive, root)
}

/// Unpacks by the name's ending: a folder is copied.
fn unpack_archive(path: &Path, root: &Path) -> Result<()> {
    let named = || path.display().to_string();
    let mut unpacking = Unpacking::new(root, Caps::default());
    if path.is_dir() {
        return copy_folder(path, &mut unpacking).with_context(named);
    }
    let name = path.to_string_lossy();
    let ends = |endings: &[&str]| endings.iter().any(|ending| name.ends_with(ending));
    let file = File::open(path).with_context(named)?;
    let unpacked = if ends(&[".zip", ".whl"]) {
        unpacking.zip(file)
    } else if ends(&[".tar.gz", ".tgz"]) {
        unpacking.tar(GzDecoder::new(std::io::BufReader::new(file)))
    } else if ends(&[".tar"]) {
        unpacking.tar(std::io::BufReader::new(file))
    } else {
        bail!(
            "{}: expected a folder, .zip, .whl, .tar or .tar.gz",
            named()
        )
    };
    unpacked.with_context(named)
}

/// A folder goes through the same gate as an archive, as a tar stream would.
fn copy_folder(folder: &Path, unpacking: &mut Unpacking<'_>) -> Result<()> {
    let mut folders = vec![folder.to_path_buf()];
    while let Some(current) = folders.pop() {
        let mut paths: Vec<PathBuf> = fs::read_dir(&current)?
            .filter_map(|entry| Some(entry.ok()?.path()))
            .collect();
        paths.sort();
        for path in paths {
            if fs::symlink_metadata(&path)?.is_dir() {
                folders.push(path);
            } else {
                unpacking.copy(folder, &path)?;
            }
        }
    }
    Ok(())
}
