//! How the schedules of a campaign moved its weights, one line for each round.

use serde::Serialize;

use lydite_store::record::{ScheduleRecord, StrategyShare, Tally};

/// One round of the report: what its schedule decided, and from what.
#[derive(Debug, Serialize)]
pub struct RoundLine {
    /// The shard, if there are several: `2/3`.
    pub shard: String,
    /// The round, from 1.
    pub round: u64,
    /// How many finished cases it was drawn up from.
    pub cases: u64,
    /// Answered runs per CPU second of the targets up to then.
    pub answered_per_cpu_s: f64,
    /// The share of cases that have the plan's own limit, in percent.
    pub long_percent: f64,
    /// For each strategy how likely it was, in percent, its limits, and the
    /// likeliest arms of its decisions, in words.
    pub strategies: Vec<String>,
}

/// How many arms of a decision are named.
const NAMED: usize = 3;

/// The lines of these schedules; `names` are those of the strategies.
pub(super) fn round_lines(schedules: &[ScheduleRecord], names: &[String]) -> Vec<RoundLine> {
    schedules
        .iter()
        .map(|schedule| line(schedule, names))
        .collect()
}

fn line(schedule: &ScheduleRecord, names: &[String]) -> RoundLine {
    let total: u64 = schedule.strategies.iter().map(|share| share.weight).sum();
    let strategies = schedule
        .strategies
        .iter()
        .enumerate()
        .map(|(number, share)| {
            let name = names.get(number).map_or("?", String::as_str);
            format!(
                "{name} {}: {}",
                percent(share.weight, total),
                decisions(share)
            )
        });
    let sum = |part: fn(&Tally) -> u64| part(&schedule.long) + part(&schedule.short);
    RoundLine {
        shard: match schedule.of {
            0 | 1 => String::new(),
            of => format!("{}/{of}", schedule.shard),
        },
        round: schedule.round,
        cases: schedule.cases,
        answered_per_cpu_s: sum(|tally| tally.answered) as f64 * 1e6
            / sum(|tally| tally.cpu).max(1) as f64,
        long_percent: schedule.long_per_million as f64 / 1e4,
        strategies: strategies.collect(),
    }
}

/// The limits of a strategy and its likeliest arms.
fn decisions(share: &StrategyShare) -> String {
    let limits: Vec<String> = share
        .limits
        .iter()
        .map(|micros| format!("{:.2} s", *micros as f64 / 1e6))
        .collect();
    let mut words = vec![format!("limits {}", limits.join(", "))];
    for (of, decision) in &share.decisions {
        let known: u64 = decision.arms.values().map(|arm| arm.weight).sum();
        let mut arms: Vec<(u64, u64)> = decision
            .arms
            .iter()
            .map(|(number, arm)| (arm.weight, *number))
            .collect();
        arms.sort_by(|one, other| other.cmp(one));
        let named: Vec<String> = arms
            .iter()
            .take(NAMED)
            .map(|(weight, number)| format!("{number} ({})", percent(*weight, known)))
            .collect();
        words.push(format!("{of} {} of {} known", named.join(", "), arms.len()));
    }
    words.join("; ")
}

fn percent(part: u64, all: u64) -> String {
    format!("{:.0} %", part as f64 * 100.0 / all.max(1) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use lydite_store::record::{ArmShare, DecisionShare};

    #[test]
    fn a_line_says_what_a_schedule_prefers() {
        let arm = |weight| ArmShare {
            weight,
            ..ArmShare::default()
        };
        let share = StrategyShare {
            weight: 3,
            limits: vec![250_000, 8_000_000],
            decisions: [(
                "seed".to_string(),
                DecisionShare {
                    rest: 1,
                    arms: [(4, arm(30)), (7, arm(60)), (9, arm(10))].into(),
                },
            )]
            .into(),
            ..StrategyShare::default()
        };
        let schedule = ScheduleRecord {
            shard: 2,
            of: 3,
            round: 1,
            cases: 32,
            long_per_million: 25_000,
            strategies: vec![
                share,
                StrategyShare {
                    weight: 1,
                    ..StrategyShare::default()
                },
            ],
            ..ScheduleRecord::default()
        };
        let names = ["operators".to_string(), "typed".to_string()];
        let line = &round_lines(&[schedule], &names)[0];
        assert_eq!((line.shard.as_str(), line.long_percent), ("2/3", 2.5));
        assert_eq!(
            line.strategies[0],
            "operators 75 %: limits 0.25 s, 8.00 s; seed 7 (60 %), 4 (30 %), 9 (10 %) of 3 known"
        );
        assert!(line.strategies[1].starts_with("typed 25 %"));
    }
}
