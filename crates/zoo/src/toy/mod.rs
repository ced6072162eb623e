//! A tiny language, for a compiler with a compile step and a run step and for
//! an interpreter.
//!
//! ```text
//! let x = 7; while x > 0 { if x % 2 == 0 { print x; } else { print 0 - x; } x = x - 1; }
//! ```
//!
//! Numbers are 64 bits wide and wrap around. Division by zero and more than a
//! million steps end a program with a message and status 1. Blocks open no
//! scope.

mod code;
mod compile;
mod lexer;

pub use code::{Instruction, Machine, read_code, write_code};
pub use compile::{Options, compile};
