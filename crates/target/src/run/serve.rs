//! Many programs in one process that answers requests: the other form of
//! warm runs, for targets whose program text cannot hold marks.
//!
//! The first step stays alive ([`lydite_process::Dialogue`]): it is told the folder of a run
//! and behaves as if it had been started there. Further steps are processes of
//! their own. Every run has the limits of a run. An answer, a refusal and a
//! missing feature are taken; after anything else, and if it ends without a word on the
//! run, the process is ended, the run left to a cold one, and the rest goes to a fresh process.

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
            let limits = self.with_start(limits, &server);
            let asked = self.ask(&mut server, program, role, &limits, scratch);
            let (observation, _) = asked.ok()?;
            self.put_back(server, &observation);
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
        let limits = self.with_start(limits, &server);
        let (observation, _) = self.ask(&mut server, program, role, &limits, scratch)?;
        self.put_back(server, &observation);
        Ok(observation)
    }

    /// The limits of the next question to a process. Whoever is asked first has to start as
    /// well, which may take longer than any question: so it may take as long as earlier starts
    /// took, twice over. As long as nobody knows, it has the wall limit alone.
    fn with_start(&self, limits: &RunLimits, server: &StayingProcess) -> RunLimits {
        RunLimits {
            busy: limit_after(server.done, limits.busy, self.waiting.start()),
            ..limits.clone()
        }
    }

    /// Keeps a process that has answered, and what its start took. What was cut off is gone.
    fn put_back(&self, server: StayingProcess, observation: &Observation) {
        if observation.outcome == Outcome::TimedOut {
            return;
        }
        if server.done == 0 {
            self.waiting.saw_start(server.dialogue.cpu());
        }
        self.waiting.put(server);
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
        let (ended, goes_on) = ended.ok_or(nothing)?;
        if !goes_on && ended.cut.is_none() {
            // It has ended by itself, and has not said of what.
            return Err(ended.cpu);
        }
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

/// The limit of CPU time of a process that has answered so many questions, of which a start is
/// known to take so long.
fn limit_after(done: u32, busy: Option<Duration>, start: Option<Duration>) -> Option<Duration> {
    match done {
        0 => busy.zip(start).map(|(busy, start)| busy + 2 * start),
        _ => busy,
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
    fn a_start_is_not_cut_off_by_the_limit_of_a_question_and_has_one_of_its_own() {
        let millis = |millis| Some(Duration::from_millis(millis));
        assert_eq!(limit_after(0, millis(50), None), None);
        assert_eq!(limit_after(0, millis(50), millis(700)), millis(1450));
        assert_eq!(limit_after(1, millis(50), millis(700)), millis(50));
        assert_eq!(limit_after(0, None, millis(700)), None);
    }
}
