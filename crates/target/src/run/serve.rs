//! Many programs in one process that answers requests: the other form of
//! warm runs, for targets whose program text cannot hold marks.
//!
//! The first step stays alive ([`Dialogue`]): it is told the folder of a run
//! and behaves as if it had been started there. Further steps are processes of
//! their own. Every run has the limits of a run. An answer, a refusal and a
//! missing feature are taken; after anything else the process is ended, the
//! run left to a cold one, and the rest goes to a fresh process.

use std::ffi::OsString;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use lydite_core::{Observation, Outcome, Program, Role};

use super::{NOTHING_SPENT, OUT, RunLimits, Target};
use lydite_process::{Command, Dialogue, Folder, Limits, Scratch};

/// How many programs one process runs before the next one.
pub(super) const PROGRAMS: u32 = 200;

/// Processes that wait for their next program, each with how many it has run:
/// a target's start can cost as much as ten of its runs, and what it has
/// learnt to run fast is lost with it.
#[derive(Clone, Default)]
pub(super) struct Waiting(Arc<Mutex<Vec<(StayingStep, u32)>>>);

impl Waiting {
    fn take(&self) -> Option<(StayingStep, u32)> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).pop()
    }

    fn put(&self, server: StayingStep, done: u32) {
        let mut waiting = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.push((server, done));
    }
}

impl fmt::Debug for Waiting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Waiting")
    }
}

/// A first step that stays alive, and the folder that it was started in.
pub(super) struct StayingStep {
    dialogue: Dialogue,
    _folder: Folder,
}

impl Target {
    /// Runs the programs one after the other. Gives what was answered; what is
    /// missing needs a run of its own.
    pub(super) fn observe_served(
        &self,
        programs: &[&Program],
        role: Role,
        limits: &RunLimits,
        scratch: &Scratch,
    ) -> Vec<Option<Observation>> {
        let mut observe = |program: &&Program| {
            let (mut server, done) = match self.waiting.take() {
                Some(waiting) => waiting,
                None => (self.serve(limits, PROGRAMS, scratch)?, 0),
            };
            let limits = with_start(limits, done);
            let asked = self.ask(&mut server, program, role, &limits, scratch);
            let (observation, _) = asked.ok()?;
            // What was cut off is gone.
            if observation.outcome != Outcome::TimedOut && done + 1 < PROGRAMS {
                self.waiting.put(server, done + 1);
            }
            Some(observation)
        };
        programs.iter().map(&mut observe).collect()
    }

    /// Starts the first step, for so many runs.
    pub(super) fn serve(
        &self,
        limits: &RunLimits,
        runs: u32,
        scratch: &Scratch,
    ) -> Option<StayingStep> {
        let folder = scratch.folder().ok()?;
        let mut argv = self.argv(self.steps().first()?, &self.family().run.file, OUT, limits);
        argv.extend(self.family().warm.as_ref()?.serve.iter().cloned());
        let argv: Vec<OsString> = argv.into_iter().map(OsString::from).collect();
        let limits = self.process_limits(limits, NOTHING_SPENT);
        let dialogue = Dialogue::start(&Command {
            argv: &argv,
            dir: folder.path(),
            stdin: None,
            env: &self.environment(),
            limits: &Limits {
                cpu: limits.cpu.saturating_mul(runs),
                // It outlives the question that it is started for.
                withdrawn: None,
                ..limits
            },
        });
        Some(StayingStep {
            dialogue: dialogue.ok()?,
            _folder: folder,
        })
    }

    /// One program in a process that stays, or the CPU time that was spent in vain.
    pub(super) fn observe_one_served(
        &self,
        program: &Program,
        role: Role,
        limits: &RunLimits,
        scratch: &Scratch,
    ) -> Result<Observation, Duration> {
        let started = || Some((self.serve(limits, PROGRAMS, scratch)?, 0));
        let waiting = self.waiting.take().or_else(started);
        let (mut server, done) = waiting.ok_or(Duration::ZERO)?;
        let limits = with_start(limits, done);
        let (observation, _) = self.ask(&mut server, program, role, &limits, scratch)?;
        if observation.outcome != Outcome::TimedOut && done + 1 < PROGRAMS {
            self.waiting.put(server, done + 1);
        }
        Ok(observation)
    }

    /// One run, and the folder that it was in; or, if it needs a process of its own, as
    /// does whatever comes next, the CPU time that was spent in vain.
    pub(super) fn ask(
        &self,
        server: &mut StayingStep,
        program: &Program,
        role: Role,
        limits: &RunLimits,
        scratch: &Scratch,
    ) -> Result<(Observation, Folder), Duration> {
        let nothing = Duration::ZERO;
        let folder = scratch.folder().map_err(|_| nothing)?;
        self.place(program, folder.path()).map_err(|_| nothing)?;
        let path = folder.path().to_str().ok_or(nothing)?;
        let within = (limits.wall, limits.busy);
        let ended = server.dialogue.ask(&mark(program), path, within);
        let (ended, _) = ended.ok_or(nothing)?;
        let mut observation = self.nothing_seen(0, role);
        if self.read_step(0, ended, limits, &mut observation) {
            self.run_steps(1, folder.path(), limits, &mut observation)
                .map_err(|_| observation.cpu)?;
        }
        let is_plain = match &observation.outcome {
            Outcome::Answered(_)
            | Outcome::Undecided
            | Outcome::Rejected(_)
            | Outcome::Unsupported(_) => true,
            Outcome::TimedOut => used_up(&observation, limits),
            _ => false,
        };
        match is_plain {
            true => Ok((observation, folder)),
            false => Err(observation.cpu),
        }
    }
}

/// The limits of a question to a process that has answered so many. The start of a process may
/// take longer than any question: whoever is asked first has the wall limit alone.
fn with_start(limits: &RunLimits, done: u32) -> RunLimits {
    RunLimits {
        busy: limits.busy.filter(|_| done > 0),
        ..limits.clone()
    }
}

/// True if a run that was cut off had used the CPU time that it was given: it did not
/// wait for us.
pub(super) fn used_up(observation: &Observation, limits: &RunLimits) -> bool {
    let busy = limits.busy;
    busy.is_some_and(|busy| observation.cpu >= busy.mul_f64(0.9))
}

/// Depends on all of the program, so that no program holds it.
fn mark(program: &Program) -> String {
    let mut hasher = blake3::Hasher::new();
    for file in &program.files {
        hasher.update(&file.text);
    }
    format!("lydite-{}-end", &hasher.finalize().to_hex()[..16])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_start_is_not_cut_off_by_the_limit_of_a_question() {
        let limits = RunLimits {
            busy: Some(Duration::from_millis(50)),
            ..RunLimits::default()
        };
        assert_eq!(with_start(&limits, 0).busy, None);
        assert_eq!(with_start(&limits, 1), limits);
    }
}
