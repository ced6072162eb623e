//! What a compiler makes of programs, for those who want to run it themselves.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;

use lydite_core::{Observation, Outcome, Program, Role};

use super::Target;
use super::staying::Waiting;
use super::{OUT, RunLimits};
use lydite_process::Scratch;

/// How many programs one process compiles before the next one.
const PROGRAMS: u32 = 50;

/// Compiles one program after the other, in a process that stays where the
/// target has such a thing. What that process cannot do is done by a fresh one.
pub struct Maker {
    /// The compiler.
    pub target: Target,
    limits: RunLimits,
    scratch: Arc<Scratch>,
    waiting: Waiting,
}

impl Maker {
    /// A maker with this compiler; steps of the target that would run the program are left out.
    pub fn new(target: Target, limits: RunLimits, scratch: Arc<Scratch>) -> Maker {
        Maker {
            target,
            limits,
            scratch,
            waiting: Waiting::default(),
        }
    }

    /// Runs the compiler on a program; if the compiler accepts it, the file that it made is
    /// returned too.
    pub fn make(&mut self, program: &Program) -> (Observation, Option<Vec<u8>>) {
        if let Some(done) = self.make_warm(program) {
            return done;
        }
        let mut observation = self.target.nothing_seen(0, Role::Tested);
        match self.make_cold(program, &mut observation) {
            Ok(made) => (observation, made),
            Err(error) => {
                observation.outcome = Outcome::Unusable(format!("did not start: {error}"));
                (observation, None)
            }
        }
    }

    fn make_warm(&mut self, program: &Program) -> Option<(Observation, Option<Vec<u8>>)> {
        let (target, limits, scratch) = (&self.target, &self.limits, &self.scratch);
        let waiting = self.waiting.take();
        let mut server = waiting.or_else(|| target.serve(limits, PROGRAMS, scratch))?;
        let (observation, folder) = target
            .ask(&mut server, program, Role::Tested, limits, scratch)
            .ok()?;
        self.waiting.put(server);
        let made = self.made(&observation, folder.path()).ok()?;
        Some((observation, made))
    }

    fn make_cold(
        &self,
        program: &Program,
        observation: &mut Observation,
    ) -> io::Result<Option<Vec<u8>>> {
        let folder = self.scratch.folder()?;
        self.target.place(program, folder.path())?;
        self.target
            .run_steps(0, folder.path(), &self.limits, observation)?;
        self.made(observation, folder.path())
    }

    fn made(&self, observation: &Observation, folder: &Path) -> io::Result<Option<Vec<u8>>> {
        if observation.outcome.answer().is_none() {
            return Ok(None);
        }
        let mut made = Vec::new();
        let file = File::open(folder.join(OUT))?;
        file.take(self.limits.file_bytes).read_to_end(&mut made)?;
        Ok(Some(made))
    }
}
