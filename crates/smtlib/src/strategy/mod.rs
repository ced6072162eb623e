//! Strategies that make SMT-LIB.

pub mod bank;
pub mod fusion;
pub mod ground;
pub mod incremental;
pub mod operators;
mod repertoire;
mod rounds;
mod stocks;
pub mod typed;
pub mod weaken;
