//! Many fake workers on a real server: what the queue and the coordinator can
//! bear (docs/scale.md). `scripts/scale.py` runs both roles and measures.
//!
//! ```text
//! simulate coordinate URL FOLDER CASES
//! simulate work URL TASKS CASE_US
//! ```

use std::fs;
use std::ops::Range;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use lydite_cluster::{Coordinator, Deliver, PackedBundle, Server, ShardRunner, Worker, work};
use lydite_core::strategy::Files;
use lydite_core::{Language, PlainLanguage, Role};
use lydite_lab::campaign::{Campaign, Engine, Session, own_cpu, read_seeds};
use lydite_lab::plan::Plan;
use lydite_lab::registry::Registry;
use lydite_process::Scratch;
use lydite_store::record::{CaseRecord, Runs, ScheduleRecord};
use lydite_target::Catalogue;
use lydite_target::install::Cache;

/// Runs of a case: what two targets and one program give.
const RUNS: usize = 2;

/// So many cases are delivered at once, at the most.
const BATCH: u64 = 256;

fn main() -> Result<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["coordinate", url, folder, cases] => coordinate(url, Path::new(folder), cases.parse()?),
        ["work", url, tasks, case_us] => {
            let pace = Duration::from_micros(case_us.parse()?);
            take_part(url, tasks.parse()?, pace)
        }
        _ => bail!("simulate coordinate URL FOLDER CASES | simulate work URL HANDS CASE_US"),
    }
}

fn server(url: &str) -> Server {
    Server {
        url: url.to_string(),
        ..Server::default()
    }
}

/// The real coordinator and the real store.
fn coordinate(url: &str, folder: &Path, cases: u64) -> Result<()> {
    fs::create_dir_all(folder)?;
    let target = folder.join("true.toml");
    fs::write(&target, TARGET)?;
    fs::write(folder.join("seed.text"), "a seed\n")?;
    let text = format!(
        "targets = [\"true\"]\ntarget-files = [\"true.toml\"]\ncases = {cases}\n\
         mode = \"sample\"\n[[strategy]]\nname = \"files\"\nseeds = [\"seed.text\"]\n"
    );
    let plan = Plan::parse(&text, "simulation", folder)?;
    let registry = Registry {
        strategies: vec![Arc::new(Files)],
        oracles: lydite_core::oracle::oracles()
            .into_iter()
            .map(Arc::from)
            .collect(),
        ..Registry::default()
    };
    let language: Arc<dyn Language> = Arc::new(PlainLanguage {
        name: "text",
        about: "anything",
        extensions: &["text"],
        line_comment: "#",
    });
    let mut catalogue = Catalogue::load(&[])?;
    catalogue.add_path(&target)?;
    let targets = catalogue.resolve(&plan.targets[0], &Cache::open()?)?;
    let targets = targets.into_iter().map(|target| (target, Role::Tested));
    let seeds = read_seeds(&plan, language.as_ref())?;
    let (targets, scratch) = (targets.collect(), Arc::new(Scratch::new()?));
    let engine = Engine::open_over(&plan, seeds.clone(), language, targets, &registry, scratch)?;
    let mut campaign = Campaign::open(engine, &folder.join("campaign"))?;
    let stop = AtomicBool::new(false);
    let coordinator = Coordinator {
        server: server(url),
        packed: PackedBundle::new(&campaign.engine.resolved, &seeds, &plan.target_files)?,
        lease: Duration::from_secs(30),
        stop: &stop,
        say: &|text| eprintln!("{text}"),
    };
    let (began, cpu) = (Instant::now(), own_cpu());
    let summary = coordinator.run(&mut campaign, &mut |_| {})?;
    println!(
        "{{\"cases\": {}, \"runs\": {}, \"wall_s\": {:.3}, \"coordinator_cpu_s\": {:.3}}}",
        summary.totals.cases,
        summary.totals.runs,
        began.elapsed().as_secs_f64(),
        (own_cpu() - cpu).as_secs_f64()
    );
    Ok(())
}

const TARGET: &str = r#"family = "true"
language = "text"
about = "says yes"
[[get]]
from = "system"
commands = ["true"]
[run]
file = "case.text"
[[run.step]]
argv = ["{bin}", "{file}"]
[read]
kind = "accepted"
[version]
argv = ["{bin}", "--version"]
pattern = '\) (\S+)'
[smoke]
program = "x"
expect = "accepted"
"#;

/// Many tasks that run nothing.
fn take_part(url: &str, tasks: usize, pace: Duration) -> Result<()> {
    let worker = Worker {
        server: server(url),
        name: format!("fake-{}", std::process::id()),
        tasks,
        idle: Some(Duration::from_secs(20)),
        stop: Arc::new(AtomicBool::new(false)),
        open: Box::new(move |unpacked| {
            let session = Mutex::new(Session::start(&unpacked.id, unpacked.provenance.clone()));
            Ok(Box::new(Fake { pace, session }))
        }),
        say: Box::new(|_| {}),
    };
    let done = work(worker).context("worker")?;
    println!("{} shards, {} cases", done.shards, done.cases);
    Ok(())
}

/// Answers as if targets had run, each case for so long.
struct Fake {
    pace: Duration,
    session: Mutex<Session>,
}

impl ShardRunner for Fake {
    fn round(&self, _: u64) -> u64 {
        0
    }

    fn run(
        &self,
        shard: Range<u64>,
        _: Option<ScheduleRecord>,
        stop: &AtomicBool,
        deliver: Deliver<'_>,
    ) -> Result<()> {
        // A batch is what a real worker stores every 200 ms.
        let batch = match self.pace.is_zero() {
            true => BATCH,
            false => (Duration::from_millis(200).as_micros() / self.pace.as_micros().max(1)) as u64,
        };
        let batch = batch.clamp(1, BATCH);
        let mut at = shard.start;
        while at < shard.end && !stop.load(Ordering::Relaxed) {
            let end = (at + batch).min(shard.end);
            std::thread::sleep(self.pace * (end - at) as u32);
            let row = self.session.lock().expect("nobody panics").add(&[]).clone();
            deliver((at..end).map(case).collect(), &row)?;
            at = end;
        }
        Ok(())
    }
}

fn case(index: u64) -> CaseRecord {
    // Times differ from case to case, so that they do not pack too well.
    let noise = index.wrapping_mul(0x9e37_79b9_7f4a_7c15).to_le_bytes();
    let mut runs = Vec::new();
    for target in 0..RUNS as u8 {
        runs.extend([0, 0, target, 0, 0]);
        runs.extend([noise[0], noise[1], 0, 0, noise[2], noise[3], 0, 0]);
    }
    CaseRecord {
        index,
        bytes: 200 + u64::from(noise[4]),
        runs: Runs::from_bytes(runs),
        ..CaseRecord::default()
    }
}
