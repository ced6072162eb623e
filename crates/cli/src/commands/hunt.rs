//! `lydite hunt`: start a campaign, or go on with one.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result};
use lydite_cluster::{Coordinator, PackedBundle};
use lydite_core::fault::{Blame, usage};
use lydite_core::{Role, TargetName};
use lydite_lab::campaign::{
    CONTESTED_FOLDER, Campaign, Engine, Event, Resolved, RunOptions, Shard, Summary, TargetRecord,
    read_seeds,
};
use lydite_lab::compare::Comparison;
use lydite_lab::finding::{self, Finding};
use lydite_lab::plan::{Plan, Spending, StrategyPlan};
use lydite_lab::registry::Registry;
use lydite_lab::report;
use lydite_lab::seeds;
use lydite_lab::setting_files::SettingFiles;
use lydite_lab::work::{Effort, Workplace, reduce};
use lydite_store::Totals;
use lydite_store::folder::ReadFolder;
use lydite_store::record::Failure;
use lydite_target::AnswerCache;
use lydite_target::install::{ChosenTarget, WantedTarget};
use serde_json::{Value, json};

use super::compare;
use super::prove::confirm_files;
use super::toolbox::{Toolbox, cores, scope, scratch, stop_on_signals, written};
use crate::args::HuntArgs;
use crate::console::{Console, print, print_json};
use crate::exit_code::ExitCode;
use crate::presets;
use crate::table::print_table;

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

/// One campaign: how it ends, and how it stands unless nothing was to be run.
pub(super) fn run_one(args: &HuntArgs, console: &Console) -> Result<(ExitCode, Option<Summary>)> {
    let stop = stop_on_signals()?;
    let mut toolbox = Toolbox::open(&args.target_files)?;
    let chosen = choose_plan(args, &toolbox).or_usage()?;
    let mut plan = with_overrides(chosen.plan.clone(), args).or_usage()?;
    if !settings_are_taken(args) {
        override_settings(&mut plan, &args.settings, &toolbox.registry).or_usage()?;
    }
    for file in &plan.target_files {
        toolbox.catalogue.add_path(file).or_usage()?;
    }
    let wanted = wanted(&plan, args, &chosen);
    let scope = scope(args.install || chosen.preset);
    if args.dry_run {
        let choices = toolbox.choose(&wanted, scope, console).or_usage()?;
        return Ok((show_choices(&choices, &toolbox, args)?, None));
    }
    let mut targets = toolbox.targets(&wanted, scope, console).or_usage()?;
    let contest = compare::Contest::prepare(args, &mut targets, &toolbox, console)?;
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
    let names: Vec<String> = targets
        .iter()
        .map(|(target, _)| target.name.to_string())
        .collect();
    let folder = chosen.folder;
    if !ReadFolder::is_campaign(&folder) {
        confirm_tables(&plan, &toolbox.registry, console).or_usage()?;
    }
    plan.read_files(&toolbox.registry).or_usage()?;
    let seeds = read_seeds(&plan, language.as_ref()).or_usage()?;
    let packed = args.cluster.as_ref().map(|_| seeds.clone());
    let registry = &toolbox.registry;
    let engine = Engine::open_over(&plan, seeds, language, targets, registry, scratch);
    let mut engine = engine.or_usage()?;
    if engine.learns() {
        let path = toolbox.cache.root().join("answers.sqlite");
        // A cache that cannot be written never stops a campaign.
        if let Ok(answers) = AnswerCache::open(&path) {
            engine = engine.knowing_seeds(Arc::new(answers));
        }
    }
    let mut campaign = Campaign::open(engine, &folder)?;
    announce(console, &plan, &names, &campaign);
    let say = |text: &str| console.say(text);
    let workers = match (&args.cluster, packed) {
        (Some(url), Some(seeds)) => Workers::Workers(Box::new(Coordinator {
            server: args.nats.server(url),
            packed: PackedBundle::new(&campaign.engine.resolved, &seeds, &plan.target_files)?,
            lease: args.lease.0,
            stop: &stop,
            say: &say,
        })),
        _ => Workers::Threads(RunOptions {
            threads: args.jobs.map_or_else(cores, usize::from),
            shard: shard(args)?,
            stop: &stop,
        }),
    };
    let mut summary = run_displayed(&mut campaign, &workers, console)?;
    let (held, store, resolved) = campaign.into_parts();
    let voice = toolbox.voice(console);
    let mut workplace = Workplace::over(toolbox.tools(&voice)?, held, store, resolved)?;
    if let Some(span) = plan.reduce
        && !summary.interrupted
    {
        let effort = Effort {
            threads: args.jobs.map_or_else(cores, usize::from),
            duration: Some(span),
            tests: None,
        };
        reduce_all(&mut workplace, &effort, console, &stop)?;
        summary.interrupted |= stop.load(Ordering::Relaxed);
    }
    let judged = contest.filter(|_| !summary.interrupted);
    let judged = judged
        .map(|contest| contest.judge(&workplace))
        .transpose()?;
    let ended = workplace.end()?;
    let (held, store, resolved) = ended.context("a campaign that is held stays so")?;
    summary = Summary::of(&store, &resolved, summary.interrupted)?;
    let report = held.path().join("report.html");
    super::certify::at_end(&held, &toolbox.registry, console)?;
    tell(args, &summary, &folder, &report, judged.as_ref(), console);
    let code = match judged {
        _ if summary.interrupted => ExitCode::Interrupted,
        Some(judged) => ExitCode::found(judged.new_entries().next().is_some()),
        None => ExitCode::found(summary.news),
    };
    Ok((code, Some(summary)))
}

/// The names that the plan's targets go by. A campaign that was begun with the
/// same names goes on with the versions that they meant then.
fn wanted(plan: &Plan, args: &HuntArgs, chosen: &Chosen) -> Vec<WantedTarget> {
    let begun = ReadFolder::campaign(&chosen.folder).and_then(|folder| Resolved::read(&folder));
    if let Ok(begun) = begun
        && begun.plan.targets == plan.targets
        && begun.plan.references == plan.references
    {
        let wanted = |record: TargetRecord| WantedTarget {
            role: record.role(),
            name: record.name,
            by_user: false,
        };
        return begun.targets.into_iter().map(wanted).collect();
    }
    let mut wanted = written(&plan.targets, &plan.references);
    if chosen.preset {
        let compared = args.baseline.iter().chain(&args.candidate);
        let typed = args.targets.iter().chain(&args.references).chain(compared);
        let typed: Vec<&TargetName> = typed.collect();
        for wanted in &mut wanted {
            wanted.by_user = typed.contains(&&wanted.name);
        }
    }
    wanted
}

/// What the plan means on this machine: `--dry-run`.
fn show_choices(choices: &[ChosenTarget], toolbox: &Toolbox, args: &HuntArgs) -> Result<ExitCode> {
    let mut rows = Vec::new();
    for ChosenTarget {
        name,
        role,
        written,
    } in choices
    {
        let installed = toolbox.catalogue.resolve(name, &toolbox.cache).is_ok();
        let role = match role {
            Role::Tested => "tested",
            Role::Reference => "reference",
        };
        if args.json {
            let object =
                json!({ "target": name, "written": written, "role": role, "installed": installed });
            print(&object.to_string());
            continue;
        }
        let state = match installed {
            true => "installed",
            false => "would be installed",
        };
        let words = [&name.to_string(), role, &written.to_string(), state];
        rows.push(words.map(str::to_string).to_vec());
    }
    if !args.json {
        print_table(&["target", "role", "written as", "state"], &rows);
    }
    Ok(ExitCode::Clean)
}

/// Who runs the cases.
enum Workers<'a> {
    /// This process.
    Threads(RunOptions<'a>),
    /// Workers, elsewhere.
    Workers(Box<Coordinator<'a>>),
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

/// The result, as it was asked for.
fn tell(
    args: &HuntArgs,
    summary: &Summary,
    folder: &Path,
    report: &Path,
    judged: Option<&Comparison>,
    console: &Console,
) {
    if args.json {
        let mut object = summary_json(summary, folder, report);
        if let Some(judged) = judged {
            object["gate"] = compare::to_json(judged);
        }
        print_json(&object.to_string());
        return;
    }
    show(summary, report, console);
    match judged {
        Some(judged) => compare::show(judged, folder),
        None => suggest(summary, folder),
    }
}

/// True if the settings that were typed are in the plan already.
fn settings_are_taken(args: &HuntArgs) -> bool {
    let typed = !args.targets.is_empty() && args.preset.is_none();
    typed || args.candidate.is_some() && has_own_cases(args)
}

/// True if where cases come from was typed.
fn has_own_cases(args: &HuntArgs) -> bool {
    !args.seeds.is_empty() || args.strategy != FILES
}

/// The strategy that is meant unless another is named.
const FILES: &str = "files";

/// A plan and where its campaign lives.
struct Chosen {
    plan: Plan,
    folder: PathBuf,
    /// True for a plan that comes with lydite, which gets what it needs.
    preset: bool,
}

fn choose_plan(args: &HuntArgs, toolbox: &Toolbox) -> Result<Chosen> {
    let named = |mut plan: Plan, preset: bool| {
        if let Some(comparison) = compare::asked(args) {
            plan = comparison.plan(plan, args.budget);
            plan.name = format!("gate-{}", comparison.candidate.family);
        }
        let folder = args.output.clone();
        let folder = folder.unwrap_or_else(|| Path::new("lydite-out").join(&plan.name));
        Ok(Chosen {
            plan,
            folder,
            preset,
        })
    };
    if let Some(path) = &args.plan {
        return named(Plan::read(path)?, false);
    }
    if settings_are_taken(args) {
        let strategy = StrategyPlan {
            name: args.strategy.clone(),
            weight: 1,
            seeds: args.seeds.clone(),
            settings: args.settings.iter().cloned().collect(),
            files: SettingFiles::default(),
        };
        let mut plan = Plan::new(args.targets.clone(), strategy);
        let mut words = vec![args.strategy.as_str()];
        words.extend(args.targets.iter().map(|target| target.family.as_str()));
        words.dedup();
        plan.name = words.join("-");
        return named(plan, false);
    }
    if let Some(folder) = &args.output
        && args.preset.is_none()
        && args.candidate.is_none()
        && ReadFolder::is_campaign(folder)
    {
        let plan = Resolved::read(&ReadFolder::campaign(folder)?)?.plan;
        let folder = folder.clone();
        return Ok(Chosen {
            plan,
            folder,
            preset: false,
        });
    }
    if !args.seeds.is_empty() && args.preset.is_none() {
        return Err(usage("--seeds needs at least one target (-t z3)"));
    }
    let name = args.preset.as_deref().unwrap_or(presets::DEFAULT);
    named(presets::plan(name, toolbox.cache.root())?, true)
}

/// What was typed beside the plan, and paths that stay right from anywhere.
fn with_overrides(mut plan: Plan, args: &HuntArgs) -> Result<Plan> {
    if args.preset.is_some() && !args.targets.is_empty() {
        plan.targets = args.targets.clone();
        plan.references.clear();
    }
    plan.references.extend(args.references.iter().cloned());
    plan.target_files.extend(args.target_files.iter().cloned());
    if !args.oracles.is_empty() {
        plan.oracles = args.oracles.clone();
    }
    plan.cases = args.cases.or(plan.cases);
    plan.duration = args.duration.or(plan.duration);
    plan.options = args.options.unwrap_or(plan.options);
    plan.reduce = args.reduce.or(plan.reduce);
    plan.confirm.replays = args.confirm.unwrap_or(plan.confirm.replays);
    plan.warm = args.warm.unwrap_or(plan.warm);
    plan.schedule = args.schedule.unwrap_or(plan.schedule);
    if args.candidate.is_some() {
        // The same cases each time: the answers of the baseline are kept.
        plan.schedule = Spending::Fixed;
    }
    plan.seed = args.seed.unwrap_or(plan.seed);
    plan.limits.timeout = args.limits.timeout.unwrap_or(plan.limits.timeout);
    plan.limits.memory = args.limits.memory.unwrap_or(plan.limits.memory);
    if args.preset.is_some() && !args.seeds.is_empty() {
        let seeded = plan
            .strategies
            .iter_mut()
            .filter(|strategy| !strategy.seeds.is_empty());
        seeded.for_each(|strategy| strategy.seeds = args.seeds.clone());
    }
    let seeds = plan
        .strategies
        .iter_mut()
        .flat_map(|strategy| strategy.seeds.iter_mut());
    for path in seeds.chain(plan.target_files.iter_mut()) {
        *path = std::path::absolute(&*path)
            .with_context(|| path.display().to_string())
            .or_usage()?;
    }
    plan.validate()?;
    Ok(plan)
}

/// Settings that were typed beside a plan go to every strategy that has them;
/// the files that they name are relative to the working directory.
fn override_settings(
    plan: &mut Plan,
    settings: &[(String, String)],
    registry: &Registry,
) -> Result<()> {
    for (key, value) in settings {
        let mut taken = false;
        for strategy_plan in &mut plan.strategies {
            let strategy = registry.strategy(&strategy_plan.name)?;
            let known = strategy.settings().iter().find(|s| s.key == key);
            if let Some(setting) = known {
                let value = match setting.names_file(value) {
                    true => std::path::absolute(value)?.display().to_string(),
                    false => value.clone(),
                };
                strategy_plan.settings.insert(key.clone(), value);
                strategy_plan.files = SettingFiles::default();
                taken = true;
            }
        }
        if !taken {
            return Err(usage(format!(
                "--set {key}: no strategy of the plan has this setting"
            )));
        }
    }
    Ok(())
}

fn announce(console: &Console, plan: &Plan, targets: &[String], campaign: &Campaign) {
    console.say(&format!(
        "hunting with {} on {}, judged by {} (into {})",
        plan.strategies
            .iter()
            .map(|s| s.name.as_str())
            .collect::<Vec<_>>()
            .join(", "),
        targets.join(", "),
        plan.oracles.join(", "),
        campaign.folder.path().display()
    ));
    if campaign.resumed_at > 0 {
        console.say(&format!(
            "going on: {} cases are done already",
            campaign.resumed_at
        ));
    }
    let left_out: &[seeds::LeftOut] = &campaign.engine.left_out;
    for left in left_out.iter().take(3) {
        console.warn(&format!("seed {}: left out, {}", left.path, left.reason));
    }
    if left_out.len() > 3 {
        console.warn(&format!("{} more seeds were left out", left_out.len() - 3));
    }
}

fn found_line(news: &str, finding: &Finding) -> String {
    let evidence: String = finding.evidence.chars().take(120).collect();
    format!(
        "{news} {} ({} bytes): {evidence}",
        finding.id, finding.bytes
    )
}

fn show(summary: &Summary, report: &Path, console: &Console) {
    if summary.findings.is_empty() {
        print("no findings");
    } else {
        super::findings::table(&summary.findings, summary.count);
    }
    let totals = &summary.totals;
    let rows: Vec<Vec<String>> = summary
        .targets
        .iter()
        .enumerate()
        .map(|(number, name)| {
            let counts = totals
                .outcomes
                .iter()
                .filter(|count| count.target == number);
            let words: Vec<String> = counts
                .map(|count| format!("{} {}", count.runs, count.outcome))
                .collect();
            vec![name.clone(), words.join(", "), totals.judged(number)]
        })
        .collect();
    print("");
    print_table(&["target", "runs", "judged"], &rows);
    print("");
    print(&format!(
        "{} cases, {} runs, {} abandoned, {} findings in {:.1} s; {:.1} % of the CPU time was the targets'",
        totals.cases,
        totals.runs,
        totals.rejects,
        summary.count,
        totals.times.wall_s,
        100.0 * report::share(totals.times.targets_s, &totals.times),
    ));
    for (failure, count) in &totals.own_failures {
        if !matches!(failure.parse(), Ok(Failure::ClaimContested(_))) {
            console.warn(&format!(
                "{count} case(s) with trouble of their own: {failure}"
            ));
        }
    }
    if let Some(line) = contested_line(totals, report.parent().unwrap_or(report)) {
        console.warn(&line);
    }
    print(&format!("report: {}", report.display()));
}

/// What one would do next with what was found.
fn suggest(summary: &Summary, folder: &Path) {
    let folder = folder.display();
    let news = summary.findings.iter().filter(|finding| finding.is_news());
    let first = news.min_by_key(|finding| finding.reduced_bytes.unwrap_or(finding.bytes));
    print("");
    print("next:");
    let line = |command: String, why: &str| print(&format!("  {command}\n      {why}"));
    match first {
        None => line(
            format!("lydite hunt -o {folder} --for 1h"),
            "go on with this campaign",
        ),
        Some(finding) => {
            let place = format!("{folder}/{}/{}", finding::FOLDER, finding.id);
            line(
                format!("lydite replay {place}"),
                "run the smallest finding again and see what every target says",
            );
            match finding.reduced_bytes {
                None => line(format!("lydite reduce {place}"), "make its case small"),
                Some(_) => line(
                    format!("lydite bisect {place}"),
                    "find the version that brought it",
                ),
            }
            line(
                format!("lydite bug {place}"),
                "write the report in the tracker's form",
            );
        }
    }
}

/// One line on claims of ours that everybody contradicts.
fn contested_line(totals: &Totals, folder: &Path) -> Option<String> {
    let (cases, first) = totals.contested()?;
    let kept = folder.join(CONTESTED_FOLDER);
    Some(format!(
        "{cases} case(s) in which everybody contradicts lydite, so nobody is accused (such as: {first}); \
         please report them as the README files in {} say",
        kept.display()
    ))
}

fn summary_json(summary: &Summary, folder: &Path, report: &Path) -> Value {
    let findings = summary.count as usize;
    let mut object = report::summary(&summary.totals, &summary.targets, findings);
    object["campaign"] = json!(folder);
    object["report"] = json!(report);
    object["interrupted"] = json!(summary.interrupted);
    object
}
