//! How much of what `complete` draws is known, and how much of that goes
//! through.
//!
//! `cargo run -p lydite-solidity --example behaviour_shares -- CASES [KEY=VALUE …]`

#![allow(clippy::disallowed_methods)] // An example is a program: it has arguments.

use std::collections::BTreeMap;
use std::process::ExitCode;

use lydite_core::{Answer, Choices, Claim, Reject, Settings};
use lydite_solidity::behaviour::{CompleteStrategy, complete};

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let Some(cases) = arguments.next().and_then(|it| it.parse::<u64>().ok()) else {
        eprintln!("behaviour_shares: a number of cases is missing");
        return ExitCode::from(2);
    };
    let mut given = BTreeMap::new();
    for argument in arguments {
        let Some((key, value)) = argument.split_once('=') else {
            eprintln!("behaviour_shares: {argument} is no setting");
            return ExitCode::from(2);
        };
        given.insert(key.to_string(), value.to_string());
    }
    let settings = match Settings::checked(&CompleteStrategy, given) {
        Ok(settings) => settings,
        Err(error) => {
            eprintln!("behaviour_shares: {error}");
            return ExitCode::from(2);
        }
    };
    let complete = match complete(&settings) {
        Ok(complete) => complete,
        Err(error) => {
            eprintln!("behaviour_shares: {error}");
            return ExitCode::from(2);
        }
    };
    let mut outcomes: BTreeMap<String, usize> = BTreeMap::new();
    let mut refused: BTreeMap<String, usize> = BTreeMap::new();
    let (mut known, mut calls, mut through, mut events) = (0, 0, 0, 0);
    for number in 0..cases {
        let case = match complete.case(&mut Choices::seeded(77, number)) {
            Ok(case) => case,
            Err(Reject::NotApplicable(why)) => {
                *refused.entry(why.to_string()).or_default() += 1;
                continue;
            }
            Err(reject) => {
                *refused.entry(format!("{reject:?}")).or_default() += 1;
                continue;
            }
        };
        known += 1;
        let Claim::Answers(Answer::Output { text, .. }) = &case.claim else {
            continue;
        };
        for line in String::from_utf8_lossy(text).lines() {
            if line.starts_with("  event ") {
                events += 1;
                continue;
            }
            calls += 1;
            let outcome = line.rsplit_once("): ").map_or(line, |(_, outcome)| outcome);
            let word = outcome.split([' ', '(']).next().unwrap_or_default();
            through += usize::from(matches!(word, "returned" | "done" | "deployed"));
            *outcomes.entry(word.to_string()).or_default() += 1;
        }
    }
    println!("programs drawn: {cases}, known: {known}");
    println!("calls: {calls}, through: {through}, events: {events}");
    println!("{outcomes:?}");
    println!("{refused:?}");
    ExitCode::SUCCESS
}
