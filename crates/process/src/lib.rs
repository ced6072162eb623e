//! Running other people's programs, which may have any manners.
//!
//! [`run()`] starts one command in its own process group, drains both its pipes
//! while it waits, holds it to its [`Limits`], and does not return before
//! everything that the command started is dead and reaped: its group is
//! killed while the leader's zombie still holds the group's number, and what
//! left the group (daemons) comes back to us as an orphan, since we are a
//! child subreaper, and is swept up by the tag in its environment.
//!
//! One thread per run, no signal handlers, no `pre_exec` (which would turn
//! `posix_spawn` into `fork` and make a run cost time in proportion to our
//! own memory), no `unsafe`.
//!
//! Whatever else starts a process of its own group from this program has to
//! do so through [`LongLived`]: an unknown child in another group counts as
//! somebody's escaped daemon.

mod child_table;
mod command;
mod dialogue;
pub mod failpoint;
mod head_and_tail;
mod long_lived;
mod patience;
mod pipes;
mod procfs;
mod remove;
mod run;
mod scratch;
mod start;
mod sweep;
mod warden;
mod withdrawn;

pub use command::{Command, Cut, Ended, Limits, Memory};
pub use dialogue::{Dialogue, TEXT_BYTES};
pub use long_lived::LongLived;
pub use remove::remove_whole;
pub use run::run;
pub use scratch::{Folder, Scratch};
pub use withdrawn::Withdrawn;
