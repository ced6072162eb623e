//! Placeholders for qualifiers, constraints on them, and all their solutions.
//!
//! The way of a constraint set (sections 3.2 and 3.3 of the ERWIN paper):
//! the rules push relations between placeholders of expressions and
//! declarations ([`ConstraintSet`]); [`reduce()`] leaves those of declarations
//! (algorithm 2); [`Solutions`] counts, numbers and walks what satisfies
//! them, by propagation and not by trial.

mod constraint;
mod reduce;
mod solve;
mod theory;

pub use constraint::{Constraint, ConstraintSet, Kind, Level, Placeholder};
pub use reduce::{Reduced, reduce};
pub use solve::{Solutions, TooLarge};
pub(crate) use theory::writable;
pub use theory::{Relation, Theory};
