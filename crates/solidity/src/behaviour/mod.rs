//! Contracts whose behaviour is known: programs, transactions, and what the
//! interpreter says that they show.

mod assigned;
mod complete;
mod copies;
mod expressions;
mod interpreted;
mod mend;
mod rehearsal;
mod repair;
mod spice;
mod spots;
mod stage;
mod strategy;
mod tell;
mod terms;
mod text;
mod values;

pub(crate) use stage::Stage;

pub use assigned::{Assigned, Sizes};
pub use complete::Complete;
pub use copies::{Copies, CopiesSizes};
pub use expressions::Expressions;
pub use interpreted::InterpretedStrategy;
pub use strategy::{
    AssignedStrategy, CompleteStrategy, CopiesStrategy, ExpressionsStrategy, complete,
    complete_options,
};
