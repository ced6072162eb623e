//! Contracts whose behaviour is known: programs, transactions, and what the
//! interpreter says that they show.

mod complete;
mod text;

pub use complete::Complete;
