//! Unpacking archives that we did not make.
//!
//! Nothing is ever written outside the folder: names must be relative and
//! free of `..`; no entry is written through a symbolic link; a link may
//! climb (`..`) only at the start of its target and only inside the folder,
//! so that every link leads to a place inside whatever other links there are.
//! Devices and pipes are refused, special permission bits dropped. Size and
//! number of entries are bounded by what is unpacked, not by what the
//! archive says.

use std::fs::{self, File};
use std::io::{self, Read, Seek};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Component, Path, PathBuf};
use std::time::{Duration, SystemTime};

use anyhow::{Context, Result, anyhow, bail, ensure};

/// How much an archive may hold.
#[derive(Clone, Copy, Debug)]
pub struct Caps {
    /// The size of all files together, unpacked, in bytes.
    pub bytes: u64,
    /// The number of files, folders and links.
    pub entries: u64,
}

impl Default for Caps {
    fn default() -> Caps {
        Caps {
            bytes: 4 << 30,
            entries: 200_000,
        }
    }
}

/// How long the target of a link may be.
const LINK_BYTES: u64 = 4096;

/// How much of an archive is read through for the sake of a part of it.
const PASSED_BYTES: u64 = 64 << 30;

/// Where a file of an archive goes, by its path in there; none if nobody wants it.
pub type Place<'a> = dyn FnMut(&str) -> Option<String> + 'a;

/// An archive being unpacked into a folder.
#[derive(Debug)]
pub struct Unpacking<'a> {
    root: &'a Path,
    caps: Caps,
    /// True if links to absolute paths mean the folder's own: in the
    /// packages of a distribution `/` is where they are unpacked.
    rebase: bool,
    bytes: u64,
    entries: u64,
}

impl<'a> Unpacking<'a> {
    /// Unpacks into `root`, which is there; several archives in a row count
    /// together.
    pub fn new(root: &'a Path, caps: Caps) -> Unpacking<'a> {
        Unpacking {
            root,
            caps,
            rebase: false,
            bytes: 0,
            entries: 0,
        }
    }

    /// As [`Unpacking::new`], for packages of a distribution.
    pub fn of_distribution(root: &'a Path, caps: Caps) -> Unpacking<'a> {
        Unpacking {
            rebase: true,
            ..Unpacking::new(root, caps)
        }
    }

    /// A zip file, such as a wheel.
    pub fn zip(&mut self, archive: impl Read + Seek) -> Result<()> {
        let mut archive = zip::ZipArchive::new(archive).context("not a zip archive")?;
        for index in 0..archive.len() {
            let mut entry = archive.by_index(index)?;
            let name = std::str::from_utf8(entry.name_raw())
                .map_err(|_| anyhow!("a name is not UTF-8"))?
                .to_string();
            let mode = entry.unix_mode().unwrap_or(0o644);
            let packed = || format!("entry {}", name.escape_debug());
            if entry.is_dir() {
                self.folder(&name).with_context(packed)?;
            } else if mode & 0o170_000 == 0o120_000 {
                let mut target = String::new();
                entry
                    .by_ref()
                    .take(LINK_BYTES)
                    .read_to_string(&mut target)?;
                self.link(&name, &target).with_context(packed)?;
            } else {
                self.file(&name, &mut entry, mode).with_context(packed)?;
            }
        }
        Ok(())
    }

    /// A tar stream; a gzipped one is to be unzipped by the caller.
    pub fn tar(&mut self, archive: impl Read) -> Result<()> {
        let mut archive = tar::Archive::new(archive);
        for entry in archive.entries().context("not a tar archive")? {
            let mut entry = entry.context("not a tar archive")?;
            let name = utf8(&entry.path_bytes())?;
            let packed = || format!("entry {}", name.escape_debug());
            let mode = entry.header().mode().unwrap_or(0o644);
            let target = entry
                .link_name_bytes()
                .map(|bytes| utf8(&bytes))
                .transpose()?;
            let kind = entry.header().entry_type();
            match (kind, target) {
                (tar::EntryType::Directory, _) => self.folder(&name).with_context(packed)?,
                (tar::EntryType::Symlink, Some(target)) => {
                    self.link(&name, &target).with_context(packed)?;
                }
                (tar::EntryType::Link, Some(target)) => {
                    self.hard_link(&name, &target).with_context(packed)?;
                }
                (tar::EntryType::Regular | tar::EntryType::Continuous, _) => {
                    let packed_at = entry.header().mtime().ok();
                    let file = self.write(&name, &mut entry, mode).with_context(packed)?;
                    keep_time(&file, packed_at)?;
                    file.sync_all()?;
                }
                (tar::EntryType::XGlobalHeader, _) => {}
                (kind, _) => bail!("{}: {kind:?} is not unpacked", packed()),
            }
        }
        Ok(())
    }

    /// The regular files of a tar stream that `place` gives a path; whatever
    /// else is in it is passed over. Nothing is forced to the disk: that is
    /// for the caller, who may write tens of thousands of files.
    pub fn pick_tar(&mut self, archive: impl Read, place: &mut Place<'_>) -> Result<()> {
        // A small archive can unpack to more than anybody would wait for.
        let mut archive = tar::Archive::new(archive.take(PASSED_BYTES));
        for entry in archive.entries().context("not a tar archive")? {
            let mut entry = entry.context("not a tar archive")?;
            let kind = entry.header().entry_type();
            // A name that is no text is nothing that one could have asked for.
            let Ok(name) = utf8(&entry.path_bytes()) else {
                continue;
            };
            if matches!(kind, tar::EntryType::Regular | tar::EntryType::Continuous) {
                self.pick(&name, &mut entry, place)?;
            }
        }
        Ok(())
    }

    /// The same for a zip file.
    pub fn pick_zip(&mut self, archive: impl Read + Seek, place: &mut Place<'_>) -> Result<()> {
        let mut archive = zip::ZipArchive::new(archive).context("not a zip archive")?;
        for index in 0..archive.len() {
            let mut entry = archive.by_index(index)?;
            let Ok(name) = utf8(entry.name_raw()) else {
                continue;
            };
            let is_link = entry.unix_mode().unwrap_or(0) & 0o170_000 == 0o120_000;
            if !entry.is_dir() && !is_link {
                self.pick(&name, &mut entry, place)?;
            }
        }
        Ok(())
    }

    pub(super) fn pick(
        &mut self,
        name: &str,
        from: &mut dyn Read,
        place: &mut Place<'_>,
    ) -> Result<()> {
        let packed = || format!("entry {}", name.escape_debug());
        let Ok(path) = inside(name) else {
            bail!("{}: leads outside: refused", packed());
        };
        let Some(path) = path.to_str().and_then(place) else {
            return Ok(());
        };
        self.write(&path, from, 0o644)
            .map(drop)
            .with_context(packed)
    }

    /// One file or link of a folder tree, through the same gate.
    pub(super) fn copy(&mut self, tree: &Path, path: &Path) -> Result<()> {
        let relative = path.strip_prefix(tree).context("a file of the tree")?;
        let name = relative.to_str().context("a name is not UTF-8")?;
        let packed = || format!("file {}", name.escape_debug());
        let metadata = fs::symlink_metadata(path).with_context(packed)?;
        if metadata.is_symlink() {
            let target = fs::read_link(path)?;
            let target = target.to_str().context("a link is not UTF-8")?;
            return self.link(name, target).with_context(packed);
        }
        ensure!(metadata.is_file(), "{}: not a regular file", packed());
        let mut file = File::open(path).with_context(packed)?;
        let mode = metadata.permissions().mode();
        self.file(name, &mut file, mode).with_context(packed)
    }

    fn folder(&mut self, name: &str) -> Result<()> {
        self.count()?;
        let path = inside(name)?;
        self.real_folders(&path)
    }

    fn file(&mut self, name: &str, from: &mut dyn Read, mode: u32) -> Result<()> {
        self.write(name, from, mode)?.sync_all()?;
        Ok(())
    }

    fn write(&mut self, name: &str, from: &mut dyn Read, mode: u32) -> Result<File> {
        let path = self.fresh(name)?;
        let mut file = File::options().write(true).create_new(true).open(&path)?;
        let left = self.caps.bytes - self.bytes;
        let copied = io::copy(&mut from.take(left.saturating_add(1)), &mut file)?;
        ensure!(
            copied <= left,
            "more than {} bytes unpacked: refused",
            self.caps.bytes
        );
        self.bytes += copied;
        file.set_permissions(fs::Permissions::from_mode(mode & 0o755 | 0o600))?;
        Ok(file)
    }

    fn link(&mut self, name: &str, target: &str) -> Result<()> {
        let path = self.fresh(name)?;
        let relative = path.strip_prefix(self.root).expect("made below the root");
        let depth = relative.components().count() - 1;
        let target = match target.strip_prefix('/') {
            Some(own) if self.rebase => format!("{}{own}", "../".repeat(depth)),
            _ => target.to_string(),
        };
        let escapes = || format!("link to {} leads outside: refused", target.escape_debug());
        let mut climbed = 0;
        let mut descended = false;
        for component in Path::new(&target).components() {
            match component {
                Component::ParentDir if !descended && climbed < depth => climbed += 1,
                Component::Normal(_) => descended = true,
                Component::CurDir => {}
                _ => bail!(escapes()),
            }
        }
        ensure!(!target.is_empty() && !target.contains('\0'), escapes());
        Ok(symlink(&target, &path)?)
    }

    fn hard_link(&mut self, name: &str, target: &str) -> Result<()> {
        let path = self.fresh(name)?;
        let target = inside(target)?;
        if let Some(parent) = target.parent() {
            self.real_folders(parent)?;
        }
        let target = self.root.join(target);
        let is_file = fs::symlink_metadata(&target).is_ok_and(|metadata| metadata.is_file());
        ensure!(is_file, "hard link to what is no file: refused");
        Ok(fs::hard_link(&target, &path)?)
    }

    /// Where `name` goes: below the root, nothing there yet, its folders made.
    fn fresh(&mut self, name: &str) -> Result<PathBuf> {
        self.count()?;
        let relative = inside(name)?;
        ensure!(relative.file_name().is_some(), "no file name: refused");
        if let Some(parent) = relative.parent() {
            self.real_folders(parent)?;
        }
        let path = self.root.join(relative);
        match fs::symlink_metadata(&path) {
            Ok(metadata) if metadata.is_dir() => bail!("a folder is in its place: refused"),
            Ok(_) => fs::remove_file(&path)?,
            Err(_) => {}
        }
        Ok(path)
    }

    /// Makes the folders of a relative path; a link among them is refused.
    fn real_folders(&self, relative: &Path) -> Result<()> {
        let mut path = self.root.to_path_buf();
        for component in relative.components() {
            path.push(component);
            match fs::symlink_metadata(&path) {
                Ok(metadata) => ensure!(
                    metadata.is_dir(),
                    "its path leads through a file or link: refused"
                ),
                Err(_) => fs::create_dir(&path)?,
            }
        }
        Ok(())
    }

    fn count(&mut self) -> Result<()> {
        self.entries += 1;
        ensure!(
            self.entries <= self.caps.entries,
            "more than {} entries: refused",
            self.caps.entries
        );
        Ok(())
    }
}

/// Gives a file the time that its archive has of it: what was compiled beforehand (Guile,
/// Python) counts only if it is not older than its source. A time that cannot be is left out.
fn keep_time(file: &File, seconds: Option<u64>) -> Result<()> {
    let time = seconds.and_then(|s| SystemTime::UNIX_EPOCH.checked_add(Duration::from_secs(s)));
    match time {
        Some(time) if time <= SystemTime::now() => Ok(file.set_modified(time)?),
        _ => Ok(()),
    }
}

fn utf8(bytes: &[u8]) -> Result<String> {
    let text = std::str::from_utf8(bytes).map_err(|_| anyhow!("a name is not UTF-8"))?;
    Ok(text.to_string())
}

/// The relative path that a name means, or a refusal.
fn inside(name: &str) -> Result<PathBuf> {
    ensure!(!name.contains('\0'), "a zero byte in its name: refused");
    // Archives made elsewhere may mean a separator by it; here it would be
    // part of a name, which nobody wants.
    ensure!(!name.contains('\\'), "a backslash in its name: refused");
    let mut path = PathBuf::new();
    for component in Path::new(name).components() {
        match component {
            Component::Normal(part) => path.push(part),
            Component::CurDir => {}
            Component::ParentDir => bail!("`..` in its path: refused"),
            Component::RootDir | Component::Prefix(_) => bail!("an absolute path: refused"),
        }
    }
    Ok(path)
}
