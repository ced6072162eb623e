//! Strategies of known behaviour that need no seeds: `assigned`, `complete`,
//! `copies`, `expressions` and `yul`. They differ in their settings and in what
//! is drawn.

use std::sync::Arc;

use lydite_core::{
    Case, Choices, Language, OpenError, PlainSurface, Reject, Seed, SeedNeed, Setting, Settings,
    Space, Strategy,
};

use super::{Assigned, Complete, Copies, CopiesSizes, Expressions, Sizes};
use crate::equivalent::{MUTATIONS, Variation};
use crate::generate::{COMPUTED, Options, Vocabulary, WEIGHTS};
use crate::sizes::{ProgramSizes, SIZES};
use crate::types::{ADDRESSES, BOOLS, Domain, FIXED, INTS, UINTS, VALUES};
use crate::version::{Dialect, Feature, NEWEST};

/// Features that the interpreter knows.
const FEATURES: &str = "all,-assembly,-smt,-open-libraries,-anonymous";

/// Most programs are beyond the interpreter in one way or another: so many are
/// drawn until one is not.
const TRIES: usize = 20;

/// A strategy that draws contracts and transactions whose behaviour is known.
#[derive(Debug)]
pub struct KnownStrategy {
    pub(crate) name: &'static str,
    pub(crate) about: &'static str,
    pub(crate) language: &'static str,
    pub(crate) settings: &'static [Setting],
    pub(crate) open: fn(&Settings) -> Result<Box<dyn Space>, OpenError>,
}

impl Strategy for KnownStrategy {
    fn name(&self) -> &'static str {
        self.name
    }

    fn about(&self) -> &'static str {
        self.about
    }

    fn language(&self) -> Option<&'static str> {
        Some(self.language)
    }

    fn plain_surface_of(&self, _: &Settings) -> PlainSurface {
        PlainSurface {
            extension: Some(self.language.to_string()),
            line_comment: Some("//".to_string()),
        }
    }

    fn seeds(&self) -> SeedNeed {
        SeedNeed::None
    }

    fn settings(&self) -> &'static [Setting] {
        self.settings
    }

    fn open(
        &self,
        _: Arc<dyn Language>,
        _: Arc<[Seed]>,
        settings: &Settings,
    ) -> Result<Box<dyn Space>, OpenError> {
        (self.open)(settings)
    }
}

/// Makes random contracts and transactions for them.
pub const COMPLETE: KnownStrategy = KnownStrategy {
    name: "complete",
    about: "random contracts with control structures, with transactions and what these must show",
    language: "solidity",
    settings: &[
        SOLC,
        Setting::value("transactions", "8", "how many transactions a case has"),
        Setting::value("contracts", "2", "how many contracts a program has"),
        Setting::value("functions", "2", "how many functions a contract has"),
        Setting::value(
            "variables",
            "3",
            "how many state variables a contract has at first; more are added as needed",
        ),
        Setting::value("statements", "6", "how many statements a function has"),
        DEPTH,
        WIDTHS,
        Setting::value(
            "parameters",
            "3",
            "how many parameters a function has at most",
        ),
        Setting::value(
            "slots",
            "8",
            "how many parameters, results and local variables a function has at most, together",
        ),
        SIZES,
        Setting::value(
            "failures",
            "1",
            "of ten places where a transaction fails, how many stay as they are",
        ),
        Setting::value(
            "effects",
            "10",
            "in how many per cent of the argument lists one argument changes what another reads",
        ),
        Setting::value(
            "features",
            FEATURES,
            "what programs contain: all, paper or none, then names to add or -names to leave out",
        ),
        WEIGHTS,
    ],
    open: |settings| Ok(Box::new(complete(settings)?)),
};

/// Makes sequences of assignments with their checks.
pub const ASSIGNED: KnownStrategy = KnownStrategy {
    name: "assigned",
    about: "random contracts of assignments, each followed by a check of the value it must leave",
    language: "solidity",
    settings: &[
        SOLC,
        Setting::value(
            "functions",
            "3",
            "how many functions a contract has; each is called once",
        ),
        Setting::value("variables", "6", "how many state variables a contract has"),
        Setting::value("statements", "5", "how many assignments a function has"),
        Setting::value(
            "checks",
            "events",
            "what a check that fails does: events, or asserts (half of the functions then end with one that fails)",
        ),
        Setting::value(
            "variants",
            "0",
            "how many variants with new code that changes nothing a case has at most",
        ),
        MUTATIONS,
        DEPTH,
        WIDTHS,
        TYPES,
        SIZES,
    ],
    open: |settings| {
        let sizes = Sizes {
            functions: number(settings, "functions", 3, 200)?,
            variables: number(settings, "variables", 6, 200)?,
            statements: number(settings, "statements", 5, 1000)?,
            sizes: ProgramSizes::read(settings)?,
            asserts: checks_assert(settings)?,
        };
        let variation = Variation::read(settings, 0)?;
        let varied = (variation.variants > 0).then_some(variation);
        Ok(Box::new(Assigned::new(
            vocabulary(settings)?,
            sizes,
            varied,
        )))
    },
};

/// Packs expressions into contracts.
pub const EXPRESSIONS: KnownStrategy = KnownStrategy {
    name: "expressions",
    about: "many expressions in one contract, each called with many operands, and what it must return",
    language: "solidity",
    settings: &[
        SOLC,
        Setting::value("functions", "40", "how many expressions a contract has"),
        Setting::value(
            "calls",
            "50",
            "how often each expression is called, with different operands",
        ),
        DEPTH,
        WIDTHS,
        TYPES,
        SIZES,
    ],
    open: |settings| {
        let functions = number(settings, "functions", 40, 1000)?;
        let calls = number(settings, "calls", 50, 1000)?;
        let vocabulary = vocabulary(settings)?;
        let sizes = ProgramSizes::read(settings)?;
        Ok(Box::new(Expressions::new(
            vocabulary, functions, calls, sizes,
        )))
    },
};

/// Moves data between storage, memory and calldata.
pub const COPIES: KnownStrategy = KnownStrategy {
    name: "copies",
    about: "random contracts that copy, grow, cut and encode arrays, structs and texts, and what these must hold",
    language: "solidity",
    settings: &[
        SOLC,
        Setting::value("variables", "3", "how many state variables a contract has"),
        Setting::value(
            "functions",
            "6",
            "how many functions that move data a contract has",
        ),
        Setting::value(
            "statements",
            "5",
            "how many statements a function has at most",
        ),
        Setting::value(
            "transactions",
            "20",
            "how many calls of such functions a case has",
        ),
        Setting::value(
            "across-end",
            "0",
            "how many of a hundred contracts have an array across the end of storage",
        ),
        WIDTHS,
        SIZES,
    ],
    open: |settings| {
        let needed = "a version that encodes nested types: 0.5.0 or newer";
        let dialect = dialect_with(settings, Feature::AbiDecode, needed)?;
        let sizes = CopiesSizes {
            variables: number(settings, "variables", 3, 50)?,
            functions: number(settings, "functions", 6, 50)?,
            statements: number(settings, "statements", 5, 100)?,
            transactions: number(settings, "transactions", 20, 1000)?,
            across_end: share(settings, "across-end", 0, 100)?,
            sizes: ProgramSizes::read(settings)?,
        };
        let widths = number(settings, "widths", 6, 32)? as u8;
        Ok(Box::new(Copies::new(dialect, widths, sizes)))
    },
};

pub(crate) const SOLC: Setting = Setting::value(
    "solc",
    NEWEST,
    "the version of solc that programs are made for",
);
pub(crate) const DEPTH: Setting = Setting::value("depth", "3", "how deep expressions are nested");
const WIDTHS: Setting = Setting::value(
    "widths",
    "6",
    "how many sizes of integers and fixed bytes: 6 are the powers of two, 32 are all",
);
const TYPES: Setting = Setting::value(
    "types",
    "all",
    "which types variables have: all, or some of uint, int, bytes, bool, address",
);

/// What the settings ask for.
pub fn complete(settings: &Settings) -> Result<Complete, OpenError> {
    let dialect = dialect(settings)?;
    let transactions = settings.read("transactions", "a number of transactions", 8)?;
    let options = complete_options(settings)?;
    let effects = share(settings, "effects", 10, 100)?;
    let failures = share(settings, "failures", 1, 10)?;
    Ok(Complete::new(dialect, options, transactions, effects).failing(failures))
}

/// Sizes and features of programs, as settings of `complete` ask for them.
pub fn complete_options(settings: &Settings) -> Result<Options, OpenError> {
    Ok(Options {
        is_known: true,
        ..Options::read_with(settings, FEATURES)?
    })
}

impl Space for Complete {
    fn sample(&self, choices: &mut Choices) -> Result<Case, Reject> {
        let mut last = Reject::OutOfChoices;
        for _ in 0..TRIES {
            match self.case(choices) {
                Err(reject @ Reject::NotApplicable(_)) => last = reject,
                drawn => return drawn,
            }
        }
        Err(last)
    }
}

impl Space for Assigned {
    fn sample(&self, choices: &mut Choices) -> Result<Case, Reject> {
        self.case(choices)
    }
}

impl Space for Expressions {
    fn sample(&self, choices: &mut Choices) -> Result<Case, Reject> {
        self.case(choices)
    }
}

impl Space for Copies {
    fn sample(&self, choices: &mut Choices) -> Result<Case, Reject> {
        self.case(choices)
    }
}

pub(crate) fn dialect(settings: &Settings) -> Result<Dialect, OpenError> {
    let expected = "a version of solc, such as 0.8.20";
    let version: String = settings.read("solc", expected, NEWEST.to_string())?;
    version.parse().map_err(|_| OpenError::BadSetting {
        key: "solc".to_string(),
        value: version.clone(),
        expected: expected.to_string(),
    })
}

/// The version of the settings, which must have a feature.
pub(crate) fn dialect_with(
    settings: &Settings,
    feature: Feature,
    expected: &str,
) -> Result<Dialect, OpenError> {
    let dialect = dialect(settings)?;
    match dialect.has(feature) {
        true => Ok(dialect),
        false => Err(OpenError::BadSetting {
            key: SOLC.key.to_string(),
            value: dialect.version().to_string(),
            expected: expected.to_string(),
        }),
    }
}

/// Families of types by their names.
const FAMILIES: [(&str, Domain); 6] = [
    ("all", VALUES),
    ("uint", UINTS),
    ("int", INTS),
    ("bytes", FIXED),
    ("bool", BOOLS),
    ("address", ADDRESSES),
];

pub(crate) fn number(
    settings: &Settings,
    key: &str,
    default: u32,
    most: u32,
) -> Result<u32, OpenError> {
    number_from(settings, key, default, 1, most)
}

pub(crate) fn number_from(
    settings: &Settings,
    key: &str,
    default: u32,
    least: u32,
    most: u32,
) -> Result<u32, OpenError> {
    let expected = format!("a number from {least} to {most}");
    let given = settings.read(key, &expected, default)?;
    if (least..=most).contains(&given) {
        return Ok(given);
    }
    Err(OpenError::BadSetting {
        key: key.to_string(),
        value: given.to_string(),
        expected,
    })
}

/// So many of `most`, or none.
fn share(settings: &Settings, key: &str, default: u64, most: u64) -> Result<u64, OpenError> {
    let expected = format!("a number from 0 to {most}");
    let given = settings.read(key, &expected, default)?;
    if given <= most {
        return Ok(given);
    }
    Err(OpenError::BadSetting {
        key: key.to_string(),
        value: given.to_string(),
        expected,
    })
}

/// True if checks are to be assertions, whose failure tells its reason from 0.8.0 on.
fn checks_assert(settings: &Settings) -> Result<bool, OpenError> {
    let given: String = settings.read("checks", "events or asserts", "events".to_string())?;
    match given.as_str() {
        "events" => Ok(false),
        "asserts" => {
            dialect_with(
                settings,
                Feature::Unchecked,
                "0.8.0 or newer, for assertions",
            )?;
            Ok(true)
        }
        _ => Err(OpenError::BadSetting {
            key: "checks".to_string(),
            value: given,
            expected: "events or asserts".to_string(),
        }),
    }
}

fn vocabulary(settings: &Settings) -> Result<Vocabulary, OpenError> {
    let given: String = settings.read("types", "families of types", "all".to_string())?;
    let mut families = 0;
    for name in given.split(',') {
        let known = FAMILIES.iter().find(|(known, _)| *known == name.trim());
        let (_, family) = known.ok_or_else(|| OpenError::BadSetting {
            key: "types".to_string(),
            value: given.clone(),
            expected: "all, or some of uint, int, bytes, bool, address".to_string(),
        })?;
        families |= family;
    }
    let widths = number(settings, "widths", 6, 32)? as u8;
    let depth = number(settings, "depth", 3, 12)?;
    let dialect = dialect(settings)?;
    Ok(Vocabulary::new(&COMPUTED, dialect, widths, families, depth))
}
