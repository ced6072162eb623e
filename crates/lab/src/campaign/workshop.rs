//! What makes and examines the cases of a campaign: all of it but the folder.

use std::sync::Arc;
use std::time::Instant;

use anyhow::Result;
use lydite_core::{Language, Role};

use super::job::{Bench, Job};
use super::schedule::{Stop, run_all};
use super::source::{Source, read_seeds};
use super::steer::Schedule;
use super::warm::{Groups, Pace, run_jobs};
use crate::plan::Plan;
use crate::process::Scratch;
use crate::registry::Registry;
use crate::resolved::{Resolved, run_limits};
use crate::seeds::{LeftOut, SeedSet};
use crate::target::Target;

/// A plan with everything that runs it.
pub struct Workshop {
    /// The plan and its identity.
    pub resolved: Resolved,
    /// Seeds that were left out.
    pub left_out: Vec<LeftOut>,
    pub(super) source: Source,
    bench: Bench,
}

impl Workshop {
    /// For `plan`, whose files and seeds are read here.
    pub fn open(
        plan: &Plan,
        language: Arc<dyn Language>,
        targets: Vec<(Target, Role)>,
        registry: &Registry,
        scratch: Arc<Scratch>,
    ) -> Result<Workshop> {
        plan.validate()?;
        let mut plan = plan.clone();
        plan.read_files(registry)?;
        let seeds = read_seeds(&plan, language.as_ref())?;
        Workshop::open_over(&plan, seeds, language, targets, registry, scratch)
    }

    /// For a plan whose files and seeds are here already.
    pub fn open_over(
        plan: &Plan,
        seeds: Vec<SeedSet>,
        language: Arc<dyn Language>,
        targets: Vec<(Target, Role)>,
        registry: &Registry,
        scratch: Arc<Scratch>,
    ) -> Result<Workshop> {
        plan.validate()?;
        let (source, left_out) = Source::open_over(plan, seeds, &language, registry)?;
        let oracles = registry.oracles_named(&plan.oracles)?;
        Ok(Workshop {
            resolved: Resolved::new(plan, language.name(), &source.spaces(), &targets)?,
            left_out,
            source,
            bench: Bench {
                language,
                targets,
                oracles,
                limits: run_limits(&plan.limits),
                confirm: plan.confirm.replays,
                scratch,
            },
        })
    }

    /// The number after the last case.
    pub fn end(&self) -> u64 {
        let counted = self
            .source
            .len()
            .map(|len| u64::try_from(len).unwrap_or(u64::MAX));
        let asked = self.resolved.plan.cases.unwrap_or(u64::MAX);
        counted.unwrap_or(u64::MAX).min(asked)
    }

    /// Makes and examines the cases of these numbers, drawn by `schedule`, on `threads` threads, and
    /// hands them over in batches on the calling thread.
    pub fn run(
        &self,
        numbers: impl Iterator<Item = u64> + Send,
        schedule: Option<&Schedule>,
        threads: usize,
        stop: &Stop<'_>,
        write: &mut dyn FnMut(Vec<Job>) -> Result<()>,
    ) -> Result<()> {
        let pace = Pace::new(self.resolved.plan.warm as usize);
        let is_warm = self.resolved.plan.warm > 1;
        let work = |indices: Vec<u64>| {
            let begun = Instant::now();
            let jobs = run_jobs(&self.source, &self.bench, &indices, schedule, is_warm);
            pace.note(indices.len(), begun.elapsed());
            jobs
        };
        run_all(
            Groups::new(numbers, &pace),
            &work,
            threads,
            stop,
            &mut |groups| write(groups.into_iter().flatten().collect()),
        )
    }
}
