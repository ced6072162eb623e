//! `lydite check`: one case, all oracles.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result};
use lydite_core::fault::{Fault, usage};
use lydite_core::quantity::Size;
use lydite_core::{Case, Claim, Language, Observation, Outcome, Program, Remark, Seed, SourceFile};
use lydite_lab::campaign::{Examiner, Filed, run_limits};
use lydite_lab::named_file::read_file;
use lydite_lab::plan::PlanLimits;
use lydite_lab::seeds::{SeedLimits, SeedSet};
use serde_json::{Value, json};

use super::toolbox::{Toolbox, scratch};
use crate::args::CheckArgs;
use crate::console::{Console, print, print_json};
use crate::exit_code::ExitCode;
use crate::table::print_table;

pub(crate) fn run(args: &CheckArgs, console: &Console) -> Result<ExitCode> {
    let toolbox = Toolbox::open(&args.target_files.paths)?;
    let targets = toolbox.installed(&args.targets, &args.references, console)?;
    let language = toolbox.language(&targets, None)?;
    let mut case = read_case(&args.files, args.claim.as_deref(), &language)?;
    add_beside(&args.beside, &mut case)?;
    let mut limits = PlanLimits::default();
    limits.timeout = args.limits.timeout.unwrap_or(limits.timeout);
    limits.memory = args.limits.memory.unwrap_or(limits.memory);
    let oracles = match args.oracles.as_slice() {
        [] => toolbox.registry.unasked_oracles(),
        names => toolbox.registry.oracles_named(names)?,
    };
    let scratch = scratch()?;
    let examiner = Examiner::new(language, targets, oracles, run_limits(&limits), scratch);
    let case = examiner.judge.prepare(case);
    let examined = examiner.examine(&case);
    let observations = &examined.table.observations;
    if args.json {
        let object = json!({
            "case": {
                "files": args.files,
                "claim": case.claim.to_string(),
                "claim_refuted": examined.claim_refuted,
                "claim_contested": examined.claim_contested,
                "bytes": case.bytes(),
            },
            "observations": observations.iter().map(observation_json).collect::<Vec<_>>(),
            "symptoms": examined.symptoms.iter().map(symptom_json).collect::<Vec<_>>(),
            "remarks": examined.remarks.iter().map(remark_json).collect::<Vec<_>>(),
        });
        print_json(&object.to_string());
    } else {
        show(&case, observations, &examined.symptoms);
        if let Some(why) = &examined.claim_refuted {
            print(&format!("the claim is false: {why}"));
        }
        if let Some(why) = &examined.claim_contested {
            print(&format!(
                "nobody is accused, since nobody confirms the claim: {why}"
            ));
        }
    }
    for observation in observations {
        if let Outcome::Unusable(why) = &observation.outcome {
            let error = anyhow::anyhow!("target {}: {why}", observation.target);
            console.error(&error.context(Fault::TargetUnusable));
        }
    }
    let unusable = observations
        .iter()
        .any(|o| matches!(o.outcome, Outcome::Unusable(_)));
    Ok(match (examined.symptoms.is_empty(), unusable) {
        (false, _) => ExitCode::Findings,
        (true, true) => ExitCode::TargetUnusable,
        (true, false) => ExitCode::Clean,
    })
}

/// Puts the files beside each program of the case.
pub(super) fn add_beside(files: &[PathBuf], case: &mut Case) -> Result<()> {
    for path in files {
        let text = read_file(path).with_context(|| path.display().to_string())?;
        let name = match path.extension().is_some_and(|ending| ending == "tx") {
            // Where targets look for transactions.
            true => "case.tx".into(),
            false => path.file_name().unwrap_or_default().to_string_lossy(),
        };
        for program in &mut case.programs {
            program.files.push(SourceFile {
                name: name.to_string(),
                text: text.clone().into(),
            });
        }
    }
    Ok(())
}

/// Where the operating system has what is written to us.
const STANDARD_INPUT: &str = "/dev/stdin";

/// The files, with standard input for `-`.
fn with_standard_input(files: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let is_input = |file: &&PathBuf| file.as_os_str() == "-";
    if files.iter().filter(is_input).count() > 1 {
        return Err(usage("-: standard input can be read once"));
    }
    let path = |file: &PathBuf| match is_input(&file) {
        true => PathBuf::from(STANDARD_INPUT),
        false => file.clone(),
    };
    Ok(files.iter().map(path).collect())
}

/// All files are programs of one case. What is known of it is said on the
/// command line or, for one file, by the file itself.
pub(super) fn read_case(
    files: &[PathBuf],
    claim: Option<&str>,
    language: &Arc<dyn Language>,
) -> Result<Case> {
    let limits = SeedLimits {
        file: Size(1 << 30),
        total: Size(2 << 30),
        seed: 0,
    };
    let files = with_standard_input(files)?;
    for file in &files {
        std::fs::metadata(file).with_context(|| format!("{}: cannot be read", file.display()))?;
    }
    let set = SeedSet::read(&files, language.as_ref(), limits)?;
    let program = |seed: &Seed| {
        let path = Path::new(&seed.name);
        let mut name = path.file_name().unwrap_or_default().to_string_lossy();
        if path == Path::new(STANDARD_INPUT.trim_start_matches('/')) {
            // Compilers go by the ending of a name.
            let ending = language.extensions().first().unwrap_or(&"txt");
            name = format!("stdin.{ending}").into();
        }
        Program::single(name, seed.text.clone())
    };
    let claim = match claim {
        Some(text) => text.parse().context("--claim")?,
        None if set.seeds.len() == 1 => {
            lydite_core::strategy::known_of(language.as_ref(), &set.seeds[0])
        }
        None => Claim::Silent,
    };
    Ok(Case {
        programs: set.seeds.iter().map(program).collect(),
        claim,
        steps: Vec::new(),
        seeds: Vec::new(),
    })
}

fn show(case: &Case, observations: &[Observation], symptoms: &[Filed]) {
    let rows: Vec<Vec<String>> = observations
        .iter()
        .map(|observation| {
            vec![
                observation.target.to_string(),
                observation.program.to_string(),
                observation.outcome.to_string().chars().take(200).collect(),
                format!("{} ms", observation.wall.as_millis()),
            ]
        })
        .collect();
    print_table(&["target", "program", "outcome", "wall"], &rows);
    print(&format!("\nknown: {}", case.claim));
    if symptoms.is_empty() {
        print("no symptoms");
        return;
    }
    let rows: Vec<Vec<String>> = symptoms
        .iter()
        .map(|filed| {
            vec![
                filed.symptom.kind.to_string(),
                filed.symptom.target.to_string(),
                filed.known.clone().unwrap_or_default(),
                filed.symptom.evidence.clone(),
            ]
        })
        .collect();
    print("");
    print_table(&["symptom", "target", "known", "evidence"], &rows);
}

pub(super) fn observation_json(observation: &Observation) -> Value {
    json!({
        "target": observation.target,
        "program": observation.program,
        "outcome": observation.outcome.name(),
        "answer": observation.outcome.answer().map(ToString::to_string),
        "message": observation.outcome.message(),
        "wall_ms": observation.wall.as_millis() as u64,
        "cpu_ms": observation.cpu.as_millis() as u64,
        "peak_kb": observation.peak_kb,
    })
}

fn remark_json(remark: &Remark) -> Value {
    json!({
        "target": remark.target,
        "program": remark.program,
        "decided": remark.decided,
        "what": remark.what,
        "why": remark.why,
    })
}

pub(super) fn symptom_json(filed: &Filed) -> Value {
    let symptom = &filed.symptom;
    json!({
        "kind": symptom.kind,
        "target": symptom.target,
        "against": symptom.against,
        "program": symptom.program,
        "evidence": symptom.evidence,
        "signature": filed.signature,
        "known_issue": filed.known,
    })
}
