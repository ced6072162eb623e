//! A target's runs as others can repeat them: what a stored plan says of it, and what a script
//! needs in order to run the same without us.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use lydite_core::TargetName;

use super::words::own_program;
use super::{RunLimits, Target};
use crate::family::Step;
use crate::read::AnswerKind;

/// What a stored plan says of a target.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Description {
    /// Family, version and variant.
    pub name: TargetName,
    /// The language that it processes.
    pub language: String,
    /// Where it came from.
    pub source: String,
    /// The binary (or the driver that stands for it).
    pub binary: String,
    /// The hash of the binary.
    pub blake3: String,
    /// The hash of what its target file says of running and reading it, and of
    /// its driver.
    pub definition: String,
    /// The command lines, with `{file}` and `{out}` left open.
    pub argv: Vec<Vec<String>>,
    /// The environment on top of a clean one.
    pub env: BTreeMap<String, String>,
    /// What an answer looks like.
    pub kind: AnswerKind,
}

/// What a script needs in order to run the same without us.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reproduction {
    /// The name that the source has when it is run.
    pub file: String,
    /// The processes, in order; the next runs only if the last ended with 0.
    pub steps: Vec<ReproductionStep>,
    /// The environment on top of a clean one.
    pub env: BTreeMap<String, String>,
    /// The binary, for a check that it is there.
    pub binary: String,
    /// The name of its command where it is on the PATH.
    pub command: String,
    /// The processes for a machine that has it on the PATH: its command comes first, and nothing
    /// depends on how it is installed here.
    pub elsewhere: Vec<ReproductionStep>,
    /// The environment of `elsewhere`, on top of a clean one.
    pub elsewhere_env: BTreeMap<String, String>,
}

/// One process of a [`Reproduction`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReproductionStep {
    /// The command line; `{file}` is the source, `{out}` what is made of it.
    pub argv: Vec<String>,
    /// True if the source is its standard input.
    pub stdin: bool,
    /// The place among the words at which further options go.
    #[serde(default)]
    pub options_at: Option<usize>,
}

/// Stands for further options; no option is this.
const HERE: &str = "\0";

impl Target {
    /// What a script needs in order to run the same without us.
    pub fn reproduction(&self, limits: &RunLimits) -> Reproduction {
        let steps = self.steps().iter();
        let steps = steps.map(|step| self.reproduction_step(step, limits));
        Reproduction {
            file: self.family.run.file.clone(),
            steps: steps.collect(),
            env: self.env(),
            binary: self.installed.bin.display().to_string(),
            command: self.command(),
            elsewhere: self.elsewhere(limits),
            elsewhere_env: {
                let mut env = self.env();
                env.retain(|_, value| !self.names_place(value));
                env
            },
        }
    }

    fn reproduction_step(&self, step: &Step, limits: &RunLimits) -> ReproductionStep {
        let marked = self.with_options(vec![HERE.to_string()]);
        let words = marked.argv(step, "{file}", "{out}", limits);
        ReproductionStep {
            argv: self.argv(step, "{file}", "{out}", limits),
            stdin: step.stdin,
            options_at: words.iter().position(|word| word == HERE),
        }
    }

    /// The steps for the program itself, wherever it lies.
    fn elsewhere(&self, limits: &RunLimits) -> Vec<ReproductionStep> {
        let plain = Step {
            argv: vec!["{bin}".to_string()],
            stdin: false,
            program: false,
        };
        let launch = self.argv(&plain, "", "", limits);
        let usual = self.family.run.usual.as_ref();
        let one_step = self.steps().len() == 1 && self.installed.get.driver.is_some();
        if let Some(usual) = usual.filter(|_| one_step) {
            return vec![self.reproduction_step(usual, limits)];
        }
        let steps = self.steps().iter().map(|step| {
            let mut step = self.reproduction_step(step, limits);
            if step.argv.starts_with(&launch) {
                step.argv.splice(..launch.len(), [self.command()]);
                step.options_at = step.options_at.map(|at| at + 1 - launch.len());
            }
            self.without_places(step)
        });
        steps.collect()
    }

    /// The step without words that name a place of this installation.
    fn without_places(&self, mut step: ReproductionStep) -> ReproductionStep {
        let before = step.options_at.unwrap_or(0);
        let gone = step.argv[..before].iter();
        let gone = gone.filter(|word| self.names_place(word)).count();
        step.options_at = step.options_at.map(|at| at - gone);
        step.argv.retain(|word| !self.names_place(word));
        let own = own_program();
        let ours = step.argv.iter_mut().filter(|word| **word == own);
        ours.for_each(|word| *word = "lydite".to_string());
        step
    }

    /// True for a word that names a place of this installation.
    fn names_place(&self, word: &str) -> bool {
        let root = self.installed.root.display().to_string();
        root.len() > 1 && word.contains(&root)
    }

    /// What it is called on the PATH: a driver of ours stands for a program
    /// that has the family's name.
    fn command(&self) -> String {
        let own = self.installed.bin.file_name();
        match (&self.installed.get.driver, own) {
            (None, Some(name)) => name.to_string_lossy().into_owned(),
            _ => self.family.family.clone(),
        }
    }

    /// What a stored plan says of it.
    pub fn describe(&self, limits: &RunLimits) -> anyhow::Result<Description> {
        let reproduction = self.reproduction(limits);
        Ok(Description {
            name: self.name.clone(),
            language: self.family.language.clone(),
            source: self.installed.source.clone(),
            binary: reproduction.binary,
            blake3: self.installed.hash()?,
            definition: self.definition()?,
            argv: reproduction
                .steps
                .into_iter()
                .map(|step| step.argv)
                .collect(),
            env: reproduction.env,
            kind: self.kind(),
        })
    }
}
