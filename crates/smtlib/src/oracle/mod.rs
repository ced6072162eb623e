//! Oracles that know SMT-LIB.

mod core;
mod model;
mod under;

pub use core::CoreOracle;
pub use model::ModelOracle;
