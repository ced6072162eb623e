//! Skeletons of programs (Zhang, Sun and Su, *Skeletal Program Enumeration
//! for Rigorous Compiler Testing*): a program whose uses of variables are
//! holes, and every pattern in which its variables can fill them, once.
//!
//! [`combine`] is the combinatorics: it knows holes, classes and scopes, and
//! nothing of programs. [`extract`] reads programs. A [`Skeleton`] joins the
//! two, and the strategy [`Skeletons`] offers it to the workbench.
//!
//! [`SPLICE`] puts pieces of seeds into the places of others, with the same
//! knowledge of which variable can be seen where.
//!
//! [`DELETE`] takes out what a run of a seed never reaches, and [`RETYPE`]
//! exchanges the types and qualifiers of declarations.
//!
//! This crate is pure: programs are read by others.

pub mod combine;
mod deal;
mod delete;
pub mod extract;
mod mutation;
mod options;
mod plan;
mod retype;
mod skeleton;
mod space;
mod splice;
mod strategy;

pub use delete::{CannotDelete, DeadCode, DeadCodeError, Probed};
pub use mutation::{DELETE, Mutation, RETYPE, SPLICE};
pub use options::{Classes, Mode, Options, Types};
pub use skeleton::{Figures, Skeleton};
pub use strategy::Skeletons;
