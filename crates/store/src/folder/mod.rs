//! A folder that lydite works in: one type owns its lock, its names and every
//! write.
//!
//! Whoever only reads has a [`ReadFolder`]; whoever writes has a
//! [`LockedFolder`], which there is once per folder on all of the machine. What
//! is written appears by one step, whole (a rename; a folder that is there
//! already changes places with the new one). Until then it has a name that begins with a
//! dot and ends with `.new`; what a killed process leaves under such a name is
//! swept by the next one that holds the lock.

mod path;

pub use path::{PathError, RelativePath};

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, BufWriter, Read, Seek, Write};
use std::ops::Deref;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use rustix::fs::{CWD, RenameFlags, renameat_with};

use lydite_core::fault::{Blame, Fault, usage};
use lydite_process::failpoint;

/// What a kind of folder holds.
#[derive(Debug)]
pub struct Layout {
    /// What such a folder is called in messages.
    pub what: &'static str,
    /// The file that makes a folder one of this kind; it is the last to appear in a new folder.
    pub store: &'static str,
    /// Names that such a folder may hold before its store is there, [`LOCK`] included. What begins
    /// like the store's name is its own.
    pub names: &'static [&'static str],
    /// Folders in it whose unfinished content is swept too.
    pub folders: &'static [&'static str],
}

/// The folder of a campaign. What others derive from it later and put beside the store (tables for
/// servers, pages of studies) is not listed: by then the store says whose folder it is.
pub const CAMPAIGN: Layout = Layout {
    what: "a campaign",
    store: "campaign.sqlite",
    names: &[
        LOCK, "plan.json", "settings", "findings", "contested", "report.md", "report.json",
        "report.html",
    ],
    folders: &["settings", "findings", "contested"],
};

/// The file that is locked while somebody works in the folder. It says who.
pub const LOCK: &str = "lock";

/// How unfinished files and folders begin and end.
const UNFINISHED: (&str, &str) = (".", ".new");

/// Unfinished files of lydite before it had this module.
const OLD_UNFINISHED: [&str; 3] = [
    "plan.json.tmp", "campaign.sqlite.new", "campaign.sqlite.new-journal",
];

/// A folder with a store in it, for reading.
#[derive(Clone, Debug)]
pub struct ReadFolder {
    path: PathBuf,
    layout: &'static Layout,
}

/// A folder that this process alone works in.
#[derive(Debug)]
pub struct LockedFolder {
    folder: ReadFolder,
    lock: File,
}

impl ReadFolder {
    /// The folder at `path`, which has to hold a store of that layout.
    pub fn open(path: &Path, layout: &'static Layout) -> Result<ReadFolder> {
        let folder = ReadFolder {
            path: path.to_path_buf(),
            layout,
        };
        if !folder.store().is_file() {
            return Err(usage(format!(
                "{}: no campaign here (it has no {})",
                path.display(),
                layout.store
            )));
        }
        Ok(folder)
    }

    /// The campaign in the folder at `path`.
    pub fn campaign(path: &Path) -> Result<ReadFolder> {
        ReadFolder::open(path, &CAMPAIGN)
    }

    /// True if there is a campaign at `path`.
    pub fn is_campaign(path: &Path) -> bool {
        path.join(CAMPAIGN.store).is_file()
    }

    /// The path of the folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The path of the store.
    pub fn store(&self) -> PathBuf {
        self.path.join(self.layout.store)
    }

    /// The place of `path` in the folder.
    pub fn place(&self, path: &RelativePath) -> PathBuf {
        self.path.join(path)
    }

    /// The text of a file of ours.
    pub fn read(&self, path: &RelativePath) -> Result<String> {
        let place = self.place(path);
        fs::read_to_string(&place).with_context(|| format!("{}: cannot be read", place.display()))
    }
}

impl Deref for LockedFolder {
    type Target = ReadFolder;

    fn deref(&self) -> &ReadFolder {
        &self.folder
    }
}

impl LockedFolder {
    /// Holds the folder at `path`, which is made if it is not there. One that
    /// holds something else is left alone.
    pub fn make(path: &Path, layout: &'static Layout) -> Result<LockedFolder> {
        fs::create_dir_all(path)
            .with_context(|| format!("{}: cannot be made", path.display()))
            .context(Fault::CannotWrite)?;
        if !path.join(layout.store).is_file() {
            refuse_foreign(path, layout)?;
        }
        LockedFolder::hold(ReadFolder {
            path: path.to_path_buf(),
            layout,
        })
    }

    /// Holds the campaign at `path`, which has to be there.
    pub fn campaign(path: &Path) -> Result<LockedFolder> {
        LockedFolder::hold(ReadFolder::campaign(path)?)
    }

    fn hold(folder: ReadFolder) -> Result<LockedFolder> {
        let lock = lock(&folder.path)?;
        let locked = LockedFolder { folder, lock };
        locked.sweep()?;
        Ok(locked)
    }

    /// Writes a file: it is there whole, or as it was before.
    pub fn write(&self, path: &RelativePath, content: &[u8]) -> Result<PathBuf> {
        let place = self.place(path);
        let written = (|| -> io::Result<()> {
            if let Some(folder) = place.parent() {
                fs::create_dir_all(folder)?;
            }
            let fresh = unfinished(&place);
            failpoint::reach("write")?;
            let mut file = File::create(&fresh)?;
            file.write_all(content)?;
            failpoint::reach("sync")?;
            file.sync_all()?;
            failpoint::reach("rename")?;
            fs::rename(&fresh, &place)
        })();
        written
            .with_context(|| format!("{}: cannot be written", place.display()))
            .context(Fault::CannotWrite)?;
        Ok(place)
    }

    /// Writes a folder with these files. It is there whole, or as it was before.
    pub fn write_folder(&self, path: &RelativePath, files: &[NewFile<'_>]) -> Result<()> {
        let place = self.place(path);
        let written = (|| -> io::Result<()> {
            let fresh = unfinished(&place);
            remove(&fresh)?;
            failpoint::reach("write")?;
            fs::create_dir_all(&fresh)?;
            for file in files {
                let inside = fresh.join(file.path);
                if let Some(parent) = inside.parent() {
                    fs::create_dir_all(parent)?;
                }
                fs::write(&inside, file.content)?;
                if file.runs {
                    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
                    fs::set_permissions(&inside, mode)?;
                }
            }
            failpoint::reach("rename")?;
            appear(&fresh, &place)
        })();
        written
            .with_context(|| format!("{}: cannot be written", place.display()))
            .context(Fault::CannotWrite)
    }

    /// Makes a file that is written by others (a database) appear: `make` fills
    /// it under another name.
    pub fn make_store(&self, make: &dyn Fn(&Path) -> Result<()>) -> Result<()> {
        let place = self.store();
        let fresh = unfinished(&place);
        let written = remove(&fresh).map_err(anyhow::Error::from).and_then(|()| {
            failpoint::reach("write")?;
            make(&fresh)?;
            failpoint::reach("sync")?;
            File::open(&fresh)?.sync_all()?;
            failpoint::reach("rename")?;
            Ok(fs::rename(&fresh, &place)?)
        });
        written
            .with_context(|| format!("{}: cannot be made", place.display()))
            .context(Fault::CannotWrite)
    }

    /// Begins a file that is written bit by bit; it appears with its end.
    pub fn begin(&self, path: &RelativePath) -> Result<Stream> {
        let place = self.place(path);
        let fresh = unfinished(&place);
        let out = failpoint::reach("write").and_then(|()| File::create(&fresh));
        let out = out
            .with_context(|| format!("{}: cannot be written", place.display()))
            .context(Fault::CannotWrite)?;
        Ok(Stream {
            out: BufWriter::new(out),
            place,
        })
    }

    /// Removes a file or a folder of ours.
    pub fn remove(&self, path: &RelativePath) -> Result<()> {
        let place = self.place(path);
        remove(&place)
            .with_context(|| format!("{}: cannot be removed", place.display()))
            .context(Fault::CannotWrite)
    }

    /// The names in one of our folders, in order.
    pub fn names(&self, path: &RelativePath) -> Vec<String> {
        let Ok(entries) = fs::read_dir(self.place(path)) else {
            return Vec::new();
        };
        let entries = entries.filter_map(|entry| entry.ok());
        let mut names: Vec<String> = entries
            .map(|entry| entry.file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    /// Removes what a killed process has left unfinished.
    fn sweep(&self) -> Result<()> {
        let inside = self.layout.folders.iter().map(|name| self.path.join(name));
        for folder in inside.chain([self.path.clone()]) {
            let Ok(entries) = fs::read_dir(&folder) else {
                continue;
            };
            for entry in entries.filter_map(|entry| entry.ok()) {
                let name = entry.file_name();
                if is_unfinished(&name.to_string_lossy()) {
                    remove(&entry.path())
                        .with_context(|| format!("{}: cannot be removed", entry.path().display()))
                        .context(Fault::CannotWrite)?;
                }
            }
        }
        Ok(())
    }
}

impl Drop for LockedFolder {
    fn drop(&mut self) {
        // Whoever reads the file later is not told of a process that is gone.
        let _ = self.lock.set_len(0);
        // Closing is not enough: a child that has been forked and has not yet
        // become its program holds the file open for an instant.
        let _ = self.lock.unlock();
    }
}

/// A file that is being written ([`LockedFolder::begin`]).
#[derive(Debug)]
pub struct Stream {
    out: BufWriter<File>,
    place: PathBuf,
}

impl Stream {
    /// Puts the file in its place.
    pub fn end(mut self) -> Result<()> {
        let ended = self
            .out
            .flush()
            .and_then(|()| failpoint::reach("rename"))
            .and_then(|()| fs::rename(unfinished(&self.place), &self.place));
        ended
            .with_context(|| format!("{}: cannot be written", self.place.display()))
            .context(Fault::CannotWrite)
    }
}

impl Write for Stream {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// A file of a new folder.
#[derive(Clone, Copy, Debug)]
pub struct NewFile<'a> {
    /// The path of the file, relative to the folder.
    pub path: &'a RelativePath,
    /// Its bytes.
    pub content: &'a [u8],
    /// True if it can be run.
    pub runs: bool,
}

/// The name of something until it is whole.
fn unfinished(place: &Path) -> PathBuf {
    let name = place.file_name().unwrap_or_default().to_string_lossy();
    place.with_file_name(format!("{}{name}{}", UNFINISHED.0, UNFINISHED.1))
}

fn is_unfinished(name: &str) -> bool {
    // A database that is being made has files beside it.
    let base = name.strip_suffix("-journal").unwrap_or(name);
    base.starts_with(UNFINISHED.0) && base.ends_with(UNFINISHED.1) || OLD_UNFINISHED.contains(&name)
}

/// Lets a folder appear, in the place of the one that is there.
fn appear(fresh: &Path, place: &Path) -> io::Result<()> {
    if !place.exists() {
        return fs::rename(fresh, place);
    }
    match renameat_with(CWD, fresh, CWD, place, RenameFlags::EXCHANGE) {
        Ok(()) => {
            failpoint::reach("remove")?;
            remove(fresh)
        }
        // A file system that cannot exchange: the old one goes first.
        Err(rustix::io::Errno::INVAL | rustix::io::Errno::NOSYS | rustix::io::Errno::NOTSUP) => {
            remove(place)?;
            failpoint::reach("rename")?;
            fs::rename(fresh, place)
        }
        Err(error) => Err(error.into()),
    }
}

/// Removes whatever is there.
fn remove(place: &Path) -> io::Result<()> {
    let removed = match fs::symlink_metadata(place) {
        Ok(data) if data.is_dir() => fs::remove_dir_all(place),
        Ok(_) => fs::remove_file(place),
        Err(error) => Err(error),
    };
    match removed {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        removed => removed,
    }
}

/// An error if the folder at `path` holds something that is not ours.
pub fn refuse_foreign(path: &Path, layout: &Layout) -> Result<()> {
    let entries = fs::read_dir(path).with_context(|| format!("{}: cannot be read", path.display()));
    let ours = |name: &str| {
        layout.names.contains(&name) || name.starts_with(layout.store) || is_unfinished(name)
    };
    let entries = match path.exists() {
        true => entries.or_usage()?,
        false => return Ok(()),
    };
    for entry in entries.filter_map(|entry| entry.ok()) {
        let name = entry.file_name().to_string_lossy().into_owned();
        if !ours(&name) {
            return Err(usage(format!(
                "{}: neither empty nor {} (it holds {}); choose another folder with -o",
                path.display(),
                layout.what,
                name.escape_debug()
            )));
        }
    }
    Ok(())
}

/// Locks a folder: two processes in it would do the same work twice.
fn lock(folder: &Path) -> Result<File> {
    let path = folder.join(LOCK);
    let opened = OpenOptions::new()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .open(&path);
    let mut file = opened
        .with_context(|| format!("{}: cannot be locked", folder.display()))
        .context(Fault::CannotWrite)?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => {
            return Err(usage(format!(
                "{}: another lydite is at work in this folder{}",
                folder.display(),
                holder(&mut file)
            )));
        }
        Err(TryLockError::Error(error)) => {
            return Err(error)
                .with_context(|| format!("{}: cannot be locked", path.display()))
                .context(Fault::CannotWrite);
        }
    }
    // Only for people; a full disk is noticed by what is written next.
    let _ = file.set_len(0);
    let _ = file.write_all(own_name().as_bytes());
    Ok(file)
}

/// This process: its number, its machine, and the command that it does.
fn own_name() -> String {
    let command = std::env::args().nth(1).unwrap_or_default();
    let command: String = command.chars().filter(|c| c.is_alphanumeric()).collect();
    format!("{} {} {command}\n", std::process::id(), machine())
}

fn machine() -> String {
    let name = fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    name.chars().filter(|c| !c.is_whitespace()).collect()
}

/// The process that holds the lock, in words; nothing if that cannot be told.
fn holder(file: &mut File) -> String {
    let mut text = String::new();
    let read = file
        .rewind()
        .and_then(|()| file.take(1000).read_to_string(&mut text));
    let mut words = text.split_whitespace();
    let (Ok(_), Some(Ok(process))) = (read, words.next().map(str::parse::<u32>)) else {
        return String::new();
    };
    let (place, command) = (words.next().unwrap_or(""), words.next().unwrap_or(""));
    let here = place == machine();
    // A killed process leaves its name behind.
    if here && !Path::new(&format!("/proc/{process}")).exists() {
        return String::new();
    }
    let place = match here {
        true => String::new(),
        false => format!(" on {}", place.escape_debug()),
    };
    format!(
        " (lydite {}, process {process}{place})",
        command.escape_debug()
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use lydite_process::Scratch;

    fn path(text: &str) -> RelativePath {
        RelativePath::new(text).unwrap()
    }

    #[test]
    fn a_folder_is_held_once_and_the_second_is_told_by_whom() {
        let scratch = Scratch::new().unwrap();
        let place = scratch.folder().unwrap();
        let held = LockedFolder::make(place.path(), &CAMPAIGN).unwrap();
        let error = LockedFolder::make(place.path(), &CAMPAIGN).unwrap_err();
        let own = format!("process {}", std::process::id());
        assert!(format!("{error:#}").contains(&own), "{error:#}");
        drop(held);
        LockedFolder::make(place.path(), &CAMPAIGN).unwrap();
    }

    #[test]
    fn a_folder_is_free_as_soon_as_it_is_let_go_of_although_a_child_has_the_file_open() {
        let scratch = Scratch::new().unwrap();
        let place = scratch.folder().unwrap();
        let held = LockedFolder::make(place.path(), &CAMPAIGN).unwrap();
        let in_a_child = held.lock.try_clone().unwrap();
        drop(held);
        LockedFolder::make(place.path(), &CAMPAIGN).unwrap();
        drop(in_a_child);
    }

    #[test]
    fn what_was_left_unfinished_is_swept_and_no_reason_to_refuse() {
        let scratch = Scratch::new().unwrap();
        let place = scratch.folder().unwrap();
        for name in [
            ".plan.json.new", "plan.json.tmp", ".campaign.sqlite.new-journal",
        ] {
            fs::write(place.path().join(name), "half").unwrap();
        }
        fs::create_dir_all(place.path().join("findings/.a.new/b")).unwrap();
        drop(LockedFolder::make(place.path(), &CAMPAIGN).unwrap());
        let held = LockedFolder::make(place.path(), &CAMPAIGN).unwrap();
        let left: Vec<String> = fs::read_dir(place.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
            .collect();
        assert_eq!(left.len(), 2, "{left:?}");
        assert!(held.names(&path("findings")).is_empty());
        drop(held);
        fs::write(place.path().join("thesis.tex"), "").unwrap();
        let error = LockedFolder::make(place.path(), &CAMPAIGN).unwrap_err();
        assert!(format!("{error:#}").contains("thesis.tex"), "{error:#}");
    }

    #[test]
    fn a_folder_changes_places_with_the_one_that_was_there() {
        let scratch = Scratch::new().unwrap();
        let place = scratch.folder().unwrap();
        let held = LockedFolder::make(place.path(), &CAMPAIGN).unwrap();
        for (name, content) in [("a", "1"), ("b/c", "2")] {
            let name = path(name);
            let file = NewFile {
                path: &name,
                content: content.as_bytes(),
                runs: true,
            };
            held.write_folder(&path("findings/x"), &[file]).unwrap();
            assert_eq!(held.names(&path("findings")), ["x"]);
            let inside = held.place(&path("findings/x")).join(&name);
            assert_eq!(fs::read_to_string(inside).unwrap(), content);
        }
        assert_eq!(held.names(&path("findings/x")), ["b"]);
    }
}
