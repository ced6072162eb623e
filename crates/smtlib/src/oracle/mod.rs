//! Oracles that know SMT-LIB.

mod core;
mod model;
mod objective;
mod under;

pub use core::CoreOracle;
pub use model::ModelOracle;
pub use objective::ObjectiveOracle;
