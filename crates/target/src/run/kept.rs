//! One program at a time in a process that stays: it reads programs from its standard
//! input, and behind each stand the mark and the reset of `[warm]`.
//!
//! Unlike a batch each program has its own limits, what goes wrong with one costs the others
//! nothing, and only a process that was cut off or has ended is started anew. Answers,
//! refusals and the end of the time are taken; whatever else happens is left to a cold run.

use std::time::Duration;

use lydite_core::{Observation, Outcome, Program, Role};

use super::batch::behind;
use super::staying::{PROGRAMS, StayingProcess, used_up};
use super::{OUT, RunLimits, Target};
use crate::family::{Step, Warm};
use crate::read::{Frame, read_outcome};
use lydite_process::{Ended, Scratch, TEXT_BYTES};

impl Target {
    /// True if a process of it can be kept for the next program.
    pub fn can_stay(&self) -> bool {
        !self.keeps_answers() && (self.serves() || self.reads_on())
    }

    /// True if it reads programs from its standard input.
    fn reads_on(&self) -> bool {
        let reads_on = |warm: &Warm| !warm.stay.is_empty() && !warm.mark.is_empty();
        self.steps().len() == 1 && self.family().warm.as_ref().is_some_and(reads_on)
    }

    /// Runs it on a program in a process that stays. Without an observation, the program needs
    /// a run of its own; the time is what was spent in vain.
    pub fn observe_kept(
        &self,
        program: &Program,
        index: usize,
        role: Role,
        limits: &RunLimits,
        scratch: &Scratch,
    ) -> Result<Observation, Duration> {
        if self.serves() && !self.keeps_answers() {
            let observed = self.observe_one_served(program, role, limits, scratch);
            return observed.map(|observation| Observation {
                program: index,
                ..observation
            });
        }
        let nothing = Duration::ZERO;
        let warm = self.family().warm.as_ref().ok_or(nothing)?;
        let text = &program.source().text;
        if !self.reads_on()
            || self.keeps_answers()
            || program.files.len() > 1
            || text.len() > TEXT_BYTES / 2
        {
            return Err(nothing);
        }
        let waiting = self.waiting.take();
        let waiting = waiting.or_else(|| self.stay(warm, limits, scratch));
        let mut process = waiting.ok_or(nothing)?;
        let hash = blake3::hash(text).to_hex();
        let mark = format!("lydite-{}-end", &hash[..16]);
        let mut told = text.to_vec();
        told.extend_from_slice(behind(warm, &mark).as_bytes());
        let within = (limits.wall, limits.busy);
        let (ended, stays) = process.dialogue.tell(&told, &mark, within).ok_or(nothing)?;
        if stays {
            self.waiting.put(process);
        }
        let cpu = ended.cpu;
        self.read_kept(ended, index, role, limits).ok_or(cpu)
    }

    fn stay(&self, warm: &Warm, limits: &RunLimits, scratch: &Scratch) -> Option<StayingProcess> {
        let step = self.steps().first()?;
        let words = step.argv.iter().flat_map(|word| match word.as_str() {
            "{file}" => warm.stay.clone(),
            _ => vec![word.clone()],
        });
        let step = Step {
            argv: words.collect(),
            stdin: false,
            program: step.program,
        };
        let argv = self.argv(&step, &self.family().run.file, OUT, limits);
        StayingProcess::start(self, argv, limits, PROGRAMS, scratch)
    }

    /// What a process that stays said of one program, if that can be taken.
    fn read_kept(
        &self,
        ended: Ended,
        index: usize,
        role: Role,
        limits: &RunLimits,
    ) -> Option<Observation> {
        let frame = Frame {
            kind: self.kind(),
            program: false,
            memory_bytes: None,
        };
        let outcome = read_outcome(self.reading(), &ended, &frame);
        let observation = Observation {
            outcome,
            exit: ended.exit,
            wall: ended.wall,
            cpu: ended.cpu,
            stdout: ended.stdout,
            stderr: ended.stderr,
            ..self.nothing_seen(index, role)
        };
        let is_plain = match &observation.outcome {
            Outcome::Answered(_) | Outcome::Undecided => !observation.stdout.truncated(),
            Outcome::Rejected(_) | Outcome::Unsupported(_) => true,
            Outcome::TimedOut => used_up(&observation, limits),
            _ => false,
        };
        is_plain.then_some(observation)
    }
}
