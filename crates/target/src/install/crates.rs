//! Crates, by way of cargo, which builds them.

use std::process::Command;

use anyhow::{Context, Result};

use crate::tool;

/// The version that cargo offers for this machine's toolchain: the newest that
/// it can build. cargo lists no others.
pub(super) fn versions(package: &str) -> Result<Vec<String>> {
    let mut command = Command::new("cargo");
    // Outside of any workspace, whose own crates would come first.
    command
        .current_dir("/")
        .args(["info", "--quiet", "--color=never", "--", package]);
    let text = tool::ask(&mut command)?;
    let version = version_in(&text).with_context(|| format!("cargo info {package}: no version"))?;
    Ok(vec![version])
}

/// The first word of the line `version: 1.2.3 (latest 1.3.0)`.
fn version_in(text: &str) -> Option<String> {
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix("version:"))?;
    Some(line.split_whitespace().next()?.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_is_the_newest_that_the_toolchain_can_build() {
        let text = "jaq #json #cli\nJust another JSON query tool\nversion: 2.1.1 (latest 3.0.0)\nlicense: MIT\n";
        assert_eq!(version_in(text).as_deref(), Some("2.1.1"));
        assert_eq!(version_in("nothing"), None);
    }
}
