//! Strategy `typed`: generative type-aware mutation (chapter 5 of the thesis).
//!
//! A term is replaced by a new one of the same sort: an operator applied to
//! terms of the seed that mean something at that place (definition 5.3.2,
//! algorithm 6), in chains. Against the limitations of section 5.6: literals
//! and constants that the seed does not have, new assertions, nested terms,
//! and terms from a bank (the data-driven variant).
//!
//! Algorithm 6 tries operators until one has arguments. Here everything that
//! does not depend on choices is laid out per seed beforehand, so that an
//! attempt almost never fails. The algorithm never uses the replaced term as
//! an argument, example 5.3.1 does: the setting `wrap` decides.

mod literal;
mod makers;
mod material;
mod replace;

use std::sync::Arc;

use lydite_core::{
    Case, Choices, Claim, Language, OpenError, Program, Reject, Seed, SeedNeed, Setting, Settings,
    Space, Strategy,
};

use crate::logic;
use crate::mutate::bank::Bank;
use crate::mutate::held::Held;
use crate::mutate::mutant::{Mutant, Original, Unusable};
use crate::mutate::originals::{MAX_SEED_SETTING, OPERATORS_SETTING, Originals};
use crate::mutate::repertoire::{Repertoire, SPEAKERS};
use crate::mutate::steps::Steps;
use crate::mutate::swaps::Swaps;
use crate::mutate::tactics::{TACTICS_SETTING, Tactics};
use crate::mutate::view::View;
use material::Material;
use replace::Replacing;

/// See the module's documentation.
pub struct TypedMutation;

const DEFAULT_STEPS: Steps = Steps::new(1, 64);

/// Deeper terms than this are not made at once.
const MAX_DEPTH: u32 = 8;

impl Strategy for TypedMutation {
    fn name(&self) -> &'static str {
        "typed"
    }

    fn about(&self) -> &'static str {
        "seeds in which terms are replaced by new ones of the same sort"
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
                    "1-64",
                    "how many terms are replaced, one after another: a number or a range",
                ),
                Setting::value(
                    "depth",
                    "2",
                    "how deep operators are nested in a new term at most",
                ),
                Setting::value(
                    "literals",
                    "true",
                    "whether new terms may have literals that the seed does not have",
                ),
                Setting::value(
                    "fresh",
                    "true",
                    "whether new terms may have constants that the seed does not have",
                ),
                Setting::value(
                    "assertions",
                    "true",
                    "whether new assertions are made, in one step of twelve",
                ),
                Setting::value(
                    "wrap",
                    "sometimes",
                    "whether the replaced term may be part of the new one: true, false, or sometimes (every other step)",
                ),
                Setting::value(
                    "swaps",
                    "true",
                    "whether one chain in four begins with steps of strategy operators",
                ),
                TACTICS_SETTING,
                Setting::file(
                    "bank",
                    "",
                    "a file with more terms to use (made by lydite bank)",
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
        let originals = Originals::open(seeds, settings, View::AS_WRITTEN)?;
        let repertoire = Repertoire::open(originals.operators(), settings)?;
        let bank = match settings.file("bank") {
            None => Bank::default(),
            Some(file) => {
                Bank::read(&file.text, originals.operators(), &repertoire).map_err(|error| {
                    OpenError::BadFile {
                        key: "bank".to_string(),
                        file: file.name.clone(),
                        line: Some(error.line),
                        what: error.what,
                    }
                })?
            }
        };
        let flag = |key, default| settings.read(key, "true or false", default);
        let depth: u32 = settings.read("depth", "a number from 1 to 8", 2)?;
        Ok(Box::new(TypedSpace {
            rounds: settings.read("rounds", "a number or a range like 1-64", DEFAULT_STEPS)?,
            wishes: Wishes {
                depth: depth.clamp(1, MAX_DEPTH),
                literals: flag("literals", true)?,
                fresh: flag("fresh", true)?,
                assertions: flag("assertions", true)?,
                wrap: match settings.get("wrap").unwrap_or("sometimes") {
                    "sometimes" => None,
                    _ => Some(settings.read("wrap", "true, false or sometimes", false)?),
                },
            },
            tactics: Tactics::read(settings)?,
            swaps: match flag("swaps", true)? {
                true => Some(Swaps::among_others(originals.len())),
                false => None,
            },
            repertoire,
            bank,
            typed_seeds: Held::new(),
            originals,
        }))
    }
}

/// What new terms are made of.
#[derive(Clone, Copy, Debug)]
struct Wishes {
    depth: u32,
    literals: bool,
    fresh: bool,
    assertions: bool,
    /// Drawn for each step if it is not said.
    wrap: Option<bool>,
}

/// A seed and what it offers.
struct TypedSeed {
    original: Original,
    material: Material,
}

struct TypedSpace {
    originals: Originals,
    repertoire: Repertoire,
    bank: Bank,
    swaps: Option<Swaps>,
    tactics: Tactics,
    rounds: Steps,
    wishes: Wishes,
    typed_seeds: Held<Result<Arc<TypedSeed>, Unusable>>,
}

impl TypedSpace {
    /// The seed, read. Not the one of [`Originals`]: it gets sorts of its own.
    fn typed_seed(&self, at: usize) -> Result<Arc<TypedSeed>, Reject> {
        let text = &self.originals.seed(at).text;
        let read = || {
            let operators = self.originals.operators();
            let mut original = Original::read(text, operators, self.originals.view())?;
            let material = Material::fill(&mut original, operators, &self.repertoire, &self.bank);
            Ok(Arc::new(TypedSeed { original, material }))
        };
        let read = self.typed_seeds.get(at, text.len(), read);
        (*read).clone().map_err(Reject::NotApplicable)
    }
}

impl Space for TypedSpace {
    fn sample(&self, choices: &mut Choices) -> Result<Case, Reject> {
        let seed = self.originals.draw(choices)?;
        let typed_seed = self.typed_seed(seed)?;
        let mut replacing = Replacing::new(
            &typed_seed.original, &typed_seed.material, &self.bank, self.wishes,
        );
        let mut mutant = Mutant::new(&typed_seed.original);
        let mut steps = Vec::new();
        let count = self.rounds.draw(choices)?;
        let swapped = match &self.swaps {
            Some(_) if count > 1 && choices.chance(1, 4)? => choices.between(1, count - 1)?,
            _ => 0,
        };
        if let Some(swaps) = self.swaps.as_ref().filter(|_| swapped > 0) {
            let with = (self.originals.operators(), &self.repertoire);
            for _ in 0..swapped {
                match swaps.step(choices, seed, with, &mut mutant) {
                    Err(Reject::NotApplicable(_)) => break,
                    step => steps.push(step?),
                }
            }
        }
        for _ in swapped..count {
            steps.push(replacing.step(&mut mutant, choices)?);
        }
        steps.extend(self.tactics.vary(&mut mutant, choices)?);
        replacing.declare(&mut mutant);
        logic::fit(&mut mutant, self.originals.operators());
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
