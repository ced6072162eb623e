//! One case, from its number to its symptoms.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Result, anyhow};
use lydite_core::oracle::{contested_claim, settled};
use lydite_core::{
    Case, Claim, Exit, Language, Observation, Oracle, Program, Remark, Role, Signature, Symptom,
    Table, TargetName,
};
use rustix::time::{ClockId, clock_gettime};

use super::confirm::{Confirmed, Replay};
use super::options::OptionChoice;
use super::source::Source;
use super::steer::{Schedule, Terms};
use super::trigger::trigger;
use super::warm::Seen;
use crate::fault::Fault;
use crate::process::Scratch;
use crate::record::{
    Arms, CaseRecord, Failure, OPTIONS_FACT, RemarkRecord, Replays, RunRecord, ScheduleId,
    SymptomRecord, TriggerRecord, outcome_number, verdicts,
};
use crate::target::{RunLimits, Target};

/// Targets and judges: what turns a case into symptoms.
#[derive(Clone)]
pub struct Bench {
    /// The language of the programs.
    pub language: Arc<dyn Language>,
    /// Who runs, and why.
    pub targets: Vec<(Target, Role)>,
    /// Who judges.
    pub oracles: Vec<Arc<dyn Oracle>>,
    /// What one run may use.
    pub limits: RunLimits,
    /// How many further cold runs must show the same.
    pub confirm: u32,
    /// Where runs take place.
    pub scratch: Arc<Scratch>,
}

/// A finished case, as the store keeps it.
#[derive(Clone, Debug, Default)]
pub struct Job {
    /// Its number.
    pub index: u64,
    /// The strategy's number in the plan.
    pub strategy: usize,
    /// The schedule that it was drawn by.
    pub schedule: ScheduleId,
    /// The arms that it took.
    pub arms: Arms,
    /// The size of its programs.
    pub bytes: u64,
    /// Why nothing was run, or what was wrong with the case itself.
    pub failure: Option<Failure>,
    /// Symptoms that some replay did not show.
    pub unconfirmed: u64,
    /// Every run.
    pub runs: Vec<RunRecord>,
    /// What was found.
    pub symptoms: Vec<Filed>,
    /// How far it could be judged: target numbers and remarks.
    pub remarks: Vec<(usize, Remark)>,
    /// The case itself, if something was found.
    pub trigger: Option<TriggerRecord>,
    /// CPU time of making the case.
    pub make_cpu: Duration,
    /// CPU time of judging.
    pub judge_cpu: Duration,
    /// CPU time of the targets, confirming runs included.
    pub targets_cpu: Duration,
}

impl From<Job> for CaseRecord {
    fn from(job: Job) -> CaseRecord {
        let bytes = job.bytes;
        let symptom = |filed: Filed| SymptomRecord {
            signature: filed.signature,
            target: filed.symptom.target,
            against: filed.symptom.against,
            program: filed.symptom.program as u64,
            evidence: filed.symptom.evidence,
            bytes,
            known: filed.known,
            replays: filed.replays,
        };
        let remark = |(target, remark): (usize, Remark)| RemarkRecord {
            target: target as u64,
            what: remark.what.to_string(),
            decided: remark.decided,
        };
        CaseRecord {
            index: job.index,
            strategy: job.strategy as u64,
            schedule: job.schedule,
            arms: job.arms,
            bytes,
            failure: job.failure,
            unconfirmed: job.unconfirmed,
            runs: job.runs.into_iter().collect(),
            symptoms: job.symptoms.into_iter().map(symptom).collect(),
            remarks: job.remarks.into_iter().map(remark).collect(),
            trigger: job.trigger,
        }
    }
}

/// A symptom with what it is filed under.
#[derive(Clone, Debug, PartialEq)]
pub struct Filed {
    /// The symptom.
    pub symptom: Symptom,
    /// Its identity.
    pub signature: Signature,
    /// The upstream issue that it is known as.
    pub known: Option<String>,
    /// The varied options that it needs, by family.
    pub options: BTreeMap<String, Vec<String>>,
    /// How many cold runs showed it too.
    pub replays: Replays,
}

impl Filed {
    /// Files it under the options that it needs: a bug of some option is not
    /// one of the target as everybody runs it.
    pub(super) fn file_under(&mut self, options: &OptionChoice) {
        let own = &self.symptom.target.family;
        self.options = options.by_family();
        let mut words = Vec::new();
        // In whatever order they were drawn, it is the same bug.
        for (family, args) in &options.sorted().by_family() {
            let prefix = match family == own {
                true => String::new(),
                false => format!("{family}:"),
            };
            words.extend(args.iter().map(|arg| format!("{prefix}{arg}")));
        }
        if words.is_empty() {
            return;
        }
        let words = words.join(" ");
        self.symptom.evidence += &format!("; with {words}");
        let facts = &mut self.signature.facts;
        facts.push((OPTIONS_FACT.to_string(), words));
    }
}

/// What [`Bench::examine`] saw.
pub struct Examined {
    /// The case, with the programs that followed from what was seen.
    pub case: Case,
    /// The first run of every target.
    pub table: Table,
    /// What the targets say with no more options than the symptoms need.
    pub shown: Table,
    /// These options.
    pub options: OptionChoice,
    /// Symptoms that confirming runs showed too.
    pub symptoms: Vec<Filed>,
    /// How far the first run could be judged.
    pub remarks: Vec<Remark>,
    /// Why the claim of the case is false, if it was seen to be.
    pub claim_refuted: Option<String>,
    /// Who contradicts the claim, if everybody does and nobody is accused.
    pub claim_contested: Option<String>,
    /// Signatures that some confirming run did not show.
    pub unconfirmed: Vec<Signature>,
    /// A run that did not start, the first or any later one: the machine's
    /// trouble, not a property of the case.
    pub not_started: Option<Observation>,
    /// CPU time of judging.
    pub judge_cpu: Duration,
    /// CPU time of the targets.
    pub targets_cpu: Duration,
}

/// What further runs took, and the first of them that did not start.
#[derive(Debug, Default)]
pub(super) struct Further {
    pub cpu: Duration,
    pub not_started: Option<Observation>,
}

impl Further {
    /// Counts a run.
    pub(super) fn add(&mut self, observation: &Observation) {
        self.cpu += observation.cpu;
        if observation.exit == Exit::NotStarted && self.not_started.is_none() {
            self.not_started = Some(observation.clone());
        }
    }

    /// Counts what others took.
    pub(super) fn join(&mut self, other: Further) {
        self.cpu += other.cpu;
        self.not_started = self.not_started.take().or(other.not_started);
    }
}

/// Makes case `index`, or says why there is none. A panic of ours is recorded
/// like any other failure; it never ends the campaign.
pub(super) fn made(
    source: &Source,
    bench: &Bench,
    index: u64,
    schedule: Option<&Schedule>,
) -> (Job, Result<Made, Failure>) {
    let clock = ThreadClock::start();
    let mut job = Job {
        index,
        schedule: schedule.map(|by| by.id).unwrap_or_default(),
        ..Job::default()
    };
    let made = catch_unwind(AssertUnwindSafe(|| {
        make_case(source, bench, &mut job, schedule)
    }));
    job.make_cpu = clock.elapsed();
    let case = made.unwrap_or_else(|panic| Err(Failure::Panic(panic_text(panic))));
    (job, case)
}

/// A case that was made, and how it is to be run.
pub(super) struct Made {
    pub(super) case: Case,
    pub(super) options: OptionChoice,
    pub(super) terms: Terms,
}

/// Examines a case of which some observations are there already. A target
/// that cannot even be started ends the campaign: its case is not done.
pub(super) fn examined(bench: &Bench, job: Job, made: &Made, seen: Seen) -> Result<Job> {
    let Made {
        case,
        options,
        terms,
    } = made;
    let panicked = Job {
        bytes: case.bytes(),
        ..job.clone()
    };
    let examined = catch_unwind(AssertUnwindSafe(|| -> Result<Job> {
        let (examined, left_out) = match bench.without_affected(case) {
            None => (bench.examine_seen(case, options, terms, seen), Vec::new()),
            Some((rest, left_out)) => (rest.examine_seen(case, options, terms, seen), left_out),
        };
        bench.check_started(&examined)?;
        let mut job = examined_job(job, bench, case, examined);
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

/// Makes the case of a job, which gains its strategy and arms.
fn make_case(
    source: &Source,
    bench: &Bench,
    job: &mut Job,
    schedule: Option<&Schedule>,
) -> Result<Made, Failure> {
    let index = job.index;
    let drawn = source.drawn(index, schedule);
    let strategy = drawn.strategy;
    (job.strategy, job.arms) = (strategy, drawn.arms);
    let is_due = !bench.language.knows_syntax_alone() || index.is_multiple_of(CHECKED_EACH);
    let case = drawn
        .case
        .map_err(|reject| Failure::Reject(reject.to_string()))?;
    if is_due && source.makes_programs(strategy) {
        for program in &case.programs {
            let check = bench.language.check(program);
            check.map_err(|why| Failure::IllFormed(why.to_string()))?;
        }
    }
    let (options, mut arms) = source.options(index, strategy, schedule, &bench.targets);
    job.arms.0.append(&mut arms.0);
    Ok(Made {
        case: bench.prepared(case),
        options,
        terms: source.terms(index, strategy, schedule, &mut job.arms, &bench.targets),
    })
}

/// One in so many programs is checked where that is syntax alone: it takes
/// longer than making them, and processors refuse what is wrong with the others.
const CHECKED_EACH: u64 = 16;

/// What a panic said.
pub(crate) fn panic_text(panic: Box<dyn std::any::Any + Send>) -> String {
    let text = panic
        .downcast_ref::<&str>()
        .map(|text| text.to_string())
        .or_else(|| panic.downcast_ref::<String>().cloned());
    text.unwrap_or_default()
}

fn examined_job(job: Job, bench: &Bench, case: &Case, examined: Examined) -> Job {
    let number = |name: &TargetName| {
        let mut targets = bench.targets.iter();
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
        trigger: (!examined.symptoms.is_empty()).then(|| trigger(bench, case, &examined)),
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

/// See [`Bench::prepared`].
pub(crate) fn prepared(
    language: &dyn Language,
    oracles: &[Arc<dyn Oracle>],
    mut case: Case,
) -> Case {
    let witness = oracles.iter().any(|oracle| oracle.wants_witness());
    let core = oracles.iter().any(|oracle| oracle.wants_core());
    for program in &mut case.programs {
        *program = language.without_hints(program);
        if witness {
            *program = language.asking_for_witness(program);
        }
        if core {
            *program = language.asking_for_core(program);
        }
    }
    case
}

impl Bench {
    /// The case as it is put to targets: without hints, and with the witness
    /// and the core asked for if an oracle wants one.
    pub fn prepared(&self, case: Case) -> Case {
        prepared(self.language.as_ref(), &self.oracles, case)
    }

    /// Runs every target on every program, judges, and replays what was
    /// found.
    pub fn examine(&self, case: &Case) -> Examined {
        self.examine_with(case, &OptionChoice::default())
    }

    /// The same with further options.
    pub fn examine_with(&self, case: &Case, options: &OptionChoice) -> Examined {
        self.examine_seen(case, options, &Terms::default(), Seen::new())
    }

    /// The same on these terms, with what was seen already in place of first runs.
    pub(super) fn examine_seen(
        &self,
        case: &Case,
        options: &OptionChoice,
        terms: &Terms,
        seen: Seen,
    ) -> Examined {
        let asked = case.programs.len();
        let (mut case, table, mut judge_cpu) = self.observe_followed(case, options, terms, seen);
        let mut runs = Further::default();
        table.observations.iter().for_each(|run| runs.add(run));
        let clock = ThreadClock::start();
        let claim_refuted = self
            .oracles
            .iter()
            .find_map(|oracle| oracle.refutes_claim(&case, &table));
        let claim_contested = match claim_refuted {
            Some(_) => None,
            None => contested_claim(&case, &only_asked(&case, &table, asked).1),
        };
        if claim_refuted.is_some() || claim_contested.is_some() {
            case.claim = Claim::Silent;
        }
        let (mut symptoms, remarks) = self.judge(&case, &table, asked);
        judge_cpu += clock.elapsed();
        symptoms.retain(|filed| !terms.is_cut_short(filed, &table.observations));
        let bytes = case.bytes();
        let (known, symptoms): (Vec<Filed>, Vec<Filed>) = symptoms
            .into_iter()
            .partition(|filed| terms.is_known(filed, bytes));
        let first = table;
        let replay = Replay {
            bench: self,
            case: &case,
            table: &first,
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
        let (options, shown, settled) =
            self.settle_options(&case, &first, asked, options, &mut symptoms);
        runs.join(settled);
        symptoms.extend(known);
        Examined {
            case,
            claim_refuted,
            claim_contested,
            table: first,
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
        seen: Seen,
    ) -> (Case, Table, Duration) {
        let mut case = case.clone();
        let mut table = Table {
            timeout: self.limits.wall,
            observations: self.observe_all(&case, 0, options, terms, seen),
        };
        let clock = ThreadClock::start();
        let asked = case.programs.len();
        let oracles = self.oracles.iter();
        let further = oracles.flat_map(|oracle| oracle.follow_up(&case, &table));
        let further: Vec<Program> = further.collect();
        let cpu = clock.elapsed();
        case.programs.extend(further);
        let followed = self.observe_all(&case, asked, options, terms, Seen::new());
        table.observations.extend(followed);
        (case, table, cpu)
    }

    /// An error if some run did not start, be it a replay: the machine's
    /// trouble, not a property of the case.
    pub(crate) fn check_started(&self, examined: &Examined) -> Result<()> {
        match &examined.not_started {
            Some(observation) => Err(self.not_started(observation)),
            None => Ok(()),
        }
    }

    /// Why a run did not start, as far as that can be told.
    pub(crate) fn not_started(&self, observation: &Observation) -> anyhow::Error {
        let error = anyhow!("target {}: {}", observation.target, observation.outcome);
        let folder = self.scratch.folder();
        let written =
            folder.and_then(|folder| std::fs::write(folder.path().join("full"), [0; 4096]));
        error.context(match written {
            Err(_) => Fault::CannotWrite,
            Ok(()) => Fault::TargetUnusable,
        })
    }

    /// One run; the program in the dialect that the target wants.
    pub(crate) fn observe(
        &self,
        case: &Case,
        program: usize,
        (target, role): &(Target, Role),
        limits: &RunLimits,
        options: &OptionChoice,
    ) -> Observation {
        let text = self.as_run(&case.programs[program], target);
        let args = options.args(target);
        if args.is_empty() {
            return target.observe(&text, program, *role, limits, &self.scratch);
        }
        let target = target.with_options(args);
        target.observe(&text, program, *role, limits, &self.scratch)
    }

    /// A program as a target is given it.
    pub(super) fn as_run<'a>(&self, program: &'a Program, target: &Target) -> Cow<'a, Program> {
        match target.family().dialect(&target.version) {
            Some(dialect) => Cow::Owned(self.language.in_dialect(program, dialect)),
            None => Cow::Borrowed(program),
        }
    }

    /// Every target on every program from number `first` on, unless it was
    /// seen already. A program that a gate gives no answer for is run by
    /// nobody after it.
    fn observe_all(
        &self,
        case: &Case,
        first: usize,
        options: &OptionChoice,
        terms: &Terms,
        mut seen: Seen,
    ) -> Vec<Observation> {
        let is_gate = |number: &usize| {
            let (target, role) = &self.targets[*number];
            *role == Role::Reference && target.is_gate()
        };
        let (gates, others): (Vec<usize>, Vec<usize>) = (0..self.targets.len()).partition(is_gate);
        let mut observations = Vec::new();
        for program in first..case.programs.len() {
            for &number in gates.iter().chain(&others) {
                let target = &self.targets[number];
                let seen = seen.remove(&(target.0.name.clone(), program));
                let observed = seen.unwrap_or_else(|| {
                    let limits = self.limits_on(terms, &target.0.name);
                    self.observe(case, program, target, &limits, options)
                });
                let closed = is_gate(&number) && observed.outcome.answer().is_none();
                observations.push((number, observed));
                if closed {
                    break;
                }
            }
        }
        observations.sort_by_key(|(number, observed)| (*number, observed.program));
        observations
            .into_iter()
            .map(|(_, observed)| observed)
            .collect()
    }

    /// What a first run of a target may use.
    pub(super) fn limits_on(&self, terms: &Terms, target: &TargetName) -> Cow<'_, RunLimits> {
        match terms.limit(target).filter(|wall| *wall < self.limits.wall) {
            None => Cow::Borrowed(&self.limits),
            Some(wall) => Cow::Owned(RunLimits {
                wall,
                ..self.limits.clone()
            }),
        }
    }

    /// Runs the targets that are `wanted` again, with so many times the
    /// limits. Returns what these runs took.
    pub(super) fn observe_if(
        &self,
        case: &Case,
        table: &mut Table,
        wanted: &dyn Fn(&Target) -> bool,
        options: &OptionChoice,
        patience: u32,
    ) -> Further {
        let mut runs = Further::default();
        let limits = RunLimits {
            wall: self.limits.wall * patience,
            cpu: self.limits.cpu * patience,
            ..self.limits.clone()
        };
        for observation in &mut table.observations {
            let target = self.target(&observation.target);
            if let Some((target, role)) = target.filter(|(target, _)| wanted(target)) {
                let cold = (target.cold(), *role);
                *observation = self.observe(case, observation.program, &cold, &limits, options);
                runs.add(observation);
            }
        }
        runs
    }

    /// What all oracles say, with signatures. Programs from number `asked` on
    /// followed from what was seen: the claim is not about them.
    pub(super) fn judge(
        &self,
        case: &Case,
        table: &Table,
        asked: usize,
    ) -> (Vec<Filed>, Vec<Remark>) {
        let mut filed: Vec<Filed> = Vec::new();
        let (mut symptoms, mut remarks) = (Vec::new(), Vec::new());
        for oracle in &self.oracles {
            let (first, first_table) = match case.programs.len() == asked {
                true => (Cow::Borrowed(case), Cow::Borrowed(table)),
                false => only_asked(case, table, asked),
            };
            let judgement = oracle.judgement(&first, &first_table);
            symptoms.extend(judgement.symptoms);
            remarks.extend(judgement.remarks);
            if case.programs.len() > asked {
                let silent = Case {
                    claim: Claim::Silent,
                    ..case.clone()
                };
                let followed = oracle.judge(&silent, table).into_iter();
                symptoms.extend(followed.filter(|symptom| symptom.program >= asked));
            }
        }
        for symptom in settled(symptoms) {
            let features = match case.programs.get(symptom.program) {
                Some(program) => self.language.features(program),
                None => Vec::new(),
            };
            let signature = Signature::of(&symptom, &features);
            // Two oracles, or two versions of one family, may see one bug.
            if let Some(other) = filed.iter_mut().find(|other| other.signature == signature) {
                if other.symptom.target == symptom.target {
                    other.symptom.evidence += &format!("; {}", symptom.evidence);
                }
                continue;
            }
            let known = self.known_issue(case, &symptom, &signature);
            filed.push(Filed {
                symptom,
                signature,
                known,
                options: BTreeMap::new(),
                replays: Replays::default(),
            });
        }
        (filed, remarks)
    }

    /// The target of that name.
    pub(super) fn target(&self, name: &TargetName) -> Option<&(Target, Role)> {
        self.targets.iter().find(|(target, _)| target.name == *name)
    }
}

/// The case and table without what followed.
fn only_asked<'a>(case: &Case, table: &Table, asked: usize) -> (Cow<'a, Case>, Cow<'a, Table>) {
    let mut case = case.clone();
    case.programs.truncate(asked);
    let mut table = table.clone();
    table
        .observations
        .retain(|observation| observation.program < asked);
    (Cow::Owned(case), Cow::Owned(table))
}

/// CPU time of the calling thread.
pub(super) struct ThreadClock(Duration);

impl ThreadClock {
    pub(super) fn start() -> ThreadClock {
        ThreadClock(cpu_time(ClockId::ThreadCPUTime))
    }

    pub(super) fn elapsed(&self) -> Duration {
        cpu_time(ClockId::ThreadCPUTime).saturating_sub(self.0)
    }
}

/// What a CPU clock of ours shows.
pub(super) fn cpu_time(clock: ClockId) -> Duration {
    let time = clock_gettime(clock);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}
