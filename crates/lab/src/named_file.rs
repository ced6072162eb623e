//! Files that somebody names: seeds, specs, plans.

use std::fs::{self, File};
use std::io::Read;
use std::path::Path;

use anyhow::{Result, bail};

/// Opens a file to read it. A named pipe is refused: to open it waits until somebody writes,
/// which may be never. What a shell holds open for us (`<(…)`, `/dev/stdin`) has a writer.
pub fn open_file(path: &Path) -> Result<File> {
    use std::os::unix::fs::FileTypeExt;
    let metadata = fs::metadata(path)?;
    if metadata.is_dir() {
        bail!("is a folder, not a file");
    }
    // The end of a pipe that is open has no path of its own.
    if metadata.file_type().is_fifo() && path.canonicalize().is_ok() {
        bail!("is a named pipe, not a file");
    }
    Ok(File::open(path)?)
}

/// All of a file that somebody names.
pub fn read_file(path: &Path) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open_file(path)?.read_to_end(&mut bytes)?;
    Ok(bytes)
}
