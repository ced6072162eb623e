//! The folders of shards become one campaign's folder.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::{Resolved, check_folder, lock, open_store};
use crate::fault::Fault;
use crate::finding::{Finding, Writer};
use crate::store::{Store, merge};

/// What was joined.
pub struct Joined {
    /// How many cases each folder brought.
    pub taken: Vec<(PathBuf, u64)>,
    /// Cases in all.
    pub cases: u64,
    /// Findings in all.
    pub findings: Vec<Finding>,
}

/// Joins the campaigns in `folders` into the one in `into`, which may exist.
/// Needs neither targets nor seeds.
pub fn join(into: &Path, folders: &[PathBuf]) -> Result<Joined> {
    let first = folders.first().context("merge: no folder")?;
    let resolved = Resolved::read(first)?;
    fs::create_dir_all(into)
        .with_context(|| into.display().to_string())
        .context(Fault::CannotWrite)?;
    check_folder(into)?;
    let _lock = lock(into)?;
    let mut store = open_store(into, &resolved)?;
    let mut taken = Vec::new();
    for folder in folders {
        let from = Store::open_to_read(folder)?;
        taken.push((folder.clone(), merge(&mut store, &from)?));
    }
    let findings = Writer::new(into, &resolved).write_all(&store)?;
    let cases = store.totals()?.cases;
    Ok(Joined {
        taken,
        cases,
        findings,
    })
}
