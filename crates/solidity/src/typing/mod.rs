//! What type an expression has, and where its data is.
//!
//! `typing` alone knows it of every kind of expression, in terms of
//! declarations and operands. Whoever reads it puts in what the gaps hold: the
//! rules (`crate::rules`) a placeholder for each that is open, and [`Types`]
//! the values of a program whose gaps are closed, for the interpreter, for the
//! reader of programs, and with the witness for the generator.

mod closed;
mod expressions;

pub use closed::{Form, TypedForm, Types};
pub(crate) use closed::{common, extend_forms};
pub(crate) use expressions::{DataOf, KindOf, Typing, delegates, typing};
