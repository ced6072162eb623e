//! A schedule as it is used: what steers the choices of a case, and the terms on
//! which it runs.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use lydite_core::{Choices, Lots, Outcome, Role, SEED_ARM, Table, TargetName};

use super::job::Filed;
use crate::schedule::spared;
use lydite_store::record::{
    Arms, ConfirmedSignature, KEPT_ARM, LIMIT_ARM, ScheduleId, ScheduleRecord,
};
use lydite_target::Target;

/// The decision which strategy makes a case.
pub(super) const STRATEGY_ARM: &str = "strategy";

/// A schedule, ready for use.
#[derive(Debug)]
pub struct Schedule {
    /// The name of the schedule.
    pub id: ScheduleId,
    record: ScheduleRecord,
    strategies: Arc<Lots>,
    decisions: Vec<Arc<Lots>>,
    confirmed: Arc<BTreeMap<String, ConfirmedSignature>>,
}

impl Schedule {
    /// Makes a schedule from its record.
    pub fn new(record: ScheduleRecord) -> Schedule {
        let weights = record.strategies.iter().enumerate();
        let weights = weights.map(|(number, share)| (number as u64, share.weight));
        let mut strategies = Lots::default();
        strategies.set(STRATEGY_ARM, &weights.collect(), 0);
        let decisions = record.strategies.iter().map(|share| {
            let mut lots = Lots::default();
            for (of, decision) in &share.decisions {
                let arms = decision.arms.iter();
                let weights = arms.map(|(number, arm)| (*number, arm.weight)).collect();
                lots.set(of, &weights, decision.rest);
            }
            Arc::new(lots)
        });
        let confirmed = record.confirmed.iter();
        let confirmed = confirmed.map(|one| (one.signature.clone(), one.clone()));
        Schedule {
            id: record.id(),
            strategies: Arc::new(strategies),
            decisions: decisions.collect(),
            confirmed: Arc::new(confirmed.collect()),
            record,
        }
    }

    /// How likely strategies are.
    pub(super) fn strategies(&self) -> Arc<Lots> {
        self.strategies.clone()
    }

    /// How likely the arms of a strategy's decisions are.
    pub(super) fn decisions(&self, strategy: usize) -> Arc<Lots> {
        self.decisions.get(strategy).cloned().unwrap_or_default()
    }

    /// The terms of case `index` of a campaign with this seed, which are noted as arms.
    pub(super) fn terms(
        &self,
        (seed, index): (u64, u64),
        strategy: usize,
        arms: &mut Arms,
        targets: &[(Target, Role)],
    ) -> Terms {
        let hash = blake3::hash(format!("terms {seed}").as_bytes());
        let bytes = hash.as_bytes().first_chunk().expect("a hash has 32 bytes");
        let mut choices = Choices::seeded(u64::from_le_bytes(*bytes), index);
        // Only a tape can end.
        let drawn = choices.below(1_000_000).unwrap_or_default();
        let lot = choices.below(1 << 32).unwrap_or_default();
        let is_long = drawn < self.record.long_per_million;
        let limits = match is_long {
            true => BTreeMap::new(),
            false => self.limits(strategy, arms, targets),
        };
        arms.0.push((LIMIT_ARM.to_string(), u64::from(is_long)));
        let kept = match is_long {
            true => BTreeSet::new(),
            false => self.draw_kept(&mut choices, arms, targets),
        };
        Terms {
            limits,
            kept,
            spares: true,
            confirmed: self.confirmed.clone(),
            lot,
        }
    }

    /// The targets that a case is run on in processes that stay.
    fn draw_kept(
        &self,
        choices: &mut Choices,
        arms: &mut Arms,
        targets: &[(Target, Role)],
    ) -> BTreeSet<TargetName> {
        let (mut kept, mut bits) = (BTreeSet::new(), 0);
        let shares = &self.record.kept_per_million;
        for (number, share) in shares.iter().enumerate().take(64) {
            let is_kept = choices.below(1_000_000).unwrap_or_default() < *share;
            if let Some((target, _)) = targets.get(number).filter(|_| is_kept) {
                kept.insert(target.name.clone());
                bits |= 1 << number;
            }
        }
        if shares.iter().any(|share| *share > 0) {
            arms.0.push((KEPT_ARM.to_string(), bits));
        }
        kept
    }

    /// The limits of the seeds that a case is made of: the longest of them, or
    /// those of the strategy.
    fn limits(
        &self,
        strategy: usize,
        arms: &Arms,
        targets: &[(Target, Role)],
    ) -> BTreeMap<TargetName, Duration> {
        let Some(share) = self.record.strategies.get(strategy) else {
            return BTreeMap::new();
        };
        let seeds = share.decisions.get(SEED_ARM);
        let taken = arms.0.iter().filter(|(of, _)| of == SEED_ARM);
        let own: Vec<&Vec<u64>> = taken
            .map(|(_, number)| {
                let arm = seeds.and_then(|seeds| seeds.arms.get(number));
                arm.map(|arm| &arm.limits).filter(|own| !own.is_empty())
            })
            .map(|own| own.unwrap_or(&share.limits))
            .collect();
        let limit = |at: usize| match own.is_empty() {
            true => share.limits.get(at).copied(),
            false => own
                .iter()
                .filter_map(|limits| limits.get(at))
                .max()
                .copied(),
        };
        let targets = targets.iter().enumerate();
        targets
            .filter_map(|(at, (target, _))| {
                Some((target.name.clone(), Duration::from_micros(limit(at)?)))
            })
            .collect()
    }
}

/// The limits and confirmations that a schedule sets for one case; by default those of the plan.
#[derive(Clone, Debug, Default)]
pub struct Terms {
    /// The CPU time of a run of each target, if the plan's limit does not hold.
    limits: BTreeMap<TargetName, Duration>,
    /// The targets whose processes may have run other cases before.
    kept: BTreeSet<TargetName>,
    /// Whether what a case may lose is bounded, however many programs it has.
    spares: bool,
    confirmed: Arc<BTreeMap<String, ConfirmedSignature>>,
    /// Decides whether what is known is confirmed once more.
    lot: u64,
}

impl Terms {
    /// The same terms, with processes that stay for all targets that answer requests.
    pub(super) fn keeping(&self, targets: &[(Target, Role)]) -> Terms {
        let serving = targets.iter().filter(|(target, _)| target.serves());
        let names = serving.map(|(target, _)| target.name.clone());
        Terms {
            kept: names.collect(),
            ..self.clone()
        }
    }

    /// The terms of a case that the plan alone draws, in a campaign that learns.
    pub(super) fn sparing() -> Terms {
        Terms {
            spares: true,
            ..Terms::default()
        }
    }

    /// The CPU time of a run of this target, of which so many runs on programs of the same case
    /// were cut off before; none if it may take `most`, the plan's limit.
    pub(super) fn limit(
        &self,
        target: &TargetName,
        cut_before: u32,
        most: Duration,
    ) -> Option<Duration> {
        let own = self.limits.get(target).copied().unwrap_or(most).min(most);
        let limit = match self.spares {
            true => spared(own, cut_before),
            false => own,
        };
        (limit < most).then_some(limit)
    }

    /// True if a process of this target may be used that has run other cases.
    pub(super) fn keeps(&self, target: &TargetName) -> bool {
        self.kept.contains(target)
    }

    /// What of the symptoms of a case of so many bytes needs no replays, and what
    /// does. Those of time that a short limit made are dropped.
    pub(super) fn set_aside(
        &self,
        symptoms: Vec<Filed>,
        table: &Table,
        bytes: u64,
    ) -> (Vec<Filed>, Vec<Filed>) {
        let lasting = symptoms
            .into_iter()
            .filter(|filed| !self.is_cut_short(filed, table));
        lasting.partition(|filed| self.is_known(filed, bytes))
    }

    /// True if an accused target was cut off on this program before the plan's limit: then it
    /// cannot be told how long it takes.
    fn is_cut_short(&self, filed: &Filed, table: &Table) -> bool {
        let symptom = &filed.symptom;
        let runs = (table.observations.iter())
            .filter(|run| run.target == symptom.target && run.outcome == Outcome::TimedOut);
        let own = (0..)
            .zip(runs)
            .find(|(_, run)| run.program == symptom.program);
        own.is_some_and(|(cut_before, _)| {
            let limit = self.limit(&symptom.target, cut_before, table.timeout);
            symptom.kind.is_timing() && limit.is_some()
        })
    }

    /// True if a symptom of a case of so many bytes needs no replays: its
    /// signature was confirmed often enough, this case is no smaller, and it is
    /// not the lot's turn. The *n*-th case of a signature is replayed once in
    /// about *n*.
    fn is_known(&self, filed: &Filed, bytes: u64) -> bool {
        if self.confirmed.is_empty() {
            return false;
        }
        let known = self.confirmed.get(&filed.signature.to_string());
        known.is_some_and(|known| {
            let each = known.cases.next_power_of_two().max(2);
            bytes >= known.bytes && !self.lot.is_multiple_of(each)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lydite_core::{Exit, Kind, Observation, Symptom};
    use lydite_store::record::Replays;

    fn filed(signature: &str, kind: Kind) -> Filed {
        Filed {
            symptom: Symptom {
                kind,
                target: "z3@4".parse().unwrap(),
                against: Vec::new(),
                program: 0,
                site: String::new(),
                evidence: String::new(),
            },
            signature: signature.parse().unwrap(),
            known: None,
            options: BTreeMap::new(),
            replays: Replays::default(),
        }
    }

    fn schedule(cases: u64) -> Schedule {
        Schedule::new(ScheduleRecord {
            kept_per_million: vec![1_000_000, 0],
            confirmed: vec![ConfirmedSignature {
                signature: "v1 crash z3 site=\"a.cpp\"".to_string(),
                cases,
                bytes: 100,
            }],
            ..ScheduleRecord::default()
        })
    }

    fn nothing_seen() -> Table {
        Table {
            timeout: Duration::from_secs(8),
            observations: Vec::new(),
        }
    }

    /// In how many of 4,000 cases a symptom is confirmed again.
    fn confirmed(schedule: &Schedule, signature: &str, bytes: u64) -> u64 {
        let mut count = 0;
        for index in 0..4000 {
            let mut arms = Arms::default();
            let terms = schedule.terms((1, index), 0, &mut arms, &[]);
            let symptoms = vec![filed(signature, Kind::Crash)];
            let (known, unknown) = terms.set_aside(symptoms, &nothing_seen(), bytes);
            assert_eq!(known.len() + unknown.len(), 1);
            count += unknown.len() as u64;
        }
        count
    }

    #[test]
    fn what_is_known_is_confirmed_by_sampling() {
        let known = "v1 crash z3 site=\"a.cpp\"";
        for (cases, expected) in [(1, 2000), (8, 500), (100, 31)] {
            let count = confirmed(&schedule(cases), known, 100);
            assert!(
                count.abs_diff(expected) < expected / 2,
                "{cases}: {count} of 4000"
            );
        }
        // A smaller case, and what was never confirmed, always are.
        assert_eq!(confirmed(&schedule(100), known, 99), 4000);
        assert_eq!(
            confirmed(&schedule(100), "v1 crash z3 site=\"b.cpp\"", 100),
            4000
        );
    }

    #[test]
    fn which_cases_are_confirmed_depends_on_the_schedule_and_the_number_alone() {
        let lots = |schedule: &Schedule| -> Vec<u64> {
            let lot = |index| {
                let terms = schedule.terms((1, index), 0, &mut Arms::default(), &[]);
                terms.lot
            };
            (0..50).map(lot).collect()
        };
        assert_eq!(lots(&schedule(8)), lots(&schedule(8)));
    }

    #[test]
    fn what_is_cut_off_leaves_less_to_the_other_programs_of_its_case() {
        let target: TargetName = "z3@4".parse().unwrap();
        let most = Duration::from_secs(8);
        let (sparing, plain) = (Terms::sparing(), Terms::default());
        for (cut_before, left) in [(0, None), (1, Some(2000)), (2, Some(500)), (40, Some(1))] {
            let left = left.map(Duration::from_millis);
            assert_eq!(sparing.limit(&target, cut_before, most), left);
            assert_eq!(plain.limit(&target, cut_before, most), None);
        }
    }

    /// A run of `z3@4` that was cut off.
    fn cut_off(program: usize) -> Observation {
        Observation {
            program,
            target: "z3@4".parse().unwrap(),
            role: Role::Tested,
            outcome: Outcome::TimedOut,
            exit: Exit::Signal(9),
            wall: Duration::from_secs(1),
            cpu: Duration::from_secs(1),
            peak_kb: 0,
            stdout: lydite_core::Capture::default(),
            stderr: lydite_core::Capture::default(),
            promises: Vec::new(),
        }
    }

    #[test]
    fn nobody_is_accused_of_time_that_a_short_limit_cut_off() {
        let target: TargetName = "z3@4".parse().unwrap();
        let table = Table {
            observations: vec![cut_off(0)],
            ..nothing_seen()
        };
        for (limit, left) in [(Some(1), 0), (Some(8), 1), (None, 1)] {
            let limits = limit.map(|s| (target.clone(), Duration::from_secs(s)));
            let terms = Terms {
                limits: limits.into_iter().collect(),
                ..Terms::default()
            };
            let symptoms = vec![filed("v1 hang z3", Kind::Hang)];
            let (known, unknown) = terms.set_aside(symptoms, &table, 10);
            assert_eq!((known.len(), unknown.len()), (0, left), "{limit:?}");
        }
        // The second program had less time, because the first was cut off.
        let table = Table {
            observations: vec![cut_off(0), cut_off(1)],
            ..nothing_seen()
        };
        for (program, left) in [(0, 1), (1, 0)] {
            let mut hang = filed("v1 hang z3", Kind::Hang);
            hang.symptom.program = program;
            let (_, unknown) = Terms::sparing().set_aside(vec![hang], &table, 10);
            assert_eq!(unknown.len(), left, "{program}");
        }
    }
}
