//! The folders of shards become one campaign's folder.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::{Summary, open_store};
use crate::finding::Writer;
use crate::resolved::Resolved;
use lydite_core::fault::Blame;
use lydite_store::folder::{CAMPAIGN, LockedFolder, ReadFolder};
use lydite_store::{Store, merge};

/// The campaign that others were joined into.
pub struct Joined {
    /// Its folder, still locked.
    pub folder: LockedFolder,
    /// For each folder that was joined, how many new cases it brought.
    pub taken: Vec<(PathBuf, u64)>,
    /// How the whole stands.
    pub summary: Summary,
}

/// Joins the campaigns in `folders` into the one in `into`, which may exist.
/// Needs neither targets nor seeds.
pub fn join(into: &Path, folders: &[PathBuf]) -> Result<Joined> {
    let first = folders.first().context("merge: no folder").or_usage()?;
    let resolved = Resolved::read(&ReadFolder::campaign(first)?)?;
    let folder = LockedFolder::make(into, &CAMPAIGN)?;
    let mut store = open_store(&folder, &resolved)?;
    let mut taken = Vec::new();
    for path in folders {
        let from = Store::open_checked(&ReadFolder::campaign(path)?)?;
        taken.push((path.clone(), merge(&mut store, &from)?));
    }
    Writer::new(&folder, &resolved).write_all(&store)?;
    Ok(Joined {
        taken,
        summary: Summary::of(&store, &resolved, false)?,
        folder,
    })
}
