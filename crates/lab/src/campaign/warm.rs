//! A way to run: several cases at once, so that targets that can run many
//! programs in one process do so ([`lydite_target::Target::observe_batch`]). What they say there is only a
//! suspicion: whatever is judged wrong is run again, cold, like any symptom.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use lydite_core::{Case, Observation, Program, TargetName};

use super::engine::{Examiner, MadeCase};
use super::job::Examined;
use super::options::OptionChoice;
use super::runner::Runner;
use super::sites::is_teller;
use super::steer::Terms;
use lydite_target::{Idle, RunLimits, Target};

/// Observations that are there already, by target and number of the program.
pub(super) type SeenWarm = BTreeMap<(TargetName, usize), Observation>;

/// One batch for each target that takes them, without the cases that vary its
/// options or that it is left out of. What panics here panics again when its
/// case is examined alone, and is counted there.
pub(super) fn observe_group(runner: &Runner, cases: &[(usize, MadeCase)]) -> Vec<SeenWarm> {
    let observed = catch_unwind(AssertUnwindSafe(|| observe_batches(runner, cases)));
    observed.unwrap_or_default()
}

fn observe_batches(runner: &Runner, cases: &[(usize, MadeCase)]) -> Vec<SeenWarm> {
    let mut seen: Vec<SeenWarm> = cases.iter().map(|_| SeenWarm::new()).collect();
    for (target, role) in runner.targets.iter().filter(|one| !is_teller(one)) {
        let mut places = Vec::new();
        let mut programs: Vec<Cow<'_, Program>> = Vec::new();
        for (case_number, (_, made)) in cases.iter().enumerate() {
            let (case, options) = (&made.case, &made.options);
            let taken = |program: &Program| {
                target.takes_batches_with(program) && runner.outside(program, target).is_none()
            };
            if !options.args(target).is_empty()
                || !case.programs.iter().all(taken)
                || runner.affected(target, case).is_some()
            {
                continue;
            }
            for (program_number, program) in case.programs.iter().enumerate() {
                places.push((case_number, program_number));
                programs.push(runner.in_dialect(program, target));
            }
        }
        // A text of one program is a cold run with more steps; a process that
        // stays is still there from the group before.
        if programs.len() < 2 && (programs.is_empty() || !target.serves()) {
            continue;
        }
        let programs: Vec<&Program> = programs.iter().map(|program| &**program).collect();
        let limits = group_limits(runner, target, cases, programs.len());
        let observed = target.observe_batch(&programs, *role, &limits, &runner.scratch);
        for ((case, program), observation) in places.into_iter().zip(observed) {
            if let Some(observation) = observation {
                let observation = Observation {
                    program,
                    ..observation
                };
                seen[case].insert((target.name.clone(), program), observation);
            }
        }
    }
    seen
}

/// What a group of so many programs may use on a target: the shortest limit of
/// its cases, and a sixteenth of it more for each. Whoever is cut off by it is run
/// again, with its own.
fn group_limits(
    runner: &Runner,
    target: &Target,
    cases: &[(usize, MadeCase)],
    programs: usize,
) -> RunLimits {
    let most = runner.limits.wall;
    let limits = cases.iter().map(|(_, made)| &made.terms);
    let shortest = (limits.filter_map(|terms| terms.limit(&target.name, 0, most))).min();
    let programs = u32::try_from(programs).unwrap_or(u32::MAX).min(1000);
    RunLimits {
        busy: shortest.map(|busy| busy + busy / 16 * programs),
        ..runner.limits.clone()
    }
}

impl Examiner {
    /// What processes that stay say of a case, one list of them for each target; whoever
    /// has none is run as usual. Nothing if that is everybody.
    pub(crate) fn examine_warm(&self, case: &Case, idle: &[Idle]) -> Option<Examined> {
        let runner = &self.runner;
        let mut seen = SeenWarm::new();
        let waiting = runner.targets.iter().zip(idle);
        for ((target, role), idle) in waiting.filter(|(one, _)| !is_teller(one)) {
            for (number, program) in case.programs.iter().enumerate() {
                if runner.outside(program, target).is_some() {
                    continue;
                }
                let text = runner.in_dialect(program, target);
                let (limits, scratch) = (&runner.limits, &runner.scratch);
                if let Some(observation) = idle.observe(target, &text, *role, limits, scratch) {
                    let observation = Observation {
                        program: number,
                        ..observation
                    };
                    seen.insert((target.name.clone(), number), observation);
                }
            }
        }
        if seen.is_empty() {
            return None;
        }
        Some(self.examine_seen(case, &OptionChoice::default(), &Terms::default(), seen))
    }
}

/// How long a group is to take: what is in it is neither counted nor stored,
/// nor can be stopped, before all of it is done.
const GROUP_TIME: Duration = Duration::from_secs(10);

/// How many cases the first group has.
const FIRST: usize = 4;

/// How many times as large a group may be as the one before.
const GROWTH: usize = 4;

/// How many cases a group may have, learnt from those that are done.
pub(super) struct GroupPace {
    size: AtomicUsize,
    most: usize,
}

impl GroupPace {
    /// Never more than `most`.
    pub(super) fn new(most: usize) -> GroupPace {
        let most = most.max(1);
        GroupPace {
            size: AtomicUsize::new(FIRST.min(most)),
            most,
        }
    }

    /// A group of so many cases took so long.
    pub(super) fn note(&self, cases: usize, took: Duration) {
        let fitting = cases as f64 * GROUP_TIME.as_secs_f64() / took.as_secs_f64().max(1e-9);
        let size = (fitting as usize).min(cases.saturating_mul(GROWTH));
        self.size.store(size.clamp(1, self.most), Ordering::Relaxed);
    }
}

/// Numbers in groups as large as the pace allows.
pub(super) struct NumberGroups<'a, I> {
    numbers: I,
    pace: &'a GroupPace,
}

impl<'a, I: Iterator<Item = u64>> NumberGroups<'a, I> {
    pub(super) fn new(numbers: I, pace: &'a GroupPace) -> NumberGroups<'a, I> {
        NumberGroups { numbers, pace }
    }
}

impl<I: Iterator<Item = u64>> Iterator for NumberGroups<'_, I> {
    type Item = Vec<u64>;

    fn next(&mut self) -> Option<Vec<u64>> {
        let size = self.pace.size.load(Ordering::Relaxed);
        let group: Vec<u64> = self.numbers.by_ref().take(size).collect();
        (!group.is_empty()).then_some(group)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_grow_while_they_are_quick_and_shrink_when_they_are_not() {
        let pace = GroupPace::new(50);
        let mut groups = NumberGroups::new(0..1000, &pace);
        let mut sizes = Vec::new();
        for seconds in [0.1, 0.1, 1.0, 100.0, 20.0, 1e9] {
            let group = groups.next().unwrap();
            sizes.push(group.len());
            pace.note(group.len(), Duration::from_secs_f64(seconds));
        }
        sizes.push(groups.next().unwrap().len());
        assert_eq!(sizes, [4, 16, 50, 50, 5, 2, 1]);
        let one = GroupPace::new(0);
        assert_eq!(NumberGroups::new(0..3, &one).count(), 3);
    }
}
