//! From findings to reports: what people decided about them, what upstream
//! wants to hear of, and the report in the form that upstream asks for.

mod bug;
mod group;
mod queue;

pub use bug::Bug;
pub use group::{Clues, Group, Layer, furthest_first, groups, same};
pub use lydite_store::record::{Act, Decision, Mark, Standing, Status, StatusError, last_holding};
pub use queue::{Action, QueueEntry, queue};
