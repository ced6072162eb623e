//! The program as its users run it: one module per subject.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod lydite;

mod bad_input;
mod builds;
mod campaigns;
mod certify;
mod cluster;
mod cluster_kills;
mod commands;
mod contested;
mod cores;
mod coverage;
mod dead_code;
mod dedup;
mod enumerate;
mod equivalence;
mod evolve;
mod faults;
mod gate;
mod incompleteness;
mod integrity;
mod interpreted;
mod judges;
mod kills;
mod label;
mod names;
mod options;
mod presets;
mod real_solvers;
mod reduce;
mod rejects_valid;
mod rounds;
mod seeds;
mod serve;
mod sites;
mod skeleton;
mod slither;
mod solidity;
mod spec;
mod template;
mod triage;
mod tutorial;
mod two_at_once;
mod warm;
mod wrong_code;
mod wrong_rows;
