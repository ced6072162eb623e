//! Strategy `retype`: types and qualifiers of declarations are holes too
//! (figures 12 (e) and (g) of the paper: a union that is nowhere declared, a
//! parameter of an incomplete structure).
//!
//! Most of the programs have to be refused, and nearly are what they should
//! be: a front end has to find out and to say so. Nothing is claimed of them;
//! crashes and hangs are looked for.

mod space;
mod words;

use std::sync::Arc;

use lydite_core::{Language, OpenError, Seed, SeedNeed, Setting, Settings, Space, Strategy};

use crate::strategy::dialect_of;
use space::RetypeSpace;

/// Strategy `retype`: types and qualifiers of declarations become others.
pub struct Retype;

const SETTINGS: &[Setting] = &[Setting::value(
    "holes",
    "3",
    "how many types and qualifiers of a seed are exchanged at most",
)];

/// How many holes are filled anew at most, unless it is set.
const HOLES: u64 = 3;

impl Strategy for Retype {
    fn name(&self) -> &'static str {
        "retype"
    }

    fn about(&self) -> &'static str {
        "types and qualifiers of declarations become others: nearly valid, mostly to be refused"
    }

    fn language(&self) -> Option<&'static str> {
        None
    }

    fn seeds(&self) -> SeedNeed {
        SeedNeed::AtLeast(1)
    }

    fn settings(&self) -> &'static [Setting] {
        SETTINGS
    }

    /// Most are none.
    fn makes_programs(&self) -> bool {
        false
    }

    fn open(
        &self,
        language: Arc<dyn Language>,
        seeds: Arc<[Seed]>,
        settings: &Settings,
    ) -> Result<Box<dyn Space>, OpenError> {
        let dialect = dialect_of(language.as_ref())?;
        let most: u64 = settings.read("holes", "a number of holes", HOLES)?;
        if most == 0 {
            return Err(OpenError::BadSetting {
                key: "holes".to_string(),
                value: "0".to_string(),
                expected: "at least 1".to_string(),
            });
        }
        let extension = language.extensions().first().copied().unwrap_or("txt");
        let space = RetypeSpace::read(dialect, &seeds, most, extension)?;
        Ok(Box::new(space))
    }
}
