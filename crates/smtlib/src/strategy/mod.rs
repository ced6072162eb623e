//! Strategies that make SMT-LIB.

pub mod ground;
mod stocks;
pub mod weaken;
