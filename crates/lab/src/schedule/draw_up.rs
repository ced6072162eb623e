//! Drawing up a schedule: a pure function of the plan and what was measured.

use std::collections::BTreeMap;
use std::time::Duration;

use lydite_core::{Choices, SEED_ARM};

use super::statistics::{ArmStatistics, Statistics, StrategyStatistics};
use super::{Round, gamma};
use lydite_store::record::{
    ArmShare, ConfirmedSignature, DecisionShare, LIMIT_ARM, ScheduleRecord, StrategyShare, Tally,
};

/// What a plan says that a schedule depends on.
#[derive(Clone, Debug)]
pub struct PlanFacts<'a> {
    /// The campaign's seed.
    pub seed: u64,
    /// The number of the shard, from 1, and how many shards there are.
    pub shard: (u64, u64),
    /// The plan's own limit of a run.
    pub limit: Duration,
    /// How many targets there are.
    pub targets: usize,
    /// The share of the CPU time for cases with the plan's own limit, in percent.
    pub long_share: u64,
    /// For each strategy its weight in the plan and how many seeds it has.
    pub strategies: Vec<(u64, u64)>,
    /// For each strategy the costs of its unchanged seeds, by their numbers.
    pub costs: &'a [BTreeMap<u64, SeedCost>],
}

/// What the runs of an unchanged seed cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SeedCost {
    /// CPU time on all targets, in microseconds.
    pub cpu: u64,
}

/// The share of the CPU time that goes to all arms alike.
const FLOOR: f64 = 0.05;

/// The largest weight of an arm; the smallest is 1.
const FINEST: f64 = (1 << 20) as f64;

/// The most signatures that are told to the next round: those seen most.
const MOST_CONFIRMED: usize = 1000;

/// Draws up the schedule of a round.
pub fn draw_up(known: &PlanFacts<'_>, round: Round, statistics: &Statistics) -> ScheduleRecord {
    let mut choices = stream(known, round);
    let empty = StrategyStatistics::default();
    let of = |number: usize| {
        statistics
            .strategies
            .get(&(number as u64))
            .unwrap_or(&empty)
    };
    let arms: Vec<Played> = (0..known.strategies.len())
        .map(|number| Played {
            number: number as u64,
            tally: of(number).own.tally,
            unchanged: None,
        })
        .collect();
    let weights = weigh(&arms, arms.len() as u64, &mut choices);
    let no_costs = BTreeMap::new();
    let strategies: Vec<StrategyShare> = known
        .strategies
        .iter()
        .enumerate()
        .map(|(number, (weight, seeds))| {
            let costs = known.costs.get(number).unwrap_or(&no_costs);
            let mut share = share(of(number), *seeds, costs, known, &mut choices);
            share.weight = match weight {
                0 => 0,
                _ => weights.of(number as u64).saturating_mul(*weight),
            };
            share
        })
        .collect();
    ScheduleRecord {
        shard: known.shard.0,
        of: known.shard.1,
        round: round.number,
        cases: statistics.cases,
        long_per_million: long_per_million(known, statistics, &strategies),
        long: statistics.long,
        short: statistics.short,
        strategies,
        confirmed: confirmed(statistics),
    }
}

/// The random stream of a schedule.
fn stream(known: &PlanFacts<'_>, round: Round) -> Choices {
    let (shard, of) = known.shard;
    let text = format!("schedule {} {shard}/{of}", known.seed);
    let hash = blake3::hash(text.as_bytes());
    let bytes = hash.as_bytes().first_chunk().expect("a hash has 32 bytes");
    Choices::seeded(u64::from_le_bytes(*bytes), round.number).with_limit(usize::MAX)
}

/// The share of one strategy, but for its weight.
fn share(
    statistics: &StrategyStatistics,
    seeds: u64,
    costs: &BTreeMap<u64, SeedCost>,
    known: &PlanFacts<'_>,
    choices: &mut Choices,
) -> StrategyShare {
    let most = u64::try_from(known.limit.as_micros()).unwrap_or(u64::MAX);
    let limits: Vec<u64> = (0..known.targets)
        .map(|target| {
            let times = statistics.times.get(&(target as u16));
            times.map_or(most, |times| times.limit(most))
        })
        .collect();
    let mut decisions = BTreeMap::new();
    let nothing = BTreeMap::new();
    let seed_arms = statistics.decisions.get(SEED_ARM).unwrap_or(&nothing);
    if seeds > 0 {
        let share = decision(seed_arms, seeds, costs, &limits, choices);
        decisions.insert(SEED_ARM.to_string(), share);
    }
    for (of, arms) in &statistics.decisions {
        if of != SEED_ARM && of != LIMIT_ARM {
            let count = arms.keys().next_back().map_or(0, |last| last + 1);
            let share = decision(arms, count, &BTreeMap::new(), &[], choices);
            decisions.insert(of.clone(), share);
        }
    }
    StrategyShare {
        weight: 0,
        tally: statistics.own.tally,
        limits,
        decisions,
    }
}

fn decision(
    arms: &BTreeMap<u64, ArmStatistics>,
    count: u64,
    costs: &BTreeMap<u64, SeedCost>,
    limits: &[u64],
    choices: &mut Choices,
) -> DecisionShare {
    let mut numbers: Vec<u64> = arms.keys().chain(costs.keys()).copied().collect();
    numbers.retain(|number| *number < count);
    numbers.sort_unstable();
    numbers.dedup();
    let played: Vec<Played> = numbers
        .iter()
        .map(|number| Played {
            number: *number,
            tally: arms.get(number).map(|arm| arm.tally).unwrap_or_default(),
            unchanged: costs.get(number).map(|cost| cost.cpu),
        })
        .collect();
    let weights = weigh(&played, count, choices);
    let share = |arm: &Played| {
        let times = arms.get(&arm.number).map(|arm| &arm.times);
        let own = |(target, most): (usize, &u64)| {
            let times = times.and_then(|times| times.get(&(target as u16)));
            times.map_or(*most, |times| times.limit(*most))
        };
        let own: Vec<u64> = limits.iter().enumerate().map(own).collect();
        let share = ArmShare {
            weight: weights.of(arm.number),
            tally: arm.tally,
            limits: if own == limits { Vec::new() } else { own },
            unchanged: arm.unchanged,
        };
        (arm.number, share)
    };
    DecisionShare {
        rest: weights.rest,
        arms: played.iter().map(share).collect(),
    }
}

/// An arm that something is known of.
struct Played {
    number: u64,
    tally: Tally,
    unchanged: Option<u64>,
}

/// How likely arms are.
struct ArmWeights {
    own: BTreeMap<u64, u64>,
    rest: u64,
}

impl ArmWeights {
    fn of(&self, number: u64) -> u64 {
        self.own.get(&number).copied().unwrap_or(self.rest)
    }
}

/// Thompson sampling with multiple plays over `count` arms, of which `arms` have
/// been heard of: the better half, and all that were never tried, get the same
/// CPU time each.
fn weigh(arms: &[Played], count: u64, choices: &mut Choices) -> ArmWeights {
    let sum = |part: fn(&Tally) -> u64| arms.iter().map(|arm| part(&arm.tally)).sum::<u64>();
    let made = sum(|tally| tally.cases - tally.rejected);
    let usual = usual_cost(arms);
    let news_per_case = (sum(|tally| tally.news) as f64 + 1.0) / (made as f64 + 1.0);
    // The CPU time that a case of the arm is thought to take, and the arm's rate
    // of news by Thompson's draw.
    let mut rates: Vec<(f64, usize)> = Vec::new();
    let mut costs = Vec::new();
    for (at, arm) in arms.iter().enumerate() {
        let made = (arm.tally.cases - arm.tally.rejected) as f64;
        let prior = arm.unchanged.map_or(usual, |cpu| (cpu as f64).max(1e3));
        let cost = (arm.tally.cpu as f64 + prior) / (made + 1.0);
        // What can rarely be made is thought to bring as much less.
        let cost = cost * (arm.tally.cases + 1) as f64 / (made + 1.0);
        costs.push(cost);
        if arm.tally.cases > 0 || arm.unchanged.is_some() {
            let rate = prior / news_per_case + arm.tally.cpu as f64;
            let drawn = gamma::draw(choices, 1.0 + arm.tally.news as f64, rate);
            rates.push((drawn, at));
        }
    }
    rates.sort_by(|one, other| other.0.total_cmp(&one.0).then(one.1.cmp(&other.1)));
    let better = rates.len().div_ceil(2);
    let mut is_played = vec![true; arms.len()];
    for (_, at) in &rates[better..] {
        is_played[*at] = false;
    }
    let count = count.max(arms.len() as u64).max(1) as f64;
    let played = (count - (rates.len() - better) as f64).max(1.0);
    let share = |is_played: bool| {
        let own = if is_played {
            (1.0 - FLOOR) / played
        } else {
            0.0
        };
        own + FLOOR / count
    };
    let parts: Vec<f64> = (is_played.iter().zip(&costs))
        .map(|(is_played, cost)| share(*is_played) / cost)
        .collect();
    let rest = share(true) / usual;
    let largest = parts.iter().copied().fold(rest, f64::max);
    let weight = |part: f64| ((part / largest * FINEST) as u64).max(1);
    ArmWeights {
        own: (arms.iter().zip(&parts))
            .map(|(arm, part)| (arm.number, weight(*part)))
            .collect(),
        rest: weight(rest),
    }
}

/// The CPU time that a case of an arm usually takes: the geometric mean over the
/// arms, since a few slow ones tell nothing about the next.
fn usual_cost(arms: &[Played]) -> f64 {
    let (mut sum, mut count) = (0.0, 0.0);
    for arm in arms {
        let made = arm.tally.cases - arm.tally.rejected;
        if made > 0 {
            sum += (arm.tally.cpu as f64 / made as f64).max(1e3).ln();
            count += 1.0;
        }
    }
    // Nothing was measured: any number will do.
    if count == 0.0 {
        1e5
    } else {
        f64::exp(sum / count)
    }
}

/// How many cases in a million have to run with the plan's own limit, so that
/// they take their share of the CPU time.
fn long_per_million(
    known: &PlanFacts<'_>,
    statistics: &Statistics,
    strategies: &[StrategyShare],
) -> u64 {
    let share = known.long_share.min(100) as f64 / 100.0;
    let mean = |tally: &Tally| match tally.cases - tally.rejected {
        0 => None,
        made => Some(tally.cpu as f64 / made as f64),
    };
    let Some(long) = mean(&statistics.long) else {
        return 1_000_000;
    };
    let short = mean(&statistics.short).unwrap_or_else(|| expected(statistics, strategies));
    // p long / (p long + (1 - p) short) = share.
    let part = share * short / (share * short + (1.0 - share) * long).max(1e-9);
    (part.clamp(0.0, 1.0) * 1e6) as u64
}

/// What a case is thought to take under the limits of `strategies`.
fn expected(statistics: &Statistics, strategies: &[StrategyShare]) -> f64 {
    let (mut total, mut cases) = (0.0, 0u64);
    for (number, measured) in &statistics.strategies {
        let Some(share) = strategies.get(*number as usize) else {
            continue;
        };
        let made = measured.own.tally.cases - measured.own.tally.rejected;
        for (target, times) in &measured.times {
            let limit = share.limits.get(usize::from(*target));
            let mean = times.mean_within(limit.copied().unwrap_or(u64::MAX));
            total += mean * made as f64;
        }
        cases += made;
    }
    total / cases.max(1) as f64
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
    use lydite_core::Outcome;
    use lydite_store::record::{Arms, CaseRecord, RunRecord, outcome_number};

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
            targets: 2,
            long_share: 10,
            strategies: vec![(1, seeds)],
            costs,
        }
    }

    /// Two slow seeds that never answer among ten, eight quick ones whose
    /// answers differ from case to case.
    fn measured() -> Statistics {
        let mut statistics = Statistics::default();
        for index in 0..200 {
            let seed = index % 10;
            statistics.add(&match seed {
                0 | 1 => case(index, seed, 8000, None),
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
            // Two were never tried: they are as likely as the best.
            assert!(share.rest > 0 && share.rest >= share.arms[&2].weight / 8);
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
        assert_eq!(schedule.strategies[0].limits, [250_000; 2]);
        assert_eq!(seeds(&schedule).arms[&0].limits, Vec::<u64>::new());
        // Long cases took 3.2 s on the average, short ones as much here.
        let part = schedule.long_per_million as f64 / 1e6;
        let (long, short) = (&schedule.long, &schedule.short);
        let mean = |tally: &Tally| tally.cpu as f64 / tally.cases as f64;
        let share = part * mean(long) / (part * mean(long) + (1.0 - part) * mean(short));
        assert!((share - 0.1).abs() < 0.01, "{share}");
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
        let costs = [(0, 4_000_000), (1, 40_000)];
        let costs = costs.map(|(seed, cpu)| (seed, SeedCost { cpu }));
        let costs = [BTreeMap::from(costs)];
        let mut statistics = Statistics::default();
        statistics.add(&case(0, 2, 30, Some(1)));
        let schedule = draw_up(&known(9, &costs), Round::of(32), &statistics);
        let arms = &seeds(&schedule).arms;
        assert!(arms[&1].weight > 20 * arms[&0].weight, "{arms:?}");
        assert_eq!(arms[&0].unchanged, Some(4_000_000));
    }
}
