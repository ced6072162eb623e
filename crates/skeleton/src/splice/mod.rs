//! Strategy `splice`: pieces of a seed become pieces of others, and the
//! variables in them become variables that can be seen where they now are.
//!
//! A piece is a node of the syntax tree. It takes the place of one of the same
//! kind, or of one in the same position (the right side of an assignment, a
//! member of a list of arguments), so that nearly all programs are what the
//! grammar allows; whether they mean anything is for the processor to say. So
//! nothing is claimed of them: what is looked for are crashes and hangs,
//! mostly of front ends.

mod pieces;
mod space;

use std::sync::Arc;

use lydite_core::{Language, OpenError, Seed, SeedNeed, Setting, Settings, Space, Strategy};

use crate::strategy::dialect_of;
use space::SpliceSpace;

/// Strategy `splice`: pieces of seeds in the places of others.
pub struct Splice;

const SETTINGS: &[Setting] = &[Setting::value(
    "pieces",
    "4",
    "how many pieces of a seed are replaced at most",
)];

/// How many pieces are replaced at most, unless it is set.
const PIECES: u64 = 4;

impl Strategy for Splice {
    fn name(&self) -> &'static str {
        "splice"
    }

    fn about(&self) -> &'static str {
        "pieces of a seed become pieces of others, with the variables that can be seen there"
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

    /// What comes together may not fit.
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
        let most: u64 = settings.read("pieces", "a number of pieces", PIECES)?;
        if most == 0 {
            return Err(OpenError::BadSetting {
                key: "pieces".to_string(),
                value: "0".to_string(),
                expected: "at least 1".to_string(),
            });
        }
        let extension = language.extensions().first().copied().unwrap_or("txt");
        let space = SpliceSpace::read(dialect, &seeds, most, extension)?;
        Ok(Box::new(space))
    }
}
