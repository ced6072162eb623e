//! The plan with everything that it leaves open filled in: concrete target
//! versions, hashes of seeds. It is written into the campaign's folder, and
//! what decides the results is hashed into the campaign's identity.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use lydite_core::{Role, TargetName};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::plan::{Mode, Plan, PlanLimits, Spending, StrategyPlan};
use lydite_core::fault::{Blame, usage};
use lydite_store::FindingRow;
use lydite_store::folder::{LockedFolder, ReadFolder, RelativePath};
use lydite_store::record::{Provenance, ScheduleId, SeedRecord, TargetProvenance};
use lydite_target::{AllowedOption, Description, Reproduction, RunLimits, Target};

/// The file's name in a campaign's folder.
const FILE_NAME: &str = "plan.json";

/// The number of this format.
const FORMAT: u32 = 3;

/// The version of this lydite.
pub const LYDITE: &str = env!("CARGO_PKG_VERSION");

/// What the opened spaces of a plan add to its identity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spaces {
    /// Whether cases are drawn or counted through.
    pub mode: Mode,
    /// For each strategy a hash over its seeds, and one of what defines its
    /// space, if it has that.
    pub strategies: Vec<(String, Option<String>)>,
}

/// What remakes a case: strategy, settings and seeds are in the plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recipe {
    /// The strategy's name.
    pub strategy: String,
    /// Whether cases are drawn or counted through.
    pub mode: Mode,
    /// The campaign's seed.
    pub seed: u64,
    /// The case's number in the campaign.
    pub index: u64,
    /// The schedule that it was drawn by; without one the plan alone drew it.
    #[serde(default, skip_serializing_if = "ScheduleId::is_none")]
    pub schedule: ScheduleId,
    /// The seeds that it was made from.
    #[serde(default)]
    pub seeds: Vec<SeedRecord>,
}

/// A resolved plan.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Resolved {
    /// The number of the format.
    pub format: u32,
    /// The version of lydite that wrote it.
    pub tool: String,
    /// A hash over all that decides the results.
    pub id: String,
    /// The facts that the hash is over.
    pub identity: Value,
    /// The plan, with absolute paths.
    pub plan: Plan,
    /// The language of the programs.
    pub language: String,
    /// Whether cases are drawn or counted through.
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
    /// Where it came from, how it is run, and the hash of its binary.
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
    /// Resolves `plan` over its opened spaces and targets.
    pub fn new(
        plan: &Plan,
        language: &str,
        spaces: &Spaces,
        targets: &[(Target, Role)],
    ) -> Result<Resolved> {
        let limits = run_limits(&plan.limits);
        let records: Result<Vec<TargetRecord>> = targets
            .iter()
            .map(|target| TargetRecord::new(target, &limits))
            .collect();
        let records = records?;
        let mut identity = identity(plan, language, spaces, LYDITE, &records);
        if plan.options > 0 {
            identity["options"] = json!({ "most": plan.options, "of": allowed_options(targets) });
        }
        Ok(Resolved {
            format: FORMAT,
            tool: LYDITE.to_string(),
            id: id_of(&identity),
            identity,
            plan: plan.clone(),
            language: language.to_string(),
            mode: spaces.mode,
            targets: records,
        })
    }

    /// Writes it into the campaign's folder, and copies of the files that
    /// settings name.
    pub fn write(&self, folder: &LockedFolder) -> Result<()> {
        for strategy in &self.plan.strategies {
            strategy.files.keep(folder)?;
        }
        let text = serde_json::to_string_pretty(self).context("plan")?;
        folder.write(&RelativePath::new(FILE_NAME)?, text.as_bytes())?;
        Ok(())
    }

    /// Reads it from a campaign's folder.
    pub fn read(folder: &ReadFolder) -> Result<Resolved> {
        Resolved::read_file(folder).or_usage()
    }

    fn read_file(folder: &ReadFolder) -> Result<Resolved> {
        let file = RelativePath::new(FILE_NAME)?;
        let place = folder.place(&file).display().to_string();
        let text = folder.read(&file)?;
        let value: Value =
            serde_json::from_str(&text).with_context(|| format!("{place}: no plan"))?;
        if value["format"] != FORMAT {
            bail!(
                "{place}: its format {} is that of another lydite (this one has {FORMAT}); \
                 go on with that one, or begin anew in another folder with -o",
                value["format"]
            );
        }
        let mut resolved: Resolved = serde_json::from_value(value)
            .with_context(|| format!("{place}: not a plan of this format"))?;
        for strategy in &mut resolved.plan.strategies {
            let recalled = strategy.files.recall(folder.path());
            recalled.with_context(|| place.clone())?;
        }
        Ok(resolved)
    }

    /// True if schedules say where its time goes.
    pub fn learns(&self) -> bool {
        learns(&self.plan, self.mode)
    }

    /// What a process that works on the campaign works with.
    pub fn provenance(&self) -> Provenance {
        let target = |target: &TargetRecord| TargetProvenance {
            name: target.name.clone(),
            binary: target.description.blake3.clone(),
            definition: target.description.definition.clone(),
        };
        Provenance {
            lydite: self.tool.clone(),
            targets: self.targets.iter().map(target).collect(),
        }
    }

    /// An error if `other`, the campaign in the folder, is not this one.
    pub fn refuse_other(&self, other: &Resolved, folder: &ReadFolder) -> Result<()> {
        let differing = differences(&self.identity, &other.identity);
        if differing.is_empty() {
            return Ok(());
        }
        let place = folder.path().display();
        let (ours, theirs) = (self.provenance(), other.provenance());
        let changed: Vec<String> = (ours.targets.iter().zip(&theirs.targets))
            .filter(|(now, then)| now.name == then.name)
            .filter_map(
                |(now, then)| match (now.binary == then.binary, now == then) {
                    (false, _) => Some(format!("{} is another binary", now.name)),
                    (true, false) => {
                        Some(format!("{} has another target file or driver", now.name))
                    }
                    (true, true) => None,
                },
            )
            .collect();
        if let Some(first) = changed.first() {
            return Err(usage(format!(
                "{place}: {first} than the one that this campaign began with; \
                 choose another folder with -o"
            )));
        }
        if ours.lydite != theirs.lydite {
            return Err(usage(format!(
                "{place}: lydite {} began this campaign, and this is {}; go on with that one, or \
                 choose another folder with -o",
                theirs.lydite, ours.lydite
            )));
        }
        Err(usage(format!(
            "{place}: another campaign is here (it differs in: {}); choose another folder with -o",
            differing.join(", ")
        )))
    }

    /// How the case of a finding, made from these seeds, is remade.
    pub fn recipe(&self, row: &FindingRow, seeds: &[SeedRecord]) -> Recipe {
        let strategy = self.plan.strategies.get(row.strategy as usize);
        Recipe {
            strategy: strategy
                .map(|strategy| strategy.name.clone())
                .unwrap_or_default(),
            mode: self.mode,
            seed: self.plan.seed,
            index: row.index,
            schedule: row.schedule,
            seeds: seeds.to_vec(),
        }
    }

    /// An error if the identity is not that of the plan over its opened
    /// source, or the id is not that of the identity: somebody changed it.
    pub fn check(&self, spaces: &Spaces) -> Result<()> {
        if id_of(&self.identity) != self.id {
            bail!("{FILE_NAME}: its id is not the hash of its identity");
        }
        let mut recomputed = identity(
            &self.plan, &self.language, spaces, &self.tool, &self.targets,
        );
        // The options that families allow are known to those who have them.
        if let Some(options) = self.identity.get("options") {
            recomputed["options"] = options.clone();
        }
        let differing = differences(&self.identity, &recomputed);
        if !differing.is_empty() {
            let differing = differing.join(", ");
            bail!(
                "{FILE_NAME}: its identity differs from its plan, seeds, targets and files in \
                 {differing}"
            );
        }
        Ok(())
    }
}

/// What decides the results. How many cases and how long are not part of it:
/// a campaign may be continued. Paths are not: a shard may run on another
/// machine.
fn identity(
    plan: &Plan,
    language: &str,
    spaces: &Spaces,
    lydite: &str,
    targets: &[TargetRecord],
) -> Value {
    let strategies: Vec<Value> = plan
        .strategies
        .iter()
        .zip(&spaces.strategies)
        .map(|(strategy, (seeds, definition))| {
            strategy_identity(strategy, seeds, definition.as_deref())
        })
        .collect();
    let by_name = |fact: &dyn Fn(&TargetRecord) -> String| -> Vec<(String, String)> {
        let facts = targets.iter();
        facts
            .map(|target| (target.name.to_string(), fact(target)))
            .collect()
    };
    let names: Vec<String> = targets
        .iter()
        .map(|target| target.name.to_string())
        .collect();
    let mut identity = json!({
        "format": FORMAT,
        "lydite": lydite,
        "language": language,
        "targets": names,
        "binaries": by_name(&|target| target.description.blake3.clone()),
        "definitions": by_name(&|target| target.description.definition.clone()),
        "references": plan.references.len(),
        "oracles": plan.oracles,
        "seed": plan.seed,
        "mode": spaces.mode,
        "from": plan.from,
        "confirm": plan.confirm,
        "timeout": plan.limits.timeout,
        "memory": plan.limits.memory,
        "output": plan.limits.output,
        "file-size": plan.limits.file_size,
        "strategies": strategies,
    });
    if learns(plan, spaces.mode) {
        identity["schedule"] = json!({
            "long-share": plan.long_share,
            "cut-share": plan.cut_share,
        });
    }
    if plan.warm > 1 {
        identity["warm"] = json!(plan.warm);
    }
    identity
}

/// True if schedules say where the time goes: what is counted through has none.
pub(crate) fn learns(plan: &Plan, mode: Mode) -> bool {
    plan.schedule == Spending::Learn && mode == Mode::Sample
}

/// The limits of a run, as the targets take them.
pub fn run_limits(limits: &PlanLimits) -> RunLimits {
    let wall = limits.timeout.0;
    RunLimits {
        wall,
        // A process that burns all cores ends before the wall does.
        cpu: wall.saturating_mul(4).max(Duration::from_secs(1)),
        memory_bytes: Some(limits.memory.0),
        file_bytes: limits.file_size.0,
        keep_head: usize::try_from(limits.output.0).unwrap_or(usize::MAX),
        ..RunLimits::default()
    }
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
pub fn strategy_identity(strategy: &StrategyPlan, seeds: &str, definition: Option<&str>) -> Value {
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
