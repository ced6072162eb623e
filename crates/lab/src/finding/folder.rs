//! The folder of a finding: readable, runnable, ready to be attached to a
//! bug report. Derived from the store, and made again whenever it is missing.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Component, Path, PathBuf};

use anyhow::{Context, Result, bail};
use lydite_core::{Case, Claim, Program, SourceFile, TargetName};
use serde::{Deserialize, Serialize};

use super::seed_diff::{SEED_DIFF, SeedDiff};
use super::{FOLDER, Finding, script, whole};
use crate::bisect::{Seen, VersionRun};
use crate::campaign::{Recipe, Resolved, TargetRecord};
use crate::fault::Fault;
use crate::quantity::{Size, Span};
use crate::report::visible;
use crate::store::{FindingRow, Store, TriggerRecord, TriggerRun};

/// `finding.json`: the finding and all that is needed to run it again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FindingFile {
    /// The number of this format.
    pub format: u32,
    /// The finding.
    #[serde(flatten)]
    pub finding: Finding,
    /// The language of the programs.
    pub language: String,
    /// What is known of the case.
    pub claim: Claim,
    /// What was done to make it, see [`Case::steps`].
    #[serde(default)]
    pub steps: Vec<String>,
    /// How many of the programs were asked; the rest followed.
    pub asked: usize,
    /// The files of each program, relative to the folder.
    pub programs: Vec<Vec<String>>,
    /// The files of each program before the case was reduced; empty if it was
    /// not.
    #[serde(default)]
    pub original: Vec<Vec<String>>,
    /// The signature that the reduced case shows itself.
    #[serde(default)]
    pub shown: Option<String>,
    /// Which seed of the recipe the case, as it was found, differs least from.
    #[serde(default)]
    pub nearest_seed: Option<usize>,
    /// What other versions of the target show of it.
    #[serde(default)]
    pub versions: Vec<VersionRun>,
    /// What every target said.
    pub runs: Vec<TriggerRun>,
    /// Who takes part.
    pub targets: Vec<Participant>,
    /// The varied options that it needs, by family.
    #[serde(default)]
    pub options_by_family: BTreeMap<String, Vec<String>>,
    /// Those that it needed before it was reduced.
    #[serde(default)]
    pub original_options: BTreeMap<String, Vec<String>>,
    /// Who judges.
    pub oracles: Vec<String>,
    /// The wall limit of a run.
    pub timeout: Span,
    /// The memory limit of a run.
    pub memory: Size,
    /// What remakes the case, with the campaign's plan.
    pub recipe: Recipe,
}

impl FindingFile {
    /// The signature of what its case shows: that of the reduced case, or its
    /// own.
    pub fn shows(&self) -> String {
        let own = || whole(&self.finding.signature);
        self.shown.clone().unwrap_or_else(own)
    }

    /// The options that the case needed as it was found.
    pub fn options_as_found(&self) -> &BTreeMap<String, Vec<String>> {
        match self.original.is_empty() {
            true => &self.options_by_family,
            false => &self.original_options,
        }
    }

    /// The steps, one line each.
    pub fn steps_in_words(&self) -> Vec<String> {
        let line = |(number, step): (usize, &String)| match self.asked {
            1 => format!("step {}: {step}", number + 1),
            _ => format!("program {number} to program {}: {step}", number + 1),
        };
        self.steps.iter().enumerate().map(line).collect()
    }
}

/// A target that takes part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Participant {
    /// Its name.
    pub name: TargetName,
    /// True if it is there to be compared with.
    pub reference: bool,
}

/// The number of the format of `finding.json`.
const FORMAT: u32 = 1;

/// Writes the folders of a campaign's findings.
pub struct Writer<'a> {
    folder: PathBuf,
    resolved: &'a Resolved,
}

impl<'a> Writer<'a> {
    /// For the campaign in `folder`.
    pub fn new(folder: &Path, resolved: &'a Resolved) -> Writer<'a> {
        Writer {
            folder: folder.join(FOLDER),
            resolved,
        }
    }

    /// Writes the folders of these signatures; says which are new.
    pub fn write_changed(
        &self,
        store: &Store,
        signatures: &[String],
    ) -> Result<Vec<(Finding, bool)>> {
        let mut written = Vec::new();
        for signature in signatures {
            let Some(row) = store.finding(signature)? else {
                continue;
            };
            let id = Finding::of(&row, self.resolved).id;
            let new = !self.folder.join(id).is_dir();
            written.push((self.write(store, &row)?, new));
        }
        Ok(written)
    }

    /// Writes the folders that are not there.
    pub fn write_missing(&self, store: &Store) -> Result<()> {
        for row in store.findings()? {
            let id = Finding::of(&row, self.resolved).id;
            if !self.folder.join(id).join("finding.json").is_file() {
                self.write(store, &row)?;
            }
        }
        Ok(())
    }

    /// Writes all folders anew, with final counts, and removes what a killed
    /// process left half done.
    pub fn write_all(&self, store: &Store) -> Result<Vec<Finding>> {
        let mut findings = Vec::new();
        for row in store.findings()? {
            findings.push(self.write(store, &row)?);
        }
        let ids: BTreeSet<&str> = findings.iter().map(|finding| finding.id.as_str()).collect();
        if let Ok(entries) = fs::read_dir(&self.folder) {
            for entry in entries.filter_map(|entry| entry.ok()) {
                let name = entry.file_name().to_string_lossy().into_owned();
                if name.starts_with('.') && !ids.contains(name.as_str()) {
                    let _ = fs::remove_dir_all(entry.path());
                }
            }
        }
        Ok(findings)
    }

    fn write(&self, store: &Store, row: &FindingRow) -> Result<Finding> {
        let finding = Finding::of(row, self.resolved);
        let trigger = store.trigger(row.index)?.with_context(|| {
            format!(
                "finding {}: its case {} is not in the store",
                finding.id, row.index
            )
        })?;
        let reduction = match row.reduced_bytes {
            Some(_) => store.reduction(&row.symptom.signature)?,
            None => None,
        };
        let (mut finding, mut trigger) = (finding, trigger);
        let (mut original, mut shown) = (Vec::new(), None);
        let found_with = trigger.options.get(&finding.signature).cloned();
        let seed_diff = SeedDiff::of(&trigger);
        if let Some(reduction) = reduction {
            finding.evidence = reduction.evidence;
            shown = Some(reduction.shown);
            let unreduced = std::mem::replace(&mut trigger, reduction.trigger);
            original = keep_original(unreduced, &mut trigger);
        }
        let file = FindingFile {
            options_by_family: needed_options(&trigger, shown.as_deref(), &finding.signature),
            original_options: found_with.unwrap_or_default(),
            original,
            shown,
            nearest_seed: seed_diff.as_ref().map(|diff| diff.seed),
            ..self.file(finding, row, &trigger)
        };
        trigger.files.extend(seed_diff.map(SeedDiff::file));
        let place = self.folder.join(&file.finding.id);
        let fresh = self.folder.join(format!(".{}.new", file.finding.id));
        let written = (|| -> Result<()> {
            if fresh.exists() {
                fs::remove_dir_all(&fresh)?;
            }
            fs::create_dir_all(&fresh)?;
            self.fill(&fresh, &file, &trigger)?;
            if place.exists() {
                fs::remove_dir_all(&place)?;
            }
            fs::rename(&fresh, &place)?;
            Ok(())
        })();
        written
            .with_context(|| place.display().to_string())
            .context(Fault::CannotWrite)?;
        Ok(file.finding)
    }

    fn file(&self, finding: Finding, row: &FindingRow, trigger: &TriggerRecord) -> FindingFile {
        let plan = &self.resolved.plan;
        let participant = |target: &TargetRecord| Participant {
            name: target.name.clone(),
            reference: target.reference,
        };
        FindingFile {
            format: FORMAT,
            options_by_family: BTreeMap::new(),
            original_options: BTreeMap::new(),
            finding,
            language: self.resolved.language.clone(),
            claim: trigger.claim.clone(),
            steps: trigger.steps.clone(),
            asked: trigger.asked,
            programs: trigger.programs.clone(),
            original: Vec::new(),
            shown: None,
            nearest_seed: None,
            versions: row.versions.clone(),
            runs: trigger.runs.clone(),
            targets: self.resolved.targets.iter().map(participant).collect(),
            oracles: plan.oracles.clone(),
            timeout: plan.limits.timeout,
            memory: plan.limits.memory,
            recipe: self
                .resolved
                .recipe(row.strategy, row.index, &trigger.seeds),
        }
    }

    fn fill(&self, place: &Path, file: &FindingFile, trigger: &TriggerRecord) -> Result<()> {
        for content in &trigger.files {
            let path = place.join(&content.path);
            if let Some(parent) = path.parent() {
                fs::create_dir_all(parent)?;
            }
            fs::write(&path, &content.content)?;
        }
        let json = serde_json::to_string_pretty(file)?;
        fs::write(place.join("finding.json"), json + "\n")?;
        fs::write(place.join("README.md"), readme(file))?;
        let script = place.join("reproduce.sh");
        fs::write(&script, script::reproduce(file, &self.resolved.targets))?;
        let executable = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        fs::set_permissions(&script, executable)?;
        Ok(())
    }
}

/// The options that the case needs to show its signature: a reduced one may
/// show another than it was found with.
fn needed_options(
    trigger: &TriggerRecord,
    shown: Option<&str>,
    signature: &str,
) -> BTreeMap<String, Vec<String>> {
    let options = trigger.options.get(shown.unwrap_or(signature));
    options.cloned().unwrap_or_default()
}

/// Adds the programs of the unreduced case to the files of the reduced one,
/// in a folder of their own, and the seeds that both were made from.
fn keep_original(unreduced: TriggerRecord, reduced: &mut TriggerRecord) -> Vec<Vec<String>> {
    let place = |name: &String| format!("original/{name}");
    let asked = unreduced.programs.iter().take(unreduced.asked);
    let names: Vec<Vec<String>> = asked
        .map(|names| names.iter().map(place).collect())
        .collect();
    reduced.seeds = unreduced.seeds;
    for mut file in unreduced.files {
        if reduced.seeds.iter().any(|seed| seed.path == file.path) {
            reduced.files.push(file);
            continue;
        }
        file.path = place(&file.path);
        if names.iter().flatten().any(|name| *name == file.path) {
            reduced.files.push(file);
        }
    }
    names
}

/// The finding for people.
fn readme(file: &FindingFile) -> String {
    let finding = &file.finding;
    let mut text = format!(
        "# {}: {}\n\n{}\n\n",
        finding.target,
        finding.kind,
        visible(&finding.evidence)
    );
    text += &format!("- signature: `{}`\n", visible(&finding.signature));
    if let Some(issue) = &finding.known_issue {
        text += &format!("- known upstream: {}\n", visible(issue));
    }
    if let Some(mark) = &finding.mark {
        text += &format!("- {}\n", mark.in_words());
    }
    if let Some(lead) = &finding.merged_into {
        let why = finding.merged_because.as_ref();
        let why = why.map_or_else(String::new, |why| format!(": {}", visible(why)));
        text += &format!("- the same bug as {lead}{why}\n");
    }
    if !finding.merged.is_empty() {
        text += &format!("- the same bug: {}\n", finding.merged.join(", "));
    }
    text += &format!(
        "- known of the case: {}\n",
        visible(&file.claim.to_string())
    );
    text += &match finding.reduced_bytes {
        None => format!(
            "- seen in {} case(s); this is the smallest, {} bytes\n",
            finding.count, finding.bytes
        ),
        Some(reduced) => format!(
            "- seen in {} case(s); this is the smallest, reduced from {} to {reduced} bytes \
             (`original/` has it as it was found)\n",
            finding.count, finding.bytes
        ),
    };
    let replays = finding.replays;
    if replays.of > 0 {
        let flaky = match finding.nondeterministic {
            true => ": it comes and goes",
            false => "",
        };
        text += &format!(
            "- {} of {} replays show it{flaky}\n",
            replays.shown, replays.of
        );
    }
    text += &format!(
        "- made by strategy `{}`, case {} of seed {}\n",
        finding.strategy, finding.case_index, file.recipe.seed
    );
    text += &seeds(file);
    for (family, args) in &file.options_by_family {
        text += &format!("- {family} needs `{}`\n", visible(&args.join(" ")));
    }
    for step in file.steps_in_words() {
        text += &format!("- {}\n", visible(&step).replace('\n', " "));
    }
    text += &format!(
        "- limits of a run: {} and {}\n\n",
        file.timeout, file.memory
    );
    text += &versions(file);
    text += "| target | program | outcome | said |\n|---|---|---|---|\n";
    for run in &file.runs {
        let said = visible(&run.said).replace('|', "\\|").replace('\n', " ");
        let target = std::iter::once(&run.target).chain(&run.options);
        let target: Vec<&str> = target.map(String::as_str).collect();
        text += &format!(
            "| {} | {} | {} | {said} |\n",
            visible(&target.join(" ")),
            run.program,
            run.outcome
        );
    }
    text += "\nRun `./reproduce.sh` to see it again; what the targets printed is in `outputs/`.\n";
    text
}

/// What it was made from.
fn seeds(file: &FindingFile) -> String {
    let mut text = String::new();
    for (number, seed) in file.recipe.seeds.iter().enumerate() {
        let nearest = match file.nearest_seed == Some(number) {
            true => format!("; what was changed: `{SEED_DIFF}`"),
            false => String::new(),
        };
        let name = visible(&seed.name).replace('\n', " ");
        text += &format!(
            "- from seed `{name}` (`{}`){nearest}\n",
            visible(&seed.path)
        );
    }
    text
}

/// Since when, until when, and what each version said.
fn versions(file: &FindingFile) -> String {
    let finding = &file.finding;
    let Some(since) = &finding.since else {
        return String::new();
    };
    let fixed = match &finding.fixed_in {
        Some(version) => format!("fixed in {version}"),
        None => "in every later version that was tried".to_string(),
    };
    let mut text =
        format!("Since {since}; {fixed}.\n\n| version | shows it | said |\n|---|---|---|\n");
    for run in &file.versions {
        let seen = match run.seen {
            Seen::Bad => "yes",
            Seen::Good => "no",
            Seen::Unclear => "-",
        };
        let said = visible(&run.said).replace('|', "\\|").replace('\n', " ");
        text += &format!("| {} | {seen} | {said} |\n", run.version);
    }
    text + "\n"
}

/// True for a path that stays below the finding's folder: a finding may come
/// from anybody.
pub(crate) fn is_below(path: &str) -> bool {
    let plain = |part: Component<'_>| matches!(part, Component::Normal(_));
    Path::new(path).components().all(plain)
}

/// Reads a finding's folder: the description and the case.
pub fn load(folder: &Path) -> Result<(FindingFile, Case)> {
    let path = folder.join("finding.json");
    let text = fs::read_to_string(&path)
        .with_context(|| format!("{}: no finding here", folder.display()))?;
    let file: FindingFile = serde_json::from_str(&text)
        .with_context(|| format!("{}: not a finding of this format", path.display()))?;
    if file.format != FORMAT {
        bail!("{}: format {} is not {FORMAT}", path.display(), file.format);
    }
    let case = read_case(folder, &file, &file.programs)?;
    Ok((file, case))
}

/// The case of a finding's folder as it was found, before any reduction.
pub fn load_original(folder: &Path, file: &FindingFile) -> Result<Case> {
    match file.original.is_empty() {
        true => read_case(folder, file, &file.programs),
        false => read_case(folder, file, &file.original),
    }
}

fn read_case(folder: &Path, file: &FindingFile, programs: &[Vec<String>]) -> Result<Case> {
    let mut read = Vec::new();
    let asked = match file.original.is_empty() {
        true => file.asked,
        false => programs.len(),
    };
    for names in programs.iter().take(asked) {
        let mut files = Vec::new();
        for name in names {
            if !is_below(name) {
                bail!(
                    "{}: `{name}` is not a path below the finding",
                    folder.display()
                );
            }
            let path = folder.join(name);
            let text =
                fs::read(&path).with_context(|| format!("{}: cannot be read", path.display()))?;
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            files.push(SourceFile {
                name: name.into_owned(),
                text: text.into(),
            });
        }
        if files.is_empty() {
            bail!("{}: a program without files", folder.display());
        }
        read.push(Program { files });
    }
    if read.is_empty() {
        bail!("{}: a case without programs", folder.display());
    }
    Ok(Case {
        programs: read,
        claim: file.claim.clone(),
        steps: file.steps.clone(),
        seeds: Vec::new(),
    })
}
