//! What a run costs: a program that needs 1 ms of CPU, through
//! `process::run` with a scratch folder, an input file and limits, beside a
//! bare spawn-and-wait loop of the same program, block by block in turns.
//!
//! `bench_spawn [ZOO_MANNERS]`: prints CPU time per run of both (ours and the
//! children's together) and their ratio.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use lydite_core::Exit;
use lydite_process::{Command, Limits, Scratch, run};
use wait4::Wait4;

const BLOCKS: usize = 40;
const RUNS_PER_BLOCK: usize = 50;

/// About the size of a small test program.
const INPUT: &[u8] = &[b'x'; 1024];

/// CPU and wall time of one way to run a program.
#[derive(Default)]
struct Bill {
    cpu: Duration,
    wall: Duration,
}

fn main() -> anyhow::Result<()> {
    let program = match std::env::args_os().nth(1) {
        Some(path) => PathBuf::from(path),
        None => beside_us()?,
    };
    let argv: Vec<OsString> = [program.as_os_str(), "spin".as_ref(), "1ms".as_ref()]
        .map(OsString::from)
        .to_vec();
    let scratch = Scratch::new()?;
    let limits = Limits::default();
    let (mut bare, mut lab) = (Bill::default(), Bill::default());
    for block in 0..=BLOCKS {
        let bare_block = bill(|| run_bare(&argv))?;
        let lab_block = bill(|| run_in_lab(&scratch, &argv, &limits))?;
        // The first block warms the caches.
        if block > 0 {
            bare.add(&bare_block);
            lab.add(&lab_block);
        }
    }
    let runs = (BLOCKS * RUNS_PER_BLOCK) as u32;
    for (name, bill) in [("bare spawn and wait", &bare), ("through the lab", &lab)] {
        let (cpu, wall) = (bill.cpu / runs, bill.wall / runs);
        println!("{name:20} {cpu:>10.1?} CPU {wall:>10.1?} wall per run");
    }
    let ratio = lab.cpu.as_secs_f64() / bare.cpu.as_secs_f64();
    println!("spawn ratio (CPU)    {ratio:.3} (wanted: at most 1.3)");
    Ok(())
}

/// `target/release/zoo-manners` from `target/release/examples/bench_spawn`.
fn beside_us() -> anyhow::Result<PathBuf> {
    let us = std::env::current_exe()?;
    let folder = us.ancestors().nth(2).unwrap_or(Path::new("."));
    let program = folder.join("zoo-manners");
    ensure!(
        program.exists(),
        "{}: not built (cargo build --release -p lydite-zoo)",
        program.display()
    );
    Ok(program)
}

/// Runs one block; `step` returns the CPU time of the child.
fn bill(mut step: impl FnMut() -> anyhow::Result<Duration>) -> anyhow::Result<Bill> {
    let (started, own) = (Instant::now(), own_cpu()?);
    let mut children = Duration::ZERO;
    for _ in 0..RUNS_PER_BLOCK {
        children += step()?;
    }
    Ok(Bill {
        cpu: children + (own_cpu()? - own),
        wall: started.elapsed(),
    })
}

impl Bill {
    fn add(&mut self, other: &Bill) {
        self.cpu += other.cpu;
        self.wall += other.wall;
    }
}

/// The CPU time of our only thread, in nanoseconds as the scheduler has it.
fn own_cpu() -> anyhow::Result<Duration> {
    let text = std::fs::read_to_string("/proc/self/schedstat")?;
    let nanos = text.split_whitespace().next().and_then(|n| n.parse().ok());
    Ok(Duration::from_nanos(
        nanos.context("/proc/self/schedstat is empty")?,
    ))
}

fn run_bare(argv: &[OsString]) -> anyhow::Result<Duration> {
    let mut child = std::process::Command::new(&argv[0])
        .args(&argv[1..])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    let used = child.wait4()?;
    ensure!(used.status.success(), "{}", used.status);
    Ok(used.rusage.utime + used.rusage.stime)
}

fn run_in_lab(scratch: &Scratch, argv: &[OsString], limits: &Limits) -> anyhow::Result<Duration> {
    let folder = scratch.folder()?;
    let input = folder.path().join("input.smt2");
    std::fs::write(&input, INPUT)?;
    let ended = run(&Command {
        argv,
        dir: folder.path(),
        stdin: Some(&input),
        env: &[],
        limits,
    })?;
    ensure!(ended.exit == Exit::Status(0), "{ended:?}");
    Ok(ended.cpu)
}
