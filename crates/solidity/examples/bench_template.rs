//! Templates and programs per CPU second, two contracts of two functions as
//! in table 2 of the ERWIN paper:
//! `cargo run --release -p lydite-solidity --example bench_template`.
#![allow(clippy::disallowed_methods)] // An example is a program: it reads the CPU clock.

use std::collections::BTreeMap;
use std::sync::Arc;

use lydite_core::{BigUint, PlainLanguage, Settings, Space, Strategy};
use lydite_solidity::strategy::Templates;

/// The bound, how many programs are made, and what ERWIN made per CPU second
/// on such a machine.
const RUNS: [(u64, usize, Option<f64>); 5] = [
    (1, 2_000, Some(16.5)),
    (50, 50_000, Some(211.0)),
    (100, 100_000, Some(210.0)),
    (150, 150_000, Some(191.0)),
    (300, 300_000, None),
];

fn main() {
    for features in ["paper", "all"] {
        println!("features={features}");
        println!("  max  templates/s  programs/s   bytes  ratio");
        for (max, programs, peer) in RUNS {
            let space = open(&[("max", &max.to_string()), ("features", features)]);
            let (bytes, seconds) = timed(|| {
                let cases = space.walk(&BigUint::ZERO).take(programs);
                cases
                    .filter_map(Result::ok)
                    .map(|case| case.bytes())
                    .sum::<u64>()
            });
            let per_second = programs as f64 / seconds;
            let ratio = peer.map_or(String::new(), |peer| format!("{:.0}", per_second / peer));
            println!(
                "{max:5}  {:11.0}  {per_second:10.0}  {:6}  {ratio:>5}",
                per_second / max as f64,
                bytes / programs as u64
            );
        }
    }
}

fn open(settings: &[(&str, &str)]) -> Box<dyn Space> {
    let given: BTreeMap<String, String> = settings
        .iter()
        .map(|(key, value)| (key.to_string(), value.to_string()))
        .collect();
    let settings = Settings::checked(&Templates, given).expect("known settings");
    let language = PlainLanguage {
        name: "solidity",
        about: "",
        extensions: &["sol"],
        line_comment: "//",
    };
    let opened = Templates.open(Arc::new(language), Arc::new([]), &settings);
    opened.expect("good settings")
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
