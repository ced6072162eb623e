//! Scratch folders: one root per program of ours, one private folder per run.

use std::fs::{self, DirBuilder, Permissions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use super::child_table::child_table;
use super::remove::remove;
use super::sweep::sweep;
use super::warden::Warden;

/// The root, in the system's folder for temporary files, with a warden
/// over it: it goes when this is dropped and also when we are killed.
#[derive(Debug)]
pub struct Scratch {
    root: PathBuf,
    next: AtomicU64,
    _warden: Warden,
}

/// A private folder, removed with everything in it when this is dropped.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
}

/// Tells several roots of one program apart.
static ROOTS: AtomicU64 = AtomicU64::new(0);

impl Scratch {
    /// Makes a root below `$TMPDIR`.
    pub fn new() -> io::Result<Scratch> {
        Scratch::below(&std::env::temp_dir())
    }

    /// Makes a root below a folder that exists.
    pub fn below(folder: &Path) -> io::Result<Scratch> {
        let number = ROOTS.fetch_add(1, Ordering::Relaxed);
        let root =
            std::path::absolute(folder)?.join(format!("lydite-{}-{number}", child_table().token));
        // First the warden: there is no moment at which a root has none.
        let warden = Warden::start(&root)?;
        make(&root)?;
        Ok(Scratch {
            root,
            next: AtomicU64::new(0),
            _warden: warden,
        })
    }

    /// The root's path.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Makes a new empty folder for one run.
    pub fn folder(&self) -> io::Result<Folder> {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let path = self.root.join(number.to_string());
        if make(&path).is_err() {
            // A child may have removed or closed the root itself.
            let _ = make(&self.root);
            let _ = fs::set_permissions(&self.root, Permissions::from_mode(0o700));
            make(&path)?;
        }
        Ok(Folder { path })
    }
}

fn make(path: &Path) -> io::Result<()> {
    DirBuilder::new().mode(0o700).create(path).map_err(|error| {
        io::Error::new(
            error.kind(),
            format!("cannot make folder {}: {error}", path.display()),
        )
    })
}

impl Folder {
    /// The folder's path, absolute.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl AsRef<Path> for Folder {
    fn as_ref(&self) -> &Path {
        &self.path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What cannot be removed now goes with the root, or stays; a run has
        // its result either way.
        let _ = remove(&self.path);
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        sweep(None);
        let _ = remove(&self.root);
    }
}
