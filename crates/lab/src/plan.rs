//! The plan of a campaign: what the user wrote, with defaults filled in.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use lydite_core::TargetName;
use serde::{Deserialize, Deserializer, Serialize};

use crate::lacks;
use crate::named_file::open_file;
use crate::registry::Registry;
use crate::seeds::SeedLimits;
use crate::setting_files::SettingFiles;
use lydite_core::quantity::{Size, Span};
use lydite_target::{Target, toml_file};

/// A plan file. Every key is documented in `docs/plans.md`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Plan {
    /// What the campaign is called in reports.
    #[serde(default)]
    pub name: String,
    /// The language of the programs; by default that of the targets.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// The targets under test.
    pub targets: Vec<TargetName>,
    /// The targets that others are compared with; they are not themselves accused of being slow.
    #[serde(default)]
    pub references: Vec<TargetName>,
    /// Further target files.
    #[serde(default)]
    pub target_files: Vec<PathBuf>,
    /// The oracles that judge.
    #[serde(default = "default_oracles")]
    pub oracles: Vec<String>,
    /// The seed of every random stream.
    #[serde(default)]
    pub seed: u64,
    /// How many cases to run; by default all of a countable space, and otherwise no limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cases: Option<u64>,
    /// How long to run; by default until the cases are done.
    #[serde(default, rename = "for", skip_serializing_if = "Option::is_none")]
    pub duration: Option<Span>,
    /// Whether cases are drawn or counted through.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mode: Option<Mode>,
    /// Where counting starts, a number of any length.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// How a symptom is confirmed before it is filed.
    #[serde(default)]
    pub confirm: Confirm,
    /// How many options of the target's allow-list a case may have at once.
    #[serde(default)]
    pub options: u32,
    /// How long each finding is reduced at the end; not at all without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reduce: Option<Span>,
    /// How many cases go to a process at once, where a target can do that; 1 for a
    /// fresh process each, 0 for what a learning schedule finds cheaper.
    #[serde(default)]
    pub warm: u32,
    /// Whether the campaign learns where to spend its time, or follows fixed weights.
    #[serde(default)]
    pub schedule: Spending,
    /// With a learning schedule: the share of the CPU time that goes to cases
    /// with the limit of `limits.timeout`, in percent.
    #[serde(default = "default_long_share")]
    pub long_share: u64,
    /// With a learning schedule: the share of the CPU time that may go to runs that
    /// are cut off, those of `long-share` included, in percent.
    #[serde(default = "default_cut_share")]
    pub cut_share: u64,
    /// What one run may use.
    #[serde(default)]
    pub limits: PlanLimits,
    /// Where cases come from; several are mixed by weight.
    #[serde(rename = "strategy")]
    pub strategies: Vec<StrategyPlan>,
    /// The corpora that seeds come from, once they are found; not for plan files.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub corpora: Vec<CorpusRecord>,
    /// What the files that settings name are relative to.
    #[serde(skip)]
    pub folder: PathBuf,
}

/// A corpus that seeds of a campaign come from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct CorpusRecord {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
    /// The package that it is in.
    pub package: String,
    /// Its licence.
    pub licence: String,
    /// Hash over the names and contents of its seeds.
    pub blake3: String,
}

/// What a corpus is named by among seeds: `corpus:NAME` or `corpus:NAME@VERSION`.
pub const CORPUS: &str = "corpus:";

/// The name (and version) of the corpus that a path among seeds means.
pub fn corpus_name(path: &Path) -> Option<&str> {
    path.to_str()?.strip_prefix(CORPUS)
}

/// Whether cases are drawn at random or counted through.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mode {
    /// Case *i* is drawn with the random stream number *i*.
    Sample,
    /// Case *i* is number `from` + *i* of a countable space.
    Enumerate,
}

/// Whether a campaign learns where to spend its time, or follows fixed weights.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Spending {
    /// What was measured, from round to round.
    #[default]
    Learn,
    /// The plan: every case as likely as the next, and the same limits for all.
    Fixed,
}

impl Spending {
    /// The value of that name.
    pub fn from_name(name: &str) -> Option<Spending> {
        match name {
            "learn" => Some(Spending::Learn),
            "fixed" => Some(Spending::Fixed),
            _ => None,
        }
    }
}

/// How a symptom is confirmed: `[confirm]`, or `confirm = 3` for short.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Confirm {
    /// How many further cold runs there are.
    pub replays: u32,
}

impl Default for Confirm {
    fn default() -> Confirm {
        Confirm { replays: 3 }
    }
}

impl<'a> Deserialize<'a> for Confirm {
    fn deserialize<D: Deserializer<'a>>(from: D) -> Result<Confirm, D::Error> {
        struct ConfirmForm;
        impl<'a> serde::de::Visitor<'a> for ConfirmForm {
            type Value = Confirm;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a number of replays, or a table with `replays`")
            }

            fn visit_u64<E: serde::de::Error>(self, replays: u64) -> Result<Confirm, E> {
                let replays = u32::try_from(replays).map_err(E::custom)?;
                Ok(Confirm { replays })
            }

            fn visit_i64<E: serde::de::Error>(self, replays: i64) -> Result<Confirm, E> {
                self.visit_u64(u64::try_from(replays).map_err(E::custom)?)
            }

            fn visit_map<A: serde::de::MapAccess<'a>>(self, map: A) -> Result<Confirm, A::Error> {
                #[derive(Deserialize)]
                #[serde(deny_unknown_fields)]
                struct ConfirmTable {
                    replays: u32,
                }
                let table = serde::de::value::MapAccessDeserializer::new(map);
                let ConfirmTable { replays } = ConfirmTable::deserialize(table)?;
                Ok(Confirm { replays })
            }
        }
        from.deserialize_any(ConfirmForm)
    }
}

/// What one run may use.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct PlanLimits {
    /// Wall time of one run of one target.
    pub timeout: Span,
    /// The memory limit of one run.
    pub memory: Size,
    /// How much of each output stream is kept.
    pub output: Size,
    /// The largest file that a run may write.
    pub file_size: Size,
    /// A larger seed is left out.
    pub seed_size: Size,
    /// How much the seeds of a strategy may have together; of more, a part is taken.
    pub seeds_total: Size,
}

/// One strategy of a plan.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct StrategyPlan {
    /// Its name.
    pub name: String,
    /// How often it is taken beside the others.
    #[serde(default = "default_weight")]
    pub weight: u64,
    /// The files and folders of its seeds.
    #[serde(default)]
    pub seeds: Vec<PathBuf>,
    /// Its settings.
    #[serde(default, rename = "set", deserialize_with = "values_as_text")]
    pub settings: BTreeMap<String, String>,
    /// The files that they name, once they are read; not for plan files.
    #[serde(default, skip_serializing_if = "SettingFiles::is_empty")]
    pub files: SettingFiles,
}

/// Keys that many would write at the top of a plan, and the tables that have them.
const PLACES: [(&str, &[&str]); 2] = [
    ("[[strategy]]", &["seeds", "weight", "set"]),
    (
        "[limits]",
        &[
            "timeout", "memory", "output", "file-size", "seed-size", "seeds-total",
        ],
    ),
];

/// The first key at the top of a plan that belongs to one of its tables: its line, the key,
/// the table.
fn misplaced(text: &str) -> Option<(usize, &'static str, &'static str)> {
    let top = toml::from_str::<toml::Table>(text).ok()?;
    let keys = PLACES
        .iter()
        .flat_map(|(place, keys)| keys.iter().map(move |key| (*key, *place)));
    let found = keys.filter(|(key, _)| top.contains_key(*key));
    let placed = found.filter_map(|(key, place)| {
        let line = text
            .lines()
            .position(|line| line.trim_start().starts_with(key))?;
        Some((line + 1, key, place))
    });
    placed.min()
}

/// The setting of strategies that says which constructs a target has not got.
const LACKS: &str = "lacks";

fn default_oracles() -> Vec<String> {
    ["crash", "answer", "differential", "hang"]
        .map(str::to_string)
        .to_vec()
}

/// More programs in one process would share too little time.
const MOST_WARM: u32 = 1000;

/// In percent.
fn default_long_share() -> u64 {
    10
}

/// In percent.
fn default_cut_share() -> u64 {
    15
}

fn default_weight() -> u64 {
    1
}

impl PlanLimits {
    /// How much may be read of seeds, in a plan with this seed.
    pub fn of_seeds(&self, seed: u64) -> SeedLimits {
        SeedLimits {
            file: self.seed_size,
            total: self.seeds_total,
            seed,
        }
    }
}

impl Default for PlanLimits {
    fn default() -> PlanLimits {
        PlanLimits {
            timeout: Span(Duration::from_secs(8)),
            memory: Size(2 << 30),
            output: Size(1 << 20),
            file_size: Size(256 << 20),
            seed_size: Size(16 << 20),
            seeds_total: Size(256 << 20),
        }
    }
}

/// `rounds = 3` and `rounds = "3"` are the same setting.
fn values_as_text<'a, D: Deserializer<'a>>(from: D) -> Result<BTreeMap<String, String>, D::Error> {
    let values = BTreeMap::<String, toml::Value>::deserialize(from)?;
    let text = |value| match value {
        toml::Value::String(text) => text,
        other => other.to_string(),
    };
    Ok(values
        .into_iter()
        .map(|(key, value)| (key, text(value)))
        .collect())
}

impl Plan {
    /// A plan with nothing but these targets and one strategy.
    pub fn new(targets: Vec<TargetName>, strategy: StrategyPlan) -> Plan {
        Plan {
            name: String::new(),
            language: None,
            targets,
            references: Vec::new(),
            target_files: Vec::new(),
            oracles: default_oracles(),
            seed: 0,
            cases: None,
            duration: None,
            mode: None,
            from: None,
            confirm: Confirm::default(),
            options: 0,
            reduce: None,
            warm: 0,
            schedule: Spending::default(),
            long_share: default_long_share(),
            cut_share: default_cut_share(),
            limits: PlanLimits::default(),
            strategies: vec![strategy],
            corpora: Vec::new(),
            folder: PathBuf::new(),
        }
    }

    /// Makes no programs with constructs that a target has not got: strategies
    /// that have a setting for that are told what `targets` lack, or what those of them
    /// lack that the plan names, unless the plan says it itself.
    pub fn follow_targets<'a>(
        &mut self,
        targets: impl IntoIterator<Item = &'a Target>,
        registry: &Registry,
    ) -> Result<()> {
        let targets: Vec<&Target> = targets.into_iter().collect();
        for plan in &mut self.strategies {
            let settings = registry.strategy(&plan.name)?.settings();
            if settings.iter().any(|setting| setting.key == LACKS) {
                let own = plan.settings.get(LACKS).map(String::as_str);
                if let Some(lacks) = lacks::settle(own, &targets) {
                    plan.settings.insert(LACKS.to_string(), lacks);
                }
            }
        }
        Ok(())
    }

    /// Reads the files that settings name, unless that was done before: a
    /// campaign goes on with what they held when it began.
    pub fn read_files(&mut self, registry: &Registry) -> Result<()> {
        for plan in &mut self.strategies {
            if plan.files.is_empty() {
                let strategy = registry.strategy(&plan.name)?;
                let files = SettingFiles::read(strategy.as_ref(), &plan.settings, &self.folder);
                plan.files = files.with_context(|| format!("strategy {}", plan.name))?;
            }
        }
        Ok(())
    }

    /// Reads a plan file; its relative paths are relative to its folder.
    pub fn read(path: &Path) -> Result<Plan> {
        let mut text = String::new();
        open_file(path)
            .and_then(|mut file| Ok(file.read_to_string(&mut text)?))
            .with_context(|| format!("plan {}: cannot be read", path.display()))?;
        let folder = path.parent().unwrap_or(Path::new(""));
        Plan::parse(&text, &path.display().to_string(), folder)
    }

    /// Reads the text of a plan; `origin` is named in errors.
    pub fn parse(text: &str, origin: &str, folder: &Path) -> Result<Plan> {
        if let Some((line, key, place)) = misplaced(text) {
            bail!(
                "{origin}: line {line}: `{key}` belongs below a line `{place}`, not to the plan as a whole"
            );
        }
        let mut plan: Plan = toml_file::parse(text, origin)?;
        let relative = plan.target_files.iter_mut();
        let seeds = plan.strategies.iter_mut().flat_map(|s| s.seeds.iter_mut());
        let seeds = seeds.filter(|path| corpus_name(path).is_none());
        for path in relative.chain(seeds) {
            *path = folder.join(&*path);
        }
        if !plan.corpora.is_empty() {
            bail!("plan {origin}: `corpora` is lydite's own; name corpora in `seeds`");
        }
        plan.folder = folder.to_path_buf();
        if plan.strategies.iter().any(|plan| !plan.files.is_empty()) {
            bail!("plan {origin}: strategy.files is lydite's own; name files in `set`");
        }
        if plan.name.is_empty() {
            let stem = Path::new(origin).file_stem().unwrap_or_default();
            plan.name = stem.to_string_lossy().into_owned();
        }
        plan.validate().with_context(|| format!("plan {origin}"))?;
        Ok(plan)
    }

    /// Checks what the types of the keys cannot say.
    pub fn validate(&self) -> Result<()> {
        if self.targets.is_empty() {
            bail!("targets: at least one is needed");
        }
        if self.strategies.is_empty() {
            bail!("strategy: at least one [[strategy]] is needed");
        }
        if self.oracles.is_empty() {
            bail!("oracles: at least one is needed");
        }
        if self.strategies.iter().all(|strategy| strategy.weight == 0) {
            bail!("strategy: every weight is 0");
        }
        if self.mode == Some(Mode::Enumerate) && self.strategies.len() > 1 {
            bail!(
                "mode = \"enumerate\" takes one strategy, not {}",
                self.strategies.len()
            );
        }
        if self.options > 0 && self.confirm.replays == 0 {
            bail!("options: need confirm.replays = 1 or more, to tell which of them matter");
        }
        if self.warm > MOST_WARM {
            bail!("warm: at most {MOST_WARM}");
        }
        if self.warm > 1 && self.confirm.replays == 0 {
            bail!("warm: needs confirm = 1 or more, since a warm answer is only a suspicion");
        }
        if self.warm > 1 && self.oracles.iter().any(|oracle| oracle == "slow") {
            bail!("warm: not with oracle slow, since the programs of a batch share its time");
        }
        if self.long_share > 100 {
            bail!("long-share: a share in percent, at most 100");
        }
        if !(1..=100).contains(&self.cut_share) {
            bail!("cut-share: a share in percent, from 1 to 100");
        }
        if self.limits.timeout.0.is_zero() {
            bail!("limits.timeout: must be more than 0");
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Plan, String> {
        Plan::parse(text, "hunt.toml", Path::new("dir")).map_err(|error| format!("{error:#}"))
    }

    const SMALL: &str =
        "targets = [\"z3@4.8.7\"]\n[[strategy]]\nname = \"files\"\nseeds = [\"a\"]\n";

    #[test]
    fn a_small_plan_gets_its_defaults() {
        let plan = parse(SMALL).unwrap();
        assert_eq!(plan.name, "hunt");
        assert_eq!(plan.oracles, ["crash", "answer", "differential", "hang"]);
        assert_eq!(plan.limits.timeout.to_string(), "8s");
        assert_eq!(plan.strategies[0].seeds, [Path::new("dir/a")]);
        assert_eq!(plan.strategies[0].weight, 1);
    }

    #[test]
    fn replays_are_a_number_or_a_table() {
        for (text, expected) in [
            ("", Ok(3)),
            ("confirm = 5\n", Ok(5)),
            ("confirm = { replays = 0 }\n", Ok(0)),
            ("confirm = { replay = 2 }\n", Err("did you mean `replays`")),
            ("confirm = -1\n", Err("line 1")),
            ("confirm = \"x\"\n", Err("a number of replays")),
        ] {
            match (parse(&format!("{text}{SMALL}")), expected) {
                (Ok(plan), Ok(replays)) => assert_eq!(plan.confirm.replays, replays),
                (Err(error), Err(part)) => assert!(error.contains(part), "{error}"),
                (other, _) => panic!("{text}: {other:?}"),
            }
        }
    }

    #[test]
    fn settings_may_be_numbers_and_booleans() {
        let plan = parse(&format!(
            "{SMALL}set = {{ rounds = 3, claims = true, bank = \"x\" }}\n"
        ));
        let settings = &plan.unwrap().strategies[0].settings;
        assert_eq!(settings["rounds"], "3");
        assert_eq!(settings["claims"], "true");
        assert_eq!(settings["bank"], "x");
    }

    #[test]
    fn errors_point_at_the_line_and_the_nearest_key() {
        for (text, parts) in [
            (
                format!("tragets = []\n{SMALL}"),
                vec!["hunt.toml", "line 1", "did you mean `targets`"],
            ),
            (
                format!("{SMALL}sedes = []\n"),
                vec!["line 5", "did you mean `seeds`"],
            ),
            (
                format!("timeout = \"8s\"\nseeds = [\"a\"]\n{SMALL}"),
                vec!["hunt.toml: line 1: `timeout` belongs below a line `[limits]`"],
            ),
            (
                format!("seeds = [\"a\"]\n{SMALL}"),
                vec!["hunt.toml: line 1: `seeds` belongs below a line `[[strategy]]`"],
            ),
            (
                format!("{SMALL}[limits]\ntimeout = \"8\"\n"),
                vec!["line 6", "such as 8s"],
            ),
            ("targets = [\n".to_string(), vec!["hunt.toml", "line 1"]),
            (
                "targets = [\"a b\"]\nstrategy = []".to_string(),
                vec!["line 1", "family[@version]"],
            ),
            (
                "targets = []\nstrategy = []".to_string(),
                vec!["targets: at least one"],
            ),
            (
                "targets = [\"z3\"]".to_string(),
                vec!["missing field `strategy`"],
            ),
        ] {
            let error = parse(&text).unwrap_err();
            for part in parts {
                assert!(error.contains(part), "{part} is not in: {error}");
            }
        }
    }

    #[test]
    fn a_plan_survives_its_own_serialisation() {
        let mut plan = parse(SMALL).unwrap();
        // Once the files are read, where they were does not matter.
        plan.folder = PathBuf::new();
        let json = serde_json::to_string(&plan).unwrap();
        assert_eq!(serde_json::from_str::<Plan>(&json).unwrap(), plan);
    }
}
