//! `lydite reduce`: the same bug in a smaller case.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use lydite_core::{Case, Claim, TargetName};
use lydite_lab::atomic;
use lydite_lab::campaign::{Bench, Resolved, Source, run_limits, trigger};
use lydite_lab::fault::Fault;
use lydite_lab::finding::{self, FindingFile, Writer};
use lydite_lab::plan::PlanLimits;
use lydite_lab::process::{Limits, Memory};
use lydite_lab::quantity::Span;
use lydite_lab::reduce::{Command, Output, Progress, Reducer, SameBug, Test, Vouch};
use lydite_lab::report::Report;
use lydite_lab::store::{self, Reduction, Store};
use lydite_lab::target::Maker;
use serde_json::{Value, json};

use super::check::{add_beside, read_case};

use super::replay::{all_named, bench_of};
use super::workbench::{Workbench, cores, guess_language, scratch, stop_on_signals};
use crate::args::ReduceArgs;
use crate::console::{Console, print};
use crate::exit_code::ExitCode;

pub(crate) fn run(args: &ReduceArgs, console: &Console) -> Result<ExitCode> {
    let stop = stop_on_signals()?;
    if args.targets.is_empty() && args.command.is_empty() {
        return reduce_findings(args, console, &stop);
    }
    let [file] = args.what.as_slice() else {
        bail!("name one file to reduce");
    };
    reduce_file(args, file, console, &stop)
}

/// Every finding that was named; a campaign's folder names all of its.
fn reduce_findings(args: &ReduceArgs, console: &Console, stop: &AtomicBool) -> Result<ExitCode> {
    let folders = all_named(&args.what, args.campaign.as_deref())?;
    let mut failed = false;
    for folder in &folders {
        if stop.load(std::sync::atomic::Ordering::Relaxed) {
            return Ok(ExitCode::Interrupted);
        }
        let effort = Effort {
            threads: args.jobs.map_or_else(cores, usize::from),
            duration: args.duration,
            target_files: &args.target_files,
        };
        match reduce_finding(&effort, folder, console, stop) {
            Ok(reduced) => report(args.json, &reduced),
            Err(error) => {
                let error = error.context(folder.display().to_string());
                if folders.len() == 1 {
                    return Err(error);
                }
                console.error(&error);
                failed = true;
            }
        }
    }
    Ok(match failed {
        true => ExitCode::Internal,
        false => ExitCode::Clean,
    })
}

/// What a reduction may use.
pub(super) struct Effort<'a> {
    pub threads: usize,
    pub duration: Option<Span>,
    pub target_files: &'a [PathBuf],
}

/// What came of it.
pub(super) struct Reduced {
    name: String,
    from: u64,
    to: u64,
    tests: u64,
    complete: bool,
    took: Duration,
}

/// Reduces the case of a finding and keeps the result with it.
pub(super) fn reduce_finding(
    effort: &Effort<'_>,
    folder: &Path,
    console: &Console,
    stop: &AtomicBool,
) -> Result<Reduced> {
    let campaign = folder.parent().and_then(Path::parent);
    let campaign = campaign.filter(|campaign| campaign.join(store::FILE_NAME).is_file());
    let resolved = campaign.map(Resolved::read).transpose()?;
    let (file, so_far) = match (campaign, &resolved) {
        (Some(campaign), Some(resolved)) => taken_up(folder, campaign, resolved)?,
        _ => finding::load(folder)?,
    };
    let (workbench, bench) = bench_of(&file, resolved.as_ref(), effort.target_files, console)?;
    let original = finding::load_original(folder, &file)?;
    // What was reduced before goes on from there.
    let begun = file.finding.reduced_bytes.is_some();
    let (start, signature) = match begun {
        true => (so_far, None),
        false => (original.clone(), Some(file.shows())),
    };
    let language = bench.language.clone();
    let source = resolved.as_ref().filter(|_| !begun).and_then(|resolved| {
        let opened = Source::open(&resolved.plan, &language, &workbench.registry);
        opened.ok().map(|(source, _)| source)
    });
    let options = file.options_by_family.clone();
    let test = SameBug::of(bench, &start, signature.as_deref(), options)?;
    let began = Instant::now();
    let place = match (campaign, &resolved) {
        (Some(campaign), Some(resolved)) => Place::Campaign(campaign, resolved),
        _ => Place::Folder(folder.join("reduced")),
    };
    let signature = file.finding.signature.as_str();
    let mut keep = |case: &Case| keep_finding(&test, &place, signature, case).map(drop);
    let mut course = course(console, file.finding.id.clone(), &mut keep);
    let mut reducer = Reducer::new(language, &test, stop, &mut course);
    reducer.threads = effort.threads;
    reducer.deadline = effort.duration.map(|span| began + span.0);
    let mut case = start.clone();
    if let Some(source) = &source {
        case = reducer.by_tape(case, source, file.recipe.index);
    }
    case = reducer.by_programs(case);
    if let Some(vouch) = vouch(&workbench, &test, &case, console) {
        test.vouched_by(vouch);
    }
    case = reducer.by_edits(case);
    let (tests, complete) = (reducer.tests(), !reducer.is_over());
    case = settled(&reducer, &start, case, console)?;
    let fewer = match complete {
        true => test.with_fewer_options(&case),
        false => None,
    };
    let test = fewer.as_ref().unwrap_or(&test);
    if !keep_finding(test, &place, signature, &case)? {
        bail!("{COMES_AND_GOES}");
    }
    if let Place::Campaign(campaign, resolved) = place {
        let writer = Writer::new(campaign, resolved);
        writer.write_changed(&Store::open(campaign)?, &[signature.to_string()])?;
        Report::read(campaign)?.write(campaign)?;
    }
    Ok(Reduced {
        name: file.finding.id.clone(),
        from: original.bytes(),
        to: case.bytes(),
        tests,
        complete,
        took: began.elapsed(),
    })
}

/// Vouches for a contract and its variants when they are edited alike. They are
/// profiled as they were first: by the accused compiler, without options.
fn vouch(workbench: &Workbench, bug: &SameBug, case: &Case, console: &Console) -> Option<Vouch> {
    if case.claim != Claim::Equivalent || case.programs.len() < 2 {
        return None;
    }
    let plain = TargetName {
        variant: None,
        ..bug.target().clone()
    };
    let targets = workbench.installed(&[plain], &[], console).ok()?;
    let (target, _) = targets.into_iter().next()?;
    let (limits, scratch) = (&bug.bench().limits, &bug.bench().scratch);
    let maker = Maker::new(target, limits.clone(), scratch.clone());
    super::profile::vouch(maker, case)
}

/// The finding with what a reduction that was killed has kept: the store has
/// it, the folder not yet.
fn taken_up(folder: &Path, campaign: &Path, resolved: &Resolved) -> Result<(FindingFile, Case)> {
    let loaded = finding::load(folder)?;
    let finding = &loaded.0.finding;
    let store = Store::open(campaign)?;
    let kept = store.finding(&finding.signature)?;
    if kept.is_none_or(|row| row.reduced_bytes == finding.reduced_bytes) {
        return Ok(loaded);
    }
    let signatures = [finding.signature.clone()];
    Writer::new(campaign, resolved).write_changed(&store, &signatures)?;
    finding::load(folder)
}

fn reduce_file(
    args: &ReduceArgs,
    file: &Path,
    console: &Console,
    stop: &AtomicBool,
) -> Result<ExitCode> {
    let workbench = Workbench::open(&args.target_files)?;
    let targets = workbench.installed(&args.targets, &args.references, console)?;
    let files = [file.to_path_buf()];
    let language = match targets.is_empty() {
        true => guess_language(&workbench.registry, &files)?,
        false => workbench.language(&targets, None)?,
    };
    let mut case = read_case(&files, args.claim.as_deref(), &language)?;
    add_beside(&args.beside, &mut case)?;
    let limits = PlanLimits {
        timeout: args.limits.timeout.unwrap_or(PlanLimits::default().timeout),
        memory: args.limits.memory.unwrap_or(PlanLimits::default().memory),
        ..PlanLimits::default()
    };
    let scratch = scratch()?;
    let oracles = match (&args.interesting, args.oracles.as_slice()) {
        (Some(_), _) => Vec::new(),
        (None, []) => workbench.registry.unasked_oracles(),
        (None, names) => names
            .iter()
            .map(|name| workbench.registry.oracle(name))
            .collect::<Result<_>>()?,
    };
    let bench = Bench {
        language: language.clone(),
        targets,
        oracles,
        limits: run_limits(&limits),
        confirm: 0,
        scratch: scratch.clone(),
    };
    let test: Box<dyn Test> = if !args.command.is_empty() {
        let limits = Limits {
            wall: limits.timeout.0,
            memory: Memory::Unlimited,
            ..Limits::default()
        };
        Box::new(Command::new(command(&args.command)?, limits, scratch))
    } else if let Some(pattern) = &args.interesting {
        Box::new(Output::new(bench, pattern)?)
    } else {
        Box::new(SameBug::of(bench, &case, None, BTreeMap::new())?)
    };
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
    let mut keep_now = keep;
    let mut course = course(console, name.clone(), &mut keep_now);
    let mut reducer = Reducer::new(language, test.as_ref(), stop, &mut course);
    reducer.threads = args.jobs.map_or_else(cores, usize::from);
    reducer.deadline = args.duration.map(|span| began + span.0);
    let Some(reduced) = reducer.by_edits_of_new(case.clone()) else {
        bail!("{}: is not interesting as it stands", file.display());
    };
    let (tests, complete) = (reducer.tests(), !reducer.is_over());
    let reduced = settled(&reducer, &case, reduced, console)?;
    keep(&reduced)?;
    let reduced = Reduced {
        name,
        from: case.bytes(),
        to: reduced.bytes(),
        tests,
        complete,
        took: began.elapsed(),
    };
    report(args.json, &reduced);
    Ok(ExitCode::Clean)
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

fn write_programs(folder: &Path, case: &Case) -> Result<()> {
    let several = case.programs.len() > 1;
    for (number, program) in case.programs.iter().enumerate() {
        let place = match several {
            true => folder.join(number.to_string()),
            false => folder.to_path_buf(),
        };
        let written = std::fs::create_dir_all(&place).and_then(|()| {
            let mut files = program.files.iter();
            files.try_for_each(|file| std::fs::write(place.join(&file.name), &file.text))
        });
        written
            .with_context(|| place.display().to_string())
            .context(Fault::CannotWrite)?;
    }
    Ok(())
}

/// Says now and then how far it is, and has the best so far kept: whoever is
/// killed goes on from there.
fn course<'a>(
    console: &'a Console,
    name: String,
    keep: &'a mut dyn FnMut(&Case) -> Result<()>,
) -> impl FnMut(&Progress, &Case) + 'a {
    let mut last = Instant::now();
    move |progress, case| {
        if last.elapsed() >= Duration::from_secs(1) {
            last = Instant::now();
            console.say(&format!(
                "{name}: {} bytes after {} tests ({})",
                progress.bytes, progress.tests, progress.what
            ));
            if let Err(error) = keep(case) {
                console.error(&error);
            }
        }
    }
}

/// Where the reduced case of a finding is kept.
enum Place<'a> {
    Campaign(&'a Path, &'a Resolved),
    Folder(PathBuf),
}

const COMES_AND_GOES: &str = "what is wrong comes and goes, so there is nothing to go by";

/// Runs a case once more and keeps it; false if it does not show the bug.
fn keep_finding(test: &SameBug, place: &Place<'_>, signature: &str, case: &Case) -> Result<bool> {
    let Some((examined, filed)) = test.examine(case) else {
        return Ok(false);
    };
    match place {
        Place::Folder(folder) => write_programs(folder, case)?,
        Place::Campaign(campaign, _) => {
            let reduction = Reduction {
                signature: signature.to_string(),
                bytes: case.bytes(),
                shown: filed.signature.to_string(),
                evidence: filed.symptom.evidence.clone(),
                trigger: trigger(test.bench(), case, &examined),
            };
            Store::open(campaign)?.record_reduction(&reduction)?;
        }
    }
    Ok(true)
}

/// The smallest case that still shows the bug in a few more runs.
fn settled(reducer: &Reducer<'_>, start: &Case, last: Case, console: &Console) -> Result<Case> {
    match reducer.settled(start) {
        None => bail!("{COMES_AND_GOES}"),
        Some((_, 0)) => Ok(last),
        Some((case, before)) => {
            console.warn(&format!(
                "what is wrong comes and goes: the last {before} step(s) are taken back"
            ));
            Ok(case)
        }
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
        print(&object.to_string());
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
