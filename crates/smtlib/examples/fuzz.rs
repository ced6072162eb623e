//! Puts damaged scripts and damaged solver outputs to every part of the crate
//! (reader, typing, printer, edits, dialects, evaluator, models, oracles):
//! `cargo run --release --example fuzz -- CPU-SECONDS [FROM] FILE-OR-FOLDER…`.
//!
//! Case *n* depends on the seeds and *n* alone: after a panic, `fuzz 0 n …`
//! runs that case once more. A case that takes more than ten seconds of CPU
//! time or lifts the process above a gigabyte is named too. Exit code 1 if
//! there was any.
#![allow(clippy::disallowed_methods)] // An example is a program: it reads files and the clock.

#[path = "../tests/damage/mod.rs"]
mod damage;
#[path = "../tests/generator/mod.rs"]
mod generator;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::process::ExitCode;

use lydite_core::{Choices, Reject};

/// Larger seeds would only make fewer cases.
const SEED_BYTES: usize = 20_000;

/// A case that takes longer is trouble: the models of a case have budgets of
/// a few tenths of a second each, and there are up to a dozen.
const SLOW_SECONDS: f64 = 10.0;

/// A case that lifts the process above this is trouble.
const LARGE_KB: u64 = 1 << 20;

/// CPU seconds between two lines of progress.
const PROGRESS_SECONDS: f64 = 60.0;

fn main() -> ExitCode {
    let mut words: Vec<String> = std::env::args().skip(1).collect();
    let mut number = |default: u64| match words.first().and_then(|word| word.parse().ok()) {
        Some(value) => {
            words.remove(0);
            value
        }
        None => default,
    };
    let (seconds, from) = (number(10) as f64, number(0));
    let seeds = read_seeds(words.iter().map(PathBuf::from).collect());
    println!("{} seeds, from case {from} on", seeds.len());
    let start = cpu_seconds();
    let (mut shown, mut troubles) = (0.0, 0);
    for case in from.. {
        match run(&seeds, case) {
            Run::Well => {}
            Run::Trouble => troubles += 1,
            Run::Panic => return ExitCode::FAILURE,
        }
        let spent = cpu_seconds() - start;
        if spent >= shown + PROGRESS_SECONDS || spent >= seconds {
            shown = spent;
            let (cases, peak_mb) = (case - from + 1, peak_kb() >> 10);
            println!(
                "{cases} cases, {spent:.1} CPU seconds, at most {peak_mb} MB, {troubles} slow or large"
            );
        }
        if spent >= seconds {
            break;
        }
    }
    ExitCode::from(u8::from(troubles > 0))
}

enum Run {
    Well,
    Trouble,
    Panic,
}

fn run(seeds: &[Vec<u8>], case: u64) -> Run {
    let mut choices = Choices::seeded(12, case);
    let text = make(seeds, &mut choices).unwrap_or_default();
    let (cpu_before, peak_before) = (cpu_seconds(), peak_kb());
    let survived = catch_unwind(AssertUnwindSafe(|| damage::survive(&text, &mut choices)));
    if survived.is_err() {
        show("panic", case, &text);
        return Run::Panic;
    }
    let (seconds, peak) = (cpu_seconds() - cpu_before, peak_kb());
    if seconds > SLOW_SECONDS || (peak > LARGE_KB && peak > peak_before) {
        show(
            &format!("{seconds:.1} CPU seconds, {} MB", peak >> 10),
            case,
            &text,
        );
        return Run::Trouble;
    }
    Run::Well
}

/// A seed or a generated script, mostly damaged with words of another seed.
fn make(seeds: &[Vec<u8>], choices: &mut Choices) -> Result<Vec<u8>, Reject> {
    let mut text = match seeds.is_empty() || choices.chance(1, 4)? {
        true => generator::script(choices)?.into_bytes(),
        false => choices.pick(seeds)?.clone(),
    };
    let words = match seeds.is_empty() {
        true => damage::words(&text),
        false => damage::words(choices.pick(seeds)?),
    };
    if choices.chance(9, 10)? {
        damage::damage(&mut text, &words, choices)?;
    }
    Ok(text)
}

fn show(what: &str, case: u64, text: &[u8]) {
    println!(
        "case {case}: {what}\n{}\n; end of case {case}",
        String::from_utf8_lossy(text)
    );
}

/// Every file below the given paths, in order.
fn read_seeds(mut paths: Vec<PathBuf>) -> Vec<Vec<u8>> {
    let mut files = Vec::new();
    while let Some(path) = paths.pop() {
        match std::fs::read_dir(&path) {
            Ok(entries) => paths.extend(entries.flatten().map(|entry| entry.path())),
            Err(_) => files.push(path),
        }
    }
    files.sort();
    let texts = files.iter().filter_map(|file| std::fs::read(file).ok());
    texts.filter(|text| text.len() < SEED_BYTES).collect()
}

/// The CPU time of this one-threaded process.
fn cpu_seconds() -> f64 {
    let text = std::fs::read_to_string("/proc/self/schedstat").expect("Linux with schedstat");
    let nanoseconds = text.split(' ').next().and_then(|word| word.parse().ok());
    let nanoseconds: f64 = nanoseconds.expect("schedstat begins with a number");
    nanoseconds / 1e9
}

/// The largest resident size so far.
fn peak_kb() -> u64 {
    let text = std::fs::read_to_string("/proc/self/status").expect("Linux with procfs");
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kb = line.and_then(|line| line.trim().strip_suffix(" kB")?.parse().ok());
    kb.expect("the status has VmHWM")
}
