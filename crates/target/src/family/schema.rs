//! The target file as it is written: one TOML file per family. It compiles into
//! a [`Family`], or says what is wrong with it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

use anyhow::{Context, Result, bail, ensure};
use serde::Deserialize;

use super::{
    AllowedOption, DialectRule, Family, Get, Known, Limit, Policy, Run, Smoke, SourceKind, Variant,
    VersionQuestion, VersionRule, Warm,
};
use crate::read::Read;

/// What a target file holds: how to get, run, read and limit a family, and what
/// is known about it.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) struct FamilyFile {
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
    /// Switches of specs that it has no construct for.
    #[serde(default)]
    pub lacks: Vec<String>,
    /// Those of them that it does not refuse: it means something else by them.
    #[serde(default)]
    pub differs: Vec<String>,
    /// The features of its language that it knows; all of them without it.
    #[serde(default)]
    pub knows: Option<BTreeSet<String>>,
    /// What its versions promise beyond what is asked of all.
    #[serde(default)]
    pub promises: BTreeMap<String, VersionRule>,
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
    /// Which versions want programs in a dialect of the language; the first rule that fits holds.
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
    pub version: VersionQuestion,
    /// A program whose answer is known, for `doctor`.
    #[serde(default)]
    pub smoke: Smoke,
    /// Bugs that upstream knows of.
    #[serde(default)]
    pub known: Vec<Known>,
    /// What upstream wants of reports.
    #[serde(default)]
    pub policy: Policy,
}

impl FamilyFile {
    /// The family, if the file is right; `digest` is the hash of what decides
    /// how it is run and read.
    pub(super) fn compile(self, digest: String) -> Result<Family> {
        self.check()?;
        Ok(Family {
            family: self.family,
            language: self.language,
            about: self.about,
            tracker: self.tracker,
            lacks: self.lacks,
            differs: self.differs,
            knows: self.knows,
            promises: self.promises,
            get: self.get,
            run: self.run,
            limit: self.limit,
            warm: self.warm,
            dialect: self.dialect,
            variant: self.variant,
            option: self.option,
            version: self.version,
            smoke: self.smoke,
            known: self.known,
            policy: self.policy,
            digest,
            rules: self.read,
            reading: OnceLock::new(),
        })
    }

    /// What the types do not say.
    fn check(&self) -> Result<()> {
        let named: lydite_core::TargetName = self.family.parse()?;
        ensure!(
            named.version.is_none() && named.variant.is_none(),
            "family `{}`: a name without @ and :",
            self.family
        );
        ensure!(!self.language.is_empty(), "`language` is missing");
        ensure!(!self.about.is_empty(), "`about` is missing");
        ensure!(!self.get.is_empty(), "no [[get]]: say where it comes from");
        for get in &self.get {
            get.check().context("[[get]]")?;
        }
        let strange = self.differs.iter().find(|one| !self.lacks.contains(one));
        if let Some(word) = strange {
            bail!("`differs` names {word}, which `lacks` does not");
        }
        self.check_run()?;
        self.check_variants()?;
        for option in &self.option {
            option.check().context("[[option]]")?;
            let unknown = option
                .not_with
                .iter()
                .find(|name| !self.variant.contains_key(*name));
            if let Some(name) = unknown {
                let words = option.args.join(" ");
                bail!("[[option]] `{words}`: `not-with` names `{name}`, which is no variant");
            }
        }
        for known in &self.known {
            known.check().context("[[known]]")?;
        }
        self.policy.check().context("[policy]")
    }

    /// How it is run, warm or not.
    fn check_run(&self) -> Result<()> {
        ensure!(
            !self.run.step.is_empty(),
            "no [[run.step]]: say how it is run"
        );
        let plain = !self.run.file.is_empty() && !self.run.file.contains(['/', '\0']);
        ensure!(plain, "`run.file`: expected a plain file name");
        for step in self.run.step.iter().chain(&self.run.usual) {
            ensure!(!step.argv.is_empty(), "[[run.step]]: `argv` is empty");
        }
        if let Some(warm) = &self.warm {
            let joins = warm.mark.contains("{mark}") && !warm.reset.trim().is_empty();
            let none = warm.mark.is_empty() && warm.reset.is_empty() && warm.stay.is_empty();
            ensure!(
                joins || none && !warm.serve.is_empty(),
                "[warm]: `mark` has to hold {{mark}}, and `reset` is needed; or `serve` alone"
            );
        }
        let all = 1..=self.run.step.len();
        ensure!(
            self.run.steps.is_none_or(|steps| all.contains(&steps)),
            "`run.steps` is not between 1 and {}",
            self.run.step.len()
        );
        Ok(())
    }

    /// Variants, which may ask for steps that are there and for a build that can be made.
    fn check_variants(&self) -> Result<()> {
        let has_source = self.get.iter().any(|get| get.from == SourceKind::Source);
        for (name, variant) in &self.variant {
            let parsed = format!("{}:{name}", self.family).parse::<lydite_core::TargetName>();
            ensure!(parsed.is_ok(), "[variant.{name}]: not a plain name");
            let steps = variant.steps.unwrap_or(1);
            ensure!(
                (1..=self.run.step.len()).contains(&steps),
                "[variant.{name}]: `steps` is not between 1 and {}",
                self.run.step.len()
            );
            let strange = variant.has.iter().find(|one| !self.lacks.contains(one));
            ensure!(
                strange.is_none(),
                "[variant.{name}]: `has` names {}, which the family does not lack",
                strange.map_or("", String::as_str)
            );
            ensure!(
                has_source || variant.flags.is_none(),
                "[variant.{name}]: `flags` are for a build, and no [[get]] is `from = \"source\"`"
            );
        }
        Ok(())
    }
}
