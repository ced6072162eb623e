//! Strategy `interpreted`: contracts that somebody wrote, with transactions
//! that are drawn, and what the interpreter makes of them.

use std::sync::Arc;

use lydite_core::{
    BigUint, Case, Choices, Language, OpenError, Reject, SEED_ARM, Seed, SeedNeed, Setting,
    Settings, Space, Strategy,
};

use super::Complete;
use super::strategy::dialect_with;
use crate::generate::Options;
use crate::read::{Reading, read};
use crate::version::{Feature, NEWEST};

/// Makes cases of seeds whose behaviour the interpreter knows.
#[derive(Debug)]
pub struct InterpretedStrategy;

struct Interpreted {
    complete: Complete,
    /// Seeds that can be read, with what was read of them.
    readings: Vec<(Seed, Reading)>,
    /// The numbers of these seeds among all.
    numbers: Vec<usize>,
}

impl Strategy for InterpretedStrategy {
    fn name(&self) -> &'static str {
        "interpreted"
    }

    fn about(&self) -> &'static str {
        "contracts that somebody wrote, with transactions and what these must show"
    }

    fn language(&self) -> Option<&'static str> {
        Some("solidity")
    }

    fn seeds(&self) -> SeedNeed {
        SeedNeed::AtLeast(1)
    }

    fn settings(&self) -> &'static [Setting] {
        const SETTINGS: &[Setting] = &[
            Setting::value(
                "solc",
                NEWEST,
                "the version of solc that programs are written for: 0.8.0 or newer",
            ),
            Setting::value("transactions", "20", "how many transactions a case has"),
        ];
        SETTINGS
    }

    fn open(
        &self,
        _: Arc<dyn Language>,
        seeds: Arc<[Seed]>,
        settings: &Settings,
    ) -> Result<Box<dyn Space>, OpenError> {
        let needed = "a version of the language that is read: 0.8.0 or newer";
        let dialect = dialect_with(settings, Feature::Unchecked, needed)?;
        let transactions = settings.read("transactions", "a number of transactions", 20)?;
        let options = Options::read_with(&Settings::default(), "none")?;
        let (mut numbers, mut readings) = (Vec::new(), Vec::new());
        let mut why = None;
        for (number, seed) in seeds.iter().enumerate() {
            match std::str::from_utf8(&seed.text).map(read) {
                Ok(Ok(reading)) => {
                    numbers.push(number);
                    readings.push((seed.clone(), reading));
                }
                Ok(Err(unread)) => why = why.or(Some(unread.0)),
                Err(_) => why = why.or(Some("a text that is not UTF-8")),
            }
        }
        if readings.is_empty() {
            let why = why.unwrap_or("there are none");
            return Err(OpenError::Seeds(format!(
                "none of the seeds can be read by the interpreter; of the first: {why}"
            )));
        }
        Ok(Box::new(Interpreted {
            complete: Complete::new(dialect, options, transactions, 0),
            readings,
            numbers,
        }))
    }
}

impl Interpreted {
    fn case(&self, at: usize, choices: &mut Choices) -> Result<Case, Reject> {
        let (seed, reading) = &self.readings[at];
        let case = self.complete.case_of(reading, choices)?;
        Ok(case.made_from([seed]))
    }
}

impl Space for Interpreted {
    fn sample(&self, choices: &mut Choices) -> Result<Case, Reject> {
        let at = choices.arm_of(SEED_ARM, &self.numbers)?;
        self.case(at, choices)
    }

    /// One case of each seed that can be read, always with the same
    /// transactions.
    fn len(&self) -> Option<BigUint> {
        Some(BigUint::from(self.readings.len()))
    }

    fn nth(&self, index: &BigUint) -> Result<Case, Reject> {
        match usize::try_from(index) {
            Ok(at) if at < self.readings.len() => self.case(at, &mut Choices::seeded(0, at as u64)),
            _ => Err(Reject::NotApplicable("an index beyond the last seed")),
        }
    }
}
