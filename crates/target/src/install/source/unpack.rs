//! Bringing the source of a build, and the tools that it needs.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::super::{crates, debian, fetch_along, npm, pypi, unpack_archive};
use super::BuildOrder;
use crate::{Get, PackageRegistry, SourceKind};

/// Brings the source into `folder/source`, and the tools that the system may
/// lack into `folder/tools`.
pub(super) fn unpack(order: &BuildOrder<'_>, folder: &Path) -> Result<()> {
    let source = folder.join("source");
    for left in ["source", "tools", "downloads", "unpacked"] {
        let left = folder.join(left);
        if left.exists() {
            fs::remove_dir_all(&left).with_context(|| left.display().to_string())?;
        }
    }
    let downloads = folder.join("downloads");
    fs::create_dir(&downloads)?;
    let package = order.get.package.as_deref().unwrap_or_default();
    match (order.get.from, order.get.registry) {
        // cargo gets what it builds by itself.
        (SourceKind::Crates, _) => fs::create_dir(&source)?,
        (_, Some(PackageRegistry::Debian)) if order.get.original => {
            let apt = debian::Apt::open_sources(order.cache, false)?;
            apt.download_original(package, order.version, &downloads)?;
            unpack_whole(&debian::main_archive(&downloads)?, folder, &source)?;
        }
        (_, Some(PackageRegistry::Debian)) => {
            let apt = debian::Apt::open_sources(order.cache, false)?;
            apt.unpack_source(package, order.version, &downloads, &source)?;
        }
        (_, Some(PackageRegistry::Pypi)) => {
            let archive = pypi::download_source(package, order.version, &downloads)?;
            unpack_whole(&archive, folder, &source)?;
        }
        (_, Some(PackageRegistry::Npm)) => {
            let archive = npm::download(package, order.version, &downloads)?;
            unpack_whole(&archive, folder, &source)?;
        }
        (_, Some(PackageRegistry::Crates)) => {
            let archive = crates::download(package, order.version)?;
            unpack_whole(&archive, folder, &source)?;
        }
        (_, None) => {
            let path = order.get.path.as_deref().unwrap_or_default();
            unpack_whole(Path::new(path), folder, &source)?;
        }
    }
    unpack_tools(order, folder, &downloads)?;
    fs::remove_dir_all(&downloads).with_context(|| downloads.display().to_string())
}

/// Brings the tools of the build into `folder/tools`: packages of Debian that
/// the system may lack, and those of other registries.
fn unpack_tools(order: &BuildOrder<'_>, folder: &Path, downloads: &Path) -> Result<()> {
    let get = order.get;
    if !has_tools(get) {
        return Ok(());
    }
    let tools = folder.join("tools");
    fs::create_dir(&tools)?;
    for (number, also) in get.also.iter().enumerate() {
        let place = downloads.join(format!("also-{number}"));
        fetch_along(also, order.version, &place, &tools)?;
    }
    if get.with.is_empty() {
        return Ok(());
    }
    let apt = debian::Apt::open(order.cache, false)?;
    for (number, name) in get.with.iter().enumerate() {
        let place = downloads.join(format!("tool-{number}"));
        fs::create_dir(&place)?;
        let versions = apt.versions(name)?;
        let version = versions
            .first()
            .with_context(|| format!("no package `{name}`"))?;
        let packages = apt.download(name, version, &[], &place)?;
        debian::unpack(&packages, &tools)?;
    }
    Ok(())
}

/// True if the build has tools that the system may lack.
pub(super) fn has_tools(get: &Get) -> bool {
    !get.with.is_empty() || !get.also.is_empty()
}

/// Unpacks an archive or copies a folder; where all of it lies in one folder,
/// as in most archives, that folder is the source.
fn unpack_whole(path: &Path, folder: &Path, source: &Path) -> Result<()> {
    let unpacked = folder.join("unpacked");
    fs::create_dir(&unpacked)?;
    unpack_archive(path, &unpacked)?;
    let entries: Vec<PathBuf> = fs::read_dir(&unpacked)?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .collect();
    match entries.as_slice() {
        [only] if only.is_dir() && !path.is_dir() => {
            fs::rename(only, source)?;
            fs::remove_dir(&unpacked)?;
        }
        _ => fs::rename(&unpacked, source)?,
    }
    Ok(())
}
