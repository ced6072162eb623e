//! Programs per CPU second: walking from the smallest on, and random access
//! near index 10^300: `cargo run --release --example bench_enumerate`.
#![allow(clippy::disallowed_methods)] // An example is a program: it reads the CPU clock.

use std::collections::BTreeMap;

use lydite_core::{BigUint, Choices};
use lydite_grammar::built_in::{BUILT_IN, BuiltIn};
use lydite_grammar::{Derivation, Enumeration, GrammarFile};

const WALKED: u64 = 1_000_000;
const DRAWN: u64 = 10_000;

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    println!("grammar        walk/CPU-s  near 10^300/CPU-s   (size, bytes; counting, s)");
    for grammar in BUILT_IN {
        if wanted.is_empty() || wanted.iter().any(|name| name == grammar.name) {
            bench(grammar);
        }
    }
}

fn bench(built_in: &BuiltIn) {
    let file = GrammarFile::read(built_in.text).expect("a grammar of ours");
    let grammar = file.grammar(&BTreeMap::new()).expect("a grammar of ours");
    let enumeration = Enumeration::new(grammar);
    let (bytes, walking) = timed(|| {
        let mut walk = enumeration
            .walk(&BigUint::ZERO, u32::MAX)
            .expect("a first program");
        let mut bytes = walk.text().len();
        for _ in 1..WALKED {
            assert!(walk.advance(), "an infinite language");
            bytes += walk.text().len();
        }
        bytes
    });
    assert!(bytes > 0);
    let far = BigUint::from(10u8).pow(300);
    let (place, counting) = timed(|| enumeration.place(&far));
    let (size, _) = place.expect("an infinite language");
    let mut choices = Choices::seeded(1, 1);
    let indices: Vec<BigUint> = (0..DRAWN)
        .map(|_| choices.below_big(&far).expect("no limit") + &far)
        .collect();
    let (mut derivation, mut text) = (Derivation::default(), Vec::new());
    let mut draw = |indices: &[BigUint]| {
        let mut bytes = 0;
        for index in indices {
            assert!(enumeration.write_nth(index, &mut derivation, &mut text));
            bytes += text.len();
        }
        bytes
    };
    // Running sums are made once, by whoever comes first.
    draw(&indices);
    let (bytes, drawing) = timed(|| draw(&indices));
    println!(
        "{:12} {:12.0} {:18.0}   ({size}, {}; {counting:.2})",
        built_in.name,
        WALKED as f64 / walking,
        DRAWN as f64 / drawing,
        bytes as u64 / DRAWN,
    );
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
