//! One process that worked on a campaign: what it worked with, and what that
//! has taken.

use std::time::Duration;

use lydite_core::TargetName;
use serde::{Deserialize, Serialize};

/// One process that did some cases, and what that has taken so far.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SessionRecord {
    /// An id that no other process has, on any machine.
    pub id: String,
    /// When it began, in milliseconds of Unix time.
    pub started_ms: i64,
    /// What it has spent so far.
    pub spent: Spent,
    /// What it worked with.
    pub provenance: Provenance,
}

/// CPU and wall time that one process has spent on the campaign so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spent {
    /// Wall time.
    pub wall: Duration,
    /// CPU time of making cases.
    pub make_cpu: Duration,
    /// CPU time of judging.
    pub judge_cpu: Duration,
    /// CPU time of the targets.
    pub targets_cpu: Duration,
    /// CPU time of our own process, all threads.
    pub own_cpu: Duration,
}

/// Everything whose change could change an answer or how it is read.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Provenance {
    /// The version of lydite.
    pub lydite: String,
    /// The targets, in the order of the plan.
    pub targets: Vec<TargetProvenance>,
}

/// What a target was when it ran.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TargetProvenance {
    /// Its name.
    pub name: TargetName,
    /// The hash of its binary.
    pub binary: String,
    /// The hash of what its target file says of running and reading it, and of
    /// its driver.
    pub definition: String,
}
