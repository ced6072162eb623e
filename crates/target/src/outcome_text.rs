//! Outcomes as two texts, for stores: the name, and the answer or message.

use anyhow::{Result, bail};
use lydite_core::{Answer, Outcome};

/// The answer (as JSON) or the message that comes with an outcome.
pub fn detail(outcome: &Outcome) -> Result<String> {
    Ok(match outcome {
        Outcome::Answered(answer) => serde_json::to_string(answer)?,
        other => other.message().unwrap_or_default().to_string(),
    })
}

/// The outcome of that name with that detail.
pub fn outcome(name: &str, detail: String) -> Result<Outcome> {
    Ok(match name {
        "answered" => Outcome::Answered(serde_json::from_str::<Answer>(&detail)?),
        "undecided" => Outcome::Undecided,
        "rejected" => Outcome::Rejected(detail),
        "unsupported" => Outcome::Unsupported(detail),
        "crashed" => Outcome::Crashed(detail),
        "self-refuted" => Outcome::SelfRefuted(detail),
        "timed-out" => Outcome::TimedOut,
        "out-of-memory" => Outcome::OutOfMemory,
        "unusable" => Outcome::Unusable(detail),
        "no-answer" => Outcome::NoAnswer(detail),
        _ => bail!("unknown outcome `{name}`"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_outcome_survives_a_store() {
        let text = || "sig\u{1b}nal".to_string();
        for one in [
            Outcome::Answered(Answer::Output {
                status: 3,
                text: (0..=255u8).collect(),
            }),
            Outcome::Answered(Answer::Program {
                text: (0..=255u8).collect(),
            }),
            Outcome::Answered(Answer::Code {
                text: (0..=255u8).rev().collect(),
            }),
            Outcome::Undecided,
            Outcome::Rejected(text()),
            Outcome::Unsupported(text()),
            Outcome::Crashed(text()),
            Outcome::SelfRefuted(text()),
            Outcome::TimedOut,
            Outcome::OutOfMemory,
            Outcome::Unusable(text()),
            Outcome::NoAnswer(text()),
        ] {
            assert!(Outcome::NAMES.contains(&one.name()));
            assert_eq!(outcome(one.name(), detail(&one).unwrap()).unwrap(), one);
        }
    }
}
