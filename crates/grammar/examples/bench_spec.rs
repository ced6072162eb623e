//! What specs make per CPU second, and what it takes.
//!
//! ```text
//! cargo run --release --example bench_spec                        all of ours
//! cargo run --release --example bench_spec -- SPEC [COUNT [HEIGHT]]
//! ```
//!
//! SPEC is a name or a file. The last column is the ratio to the nodes per CPU
//! second that StarSmith made for the same kind of language on such a machine.

#![allow(
    clippy::disallowed_methods,
    reason = "a benchmark reads files and its arguments"
)]

use std::collections::BTreeMap;

use lydite_core::Choices;
use lydite_grammar::spec::{Limits, Spec, Statistics, library};

/// Programs to make of each spec, and StarSmith's nodes per CPU second.
const OURS: [(&str, u64, Option<f64>); 6] = [
    ("c", 300, Some(184_000.0)),
    ("c-safe", 300, Some(184_000.0)),
    ("lua", 200, Some(137_000.0)),
    ("smtlib", 500, Some(164_000.0)),
    ("assignments", 5000, Some(67_000.0)),
    ("assignments-guarded", 1000, Some(31_000.0)),
];

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    println!(
        "spec                 programs/s   KB/s   nodes/s  median B  largest B  alternatives  steps  ratio"
    );
    match args.first() {
        None => OURS
            .iter()
            .for_each(|(name, count, peer)| measure(name, *count, None, *peer)),
        Some(name) => {
            let count = args.get(1).and_then(|n| n.parse().ok()).unwrap_or(100);
            let height = args.get(2).and_then(|n| n.parse().ok());
            measure(name, count, height, None);
        }
    }
    println!("most memory: {} KB", memory_kb());
}

fn measure(name: &str, count: u64, height: Option<u32>, peer: Option<f64>) {
    let text = match library::find_spec(name) {
        Ok(spec) => spec.text.to_string(),
        Err(_) => std::fs::read_to_string(name).expect("a spec or a file"),
    };
    let spec = Spec::read(name, &text).unwrap_or_else(|error| {
        eprint!("{error}");
        std::process::exit(2)
    });
    let limits = Limits {
        height: height.unwrap_or(spec.height()),
        ..Limits::default()
    };
    let programs = spec.programs(&BTreeMap::new(), limits).expect("programs");
    let before = cpu_s();
    let mut all = Statistics::default();
    let mut bytes = Vec::new();
    for index in 0..count {
        let (made, statistics) = programs.make(&mut Choices::seeded(0, index));
        all += statistics;
        match made {
            Ok(text) => bytes.push(text.len()),
            Err(problem) => eprintln!("program {index}: {problem}"),
        }
    }
    let seconds = cpu_s() - before;
    bytes.sort_unstable();
    let total: usize = bytes.iter().sum();
    let nodes = all.nodes as f64;
    println!(
        "{name:<20} {:>10.0} {:>6.0} {:>9.0} {:>9} {:>10} {:>13.3} {:>6.2} {:>6}",
        bytes.len() as f64 / seconds,
        total as f64 / 1000.0 / seconds,
        nodes / seconds,
        bytes.get(bytes.len() / 2).copied().unwrap_or(0),
        bytes.last().copied().unwrap_or(0),
        all.alternatives as f64 / nodes,
        all.steps as f64 / nodes,
        peer.map_or(String::new(), |peer| format!(
            "{:.1}",
            nodes / seconds / peer
        )),
    );
}

/// CPU time of this thread so far.
fn cpu_s() -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = text.split(' ').next().and_then(|n| n.parse::<f64>().ok());
    nanoseconds.unwrap_or(0.0) / 1e9
}

fn memory_kb() -> String {
    let text = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.map_or("?".to_string(), |line| {
        line.trim().trim_end_matches(" kB").to_string()
    })
}
