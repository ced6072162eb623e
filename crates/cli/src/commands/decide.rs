//! `lydite findings mark | merge | split`: what people decide about findings.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use lydite_lab::campaign::{Resolved, lock};
use lydite_lab::finding::{self, FindingFile, Writer};
use lydite_lab::report::Report;
use lydite_lab::store::{self, Store};
use lydite_lab::triage::{Act, Status, last_holding};

use super::replay::find;
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
            let desk = Desk::open(std::slice::from_ref(finding), undo)?;
            let signature = desk.first().finding.signature.clone();
            let Some(status) = status else {
                let own =
                    |act: &Act| matches!(act, Act::Mark { finding, .. } if *finding == signature);
                return desk.undo(&own, console);
            };
            let act = Act::Mark {
                finding: signature.clone(),
                status: desk.status(status)?,
                upstream: upstream.clone(),
                note: note.clone(),
            };
            desk.decide(act, console)
        }
        FindingsCommand::Merge { findings, undo } => {
            let desk = Desk::open(findings, undo)?;
            let signatures = desk.signatures();
            if undo.undo {
                let own = |act: &Act| match act {
                    Act::Merge { into, findings, .. } => {
                        signatures.contains(into) || findings.iter().any(|f| signatures.contains(f))
                    }
                    _ => false,
                };
                return desk.undo(&own, console);
            }
            let [into, others @ ..] = signatures.as_slice() else {
                bail!("merge: no finding");
            };
            if others.is_empty() {
                bail!("merge: at least two findings are needed");
            }
            let act = Act::Merge {
                into: into.clone(),
                findings: others.to_vec(),
                why: None,
            };
            desk.decide(act, console)
        }
        FindingsCommand::Split { finding, undo } => {
            let desk = Desk::open(std::slice::from_ref(finding), undo)?;
            let signature = desk.first().finding.signature.clone();
            if undo.undo {
                let own =
                    |act: &Act| matches!(act, Act::Split { finding } if *finding == signature);
                return desk.undo(&own, console);
            }
            let file = desk.first();
            if file.finding.merged_into.is_none() && file.finding.merged.is_empty() {
                bail!("finding {}: not merged with any", file.finding.id);
            }
            desk.decide(Act::Split { finding: signature }, console)
        }
    }
}

/// Findings of one campaign that something is decided about.
struct Desk {
    campaign: PathBuf,
    files: Vec<FindingFile>,
    store: Store,
}

impl Desk {
    fn open(findings: &[PathBuf], args: &UndoArgs) -> Result<Desk> {
        let mut campaign: Option<PathBuf> = None;
        let mut files = Vec::new();
        for name in findings {
            let folder = find(name, args.campaign.as_deref())?;
            let (file, _) = finding::load(&folder)?;
            let place = folder.parent().and_then(Path::parent);
            let place = place.filter(|place| place.join(store::FILE_NAME).is_file());
            let place = place
                .with_context(|| format!("{}: not in a campaign's folder", folder.display()))?;
            if campaign.as_deref().is_some_and(|other| other != place) {
                bail!("finding {}: of another campaign", file.finding.id);
            }
            campaign = Some(place.to_path_buf());
            files.push(file);
        }
        let campaign = campaign.context("no finding")?;
        Ok(Desk {
            store: Store::open(&campaign)?,
            campaign,
            files,
        })
    }

    fn first(&self) -> &FindingFile {
        &self.files[0]
    }

    fn signatures(&self) -> Vec<String> {
        let files = self.files.iter();
        files.map(|file| file.finding.signature.clone()).collect()
    }

    /// The status; another finding that it names has to be there.
    fn status(&self, text: &str) -> Result<Status> {
        let status: Status = text.parse()?;
        if let Status::DuplicateOf(id) = &status {
            let known = finding::list(&self.campaign)?;
            if *id == self.first().finding.id || !known.iter().any(|other| other.id == *id) {
                bail!("duplicate-of={id}: not another finding of this campaign");
            }
        }
        Ok(status)
    }

    fn undo(self, wanted: &dyn Fn(&Act) -> bool, console: &Console) -> Result<ExitCode> {
        let decisions = self.store.decisions()?;
        let Some(last) = last_holding(&decisions, wanted) else {
            bail!("finding {}: nothing to take back", self.first().finding.id);
        };
        let decision = last.id.clone();
        self.decide(Act::Undo { decision }, console)
    }

    /// Keeps the decision and shows the findings and the report as they are
    /// then.
    fn decide(mut self, act: Act, console: &Console) -> Result<ExitCode> {
        self.store.decide(&act)?;
        match lock(&self.campaign) {
            Ok(_lock) => {
                let resolved = Resolved::read(&self.campaign)?;
                Writer::new(&self.campaign, &resolved).write_all(&self.store)?;
                Report::read(&self.campaign)?.write(&self.campaign)?;
            }
            // A hunt that is at work there writes them when it ends.
            Err(why) => console.say(&format!("{why:#}; the folders of findings wait for it")),
        }
        let findings = finding::list(&self.campaign)?;
        let signatures = self.signatures();
        for finding in findings
            .iter()
            .filter(|f| signatures.contains(&f.signature))
        {
            let mark = finding.mark.as_ref().map(|mark| mark.in_words());
            let merged = finding.merged_into.as_ref();
            let merged = merged.map(|lead| format!("merged into {lead}"));
            let standing = merged.or(mark).unwrap_or_else(|| "open".to_string());
            print(&format!("{}: {standing}", finding.id));
        }
        Ok(ExitCode::Clean)
    }
}
