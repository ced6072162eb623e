//! The campaigns below a folder, read afresh for every request: a hunt may be
//! at work in them.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::SystemTime;

use anyhow::{Context, Result, bail};
use lydite_lab::campaign::Resolved;
use lydite_lab::finding::{self, Finding, FullFinding, Writer};
use lydite_lab::triage::{Act, Status, last_holding};
use lydite_store::clock;
use lydite_store::folder::{LockedFolder, ReadFolder};
use lydite_store::{DecisionStore, Store};
use serde::Serialize;

use crate::answer::Problem;
use crate::jobs::{Task, What};
use crate::query::encode;

/// Where campaigns are looked for.
pub(crate) struct Campaigns {
    root: PathBuf,
    plans: Mutex<BTreeMap<PathBuf, (SystemTime, Resolved)>>,
}

/// One campaign of the list.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Line {
    /// Its place below the folder that is served.
    pub name: String,
    /// Its name as a part of an address.
    pub address: String,
    /// What its plan calls it.
    pub title: String,
    pub targets: Vec<String>,
    pub cases: u64,
    /// How many cases there are in all, if they are counted.
    pub of: Option<u64>,
    pub runs: u64,
    pub findings: usize,
    /// Cases per second just now.
    pub rate: f64,
    pub running: bool,
    /// What is wrong with it, if it cannot be read.
    pub problem: Option<String>,
}

/// Campaigns are looked for so deep.
const DEPTH: usize = 3;

/// No more of them are listed.
const MOST_CAMPAIGNS: usize = 1000;

/// A rate is taken over so many seconds.
const RATE_S: f64 = 10.0;

/// A campaign that stored nothing for longer than this is not at work.
const QUIET_S: f64 = 30.0;

/// A campaign that is open for reading.
pub(crate) struct OpenCampaign {
    pub folder: ReadFolder,
    pub resolved: Resolved,
    pub store: Store,
}

impl Campaigns {
    pub(crate) fn open(root: &Path) -> Result<Campaigns> {
        if !root.is_dir() {
            bail!("{}: not a folder", root.display());
        }
        Ok(Campaigns {
            root: fs::canonicalize(root).with_context(|| root.display().to_string())?,
            plans: Mutex::default(),
        })
    }

    /// Names and folders.
    fn folders(&self) -> BTreeMap<String, PathBuf> {
        let mut found = BTreeMap::new();
        if is_campaign(&self.root) {
            let name = self.root.file_name().unwrap_or_default();
            found.insert(name.to_string_lossy().into_owned(), self.root.clone());
            return found;
        }
        let mut level = vec![(String::new(), self.root.clone())];
        for _ in 0..DEPTH {
            let mut deeper = Vec::new();
            for (prefix, folder) in level {
                let Ok(entries) = fs::read_dir(folder) else {
                    continue;
                };
                for entry in entries.filter_map(|entry| entry.ok()) {
                    let path = entry.path();
                    // A link may lead anywhere.
                    if !entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                        continue;
                    }
                    let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
                    match is_campaign(&path) {
                        true if found.len() < MOST_CAMPAIGNS => {
                            found.insert(name, path);
                        }
                        true => {}
                        false => deeper.push((format!("{name}/"), path)),
                    }
                }
            }
            level = deeper;
        }
        found
    }

    /// The campaign of that name.
    pub(crate) fn get(&self, name: &str) -> Result<OpenCampaign, Problem> {
        let folders = self.folders();
        let folder = folders.get(name);
        let folder = folder.ok_or_else(|| Problem::not_found(&format!("campaign {name}")))?;
        Ok(self.read(folder)?)
    }

    fn read(&self, folder: &Path) -> Result<OpenCampaign> {
        let folder = ReadFolder::campaign(folder)?;
        Ok(OpenCampaign {
            resolved: self.plan(&folder)?,
            store: Store::open_to_read(&folder)?,
            folder,
        })
    }

    fn plan(&self, folder: &ReadFolder) -> Result<Resolved> {
        let path = folder.path();
        let written = fs::metadata(path.join("plan.json")).and_then(|data| data.modified());
        let written = written.unwrap_or(SystemTime::UNIX_EPOCH);
        let known = |plans: &BTreeMap<PathBuf, (SystemTime, Resolved)>| {
            let known = plans.get(path).filter(|(at, _)| *at == written);
            known.map(|(_, plan)| plan.clone())
        };
        if let Some(plan) = known(&self.plans.lock().expect("nobody panics with it")) {
            return Ok(plan);
        }
        // Read while nobody waits for it.
        let plan = Resolved::read(folder)?;
        let mut plans = self.plans.lock().expect("nobody panics with it");
        plans.insert(path.to_path_buf(), (written, plan.clone()));
        Ok(plan)
    }

    /// All campaigns.
    pub(crate) fn lines(&self) -> Vec<Line> {
        let line = |(name, folder): (String, PathBuf)| match self.read(&folder) {
            Ok(open) => open
                .line(&name)
                .unwrap_or_else(|error| Line::broken(&name, &error)),
            Err(error) => Line::broken(&name, &error),
        };
        self.folders().into_iter().map(line).collect()
    }
}

fn is_campaign(folder: &Path) -> bool {
    ReadFolder::is_campaign(folder) && folder.join("plan.json").is_file()
}

impl Line {
    fn broken(name: &str, error: &anyhow::Error) -> Line {
        Line {
            name: name.to_string(),
            address: encode(name),
            title: name.to_string(),
            targets: Vec::new(),
            cases: 0,
            of: None,
            runs: 0,
            findings: 0,
            rate: 0.0,
            running: false,
            problem: Some(format!("{error:#}")),
        }
    }
}

impl OpenCampaign {
    /// How the campaign stands, in one line.
    pub(crate) fn line(&self, name: &str) -> Result<Line> {
        let (cases, runs) = self.store.so_far()?;
        let pace = self.store.pace()?;
        let now = clock::now_ms();
        let recent = |seconds| {
            pace.iter()
                .map(|p| p.recent_cases(now, seconds))
                .sum::<f64>()
        };
        Ok(Line {
            name: name.to_string(),
            address: encode(name),
            title: self.resolved.plan.name.clone(),
            targets: self.targets(),
            cases,
            of: self.resolved.plan.cases,
            runs,
            findings: self.store.signatures()?,
            rate: recent(RATE_S) / RATE_S,
            running: recent(QUIET_S) > 0.0,
            problem: None,
        })
    }

    /// The names of its targets.
    pub(crate) fn targets(&self) -> Vec<String> {
        let targets = self.resolved.targets.iter();
        targets.map(|target| target.name.to_string()).collect()
    }

    /// The finding of that id.
    pub(crate) fn finding(&self, id: &str) -> Result<Finding, Problem> {
        let found = finding::named(&self.store, &self.resolved, id)?;
        found.ok_or_else(|| Problem::not_found(&format!("finding {id}")))
    }

    /// The finding of that id, with its case and what targets printed.
    pub(crate) fn full(&self, id: &str) -> Result<FullFinding, Problem> {
        let found = finding::full_named(&self.store, &self.resolved, id)?;
        found.ok_or_else(|| Problem::not_found(&format!("finding {id}")))
    }

    /// What somebody wants to be done to a finding.
    pub(crate) fn task(&self, id: &str, what: What) -> Result<Task, Problem> {
        let finding = self.finding(id)?;
        Ok(Task {
            folder: self.folder.path().to_path_buf(),
            id: finding.id,
            what,
        })
    }

    /// Keeps what somebody decided about a finding, and writes its folder.
    pub(crate) fn mark(self, id: &str, decision: &DecisionForm) -> Result<Finding, Problem> {
        let finding = self.finding(id)?;
        let mut decisions = DecisionStore::open(&self.folder)?;
        let act = self.act(&finding, decision, decisions.store())?;
        decisions.decide(&act)?;
        // A hunt that is at work there writes the folder when it ends.
        if let Ok(held) = LockedFolder::campaign(self.folder.path()) {
            let store = Store::open(&held)?;
            Writer::new(&held, &self.resolved).write(&store, &finding.signature)?;
        }
        self.finding(id)
    }

    fn act(
        &self,
        finding: &Finding,
        decision: &DecisionForm,
        store: &Store,
    ) -> Result<Act, Problem> {
        let given = |text: &String| {
            let text = text.trim();
            (!text.is_empty()).then(|| text.to_string())
        };
        let signature = finding.signature.to_string();
        if decision.status == "undo" {
            let own = |act: &Act| matches!(act, Act::Mark { finding: of, .. } if *of == signature);
            let decisions = store.decisions()?;
            let last = last_holding(&decisions, &own);
            let last = last.ok_or_else(|| Problem::refused("nothing to take back"))?;
            return Ok(Act::Undo {
                decision: last.id.clone(),
            });
        }
        let text = match given(&decision.value) {
            Some(value) => format!("{}={value}", decision.status),
            None => decision.status.clone(),
        };
        let status: Status = text.parse().map_err(Problem::refused)?;
        if let Status::DuplicateOf(other) = &status
            && (*other == finding.id || self.finding(other).is_err())
        {
            let text = format!("duplicate-of={other}: not another finding of this campaign");
            return Err(Problem::refused(text));
        }
        Ok(Act::Mark {
            finding: signature,
            status,
            upstream: given(&decision.upstream),
            note: given(&decision.note),
        })
    }
}

/// What somebody decides, as a form has it.
#[derive(Clone, Debug, Default, serde::Deserialize)]
#[serde(default)]
pub(crate) struct DecisionForm {
    /// `reported`, `duplicate-of`, `known`, `wontfix`, `fixed-in`, `undo`; or
    /// with its value, as on the command line.
    pub status: String,
    /// The id, the issue or the version.
    pub value: String,
    pub upstream: String,
    pub note: String,
}
