//! Programs of a spec per second: nodes, bytes, alternatives, memory aside.
//!
//! `cargo run --release --example bench_spec -- SPEC-FILE-OR-NAME [COUNT] [HEIGHT]`

#![allow(
    clippy::disallowed_methods,
    reason = "a benchmark reads files and the clock"
)]

use std::collections::BTreeMap;
use std::time::Instant;

use lydite_core::Choices;
use lydite_grammar::spec::{Limits, Spec, Statistics, library};

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let name = args.first().map_or("assignments", String::as_str);
    let count: u64 = args.get(1).and_then(|n| n.parse().ok()).unwrap_or(100);
    let text = match library::find_spec(name) {
        Ok(spec) => spec.text.to_string(),
        Err(_) => std::fs::read_to_string(name).expect("a spec or a file"),
    };
    let spec = Spec::read(name, &text).unwrap_or_else(|error| {
        eprint!("{error}");
        std::process::exit(2)
    });
    let height = args.get(2).and_then(|n| n.parse().ok());
    let limits = Limits {
        height: height.unwrap_or(spec.height()),
        ..Limits::default()
    };
    let programs = spec.programs(&BTreeMap::new(), limits).expect("programs");
    let started = Instant::now();
    let mut all = Statistics::default();
    let (mut bytes, mut unmade) = (Vec::new(), 0);
    for index in 0..count {
        let (made, statistics) = programs.make(&mut Choices::seeded(0, index));
        all += statistics;
        match made {
            Ok(text) => bytes.push(text.len()),
            Err(problem) => {
                unmade += 1;
                eprintln!("program {index}: {problem}");
            }
        }
    }
    let seconds = started.elapsed().as_secs_f64();
    bytes.sort_unstable();
    let total: usize = bytes.iter().sum();
    println!(
        "{name}: {} programs in {seconds:.2} s, {unmade} unmade; {:.0} programs/s, {:.0} KB/s, \
         {:.0} nodes/s; median {} B, largest {} B; per node {:.3} alternatives, {:.3} patterns, \
         {:.1} comparisons, {:.1} steps, {:.2} nodes made",
        bytes.len(),
        bytes.len() as f64 / seconds,
        total as f64 / 1000.0 / seconds,
        all.nodes as f64 / seconds,
        bytes.get(bytes.len() / 2).copied().unwrap_or(0),
        bytes.last().copied().unwrap_or(0),
        all.alternatives as f64 / all.nodes as f64,
        all.patterns as f64 / all.nodes as f64,
        all.pattern_work as f64 / all.nodes as f64,
        all.steps as f64 / all.nodes as f64,
        all.nodes_made as f64 / all.nodes as f64,
    );
}
