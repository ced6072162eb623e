//! `lydite worker`: does shards of campaigns that are hunted with --cluster.

use anyhow::{Context, Result, bail};
use lydite_cluster::{EngineRunner, ShardRunner, UnpackedBundle, Worker, work};
use lydite_core::Role;
use lydite_lab::campaign::Engine;
use lydite_target::install::WantedTarget;

use super::toolbox::{Toolbox, cores, scope, scratch, stop_on_signals};
use crate::args::WorkerArgs;
use crate::console::{Console, print};
use crate::exit_code::ExitCode;

pub(crate) fn run(args: &WorkerArgs, console: &Console) -> Result<ExitCode> {
    let stop = stop_on_signals()?;
    let (console, install) = (*console, args.install);
    let worker = Worker {
        server: args.nats.server(&args.url),
        name: args.name.clone().unwrap_or_else(own_name),
        tasks: args.jobs.map_or_else(cores, usize::from),
        idle: args.idle.map(|span| span.0),
        stop,
        open: Box::new(move |unpacked| open(unpacked, install, &console)),
        say: Box::new(move |text| console.say(text)),
    };
    let server = worker.server.shown();
    console.say(&format!("worker {}: asking {server} for work", worker.name));
    let done = work(worker)?;
    print(&format!("{} shards, {} cases", done.shards, done.cases));
    Ok(ExitCode::Clean)
}

/// Opens a campaign that arrived, with the same targets and the same identity.
fn open(
    unpacked: UnpackedBundle,
    install: bool,
    console: &Console,
) -> Result<Box<dyn ShardRunner>> {
    let toolbox = Toolbox::open(&unpacked.target_files)?;
    let wanted = unpacked
        .targets
        .iter()
        .map(|(name, reference)| WantedTarget {
            name: name.clone(),
            role: match reference {
                true => Role::Reference,
                false => Role::Tested,
            },
            by_user: false,
        });
    let wanted: Vec<WantedTarget> = wanted.collect();
    let targets = toolbox.targets(&wanted, scope(install), console)?;
    let scratch = scratch()?;
    toolbox.preflight(&targets, &scratch)?;
    let plan = &unpacked.plan;
    if plan.options > 0 {
        toolbox.preflight_options(&targets, &scratch)?;
    }
    let language = toolbox.language(&targets, plan.language.as_deref())?;
    debug_assert!(targets.is_sorted_by_key(|(_, role)| *role == Role::Reference));
    let (seeds, registry) = (unpacked.seeds, &toolbox.registry);
    let engine = Engine::open_over(plan, seeds, language, targets, registry, scratch)?;
    if engine.resolved.id != unpacked.id {
        let own = engine.resolved.provenance().targets;
        let pairs = own.iter().zip(&unpacked.provenance.targets);
        let other: Vec<String> = pairs
            .filter(|(own, wanted)| own != wanted)
            .map(|(own, _)| own.name.to_string())
            .collect();
        match other.is_empty() {
            true => bail!("what is installed here makes another campaign of this plan"),
            false => bail!("other binaries or target files here: {}", other.join(", ")),
        }
    }
    Ok(Box::new(EngineRunner::new(engine)))
}

fn own_name() -> String {
    let machine = std::fs::read_to_string("/proc/sys/kernel/hostname");
    let machine = machine.context("no name").unwrap_or_default();
    format!("{}-{}", machine.trim(), std::process::id())
}
