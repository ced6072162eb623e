//! Makes a case smaller while it shows the same bug.
//!
//! Candidates are data: edits of the language, and shorter tapes of the
//! strategy that made the case. The search is one: candidates are asked about
//! in their order, and the first of that order that still shows the bug is
//! taken, so the result does not depend on the number of threads. Workers try
//! ahead what will probably be asked: the next candidates, or, where a success
//! is likely, what follows on it (`search`).

mod bug;
mod patience;
mod search;
mod tape;

pub use bug::{CommandTest, OutputTest, SameBug, Vouch};

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use lydite_core::{Case, Claim, Language, Program, Tape};

use crate::campaign::{Schedule, Source};
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

    /// How many candidates were tried.
    pub fn tests(&self) -> u64 {
        self.tests
    }

    /// True if it was told to stop, or its time or its tests are used up.
    pub fn is_over(&self) -> bool {
        self.is_over_after(self.tests)
    }

    fn is_over_after(&self, tests: u64) -> bool {
        self.stop.load(Ordering::Relaxed)
            || self.most_tests.is_some_and(|most| tests >= most)
            || self
                .deadline
                .is_some_and(|deadline| Instant::now() >= deadline)
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
                ahead.wait();
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

/// The pairs of programs of which something is claimed still: neighbours, or a
/// whole and one of its parts, which implies it.
fn pairs(case: &Case) -> Vec<Case> {
    let (claim, partition) = match case.claim {
        Claim::Partition => (Claim::Strengthens(None), true),
        ref other => (other.clone(), false),
    };
    let pair = |at: usize| Case {
        programs: vec![
            case.programs[if partition { 0 } else { at }].clone(),
            case.programs[at + 1].clone(),
        ],
        claim: claim.clone(),
        steps: case.steps.get(at).cloned().into_iter().collect(),
        seeds: case.seeds.clone(),
    };
    (0..case.programs.len() - 1).map(pair).collect()
}

/// What is asked about after an edit that is taken.
fn follow<'a>(
    language: &'a dyn Language,
    test: &'a dyn Test,
) -> impl Fn(&Candidate, usize) -> Vec<Candidate> + 'a {
    move |candidate, most| {
        let (case, in_step) = (&candidate.case, test.vouches());
        let next = edited_from(language, case, candidate.number, in_step).take(most);
        next.map(|candidate| Candidate {
            case: test.prepare(candidate.case),
            ..candidate
        })
        .collect()
    }
}

/// The candidates that edits give, from this number on.
fn edited_from<'a>(
    language: &'a dyn Language,
    case: &'a Case,
    start: usize,
    in_step: bool,
) -> impl Iterator<Item = Candidate> + 'a {
    let edited = edited(language, case, in_step).enumerate().skip(start);
    edited.map(move |(number, candidate)| Candidate {
        number,
        change: language
            .knows_syntax_alone()
            .then(|| change_of(case, &candidate.case, &candidate.what)),
        ..candidate
    })
}

/// What was done, with the text that went and the text that came.
fn change_of(case: &Case, smaller: &Case, what: &str) -> Digest {
    let mut hasher = blake3::Hasher::new();
    hasher.update(what.as_bytes());
    let files = |case: &'_ Case| -> Vec<_> {
        let files = case.programs.iter().flat_map(|program| &program.files);
        files.map(|file| file.text.clone()).collect()
    };
    for (before, after) in files(case).iter().zip(&files(smaller)) {
        let pairs = before.iter().zip(after.iter());
        let same_start = pairs.take_while(|(one, other)| one == other).count();
        let (before, after) = (&before[same_start..], &after[same_start..]);
        let pairs = before.iter().rev().zip(after.iter().rev());
        let same_end = pairs.take_while(|(one, other)| one == other).count();
        for part in [
            &before[..before.len() - same_end],
            &after[..after.len() - same_end],
        ] {
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(part);
        }
    }
    *hasher.finalize().as_bytes()
}

/// The smaller cases that edits of a case's text give; if someone vouches for
/// what is equivalent, also those of which that is not certain.
fn edited<'a>(
    language: &'a dyn Language,
    case: &'a Case,
    in_step: bool,
) -> Box<dyn Iterator<Item = Candidate> + 'a> {
    let together = case.claim.is_equivalence() || case.claim == Claim::Partition;
    if together && case.programs.len() > 1 {
        let mut together = edited_together(language, case, in_step).peekable();
        if together.peek().is_some() {
            return Box::new(together);
        }
    }
    match (case.programs.as_slice(), case.steps.as_slice()) {
        ([first, _], [step]) => Box::new(edited_in_pairs(language, case, first, step)),
        _ => Box::new(edited_one_by_one(language, case)),
    }
}

/// Equivalent programs, or a whole and its parts, changed in the same way.
fn edited_together<'a>(
    language: &'a dyn Language,
    case: &'a Case,
    in_step: bool,
) -> impl Iterator<Item = Candidate> + 'a {
    let smaller = match case.claim {
        Claim::Partition => language.edits_of_parts(&case.programs),
        _ => language.edits_of_equals(&case.programs),
    };
    let claim = match &case.claim {
        Claim::Partition => Claim::Partition,
        other => without_answer(other),
    };
    let unsure = in_step.then(|| language.edits_in_step(&case.programs));
    let smaller = smaller.chain(unsure.into_iter().flatten());
    smaller.map(move |(what, programs)| Candidate {
        number: 0,
        what,
        case: Case {
            programs,
            claim: claim.clone(),
            ..case.clone()
        },
        keeps_meaning: false,
        change: None,
    })
}

/// Two programs, the second made from the first by a named step: algorithm 7 of
/// the thesis keeps them in step.
fn edited_in_pairs<'a>(
    language: &'a dyn Language,
    case: &'a Case,
    first: &'a Program,
    step: &'a str,
) -> impl Iterator<Item = Candidate> + 'a {
    let claim = without_answer(&case.claim);
    language.edits(first).flat_map(move |edit| {
        let claim = claim.clone();
        let first = edit.program.clone();
        let seconds = language.successors(&edit.program, step);
        let seconds: Vec<Program> = seconds.take(MOST_SUCCESSORS).collect();
        seconds.into_iter().map(move |second| Candidate {
            number: 0,
            what: edit.what.clone(),
            case: Case {
                programs: vec![first.clone(), second],
                claim: claim.clone(),
                steps: vec![step.to_string()],
                seeds: case.seeds.clone(),
            },
            keeps_meaning: edit.keeps_meaning,
            change: None,
        })
    })
}

/// One program changed, the others as they are.
fn edited_one_by_one<'a>(
    language: &'a dyn Language,
    case: &'a Case,
) -> impl Iterator<Item = Candidate> + 'a {
    let numbers = 0..case.programs.len();
    numbers.flat_map(move |number| {
        language.edits(&case.programs[number]).map(move |edit| {
            let mut smaller = case.clone();
            smaller.programs[number] = edit.program;
            if !language.upholds(&smaller) {
                smaller.claim = Claim::Silent;
            }
            Candidate {
                number: 0,
                what: edit.what,
                case: smaller,
                keeps_meaning: edit.keeps_meaning,
                change: None,
            }
        })
    })
}

/// At how many places of one program a step is tried again.
const MOST_SUCCESSORS: usize = 16;

fn without_answer(claim: &Claim) -> Claim {
    match claim {
        Claim::Weakens(_) => Claim::Weakens(None),
        Claim::Strengthens(_) => Claim::Strengthens(None),
        // That edited programs are valid is not known.
        claim if claim.is_equivalence() => Claim::Equivalent,
        _ => Claim::Silent,
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
