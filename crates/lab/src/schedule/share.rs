//! The share of one strategy: limits of its runs, and how likely each of its arms is.

use std::collections::BTreeMap;

use lydite_core::{Choices, SEED_ARM};

use super::statistics::{ArmStatistics, StrategyStatistics};
use super::times::{CostForecast, Curve, RunTimes};
use super::weigh::{ArmWeights, Played, UNKNOWN, weigh};
use lydite_store::record::{ArmShare, DecisionShare, KEPT_ARM, LIMIT_ARM, StrategyShare, Tally};

/// What the runs of an unchanged seed cost.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SeedCost {
    /// For each target.
    pub runs: Vec<UnchangedRun>,
}

/// One run of an unchanged seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnchangedRun {
    /// Its CPU time, in microseconds.
    pub cpu: u64,
    /// How it ended.
    pub end: RunEnd,
}

/// How a run ended, as far as schedules go by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunEnd {
    /// With an answer.
    Answered,
    /// Cut off.
    Cut,
    /// With anything else, such as a refusal.
    Other,
}

impl SeedCost {
    /// The CPU time on all targets, in microseconds.
    fn cpu(&self) -> u64 {
        let runs = self.runs.iter();
        runs.fold(0, |sum, run| sum.saturating_add(run.cpu))
    }

    /// True if all targets ended with something else than an answer: most likely they
    /// refuse the seed, whatever a strategy makes of it.
    fn is_refused(&self) -> bool {
        !self.runs.is_empty() && self.runs.iter().all(|run| run.end == RunEnd::Other)
    }
}

/// What the share of one strategy is drawn up from.
pub(super) struct Drawing<'a> {
    pub measured: &'a StrategyStatistics,
    pub seeds: u64,
    pub costs: &'a BTreeMap<u64, SeedCost>,
    /// The plan's own limit, in microseconds.
    pub most: u64,
    /// The share of the time that may be lost.
    pub budget: f64,
    /// What is known of the runs of each target from other strategies.
    pub others: &'a [Curve],
}

/// What is known of the runs of each target: of an arm of which nothing else is known.
struct Outlook {
    curves: Vec<Curve>,
    /// How many runs a case has until one is cut off.
    runs: Vec<f64>,
    limits: Vec<u64>,
    /// How many times as much cases lose as their first runs that are cut off.
    loss_ratio: f64,
}

impl Drawing<'_> {
    /// The share of the strategy, but for its weight, and what a case of it is thought to take,
    /// under its limits and under the plan's.
    pub(super) fn share(
        &self,
        choices: &mut Choices,
    ) -> (StrategyShare, (CostForecast, CostForecast)) {
        let mut decisions = BTreeMap::new();
        let tally = self.measured.own.tally;
        let seeds = self.seed_arms();
        let outlook = self.outlook(&seeds);
        let (_, forecast) = outlook.of(None, None);
        let mut mixes = (forecast, outlook.long(None, self.most));
        if self.seeds > 0 {
            let (share, weights) = self.decide(&seeds, self.seeds, &outlook, true, choices);
            decisions.insert(SEED_ARM.to_string(), share);
            mixes = (weights.mix, weights.long_mix);
        }
        for (of, arms) in &self.measured.decisions {
            if ![SEED_ARM, LIMIT_ARM, KEPT_ARM].contains(&of.as_str()) {
                let count = arms.keys().next_back().map_or(0, |last| last + 1);
                let (share, weights) = self.decide(arms, count, &outlook, false, choices);
                decisions.insert(of.clone(), share);
                if self.seeds == 0 && weights.mix.lost < mixes.0.lost {
                    mixes = (weights.mix, weights.long_mix);
                }
            }
        }
        let share = StrategyShare {
            weight: 0,
            tally,
            limits: outlook.limits,
            decisions,
        };
        (share, mixes)
    }

    /// What is known of seeds: their cases, and what they take unchanged.
    fn seed_arms(&self) -> BTreeMap<u64, ArmStatistics> {
        let nothing = BTreeMap::new();
        let played = self.measured.decisions.get(SEED_ARM).unwrap_or(&nothing);
        let mut arms = played.clone();
        for (number, cost) in self.costs {
            let arm = arms.entry(*number).or_default();
            for (target, run) in cost.runs.iter().enumerate() {
                let times = arm.times.entry(target as u16).or_default();
                let (is_cut, is_answered) = (run.end == RunEnd::Cut, run.end == RunEnd::Answered);
                times.add_time(run.cpu, is_cut, is_answered);
            }
        }
        arms.retain(|number, _| *number < self.seeds);
        arms
    }

    fn outlook(&self, seeds: &BTreeMap<u64, ArmStatistics>) -> Outlook {
        let own = &self.measured.own;
        let made = (own.tally.cases - own.tally.rejected) as f64;
        let nothing = RunTimes::default();
        let curve = |(others, target): (&Curve, &u16)| match self.seeds > 0 {
            true => others.with_arms(seeds.values().filter_map(|arm| arm.times.get(target))),
            false => others.with(own.times.get(target).unwrap_or(&nothing)),
        };
        let runs = |target: &u16| match own.runs.get(target) {
            Some(runs) if made > 0.0 => *runs as f64 / made,
            _ => 1.0,
        };
        let all: Vec<u16> = (0..self.others.len() as u16).collect();
        let curves: Vec<Curve> = self.others.iter().zip(&all).map(curve).collect();
        let limit = |curve: &Curve| curve.limit(self.budget, self.most);
        Outlook {
            limits: curves.iter().map(limit).collect(),
            runs: all.iter().map(runs).collect(),
            curves,
            loss_ratio: own.loss_ratio(),
        }
    }

    /// The weights of a decision; seeds have limits of their own. Where there are seeds,
    /// they alone have to keep to the budget: they are what the time depends on.
    fn decide(
        &self,
        arms: &BTreeMap<u64, ArmStatistics>,
        count: u64,
        outlook: &Outlook,
        is_seed: bool,
        choices: &mut Choices,
    ) -> (DecisionShare, ArmWeights) {
        let own_limits = is_seed.then_some((self.budget, self.most));
        let mut limits = Vec::new();
        let mut played = Vec::new();
        for (number, arm) in arms {
            let (own, forecast) = outlook.of(Some(arm), own_limits);
            limits.push(own);
            played.push(Played {
                number: *number,
                tally: arm.tally,
                forecast,
                long: outlook.long(Some(arm), self.most),
                begins_refused: is_seed && self.costs.get(number).is_some_and(SeedCost::is_refused),
            });
        }
        let rest = Played {
            number: UNKNOWN,
            tally: Tally::default(),
            forecast: outlook.of(None, None).1,
            long: outlook.long(None, self.most),
            begins_refused: false,
        };
        let budget = (is_seed || self.seeds == 0).then_some(self.budget);
        let weights = weigh(&played, count, &rest, budget, choices);
        let share = |(arm, own): (&Played, Vec<u64>)| {
            let unchanged = self.costs.get(&arm.number).filter(|_| is_seed);
            let share = ArmShare {
                weight: weights.of(arm.number),
                tally: arm.tally,
                limits: match own == outlook.limits {
                    true => Vec::new(),
                    false => own,
                },
                unchanged: unchanged.map(SeedCost::cpu),
            };
            (arm.number, share)
        };
        let share = DecisionShare {
            rest: weights.rest,
            arms: played.iter().zip(limits).map(share).collect(),
        };
        (share, weights)
    }
}

impl Outlook {
    /// The limits of an arm, which may be its own by the budget and the plan's limit, and what
    /// a case of it is thought to take.
    fn of(&self, arm: Option<&ArmStatistics>, own: Option<(f64, u64)>) -> (Vec<u64>, CostForecast) {
        let mut limits = Vec::new();
        let mut total = CostForecast::default();
        for (target, general) in self.curves.iter().enumerate() {
            let times = arm.and_then(|arm| arm.times.get(&(target as u16)));
            let curve = times.map(|times| general.with(times));
            let curve = curve.as_ref().unwrap_or(general);
            let limit = match (own, times) {
                (Some((budget, most)), Some(_)) => curve.limit(budget, most),
                _ => self.limits[target],
            };
            total.add(curve.forecast(limit), self.runs_in_case(arm, target));
            limits.push(limit);
        }
        (limits, total.with_loss(self.loss_ratio))
    }

    /// What a case of an arm is thought to take with the plan's own limit.
    fn long(&self, arm: Option<&ArmStatistics>, most: u64) -> CostForecast {
        let mut total = CostForecast::default();
        for (target, general) in self.curves.iter().enumerate() {
            let times = arm.and_then(|arm| arm.times.get(&(target as u16)));
            let curve = times.map(|times| general.with(times));
            let forecast = curve.as_ref().unwrap_or(general).forecast(most);
            total.add(forecast, self.runs_in_case(arm, target));
        }
        total.with_loss(self.loss_ratio)
    }

    /// How many runs of a target a case of an arm has until one is cut off.
    fn runs_in_case(&self, arm: Option<&ArmStatistics>, target: usize) -> f64 {
        let usual = self.runs[target];
        arm.map_or(usual, |arm| arm.runs_in_case(target as u16, usual))
    }
}
