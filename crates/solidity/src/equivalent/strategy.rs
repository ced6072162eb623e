//! Strategy `equivalent`: variants of profiled contracts.

use std::sync::Arc;

use lydite_core::{
    Case, Choices, Claim, Language, Obligation, OpenError, Reject, SEED_ARM, Seed, SeedNeed,
    Setting, Settings, Space, Strategy,
};

use super::identity;
use super::stock::{MUTATIONS, Stock, Variation};

/// Makes variants of contracts that have a profile.
#[derive(Debug)]
pub struct Equivalent;

const SETTINGS: &[Setting] = &[
    Setting::value(
        "variants",
        "2",
        "how many variants a case has at most, each with more new code than the last",
    ),
    Setting::value(
        "rounds",
        "4",
        "how many pieces of code a variant gets at most",
    ),
    Setting::value("depth", "3", "how deep new expressions are nested"),
    MUTATIONS,
];

struct Variants {
    stocks: Vec<(Seed, Stock)>,
    /// The numbers of their seeds among all.
    numbers: Vec<usize>,
    variation: Variation,
}

impl Strategy for Equivalent {
    fn name(&self) -> &'static str {
        "equivalent"
    }

    fn about(&self) -> &'static str {
        "contracts and variants with new code that must not change what their transactions show"
    }

    fn language(&self) -> Option<&'static str> {
        Some("solidity")
    }

    fn seeds(&self) -> SeedNeed {
        SeedNeed::AtLeast(1)
    }

    fn settings(&self) -> &'static [Setting] {
        SETTINGS
    }

    /// Most of the text is the seed's author's.
    fn makes_programs(&self) -> bool {
        false
    }

    fn open(
        &self,
        _: Arc<dyn Language>,
        seeds: Arc<[Seed]>,
        settings: &Settings,
    ) -> Result<Box<dyn Space>, OpenError> {
        let (mut stocks, mut numbers) = (Vec::new(), Vec::new());
        let mut first = None;
        for (number, seed) in seeds.iter().enumerate() {
            match Stock::read(seed) {
                Ok(stock) => {
                    stocks.push((seed.clone(), stock));
                    numbers.push(number);
                }
                Err(why) => {
                    first.get_or_insert(format!("{}: {why}", seed.name));
                }
            }
        }
        if stocks.is_empty() {
            let why = first.unwrap_or_else(|| "there are no seeds".to_string());
            return Err(OpenError::Seeds(format!("no seed can be varied; {why}")));
        }
        Ok(Box::new(Variants {
            stocks,
            numbers,
            variation: Variation::read(settings, 2)?,
        }))
    }

    fn obligations(&self, _: &Settings) -> Result<Vec<Obligation>, OpenError> {
        Ok(identity::obligations())
    }
}

impl Space for Variants {
    fn sample(&self, choices: &mut Choices) -> Result<Case, Reject> {
        let (seed, stock) = &self.stocks[choices.arm_of(SEED_ARM, &self.numbers)?];
        let made = stock.variants(&self.variation, choices)?;
        let (mut programs, mut steps) = (vec![stock.original()], Vec::new());
        for (program, done) in made {
            programs.push(program);
            steps.push(done);
        }
        let case = Case {
            programs,
            claim: Claim::Equivalent,
            steps,
            seeds: Vec::new(),
        };
        Ok(case.made_from([seed]))
    }
}
