//! The table `[read]` of a target file: what words of a target mean.

use serde::{Deserialize, Serialize};

/// What an answer looks like.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AnswerKind {
    /// Lines `sat`, `unsat`, `unknown`.
    #[default]
    Verdicts,
    /// Exit status and standard output of the last step.
    Output,
    /// Success of the last step.
    Accepted,
    /// A program that means the same as the one that was read: the standard
    /// output of the last step.
    Program,
    /// What code was made, in words: the standard output of the last step.
    Code,
}

/// Where a target's own messages are found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Messages {
    /// On both streams.
    #[default]
    Both,
    /// On standard error only: standard output belongs to the program.
    Stderr,
}

/// How output is read: regular expressions, case-sensitive, multi-line
/// (`^` and `$` match at lines), tried in the order of the fields.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Read {
    /// What an answer looks like.
    #[serde(default)]
    pub kind: AnswerKind,
    /// Where the messages of the last step are found.
    #[serde(default)]
    pub messages: Messages,
    /// The target used up its memory.
    #[serde(default)]
    pub out_of_memory: Vec<String>,
    /// The target used up its time.
    #[serde(default)]
    pub timed_out: Vec<String>,
    /// The target died of a failure of its own, whatever else its words say.
    /// Groups named `site…` make the site.
    #[serde(default)]
    pub fatal: Vec<String>,
    /// The target lacks a feature. Tried before `crash`: some targets abort
    /// on what they do not support.
    #[serde(default)]
    pub unsupported: Vec<String>,
    /// The target's own check refuted its answer.
    #[serde(default)]
    pub self_refuted: Vec<String>,
    /// The target died. Groups named `site…` make the site.
    #[serde(default)]
    pub crash: Vec<String>,
    /// Messages that mean nothing.
    #[serde(default)]
    pub harmless: Vec<String>,
    /// The target refuses the program.
    #[serde(default)]
    pub rejected: Vec<String>,
    /// The target does not know.
    #[serde(default)]
    pub undecided: Vec<String>,
    /// The program that the target made has no defined behaviour, as a
    /// sanitizer says on standard error: the program is refused.
    #[serde(default)]
    pub undefined: Vec<String>,
    /// Rewriting of the output before it is compared.
    #[serde(default)]
    pub normalise: Vec<Normalise>,
}

/// One rewriting of a program's output.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Normalise {
    /// What to look for.
    pub pattern: String,
    /// What to put there; `$1` is the first group.
    pub replace: String,
}
