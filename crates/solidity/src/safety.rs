//! Model checkers judged by what contracts do.
//!
//! A target that checks assertions prints a line for each of them: `assertion case.sol 210 224:
//! safe` (the file, and from which byte to which), `violated` or `open`. What the transactions of
//! the case show is known: from its claim, or from targets that run it. A transaction that ends
//! in `Panic(1)` went against an assertion. If each of those that it can have come to is said to
//! be safe, the target is wrong.
//!
//! Which assertions these are is found out by the words of the program, so there may be more of
//! them than the transaction can come to, and never fewer: all but those in functions that only
//! other transactions call.

use std::collections::BTreeMap;

use lydite_core::{
    Answer, Case, Claim, Judgement, Kind, Observation, Oracle, Outcome, Program, Symptom, Table,
};

use crate::counterexample;
use crate::tokens::{Token, tokens};

/// Reports model checkers that prove an assertion safe which fails, and counterexamples that
/// are none.
pub struct SafetyOracle;

impl Oracle for SafetyOracle {
    fn name(&self) -> &'static str {
        "safety"
    }

    fn about(&self) -> &'static str {
        "a model checker proves an assertion safe that fails when the contract is run, or its counterexample fails nowhere"
    }

    fn judge(&self, case: &Case, table: &Table) -> Vec<Symptom> {
        self.judgement(case, table).symptoms
    }

    fn judgement(&self, case: &Case, table: &Table) -> Judgement {
        let mut judgement = counterexample::judge(&case.programs, table);
        let symptoms = &mut judgement.symptoms;
        for (number, program) in case.programs.iter().enumerate() {
            let rows: Vec<&Observation> = table.of_program(number).collect();
            let mut verdicts = rows.iter().filter_map(|row| Some((row, verdicts(row)?)));
            let Some(first) = verdicts.next() else {
                continue;
            };
            let Some(shown) = shown(case, &rows) else {
                continue;
            };
            let assertions = assertions(program);
            for (row, verdicts) in std::iter::once(first).chain(verdicts) {
                symptoms.extend(accuse(row, number, &shown, &assertions, &verdicts));
            }
        }
        judgement
    }
}

/// Where an assertion stands: its file, and from which byte to which.
type Place = (String, usize, usize);

/// What a target says of all assertions that it names: true if it is safe. Nothing if it names
/// none, or took no part.
fn verdicts(row: &Observation) -> Option<BTreeMap<Place, bool>> {
    if row.outcome != Outcome::Answered(Answer::Accepted) || row.stdout.dropped > 0 {
        return None;
    }
    let said = std::str::from_utf8(&row.stdout.head).ok()?;
    let mut verdicts = BTreeMap::new();
    for line in said.lines() {
        let Some(rest) = line.strip_prefix("assertion ") else {
            continue;
        };
        let (place, verdict) = rest.rsplit_once(": ")?;
        let (place, end) = place.rsplit_once(' ')?;
        let (file, start) = place.rsplit_once(' ')?;
        let place = (file.to_string(), start.parse().ok()?, end.parse().ok()?);
        let safe = verdicts.entry(place).or_insert(true);
        *safe &= verdict == "safe";
    }
    (!verdicts.is_empty()).then_some(verdicts)
}

/// What the transactions show: by the claim, or by targets that run them and agree.
fn shown(case: &Case, rows: &[&Observation]) -> Option<String> {
    let text = match &case.claim {
        Claim::Answers(Answer::Output { text, .. }) => text,
        _ => {
            let outputs = rows.iter().filter_map(|row| match &row.outcome {
                Outcome::Answered(Answer::Output { text, .. }) => Some(text),
                _ => None,
            });
            let mut outputs = outputs;
            let first = outputs.next()?;
            outputs.all(|other| other == first).then_some(first)?
        }
    };
    Some(String::from_utf8_lossy(text).into_owned())
}

/// The first transaction that contradicts the verdicts.
fn accuse(
    row: &Observation,
    number: usize,
    shown: &str,
    assertions: &[Assertion],
    verdicts: &BTreeMap<Place, bool>,
) -> Option<Symptom> {
    let line = shown.lines().find(|line| {
        let Some(called) = panicked(line) else {
            return false;
        };
        let mut suspects = assertions
            .iter()
            .filter(|one| one.is_met_by(called))
            .peekable();
        suspects.peek().is_some() && suspects.all(|one| verdicts.get(&one.place) == Some(&true))
    })?;
    Some(Symptom {
        kind: Kind::RefutationUnsound,
        target: row.target.clone(),
        against: Vec::new(),
        program: number,
        site: "an assertion that fails is proved safe".to_string(),
        evidence: format!(
            "{} proves all assertions safe that this transaction can come to: {line}",
            row.target
        ),
    })
}

/// The function that a transaction calls which ends in `Panic(1)`; nothing in it stands for a
/// constructor. Other transactions are not judged.
fn panicked(line: &str) -> Option<&str> {
    let (what, _) = line.split_once(": reverted Panic(1)")?;
    if !line.ends_with(": reverted Panic(1)") {
        return None;
    }
    let (_, what) = what.split_once(' ')?;
    if what.starts_with("new ") {
        return Some("");
    }
    let (_, call) = what.split_once('.')?;
    call.split(['(', '['])
        .next()
        .filter(|name| !name.is_empty())
}

/// An assertion of a program.
#[derive(Debug, PartialEq, Eq)]
struct Assertion {
    place: Place,
    /// The function around it, if only transactions can call that one.
    alone: Option<String>,
}

impl Assertion {
    fn is_met_by(&self, called: &str) -> bool {
        self.alone.as_deref().is_none_or(|own| own == called)
    }
}

/// All assertions of a program.
fn assertions(program: &Program) -> Vec<Assertion> {
    let sources = program
        .files
        .iter()
        .filter(|file| file.name.ends_with(".sol"));
    let texts =
        sources.filter_map(|file| Some((&file.name, std::str::from_utf8(&file.text).ok()?)));
    let texts: Vec<(&String, Vec<Token<'_>>)> =
        texts.map(|(name, text)| (name, tokens(text))).collect();
    let all = || texts.iter().flat_map(|(_, tokens)| tokens.windows(2));
    // Wherever else the name stands, even inside of a text, it may be a call.
    let is_named = |name: &str| {
        all().any(|pair| {
            let is_declared = pair[0].1 == "function";
            let is_text = pair[1].1.starts_with(['"', '\'']);
            !is_declared && pair[1].1 == name || is_text && pair[1].1.contains(name)
        })
    };
    let mut found = Vec::new();
    for (file, tokens) in &texts {
        for (at, pair) in tokens.windows(2).enumerate() {
            if pair[0].1 != "assert" || pair[1].1 != "(" {
                continue;
            }
            let Some(end) = closing(&tokens[at + 1..]) else {
                continue;
            };
            let around = function_around(&tokens[..at]);
            let alone = around.filter(|name| !is_named(name)).map(str::to_string);
            let place = ((*file).clone(), pair[0].0, end);
            found.push(Assertion { place, alone });
        }
    }
    found
}

/// Where the parenthesis ends that the tokens begin with.
fn closing(tokens: &[Token<'_>]) -> Option<usize> {
    let mut depth = 0;
    for (at, token) in tokens {
        match *token {
            "(" => depth += 1,
            ")" => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(at + token.len());
        }
    }
    None
}

/// The name of the function in whose body one is behind the tokens; nothing for constructors,
/// modifiers and functions without a name.
fn function_around<'a>(tokens: &[Token<'a>]) -> Option<&'a str> {
    const HEADS: [&str; 5] = ["function", "constructor", "modifier", "fallback", "receive"];
    let mut depth = 0_i32;
    let mut inside = false;
    for at in (0..tokens.len()).rev() {
        match tokens[at].1 {
            "}" => depth += 1,
            "{" => {
                inside |= depth == 0;
                depth = (depth - 1).max(0);
            }
            head if inside && depth == 0 && HEADS.contains(&head) => {
                let name = tokens.get(at + 1)?.1;
                let is_name = name.starts_with(|c: char| c.is_alphabetic() || c == '_' || c == '$');
                return (head == "function" && is_name).then_some(name);
            }
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use lydite_core::{Capture, Exit, Role};

    use super::*;

    const TEXT: &str = "contract C {
        uint x; // assert(false)
        constructor() { assert(x == 0); }
        function f(uint a) public { if (a > 0) { x = 1; } else { h(); } assert(x < 2); }
        function g() public { assert(x != (1)); }
        function h() internal { assert(x > 5); }
    }";

    fn row(outcome: Outcome, said: &str) -> Observation {
        Observation {
            program: 0,
            target: "solc-smt".parse().unwrap(),
            role: Role::Tested,
            outcome,
            exit: Exit::Status(0),
            wall: Duration::ZERO,
            cpu: Duration::ZERO,
            peak_kb: 0,
            stdout: Capture {
                head: said.as_bytes().to_vec(),
                ..Capture::default()
            },
            stderr: Capture::default(),
            promises: Vec::new(),
        }
    }

    /// What is said if the assertions with these numbers are safe and the others are violated.
    fn said(safe: &[usize]) -> String {
        let all = all_assertions();
        let lines = all.iter().enumerate().map(|(number, one)| {
            let verdict = if safe.contains(&number) {
                "safe"
            } else {
                "violated"
            };
            let (file, start, end) = &one.place;
            format!("assertion {file} {start} {end}: {verdict}\n")
        });
        lines.collect()
    }

    fn program() -> Program {
        let mut program = Program::single("case.sol", *b"");
        program.files[0].text = TEXT.as_bytes().into();
        program
    }

    fn all_assertions() -> Vec<Assertion> {
        assertions(&program())
    }

    fn judged(claim: Claim, rows: Vec<Observation>) -> usize {
        let table = Table {
            timeout: Duration::from_secs(1),
            observations: rows,
        };
        SafetyOracle
            .judge(&Case::single(program(), claim), &table)
            .len()
    }

    fn output(text: &str) -> Answer {
        Answer::Output {
            status: 0,
            text: text.as_bytes().into(),
        }
    }

    #[test]
    fn assertions_are_found_with_the_functions_that_only_transactions_call() {
        let found = all_assertions();
        let alone: Vec<Option<&str>> = found.iter().map(|one| one.alone.as_deref()).collect();
        assert_eq!(alone, [None, Some("f"), Some("g"), None]);
        let (_, start, end) = &found[2].place;
        assert_eq!(&TEXT[*start..*end], "assert(x != (1))");
        // Texts that are no programs are no reason to fail.
        for text in [
            "assert(", "assert((", "function", "} } assert()", "function f() { assert(1",
        ] {
            let mut program = program();
            program.files[0].text = text.as_bytes().into();
            assertions(&program);
        }
    }

    #[test]
    fn who_proves_what_fails_is_wrong() {
        let accepted = || Outcome::Answered(Answer::Accepted);
        let claim = |text: &str| Claim::Answers(output(text));
        let of_g = "1 new C(): deployed\n2 C.f(1): done\n3 C.g(): reverted Panic(1)\n";
        let of_f = "1 C.f(0) from 2: reverted Panic(1)\n";
        for (known, safe, expected) in [
            (of_g, &[0, 1, 2, 3][..], 1),
            // The constructor and `h` may have been called by others.
            (of_g, &[1, 2, 3], 0),
            (of_g, &[0, 2, 3], 1),
            (of_g, &[0, 1, 3], 0),
            (of_f, &[0, 1, 3], 1),
            (of_f, &[0, 1, 2], 0),
            ("1 new C(): reverted Panic(1)\n", &[0, 3], 1),
            ("1 new C(): reverted Panic(17)\n", &[0, 1, 2, 3], 0),
            ("1 raw C 0x01: reverted Panic(1)\n", &[0, 1, 2, 3], 0),
            ("1 C.g(): returned (1)\n", &[0, 1, 2, 3], 0),
        ] {
            let rows = vec![row(accepted(), &said(safe))];
            assert_eq!(judged(claim(known), rows), expected, "{known} {safe:?}");
        }
        // Somebody who was cut off, or says nothing of assertions, is not judged.
        let whole = said(&[0, 1, 2, 3]);
        assert_eq!(judged(claim(of_g), vec![row(Outcome::TimedOut, &whole)]), 0);
        assert_eq!(judged(claim(of_g), vec![row(accepted(), "accepted\n")]), 0);
        // What is not claimed may be seen.
        let run = row(Outcome::Answered(output(of_g)), of_g);
        let checked = row(accepted(), &whole);
        assert_eq!(judged(Claim::Silent, vec![run, checked.clone()]), 1);
        assert_eq!(judged(Claim::Silent, vec![checked]), 0);
    }
}
