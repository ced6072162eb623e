//! Models that solvers print: read, and checked against the script.
//!
//! How a model gets into an observation: the script asks for it.
//! [`ask_for_models`] puts `(set-option :produce-models true)` in front and
//! `(get-model)` behind each question, or only behind those that are known
//! to be answered `sat`: solvers report an error for the others, and some
//! then stop. The lab therefore asks in a second run, once the verdicts of
//! the first are known. Behind it stands `(get-value …)` for terms that the
//! standard leaves open, where the script has such.

pub(crate) mod aim;
mod ask;
mod ask_core;
mod check;
mod left_out;
pub(crate) mod objectives;
pub(crate) mod optimum;
mod reply;
mod under;
mod universes;
mod values;

pub use ask::ask_for_models;
pub use ask_core::{CoreScript, ask_for_cores, asks_for_cores, core_script, smaller_cores};
pub(crate) use check::values_under;
pub use check::{Check, Printed, Reading, check};
pub(crate) use left_out::asking_for_left_out;
pub use reply::{Reply, replies};
pub(crate) use under::{has_quantifiers, script_under};
