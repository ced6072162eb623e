//! Strategies that make SMT-LIB.

pub mod fusion;
pub mod ground;
mod stocks;
