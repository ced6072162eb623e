//! Reducing the case of a finding, and keeping what comes of it.

use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use lydite_core::{Case, TargetName};

use super::{Home, Workplace};
use crate::campaign::{Examiner, Schedule, Source, make_trigger};
use crate::finding::FullFinding;
use crate::reduce::{Reducer, ReductionProgress, SameBug};
use crate::resolved::Recipe;
use lydite_core::fault::{Fault, usage};
use lydite_core::quantity::Span;
use lydite_store::Reduction;
use lydite_target::Maker;

/// What a reduction may use.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// How many candidates are tested at a time.
    pub threads: usize,
    /// How long the reduction may take; without it, until nothing gets smaller.
    pub duration: Option<Span>,
    /// How many candidates may be tested; without it, until nothing gets smaller.
    pub tests: Option<u64>,
}

impl Effort {
    /// Lets a reduction that has just begun use this much.
    pub fn allow(&self, reducer: &mut Reducer<'_>, began: Instant) {
        reducer.threads = self.threads;
        reducer.deadline = self.duration.map(|span| began + span.0);
        reducer.most_tests = self.tests;
    }
}

/// What came of a reduction.
#[derive(Clone, Debug)]
pub struct Reduced {
    /// What was reduced: the finding's id, or a file.
    pub name: String,
    /// The size before, in bytes.
    pub from: u64,
    /// The size after, in bytes.
    pub to: u64,
    /// The number of candidates that were tested.
    pub tests: u64,
    /// True if nothing was left to try.
    pub complete: bool,
    /// How long it took.
    pub took: Duration,
}

/// The message where a bug comes and goes, so that no smaller case can be told from luck.
pub const COMES_AND_GOES: &str = "what is wrong comes and goes, so there is nothing to go by";

/// How often what there is so far is told and kept: whoever is killed goes on
/// from there.
const KEEP_EVERY: Duration = Duration::from_secs(1);

/// Reduces the case of a finding and keeps the result with it.
pub fn reduce(
    workplace: &mut Workplace<'_>,
    id: &str,
    effort: &Effort,
    stop: &AtomicBool,
) -> Result<Reduced> {
    let full = workplace.finding(id)?;
    let file = &full.file;
    let examiner = workplace.examiner(file)?;
    let begun = file.finding.reduced_bytes.is_some();
    let language = examiner.judge.language.clone();
    let (start, test) = begin(&full, examiner)?;
    let profiler = profiler(workplace, &test, &start);
    if !begun {
        workplace.source(&language);
    }
    // To open a large corpus, once for all findings, takes longer than a reduction.
    let began = Instant::now();
    let schedule = workplace.schedule(file.recipe.schedule)?;
    let (tools, home) = (&workplace.tools, &mut workplace.home);
    let source = workplace.source.get().and_then(Option::as_ref);
    let mut keep_best = |case: &Case| keep(home, &full, &test, case).map(|_| ());
    let name = file.finding.id.clone();
    let mut progress = tell_and_keep(&name, tools.say, tools.warn, &mut keep_best);
    let mut reducer = Reducer::new(language, &test, stop, &mut progress);
    effort.allow(&mut reducer, began);
    let mut case = start.clone();
    if let Some(source) = source.filter(|_| !begun) {
        case = by_recipe(&mut reducer, case, source, &file.recipe, schedule);
    }
    case = reducer.by_programs(case);
    // Edits are held to the profile of what the recipe gave last.
    if let Some(vouch) = profiler.and_then(|maker| (tools.vouch)(maker, &case)) {
        test.vouched_by(vouch);
    }
    case = reducer.by_edits(case);
    let (tests, complete) = (reducer.tests(), !reducer.is_over());
    // To look again at what was never made smaller may take longer than there was time for.
    let is_worth_keeping = complete || reducer.has_come_further();
    if is_worth_keeping {
        case = settle(&reducer, &start, case, tools.warn)?;
    }
    drop(progress);
    let fewer = complete.then(|| test.with_fewer_options(&case)).flatten();
    if is_worth_keeping && !keep(home, &full, fewer.as_ref().unwrap_or(&test), &case)? {
        return Err(usage(COMES_AND_GOES));
    }
    Ok(Reduced {
        name,
        from: full.original()?.bytes(),
        to: case.bytes(),
        tests,
        complete,
        took: began.elapsed(),
    })
}

/// Makes the case smaller in the terms of the strategy that made it, which keep its claim.
fn by_recipe(
    reducer: &mut Reducer<'_>,
    case: Case,
    source: &Source,
    recipe: &Recipe,
    schedule: Option<Schedule>,
) -> Case {
    let schedule = schedule.as_ref();
    match source.tree(recipe.index, schedule) {
        Some(tree) => reducer.by_tree(case, tree),
        None => reducer.by_tape(case, source, recipe.index, schedule),
    }
}

/// The case to start from, and the bug that it has to go on showing. What was reduced before
/// goes on from there.
fn begin(full: &FullFinding, examiner: Examiner) -> Result<(Case, SameBug)> {
    let (start, shown) = match full.file.finding.reduced_bytes {
        Some(_) => (full.case()?, None),
        None => (full.original()?, Some(full.file.shows())),
    };
    let options = full.file.options_by_family.clone();
    let test = SameBug::of(examiner, &start, shown.as_ref(), options)?;
    Ok((start, test))
}

/// Says every second how far a reduction of `name` is, and has the smallest case so far kept.
pub fn tell_and_keep<'a>(
    name: &'a str,
    say: &'a dyn Fn(&str),
    warn: &'a dyn Fn(&str),
    keep: &'a mut dyn FnMut(&Case) -> Result<()>,
) -> impl FnMut(&ReductionProgress, &Case) + 'a {
    let mut last = Instant::now();
    move |progress, case| {
        if last.elapsed() < KEEP_EVERY {
            return;
        }
        last = Instant::now();
        let ReductionProgress { tests, bytes, what } = progress;
        say(&format!(
            "{name}: {bytes} bytes after {tests} tests ({what})"
        ));
        if let Err(error) = keep(case) {
            warn(&format!("{error:#}"));
        }
    }
}

/// The smallest case that still shows the bug in a few more runs.
pub fn settle(
    reducer: &Reducer<'_>,
    start: &Case,
    last: Case,
    warn: &dyn Fn(&str),
) -> Result<Case> {
    match reducer.settle(start) {
        None => Err(usage(COMES_AND_GOES)),
        Some((_, 0)) => Ok(last),
        Some((case, before)) => {
            warn(&format!(
                "what is wrong comes and goes: the last {before} step(s) are taken back"
            ));
            Ok(case)
        }
    }
}

/// What profiles a contract and its variants when they are edited alike: the
/// accused compiler, without options, as the first time.
fn profiler(workplace: &Workplace<'_>, bug: &SameBug, case: &Case) -> Option<Maker> {
    if !case.claim.is_equivalence() || case.programs.len() < 2 {
        return None;
    }
    let plain = TargetName {
        variant: None,
        ..bug.target().clone()
    };
    let target = workplace.targets(&plain).ok()?.into_iter().next()?;
    let (limits, scratch) = (
        &bug.examiner().runner.limits,
        &bug.examiner().runner.scratch,
    );
    Some(Maker::new(target, limits.clone(), scratch.clone()))
}

/// Runs a case once more and keeps it with its finding; false if it does not
/// show the bug.
fn keep(home: &mut Home, full: &FullFinding, test: &SameBug, case: &Case) -> Result<bool> {
    let Some((examined, filed)) = test.examine(case) else {
        return Ok(false);
    };
    if let Home::Alone(folder) = home {
        write_programs(&folder.join("reduced"), case)?;
        return Ok(true);
    }
    let reduction = Reduction {
        signature: full.file.finding.signature.clone(),
        bytes: case.bytes(),
        shown: filed.signature.clone(),
        evidence: filed.symptom.evidence.clone(),
        trigger: make_trigger(&test.examiner().runner, case, &examined),
    };
    let signature = &reduction.signature;
    home.keep(signature, &mut |store| store.record_reduction(&reduction))?;
    Ok(true)
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
