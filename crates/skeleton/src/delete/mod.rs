//! Strategy `delete`: statements that a run never reached are taken out
//! (Le, Afshari and Su, *Compiler Validation via Equivalence Modulo Inputs*).
//!
//! A program and one that lacks some of these statements do the same. Which
//! they are is found out once, by `lydite profile`: [`Probed`] is the program
//! with a probe before every statement, and what its run shows becomes the
//! [`DeadCode`] that is kept in comments behind the seed's text.
//!
//! What statements are, and which of them must stay, is said by the captures
//! of the language's query; how a probe is written, by a row of [`probing`].

mod dead_code;
mod probed;
mod probing;
mod space;
mod statements;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use lydite_core::{Language, OpenError, Seed, SeedNeed, Setting, Settings, Space, Strategy};

pub use dead_code::{DeadCode, DeadCodeError};
pub use probed::Probed;
pub use statements::CannotDelete;

use crate::strategy::dialect_of;
use space::DeleteSpace;

/// Strategy `delete`: statements that a run never reached are taken out.
pub struct Delete;

/// How many variants a case has at most, unless it is set.
const VARIANTS: u64 = 2;

/// More than that are never asked for by somebody who means it.
const MAX_VARIANTS: u64 = 100;

const SETTINGS: &[Setting] = &[Setting::value(
    "variants",
    "2",
    "how many variants a case has at most, beside the seed",
)];

impl Strategy for Delete {
    fn name(&self) -> &'static str {
        "delete"
    }

    fn about(&self) -> &'static str {
        "statements that a run of the seed never reached are taken out: the output stays"
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

    /// A variant may lack what another part of it needs.
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
        let variants: u64 = settings.read("variants", "a number of variants", VARIANTS)?;
        if variants == 0 || variants > MAX_VARIANTS {
            return Err(OpenError::BadSetting {
                key: "variants".to_string(),
                value: variants.to_string(),
                expected: format!("1 to {MAX_VARIANTS}"),
            });
        }
        let extension = language.extensions().first().copied().unwrap_or("txt");
        let space = DeleteSpace::read(dialect, &seeds, variants, extension)?;
        Ok(Box::new(space))
    }
}
