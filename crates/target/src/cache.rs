//! The folder that installed targets live in.
//!
//! `targets/FAMILY/VERSION/` holds one installed version: `manifest.json` and
//! the unpacked `root/`. It appears there by one rename, so it is whole or
//! absent whenever a process is killed. `builds/FAMILY/VARIANT/VERSION/` is the
//! same for a variant that is a build of its own. `work/` holds installs under
//! way; each is locked by its process, and what nobody locks is swept. `building/`
//! holds builds under way, which go on where they were stopped; `logs/` has what
//! they print. `locks/` serialises installs of the same version.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::UNIX_EPOCH;

use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};

use crate::{Family, Get, Version};

/// The version of the manifest's format.
const FORMAT: u32 = 1;

/// How much has to be free on the disk before anything is installed: on a full one package
/// clients wait for ever, and compilers fail with all kinds of words.
const LEAST_FREE_BYTES: u64 = 128 << 20;

/// The folder that installed targets live in.
#[derive(Clone, Debug)]
pub struct Cache {
    root: PathBuf,
}

/// One installed version.
#[derive(Clone, Debug)]
pub struct Installed {
    /// Its version.
    pub version: Version,
    /// Where it was unpacked; `/` for a command of the system.
    pub root: PathBuf,
    /// The binary, or the driver that stands for it.
    pub bin: PathBuf,
    /// The driver, if the source has one.
    pub driver: Option<PathBuf>,
    /// The interpreter that it was installed for, if it needs one.
    pub python: Option<PathBuf>,
    /// The source that it came from.
    pub get: Get,
    /// The source and the registry's version, for people.
    pub source: String,
    /// The binary as it was when it was installed; none for a command of the
    /// system, which others may upgrade.
    pub binary: Option<FileRecord>,
}

/// What `manifest.json` holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// The version of this format.
    pub format: u32,
    /// The version, as we write it.
    pub version: String,
    /// [`Get::key`] of the source.
    pub key: String,
    /// The version, as the registry writes it.
    pub registry_version: String,
    /// Hash of everything that decided what was made: the source and the driver.
    pub recipe: String,
    /// The binary, relative to the root.
    pub bin: String,
    /// The driver, relative to the root.
    pub driver: Option<String>,
    /// The interpreter that it was installed for.
    pub python: Option<PathBuf>,
    /// Every file below the root.
    pub files: Vec<FileRecord>,
}

/// One installed file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileRecord {
    /// The path of the file, relative to the root.
    pub path: String,
    /// Its size in bytes.
    pub bytes: u64,
    /// Its time of change, in nanoseconds.
    pub changed: u128,
    /// The hash of its contents.
    pub blake3: String,
}

/// A folder for one install under way, removed when dropped.
#[derive(Debug)]
pub(crate) struct WorkFolder {
    folder: PathBuf,
    lock_path: PathBuf,
    /// Held for as long as the install lives; the kernel lets go of it when
    /// the process dies.
    _lock: File,
}

impl Cache {
    /// The cache of this user: `$LYDITE_CACHE`, `$XDG_CACHE_HOME/lydite` or `~/.cache/lydite`.
    pub fn open() -> Result<Cache> {
        let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
        let root = variable("LYDITE_CACHE")
            .map(PathBuf::from)
            .or_else(|| Some(PathBuf::from(variable("XDG_CACHE_HOME")?).join("lydite")))
            .or_else(|| Some(PathBuf::from(variable("HOME")?).join(".cache/lydite")))
            .context("no cache folder: set LYDITE_CACHE, XDG_CACHE_HOME or HOME")?;
        Ok(Cache::at(std::path::absolute(root)?))
    }

    /// A cache in a folder of one's own, made when it is needed.
    pub fn at(root: impl Into<PathBuf>) -> Cache {
        Cache { root: root.into() }
    }

    /// The folder.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// A folder inside the cache, made if it is not there.
    pub(crate) fn folder(&self, name: &str) -> Result<PathBuf> {
        let folder = self.root.join(name);
        fs::create_dir_all(&folder)
            .with_context(|| format!("cache {}: cannot write", folder.display()))?;
        Ok(folder)
    }

    /// An error if the disk is as good as full.
    pub(crate) fn check_room(&self) -> Result<()> {
        let folder = self.folder("work")?;
        let disk = rustix::fs::statvfs(&folder).with_context(|| folder.display().to_string())?;
        // Some file systems do not say how large they are.
        match disk.f_blocks {
            0 => Ok(()),
            _ => enough(disk.f_bavail.saturating_mul(disk.f_frsize), &self.root),
        }
    }

    /// What is installed of a family, or of a build of it, oldest first. What
    /// has no readable manifest, or comes from a source that the family no
    /// longer names, is not installed.
    pub fn installed(&self, family: &Family, build: Option<&str>) -> Vec<Installed> {
        let Ok(entries) = fs::read_dir(self.family_folder(family, build)) else {
            return Vec::new();
        };
        let folders = entries.filter_map(|entry| Some(entry.ok()?.path()));
        let mut installed: Vec<Installed> = folders
            .filter_map(|folder| {
                let manifest = Manifest::load(&folder).ok()?;
                installed_from(&folder, &manifest, family)
            })
            .collect();
        installed.sort_by(|a, b| a.version.cmp(&b.version));
        installed
    }

    /// The folder of one version, or of a build of it.
    pub fn version_folder(
        &self,
        family: &Family,
        build: Option<&str>,
        version: &Version,
    ) -> PathBuf {
        self.family_folder(family, build).join(version.as_str())
    }

    fn family_folder(&self, family: &Family, build: Option<&str>) -> PathBuf {
        match build {
            None => self.root.join("targets").join(&family.family),
            Some(build) => self.root.join("builds").join(&family.family).join(build),
        }
    }

    /// Waits until nobody else works on `name`; released when dropped.
    pub(crate) fn lock(&self, name: &str) -> Result<File> {
        let path = self.folder("locks")?.join(format!("{name}.lock"));
        let file = open_lock(&path).with_context(|| path.display().to_string())?;
        file.lock().with_context(|| path.display().to_string())?;
        Ok(file)
    }

    /// A fresh folder for an install; sweeps those of dead ones.
    pub(crate) fn work(&self) -> Result<WorkFolder> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let work = self.folder("work")?;
        // Between making a lock file and locking it, it looks abandoned.
        let _sweeping = self.lock("work")?;
        sweep(&work);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("{}-{number}", std::process::id());
        let lock_path = work.join(format!("{name}.lock"));
        let folder = work.join(&name);
        let lock = open_lock(&lock_path).with_context(|| lock_path.display().to_string())?;
        // Another process of our number in another container may own it.
        ensure!(
            lock.try_lock().is_ok(),
            "cache {}: in use",
            folder.display()
        );
        fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
        Ok(WorkFolder {
            folder,
            lock_path,
            _lock: lock,
        })
    }

    /// Removes what dead installs left behind, if there is anything.
    pub(crate) fn sweep_dead(&self) -> Result<()> {
        let work = self.root.join("work");
        let is_empty = fs::read_dir(&work).map_or(true, |mut entries| entries.next().is_none());
        if !is_empty {
            let _sweeping = self.lock("work")?;
            sweep(&work);
        }
        Ok(())
    }

    /// Moves what is ready in `from` to its place, by one rename.
    pub(crate) fn publish(&self, work: &WorkFolder, from: &Path, to: &Path) -> Result<()> {
        let parent = to.parent().context("a version lies in a family")?;
        fs::create_dir_all(parent).with_context(|| parent.display().to_string())?;
        if to.exists() {
            fs::rename(to, work.path().join("replaced"))
                .with_context(|| to.display().to_string())?;
        }
        fs::rename(from, to).with_context(|| to.display().to_string())?;
        sync_folder(parent)
    }
}

fn enough(free: u64, root: &Path) -> Result<()> {
    ensure!(
        free >= LEAST_FREE_BYTES,
        "cache {}: only {} MB are free on its disk: make room, or set LYDITE_CACHE",
        root.display(),
        free >> 20
    );
    Ok(())
}

fn open_lock(path: &Path) -> io::Result<File> {
    File::options()
        .create(true)
        .truncate(false)
        .write(true)
        .open(path)
}

/// Removes the folders of installs whose process is dead.
fn sweep(work: &Path) {
    let Ok(entries) = fs::read_dir(work) else {
        return;
    };
    for path in entries.filter_map(|entry| Some(entry.ok()?.path())) {
        let is_lock = path
            .extension()
            .is_some_and(|extension| extension == "lock");
        let lock = if is_lock {
            path.clone()
        } else {
            path.with_extension("lock")
        };
        // What cannot be opened or removed is left for a later sweep.
        let Ok(file) = open_lock(&lock) else { continue };
        if file.try_lock().is_ok() {
            let _ = fs::remove_dir_all(lock.with_extension(""));
            let _ = fs::remove_file(&lock);
        }
    }
}

impl WorkFolder {
    /// The folder.
    pub(crate) fn path(&self) -> &Path {
        &self.folder
    }
}

impl Drop for WorkFolder {
    fn drop(&mut self) {
        // What stays behind is swept by the next install.
        let _ = fs::remove_dir_all(&self.folder);
        let _ = fs::remove_file(&self.lock_path);
    }
}

impl Manifest {
    /// Reads the manifest of an installed version.
    pub fn load(folder: &Path) -> Result<Manifest> {
        let path = folder.join("manifest.json");
        let text = fs::read(&path).with_context(|| path.display().to_string())?;
        let manifest: Manifest =
            serde_json::from_slice(&text).with_context(|| path.display().to_string())?;
        ensure!(
            manifest.format == FORMAT,
            "{}: format {} is not {FORMAT}",
            path.display(),
            manifest.format
        );
        Ok(manifest)
    }

    /// Writes it, to last.
    pub(crate) fn save(&self, folder: &Path) -> Result<()> {
        let path = folder.join("manifest.json");
        let mut file = File::create(&path).with_context(|| path.display().to_string())?;
        file.write_all(&serde_json::to_vec_pretty(self)?)?;
        file.sync_all()?;
        sync_folder(folder)
    }

    /// The current format.
    pub(crate) fn format() -> u32 {
        FORMAT
    }

    /// Compares every file below the root with what was installed. The first
    /// difference is the error.
    pub fn check_files(&self, folder: &Path) -> Result<()> {
        let root = folder.join("root");
        self.files.iter().try_for_each(|record| {
            let hash = hash_file(&root.join(&record.path))
                .with_context(|| format!("file {}: missing", record.path))?;
            ensure!(
                hash == record.blake3,
                "file {}: changed since it was installed",
                record.path
            );
            Ok(())
        })
    }
}

fn installed_from(folder: &Path, manifest: &Manifest, family: &Family) -> Option<Installed> {
    let version = Version::new(manifest.version.clone());
    let get = family
        .get
        .iter()
        .find(|get| get.key() == manifest.key && get.versions.contains(&version))?;
    let root = folder.join("root");
    let binary = manifest.files.iter().find(|f| f.path == manifest.bin);
    Some(Installed {
        bin: root.join(&manifest.bin),
        driver: manifest.driver.as_ref().map(|driver| root.join(driver)),
        python: manifest.python.clone(),
        source: format!("{} {}", manifest.key, manifest.registry_version),
        binary: binary.cloned(),
        get: get.clone(),
        version,
        root,
    })
}

impl Installed {
    /// An error if the binary is not what was installed. Contents are compared only where the time
    /// of change differs, so this is cheap.
    pub fn check_binary(&self) -> Result<()> {
        let Some(record) = &self.binary else {
            return Ok(());
        };
        let named = || format!("{}: missing", self.bin.display());
        let metadata = fs::metadata(&self.bin).with_context(named)?;
        if metadata.len() == record.bytes && changed(&metadata) == record.changed {
            return Ok(());
        }
        ensure!(
            hash_file(&self.bin)? == record.blake3,
            "{}: changed since it was installed",
            self.bin.display()
        );
        Ok(())
    }

    /// The hash of the driver as it is now; empty without one.
    pub fn driver_hash(&self) -> Result<String> {
        match &self.driver {
            Some(driver) => hash_file(driver).with_context(|| driver.display().to_string()),
            None => Ok(String::new()),
        }
    }

    /// The hash of the binary as it is now.
    pub fn hash(&self) -> Result<String> {
        match &self.binary {
            Some(record) => Ok(record.blake3.clone()),
            None => hash_file(&self.bin).with_context(|| self.bin.display().to_string()),
        }
    }
}

/// Every regular file below `root`, in the order of paths.
pub(crate) fn record_files(root: &Path) -> Result<Vec<FileRecord>> {
    let mut records = Vec::new();
    let mut folders = vec![root.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).with_context(|| folder.display().to_string())? {
            let entry = entry?;
            let (path, kind) = (entry.path(), entry.file_type()?);
            if kind.is_dir() {
                folders.push(path);
            } else if kind.is_file() {
                let metadata = entry.metadata()?;
                let relative = path.strip_prefix(root)?;
                records.push(FileRecord {
                    path: relative.to_string_lossy().into_owned(),
                    bytes: metadata.len(),
                    changed: changed(&metadata),
                    blake3: hash_file(&path)?,
                });
            }
        }
    }
    records.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(records)
}

fn changed(metadata: &fs::Metadata) -> u128 {
    let since = metadata
        .modified()
        .ok()
        .and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    since.map_or(0, |since| since.as_nanos())
}

/// The hash of a file's contents.
pub(crate) fn hash_file(path: &Path) -> io::Result<String> {
    let mut file = File::open(path)?;
    let mut hasher = blake3::Hasher::new();
    let mut buffer = vec![0; 1 << 16];
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok(hasher.finalize().to_hex().to_string()),
            length => hasher.update(&buffer[..length]),
        };
    }
}

fn sync_folder(folder: &Path) -> Result<()> {
    File::open(folder)?
        .sync_all()
        .with_context(|| folder.display().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_disk_that_is_full_is_named_before_anything_is_installed() {
        let root = Path::new("/cache");
        enough(LEAST_FREE_BYTES, root).unwrap();
        let error = enough(LEAST_FREE_BYTES - 1, root).unwrap_err().to_string();
        assert!(error.contains("/cache: only 127 MB are free"), "{error}");
        let folder = tempfile::TempDir::with_prefix("lydite-room-").unwrap();
        Cache::at(folder.path()).check_room().unwrap();
    }
}
