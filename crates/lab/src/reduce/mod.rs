//! Makes a case smaller while it shows the same bug.
//!
//! Candidates are data: edits of the language, and shorter tapes of the
//! strategy that made the case. The search is one: candidates are asked about
//! in their order, and the first of that order that still shows the bug is
//! taken, so the result does not depend on the number of threads. Workers try
//! ahead what will probably be asked: the next candidates, or, where a success
//! is likely, what follows on it (`search`).

mod bug;
mod candidates;
mod patience;
mod search;
mod tape;

pub use bug::{CommandTest, OutputTest, SameBug, Vouch};

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use lydite_core::{Case, CaseTree, Language, Tape};

use crate::campaign::{Schedule, Source};
use candidates::{edited_from, follow, pairs};
use lydite_process::Withdrawn;
use search::{Ahead, Asked, Follow, Tried, with_workers};

/// The hash of a case.
type Digest = [u8; 32];

/// Decides whether a candidate still shows what the reduction has to keep.
pub trait Test: Sync {
    /// The case as it is run.
    fn prepare(&self, case: Case) -> Case {
        case
    }

    /// True if the case, prepared, shows what is wanted. Once the question is
    /// withdrawn, any answer will do.
    fn shows(&self, case: &Case, withdrawn: &Withdrawn) -> bool;

    /// True if [`Test::shows`] also finds out whether programs that are claimed
    /// to be equivalent still are.
    fn vouches(&self) -> bool {
        false
    }
}

/// How far a reduction has come.
#[derive(Clone, Debug)]
pub struct ReductionProgress {
    /// The number of candidates that were tested.
    pub tests: u64,
    /// The size of the smallest case so far, in bytes.
    pub bytes: u64,
    /// What was done last, in words.
    pub what: String,
}

/// A reduction under way.
pub struct Reducer<'a> {
    /// The language of the programs.
    pub language: Arc<dyn Language>,
    /// The test that smaller cases have to pass.
    pub test: &'a dyn Test,
    /// How many candidates are tried at a time.
    pub threads: usize,
    /// When to stop with what there is.
    pub deadline: Option<Instant>,
    /// After how many tests to stop with what there is.
    pub most_tests: Option<u64>,
    /// Set from outside to stop with what there is.
    pub stop: &'a AtomicBool,
    /// Told after every step that was taken.
    pub progress: &'a mut dyn FnMut(&ReductionProgress, &Case),
    /// The number of candidates that were tested.
    tests: u64,
    memory: Tried,
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
    keeps_meaning: bool,
    /// The same for the same change of another case; of guesses only.
    change: Option<Digest>,
}

impl<'a> Reducer<'a> {
    /// A reduction with one thread and no deadline.
    pub fn new(
        language: Arc<dyn Language>,
        test: &'a dyn Test,
        stop: &'a AtomicBool,
        progress: &'a mut dyn FnMut(&ReductionProgress, &Case),
    ) -> Reducer<'a> {
        Reducer {
            language,
            test,
            threads: 1,
            deadline: None,
            most_tests: None,
            stop,
            progress,
            tests: 0,
            memory: Tried::default(),
            steps: VecDeque::new(),
        }
    }

    /// The smallest case that shows what is wanted in every one of a few more
    /// runs, and how many smaller ones do not: those of a bug that comes and
    /// goes. `None` if not even `start` does.
    pub fn settle(&self, start: &Case) -> Option<(Case, usize)> {
        let steps = self.steps.iter().rev();
        let start = self.test.prepare(start.clone());
        steps
            .chain([&start])
            .enumerate()
            .find(|(_, case)| self.shows_every_time(case))
            .map(|(before, case)| (case.clone(), before))
    }

    fn shows_every_time(&self, case: &Case) -> bool {
        if self.threads < 2 {
            return (0..SETTLING_RUNS).all(|_| self.test.shows(case, &Withdrawn::default()));
        }
        let test = self.test;
        std::thread::scope(|scope| {
            let runs = (0..SETTLING_RUNS)
                .map(|_| scope.spawn(move || test.shows(case, &Withdrawn::default())));
            let runs: Vec<_> = runs.collect();
            runs.into_iter().all(|run| run.join().unwrap_or(false))
        })
    }

    /// True if something was made smaller.
    pub fn has_come_further(&self) -> bool {
        !self.steps.is_empty()
    }

    /// How many candidates were tried.
    pub fn tests(&self) -> u64 {
        self.tests
    }

    /// True if it was told to stop, or its time or its tests are used up.
    pub fn is_over(&self) -> bool {
        self.is_over_after(self.tests)
    }

    fn is_over_after(&self, tests: u64) -> bool {
        self.is_out_of_time() || self.most_tests.is_some_and(|most| tests >= most)
    }

    /// The same without regard to the tests, of which those under way are still waited for.
    fn is_out_of_time(&self) -> bool {
        let is_past = |deadline| Instant::now() >= deadline;
        self.stop.load(Ordering::Relaxed) || self.deadline.is_some_and(is_past)
    }

    /// The same while tests are under way.
    fn is_over_with(&self, ahead: &Ahead<'_>) -> bool {
        self.is_over_after(self.tests + ahead.tests())
    }

    /// Makes case `index` of `source` again from ever smaller tapes: the
    /// claim stays true by construction.
    pub fn by_tape(
        &mut self,
        case: Case,
        source: &Source,
        index: u64,
        schedule: Option<&Schedule>,
    ) -> Case {
        let Some(tape) = source.tape(index, schedule) else {
            return case;
        };
        with_workers(self.threads, self.test, |ahead| {
            let (mut best, mut tape) = (case, tape);
            while let Some((smaller, made)) = self.shorter_tape(ahead, &best, &tape, source) {
                (best, tape) = (smaller, made);
            }
            self.tests += ahead.tests();
            best
        })
    }

    /// The first smaller case of a shorter tape, and that tape.
    fn shorter_tape(
        &mut self,
        ahead: &mut Ahead<'_>,
        best: &Case,
        tape: &Tape,
        source: &Source,
    ) -> Option<(Case, Tape)> {
        let language = self.language.clone();
        let size = best.bytes();
        // What each candidate's tape was, by its number.
        let mut tapes: Vec<(usize, Tape)> = Vec::new();
        let mut candidates = tape::shorter(tape)
            .enumerate()
            .filter_map(|(number, guide)| {
                let (case, made) = source.replay(guide).ok()?;
                let smaller = (case.bytes(), made.0.len()) < (size, tape.0.len())
                    || case.bytes() == size && made.0.len() == tape.0.len() && made < *tape;
                let fine = case.programs.iter().all(|p| language.check(p).is_ok());
                if !smaller || !fine {
                    return None;
                }
                tapes.push((number, made));
                Some(Candidate {
                    number,
                    what: "a smaller recipe".to_string(),
                    case,
                    keeps_meaning: false,
                    change: None,
                })
            });
        let (number, smaller) = self.first(ahead, &mut candidates, &|_, _| Vec::new())?;
        drop(candidates);
        let (_, made) = tapes.into_iter().find(|(other, _)| *other == number)?;
        Some((smaller, made))
    }

    /// Cuts pieces out of the tree that the case was written from: all its texts stay texts of
    /// one tree, and the claim stays true by construction.
    pub fn by_tree(&mut self, case: Case, tree: Arc<dyn CaseTree>) -> Case {
        with_workers(self.threads, self.test, |ahead| {
            let (mut best, mut tree, mut start) = (case, tree, 0);
            while !self.is_over_with(ahead) {
                match self.smaller_tree(ahead, tree.as_ref(), start) {
                    Some((smaller, of, number)) => (best, tree, start) = (smaller, of, number),
                    None if start == 0 => break,
                    None => start = 0,
                }
            }
            self.tests += ahead.tests();
            best
        })
    }

    /// The first case of a smaller tree, from number `start` on, that tree, and where to go on.
    fn smaller_tree(
        &mut self,
        ahead: &mut Ahead<'_>,
        tree: &dyn CaseTree,
        start: usize,
    ) -> Option<(Case, Arc<dyn CaseTree>, usize)> {
        let language = self.language.clone();
        let mut trees: Vec<(Arc<dyn CaseTree>, usize)> = Vec::new();
        let mut candidates = tree.smaller(start).filter_map(|smaller| {
            let mut programs = smaller.case.programs.iter();
            if !programs.all(|program| language.check(program).is_ok()) {
                return None;
            }
            trees.push((smaller.tree, smaller.number));
            Some(Candidate {
                number: trees.len() - 1,
                what: smaller.what.to_string(),
                case: smaller.case,
                keeps_meaning: false,
                change: None,
            })
        });
        let (at, smaller) = self.first(ahead, &mut candidates, &|_, _| Vec::new())?;
        drop(candidates);
        let (tree, number) = trees.swap_remove(at);
        Some((smaller, tree, number))
    }

    /// Leaves out programs that the bug does without. Of a chain of
    /// implications two neighbours stay, or one program with its answer.
    pub fn by_programs(&mut self, case: Case) -> Case {
        if case.programs.len() < 2 {
            return case;
        }
        let alone = case.programs.iter().map(|program| Case {
            programs: vec![program.clone()],
            claim: case.claim.of_one(),
            steps: Vec::new(),
            seeds: case.seeds.clone(),
        });
        let candidates: Vec<Case> = alone.chain(pairs(&case)).collect();
        let mut candidates = candidates
            .into_iter()
            .enumerate()
            .map(|(number, case)| Candidate {
                number,
                what: "fewer programs".to_string(),
                case,
                keeps_meaning: false,
                change: None,
            });
        with_workers(self.threads, self.test, |ahead| {
            let found = self.first(ahead, &mut candidates, &|_, _| Vec::new());
            self.tests += ahead.tests();
            found.map_or(case, |(_, smaller)| smaller)
        })
    }

    /// Edits the text of programs. Where the claim cannot be seen to hold
    /// after an edit, the case goes on without it: what is wrong must then
    /// show without it.
    pub fn by_edits(&mut self, case: Case) -> Case {
        with_workers(self.threads, self.test, |ahead| {
            let best = self.edited_ahead(ahead, case);
            self.tests += ahead.tests();
            best
        })
    }

    /// The same for a case that was not tested yet; `None` if it fails the test itself. Edits are
    /// tested while the case is.
    pub fn by_edits_of_new(&mut self, case: Case) -> Option<Case> {
        let language = self.language.clone();
        with_workers(self.threads, self.test, |ahead| {
            let itself = Candidate {
                number: 0,
                what: "as it stands".to_string(),
                case: case.clone(),
                keeps_meaning: true,
                change: None,
            };
            let follow = follow(language.as_ref(), self.test);
            let shown = self.first(ahead, &mut std::iter::once(itself), &follow);
            if shown.is_none() && !self.is_over_with(ahead) {
                return None;
            }
            let best = self.edited_ahead(ahead, case);
            self.tests += ahead.tests();
            Some(best)
        })
    }

    fn edited_ahead(&mut self, ahead: &mut Ahead<'_>, case: Case) -> Case {
        let language = self.language.clone();
        let follow = follow(language.as_ref(), self.test);
        let mut best = self.test.prepare(case);
        self.memory.begin(digest(&best));
        let mut start = 0;
        while !self.is_over_with(ahead) {
            let current = best.clone();
            let in_step = self.test.vouches();
            let mut candidates = edited_from(language.as_ref(), &current, start, in_step);
            match self.first(ahead, &mut candidates, &follow) {
                Some((number, smaller)) => {
                    best = smaller;
                    start = number;
                }
                // A whole pass without success is the end of what is likely, and
                // one more, with all that was put off, the end.
                None if start == 0 && !self.memory.put_off_no_more() => break,
                None => start = 0,
            }
        }
        best
    }

    /// The first candidate, in their order, that shows what is wanted and was
    /// not asked about before.
    fn first(
        &mut self,
        ahead: &mut Ahead<'_>,
        candidates: &mut dyn Iterator<Item = Candidate>,
        follow: Follow<'_>,
    ) -> Option<(usize, Case)> {
        let candidates = &mut candidates.fuse();
        let mut asked: VecDeque<Asked> = VecDeque::new();
        loop {
            while let Some(one) = asked.pop_front() {
                // A change of the same kind may have failed since it was asked.
                let shown = match self.memory.is_fresh(&one) {
                    true => ahead.answer(&one.digest),
                    false => Some(false),
                };
                let Some(shown) = shown else {
                    asked.push_front(one);
                    break;
                };
                ahead.withdraw(|digest| *digest == one.digest || one.is_before(digest) != shown);
                self.memory.note(&one, shown);
                if shown {
                    return Some(self.take_candidate(ahead, one.candidate));
                }
            }
            if asked.is_empty() {
                asked.extend(self.next_fresh(candidates));
            }
            let mut more = || self.next_fresh(candidates);
            while ahead.has_free()
                && !self.is_over_with(ahead)
                && ahead.start_any(&self.memory, &mut asked, &mut more, follow)
            {}
            if asked.is_empty() || self.is_over_with(ahead) {
                ahead.withdraw(|_| true);
                return None;
            }
            let known = asked.front().and_then(|one| ahead.answer(&one.digest));
            if known.is_none() {
                ahead.wait(&|| self.is_out_of_time());
            }
        }
    }

    fn next_fresh(&self, mut candidates: &mut dyn Iterator<Item = Candidate>) -> Option<Asked> {
        Iterator::find_map(&mut candidates, |mut candidate| {
            candidate.case = self.test.prepare(candidate.case);
            let one = Asked::new(candidate);
            self.memory.is_fresh(&one).then_some(one)
        })
    }

    /// A step: told, and kept in case it has to be taken back.
    fn take_candidate(&mut self, ahead: &Ahead<'_>, candidate: Candidate) -> (usize, Case) {
        let progress = ReductionProgress {
            tests: self.tests + ahead.tests(),
            bytes: candidate.case.bytes(),
            what: candidate.what,
        };
        (self.progress)(&progress, &candidate.case);
        if self.steps.len() == KEPT_STEPS {
            self.steps.pop_front();
        }
        self.steps.push_back(candidate.case.clone());
        (candidate.number, candidate.case)
    }
}

fn digest(case: &Case) -> Digest {
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
