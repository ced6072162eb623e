//! Solidity: programs whose qualifiers are left open, and every valid way to
//! close them.
//!
//! The way of a template (the ERWIN paper, *Bounded Exhaustive Random Program
//! Generation for Testing Solidity Compilers*): [`generate`] draws a program
//! with placeholders for data types, locations, visibilities and
//! mutabilities; [`rules`] says which values of them a compiler accepts (the type of each
//! expression is [`typing`]'s);
//! [`qualify`] reduces these constraints and counts, numbers and draws their
//! solutions; a [`Template`] is all of that together, and [`strategy`] makes
//! cases of it. What a version of the compiler has is a table ([`version`]).
//!
//! What a program does is computed from its syntax ([`interpret`]);
//! [`behaviour`] makes contracts and transactions with what they must show, and
//! [`yul`] such contracts of assembly.

pub mod ast;
pub mod behaviour;
mod counterexample;
pub mod equivalent;
pub mod generate;
pub mod interpret;
pub mod intrinsics;
mod language;
pub mod qualify;
pub mod read;
pub mod rules;
mod safety;
mod same_code;
pub mod sizes;
pub mod strategy;
pub mod template;
mod tokens;
pub mod transactions;
pub mod types;
pub mod typing;
pub mod version;
mod violate;
pub mod yul;

pub use language::Solidity;
pub use safety::SafetyOracle;
pub use same_code::SameCodeOracle;
pub use template::{Maker, Template};
