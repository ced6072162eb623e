//! Mutants of seeds, made by other strategies, as material for strategies that
//! then find out or make sure what can be claimed of them.

use std::collections::BTreeMap;
use std::sync::Arc;

use lydite_core::{
    Case, Choices, Language, OpenError, Program, Reject, Seed, Settings, Space, Strategy,
};

use super::operators::OperatorMutation;
use super::typed::TypedMutation;
use crate::mutate::originals::Originals;
use crate::mutate::view::View;

/// The decision how a seed is changed.
const STEPS_ARM: &str = "steps";

/// How many steps are taken, unless a setting says so.
pub(super) const DEFAULT_ROUNDS: &str = "1-16";

/// Seeds changed by terms or by operators, and as they stand.
pub(super) struct Mutants {
    spaces: [Box<dyn Space>; 2],
    originals: Originals,
}

impl Mutants {
    pub(super) fn open(
        language: &Arc<dyn Language>,
        seeds: &Arc<[Seed]>,
        settings: &Settings,
    ) -> Result<Mutants, OpenError> {
        let open = |strategy: &dyn Strategy| {
            let settings = forwarded(strategy, settings, &[("tactics", "never")])?;
            strategy.open(language.clone(), seeds.clone(), &settings)
        };
        Ok(Mutants {
            spaces: [open(&TypedMutation)?, open(&OperatorMutation)?],
            originals: Originals::open(seeds.clone(), settings, View::ANSWERS)?,
        })
    }

    /// A mutant, or a seed: a case of one program and no claim.
    pub(super) fn sample(&self, choices: &mut Choices) -> Result<Case, Reject> {
        let by = choices.arm(STEPS_ARM, self.spaces.len() + 1)?;
        match self.spaces.get(by) {
            Some(space) => space.sample(choices),
            None => {
                let at = self.originals.draw(choices)?;
                let original = self.originals.original(at)?;
                let program = Program::single("case.smt2", original.text.as_bytes());
                let case = Case::single(program, lydite_core::Claim::Silent);
                Ok(case.made_from([self.originals.seed(at)]))
            }
        }
    }
}

/// The settings of another strategy as far as they are ours, and more.
pub(super) fn forwarded(
    strategy: &dyn Strategy,
    settings: &Settings,
    more: &[(&str, &str)],
) -> Result<Settings, OpenError> {
    let mut given: BTreeMap<String, String> = BTreeMap::new();
    let mut files = BTreeMap::new();
    given.insert("rounds".to_string(), DEFAULT_ROUNDS.to_string());
    for setting in strategy.settings() {
        // What is called so is each strategy's own.
        if setting.key == "only" {
            continue;
        }
        if let Some(value) = settings.get(setting.key) {
            given.insert(setting.key.to_string(), value.to_string());
        }
        if let Some(file) = settings.file(setting.key) {
            files.insert(setting.key.to_string(), file.clone());
        }
    }
    for (key, value) in more {
        given.insert(key.to_string(), value.to_string());
    }
    Ok(Settings::checked(strategy, given)?.with_files(files))
}
