//! A small SMT solver for Bool: reads a script, decides it by trying every
//! assignment, and has planted bugs.

mod bugs;
mod decide;
mod script;
mod soft;
mod syntax;
mod term;

pub use script::run;
