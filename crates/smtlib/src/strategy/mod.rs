//! Strategies that make SMT-LIB.

pub mod ground;
mod stocks;
