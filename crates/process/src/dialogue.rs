//! A command that stays and answers many requests, each within limits.
//!
//! A request is one line on its standard input, `MARK WORDS`. What it prints
//! for it ends, on standard output and on standard error, with a line
//! `MARK STATUS`. Whatever else happens (it ends, runs out of time or memory)
//! ends the dialogue: a process in an unknown state is of no use.
//!
//! A command that reads programs one after the other is told one ([`Dialogue::tell`]),
//! behind which stands what prints a mark.

use std::io::{self, Write};
use std::process::ChildStdin;
use std::time::{Duration, Instant};

use lydite_core::{Capture, Exit};

use super::command::{Command, Ended, Limits};
use super::pipes::{Pipes, Since};
use super::run::exit_of;
use super::start::{self, Running};
use super::{procfs, sweep};

/// The end of the outputs is kept at least so far that a mark is seen.
const MARK_BYTES: usize = 256;

/// A longer text is not told: a pipe has room for so much, and a little behind it.
pub const TEXT_BYTES: usize = 60 << 10;

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

    /// One request and what was printed for it, within this wall time and, if one is given,
    /// this CPU time. `mark` is a word that no output holds by chance.
    ///
    /// True if the dialogue goes on: an end or a cut that came before the mark is in what
    /// is given, and is the end of it. Nothing if the request cannot be written.
    pub fn ask(
        &mut self,
        mark: &str,
        request: &str,
        within: (Duration, Option<Duration>),
    ) -> Option<(Ended, bool)> {
        if mark.is_empty() || mark.len() > MARK_BYTES / 2 || request.contains('\n') {
            return None;
        }
        let line = format!("{mark} {request}\n");
        let (mut ended, goes_on) = self.follow(line.as_bytes(), within, &|pipes| {
            let [stdout, stderr] = pipes.last(MARK_BYTES);
            status(&stdout, mark).is_some() && status(&stderr, mark).is_some()
        })?;
        if goes_on {
            let (code, micros) = status(end(&ended.stdout), mark)?;
            ended.exit = Exit::Status(code);
            // What it says itself is exact.
            ended.cpu = micros.map_or(ended.cpu, Duration::from_micros);
            remove_last_line(&mut ended.stdout);
            remove_last_line(&mut ended.stderr);
        }
        Some((ended, goes_on))
    }

    /// Writes a text to its standard input, and gives what it prints until a line that is
    /// `mark`, perhaps quoted; like [`Dialogue::ask`].
    pub fn tell(
        &mut self,
        text: &[u8],
        mark: &str,
        within: (Duration, Option<Duration>),
    ) -> Option<(Ended, bool)> {
        if mark.is_empty() || mark.len() > MARK_BYTES / 2 || text.len() > TEXT_BYTES {
            return None;
        }
        let (mut ended, goes_on) = self.follow(text, within, &|pipes| {
            is_marked(&pipes.last(MARK_BYTES)[0], mark)
        })?;
        if goes_on {
            remove_last_line(&mut ended.stdout);
        }
        Some((ended, goes_on))
    }

    /// Writes to it and waits until what it printed is enough.
    fn follow(
        &mut self,
        text: &[u8],
        (wall, busy): (Duration, Option<Duration>),
        enough: &dyn Fn(&Pipes) -> bool,
    ) -> Option<(Ended, bool)> {
        let since = Since {
            at: Instant::now(),
            cpu: self.cpu,
        };
        // All that was written before has been read, so that this fits and does not wait.
        self.stdin.write_all(text).ok()?;
        let limits = Limits {
            wall,
            busy,
            ..self.limits.clone()
        };
        let mut is_enough = |pipes: &Pipes| enough(pipes);
        let cut = self
            .pipes
            .follow(&self.running, &limits, since, &mut is_enough);
        let wall = since.at.elapsed();
        if cut.is_none() && enough(&self.pipes) {
            let (stdout, stderr) = self.pipes.take_captures(&self.limits);
            let ended = Ended {
                exit: Exit::Status(0),
                cut: None,
                wall,
                cpu: self.spent(),
                peak_kb: 0,
                stdout,
                stderr,
            };
            return Some((ended, true));
        }
        // Children of it that live are in no bill.
        let processes = procfs::with_descendants(sweep::members(self.running.ticket()));
        let cpu = procfs::cpu_time(&processes);
        self.running.kill();
        sweep::sweep(Some(self.running.ticket()));
        self.pipes.drain();
        let used = self.running.reap()?;
        let cpu = cpu.max(used.rusage.utime + used.rusage.stime);
        let (stdout, stderr) = self.pipes.take_captures(&self.limits);
        let ended = Ended {
            exit: exit_of(used.status),
            cut,
            wall,
            cpu: cpu.saturating_sub(self.cpu),
            peak_kb: used.rusage.maxrss / 1024,
            stdout,
            stderr,
        };
        Some((ended, false))
    }

    /// The CPU time that it has used until its last answer, its start included.
    pub fn cpu(&self) -> Duration {
        self.cpu
    }

    /// The CPU time since it was asked for last.
    fn spent(&mut self) -> Duration {
        let cpu = procfs::cpu_time(&sweep::members(self.running.ticket()));
        let spent = cpu.saturating_sub(self.cpu);
        self.cpu = cpu.max(self.cpu);
        spent
    }
}

/// True if the last line that came is the mark.
fn is_marked(last: &[u8], mark: &str) -> bool {
    let Some(line) = last.strip_suffix(b"\n") else {
        return false;
    };
    let start = line.iter().rposition(|byte| *byte == b'\n');
    let line = &line[start.map_or(0, |at| at + 1)..];
    let line = std::str::from_utf8(line).unwrap_or_default();
    line.trim().trim_matches('"') == mark
}

/// The status of the line `MARK STATUS` or `MARK STATUS MICROSECONDS`, if that is what the
/// output ends with, and the CPU time.
fn status(last: &[u8], mark: &str) -> Option<(i32, Option<u64>)> {
    let line = last.strip_suffix(b"\n")?;
    let start = line.iter().rposition(|byte| *byte == b'\n');
    let line = std::str::from_utf8(&line[start.map_or(0, |at| at + 1)..]).ok()?;
    let mut words = line.strip_prefix(mark)?.strip_prefix(' ')?.split(' ');
    let code = words.next()?.parse().ok()?;
    let micros = words.next().map(str::parse).transpose().ok()?;
    words.next().is_none().then_some((code, micros))
}

/// The end of an output.
fn end(capture: &Capture) -> &[u8] {
    match capture.dropped {
        0 => &capture.head,
        _ => &capture.tail,
    }
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
            ("m1 0\n", Some((0, None))),
            ("text\nm1 70\n", Some((70, None))),
            ("text\nm1 70 1234\n", Some((70, Some(1234)))),
            ("m1 0 x\n", None),
            ("m1 0 1 2\n", None),
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
    fn a_mark_is_a_line_of_its_own_perhaps_quoted() {
        for (output, expected) in [
            ("m1\n", true),
            ("sat\n\"m1\"\n", true),
            ("m1", false),
            ("sat m1\n", false),
            ("m1\nsat\n", false),
            ("m2\n", false),
            ("", false),
        ] {
            assert_eq!(is_marked(output.as_bytes(), "m1"), expected, "{output:?}");
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
