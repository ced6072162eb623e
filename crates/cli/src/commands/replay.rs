//! `lydite replay`: does a finding still show, and can its case be remade?

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use lydite_core::{Case, TargetName};
use lydite_lab::campaign::{Bench, OptionChoice, Resolved, Source, run_limits};
use lydite_lab::finding::{self, FOLDER, FindingFile};
use lydite_lab::plan::PlanLimits;
use lydite_lab::store;
use serde_json::json;

use super::check::{observation_json, symptom_json};
use super::workbench::{Workbench, scratch};
use crate::args::ReplayArgs;
use crate::console::{Console, print};
use crate::exit_code::ExitCode;

pub(crate) fn run(args: &ReplayArgs, console: &Console) -> Result<ExitCode> {
    let folder = find(&args.finding, args.campaign.as_deref())?;
    let (file, case) = finding::load(&folder)?;
    let campaign = folder.parent().and_then(Path::parent);
    let resolved = campaign.and_then(|folder| Resolved::read(folder).ok());
    let (workbench, bench) = bench_of(&file, resolved.as_ref(), &args.target_files, console)?;
    let wanted = file.shows();
    let options = OptionChoice::given(&file.options_by_family, &bench.targets);
    let mut shown = 0;
    let mut last = None;
    for _ in 0..args.times {
        let examined = bench.examine_with(&case, &options);
        let same = |filed: &lydite_lab::campaign::Filed| filed.signature.to_string() == wanted;
        shown += u32::from(examined.symptoms.iter().any(same));
        last = Some(examined);
    }
    let examined = last.context("--times is at least 1")?;
    let remade = resolved.map(|resolved| {
        let original = finding::load_original(&folder, &file)?;
        remade(&resolved, &file, &original, &bench, &workbench)
    });
    if args.json {
        let object = json!({
            "id": file.finding.id,
            "times": args.times,
            "shown": shown,
            "remade": remade.as_ref().map(|remade| remade.is_ok()),
            "observations": examined.table.observations.iter().map(observation_json).collect::<Vec<_>>(),
            "symptoms": examined.symptoms.iter().map(symptom_json).collect::<Vec<_>>(),
        });
        print(&object.to_string());
    } else {
        print(&format!(
            "{}: shown in {shown} of {} runs",
            file.finding.id, args.times
        ));
        match remade {
            Some(Ok(())) => print("the recipe remakes the case byte for byte"),
            Some(Err(why)) => print(&format!("the recipe does not remake the case: {why:#}")),
            None => {}
        }
    }
    Ok(ExitCode::found(shown > 0))
}

/// What runs and judges a finding's case, as it was when it was found.
pub(super) fn bench_of(
    file: &FindingFile,
    resolved: Option<&Resolved>,
    target_files: &[PathBuf],
    console: &Console,
) -> Result<(Workbench, Bench)> {
    let mut workbench = Workbench::open(target_files)?;
    for path in resolved
        .iter()
        .flat_map(|resolved| &resolved.plan.target_files)
    {
        workbench.catalogue.add_path(path)?;
    }
    let named = |reference: bool| -> Vec<TargetName> {
        let chosen = file
            .targets
            .iter()
            .filter(|target| target.reference == reference);
        chosen.map(|target| target.name.clone()).collect()
    };
    let targets = workbench.installed(&named(false), &named(true), console)?;
    let language = workbench.language(&targets, None)?;
    let limits = PlanLimits {
        timeout: file.timeout,
        memory: file.memory,
        ..PlanLimits::default()
    };
    let oracles = file
        .oracles
        .iter()
        .map(|name| workbench.registry.oracle(name))
        .collect::<Result<_>>()?;
    let bench = Bench {
        language,
        targets,
        oracles,
        limits: run_limits(&limits),
        confirm: 0,
        scratch: scratch()?,
    };
    Ok((workbench, bench))
}

/// Whether plan and index give the very same programs again.
fn remade(
    resolved: &Resolved,
    file: &FindingFile,
    case: &Case,
    bench: &Bench,
    workbench: &Workbench,
) -> Result<()> {
    let (source, _) = Source::open(&resolved.plan, &bench.language, &workbench.registry)?;
    let (_, again) = source.case(file.recipe.index);
    let again = bench.prepared(again?);
    let texts = |case: &Case| -> Vec<Vec<u8>> {
        let files = case.programs.iter().flat_map(|program| &program.files);
        files.map(|file| file.text.to_vec()).collect()
    };
    if texts(&again) != texts(case) {
        bail!("the programs differ");
    }
    Ok(())
}

/// The folders of all findings that are named; a campaign's folder names all
/// of its.
pub(super) fn all_named(what: &[PathBuf], campaign: Option<&Path>) -> Result<Vec<PathBuf>> {
    let mut folders = Vec::new();
    for what in what {
        if what.join(store::FILE_NAME).is_file() {
            let findings = finding::list(what)?;
            let place = |id: &str| what.join(FOLDER).join(id);
            folders.extend(findings.iter().map(|finding| place(&finding.id)));
        } else {
            folders.push(find(what, campaign)?);
        }
    }
    Ok(folders)
}

/// A folder, or an id within a campaign's folder.
pub(super) fn find(finding: &Path, campaign: Option<&Path>) -> Result<PathBuf> {
    if let Some(campaign) = campaign {
        return Ok(campaign.join(FOLDER).join(finding));
    }
    if finding.is_dir() {
        return Ok(std::path::absolute(finding)?);
    }
    let Ok(campaigns) = std::fs::read_dir("lydite-out") else {
        bail!("finding {}: no such folder", finding.display());
    };
    let places = campaigns.filter_map(|entry| {
        let place = entry.ok()?.path().join(FOLDER).join(finding);
        place.is_dir().then_some(place)
    });
    let places: Vec<PathBuf> = places.collect();
    match places.as_slice() {
        [place] => Ok(std::path::absolute(place)?),
        [] => bail!(
            "finding {}: neither a folder nor the id of one in lydite-out/*/findings (say --in DIR)",
            finding.display()
        ),
        _ => bail!(
            "finding {}: in several campaigns; say --in DIR",
            finding.display()
        ),
    }
}
