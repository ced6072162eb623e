//! What an oracle reports.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::TargetName;

/// The kinds of symptom, with the names that every output uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// Said unsat (or: wrong) where sat is known.
    RefutationUnsound,
    /// Said sat where unsat is known.
    SolutionUnsound,
    /// The model it gave does not satisfy the formula.
    InvalidModel,
    /// The optimum that it gave is none: something is better, or nothing is as good.
    WrongOptimum,
    /// The compiled program does not do what it should.
    WrongOutput,
    /// Targets contradict each other; who is at fault is not decided.
    Disagreement,
    /// It died.
    Crash,
    /// It refuses a valid program.
    RejectsValid,
    /// It accepts an invalid program.
    AcceptsInvalid,
    /// An older version decides, the newer does not.
    IncompleteRegression,
    /// Decided before a step that must keep the answer, undecided after.
    IncompleteImplication,
    /// It does not end where another target ends at once.
    Hang,
    /// Far slower than the reference.
    SlowRegression,
}

impl Kind {
    /// All kinds, gravest first: the order in which findings are listed.
    pub const ALL: [Kind; 13] = [
        Kind::RefutationUnsound,
        Kind::SolutionUnsound,
        Kind::InvalidModel,
        Kind::WrongOptimum,
        Kind::WrongOutput,
        Kind::Disagreement,
        Kind::Crash,
        Kind::RejectsValid,
        Kind::AcceptsInvalid,
        Kind::IncompleteRegression,
        Kind::IncompleteImplication,
        Kind::Hang,
        Kind::SlowRegression,
    ];

    /// The kind's name.
    pub fn name(self) -> &'static str {
        match self {
            Kind::RefutationUnsound => "refutation-unsound",
            Kind::SolutionUnsound => "solution-unsound",
            Kind::InvalidModel => "invalid-model",
            Kind::WrongOptimum => "wrong-optimum",
            Kind::WrongOutput => "wrong-output",
            Kind::Disagreement => "disagreement",
            Kind::Crash => "crash",
            Kind::RejectsValid => "rejects-valid",
            Kind::AcceptsInvalid => "accepts-invalid",
            Kind::IncompleteRegression => "incomplete-regression",
            Kind::IncompleteImplication => "incomplete-implication",
            Kind::Hang => "hang",
            Kind::SlowRegression => "slow-regression",
        }
    }

    /// The kind of that name.
    pub fn from_name(name: &str) -> Option<Kind> {
        Kind::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// True if the symptom says whose fault a wrong answer is.
    pub fn convicts(self) -> bool {
        matches!(
            self,
            Kind::RefutationUnsound
                | Kind::SolutionUnsound
                | Kind::InvalidModel
                | Kind::WrongOptimum
                | Kind::WrongOutput
        )
    }

    /// True if the symptom rests on how long something took, so that it has
    /// to be seen again before it counts.
    pub fn is_timing(self) -> bool {
        matches!(self, Kind::Hang | Kind::SlowRegression)
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Something is wrong with a target.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Symptom {
    /// What is wrong.
    pub kind: Kind,
    /// The target that is accused.
    pub target: TargetName,
    /// The targets that contradict it, in the order of the plan; empty if the claim or the target
    /// itself does.
    pub against: Vec<TargetName>,
    /// Index into [`crate::Case::programs`].
    pub program: usize,
    /// What tells this bug from others of the same kind and target, free of
    /// version, path and number; empty if the symptom has nothing to offer
    /// and the program's features must help.
    pub site: String,
    /// One or two sentences for people.
    pub evidence: String,
}
