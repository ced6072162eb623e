//! What strategies reach of a processor's source, on a build that counts.
//!
//! The seeds and every strategy of a plan are an arm each: so many cases, or
//! so much CPU time, are run on the coverage build, and the counts are read at
//! growing distances. A run that is killed leaves no counts. What counts is
//! the processor itself (gcov), or the node that runs it (V8).

mod gcov;
mod page;
mod reach;
mod v8;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use lydite_core::fault::usage;
use lydite_core::{Case, Language, Outcome, Role};
use lydite_lab::campaign::{Examiner, OptionChoice, Source, run_limits};
use lydite_lab::parallel::in_parallel;
use lydite_lab::plan::{Mode, Plan, StrategyPlan};
use lydite_lab::registry::Registry;
use lydite_lab::setting_files::SettingFiles;
use lydite_process::Scratch;
use lydite_target::Target;
use serde::Serialize;

use gcov::Notes;
pub use page::write;
pub use reach::{Portion, Portions, Reach};
use v8::{Scripts, Tallies};

/// The arm of the seeds as they are.
const SEEDS: &str = "seeds";

/// The strategy that gives seeds as they are.
const FILES: &str = "files";

/// How many cases a thread runs before the CPU time is looked at.
const CASES_AT_ONCE: u64 = 8;

/// How far every arm goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Distance {
    /// So many cases.
    Cases(u64),
    /// So much CPU time of the processor.
    Cpu(Duration),
}

/// What a measurement of coverage needs.
pub struct CoverageOptions<'a> {
    /// How far every arm goes.
    pub distance: Distance,
    /// The counts are looked at only at the end.
    pub only_end: bool,
    /// Worker threads.
    pub threads: usize,
    /// Set when the user wants to stop.
    pub stop: &'a AtomicBool,
    /// Where runs take place.
    pub scratch: Arc<Scratch>,
}

/// What was reached of a target's source by the seeds and by strategies.
#[derive(Serialize)]
pub struct CoverageStudy {
    /// The target.
    pub target: String,
    /// The seed of the random streams.
    pub seed: u64,
    /// What arms were looked at over: `cases` or `CPU seconds`.
    pub over: &'static str,
    /// The seeds, if the plan has any, then its strategies.
    pub arms: Vec<CoverageArm>,
    /// What all of them reached together.
    pub together: Portions,
    /// Scripts that hand work to WebAssembly, whose inside is not counted.
    pub uncounted: Vec<String>,
    /// The version of lydite.
    pub tool: String,
}

/// Shares by folder of the source.
pub type Folders = BTreeMap<String, Portions>;

/// The seeds, or one strategy.
#[derive(Serialize)]
pub struct CoverageArm {
    /// The strategy's name and settings.
    pub name: String,
    /// What was reached, at growing distances.
    pub points: Vec<CoveragePoint>,
    /// The shares at each of these points, by folder of the source.
    pub folders: Vec<Folders>,
    /// The lines that no other arm has reached, by file.
    pub alone: BTreeMap<String, Vec<u32>>,
    /// What it and the seeds have reached together, if there are seeds and it is a strategy.
    pub with_seeds: Option<Portions>,
    #[serde(skip)]
    reach: Reach,
    /// What V8 has counted at each of the points.
    #[serde(skip)]
    seen: Vec<Tallies>,
}

impl CoverageStudy {
    /// The folders of the source with most lines, the largest first.
    pub fn largest_folders(&self, most: usize) -> Vec<String> {
        let mut lines: BTreeMap<&str, u64> = BTreeMap::new();
        let last = self.arms.iter().filter_map(|arm| arm.folders.last());
        for (folder, shares) in last.flatten() {
            let known = lines.entry(folder).or_default();
            *known = shares.lines.all.max(*known);
        }
        let mut folders: Vec<(&str, u64)> = lines.into_iter().collect();
        folders.sort_by_key(|(_, lines)| std::cmp::Reverse(*lines));
        folders.truncate(most);
        folders
            .into_iter()
            .map(|(folder, _)| folder.to_string())
            .collect()
    }
}

/// What counts.
enum Meter {
    /// The processor, which was built to.
    Gcov(Notes),
    /// The node that runs it.
    V8(Scripts),
}

/// How far an arm has come, and what it has reached.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct CoveragePoint {
    /// How far that is: a number of cases, or of seconds of CPU time. All arms are looked at
    /// after the same seconds.
    pub at: f64,
    /// The number of cases, those that were given up included.
    pub cases: u64,
    /// The number of runs.
    pub runs: u64,
    /// The number of runs that were killed, and left no counts.
    pub killed: u64,
    /// The CPU time of the runs, in seconds.
    pub cpu: f64,
    /// What has been reached.
    pub shares: Portions,
}

/// One arm at work.
struct Walker<'a> {
    source: Source,
    examiner: Examiner,
    counts: PathBuf,
    meter: &'a Meter,
    seen: Vec<Tallies>,
    options: &'a CoverageOptions<'a>,
    at: CoveragePoint,
}

/// Measures every strategy of a plan on a coverage build. `listen` hears the
/// arm and how far it has come.
pub fn measure(
    plan: &Plan,
    target: &Target,
    language: &Arc<dyn Language>,
    registry: &Registry,
    options: &CoverageOptions<'_>,
    listen: &mut dyn FnMut(&str, &CoveragePoint),
) -> Result<CoverageStudy> {
    let meter = Meter::of(target)?;
    let mut arms = Vec::new();
    for (name, arm_plan) in arm_plans(plan) {
        if options.stop.load(Ordering::Relaxed) {
            bail!("interrupted; what was measured is lost");
        }
        let (source, _) = Source::open(&arm_plan, language, registry)?;
        let folder = options.scratch.folder()?;
        let counts = folder.path().join("counts");
        let counting = target
            .cold()
            .with_env(meter.variable(), &counts.to_string_lossy());
        let mut walker = Walker {
            source,
            examiner: Examiner::new(
                language.clone(),
                vec![(counting, Role::Tested)],
                Vec::new(),
                run_limits(&plan.limits),
                options.scratch.clone(),
            ),
            counts,
            meter: &meter,
            seen: Vec::new(),
            options,
            at: CoveragePoint::default(),
        };
        let (points, folders, reach) = walker.walk(&mut |point| listen(&name, point))?;
        arms.push(CoverageArm {
            name,
            points,
            folders,
            alone: BTreeMap::new(),
            with_seeds: None,
            reach,
            seen: walker.seen,
        });
    }
    let uncounted = match &meter {
        Meter::Gcov(_) => Vec::new(),
        Meter::V8(scripts) => settle(scripts, &mut arms)?,
    };
    let over = match options.distance {
        Distance::Cases(_) => "cases",
        Distance::Cpu(_) => "CPU seconds",
    };
    Ok(CoverageStudy {
        over,
        uncounted,
        ..sum_up(plan, target, arms)
    })
}

impl Meter {
    fn of(target: &Target) -> Result<Meter> {
        let notes = Notes::of(target.installed())?;
        if !notes.is_empty() {
            return Ok(Meter::Gcov(notes));
        }
        let scripts = Scripts::of(target.installed()).ok_or_else(|| {
            usage(format!(
                "{}: no coverage build (it has no .gcno files), and no program that node runs; name a \
                 variant whose flags have --coverage, such as lua:coverage (docs/coverage.md)",
                target.name
            ))
        })?;
        Ok(Meter::V8(scripts))
    }

    /// The environment variable that says where counts are written.
    fn variable(&self) -> &'static str {
        match self {
            Meter::Gcov(_) => lydite_target::COUNTS,
            Meter::V8(_) => v8::FOLDER,
        }
    }
}

/// The shares of all points, now that all blocks of the scripts are known; gives
/// the scripts whose work is not all counted.
fn settle(scripts: &Scripts, arms: &mut [CoverageArm]) -> Result<Vec<String>> {
    let mut known = Tallies::default();
    for arm in arms.iter() {
        arm.seen
            .last()
            .into_iter()
            .for_each(|seen| known.join(seen));
    }
    for arm in arms.iter_mut() {
        arm.folders.clear();
        for (point, seen) in arm.points.iter_mut().zip(&arm.seen) {
            arm.reach = scripts.reach(seen, &known)?;
            point.shares = arm.reach.shares();
            arm.folders.push(arm.reach.folders());
        }
    }
    Ok(scripts.uncounted(&known))
}

/// The seeds as they are, if there are any, then each strategy alone.
fn arm_plans(plan: &Plan) -> Vec<(String, Plan)> {
    let alone = |strategy: &StrategyPlan, mode: Option<Mode>| Plan {
        strategies: vec![strategy.clone()],
        mode,
        ..plan.clone()
    };
    let mut arms = Vec::new();
    let mut seeds: Vec<PathBuf> = Vec::new();
    for path in plan.strategies.iter().flat_map(|strategy| &strategy.seeds) {
        if !seeds.contains(path) {
            seeds.push(path.clone());
        }
    }
    if !seeds.is_empty() {
        let files = StrategyPlan {
            name: FILES.to_string(),
            weight: 1,
            seeds,
            settings: BTreeMap::new(),
            files: SettingFiles::default(),
        };
        arms.push((SEEDS.to_string(), alone(&files, Some(Mode::Enumerate))));
    }
    for strategy in plan.strategies.iter().filter(|one| one.name != FILES) {
        let settings = strategy
            .settings
            .iter()
            .map(|(key, value)| format!(" {key}={value}"));
        let name = format!("{}{}", strategy.name, settings.collect::<String>());
        arms.push((name, alone(strategy, Some(Mode::Sample))));
    }
    arms
}

fn sum_up(plan: &Plan, target: &Target, mut arms: Vec<CoverageArm>) -> CoverageStudy {
    let mut together = Reach::default();
    for arm in &arms {
        together.join(&arm.reach);
    }
    for number in 0..arms.len() {
        let mut others = Reach::default();
        for (other, arm) in arms.iter().enumerate() {
            if other != number {
                others.join(&arm.reach);
            }
        }
        arms[number].alone = arms[number].reach.lines_beyond(&others);
    }
    if let Some((seeds, strategies)) = arms.split_first_mut()
        && seeds.name == SEEDS
    {
        for arm in strategies {
            let mut both = arm.reach.clone();
            both.join(&seeds.reach);
            arm.with_seeds = Some(both.shares());
        }
    }
    CoverageStudy {
        target: target.name.to_string(),
        seed: plan.seed,
        arms,
        together: together.shares(),
        over: "",
        uncounted: Vec::new(),
        tool: env!("CARGO_PKG_VERSION").to_string(),
    }
}

impl Walker<'_> {
    /// The points, the shares at each of them by folder, and what was reached at the end.
    fn walk(
        &mut self,
        listen: &mut dyn FnMut(&CoveragePoint),
    ) -> Result<(Vec<CoveragePoint>, Vec<Folders>, Reach)> {
        let mut points: Vec<CoveragePoint> = Vec::new();
        let mut folders = Vec::new();
        let mut reach = Reach::default();
        let all = stops(self.options.distance);
        let last = all.len() - 1;
        for stop in all
            .into_iter()
            .skip(if self.options.only_end { last } else { 0 })
        {
            let before = self.at.cases;
            self.go_to(stop, listen)?;
            if self.at.cases == before {
                break;
            }
            reach = self.read_counts()?;
            self.at.shares = reach.shares();
            self.at.at = match stop {
                Distance::Cases(_) => self.at.cases as f64,
                Distance::Cpu(cpu) => cpu.as_secs_f64(),
            };
            points.push(self.at);
            folders.push(reach.folders());
            listen(&self.at);
        }
        let ran = self.at.runs > self.at.killed;
        if ran && self.at.shares.lines.reached == 0 {
            bail!(
                "the target has written no counts; was it built with --coverage, or is it run by another program than node?"
            );
        }
        Ok((points, folders, reach))
    }

    /// What has been reached so far.
    fn read_counts(&mut self) -> Result<Reach> {
        match self.meter {
            Meter::Gcov(notes) => {
                let work = self.options.scratch.folder()?;
                notes.reach(&self.counts, work.path())
            }
            Meter::V8(scripts) => {
                let mut seen = self.seen.last().cloned().unwrap_or_default();
                scripts.take(&self.counts, &mut seen)?;
                let reach = scripts.reach(&seen, &seen)?;
                self.seen.push(seen);
                Ok(reach)
            }
        }
    }

    /// Runs cases until the arm has come that far, or has no more.
    fn go_to(&mut self, stop: Distance, listen: &mut dyn FnMut(&CoveragePoint)) -> Result<()> {
        let left = self.source.len().map(|len| u64::try_from(&len));
        let last = left.map_or(u64::MAX, |len| len.unwrap_or(u64::MAX));
        loop {
            let some = match stop {
                Distance::Cases(cases) => cases.saturating_sub(self.at.cases),
                Distance::Cpu(cpu) if self.at.cpu >= cpu.as_secs_f64() => 0,
                Distance::Cpu(_) => CASES_AT_ONCE * self.options.threads as u64,
            };
            let some = some.min(last.saturating_sub(self.at.cases));
            if some == 0 {
                return Ok(());
            }
            let first = self.at.cases;
            let (source, examiner) = (&self.source, &self.examiner);
            let work = |number: usize| run_case(source, examiner, first + number as u64);
            let at = &mut self.at;
            let mut take = |_: usize, (runs, killed, cpu): (u64, u64, f64)| {
                at.runs += runs;
                at.killed += killed;
                at.cpu += cpu;
                at.cases += 1;
                listen(at);
                Ok(())
            };
            let count = usize::try_from(some).context("too many cases")?;
            let options = self.options;
            in_parallel(count, options.threads, options.stop, &work, &mut take)?;
            if options.stop.load(Ordering::Relaxed) {
                bail!("interrupted; what was measured is lost");
            }
        }
    }
}

/// Runs one case: the number of runs, of those that were killed, and their
/// CPU time in seconds.
fn run_case(source: &Source, examiner: &Examiner, index: u64) -> Result<(u64, u64, f64)> {
    let (_, case) = source.case(index);
    let Ok(case) = case else {
        return Ok((0, 0, 0.0));
    };
    let case: Case = examiner.judge.prepare(case);
    let (mut killed, mut cpu) = (0, 0.0);
    for program in 0..case.programs.len() {
        let runner = &examiner.runner;
        let none = OptionChoice::default();
        let seen = runner.observe(&case, program, &runner.targets[0], &runner.limits, &none);
        if let Outcome::Unusable(what) = &seen.outcome {
            bail!("{}: {what}", seen.target);
        }
        killed += u64::from(seen.outcome == Outcome::TimedOut);
        cpu += seen.cpu.as_secs_f64();
    }
    Ok((case.programs.len() as u64, killed, cpu))
}

/// Where an arm is looked at on its way: 1, 2, 5, 10, 20, 50, ... cases, or a
/// sixteenth, an eighth, a quarter, a half and all of the time.
fn stops(distance: Distance) -> Vec<Distance> {
    match distance {
        Distance::Cases(cases) => {
            let tens = (0..20).map(|power| 10u64.pow(power));
            let steps = tens.flat_map(|ten| [1, 2, 5].map(|step| ten.saturating_mul(step)));
            let mut stops: Vec<u64> = steps.take_while(|stop| *stop < cases).collect();
            stops.push(cases);
            stops.into_iter().map(Distance::Cases).collect()
        }
        Distance::Cpu(cpu) => [16, 8, 4, 2, 1]
            .map(|part| Distance::Cpu(cpu / part))
            .to_vec(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_arm_is_looked_at_on_its_way_and_at_its_end() {
        let cases = |most| -> Vec<u64> {
            let stops = stops(Distance::Cases(most)).into_iter();
            stops
                .map(|stop| match stop {
                    Distance::Cases(cases) => cases,
                    Distance::Cpu(_) => panic!("cases were asked for"),
                })
                .collect()
        };
        assert_eq!(cases(1), [1]);
        assert_eq!(cases(30), [1, 2, 5, 10, 20, 30]);
        assert_eq!(cases(100), [1, 2, 5, 10, 20, 50, 100]);
        let time = stops(Distance::Cpu(Duration::from_secs(16)));
        assert_eq!(time[0], Distance::Cpu(Duration::from_secs(1)));
        assert_eq!(time.len(), 5);
    }
}
