//! Everything that touches the world: processes, targets, campaigns, the store, reports.

pub mod install;
pub mod process;
pub mod target;
