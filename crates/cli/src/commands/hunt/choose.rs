//! Which plan is carried out, with what was typed beside it, and on which targets.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use lydite_core::TargetName;
use lydite_core::fault::{Blame, usage};
use lydite_lab::campaign::{Resolved, TargetRecord};
use lydite_lab::plan::{CorpusRecord, Plan, Spending, StrategyPlan, corpus_name};
use lydite_lab::registry::Registry;
use lydite_lab::setting_files::SettingFiles;
use lydite_store::folder::ReadFolder;
use lydite_target::install::WantedTarget;

use super::super::compare;
use super::super::toolbox::{Toolbox, written};
use crate::args::HuntArgs;
use crate::presets;

/// True if the settings that were typed are in the plan already.
pub(super) fn settings_are_taken(args: &HuntArgs) -> bool {
    let typed = !args.targets.is_empty() && args.preset.is_none();
    typed || args.candidate.is_some() && has_own_cases(args)
}

/// True if seeds or a strategy were typed.
fn has_own_cases(args: &HuntArgs) -> bool {
    !args.seeds.is_empty() || args.strategy != FILES
}

/// The strategy that is meant unless another is named.
const FILES: &str = "files";

/// A plan and where its campaign lives.
pub(super) struct Chosen {
    pub plan: Plan,
    pub folder: PathBuf,
    /// True for a plan that comes with lydite, which gets what it needs.
    pub preset: bool,
}

pub(super) fn choose_plan(args: &HuntArgs, toolbox: &Toolbox) -> Result<Chosen> {
    let named = |mut plan: Plan, preset: bool| {
        if let Some(comparison) = compare::asked(args) {
            plan = comparison.plan(plan, args.budget);
            plan.name = format!("gate-{}", comparison.candidate.family);
        }
        let folder = args.output.clone();
        let folder = folder.unwrap_or_else(|| Path::new("lydite-out").join(&plan.name));
        Ok(Chosen {
            plan,
            folder,
            preset,
        })
    };
    if let Some(path) = &args.plan {
        return named(Plan::read(path)?, false);
    }
    if settings_are_taken(args) {
        let strategy = StrategyPlan {
            name: args.strategy.clone(),
            weight: 1,
            seeds: args.seeds.clone(),
            settings: args.settings.iter().cloned().collect(),
            files: SettingFiles::default(),
        };
        let mut plan = Plan::new(args.targets.clone(), strategy);
        let mut words = vec![args.strategy.as_str()];
        words.extend(args.targets.iter().map(|target| target.family.as_str()));
        words.dedup();
        plan.name = words.join("-");
        return named(plan, false);
    }
    if let Some(folder) = &args.output
        && args.preset.is_none()
        && args.candidate.is_none()
        && ReadFolder::is_campaign(folder)
    {
        let plan = Resolved::read(&ReadFolder::campaign(folder)?)?.plan;
        let folder = folder.clone();
        return Ok(Chosen {
            plan,
            folder,
            preset: false,
        });
    }
    if !args.seeds.is_empty() && args.preset.is_none() {
        return Err(usage("--seeds needs at least one target (-t z3)"));
    }
    let name = args.preset.as_deref().unwrap_or(presets::DEFAULT);
    named(presets::plan(name, toolbox.cache.root())?, true)
}

/// The plan with what was typed beside it, and with absolute paths.
pub(super) fn with_overrides(mut plan: Plan, args: &HuntArgs) -> Result<Plan> {
    if args.preset.is_some() && !args.targets.is_empty() {
        plan.targets = args.targets.clone();
        // Its references stay, since they vouch for its programs, unless others were typed.
        if !args.references.is_empty() {
            plan.references.clear();
        }
        let targets = &plan.targets;
        plan.references.retain(|one| !targets.contains(one));
    }
    plan.references.extend(args.references.iter().cloned());
    plan.target_files
        .extend(args.target_files.paths.iter().cloned());
    if !args.oracles.is_empty() {
        plan.oracles = args.oracles.clone();
    }
    plan.cases = args.cases.or(plan.cases);
    plan.duration = args.duration.or(plan.duration);
    plan.options = args.options.unwrap_or(plan.options);
    plan.reduce = args.reduce.or(plan.reduce);
    plan.confirm.replays = args.confirm.unwrap_or(plan.confirm.replays);
    plan.warm = args.warm.unwrap_or(plan.warm);
    plan.schedule = args.schedule.unwrap_or(plan.schedule);
    if args.candidate.is_some() {
        // The same cases each time: the answers of the baseline are kept.
        plan.schedule = Spending::Fixed;
    }
    plan.seed = args.seed.unwrap_or(plan.seed);
    plan.limits.timeout = args.limits.timeout.unwrap_or(plan.limits.timeout);
    plan.limits.memory = args.limits.memory.unwrap_or(plan.limits.memory);
    if args.preset.is_some() && !args.seeds.is_empty() {
        let seeded = plan
            .strategies
            .iter_mut()
            .filter(|strategy| !strategy.seeds.is_empty());
        seeded.for_each(|strategy| strategy.seeds = args.seeds.clone());
    }
    let seeds = plan
        .strategies
        .iter_mut()
        .flat_map(|strategy| strategy.seeds.iter_mut())
        .filter(|path| corpus_name(path).is_none());
    for path in seeds.chain(plan.target_files.iter_mut()) {
        *path = std::path::absolute(&*path)
            .with_context(|| path.display().to_string())
            .or_usage()?;
    }
    plan.validate()?;
    Ok(plan)
}

/// Settings that were typed beside a plan go to every strategy that has them;
/// the files that they name are relative to the working directory.
pub(super) fn override_settings(
    plan: &mut Plan,
    settings: &[(String, String)],
    registry: &Registry,
) -> Result<()> {
    for (key, value) in settings {
        let mut taken = false;
        for strategy_plan in &mut plan.strategies {
            let strategy = registry.strategy(&strategy_plan.name)?;
            let known = strategy.settings().iter().find(|s| s.key == key);
            if let Some(setting) = known {
                let value = match setting.names_file(value) {
                    true => std::path::absolute(value)?.display().to_string(),
                    false => value.clone(),
                };
                strategy_plan.settings.insert(key.clone(), value);
                strategy_plan.files = SettingFiles::default();
                taken = true;
            }
        }
        if !taken {
            return Err(usage(format!(
                "--set {key}: no strategy of the plan has this setting"
            )));
        }
    }
    Ok(())
}

/// The corpora that the campaign in the folder was begun with, if there is one.
pub(super) fn begun_corpora(chosen: &Chosen) -> Vec<CorpusRecord> {
    let begun = ReadFolder::campaign(&chosen.folder).and_then(|folder| Resolved::read(&folder));
    begun.map_or_else(|_| Vec::new(), |begun| begun.plan.corpora)
}

/// The names that the plan's targets go by. A campaign that was begun with the
/// same names goes on with the versions that they meant then.
pub(super) fn want_targets(plan: &Plan, args: &HuntArgs, chosen: &Chosen) -> Vec<WantedTarget> {
    let begun = ReadFolder::campaign(&chosen.folder).and_then(|folder| Resolved::read(&folder));
    if let Ok(begun) = begun
        && begun.plan.targets == plan.targets
        && begun.plan.references == plan.references
    {
        let wanted = |record: TargetRecord| WantedTarget {
            role: record.role(),
            name: record.name,
            by_user: false,
        };
        return begun.targets.into_iter().map(wanted).collect();
    }
    let mut wanted = written(&plan.targets, &plan.references);
    if chosen.preset {
        let compared = args.baseline.iter().chain(&args.candidate);
        let typed = args.targets.iter().chain(&args.references).chain(compared);
        let typed: Vec<&TargetName> = typed.collect();
        for wanted in &mut wanted {
            wanted.by_user = typed.contains(&&wanted.name);
        }
    }
    wanted
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::{CommandArgs, command};
    use clap::FromArgMatches;

    fn references(words: &[&str]) -> Vec<String> {
        let typed = ["lydite", "hunt", "--preset", "c-wrong-code"];
        let matches = command().get_matches_from(typed.iter().chain(words));
        let CommandArgs::Hunt(args) =
            CommandArgs::from_arg_matches(&matches).expect("words of hunt")
        else {
            panic!("not a hunt");
        };
        // The seeds of the preset are written there.
        let cache = tempfile::tempdir().expect("a folder");
        let plan = presets::plan("c-wrong-code", cache.path()).expect("a preset");
        let plan = with_overrides(plan, &args).expect("a plan");
        plan.references.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_presets_references_vouch_for_typed_targets_too() {
        let all = references(&[]);
        assert!(all.contains(&"gcc:strict".to_string()), "{all:?}");
        assert_eq!(references(&["-t", "tcc"]), all);
        assert!(!references(&["-t", "gcc:strict"]).contains(&"gcc:strict".to_string()));
        assert_eq!(references(&["-t", "tcc", "--reference", "pcc"]), ["pcc"]);
    }
}
