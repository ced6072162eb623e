//! Processes of a target that wait for their next program, for several who ask
//! at a time.

use std::sync::{Mutex, PoisonError};

use lydite_core::{Observation, Program, Role};

use super::RunLimits;
use super::Target;
use super::serve::{PROGRAMS, StayingStep};
use lydite_process::Scratch;

/// Processes of targets that stay alive and wait for programs.
#[derive(Default)]
pub struct Idle(Mutex<Vec<(StayingStep, u32)>>);

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
        let waiting = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let next = waiting().pop();
        let (mut server, done) = match next {
            Some(server) => server,
            None => {
                // It outlives the question that it is started for.
                let limits = RunLimits {
                    withdrawn: None,
                    ..limits.clone()
                };
                (target.serve(&limits, PROGRAMS, scratch)?, 0)
            }
        };
        let (observation, _) = target
            .ask(&mut server, program, role, limits, scratch)
            .ok()?;
        if done + 1 < PROGRAMS {
            waiting().push((server, done + 1));
        }
        Some(observation)
    }
}
