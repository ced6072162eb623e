//! `lydite evolve`: one family of targets over its versions.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use lydite_core::Role;
use lydite_core::fault::{Blame, Fault};
use lydite_lab::plan::{PlanLimits, StrategyPlan};
use lydite_lab::setting_files::SettingFiles;
use lydite_studies::evolve::{Clock, Conditions, Evolution, EvolveOptions, Study, TheoryPlan};
use lydite_target::Target;
use serde_json::json;

use super::toolbox::{Toolbox, cores, scope, scratch, stop_on_signals, written};
use crate::args::{EvolveArgs, TimeKind};
use crate::console::{Console, print, print_json};
use crate::exit_code::ExitCode;
use crate::registry::{evolution_oracles, language_named};
use crate::table::print_table;

/// How many cases of a theory are run by default.
const CASES: u64 = 1000;

pub(crate) fn run(args: &EvolveArgs, console: &Console) -> Result<ExitCode> {
    let stop = stop_on_signals()?;
    let toolbox = Toolbox::open(&args.target_files.paths)?;
    let folder = folder(args).or_usage()?;
    let stored = Conditions::of(&folder)?;
    let mut targets = chosen_targets(args, &toolbox, console).or_usage()?;
    let language = match &stored {
        Some(stored) => language_named(&toolbox.registry, &stored.language),
        None => toolbox.language(&targets, None).or_usage()?,
    };
    let conditions = conditions(args, stored.as_ref(), language.name());
    let evolution = Evolution::open(&folder, &conditions, language, &toolbox.registry);
    let mut evolution = evolution.or_usage()?;
    add_theories(&mut evolution, args, &toolbox).or_usage()?;
    add_measured(&evolution, &mut targets, &toolbox, console).or_usage()?;
    check_work(&evolution, &targets).or_usage()?;
    let scratch = scratch()?;
    toolbox.preflight(&targets, &scratch).or_usage()?;
    let threads = args.jobs.map_or_else(cores, usize::from);
    let options = EvolveOptions {
        threads,
        stop: &stop,
        scratch,
    };
    let names: Vec<String> = targets.iter().map(|(t, _)| t.name.to_string()).collect();
    console.say(&format!(
        "measuring {} (into {})",
        names.join(", "),
        folder.display()
    ));
    let display = console.progress();
    let ran = evolution.run(targets, &options, &mut |progress| display.update(progress));
    display.end();
    let ended = ran?;
    let clock = match args.clock {
        TimeKind::Wall => Clock::Wall,
        TimeKind::Cpu => Clock::Cpu,
    };
    let (study, page) = evolution.study(clock, threads)?;
    match args.json {
        true => show_json(&study, &folder, &page, ended)?,
        false => show(&study, &page),
    }
    if !ended {
        console.say(&format!(
            "interrupted; lydite evolve -o {} goes on",
            folder.display()
        ));
        return Ok(ExitCode::Interrupted);
    }
    Ok(ExitCode::found(is_newest_at_fault(&study)))
}

/// True if the newest version shows something wrong in one of the theories.
fn is_newest_at_fault(study: &Study) -> bool {
    study.theories.iter().any(|theory| {
        let newest = theory.versions.last();
        newest.is_some_and(|version| version.has_triggers())
    })
}

/// Adds the theories that are asked for to those that the table has.
fn add_theories(evolution: &mut Evolution, args: &EvolveArgs, toolbox: &Toolbox) -> Result<()> {
    let cases = Some(args.cases.unwrap_or(CASES));
    let added = |theory: &TheoryPlan| evolution.add(theory, cases, &toolbox.registry);
    theories(args)?.iter().try_for_each(added)
}

fn check_work(evolution: &Evolution, targets: &[(Target, Role)]) -> Result<()> {
    if evolution.is_empty() {
        bail!("nothing to run: say --grammar strings, or --seeds DIR");
    }
    if !targets.iter().any(|(_, role)| *role == Role::Tested) {
        bail!("nobody to test: say --targets 'z3@>=4.8'");
    }
    Ok(())
}

fn folder(args: &EvolveArgs) -> Result<PathBuf> {
    match (&args.output, &args.targets) {
        (Some(folder), _) => Ok(folder.clone()),
        (None, Some(name)) => Ok(Path::new("lydite-out").join(format!("evolve-{}", name.family))),
        (None, None) => bail!("say --targets 'z3@>=4.8', or -o DIR to go on"),
    }
}

/// The conditions of the table: those it was measured under before, or else those that are asked
/// for, or the usual ones.
fn conditions(args: &EvolveArgs, stored: Option<&Conditions>, language: &str) -> Conditions {
    let usual = PlanLimits::default();
    let default = stored.cloned().unwrap_or_else(|| Conditions {
        language: language.to_string(),
        oracles: evolution_oracles(language),
        timeout: usual.timeout,
        memory: usual.memory,
    });
    Conditions {
        oracles: match args.oracles.is_empty() {
            true => default.oracles,
            false => args.oracles.clone(),
        },
        timeout: args.limits.timeout.unwrap_or(default.timeout),
        memory: args.limits.memory.unwrap_or(default.memory),
        language: default.language,
    }
}

/// The versions that are asked for, and the references.
fn chosen_targets(
    args: &EvolveArgs,
    toolbox: &Toolbox,
    console: &Console,
) -> Result<Vec<(Target, Role)>> {
    let wanted = written(args.targets.as_slice(), &args.against);
    let scope = scope(args.install);
    let mut targets = Vec::new();
    for choice in toolbox.choose(&wanted, scope, console)? {
        match toolbox.target(&choice.name, scope, console) {
            Ok(target) => targets.push((target, choice.role)),
            // A release that cannot be had here does not stop the others.
            Err(error) if args.install => console.warn(&format!("{error:#}")),
            Err(error) => return Err(error.context(Fault::TargetUnusable)),
        }
    }
    // Without names those that were measured before are meant.
    if args.targets.is_some() && !targets.iter().any(|(_, role)| *role == Role::Tested) {
        let error = anyhow::anyhow!("none of the versions could be installed");
        return Err(error.context(Fault::TargetUnusable));
    }
    Ok(targets)
}

/// Adds the targets that were measured before, if they are installed: they run the new cases too.
fn add_measured(
    evolution: &Evolution,
    targets: &mut Vec<(Target, Role)>,
    toolbox: &Toolbox,
    console: &Console,
) -> Result<()> {
    for (name, role) in evolution.measured()? {
        let family = |(target, own): &(Target, Role)| {
            *own == Role::Tested
                && (&target.name.family, &target.name.variant) != (&name.family, &name.variant)
        };
        if role == Role::Tested && targets.iter().any(family) {
            bail!("{name} was measured here: choose another folder with -o for another family");
        }
        if targets.iter().any(|(target, _)| target.name == name) {
            continue;
        }
        match toolbox.catalogue.resolve(&name, &toolbox.cache) {
            Ok(resolved) => targets.extend(resolved.into_iter().map(|target| (target, role))),
            Err(error) => console.warn(&format!("{error}; it stays as it was measured")),
        }
    }
    Ok(())
}

/// One theory per grammar, one per folder of seeds.
fn theories(args: &EvolveArgs) -> Result<Vec<TheoryPlan>> {
    let mut theories = Vec::new();
    let words: Vec<String> = args
        .settings
        .iter()
        .map(|(key, value)| format!(" {key}={value}"))
        .collect();
    let from = args.from.as_ref();
    let from_words = from.map_or(String::new(), |from| format!(" from {from}"));
    for grammar in &args.grammars {
        let stem = Path::new(grammar).file_stem().unwrap_or_default();
        let mut settings: std::collections::BTreeMap<String, String> =
            args.settings.iter().cloned().collect();
        settings.insert("grammar".to_string(), grammar.clone());
        theories.push(theory(
            format!("{}{}{from_words}", stem.to_string_lossy(), words.concat()),
            "enumerate",
            Vec::new(),
            settings,
            args,
        ));
    }
    for path in super::seeds::locate(&args.seeds)? {
        let path = std::path::absolute(&path).with_context(|| path.display().to_string())?;
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let settings = std::collections::BTreeMap::new();
        theories.push(theory(
            name.into_owned(),
            "files",
            vec![path],
            settings,
            args,
        ));
    }
    Ok(theories)
}

fn theory(
    name: String,
    strategy: &str,
    seeds: Vec<PathBuf>,
    settings: std::collections::BTreeMap<String, String>,
    args: &EvolveArgs,
) -> TheoryPlan {
    TheoryPlan {
        name,
        strategy: StrategyPlan {
            name: strategy.to_string(),
            weight: 1,
            seeds,
            settings,
            files: SettingFiles::default(),
        },
        from: args.from.clone(),
    }
}

fn show(study: &Study, page: &Path) {
    for theory in &study.theories {
        print(&format!("{}: {} programs", theory.name, theory.cases));
        let rows: Vec<Vec<String>> = theory
            .versions
            .iter()
            .map(|version| {
                let lowest = version.solved_within.first().copied().unwrap_or_default();
                let counts = [
                    version.unsound, version.invalid_model, version.crash, version.solved,
                    version.undecided, version.timed_out, version.not_taken, lowest,
                ];
                let mut row = vec![version.version.clone()];
                row.extend(counts.map(|count| count.to_string()));
                row.push(format!("{:.1}", version.throughput));
                row
            })
            .collect();
        print_table(
            &[
                "version", "unsound", "invalid model", "crash", "solved", "unknown", "out of time",
                "not taken", "at once", "per second",
            ],
            &rows,
        );
        print("");
    }
    let regressions: usize = study.theories.iter().map(|t| t.regressions.len()).sum();
    print(&format!("{regressions} regressions"));
    print(&format!("page: {}", page.display()));
}

fn show_json(study: &Study, folder: &Path, page: &Path, ended: bool) -> Result<()> {
    let mut object = serde_json::to_value(study)?;
    object["folder"] = json!(folder);
    object["page"] = json!(page);
    object["interrupted"] = json!(!ended);
    print_json(&object.to_string());
    Ok(())
}
