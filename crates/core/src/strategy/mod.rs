//! Strategies that know no language.

mod files;

pub use files::{Files, known_of};
