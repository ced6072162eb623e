//! What a run of a program reaches: profiles for strategy `delete`, of every
//! language that has probes.
//!
//! A program is run as it stands and with probes, by every target; it has to
//! do the same each time. A statement that one of the targets reaches counts
//! as reached.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result, anyhow, bail};
use lydite_core::fault::Fault;
use lydite_core::{Answer, Choices, Observation, Outcome, Program, Role, Seed, Settings, Strategy};
use lydite_core::{Language, TargetName};
use lydite_lab::campaign::{Progress, run_limits};
use lydite_lab::plan::PlanLimits;
use lydite_process::Scratch;
use lydite_skeleton::extract::Dialect;
use lydite_skeleton::{DELETE, Probed};
use lydite_target::{RunLimits, Target};
use serde_json::{Value, json};

use super::super::toolbox::{Toolbox, guess_language, scratch};
use super::{VariantTally, differs, stem, stems};
use crate::args::ProfileArgs;
use crate::console::{Console, print_json};
use crate::exit_code::ExitCode;
use crate::table::print_table;

/// Who runs programs if nobody is named: two compilers that have little in
/// common, where there are, so that what depends on the compiler is noticed.
const RUNNERS: [(&str, &[&str]); 7] = [
    ("c", &["gcc:O0", "clang:O2"]),
    ("cpp", &["g++:O0", "clang++:O2"]),
    ("lua", &["lua"]),
    ("javascript", &["node"]),
    ("rust", &["rustc"]),
    ("scala", &["scala"]),
    ("awk", &["gawk", "mawk"]),
];

pub(super) fn run(args: &ProfileArgs, console: &Console) -> Result<ExitCode> {
    let toolbox = Toolbox::open(&args.target_files.paths)?;
    let mut limits = PlanLimits::default();
    limits.timeout = args.limits.timeout.unwrap_or(limits.timeout);
    limits.memory = args.limits.memory.unwrap_or(limits.memory);
    let names = match args.targets.as_slice() {
        [] => runners(&toolbox, &args.files)?,
        names => names.to_vec(),
    };
    let targets = toolbox.installed(&names, &[], console)?;
    let language = toolbox.language(&targets, None)?;
    let dialect = probed_dialect(language.name())?;
    let profiler = StatementProfiler {
        args,
        dialect,
        language,
        targets: targets.into_iter().map(|(target, _)| target).collect(),
        limits: run_limits(&limits),
        scratch: scratch()?,
        stems: stems(&args.files),
        answered: Cell::new(false),
    };
    let display = console.progress();
    let mut progress = Progress {
        of: Some(args.files.len() as u64),
        ..Progress::default()
    };
    let mut rows = Vec::new();
    let mut failed = None;
    for path in &args.files {
        let done = profiler.profile(path);
        let row = match done.with_context(|| path.display().to_string()) {
            Ok(row) => row,
            Err(error) if error.downcast_ref::<Fault>().is_some() => return Err(error),
            Err(error) => {
                display.note(&format!("warning: {error:#}"));
                let row = json!({"file": path, "error": format!("{:#}", error.root_cause())});
                failed.get_or_insert(error);
                row
            }
        };
        if args.json {
            print_json(&row.to_string());
        }
        progress.cases += 1;
        progress.rejects += u64::from(row.get("error").is_some());
        progress.findings += usize::from(differs(&row));
        display.update(&progress);
        rows.push(row);
    }
    display.end();
    if !args.json {
        show(&rows);
    }
    match failed {
        Some(error) if rows.iter().all(|row| row.get("error").is_some()) => Err(error),
        _ => Ok(ExitCode::found(rows.iter().any(differs))),
    }
}

/// The targets that run programs of the language of these files.
fn runners(toolbox: &Toolbox, files: &[PathBuf]) -> Result<Vec<TargetName>> {
    let language = guess_language(&toolbox.registry, files)?;
    probed_dialect(language.name())?;
    let row = RUNNERS.iter().find(|(known, _)| *known == language.name());
    let Some((_, names)) = row else {
        bail!(
            "nobody is known to run {}: name a target (-t)",
            language.name()
        );
    };
    names.iter().map(|name| Ok(name.parse()?)).collect()
}

/// What is special about the language of that name, if it has probes.
fn probed_dialect(language: &str) -> Result<&'static Dialect> {
    let dialect = Dialect::of(language);
    let dialect = dialect.with_context(|| format!("there are no probes of {language}"))?;
    Probed::check(dialect)?;
    Ok(dialect)
}

fn show(rows: &[Value]) {
    let heads = ["file", "written", "statements", "reached", "removable"];
    let word = |value: &Value| match value {
        Value::String(text) => text.clone(),
        Value::Null => "nothing to take out".to_string(),
        other => other.to_string(),
    };
    let rows = rows.iter().filter(|row| row.get("error").is_none());
    let rows = rows.map(|row| heads.map(|head| word(&row[head])).to_vec());
    print_table(&heads, &rows.collect::<Vec<_>>());
}

struct StatementProfiler<'a> {
    args: &'a ProfileArgs,
    dialect: &'static Dialect,
    language: Arc<dyn Language>,
    targets: Vec<Target>,
    limits: RunLimits,
    scratch: Arc<Scratch>,
    /// What the files of the output are called, by input.
    stems: BTreeMap<PathBuf, String>,
    /// True once a target has run a program.
    answered: Cell<bool>,
}

impl StatementProfiler<'_> {
    fn profile(&self, path: &Path) -> Result<Value> {
        let text = fs::read(path)?;
        let probed = Probed::read(self.dialect, &text)?;
        let mut expected = None;
        let mut reached = BTreeSet::new();
        for target in &self.targets {
            let plain = self.answer(target, probed.source())?.1;
            let (seen, with_probes) = self.answer(target, &probed.text)?;
            if with_probes != plain {
                bail!("what it does depends on its code ({})", target.name);
            }
            if *expected.get_or_insert_with(|| plain.clone()) != plain {
                bail!("targets disagree on what it does");
            }
            if seen.stderr.dropped > 0 {
                bail!("it writes too much to standard error");
            }
            let here = probed.reached(&seen.stderr.head);
            if here.is_empty() {
                bail!("no probe was reached ({})", target.name);
            }
            reached.extend(here);
        }
        let by = self.targets.iter().map(|target| target.name.to_string());
        let dead_code = probed.dead_code(by.collect(), &reached);
        let mut tally = VariantTally::default();
        let mut written = None;
        if !dead_code.unreached.is_empty() {
            let profiled = probed.profiled(&dead_code);
            written = Some(self.write(path, "", &profiled)?);
            let expected = expected.context("no target ran")?;
            tally = self.variants(path, profiled, &expected)?;
        }
        Ok(json!({
            "file": path,
            "written": written,
            "by": dead_code.by,
            "statements": probed.probes(),
            "reached": reached.len(),
            "removable": dead_code.unreached.len(),
            "equal": tally.equal,
            "refused": tally.refused,
            "different": tally.different,
            "said": tally.said,
        }))
    }

    /// What a program does on a target, and all that was seen.
    fn answer(&self, target: &Target, text: &[u8]) -> Result<(Observation, Answer)> {
        let program = Program::single(target.family().run.file.as_str(), text.to_vec());
        let seen = target.observe(&program, 0, Role::Tested, &self.limits, &self.scratch);
        match &seen.outcome {
            // Of a target that has run another program before, it is this one's fault.
            Outcome::Unusable(why) if self.answered.get() => bail!("target {}: {why}", seen.target),
            Outcome::Unusable(why) => {
                let error = anyhow!("target {}: {why}", seen.target);
                Err(error.context(Fault::TargetUnusable))
            }
            outcome => match outcome.answer() {
                Some(answer @ Answer::Output { .. }) => {
                    self.answered.set(true);
                    let answer = answer.clone();
                    Ok((seen, answer))
                }
                Some(_) => bail!("target {} does not run programs", seen.target),
                None => bail!("target {}: {outcome}", seen.target),
            },
        }
    }

    /// Makes variants and compares what they do.
    fn variants(&self, path: &Path, profiled: Vec<u8>, expected: &Answer) -> Result<VariantTally> {
        let mut tally = VariantTally::default();
        if self.args.variants == 0 {
            return Ok(tally);
        }
        let seed = Seed {
            name: path.display().to_string(),
            text: profiled.into(),
            claim: None,
        };
        let one = BTreeMap::from([("variants".to_string(), "1".to_string())]);
        let settings = Settings::checked(&DELETE, one)?;
        let space = DELETE.open(Arc::clone(&self.language), [seed].into(), &settings)?;
        for number in 0..self.args.variants {
            let case = space.sample(&mut Choices::seeded(self.args.seed, number))?;
            let variant = case.programs.last().context("a case without programs")?;
            let variant = &variant.source().text;
            let answers = self
                .targets
                .iter()
                .map(|target| self.answer(target, variant));
            for answer in answers {
                match answer {
                    Ok((_, answer)) if answer == *expected => tally.equal += 1,
                    Ok(_) => {
                        tally.different += 1;
                        let written = self.write(path, &format!("-variant{number}"), variant)?;
                        tally.said = Some(format!("see {}", written.display()));
                    }
                    Err(error) if error.downcast_ref::<Fault>().is_some() => return Err(error),
                    Err(error) => {
                        tally.refused += 1;
                        tally.said.get_or_insert(error.to_string());
                    }
                }
            }
        }
        Ok(tally)
    }

    fn write(&self, path: &Path, ending: &str, text: &[u8]) -> Result<PathBuf> {
        let extension = path.extension().unwrap_or_default().to_string_lossy();
        let written = match &self.args.output {
            None => path.with_file_name(format!("{}{ending}.profile.{extension}", stem(path))),
            Some(folder) => {
                fs::create_dir_all(folder)
                    .with_context(|| folder.display().to_string())
                    .context(Fault::CannotWrite)?;
                folder.join(format!("{}{ending}.{extension}", self.stems[path]))
            }
        };
        fs::write(&written, text)
            .with_context(|| written.display().to_string())
            .context(Fault::CannotWrite)?;
        Ok(written)
    }
}
