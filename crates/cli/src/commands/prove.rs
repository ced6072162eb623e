//! `lydite prove`: the tables of a strategy, proved by solvers; and the same
//! for a user's own tables before they are used.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use anyhow::{Result, bail};
use lydite_core::quantity::Span;
use lydite_core::{Obligation, Role, Settings, Strategy, TargetName};
use lydite_lab::campaign::{Examiner, Progress, run_limits};
use lydite_lab::plan::PlanLimits;
use lydite_lab::setting_files::SettingFiles;
use lydite_studies::prove::{Proof, prove_all};
use lydite_target::Target;
use serde_json::json;

use super::toolbox::{Toolbox, cores, scratch, stop_on_signals};
use crate::args::ProveArgs;
use crate::console::{Console, print, print_json};
use crate::exit_code::ExitCode;
use crate::registry::language_of;
use crate::table::print_table;

/// The oracles that judge. They check witnesses, so a counterexample really is one.
const ORACLES: [&str; 2] = ["answer", "model"];

/// The time limit of a target for one obligation.
const PATIENCE: Span = Span(Duration::from_secs(5));

pub(crate) fn run(args: &ProveArgs, console: &Console) -> Result<ExitCode> {
    let stop = stop_on_signals()?;
    let toolbox = Toolbox::open(&args.target_files.paths)?;
    let strategy = toolbox.registry.strategy(&args.strategy)?;
    let given: BTreeMap<String, String> = args.settings.iter().cloned().collect();
    let files = SettingFiles::read(strategy.as_ref(), &given, Path::new(""))?;
    let settings = files.settings(strategy.as_ref(), &given)?;
    let obligations = strategy.obligations(&settings)?;
    if obligations.is_empty() {
        bail!("strategy {}: it has nothing to prove", args.strategy);
    }
    let targets = match args.targets.as_slice() {
        [] => installed(&toolbox, &obligations),
        names => toolbox.installed(names, &[], console)?,
    };
    if targets.is_empty() {
        bail!("no solver is installed (lydite targets install z3 cvc5)");
    }
    let mut limits = PlanLimits::default();
    limits.timeout = args.limits.timeout.unwrap_or(PATIENCE);
    limits.memory = args.limits.memory.unwrap_or(limits.memory);
    let threads = args.jobs.map_or_else(cores, usize::from);
    let examiner = examiner(&toolbox, targets, &limits)?;
    let proofs = proofs(&examiner, &obligations, threads, &stop, console)?;
    show(args, &obligations, &proofs);
    Ok(if proofs.len() < obligations.len() {
        ExitCode::Interrupted
    } else {
        let refuted = |proof: &Proof| matches!(proof, Proof::Refuted { .. });
        ExitCode::found(proofs.values().any(refuted))
    })
}

/// Has the installed solvers prove what the user's files among the settings
/// say; an error names the line at fault. Without a solver the check by the
/// strategy itself has to do.
pub(super) fn confirm_files(
    strategy: &dyn Strategy,
    settings: &Settings,
    console: &Console,
) -> Result<()> {
    if !settings.has_files() {
        return Ok(());
    }
    let obligations = strategy.obligations(settings)?;
    if obligations.is_empty() {
        return Ok(());
    }
    let toolbox = Toolbox::open(&[])?;
    let targets = installed(&toolbox, &obligations);
    if targets.is_empty() {
        return Ok(());
    }
    let limits = PlanLimits {
        timeout: PATIENCE,
        ..PlanLimits::default()
    };
    let examiner = examiner(&toolbox, targets, &limits)?;
    let never = AtomicBool::new(false);
    let proofs = proofs(&examiner, &obligations, cores(), &never, console)?;
    let mut open = 0;
    for (number, proof) in &proofs {
        if let Proof::Refuted {
            why,
            counterexample,
        } = proof
        {
            bail!(
                "strategy {}: {} is wrong: {why}\n{}",
                strategy.name(),
                obligations[*number].about,
                counterexample.trim_end()
            );
        }
        open += usize::from(!matches!(proof, Proof::Proved(_)));
    }
    console.say(&format!(
        "strategy {}: {} of {} obligations of your tables proved{}",
        strategy.name(),
        proofs.len() - open,
        proofs.len(),
        match open {
            0 => "",
            _ => ", the others checked on values only (lydite prove shows them)",
        }
    ));
    Ok(())
}

/// The newest installed target of each family that reads what is to be proved, by the
/// ending of its file: a strategy for compilers asks solvers, too.
fn installed(toolbox: &Toolbox, obligations: &[Obligation]) -> Vec<(Target, Role)> {
    let file = &obligations[0].case.programs[0].source().name;
    let ending = file.rsplit('.').next().unwrap_or(file);
    let mut languages = toolbox.registry.languages.iter();
    let language = languages.find(|one| one.extensions().contains(&ending));
    let families = toolbox.catalogue.families();
    let reads = families
        .filter(|family| language.is_some_and(|language| language.name() == family.language));
    let newest = reads.filter_map(|family| {
        let name: TargetName = family.family.parse().ok()?;
        toolbox.catalogue.resolve(&name, &toolbox.cache).ok()
    });
    newest
        .flatten()
        .map(|target| (target, Role::Tested))
        .collect()
}

fn examiner(
    toolbox: &Toolbox,
    targets: Vec<(Target, Role)>,
    limits: &PlanLimits,
) -> Result<Examiner> {
    let scratch = scratch()?;
    toolbox.preflight(&targets, &scratch)?;
    let oracles = ORACLES.map(|name| toolbox.registry.oracle(name));
    Ok(Examiner::new(
        language_of(&toolbox.registry, targets[0].0.family()),
        targets,
        oracles.into_iter().collect::<Result<_>>()?,
        run_limits(limits),
        scratch,
    ))
}

/// The proof of each obligation, by its number; some are missing if it was interrupted.
fn proofs(
    examiner: &Examiner,
    obligations: &[Obligation],
    threads: usize,
    stop: &AtomicBool,
    console: &Console,
) -> Result<BTreeMap<usize, Proof>> {
    let display = console.progress();
    let mut progress = Progress {
        of: Some(obligations.len() as u64),
        ..Progress::default()
    };
    let mut proofs = BTreeMap::new();
    let done = prove_all(
        examiner,
        obligations,
        threads,
        stop,
        &mut |number, proof| {
            progress.cases += 1;
            progress.runs += examiner.runner.targets.len() as u64;
            progress.findings += usize::from(matches!(proof, Proof::Refuted { .. }));
            display.update(&progress);
            proofs.insert(number, proof);
            Ok(())
        },
    );
    display.end();
    done?;
    Ok(proofs)
}

fn show(args: &ProveArgs, obligations: &[Obligation], proofs: &BTreeMap<usize, Proof>) {
    if args.json {
        for (number, proof) in proofs {
            let counterexample = match proof {
                Proof::Refuted { counterexample, .. } => Some(counterexample),
                _ => None,
            };
            let object = json!({
                "obligation": obligations[*number].about,
                "proof": proof.name(),
                "why": proof.why(),
                "counterexample": counterexample,
                "script": String::from_utf8_lossy(&obligations[*number].case.programs[0].source().text),
            });
            print_json(&object.to_string());
        }
        return;
    }
    let unproved = |proof: &Proof| !matches!(proof, Proof::Proved(_));
    let rows: Vec<Vec<String>> = proofs
        .iter()
        .filter(|(_, proof)| unproved(proof))
        .map(|(number, proof)| {
            let about = obligations[*number].about.clone();
            vec![about, proof.name().to_string(), proof.why()]
        })
        .collect();
    if !rows.is_empty() {
        print_table(&["obligation", "", "why"], &rows);
        print("");
    }
    for proof in proofs.values() {
        if let Proof::Refuted { counterexample, .. } = proof {
            print(counterexample.trim_end());
        }
    }
    print(&format!(
        "{} of {} proved",
        proofs.len() - rows.len(),
        obligations.len()
    ));
}
