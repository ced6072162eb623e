//! Cold replays: what one run shows is a suspicion.
//!
//! A symptom is filed with how many of *k* further runs showed it. One that
//! none of them shows is only counted. A symptom of timing has to hold in every
//! replay: in the first with more patience, in the others with another seed of
//! the solver's own randomness, where the target file says how to give one.
//! Its cost is then stated in the solver's own measure, which is the same on
//! every machine.

use std::time::Duration;

use lydite_core::{Answer, Case, Outcome, Signature, Table, TargetName, Verdict};

use super::cpu::ThreadClock;
use super::engine::Examiner;
use super::job::{Filed, Further};
use super::options::OptionChoice;
use lydite_target::{RunLimits, Target};

/// How many times the limits a target gets before it is called hanging.
const PATIENCE: u32 = 4;

/// What is known after the replays.
#[derive(Default)]
pub(super) struct Confirmed {
    /// The symptoms that are to be filed.
    pub symptoms: Vec<Filed>,
    /// Signatures that some replay did not show, whether they are filed or not.
    pub unconfirmed: Vec<Signature>,
    /// What the runs took.
    pub runs: Further,
    /// CPU time of judging.
    pub judge_cpu: Duration,
}

/// A case as it is replayed.
#[derive(Clone, Copy)]
pub(super) struct Replay<'a> {
    pub examiner: &'a Examiner,
    pub case: &'a Case,
    /// The first run.
    pub table: &'a Table,
    /// How many of the programs the strategy made; the others followed from what was seen.
    pub asked: usize,
    pub options: &'a OptionChoice,
}

impl Replay<'_> {
    /// Replays all symptoms.
    pub(super) fn confirm(&self, symptoms: Vec<Filed>) -> Confirmed {
        let mut confirmed = Confirmed::default();
        let timing = |filed: &Filed| filed.symptom.kind.is_timing();
        let (timed, steady): (Vec<Filed>, Vec<Filed>) = symptoms.into_iter().partition(timing);
        self.confirm_steady(steady, &mut confirmed);
        self.confirm_timed(timed, &mut confirmed);
        confirmed
    }

    fn confirm_steady(&self, mut symptoms: Vec<Filed>, confirmed: &mut Confirmed) {
        if symptoms.is_empty() {
            return;
        }
        let mut table = self.table.clone();
        for _ in 0..self.examiner.replays {
            confirmed
                .runs
                .join(self.observe_involved(&mut table, &symptoms, 1));
            let shown = self.shown(&table, confirmed);
            for filed in &mut symptoms {
                filed.replays.of += 1;
                filed.replays.shown += u32::from(shown.contains(&filed.signature));
            }
        }
        for filed in symptoms {
            if filed.replays.is_flaky() {
                confirmed.unconfirmed.push(filed.signature.clone());
            }
            if filed.replays.shown > 0 || self.examiner.replays == 0 {
                confirmed.symptoms.push(filed);
            }
        }
    }

    fn confirm_timed(&self, mut symptoms: Vec<Filed>, confirmed: &mut Confirmed) {
        let mut table = self.table.clone();
        for number in 0..self.examiner.replays {
            if symptoms.is_empty() {
                return;
            }
            confirmed.runs.join(match number {
                0 => self.observe_involved(&mut table, &symptoms, PATIENCE),
                seed => self.observe_seeded(&mut table, &symptoms, seed),
            });
            let shown = self.shown(&table, confirmed);
            symptoms.retain_mut(|filed| {
                filed.replays.of += 1;
                filed.replays.shown += 1;
                let again = shown.contains(&filed.signature);
                if !again {
                    confirmed.unconfirmed.push(filed.signature.clone());
                }
                again
            });
        }
        for mut filed in symptoms {
            if self.examiner.replays == 0 {
                confirmed.symptoms.push(filed);
                continue;
            }
            self.state_seeds(&mut filed);
            self.state_cost(&mut filed, &mut confirmed.runs);
            confirmed.symptoms.push(filed);
        }
    }

    /// The signatures that a table shows.
    fn shown(&self, table: &Table, confirmed: &mut Confirmed) -> Vec<Signature> {
        let clock = ThreadClock::start();
        let (again, _) = self.examiner.judge_table(self.case, table, self.asked);
        confirmed.judge_cpu += clock.elapsed();
        again.into_iter().map(|filed| filed.signature).collect()
    }

    /// Runs whoever takes part in a symptom again; the rest of the table stays.
    fn observe_involved(&self, table: &mut Table, symptoms: &[Filed], patience: u32) -> Further {
        let involved = |target: &Target| {
            symptoms.iter().any(|Filed { symptom, .. }| {
                symptom.target == target.name || symptom.against.contains(&target.name)
            })
        };
        self.examiner
            .runner
            .observe_if(self.case, table, &involved, self.options, patience)
    }

    /// Runs the accused again, with another seed; the rest of the table stays.
    fn observe_seeded(&self, table: &mut Table, symptoms: &[Filed], seed: u32) -> Further {
        let mut runs = Further::default();
        for observation in &mut table.observations {
            let accused = |filed: &Filed| filed.symptom.target == observation.target;
            let Some((target, role)) = self.examiner.runner.target(&observation.target) else {
                continue;
            };
            if !symptoms.iter().any(accused) {
                continue;
            }
            let words = target.family().limit.seed_words(seed);
            let seeded = (target.with_options(words), *role);
            let (program, limits) = (observation.program, &self.examiner.runner.limits);
            *observation = self
                .examiner
                .runner
                .observe(self.case, program, &seeded, limits, self.options);
            runs.add(observation);
        }
        runs
    }

    /// Says that other seeds show it too.
    fn state_seeds(&self, filed: &mut Filed) {
        let target = self.examiner.runner.target(&filed.symptom.target);
        let has_seeds = target.is_some_and(|(target, _)| !target.family().limit.seeds.is_empty());
        if has_seeds && self.examiner.replays > 1 {
            let seeds: Vec<String> = (1..self.examiner.replays).map(|n| n.to_string()).collect();
            filed.symptom.evidence += &format!("; also with solver seeds {}", seeds.join(", "));
        }
    }

    /// Says in the solvers' own measure what the case costs.
    fn state_cost(&self, filed: &mut Filed, runs: &mut Further) {
        let names = std::iter::once(&filed.symptom.target).chain(&filed.symptom.against);
        let mut costs = Vec::new();
        for name in names {
            costs.extend(self.cost(name, filed.symptom.program, runs));
        }
        if !costs.is_empty() {
            filed.symptom.evidence += &format!("; {}", costs.join(", "));
        }
    }

    fn cost(&self, name: &TargetName, program: usize, runs: &mut Further) -> Option<String> {
        let target = self.examiner.runner.target(name)?;
        let option = target.0.family().limit.resource_option.as_ref()?;
        let mut spent = None;
        for resource in RESOURCES {
            let limits = RunLimits {
                resource: Some(resource),
                ..self.examiner.runner.limits.clone()
            };
            let observation = self
                .examiner
                .runner
                .observe(self.case, program, target, &limits, self.options);
            runs.add(&observation);
            let said = option.replace("{n}", &resource.to_string());
            if is_decided(&observation.outcome) {
                return Some(format!("{name} answers with {said}"));
            }
            let undecided = matches!(
                observation.outcome,
                Outcome::Answered(_) | Outcome::Undecided | Outcome::TimedOut
            );
            if !undecided || observation.wall >= self.examiner.runner.limits.wall.mul_f64(0.9) {
                break;
            }
            // It gave up by itself, and would anywhere.
            spent = Some(format!("{name} gives up with {said}"));
        }
        spent
    }
}

/// True if every question was answered.
fn is_decided(outcome: &Outcome) -> bool {
    match outcome.answer() {
        Some(Answer::Verdicts(verdicts)) => !verdicts.contains(&Verdict::Unknown),
        answer => answer.is_some(),
    }
}

/// What is tried as the solver's own limit.
const RESOURCES: [u64; 5] = [100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000];

/// How many times the limits a run gets: a symptom of timing has to hold
/// with more patience.
pub(super) fn patience(filed: &Filed) -> u32 {
    if filed.symptom.kind.is_timing() {
        PATIENCE
    } else {
        1
    }
}
