//! The rounds of a campaign: which schedule draws which cases.

use std::ops::Range;

use anyhow::Result;

use super::steer::Schedule;
use super::{Engine, Recorder, Shard};
use crate::schedule::{PlanFacts, Round, Statistics, draw_up};
use lydite_store::Store;
use lydite_store::record::ScheduleRecord;

impl Engine {
    /// True if schedules say where the time goes: cases are drawn, and the plan
    /// does not ask for a fixed schedule.
    pub fn learns(&self) -> bool {
        self.resolved.learns()
    }

    /// The stretches of numbers that one schedule each draws: the rounds of the
    /// shard, or all of its numbers.
    pub(super) fn stretches(&self, shard: Shard) -> impl Iterator<Item = Range<u64>> + use<> {
        let (first, of) = (shard.number - 1, shard.of);
        let learns = self.learns();
        let mut next = Some(Round::of(0));
        std::iter::from_fn(move || {
            let round = next.take()?;
            if !learns {
                return Some(first..u64::MAX);
            }
            next = (round.end < u64::MAX).then(|| round.next());
            Some(round.numbers(first, of))
        })
    }

    /// For each target whether processes of it may be kept: where the plan does not say
    /// how many cases a process gets, that is measured. What they say has to be seen again
    /// in a fresh one, and tells nothing of time.
    fn stays(&self) -> Vec<bool> {
        let plan = &self.resolved.plan;
        let is_about_time = plan.oracles.iter().any(|oracle| oracle == "slow");
        let may = plan.warm == 0 && plan.confirm.replays > 0 && !is_about_time;
        let targets = self.examiner.runner.targets.iter().take(64);
        targets
            .map(|(target, _)| may && target.can_stay())
            .collect()
    }

    /// For each target whether the plan runs all programs in processes that stay.
    fn restarts(&self) -> Vec<bool> {
        let is_warm = self.resolved.plan.warm > 0;
        let targets = self.examiner.runner.targets.iter();
        targets
            .map(|(target, _)| is_warm && target.serves())
            .collect()
    }

    /// Draws up the schedule of a round from the cases of the shard that are
    /// stored.
    fn draw_up(&self, store: &Store, shard: Shard, round: Round) -> Result<ScheduleRecord> {
        let mut statistics = Statistics::default();
        let first = Round::of(0).numbers(shard.number - 1, shard.of).start;
        let end = round.numbers(shard.number - 1, shard.of).start;
        store.each_case_of(first..end, shard.of, &mut |case| statistics.add(case))?;
        let plan = &self.resolved.plan;
        let costs = match &self.costs {
            Some(costs) => costs.of(plan, &self.source, &self.examiner),
            None => &[],
        };
        let known = PlanFacts {
            seed: plan.seed,
            shard: (shard.number, shard.of),
            limit: plan.limits.timeout.0,
            stays: self.stays(),
            restarts: self.restarts(),
            long_share: plan.long_share,
            cut_share: plan.cut_share,
            strategies: self.source.arms(),
            costs,
        };
        Ok(draw_up(&known, round, &statistics))
    }
}

impl Recorder<'_> {
    /// The schedule of a round of a shard: the one that is stored, or else one
    /// that is drawn up and stored now. None if the plan alone draws its cases.
    pub fn schedule(
        &self,
        engine: &Engine,
        shard: Shard,
        round: Round,
    ) -> Result<Option<ScheduleRecord>> {
        if round.number == 0 || !engine.learns() {
            return Ok(None);
        }
        let stored = self
            .store
            .schedule_of(shard.number, shard.of, round.number)?;
        if stored.is_some() {
            return Ok(stored);
        }
        let drawn = engine.draw_up(self.store, shard, round)?;
        self.store.add_schedule(&drawn)?;
        Ok(Some(drawn))
    }

    /// The schedule that a stored case was drawn by.
    pub(super) fn schedule_of_case(&self, index: u64) -> Result<Option<Schedule>> {
        let id = self.store.schedule_of_case(index)?;
        Ok(self.store.schedule(id)?.map(Schedule::new))
    }
}
