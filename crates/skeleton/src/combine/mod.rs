//! The combinatorics of skeletons: holes, and what may fill them.
//!
//! Two fillings are the same pattern of use if one becomes the other when
//! interchangeable variables are renamed among each other (the paper's
//! compact alpha-renaming, section 3.2.2). A [`Shape`] says where holes are
//! and which classes of interchangeable variables each of them sees;
//! [`Fillings`] counts the patterns exactly, numbers them, finds the pattern
//! of a number and the number of a filling, walks through them, and draws
//! them uniformly. One representative stands for each pattern: within a
//! class, variables appear in the order of their numbers (a restricted
//! growth string per class).
//!
//! # How it counts
//!
//! A pattern picks a class for every hole and a restricted growth string
//! within every class. Counted directly that is a sum over all picks of
//! classes. By Burnside's lemma it is also the mean, over all renamings, of
//! the number of fillings that the renaming leaves alone, and that depends
//! only on how many variables of each class it leaves in place. Regions form
//! a tree and a hole sees the classes on the way to the root, so the number
//! of variables left in place above a region is all that the region has to
//! know: a table per region over these numbers, filled from the leaves up,
//! gives the exact count in polynomial time (`table.rs`). The same tables
//! with some variables already told apart count the ways to go on from any
//! beginning, which is what random access needs (`position.rs`); and to draw a
//! renaming and then a filling that it leaves alone is to draw a pattern,
//! which needs no numbers of patterns at all (`draw.rs`).

mod draw;
mod fillings;
mod grid;
mod paper;
mod position;
mod renamings;
mod shape;
mod table;
#[cfg(test)]
mod tests;
mod walk;

pub use fillings::Fillings;
pub use paper::paper_count;
pub use shape::{Hole, Labels, Region, Shape};
pub use table::TooWide;
pub use walk::Walk;
