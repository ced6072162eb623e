//! The story of a case, in order: take a number, make the case, run it, judge
//! what was seen, confirm it, file it.
//!
//! An [`Engine`] is a campaign without its folder. What it does with a number
//! depends on the plan and the number alone; who stores the result is somebody
//! else's affair ([`super::Campaign::run`], or a worker of a cluster). What runs
//! is a [`Runner`], what judges a [`Judge`], and an [`Examiner`] has both.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Result;
use lydite_core::{Case, Language, Oracle, Program, Role, Table, TargetName};

use super::confirm::{Confirmed, Replay};
use super::cpu::ThreadClock;
use super::job::{Examined, Filed, Further, Job};
use super::judge::Judge;
use super::options::OptionChoice;
use super::runner::Runner;
use super::source::{Source, extended_language, read_seeds};
use super::trigger::trigger;
use super::warm::{Groups, Pace, Seen, observe_group};
use crate::parallel::{Stop, run_all};
use crate::plan::Plan;
use crate::registry::Registry;
use crate::resolved::{Resolved, run_limits};
use crate::seeds::{LeftOut, SeedSet};
use lydite_process::Scratch;
use lydite_store::record::{Failure, RunRecord, outcome_number};
use lydite_target::{RunLimits, Target};

/// A plan with everything that runs it.
pub struct Engine {
    /// The plan and its identity.
    pub resolved: Resolved,
    /// Seeds that were left out.
    pub left_out: Vec<LeftOut>,
    pub(super) source: Source,
    examiner: Examiner,
}

/// What turns a case into symptoms: it runs, judges, and confirms.
#[derive(Clone)]
pub struct Examiner {
    /// What runs.
    pub runner: Runner,
    /// What judges.
    pub judge: Judge,
    /// How many further cold runs each symptom gets.
    pub replays: u32,
}

impl Engine {
    /// For `plan`, whose files and seeds are read here.
    pub fn open(
        plan: &Plan,
        language: Arc<dyn Language>,
        targets: Vec<(Target, Role)>,
        registry: &Registry,
        scratch: Arc<Scratch>,
    ) -> Result<Engine> {
        plan.validate()?;
        let mut plan = plan.clone();
        plan.read_files(registry)?;
        let seeds = read_seeds(&plan, language.as_ref())?;
        Engine::open_over(&plan, seeds, language, targets, registry, scratch)
    }

    /// For a plan whose files and seeds are here already.
    pub fn open_over(
        plan: &Plan,
        seeds: Vec<SeedSet>,
        language: Arc<dyn Language>,
        targets: Vec<(Target, Role)>,
        registry: &Registry,
        scratch: Arc<Scratch>,
    ) -> Result<Engine> {
        plan.validate()?;
        let language = extended_language(plan, language, registry)?;
        let (source, left_out) = Source::open_over(plan, seeds, &language, registry)?;
        let oracles = registry.oracles_named(&plan.oracles)?;
        let limits = run_limits(&plan.limits);
        Ok(Engine {
            resolved: Resolved::new(plan, language.name(), &source.spaces(), &targets)?,
            left_out,
            source,
            examiner: Examiner {
                replays: plan.confirm.replays,
                ..Examiner::new(language, targets, oracles, limits, scratch)
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

    /// Takes numbers, on `threads` threads, and hands over in batches, on the
    /// calling thread, what became of their cases.
    pub fn run(
        &self,
        numbers: impl Iterator<Item = u64> + Send,
        threads: usize,
        stop: &Stop<'_>,
        write: &mut dyn FnMut(Vec<Job>) -> Result<()>,
    ) -> Result<()> {
        let pace = Pace::new(self.resolved.plan.warm as usize);
        let work = |indices: Vec<u64>| {
            let begun = Instant::now();
            let jobs = self.run_cases(&indices);
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

    /// Makes and examines the cases of these numbers, in order: one, or in a
    /// warm campaign a group that may share processes.
    fn run_cases(&self, indices: &[u64]) -> Result<Vec<Job>> {
        let examiner = &self.examiner;
        let mut jobs = Vec::new();
        let mut cases: Vec<(usize, Case, OptionChoice)> = Vec::new();
        for index in indices {
            let (mut job, case) = make_job(&self.source, examiner, *index);
            match case {
                Ok((case, options)) => cases.push((jobs.len(), case, options)),
                Err(failure) => job.failure = Some(failure),
            }
            jobs.push(job);
        }
        let is_warm = self.resolved.plan.warm > 1;
        let mut seen: Vec<Seen> = if is_warm {
            observe_group(&examiner.runner, &cases)
        } else {
            Vec::new()
        };
        seen.resize_with(cases.len(), Seen::new);
        for ((number, case, options), seen) in cases.into_iter().zip(seen) {
            let job = std::mem::take(&mut jobs[number]);
            jobs[number] = examine_job(examiner, job, &case, &options, seen)?;
        }
        Ok(jobs)
    }
}

/// Makes case `index`, or says why there is none. A panic of ours is recorded
/// like any other failure; it never ends the campaign.
fn make_job(
    source: &Source,
    examiner: &Examiner,
    index: u64,
) -> (Job, Result<(Case, OptionChoice), Failure>) {
    let clock = ThreadClock::start();
    let made = catch_unwind(AssertUnwindSafe(|| make_case(source, examiner, index)));
    let make_cpu = clock.elapsed();
    let (strategy, case) = match made {
        Ok(made) => made,
        Err(panic) => (0, Err(Failure::Panic(panic_text(panic)))),
    };
    let job = Job {
        index,
        strategy,
        make_cpu,
        ..Job::default()
    };
    (job, case)
}

/// One in so many programs is checked where that is syntax alone: it takes
/// longer than making them, and processors refuse what is wrong with the others.
const CHECKED_EACH: u64 = 16;

fn make_case(
    source: &Source,
    examiner: &Examiner,
    index: u64,
) -> (usize, Result<(Case, OptionChoice), Failure>) {
    let judge = &examiner.judge;
    let (strategy, case) = source.case(index);
    let is_due = !judge.language.knows_syntax_alone() || index.is_multiple_of(CHECKED_EACH);
    let checked = case
        .map_err(|reject| Failure::Reject(reject.to_string()))
        .and_then(|case| {
            if is_due && source.makes_programs(strategy) {
                for program in &case.programs {
                    let check = judge.language.check(program);
                    check.map_err(|why| Failure::IllFormed(why.to_string()))?;
                }
            }
            let options = source.options(index, &examiner.runner.targets);
            Ok((judge.prepare(case), options))
        });
    (strategy, checked)
}

/// Examines a case of which some observations are there already, and files what
/// was found. A target that cannot even be started ends the campaign: its case
/// is not done.
fn examine_job(
    examiner: &Examiner,
    job: Job,
    case: &Case,
    options: &OptionChoice,
    seen: Seen,
) -> Result<Job> {
    let number = (job.index, job.strategy, job.make_cpu);
    let examined = catch_unwind(AssertUnwindSafe(|| -> Result<Job> {
        let (rest, left_out) = examiner.runner.without_affected(case);
        let examined = match rest {
            None => examiner.examine_seen(case, options, seen),
            Some(runner) => Examiner {
                runner,
                ..examiner.clone()
            }
            .examine_seen(case, options, seen),
        };
        examiner.check_started(&examined)?;
        let mut job = file_job(job, &examiner.runner, case, examined);
        job.remarks.extend(left_out);
        Ok(job)
    }));
    let (index, strategy, make_cpu) = number;
    examined.unwrap_or_else(|panic| {
        Ok(Job {
            index,
            strategy,
            make_cpu,
            bytes: case.bytes(),
            failure: Some(Failure::Panic(panic_text(panic))),
            ..Job::default()
        })
    })
}

impl Examiner {
    /// Runs these targets and judges by these oracles; symptoms get no further
    /// runs.
    pub fn new(
        language: Arc<dyn Language>,
        targets: Vec<(Target, Role)>,
        oracles: Vec<Arc<dyn Oracle>>,
        limits: RunLimits,
        scratch: Arc<Scratch>,
    ) -> Examiner {
        Examiner {
            runner: Runner {
                language: Arc::clone(&language),
                targets,
                limits,
                scratch,
            },
            judge: Judge { language, oracles },
            replays: 0,
        }
    }

    /// Runs every target on every program, judges, and replays what was
    /// found.
    pub fn examine(&self, case: &Case) -> Examined {
        self.examine_with(case, &OptionChoice::default())
    }

    /// The same with further options.
    pub fn examine_with(&self, case: &Case, options: &OptionChoice) -> Examined {
        self.examine_seen(case, options, Seen::new())
    }

    /// The same, with what was seen already in place of first runs.
    pub(super) fn examine_seen(&self, case: &Case, options: &OptionChoice, seen: Seen) -> Examined {
        let asked = case.programs.len();
        // Run.
        let (mut case, table, mut judge_cpu) = self.observe_followed(case, options, seen);
        let mut runs = Further::default();
        table.observations.iter().for_each(|run| runs.add(run));
        // Judge.
        let clock = ThreadClock::start();
        let (claim_refuted, claim_contested) = self.judge.doubt_claim(&mut case, &table, asked);
        let (symptoms, remarks) = self.judge_table(&case, &table, asked);
        judge_cpu += clock.elapsed();
        // Confirm.
        let replay = Replay {
            examiner: self,
            case: &case,
            table: &table,
            asked,
            options,
        };
        let Confirmed {
            mut symptoms,
            unconfirmed,
            runs: replays,
            judge_cpu: rejudged_cpu,
        } = replay.confirm(symptoms);
        runs.join(replays);
        judge_cpu += rejudged_cpu;
        let (options, shown, settled) = replay.settle_options(&mut symptoms);
        runs.join(settled);
        Examined {
            case,
            claim_refuted,
            claim_contested,
            table,
            shown,
            options,
            symptoms,
            remarks,
            unconfirmed,
            not_started: runs.not_started,
            judge_cpu,
            targets_cpu: runs.cpu,
        }
    }

    /// Runs every target on every program of the case, and on those that
    /// follow from what was seen, which are added to it. Returns also the CPU
    /// time of finding them.
    fn observe_followed(
        &self,
        case: &Case,
        options: &OptionChoice,
        seen: Seen,
    ) -> (Case, Table, Duration) {
        let mut case = case.clone();
        let mut table = Table {
            timeout: self.runner.limits.wall,
            observations: self.runner.observe_all(&case, 0, options, seen),
        };
        let clock = ThreadClock::start();
        let asked = case.programs.len();
        let further: Vec<Program> = self.judge.follow_up(&case, &table);
        let cpu = clock.elapsed();
        case.programs.extend(further);
        let followed = self.runner.observe_all(&case, asked, options, Seen::new());
        table.observations.extend(followed);
        (case, table, cpu)
    }

    /// What the judge says of a table of this examiner's targets.
    pub(super) fn judge_table(
        &self,
        case: &Case,
        table: &Table,
        asked: usize,
    ) -> (Vec<Filed>, Vec<lydite_core::Remark>) {
        self.judge.judge(case, table, asked, &self.runner.targets)
    }

    /// An error if some run did not start, be it a replay: the machine's
    /// trouble, not a property of the case.
    pub fn check_started(&self, examined: &Examined) -> Result<()> {
        match &examined.not_started {
            Some(observation) => Err(self.runner.not_started(observation)),
            None => Ok(()),
        }
    }
}

/// Files what was seen of a case: its runs, its symptoms, and if there are any,
/// the case itself.
fn file_job(job: Job, runner: &Runner, case: &Case, examined: Examined) -> Job {
    let number = |name: &TargetName| {
        let mut targets = runner.targets.iter();
        let position = targets.position(|(target, _)| target.name == *name);
        position.unwrap_or_default()
    };
    let runs = examined
        .table
        .observations
        .iter()
        .map(|observation| RunRecord {
            program: observation.program as u16,
            target: number(&observation.target) as u16,
            outcome: outcome_number(&observation.outcome),
            wall: observation.wall,
            cpu: observation.cpu,
        });
    Job {
        bytes: case.bytes(),
        failure: own_failure(&examined),
        unconfirmed: examined.unconfirmed.len() as u64,
        runs: runs.collect(),
        remarks: examined
            .remarks
            .iter()
            .map(|remark| (number(&remark.target), remark.clone()))
            .collect(),
        trigger: (!examined.symptoms.is_empty()).then(|| trigger(runner, case, &examined)),
        symptoms: examined.symptoms,
        judge_cpu: examined.judge_cpu,
        targets_cpu: examined.targets_cpu,
        ..job
    }
}

/// What is wrong with the case itself.
fn own_failure(examined: &Examined) -> Option<Failure> {
    let refuted = examined.claim_refuted.clone().map(Failure::ClaimRefuted);
    let contested = examined.claim_contested.clone();
    refuted.or(contested.map(Failure::ClaimContested))
}

/// What a panic said.
pub fn panic_text(panic: Box<dyn std::any::Any + Send>) -> String {
    let text = panic
        .downcast_ref::<&str>()
        .map(|text| text.to_string())
        .or_else(|| panic.downcast_ref::<String>().cloned());
    text.unwrap_or_default()
}
