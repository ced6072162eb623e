//! What a compiler makes of a program, for those who want to run it themselves.

use std::fs::File;
use std::io::{self, Read};

use lydite_core::{Observation, Outcome, Program, Role};

use super::Target;
use super::run::{OUT, RunLimits};
use crate::process::Scratch;

impl Target {
    /// Runs it on a program and gives what it made of it too, if it made
    /// something that is not larger than files may be.
    pub fn make(
        &self,
        program: &Program,
        limits: &RunLimits,
        scratch: &Scratch,
    ) -> (Observation, Option<Vec<u8>>) {
        let mut observation = self.nothing_seen(0, Role::Tested);
        match self.make_in_folder(program, limits, scratch, &mut observation) {
            Ok(made) => (observation, made),
            Err(error) => {
                observation.outcome = Outcome::Unusable(format!("did not start: {error}"));
                (observation, None)
            }
        }
    }

    fn make_in_folder(
        &self,
        program: &Program,
        limits: &RunLimits,
        scratch: &Scratch,
        observation: &mut Observation,
    ) -> io::Result<Option<Vec<u8>>> {
        let folder = scratch.folder()?;
        self.place(program, folder.path())?;
        self.run_steps(0, folder.path(), limits, observation)?;
        if observation.outcome.answer().is_none() {
            return Ok(None);
        }
        let mut made = Vec::new();
        let file = File::open(folder.path().join(OUT))?;
        file.take(limits.file_bytes).read_to_end(&mut made)?;
        Ok(Some(made))
    }
}
