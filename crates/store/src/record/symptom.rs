//! A symptom as it is filed.

use lydite_core::{Kind, Signature, TargetName};
use serde::{Deserialize, Serialize};

use super::signature::whole;

/// How many cold runs showed a symptom.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Replays {
    /// The number of further runs that showed it.
    pub shown: u32,
    /// The number of all further runs.
    pub of: u32,
}

impl Replays {
    /// True if some replay did not show it.
    pub fn is_flaky(self) -> bool {
        self.shown < self.of
    }
}

/// One symptom of one case.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SymptomRecord {
    /// What makes two symptoms the same bug; it has the kind.
    pub signature: Signature,
    /// The target that is accused.
    pub target: TargetName,
    /// The targets that it was compared with.
    pub against: Vec<TargetName>,
    /// The number of the program in the case.
    pub program: u64,
    /// What is wrong, in words for people.
    pub evidence: String,
    /// The size of all programs of the case, in bytes.
    pub bytes: u64,
    /// The upstream issue that it is known as.
    pub known: Option<String>,
    /// How many replays showed it.
    pub replays: Replays,
}

/// The size of a case, for finding the smallest one of a signature. A case that shows it in every
/// replay comes before any that does not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct CaseSize {
    /// True if some replay did not show it.
    pub flaky: bool,
    /// The size of its programs, in bytes.
    pub bytes: u64,
    /// The case's number.
    pub index: u64,
}

impl SymptomRecord {
    /// What is wrong.
    pub fn kind(&self) -> Kind {
        self.signature.kind
    }

    /// The size by which case `index` is compared with others of this signature.
    pub fn size(&self, index: u64) -> CaseSize {
        CaseSize {
            flaky: self.replays.is_flaky(),
            bytes: self.bytes,
            index,
        }
    }

    /// What decides between two records of one symptom of one case: one that
    /// every replay showed, then whatever is the same on every machine. One
    /// that deduplication has set apart is kept apart.
    fn rank(&self) -> impl Ord {
        let whole = self.signature == whole(&self.signature);
        let replays = (std::cmp::Reverse(self.replays.shown), self.replays.of);
        let target = (self.target.to_string(), self.program);
        let flaky = self.replays.is_flaky();
        let known = self.known.clone();
        (whole, flaky, replays, self.evidence.clone(), target, known)
    }
}

/// The symptoms of a case that ran twice: each that either run showed, once.
/// The order of the two does not matter.
pub(super) fn join(ours: Vec<SymptomRecord>, theirs: Vec<SymptomRecord>) -> Vec<SymptomRecord> {
    let mut joined: Vec<SymptomRecord> = Vec::new();
    for symptom in ours.into_iter().chain(theirs) {
        let same =
            |other: &&mut SymptomRecord| whole(&other.signature) == whole(&symptom.signature);
        match joined.iter_mut().find(same) {
            Some(known) if symptom.rank() < known.rank() => *known = symptom,
            Some(_) => {}
            None => joined.push(symptom),
        }
    }
    joined.sort_by(|a, b| a.signature.cmp(&b.signature));
    joined
}
