//! One family of targets over its versions: every version on the same cases,
//! judged by references, measured, compared (thesis section 7.4, RQ2 and RQ3).
//!
//! [`Evolution::run`] fills a table of cells (case, version) that is never
//! measured twice; [`Evolution::study`] judges the table, sums it up, and makes
//! the page and the data files. Cases come in order and each is put to all
//! versions before the next, so that what else the machine does falls on all
//! versions alike.

mod cells;
mod csv;
mod judge;
mod page;
mod regress;
mod study;

pub use cells::FILE_NAME;
pub use page::PAGE_NAME;
pub use regress::Regression;
pub use study::{Clock, References, Study, TheoryStudy, VersionStudy, timeouts};

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::{Context, Result};
use lydite_core::{
    Answer, Case, Exit, Language, Observation, Oracle, Outcome, Role, Table, TargetName,
};
use serde::{Deserialize, Serialize};

use cells::{Again, Cell, Cells, Column, Row};
use lydite_core::quantity::{Size, Span};
use lydite_lab::campaign::{
    Examiner, Judge, OptionChoice, Progress, Source, Stop, panic_text, run_all,
};
use lydite_lab::plan::{Mode, Plan, PlanLimits, StrategyPlan};
use lydite_lab::registry::Registry;
use lydite_lab::resolved::{LYDITE, run_limits, strategy_identity};
use lydite_process::Scratch;
use lydite_store::folder::{LOCK, Layout, LockedFolder, ReadFolder, refuse_foreign};
use lydite_store::record::Failure;
use lydite_target::Target;

/// The folder of `lydite evolve`.
const EVOLUTION: Layout = Layout {
    what: "made by lydite evolve",
    store: "evolution.sqlite",
    names: &[
        LOCK, "settings", "evolution.html", "cells.csv", "versions.csv", "regressions.csv",
        "triggers",
    ],
    folders: &["settings", "triggers"],
};

/// Where the cases of one theory come from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TheoryPlan {
    /// What it is called: a grammar's name or a folder's.
    pub name: String,
    /// The strategy, which counts through its cases.
    pub strategy: StrategyPlan,
    /// The index to start at.
    pub from: Option<String>,
}

/// What every cell depends on, besides case and target.
#[derive(Clone, Debug, PartialEq)]
pub struct Conditions {
    /// The language of the programs.
    pub language: String,
    /// The oracles that judge; one may want witnesses, which changes the programs.
    pub oracles: Vec<String>,
    /// The wall limit of a run.
    pub timeout: Span,
    /// The memory limit of a run.
    pub memory: Size,
}

/// A table of cells that can grow.
pub struct Evolution {
    folder: LockedFolder,
    conditions: Conditions,
    cells: Cells,
    theories: Vec<Theory>,
    language: Arc<dyn Language>,
    oracles: Vec<Arc<dyn Oracle>>,
}

struct Theory {
    id: i64,
    name: String,
    source: Source,
    cases: u64,
}

/// How a table is filled; none of it changes what a cell says, but its times.
pub struct EvolveOptions<'a> {
    /// How many runs take place at a time.
    pub threads: usize,
    /// Set from outside to finish early.
    pub stop: &'a AtomicBool,
    /// Where runs take place.
    pub scratch: Arc<Scratch>,
}

/// One case and those that have not run it.
struct PendingCase {
    theory: usize,
    index: u64,
    /// Numbers of targets.
    targets: Vec<usize>,
}

impl Conditions {
    /// The conditions under which the table in `folder` was measured, if there is one.
    pub fn of(folder: &Path) -> Result<Option<Conditions>> {
        if !folder.join(FILE_NAME).is_file() {
            return refuse_foreign(folder, &EVOLUTION).map(|()| None);
        }
        let Some(cells) = Cells::open_to_read(&ReadFolder::open(folder, &EVOLUTION)?)? else {
            return Ok(None);
        };
        let meta = |key: &str| {
            let missing = || format!("{}: no {key} in it", folder.join(FILE_NAME).display());
            cells.meta(key)?.with_context(missing)
        };
        let oracles = meta("oracles")?;
        Ok(Some(Conditions {
            language: meta("language")?,
            oracles: oracles.split(' ').map(str::to_string).collect(),
            timeout: meta("timeout")?.parse()?,
            memory: meta("memory")?.parse()?,
        }))
    }
}

impl Evolution {
    /// Opens the table in `folder`, or makes it, and its theories.
    pub fn open(
        folder: &Path,
        conditions: &Conditions,
        language: Arc<dyn Language>,
        registry: &Registry,
    ) -> Result<Evolution> {
        let folder = LockedFolder::make(folder, &EVOLUTION)?;
        let oracles = registry.oracles_named(&conditions.oracles);
        let facts = [
            ("language", conditions.language.clone()),
            ("oracles", conditions.oracles.join(" ")),
            ("timeout", conditions.timeout.to_string()),
            ("memory", conditions.memory.to_string()),
            ("lydite", LYDITE.to_string()),
        ];
        let mut evolution = Evolution {
            conditions: conditions.clone(),
            cells: Cells::open(&folder, &facts)?,
            folder,
            theories: Vec::new(),
            language,
            oracles: oracles?,
        };
        for plan in evolution.cells.theories()? {
            let mut plan: TheoryPlan = serde_json::from_str(&plan).context(FILE_NAME)?;
            plan.strategy.files.recall(evolution.folder.path())?;
            evolution.add(&plan, None, registry)?;
        }
        Ok(evolution)
    }

    /// Adds a theory, of which the first `cases` cases are wanted; or more
    /// cases of one that is there.
    pub fn add(
        &mut self,
        theory: &TheoryPlan,
        cases: Option<u64>,
        registry: &Registry,
    ) -> Result<()> {
        let name = &theory.name;
        let mut plan = Plan::new(Vec::new(), theory.strategy.clone());
        plan.mode = Some(Mode::Enumerate);
        plan.from = theory.from.clone();
        plan.read_files(registry)?;
        let (source, _) =
            Source::open(&plan, &self.language, registry).with_context(|| name.clone())?;
        let strategy = &plan.strategies[0];
        strategy.files.keep(&self.folder)?;
        let spaces = source.spaces().strategies.into_iter().next();
        let (seeds, definition) = spaces.unwrap_or_default();
        let identity = strategy_identity(strategy, &seeds, definition.as_deref());
        let identity = format!("{identity} from {}", source.from());
        let kept = serde_json::to_string(&TheoryPlan {
            strategy: strategy.clone(),
            ..theory.clone()
        })?;
        let (id, asked) = self.cells.theory(name, &kept, &identity, cases)?;
        let there = source
            .len()
            .map(|len| u64::try_from(len).unwrap_or(u64::MAX));
        let cases = asked.min(there.unwrap_or(0));
        match self.theories.iter_mut().find(|theory| theory.id == id) {
            Some(known) => known.cases = cases,
            None => self.theories.push(Theory {
                id,
                name: name.clone(),
                source,
                cases,
            }),
        }
        Ok(())
    }

    /// True if it has no theory.
    pub fn is_empty(&self) -> bool {
        self.theories.is_empty()
    }

    /// The targets that were measured, each with its role.
    pub fn measured(&self) -> Result<Vec<(TargetName, Role)>> {
        let columns = self.cells.columns()?;
        Ok(columns.into_iter().map(|c| (c.name, c.role)).collect())
    }

    /// Fills the cells of `targets` that are empty, then runs again whatever
    /// looks wrong and was seen once. True if it came to its end.
    pub fn run(
        &mut self,
        targets: Vec<(Target, Role)>,
        options: &EvolveOptions<'_>,
        listen: &mut dyn FnMut(&Progress),
    ) -> Result<bool> {
        let plan_limits = PlanLimits {
            timeout: self.conditions.timeout,
            memory: self.conditions.memory,
            ..PlanLimits::default()
        };
        let examiner = Examiner::new(
            self.language.clone(),
            targets,
            self.oracles.clone(),
            run_limits(&plan_limits),
            options.scratch.clone(),
        );
        let mut columns = Vec::new();
        for (target, role) in &examiner.runner.targets {
            let hash = target.fingerprint()?;
            let id = self.cells.target(&target.name, *role, &hash)?;
            let name = target.name.clone();
            columns.push(Column {
                id,
                name,
                role: *role,
            });
        }
        let ended = self.fill(&examiner, &columns, options, listen)?;
        Ok(ended && self.run_again(&examiner, &columns, options)?)
    }

    fn fill(
        &mut self,
        examiner: &Examiner,
        columns: &[Column],
        options: &EvolveOptions<'_>,
        listen: &mut dyn FnMut(&Progress),
    ) -> Result<bool> {
        let mut wanted = 0;
        let mut all = Vec::new();
        for theory in 0..self.theories.len() {
            wanted += self.pending(theory, columns)?.count();
            all.push(self.pending(theory, columns)?);
        }
        let mut progress = Progress {
            of: Some(wanted as u64),
            ..Progress::default()
        };
        let (theories, cells) = (&self.theories, &mut self.cells);
        let work = |work: PendingCase| measure(&theories[work.theory], examiner, columns, &work);
        let stop = Stop {
            asked: options.stop,
            deadline: None,
        };
        let mut write = |rows: Vec<(i64, Row)>| {
            cells.record(&rows)?;
            progress.cases += rows.len() as u64;
            for (_, row) in &rows {
                progress.runs += row.cells.len() as u64;
                progress.rejects += u64::from(row.failure.is_some());
                let crashed =
                    |cell: &&Cell| matches!(cell.observation.outcome, Outcome::Crashed(_));
                progress.findings += row.cells.iter().filter(crashed).count();
            }
            listen(&progress);
            Ok(())
        };
        let numbers = all.into_iter().flatten();
        run_all(numbers, &work, options.threads, &stop, &mut write)?;
        Ok(progress.cases == wanted as u64)
    }

    /// The cases of a theory that some target has not run.
    fn pending(
        &self,
        number: usize,
        columns: &[Column],
    ) -> Result<impl Iterator<Item = PendingCase> + use<>> {
        let theory = &self.theories[number];
        let mut done = self.cells.done(theory.id)?;
        let failed = self.cells.failed(theory.id)?;
        let done: Vec<Vec<(u64, u64)>> = columns
            .iter()
            .map(|column| done.remove(&column.id).unwrap_or_default())
            .collect();
        let contains = |ranges: &[(u64, u64)], index: u64| {
            let after = ranges.partition_point(|(start, _)| *start <= index);
            after > 0 && ranges[after - 1].1 > index
        };
        let work = move |index: u64| {
            let lacking = (0..done.len()).filter(|target| !contains(&done[*target], index));
            let targets: Vec<usize> = lacking.collect();
            let wanted = !targets.is_empty() && failed.binary_search(&index).is_err();
            wanted.then_some(PendingCase {
                theory: number,
                index,
                targets,
            })
        };
        Ok((0..theory.cases).filter_map(work))
    }

    /// Runs what looks wrong a second time. True if nothing is left.
    fn run_again(
        &mut self,
        examiner: &Examiner,
        columns: &[Column],
        options: &EvolveOptions<'_>,
    ) -> Result<bool> {
        let mut suspects = Vec::new();
        self.each_judged(options.threads, &mut |number, _, judged| {
            for cell in &judged.cells {
                let target = columns.iter().position(|column| column.id == cell.target);
                if let Some(target) = target.filter(|_| cell.is_suspect()) {
                    let trace = Trace::of(&cell.observation);
                    suspects.push((number, judged.index, target, trace));
                }
            }
            Ok(())
        })?;
        let wanted = suspects.len();
        let (theories, cells) = (&self.theories, &self.cells);
        let work = |(number, index, target, first): (usize, u64, usize, Trace)| {
            let theory: &Theory = &theories[number];
            let again = PendingCase {
                theory: number,
                index,
                targets: vec![target],
            };
            let (_, row) = measure(theory, examiner, columns, &again)?;
            let second = row.cells.first().map(|cell| Trace::of(&cell.observation));
            let same = second.is_some_and(|second| first.is_like(&second));
            Ok((theory.id, index, columns[target].id, same))
        };
        let stop = Stop {
            asked: options.stop,
            deadline: None,
        };
        let mut noted = 0;
        let mut write = |seen: Vec<(i64, u64, i64, bool)>| {
            noted += seen.len();
            for (theory, index, target, same) in seen {
                cells.set_again(theory, index, target, same)?;
            }
            Ok(())
        };
        run_all(
            suspects.into_iter(),
            &work,
            options.threads,
            &stop,
            &mut write,
        )?;
        Ok(noted == wanted)
    }

    /// Judges every complete row: those that all columns of its theory have.
    fn each_judged(&self, threads: usize, visit: &mut Visit<'_>) -> Result<()> {
        let columns = self.cells.columns()?;
        let judge = judge::RowJudge {
            judge: Judge {
                language: self.language.clone(),
                oracles: self.oracles.clone(),
            },
            timeout: self.conditions.timeout.0,
        };
        for (number, theory) in self.theories.iter().enumerate() {
            let done = self.cells.done(theory.id)?;
            let mut own = columns.clone();
            own.retain(|column| done.contains_key(&column.id));
            let mut batch = Vec::new();
            let never = AtomicBool::new(false);
            let mut judge_batch = |batch: &mut Vec<Row>| -> Result<()> {
                let work = |row: Row| Ok(judge.judge(&theory.source, row));
                let stop = Stop {
                    asked: &never,
                    deadline: None,
                };
                let mut judged = Vec::new();
                let mut write = |rows: Vec<judge::Judged>| {
                    judged.extend(rows);
                    Ok(())
                };
                run_all(batch.drain(..), &work, threads, &stop, &mut write)?;
                judged.sort_by_key(|row| row.index);
                judged.iter().try_for_each(|row| visit(number, &own, row))
            };
            self.cells
                .each_row(theory.id, theory.cases, &own, &mut |row| {
                    if row.failure.is_some() || row.cells.len() == own.len() {
                        batch.push(row);
                    }
                    match batch.len() >= BATCH {
                        true => judge_batch(&mut batch),
                        false => Ok(()),
                    }
                })?;
            judge_batch(&mut batch)?;
        }
        Ok(())
    }

    /// The program of a case as it was made.
    fn program(&self, theory: usize, index: u64) -> Option<Case> {
        self.theories[theory].source.case(index).1.ok()
    }
}

/// Takes the number of a theory, its columns, and a row.
type Visit<'a> = dyn FnMut(usize, &[Column], &judge::Judged) -> Result<()> + 'a;

/// How many rows are judged before the next are read: with fifty versions
/// that print all they may, about a hundred megabytes.
const BATCH: usize = 64;

/// How a run ended, in few bytes.
struct Trace {
    outcome: &'static str,
    /// Of the answer, and of what comes with it (a model) unless that was cut.
    /// None for a message, which may hold addresses.
    answer: Option<blake3::Hash>,
}

impl Trace {
    fn of(observation: &Observation) -> Trace {
        let stdout = &observation.stdout;
        let whole = !stdout.truncated() && stdout.head.len() <= cells::OUTPUT_BYTES;
        let hash = |answer: &Answer| {
            let mut hasher = blake3::Hasher::new();
            hasher.update(format!("{answer:?}").as_bytes());
            if whole {
                hasher.update(&stdout.head);
            }
            hasher.finalize()
        };
        Trace {
            outcome: observation.outcome.name(),
            answer: observation.outcome.answer().map(hash),
        }
    }

    /// True if a second run ended as the first.
    fn is_like(&self, second: &Trace) -> bool {
        self.outcome == second.outcome && self.answer == second.answer
    }
}

/// Makes a case and runs it on those that have not.
fn measure(
    theory: &Theory,
    examiner: &Examiner,
    columns: &[Column],
    work: &PendingCase,
) -> Result<(i64, Row)> {
    let mut row = Row {
        index: work.index,
        bytes: 0,
        failure: None,
        cells: Vec::new(),
    };
    let made = catch_unwind(AssertUnwindSafe(|| make(theory, examiner, work.index)));
    let case = match made.unwrap_or_else(|panic| Err(Failure::Panic(panic_text(panic)))) {
        Ok(case) => case,
        Err(failure) => {
            row.failure = Some(failure);
            return Ok((theory.id, row));
        }
    };
    row.bytes = case.bytes();
    let case = examiner.judge.prepare(case);
    let mut table = Table {
        timeout: examiner.runner.limits.wall,
        observations: Vec::new(),
    };
    for target in &work.targets {
        let runs = &examiner.runner.targets[*target];
        let none = OptionChoice::default();
        let observation = examiner
            .runner
            .observe(&case, 0, runs, &examiner.runner.limits, &none);
        table.observations.push(observation);
    }
    let not_started = |run: &&Observation| run.exit == Exit::NotStarted;
    if let Some(run) = table.observations.iter().find(not_started) {
        return Err(examiner.runner.not_started(run));
    }
    let targets = work.targets.iter().map(|target| columns[*target].id);
    let cells = targets.zip(table.observations);
    row.cells = cells
        .map(|(target, observation)| Cell {
            target,
            observation,
            again: Again::NotRun,
        })
        .collect();
    Ok((theory.id, row))
}

fn make(theory: &Theory, examiner: &Examiner, index: u64) -> Result<Case, Failure> {
    let (strategy, case) = theory.source.case(index);
    let case = case.map_err(|reject| Failure::Reject(reject.to_string()))?;
    if case.programs.len() != 1 {
        return Err(Failure::Reject("more than one program".to_string()));
    }
    if theory.source.makes_programs(strategy) {
        let checked = examiner.judge.language.check(&case.programs[0]);
        checked.map_err(|why| Failure::IllFormed(why.to_string()))?;
    }
    Ok(case)
}
