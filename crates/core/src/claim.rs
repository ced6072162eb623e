//! What is known of a case, and the answers that it speaks of.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// The answer to one question put to a solver.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// Satisfiable.
    Sat,
    /// Unsatisfiable.
    Unsat,
    /// The target does not know; agrees with everything.
    Unknown,
}

/// What a target says of a program.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Answer {
    /// A solver's verdicts, one per question, in order.
    Verdicts(Vec<Verdict>),
    /// What the program did when it was run: exit status and standard output,
    /// normalised as the target's file says.
    Output {
        /// The exit status of the last step.
        status: i32,
        /// Standard output of the last step.
        #[serde(with = "bytes_as_text")]
        text: Arc<[u8]>,
    },
    /// A program that the target wrote, which has to mean the same as the one
    /// that it read: what a formatter prints.
    Program {
        /// The text of the program's source.
        #[serde(with = "bytes_as_text")]
        text: Arc<[u8]>,
    },
    /// The code that the target made, in words: equal for programs that are
    /// the same but for names of files, comments and layout. Lists with
    /// another first line do not compare.
    Code {
        /// How it was made on the first line, then a line for each part.
        #[serde(with = "bytes_as_text")]
        text: Arc<[u8]>,
    },
    /// The target took the program; nothing more is known.
    Accepted,
}

/// What a strategy knows of the case it made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Claim {
    /// Nothing.
    Silent,
    /// Every processor accepts it.
    Accepted,
    /// Every processor must refuse it.
    Rejected,
    /// The answer of every program of the case.
    Answers(Answer),
    /// All programs of the case have the same answer.
    Equivalent,
    /// Every processor accepts all programs of the case, and they have the same answer.
    AcceptedEquivalent,
    /// The first program asks one question; the others ask the same with a
    /// restriction each, and the restrictions leave nothing out: the first is
    /// sat if and only if one of the others is.
    Partition,
    /// Each program is implied by the one before it; the answer of all of
    /// them, if it is known.
    Weakens(Option<Answer>),
    /// Each program implies the one before it; the answer of all of them, if
    /// it is known.
    Strengthens(Option<Answer>),
}

impl Claim {
    /// The answer that is known of every program of the case.
    pub fn answer(&self) -> Option<&Answer> {
        match self {
            Claim::Answers(answer) => Some(answer),
            Claim::Weakens(answer) | Claim::Strengthens(answer) => answer.as_ref(),
            _ => None,
        }
    }

    /// True if every processor has to accept the programs.
    pub fn is_acceptance(&self) -> bool {
        let is_output = matches!(self.answer(), Some(Answer::Output { .. }));
        // A program of which it is known what it puts out is a valid one, too.
        is_output || matches!(self, Claim::Accepted | Claim::AcceptedEquivalent)
    }

    /// True if all programs are claimed to have the same answer, which is not known.
    pub fn is_equivalence(&self) -> bool {
        matches!(self, Claim::Equivalent | Claim::AcceptedEquivalent)
    }

    /// What is claimed of one of the programs alone.
    pub fn of_one(&self) -> Claim {
        match self {
            Claim::Weakens(Some(answer)) | Claim::Strengthens(Some(answer)) => {
                Claim::Answers(answer.clone())
            }
            Claim::Answers(answer) => Claim::Answers(answer.clone()),
            Claim::AcceptedEquivalent => Claim::Accepted,
            _ => Claim::Silent,
        }
    }
}

impl Answer {
    /// True if the two answers cannot both be right for one program.
    pub fn contradicts(&self, other: &Answer) -> bool {
        match (self, other) {
            (Answer::Verdicts(one), Answer::Verdicts(other)) => {
                let mut pairs = one.iter().zip(other);
                one.len() == other.len() && pairs.any(|(one, other)| one.contradicts(*other))
            }
            _ => self != other,
        }
    }
}

impl Verdict {
    /// The verdict's name, as solvers print it.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Sat => "sat",
            Verdict::Unsat => "unsat",
            Verdict::Unknown => "unknown",
        }
    }

    /// Reads what solvers print.
    pub fn from_name(name: &str) -> Option<Verdict> {
        [Verdict::Sat, Verdict::Unsat, Verdict::Unknown]
            .into_iter()
            .find(|verdict| verdict.name() == name)
    }

    /// True if one says sat and the other unsat.
    pub fn contradicts(self, other: Verdict) -> bool {
        self != other && self != Verdict::Unknown && other != Verdict::Unknown
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Bytes in JSON as a string with one character (U+0000 to U+00FF) per byte:
/// exact, and readable where the bytes are ASCII.
mod bytes_as_text {
    use std::sync::Arc;

    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub(super) fn serialize<S: Serializer>(bytes: &Arc<[u8]>, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(
            &bytes
                .iter()
                .map(|&byte| char::from(byte))
                .collect::<String>(),
        )
    }

    pub(super) fn deserialize<'a, D: Deserializer<'a>>(from: D) -> Result<Arc<[u8]>, D::Error> {
        let text = String::deserialize(from)?;
        let byte = |c: char| u8::try_from(u32::from(c)).map_err(D::Error::custom);
        text.chars().map(byte).collect()
    }
}

/// How many bytes of a program's output are shown where an answer is named.
pub(crate) const SHOWN_BYTES: usize = 60;

/// The first bytes of a text, in quotes.
fn shown(text: &[u8]) -> String {
    let part = &text[..text.len().min(SHOWN_BYTES)];
    let dots = if part.len() < text.len() { "…" } else { "" };
    format!("\"{}{dots}\"", part.escape_ascii())
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Answer::Accepted => f.write_str("accepted"),
            Answer::Verdicts(verdicts) => {
                let names: Vec<&str> = verdicts.iter().map(|verdict| verdict.name()).collect();
                f.write_str(&names.join(" "))
            }
            Answer::Output { status, text } => write!(f, "exit {status}, output {}", shown(text)),
            Answer::Program { text } => write!(f, "wrote {}", shown(text)),
            Answer::Code { text } => write!(f, "code {}", shown(text)),
        }
    }
}

impl fmt::Debug for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Answer({self})")
    }
}

impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Claim::Silent => f.write_str("silent"),
            Claim::Accepted => f.write_str("accepted"),
            Claim::Rejected => f.write_str("rejected"),
            Claim::Answers(answer) => write!(f, "{answer}"),
            Claim::Equivalent => f.write_str("equivalent"),
            Claim::AcceptedEquivalent => f.write_str("accepted equivalent"),
            Claim::Partition => f.write_str("partition"),
            Claim::Weakens(None) => f.write_str("weakens"),
            Claim::Weakens(Some(answer)) => write!(f, "weakens {answer}"),
            Claim::Strengthens(None) => f.write_str("strengthens"),
            Claim::Strengthens(Some(answer)) => write!(f, "strengthens {answer}"),
        }
    }
}

/// Why a text is not a claim.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "claim `{0}`: expected silent, accepted, rejected, equivalent, accepted equivalent, partition, weakens, \
     strengthens (the last two also with an answer: weakens sat), or one sat/unsat/unknown per question"
)]
pub struct ClaimError(pub String);

impl std::str::FromStr for Claim {
    type Err = ClaimError;

    /// Reads what [`Claim`] displays, except for claims about output.
    fn from_str(text: &str) -> Result<Claim, ClaimError> {
        let error = || ClaimError(text.to_string());
        if text == "accepted equivalent" {
            return Ok(Claim::AcceptedEquivalent);
        }
        let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
        let answer = match rest.trim() {
            "" => None,
            rest => Some(verdicts(rest).ok_or_else(error)?),
        };
        match (word, answer) {
            ("weakens", answer) => Ok(Claim::Weakens(answer)),
            ("strengthens", answer) => Ok(Claim::Strengthens(answer)),
            ("silent", None) => Ok(Claim::Silent),
            ("accepted", None) => Ok(Claim::Accepted),
            ("rejected", None) => Ok(Claim::Rejected),
            ("equivalent", None) => Ok(Claim::Equivalent),
            ("partition", None) => Ok(Claim::Partition),
            _ => verdicts(text).map(Claim::Answers).ok_or_else(error),
        }
    }
}

fn verdicts(text: &str) -> Option<Answer> {
    let words = text.split([' ', ',']).filter(|word| !word.is_empty());
    let verdicts: Option<Vec<Verdict>> = words.map(Verdict::from_name).collect();
    verdicts
        .filter(|verdicts| !verdicts.is_empty())
        .map(Answer::Verdicts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_claim_reads_back_what_it_shows() {
        for text in [
            "silent", "accepted", "rejected", "equivalent", "accepted equivalent", "partition",
            "weakens", "weakens sat", "strengthens", "strengthens unsat sat",
        ] {
            assert_eq!(text.parse::<Claim>().unwrap().to_string(), text);
        }
        let claim: Claim = "sat,unsat unknown".parse().unwrap();
        assert_eq!(claim.to_string(), "sat unsat unknown");
        for bad in ["", "satisfiable", "weakens it", "silent sat", "sat silent"] {
            assert!(bad.parse::<Claim>().is_err(), "{bad}");
        }
    }

    #[test]
    fn output_is_shown_escaped_and_short() {
        let answer = Answer::Output {
            status: 1,
            text: vec![0x1b; 100].into(),
        };
        let shown = answer.to_string();
        assert!(shown.starts_with("exit 1, output \"\\x1b"));
        assert!(shown.ends_with("…\""));
    }

    #[test]
    fn a_claim_survives_json_byte_for_byte() {
        let output = Answer::Output {
            status: -1,
            text: (0..=255u8).collect(),
        };
        for claim in [
            Claim::Equivalent,
            Claim::AcceptedEquivalent,
            Claim::Partition,
            Claim::Weakens(None),
            "strengthens unsat".parse().unwrap(),
            "sat unsat".parse().unwrap(),
            Claim::Answers(output),
        ] {
            let json = serde_json::to_string(&claim).unwrap();
            assert_eq!(
                serde_json::from_str::<Claim>(&json).unwrap(),
                claim,
                "{json}"
            );
        }
    }

    #[test]
    fn unknown_contradicts_nothing() {
        assert!(Verdict::Sat.contradicts(Verdict::Unsat));
        assert!(!Verdict::Sat.contradicts(Verdict::Unknown));
        assert!(!Verdict::Unsat.contradicts(Verdict::Unsat));
        let verdicts = |all: &[Verdict]| Answer::Verdicts(all.to_vec());
        let known = verdicts(&[Verdict::Sat, Verdict::Unsat]);
        assert!(known.contradicts(&verdicts(&[Verdict::Unknown, Verdict::Sat])));
        assert!(!known.contradicts(&verdicts(&[Verdict::Unknown, Verdict::Unsat])));
        assert!(!known.contradicts(&verdicts(&[Verdict::Unsat])));
    }
}
