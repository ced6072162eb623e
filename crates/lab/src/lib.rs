//! Everything that touches the world: processes, targets, campaigns, the store, reports.

pub mod plan;
pub mod process;
pub mod quantity;
pub mod seeds;
mod toml_file;
