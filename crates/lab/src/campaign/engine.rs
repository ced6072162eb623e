//! The story of a case, in order: take a number, make the case, run it, judge
//! what was seen, confirm it, file it.
//!
//! An [`Engine`] is a campaign without its folder. What it does with a number
//! depends on the plan and the number alone; who stores the result is somebody
//! else's affair ([`super::Campaign::run`], or a worker of a cluster). What runs
//! is a [`Runner`], what judges a [`Judge`], and an [`Examiner`] has both.

use std::borrow::Cow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Result;
use lydite_core::{Case, Language, Oracle, Program, Reject, Role, Table, TargetName};

use super::confirm::{Confirmed, Replay};
use super::costs::Costs;
use super::cpu::ThreadClock;
use super::ending::Ending;
use super::job::{Examined, Filed, Further, Job};
use super::judge::Judge;
use super::options::OptionChoice;
use super::runner::Runner;
use super::source::{Source, extended_language, read_seeds};
use super::steer::{Schedule, Terms};
use super::trigger::make_trigger;
use super::warm::{GroupPace, NumberGroups, SeenWarm, observe_group};
use crate::parallel::{Stop, run_all};
use crate::plan::Plan;
use crate::registry::Registry;
use crate::resolved::{Resolved, run_limits};
use crate::seeds::{LeftOut, SeedSet};
use lydite_process::{Scratch, Withdrawn};
use lydite_store::record::{Failure, RunRecord, outcome_number, verdicts};
use lydite_target::{AnswerCache, RunLimits, Target};

/// A plan with everything that runs it.
pub struct Engine {
    /// The plan and its identity.
    pub resolved: Resolved,
    /// Seeds that were left out.
    pub left_out: Vec<LeftOut>,
    pub(super) source: Source,
    pub(super) examiner: Examiner,
    pub(super) costs: Option<Costs>,
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
    /// Opens the engine of `plan`, and reads its files and seeds.
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

    /// Opens the engine of a plan whose files and seeds were read before.
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
            costs: None,
        })
    }

    /// The same engine, with schedules that know how much CPU time each seed takes unchanged. Times
    /// that `answers` does not hold are measured.
    pub fn knowing_seeds(mut self, answers: Arc<AnswerCache>) -> Engine {
        self.costs = Some(Costs::new(answers));
        self
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

    /// Takes numbers, on `threads` threads, draws their cases by `schedule`, and hands over in batches, on the
    /// calling thread, what became of their cases.
    pub fn run(
        &self,
        numbers: impl Iterator<Item = u64> + Send,
        schedule: Option<&Schedule>,
        threads: usize,
        stop: &Stop<'_>,
        write: &mut dyn FnMut(Vec<Job>) -> Result<()>,
    ) -> Result<()> {
        let pace = GroupPace::new(self.resolved.plan.warm as usize);
        let mut ending = Ending::new(stop, self.examiner.runner.limits.wall);
        let withdrawn = ending.withdrawn();
        let examiner = self.examiner.asked_by(&withdrawn);
        let work = |indices: Vec<u64>| {
            let begun = Instant::now();
            let jobs = self.run_cases(&examiner, &indices, schedule)?;
            pace.note(indices.len(), begun.elapsed());
            // What was given up means nothing.
            Ok(match withdrawn.is_withdrawn() {
                true => Vec::new(),
                false => jobs,
            })
        };
        run_all(
            NumberGroups::new(numbers, &pace),
            &work,
            threads,
            stop,
            &mut |groups| {
                ending.look();
                ending.unless_kept(write(groups.into_iter().flatten().collect()))
            },
        )
    }

    /// Makes and examines the cases of these numbers, in order: one, or in a
    /// warm campaign a group that may share processes.
    fn run_cases(
        &self,
        examiner: &Examiner,
        indices: &[u64],
        schedule: Option<&Schedule>,
    ) -> Result<Vec<Job>> {
        let mut jobs = Vec::new();
        let mut cases: Vec<(usize, MadeCase)> = Vec::new();
        for index in indices {
            let (mut job, case) = make_job(&self.source, examiner, *index, schedule);
            match case {
                Ok(made) => cases.push((jobs.len(), made)),
                Err(failure) => job.failure = Some(failure),
            }
            jobs.push(job);
        }
        let is_warm = self.resolved.plan.warm > 1;
        let mut seen: Vec<SeenWarm> = if is_warm {
            observe_group(&examiner.runner, &cases)
        } else {
            Vec::new()
        };
        seen.resize_with(cases.len(), SeenWarm::new);
        for ((number, made), seen) in cases.into_iter().zip(seen) {
            let job = std::mem::take(&mut jobs[number]);
            jobs[number] = examine_job(examiner, job, &made, seen)?;
        }
        Ok(jobs)
    }
}

/// A case that was made, and how it is to be run.
pub(super) struct MadeCase {
    pub(super) case: Case,
    pub(super) options: OptionChoice,
    pub(super) terms: Terms,
}

/// Makes case `index`, or says why there is none. A panic of ours is recorded
/// like any other failure; it never ends the campaign.
fn make_job(
    source: &Source,
    examiner: &Examiner,
    index: u64,
    schedule: Option<&Schedule>,
) -> (Job, Result<MadeCase, Failure>) {
    let clock = ThreadClock::start();
    let mut job = Job {
        index,
        schedule: schedule.map(|by| by.id).unwrap_or_default(),
        ..Job::default()
    };
    let made = catch_unwind(AssertUnwindSafe(|| {
        make_case(source, examiner, &mut job, schedule)
    }));
    job.make_cpu = clock.elapsed();
    let made = made.unwrap_or_else(|panic| Err(Failure::Panic(panic_text(panic))));
    (job, made)
}

/// One in so many programs is checked where that is syntax alone: it takes
/// longer than making them, and processors refuse what is wrong with the others.
const CHECKED_EACH: u64 = 16;

/// Makes the case of a job, which gains its strategy and arms.
fn make_case(
    source: &Source,
    examiner: &Examiner,
    job: &mut Job,
    schedule: Option<&Schedule>,
) -> Result<MadeCase, Failure> {
    let (judge, targets) = (&examiner.judge, &examiner.runner.targets);
    let index = job.index;
    let drawn = source.draw_case(index, schedule);
    let strategy = drawn.strategy;
    (job.strategy, job.arms) = (strategy, drawn.arms);
    let is_due = !judge.language.knows_syntax_alone() || index.is_multiple_of(CHECKED_EACH);
    let reject = |reject: Reject| Failure::Reject(reject.to_string());
    let case = drawn.case.map_err(reject)?;
    if is_due && source.makes_programs(strategy) {
        for program in &case.programs {
            let check = judge.language.check(program);
            check.map_err(|why| Failure::IllFormed(why.to_string()))?;
        }
    }
    let (options, mut arms) = source.options(index, strategy, schedule, targets);
    job.arms.0.append(&mut arms.0);
    Ok(MadeCase {
        case: judge.prepare(case),
        options,
        terms: source.terms(index, strategy, schedule, &mut job.arms, targets),
    })
}

/// Examines a case of which some observations are there already, and files what
/// was found. A target that cannot even be started ends the campaign: its case
/// is not done.
fn examine_job(examiner: &Examiner, job: Job, made: &MadeCase, seen: SeenWarm) -> Result<Job> {
    let MadeCase {
        case,
        options,
        terms,
    } = made;
    let panicked = Job {
        bytes: case.bytes(),
        ..job.clone()
    };
    let examined = catch_unwind(AssertUnwindSafe(|| -> Result<Job> {
        let (rest, left_out) = examiner.runner.without_affected(case);
        let examined = match rest {
            None => examiner.examine_seen(case, options, terms, seen),
            Some(runner) => Examiner {
                runner,
                ..examiner.clone()
            }
            .examine_seen(case, options, terms, seen),
        };
        examiner.check_started(&examined)?;
        let mut job = file_job(job, &examiner.runner, case, examined);
        job.remarks.extend(left_out);
        Ok(job)
    }));
    examined.unwrap_or_else(|panic| {
        Ok(Job {
            failure: Some(Failure::Panic(panic_text(panic))),
            ..panicked
        })
    })
}

impl Examiner {
    /// An examiner that runs these targets and judges by these oracles, without replays.
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

    /// The same examiner, whose runs end early once they are withdrawn.
    fn asked_by(&self, withdrawn: &Withdrawn) -> Examiner {
        let mut examiner = self.clone();
        examiner.runner.limits.withdrawn = Some(withdrawn.clone());
        examiner
    }

    /// Runs every target on every program, judges, and replays what was
    /// found.
    pub fn examine(&self, case: &Case) -> Examined {
        self.examine_with(case, &OptionChoice::default())
    }

    /// The same as [`Examiner::examine`], with further options for the targets.
    pub fn examine_with(&self, case: &Case, options: &OptionChoice) -> Examined {
        self.examine_seen(case, options, &Terms::default(), SeenWarm::new())
    }

    /// The same on these terms, with what was seen already in place of first runs.
    pub(super) fn examine_seen(
        &self,
        case: &Case,
        options: &OptionChoice,
        terms: &Terms,
        seen: SeenWarm,
    ) -> Examined {
        // What followed from what was seen is no part of the case's size.
        let (asked, bytes) = (case.programs.len(), case.bytes());
        // Run.
        let (mut case, table, mut judge_cpu) = self.observe_followed(case, options, terms, seen);
        let mut runs = Further::default();
        table.observations.iter().for_each(|run| runs.add(run));
        // Judge.
        let clock = ThreadClock::start();
        let (claim_refuted, claim_contested) = self.judge.doubt_claim(&mut case, &table, asked);
        let (symptoms, remarks) = self.judge_table(&case, &table, asked);
        judge_cpu += clock.elapsed();
        // Confirm.
        let (known, symptoms) = terms.set_aside(symptoms, &table, bytes);
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
        symptoms.extend(known);
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
        terms: &Terms,
        seen: SeenWarm,
    ) -> (Case, Table, Duration) {
        let mut case = case.clone();
        // Where processes are shared, what follows is run in such as stay.
        let followed_terms = match seen.is_empty() {
            true => Cow::Borrowed(terms),
            false => Cow::Owned(terms.keeping(&self.runner.targets)),
        };
        let mut table = Table {
            timeout: self.runner.limits.wall,
            observations: self.runner.observe_all(&case, 0, options, terms, seen),
        };
        let clock = ThreadClock::start();
        let asked = case.programs.len();
        let further: Vec<Program> = self.judge.follow_up(&case, &table);
        let cpu = clock.elapsed();
        case.programs.extend(further);
        let followed =
            self.runner
                .observe_all(&case, asked, options, &followed_terms, SeenWarm::new());
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

    /// An error if some run or replay did not start: that is trouble of the machine, not a property
    /// of the case.
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
            answer: verdicts(&observation.outcome),
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
        trigger: (!examined.symptoms.is_empty()).then(|| make_trigger(runner, case, &examined)),
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

/// The message of a panic.
pub fn panic_text(panic: Box<dyn std::any::Any + Send>) -> String {
    let text = panic
        .downcast_ref::<&str>()
        .map(|text| text.to_string())
        .or_else(|| panic.downcast_ref::<String>().cloned());
    text.unwrap_or_default()
}
