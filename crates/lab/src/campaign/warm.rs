//! Several cases at once, so that targets that can run many programs in one
//! process do so ([`crate::target::Target::observe_batch`]). What they say there is only a
//! suspicion: whatever is judged wrong is run again, cold, like any symptom.

use std::borrow::Cow;
use std::collections::BTreeMap;

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

/// Numbers in groups of up to `size`.
pub(super) struct Groups<I> {
    numbers: I,
    size: usize,
}

impl<I: Iterator<Item = u64>> Groups<I> {
    pub(super) fn new(numbers: I, size: usize) -> Groups<I> {
        Groups {
            numbers,
            size: size.max(1),
        }
    }
}

impl<I: Iterator<Item = u64>> Iterator for Groups<I> {
    type Item = Vec<u64>;

    fn next(&mut self) -> Option<Vec<u64>> {
        let group: Vec<u64> = self.numbers.by_ref().take(self.size).collect();
        (!group.is_empty()).then_some(group)
    }
}
