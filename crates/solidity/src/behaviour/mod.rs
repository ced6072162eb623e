//! Contracts whose behaviour is known: programs, transactions, and what the
//! interpreter says that they show.

mod assigned;
mod complete;
mod copies;
mod expressions;
mod interpreted;
mod mend;
mod moves;
mod played;
mod rehearsal;
mod repair;
mod scene;
mod spice;
mod strategy;
mod tell;
mod text;
mod varied;

pub use assigned::{Assigned, Sizes};
pub use complete::Complete;
pub use copies::{Copies, CopiesSizes};
pub use expressions::Expressions;
pub use interpreted::InterpretedStrategy;
pub(crate) use played::{Transaction, goes_through};
pub use strategy::{
    ASSIGNED, COMPLETE, COPIES, EXPRESSIONS, KnownStrategy, complete, complete_options,
};
pub(crate) use strategy::{
    DEPTH, SOLC, dialect_with, number as read_number, number_from as read_number_from,
};
