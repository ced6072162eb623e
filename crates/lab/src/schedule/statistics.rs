//! What the cases of a campaign took and brought, by arm. A fold over the stored
//! cases in the order of their numbers, and nothing else.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use lydite_core::Outcome;

use super::limits::{ArmTimes, RunTimes};
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
    /// What the others took.
    pub short: Tally,
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
    /// The times of each target's runs.
    pub(super) times: BTreeMap<u16, RunTimes>,
    /// By decision and number.
    pub(super) decisions: BTreeMap<String, BTreeMap<u64, ArmStatistics>>,
}

/// What is known of an arm.
#[derive(Clone, Debug, Default)]
pub(super) struct ArmStatistics {
    pub(super) tally: Tally,
    behaviours: BTreeSet<u64>,
    /// Of each target.
    pub(super) times: BTreeMap<u16, ArmTimes>,
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
            behaviour: behaviour(&runs),
            runs: &runs,
        };
        let pace = match case.arms.is_long() {
            true => &mut self.long,
            false => &mut self.short,
        };
        add(pace, &share.tally);
        let strategy = self.strategies.entry(case.strategy).or_default();
        strategy.own.add(&share);
        for run in &runs {
            strategy.times.entry(run.target).or_default().add(run);
        }
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
            cpu: runs.iter().map(|run| run.cpu.as_micros() as u64).sum(),
            news,
        }
    }
}

impl ArmStatistics {
    fn add(&mut self, share: &Share<'_>) {
        add(&mut self.tally, &share.tally);
        if let Some(behaviour) = share.behaviour {
            self.tally.news += u64::from(self.behaviours.insert(behaviour));
        }
        for run in share.runs {
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
    sum.news += tally.news;
}

/// Which targets ended how, and with what kinds of answers; none if none of
/// them answered.
fn behaviour(runs: &[RunRecord]) -> Option<u64> {
    if !runs.iter().any(is_answered) {
        return None;
    }
    let ends: BTreeSet<(u16, u8, u8)> = runs
        .iter()
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
