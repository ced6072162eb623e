//! What seeds take unchanged: measured once per target and version, kept in the
//! cache by content, and told to the schedules of every later campaign.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use lydite_core::{Case, Claim, Language, Outcome, Program, Role, Seed};

use super::engine::Examiner;
use super::options::OptionChoice;
use super::source::Source;
use crate::plan::Plan;
use crate::schedule::{RunEnd, SeedCost, UnchangedRun};
use lydite_target::{AnswerCache, RunLimits, Target};

/// What seeds take, once somebody asked.
pub(super) struct Costs {
    answers: Arc<AnswerCache>,
    measured: OnceLock<Vec<BTreeMap<u64, SeedCost>>>,
}

/// The CPU time that one seed may take on one target: what takes longer is slow.
const LIMIT: Duration = Duration::from_millis(250);

/// Measuring may take one part in so many of the campaign's time.
const PART: u32 = 20;

/// And no more than this; also of a campaign that has no end.
const MOST: Duration = Duration::from_secs(60);

impl Costs {
    /// Kept here.
    pub(super) fn new(answers: Arc<AnswerCache>) -> Costs {
        Costs {
            answers,
            measured: OnceLock::new(),
        }
    }

    /// For each strategy what its seeds take, by their numbers; those that there
    /// was no time for are missing. What is kept costs no time.
    pub(super) fn of(
        &self,
        plan: &Plan,
        source: &Source,
        examiner: &Examiner,
    ) -> &[BTreeMap<u64, SeedCost>] {
        self.measured.get_or_init(|| {
            let budget = plan.duration.map_or(MOST, |span| (span.0 / PART).min(MOST));
            self.measure(source, examiner, Instant::now() + budget)
        })
    }

    fn measure(
        &self,
        source: &Source,
        examiner: &Examiner,
        deadline: Instant,
    ) -> Vec<BTreeMap<u64, SeedCost>> {
        let targets = examiner.runner.targets.iter();
        let keeping: anyhow::Result<Vec<(Target, Role)>> = targets
            .map(|(target, role)| Ok((target.clone().keeping(&self.answers)?, *role)))
            .collect();
        // A cache never stops a campaign.
        let Ok(targets) = keeping else {
            return Vec::new();
        };
        let limits = RunLimits {
            busy: Some(LIMIT.min(examiner.runner.limits.wall)),
            ..examiner.runner.limits.clone()
        };
        let measure = |seeds: &[Seed]| {
            let mut order: Vec<usize> = (0..seeds.len()).collect();
            // The smallest first: of these most can be measured.
            order.sort_by_key(|number| seeds[*number].text.len());
            let mut costs = BTreeMap::new();
            for number in order {
                if Instant::now() >= deadline {
                    break;
                }
                let case = unchanged(&seeds[number], examiner.judge.language.as_ref());
                let case = examiner.judge.prepare(case);
                let cost = cost(&case, &targets, &limits, examiner);
                costs.insert(number as u64, cost);
            }
            costs
        };
        source.seeds().iter().map(|seeds| measure(seeds)).collect()
    }
}

/// A seed as a case.
fn unchanged(seed: &Seed, language: &dyn Language) -> Case {
    let extension = language.extensions().first().copied().unwrap_or("txt");
    let program = Program::single(format!("case.{extension}"), seed.text.clone());
    Case::single(program, Claim::Silent)
}

/// The CPU time of a case on each target.
fn cost(
    case: &Case,
    targets: &[(Target, Role)],
    limits: &RunLimits,
    examiner: &Examiner,
) -> SeedCost {
    let run = |target| {
        let options = OptionChoice::default();
        let seen = examiner.runner.observe(case, 0, target, limits, &options);
        UnchangedRun {
            cpu: u64::try_from(seen.cpu.as_micros()).unwrap_or(u64::MAX),
            end: match seen.outcome {
                Outcome::Answered(_) => RunEnd::Answered,
                Outcome::TimedOut => RunEnd::Cut,
                _ => RunEnd::Other,
            },
        }
    };
    SeedCost {
        runs: targets.iter().map(run).collect(),
    }
}
