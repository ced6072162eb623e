//! A case that shows a symptom, as files: what a finding's folder is made of.

use std::collections::BTreeMap;

use lydite_core::{Case, Observation, Outcome, Seed, Signature};

use super::job::Examined;
use super::runner::Runner;
use lydite_store::folder::RelativePath;
use lydite_store::record::{SeedRecord, TriggerFile, TriggerRecord, TriggerRun};

/// Makes the record of a case that shows a symptom: its programs, those that followed from what was
/// seen, its seeds, and what every target said.
pub fn make_trigger(runner: &Runner, asked: &Case, examined: &Examined) -> TriggerRecord {
    let case = &examined.case;
    let mut files = Vec::new();
    let mut programs = Vec::new();
    for (number, program) in case.programs.iter().enumerate() {
        let mut names = Vec::new();
        for file in &program.files {
            let path = path(format!("{}{}", folder(case, number), file.name));
            files.push(TriggerFile {
                path: path.clone(),
                content: file.text.to_vec(),
            });
            names.push(path);
        }
        programs.push(names);
    }
    let mut seeds = Vec::new();
    for (number, seed) in asked.seeds.iter().enumerate() {
        let record = seed_record(number, seed);
        files.push(TriggerFile {
            path: record.path.clone(),
            content: seed.text.to_vec(),
        });
        seeds.push(record);
    }
    let mut runs = Vec::new();
    for observation in &examined.shown.observations {
        let source = source_in_dialect(runner, case, observation);
        let mut run = trigger_run(case, observation, source.as_ref());
        if let Some((target, _)) = runner.target(&observation.target) {
            run.options = examined.options.args(target);
        }
        files.extend(source);
        for (path, capture) in [
            (&run.stdout, &observation.stdout),
            (&run.stderr, &observation.stderr),
        ] {
            let mut content = capture.head.clone();
            if capture.truncated() {
                content.extend(format!("\n[... {} bytes dropped ...]\n", capture.dropped).bytes());
                content.extend(&capture.tail);
            }
            files.push(TriggerFile {
                path: path.clone(),
                content,
            });
        }
        runs.push(run);
    }
    TriggerRecord {
        claim: case.claim.clone(),
        steps: case.steps.clone(),
        seeds,
        asked: asked.programs.len(),
        programs,
        runs,
        options: needed_options(examined),
        files,
    }
}

/// The names of files are plain by contract, so these are paths; one that is
/// none was run by nobody.
fn path(text: String) -> RelativePath {
    let path = RelativePath::new(text);
    path.unwrap_or_else(|_| RelativePath::new("unnamed").expect("a plain name"))
}

/// How much of a seed's own name its file has.
const SEED_NAME_CHARS: usize = 80;

/// The file of a seed bears as much of its name as is harmless.
fn seed_record(number: usize, seed: &Seed) -> SeedRecord {
    let base = seed.name.rsplit('/').next().unwrap_or_default();
    let harmless = |c: &char| c.is_ascii_alphanumeric() || "._-+".contains(*c);
    let base: String = base
        .chars()
        .filter(harmless)
        .take(SEED_NAME_CHARS)
        .collect();
    SeedRecord {
        name: seed.name.clone(),
        blake3: blake3::hash(&seed.text).to_hex().to_string(),
        path: path(format!("seeds/{number}-{base}")),
    }
}

/// The options that each signature needs, for those that need some.
fn needed_options(examined: &Examined) -> BTreeMap<Signature, BTreeMap<String, Vec<String>>> {
    let symptoms = examined.symptoms.iter();
    let needy = symptoms.filter(|filed| !filed.options.is_empty());
    needy
        .map(|filed| (filed.signature.clone(), filed.options.clone()))
        .collect()
}

/// Where the files of a program are: a folder of its own if there are several.
fn folder(case: &Case, program: usize) -> String {
    match case.programs.len() {
        1 => String::new(),
        _ => format!("{program}/"),
    }
}

fn file_stem(target: &str) -> String {
    target.replace(['@', ':'], "-")
}

fn trigger_run(case: &Case, observation: &Observation, source: Option<&TriggerFile>) -> TriggerRun {
    let place = folder(case, observation.program);
    let stem = file_stem(&observation.target.to_string());
    let stem = format!("outputs/{place}{stem}");
    TriggerRun {
        program: observation.program,
        target: observation.target.clone(),
        source: source.map(|file| file.path.clone()),
        outcome: observation.outcome.name().to_string(),
        options: Vec::new(),
        said: said(&observation.outcome),
        stdout: path(format!("{stem}.stdout")),
        stderr: path(format!("{stem}.stderr")),
    }
}

/// The source in the dialect of the target, if that is another text.
fn source_in_dialect(
    runner: &Runner,
    case: &Case,
    observation: &Observation,
) -> Option<TriggerFile> {
    let program = &case.programs[observation.program];
    let (target, _) = runner.target(&observation.target)?;
    let run = runner.in_dialect(program, target);
    let source = run.source();
    let stem = file_stem(&observation.target.to_string());
    let place = folder(case, observation.program);
    (source.text != program.source().text).then(|| TriggerFile {
        path: path(format!("dialects/{stem}/{place}{}", source.name)),
        content: source.text.to_vec(),
    })
}

fn said(outcome: &Outcome) -> String {
    outcome.to_string().chars().take(400).collect()
}
