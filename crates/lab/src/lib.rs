//! Everything that touches the world: processes, targets, campaigns, the store, reports.

pub mod install;
pub mod plan;
pub mod process;
pub mod quantity;
pub mod seeds;
pub mod target;
mod toml_file;
