//! Makes a case smaller while it shows the same bug.
//!
//! Candidates are data: edits of the language, and shorter tapes of the
//! strategy that made the case. The search is one: candidates are tried in
//! their order, several at a time, and the first of that order that still
//! shows the bug is taken, so the result does not depend on the number of
//! threads.

mod bug;
mod search;
mod tape;

pub use bug::{Command, Output, SameBug};

use std::collections::{BTreeSet, VecDeque};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Instant;

use lydite_core::{Case, Claim, Language, Program};

use crate::campaign::Source;

/// Decides whether a candidate still is what is wanted.
pub trait Test: Sync {
    /// The case as it is run.
    fn prepared(&self, case: Case) -> Case {
        case
    }

    /// True if the case, prepared, shows what is wanted.
    fn shows(&self, case: &Case) -> bool;
}

/// What happened so far.
#[derive(Clone, Debug)]
pub struct Progress {
    /// Candidates tried.
    pub tests: u64,
    /// The size of the smallest case so far.
    pub bytes: u64,
    /// What was done last, in words.
    pub what: String,
}

/// A reduction under way.
pub struct Reducer<'a> {
    /// The language of the programs.
    pub language: Arc<dyn Language>,
    /// What must stay.
    pub test: &'a dyn Test,
    /// How many candidates are tried at a time.
    pub threads: usize,
    /// When to stop with what there is.
    pub deadline: Option<Instant>,
    /// Set from outside to stop with what there is.
    pub stop: &'a AtomicBool,
    /// Told after every step that was taken.
    pub progress: &'a mut dyn FnMut(&Progress, &Case),
    /// Candidates tried.
    tests: u64,
    /// Hashes of what was tried before.
    seen: BTreeSet<[u8; 32]>,
    /// The last steps that were taken.
    steps: VecDeque<Case>,
}

/// In how many more runs a result must show what is wanted.
const SETTLING_RUNS: usize = 2;

/// How many steps can be taken back where a bug comes and goes.
const KEPT_STEPS: usize = 32;

/// A candidate: its number in its list, what was done, and the case.
struct Candidate {
    number: usize,
    what: String,
    case: Case,
}

impl<'a> Reducer<'a> {
    /// A reduction with one thread and no deadline.
    pub fn new(
        language: Arc<dyn Language>,
        test: &'a dyn Test,
        stop: &'a AtomicBool,
        progress: &'a mut dyn FnMut(&Progress, &Case),
    ) -> Reducer<'a> {
        Reducer {
            language,
            test,
            threads: 1,
            deadline: None,
            stop,
            progress,
            tests: 0,
            seen: BTreeSet::new(),
            steps: VecDeque::new(),
        }
    }

    /// The smallest case that shows what is wanted in every one of a few more
    /// runs, and how many smaller ones do not: those of a bug that comes and
    /// goes. `None` if not even `start` does.
    pub fn settled(&self, start: &Case) -> Option<(Case, usize)> {
        let steps = self.steps.iter().rev();
        let start = self.test.prepared(start.clone());
        steps
            .chain([&start])
            .enumerate()
            .find(|(_, case)| (0..SETTLING_RUNS).all(|_| self.test.shows(case)))
            .map(|(before, case)| (case.clone(), before))
    }

    /// How many candidates were tried.
    pub fn tests(&self) -> u64 {
        self.tests
    }

    /// True if it was told to stop, or its time is over.
    pub fn is_over(&self) -> bool {
        is_over(self.stop, self.deadline)
    }

    /// Makes case `index` of `source` again from ever smaller tapes: the
    /// claim stays true by construction.
    pub fn by_tape(&mut self, case: Case, source: &Source, index: u64) -> Case {
        let Some(mut tape) = source.recorded(index) else {
            return case;
        };
        let mut best = case;
        loop {
            let language = self.language.clone();
            let size = best.bytes();
            // What each candidate's tape was, by its number.
            let tapes: Mutex<Vec<(usize, lydite_core::Tape)>> = Mutex::new(Vec::new());
            let mut candidates = tape::shorter(&tape)
                .enumerate()
                .filter_map(|(number, guide)| {
                    let (case, made) = source.guided(guide).ok()?;
                    let smaller = (case.bytes(), made.0.len()) < (size, tape.0.len())
                        || case.bytes() == size && made.0.len() == tape.0.len() && made < tape;
                    let fine = case.programs.iter().all(|p| language.check(p).is_ok());
                    if !smaller || !fine {
                        return None;
                    }
                    let mut tapes = tapes.lock().unwrap_or_else(|broken| broken.into_inner());
                    tapes.push((number, made));
                    Some(Candidate {
                        number,
                        what: "a smaller recipe".to_string(),
                        case,
                    })
                });
            let found = self.first(&mut candidates);
            drop(candidates);
            let Some((number, smaller)) = found else {
                return best;
            };
            let tapes = tapes
                .into_inner()
                .unwrap_or_else(|broken| broken.into_inner());
            if let Some((_, made)) = tapes.into_iter().find(|(other, _)| *other == number) {
                tape = made;
            }
            best = smaller;
        }
    }

    /// Leaves out programs that the bug does without. Of a chain of
    /// implications two neighbours stay, or one program with its answer.
    pub fn by_programs(&mut self, case: Case) -> Case {
        if case.programs.len() < 2 {
            return case;
        }
        let answer = match &case.claim {
            Claim::Weakens(Some(answer)) | Claim::Strengthens(Some(answer)) => {
                Claim::Answers(answer.clone())
            }
            Claim::Answers(answer) => Claim::Answers(answer.clone()),
            _ => Claim::Silent,
        };
        let alone = case.programs.iter().map(|program| Case {
            programs: vec![program.clone()],
            claim: answer.clone(),
            steps: Vec::new(),
        });
        let pairs = case.programs.windows(2).enumerate().map(|(at, pair)| Case {
            programs: pair.to_vec(),
            claim: case.claim.clone(),
            steps: case.steps.get(at).cloned().into_iter().collect(),
        });
        let candidates: Vec<Case> = alone.chain(pairs).collect();
        let mut candidates = candidates
            .into_iter()
            .enumerate()
            .map(|(number, case)| Candidate {
                number,
                what: "fewer programs".to_string(),
                case,
            });
        self.first(&mut candidates)
            .map_or(case, |(_, smaller)| smaller)
    }

    /// Edits the text of programs. Where the claim cannot be seen to hold
    /// after an edit, the case goes on without it: what is wrong must then
    /// show without it.
    pub fn by_edits(&mut self, case: Case) -> Case {
        let language = self.language.clone();
        let mut best = self.test.prepared(case);
        self.seen.insert(digest(&best));
        let mut start = 0;
        while !self.is_over() {
            let current = best.clone();
            let mut candidates = edited(language.as_ref(), &current)
                .enumerate()
                .skip(start)
                .map(|(number, (what, case))| Candidate { number, what, case });
            match self.first(&mut candidates) {
                Some((number, smaller)) => {
                    best = smaller;
                    start = number;
                }
                // A whole pass without success is the end.
                None if start == 0 => break,
                None => start = 0,
            }
        }
        best
    }

    /// The first candidate, in their order, that shows what is wanted and was
    /// not tried before.
    fn first(&mut self, candidates: &mut dyn Iterator<Item = Candidate>) -> Option<(usize, Case)> {
        let (test, stop, deadline) = (self.test, self.stop, self.deadline);
        let seen = &mut self.seen;
        let mut fresh = candidates.filter_map(|mut candidate| {
            candidate.case = test.prepared(candidate.case);
            seen.insert(digest(&candidate.case)).then_some(candidate)
        });
        let searched = search::first(
            &mut fresh,
            self.threads,
            &|candidate| test.shows(&candidate.case),
            &|| is_over(stop, deadline),
        );
        self.tests += searched.tests;
        // What was tried beyond the one taken may be tried again: the result
        // must not depend on how many threads there were.
        for candidate in &searched.in_vain {
            self.seen.remove(&digest(&candidate.case));
        }
        let taken = searched.found?;
        let progress = Progress {
            tests: self.tests,
            bytes: taken.case.bytes(),
            what: taken.what,
        };
        (self.progress)(&progress, &taken.case);
        if self.steps.len() == KEPT_STEPS {
            self.steps.pop_front();
        }
        self.steps.push_back(taken.case.clone());
        Some((taken.number, taken.case))
    }
}

fn is_over(stop: &AtomicBool, deadline: Option<Instant>) -> bool {
    stop.load(Ordering::Relaxed) || deadline.is_some_and(|deadline| Instant::now() >= deadline)
}

/// The smaller cases that edits of a case's text give.
fn edited<'a>(
    language: &'a dyn Language,
    case: &'a Case,
) -> Box<dyn Iterator<Item = (String, Case)> + 'a> {
    if let ([first, _], [step]) = (case.programs.as_slice(), case.steps.as_slice()) {
        // Two programs, the second made from the first by a named step:
        // algorithm 7 of the thesis keeps them in step.
        let claim = without_answer(&case.claim);
        return Box::new(language.edits(first).flat_map(move |edit| {
            let claim = claim.clone();
            let first = edit.program.clone();
            let seconds = language.successors(&edit.program, step);
            let seconds: Vec<Program> = seconds.take(MOST_SUCCESSORS).collect();
            seconds.into_iter().map(move |second| {
                let pair = Case {
                    programs: vec![first.clone(), second],
                    claim: claim.clone(),
                    steps: vec![step.clone()],
                };
                (edit.what.clone(), pair)
            })
        }));
    }
    let numbers = 0..case.programs.len();
    Box::new(numbers.flat_map(move |number| {
        language.edits(&case.programs[number]).map(move |edit| {
            let mut smaller = case.clone();
            smaller.programs[number] = edit.program;
            if !language.upholds(&smaller) {
                smaller.claim = Claim::Silent;
            }
            (edit.what, smaller)
        })
    }))
}

/// At how many places of one program a step is tried again.
const MOST_SUCCESSORS: usize = 16;

fn without_answer(claim: &Claim) -> Claim {
    match claim {
        Claim::Weakens(_) => Claim::Weakens(None),
        Claim::Strengthens(_) => Claim::Strengthens(None),
        _ => Claim::Silent,
    }
}

fn digest(case: &Case) -> [u8; 32] {
    let mut hasher = blake3::Hasher::new();
    hasher.update(case.claim.to_string().as_bytes());
    for program in &case.programs {
        hasher.update(&[0]);
        for file in &program.files {
            hasher.update(&(file.text.len() as u64).to_le_bytes());
            hasher.update(&file.text);
        }
    }
    *hasher.finalize().as_bytes()
}
