//! Strategy `operators`: type-aware operator mutation (chapter 4 of the
//! thesis).
//!
//! An operator is changed to another one that takes the same arguments and
//! gives the same sort (definition 4.3.1), in chains. Beyond the thesis: all
//! theories of the operator table instead of the symbols of figure 4.5, also
//! operators that the seed does not have (section 5.3.1), indices, rounding
//! modes and other constants, and the script's own functions.
//!
//! Departure: a result of sort `Int` does not stand for a `Real`. What is
//! around it would then have to be judged again after every step.

use std::sync::Arc;

use lydite_core::{
    Case, Choices, Claim, Language, OpenError, Program, Reject, Seed, SeedNeed, Setting, Settings,
    Space, Strategy,
};

use crate::logic;
use crate::mutate::mutant::Mutant;
use crate::mutate::originals::{MAX_SEED_SETTING, OPERATORS_SETTING, Originals};
use crate::mutate::repertoire::{Repertoire, SPEAKERS};
use crate::mutate::steps::Steps;
use crate::mutate::swaps::Swaps;
use crate::mutate::tactics::{TACTICS_SETTING, Tactics};
use crate::mutate::view::View;

/// See the module's documentation.
pub struct OperatorMutation;

const DEFAULT_STEPS: Steps = Steps::new(1, 256);

impl Strategy for OperatorMutation {
    fn name(&self) -> &'static str {
        "operators"
    }

    fn about(&self) -> &'static str {
        "seeds in which operators are changed to others of a conforming type"
    }

    fn language(&self) -> Option<&'static str> {
        Some("smtlib")
    }

    fn seeds(&self) -> SeedNeed {
        SeedNeed::AtLeast(1)
    }

    fn settings(&self) -> &'static [Setting] {
        const {
            &[
                Setting::value(
                    "rounds",
                    "1-256",
                    "how many operators are changed, one after another: a number or a range",
                ),
                Setting::value(
                    "constants",
                    "true",
                    "whether constants (rounding modes, declared constants, …) are changed too, in one step of eight",
                ),
                TACTICS_SETTING,
                SPEAKERS,
                OPERATORS_SETTING,
                MAX_SEED_SETTING,
            ]
        }
    }

    fn open(
        &self,
        _language: Arc<dyn Language>,
        seeds: Arc<[Seed]>,
        settings: &Settings,
    ) -> Result<Box<dyn Space>, OpenError> {
        let originals = Originals::open(seeds, settings, View::AS_WRITTEN)?;
        Ok(Box::new(OperatorSpace {
            rounds: settings.read("rounds", "a number or a range like 1-256", DEFAULT_STEPS)?,
            swaps: Swaps::new(
                originals.len(),
                settings.read("constants", "true or false", true)?,
            ),
            tactics: Tactics::read(settings)?,
            repertoire: Repertoire::open(originals.operators(), settings)?,
            originals,
        }))
    }
}

struct OperatorSpace {
    originals: Originals,
    repertoire: Repertoire,
    swaps: Swaps,
    rounds: Steps,
    tactics: Tactics,
}

impl Space for OperatorSpace {
    fn sample(&self, choices: &mut Choices) -> Result<Case, Reject> {
        let seed = self.originals.draw(choices)?;
        let original = self.originals.original(seed)?;
        let operators = self.originals.operators();
        let with = (operators, &self.repertoire);
        let mut mutant = Mutant::new(&original);
        let mut steps = Vec::new();
        for _ in 0..self.rounds.draw(choices)? {
            steps.push(self.swaps.step(choices, seed, with, &mut mutant)?);
        }
        steps.extend(self.tactics.vary(&mut mutant, choices)?);
        logic::fit(&mut mutant, operators);
        let mut text = Vec::new();
        mutant.write(&mut text);
        Ok(Case {
            steps,
            seeds: vec![self.originals.seed(seed).clone()],
            ..Case::single(Program::single("case.smt2", text), Claim::Silent)
        })
    }
}

#[cfg(test)]
mod tests;
