//! Findings by the words of the command line: a campaign's folder, a finding's
//! folder, or an id.

use std::path::{Path, PathBuf};

use anyhow::Result;
use lydite_core::fault::{Blame, usage};
use lydite_lab::finding::FOLDER;
use lydite_lab::work::{Tools, Workplace};
use lydite_store::Store;
use lydite_store::folder::ReadFolder;

/// A finding or a campaign that was named on the command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Named {
    /// A finding of a campaign, by its id; all of them without one.
    Campaign(PathBuf, Option<String>),
    /// The folder of a finding that lies by itself.
    Alone(PathBuf),
}

impl Named {
    /// Opens it for reading, and gives the finding's id.
    pub(super) fn read<'a>(&self, tools: Tools<'a>) -> Result<(Workplace<'a>, String)> {
        Ok(match self {
            Named::Campaign(path, id) => (
                Workplace::read(tools, path)?,
                id.clone().unwrap_or_default(),
            ),
            Named::Alone(folder) => (Workplace::alone(tools, folder)?, String::new()),
        })
    }

    /// Opens it for work, and gives the ids of the findings.
    pub(super) fn hold<'a>(&self, tools: Tools<'a>) -> Result<(Workplace<'a>, Vec<String>)> {
        Ok(match self {
            Named::Campaign(path, id) => {
                let workplace = Workplace::hold(tools, path)?;
                let ids = match id {
                    Some(id) => vec![id.clone()],
                    None => workplace.ids()?,
                };
                (workplace, ids)
            }
            Named::Alone(folder) => {
                let id = folder.file_name().unwrap_or_default();
                let id = id.to_string_lossy().into_owned();
                (Workplace::alone(tools, folder)?, vec![id])
            }
        })
    }
}

/// All findings that are named; a campaign's folder names all of its findings.
pub(super) fn all_named(what: &[PathBuf], campaign: Option<&Path>) -> Result<Vec<Named>> {
    let named = |what: &PathBuf| match ReadFolder::is_campaign(what) {
        true => Ok(Named::Campaign(what.clone(), None)),
        false => find(what, campaign),
    };
    what.iter().map(named).collect()
}

/// A finding: its folder, or an id within a campaign's folder.
pub(super) fn find(finding: &Path, campaign: Option<&Path>) -> Result<Named> {
    let name = finding.file_name().unwrap_or_default();
    let id = name.to_string_lossy().into_owned();
    if let Some(campaign) = campaign {
        ReadFolder::campaign(campaign)?;
        return Ok(Named::Campaign(campaign.to_path_buf(), Some(id)));
    }
    let place = std::path::absolute(finding).or_usage()?;
    // `DIR/findings/ID`, whether that folder is there or not.
    let home = place.parent().filter(|parent| parent.ends_with(FOLDER));
    let home = home.and_then(Path::parent);
    if let Some(home) = home.filter(|home| ReadFolder::is_campaign(home)) {
        return Ok(Named::Campaign(home.to_path_buf(), Some(id)));
    }
    if place.is_dir() {
        return Ok(Named::Alone(place));
    }
    let Ok(campaigns) = std::fs::read_dir("lydite-out") else {
        return Err(usage(format!(
            "finding {}: no such folder, and no campaigns in lydite-out that could have it as an id \
             (say --in DIR)",
            finding.display()
        )));
    };
    let mut places = Vec::new();
    for entry in campaigns.filter_map(|entry| entry.ok()) {
        let path = entry.path();
        if holds(&path, &id) {
            places.push(path);
        }
    }
    match places.as_slice() {
        [place] => Ok(Named::Campaign(place.clone(), Some(id))),
        [] => Err(usage(format!(
            "finding {}: neither a folder nor the id of one of the campaigns in lydite-out \
             (say --in DIR)",
            finding.display()
        ))),
        _ => Err(usage(format!(
            "finding {}: in several campaigns; say --in DIR",
            finding.display()
        ))),
    }
}

/// True if there is a campaign that can be read and has a finding of that id.
fn holds(path: &Path, id: &str) -> bool {
    let Ok(folder) = ReadFolder::campaign(path) else {
        return false;
    };
    let store = Store::open_to_read(&folder);
    store.is_ok_and(|store| store.signature_of(id).is_ok_and(|found| found.is_some()))
}
