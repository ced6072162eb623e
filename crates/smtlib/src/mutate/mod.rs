//! What strategies that change seeds share: the seeds as they were read
//! (`originals`, as many as fit: `held`), changed copies of them (`mutant`), the operators that new
//! terms are made with (`repertoire`), terms of other seeds (`bank`), and
//! how many steps a chain takes (`steps`), terms without variables (`closed`). `swaps` and `tactics` are steps
//! that more than one strategy takes.

pub mod bank;
pub(crate) mod closed;
pub(crate) mod held;
pub(crate) mod mutant;
pub(crate) mod originals;
pub(crate) mod repertoire;
pub(crate) mod sites;
pub(crate) mod steps;
pub(crate) mod swaps;
pub(crate) mod tactics;
pub(crate) mod view;
