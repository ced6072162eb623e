//! Targets: the processors under test, described by data.
//!
//! A [`Family`] is one TOML file; the [`Catalogue`] is all of them, built in
//! and the user's; a [`Target`] is a family in one version and one variant,
//! installed and ready to run. [`read_outcome`] turns what a process did into
//! an [`lydite_core::Outcome`] by the rules of the file.

mod batch;
mod catalogue;
mod family;
mod file;
mod get;
mod idle;
mod kept;
mod known;
mod make;
mod policy;
mod read;
mod run;
mod serve;
mod site;

pub use catalogue::version_set;
pub use catalogue::{Catalogue, ResolveError};
pub use family::{
    AllowedOption, AnswerKind, DialectRule, Family, Limit, MemoryRule, Messages, Normalise, Read,
    Run, Smoke, Step, Variant, VersionRun, Warm,
};
pub use get::{Also, From, Get};
pub use idle::Idle;
pub use kept::KeptAnswers;
pub use known::Known;
pub use lydite_core::version::{Bound, Version, VersionSet, VersionSetError};
pub use make::Maker;
pub(crate) use policy::TITLE_PARTS;
pub use policy::{Field, Form, Item, Markup, Policy, Section};
pub use read::{Frame, Reading, read_outcome};
pub use run::{Description, Reproduction, ReproductionStep, RunLimits, Target};
