//! The facts of a campaign, with their types: finished cases, symptoms, what
//! people decided, who did the work and with what.
//!
//! Everything here can be written down and read back, and knows neither files
//! nor databases. The store depends on it alone; a campaign
//! fills it, a worker sends it, a merge is recording it again.

mod case;
mod decision;
mod done;
mod failure;
mod schedule;
mod session;
mod signature;
mod symptom;
mod trigger;
mod version;

pub use case::{
    CaseRecord, RemarkRecord, RunRecord, Runs, drop_needless_triggers, outcome_number, verdicts,
};
pub use decision::{Act, Decision, Mark, Standing, Status, StatusError, last_holding};
pub use done::Done;
pub use failure::{Failure, FailureError};
pub use schedule::{
    ArmShare, Arms, ArmsError, ConfirmedSignature, DecisionShare, KEPT_ARM, LIMIT_ARM, ScheduleId,
    ScheduleRecord, StrategyShare, Tally,
};
pub use session::{Provenance, SessionRecord, Spent, TargetProvenance};
pub use signature::{APART_FACT, OPTIONS_FACT, apart, fact, id_of, options_of, whole};
pub use symptom::{CaseSize, Replays, SymptomRecord};
pub use trigger::{SeedRecord, TriggerFile, TriggerRecord, TriggerRun};
pub use version::{Seen, VersionRun};
