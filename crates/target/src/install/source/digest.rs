//! What a source of the user's is now.

use std::fs::{self, Metadata};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use anyhow::{Context, Result};

use crate::cache::hash_file;

/// A hash of the names and contents of what lies at `path`, so that it is built again when
/// somebody has changed it, and only then.
pub(in super::super) fn digest_of(path: &Path) -> Result<String> {
    let mut hasher = blake3::Hasher::new();
    let mut left = vec![path.to_path_buf()];
    let top = path;
    while let Some(path) = left.pop() {
        let named = || path.display().to_string();
        // The source itself may be named by a link.
        let metadata = match path == top {
            true => fs::metadata(&path),
            false => fs::symlink_metadata(&path),
        };
        let metadata = metadata.with_context(named)?;
        hasher.update(path.as_os_str().as_bytes());
        hasher.update(what_it_is(&path, &metadata).with_context(named)?.as_bytes());
        if metadata.is_dir() {
            let entries = fs::read_dir(&path).with_context(named)?;
            let paths: Result<Vec<_>, _> = entries.map(|entry| Ok(entry?.path())).collect();
            let mut paths = paths
                .map_err(|error: std::io::Error| error)
                .with_context(named)?;
            paths.sort();
            left.extend(paths);
        }
    }
    Ok(hasher.finalize().to_hex().to_string())
}

/// A line that tells one file, link or folder from another.
fn what_it_is(path: &Path, metadata: &Metadata) -> std::io::Result<String> {
    Ok(if metadata.is_symlink() {
        format!("\0link {}\n", fs::read_link(path)?.display())
    } else if metadata.is_file() {
        let runs = metadata.permissions().mode() & 0o111 != 0;
        format!("\0file {runs} {}\n", hash_file(path)?)
    } else {
        // What lies in a folder follows; what else there is will be refused.
        "\0\n".to_string()
    })
}
