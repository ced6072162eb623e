//! One file per subcommand.

pub(crate) mod bank;
pub(crate) mod bisect;
pub(crate) mod bug;
pub(crate) mod certify;
pub(crate) mod check;
pub(crate) mod count;
mod decide;
pub(crate) mod dedup;
pub(crate) mod evm;
pub(crate) mod evolve;
pub(crate) mod findings;
mod gate;
pub(crate) mod generate;
pub(crate) mod hunt;
pub(crate) mod label;
pub(crate) mod list;
pub(crate) mod merge;
pub(crate) mod prove;
pub(crate) mod queue;
pub(crate) mod reduce;
pub(crate) mod replay;
pub(crate) mod report;
pub(crate) mod serve;
pub(crate) mod spec;
pub(crate) mod targets;
mod workbench;
pub(crate) mod worker;
