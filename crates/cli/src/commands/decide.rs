//! `lydite findings mark | merge | split`: what people decide about findings.

use std::path::PathBuf;

use anyhow::{Context, Result};
use lydite_core::fault::{Blame, usage};
use lydite_lab::campaign::Resolved;
use lydite_lab::finding::{self, Finding, Writer};
use lydite_lab::report::Report;
use lydite_lab::triage::{Act, Status, last_holding};
use lydite_store::folder::{LockedFolder, ReadFolder};
use lydite_store::{DecisionStore, Store};

use super::named::{Named, find};
use crate::args::{FindingsCommand, UndoArgs};
use crate::console::{Console, print};
use crate::exit_code::ExitCode;

pub(crate) fn run(command: &FindingsCommand, console: &Console) -> Result<ExitCode> {
    match command {
        FindingsCommand::Mark {
            finding,
            status,
            upstream,
            note,
            undo,
        } => {
            let named = NamedFindings::open(std::slice::from_ref(finding), undo)?;
            match status {
                Some(status) => {
                    let status = named.status(status)?;
                    named.mark(status, upstream.clone(), note.clone(), console)
                }
                None => named.undo_mark(console),
            }
        }
        FindingsCommand::Merge { findings, undo } => {
            let named = NamedFindings::open(findings, undo)?;
            match undo.undo {
                true => named.undo_merge(console),
                false => named.merge(console),
            }
        }
        FindingsCommand::Split { finding, undo } => {
            let named = NamedFindings::open(std::slice::from_ref(finding), undo)?;
            match undo.undo {
                true => named.undo_split(console),
                false => named.split(console),
            }
        }
    }
}

/// Findings of one campaign that something is decided about.
struct NamedFindings {
    folder: ReadFolder,
    resolved: Resolved,
    findings: Vec<Finding>,
    store: DecisionStore,
}

impl NamedFindings {
    fn open(findings: &[PathBuf], args: &UndoArgs) -> Result<NamedFindings> {
        let mut ids = Vec::new();
        let mut place: Option<PathBuf> = None;
        for name in findings {
            let Named::Campaign(path, id) = find(name, args.campaign.as_deref())? else {
                let words = format!("{}: not in a campaign's folder", name.display());
                return Err(usage(words));
            };
            let path = std::path::absolute(path).or_usage()?;
            let id = id.unwrap_or_default();
            if place.as_ref().is_some_and(|other| *other != path) {
                return Err(usage(format!("finding {id}: of another campaign")));
            }
            place = Some(path);
            ids.push(id);
        }
        let place = place.context("no finding").or_usage()?;
        let folder = ReadFolder::campaign(&place)?;
        let resolved = Resolved::read(&folder)?;
        let store = DecisionStore::open(&folder)?;
        let mut findings = Vec::new();
        for id in ids {
            let found = finding::named(store.store(), &resolved, &id)?;
            let found = found.with_context(|| format!("finding {id}: not in this campaign"));
            findings.push(found.or_usage()?);
        }
        Ok(NamedFindings {
            folder,
            resolved,
            findings,
            store,
        })
    }

    fn first(&self) -> &Finding {
        &self.findings[0]
    }

    fn signatures(&self) -> Vec<String> {
        let findings = self.findings.iter();
        findings
            .map(|finding| finding.signature.to_string())
            .collect()
    }

    /// The status; another finding that it names has to be there.
    fn status(&self, text: &str) -> Result<Status> {
        let status: Status = text.parse().or_usage()?;
        if let Status::DuplicateOf(id) = &status {
            let known = self.store.store().signature_of(id)?;
            if *id == self.first().id || known.is_none() {
                return Err(usage(format!(
                    "duplicate-of={id}: not another finding of this campaign"
                )));
            }
        }
        Ok(status)
    }

    fn mark(
        self,
        status: Status,
        upstream: Option<String>,
        note: Option<String>,
        console: &Console,
    ) -> Result<ExitCode> {
        let act = Act::Mark {
            finding: self.first().signature.to_string(),
            status,
            upstream,
            note,
        };
        self.decide(act, console)
    }

    fn undo_mark(self, console: &Console) -> Result<ExitCode> {
        let signature = self.first().signature.to_string();
        let own = |act: &Act| matches!(act, Act::Mark { finding, .. } if *finding == signature);
        self.undo(&own, console)
    }

    /// Merges all of them into the first.
    fn merge(self, console: &Console) -> Result<ExitCode> {
        let signatures = self.signatures();
        let [into, others @ ..] = signatures.as_slice() else {
            return Err(usage("merge: no finding"));
        };
        if others.is_empty() {
            return Err(usage("merge: at least two findings are needed"));
        }
        let act = Act::Merge {
            into: into.clone(),
            findings: others.to_vec(),
            why: None,
        };
        self.decide(act, console)
    }

    fn undo_merge(self, console: &Console) -> Result<ExitCode> {
        let signatures = self.signatures();
        let own = |act: &Act| match act {
            Act::Merge { into, findings, .. } => {
                signatures.contains(into) || findings.iter().any(|f| signatures.contains(f))
            }
            _ => false,
        };
        self.undo(&own, console)
    }

    /// Takes the first out of what it is merged with.
    fn split(self, console: &Console) -> Result<ExitCode> {
        let found = self.first();
        if found.merged_into.is_none() && found.merged.is_empty() {
            return Err(usage(format!("finding {}: not merged with any", found.id)));
        }
        let finding = found.signature.to_string();
        self.decide(Act::Split { finding }, console)
    }

    fn undo_split(self, console: &Console) -> Result<ExitCode> {
        let signature = self.first().signature.to_string();
        let own = |act: &Act| matches!(act, Act::Split { finding } if *finding == signature);
        self.undo(&own, console)
    }

    /// Takes back the last decision of the wanted kind that still holds.
    fn undo(self, wanted: &dyn Fn(&Act) -> bool, console: &Console) -> Result<ExitCode> {
        let decisions = self.store.store().decisions()?;
        let Some(last) = last_holding(&decisions, wanted) else {
            return Err(usage(format!(
                "finding {}: nothing to take back",
                self.first().id
            )));
        };
        let decision = last.id.clone();
        self.decide(Act::Undo { decision }, console)
    }

    /// Keeps the decision and shows the findings and the report as they are
    /// then.
    fn decide(mut self, act: Act, console: &Console) -> Result<ExitCode> {
        self.store.decide(&act)?;
        match LockedFolder::campaign(self.folder.path()) {
            Ok(held) => {
                let store = Store::open(&held)?;
                Writer::new(&held, &self.resolved).write_all(&store)?;
                Report::of(&store, &self.resolved)?.write(&held)?;
            }
            // A hunt that is at work there writes them when it ends.
            Err(why) => console.say(&format!("{why:#}; the folders of findings wait for it")),
        }
        for finding in &self.findings {
            let now = finding::named(self.store.store(), &self.resolved, &finding.id)?;
            let finding = now.context("a finding went away")?;
            let mark = finding.mark.as_ref().map(|mark| mark.in_words());
            let merged = finding.merged_into.as_ref();
            let merged = merged.map(|lead| format!("merged into {lead}"));
            let standing = merged.or(mark).unwrap_or_else(|| "open".to_string());
            print(&format!("{}: {standing}", finding.id));
        }
        Ok(ExitCode::Clean)
    }
}
