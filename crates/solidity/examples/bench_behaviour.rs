//! Contracts of known behaviour made per CPU second, and how many of the
//! programs that are drawn the interpreter knows:
//! `cargo run --release -p lydite-solidity --example bench_behaviour`.
#![allow(clippy::disallowed_methods)] // An example is a program: it reads the CPU clock.

use std::collections::BTreeMap;
use std::sync::Arc;

use lydite_core::{Choices, PlainLanguage, Reject, Settings, Strategy};
use lydite_solidity::behaviour::{ASSIGNED, COMPLETE, COPIES, EXPRESSIONS, complete};

type Given = &'static [(&'static str, &'static str)];

/// Strategy, settings, and how many cases are made.
const RUNS: [(&dyn Strategy, Given, u64); 6] = [
    (&ASSIGNED, &[], 2_000),
    (&ASSIGNED, &[("solc", "0.4.24")], 2_000),
    (&ASSIGNED, &[("widths", "32"), ("statements", "20")], 500),
    (&EXPRESSIONS, &[], 50),
    (&COMPLETE, &[], 1_000),
    (&COPIES, &[], 1_000),
];

/// Programs drawn per version to see what the interpreter knows.
const DRAWN: u64 = 1_000;

fn main() {
    for (strategy, settings, cases) in RUNS {
        let (bytes, seconds) = timed(|| made(strategy, settings, cases));
        println!(
            "{} {settings:?}: {:.0} contracts per CPU second, {} bytes each",
            strategy.name(),
            cases as f64 / seconds,
            bytes / cases
        );
    }
    for version in ["0.6.12", "0.8.20", "0.8.37"] {
        known(version);
    }
}

fn settings(strategy: &dyn Strategy, given: &[(&str, &str)]) -> Settings {
    let given: BTreeMap<String, String> = given
        .iter()
        .map(|(key, value)| (key.to_string(), value.to_string()))
        .collect();
    Settings::checked(strategy, given).expect("known settings")
}

/// The bytes of so many cases.
fn made(strategy: &dyn Strategy, given: &[(&str, &str)], cases: u64) -> u64 {
    let language = PlainLanguage {
        name: "solidity",
        about: "",
        extensions: &["sol"],
        line_comment: "//",
    };
    let settings = settings(strategy, given);
    let space = strategy
        .open(Arc::new(language), Arc::new([]), &settings)
        .expect("good settings");
    let mut bytes = 0;
    for number in 0..cases {
        match space.sample(&mut Choices::seeded(1, number)) {
            Ok(case) => bytes += case.bytes(),
            Err(reject) => println!("  case {number}: {reject}"),
        }
    }
    bytes
}

fn known(version: &str) {
    let settings = settings(&COMPLETE, &[("solc", version)]);
    let complete = complete(&settings).expect("good settings");
    let mut reasons: BTreeMap<String, u64> = BTreeMap::new();
    for number in 0..DRAWN {
        let reason = match complete.case(&mut Choices::seeded(2, number)) {
            Ok(_) => "known".to_string(),
            Err(Reject::OutOfChoices) => "out of choices".to_string(),
            Err(Reject::NotApplicable(why)) => why.to_string(),
        };
        *reasons.entry(reason).or_default() += 1;
    }
    let mut reasons: Vec<(String, u64)> = reasons.into_iter().collect();
    reasons.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    println!("complete, solc {version}, of {DRAWN} programs drawn:");
    for (reason, count) in reasons {
        println!("  {count:5}  {reason}");
    }
}

/// CPU seconds of this process: the machine is shared.
fn timed<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let before = cpu_seconds();
    let result = work();
    (result, cpu_seconds() - before)
}

fn cpu_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/schedstat").expect("Linux");
    let nanoseconds = stat
        .split(' ')
        .next()
        .and_then(|word| word.parse::<f64>().ok());
    nanoseconds.expect("a number first") / 1e9
}
