//! A campaign: a numbered space of cases, run on targets, judged, stored.
//!
//! Job *i* depends on nothing but the plan, the stored schedule of its round
//! ([`crate::schedule`]), and *i*; so the number of threads and a kill at any
//! instant change nothing about what a case gives.

mod confirm;
mod contested;
mod costs;
mod cpu;
mod ending;
mod engine;
mod job;
mod join;
mod judge;
mod known;
mod options;
mod pending;
mod record;
mod rounds;
mod runner;
mod session;
mod sites;
mod source;
mod steer;
mod trigger;
mod warm;

pub use crate::parallel::{Stop, run_all};
pub use crate::resolved::{Recipe, Resolved, TargetRecord, run_limits};
pub use contested::FOLDER as CONTESTED_FOLDER;
pub use cpu::own_cpu;
pub use engine::{Engine, Examiner, panic_text};
pub use job::{Examined, Filed, Job};
pub use join::{Joined, join};
pub use judge::Judge;
pub use lydite_store::record::Replays;
pub use options::OptionChoice;
pub use pending::Pending;
pub use record::Recorder;
pub use runner::Runner;
pub use session::Session;
pub use source::{Source, index_from_text, read_seeds};
pub use steer::{Schedule, Terms};
pub use trigger::make_trigger;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use anyhow::Result;

use crate::finding::{self, Finding};
use crate::schedule::Round;
use lydite_core::fault::usage;
use lydite_store::folder::{CAMPAIGN, LockedFolder, ReadFolder};
use lydite_store::record::{CaseRecord, Provenance};
use lydite_store::{Stands, Store, Totals, Wanted};

/// An open campaign.
pub struct Campaign {
    /// The folder, held as long as the campaign is open.
    pub folder: LockedFolder,
    /// What runs its cases.
    pub engine: Engine,
    /// How many cases were done before this process.
    pub resumed_at: u64,
    store: Store,
}

/// Which part of a campaign this process does: shard `number` (from 1) of `of`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// The number of this part, counted from 1.
    pub number: u64,
    /// The number of all parts.
    pub of: u64,
}

/// How a campaign is run; none of it changes what a case gives.
pub struct RunOptions<'a> {
    /// The number of worker threads.
    pub threads: usize,
    /// The part to do.
    pub shard: Shard,
    /// Set from outside to finish early.
    pub stop: &'a AtomicBool,
}

/// What happens while a campaign runs.
pub enum Event<'a> {
    /// Some cases were stored.
    Progress(&'a Progress),
    /// A new signature, or a smaller case of one.
    Found {
        /// The finding as it stands.
        finding: &'a Finding,
        /// True if its signature was not there before.
        new: bool,
    },
}

/// How far a campaign is.
#[derive(Clone, Debug, Default)]
pub struct Progress {
    /// The number of finished cases, those of earlier processes included.
    pub cases: u64,
    /// How many cases there are in all, if they are counted.
    pub of: Option<u64>,
    /// The number of runs of targets in this process.
    pub runs: u64,
    /// The number of cases that were abandoned in this process.
    pub rejects: u64,
    /// The number of distinct signatures so far.
    pub findings: usize,
}

/// How a campaign stands.
pub struct Summary {
    /// Totals over the campaign.
    pub totals: Totals,
    /// What was found, gravest first and at most [`SHOWN`] of it; without what
    /// another finding stands for.
    pub findings: Vec<Finding>,
    /// How many findings there are in all.
    pub count: u64,
    /// How many cases accuse somebody of each kind of wrong, in all findings.
    pub accusations: BTreeMap<String, u64>,
    /// True if some finding is news ([`Finding::is_news`]).
    pub news: bool,
    /// Names of the targets, in the order of their numbers.
    pub targets: Vec<String>,
    /// True if it was stopped before its end.
    pub interrupted: bool,
}

/// How many findings a summary has at the most.
pub const SHOWN: u64 = 1000;

impl Campaign {
    /// Starts the campaign of an engine in the folder at `path`, or goes on with
    /// it.
    pub fn open(engine: Engine, path: &Path) -> Result<Campaign> {
        let folder = LockedFolder::make(path, &CAMPAIGN)?;
        let store = open_store(&folder, &engine.resolved)?;
        Ok(Campaign {
            resumed_at: store.finished()?.count(),
            folder,
            engine,
            store,
        })
    }

    /// Runs what is left of the campaign (or of the shard).
    pub fn run(
        &mut self,
        options: &RunOptions<'_>,
        listen: &mut dyn FnMut(Event<'_>),
    ) -> Result<Summary> {
        let started = Instant::now();
        let end = self.engine.end();
        let (shard, of) = (options.shard.number - 1, options.shard.of);
        let duration = self.engine.resolved.plan.duration;
        let stop = Stop {
            asked: options.stop,
            deadline: duration.map(|span| started + span.0),
        };
        let resolved = &self.engine.resolved;
        let mut session = Session::start(&resolved.id, resolved.provenance());
        let cases = (end < u64::MAX).then(|| end.saturating_sub(shard).div_ceil(of));
        let lacking = self.store.lacking()?;
        let (engine, mut recorder) = self.recorder(cases, listen)?;
        let mut run = |recorder: &mut Recorder<'_>, numbers, schedule: Option<&Schedule>| {
            let numbers: Box<dyn Iterator<Item = u64> + Send> = numbers;
            engine.run(numbers, schedule, options.threads, &stop, &mut |jobs| {
                let session = session.add(&jobs);
                let records: Vec<CaseRecord> = jobs.into_iter().map(CaseRecord::from).collect();
                recorder.record(&records, session)
            })
        };
        // Cases that are not there whole, although they are the smallest of a
        // signature, are made again.
        for index in lacking {
            let schedule = recorder.schedule_of_case(index)?;
            run(
                &mut recorder,
                Box::new(std::iter::once(index)),
                schedule.as_ref(),
            )?;
        }
        for numbers in engine.stretches(options.shard) {
            if numbers.start >= end || stop.now() {
                break;
            }
            let place = (numbers.start - shard) / of;
            let numbers = numbers.start..numbers.end.min(end);
            let mut pending = Pending::new(numbers, of, recorder.store.finished()?).peekable();
            if pending.peek().is_some() {
                let schedule = recorder.schedule(engine, options.shard, Round::of(place))?;
                let schedule = schedule.map(Schedule::new);
                run(&mut recorder, Box::new(pending), schedule.as_ref())?;
            }
        }
        let left = Pending::new(shard..end, of, self.store.finished()?)
            .next()
            .is_some();
        self.finish(left && options.stop.load(std::sync::atomic::Ordering::Relaxed))
    }

    /// The writer that stores finished cases, whoever ran them. `of` is the number of all cases, if
    /// it is known.
    pub fn recorder<'a>(
        &'a mut self,
        of: Option<u64>,
        listen: &'a mut dyn FnMut(Event<'_>),
    ) -> Result<(&'a Engine, Recorder<'a>)> {
        let progress = Progress {
            cases: self.resumed_at,
            of,
            findings: self.store.signatures()?,
            ..Progress::default()
        };
        let writer = finding::Writer::new(&self.folder, &self.engine.resolved);
        // Folders that a killed process had no time to write.
        writer.write_all(&self.store)?;
        let recorder = Recorder {
            store: &mut self.store,
            writer,
            progress,
            listen,
        };
        Ok((&self.engine, recorder))
    }

    /// Writes the folders of findings as they are at the end.
    pub fn finish(&self, interrupted: bool) -> Result<Summary> {
        contested::write_cases(&self.folder, &self.engine, &self.store)?;
        finding::Writer::new(&self.folder, &self.engine.resolved).write_all(&self.store)?;
        Summary::of(&self.store, &self.engine.resolved, interrupted)
    }

    /// Gives up the campaign for its folder, which stays locked, and its store.
    pub fn into_parts(self) -> (LockedFolder, Store, Resolved) {
        (self.folder, self.store, self.engine.resolved)
    }
}

impl Summary {
    /// How an open campaign stands.
    pub fn of(store: &Store, resolved: &Resolved, interrupted: bool) -> Result<Summary> {
        let wanted = Wanted {
            standing: Stands::Alone,
            most: SHOWN,
            ..Wanted::default()
        };
        let (count, findings) = finding::page(store, resolved, &wanted, &store.standing()?)?;
        let targets = resolved.targets.iter();
        Ok(Summary {
            totals: store.totals()?,
            findings,
            count,
            accusations: store.accusations()?,
            news: finding::any_news(store, resolved)?,
            targets: targets.map(|target| target.name.to_string()).collect(),
            interrupted,
        })
    }
}

/// Opens the store of a campaign, or makes it. What is written of it goes on
/// only with what it began with: the plan, seeds and limits, the binaries and
/// target files, and the version of lydite.
fn open_store(folder: &LockedFolder, resolved: &Resolved) -> Result<Store> {
    if !folder.store().is_file() {
        resolved.write(folder)?;
        return Store::create(folder, &resolved.id);
    }
    let store = Store::open(folder)?;
    let existing = Resolved::read(folder)?;
    resolved.refuse_other(&existing, folder)?;
    if store.campaign()? != resolved.id {
        return Err(usage(format!(
            "{}: plan and store are of two campaigns",
            folder.path().display()
        )));
    }
    refuse_other_sessions(&store, &resolved.provenance(), folder)?;
    // More cases or more time may have been asked for.
    resolved.write(folder)?;
    Ok(store)
}

/// An error if some process did cases with something else than `own`.
pub fn refuse_other_sessions(store: &Store, own: &Provenance, folder: &ReadFolder) -> Result<()> {
    for other in store.provenances()? {
        if other != *own {
            return Err(usage(format!(
                "{}: some of its cases were run with other binaries, target files or another \
                 lydite than its plan says; choose another folder with -o",
                folder.path().display()
            )));
        }
    }
    Ok(())
}
