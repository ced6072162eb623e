//! Targets: the processors under test, described by data.
//!
//! A [`Family`] is one TOML file; the [`Catalogue`] is all of them, built in
//! and the user's; a [`Target`] is a family in one version and one variant,
//! installed and ready to run. [`read_outcome`] turns what a process did into
//! an [`lydite_core::Outcome`] by the rules of the file.

mod built_in;
mod cache;
mod catalogue;
pub mod corpus;
mod family;
pub mod install;
pub mod outcome_text;
mod read;
mod resolve_error;
mod run;
mod system;
pub mod toml_file;
mod tool;

pub use catalogue::Catalogue;
pub use family::{
    AllowedOption, Also, Build, DialectRule, Family, Field, Form, Get, Item, Known, Limit, Markup,
    MemoryRule, PackageRegistry, Pattern, Policy, Run, Section, Smoke, SourceKind, Step,
    TITLE_PARTS, Variant, VersionQuestion, VersionRule, Warm,
};
pub use lydite_core::version::{Bound, Version, VersionSet, VersionSetError};
pub use read::{AnswerKind, Frame, Messages, Normalise, Read, Reading, read_outcome};
pub use resolve_error::{ResolveError, version_set};
pub use run::{
    AnswerCache, COUNTS, Description, Idle, Maker, Reproduction, ReproductionStep, RunLimits,
    Target,
};
pub use tool::ask_in;
