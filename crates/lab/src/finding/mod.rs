//! A finding: all symptoms of one signature, with its smallest case.

mod command;
mod folder;
mod script;
mod seed_diff;

pub use command::commands;
pub(crate) use folder::is_below;
pub use folder::{FindingFile, Writer, load, load_original};

use std::path::Path;

use anyhow::Result;
use lydite_core::{Kind, Signature, TargetName};
use serde::{Deserialize, Serialize};

use crate::bisect::{Seen, life};
use crate::campaign::{Replays, Resolved, options_of};
use crate::store::{FindingRow, Store, Wanted};
use crate::target::Version;
use crate::triage::{Mark, Standing, Status};

/// The name of the folder that holds findings.
pub const FOLDER: &str = "findings";

/// The fact that sets a finding apart from others of the same signature: what
/// its reduced case needs.
pub const APART_FACT: &str = "apart";

/// A finding, as `lydite findings --json` prints it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// Short and stable: `z3-crash-1f0c9a2b`.
    pub id: String,
    /// What is wrong.
    pub kind: Kind,
    /// With whom, in the smallest case.
    pub target: String,
    /// According to whom.
    pub against: Vec<String>,
    /// What makes two symptoms this bug.
    pub signature: String,
    /// How many cases show it.
    pub count: u64,
    /// The size of the smallest case.
    pub bytes: u64,
    /// The size after reduction; `null` until it was reduced.
    pub reduced_bytes: Option<u64>,
    /// The strategy that made the smallest case.
    pub strategy: String,
    /// The number of the smallest case.
    pub case_index: u64,
    /// The upstream issue that it is known as.
    pub known_issue: Option<String>,
    /// The first version that shows it, `or earlier` if none was seen without
    /// it; `null` until it was looked for.
    pub since: Option<String>,
    /// The first later version that does not show it.
    pub fixed_in: Option<String>,
    /// The varied options that it needs; those of another family than the
    /// target's begin with its name.
    #[serde(default)]
    pub options: Vec<String>,
    /// The script that shows it, relative to the campaign's folder.
    pub reproduce: String,
    /// In words.
    pub evidence: String,
    /// The version of the function that made the signature.
    #[serde(default)]
    pub signature_version: u32,
    /// True if it was reduced, be it in vain.
    #[serde(default)]
    pub reduced: bool,
    /// Whether the newest version that was tried shows it; `null` if none was.
    pub newest_shows: Option<bool>,
    /// How many replays of the smallest case showed it.
    #[serde(default)]
    pub replays: Replays,
    /// True if some replay of the smallest case did not show it, or if that is
    /// so for most cases: then the smallest may have been lucky.
    #[serde(default)]
    pub nondeterministic: bool,
    /// How it stands, as people decided.
    pub mark: Option<Mark>,
    /// The finding that stands for this one.
    pub merged_into: Option<String>,
    /// What tells that it is the same, if a person did not decide it.
    #[serde(default)]
    pub merged_because: Option<String>,
    /// The findings that this one stands for.
    #[serde(default)]
    pub merged: Vec<String>,
}

impl Finding {
    fn of(row: &FindingRow, resolved: &Resolved) -> Finding {
        let symptom = &row.symptom;
        let family = symptom.target.split(['@', ':']).next().unwrap_or_default();
        let id = id_of(family, symptom.kind, &symptom.signature);
        let strategy = resolved.plan.strategies.get(row.strategy as usize);
        let version = symptom.target.parse::<TargetName>().ok();
        let version = Version::new(version.and_then(|t| t.version).unwrap_or_default());
        let life = life(&row.versions, &version);
        let since = life.since.map(|(version, before)| match before {
            Some(_) => version.to_string(),
            None => format!("{version} or earlier"),
        });
        Finding {
            kind: symptom.kind,
            target: symptom.target.clone(),
            against: symptom
                .against
                .split_whitespace()
                .map(str::to_string)
                .collect(),
            signature: symptom.signature.clone(),
            count: row.count,
            bytes: symptom.bytes,
            reduced_bytes: row.reduced_bytes,
            strategy: strategy.map(|s| s.name.clone()).unwrap_or_default(),
            case_index: row.index,
            known_issue: symptom.known.clone().or_else(|| marked_known(row)),
            since,
            fixed_in: life.fixed.map(|version| version.to_string()),
            options: options_of(row.shown.as_ref().unwrap_or(&symptom.signature)),
            reproduce: format!("{FOLDER}/{id}/reproduce.sh"),
            evidence: symptom.evidence.clone(),
            id,
            signature_version: signature_version(&symptom.signature),
            reduced: row.reduced,
            newest_shows: row.versions.last().map(|run| run.seen == Seen::Bad),
            replays: symptom.replays,
            nondeterministic: symptom.replays.is_flaky() || 2 * row.flaky > row.count,
            mark: row.mark.clone(),
            merged_into: row.lead.as_deref().map(id_of_signature),
            merged_because: row.why.clone(),
            merged: row.members.iter().map(|s| id_of_signature(s)).collect(),
        }
    }

    /// True if nobody decided anything about it yet, or if it was said to be
    /// fixed and is still there.
    pub fn is_news(&self) -> bool {
        let settled = match self.mark.as_ref().map(|mark| &mark.status) {
            None => false,
            Some(Status::FixedIn(version)) => self.version() < *version,
            Some(_) => true,
        };
        !settled && self.known_issue.is_none() && self.merged_into.is_none()
    }

    /// The version of its target.
    pub fn version(&self) -> Version {
        let name = self.target.parse::<TargetName>().ok();
        Version::new(name.and_then(|name| name.version).unwrap_or_default())
    }

    /// The family of its target.
    pub fn family(&self) -> &str {
        self.target.split(['@', ':']).next().unwrap_or_default()
    }
}

/// Short, and the same for the same signature wherever it is found.
fn id_of(family: &str, kind: Kind, signature: &str) -> String {
    let hash = blake3::hash(signature.as_bytes()).to_hex();
    format!("{family}-{kind}-{}", &hash[..10])
}

/// The id of the finding with this signature.
fn id_of_signature(text: &str) -> String {
    match text.parse::<Signature>() {
        Ok(signature) => id_of(&signature.family, signature.kind, text),
        Err(_) => text.to_string(),
    }
}

fn signature_version(text: &str) -> u32 {
    text.parse::<Signature>().map_or(0, |s| s.version)
}

fn marked_known(row: &FindingRow) -> Option<String> {
    match &row.mark.as_ref()?.status {
        Status::Known(issue) => Some(issue.clone()),
        _ => None,
    }
}

/// A signature without what only deduplication knows.
pub fn whole(text: &str) -> String {
    match text.parse::<Signature>() {
        Ok(mut signature) => {
            signature.facts.retain(|(key, _)| key != APART_FACT);
            signature.to_string()
        }
        Err(_) => text.to_string(),
    }
}

/// All findings of a campaign's folder, gravest first.
pub fn list(folder: &Path) -> Result<Vec<Finding>> {
    let resolved = Resolved::read(folder)?;
    let store = Store::open_to_read(folder)?;
    let rows = store.findings()?;
    Ok(rows.iter().map(|row| Finding::of(row, &resolved)).collect())
}

/// How many findings of an open campaign are wanted, and the page of them.
pub fn page(
    store: &Store,
    resolved: &Resolved,
    wanted: &Wanted,
    standing: &Standing,
) -> Result<(u64, Vec<Finding>)> {
    let (total, rows) = store.some_findings(wanted, standing)?;
    let findings = rows.iter().map(|row| Finding::of(row, resolved)).collect();
    Ok((total, findings))
}

/// The finding of that id in an open campaign.
pub fn named(store: &Store, resolved: &Resolved, id: &str) -> Result<Option<Finding>> {
    for signature in store.signatures_like(id)? {
        if id_of_signature(&signature) == id {
            let row = store.finding(&signature)?;
            return Ok(row.map(|row| Finding::of(&row, resolved)));
        }
    }
    Ok(None)
}

#[cfg(test)]
impl Finding {
    /// A finding without anything special, for tests.
    pub(crate) fn sample(id: &str, target: &str, kind: Kind) -> Finding {
        Finding {
            id: id.to_string(),
            kind,
            target: target.to_string(),
            against: Vec::new(),
            signature: format!("v1 {kind} z3 site=\"boom\""),
            count: 1,
            bytes: 100,
            reduced_bytes: None,
            strategy: "files".to_string(),
            case_index: 0,
            known_issue: None,
            since: None,
            fixed_in: None,
            options: Vec::new(),
            reproduce: String::new(),
            evidence: "boom".to_string(),
            signature_version: 1,
            reduced: false,
            newest_shows: None,
            replays: Replays { shown: 3, of: 3 },
            nondeterministic: false,
            mark: None,
            merged_into: None,
            merged_because: None,
            merged: Vec::new(),
        }
    }
}
