//! Where two transcripts of a contract begin to differ.
//!
//! A transcript is what `lydite evm` tells: a line for each transaction
//! (`3 C0.f2(9): returned (5)`), with its events on lines below it, and lines
//! about the state at the end. All wrong outputs of a compiler would be one
//! finding, were it not for the kind of the first line that differs, and for
//! the parts of the compiler that were at work.

use crate::{Answer, TargetName};

/// What the first line that differs is about and which parts of the compiler
/// were at work: `ir optimizer: returned not reverted Panic(17)`. Nothing for
/// outputs that are no transcripts.
pub(super) fn site(target: &TargetName, known: &str, said: &str, newline: &str) -> Option<String> {
    let (mut known, mut said) = (known.split(newline), said.split(newline));
    let (known, said) = loop {
        match (known.next(), said.next()) {
            (None, None) => return None,
            (known, said) if known != said => break (known, said),
            _ => {}
        }
    };
    let kind = |line: Option<&str>| match line {
        None | Some("") => Some("nothing".to_string()),
        Some(line) => kind_of_line(line),
    };
    let (known, said) = (kind(known)?, kind(said)?);
    let what = match known == said {
        true => said,
        false => format!("{said} not {known}"),
    };
    Some(format!("{}: {what}", pipeline(target.variant.as_deref())))
}

/// A transcript without what it says of the state at the end: targets are
/// compared by it, a claim need not know it.
fn without_state(text: &[u8]) -> &[u8] {
    let mut end = text.len();
    while let Some(line) = text[..end].strip_suffix(b"\n") {
        let start = line.iter().rposition(|byte| *byte == b'\n');
        let start = start.map_or(0, |at| at + 1);
        if !line[start..].starts_with(b"state ") {
            break;
        }
        end = start;
    }
    &text[..end]
}

/// What a claim speaks of in what was said: a claim that does not know the
/// state at the end is not compared by it.
pub(super) fn claimed_part<'a>(known: &[u8], said: &'a [u8]) -> &'a [u8] {
    match without_state(known).len() == known.len() {
        true => without_state(said),
        false => said,
    }
}

/// The word that a line is about: what came of a transaction, an event, or the
/// state.
fn kind_of_line(line: &str) -> Option<String> {
    if let Some(event) = line.strip_prefix("  ") {
        return Some(event.split_whitespace().next()?.to_string());
    }
    if line.starts_with("state ") {
        return Some("state".to_string());
    }
    let (number, rest) = line.split_once(' ')?;
    number.parse::<u64>().ok()?;
    // Arguments may have a colon in them, what came of it has none before it.
    let (_, outcome) = rest.rsplit_once("): ").or_else(|| rest.split_once(": "))?;
    let (word, rest) = outcome.split_once(' ').unwrap_or((outcome, ""));
    Some(match (word, rest) {
        ("reverted", rest) if rest.starts_with("Panic(") => format!("reverted {rest}"),
        ("reverted", rest) if rest.starts_with("Error(") => "reverted Error".to_string(),
        ("reverted", "") => "reverted".to_string(),
        ("reverted", _) => "reverted with an error".to_string(),
        (word, _) => word.to_string(),
    })
}

/// Words that names of variants are made of, and the part of a compiler that
/// they switch on.
const PARTS: [(&str, &str); 9] = [
    ("ir", "ir"),
    ("via", "ir"),
    ("step", "ir"),
    ("ssa", "ssa"),
    ("optimize", "optimizer"),
    ("runs1", "optimizer"),
    ("runs10000", "optimizer"),
    ("yul", "optimizer"),
    ("step", "optimizer"),
];

/// The parts of a compiler that a variant has at work.
fn pipeline(variant: Option<&str>) -> String {
    let words: Vec<&str> = variant.unwrap_or_default().split('-').collect();
    let mut parts: Vec<&str> = Vec::new();
    for (word, part) in PARTS {
        if words.contains(&word) && !parts.contains(&part) {
            parts.push(part);
        }
    }
    if !parts.contains(&"ir") && !parts.contains(&"ssa") {
        parts.insert(0, "legacy");
    }
    parts.join(" ")
}

/// What generates the code of a contract: `legacy` directly from it, `ir` by way of Yul. Nothing
/// for outputs that are no transcripts.
pub(super) fn generator(target: &TargetName, answer: &Answer) -> Option<&'static str> {
    let Answer::Output { text, .. } = answer else {
        return None;
    };
    let first = text.split(|byte| *byte == b'\n').next()?;
    kind_of_line(std::str::from_utf8(first).ok()?)?;
    let parts = pipeline(target.variant.as_deref());
    match parts.starts_with("legacy") {
        true => Some("legacy"),
        false => Some("ir"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(variant: &str, known: &str, said: &str) -> Option<String> {
        let target = TargetName {
            family: "solc".to_string(),
            version: None,
            variant: Some(variant.to_string()),
        };
        site(&target, known, said, "\n")
    }

    #[test]
    fn the_first_line_that_differs_and_the_pipeline_tell_bugs_apart() {
        let start = "1 new C0(): deployed\n";
        for (variant, known, said, expected) in [
            (
                "evm",
                "2 C0.f(\"a): b\"): returned (1)",
                "2 C0.f(\"a): b\"): returned (2)",
                "legacy: returned",
            ),
            (
                "evm-ir-optimize",
                "2 C0.f(1): returned (1)",
                "2 C0.f(1): reverted Panic(17)",
                "ir optimizer: reverted Panic(17) not returned",
            ),
            (
                "evm-step-loads",
                "2 C0.f(): done\n  event E0(1) of C0",
                "2 C0.f(): done\n3 C0.g(): done",
                "ir optimizer: done not event",
            ),
            (
                "evm-runs1", "2 C0.f(): done\n", "2 C0.f(): done", "legacy optimizer: nothing",
            ),
            (
                "evm-via-ir", "state C0: 1 slots", "state C0: 2 slots", "ir: state",
            ),
        ] {
            let (known, said) = (format!("{start}{known}"), format!("{start}{said}"));
            let site = judged(variant, &known, &said);
            assert_eq!(site.as_deref().unwrap_or("nothing at all"), expected);
        }
    }

    #[test]
    fn the_state_at_the_end_can_be_left_out() {
        for (text, expected) in [
            (
                "1 new C0(): deployed\nstate C0: a\nstate of b\n",
                "1 new C0(): deployed\n",
            ),
            (
                "1 a: b\nstate C0: a\n2 a: b\n",
                "1 a: b\nstate C0: a\n2 a: b\n",
            ),
            ("state C0: a", "state C0: a"),
            ("", ""),
        ] {
            assert_eq!(without_state(text.as_bytes()), expected.as_bytes());
        }
    }

    #[test]
    fn other_outputs_are_not_told_apart_by_what_they_say() {
        assert_eq!(judged("O2", "checksum = 1", "checksum = 2"), None);
        assert_eq!(judged("evm", "1 a: b", "1 a: b"), None);
    }
}
