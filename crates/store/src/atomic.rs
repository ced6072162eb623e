//! Files that are there whole or not at all.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

/// Writes a file under a temporary name and renames it into place. What is no
/// file (a pipe, a device) is written to as it is.
pub fn write_file(path: &Path, content: &[u8]) -> Result<()> {
    let context = || format!("{}: cannot be written", path.display());
    if path.exists() && !path.is_file() {
        return fs::write(path, content).with_context(context);
    }
    let mut name = path.file_name().unwrap_or_default().to_os_string();
    name.push(".tmp");
    let temporary = path.with_file_name(name);
    fs::write(&temporary, content).with_context(context)?;
    fs::rename(&temporary, path).with_context(context)
}
