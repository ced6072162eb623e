//! Small processors with planted bugs and bad manners, for Lydite's own tests.
//!
//! Without `--bug` every processor here is right. What can be switched on
//! stands in one table, [`bugs::BUGS`], which `--list-bugs` prints and the
//! tests read. Like the real ones, these processors read hostile input: no
//! parser here recurses over the depth of what it reads.

pub mod bugs;
pub mod solver;
pub mod toy;
