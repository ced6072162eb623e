//! A command that stays and answers many requests, each within limits.
//!
//! A request is one line on its standard input, `MARK WORDS`. What it prints
//! for it ends, on standard output and on standard error, with a line
//! `MARK STATUS`. Whatever else happens (it ends, runs out of time or memory)
//! ends the dialogue: a process in an unknown state is of no use.

use std::io::{self, Write};
use std::process::ChildStdin;
use std::time::{Duration, Instant};

use lydite_core::{Capture, Exit};

use super::command::{Command, Ended, Limits};
use super::pipes::Pipes;
use super::start::{self, Running};
use super::{procfs, sweep};

/// The end of the outputs is kept at least so far that a mark is seen.
const MARK_BYTES: usize = 256;

/// A started command that answers requests. Dropping it kills and reaps it,
/// and whatever it has started.
pub struct Dialogue {
    /// Dropped before the rest, so that nobody waits for a closed pipe.
    running: Running,
    stdin: ChildStdin,
    pipes: Pipes,
    limits: Limits,
    cpu: Duration,
}

impl Dialogue {
    /// Starts it. Wall time and memory are limits of each request, CPU time of
    /// all together.
    pub fn start(command: &Command) -> io::Result<Dialogue> {
        let limits = Limits {
            keep_tail: command.limits.keep_tail.max(MARK_BYTES),
            ..command.limits.clone()
        };
        let mut running = start::start_with_pipe(command)?;
        let stdin = running.child.stdin.take().ok_or_else(|| {
            io::Error::new(io::ErrorKind::BrokenPipe, "standard input is no pipe")
        })?;
        let pipes = Pipes::new(&mut running.child, &limits)?;
        Ok(Dialogue {
            running,
            stdin,
            pipes,
            limits,
            cpu: Duration::ZERO,
        })
    }

    /// Sends one request and returns what was printed for it; `None` if the dialogue is over.
    /// `mark` is a word that no output holds by chance.
    pub fn ask(&mut self, mark: &str, request: &str) -> Option<Ended> {
        if mark.is_empty() || mark.len() > MARK_BYTES / 2 || request.contains('\n') {
            return None;
        }
        let started = Instant::now();
        // A line is shorter than what a pipe holds, so this does not wait.
        let line = format!("{mark} {request}\n");
        self.stdin.write_all(line.as_bytes()).ok()?;
        let mut answered = |pipes: &Pipes| {
            let [stdout, stderr] = pipes.last(MARK_BYTES);
            status(&stdout, mark).is_some() && status(&stderr, mark).is_some()
        };
        let cut = self
            .pipes
            .follow(&self.running, &self.limits, started, &mut answered);
        let wall = started.elapsed();
        let [last, _] = self.pipes.last(MARK_BYTES);
        if cut.is_some() || !answered(&self.pipes) {
            return None;
        }
        let exit = Exit::Status(status(&last, mark)?);
        let (mut stdout, mut stderr) = self.pipes.take_captures(&self.limits);
        remove_last_line(&mut stdout);
        remove_last_line(&mut stderr);
        let members = sweep::members(self.running.ticket());
        let cpu = procfs::cpu_time(&members);
        let spent = cpu.saturating_sub(self.cpu);
        self.cpu = cpu;
        Some(Ended {
            exit,
            cut: None,
            wall,
            cpu: spent,
            peak_kb: 0,
            stdout,
            stderr,
        })
    }
}

/// The status of the line `MARK STATUS`, if that is what the output ends with.
fn status(last: &[u8], mark: &str) -> Option<i32> {
    let line = last.strip_suffix(b"\n")?;
    let start = line.iter().rposition(|byte| *byte == b'\n');
    let line = std::str::from_utf8(&line[start.map_or(0, |at| at + 1)..]).ok()?;
    line.strip_prefix(mark)?.strip_prefix(' ')?.parse().ok()
}

fn remove_last_line(capture: &mut Capture) {
    let bytes = match capture.dropped {
        0 => &mut capture.head,
        _ => &mut capture.tail,
    };
    let line = bytes.strip_suffix(b"\n").unwrap_or(bytes);
    let start = line.iter().rposition(|byte| *byte == b'\n');
    bytes.truncate(start.map_or(0, |at| at + 1));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_whole_last_line_is_a_mark() {
        for (output, expected) in [
            ("m1 0\n", Some(0)),
            ("text\nm1 70\n", Some(70)),
            ("m1 0", None),
            ("m1 0\nmore\n", None),
            ("m2 0\n", None),
            ("m1 x\n", None),
            ("xm1 0\n", None),
            ("", None),
        ] {
            assert_eq!(status(output.as_bytes(), "m1"), expected, "{output:?}");
        }
    }

    #[test]
    fn the_mark_is_no_part_of_the_output() {
        for (output, rest) in [("m1 0\n", ""), ("a\nb\nm1 0\n", "a\nb\n"), ("", "")] {
            let mut capture = Capture::whole(output.as_bytes());
            remove_last_line(&mut capture);
            assert_eq!(capture.text(), rest);
        }
    }
}
