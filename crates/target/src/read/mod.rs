//! From how a process ended and what it printed to an [`Outcome`].
//!
//! Pure: the rules come from the target file, the facts from the run. The
//! order of the rules is the order of trust. What we did to the process comes
//! first, then what it says of its limits, then a failure of its own, then
//! what it cannot do, then any other death, and only then its answer; so a verdict that was printed before a
//! crash is no answer.

mod rules;
mod sanitizer;
mod site;

use std::sync::{Arc, LazyLock};

use anyhow::{Context, Result};
use lydite_core::{Answer, Exit, Outcome, Verdict};
use regex::Regex;

use lydite_process::{Cut, Ended};
pub use rules::{AnswerKind, Messages, Normalise, Read};

/// The rules of a target file, ready for use.
#[derive(Clone, Debug)]
pub struct Reading {
    messages: Messages,
    out_of_memory: Vec<Regex>,
    timed_out: Vec<Regex>,
    fatal: Vec<Regex>,
    unsupported: Vec<Regex>,
    self_refuted: Vec<Regex>,
    crash: Vec<Regex>,
    harmless: Vec<Regex>,
    rejected: Vec<Regex>,
    undecided: Vec<Regex>,
    undefined: Vec<Regex>,
    /// Over bytes: what a program prints need not be text.
    normalise: Vec<(regex::bytes::Regex, String)>,
}

/// What else the reading of one step depends on.
#[derive(Clone, Copy, Debug)]
pub struct Frame {
    /// What an answer of this step looks like.
    pub kind: AnswerKind,
    /// True if the process is the program that the target made.
    pub program: bool,
    /// The memory limit, if there is one.
    pub memory_bytes: Option<u64>,
}

/// How the dynamic linker and the machines of languages run out of memory, which they
/// do on behalf of any target.
static STARVED: LazyLock<Vec<Regex>> = LazyLock::new(|| {
    [
        r"cannot allocate memory for thread-local data",
        r"error while loading shared libraries: .*(?:[Cc]annot allocate memory|failed to map segment|cannot create)",
        r"terminate called after throwing an instance of 'std::(?:bad_alloc|bad_array_new_length)'",
        r"(?m)^memory allocation of \d+ bytes failed",
        r"(?m)^(?:Exception in thread .*|Caused by: )?java\.lang\.OutOfMemoryError",
        r"(?m)^fatal error: (?:runtime: )?(?:out of memory|cannot allocate memory)",
        r"(?m)^FATAL ERROR: .*JavaScript heap out of memory",
        r"(?m)ERROR: \w+Sanitizer:? (?:out of memory|failed to allocate)",
    ]
    .into_iter()
    .map(|pattern| Regex::new(pattern).expect("the patterns of this table are checked by a test"))
    .collect()
});

/// How long a quoted message may be.
const MESSAGE_CHARS: usize = 300;

impl Reading {
    /// Compiles the rules.
    pub fn new(rules: &Read) -> Result<Reading> {
        let list = |name: &str, patterns: &[String]| -> Result<Vec<Regex>> {
            let compiled = patterns.iter().map(|pattern| multi_line(pattern));
            let compiled: Result<Vec<Regex>, regex::Error> = compiled.collect();
            compiled.with_context(|| format!("`read.{name}`"))
        };
        let normalise = rules.normalise.iter().map(|rule| {
            let mut regex = regex::bytes::RegexBuilder::new(&rule.pattern);
            let regex = regex.multi_line(true).build().context("`read.normalise`")?;
            Ok((regex, rule.replace.clone()))
        });
        Ok(Reading {
            messages: rules.messages,
            out_of_memory: list("out-of-memory", &rules.out_of_memory)?,
            timed_out: list("timed-out", &rules.timed_out)?,
            fatal: list("fatal", &rules.fatal)?,
            unsupported: list("unsupported", &rules.unsupported)?,
            self_refuted: list("self-refuted", &rules.self_refuted)?,
            crash: list("crash", &rules.crash)?,
            harmless: list("harmless", &rules.harmless)?,
            rejected: list("rejected", &rules.rejected)?,
            undecided: list("undecided", &rules.undecided)?,
            undefined: list("undefined", &rules.undefined)?,
            normalise: normalise.collect::<Result<_>>()?,
        })
    }
}

fn multi_line(pattern: &str) -> Result<Regex, regex::Error> {
    regex::RegexBuilder::new(pattern).multi_line(true).build()
}

/// Reads one step of a run.
pub fn read_outcome(reading: &Reading, ended: &Ended, frame: &Frame) -> Outcome {
    if let Some(outcome) = read_cut(ended) {
        return outcome;
    }
    if died_at_limit(ended, frame) {
        return Outcome::OutOfMemory;
    }
    let messages = messages(reading, ended, frame);
    let spoken = if frame.program {
        read_program_messages(reading, &messages)
    } else if frame.kind != AnswerKind::Verdicts && ended.exit == Exit::Status(0) {
        // It did what it was asked to do; whatever it says is a remark, or
        // the words of the program that it ran.
        None
    } else {
        read_messages(reading, &messages, &ended.stderr.text())
    };
    if let Some(outcome) = spoken {
        return outcome;
    }
    if let Some(outcome) = read_signal(&messages, ended, frame) {
        return outcome;
    }
    if ended.stdout.truncated() {
        let kept = ended.stdout.head.len() + ended.stdout.tail.len();
        let printed = kept as u64 + ended.stdout.dropped;
        return Outcome::Unusable(format!("printed {printed} bytes, more than are kept"));
    }
    match frame.kind {
        AnswerKind::Verdicts => read_verdicts(reading, &messages, ended),
        AnswerKind::Output => read_output(reading, &messages, ended, frame),
        AnswerKind::Accepted => read_acceptance(reading, &messages, ended),
        AnswerKind::Program | AnswerKind::Code => read_written(reading, &messages, ended, frame),
    }
}

/// What we did to the process.
fn read_cut(ended: &Ended) -> Option<Outcome> {
    if ended.exit == Exit::NotStarted {
        return Some(Outcome::Unusable("did not start".to_string()));
    }
    Some(match ended.cut? {
        Cut::WallTime | Cut::CpuTime => Outcome::TimedOut,
        Cut::Memory => Outcome::OutOfMemory,
        Cut::FileSize => Outcome::Unusable("wrote a file larger than the limit".to_string()),
    })
}

/// A signal tells of a mistake of the process itself, or somebody else sent it: the
/// kernel that runs out of memory, an administrator, a limit that is not ours. A
/// program that a target made may mean any but the latter.
fn read_signal(messages: &str, ended: &Ended, frame: &Frame) -> Option<Outcome> {
    let Exit::Signal(signal) = ended.exit else {
        return None;
    };
    let of_others = match frame.program {
        true => site::is_of_others(signal),
        false => !site::is_fault(signal),
    };
    match (of_others, frame.program) {
        (true, _) => Some(Outcome::NoAnswer(format!(
            "ended by {}, which others send",
            site::signal_name(signal)
        ))),
        (false, true) => None,
        (false, false) => Some(Outcome::Crashed(site::of_death(messages, signal))),
    }
}

/// The target's own words. What a program prints on standard output is not
/// among them.
fn messages(reading: &Reading, ended: &Ended, frame: &Frame) -> String {
    let both = match frame.kind {
        AnswerKind::Output => reading.messages == Messages::Both && !frame.program,
        AnswerKind::Verdicts | AnswerKind::Accepted => true,
        AnswerKind::Program | AnswerKind::Code => false,
    };
    let mut text = String::new();
    if both {
        text.push_str(&ended.stdout.text());
        if !text.is_empty() && !text.ends_with('\n') {
            text.push('\n');
        }
    }
    text.push_str(&ended.stderr.text());
    // As it is written on other systems.
    match text.contains('\r') {
        true => text.replace("\r\n", "\n"),
        false => text,
    }
}

/// What the program's own machine says on standard error: that it was
/// stopped, or that its behaviour is not defined.
fn read_program_messages(reading: &Reading, messages: &str) -> Option<Outcome> {
    if matches_any(&reading.timed_out, messages) {
        return Some(Outcome::TimedOut);
    }
    first_match(&reading.undefined, messages).map(Outcome::Rejected)
}

fn read_messages(reading: &Reading, messages: &str, stderr: &str) -> Option<Outcome> {
    if matches_any(&reading.out_of_memory, messages) || matches_any(&STARVED, messages) {
        return Some(Outcome::OutOfMemory);
    }
    if matches_any(&reading.timed_out, messages) {
        return Some(Outcome::TimedOut);
    }
    if let Some(site) = site::of_patterns(&reading.fatal, messages) {
        return Some(Outcome::Crashed(site));
    }
    if let Some(line) = first_match(&reading.unsupported, messages) {
        return Some(Outcome::Unsupported(line));
    }
    if let Some(line) = first_match(&reading.self_refuted, messages) {
        return Some(Outcome::SelfRefuted(line));
    }
    let crash = site::of_patterns(&reading.crash, messages);
    // What a sanitizer reports of the target itself is its death, whatever
    // the status that it is told to end with. It writes to standard error; on the
    // other stream a script may say the same.
    crash
        .or_else(|| sanitizer::of_sanitizer(stderr))
        .map(Outcome::Crashed)
}

/// A process that dies with most of its memory in use died of that, whatever
/// the signal: allocations fail in places that do not check, or the kernel
/// kills it. Three quarters, since what is resident lags behind the address
/// space that is limited (libraries, arenas): 85 % was seen.
fn died_at_limit(ended: &Ended, frame: &Frame) -> bool {
    let near = |bytes: u64| ended.peak_kb.saturating_mul(1024) >= bytes / 4 * 3;
    matches!(ended.exit, Exit::Signal(_)) && frame.memory_bytes.is_some_and(near)
}

fn read_verdicts(reading: &Reading, messages: &str, ended: &Ended) -> Outcome {
    let mut harmless = 0;
    for line in messages.lines().filter(|line| is_error(line)) {
        if matches_any(&reading.harmless, line) {
            harmless += 1;
        } else {
            return Outcome::Rejected(site::shorten(line.trim(), MESSAGE_CHARS));
        }
    }
    let stdout = ended.stdout.text();
    let verdicts: Vec<Verdict> = stdout
        .lines()
        .filter_map(|line| verdict(reading, line.trim()))
        .collect();
    if verdicts.is_empty() {
        return without_verdict(reading, messages, ended);
    }
    let failed = !matches!(ended.exit, Exit::Status(0));
    if failed
        && harmless == 0
        && let Some(line) = first_match(&reading.rejected, messages)
    {
        return Outcome::Rejected(line);
    }
    if verdicts.iter().all(|verdict| *verdict == Verdict::Unknown) {
        return Outcome::Undecided;
    }
    Outcome::Answered(Answer::Verdicts(verdicts))
}

fn without_verdict(reading: &Reading, messages: &str, ended: &Ended) -> Outcome {
    if let Some(line) = first_match(&reading.rejected, messages) {
        return Outcome::Rejected(line);
    }
    if let Some(death) = death_by_status(messages, ended.exit) {
        return death;
    }
    let said = site::traceback(messages).unwrap_or_else(|| first_line(messages).to_string());
    let said = match said.as_str() {
        "" => "nothing".to_string(),
        line => format!("`{}`", site::shorten(line, MESSAGE_CHARS)),
    };
    Outcome::NoAnswer(match ended.exit {
        Exit::Status(0) => format!("gave no verdict, printed {said}"),
        Exit::Status(status) => format!("exit status {status}, printed {said}"),
        Exit::Signal(_) | Exit::NotStarted => format!("printed {said}"),
    })
}

/// A shell or a driver says by its own status of which signal the process
/// inside it died, and the machine of a language that nobody caught an error.
fn death_by_status(messages: &str, exit: Exit) -> Option<Outcome> {
    let Exit::Status(status) = exit else {
        return None;
    };
    let signal = status - 128;
    if site::is_fault(signal) {
        return Some(Outcome::Crashed(site::of_death(messages, signal)));
    }
    site::of_uncaught(messages, status).map(Outcome::Crashed)
}

/// Solvers print errors on a line of their own.
fn is_error(line: &str) -> bool {
    line.trim_start().starts_with("(error ")
}

/// `sat`, `unsat`, `unknown`, also with a reason: `unknown (INCOMPLETE)`.
fn verdict(reading: &Reading, line: &str) -> Option<Verdict> {
    let word = match line.split_once(" (") {
        Some(("unknown", reason)) if reason.ends_with(')') => "unknown",
        _ => line,
    };
    Verdict::from_name(word)
        .or_else(|| matches_any(&reading.undecided, line).then_some(Verdict::Unknown))
}

fn read_output(reading: &Reading, messages: &str, ended: &Ended, frame: &Frame) -> Outcome {
    let status = match ended.exit {
        Exit::Status(status) => status,
        // As a shell would say it.
        Exit::Signal(signal) => 128 + signal,
        Exit::NotStarted => return Outcome::Unusable("did not start".to_string()),
    };
    if status != 0
        && !frame.program
        && let Some(line) = first_match(&reading.rejected, messages)
    {
        return Outcome::Rejected(line);
    }
    if !frame.program
        && let Some(site) = site::of_uncaught(messages, status)
    {
        return Outcome::Crashed(site);
    }
    let mut text = ended.stdout.head.clone();
    for (pattern, replace) in &reading.normalise {
        let changed = pattern.replace_all(&text, replace.as_bytes());
        if let std::borrow::Cow::Owned(changed) = changed {
            text = changed;
        }
    }
    Outcome::Answered(Answer::Output {
        status,
        text: text.into(),
    })
}

/// What was written on standard output, if the step ended well.
fn read_written(reading: &Reading, messages: &str, ended: &Ended, frame: &Frame) -> Outcome {
    let text: Arc<[u8]> = ended.stdout.head.clone().into();
    match read_acceptance(reading, messages, ended) {
        Outcome::Answered(_) if frame.kind == AnswerKind::Code => {
            Outcome::Answered(Answer::Code { text })
        }
        Outcome::Answered(_) => Outcome::Answered(Answer::Program { text }),
        other => other,
    }
}

fn read_acceptance(reading: &Reading, messages: &str, ended: &Ended) -> Outcome {
    match ended.exit {
        Exit::Status(0) => Outcome::Answered(Answer::Accepted),
        Exit::Status(status) => {
            if let Some(line) = first_match(&reading.rejected, messages) {
                return Outcome::Rejected(line);
            }
            if let Some(death) = death_by_status(messages, ended.exit) {
                return death;
            }
            match first_line(messages) {
                "" => Outcome::NoAnswer(format!("exit status {status}, printed nothing")),
                line => Outcome::Rejected(site::shorten(line, MESSAGE_CHARS)),
            }
        }
        // Read before.
        Exit::Signal(_) | Exit::NotStarted => Outcome::Unusable("did not start".to_string()),
    }
}

fn matches_any(patterns: &[Regex], text: &str) -> bool {
    patterns.iter().any(|pattern| pattern.is_match(text))
}

/// What the first pattern that matches says: its groups named `site…`, else
/// the line in which it matches.
fn first_match(patterns: &[Regex], text: &str) -> Option<String> {
    let (pattern, found) = patterns
        .iter()
        .find_map(|pattern| Some((pattern, pattern.find(text)?)))?;
    if let Some(said) = site::of_groups(pattern, text) {
        return Some(said);
    }
    let start = text[..found.start()].rfind('\n').map_or(0, |at| at + 1);
    let line = text[start..].lines().next().unwrap_or("").trim();
    Some(site::shorten(line, MESSAGE_CHARS))
}

fn first_line(text: &str) -> &str {
    text.lines()
        .map(str::trim)
        .find(|line| !line.is_empty())
        .unwrap_or("")
}
