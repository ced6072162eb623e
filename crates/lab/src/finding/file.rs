//! `finding.json`: a finding and all that is needed to run it again.

use std::collections::BTreeMap;

use lydite_core::{Claim, Signature, TargetName};
use serde::{Deserialize, Serialize};

use super::Finding;
use crate::resolved::Recipe;
use lydite_core::quantity::{Size, Span};
use lydite_store::folder::RelativePath;
use lydite_store::record::{TriggerRun, VersionRun, whole};

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
    /// What was done to make it, see [`lydite_core::Case::steps`].
    #[serde(default)]
    pub steps: Vec<String>,
    /// How many of the programs the strategy made; the others followed from what was seen.
    pub asked: usize,
    /// The files of each program, relative to the folder.
    pub programs: Vec<Vec<RelativePath>>,
    /// The files of each program before the case was reduced; empty if it was
    /// not.
    #[serde(default)]
    pub original: Vec<Vec<RelativePath>>,
    /// The signature that the reduced case shows itself.
    #[serde(default)]
    pub shown: Option<Signature>,
    /// Which seed of the recipe the case, as it was found, differs least from.
    #[serde(default)]
    pub nearest_seed: Option<usize>,
    /// What other versions of the target show of it.
    #[serde(default)]
    pub versions: Vec<VersionRun>,
    /// What every target said.
    pub runs: Vec<TriggerRun>,
    /// The targets that take part.
    pub targets: Vec<Participant>,
    /// The varied options that it needs, by family.
    #[serde(default)]
    pub options_by_family: BTreeMap<String, Vec<String>>,
    /// The varied options that it needed before it was reduced, by family.
    #[serde(default)]
    pub original_options: BTreeMap<String, Vec<String>>,
    /// The oracles that judge.
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
    pub fn shows(&self) -> Signature {
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
pub(super) const FORMAT: u32 = 1;

#[cfg(test)]
impl FindingFile {
    /// A file without anything special, for tests.
    pub(crate) fn sample() -> FindingFile {
        FindingFile {
            format: FORMAT,
            finding: Finding::sample("the-id", "z3", lydite_core::Kind::Crash),
            language: "smtlib".to_string(),
            claim: Claim::Silent,
            steps: Vec::new(),
            asked: 1,
            programs: vec![vec![RelativePath::new("case.smt2").expect("a path")]],
            original: Vec::new(),
            shown: None,
            nearest_seed: None,
            versions: Vec::new(),
            runs: Vec::new(),
            targets: Vec::new(),
            options_by_family: BTreeMap::new(),
            original_options: BTreeMap::new(),
            oracles: Vec::new(),
            timeout: Span(std::time::Duration::from_secs(1)),
            memory: Size(1),
            recipe: Recipe {
                schedule: Default::default(),
                strategy: "files".to_string(),
                mode: crate::plan::Mode::Sample,
                seed: 0,
                index: 0,
                seeds: Vec::new(),
            },
        }
    }
}
