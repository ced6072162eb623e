//! Processes of a target that wait for their next program, for those who reduce.

use lydite_core::{Observation, Program, Role};

use super::staying::{PROGRAMS, Waiting};
use super::{RunLimits, Target};
use lydite_process::Scratch;

/// Processes of targets that stay alive and wait for programs.
#[derive(Default)]
pub struct Idle(Waiting);

impl Idle {
    /// Runs a program in a process that waits. `None` if the target has no such processes, or if
    /// the run needs a process of its own.
    pub fn observe(
        &self,
        target: &Target,
        program: &Program,
        role: Role,
        limits: &RunLimits,
        scratch: &Scratch,
    ) -> Option<Observation> {
        if !target.serves() || !target.takes_batches_with(program) {
            return None;
        }
        let waiting = self.0.take();
        let mut server = waiting.or_else(|| target.serve(limits, PROGRAMS, scratch))?;
        let (observation, _) = target
            .ask(&mut server, program, role, limits, scratch)
            .ok()?;
        self.0.put(server);
        Some(observation)
    }
}
