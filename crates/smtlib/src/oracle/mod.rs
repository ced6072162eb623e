//! Oracles that know SMT-LIB.

mod core;
mod model;

pub use core::CoreOracle;
pub use model::ModelOracle;
