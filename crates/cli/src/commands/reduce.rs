//! `lydite reduce`: the same bug in a smaller case.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use anyhow::{Context, Result, bail};
use lydite_core::fault::{Blame, Fault, usage};
use lydite_core::{Case, Language, Role};
use lydite_lab::campaign::{Examiner, run_limits};
use lydite_lab::plan::PlanLimits;
use lydite_lab::reduce::{CommandTest, OutputTest, Reducer, SameBug, Test};
use lydite_lab::registry::Registry;
use lydite_lab::work::{Effort, Reduced, reduce, settle, tell_and_keep};
use lydite_process::{Limits, Memory};
use lydite_store::atomic;
use lydite_target::Target;
use serde_json::{Value, json};

use super::check::{add_beside, read_case};
use super::named::all_named;
use super::toolbox::{Toolbox, cores, guess_language, scratch, stop_on_signals};
use crate::args::ReduceArgs;
use crate::console::{Console, print, print_json};
use crate::exit_code::ExitCode;

pub(crate) fn run(args: &ReduceArgs, console: &Console) -> Result<ExitCode> {
    let stop = stop_on_signals()?;
    if args.targets.is_empty() && args.command.is_empty() {
        return reduce_findings(args, console, &stop);
    }
    let [file] = args.what.as_slice() else {
        return Err(usage("name one file to reduce"));
    };
    let reduced = reduce_file(args, file, console, &stop).or_usage()?;
    Ok(match stop.load(Ordering::Relaxed) {
        true => ExitCode::Interrupted,
        false => reduced,
    })
}

/// Reduces every finding that was named; a campaign's folder names all of its findings.
fn reduce_findings(args: &ReduceArgs, console: &Console, stop: &AtomicBool) -> Result<ExitCode> {
    let toolbox = Toolbox::open(&args.target_files.paths)?;
    let voice = toolbox.voice(console);
    let effort = effort(args);
    let mut failures = Vec::new();
    let stopped = || stop.load(Ordering::Relaxed);
    for named in all_named(&args.what, args.campaign.as_deref())? {
        let (mut workplace, ids) = named.hold(toolbox.tools(&voice)?)?;
        for id in ids.into_iter().take_while(|_| !stopped()) {
            match reduce(&mut workplace, &id, &effort, stop) {
                Ok(reduced) => report(args.json, &reduced),
                Err(error) => {
                    let error = error.context(id);
                    console.error(&error);
                    failures.push(ExitCode::of(&error));
                }
            }
        }
        workplace.end()?;
    }
    Ok(match stopped() {
        true => ExitCode::Interrupted,
        false => ExitCode::of_all(&failures),
    })
}

fn reduce_file(
    args: &ReduceArgs,
    file: &Path,
    console: &Console,
    stop: &AtomicBool,
) -> Result<ExitCode> {
    let toolbox = Toolbox::open(&args.target_files.paths)?;
    let targets = toolbox.installed(&args.targets, &args.references, console)?;
    let files = [file.to_path_buf()];
    let language = match targets.is_empty() {
        true => guess_language(&toolbox.registry, &files)?,
        false => toolbox.language(&targets, None)?,
    };
    let mut case = read_case(&files, args.claim.as_deref(), &language)?;
    add_beside(&args.beside, &mut case)?;
    let test = test_of_file(args, &case, &language, targets, &toolbox.registry)?;
    let began = Instant::now();
    let name = file.display().to_string();
    let place = args.output.clone().unwrap_or_else(|| beside(file));
    let keep = |case: &Case| -> Result<()> {
        let files = &case.programs[0].files;
        let further = args.beside.iter().map(|file| beside(file));
        let places = std::iter::once(place.clone()).chain(further);
        for (file, place) in files.iter().zip(places) {
            atomic::write_file(&place, &file.text).context(Fault::CannotWrite)?;
        }
        Ok(())
    };
    let (say, warn) = (
        |text: &str| console.say(text),
        |text: &str| console.warn(text),
    );
    let mut keep_best = keep;
    let mut progress = tell_and_keep(&name, &say, &warn, &mut keep_best);
    let mut reducer = Reducer::new(language, test.as_ref(), stop, &mut progress);
    effort(args).allow(&mut reducer, began);
    let Some(reduced) = reducer.by_edits_of_new(case.clone()) else {
        bail!("{}: is not interesting as it stands", file.display());
    };
    let (tests, complete) = (reducer.tests(), !reducer.is_over());
    let reduced = settle(&reducer, &case, reduced, &warn)?;
    keep(&reduced)?;
    let reduced = Reduced {
        name: name.clone(),
        from: case.bytes(),
        to: reduced.bytes(),
        tests,
        complete,
        took: began.elapsed(),
    };
    report(args.json, &reduced);
    Ok(ExitCode::Clean)
}

/// What a smaller file has to pass: a command, a pattern in the output, or the
/// same bug again.
fn test_of_file(
    args: &ReduceArgs,
    case: &Case,
    language: &Arc<dyn Language>,
    targets: Vec<(Target, Role)>,
    registry: &Registry,
) -> Result<Box<dyn Test>> {
    let limits = PlanLimits {
        timeout: args.limits.timeout.unwrap_or(PlanLimits::default().timeout),
        memory: args.limits.memory.unwrap_or(PlanLimits::default().memory),
        ..PlanLimits::default()
    };
    let scratch = scratch()?;
    let oracles = match (&args.interesting, args.oracles.as_slice()) {
        (Some(_), _) => Vec::new(),
        (None, []) => registry.unasked_oracles(),
        (None, names) => registry.oracles_named(names)?,
    };
    let examiner = Examiner::new(
        language.clone(),
        targets,
        oracles,
        run_limits(&limits),
        scratch.clone(),
    );
    Ok(if !args.command.is_empty() {
        let limits = Limits {
            wall: limits.timeout.0,
            memory: Memory::Unlimited,
            ..Limits::default()
        };
        Box::new(CommandTest::new(command(&args.command)?, limits, scratch))
    } else if let Some(pattern) = &args.interesting {
        Box::new(OutputTest::new(examiner, pattern)?)
    } else {
        Box::new(SameBug::of(examiner, case, None, BTreeMap::new())?)
    })
}

/// The user's command with its program found: it will be run elsewhere.
fn command(words: &[OsString]) -> Result<Vec<OsString>> {
    let mut words = words.to_vec();
    if let Some(program) = words.first_mut()
        && Path::new(&*program).components().count() > 1
    {
        *program = std::path::absolute(&*program)?.into_os_string();
    }
    Ok(words)
}

/// `dir/a.smt2` becomes `dir/a.reduced.smt2`.
fn beside(file: &Path) -> PathBuf {
    match file.extension() {
        Some(extension) => {
            let mut ending = OsString::from("reduced.");
            ending.push(extension);
            file.with_extension(ending)
        }
        None => file.with_extension("reduced"),
    }
}

fn effort(args: &ReduceArgs) -> Effort {
    Effort {
        threads: args.jobs.map_or_else(cores, usize::from),
        duration: args.duration,
        tests: args.tests,
    }
}

fn report(as_json: bool, reduced: &Reduced) {
    let Reduced {
        name,
        from,
        to,
        tests,
        complete,
        took,
    } = reduced;
    let wall_s = took.as_secs_f64();
    if as_json {
        let object: Value = json!({
            "name": name,
            "bytes": from,
            "reduced_bytes": to,
            "tests": tests,
            "complete": complete,
            "wall_s": wall_s,
        });
        print_json(&object.to_string());
        return;
    }
    let more = match complete {
        true => "",
        false => "; not finished, run it again to go on",
    };
    print(&format!(
        "{name}: {from} to {to} bytes, {tests} tests, {wall_s:.1} s{more}"
    ));
}
