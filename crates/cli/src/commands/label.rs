//! `lydite label`: decides the answers of seeds and writes them down.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};
use lydite_core::fault::Fault;
use lydite_core::quantity::Size;
use lydite_core::{Language, Program, Role, Seed};
use lydite_lab::campaign::{Examiner, Progress, run_limits};
use lydite_lab::plan::PlanLimits;
use lydite_lab::seeds::{SeedLimits, SeedSet};
use lydite_studies::label::{Label, LabelWriter, SeedDecision, decide_all};
use lydite_target::{AnswerKind, Target};
use serde_json::json;

use super::toolbox::{Toolbox, cores, scope, scratch, stop_on_signals, written};
use crate::args::LabelArgs;
use crate::console::{Console, Display, print, print_json};
use crate::exit_code::ExitCode;
use crate::table::print_table;

/// The oracles that judge: no target may contradict another, and models are evaluated.
const ORACLES: [&str; 2] = ["differential", "model"];

pub(crate) fn run(args: &LabelArgs, console: &Console) -> Result<ExitCode> {
    let located = super::seeds::locate(std::slice::from_ref(&args.folder))?;
    let args = &LabelArgs {
        folder: located.into_iter().next().unwrap_or_default(),
        ..args.clone()
    };
    let stop = stop_on_signals()?;
    let toolbox = Toolbox::open(&args.target_files.paths)?;
    let targets = toolbox.targets(&written(&args.targets, &[]), scope(args.install), console)?;
    check(args, &targets)?;
    let language = toolbox.language(&targets, None)?;
    let mut limits = PlanLimits::default();
    limits.timeout = args.limits.timeout.unwrap_or(limits.timeout);
    limits.memory = args.limits.memory.unwrap_or(limits.memory);
    let set = read_seeds(args, language.as_ref(), &limits, console)?;
    let place = LabelPlace::open(args, language.as_ref())?;
    let scratch = scratch()?;
    toolbox.preflight(&targets, &scratch)?;
    let oracles = ORACLES.map(|name| toolbox.registry.oracle(name));
    let examiner = Examiner::new(
        language.clone(),
        targets,
        oracles.into_iter().collect::<Result<_>>()?,
        run_limits(&limits),
        scratch,
    );
    let (mut writer, known) = LabelWriter::open(place.folder)?;
    let numbers: Vec<usize> = (0..set.seeds.len())
        .filter(|&number| known.claim(&set.hashes[number]).is_none())
        .collect();
    let seeds: Vec<&Seed> = numbers.iter().map(|&number| &set.seeds[number]).collect();
    console.say(&format!(
        "labelling {} seeds ({} are labelled already)",
        seeds.len(),
        set.seeds.len() - seeds.len()
    ));
    let mut course = Course::new(console, seeds.len(), examiner.runner.targets.len());
    let mut decisions: BTreeMap<usize, SeedDecision> = BTreeMap::new();
    let mut take = |number: usize, decision: SeedDecision| {
        let seed = seeds[number];
        let path = below_folder(&seed.name);
        if let Some(label) = label(path, &set.hashes[numbers[number]], &decision) {
            place.copy(path, seed, &decision)?;
            writer.write(&label)?;
        }
        course.show(path, &decision);
        decisions.insert(numbers[number], decision);
        Ok(())
    };
    let threads = args.jobs.map_or_else(cores, usize::from);
    let done = decide_all(&examiner, &seeds, args.trust, threads, &stop, &mut take);
    course.display.end();
    done?;
    show(args, &set, &decisions);
    Ok(if decisions.len() < seeds.len() {
        ExitCode::Interrupted
    } else {
        ExitCode::found(decisions.values().any(SeedDecision::is_alarming))
    })
}

/// Checks that targets of two families take part: one family agrees with itself about its own bugs.
fn check(args: &LabelArgs, targets: &[(Target, Role)]) -> Result<()> {
    let families: BTreeSet<&str> = targets
        .iter()
        .map(|(target, _)| target.name.family.as_str())
        .collect();
    if families.len() < 2 {
        bail!("label: targets of at least two families are needed (-t z3 -t cvc5)");
    }
    for (target, _) in targets {
        if target.family().answer_kind() != AnswerKind::Verdicts {
            bail!("label: {} does not answer with sat or unsat", target.name);
        }
    }
    if !args.folder.is_dir() {
        bail!("{}: not a folder", args.folder.display());
    }
    if args.write && args.output.is_none() {
        bail!("--write needs -o DIR: your own files are left as they are");
    }
    Ok(())
}

fn read_seeds(
    args: &LabelArgs,
    language: &dyn Language,
    limits: &PlanLimits,
    console: &Console,
) -> Result<SeedSet> {
    // All of them are wanted, and each is wanted once.
    let limits = SeedLimits {
        total: Size(u64::MAX),
        ..limits.of_seeds(0)
    };
    let set = SeedSet::read(std::slice::from_ref(&args.folder), language, limits)?;
    for left in &set.left_out {
        console.warn(&format!("seed {}: left out, {}", left.path, left.reason));
    }
    Ok(set)
}

/// The progress that the user sees.
struct Course<'a> {
    display: Display<'a>,
    progress: Progress,
    targets: u64,
}

impl Course<'_> {
    fn new(console: &Console, seeds: usize, targets: usize) -> Course<'_> {
        Course {
            display: console.progress(),
            progress: Progress {
                of: Some(seeds as u64),
                ..Progress::default()
            },
            targets: targets as u64,
        }
    }

    fn show(&mut self, path: &str, decision: &SeedDecision) {
        let line = format!("{path}: {}: {}", decision.name(), decision.why());
        if decision.is_alarming() {
            self.display.note(&format!("warning: {line}"));
        } else {
            self.display.detail(&line);
        }
        let progress = &mut self.progress;
        progress.cases += 1;
        progress.runs += self.targets;
        progress.rejects += u64::from(!matches!(decision, SeedDecision::Labelled { .. }));
        progress.findings += usize::from(decision.is_alarming());
        self.display.update(progress);
    }
}

/// Where labels, and perhaps copies, go.
struct LabelPlace<'a> {
    folder: &'a Path,
    copies: bool,
    write: bool,
    language: &'a dyn Language,
}

impl<'a> LabelPlace<'a> {
    fn open(args: &'a LabelArgs, language: &'a dyn Language) -> Result<LabelPlace<'a>> {
        let folder = args.output.as_deref().unwrap_or(&args.folder);
        if args.output.is_some() && is_below(folder, &args.folder)? {
            bail!(
                "-o {}: lies in the folder of the seeds; its copies would be seeds too",
                folder.display()
            );
        }
        fs::create_dir_all(folder)
            .with_context(|| folder.display().to_string())
            .context(Fault::CannotWrite)?;
        Ok(LabelPlace {
            folder,
            copies: args.output.is_some(),
            write: args.write,
            language,
        })
    }

    /// Writes a copy of a labelled seed, if copies are asked for.
    fn copy(&self, path: &str, seed: &Seed, decision: &SeedDecision) -> Result<()> {
        if !self.copies {
            return Ok(());
        }
        let program = Program::single(path, seed.text.clone());
        let stated = match decision {
            SeedDecision::Labelled { answer, .. } if self.write => {
                self.language.stating(&program, answer)
            }
            _ => None,
        };
        let text = stated.unwrap_or(program).source().text.clone();
        let file = self.folder.join(path);
        let written = fs::create_dir_all(file.parent().unwrap_or(self.folder))
            .and_then(|()| fs::write(&file, &text));
        written
            .with_context(|| format!("{}: cannot be written", file.display()))
            .context(Fault::CannotWrite)
    }
}

/// True if `inner`, which need not exist, lies in `outer`.
fn is_below(inner: &Path, outer: &Path) -> Result<bool> {
    let inner = std::path::absolute(inner)?;
    let outer = fs::canonicalize(outer)?;
    let there = inner
        .ancestors()
        .find_map(|path| fs::canonicalize(path).ok());
    Ok(there.is_some_and(|path| path.starts_with(outer)))
}

/// The line of the label file, for a seed that is labelled.
fn label(path: &str, hash: &str, decision: &SeedDecision) -> Option<Label> {
    let SeedDecision::Labelled {
        answer,
        targets,
        model,
    } = decision
    else {
        return None;
    };
    Some(Label {
        path: path.to_string(),
        hash: hash.to_string(),
        answer: answer.to_string(),
        targets: targets.clone(),
        model: *model,
    })
}

/// A seed's name without the folder that the user named.
fn below_folder(name: &str) -> &str {
    name.split_once('/').map_or(name, |(_, rest)| rest)
}

fn show(args: &LabelArgs, set: &SeedSet, decisions: &BTreeMap<usize, SeedDecision>) {
    if args.json {
        for (number, decision) in decisions {
            let (answer, model) = match decision {
                SeedDecision::Labelled { answer, model, .. } => (Some(answer), Some(model)),
                SeedDecision::Unchecked(answer) | SeedDecision::Contradicted { answer, .. } => {
                    (Some(answer), None)
                }
                _ => (None, None),
            };
            let object = json!({
                "path": below_folder(&set.seeds[*number].name),
                "hash": set.hashes[*number],
                "decision": decision.name(),
                "answer": answer.map(ToString::to_string),
                "model": model,
                "why": decision.why(),
            });
            print_json(&object.to_string());
        }
        return;
    }
    let mut counts: BTreeMap<String, u64> = BTreeMap::new();
    for decision in decisions.values() {
        let name = match decision {
            SeedDecision::Labelled { answer, .. } => format!("labelled {answer}"),
            other => other.name().to_string(),
        };
        *counts.entry(name).or_default() += 1;
    }
    let rows: Vec<Vec<String>> = counts
        .into_iter()
        .map(|(name, count)| vec![name, count.to_string()])
        .collect();
    print_table(&["decision", "seeds"], &rows);
    let alarming = decisions.iter().filter(|(_, d)| d.is_alarming());
    let rows: Vec<Vec<String>> = alarming
        .map(|(number, decision)| {
            vec![
                below_folder(&set.seeds[*number].name).to_string(),
                decision.name().to_string(),
                decision.why().chars().take(200).collect(),
            ]
        })
        .collect();
    if !rows.is_empty() {
        print("");
        print_table(&["seed", "somebody is wrong", "why"], &rows);
    }
}
