//! Counterexamples of model checkers, judged by playing them.
//!
//! A target may print a line for the counterexample of an assertion: `trace case.sol 210 224:
//! C.constructor(); C.add(77); C.check((- 5))`. The last transaction fails in the assertion, it
//! says; if all of them go through, it is wrong.
//!
//! solc promises less: what it says is safe is safe, but what its encoding only approximates
//! may lead to transactions that fail nowhere ("Abstraction and False Positives" in its manual).
//! So it is accused only where nothing is approximated: a single contract of integers and truth
//! values, with arithmetic, comparisons, branches, loops and calls of its own functions. What
//! has references, other types, other contracts, powers, operators on bits or assembly in it
//! is left alone, and a transaction that fails for another reason is, too: each has a remark.

use dashu_int::IBig;
use lydite_core::{Judgement, Kind, Observation, Program, Remark, Symptom, Table};

use crate::behaviour::{Transaction, goes_through};
use crate::tokens::{Token, tokens};

/// Judges every counterexample of a table.
pub(crate) fn judge(programs: &[Program], table: &Table) -> Judgement {
    let mut judgement = Judgement::default();
    for (number, program) in programs.iter().enumerate() {
        for row in table.of_program(number) {
            let said = String::from_utf8_lossy(&row.stdout.head);
            let traces = said.lines().filter_map(|line| line.strip_prefix("trace "));
            for trace in traces.filter(|_| row.stdout.dropped == 0) {
                let (place, calls) = trace.split_once(": ").unwrap_or((trace, ""));
                let played = played(program, calls);
                if played == Ok(true) {
                    judgement.symptoms.push(accuse(row, number, place, calls));
                }
                judgement.remarks.push(remark(row, number, played));
            }
        }
    }
    judgement
}

fn accuse(row: &Observation, program: usize, place: &str, calls: &str) -> Symptom {
    Symptom {
        kind: Kind::SolutionUnsound,
        target: row.target.clone(),
        against: Vec::new(),
        program,
        site: "a counterexample that fails nowhere".to_string(),
        evidence: format!(
            "{} says that these transactions fail in the assertion at {place}, and all go through: {calls}",
            row.target
        ),
    }
}

fn remark(row: &Observation, program: usize, played: Result<bool, &'static str>) -> Remark {
    let (what, why) = match played {
        Ok(true) => ("a counterexample that fails nowhere", ""),
        Ok(false) => ("a counterexample that fails", ""),
        Err(why) => ("a counterexample not judged", why),
    };
    Remark {
        target: row.target.clone(),
        program,
        decided: played.is_ok(),
        what,
        why: why.to_string(),
    }
}

/// True if all transactions go through.
fn played(program: &Program, calls: &str) -> Result<bool, &'static str> {
    let text = std::str::from_utf8(&program.source().text).map_err(|_| "no text")?;
    let mut sources = program
        .files
        .iter()
        .filter(|file| file.name.ends_with(".sol"));
    if sources.nth(1).is_some() {
        return Err("several files");
    }
    if let Some(why) = approximated(&without_pragmas(tokens(text))) {
        return Err(why);
    }
    let calls: Option<Vec<Transaction>> = calls.split("; ").map(transaction).collect();
    let calls = calls.ok_or("a trace that is not read")?;
    match calls.first() {
        Some(Transaction { function: None, .. }) => goes_through(text, &calls),
        _ => Err("a trace that does not begin with a deployment"),
    }
}

/// The words of a file but for its pragmas: the `^` of a version is no operator.
fn without_pragmas(mut tokens: Vec<Token<'_>>) -> Vec<Token<'_>> {
    let (mut depth, mut is_pragma) = (0i64, false);
    tokens.retain(|(_, word)| {
        depth += i64::from(*word == "{") - i64::from(*word == "}");
        is_pragma |= depth == 0 && *word == "pragma";
        let was_pragma = is_pragma;
        is_pragma &= *word != ";";
        !was_pragma
    });
    tokens
}

/// What a program has that an encoding may approximate.
fn approximated(tokens: &[Token<'_>]) -> Option<&'static str> {
    const WORDS: [(&str, &[&str]); 5] = [
        (
            "references or other types",
            &[
                "mapping", "struct", "string", "enum", "memory", "storage", "calldata", "address",
                "payable", "type",
            ],
        ),
        ("assembly", &["assembly"]),
        (
            "other contracts",
            &[
                "this", "new", "interface", "library", "is", "import", "external", "try", "using",
                "super",
            ],
        ),
        (
            "the environment",
            &[
                "msg", "block", "tx", "gasleft", "now", "abi", "addmod", "mulmod", "keccak256",
                "sha256", "ripemd160", "ecrecover", "blockhash", "selfdestruct", "modifier",
                "immutable", "transient", "fallback", "receive",
            ],
        ),
        ("operators on bits, or powers", &["&", "|", "^", "~", "["]),
    ];
    let mut last_logic = None;
    tokens.windows(2).find_map(|pair| {
        let ((at, word), (next, behind)) = (pair[0], pair[1]);
        // Signs come one by one.
        let is_double = next == at + 1 && word == behind;
        if is_double && ["&", "|"].contains(&word) {
            last_logic = Some(next);
        }
        if last_logic.is_some_and(|logic| logic == at || logic == next) {
            return None;
        }
        let is_member = word == "." && behind.starts_with(|c: char| c.is_alphabetic() || c == '_');
        if is_member || word.starts_with("bytes") {
            return Some("references or other types");
        }
        if is_double && ["*", "<", ">"].contains(&word) {
            return Some("operators on bits, or powers");
        }
        WORDS
            .iter()
            .find(|row| row.1.contains(&word))
            .map(|row| row.0)
    })
}

/// `C.f(1, (- 5), true)`
fn transaction(text: &str) -> Option<Transaction> {
    let (head, arguments) = text.strip_suffix(')')?.split_once('(')?;
    let (contract, function) = head.split_once('.')?;
    let is_name = |name: &str| {
        !name.is_empty()
            && name
                .chars()
                .all(|c| c.is_alphanumeric() || c == '_' || c == '$')
    };
    let argument = |text: &str| match text {
        "true" => Some(IBig::ONE),
        "false" => Some(IBig::ZERO),
        _ => match text
            .strip_prefix("(- ")
            .and_then(|rest| rest.strip_suffix(')'))
        {
            Some(digits) => Some(-digits.parse::<IBig>().ok()?),
            None => text.parse().ok(),
        },
    };
    let arguments = arguments.split(", ").filter(|text| !text.is_empty());
    let transaction = Transaction {
        contract: contract.to_string(),
        function: (function != "constructor").then(|| function.to_string()),
        arguments: arguments.map(argument).collect::<Option<_>>()?,
    };
    (is_name(contract) && is_name(function)).then_some(transaction)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "pragma solidity 0.8.37; contract C {
        uint8 x; bool done;
        constructor(uint8 first) { x = first; }
        function add(uint8 b) public { require(b > 3); x = x + b; if (x == 77 && b < 99) done = true; }
        function check(int16 c) public view { assert(!(done && c == -5)); }
        function own() internal {}
    }";

    fn program(text: &str) -> Program {
        let mut program = Program::single("case.sol", *b"");
        program.files[0].text = text.as_bytes().into();
        program
    }

    #[test]
    fn a_counterexample_is_right_if_something_fails_and_wrong_if_all_goes_through() {
        let judged = |calls: &str| played(&program(TEXT), calls);
        for (calls, expected) in [
            ("C.constructor(0); C.add(77); C.check((- 5))", Ok(false)),
            ("C.constructor(0); C.add(76); C.check((- 5))", Ok(true)),
            ("C.constructor(0); C.add(77); C.check(5)", Ok(true)),
            // That fails, but elsewhere: nobody is accused.
            ("C.constructor(0); C.add(2)", Ok(false)),
            ("C.constructor(255); C.add(77)", Ok(false)),
        ] {
            assert_eq!(judged(calls), expected, "{calls}");
        }
        for calls in [
            "C.add(77)",
            "C.constructor(0); C.add(256)",
            "C.constructor(0); C.own()",
            "",
            "C.constructor(0); C.add(77){ msg.value: 3 }",
            "D.constructor(0)",
            "C.constructor(?)",
            "C.constructor(0); C.add(77) -- reentrant call",
            "C.constructor(0, 1)",
        ] {
            assert!(judged(calls).is_err(), "{calls}");
        }
    }

    /// What solc 0.8.37 said of this contract, with its own z3.
    #[test]
    fn a_counterexample_as_solc_tells_it_fails() {
        let text = "contract C {
            uint8 x;
            bool done;
            function set(uint8 a) public { require(a < 100); x = a; }
            function add(uint8 b) public { require(b > 3); unchecked { x = x + b; } if (x == 77) done = true; }
            function check(int16 c) public view { assert(!(done && c == -5)); }
            function pure1(uint8 p, uint8 q) public pure { assert(p * q != 143 || p < 12); }
        }";
        for calls in [
            "C.constructor(); C.add(77); C.check((- 5))",
            "C.constructor(); C.pure1(143, 1)",
        ] {
            assert_eq!(played(&program(text), calls), Ok(false), "{calls}");
        }
    }

    #[test]
    fn the_sign_of_a_version_is_no_operator() {
        let calls = "C.constructor(0); C.add(76); C.check((- 5))";
        let text = TEXT.replace("0.8.37", "^0.8.20");
        assert_eq!(played(&program(&text), calls), Ok(true));
        let text = text.replace("x + b;", "x ^ b;");
        assert!(played(&program(&text), calls).is_err());
    }

    #[test]
    fn where_an_encoding_may_approximate_nobody_is_accused() {
        let calls = "C.constructor(0); C.add(76); C.check((- 5))";
        for change in [
            ("x + b", "x ^ b"),
            ("x + b", "x ** b"),
            ("x + b", "x << b"),
            ("uint8 x;", "uint8 x; mapping(uint => uint) m;"),
            ("done = true", "this.check(4)"),
            ("uint8 x;", "uint8 x; bytes4 y;"),
            ("b > 3", "msg.value > 3"),
            ("x = first;", "x = first; assembly {}"),
            ("uint8 x;", "uint8 x; uint[2] y;"),
        ] {
            let text = TEXT.replacen(change.0, change.1, 1);
            assert_ne!(text, TEXT);
            assert!(played(&program(&text), calls).is_err(), "{text}");
        }
    }
}
