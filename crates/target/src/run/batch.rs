//! Many programs in one process: warm runs, by one text or by requests
//! (`serve.rs`).
//!
//! What a family's `[warm]` says is put behind each program: a line that tells
//! the outputs apart, and what makes the next program a fresh start. Starting
//! up is most of what a small program costs.
//!
//! A process that has seen other programs may be in a state that a fresh one
//! is not, so only plain answers are taken from a batch. Whatever else happens
//! (an error, a crash, the end of the time) is left to a cold run, and the
//! programs behind it go to the next process.

use std::ffi::OsString;
use std::time::Duration;

use lydite_core::{Capture, Exit, Observation, Outcome, Program, Role};

use super::{NOTHING_SPENT, OUT, RunLimits, Target};
use crate::family::Warm;
use crate::read::{Frame, read_outcome};
use lydite_process::{Command, Ended, Scratch};

/// A process that answers fewer programs was not worth its start.
const WORTH: usize = 3;

/// After so many processes of that kind the rest is run cold.
const MOST_IN_VAIN: u32 = 2;

impl Target {
    /// True if it can run this program and others in one process, and no kept answers make runs
    /// needless.
    pub fn takes_batches_with(&self, program: &Program) -> bool {
        let Some(warm) = &self.family().warm else {
            return false;
        };
        let joins = self.steps().len() == 1 && program.files.len() == 1;
        !self.keeps_answers() && (joins && !warm.mark.is_empty() || self.serves())
    }

    /// True if one process of it answers many requests: a driver of ours does.
    pub fn serves(&self) -> bool {
        let warm = self.family().warm.as_ref();
        warm.is_some_and(|warm| !warm.serve.is_empty()) && self.installed().get.driver.is_some()
    }

    /// Runs all of `programs` in one process; if they are put into one text,
    /// within the limits of one run. Gives what was answered plainly; what is
    /// missing needs a run of its own. Times are those of the batch, divided.
    pub fn observe_batch(
        &self,
        programs: &[&Program],
        role: Role,
        limits: &RunLimits,
        scratch: &Scratch,
    ) -> Vec<Option<Observation>> {
        let nothing = || programs.iter().map(|_| None).collect();
        let Some(warm) = &self.family().warm else {
            return nothing();
        };
        if self.serves() {
            return self.observe_served(programs, role, limits, scratch);
        }
        let mut observations: Vec<Option<Observation>> = Vec::new();
        let mut in_vain = 0;
        while observations.len() < programs.len() && in_vain < MOST_IN_VAIN {
            let rest = &programs[observations.len()..];
            let answered = self.observe_joined(rest, warm, role, limits, scratch);
            in_vain += u32::from(answered.len() < WORTH);
            observations.extend(answered.into_iter().map(Some));
            // The next one ended in another way: it needs a run of its own, and
            // those behind it a process that has not seen it.
            if observations.len() < programs.len() {
                observations.push(None);
            }
        }
        observations.resize_with(programs.len(), || None);
        observations
    }

    /// What one process says of the first of `programs`, as far as it answers
    /// plainly.
    fn observe_joined(
        &self,
        programs: &[&Program],
        warm: &Warm,
        role: Role,
        limits: &RunLimits,
        scratch: &Scratch,
    ) -> Vec<Observation> {
        let (joined, marks) = join(programs, warm);
        let Some(ended) = self.run_joined(joined, limits, scratch) else {
            return Vec::new();
        };
        if ended.stdout.truncated() || !ended.stderr.head.is_empty() {
            return Vec::new();
        }
        let outputs = split(&ended.stdout.head, &marks);
        // One more than it came to the end of was begun.
        let begun = programs.len().min(outputs.len() + 1);
        let share = |time: Duration| time / u32::try_from(begun).unwrap_or(u32::MAX);
        let (wall, cpu) = (share(ended.wall), share(ended.cpu));
        outputs
            .into_iter()
            .map_while(|output| self.read_part(output, role, wall, cpu))
            .collect()
    }

    fn run_joined(&self, joined: Vec<u8>, limits: &RunLimits, scratch: &Scratch) -> Option<Ended> {
        let folder = scratch.folder().ok()?;
        let file = &self.family().run.file;
        self.place(&Program::single(file.clone(), joined), folder.path())
            .ok()?;
        let step = self.steps().first()?;
        let argv = self.argv(step, file, OUT, limits);
        let argv: Vec<OsString> = argv.into_iter().map(OsString::from).collect();
        let source = folder.path().join(file);
        lydite_process::run(&Command {
            argv: &argv,
            dir: folder.path(),
            stdin: step.stdin.then_some(source.as_path()),
            env: &self.environment(),
            limits: &self.process_limits(limits, NOTHING_SPENT),
        })
        .ok()
    }

    /// The output of one program, if it is a plain answer.
    fn read_part(
        &self,
        output: &[u8],
        role: Role,
        wall: Duration,
        cpu: Duration,
    ) -> Option<Observation> {
        let stdout = Capture::whole(output);
        let ended = Ended {
            exit: Exit::Status(0),
            cut: None,
            wall,
            cpu,
            peak_kb: 0,
            stdout: stdout.clone(),
            stderr: Capture::default(),
        };
        let frame = Frame {
            kind: self.kind(),
            program: false,
            memory_bytes: None,
        };
        let outcome = read_outcome(self.reading(), &ended, &frame);
        let plain = matches!(outcome, Outcome::Answered(_) | Outcome::Undecided);
        plain.then(|| Observation {
            program: 0,
            target: self.name.clone(),
            role,
            outcome,
            exit: Exit::Status(0),
            wall,
            cpu,
            peak_kb: 0,
            stdout,
            stderr: Capture::default(),
            promises: self.promises(),
        })
    }
}

/// The programs in one text, and the marks that end their outputs. A mark
/// depends on all of the text, so that no program holds it.
fn join(programs: &[&Program], warm: &Warm) -> (Vec<u8>, Vec<String>) {
    let mut hasher = blake3::Hasher::new();
    for program in programs {
        hasher.update(&program.source().text);
    }
    let hash = hasher.finalize().to_hex();
    let (mut joined, mut marks) = (Vec::new(), Vec::new());
    for (number, program) in programs.iter().enumerate() {
        let mark = format!("lydite-{}-{number}-end", &hash[..16]);
        joined.extend_from_slice(&program.source().text);
        joined.extend_from_slice(behind(warm, &mark).as_bytes());
        marks.push(mark);
    }
    (joined, marks)
}

/// What stands behind a program: it prints the mark, and makes the next one a fresh start.
pub(super) fn behind(warm: &Warm, mark: &str) -> String {
    format!("\n{}\n{}\n", warm.mark.replace("{mark}", mark), warm.reset)
}

/// The outputs before each mark, as far as they go: each mark stands on a
/// line, perhaps quoted.
fn split<'a>(output: &'a [u8], marks: &[String]) -> Vec<&'a [u8]> {
    let mut parts = Vec::new();
    let (mut from, mut at) = (0, 0);
    let mut marks = marks.iter();
    let mut mark = marks.next();
    for line in output.split_inclusive(|byte| *byte == b'\n') {
        let text = String::from_utf8_lossy(line);
        if let Some(wanted) = mark
            && text.trim().trim_matches('"') == wanted
        {
            parts.push(&output[from..at]);
            from = at + line.len();
            mark = marks.next();
        }
        at += line.len();
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn warm() -> Warm {
        Warm {
            mark: "(echo \"{mark}\")".to_string(),
            reset: "(reset)".to_string(),
            ..Warm::default()
        }
    }

    #[test]
    fn outputs_are_told_apart_by_marks_that_no_program_holds() {
        let program = |text: &str| Program::single("a", text.as_bytes().to_vec());
        let programs = [program("(check-sat)"), program("(echo \"x\")"), program("")];
        let (joined, marks) = join(&programs.iter().collect::<Vec<_>>(), &warm());
        let joined = String::from_utf8(joined).unwrap();
        assert_eq!(joined.matches("(reset)").count(), 3);
        assert_eq!(marks.len(), 3);
        let output = format!("sat\n{}\n\"{}\"\nunsat\n", marks[0], marks[1]);
        let parts = split(output.as_bytes(), &marks);
        assert_eq!(parts, [b"sat\n".as_slice(), b""]);
        // The marks of another batch, and marks out of order, are output.
        let other = join(&[&programs[0]], &warm()).1;
        assert!(split(format!("{}\n", other[0]).as_bytes(), &marks).is_empty());
        assert!(split(format!("{}\n", marks[1]).as_bytes(), &marks).is_empty());
    }
}
