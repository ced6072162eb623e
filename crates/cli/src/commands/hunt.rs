//! `lydite hunt`: start a campaign, or go on with one.

mod choose;
mod tell;

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result};
use lydite_cluster::{Coordinator, PackedBundle};
use lydite_core::Role;
use lydite_core::fault::{Blame, usage};
use lydite_core::quantity::{Size, Span};
use lydite_lab::campaign::{Campaign, Engine, Event, RunOptions, Shard, Summary, read_seeds};
use lydite_lab::plan::Plan;
use lydite_lab::registry::Registry;
use lydite_lab::seeds::SeedSet;
use lydite_lab::work::{Effort, Workplace, reduce};
use lydite_store::folder::ReadFolder;
use lydite_target::{AnswerCache, Target};

use super::compare;
use super::prove::confirm_files;
use super::seeds::CorpusFinder;
use super::toolbox::{Toolbox, cores, scope, scratch, stop_on_signals};
use crate::args::HuntArgs;
use crate::console::{Console, counted};
use crate::exit_code::ExitCode;
use crate::presets;
use choose::{
    begun_corpora, choose_plan, override_settings, settings_are_taken, want_targets, with_overrides,
};
use tell::{announce, found_line, show_choices, tell};

pub(crate) fn run(args: &HuntArgs, console: &Console) -> Result<ExitCode> {
    if args.preset.as_deref() == Some(presets::AUDIT) {
        return super::audit::run(args, console);
    }
    let own_seeds = |preset: &String| !presets::takes_seeds(preset);
    if args.preset.as_ref().is_some_and(own_seeds) && !args.seeds.is_empty() {
        return Err(usage(
            "--seeds goes with targets (-t z3) or with preset audit or its parts; other presets have their own",
        ));
    }
    Ok(run_one(args, console)?.0)
}

/// Runs one campaign. Returns how it ends, and how it stands unless nothing was to be run.
pub(super) fn run_one(args: &HuntArgs, console: &Console) -> Result<(ExitCode, Option<Summary>)> {
    let stop = stop_on_signals()?;
    let mut toolbox = Toolbox::open(&args.target_files.paths)?;
    let chosen = choose_plan(args, &toolbox).or_usage()?;
    let mut plan = with_overrides(chosen.plan.clone(), args).or_usage()?;
    if !settings_are_taken(args) {
        override_settings(&mut plan, &args.settings, &toolbox.registry).or_usage()?;
    }
    for file in &plan.target_files {
        toolbox.catalogue.add_path(file).or_usage()?;
    }
    let wanted = want_targets(&plan, args, &chosen);
    let scope = scope(args.install || chosen.preset);
    if args.dry_run {
        let choices = toolbox.choose(&wanted, scope, console).or_usage()?;
        return Ok((show_choices(&choices, &toolbox, args)?, None));
    }
    let finder = CorpusFinder {
        cache: &toolbox.cache,
        install: args.install || chosen.preset,
        begun: &begun_corpora(&chosen),
        console,
    };
    finder.find_in(&mut plan).or_usage()?;
    let mut targets = toolbox.targets(&wanted, scope, console).or_usage()?;
    let contest = compare::Contest::prepare(args, &mut targets, &toolbox, console)?;
    let (mut campaign, packed) = open(args, &mut plan, targets, &chosen.folder, &toolbox, console)?;
    announce(console, &plan, &campaign);
    let say = |text: &str| console.say(text);
    let workers = workers(args, &plan, &campaign, packed, &stop, &say)?;
    let mut summary = run_displayed(&mut campaign, &workers, console)?;
    let (held, store, resolved) = campaign.into_parts();
    let voice = toolbox.voice(console);
    let mut workplace = Workplace::over(toolbox.tools(&voice)?, held, store, resolved)?;
    if let Some(span) = plan.reduce.filter(|span| !span.0.is_zero())
        && !summary.interrupted
    {
        reduce_all(&mut workplace, &effort_of(args, span), console, &stop)?;
        summary.interrupted |= stop.load(Ordering::Relaxed);
    }
    let judged = contest.filter(|_| !summary.interrupted);
    let judged = judged
        .map(|contest| contest.judge(&workplace))
        .transpose()?;
    let ended = workplace.end()?;
    let (held, store, resolved) = ended.context("a campaign that is held stays so")?;
    summary = Summary::of(&store, &resolved, summary.interrupted)?;
    super::certify::at_end(&held, &toolbox.registry, console)?;
    tell(args, &summary, held.path(), judged.as_ref(), console);
    let code = match judged {
        _ if summary.interrupted => ExitCode::Interrupted,
        Some(judged) => ExitCode::found(judged.new_entries().next().is_some()),
        None => ExitCode::found(summary.news),
    };
    Ok((code, Some(summary)))
}

/// What goes into making findings small at the end of a hunt.
fn effort_of(args: &HuntArgs, span: Span) -> Effort {
    Effort {
        threads: threads(args),
        duration: Some(span),
        tests: None,
    }
}

/// Opens the campaign of a plan in `folder`, once its targets are known to run;
/// and its seeds, if they go to workers elsewhere.
fn open(
    args: &HuntArgs,
    plan: &mut Plan,
    targets: Vec<(Target, Role)>,
    folder: &Path,
    toolbox: &Toolbox,
    console: &Console,
) -> Result<(Campaign, Option<Vec<SeedSet>>)> {
    let language = toolbox.language(&targets, plan.language.as_deref());
    let language = language.or_usage()?;
    let under_test = targets.iter().map(|(target, _)| target);
    plan.follow_targets(under_test, &toolbox.registry)
        .or_usage()?;
    let scratch = scratch()?;
    toolbox.preflight(&targets, &scratch).or_usage()?;
    if plan.options > 0 {
        toolbox.preflight_options(&targets, &scratch).or_usage()?;
    }
    let registry = &toolbox.registry;
    if !ReadFolder::is_campaign(folder) {
        confirm_tables(plan, registry, console).or_usage()?;
    }
    plan.read_files(registry).or_usage()?;
    let seeds = read_seeds(plan, language.as_ref()).or_usage()?;
    say_sampling(plan, &seeds, console);
    say_reading(&seeds, console);
    let packed = args.cluster.as_ref().map(|_| seeds.clone());
    let engine = Engine::open_over(plan, seeds, language, targets, registry, scratch);
    let mut engine = engine.or_usage()?;
    if engine.learns() {
        let path = toolbox.cache.root().join("answers.sqlite");
        // A cache that cannot be written never stops a campaign.
        if let Ok(answers) = AnswerCache::open(&path) {
            engine = engine.knowing_seeds(Arc::new(answers));
        }
    }
    Ok((Campaign::open(engine, folder)?, packed))
}

/// Says where only a part of the seeds is used, once for those that strategies share.
fn say_sampling(plan: &Plan, seeds: &[SeedSet], console: &Console) {
    let mut said: Vec<String> = Vec::new();
    for (strategy, set) in plan.strategies.iter().zip(seeds) {
        let Some(text) = set.sampling().filter(|text| !said.contains(text)) else {
            continue;
        };
        console.say(&format!("{}: {text}", strategy.name));
        said.push(text);
    }
}

/// Seeds that have together so many bytes may take seconds to read: some languages take a second
/// for each.
const MANY_BYTES: u64 = 2 << 20;

/// Says that the strategies read their seeds, where that takes a while.
fn say_reading(seeds: &[SeedSet], console: &Console) {
    let all = || seeds.iter().flat_map(|set| &set.seeds);
    let bytes = all().map(|seed| seed.text.len() as u64).sum();
    if bytes >= MANY_BYTES {
        let count = counted(all().count() as u64, "seed");
        console.say(&format!(
            "reading the seeds of all strategies before the first case: {count}, {}",
            Size(bytes).rounded()
        ));
    }
}

/// Who runs the cases.
enum Workers<'a> {
    /// This process.
    Threads(RunOptions<'a>),
    /// Workers, elsewhere.
    Workers(Box<Coordinator<'a>>),
}

/// The threads of this process, or a coordinator of others.
fn workers<'a>(
    args: &'a HuntArgs,
    plan: &Plan,
    campaign: &Campaign,
    seeds: Option<Vec<SeedSet>>,
    stop: &'a AtomicBool,
    say: &'a dyn Fn(&str),
) -> Result<Workers<'a>> {
    Ok(match args.cluster.as_ref().zip(seeds) {
        Some((url, seeds)) => Workers::Workers(Box::new(Coordinator {
            server: args.nats.server(url),
            packed: PackedBundle::new(&campaign.engine.resolved, &seeds, &plan.target_files)?,
            lease: args.lease.0,
            stop,
            say,
        })),
        None => Workers::Threads(RunOptions {
            threads: threads(args),
            shard: shard(args)?,
            stop,
        }),
    })
}

fn threads(args: &HuntArgs) -> usize {
    args.jobs.map_or_else(cores, usize::from)
}

fn shard(args: &HuntArgs) -> Result<Shard> {
    let Some(shard) = args.shard else {
        return Ok(Shard { number: 1, of: 1 });
    };
    let resolved = shard.resolve(&|name| std::env::var(name).ok());
    resolved.map_err(usage)
}

fn run_displayed(
    campaign: &mut Campaign,
    workers: &Workers<'_>,
    console: &Console,
) -> Result<Summary> {
    let display = console.progress();
    let mut listen = |event: Event<'_>| match event {
        Event::Progress(progress) => display.update(progress),
        Event::Found { finding, new: true } => display.note(&found_line("found", finding)),
        Event::Found {
            finding,
            new: false,
        } => display.detail(&found_line("smaller case of", finding)),
    };
    let summary = match workers {
        Workers::Threads(options) => campaign.run(options, &mut listen),
        // What can go wrong beside the campaign is the server that was named.
        Workers::Workers(coordinator) => coordinator.run(campaign, &mut listen).or_usage(),
    };
    display.end();
    summary
}

/// Reduces what was found and is news, as far as that was not done.
fn reduce_all(
    workplace: &mut Workplace<'_>,
    effort: &Effort,
    console: &Console,
    stop: &AtomicBool,
) -> Result<()> {
    for id in workplace.ids()? {
        if stop.load(Ordering::Relaxed) {
            break;
        }
        let found = workplace.finding(&id)?.file.finding;
        if found.reduced_bytes.is_none() && found.is_news() {
            console.say(&format!("reducing {id}"));
            if let Err(error) = reduce(workplace, &id, effort, stop) {
                console.warn(&format!("{id}: not reduced: {error:#}"));
            }
        }
    }
    Ok(())
}

/// Has the user's own tables proved before they are used for the first time.
fn confirm_tables(plan: &Plan, registry: &Registry, console: &Console) -> Result<()> {
    let mut plan = plan.clone();
    plan.read_files(registry)?;
    for strategy_plan in &plan.strategies {
        let strategy = registry.strategy(&strategy_plan.name)?;
        let files = &strategy_plan.files;
        let settings = files.settings(strategy.as_ref(), &strategy_plan.settings)?;
        confirm_files(strategy.as_ref(), &settings, console).or_usage()?;
    }
    Ok(())
}
