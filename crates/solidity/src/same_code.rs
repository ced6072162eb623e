//! A compiler on its own: code must not depend on what means nothing.
//!
//! Where a target prints what code it makes ([`Answer::Code`]), it is given the program twice
//! more: with comments and another layout, and beside a further file that nobody imports. The
//! code has to be the same.

use lydite_core::{
    Answer, Case, Kind, Observation, Oracle, Outcome, Program, SourceFile, Symptom, Table,
};

/// Reports compilers whose code depends on comments, layout or other files.
pub struct SameCodeOracle;

/// A way to say a program otherwise.
type Restate = fn(&Program) -> Option<Program>;

const WAYS: [(&str, Restate); 2] = [
    ("comments and layout", with_comments),
    ("a further file", beside_another_file),
];

impl Oracle for SameCodeOracle {
    fn name(&self) -> &'static str {
        "same-code"
    }

    fn about(&self) -> &'static str {
        "the code that a compiler prints depends on comments, layout or a file that nobody imports"
    }

    fn follow_up(&self, case: &Case, table: &Table) -> Vec<Program> {
        let programs = case.programs.iter().enumerate();
        let coded = programs.filter(|(number, _)| table.of_program(*number).any(has_code));
        coded
            .flat_map(|(_, program)| WAYS.iter().filter_map(|(_, restate)| restate(program)))
            .collect()
    }

    fn judge(&self, case: &Case, table: &Table) -> Vec<Symptom> {
        let mut symptoms = Vec::new();
        for (number, program) in case.programs.iter().enumerate() {
            for (way, restate) in WAYS {
                let Some(other) = restate(program) else {
                    continue;
                };
                let mut places = case.programs.iter().skip(number + 1);
                let Some(place) = places.position(|one| *one == other) else {
                    continue;
                };
                symptoms.extend(compare(table, number, number + 1 + place, way));
            }
        }
        symptoms
    }
}

fn has_code(observation: &Observation) -> bool {
    matches!(observation.outcome.answer(), Some(Answer::Code { .. }))
}

/// Targets that make other code of the program at `place` than of the one at
/// `number`, which says the same.
fn compare(table: &Table, number: usize, place: usize, way: &str) -> Vec<Symptom> {
    let mut symptoms = Vec::new();
    for after in table.of_program(place) {
        let mut before = table.of_program(number).filter(|one| has_code(one));
        let Some(before) = before.find(|one| one.target == after.target) else {
            continue;
        };
        let what = match &after.outcome {
            Outcome::Answered(_) if after.outcome != before.outcome => "other code",
            Outcome::Rejected(_) => "refused",
            _ => continue,
        };
        symptoms.push(Symptom {
            kind: Kind::Disagreement,
            target: after.target.clone(),
            against: vec![after.target.clone()],
            program: place,
            site: format!("code then {what} with {way}"),
            evidence: format!(
                "{} says {} to program {number}, and {} to program {place}, which has {way} more",
                after.target, before.outcome, after.outcome
            ),
        });
    }
    symptoms
}

/// A file without a contract: it is compiled, and takes part in all numbering.
const FURTHER: &str = "// SPDX-License-Identifier: MIT\npragma solidity >=0.4.0;\n";

fn beside_another_file(program: &Program) -> Option<Program> {
    let name = "0further.sol";
    if program.files.iter().any(|file| file.name == name) {
        return None;
    }
    let mut other = program.clone();
    other.files.push(SourceFile {
        name: name.to_string(),
        text: FURTHER.as_bytes().into(),
    });
    Some(other)
}

fn with_comments(program: &Program) -> Option<Program> {
    let mut other = program.clone();
    for file in &mut other.files {
        if file.name.ends_with(".tx") {
            continue;
        }
        let text = std::str::from_utf8(&file.text).ok()?;
        file.text = laid_out_otherwise(text).into_bytes().into();
    }
    (other != *program).then_some(other)
}

/// The text with other spaces, and a comment at every second of them. Strings and comments
/// stay, and so does what follows a comment: it may be documentation.
fn laid_out_otherwise(text: &str) -> String {
    let mut laid_out = String::with_capacity(text.len() * 2);
    let mut rest = text;
    let mut spaces = 0;
    let mut is_behind_comment = false;
    while let Some(first) = rest.chars().next() {
        let length = match piece(rest) {
            Piece::Space(length) if !is_behind_comment => {
                spaces += 1;
                laid_out.push_str(match spaces % 2 {
                    0 => "\n\t",
                    _ => " /* ; } \" */\n",
                });
                length
            }
            piece => {
                let length = piece.length().max(first.len_utf8());
                laid_out.push_str(&rest[..length]);
                is_behind_comment = matches!(piece, Piece::Comment(_));
                length
            }
        };
        rest = &rest[length..];
    }
    laid_out
}

/// What a text begins with, and how many bytes it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Piece {
    Space(usize),
    Comment(usize),
    Quoted(usize),
    Other(usize),
}

impl Piece {
    pub(crate) fn length(self) -> usize {
        let (Piece::Space(length)
        | Piece::Comment(length)
        | Piece::Quoted(length)
        | Piece::Other(length)) = self;
        length
    }
}

pub(crate) fn piece(text: &str) -> Piece {
    let spaces = text.len() - text.trim_start_matches([' ', '\t', '\n', '\r']).len();
    if spaces > 0 {
        return Piece::Space(spaces);
    }
    if text.starts_with("//") {
        return Piece::Comment(text.find(['\n', '\r']).unwrap_or(text.len()));
    }
    if let Some(inside) = text.strip_prefix("/*") {
        return Piece::Comment(inside.find("*/").map_or(text.len(), |at| at + 4));
    }
    match text.chars().next() {
        Some(quote @ ('"' | '\'')) => Piece::Quoted(quoted(text, quote)),
        Some(first) => Piece::Other(first.len_utf8()),
        None => Piece::Other(0),
    }
}

/// The length of a literal in quotes, or of the rest of its line if it does not end.
fn quoted(text: &str, quote: char) -> usize {
    let mut is_escaped = false;
    for (at, letter) in text.char_indices().skip(1) {
        match letter {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '\n' => return at,
            letter if letter == quote => return at + quote.len_utf8(),
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use lydite_core::{Capture, Claim, Exit, Role};

    use super::*;

    #[test]
    fn only_what_means_nothing_is_changed() {
        let text =
            "/// doc\ncontract C { string s = \"a /* b\\\" c\"; // é\n function f() public {} }";
        let other = laid_out_otherwise(text);
        assert_ne!(other, text);
        // Strings stay as they are, and documentation at its contract.
        assert!(other.contains("\"a /* b\\\" c\"; ") || other.contains("\"a /* b\\\" c\";\n"));
        assert!(other.starts_with("/// doc\ncontract"));
        let plain = |text: &str| {
            let mut words = String::new();
            let mut rest = text;
            while !rest.is_empty() {
                let piece = piece(rest);
                if !matches!(piece, Piece::Space(_) | Piece::Comment(_)) {
                    words.push_str(&rest[..piece.length()]);
                }
                rest = &rest[piece.length()..];
            }
            words
        };
        assert_eq!(plain(&other), plain(text));
        // What has no end is no reason to fail.
        for text in ["\"", "/*", "'\\", "//", ""] {
            assert_eq!(laid_out_otherwise(text), text);
        }
    }

    fn row(program: usize, outcome: Outcome) -> Observation {
        Observation {
            program,
            target: "solc:code".parse().unwrap(),
            role: Role::Tested,
            outcome,
            exit: Exit::Status(0),
            wall: Duration::ZERO,
            cpu: Duration::ZERO,
            peak_kb: 0,
            stdout: Capture::default(),
            stderr: Capture::default(),
            promises: Vec::new(),
        }
    }

    #[test]
    fn code_that_depends_on_comments_is_told() {
        let code = |text: &[u8]| Outcome::Answered(Answer::Code { text: text.into() });
        let program = Program::single("case.sol", *b"contract C { }");
        let mut case = Case::single(program, Claim::Silent);
        let table = |observations| Table {
            timeout: Duration::from_secs(1),
            observations,
        };
        let further = SameCodeOracle.follow_up(&case, &table(vec![row(0, code(b"1"))]));
        assert_eq!(further.len(), 2);
        assert!(
            SameCodeOracle
                .follow_up(
                    &case,
                    &table(vec![row(0, Outcome::Answered(Answer::Accepted))])
                )
                .is_empty()
        );
        case.programs.extend(further);
        for (outcome, expected) in [
            (code(b"1"), None),
            (Outcome::TimedOut, None),
            (
                code(b"2"),
                Some("code then other code with comments and layout"),
            ),
            (
                Outcome::Rejected("Error: x".to_string()),
                Some("code then refused with comments and layout"),
            ),
        ] {
            let rows = vec![row(0, code(b"1")), row(1, outcome), row(2, code(b"1"))];
            let symptoms = SameCodeOracle.judge(&case, &table(rows));
            let sites: Vec<&str> = symptoms.iter().map(|one| one.site.as_str()).collect();
            assert_eq!(sites.first().copied(), expected);
            assert!(sites.len() < 2);
        }
    }
}
