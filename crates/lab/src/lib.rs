//! Everything that touches the world: processes, targets, campaigns, the store, reports.

pub mod process;
