//! Everything that touches the world: processes, targets, campaigns, the store, reports.
//!
//! The flow: a [`plan`] names strategies, seeds and targets; a [`campaign`]
//! makes cases, runs the [`target`]s in [`process`]es and judges; the
//! [`store`] keeps what was seen; a [`finding`] is all symptoms of one
//! signature; [`reduce`] makes its case smaller; a [`report`] shows them;
//! [`triage`] says which of them upstream wants to hear of, and writes that.

pub mod atomic;
pub mod bisect;
pub mod campaign;
pub mod certificate;
pub mod clock;
mod diff;
pub mod evolve;
pub mod failpoint;
pub mod fault;
pub mod finding;
pub mod folder;
pub mod gate;
pub mod install;
pub mod label;
mod labels;
mod outcome_text;
pub mod parallel;
pub mod plan;
pub mod process;
pub mod prove;
pub mod quantity;
pub mod record;
pub mod reduce;
pub mod registry;
pub mod report;
pub mod resolved;
pub mod schedule;
pub mod seeds;
pub mod setting_files;
pub mod store;
pub mod target;
mod toml_file;
pub mod triage;
mod visible;
pub mod work;
