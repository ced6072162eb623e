//! What specs make per CPU second, and what it takes.
//!
//! ```text
//! cargo run --release --example bench_spec                        all of ours
//! cargo run --release --example bench_spec -- SPEC [COUNT [HEIGHT [KNOB=NUMBER]...]]
//! ```
//!
//! SPEC is a name or a file. The last column has the ratios to the nodes and
//! kilobytes per CPU second that StarSmith made for the same kind of language on
//! such a machine.

#![allow(
    clippy::disallowed_methods,
    reason = "a benchmark reads files and its arguments"
)]

use lydite_core::Choices;
use lydite_grammar::spec::{KnobValue, Limits, Programs, Spec, Statistics, library};

/// What is measured of one spec.
struct Row<'a> {
    spec: &'a str,
    /// Programs are made with these in turn.
    sizes: &'a [Size<'a>],
    programs: u64,
    /// What StarSmith made per CPU second: nodes and kilobytes.
    peer: (f64, f64),
}

/// How large programs are.
struct Size<'a> {
    /// The spec's own if there is none.
    height: Option<u32>,
    knobs: &'a [(&'a str, i64)],
}

const fn row(spec: &str, programs: u64, peer: (f64, f64)) -> Row<'_> {
    const AS_IT_COMES: Size = Size {
        height: None,
        knobs: &[],
    };
    Row {
        spec,
        sizes: &[AS_IT_COMES],
        programs,
        peer,
    }
}

const fn size<'a>(height: u32, knobs: &'a [(&'a str, i64)]) -> Size<'a> {
    Size {
        height: Some(height),
        knobs,
    }
}

/// As they come.
const USUAL: [Row; 12] = [
    row("c", 300, C),
    row("c-safe", 300, C),
    row("c-known", 150, C),
    row("c-wide", 150, C),
    row("lua", 200, LUA),
    row("sql", 300, SQL),
    row("smtlib", 500, SMT),
    row("smtlib-floats", 1000, FLOATS),
    row("smtlib-strings", 1000, STRINGS),
    row("smtlib-wide", 1000, SMT),
    row("assignments", 5000, (67_000.0, 137.0)),
    row("assignments-guarded", 2000, (31_000.0, 59.0)),
];

/// With programs as large as those of the paper's Table I: it has the median, the
/// largest and, as total by number, the mean. In KiB: 80.6 and 122 for C, 60.4 and
/// 94 for Lua, 36.6 and 53 for SQL, 10.2 and 14.6 for SMT.
const TABLE_I: [Row; 9] = [
    Row {
        sizes: &[
            size(12, &[("statements", 7)]),
            size(12, &[("statements", 9)]),
            size(12, &[("statements", 13)]),
        ],
        ..row("c", 240, C)
    },
    Row {
        sizes: &[
            size(9, &[("statements", 5)]),
            size(9, &[("statements", 8)]),
            size(9, &[("statements", 14)]),
        ],
        ..row("c-safe", 240, C)
    },
    Row {
        sizes: &[
            size(11, &[("statements", 9), ("steps", 8), ("functions", 4)]),
            size(11, &[("statements", 10), ("steps", 10), ("functions", 5)]),
            size(11, &[("statements", 12), ("steps", 16), ("functions", 8)]),
        ],
        ..row("c-known", 30, C)
    },
    Row {
        sizes: &[
            size(10, &[("statements", 9), ("functions", 14)]),
            size(10, &[("statements", 10), ("functions", 16)]),
            size(10, &[("statements", 13), ("functions", 22)]),
        ],
        ..row("c-wide", 90, C)
    },
    Row {
        sizes: &[
            size(8, &[("program", 40)]),
            size(8, &[("program", 66)]),
            size(8, &[("program", 150)]),
        ],
        ..row("lua", 150, LUA)
    },
    Row {
        sizes: &[
            size(10, &[("statements", 34)]),
            size(10, &[("statements", 76)]),
            size(10, &[("statements", 180)]),
        ],
        ..row("sql", 240, SQL)
    },
    Row {
        sizes: &[
            size(9, &[("assertions", 6)]),
            size(9, &[("assertions", 9)]),
            size(9, &[("assertions", 38)]),
        ],
        ..row("smtlib", 300, SMT)
    },
    Row {
        sizes: &[
            size(9, &[("commands", 20), ("declarations", 20)]),
            size(10, &[("commands", 20), ("declarations", 20)]),
            size(11, &[("commands", 20), ("declarations", 20)]),
        ],
        ..row("smtlib-wide", 300, SMT)
    },
    Row {
        sizes: &[size(14, &[])],
        ..row("smtlib-strings", 200, STRINGS)
    },
];

const C: (f64, f64) = (184_000.0, 415.0);
const LUA: (f64, f64) = (137_000.0, 345.0);
const SQL: (f64, f64) = (84_000.0, 117.0);
const SMT: (f64, f64) = (164_000.0, 500.0);
const FLOATS: (f64, f64) = (70_000.0, 291.0);
const STRINGS: (f64, f64) = (65_000.0, 281.0);

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    println!(
        "{:<20} {:>10} {:>6} {:>9} {:>9} {:>9} {:>10} {:>13} {:>6} {:>15}",
        "spec",
        "programs/s",
        "KB/s",
        "nodes/s",
        "median B",
        "mean B",
        "largest B",
        "alternatives",
        "steps",
        "nodes, KB ratio"
    );
    match args.first() {
        None => {
            USUAL.iter().for_each(|row| measure(row, None, true));
            println!("sizes as in Table I");
            TABLE_I.iter().for_each(|row| measure(row, None, true));
        }
        Some(name) => {
            let number = |at: usize| args.get(at).and_then(|n| n.parse::<u64>().ok());
            let knobs = args.iter().skip(3).filter_map(|arg| arg.split_once('='));
            let knobs: Vec<(&str, i64)> = knobs
                .filter_map(|(name, value)| Some((name, value.parse().ok()?)))
                .collect();
            let given = Size {
                height: number(2).map(|n| n as u32),
                knobs: &knobs,
            };
            let given = Row {
                sizes: &[given],
                ..row(name, number(1).unwrap_or(100), C)
            };
            let text = std::fs::read_to_string(name).ok();
            measure(&given, text.as_deref(), false);
        }
    }
    println!("most memory: {} KB", memory_kb());
}

fn measure(row: &Row, text: Option<&str>, compare: bool) {
    let name = row.spec;
    let text = text.unwrap_or_else(|| library::find_spec(name).expect("a spec or a file").text);
    let sized = |size: &Size| {
        let spec = Spec::read(name, text).unwrap_or_else(|error| {
            eprint!("{error}");
            std::process::exit(2)
        });
        let limits = Limits {
            height: size.height.unwrap_or(spec.height()),
            ..Limits::default()
        };
        let knobs = size.knobs.iter();
        let knobs = knobs.map(|(name, value)| (name.to_string(), KnobValue::Int(*value)));
        spec.programs(&knobs.collect(), limits).expect("programs")
    };
    let programs: Vec<Programs> = row.sizes.iter().map(sized).collect();
    let before = cpu_s();
    let mut all = Statistics::default();
    let mut bytes = Vec::new();
    for (index, programs) in (0..row.programs).zip(programs.iter().cycle()) {
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
    let (nodes_s, kb_s) = (nodes / seconds, total as f64 / 1000.0 / seconds);
    let ratio = match compare {
        true => format!("{:.1}, {:.1}", nodes_s / row.peer.0, kb_s / row.peer.1),
        false => String::new(),
    };
    println!(
        "{name:<20} {:>10.0} {kb_s:>6.0} {nodes_s:>9.0} {:>9} {:>9} {:>10} {:>13.3} {:>6.2} {ratio:>15}",
        bytes.len() as f64 / seconds,
        bytes.get(bytes.len() / 2).copied().unwrap_or(0),
        total / bytes.len().max(1),
        bytes.last().copied().unwrap_or(0),
        all.alternatives as f64 / nodes,
        all.steps as f64 / nodes,
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
