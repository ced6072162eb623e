//! Contracts whose behaviour is known: programs, transactions, and what the
//! interpreter says that they show.

mod complete;
mod strategy;
mod text;

pub use complete::Complete;
pub use strategy::{CompleteStrategy, complete};
