//! What the cases of a campaign took and brought, by arm. A fold over the stored
//! cases in the order of their numbers, and nothing else.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use lydite_core::Outcome;

use super::times::{RunTimes, micros};
use lydite_store::record::{CaseRecord, Failure, RunRecord, Tally};

/// How many news a new signature counts for: a bug is worth more than a new
/// combination of answers.
const SIGNATURE: u64 = 10;

/// What was measured of the cases so far.
#[derive(Clone, Debug, Default)]
pub struct Statistics {
    /// How many cases were counted.
    pub cases: u64,
    /// What cases with the plan's own limit took.
    pub long: Tally,
    /// Those of them that a schedule gave it to.
    pub(super) chosen_long: Tally,
    /// What the others took.
    pub short: Tally,
    /// What answered runs took in fresh processes and in those that stay, of each target:
    /// how many, and their CPU time.
    pub(super) starts: BTreeMap<u16, [(u64, u64); 2]>,
    /// The CPU time of the first answered run of each target, in microseconds: it began with
    /// the start of a process.
    pub(super) first: BTreeMap<u16, u64>,
    /// For each strategy that was used.
    pub(super) strategies: BTreeMap<u64, StrategyStatistics>,
    signatures: BTreeSet<String>,
    /// Signatures that replays showed: in how many cases, and the smallest of
    /// these, in bytes.
    pub(super) confirmed: BTreeMap<String, (u64, u64)>,
}

/// What is known of a strategy.
#[derive(Clone, Debug, Default)]
pub(super) struct StrategyStatistics {
    pub(super) own: ArmStatistics,
    /// By decision and number.
    pub(super) decisions: BTreeMap<String, BTreeMap<u64, ArmStatistics>>,
}

/// What is known of an arm.
#[derive(Clone, Debug, Default)]
pub(super) struct ArmStatistics {
    pub(super) tally: Tally,
    behaviours: BTreeSet<u64>,
    /// How many runs each target had; of each case only those up to the first that was cut off,
    /// since what becomes of the others hangs on that one, and their limits are shorter
    /// ([`super::spared`]).
    pub(super) runs: BTreeMap<u16, u64>,
    /// The CPU time of those that were cut off, in microseconds.
    lost: u64,
    /// Their times.
    pub(super) times: BTreeMap<u16, RunTimes>,
}

/// What one case adds to each of its arms.
struct Share<'a> {
    tally: Tally,
    runs: &'a [RunRecord],
    behaviour: Option<u64>,
}

impl Statistics {
    /// Counts a case.
    pub fn add(&mut self, case: &CaseRecord) {
        self.cases += 1;
        let runs: Vec<RunRecord> = case.runs.iter().collect();
        let share = Share {
            tally: self.tally(case, &runs),
            behaviour: behaviour(&runs, case.arms.is_long()),
            runs: &runs,
        };
        match case.arms.is_long() {
            true => add(&mut self.long, &share.tally),
            false => add(&mut self.short, &share.tally),
        }
        if case.arms.is_long() && !case.schedule.is_none() {
            add(&mut self.chosen_long, &share.tally);
        }
        if let Some(kept) = case.arms.kept().filter(|_| !case.arms.is_long()) {
            for run in runs.iter().filter(|run| is_answered(run)) {
                let is_kept = kept >> run.target & 1 == 1;
                let starts = self.starts.entry(run.target).or_default();
                let (count, cpu) = &mut starts[usize::from(is_kept)];
                *count += 1;
                *cpu += micros(run.cpu);
            }
        }
        for run in runs.iter().filter(|run| is_answered(run)) {
            self.first.entry(run.target).or_insert(micros(run.cpu));
        }
        let strategy = self.strategies.entry(case.strategy).or_default();
        strategy.own.add(&share);
        let mut seen: BTreeSet<&(String, u64)> = BTreeSet::new();
        for arm in case.arms.0.iter().filter(|arm| seen.insert(arm)) {
            let (of, number) = arm;
            let decision = strategy.decisions.entry(of.clone()).or_default();
            decision.entry(*number).or_default().add(&share);
        }
    }

    fn tally(&mut self, case: &CaseRecord, runs: &[RunRecord]) -> Tally {
        let mut news = 0;
        for symptom in &case.symptoms {
            let text = symptom.signature.to_string();
            if symptom.replays.shown > 0 {
                let entry = self.confirmed.entry(text.clone());
                let (cases, bytes) = entry.or_insert((0, u64::MAX));
                *cases += 1;
                *bytes = symptom.bytes.min(*bytes);
            }
            if self.signatures.insert(text) {
                news += SIGNATURE;
            }
        }
        let count =
            |wanted: fn(&RunRecord) -> bool| runs.iter().filter(|run| wanted(run)).count() as u64;
        let rejected = matches!(case.failure, Some(Failure::Reject(_)));
        Tally {
            cases: 1,
            rejected: u64::from(rejected),
            answered: count(is_answered),
            timed_out: count(is_timed_out),
            cpu: runs.iter().map(|run| micros(run.cpu)).sum(),
            lost: (runs.iter().filter(|run| is_timed_out(run)))
                .map(|run| micros(run.cpu))
                .sum(),
            news,
        }
    }
}

impl ArmStatistics {
    /// How many times as much its cases lose as the first runs of them that are cut off.
    pub(super) fn loss_ratio(&self) -> f64 {
        (self.tally.lost.max(1) as f64 / self.lost.max(1) as f64).clamp(1.0, 2.0)
    }

    /// How many runs of a target a case of it has until one is cut off, if those of its strategy
    /// have so many.
    pub(super) fn runs_in_case(&self, target: u16, usual: f64) -> f64 {
        let made = (self.tally.cases - self.tally.rejected) as f64;
        let runs = self.runs.get(&target).copied().unwrap_or_default() as f64;
        (runs + usual) / (made + 1.0)
    }

    fn add(&mut self, share: &Share<'_>) {
        add(&mut self.tally, &share.tally);
        if let Some(behaviour) = share.behaviour {
            self.tally.news += u64::from(self.behaviours.insert(behaviour));
        }
        let mut cut = BTreeSet::new();
        for run in share.runs {
            if cut.contains(&run.target) {
                continue;
            }
            if is_timed_out(run) {
                cut.insert(run.target);
                self.lost += micros(run.cpu);
            }
            *self.runs.entry(run.target).or_default() += 1;
            self.times.entry(run.target).or_default().add(run);
        }
    }
}

fn add(sum: &mut Tally, tally: &Tally) {
    sum.cases += tally.cases;
    sum.rejected += tally.rejected;
    sum.answered += tally.answered;
    sum.timed_out += tally.timed_out;
    sum.cpu += tally.cpu;
    sum.lost += tally.lost;
    sum.news += tally.news;
}

/// Which targets ended how, and with what kinds of answers; none if none of
/// them answered. That a run was cut off counts only with the plan's own limit.
fn behaviour(runs: &[RunRecord], is_long: bool) -> Option<u64> {
    if !runs.iter().any(is_answered) {
        return None;
    }
    let ends: BTreeSet<(u16, u8, u8)> = runs
        .iter()
        .filter(|run| is_long || !is_timed_out(run))
        .map(|run| (run.target, run.outcome, run.answer))
        .collect();
    let mut hasher = DefaultHasher::new();
    ends.hash(&mut hasher);
    Some(hasher.finish())
}

fn is_named(run: &RunRecord, name: &str) -> bool {
    Outcome::NAMES.get(usize::from(run.outcome)) == Some(&name)
}

/// True if the target answered.
pub(super) fn is_answered(run: &RunRecord) -> bool {
    is_named(run, "answered")
}

/// True if its time was over.
pub(super) fn is_timed_out(run: &RunRecord) -> bool {
    is_named(run, "timed-out")
}
