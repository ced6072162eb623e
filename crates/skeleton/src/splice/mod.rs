//! Strategy `splice`: pieces of a seed become pieces of others, and the
//! variables in them become variables that can be seen where they now are.
//!
//! A piece is a node of the syntax tree. It takes the place of one of the same
//! kind, or of one in the same position (the right side of an assignment, a
//! member of a list of arguments), so that nearly all programs are what the
//! grammar allows; whether they mean anything is for the processor to say. So
//! nothing is claimed of them: what is looked for are crashes and hangs,
//! mostly of front ends.

mod pieces;
mod space;

pub(crate) use space::SpliceSpace;
