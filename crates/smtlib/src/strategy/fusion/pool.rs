//! The seeds whose answer is known, by answer and logic.

use std::collections::BTreeMap;
use std::sync::Arc;

use lydite_core::strategy::known_of;
use lydite_core::{Answer, Choices, Claim, Language, Reject, SEED_ARM, Seed, Verdict};

use super::side::Side;
use crate::mutate::held::Held;
use crate::mutate::mutant::Unusable;
use crate::mutate::originals::Originals;
use crate::scan::declared_logic;

/// A seed with a question whose answer is known.
struct Known {
    /// Its number among the originals.
    seed: usize,
    /// Which of its questions.
    asked: usize,
    answer: Verdict,
    /// Its logic's number.
    logic: usize,
}

/// Seeds as first and as second of two.
pub(super) struct Pool {
    originals: Originals,
    known: Vec<Known>,
    /// Sat and unsat seeds.
    all: [Vec<usize>; 2],
    /// The same for each logic.
    by_logic: Vec<[Vec<usize>; 2]>,
    sides: [Held<Result<Arc<Side>, Unusable>>; 2],
    /// What the names of a second seed end with.
    suffix: String,
    /// What the names of fusion variables end with.
    pub(super) fusion_suffix: String,
}

fn side(answer: Verdict) -> usize {
    usize::from(answer == Verdict::Unsat)
}

impl Pool {
    /// The seeds whose answer `language` or their folder tells.
    pub(super) fn new(originals: Originals, language: &dyn Language) -> Pool {
        let mut logics: BTreeMap<Option<String>, usize> = BTreeMap::new();
        let mut known: Vec<Known> = Vec::new();
        for seed in 0..originals.len() {
            let claim = known_of(language, originals.seed(seed));
            let Claim::Answers(Answer::Verdicts(verdicts)) = claim else {
                continue;
            };
            let decided = |&(_, &verdict): &(usize, &Verdict)| verdict != Verdict::Unknown;
            if let Some((asked, &answer)) = verdicts.iter().enumerate().find(decided) {
                let next = logics.len();
                let logic = declared_logic(&originals.seed(seed).text);
                known.push(Known {
                    seed,
                    asked,
                    answer,
                    logic: *logics.entry(logic).or_insert(next),
                });
            }
        }
        let mut all = [Vec::new(), Vec::new()];
        let mut by_logic = vec![[Vec::new(), Vec::new()]; logics.len()];
        for (at, seed) in known.iter().enumerate() {
            all[side(seed.answer)].push(at);
            by_logic[seed.logic][side(seed.answer)].push(at);
        }
        Pool {
            sides: [Held::new(), Held::new()],
            all,
            by_logic,
            suffix: unused(&originals, ".y"),
            fusion_suffix: unused(&originals, ".z"),
            known,
            originals,
        }
    }

    /// True if there is a seed with this answer.
    pub(super) fn has(&self, answer: Verdict) -> bool {
        !self.all[side(answer)].is_empty()
    }

    /// The seeds with this answer; of the same logic as `like`, where it is
    /// given.
    pub(super) fn with(&self, answer: Verdict, like: Option<usize>) -> &[usize] {
        match like {
            None => &self.all[side(answer)],
            Some(like) => &self.by_logic[self.known[like].logic][side(answer)],
        }
    }

    /// The seed as its author wrote it.
    pub(super) fn seed(&self, at: usize) -> &Seed {
        self.originals.seed(self.known[at].seed)
    }

    fn side(&self, at: usize, second: bool) -> Result<Arc<Side>, Unusable> {
        let known = &self.known[at];
        let text = &self.originals.seed(known.seed).text;
        let made = self.sides[usize::from(second)].get(at, text.len(), || {
            let suffix = second.then_some(self.suffix.as_str());
            let side = Side::read(text, known.asked, suffix, self.originals.operators());
            side.map(Arc::new)
        });
        (*made).clone()
    }

    /// One of `seeds` that can be used and meets `wanted`: the one chosen, or
    /// else the next one after it.
    pub(super) fn pick(
        &self,
        choices: &mut Choices,
        seeds: &[usize],
        second: bool,
        wanted: impl Fn(&Side) -> bool,
    ) -> Result<(usize, Arc<Side>), Reject> {
        let number = |at: &usize| self.originals.number(self.known[*at].seed);
        let numbers: Vec<usize> = seeds.iter().map(number).collect();
        let start = choices.arm_of(SEED_ARM, &numbers)?;
        let mut why = "no seed of that kind goes with the other";
        for &at in seeds[start..].iter().chain(&seeds[..start]) {
            match self.side(at, second) {
                Ok(side) if wanted(&side) => return Ok((at, side)),
                Ok(_) => {}
                Err(unusable) => why = unusable,
            }
        }
        Err(Reject::NotApplicable(why))
    }
}

/// `stem`, or `stem` and a number, such that no seed contains it.
fn unused(originals: &Originals, stem: &str) -> String {
    let contains = |suffix: &str| {
        let wanted = suffix.as_bytes();
        let seeds = 0..originals.len();
        seeds.into_iter().any(|seed| {
            let text = &originals.seed(seed).text;
            text.windows(wanted.len()).any(|window| window == wanted)
        })
    };
    let numbered = (1u64..).map(|number| format!("{stem}{number}"));
    std::iter::once(stem.to_string())
        .chain(numbered)
        .find(|suffix| !contains(suffix))
        .expect("texts of bounded length do not contain every number")
}
