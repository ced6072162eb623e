//! What is kept: a folder with its lock and every write to it, the facts of
//! cases as records, and the store that holds them.
//!
//! [`folder`] and [`record`] stand on nothing of ours but the words of the
//! core; [`Store`] stands on these two. A signature is read from text here
//! alone.

pub mod atomic;
pub mod clock;
pub mod folder;
pub mod record;
mod store;

pub use store::{
    DAMAGED, DecisionStore, FORMAT, FindingRow, GroupBy, Opened, Order, OutcomeCount, PaceSpan,
    Recorded, Reduction, RemarkCount, SessionPace, Stands, Store, Times, Totals, Wanted, connect,
    connect_to_read, merge, seal, trust_log,
};
