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

mod grow;
mod literal;
mod makers;
mod pantry;

use std::sync::{Arc, OnceLock};

use lydite_core::{
    Case, Choices, Claim, Language, OpenError, Program, Reject, Seed, SeedNeed, Setting, Settings,
    Space, Strategy,
};

use super::bank::Bank;
use super::repertoire::{Repertoire, SPEAKERS};
use super::rounds::Rounds;
use super::stocks::{MAX_SEED_SETTING, OPERATORS_SETTING, Stocks};
use crate::draft::{Draft, Stock, Unusable};
use crate::logic;
use grow::Growth;
use pantry::Pantry;

/// See the module's documentation.
pub struct TypedMutation;

const DEFAULT_ROUNDS: Rounds = Rounds::new(1, 8);

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
                    "1-8",
                    "how many terms are replaced, one after another: a number or a range",
                ),
                Setting::value(
                    "depth",
                    "2",
                    "operators above each other in a new term, at most",
                ),
                Setting::value(
                    "literals",
                    "true",
                    "new terms may have literals of any sort",
                ),
                Setting::value(
                    "fresh",
                    "true",
                    "new terms may have constants declared for them",
                ),
                Setting::value(
                    "assertions",
                    "true",
                    "new assertions are made, one time in twelve",
                ),
                Setting::value(
                    "wrap",
                    "false",
                    "the replaced term may be part of the new one",
                ),
                Setting::file(
                    "bank",
                    "",
                    "terms to use besides the seed's own (lydite bank)",
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
        let stocks = Stocks::open(seeds, settings)?;
        let repertoire = Repertoire::open(stocks.operators(), settings)?;
        let bank = match settings.file("bank") {
            None => Bank::default(),
            Some(file) => {
                Bank::read(&file.text, stocks.operators(), &repertoire).map_err(|error| {
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
            rounds: settings.read("rounds", "a number or a range like 1-8", DEFAULT_ROUNDS)?,
            taste: Taste {
                depth: depth.clamp(1, MAX_DEPTH),
                literals: flag("literals", true)?,
                fresh: flag("fresh", true)?,
                assertions: flag("assertions", true)?,
                wrap: flag("wrap", false)?,
            },
            repertoire,
            bank,
            shelves: (0..stocks.len()).map(|_| OnceLock::new()).collect(),
            stocks,
        }))
    }
}

/// What new terms are made of.
#[derive(Clone, Copy, Debug)]
struct Taste {
    depth: u32,
    literals: bool,
    fresh: bool,
    assertions: bool,
    wrap: bool,
}

/// A seed and what it offers.
struct Shelf {
    stock: Stock,
    pantry: Pantry,
}

struct TypedSpace {
    stocks: Stocks,
    repertoire: Repertoire,
    bank: Bank,
    rounds: Rounds,
    taste: Taste,
    shelves: Vec<OnceLock<Result<Box<Shelf>, Unusable>>>,
}

impl TypedSpace {
    /// The seed, read. Not the one of [`Stocks`]: it gets sorts of its own.
    fn shelf(&self, at: usize) -> Result<&Shelf, Reject> {
        let read = || {
            let operators = self.stocks.operators();
            let mut stock = Stock::read(&self.stocks.seed(at).text, operators)?;
            let pantry = Pantry::fill(&mut stock, operators, &self.repertoire, &self.bank);
            Ok(Box::new(Shelf { stock, pantry }))
        };
        match self.shelves[at].get_or_init(read) {
            Ok(shelf) => Ok(shelf),
            Err(why) => Err(Reject::NotApplicable(why)),
        }
    }
}

impl Space for TypedSpace {
    fn sample(&self, choices: &mut Choices) -> Result<Case, Reject> {
        let seed = self.stocks.draw(choices)?;
        let shelf = self.shelf(seed)?;
        let mut growth = Growth::new(&shelf.stock, &shelf.pantry, &self.bank, self.taste);
        let mut draft = Draft::new(&shelf.stock);
        let mut steps = Vec::new();
        for _ in 0..self.rounds.draw(choices)? {
            steps.push(growth.step(&mut draft, choices)?);
        }
        growth.declare(&mut draft);
        logic::fit(&mut draft, self.stocks.operators());
        let mut text = Vec::new();
        draft.write(&mut text);
        Ok(Case {
            steps,
            seeds: vec![self.stocks.seed(seed).clone()],
            ..Case::single(Program::single("case.smt2", text), Claim::Silent)
        })
    }
}

#[cfg(test)]
mod tests;
