//! One file per subcommand.

pub(crate) mod bank;
pub(crate) mod bisect;
pub(crate) mod check;
pub(crate) mod count;
pub(crate) mod findings;
pub(crate) mod generate;
pub(crate) mod hunt;
pub(crate) mod label;
pub(crate) mod list;
pub(crate) mod merge;
pub(crate) mod reduce;
pub(crate) mod replay;
pub(crate) mod report;
pub(crate) mod spec;
pub(crate) mod targets;
mod workbench;
