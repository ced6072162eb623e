//! A campaign: a numbered space of cases, run on targets, judged, stored.
//!
//! Job *i* depends on nothing but the plan and *i*, so the number of threads,
//! a kill at any instant, and shards change nothing about the result.

mod confirm;
mod job;
mod join;
mod known;
mod options;
mod resolved;
mod schedule;
mod source;
mod trigger;
mod warm;

pub use confirm::Replays;
pub use job::{Bench, Examined, Filed, Job, Run};
pub use join::{Joined, join};
pub use options::OptionChoice;
pub use resolved::{Resolved, TargetRecord};
pub use source::{Recipe, Source, index_from_text};
pub use trigger::trigger;

pub(crate) use job::{panic_text, prepared};
pub(crate) use options::options_of;
pub(crate) use resolved::strategy_identity;
pub(crate) use schedule::{Stop, WORKER_STACK, run_all};

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result, bail};
use lydite_core::{Language, Role};
use rustix::time::ClockId;

use crate::fault::Fault;
use crate::finding::{self, Finding};
use crate::plan::{Plan, PlanLimits};
use crate::process::Scratch;
use crate::registry::Registry;
use crate::seeds::LeftOut;
use crate::store::{Spent, Store, Totals};
use crate::target::{RunLimits, Target};
use job::cpu_time;
use schedule::Pending;
use warm::{Groups, run_jobs};

/// An open campaign.
pub struct Campaign {
    /// The folder.
    pub folder: PathBuf,
    /// The plan and its identity.
    pub resolved: Resolved,
    /// Seeds that were left out.
    pub left_out: Vec<LeftOut>,
    /// Cases done before this process.
    pub resumed_at: u64,
    source: Source,
    bench: Bench,
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
    /// Starts the campaign of `plan` in `folder`, or goes on with it.
    pub fn open(
        plan: &Plan,
        language: Arc<dyn Language>,
        targets: Vec<(Target, Role)>,
        registry: &Registry,
        folder: &Path,
        scratch: Arc<Scratch>,
    ) -> Result<Campaign> {
        plan.validate()?;
        let mut plan = plan.clone();
        plan.read_files(registry)?;
        let (source, left_out) = Source::open(&plan, &language, registry)?;
        let oracles = plan
            .oracles
            .iter()
            .map(|name| registry.oracle(name))
            .collect::<Result<_>>()?;
        let resolved = Resolved::new(&plan, language.name(), &source, &targets)?;
        fs::create_dir_all(folder)
            .with_context(|| format!("{}: cannot be made", folder.display()))
            .context(Fault::CannotWrite)?;
        check_folder(folder)?;
        let lock = lock(folder)?;
        let store = open_store(folder, &resolved)?;
        let finished = store.finished()?;
        let bench = Bench {
            language,
            targets,
            oracles,
            limits: run_limits(&plan.limits),
            confirm: plan.confirm.replays,
            scratch,
        };
        Ok(Campaign {
            folder: folder.to_path_buf(),
            resumed_at: finished.iter().map(|(start, end)| end - start).sum(),
            resolved,
            left_out,
            source,
            bench,
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
        let plan = &self.resolved.plan;
        let started = Instant::now();
        let end = self.end();
        let (shard, of) = (options.shard.number - 1, options.shard.of);
        let pending = Pending::new(end, shard, of, self.store.finished()?);
        let stop = Stop {
            asked: options.stop,
            deadline: plan.duration.map(|span| started + span.0),
        };
        let session = Session::start(started, &self.resolved.id);
        let mut progress = Progress {
            cases: self.resumed_at,
            of: (end < u64::MAX).then(|| end.saturating_sub(shard).div_ceil(of)),
            findings: self.store.signatures(),
            ..Progress::default()
        };
        let mut spent = Spent::default();
        let writer = finding::Writer::new(&self.folder, &self.resolved);
        // Folders that a killed process had no time to write.
        writer.write_missing(&self.store)?;
        let store = &mut self.store;
        let mut write = |groups: Vec<Vec<Job>>| {
            let jobs: Vec<Job> = groups.into_iter().flatten().collect();
            session.add(&mut spent, &jobs);
            let changed = store.record(&jobs, &session.id, session.started_ms, &spent)?;
            progress.cases += jobs.len() as u64;
            progress.runs += jobs.iter().map(|job| job.runs.len() as u64).sum::<u64>();
            progress.rejects += jobs.iter().filter(|job| job.failure.is_some()).count() as u64;
            if !changed.is_empty() {
                for (finding, new) in writer.write_changed(store, &changed)? {
                    progress.findings += usize::from(new);
                    listen(Event::Found {
                        finding: &finding,
                        new,
                    });
                }
            }
            listen(Event::Progress(&progress));
            Ok(())
        };
        let (source, bench) = (&self.source, &self.bench);
        let work = |indices: Vec<u64>| run_jobs(source, bench, &indices);
        let groups = Groups::new(pending, self.resolved.plan.warm as usize);
        run_all(groups, &work, options.threads, &stop, &mut write)?;
        let findings = writer.write_all(&self.store)?;
        let left = Pending::new(end, shard, of, self.store.finished()?)
            .next()
            .is_some();
        Ok(Summary {
            totals: self.store.totals()?,
            findings,
            targets: self.target_names(),
            interrupted: left && options.stop.load(std::sync::atomic::Ordering::Relaxed),
        })
    }

    fn target_names(&self) -> Vec<String> {
        self.bench
            .targets
            .iter()
            .map(|(target, _)| target.name.to_string())
            .collect()
    }

    /// The number after the last case.
    fn end(&self) -> u64 {
        let counted = self
            .source
            .len()
            .map(|len| u64::try_from(len).unwrap_or(u64::MAX));
        let asked = self.resolved.plan.cases.unwrap_or(u64::MAX);
        counted.unwrap_or(u64::MAX).min(asked)
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

/// This process's row among those that worked on the campaign.
struct Session {
    id: String,
    started: Instant,
    started_ms: i64,
    own_cpu_before: Duration,
}

impl Session {
    fn start(started: Instant, campaign: &str) -> Session {
        let now = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default();
        Session {
            id: format!(
                "{}-{}-{}",
                &campaign[..8],
                now.as_nanos(),
                std::process::id()
            ),
            started,
            started_ms: now.as_millis() as i64,
            own_cpu_before: own_cpu(),
        }
    }

    fn add(&self, spent: &mut Spent, jobs: &[Job]) {
        spent.wall = self.started.elapsed();
        spent.own_cpu = own_cpu().saturating_sub(self.own_cpu_before);
        for job in jobs {
            spent.make_cpu += job.make_cpu;
            spent.judge_cpu += job.judge_cpu;
            spent.targets_cpu += job.targets_cpu;
        }
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
