//! A finding: all symptoms of one signature, with its smallest case.

mod command;
mod file;
mod folder;
mod full;
mod readme;
mod script;
mod seed_diff;

pub use command::commands;
pub use file::{FindingFile, Participant};
pub use folder::{MOST_FOLDERS, Writer};
pub use full::FullFinding;

use anyhow::Result;
use lydite_core::version::Version;
use lydite_core::{Kind, Signature, TargetName};
use serde::{Deserialize, Serialize};

use crate::bisect::life;
use crate::resolved::Resolved;
use lydite_store::record::{Mark, Replays, Seen, Standing, Status, id_of, options_of};
use lydite_store::{FindingRow, Stands, Store, Wanted};

/// The name of the folder that holds findings.
pub const FOLDER: &str = "findings";

/// A finding, as `lydite findings --json` prints it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// Short and stable: `z3-crash-1f0c9a2b`.
    pub id: String,
    /// What is wrong.
    pub kind: Kind,
    /// The target that is wrong, in the smallest case.
    pub target: TargetName,
    /// The targets that it was compared with.
    pub against: Vec<TargetName>,
    /// What makes two symptoms this bug.
    pub signature: Signature,
    /// How many cases show it.
    pub count: u64,
    /// The size of the smallest case, in bytes.
    pub bytes: u64,
    /// The size after reduction, in bytes; `null` until it was reduced.
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
    /// What is wrong, in words for people.
    pub evidence: String,
    /// The version of the function that made the signature.
    #[serde(default)]
    pub signature_version: u32,
    /// True if a reduction was tried to its end, with or without success.
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
    /// Why deduplication takes it for the same bug; `null` if a person decided that.
    #[serde(default)]
    pub merged_because: Option<String>,
    /// The findings that this one stands for.
    #[serde(default)]
    pub merged: Vec<String>,
}

impl Finding {
    fn of(row: &FindingRow, resolved: &Resolved) -> Finding {
        let symptom = &row.symptom;
        let id = id_of(&symptom.signature);
        let strategy = resolved.plan.strategies.get(row.strategy as usize);
        let life = life(&row.versions, &version_of(&symptom.target));
        let since = life.since.map(|(version, before)| match before {
            Some(_) => version.to_string(),
            None => format!("{version} or earlier"),
        });
        Finding {
            kind: symptom.kind(),
            target: symptom.target.clone(),
            against: symptom.against.clone(),
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
            signature_version: symptom.signature.version,
            reduced: row.reduced,
            newest_shows: row.versions.last().map(|run| run.seen == Seen::Bad),
            replays: symptom.replays,
            nondeterministic: symptom.replays.is_flaky() || 2 * row.flaky > row.count,
            mark: row.mark.clone(),
            merged_into: row.lead.as_ref().map(id_of),
            merged_because: row.why.clone(),
            merged: row.members.iter().map(id_of).collect(),
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
        version_of(&self.target)
    }

    /// The family of its target.
    pub fn family(&self) -> &str {
        &self.target.family
    }
}

fn version_of(target: &TargetName) -> Version {
    Version::new(target.version.clone().unwrap_or_default())
}

fn marked_known(row: &FindingRow) -> Option<String> {
    match &row.mark.as_ref()?.status {
        Status::Known(issue) => Some(issue.clone()),
        _ => None,
    }
}

/// Hands over all findings of an open campaign, gravest first.
pub fn each(
    store: &Store,
    resolved: &Resolved,
    visit: &mut dyn FnMut(Finding) -> Result<()>,
) -> Result<()> {
    store.each_finding(&mut |row| visit(Finding::of(&row, resolved)))
}

/// All findings of an open campaign, gravest first.
pub fn list(store: &Store, resolved: &Resolved) -> Result<Vec<Finding>> {
    let rows = store.findings()?;
    Ok(rows.iter().map(|row| Finding::of(row, resolved)).collect())
}

/// True if some finding is news ([`Finding::is_news`]).
pub fn any_news(store: &Store, resolved: &Resolved) -> Result<bool> {
    let standing = store.standing()?;
    let wanted = Wanted {
        standing: Stands::News,
        ..Wanted::default()
    };
    let (news, _) = store.some_findings(&wanted, &standing)?;
    if news > 0 {
        return Ok(true);
    }
    for text in standing.marked() {
        let signature = text.parse::<Signature>().ok();
        let row = signature.map(|signature| store.finding(&signature));
        if let Some(row) = row.transpose()?.flatten()
            && Finding::of(&row, resolved).is_news()
        {
            return Ok(true);
        }
    }
    Ok(false)
}

/// One page of the findings of an open campaign that are wanted, and how many are wanted in all.
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
    let row = row_named(store, id)?;
    Ok(row.map(|row| Finding::of(&row, resolved)))
}

/// The finding of that id in an open campaign, with all that its folder holds.
pub fn full_named(store: &Store, resolved: &Resolved, id: &str) -> Result<Option<FullFinding>> {
    let row = row_named(store, id)?;
    row.map(|row| FullFinding::of(store, resolved, &row))
        .transpose()
}

fn row_named(store: &Store, id: &str) -> Result<Option<FindingRow>> {
    match store.signature_of(id)? {
        Some(signature) => store.finding(&signature),
        None => Ok(None),
    }
}

#[cfg(test)]
impl Finding {
    /// A finding without anything special, for tests.
    pub(crate) fn sample(id: &str, target: &str, kind: Kind) -> Finding {
        Finding {
            id: id.to_string(),
            kind,
            target: target.parse().expect("a target"),
            against: Vec::new(),
            signature: format!("v1 {kind} z3 site=\"boom\"")
                .parse()
                .expect("a signature"),
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
