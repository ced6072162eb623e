//! Campaigns: plans, the engine, findings, reports, reduction, triage, work on findings.
//!
//! The flow: a [`plan`] names strategies, seeds and targets; a [`campaign`]
//! makes cases, runs the targets ([`lydite_target`]) and judges; the
//! store ([`lydite_store`]) keeps what was seen; a [`finding`] is all symptoms of one
//! signature; [`reduce`] makes its case smaller; a [`report`] shows them;
//! [`triage`] says which of them upstream wants to hear of, and writes that.

pub mod bisect;
pub mod campaign;
pub mod compare;
mod diff;
pub mod finding;
pub mod labels;
mod lacks;
pub mod named_file;
pub mod parallel;
pub mod plan;
pub mod reduce;
pub mod registry;
pub mod report;
pub mod resolved;
pub mod schedule;
pub mod seeds;
pub mod setting_files;
pub mod triage;
pub mod work;
