//! Variants of a contract that must behave as it does (SOLTIX's equivalence
//! testing, after *Finding Compiler Bugs via Live Code Mutation*).
//!
//! [`flatten()`] makes one text of a contract and what it imports. [`Outline`]
//! finds the statements of it and the variables that are live there.
//! [`instrument`] puts probes before statements; what they show when
//! transactions are run becomes a [`Profile`]: the values that live variables
//! take at each point. From text and profile alone [`Equivalent`] makes
//! variants with code that changes nothing under these transactions. [`in_step`]
//! edits a contract and its variants alike, and [`Ground`] tells whether they
//! are variants still.
//!
//! Whatever is not understood is left alone: a statement that cannot be
//! probed gets no new code.

mod draw;
mod expression;
mod flatten;
mod grown;
mod identity;
mod outline;
mod parts;
mod probe;
mod profile;
mod snippet;
mod stock;
mod strategy;

pub use flatten::{FlattenError, Unit, flatten, imports};
pub use grown::{Ground, Grown, in_step};
pub use outline::{Contract, Held, Outline, OutlineError, Point, Use, Variable};
pub use probe::{PREFIX, Probe, Probes, instrument, limit_loops};
pub use profile::{Profile, ProfileError, Seen};
pub(crate) use stock::{MUTATIONS, Stock, Variation};
pub use strategy::Equivalent;
