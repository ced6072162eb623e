//! `lydite coverage`: what strategies reach of a processor's source.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use lydite_core::fault::{Blame, usage};
use lydite_core::{SeedNeed, TargetName};
use lydite_lab::campaign::Progress;
use lydite_lab::plan::{Plan, StrategyPlan};
use lydite_lab::registry::Registry;
use lydite_lab::setting_files::SettingFiles;
use lydite_studies::coverage::{
    CoverageArm, CoverageOptions, CoverageStudy, Distance, Portion, Portions, measure, write,
};
use serde_json::json;

use super::toolbox::{Toolbox, cores, scope, scratch, stop_on_signals, written};
use crate::args::CoverageArgs;
use crate::console::{Console, print, print_json};
use crate::exit_code::ExitCode;
use crate::presets;
use crate::table::print_table;

pub(crate) fn run(args: &CoverageArgs, console: &Console) -> Result<ExitCode> {
    let stop = stop_on_signals()?;
    let mut toolbox = Toolbox::open(&args.target_files.paths)?;
    let mut plan = choose_plan(args, &toolbox).or_usage()?;
    for path in &plan.target_files {
        toolbox.catalogue.add_path(path).or_usage()?;
    }
    let targets = toolbox.targets(&written(&plan.targets, &[]), scope(args.install), console)?;
    let [(target, _)] = &targets[..] else {
        return Err(usage(
            "coverage is measured of one target: say -t NAME:coverage",
        ));
    };
    let language = toolbox
        .language(&targets, plan.language.as_deref())
        .or_usage()?;
    plan.read_files(&toolbox.registry).or_usage()?;
    let scratch = scratch()?;
    toolbox.preflight(&targets, &scratch).or_usage()?;
    let options = CoverageOptions {
        distance: distance(args),
        only_end: args.only_end,
        threads: args.jobs.map_or_else(cores, usize::from),
        stop: &stop,
        scratch,
    };
    console.say(&format!("measuring {}", target.name));
    let mut arm = String::new();
    let mut display = console.progress();
    let study = measure(
        &plan,
        target,
        &language,
        &toolbox.registry,
        &options,
        &mut |name, point| {
            if arm != name {
                arm = name.to_string();
                display.end();
                console.say(name);
                display = console.progress();
            }
            display.update(&Progress {
                cases: point.cases,
                runs: point.runs,
                of: args.cpu.is_none().then_some(args.cases),
                ..Progress::default()
            });
        },
    );
    display.end();
    let study = study?;
    let page = write(&study, &folder(args, &target.name))?;
    match args.json {
        true => print_json(&json!({ "study": study, "page": page }).to_string()),
        false => show(&study, &page),
    }
    Ok(ExitCode::Clean)
}

fn distance(args: &CoverageArgs) -> Distance {
    match args.cpu {
        Some(cpu) => Distance::Cpu(cpu.0),
        None => Distance::Cases(args.cases),
    }
}

fn folder(args: &CoverageArgs, target: &TargetName) -> PathBuf {
    let usual = || Path::new("lydite-out").join(format!("coverage-{}", target.family));
    args.output.clone().unwrap_or_else(usual)
}

fn choose_plan(args: &CoverageArgs, toolbox: &Toolbox) -> Result<Plan> {
    let mut plan = match (&args.plan, &args.preset) {
        (Some(path), _) => Plan::read(path)?,
        (None, Some(name)) => presets::plan(name, toolbox.cache.root())?,
        (None, None) => typed_plan(args, &toolbox.registry)?,
    };
    if let Some(target) = &args.target {
        plan.targets = vec![target.clone()];
    }
    plan.references.clear();
    if args.preset.is_some() && !args.seeds.is_empty() {
        let seeded = plan.strategies.iter_mut();
        for strategy in seeded.filter(|strategy| !strategy.seeds.is_empty()) {
            strategy.seeds = args.seeds.clone();
        }
    }
    plan.seed = args.seed.unwrap_or(plan.seed);
    plan.limits.timeout = args.limits.timeout.unwrap_or(plan.limits.timeout);
    plan.limits.memory = args.limits.memory.unwrap_or(plan.limits.memory);
    for strategy in &mut plan.strategies {
        strategy.seeds = super::seeds::locate(&strategy.seeds)?;
        for path in &mut strategy.seeds {
            *path = std::path::absolute(&*path).with_context(|| path.display().to_string())?;
        }
    }
    Ok(plan)
}

/// The plan of strategies that were typed.
fn typed_plan(args: &CoverageArgs, registry: &Registry) -> Result<Plan> {
    let Some(target) = &args.target else {
        return Err(usage(
            "what is measured? Say a plan, --preset, or -t NAME:coverage with --strategy",
        ));
    };
    let mut strategies = Vec::new();
    for name in &args.strategies {
        let strategy = registry.strategy(name)?;
        let has = |key: &str| strategy.settings().iter().any(|one| one.key == key);
        let settings = args.settings.iter().filter(|(key, _)| has(key));
        strategies.push(StrategyPlan {
            name: name.clone(),
            weight: 1,
            seeds: match strategy.seeds() {
                SeedNeed::None => Vec::new(),
                SeedNeed::AtLeast(_) => args.seeds.clone(),
            },
            settings: settings.cloned().collect(),
            files: SettingFiles::default(),
        });
    }
    let unused = args
        .settings
        .iter()
        .find(|(key, _)| !strategies.iter().any(|one| one.settings.contains_key(key)));
    if let Some((key, _)) = unused {
        return Err(usage(format!("--set {key}: no strategy has this setting")));
    }
    let mut all = strategies.into_iter();
    let first = all
        .next()
        .ok_or_else(|| usage("no strategy: say --strategy NAME (lydite list strategies)"))?;
    let mut plan = Plan::new(vec![target.clone()], first);
    plan.strategies.extend(all);
    Ok(plan)
}

fn show(study: &CoverageStudy, page: &Path) {
    let share = |share: &Portion| format!("{} ({:.1} %)", share.reached, share.percent());
    let heads = [
        "arm", "cases", "runs", "killed", "CPU s", "lines", "functions", "branches", "lines alone",
    ];
    let rows = study.arms.iter().map(|arm| {
        let last = arm.points.last().copied().unwrap_or_default();
        let alone: usize = arm.alone.values().map(Vec::len).sum();
        vec![
            arm.name.clone(),
            last.cases.to_string(),
            last.runs.to_string(),
            last.killed.to_string(),
            format!("{:.1}", last.cpu),
            share(&last.shares.lines),
            share(&last.shares.functions),
            share(&last.shares.branches),
            alone.to_string(),
        ]
    });
    print_table(&heads, &rows.collect::<Vec<_>>());
    let rows = with_seeds(study);
    if !rows.is_empty() {
        print("\nwith the seeds:");
        print_table(&["arm", "lines", "functions", "branches"], &rows);
    }
    show_folders(study);
    let all = study.together;
    print(&format!(
        "all together: {} of {} lines ({:.1} %), {} functions ({:.1} %), {} branches ({:.1} %)",
        all.lines.reached,
        all.lines.all,
        all.lines.percent(),
        all.functions.reached,
        all.functions.percent(),
        all.branches.reached,
        all.branches.percent()
    ));
    for script in &study.uncounted {
        print(&format!(
            "{script}: what it does by WebAssembly is not counted"
        ));
    }
    print(&format!("page: {}", page.display()));
}

/// How many folders of the source are shown.
const MOST_FOLDERS: usize = 12;

/// The lines that each arm has reached in the largest folders of the source.
fn show_folders(study: &CoverageStudy) {
    let folders = study.largest_folders(MOST_FOLDERS);
    if folders.len() < 2 {
        return;
    }
    let mut heads = vec!["lines in folder", "of"];
    heads.extend(study.arms.iter().map(|arm| arm.name.as_str()));
    let rows = folders.iter().map(|folder| {
        let of = |arm: &CoverageArm| arm.folders.last()?.get(folder).map(|shares| shares.lines);
        let lines = study.arms.iter().filter_map(of).map(|lines| lines.all);
        let shares = study.arms.iter().map(|arm| match of(arm) {
            Some(lines) => format!("{:.1} %", lines.percent()),
            None => String::new(),
        });
        let all = lines.max().unwrap_or_default().to_string();
        [folder.clone(), all].into_iter().chain(shares).collect()
    });
    print("");
    print_table(&heads, &rows.collect::<Vec<_>>());
}

/// What the seeds and each strategy have reached together, as the papers count.
fn with_seeds(study: &CoverageStudy) -> Vec<Vec<String>> {
    let share = |share: &Portion| format!("{:.2} %", share.percent());
    let row = |name: String, of: &Portions| {
        let shares = [&of.lines, &of.functions, &of.branches];
        std::iter::once(name).chain(shares.map(share)).collect()
    };
    let arms = study.arms.iter();
    let rows = arms.filter_map(|arm| {
        Some(row(
            format!("seeds, {}", arm.name),
            arm.with_seeds.as_ref()?,
        ))
    });
    let rows: Vec<Vec<String>> = rows.collect();
    match (rows.is_empty(), study.arms.first()) {
        (false, Some(seeds)) => {
            let own = seeds.points.last().copied().unwrap_or_default().shares;
            std::iter::once(row(seeds.name.clone(), &own))
                .chain(rows)
                .collect()
        }
        _ => rows,
    }
}
