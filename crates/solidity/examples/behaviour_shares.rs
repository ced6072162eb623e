//! How much of what `complete` draws is known, how much of that goes through,
//! and in how many programs each construct is.
//!
//! `cargo run -p lydite-solidity --example behaviour_shares -- CASES [KEY=VALUE …]`

#![allow(clippy::disallowed_methods)] // An example is a program: it has arguments.

use std::collections::{BTreeMap, BTreeSet};
use std::process::ExitCode;

use lydite_core::{Answer, Case, Choices, Claim, Reject, Settings};
use lydite_solidity::behaviour::{COMPLETE, Complete, complete};
use regex::Regex;

fn main() -> ExitCode {
    match read_arguments() {
        Ok((cases, complete)) => {
            show_shares(cases, &complete);
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("behaviour_shares: {error}");
            ExitCode::from(2)
        }
    }
}

fn read_arguments() -> Result<(u64, Complete), String> {
    let mut arguments = std::env::args().skip(1);
    let cases = arguments.next().and_then(|it| it.parse::<u64>().ok());
    let cases = cases.ok_or("a number of cases is missing")?;
    let mut given = BTreeMap::new();
    for argument in arguments {
        let setting = argument.split_once('=');
        let (key, value) = setting.ok_or_else(|| format!("{argument} is no setting"))?;
        given.insert(key.to_string(), value.to_string());
    }
    let settings = Settings::checked(&COMPLETE, given).map_err(|error| error.to_string())?;
    let complete = complete(&settings).map_err(|error| error.to_string())?;
    Ok((cases, complete))
}

#[derive(Default)]
struct Tally {
    known: u64,
    calls: u64,
    through: u64,
    events: u64,
    /// How calls end.
    outcomes: BTreeMap<String, u64>,
    /// Why programs are not known.
    refused: BTreeMap<String, u64>,
    /// Programs with each construct.
    constructs: BTreeMap<&'static str, u64>,
}

fn show_shares(cases: u64, complete: &Complete) {
    let patterns = patterns();
    let mut tally = Tally::default();
    for number in 0..cases {
        match complete.case(&mut Choices::seeded(77, number)) {
            Ok(case) => {
                tally.known += 1;
                count_calls(&case, &mut tally);
                count_constructs(&case, &patterns, &mut tally);
            }
            Err(reject) => {
                let why = match reject {
                    Reject::NotApplicable(why) => why.to_string(),
                    reject => format!("{reject:?}"),
                };
                *tally.refused.entry(why).or_default() += 1;
            }
        }
    }
    println!("programs drawn: {cases}, known: {}", tally.known);
    let (calls, through, events) = (tally.calls, tally.through, tally.events);
    println!("calls: {calls}, through: {through}, events: {events}");
    println!("{:?}", tally.outcomes);
    println!("{:?}", tally.refused);
    for (construct, count) in &tally.constructs {
        let share = 100.0 * *count as f64 / tally.known as f64;
        println!("{share:5.1} % {construct}");
    }
}

fn count_calls(case: &Case, tally: &mut Tally) {
    let Claim::Answers(Answer::Output { text, .. }) = &case.claim else {
        return;
    };
    for line in String::from_utf8_lossy(text).lines() {
        if line.starts_with("  event ") {
            tally.events += 1;
            continue;
        }
        tally.calls += 1;
        let outcome = line.rsplit_once("): ").map_or(line, |(_, outcome)| outcome);
        let word = outcome.split([' ', '(']).next().unwrap_or_default();
        tally.through += u64::from(matches!(word, "returned" | "done" | "deployed"));
        *tally.outcomes.entry(word.to_string()).or_default() += 1;
    }
}

fn patterns() -> Vec<(&'static str, Regex)> {
    let lines = include_str!("../tests/constructs.txt").lines();
    let rows = lines.filter_map(|line| line.split_once('\t'));
    let pattern = |pattern| Regex::new(pattern).expect("a test reads these patterns");
    rows.map(|(what, text)| (what, pattern(text))).collect()
}

fn count_constructs(case: &Case, patterns: &[(&'static str, Regex)], tally: &mut Tally) {
    let files = case.programs[0].files.iter();
    let sources = files.filter(|file| file.name.ends_with(".sol"));
    let texts: Vec<_> = sources
        .map(|file| String::from_utf8_lossy(&file.text).into_owned())
        .collect();
    let text = texts.concat();
    for (construct, pattern) in patterns {
        *tally.constructs.entry(construct).or_default() += u64::from(pattern.is_match(&text));
    }
    let overloads = has_overloads(&text);
    *tally.constructs.entry("overloads").or_default() += u64::from(overloads);
    let hides = hides_variables(&text);
    *tally.constructs.entry("a hidden variable").or_default() += u64::from(hides);
    let mutual = has_mutual_recursion(&text);
    *tally.constructs.entry("mutual recursion").or_default() += u64::from(mutual);
}

/// The texts of contracts, without what is between them.
fn contracts(text: &str) -> impl Iterator<Item = &str> {
    let starts = ["\ncontract ", "\nabstract contract ", "\nlibrary "];
    let mut at: Vec<usize> = starts
        .iter()
        .flat_map(|start| text.match_indices(start).map(|(at, _)| at))
        .collect();
    at.sort_unstable();
    at.into_iter().map(|at| {
        let rest = &text[at..];
        &rest[..rest.find("\n}").unwrap_or(rest.len())]
    })
}

/// Lines that declare functions: the names, and the rest.
fn heads(contract: &str) -> impl Iterator<Item = (&str, &str)> {
    let lines = contract.lines();
    let heads = lines.filter_map(|line| line.strip_prefix("    function "));
    heads
        .filter_map(|head| head.split_once('('))
        .filter(|(name, _)| !name.is_empty())
}

fn has_overloads(text: &str) -> bool {
    contracts(text).any(|contract| {
        let mut names = BTreeSet::new();
        !heads(contract).all(|(name, _)| names.insert(name))
    })
}

/// True if a parameter or result has the name of a state variable.
fn hides_variables(text: &str) -> bool {
    contracts(text).any(|contract| {
        let lines = contract.lines().filter(|line| line.ends_with(';'));
        let state = lines.filter_map(|line| {
            let line = line.strip_prefix("    ")?;
            let inner = line.starts_with([' ', '}']) || line.starts_with("event ");
            let declared = line.trim_end_matches(';').split(" = ").next()?;
            (!inner).then(|| declared.rsplit(' ').next())?
        });
        let state: BTreeSet<&str> = state.collect();
        heads(contract).any(|(_, head)| {
            let words = head.split([' ', ',', ')']);
            words.into_iter().any(|word| state.contains(word))
        })
    })
}

/// True if a function calls, by its name, one that calls it back.
fn has_mutual_recursion(text: &str) -> bool {
    contracts(text).any(|contract| {
        let bodies = contract.split("\n    function ").skip(1);
        let bodies: Vec<(&str, &str)> = bodies.filter_map(|body| body.split_once('(')).collect();
        let calls = |body: &str, name: &str| {
            let call = format!("{name}(");
            let mut found = body.match_indices(&call);
            found.any(|(at, _)| body[..at].ends_with([' ', '(']))
        };
        bodies.iter().any(|(one, body)| {
            let others = bodies.iter().filter(|(other, _)| other != one);
            others
                .into_iter()
                .any(|(other, back)| calls(body, other) && calls(back, one))
        })
    })
}
