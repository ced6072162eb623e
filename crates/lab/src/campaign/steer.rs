//! A schedule as it is used: what steers the choices of a case, and the terms on
//! which it runs.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use lydite_core::{Choices, Lots, Observation, Outcome, Role, SEED_ARM, Table, TargetName};

use super::job::Filed;
use lydite_store::record::{Arms, ConfirmedSignature, ScheduleId, ScheduleRecord};
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

    /// The terms of case `index` of a campaign with this seed, and whether it
    /// has the plan's own limit.
    pub(super) fn terms(
        &self,
        (seed, index): (u64, u64),
        strategy: usize,
        arms: &Arms,
        targets: &[(Target, Role)],
    ) -> (Terms, bool) {
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
        let terms = Terms {
            limits,
            confirmed: self.confirmed.clone(),
            lot,
        };
        (terms, is_long)
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
    /// The wall time of a run of each target, where it is shorter than the plan's.
    limits: BTreeMap<TargetName, Duration>,
    confirmed: Arc<BTreeMap<String, ConfirmedSignature>>,
    /// Decides whether what is known is confirmed once more.
    lot: u64,
}

impl Terms {
    /// The wall time of a run of this target.
    pub(super) fn limit(&self, target: &TargetName) -> Option<Duration> {
        self.limits.get(target).copied()
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
            .filter(|filed| !self.is_cut_short(filed, &table.observations));
        lasting.partition(|filed| self.is_known(filed, bytes))
    }

    /// True if an accused target was cut off before the plan's limit: then it
    /// cannot be told how long it takes.
    fn is_cut_short(&self, filed: &Filed, observations: &[Observation]) -> bool {
        let accused = &filed.symptom.target;
        self.limits.contains_key(accused)
            && filed.symptom.kind.is_timing()
            && observations
                .iter()
                .any(|run| run.target == *accused && run.outcome == Outcome::TimedOut)
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
