//! Several cases at once, so that targets that can run many programs in one
//! process do so ([`crate::target::Target::observe_batch`]). What they say there is only a
//! suspicion: whatever is judged wrong is run again, cold, like any symptom.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use anyhow::Result;
use lydite_core::{Case, Observation, Program, TargetName};

use super::job::{Bench, Job, examined, made};
use super::options::OptionChoice;
use super::source::Source;

/// Observations that are there already, by target and number of the program.
pub(super) type Seen = BTreeMap<(TargetName, usize), Observation>;

/// Makes and examines the cases `indices`, in order.
pub(super) fn run_jobs(source: &Source, bench: &Bench, indices: &[u64]) -> Result<Vec<Job>> {
    let mut jobs = Vec::new();
    let mut cases: Vec<(usize, Case, OptionChoice)> = Vec::new();
    for index in indices {
        let (mut job, case) = made(source, bench, *index);
        match case {
            Ok(case) => {
                let options = source.options(*index, &bench.targets);
                cases.push((jobs.len(), case, options));
            }
            Err(failure) => job.failure = Some(failure),
        }
        jobs.push(job);
    }
    // A batch of one is a cold run with more steps.
    let mut seen: Vec<Seen> = match cases.len() > 1 {
        true => observe_warm(bench, &cases),
        false => Vec::new(),
    };
    seen.resize_with(cases.len(), Seen::new);
    for ((number, case, options), seen) in cases.into_iter().zip(seen) {
        let job = std::mem::take(&mut jobs[number]);
        jobs[number] = examined(bench, job, &case, &options, seen)?;
    }
    Ok(jobs)
}

/// One batch for each target that takes them, without the cases that vary its
/// options or that it is left out of.
fn observe_warm(bench: &Bench, cases: &[(usize, Case, OptionChoice)]) -> Vec<Seen> {
    let mut seen: Vec<Seen> = cases.iter().map(|_| Seen::new()).collect();
    for (target, role) in &bench.targets {
        let mut places = Vec::new();
        let mut programs: Vec<Cow<'_, Program>> = Vec::new();
        for (case_number, (_, case, options)) in cases.iter().enumerate() {
            let taken = |program: &Program| target.takes_batches_with(program);
            if !options.args(target).is_empty()
                || !case.programs.iter().all(taken)
                || bench.affected(target, case).is_some()
            {
                continue;
            }
            for (program_number, program) in case.programs.iter().enumerate() {
                places.push((case_number, program_number));
                programs.push(bench.as_run(program, target));
            }
        }
        if programs.is_empty() {
            continue;
        }
        let programs: Vec<&Program> = programs.iter().map(|program| &**program).collect();
        let observed = target.observe_batch(&programs, *role, &bench.limits, &bench.scratch);
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

/// How long cases take, so that a group which is begun before the deadline
/// ends soon after it. Which cases are in a group changes nothing else.
pub(super) struct Pace {
    deadline: Option<Instant>,
    cases: AtomicU64,
    micros: AtomicU64,
}

/// Cases of the first group where there is a deadline: nothing is known of
/// them yet.
const FIRST_GROUP: usize = 4;

impl Pace {
    pub(super) fn new(deadline: Option<Instant>) -> Pace {
        Pace {
            deadline,
            cases: AtomicU64::new(0),
            micros: AtomicU64::new(0),
        }
    }

    /// So many cases took so long, one after the other.
    pub(super) fn took(&self, cases: usize, time: Duration) {
        let micros = u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
        self.cases.fetch_add(cases as u64, Ordering::Relaxed);
        self.micros.fetch_add(micros, Ordering::Relaxed);
    }

    /// How many cases there is time for, one at least.
    fn room(&self) -> usize {
        let Some(deadline) = self.deadline else {
            return usize::MAX;
        };
        let left = deadline.saturating_duration_since(Instant::now());
        let cases = self.cases.load(Ordering::Relaxed);
        if cases == 0 {
            return FIRST_GROUP;
        }
        let each = (self.micros.load(Ordering::Relaxed) / cases).max(1);
        let fitting = left.as_micros() / u128::from(each);
        usize::try_from(fitting).unwrap_or(usize::MAX).max(1)
    }
}

/// Numbers in groups of up to `size`, and no more than there is time for.
pub(super) struct Groups<'a, I> {
    numbers: I,
    size: usize,
    pace: &'a Pace,
}

impl<'a, I: Iterator<Item = u64>> Groups<'a, I> {
    pub(super) fn new(numbers: I, size: usize, pace: &'a Pace) -> Groups<'a, I> {
        Groups {
            numbers,
            size: size.max(1),
            pace,
        }
    }
}

impl<I: Iterator<Item = u64>> Iterator for Groups<'_, I> {
    type Item = Vec<u64>;

    fn next(&mut self) -> Option<Vec<u64>> {
        let size = self.size.min(self.pace.room());
        let group: Vec<u64> = self.numbers.by_ref().take(size).collect();
        (!group.is_empty()).then_some(group)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOUR: Duration = Duration::from_secs(3600);

    fn sizes(pace: &Pace, size: usize) -> Vec<usize> {
        let groups = Groups::new(0..20, size, pace);
        groups.map(|group| group.len()).collect()
    }

    #[test]
    fn groups_are_whole_where_there_is_no_deadline() {
        let pace = Pace::new(None);
        pace.took(1, HOUR);
        assert_eq!(sizes(&pace, 8), [8, 8, 4]);
        assert_eq!(sizes(&pace, 0), [1; 20]);
    }

    #[test]
    fn a_group_has_no_more_cases_than_there_is_time_for() {
        let pace = Pace::new(Some(Instant::now() + HOUR));
        assert_eq!(sizes(&pace, 50), [FIRST_GROUP; 5]);
        pace.took(6, HOUR);
        assert!(sizes(&pace, 50).iter().all(|size| *size <= 6));
        pace.took(1_000, Duration::ZERO);
        assert_eq!(sizes(&pace, 50), [20]);
        let late = Pace::new(Some(Instant::now()));
        late.took(1, HOUR);
        assert_eq!(sizes(&late, 50), [1; 20]);
    }
}
