//! Reads, types, prints and edits damaged scripts until the time is over:
//! `cargo run --release --example fuzz_syntax -- SECONDS [FROM] FILE…`. A panic
//! ends it and names the case, which the same number makes again.
#![allow(clippy::disallowed_methods)] // An example is a program: it reads files and the clock.

#[path = "../tests/damage/mod.rs"]
mod damage;

use std::time::{Duration, Instant};

use lydite_core::Choices;

fn main() {
    let mut words: Vec<String> = std::env::args().skip(1).collect();
    let mut number = |default: u64| match words.first().and_then(|word| word.parse().ok()) {
        Some(value) => {
            words.remove(0);
            value
        }
        None => default,
    };
    let (seconds, from) = (number(10), number(0));
    let seeds: Vec<Vec<u8>> = words
        .iter()
        .filter_map(|file| std::fs::read(file).ok())
        .filter(|text| text.len() < 20_000)
        .collect();
    let end = Instant::now() + Duration::from_secs(seconds);
    let mut case = from;
    while Instant::now() < end {
        let mut choices = Choices::seeded(12, case);
        let mut text = choices.pick(&seeds).cloned().unwrap_or_default();
        damage::damage(&mut text, &mut choices).expect("a few choices");
        if std::panic::catch_unwind(|| damage::survive(&text)).is_err() {
            eprintln!("case {case}:\n{}", String::from_utf8_lossy(&text));
            std::process::exit(1);
        }
        case += 1;
    }
    println!("{} cases without a panic", case - from);
}
