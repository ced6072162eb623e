//! From findings to reports: what people decided about them, what upstream
//! wants to hear of, and the report in the form that upstream asks for.

mod decision;

pub use decision::{Act, Decision, Mark, Standing, Status, StatusError, last_holding};
