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
mod crates;
mod debian;
mod doctor;
mod npm;
mod package;
mod pypi;
mod source;

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use flate2::read::GzDecoder;
use lydite_core::{Role, TargetName};

pub use crate::cache::{Cache, FileRecord, Installed, Manifest};
pub use archive::{Caps, Place, Unpacking};
pub use available::{Available, Offer, available};
pub(crate) use build::glob;
pub use choose::{ChosenTarget, VersionScope, Versions, WantedTarget, choose};
pub use doctor::{FamilyListing, Health, check_options, check_options_once, doctor, list};

pub(crate) use package::pick;
pub use package::{PackageOrigin, SourcePackage};

use crate::tool;
use crate::{Also, Build, Catalogue, Family, Get, ResolveError, SourceKind, Target, Version};

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
        && is_current(catalogue, target)
    {
        return Ok(found?);
    }
    let Some(offer) = offer_of(family, name, cache)? else {
        // It is here, and cannot be made anew.
        return Ok(found?);
    };
    let build = family.build_name(name.variant.as_deref());
    let installed = install_offer(catalogue, family, build, &offer, cache, progress);
    installed.with_context(|| format!("target {name}"))?;
    Ok(here(cache)?)
}

/// The offer of exactly this version, from the last answer of the sources if
/// that has it.
fn offer_of(family: &Family, name: &TargetName, cache: &Cache) -> Result<Option<Offer>> {
    let set = crate::version_set(name)?;
    for refresh in [false, true] {
        let build = family.build_name(name.variant.as_deref());
        let offers = available(family, build.is_some(), cache, refresh).offers;
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
    build: Option<&str>,
    offer: &Offer,
    cache: &Cache,
    progress: &mut dyn FnMut(&str),
) -> Result<()> {
    let get = &family.get[offer.source];
    if get.from == SourceKind::System {
        return Ok(());
    }
    cache.check_room()?;
    let label = label_of(family, build, offer)?;
    let _installing = cache.lock(&label)?;
    let made_of = made_of(catalogue, family, build, get)?;
    let here = cache.installed(family, build);
    let here = here.iter().find(|here| here.version == offer.version);
    if here.is_some_and(|here| here.check_binary().is_ok() && was_made_of(here, &made_of)) {
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
    match build_of(get) {
        None => {
            fetch(get, offer, work.path(), &root, cache)?;
            progress(&format!("{label}: unpacked"));
        }
        Some(steps) => {
            let order = source::BuildOrder {
                get,
                build: &steps,
                flags: &flags_of(family, build, &steps),
                version: &offer.registry_version,
                label: &label,
                made_of: format!("{made_of} {}", offer.registry_version),
                cache,
            };
            source::build(&order, &root, progress)?;
        }
    }
    let files = files_of(catalogue, family, get)?;
    make(get, offer, &files, made_of, &folder)?;
    let place = cache.version_folder(family, build, &offer.version);
    cache.publish(&work, &folder, &place)?;
    progress(&format!("{label}: installed"));
    Ok(())
}

/// The name of what is installed: a version, or a build of it.
fn label_of(family: &Family, build: Option<&str>, offer: &Offer) -> Result<String> {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"-_.+~".contains(&b);
    let is_plain = offer.version.as_str().bytes().all(plain);
    ensure!(is_plain, "version `{}` is no plain name", offer.version);
    let label = TargetName {
        family: family.family.clone(),
        version: Some(offer.version.to_string()),
        variant: build.map(str::to_string),
    };
    Ok(label.to_string())
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
fn make(get: &Get, offer: &Offer, files: &[Placed], made_of: String, folder: &Path) -> Result<()> {
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
        recipe: made_of,
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

/// True if the target was made as it would be made today.
fn is_current(catalogue: &Catalogue, target: &Target) -> bool {
    let (family, installed) = (target.family(), target.installed());
    if installed.get.from == SourceKind::System {
        return true;
    }
    let build = family.build_name(target.name.variant.as_deref());
    let today = made_of(catalogue, family, build, &installed.get);
    today.is_ok_and(|today| was_made_of(installed, &today))
}

fn was_made_of(installed: &Installed, made_of: &str) -> bool {
    let folder = installed.root.parent();
    let manifest = folder.and_then(|folder| Manifest::load(folder).ok());
    manifest.is_some_and(|manifest| manifest.recipe == made_of)
}

/// Hash of what decides what an install of a source makes: for a build also its
/// commands and flags, and the state of a source of the user's.
fn made_of(
    catalogue: &Catalogue,
    family: &Family,
    build: Option<&str>,
    get: &Get,
) -> Result<String> {
    let recipe = recipe(get, &files_of(catalogue, family, get)?);
    let Some(steps) = build_of(get) else {
        return Ok(recipe);
    };
    let local = match (get.from, get.registry, &get.path) {
        (SourceKind::Source, None, Some(path)) => {
            ensure!(
                Path::new(path).exists(),
                "{path}: there is no such source (`path` of its [[get]])"
            );
            source::digest_of(Path::new(path))?
        }
        _ => String::new(),
    };
    let parts = [
        recipe,
        format!("{steps:?}"),
        flags_of(family, build, &steps),
        local,
    ];
    let hash = blake3::hash(parts.join("\n").as_bytes());
    Ok(hash.to_hex().to_string())
}

/// How a source is built, if it is.
fn build_of(get: &Get) -> Option<Build> {
    match get.from {
        SourceKind::Crates => Some(Build::of_crate(get.build.as_ref())),
        _ => get.build.clone(),
    }
}

/// The flags of a build: the variant's, else those of the target file.
fn flags_of(family: &Family, build: Option<&str>, steps: &Build) -> String {
    let variant = build.and_then(|build| family.variant.get(build));
    let flags = variant.and_then(|variant| variant.flags.clone());
    flags.unwrap_or_else(|| steps.flags.clone())
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
    if get.original {
        parts.push("original".to_string());
    }
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
        SourceKind::System | SourceKind::Crates | SourceKind::Source => Ok(()),
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
    } else if ends(&[".tar.gz", ".tgz", ".crate"]) {
        unpacking.tar(GzDecoder::new(std::io::BufReader::new(file)))
    } else if ends(&[".tar.xz", ".txz"]) {
        package::through("xz", path, |stream| unpacking.tar(stream))
    } else if ends(&[".tar.bz2", ".tbz2"]) {
        package::through("bzip2", path, |stream| unpacking.tar(stream))
    } else if ends(&[".tar"]) {
        unpacking.tar(std::io::BufReader::new(file))
    } else {
        bail!(
            "{}: expected a folder, .zip, .whl, .tar, or .tar with .gz, .xz or .bz2",
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
