//! Many programs in one process that answers requests: the other form of
//! warm runs, for targets whose program text cannot hold marks.
//!
//! The first step stays alive ([`lydite_process::Dialogue`]): it is told the folder of a run
//! and behaves as if it had been started there. Further steps are processes of
//! their own. Every run has the limits of a run. An answer, a refusal and a
//! missing feature are taken; after anything else the process is ended, the
//! run left to a cold one, and the rest goes to a fresh process.

use std::time::Duration;

use lydite_core::{Observation, Outcome, Program, Role};

use super::staying::{PROGRAMS, StayingProcess, used_up};
use super::{OUT, RunLimits, Target};
use lydite_process::{Folder, Scratch};

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
        let observe = |program: &&Program| {
            let waiting = self.waiting.take();
            let mut server = waiting.or_else(|| self.serve(limits, PROGRAMS, scratch))?;
            let limits = with_start(limits, server.done);
            let asked = self.ask(&mut server, program, role, &limits, scratch);
            let (observation, _) = asked.ok()?;
            // What was cut off is gone.
            if observation.outcome != Outcome::TimedOut {
                self.waiting.put(server);
            }
            Some(observation)
        };
        programs.iter().map(observe).collect()
    }

    /// Starts the first step, for so many programs.
    pub(super) fn serve(
        &self,
        limits: &RunLimits,
        programs: u32,
        scratch: &Scratch,
    ) -> Option<StayingProcess> {
        let mut argv = self.argv(self.steps().first()?, &self.family().run.file, OUT, limits);
        argv.extend(self.family().warm.as_ref()?.serve.iter().cloned());
        StayingProcess::start(self, argv, limits, programs, scratch)
    }

    /// One program in a process that stays, or the CPU time that was spent in vain.
    pub(super) fn observe_one_served(
        &self,
        program: &Program,
        role: Role,
        limits: &RunLimits,
        scratch: &Scratch,
    ) -> Result<Observation, Duration> {
        let waiting = self.waiting.take();
        let waiting = waiting.or_else(|| self.serve(limits, PROGRAMS, scratch));
        let mut server = waiting.ok_or(Duration::ZERO)?;
        let limits = with_start(limits, server.done);
        let (observation, _) = self.ask(&mut server, program, role, &limits, scratch)?;
        if observation.outcome != Outcome::TimedOut {
            self.waiting.put(server);
        }
        Ok(observation)
    }

    /// One run, and the folder that it was in; or, if it needs a process of its own, as
    /// does whatever comes next, the CPU time that was spent in vain.
    pub(super) fn ask(
        &self,
        server: &mut StayingProcess,
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
