//! A campaign: a numbered space of cases, run on targets, judged, stored.
//!
//! Job *i* depends on nothing but the plan and *i*, so the number of threads,
//! a kill at any instant, and shards change nothing about the result.

mod confirm;
mod contested;
mod job;
mod join;
mod known;
mod options;
mod record;
mod resolved;
mod schedule;
mod session;
mod source;
mod trigger;
mod warm;
mod workshop;

pub use confirm::Replays;
pub use contested::FOLDER as CONTESTED_FOLDER;
pub use job::{Bench, CONTESTED, Examined, Filed, Job, Run};
pub use join::{Joined, join};
pub use options::OptionChoice;
pub use record::Recorder;
pub use resolved::{Resolved, TargetRecord};
pub use schedule::{Pending, Stop};
pub use session::Session;
pub use source::{Recipe, Source, index_from_text, read_seeds};
pub use trigger::trigger;
pub use workshop::Workshop;

pub(crate) use job::{panic_text, prepared};
pub(crate) use options::options_of;
pub(crate) use resolved::strategy_identity;
pub(crate) use schedule::{WORKER_STACK, run_all};

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use rustix::time::ClockId;

use crate::fault::Fault;
use crate::finding::{self, Finding};
use crate::plan::PlanLimits;
use crate::store::{JobRow, Store, Totals};
use crate::target::RunLimits;
use job::cpu_time;

/// An open campaign.
pub struct Campaign {
    /// The folder.
    pub folder: PathBuf,
    /// What runs its cases.
    pub workshop: Workshop,
    /// Cases done before this process.
    pub resumed_at: u64,
    store: Store,
    /// Held as long as the campaign is open.
    _lock: fs::File,
}

/// Which part of a campaign this process does: shard `number` (from 1) of `of`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// From 1.
    pub number: u64,
    /// How many there are.
    pub of: u64,
}

/// How a campaign is run; none of it changes what a case gives.
pub struct RunOptions<'a> {
    /// Worker threads.
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
    /// Finished cases, those of earlier processes included.
    pub cases: u64,
    /// Of how many, if they are counted.
    pub of: Option<u64>,
    /// Runs of targets in this process.
    pub runs: u64,
    /// Cases abandoned in this process.
    pub rejects: u64,
    /// Distinct signatures.
    pub findings: usize,
}

/// How a campaign stands.
pub struct Summary {
    /// Sums.
    pub totals: Totals,
    /// Everything that was found.
    pub findings: Vec<Finding>,
    /// Names of the targets, in the order of their numbers.
    pub targets: Vec<String>,
    /// True if it was stopped before its end.
    pub interrupted: bool,
}

impl Campaign {
    /// Starts the campaign of a workshop in `folder`, or goes on with it.
    pub fn open(workshop: Workshop, folder: &Path) -> Result<Campaign> {
        fs::create_dir_all(folder)
            .with_context(|| format!("{}: cannot be made", folder.display()))
            .context(Fault::CannotWrite)?;
        check_folder(folder)?;
        let lock = lock(folder)?;
        let store = open_store(folder, &workshop.resolved)?;
        let finished = store.finished()?;
        Ok(Campaign {
            folder: folder.to_path_buf(),
            resumed_at: finished.iter().map(|(start, end)| end - start).sum(),
            workshop,
            store,
            _lock: lock,
        })
    }

    /// Runs what is left of the campaign (or of the shard).
    pub fn run(
        &mut self,
        options: &RunOptions<'_>,
        listen: &mut dyn FnMut(Event<'_>),
    ) -> Result<Summary> {
        let started = Instant::now();
        let end = self.workshop.end();
        let (shard, of) = (options.shard.number - 1, options.shard.of);
        let pending = Pending::new(end, shard, of, self.store.finished()?);
        let duration = self.workshop.resolved.plan.duration;
        let stop = Stop {
            asked: options.stop,
            deadline: duration.map(|span| started + span.0),
        };
        let mut session = Session::start(&self.workshop.resolved.id);
        let cases = (end < u64::MAX).then(|| end.saturating_sub(shard).div_ceil(of));
        let (workshop, mut recorder) = self.recorder(cases, listen)?;
        workshop.run(pending, options.threads, &stop, &mut |jobs| {
            let session = session.add(&jobs);
            let rows: Vec<JobRow> = jobs.into_iter().map(JobRow::from).collect();
            recorder.record(&rows, session)
        })?;
        let left = Pending::new(end, shard, of, self.store.finished()?)
            .next()
            .is_some();
        self.finish(left && options.stop.load(std::sync::atomic::Ordering::Relaxed))
    }

    /// What stores cases as they are done, `of` so many, here or elsewhere.
    pub fn recorder<'a>(
        &'a mut self,
        of: Option<u64>,
        listen: &'a mut dyn FnMut(Event<'_>),
    ) -> Result<(&'a Workshop, Recorder<'a>)> {
        let writer = finding::Writer::new(&self.folder, &self.workshop.resolved);
        // Folders that a killed process had no time to write.
        writer.write_missing(&self.store)?;
        let progress = Progress {
            cases: self.resumed_at,
            of,
            findings: self.store.signatures()?,
            ..Progress::default()
        };
        let recorder = Recorder {
            store: &mut self.store,
            writer,
            progress,
            listen,
        };
        Ok((&self.workshop, recorder))
    }

    /// Writes the folders of findings as they are at the end.
    pub fn finish(&self, interrupted: bool) -> Result<Summary> {
        let writer = finding::Writer::new(&self.folder, &self.workshop.resolved);
        contested::write_cases(&self.folder, &self.workshop, &self.store)?;
        Ok(Summary {
            findings: writer.write_all(&self.store)?,
            totals: self.store.totals()?,
            targets: self.workshop.target_names(),
            interrupted,
        })
    }
}

/// CPU time of this process so far, all threads.
pub fn own_cpu() -> Duration {
    cpu_time(ClockId::ProcessCPUTime)
}

/// The limits of a run, as the targets take them.
pub fn run_limits(limits: &PlanLimits) -> RunLimits {
    let wall = limits.timeout.0;
    RunLimits {
        wall,
        // A process that burns all cores ends before the wall does.
        cpu: wall.saturating_mul(4).max(Duration::from_secs(1)),
        memory_bytes: Some(limits.memory.0),
        file_bytes: limits.file_size.0,
        keep_head: usize::try_from(limits.output.0).unwrap_or(usize::MAX),
        ..RunLimits::default()
    }
}

/// Holds a campaign's folder: two processes on it would do the same cases
/// twice.
pub fn lock(folder: &Path) -> Result<fs::File> {
    let path = folder.join("lock");
    let file = fs::File::create(&path)
        .with_context(|| path.display().to_string())
        .context(Fault::CannotWrite)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(fs::TryLockError::WouldBlock) => {
            bail!(
                "{}: another lydite is at work in this folder",
                folder.display()
            )
        }
        Err(fs::TryLockError::Error(error)) => {
            Err(error).with_context(|| format!("{}: cannot be locked", path.display()))
        }
    }
}

/// A folder that holds something else is left alone.
fn check_folder(folder: &Path) -> Result<()> {
    if folder.join(crate::store::FILE_NAME).is_file() {
        return Ok(());
    }
    let known = [
        "lock", "plan.json", "campaign.sqlite.new", "campaign.sqlite.new-journal", "findings",
        "settings",
    ];
    let foreign = fs::read_dir(folder)
        .with_context(|| format!("{}: cannot be read", folder.display()))?
        .filter_map(|entry| entry.ok())
        .find(|entry| !known.contains(&entry.file_name().to_string_lossy().as_ref()));
    if let Some(entry) = foreign {
        bail!(
            "{}: neither empty nor a campaign (it holds {}); choose another folder with -o",
            folder.display(),
            entry.file_name().to_string_lossy()
        );
    }
    Ok(())
}

fn open_store(folder: &Path, resolved: &Resolved) -> Result<Store> {
    if folder.join(crate::store::FILE_NAME).is_file() {
        let store = Store::open(folder)?;
        let existing = Resolved::read(folder)?;
        if store.campaign()? != resolved.id {
            bail!(
                "{}: another campaign is here (it differs in: {}); choose another folder with -o",
                folder.display(),
                resolved.differences(&existing).join(", ")
            );
        }
        // More cases or more time may have been asked for.
        resolved.write(folder)?;
        return Ok(store);
    }
    resolved.write(folder)?;
    Store::create(folder, &resolved.id)
}
