//! Values of spec functions, and the machine that computes them.
//!
//! Values are small (two words), persistent, and cheap to copy: texts are
//! numbers into a table, everything larger is shared. All are ordered, and
//! nothing that a spec can see depends on addresses or hashes.

mod builtin;
mod code;
mod fuse;
mod machine;
mod map;
mod numbers;
mod show;
mod texts;
mod value;
mod wide;

pub(crate) use builtin::Builtin;
pub(crate) use code::{Code, Constant, Op};
pub(crate) use fuse::fuse;
pub(crate) use machine::{Fault, FaultKind, Machine, NoSources, Sources};
pub(crate) use value::Value;
