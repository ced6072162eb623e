//! The target file: one TOML file per family of processors.
//!
//! This module is the schema and its checks; `docs/targets.md` is the
//! reference for people.

mod file;
mod get;
mod known;
mod markup;
mod policy;

use std::collections::BTreeMap;

use anyhow::{Context, Result, ensure};
use lydite_core::Kind;
use regex::Regex;
use serde::{Deserialize, Serialize};

use lydite_core::version::{Version, VersionSet};

pub(crate) use file::read_family;
pub use get::{Also, From, Get};
pub use known::Known;
pub use policy::{Field, Form, Item, Markup, Policy, Section, TITLE_PARTS};

/// A family of processors: how to get, run, read and limit it, and what is
/// known about it.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Family {
    /// Its name, the first part of a target's name.
    pub family: String,
    /// Another family that this file starts from (see `docs/targets.md`).
    #[serde(default)]
    pub extends: Option<String>,
    /// The language that it processes.
    #[serde(default)]
    pub language: String,
    /// One sentence for people.
    #[serde(default)]
    pub about: String,
    /// Where its bugs are reported.
    #[serde(default)]
    pub tracker: Option<String>,
    /// Where it comes from; the first source that has a version gives it.
    #[serde(default)]
    pub get: Vec<Get>,
    /// How it is run.
    #[serde(default)]
    pub run: Run,
    /// How its output is read.
    #[serde(default)]
    pub read: Read,
    /// How it is limited.
    #[serde(default)]
    pub limit: Limit,
    /// How it runs many programs in one process, if it can.
    #[serde(default)]
    pub warm: Option<Warm>,
    /// Which versions want programs in a dialect of the language; the first
    /// that fits.
    #[serde(default)]
    pub dialect: Vec<DialectRule>,
    /// Named sets of options.
    #[serde(default)]
    pub variant: BTreeMap<String, Variant>,
    /// Options that a campaign may vary: they change how an answer is found,
    /// not what it means, and upstream accepts bug reports for them.
    #[serde(default)]
    pub option: Vec<AllowedOption>,
    /// How it is asked for its version.
    #[serde(default)]
    pub version: VersionRun,
    /// A program whose answer is known, for `doctor`.
    #[serde(default)]
    pub smoke: Smoke,
    /// Bugs that upstream knows of.
    #[serde(default)]
    pub known: Vec<Known>,
    /// What upstream wants of reports.
    #[serde(default)]
    pub policy: Policy,
    /// The hash of all of the above that decides how it is run and read.
    #[serde(skip)]
    pub digest: String,
}

/// How many programs run in one process: by what stands behind each of them
/// in one text, or by requests.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Warm {
    /// Prints `{mark}` on a line of its own.
    #[serde(default)]
    pub mark: String,
    /// Makes the next program a fresh start.
    #[serde(default)]
    pub reset: String,
    /// The words behind those of the first step that make it stay and answer
    /// requests: lines `MARK FOLDER` on standard input, each answered by what
    /// a run in that folder prints and a line `MARK STATUS` on both outputs.
    #[serde(default)]
    pub serve: Vec<String>,
}

pub(crate) fn any_version() -> String {
    "*".to_string()
}

/// How a family is run.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Run {
    /// The name under which the source is placed: always the same, so that
    /// messages which quote it are too.
    #[serde(default)]
    pub file: String,
    /// Environment of every step.
    #[serde(default)]
    pub env: BTreeMap<String, String>,
    /// Compile, then run; or just run.
    #[serde(default)]
    pub step: Vec<Step>,
    /// How many of the steps are run unless a variant says otherwise; all of
    /// them without this.
    #[serde(default)]
    pub steps: Option<usize>,
    /// What people run who have the program itself where we have a driver, for
    /// reports and scripts: the program's name first.
    #[serde(default)]
    pub usual: Option<Step>,
}

/// One process of a run.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Step {
    /// `{bin}` and `{options}` stand for any number of words; `{file}`,
    /// `{dir}`, `{out}`, `{root}`, `{lib}` may be part of one.
    pub argv: Vec<String>,
    /// True if the source comes on standard input.
    #[serde(default)]
    pub stdin: bool,
    /// True if this process is the program that the target made, so that
    /// its death is the program's behaviour and not the target's.
    #[serde(default)]
    pub program: bool,
}

/// What an answer looks like.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AnswerKind {
    /// Lines `sat`, `unsat`, `unknown`.
    #[default]
    Verdicts,
    /// Exit status and standard output of the last step.
    Output,
    /// Success of the last step.
    Accepted,
}

/// Where a target's own messages are found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Messages {
    /// On both streams.
    #[default]
    Both,
    /// On standard error only: standard output belongs to the program.
    Stderr,
}

/// How output is read: regular expressions, case-sensitive, multi-line
/// (`^` and `$` match at lines), tried in the order of the fields.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Read {
    /// What an answer looks like.
    #[serde(default)]
    pub kind: AnswerKind,
    /// Where the messages of the last step are found.
    #[serde(default)]
    pub messages: Messages,
    /// The target used up its memory.
    #[serde(default)]
    pub out_of_memory: Vec<String>,
    /// The target used up its time.
    #[serde(default)]
    pub timed_out: Vec<String>,
    /// The target died of a failure of its own, whatever else its words say.
    /// Groups named `site…` make the site.
    #[serde(default)]
    pub fatal: Vec<String>,
    /// The target lacks a feature. Tried before `crash`: some targets abort
    /// on what they do not support.
    #[serde(default)]
    pub unsupported: Vec<String>,
    /// The target's own check refuted its answer.
    #[serde(default)]
    pub self_refuted: Vec<String>,
    /// The target died. Groups named `site…` make the site.
    #[serde(default)]
    pub crash: Vec<String>,
    /// Messages that mean nothing.
    #[serde(default)]
    pub harmless: Vec<String>,
    /// The target refuses the program.
    #[serde(default)]
    pub rejected: Vec<String>,
    /// The target does not know.
    #[serde(default)]
    pub undecided: Vec<String>,
    /// The program that the target made has no defined behaviour, as a
    /// sanitizer says on standard error: the program is refused.
    #[serde(default)]
    pub undefined: Vec<String>,
    /// Rewriting of the output before it is compared.
    #[serde(default)]
    pub normalise: Vec<Normalise>,
}

/// One rewriting of a program's output.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Normalise {
    /// What to look for.
    pub pattern: String,
    /// What to put there; `$1` is the first group.
    pub replace: String,
}

/// How memory is limited.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MemoryRule {
    /// By address space: exact, and the target sees its allocation fail.
    #[default]
    AddressSpace,
    /// By resident size: for targets that reserve more than they use.
    Resident,
}

/// How a family is limited.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Limit {
    /// How memory is limited.
    #[serde(default)]
    pub memory: MemoryRule,
    /// The target's own time limit, a little below ours: `{seconds}` or `{ms}`.
    #[serde(default)]
    pub timeout_option: Option<String>,
    /// A limit that is the same on every machine: `{n}`.
    #[serde(default)]
    pub resource_option: Option<String>,
    /// What seeds its own randomness: `{n}`. A symptom of timing has to hold
    /// with several.
    #[serde(default)]
    pub seeds: Vec<String>,
}

impl Limit {
    /// The words that give it another seed.
    pub fn seed_words(&self, seed: u32) -> Vec<String> {
        let words = self.seeds.iter();
        words
            .map(|word| word.replace("{n}", &seed.to_string()))
            .collect()
    }
}

/// Versions that want a dialect.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct DialectRule {
    /// Which versions.
    pub versions: String,
    /// The dialect's name, as the language knows it.
    pub name: String,
}

/// A named set of options.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Variant {
    /// One sentence for people.
    #[serde(default)]
    pub about: Option<String>,
    /// The options.
    #[serde(default)]
    pub options: Vec<String>,
    /// Which versions have them.
    #[serde(default = "any_version")]
    pub versions: String,
    /// What an answer looks like with these options, if different.
    #[serde(default)]
    pub kind: Option<AnswerKind>,
    /// How many of the steps are run, if not as many as usual.
    #[serde(default)]
    pub steps: Option<usize>,
    /// How memory is limited, if different.
    #[serde(default)]
    pub memory: Option<MemoryRule>,
    /// Environment on top of the family's.
    #[serde(default)]
    pub env: BTreeMap<String, String>,
    /// True if nobody else need run what it refuses, where it is a reference.
    #[serde(default)]
    pub gate: bool,
}

/// An option that a campaign may vary.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct AllowedOption {
    /// Its words.
    pub args: Vec<String>,
    /// Which versions have it.
    #[serde(default = "any_version")]
    pub versions: String,
}

impl AllowedOption {
    /// An option of every version.
    pub fn of(args: Vec<String>) -> AllowedOption {
        AllowedOption {
            args,
            versions: any_version(),
        }
    }

    /// True if it sets something that the words of `other` set too: what
    /// stands before the `=` is the same.
    pub fn excludes(&self, other: &AllowedOption) -> bool {
        self.args.iter().any(|arg| sets_same(arg, &other.args))
    }

    fn check(&self) -> Result<()> {
        // The words become part of names, lists and scripts.
        let plain = |arg: &String| {
            let ok = |b: u8| b.is_ascii_alphanumeric() || b"-_.=:+/".contains(&b);
            !arg.is_empty() && arg.bytes().all(ok)
        };
        ensure!(!self.args.is_empty(), "`args` is empty");
        ensure!(
            self.args.iter().all(plain),
            "`{}`: expected words of letters, digits and -_.=:+/",
            self.args.join(" ")
        );
        parse_set(&self.versions)?;
        Ok(())
    }
}

/// True if one of `words` sets what `arg` sets.
pub(crate) fn sets_same(arg: &str, words: &[String]) -> bool {
    let key = |word: &str| word.split('=').next().unwrap_or(word).to_string();
    words.iter().any(|word| key(word) == key(arg))
}

/// How a target is asked for its version.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct VersionRun {
    /// `{bin}` as in a step.
    #[serde(default)]
    pub argv: Vec<String>,
    /// Group 1 is the version.
    #[serde(default)]
    pub pattern: String,
}

/// A program whose answer is known.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Smoke {
    /// The source.
    #[serde(default)]
    pub program: String,
    /// The outcome as it is shown: `sat`, `accepted`, or the output.
    #[serde(default)]
    pub expect: String,
}

impl Family {
    /// The dialect that a version wants its programs in.
    pub fn dialect(&self, version: &Version) -> Option<&str> {
        let fits = |rule: &&DialectRule| set(&rule.versions).contains(version);
        self.dialect
            .iter()
            .find(fits)
            .map(|rule| rule.name.as_str())
    }

    /// The known issue that a symptom with this signature is in this version,
    /// on a program that uses the features that `uses` says.
    pub fn known_issue(
        &self,
        version: &Version,
        kind: Kind,
        signature: &str,
        uses: &dyn Fn(&str) -> bool,
    ) -> Option<&Known> {
        self.known.iter().find(|known| {
            known.affects(version)
                && known.fits(kind, signature)
                && known.features.iter().all(|feature| uses(feature))
        })
    }

    /// The options, limits and kind of a variant; `None` is the plain target.
    pub fn variant(&self, name: Option<&str>) -> Option<Variant> {
        match name {
            None => Some(Variant::default_of_versions()),
            Some(name) => self.variant.get(name).cloned(),
        }
    }

    /// What the types do not say.
    pub(crate) fn check(&self) -> Result<()> {
        let named: lydite_core::TargetName = self.family.parse()?;
        ensure!(
            named.version.is_none() && named.variant.is_none(),
            "family `{}`: a name without @ and :",
            self.family
        );
        ensure!(!self.language.is_empty(), "`language` is missing");
        ensure!(!self.about.is_empty(), "`about` is missing");
        ensure!(!self.get.is_empty(), "no [[get]]: say where it comes from");
        ensure!(
            !self.run.step.is_empty(),
            "no [[run.step]]: say how it is run"
        );
        let plain = !self.run.file.is_empty() && !self.run.file.contains(['/', '\0']);
        ensure!(plain, "`run.file`: expected a plain file name");
        for get in &self.get {
            get.check().context("[[get]]")?;
        }
        for step in self.run.step.iter().chain(&self.run.usual) {
            ensure!(!step.argv.is_empty(), "[[run.step]]: `argv` is empty");
        }
        if let Some(warm) = &self.warm {
            let joins = warm.mark.contains("{mark}") && !warm.reset.trim().is_empty();
            let serves = warm.mark.is_empty() && warm.reset.is_empty() && !warm.serve.is_empty();
            ensure!(
                serves || joins && warm.serve.is_empty(),
                "[warm]: `mark` has to hold {{mark}}, and `reset` is needed; or `serve` alone"
            );
        }
        let all = 1..=self.run.step.len();
        ensure!(
            self.run.steps.is_none_or(|steps| all.contains(&steps)),
            "`run.steps` is not between 1 and {}",
            self.run.step.len()
        );
        for (name, variant) in &self.variant {
            let parsed = format!("{}:{name}", self.family).parse::<lydite_core::TargetName>();
            ensure!(parsed.is_ok(), "[variant.{name}]: not a plain name");
            parse_set(&variant.versions).with_context(|| format!("[variant.{name}]"))?;
            let steps = variant.steps.unwrap_or(1);
            ensure!(
                (1..=self.run.step.len()).contains(&steps),
                "[variant.{name}]: `steps` is not between 1 and {}",
                self.run.step.len()
            );
        }
        for option in &self.option {
            option.check().context("[[option]]")?;
        }
        for rule in &self.dialect {
            parse_set(&rule.versions).context("[[dialect]]")?;
        }
        for known in &self.known {
            known.check().context("[[known]]")?;
        }
        self.policy.check().context("[policy]")?;
        Regex::new(&self.version.pattern).context("`version.pattern`")?;
        Ok(())
    }
}

impl Variant {
    fn default_of_versions() -> Variant {
        Variant {
            versions: any_version(),
            ..Variant::default()
        }
    }
}

pub(crate) fn parse_set(text: &str) -> Result<VersionSet> {
    Ok(text.parse::<VersionSet>()?)
}

/// Sets are checked when a file is read.
pub(crate) fn set(text: &str) -> VersionSet {
    text.parse().unwrap_or_else(|_| VersionSet::any())
}
