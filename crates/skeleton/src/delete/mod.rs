//! Strategy `delete`: statements that a run never reached are taken out
//! (Le, Afshari and Su, *Compiler Validation via Equivalence Modulo Inputs*).
//!
//! A program and one that lacks some of these statements do the same. Which
//! they are is found out once, by `lydite profile`: [`Probed`] is the program
//! with a probe before every statement, and what its run shows becomes the
//! [`DeadCode`] that is kept in comments behind the seed's text.
//!
//! What statements are, and which of them must stay, is said by the captures
//! of the language's query; how a probe is written, by a row of [`probing`].

mod dead_code;
mod probed;
mod probing;
mod space;
mod statements;
#[cfg(test)]
mod tests;

pub use dead_code::{DeadCode, DeadCodeError};
pub use probed::Probed;
pub(crate) use space::DeleteSpace;
pub use statements::CannotDelete;
