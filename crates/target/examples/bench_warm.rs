//! What many programs in one process buy: CPU time per program for one
//! process each, for batches with `(reset)` between programs, and for batches
//! with `(push)` and `(pop)` around them; and how many answers differ.
//!
//! `bench_warm FOLDER TARGET...`: the programs are the files of the folder,
//! one question each, as `lydite generate enumerate --set grammar=ints -n 300
//! -o FOLDER` writes them.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use lydite_core::TargetName;
use lydite_process::{Command, Limits, Scratch, run};
use lydite_target::install::Cache;
use lydite_target::{Catalogue, RunLimits, Target};

/// Programs in one process.
const BATCH: usize = 50;

/// What one way to run all programs gave.
#[derive(Default)]
struct Bill {
    cpu: Duration,
    wall: Duration,
    /// One line per program; shorter if a process ended early.
    answers: Vec<String>,
}

fn main() -> Result<()> {
    let mut args = std::env::args().skip(1);
    let folder = args.next().context("bench_warm FOLDER TARGET...")?;
    let mut programs: BTreeMap<String, String> = BTreeMap::new();
    for entry in std::fs::read_dir(&folder).with_context(|| folder.clone())? {
        let path = entry?.path();
        let text = std::fs::read_to_string(&path)?;
        programs.insert(path.display().to_string(), text);
    }
    let programs: Vec<String> = programs.into_values().collect();
    ensure!(!programs.is_empty(), "{folder}: no programs");
    let catalogue = Catalogue::load(&Catalogue::user_folders())?;
    let cache = Cache::open()?;
    let scratch = Scratch::new()?;
    println!(
        "{} programs of {folder}, {BATCH} in a batch",
        programs.len()
    );
    for name in args {
        let name: TargetName = name.parse()?;
        for target in catalogue.resolve(&name, &cache)? {
            measure(&target, &programs, &scratch)?;
        }
    }
    Ok(())
}

fn measure(target: &Target, programs: &[String], scratch: &Scratch) -> Result<()> {
    let one = |program: &&String| vec![program.to_string()];
    let cold: Vec<Vec<String>> = programs.iter().map(|p| one(&p)).collect();
    let cold = bill(target, &cold, scratch)?;
    let reset: Vec<Vec<String>> = programs
        .chunks(BATCH)
        .map(|chunk| vec![chunk.join("\n(reset)\n")])
        .collect();
    let reset = bill(target, &reset, scratch)?;
    let pushed: Vec<Vec<String>> = programs
        .chunks(BATCH)
        .map(|chunk| vec![incremental(chunk)])
        .collect();
    let pushed = bill(target, &pushed, scratch)?;
    println!("{}", target.name);
    for (way, bill) in [
        ("one each", &cold),
        ("reset", &reset),
        ("push/pop", &pushed),
    ] {
        let count = programs.len() as u32;
        let same = bill
            .answers
            .iter()
            .zip(&cold.answers)
            .filter(|(a, b)| a == b);
        println!(
            "  {way:9} {:>8.2?} CPU {:>8.2?} wall per program, {:.1} times as fast; {} answers, {} as alone",
            bill.cpu / count,
            bill.wall / count,
            cold.cpu.as_secs_f64() / bill.cpu.as_secs_f64(),
            bill.answers.len(),
            same.count(),
        );
    }
    Ok(())
}

/// The programs in one, each in a scope of its own. Logic and options are
/// those of the first.
fn incremental(programs: &[String]) -> String {
    let heading = |line: &&str| line.starts_with("(set-");
    let first = programs[0].lines().filter(heading);
    let mut text: String = first.map(|line| format!("{line}\n")).collect();
    for program in programs {
        text.push_str("(push 1)\n");
        for line in program.lines().filter(|line| !heading(line)) {
            text.push_str(line);
            text.push('\n');
        }
        text.push_str("(pop 1)\n");
    }
    text
}

fn bill(target: &Target, inputs: &[Vec<String>], scratch: &Scratch) -> Result<Bill> {
    let reproduction = target.reproduction(&RunLimits::default());
    let step = &reproduction.steps[0];
    let env: Vec<(String, String)> = reproduction.env.clone().into_iter().collect();
    let mut bill = Bill::default();
    for input in inputs {
        let folder = scratch.folder()?;
        let file = folder.path().join(&reproduction.file);
        std::fs::write(&file, input.concat())?;
        let argv: Vec<OsString> = step
            .argv
            .iter()
            .map(|word| OsString::from(word.replace("{file}", &reproduction.file)))
            .collect();
        let ended = run(&Command {
            argv: &argv,
            dir: folder.path(),
            stdin: step.stdin.then_some(file.as_path() as &Path),
            env: &env,
            limits: &Limits::default(),
        })?;
        bill.cpu += ended.cpu;
        bill.wall += ended.wall;
        let words = ["sat", "unsat", "unknown"];
        let output = ended.stdout.text();
        let answers = output.lines().filter(|line| words.contains(line));
        bill.answers.extend(answers.map(str::to_string));
    }
    Ok(bill)
}
