//! What was seen when a target ran a program.

use std::fmt;
use std::time::Duration;

use crate::{Answer, TargetName};

/// The result of one run, as the target's file tells us to read it.
/// A target's failure is data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It answered.
    Answered(Answer),
    /// It says that it does not know.
    Undecided,
    /// It refuses the program; its message.
    Rejected(String),
    /// It says that it does not support something in the program; its
    /// message. Not in the first design: kept apart from `Rejected` since a
    /// missing feature is never a bug, a wrong rejection may be.
    Unsupported(String),
    /// It died of a signal, an assertion, an internal error; the site.
    Crashed(String),
    /// Its own check of its own answer failed (an invalid model, a wrong
    /// proof); the message.
    SelfRefuted(String),
    /// It used up its wall or CPU time.
    TimedOut,
    /// It used up its memory.
    OutOfMemory,
    /// We could not make sense of the run; why.
    Unusable(String),
    /// It ended by itself and said nothing that its rules can read: with
    /// which status, and what it printed instead. The case's doing as far as
    /// anybody knows, so it is counted and shown, and never ends a campaign.
    NoAnswer(String),
}

/// How the last process of a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// By itself, with a status.
    Status(i32),
    /// By a signal.
    Signal(i32),
    /// It never started.
    NotStarted,
}

/// What was kept of an output stream: the beginning and, if it was longer
/// than the cap, the end.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Capture {
    /// The first bytes.
    pub head: Vec<u8>,
    /// The last bytes, if some in between were dropped.
    pub tail: Vec<u8>,
    /// How many bytes were dropped between the two.
    pub dropped: u64,
}

/// Why a target takes part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Role {
    /// It is under test.
    Tested,
    /// It is there to be compared with; its speed is the yardstick.
    Reference,
}

/// One run of one target on one program of the case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Observation {
    /// Index into [`crate::Case::programs`].
    pub program: usize,
    /// The target that ran.
    pub target: TargetName,
    /// Why it took part.
    pub role: Role,
    /// How it ended, read by the target's rules.
    pub outcome: Outcome,
    /// How the process ended.
    pub exit: Exit,
    /// Wall time of all steps.
    pub wall: Duration,
    /// User and system time of all steps, children included.
    pub cpu: Duration,
    /// The largest resident size, in kilobytes.
    pub peak_kb: u64,
    /// Standard output of the last step that ran.
    pub stdout: Capture,
    /// Standard error of the last step that ran.
    pub stderr: Capture,
    /// What it promises, by its version and the options that it ran with, in the words of its
    /// target's file.
    pub promises: Vec<String>,
}

/// All observations of one case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// The wall limit that every run had.
    pub timeout: Duration,
    /// In the order of the plan's targets, programs in order within a target.
    pub observations: Vec<Observation>,
}

impl Table {
    /// The observations of one program.
    pub fn of_program(&self, program: usize) -> impl Iterator<Item = &Observation> {
        self.observations
            .iter()
            .filter(move |observation| observation.program == program)
    }
}

impl Outcome {
    /// A short stable name, for counts and JSON.
    pub fn name(&self) -> &'static str {
        match self {
            Outcome::Answered(_) => "answered",
            Outcome::Undecided => "undecided",
            Outcome::Rejected(_) => "rejected",
            Outcome::Unsupported(_) => "unsupported",
            Outcome::Crashed(_) => "crashed",
            Outcome::SelfRefuted(_) => "self-refuted",
            Outcome::TimedOut => "timed-out",
            Outcome::OutOfMemory => "out-of-memory",
            Outcome::Unusable(_) => "unusable",
            Outcome::NoAnswer(_) => "no-answer",
        }
    }

    /// All names, in the order in which counts are shown. Stores keep their
    /// numbers: new ones come last.
    pub const NAMES: [&'static str; 10] = [
        "answered", "undecided", "rejected", "unsupported", "crashed", "self-refuted", "timed-out",
        "out-of-memory", "unusable", "no-answer",
    ];

    /// The answer, if there is one.
    pub fn answer(&self) -> Option<&Answer> {
        match self {
            Outcome::Answered(answer) => Some(answer),
            _ => None,
        }
    }

    /// The message that comes with the outcome, if any.
    pub fn message(&self) -> Option<&str> {
        match self {
            Outcome::Rejected(text)
            | Outcome::Unsupported(text)
            | Outcome::Crashed(text)
            | Outcome::SelfRefuted(text)
            | Outcome::Unusable(text)
            | Outcome::NoAnswer(text) => Some(text),
            _ => None,
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self, self.message()) {
            (Outcome::Answered(answer), _) => write!(f, "{answer}"),
            (_, Some(message)) => write!(f, "{}: {message}", self.name()),
            _ => f.write_str(self.name()),
        }
    }
}

impl Capture {
    /// A capture of a whole short stream.
    pub fn whole(bytes: impl Into<Vec<u8>>) -> Capture {
        Capture {
            head: bytes.into(),
            ..Capture::default()
        }
    }

    /// True if bytes were dropped.
    pub fn truncated(&self) -> bool {
        self.dropped > 0
    }

    /// What was kept, as text, with a line that says how much is missing.
    pub fn text(&self) -> String {
        let mut text = String::from_utf8_lossy(&self.head).into_owned();
        if self.truncated() {
            text.push_str(&format!("\n[... {} bytes dropped ...]\n", self.dropped));
            text.push_str(&String::from_utf8_lossy(&self.tail));
        }
        text
    }
}

impl fmt::Debug for Capture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Capture({:?})", self.text())
    }
}
