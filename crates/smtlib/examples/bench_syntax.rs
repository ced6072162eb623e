//! Megabytes per CPU second of reading, typing and printing two large
//! generated scripts, beside the crate `yaspar` (which only validates):
//! `cargo run --release --example bench_syntax [-- MEGABYTES]`.
#![allow(clippy::disallowed_methods)] // An example is a program: it reads the CPU clock.

use std::fmt::Write;

use lydite_core::Choices;
use lydite_smtlib::{print, syntax, typing};

fn main() {
    let megabytes = std::env::args()
        .nth(1)
        .and_then(|word| word.parse().ok())
        .unwrap_or(20);
    println!("input      MB   step      MB/CPU-s");
    for (name, text) in [
        ("QF_BV", bit_vectors(megabytes)),
        ("QF_S", strings(megabytes)),
    ] {
        bench(name, &text);
    }
}

fn bench(name: &str, text: &str) {
    let megabytes = text.len() as f64 / 1e6;
    let show = |step: &str, seconds: f64| {
        println!(
            "{name:8} {megabytes:4.0}   {step:8}  {:8.1}",
            megabytes / seconds
        );
    };
    let (script, seconds) = timed(|| syntax::parse_str(text).expect("a well-formed script"));
    show("parse", seconds);
    let (typed, seconds) = timed(|| typing::check(&script, &typing::Options::default()));
    assert!(typed.is_ok(), "a well-sorted script");
    show("type", seconds);
    let (printed, seconds) = timed(|| print::script(&script));
    assert!(printed.len() > text.len() / 2);
    show("print", seconds);
    let ((), seconds) = timed(|| {
        let parser = yaspar::smtlib2::ScriptParser::new();
        let tokens = yaspar::tokenize_str(text, false);
        let parsed = parser.parse(&mut yaspar::action::UnitAction, tokens);
        assert!(parsed.is_ok(), "yaspar reads it too");
    });
    show("yaspar", seconds);
    println!(
        "{name:8}        {} terms, {:.1} bytes each",
        script.term_count(),
        script.term_bytes() as f64 / script.term_count() as f64
    );
}

/// What `run` returns, and the CPU seconds it took.
fn timed<T>(run: impl FnOnce() -> T) -> (T, f64) {
    let before = cpu_seconds();
    let result = run();
    (result, cpu_seconds() - before)
}

/// The CPU time of this one-threaded process.
fn cpu_seconds() -> f64 {
    let text = std::fs::read_to_string("/proc/self/schedstat").expect("Linux with schedstat");
    let nanoseconds: f64 = text
        .split(' ')
        .next()
        .and_then(|word| word.parse().ok())
        .expect("schedstat begins with a number");
    nanoseconds / 1e9
}

const NAMES: usize = 2000;

fn bit_vectors(megabytes: usize) -> String {
    let mut choices = Choices::seeded(1, 0).with_limit(usize::MAX);
    let mut pick = |bound: usize| choices.index(bound).unwrap_or(0);
    let mut text = "(set-logic QF_BV)\n".to_string();
    for i in 0..NAMES {
        let _ = writeln!(text, "(declare-fun state_{i} () (_ BitVec 32))");
    }
    let operators = [
        "bvadd", "bvand", "bvor", "bvxor", "bvmul", "bvshl", "bvudiv",
    ];
    while text.len() < megabytes * 1_000_000 {
        let _ = write!(
            text,
            "(assert (let ((?v_0 (bvadd state_{} #x0000ffff)))",
            pick(NAMES)
        );
        for level in 1..20 {
            let _ = write!(
                text,
                " (let ((?v_{level} ({} ?v_{} (concat ((_ extract 15 0) state_{}) ((_ extract 31 16) ?v_{})))))",
                operators[pick(operators.len())],
                level - 1,
                pick(NAMES),
                pick(level),
            );
        }
        let _ = write!(
            text,
            " (and (bvult ?v_19 (_ bv{} 32)) (not (= ?v_{} state_{}))))",
            pick(1_000_000),
            pick(20),
            pick(NAMES)
        );
        text += &")".repeat(20);
        text.push('\n');
    }
    text + "(check-sat)\n"
}

fn strings(megabytes: usize) -> String {
    let mut choices = Choices::seeded(2, 0).with_limit(usize::MAX);
    let mut pick = |bound: usize| choices.index(bound).unwrap_or(0);
    let mut text = "(set-logic QF_S)\n".to_string();
    for i in 0..NAMES {
        let _ = writeln!(text, "(declare-fun input_{i} () String)");
    }
    while text.len() < megabytes * 1_000_000 {
        let (a, b, c) = (pick(NAMES), pick(NAMES), pick(NAMES));
        let _ = writeln!(
            text,
            "(assert (or (= input_{a} (str.++ input_{b} \"key={}\" (str.at input_{c} {}))) \
             (str.in_re input_{b} (re.++ (re.* (re.range \"a\" \"z\")) (str.to_re \"\\u{{2f}}x\")))))",
            pick(100_000),
            pick(50),
        );
        let _ = writeln!(
            text,
            "(assert (=> (str.contains input_{a} \"token{}\") (< (str.len input_{b}) (+ {} (str.indexof input_{c} \"-\" 0)))))",
            pick(1000),
            pick(1000),
        );
    }
    text + "(check-sat)\n"
}
