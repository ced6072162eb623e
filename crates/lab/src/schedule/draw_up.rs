//! Drawing up a schedule: a pure function of the plan and what was measured.

use std::collections::BTreeMap;
use std::time::Duration;

use lydite_core::Choices;

use super::Round;
use super::share::{Drawing, SeedCost};
use super::statistics::{Statistics, StrategyStatistics};
use super::times::{CostForecast, Curve, RunTimes, micros};
use super::weigh::{ArmWeights, Played, UNKNOWN, weigh};
use lydite_store::record::{ConfirmedSignature, ScheduleRecord, Tally};

/// What a plan says that a schedule depends on.
#[derive(Clone, Debug)]
pub struct PlanFacts<'a> {
    /// The campaign's seed.
    pub seed: u64,
    /// The number of the shard, from 1, and how many shards there are.
    pub shard: (u64, u64),
    /// The plan's own limit of a run.
    pub limit: Duration,
    /// For each target whether processes of it may be kept for the next program.
    pub stays: Vec<bool>,
    /// For each target whether all its programs run in processes that stay, so that a run that
    /// is cut off costs the next one a start.
    pub restarts: Vec<bool>,
    /// The share of the CPU time for cases with the plan's own limit, in percent.
    pub long_share: u64,
    /// The share of the CPU time that runs may take that are cut off, in percent.
    pub cut_share: u64,
    /// For each strategy its weight in the plan and how many seeds it has.
    pub strategies: Vec<(u64, u64)>,
    /// For each strategy the costs of its unchanged seeds, by their numbers.
    pub costs: &'a [BTreeMap<u64, SeedCost>],
}

/// The most signatures that are told to the next round: those seen most.
const MOST_CONFIRMED: usize = 1000;

/// Draws up the schedule of a round.
pub fn draw_up(known: &PlanFacts<'_>, round: Round, statistics: &Statistics) -> ScheduleRecord {
    let mut choices = stream(known, round);
    let nothing = (StrategyStatistics::default(), BTreeMap::new());
    let budget = budget(known, statistics);
    let mut arms = Vec::new();
    let mut strategies = Vec::new();
    for (number, (weight, seeds)) in known.strategies.iter().enumerate() {
        let measured = statistics.strategies.get(&(number as u64));
        let others = curves_of_others(known, statistics, number as u64);
        let drawing = Drawing {
            measured: measured.unwrap_or(&nothing.0),
            seeds: *seeds,
            costs: known.costs.get(number).unwrap_or(&nothing.1),
            most: micros(known.limit),
            budget,
            others: &others,
        };
        let (share, forecasts) = drawing.share(&mut choices);
        arms.push(Played {
            number: number as u64,
            tally: share.tally,
            forecast: forecasts.0,
            long: forecasts.1,
            begins_refused: false,
        });
        strategies.push((*weight, share));
    }
    let unknown = Played {
        number: UNKNOWN,
        tally: Tally::default(),
        forecast: CostForecast::default(),
        long: CostForecast::default(),
        begins_refused: false,
    };
    let weights = weigh(
        &arms,
        arms.len() as u64,
        &unknown,
        Some(budget),
        &mut choices,
    );
    for (number, (weight, share)) in strategies.iter_mut().enumerate() {
        share.weight = match weight {
            0 => 0,
            _ => weights.of(number as u64).saturating_mul(*weight),
        };
    }
    ScheduleRecord {
        shard: known.shard.0,
        of: known.shard.1,
        round: round.number,
        cases: statistics.cases,
        long_per_million: long_per_million(known, statistics, &weights),
        kept_per_million: kept_per_million(known, statistics),
        long: statistics.long,
        short: statistics.short,
        strategies: strategies.into_iter().map(|(_, share)| share).collect(),
        confirmed: confirmed(statistics),
    }
}

/// How long runs of each target take that are not of this strategy.
fn curves_of_others(known: &PlanFacts<'_>, statistics: &Statistics, strategy: u64) -> Vec<Curve> {
    let curve = |(target, restarts): (usize, &bool)| {
        let target = target as u16;
        let mut times = RunTimes::default();
        for (_, other) in statistics
            .strategies
            .iter()
            .filter(|(n, _)| **n != strategy)
        {
            if let Some(other) = other.own.times.get(&target) {
                times.add_all(other);
            }
        }
        let first = statistics.first.get(&target).filter(|_| *restarts);
        Curve::of(&times).with_restart(first.copied().unwrap_or_default())
    };
    known.restarts.iter().enumerate().map(curve).collect()
}

/// The random stream of a schedule.
fn stream(known: &PlanFacts<'_>, round: Round) -> Choices {
    let (shard, of) = known.shard;
    let text = format!("schedule {} {shard}/{of}", known.seed);
    let hash = blake3::hash(text.as_bytes());
    let bytes = hash.as_bytes().first_chunk().expect("a hash has 32 bytes");
    Choices::seeded(u64::from_le_bytes(*bytes), round.number).with_limit(usize::MAX)
}

/// The share of the time that cases with limits of the schedule may lose: what is left of
/// the plan's by the cases with the plan's own limit.
fn budget(known: &PlanFacts<'_>, statistics: &Statistics) -> f64 {
    let percent = |share: u64| share.min(100) as f64 / 100.0;
    let (long, cut) = (percent(known.long_share), percent(known.cut_share));
    // Before any was seen they are thought to lose all of their time.
    let tally = &statistics.chosen_long;
    let prior = micros(known.limit) as f64;
    let long_lost = (tally.lost as f64 + prior) / (tally.cpu as f64 + prior);
    let wanted = ((cut - long * long_lost) / (1.0 - long).max(0.01)).max(cut / 8.0);
    // Forecasts may be wrong, the account of what was lost so far is not: the further it is
    // from what was wanted, the stricter is the next round.
    let short = &statistics.short;
    let (lost, spent) = (short.lost + tally.lost, short.cpu + tally.cpu);
    let had = lost as f64 / spent.max(1) as f64;
    wanted * (cut / had.max(1e-6)).powi(3).clamp(1.0 / 8.0, 1.5)
}

/// How many cases in a million have to run with the plan's own limit, so that
/// they take their share of the CPU time.
fn long_per_million(known: &PlanFacts<'_>, statistics: &Statistics, weights: &ArmWeights) -> u64 {
    let (long, short) = (&statistics.chosen_long, &statistics.short);
    let total = long.cpu + short.cpu;
    let had = long.cpu as f64 / total.max(1) as f64;
    let wanted = known.long_share.min(100) as f64 / 100.0;
    // A round is a fourth of what was before: this is what the next one has to get for the
    // whole to have its share. One such case can take as long as a thousand others.
    let share = (wanted + (wanted - had) * 4.0).clamp(0.0, (2.0 * wanted).min(1.0));
    // What such cases took, and one more as they are thought to be.
    let made = (long.cases - long.rejected) as f64;
    let long = (long.cpu as f64 + weights.long_mix.cost) / (made + 1.0);
    // p long / (p long + (1 - p) short) = share.
    let short = weights.mix.cost;
    let part = share * short / (share * short + (1.0 - share) * long).max(1e-9);
    (part.clamp(0.0, 1.0) * 1e6) as u64
}

/// So many answers in both kinds of processes tell which are cheaper.
const TELLING: u64 = 24;

/// How many cases in a million use processes of a target that stay: half of them as long as
/// nobody knows what that brings, then nearly all or nearly none.
fn kept_per_million(known: &PlanFacts<'_>, statistics: &Statistics) -> Vec<u64> {
    let share = |(target, stays): (usize, &bool)| {
        let starts = statistics.starts.get(&(target as u16));
        let [fresh, kept] = starts.copied().unwrap_or_default();
        let mean = |(count, cpu): (u64, u64)| cpu as f64 / count.max(1) as f64;
        match stays {
            false => 0,
            true if fresh.0.min(kept.0) < TELLING => 500_000,
            true if mean(kept) < mean(fresh) => 950_000,
            true => 50_000,
        }
    };
    known.stays.iter().enumerate().map(share).collect()
}

fn confirmed(statistics: &Statistics) -> Vec<ConfirmedSignature> {
    let each = statistics.confirmed.iter();
    let mut confirmed: Vec<ConfirmedSignature> = each
        .map(|(signature, (cases, bytes))| ConfirmedSignature {
            signature: signature.clone(),
            cases: *cases,
            bytes: *bytes,
        })
        .collect();
    confirmed.sort_by_key(|one| std::cmp::Reverse(one.cases));
    confirmed.truncate(MOST_CONFIRMED);
    confirmed
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schedule::share::{RunEnd, UnchangedRun};
    use lydite_core::{Outcome, SEED_ARM};
    use lydite_store::record::{
        Arms, CaseRecord, DecisionShare, KEPT_ARM, LIMIT_ARM, RunRecord, ScheduleId, outcome_number,
    };

    /// A case of a seed whose runs on two targets take so long, with an answer
    /// or cut off.
    fn case(index: u64, seed: u64, millis: u64, answer: Option<u8>) -> CaseRecord {
        let time = Duration::from_millis(millis);
        let outcome = match answer {
            Some(_) => 0,
            None => outcome_number(&Outcome::TimedOut),
        };
        let runs = (0..2).map(|target| RunRecord {
            target,
            outcome,
            answer: answer.unwrap_or_default(),
            wall: time,
            cpu: time,
            ..RunRecord::default()
        });
        CaseRecord {
            index,
            schedule: ScheduleId(u64::from(index >= 32)),
            arms: Arms(vec![
                (SEED_ARM.to_string(), seed),
                (LIMIT_ARM.to_string(), u64::from(index < 32)),
            ]),
            runs: runs.collect(),
            ..CaseRecord::default()
        }
    }

    fn known(seeds: u64, costs: &[BTreeMap<u64, SeedCost>]) -> PlanFacts<'_> {
        PlanFacts {
            seed: 1,
            shard: (1, 1),
            limit: Duration::from_secs(8),
            stays: vec![true, false],
            restarts: vec![false, false],
            long_share: 10,
            cut_share: 15,
            strategies: vec![(1, seeds)],
            costs,
        }
    }

    /// Two slow seeds that never answer among ten, eight quick ones whose
    /// answers differ from case to case. After the first round the slow ones are cut
    /// off sooner.
    fn measured() -> Statistics {
        let mut statistics = Statistics::default();
        for index in 0..200 {
            let seed = index % 10;
            statistics.add(&match seed {
                0 | 1 if index < 32 => case(index, seed, 8000, None),
                0 | 1 => case(index, seed, 60, None),
                _ => case(index, seed, 20 + seed, Some((index / 10 % 4) as u8)),
            });
        }
        statistics
    }

    fn seeds(schedule: &ScheduleRecord) -> &DecisionShare {
        &schedule.strategies[0].decisions[SEED_ARM]
    }

    #[test]
    fn the_same_numbers_give_the_same_schedule() {
        let statistics = measured();
        let round = Round::of(200);
        let one = draw_up(&known(12, &[]), round, &statistics);
        assert_eq!(one, draw_up(&known(12, &[]), round, &statistics));
        assert_ne!(one, draw_up(&known(12, &[]), round.next(), &statistics));
        assert_eq!(one.cases, 200);
        assert_eq!(seeds(&one).arms[&3].tally.cases, 20);
        let text = serde_json::to_string(&one).unwrap();
        assert_eq!(serde_json::from_str::<ScheduleRecord>(&text).unwrap(), one);
    }

    #[test]
    fn seeds_that_time_out_get_little_and_nothing_starves() {
        let statistics = measured();
        let mut sums = [0u64; 10];
        for number in 1..40 {
            let round = Round {
                number,
                ..Round::of(200)
            };
            let schedule = draw_up(&known(12, &[]), round, &statistics);
            let share = seeds(&schedule);
            assert!(share.arms.values().all(|arm| arm.weight > 0));
            // Two were never tried: they are likelier than what never answers.
            assert!(share.rest > share.arms[&0].weight);
            for (number, arm) in &share.arms {
                sums[*number as usize] += arm.weight;
            }
        }
        let slow = sums[0] + sums[1];
        let quick: u64 = sums[2..].iter().sum();
        assert!(slow * 100 < quick, "{sums:?}");
        // All quick ones had their turn.
        assert!(sums[2..].iter().all(|sum| sum * 30 > quick), "{sums:?}");
    }

    #[test]
    fn limits_follow_the_answers_and_a_tenth_of_the_time_has_the_plans() {
        let schedule = draw_up(&known(12, &[]), Round::of(200), &measured());
        // Answers take 22 to 29 ms.
        let limits = &schedule.strategies[0].limits;
        assert!(limits.iter().all(|limit| (60_000..130_000).contains(limit)));
        // A long case is thought to take some seconds, a short one 50 ms.
        let part = schedule.long_per_million;
        assert!((500..60_000).contains(&part), "{part}");
    }

    #[test]
    fn a_schedule_keeps_to_the_budget_for_what_is_cut_off() {
        let mut statistics = Statistics::default();
        // A third of 300 seeds never answers, and all were tried once.
        for index in 0..300 {
            statistics.add(&match index % 3 {
                0 => case(index, index, 100, None),
                _ => case(index, index, 20, Some(1)),
            });
        }
        let schedule = draw_up(&known(900, &[]), Round::of(300), &statistics);
        let share = seeds(&schedule);
        // Two runs of each case; those that were never tried lose a third of theirs.
        let (mut total, mut lost) = (0.0, 0.0);
        let general = &schedule.strategies[0].limits;
        for (number, arm) in &share.arms {
            let limit = arm.limits.first().unwrap_or(&general[0]);
            let cost = if number % 3 == 0 { *limit } else { 20_000 };
            total += (arm.weight * cost) as f64;
            lost += if number % 3 == 0 {
                (arm.weight * cost) as f64
            } else {
                0.0
            };
        }
        let others = 600.0 * share.rest as f64;
        total += others * (20_000.0 * 2.0 + general[0] as f64) / 3.0;
        lost += others * general[0] as f64 / 3.0;
        // Fifteen percent, less what long cases take.
        assert!(lost / total < 0.1, "{lost} of {total}");
        assert!(
            others
                > 0.02
                    * share
                        .arms
                        .values()
                        .map(|arm| arm.weight as f64)
                        .sum::<f64>()
        );
    }

    #[test]
    fn processes_stay_where_that_is_cheaper() {
        let mut statistics = Statistics::default();
        let kept = |statistics: &Statistics| {
            draw_up(&known(9, &[]), Round::of(200), statistics).kept_per_million
        };
        // Target 0 can, and nobody knows yet; target 1 cannot.
        assert_eq!(kept(&statistics), [500_000, 0]);
        for index in 32..132 {
            let is_kept = index % 2;
            let mut case = case(index, 3, 20 - 12 * is_kept, Some(1));
            case.arms.0.push((KEPT_ARM.to_string(), is_kept));
            statistics.add(&case);
        }
        assert_eq!(kept(&statistics), [950_000, 0]);
        for index in 132..532 {
            let mut case = case(index, 3, 70, Some(1));
            case.arms.0.push((KEPT_ARM.to_string(), 1));
            statistics.add(&case);
        }
        assert_eq!(kept(&statistics), [50_000, 0]);
    }

    #[test]
    fn what_was_lost_is_made_up_for() {
        let mut statistics = Statistics::default();
        let usual = budget(&known(9, &[]), &statistics);
        (32..132).for_each(|index| statistics.add(&case(index, 1, 60, None)));
        let strict = budget(&known(9, &[]), &statistics);
        assert!(strict < usual / 4.0, "{strict} {usual}");
    }

    #[test]
    fn news_draw_cases_to_an_arm() {
        let mut statistics = Statistics::default();
        for index in 0..400 {
            let seed = index % 2;
            let mut case = case(index, seed, 50, Some(1));
            if seed == 1 && index % 20 == 1 {
                let text = format!("v1 crash z3 site=\"{index}\"");
                case.symptoms.push(lydite_store::record::SymptomRecord {
                    signature: text.parse().unwrap(),
                    target: "z3@4".parse().unwrap(),
                    against: Vec::new(),
                    program: 0,
                    evidence: String::new(),
                    bytes: 7,
                    known: None,
                    replays: lydite_store::record::Replays { shown: 3, of: 3 },
                });
            }
            statistics.add(&case);
        }
        let schedule = draw_up(&known(2, &[]), Round::of(400), &statistics);
        let arms = &seeds(&schedule).arms;
        assert!(arms[&1].weight > 20 * arms[&0].weight, "{arms:?}");
        assert_eq!(schedule.confirmed.len(), 20);
        assert_eq!(schedule.confirmed[0].bytes, 7);
    }

    #[test]
    fn what_a_seed_takes_unchanged_counts_before_it_was_tried() {
        // A fourth of the seeds takes too long as it stands, and a fourth is refused.
        let costs = (0..40).map(|seed| {
            let (cpu, end) = match seed % 4 {
                0 => (250_000, RunEnd::Cut),
                1 => (5_000, RunEnd::Other),
                _ => (20_000, RunEnd::Answered),
            };
            let runs = vec![UnchangedRun { cpu, end }; 2];
            (seed, SeedCost { runs })
        });
        let costs = [costs.collect()];
        let mut statistics = Statistics::default();
        statistics.add(&case(0, 2, 30, Some(1)));
        let schedule = draw_up(&known(40, &costs), Round::of(32), &statistics);
        let arms = &seeds(&schedule).arms;
        let sum = |kind: u64| {
            let chosen = arms.iter().filter(|(seed, _)| *seed % 4 == kind);
            chosen.map(|(_, arm)| arm.weight).sum::<u64>()
        };
        assert!(sum(2) > 8 * sum(0) && sum(2) > 8 * sum(1));
        assert_eq!(arms[&0].unchanged, Some(500_000));
    }
}
