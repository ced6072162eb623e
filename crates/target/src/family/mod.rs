//! A family of processors: what its target file says, understood.
//!
//! `schema` is the file as it is written (`docs/targets.md` is the reference
//! for people), and compiles into a [`Family`].

mod build;
mod file;
mod get;
mod known;
mod markup;
mod policy;
mod schema;
mod text;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

use anyhow::{Result, ensure};
use lydite_core::Kind;
use serde::{Deserialize, Serialize};

use crate::read::{AnswerKind, Read, Reading};
use lydite_core::version::Version;

pub use build::Build;
pub(crate) use file::read_family;
pub use get::{Also, Get, PackageRegistry, SourceKind};
pub use known::Known;
pub use policy::{Field, Form, Item, Markup, Policy, Section, TITLE_PARTS};
pub use text::{Pattern, VersionRule};

/// A family of processors: how to get, run, read and limit it, and what is
/// known about it. Whatever its file says is understood already: sets of
/// versions are parsed and expressions are compiled.
#[derive(Clone, Debug)]
pub struct Family {
    /// Its name, the first part of a target's name.
    pub family: String,
    /// The language that it processes.
    pub language: String,
    /// One sentence for people.
    pub about: String,
    /// Where its bugs are reported.
    pub tracker: Option<String>,
    /// Constructs of its language that it has not got, by the names that specs
    /// give the switches for them.
    pub lacks: Vec<String>,
    /// Those of them that it does not refuse: it means something else by them.
    pub differs: Vec<String>,
    /// The features of its language that it knows; all of them without it. A program that
    /// needs another one is `unsupported`, and is not run.
    pub knows: Option<BTreeSet<String>>,
    /// What its versions promise beyond what is asked of all, which oracles hold them to.
    pub promises: BTreeMap<String, VersionRule>,
    /// Where it comes from; the first source that has a version gives it.
    pub get: Vec<Get>,
    /// How it is run.
    pub run: Run,
    /// How it is limited.
    pub limit: Limit,
    /// How it runs many programs in one process, if it can.
    pub warm: Option<Warm>,
    /// Which versions want programs in a dialect of the language; the first rule that fits holds.
    pub dialect: Vec<DialectRule>,
    /// Named sets of options.
    pub variant: BTreeMap<String, Variant>,
    /// Options that a campaign may vary: they change how an answer is found,
    /// not what it means, and upstream accepts bug reports for them.
    pub option: Vec<AllowedOption>,
    /// How it is asked for its version.
    pub version: VersionQuestion,
    /// A program whose answer is known, for `doctor`.
    pub smoke: Smoke,
    /// Bugs that upstream knows of.
    pub known: Vec<Known>,
    /// What upstream wants of reports.
    pub policy: Policy,
    /// The hash of all of the above that decides how it is run and read.
    pub digest: String,
    rules: Read,
    reading: OnceLock<Arc<Reading>>,
}

/// How many programs run in one process: by what stands behind each of them
/// in one text, or by requests.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Warm {
    /// A command of the language that prints `{mark}` on a line of its own.
    #[serde(default)]
    pub mark: String,
    /// A command of the language that makes the target forget the program before it.
    #[serde(default)]
    pub reset: String,
    /// The words behind those of the first step that make it stay and answer
    /// requests: lines `MARK FOLDER` on standard input, each answered by what
    /// a run in that folder prints and a line `MARK STATUS` on both outputs.
    #[serde(default)]
    pub serve: Vec<String>,
    /// The words in place of the file's name that make it read programs from its
    /// standard input, one after the other, and answer each at once.
    #[serde(default)]
    pub stay: Vec<String>,
}

/// How a family is run.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Run {
    /// The name under which the source is placed: always the same, so that
    /// messages which quote it are too.
    #[serde(default)]
    pub file: String,
    /// What begins a comment, of a language that nothing else here knows.
    #[serde(default)]
    pub comment: Option<String>,
    /// Environment of every step.
    #[serde(default)]
    pub env: BTreeMap<String, String>,
    /// The processes of a run: compile and then run, or just run.
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
    /// The option for the target's own time limit, which is a little below ours, with `{seconds}`
    /// or `{ms}`.
    #[serde(default)]
    pub timeout_option: Option<String>,
    /// The option for a limit that is the same on every machine, with `{n}` for the limit.
    #[serde(default)]
    pub resource_option: Option<String>,
    /// The options that seed its own random numbers, with `{n}` for the seed. A symptom of timing
    /// has to show with several seeds.
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

/// A dialect, and the versions that want it.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct DialectRule {
    /// The versions that want the dialect.
    pub versions: VersionRule,
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
    /// What it has got of that which the family `lacks`.
    #[serde(default)]
    pub has: Vec<String>,
    /// The versions that have these options.
    #[serde(default)]
    pub versions: VersionRule,
    /// What an answer looks like with these options, if different.
    #[serde(default)]
    pub kind: Option<AnswerKind>,
    /// How many of the steps are run, if not as many as usual.
    #[serde(default)]
    pub steps: Option<usize>,
    /// How memory is limited, if different.
    #[serde(default)]
    pub memory: Option<MemoryRule>,
    /// The flags of a build of its own, for a family whose source can be built.
    #[serde(default)]
    pub flags: Option<String>,
    /// Environment on top of the family's.
    #[serde(default)]
    pub env: BTreeMap<String, String>,
    /// True if nobody else need run what it refuses, where it is a reference.
    #[serde(default)]
    pub gate: bool,
    /// True if, where it is a reference, it runs only to say where a target of its family
    /// died that does not say so itself.
    #[serde(default)]
    pub sites: bool,
}

/// An option that a campaign may vary.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct AllowedOption {
    /// Its words.
    pub args: Vec<String>,
    /// The versions that have the option.
    #[serde(default)]
    pub versions: VersionRule,
    /// How often it is drawn beside the others of the family.
    #[serde(default = "usual_weight")]
    pub weight: u32,
    /// True if its authors call it an option for experts.
    #[serde(default)]
    pub expert: bool,
    /// The variants whose own options do not go with it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub not_with: Vec<String>,
    /// What whoever runs with it promises, which oracles hold it to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub promises: Option<String>,
}

/// Most options have this weight: there are lighter and heavier ones.
fn usual_weight() -> u32 {
    4
}

impl AllowedOption {
    /// An option of every version.
    pub fn of(args: Vec<String>) -> AllowedOption {
        AllowedOption {
            args,
            versions: VersionRule::default(),
            weight: usual_weight(),
            expert: false,
            not_with: Vec::new(),
            promises: None,
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
            (1..=1000).contains(&self.weight),
            "`weight` is not a number from 1 to 1000"
        );
        ensure!(
            self.args.iter().all(plain),
            "`{}`: expected words of letters, digits and -_.=:+/",
            self.args.join(" ")
        );
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
pub struct VersionQuestion {
    /// `{bin}` as in a step.
    #[serde(default)]
    pub argv: Vec<String>,
    /// Group 1 is the version.
    #[serde(default)]
    pub pattern: Option<Pattern>,
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
    /// The rules by which its output is read. Compiled when they are first asked
    /// for: the expressions of all families together take longer than most
    /// commands.
    pub fn reading(&self) -> &Arc<Reading> {
        self.reading.get_or_init(|| {
            let reading = Reading::new(&self.rules);
            Arc::new(reading.expect("checked when a file of the user is read, or by a test"))
        })
    }

    /// An error if a rule is no expression.
    pub(crate) fn check_reading(&self) -> Result<()> {
        Reading::new(&self.rules).map(drop)
    }

    /// What an answer looks like, unless a variant says otherwise.
    pub fn answer_kind(&self) -> AnswerKind {
        self.rules.kind
    }

    /// The dialect that a version wants its programs in.
    pub fn dialect(&self, version: &Version) -> Option<&str> {
        let fits = |rule: &&DialectRule| rule.versions.contains(version);
        self.dialect
            .iter()
            .find(fits)
            .map(|rule| rule.name.as_str())
    }

    /// The known issue that explains a symptom with this signature in this version; `uses` says
    /// which features the program has.
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

    /// The variant's name, if it is a build of its own: its binary is another one.
    pub fn build_name<'a>(&self, variant: Option<&'a str>) -> Option<&'a str> {
        let is_build = |name: &&str| self.variant.get(*name).is_some_and(|v| v.flags.is_some());
        variant.filter(is_build)
    }

    /// The sources, with their places in [`Family::get`], that can give the
    /// plain target, or a build. Of a family with other sources nobody has to
    /// build the plain target.
    pub fn sources(&self, build: bool) -> impl Iterator<Item = (usize, &Get)> {
        let is_source = |get: &Get| get.from == SourceKind::Source;
        let only_sources = self.get.iter().all(is_source);
        let fits =
            move |get: &Get| is_source(get) && (build || only_sources) || !is_source(get) && !build;
        self.get
            .iter()
            .enumerate()
            .filter(move |(_, get)| fits(get))
    }

    /// The options, limits and kind of a variant; `None` is the plain target.
    pub fn variant(&self, name: Option<&str>) -> Option<Variant> {
        match name {
            None => Some(Variant::default()),
            Some(name) => self.variant.get(name).cloned(),
        }
    }
}
