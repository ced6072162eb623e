//! A hunt on made-up seeds, without a process: whether schedules keep what they promise.

use std::collections::BTreeSet;
use std::time::Duration;

use lydite_core::{Choices, Outcome, SEED_ARM};
use lydite_store::record::{
    Arms, CaseRecord, LIMIT_ARM, RunRecord, ScheduleId, ScheduleRecord, outcome_number,
};

use super::{PlanFacts, Round, Statistics, draw_up, spared};

const MOST: f64 = 8e6;
const TARGETS: usize = 2;

/// How mutants of a seed behave on each target: their usual time in microseconds, and how
/// many of a thousand take far longer.
struct SeedModel {
    usual: f64,
    slow: [u64; TARGETS],
}

fn below(choices: &mut Choices, most: u64) -> u64 {
    choices.below(most).unwrap()
}

/// A number between these, each doubling as likely as the next.
fn spread(choices: &mut Choices, low: f64, high: f64) -> f64 {
    let part = below(choices, 1_000_000) as f64 / 1e6;
    low * (high / low).powf(part)
}

/// Most seeds are quick and seldom slow, some are slow at times, some never end.
fn models(count: u64) -> Vec<SeedModel> {
    let mut choices = Choices::seeded(7, 0).with_limit(usize::MAX);
    (0..count)
        .map(|_| {
            let (usual, most_slow) = match below(&mut choices, 100) {
                0..60 => (spread(&mut choices, 4e3, 3e4), 80),
                60..85 => (spread(&mut choices, 1e4, 2e5), 600),
                _ => (3e4, 2000),
            };
            let slow = [(); TARGETS].map(|()| below(&mut choices, most_slow));
            SeedModel { usual, slow }
        })
        .collect()
}

/// The seed that a schedule draws, and its limits.
fn draw(schedule: &ScheduleRecord, seeds: u64, choices: &mut Choices) -> (u64, Vec<u64>) {
    let share = &schedule.strategies[0];
    let decision = &share.decisions[SEED_ARM];
    let weight = |seed: u64| {
        decision
            .arms
            .get(&seed)
            .map_or(decision.rest, |arm| arm.weight)
    };
    let total: u64 = (0..seeds).map(weight).sum();
    let mut drawn = below(choices, total);
    let seed = (0..seeds).find(|seed| match drawn.checked_sub(weight(*seed)) {
        Some(rest) => {
            drawn = rest;
            false
        }
        None => true,
    });
    let seed = seed.unwrap();
    let own = decision.arms.get(&seed).map(|arm| arm.limits.clone());
    let own = own.filter(|own| !own.is_empty());
    (seed, own.unwrap_or_else(|| share.limits.clone()))
}

fn run(model: &SeedModel, target: usize, limit: f64, choices: &mut Choices) -> RunRecord {
    let is_slow = below(choices, 1000) < model.slow[target];
    let time = match is_slow {
        true => spread(choices, 3e5, 6e7),
        false => model.usual * spread(choices, 0.7, 1.8),
    };
    let is_cut = time > limit;
    let time = Duration::from_micros(time.min(limit) as u64);
    RunRecord {
        target: target as u16,
        outcome: if is_cut {
            outcome_number(&Outcome::TimedOut)
        } else {
            0
        },
        answer: (below(choices, 6) / 4) as u8,
        wall: time,
        cpu: time,
        ..RunRecord::default()
    }
}

/// What a hunt has spent and lost after its first two minutes.
#[derive(Default)]
struct Account {
    /// CPU seconds from the beginning on.
    spent: f64,
    /// Those of runs that were cut off.
    lost_in_all: f64,
    /// CPU seconds after the first two minutes; those of runs that were cut off, and those of
    /// cases with the plan's own limit.
    late: f64,
    lost: f64,
    long: f64,
    /// The number of answers after the first two minutes.
    answers: f64,
    /// The seeds that were tried.
    tried: BTreeSet<u64>,
}

impl Account {
    fn add(&mut self, run: &RunRecord, is_long: bool) {
        let time = run.cpu.as_secs_f64();
        self.spent += time;
        self.lost_in_all += if run.outcome == 0 { 0.0 } else { time };
        if self.spent > 120.0 {
            self.late += time;
            self.lost += if run.outcome == 0 { 0.0 } else { time };
            self.answers += if run.outcome == 0 { 1.0 } else { 0.0 };
            self.long += if is_long { time } else { 0.0 };
        }
    }
}

fn facts(seeds: u64, stream: u64) -> PlanFacts<'static> {
    PlanFacts {
        seed: stream,
        shard: (1, 1),
        limit: Duration::from_micros(MOST as u64),
        stays: vec![false; TARGETS],
        restarts: vec![false; TARGETS],
        long_share: 10,
        cut_share: 15,
        strategies: vec![(1, seeds)],
        costs: &[],
    }
}

/// The runs of a case of so many programs, which are alike: if one takes long, most others do.
fn runs_of(
    model: &SeedModel,
    programs: u64,
    limits: &[f64],
    choices: &mut Choices,
) -> Vec<RunRecord> {
    let mut runs = Vec::new();
    for (target, limit) in limits.iter().enumerate() {
        let is_slow = below(choices, 1000) < model.slow[target];
        let mut cuts = 0;
        for _ in 0..programs {
            let slow = [if is_slow {
                900
            } else {
                model.slow[target] / 20
            }; TARGETS];
            let alike = SeedModel { slow, ..*model };
            let limit = spared(Duration::from_micros(*limit as u64), cuts);
            let run = run(&alike, target, limit.as_micros() as f64, choices);
            cuts += u32::from(run.outcome != 0);
            runs.push(run);
        }
    }
    runs
}

/// A hunt of so many CPU seconds with this random stream, whose cases have up to so many programs.
fn hunt(seeds: u64, cpu: f64, stream: u64, programs: u64) -> Account {
    let models = models(seeds);
    let known = facts(seeds, stream);
    let mut statistics = Statistics::default();
    let mut schedule: Option<ScheduleRecord> = None;
    let mut round = Round::of(0);
    let mut account = Account::default();
    for index in 0.. {
        if index == round.end {
            round = round.next();
            schedule = Some(draw_up(&known, round, &statistics));
        }
        let mut choices = Choices::seeded(2 + stream, index).with_limit(usize::MAX);
        let (seed, limits, is_long) = match &schedule {
            None => (below(&mut choices, seeds), Vec::new(), true),
            Some(schedule) => {
                let (seed, limits) = draw(schedule, seeds, &mut choices);
                let is_long = below(&mut choices, 1_000_000) < schedule.long_per_million;
                (seed, limits, is_long)
            }
        };
        account.tried.insert(seed);
        let limits = (0..TARGETS).map(|target| if is_long { MOST } else { limits[target] as f64 });
        let limits: Vec<f64> = limits.collect();
        let model = &models[seed as usize];
        let runs = match programs {
            1 => (0..TARGETS)
                .map(|target| run(model, target, limits[target], &mut choices))
                .collect(),
            _ => {
                let programs = 1 + below(&mut choices, programs);
                runs_of(model, programs, &limits, &mut choices)
            }
        };
        runs.iter().for_each(|run| account.add(run, is_long));
        statistics.add(&CaseRecord {
            index,
            schedule: ScheduleId(u64::from(schedule.is_some())),
            arms: Arms(vec![
                (SEED_ARM.to_string(), seed),
                (LIMIT_ARM.to_string(), u64::from(is_long)),
            ]),
            runs: runs.into_iter().collect(),
            ..CaseRecord::default()
        });
        if account.spent > cpu {
            break;
        }
    }
    account
}

#[test]
fn after_two_minutes_no_more_is_lost_than_the_budget_allows() {
    // Cases of one program, and chains of many: for each the CPU seconds of a hunt.
    for (seeds, cpu, programs) in [
        (900, 300.0, 1),
        (60, 240.0, 1),
        (900, 300.0, 25),
        (60, 300.0, 25),
    ] {
        let what = format!("{programs} of {seeds}");
        let hunts = [1, 2].map(|stream| hunt(seeds, cpu, stream, programs));
        let mean = |of: fn(&Account) -> f64| hunts.iter().map(of).sum::<f64>() / 2.0;
        let lost = mean(|hunt| hunt.lost / hunt.late);
        assert!(lost < 0.22, "{what}: {lost}");
        let lost = mean(|hunt| hunt.lost_in_all / hunt.spent);
        assert!(lost < 0.27, "{what} with the first minutes: {lost}");
        let long = mean(|hunt| hunt.long / hunt.late);
        assert!(long < 0.2, "{what}: {long}");
        let answers = mean(|hunt| hunt.answers / hunt.late);
        assert!(answers > 20.0, "{what}: {answers}");
        let tried = mean(|hunt| hunt.tried.len() as f64) as u64;
        assert!(programs > 1 || tried > seeds / 3, "{what}: {tried}");
    }
}
