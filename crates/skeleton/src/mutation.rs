//! What the strategies that change seeds have in common: seeds of any language
//! that has skeletons, one setting that is a number, and programs that their
//! language may refuse.

use std::sync::Arc;

use lydite_core::{Language, OpenError, Seed, SeedNeed, Setting, Settings, Space, Strategy};

use crate::delete::DeleteSpace;
use crate::extract::Dialect;
use crate::retype::RetypeSpace;
use crate::splice::SpliceSpace;
use crate::strategy::{dialect_of, number};

/// A strategy that changes seeds: one of [`DELETE`], [`RETYPE`] and [`SPLICE`].
pub struct Mutation {
    name: &'static str,
    about: &'static str,
    /// The one setting, whose value is a number from 1 to `most`.
    settings: &'static [Setting],
    most: u64,
    open: Open,
}

/// Opens the space over seeds, with the setting's number and the ending of programs.
type Open = fn(&Dialect, &[Seed], u64, &str) -> Result<Box<dyn Space>, OpenError>;

/// Strategy `splice`: pieces of seeds in the places of others.
pub const SPLICE: Mutation = Mutation {
    name: "splice",
    about: "pieces of a seed become pieces of others, with the variables that can be seen there",
    settings: &[Setting::value(
        "pieces",
        "4",
        "how many pieces of a seed are replaced at most",
    )],
    most: u64::MAX,
    open: |dialect, seeds, most, extension| {
        Ok(Box::new(SpliceSpace::read(
            dialect, seeds, most, extension,
        )?))
    },
};

/// Strategy `delete`: statements that a run never reached are taken out.
pub const DELETE: Mutation = Mutation {
    name: "delete",
    about: "statements that a run of the seed never reached are taken out: the output stays",
    settings: &[Setting::value(
        "variants",
        "2",
        "how many variants a case has at most, beside the seed",
    )],
    // More are never asked for by somebody who means it.
    most: 100,
    open: |dialect, seeds, variants, extension| {
        let space = DeleteSpace::read(dialect, seeds, variants, extension)?;
        Ok(Box::new(space))
    },
};

/// Strategy `retype`: types and qualifiers of declarations become others.
pub const RETYPE: Mutation = Mutation {
    name: "retype",
    about: "types and qualifiers of declarations become others: nearly valid, mostly to be refused",
    settings: &[Setting::value(
        "holes",
        "3",
        "how many types and qualifiers of a seed are exchanged at most",
    )],
    most: u64::MAX,
    open: |dialect, seeds, most, extension| {
        Ok(Box::new(RetypeSpace::read(
            dialect, seeds, most, extension,
        )?))
    },
};

impl Strategy for Mutation {
    fn name(&self) -> &'static str {
        self.name
    }

    fn about(&self) -> &'static str {
        self.about
    }

    fn language(&self) -> Option<&'static str> {
        None
    }

    fn seeds(&self) -> SeedNeed {
        SeedNeed::AtLeast(1)
    }

    fn settings(&self) -> &'static [Setting] {
        self.settings
    }

    /// What comes together may not fit, and a variant may lack what another
    /// part of it needs.
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
        let number = number(settings, &self.settings[0], self.most)?;
        let extension = language.extensions().first().copied().unwrap_or("txt");
        (self.open)(dialect, &seeds, number, extension)
    }
}
