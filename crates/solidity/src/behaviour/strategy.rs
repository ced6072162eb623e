//! Strategy `complete`.

use std::sync::Arc;

use lydite_core::{
    Case, Choices, Language, OpenError, Reject, Seed, SeedNeed, Setting, Settings, Space, Strategy,
};

use super::Complete;
use crate::generate::Options;
use crate::version::{Dialect, NEWEST};

/// Features that the interpreter knows.
const FEATURES: &str =
    "all,-try,-assembly,-encoding,-function-types,-receive,-smt,-files,-intrinsics";

/// Most programs are beyond the interpreter in one way or another: so many are
/// drawn until one is not.
const TRIES: usize = 20;

/// Makes contracts and transactions whose behaviour is known.
#[derive(Debug)]
pub struct CompleteStrategy;

struct Drawn(Complete);

impl Strategy for CompleteStrategy {
    fn name(&self) -> &'static str {
        "complete"
    }

    fn about(&self) -> &'static str {
        "contracts with control structures and transactions, and what they must show"
    }

    fn language(&self) -> Option<&'static str> {
        Some("solidity")
    }

    fn seeds(&self) -> SeedNeed {
        SeedNeed::None
    }

    fn settings(&self) -> &'static [Setting] {
        const SETTINGS: &[Setting] = &[
            Setting::value("solc", NEWEST, "the version that programs are made for"),
            Setting::value("transactions", "8", "transactions of a case"),
            Setting::value("contracts", "2", "contracts of a program"),
            Setting::value("functions", "2", "functions of a contract"),
            Setting::value(
                "variables",
                "3",
                "state variables of a contract to begin with",
            ),
            Setting::value("statements", "6", "statements of a function"),
            Setting::value("depth", "3", "how deep expressions are nested"),
            Setting::value("widths", "6", "sizes of integers: 6 powers of two, 32 all"),
            Setting::value("features", FEATURES, "what programs contain"),
        ];
        SETTINGS
    }

    fn open(
        &self,
        _: Arc<dyn Language>,
        _: Arc<[Seed]>,
        settings: &Settings,
    ) -> Result<Box<dyn Space>, OpenError> {
        Ok(Box::new(Drawn(complete(settings)?)))
    }
}

/// What the settings ask for.
pub fn complete(settings: &Settings) -> Result<Complete, OpenError> {
    let expected = "a version of solc, such as 0.8.20";
    let version: String = settings.read("solc", expected, NEWEST.to_string())?;
    let dialect: Dialect = version.parse().map_err(|_| OpenError::BadSetting {
        key: "solc".to_string(),
        value: version.clone(),
        expected: expected.to_string(),
    })?;
    let transactions = settings.read("transactions", "a number of transactions", 8)?;
    let options = Options::read_with(settings, FEATURES)?;
    Ok(Complete::new(dialect, options, transactions))
}

impl Space for Drawn {
    fn sample(&self, choices: &mut Choices) -> Result<Case, Reject> {
        let mut last = Reject::OutOfChoices;
        for _ in 0..TRIES {
            match self.0.case(choices) {
                Err(reject @ Reject::NotApplicable(_)) => last = reject,
                drawn => return drawn,
            }
        }
        Err(last)
    }
}
