//! The bandit: how likely the arms of a decision are ([`super`] says which and why).

use std::collections::BTreeMap;

use lydite_core::Choices;

use super::gamma;
use super::times::CostForecast;
use lydite_store::record::Tally;

/// The share of the CPU time that goes to all arms alike.
const FLOOR: f64 = 0.03;

/// The largest weight of an arm; the smallest is 1.
const FINEST: f64 = (1 << 20) as f64;

/// Of this many arms one always counts as keeping to the budget, however much it loses; so do the first few arms.
const LEAST_PART: usize = 16;
const LEAST_ARMS: usize = 5;

/// The share of the time, beside that of the others, that goes to arms that may lose too much.
const LEARNT: f64 = 0.07;

/// The number of arms of which nothing is known.
pub(super) const UNKNOWN: u64 = u64::MAX;

/// An arm that something is known of.
pub(super) struct Played {
    pub(super) number: u64,
    pub(super) tally: Tally,
    /// What a case of it is thought to take.
    pub(super) forecast: CostForecast,
    /// The same with the plan's own limit.
    pub(super) long: CostForecast,
    /// True if every target refuses what it begins with.
    pub(super) begins_refused: bool,
}

/// An arm is refused after so many cases without an answer.
const REFUSED: f64 = 3.0;

impl Played {
    fn made(&self) -> f64 {
        (self.tally.cases - self.tally.rejected) as f64
    }

    /// True if its cases are refused, as far as anybody knows. It costs little and loses no
    /// time to limits, but tells nothing: it gets what all arms get, and no more.
    fn is_refused(&self) -> bool {
        let without_answer = self.tally.answered + self.tally.timed_out + self.tally.news == 0;
        without_answer && (self.begins_refused || self.made() >= REFUSED)
    }

    /// The CPU time of one case that could be made: attempts that were rejected make an arm
    /// dearer.
    fn price(&self) -> f64 {
        self.forecast.cost.max(1.0) * (self.tally.cases + 1) as f64 / (self.made() + 1.0)
    }
}

/// How likely arms are.
pub(super) struct ArmWeights {
    own: BTreeMap<u64, u64>,
    pub(super) rest: u64,
    /// What a case drawn by them is thought to take.
    pub(super) mix: CostForecast,
    /// The same with the plan's own limit.
    pub(super) long_mix: CostForecast,
}

impl ArmWeights {
    pub(super) fn of(&self, number: u64) -> u64 {
        self.own.get(&number).copied().unwrap_or(self.rest)
    }
}

/// Weighs `count` arms. Something is known of `arms`; each of the others is like `rest`. With a
/// `budget`, at most this share of the time is to go to runs that are cut off.
pub(super) fn weigh(
    arms: &[Played],
    count: u64,
    rest: &Played,
    budget: Option<f64>,
    choices: &mut Choices,
) -> ArmWeights {
    let is_played = draw_better(arms, choices);
    let others = count.saturating_sub(arms.len() as u64) as f64;
    let kinds: Vec<ArmKind<'_>> = (arms.iter().zip(is_played))
        .map(|(arm, is_played)| ArmKind::new(arm, 1.0, is_played))
        .chain([ArmKind::new(rest, others, true)])
        .collect();
    let all: f64 = kinds.iter().map(|kind| kind.many).sum();
    let bound = budget.map_or(Knapsack::NONE, |budget| Knapsack::of(&kinds, budget));
    let own = |kind: &ArmKind<'_>| bound.part(kind);
    let owned: f64 = kinds.iter().map(|kind| own(kind) * kind.many).sum();
    // The share of the CPU time, by the price of a case.
    let parts: Vec<f64> = kinds
        .iter()
        .map(|kind| {
            let time = (1.0 - FLOOR) * own(kind) / owned.max(1e-9) + FLOOR / all.max(1.0);
            time / kind.arm.price()
        })
        .collect();
    let largest = parts.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
    let weight = |part: f64| ((part / largest * FINEST) as u64).max(1);
    let (mut mix, mut long_mix, mut total) =
        (CostForecast::default(), CostForecast::default(), 0.0);
    for (ArmKind { arm, many, .. }, part) in kinds.iter().zip(&parts) {
        let cases = part * many * (arm.made() + 1.0) / (arm.tally.cases + 1) as f64;
        mix.add(arm.forecast, cases);
        long_mix.add(arm.long, cases);
        total += cases;
    }
    let mean = |sum: CostForecast| CostForecast {
        cost: sum.cost / f64::max(total, 1e-12),
        lost: sum.lost / f64::max(total, 1e-12),
    };
    ArmWeights {
        own: (arms.iter().zip(&parts))
            .map(|(arm, part)| (arm.number, weight(*part)))
            .collect(),
        rest: weight(parts.last().copied().unwrap_or_default()),
        mix: mean(mix),
        long_mix: mean(long_mix),
    }
}

/// Thompson sampling with multiple plays: which arms are among the better half, or were
/// never tried.
fn draw_better(arms: &[Played], choices: &mut Choices) -> Vec<bool> {
    let news: u64 = arms.iter().map(|arm| arm.tally.news).sum();
    let made: f64 = arms.iter().map(Played::made).sum();
    let news_per_case = (news as f64 + 1.0) / (made + 1.0);
    let mut rates: Vec<(f64, usize)> = Vec::new();
    for (at, arm) in arms.iter().enumerate() {
        let cost = arm.forecast.cost.max(1.0);
        let rate = cost / news_per_case + cost * arm.made();
        let drawn = gamma::draw(choices, 1.0 + arm.tally.news as f64, rate);
        rates.push((drawn, at));
    }
    rates.sort_by(|one, other| other.0.total_cmp(&one.0).then(one.1.cmp(&other.1)));
    let mut is_played = vec![true; arms.len()];
    for (_, at) in &rates[rates.len().div_ceil(2)..] {
        is_played[*at] = false;
    }
    is_played
}

/// Arms of which the same is known.
struct ArmKind<'a> {
    arm: &'a Played,
    many: f64,
    is_played: bool,
    /// The share of their time that they lose.
    lost: f64,
}

impl<'a> ArmKind<'a> {
    fn new(arm: &'a Played, many: f64, is_played: bool) -> ArmKind<'a> {
        ArmKind {
            arm,
            many,
            is_played,
            lost: arm.forecast.lost_share(),
        }
    }
}

/// How arms that are played with equal times keep to the budget together: a bandit with a
/// knapsack (Badanidiyuru, Kleinberg and Slivkins 2013), whose best mixture is one of arms that
/// bring most and arms that cost the knapsack little.
#[derive(Debug, PartialEq)]
struct Knapsack {
    /// The share of its time that an arm may lose and still get all of its time.
    allowed: f64,
    /// The part of their time for played arms that lose more.
    part: f64,
    /// True if arms that lose less are played too, though others are thought to bring more.
    pads: bool,
}

impl Knapsack {
    const NONE: Knapsack = Knapsack {
        allowed: f64::INFINITY,
        part: 1.0,
        pads: false,
    };

    fn of(kinds: &[ArmKind<'_>], budget: f64) -> Knapsack {
        let there = || (kinds.iter()).filter(|kind| kind.many > 0.0 && !kind.arm.is_refused());
        let all: f64 = there().map(|kind| kind.many).sum();
        let alike: f64 = there().map(|kind| kind.lost * kind.many).sum();
        let left = (budget - FLOOR * alike / all.max(1.0)) / (1.0 - FLOOR);
        let known = there().filter(|kind| kind.arm.number != UNKNOWN);
        let mut losses: Vec<f64> = known.map(|kind| kind.lost).collect();
        losses.sort_by(f64::total_cmp);
        // If hardly any arm keeps to it, those that lose least count as keeping to it.
        let few = (losses.len() / LEAST_PART).max(LEAST_ARMS);
        let few = losses.get(few - 1).or(losses.last()).copied();
        let allowed = left.max(few.unwrap_or_default());
        let sum = |of: &dyn Fn(&ArmKind<'_>) -> bool, term: &dyn Fn(f64) -> f64| -> f64 {
            let kinds = there().filter(|kind| of(kind));
            kinds.map(|kind| term(kind.lost) * kind.many).sum()
        };
        let keeps = |kind: &ArmKind<'_>| kind.lost <= allowed;
        let wanted = sum(&|kind| kind.is_played && !keeps(kind), &|lost| lost - left);
        let spare = sum(&|kind| kind.is_played && keeps(kind), &|lost| left - lost);
        if wanted <= spare {
            return Knapsack {
                allowed,
                ..Knapsack::NONE
            };
        }
        let spare = sum(&keeps, &|lost| left - lost);
        // Never nothing, or nobody would learn who else keeps to it.
        let others = sum(&|kind| kind.is_played && !keeps(kind), &|_| 1.0);
        let some = LEARNT * sum(&keeps, &|_| 1.0) / others;
        Knapsack {
            allowed,
            part: (spare / wanted).max(some).min(1.0),
            pads: true,
        }
    }

    /// The part of the time of a played arm that each of these gets.
    fn part(&self, kind: &ArmKind<'_>) -> f64 {
        match (kind.is_played, kind.lost <= self.allowed) {
            _ if kind.arm.is_refused() => 0.0,
            (true, true) => 1.0,
            (true, false) => self.part,
            (false, true) if self.pads => 1.0,
            (false, _) => 0.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arm(number: u64, cost: f64, lost: f64) -> Played {
        Played {
            number,
            tally: Tally {
                cases: 10,
                news: 2,
                ..Tally::default()
            },
            forecast: CostForecast { cost, lost },
            long: CostForecast::default(),
            begins_refused: false,
        }
    }

    fn rest(cost: f64, lost: f64) -> Played {
        Played {
            tally: Tally::default(),
            ..arm(UNKNOWN, cost, lost)
        }
    }

    #[test]
    fn arms_together_keep_to_the_budget() {
        for (good, bad, others) in [(5, 50, 0), (40, 4, 900), (1, 0, 500), (30, 30, 30)] {
            let mut arms: Vec<Played> = (0..good).map(|n| arm(n, 2e4, 2e2)).collect();
            arms.extend((good..good + bad).map(|n| arm(n, 9e4, 8e4)));
            let mut choices = Choices::seeded(1, 1).with_limit(usize::MAX);
            let rest = rest(5e4, 2e4);
            let count = good + bad + others;
            let weights = weigh(&arms, count, &rest, Some(0.1), &mut choices);
            let share = weights.mix.lost_share();
            assert!(share < 0.13, "{good} {bad} {others}: {share}");
            assert!(weights.own.values().all(|weight| *weight > 0) && weights.rest > 0);
            let free = weigh(&arms, count, &rest, None, &mut choices);
            if bad + others > good {
                assert!(free.mix.lost_share() > 0.2);
            }
        }
    }

    #[test]
    fn if_no_arm_keeps_to_the_budget_those_that_lose_least_are_preferred() {
        let arms: Vec<Played> = (0..20).map(|n| arm(n, 1e5, 5e4 + 2e3 * n as f64)).collect();
        let rest = rest(1e5, 9e4);
        let mut sums = [0u64; 20];
        for index in 0..50 {
            let mut choices = Choices::seeded(1, index).with_limit(usize::MAX);
            let weights = weigh(&arms, 20, &rest, Some(0.1), &mut choices);
            (0..20).for_each(|n| sums[n as usize] += weights.of(n));
        }
        let half = |range: std::ops::Range<usize>| sums[range].iter().sum::<u64>();
        assert!(half(0..10) > 2 * half(10..20), "{sums:?}");
        assert!(sums.iter().all(|sum| *sum > 0));
    }

    #[test]
    fn what_is_refused_gets_no_more_than_all_arms_however_little_it_loses() {
        // Ten arms that answer and lose too much, ten that are refused at once.
        let mut arms: Vec<Played> = (0..10).map(|n| arm(n, 2e4, 1e4)).collect();
        arms.extend((10..20).map(|n| Played {
            tally: Tally {
                cases: n - 10,
                ..Tally::default()
            },
            begins_refused: n < 15,
            ..arm(n, 2e4, 0.0)
        }));
        arms.iter_mut()
            .take(10)
            .for_each(|arm| arm.tally.answered = 9);
        let mut choices = Choices::seeded(1, 1).with_limit(usize::MAX);
        let weights = weigh(&arms, 20, &rest(2e4, 0.0), Some(0.1), &mut choices);
        let refused = (10..20).map(|n| weights.of(n)).max().unwrap();
        let answers = (0..10).map(|n| weights.of(n)).max().unwrap();
        assert!(refused > 0 && answers > 20 * refused, "{answers} {refused}");
        // News are always welcome.
        arms[12].tally.news = 1;
        let weights = weigh(&arms, 20, &rest(2e4, 0.0), Some(0.1), &mut choices);
        assert!(weights.of(12) > 20 * weights.of(13));
    }
}
