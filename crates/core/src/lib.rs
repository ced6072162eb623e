//! The words and contracts that every part of Lydite speaks.
//!
//! This crate is pure: no files, no processes, no clock, no ambient
//! randomness. The flow is: a [`Strategy`] opens a [`Space`] of [`Case`]s;
//! the lab runs each case on targets and fills a [`Table`] of
//! [`Observation`]s; an [`Oracle`] reads case and table and returns
//! [`Symptom`]s; a symptom's [`Signature`] says which bug it is.

pub mod case;
pub mod choices;
pub mod claim;
mod edit;
pub mod fault;
pub mod language;
mod lots;
pub mod nearest;
pub mod observation;
pub mod oracle;
mod plain_edits;
pub mod quantity;
mod reject;
pub mod remark;
mod seed;
pub mod signature;
pub mod space;
pub mod strategy;
pub mod symptom;
pub mod target;
pub mod version;
pub mod visible;

pub use case::{Case, Program, SourceFile};
pub use choices::{Choice, Choices, Odometer, Tape, TapePosition};
pub use claim::{Answer, Claim, Verdict};
pub use edit::Edit;
pub use language::{LANGUAGE_FILE, Language, PlainLanguage};
pub use lots::{Arm, Lots, SEED_ARM};
pub use observation::{Capture, Exit, Observation, Outcome, Role, Table};
pub use oracle::Oracle;
pub use reject::Reject;
pub use remark::{Judgement, Remark};
pub use seed::Seed;
pub use signature::Signature;
pub use space::{
    CaseTree, Obligation, OpenError, Part, PlainSurface, SeedNeed, Setting, SettingFile,
    SettingKind, Settings, SmallerTree, Space, Strategy, further_key,
};
pub use symptom::{Kind, Symptom};
pub use target::TargetName;

/// A natural number without bound: sizes of spaces and indices into them.
pub type BigUint = dashu_int::UBig;
