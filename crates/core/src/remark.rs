//! What an oracle says besides symptoms: how far it could judge at all.

use crate::{Symptom, TargetName};

/// One answer of a target that an oracle looked at. A campaign counts remarks,
/// so that it says how much of its judging really judged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remark {
    /// The target that answered.
    pub target: TargetName,
    /// Index into [`crate::Case::programs`].
    pub program: usize,
    /// True if the oracle could tell right from wrong.
    pub decided: bool,
    /// What is counted: `model right`, `model open: quantifier`.
    pub what: &'static str,
    /// The details, for people; may be empty.
    pub why: String,
}

/// All that an oracle says of one case.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Judgement {
    /// What is wrong.
    pub symptoms: Vec<Symptom>,
    /// How far it could judge.
    pub remarks: Vec<Remark>,
}
