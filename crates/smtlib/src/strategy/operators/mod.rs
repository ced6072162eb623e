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

mod sites;

use std::sync::{Arc, OnceLock};

use lydite_core::{
    Case, Choices, Claim, Language, OpenError, Program, Reject, Seed, SeedNeed, Setting, Settings,
    Space, Strategy,
};

use crate::logic;
use crate::mutate::mutant::{Mutant, NodeId, Original};
use crate::mutate::originals::{MAX_SEED_SETTING, OPERATORS_SETTING, Originals};
use crate::mutate::repertoire::{Repertoire, SPEAKERS};
use crate::mutate::steps::Steps;
use crate::mutate::view::View;
use sites::{SharedClasses, Site, Sites};

/// See the module's documentation.
pub struct OperatorMutation;

const DEFAULT_STEPS: Steps = Steps::new(1, 16);

const NOTHING_TO_CHANGE: Reject = Reject::NotApplicable("the seed has no operator to change");

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
                    "1-16",
                    "how many operators are changed, one after another: a number or a range",
                ),
                Setting::value(
                    "constants",
                    "true",
                    "whether constants (rounding modes, declared constants, …) are changed too, in one step of eight",
                ),
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
        let originals = Originals::open(seeds, settings, View::ANSWERS)?;
        Ok(Box::new(OperatorSpace {
            rounds: settings.read("rounds", "a number or a range like 1-16", DEFAULT_STEPS)?,
            constants: settings.read("constants", "true or false", true)?,
            repertoire: Repertoire::open(originals.operators(), settings)?,
            shared: SharedClasses::default(),
            sites: (0..originals.len()).map(|_| OnceLock::new()).collect(),
            originals,
        }))
    }
}

struct OperatorSpace {
    originals: Originals,
    repertoire: Repertoire,
    sites: Vec<OnceLock<Sites>>,
    shared: SharedClasses,
    rounds: Steps,
    constants: bool,
}

impl Space for OperatorSpace {
    fn sample(&self, choices: &mut Choices) -> Result<Case, Reject> {
        let seed = self.originals.draw(choices)?;
        let original = self.originals.original(seed)?;
        let operators = self.originals.operators();
        let find = || Sites::find(original, operators, &self.repertoire, &self.shared);
        let sites = self.sites[seed].get_or_init(find);
        let mut mutant = Mutant::new(original);
        let mut steps = Vec::new();
        for _ in 0..self.rounds.draw(choices)? {
            steps.push(self.step(choices, original, sites, &mut mutant)?);
        }
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

impl OperatorSpace {
    /// One mutation (algorithm 4), and what it did.
    fn step(
        &self,
        choices: &mut Choices,
        original: &Original,
        sites: &Sites,
        mutant: &mut Mutant<'_>,
    ) -> Result<String, Reject> {
        let site = self.site(choices, sites)?;
        let (node, command) = (NodeId::from(site.term), original.command(site.term));
        let [table, own] = sites.candidates(site);
        let count = table.len() + own.len();
        let start = choices.index(count)?;
        let candidate = |at: usize| table.get(at).unwrap_or_else(|| &own[at - table.len()]);
        // All but the present operator and functions that are not declared
        // here can be taken: the next one if this is not one of them.
        let candidate = (start..count)
            .chain(0..start)
            .map(candidate)
            .find(|candidate| candidate.changes(mutant, node, command))
            .ok_or(NOTHING_TO_CHANGE)?;
        let step = format!("{} to {}", mutant.head(node), candidate.head);
        mutant.set_head(node, &candidate.head, candidate.operator);
        Ok(step)
    }

    fn site(&self, choices: &mut Choices, sites: &Sites) -> Result<Site, Reject> {
        let constants = match self.constants {
            true => &sites.constants[..],
            false => &[],
        };
        let from = match (sites.applied.is_empty(), constants.is_empty()) {
            (true, true) => return Err(NOTHING_TO_CHANGE),
            (false, true) => &sites.applied,
            (true, false) => constants,
            (false, false) if choices.chance(1, 8)? => constants,
            (false, false) => &sites.applied,
        };
        Ok(*choices.pick(from)?)
    }
}

#[cfg(test)]
mod tests;
