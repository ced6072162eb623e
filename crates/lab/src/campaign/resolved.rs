//! The plan with everything that it leaves open filled in: concrete target
//! versions, hashes of seeds. It is written into the campaign's folder, and
//! what decides the results is hashed into the campaign's identity.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use anyhow::{Context, Result, bail};
use lydite_core::{Role, TargetName};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::run_limits;
use super::source::{Recipe, Source};
use crate::atomic::write_file;
use crate::fault::Fault;
use crate::plan::{Mode, Plan, StrategyPlan};
use crate::store::SeedRecord;
use crate::target::{AllowedOption, Description, Reproduction, RunLimits, Target};

/// The file's name in a campaign's folder.
const FILE_NAME: &str = "plan.json";

/// The number of this format.
const FORMAT: u32 = 1;

/// A resolved plan.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Resolved {
    /// The number of the format.
    pub format: u32,
    /// The version of lydite that wrote it.
    pub tool: String,
    /// A hash over all that decides the results.
    pub id: String,
    /// What is hashed.
    pub identity: Value,
    /// The plan, with absolute paths.
    pub plan: Plan,
    /// The language of the programs.
    pub language: String,
    /// Drawn or counted.
    pub mode: Mode,
    /// The targets, in the order of their numbers.
    pub targets: Vec<TargetRecord>,
}

/// One target of a campaign: enough to say what it was and to run it again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TargetRecord {
    /// Its name.
    pub name: TargetName,
    /// True if it is there to be compared with.
    pub reference: bool,
    /// Source, version, command, hash.
    pub description: Description,
    /// What a script needs to run it.
    pub reproduction: Reproduction,
}

impl TargetRecord {
    /// Whether it is tested or compared with.
    pub fn role(&self) -> Role {
        match self.reference {
            true => Role::Reference,
            false => Role::Tested,
        }
    }

    fn new((target, role): &(Target, Role), limits: &RunLimits) -> Result<TargetRecord> {
        Ok(TargetRecord {
            name: target.name.clone(),
            reference: *role == Role::Reference,
            description: target.describe(limits)?,
            reproduction: target.reproduction(limits),
        })
    }
}

impl Resolved {
    /// Resolves `plan` over its opened source and targets.
    pub fn new(
        plan: &Plan,
        language: &str,
        source: &Source,
        targets: &[(Target, Role)],
    ) -> Result<Resolved> {
        let names: Vec<String> = targets
            .iter()
            .map(|(target, _)| target.name.to_string())
            .collect();
        let mut identity = identity(plan, language, source, &names);
        if plan.options > 0 {
            identity["options"] = json!({ "most": plan.options, "of": allowed_options(targets) });
        }
        let limits = run_limits(&plan.limits);
        let records: Result<Vec<TargetRecord>> = targets
            .iter()
            .map(|target| TargetRecord::new(target, &limits))
            .collect();
        Ok(Resolved {
            format: FORMAT,
            tool: env!("CARGO_PKG_VERSION").to_string(),
            id: id_of(&identity),
            identity,
            plan: plan.clone(),
            language: language.to_string(),
            mode: source.mode(),
            targets: records?,
        })
    }

    /// Writes it into the campaign's folder, and copies of the files that
    /// settings name.
    pub fn write(&self, folder: &Path) -> Result<()> {
        for strategy in &self.plan.strategies {
            strategy.files.keep(folder).context(Fault::CannotWrite)?;
        }
        let text = serde_json::to_string_pretty(self).context("plan")?;
        write_file(&folder.join(FILE_NAME), text.as_bytes()).context(Fault::CannotWrite)
    }

    /// Reads it from a campaign's folder.
    pub fn read(folder: &Path) -> Result<Resolved> {
        let path = folder.join(FILE_NAME);
        let text = std::fs::read_to_string(&path).with_context(|| {
            format!(
                "{}: no campaign here ({FILE_NAME} cannot be read)",
                folder.display()
            )
        })?;
        let mut resolved: Resolved = serde_json::from_str(&text)
            .with_context(|| format!("{}: not a plan of this format", path.display()))?;
        if resolved.format != FORMAT {
            bail!(
                "{}: format {} is not {FORMAT}",
                path.display(),
                resolved.format
            );
        }
        for strategy in &mut resolved.plan.strategies {
            let recalled = strategy.files.recall(folder);
            recalled.with_context(|| path.display().to_string())?;
        }
        Ok(resolved)
    }

    /// How case `index` of strategy number `strategy`, made from these seeds,
    /// is remade.
    pub fn recipe(&self, strategy: u64, index: u64, seeds: &[SeedRecord]) -> Recipe {
        let strategy = self.plan.strategies.get(strategy as usize);
        Recipe {
            strategy: strategy
                .map(|strategy| strategy.name.clone())
                .unwrap_or_default(),
            mode: self.mode,
            seed: self.plan.seed,
            index,
            seeds: seeds.to_vec(),
        }
    }

    /// An error if the identity is not that of the plan over its opened
    /// source, or the id is not that of the identity: somebody changed it.
    pub fn check(&self, source: &Source) -> Result<()> {
        if id_of(&self.identity) != self.id {
            bail!("{FILE_NAME}: its id is not the hash of its identity");
        }
        let names: Vec<String> = self
            .targets
            .iter()
            .map(|target| target.name.to_string())
            .collect();
        let mut recomputed = identity(&self.plan, &self.language, source, &names);
        // The options that families allow are known to those who have them.
        if let Some(options) = self.identity.get("options") {
            recomputed["options"] = options.clone();
        }
        let differing = differences(&self.identity, &recomputed);
        if !differing.is_empty() {
            let differing = differing.join(", ");
            bail!(
                "{FILE_NAME}: its identity differs from its plan, seeds and files in {differing}"
            );
        }
        Ok(())
    }

    /// The parts of the identity in which two campaigns differ.
    pub fn differences(&self, other: &Resolved) -> Vec<String> {
        differences(&self.identity, &other.identity)
    }
}

/// What decides the results. How many cases and how long are not part of it:
/// a campaign may be continued. Paths are not: a shard may run on another
/// machine.
fn identity(plan: &Plan, language: &str, source: &Source, targets: &[String]) -> Value {
    let spaces = source.digests().zip(source.definitions());
    let strategies: Vec<Value> = plan
        .strategies
        .iter()
        .zip(spaces)
        .map(|(strategy, (seeds, definition))| strategy_identity(strategy, seeds, definition))
        .collect();
    let mut identity = json!({
        "format": FORMAT,
        "language": language,
        "targets": targets,
        "references": plan.references.len(),
        "oracles": plan.oracles,
        "seed": plan.seed,
        "mode": source.mode(),
        "from": plan.from,
        "confirm": plan.confirm,
        "timeout": plan.limits.timeout,
        "memory": plan.limits.memory,
        "output": plan.limits.output,
        "strategies": strategies,
    });
    if plan.warm > 1 {
        identity["warm"] = json!(plan.warm);
    }
    identity
}

fn id_of(identity: &Value) -> String {
    blake3::hash(identity.to_string().as_bytes())
        .to_hex()
        .to_string()
}

fn differences(ours: &Value, theirs: &Value) -> Vec<String> {
    let (Value::Object(ours), Value::Object(theirs)) = (ours, theirs) else {
        return vec!["identity".to_string()];
    };
    let keys: BTreeSet<&String> = ours.keys().chain(theirs.keys()).collect();
    let differing = keys
        .into_iter()
        .filter(|key| ours.get(*key) != theirs.get(*key));
    differing.cloned().collect()
}

/// What a strategy of the plan is. A file that a setting names counts by its
/// content, wherever it lies.
pub(crate) fn strategy_identity(
    strategy: &StrategyPlan,
    seeds: &str,
    definition: Option<&str>,
) -> Value {
    let mut settings = json!(strategy.settings);
    for key in strategy.settings.keys() {
        if let Some(hash) = strategy.files.hash(key) {
            settings[key] = json!({ "hash": hash });
        }
    }
    let mut identity = json!({
        "name": strategy.name,
        "weight": strategy.weight,
        "settings": settings,
        "seeds": seeds,
    });
    if let Some(definition) = definition {
        identity["definition"] = json!(definition);
    }
    identity
}

/// The options that each family may be given.
fn allowed_options(targets: &[(Target, Role)]) -> BTreeMap<&str, &[AllowedOption]> {
    let families = targets.iter().map(|(target, _)| target.family());
    families
        .map(|family| (family.family.as_str(), family.option.as_slice()))
        .collect()
}
