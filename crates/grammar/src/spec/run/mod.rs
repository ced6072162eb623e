//! Values of spec functions, and the machine that computes them.
//!
//! Values are small (two words), persistent, and cheap to copy: texts are
//! numbers into a table, everything larger is shared. All are ordered, and
//! nothing that a spec can see depends on addresses or hashes.

mod builtin;
mod machine;
mod map;
mod numbers;
mod texts;
mod value;

pub(crate) use builtin::Builtin;
pub(crate) use machine::{Code, Constant, Fault, FaultKind, Machine, NoSources, Op, Sources};
pub(crate) use value::Value;
