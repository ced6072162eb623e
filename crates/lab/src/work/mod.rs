//! Work on findings: reducing, bisecting, deduplicating, replaying, comparing.
//!
//! All of it goes over one [`Workplace`], which is opened once: what runs and
//! judges, the campaign's folder and its lock, its store, and what makes its
//! cases again. Whoever writes holds the lock; folders and reports are written
//! by [`Workplace::end`], once.

mod bisect;
mod compare;
mod dedup;
mod reduce;
mod replay;

pub use bisect::{Among, Bisected, bisect};
pub use compare::compare;
pub use dedup::{Deduplicated, dedup};
pub use reduce::{COMES_AND_GOES, Effort, Reduced, reduce, settle, tell_and_keep};
pub use replay::{Replayed, replay};

use std::cell::OnceCell;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result};
use lydite_core::{Case, Language, Role, Signature, TargetName};

use crate::campaign::{Examiner, Schedule, Source};
use crate::finding::{self, FindingFile, FullFinding, Writer};
use crate::plan::PlanLimits;
use crate::reduce::Vouch;
use crate::registry::Registry;
use crate::report::Report;
use crate::resolved::{Resolved, run_limits};
use lydite_core::fault::{Blame, Fault, usage};
use lydite_process::Scratch;
use lydite_store::Store;
use lydite_store::folder::{LockedFolder, ReadFolder};
use lydite_store::record::ScheduleId;
use lydite_target::install::Cache;
use lydite_target::{Catalogue, Family, Maker, Target};

/// Everything that work on findings needs beside the campaign.
pub struct Tools<'a> {
    /// The strategies, oracles and languages.
    pub registry: &'a Registry,
    /// The families; those of the campaign's own target files are added.
    pub catalogue: Catalogue,
    /// Where targets are installed.
    pub cache: &'a Cache,
    /// Where runs take place.
    pub scratch: Arc<Scratch>,
    /// The language that a family reads.
    pub language_of: &'a dyn Fn(&Family) -> Arc<dyn Language>,
    /// What vouches for programs that are claimed to be equivalent.
    pub vouch: &'a dyn Fn(Maker, &Case) -> Option<Vouch>,
    /// Tells people what is being done.
    pub say: &'a dyn Fn(&str),
    /// Tells people what is not as it should be.
    pub warn: &'a dyn Fn(&str),
}

/// Where the findings are.
enum Home {
    /// In a campaign that is held: what is found out is kept with them.
    Held(Box<Held>),
    /// In a campaign that is only read.
    Read(Box<(Store, Resolved)>),
    /// In a folder of its own.
    Alone(PathBuf),
}

struct Held {
    folder: LockedFolder,
    store: Store,
    resolved: Resolved,
    /// Findings that something was found out about.
    changed: Vec<Signature>,
}

impl Home {
    /// Keeps something about a finding of the campaign that is held.
    fn keep<T>(
        &mut self,
        signature: &Signature,
        keep: &mut dyn FnMut(&mut Store) -> Result<T>,
    ) -> Result<Option<T>> {
        let Home::Held(held) = self else {
            return Ok(None);
        };
        if !held.changed.contains(signature) {
            held.changed.push(signature.clone());
        }
        keep(&mut held.store).map(Some)
    }
}

/// Findings that are worked on, with all that is needed for it.
pub struct Workplace<'a> {
    tools: Tools<'a>,
    home: Home,
    examiner: OnceCell<Examiner>,
    source: OnceCell<Option<Source>>,
}

impl<'a> Workplace<'a> {
    /// Holds the campaign at `path`.
    pub fn hold(tools: Tools<'a>, path: &Path) -> Result<Workplace<'a>> {
        let folder = LockedFolder::campaign(path)?;
        let store = Store::open(&folder)?;
        let resolved = Resolved::read(&folder)?;
        Workplace::over(tools, folder, store, resolved)
    }

    /// Goes on with a campaign that is held and open.
    pub fn over(
        tools: Tools<'a>,
        folder: LockedFolder,
        store: Store,
        resolved: Resolved,
    ) -> Result<Workplace<'a>> {
        Workplace::at(
            tools,
            Home::Held(Box::new(Held {
                folder,
                store,
                resolved,
                changed: Vec::new(),
            })),
        )
    }

    /// Reads the campaign at `path`; somebody else may be at work there.
    pub fn read(tools: Tools<'a>, path: &Path) -> Result<Workplace<'a>> {
        let folder = ReadFolder::campaign(path)?;
        let home = (Store::open_checked(&folder)?, Resolved::read(&folder)?);
        Workplace::at(tools, Home::Read(Box::new(home)))
    }

    /// A workplace over the folder of a single finding, without its campaign.
    pub fn alone(tools: Tools<'a>, folder: &Path) -> Result<Workplace<'a>> {
        Workplace::at(tools, Home::Alone(folder.to_path_buf()))
    }

    fn at(tools: Tools<'a>, home: Home) -> Result<Workplace<'a>> {
        let mut workplace = Workplace {
            tools,
            home,
            examiner: OnceCell::new(),
            source: OnceCell::new(),
        };
        let files = workplace.resolved().map(|r| r.plan.target_files.clone());
        for path in files.unwrap_or_default() {
            workplace.tools.catalogue.add_path(&path).or_usage()?;
        }
        Ok(workplace)
    }

    /// The plan of the campaign, if there is one.
    pub fn resolved(&self) -> Option<&Resolved> {
        match &self.home {
            Home::Held(held) => Some(&held.resolved),
            Home::Read(read) => Some(&read.1),
            Home::Alone(_) => None,
        }
    }

    /// The store of the campaign, if there is one.
    pub fn store(&self) -> Option<&Store> {
        match &self.home {
            Home::Held(held) => Some(&held.store),
            Home::Read(read) => Some(&read.0),
            Home::Alone(_) => None,
        }
    }

    /// All ids of the campaign's findings, gravest first.
    pub fn ids(&self) -> Result<Vec<String>> {
        let (Some(store), Some(resolved)) = (self.store(), self.resolved()) else {
            return Ok(Vec::new());
        };
        let mut ids = Vec::new();
        finding::each(store, resolved, &mut |finding| {
            ids.push(finding.id);
            Ok(())
        })?;
        Ok(ids)
    }

    /// The finding of that id, or the one whose folder this is.
    pub fn finding(&self, id: &str) -> Result<FullFinding> {
        let (store, resolved) = match &self.home {
            Home::Alone(folder) => return FullFinding::read(folder),
            Home::Held(held) => (&held.store, &held.resolved),
            Home::Read(read) => (&read.0, &read.1),
        };
        finding::full_named(store, resolved, id)?
            .ok_or_else(|| usage(format!("finding {id}: not in this campaign")))
    }

    /// What runs and judges the case of a finding, as when it was found.
    pub fn examiner(&self, file: &FindingFile) -> Result<Examiner> {
        // All findings of a campaign have the same.
        if let Some(examiner) = self.examiner.get() {
            return Ok(examiner.clone());
        }
        let examiner = self.open_examiner(file)?;
        Ok(self.examiner.get_or_init(|| examiner).clone())
    }

    fn open_examiner(&self, file: &FindingFile) -> Result<Examiner> {
        let mut targets = Vec::new();
        for participant in &file.targets {
            let role = match participant.reference {
                true => Role::Reference,
                false => Role::Tested,
            };
            let resolved = self.targets(&participant.name)?;
            targets.extend(resolved.into_iter().map(|target| (target, role)));
        }
        let (first, _) = targets
            .first()
            .context("a finding without targets")
            .or_usage()?;
        let limits = match self.resolved() {
            Some(resolved) => resolved.plan.limits,
            None => PlanLimits {
                timeout: file.timeout,
                memory: file.memory,
                ..PlanLimits::default()
            },
        };
        let oracles = file.oracles.iter();
        let oracles: Result<Vec<_>> = oracles
            .map(|name| self.tools.registry.oracle(name))
            .collect();
        Ok(Examiner::new(
            (self.tools.language_of)(first.family()),
            targets,
            oracles.or_usage()?,
            run_limits(&limits),
            self.tools.scratch.clone(),
        ))
    }

    /// The installed targets of a name.
    fn targets(&self, name: &TargetName) -> Result<Vec<Target>> {
        let resolved = self.tools.catalogue.resolve(name, self.tools.cache);
        resolved.context(Fault::TargetUnusable)
    }

    /// The schedule of that name.
    fn schedule(&self, id: ScheduleId) -> Result<Option<Schedule>> {
        let Some(store) = self.store() else {
            return Ok(None);
        };
        Ok(store.schedule(id)?.map(Schedule::new))
    }

    /// What makes the campaign's cases, if it can be opened here.
    fn source(&self, language: &Arc<dyn Language>) -> Option<&Source> {
        let open = || {
            let plan = &self.resolved()?.plan;
            let opened = Source::open(plan, language, self.tools.registry);
            opened.ok().map(|(source, _)| source)
        };
        self.source.get_or_init(open).as_ref()
    }

    /// Writes the folders of findings that are not as the store says, be it that
    /// somebody was killed before, and the report; gives the campaign back, still
    /// held.
    pub fn end(self) -> Result<Option<(LockedFolder, Store, Resolved)>> {
        let Home::Held(held) = self.home else {
            return Ok(None);
        };
        let Held {
            folder,
            store,
            resolved,
            changed,
        } = *held;
        let writer = Writer::new(&folder, &resolved);
        for signature in &changed {
            writer.write(&store, signature)?;
        }
        writer.write_all(&store)?;
        Report::of(&store, &resolved)?.write(&folder)?;
        Ok(Some((folder, store, resolved)))
    }
}
