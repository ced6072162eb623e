//! Tests that run ahead of the question: workers try what will probably be
//! asked next, and what they find is kept by content.
//!
//! Who asks goes through the candidates in their order and takes the first that
//! shows what is wanted, so the result is the same on any number of threads;
//! only how much is known by the time it is asked differs.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use lydite_core::Case;

use super::{Candidate, Digest, Test, digest};
use crate::parallel::start_workers;
use lydite_process::Withdrawn;

/// How often one who waits for a test looks whether there is still time.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// How many candidates after a success are thought of, for each worker.
const FOLLOWING: usize = 4;

/// How many successes one after the other are thought of: edits may go in a
/// circle.
const MOST_STEPS: usize = 8;

/// When an edit that failed is tried again: once the case has so much of its
/// size left, in quarters.
const RETRIED_AT: u64 = 3;

/// The first candidates, so many, of what follows on a success.
pub(super) type Follow<'a> = &'a dyn Fn(&Candidate, usize) -> Vec<Candidate>;

/// A candidate that is asked about, and the first ones that would be asked
/// about if it showed what is wanted.
pub(super) struct Asked {
    pub(super) candidate: Candidate,
    pub(super) digest: Digest,
    next: Option<Vec<Asked>>,
}

impl Asked {
    pub(super) fn new(candidate: Candidate) -> Asked {
        Asked {
            digest: digest(&candidate.case),
            candidate,
            next: None,
        }
    }

    /// True if this is asked about only after a success of it.
    pub(super) fn is_before(&self, digest: &Digest) -> bool {
        let mut next = self.next.iter().flatten();
        next.any(|one| one.digest == *digest || one.is_before(digest))
    }
}

/// What was asked about before, and how it came out.
#[derive(Default)]
pub(super) struct Tried {
    seen: BTreeSet<Digest>,
    /// Changes that failed, and the size that the case would have had.
    failed: BTreeMap<Digest, u64>,
    /// True once nothing is put off any more.
    thorough: bool,
    forecast: SuccessForecast,
}

impl Tried {
    /// A search begins with this case, about which there is nothing to ask.
    pub(super) fn begin(&mut self, digest: Digest) {
        self.seen.insert(digest);
        self.thorough = false;
    }

    /// From now on nothing is put off; false if nothing was.
    pub(super) fn put_off_no_more(&mut self) -> bool {
        self.thorough = true;
        !std::mem::take(&mut self.failed).is_empty()
    }

    pub(super) fn note(&mut self, one: &Asked, shown: bool) {
        // What was not asked about says nothing.
        if !self.is_fresh(one) {
            return;
        }
        self.seen.insert(one.digest);
        self.forecast.note(&one.candidate, shown);
        let change = one.candidate.change.filter(|_| !shown && !self.thorough);
        if let Some(change) = change {
            self.failed.insert(change, one.candidate.case.bytes());
        }
    }

    /// True if it was not asked about before. A change that failed is asked
    /// about again once the case is much smaller, or nothing else is left.
    pub(super) fn is_fresh(&self, one: &Asked) -> bool {
        let Candidate { change, case, .. } = &one.candidate;
        let failed = change.and_then(|change| self.failed.get(&change));
        !self.seen.contains(&one.digest)
            && failed.is_none_or(|&bytes| case.bytes() * 4 <= bytes * RETRIED_AT)
    }
}

/// Workers and what is known so far.
pub(super) struct Ahead<'a> {
    test: &'a dyn Test,
    jobs: Sender<Trial>,
    results: Receiver<(Digest, bool)>,
    workers: usize,
    running: BTreeMap<Digest, Withdrawn>,
    known: BTreeMap<Digest, bool>,
    tests: u64,
}

/// One test.
struct Trial {
    digest: Digest,
    case: Case,
    withdrawn: Withdrawn,
}

impl Ahead<'_> {
    /// True if somebody has nothing to do.
    pub(super) fn has_free(&self) -> bool {
        self.running.len() < self.workers.max(1)
    }

    /// Whether the case with this digest shows what is wanted, if that is
    /// known.
    pub(super) fn answer(&self, digest: &Digest) -> Option<bool> {
        self.known.get(digest).copied()
    }

    /// Has a case tried, unless it was or is; true if it was not.
    fn start(&mut self, digest: Digest, case: &Case) -> bool {
        if self.known.contains_key(&digest) || self.running.contains_key(&digest) {
            return false;
        }
        self.tests += 1;
        let job = Trial {
            digest,
            case: case.clone(),
            withdrawn: Withdrawn::default(),
        };
        self.running.insert(digest, job.withdrawn.clone());
        // Without any worker it is tried here and now.
        if self.workers == 0 {
            self.learn(digest, job.shows(self.test));
        } else if let Err(unsent) = self.jobs.send(job) {
            self.learn(digest, unsent.0.shows(self.test));
        }
        true
    }

    /// Has the candidate tried that will probably be asked about next; false
    /// if there is none.
    pub(super) fn start_any(
        &mut self,
        memory: &Tried,
        asked: &mut VecDeque<Asked>,
        more: &mut dyn FnMut() -> Option<Asked>,
        follow: Follow<'_>,
    ) -> bool {
        loop {
            if self.start_among(memory, asked.make_contiguous(), follow, MOST_STEPS) {
                return true;
            }
            // What comes after a success is not asked about.
            let mut answers = asked.iter().map(|one| self.answer(&one.digest));
            if answers.any(|answer| answer == Some(true)) {
                return false;
            }
            let Some(one) = more() else { return false };
            asked.push_back(one);
        }
    }

    /// Has the first of these tried that nobody tries, or, where a success is
    /// expected, one that is asked about after it, at most so many steps on.
    fn start_among(
        &mut self,
        memory: &Tried,
        asked: &mut [Asked],
        follow: Follow<'_>,
        steps: usize,
    ) -> bool {
        for one in asked {
            let answer = self.answer(&one.digest);
            if answer.is_none() && !self.running.contains_key(&one.digest) {
                return self.start(one.digest, &one.candidate.case);
            }
            if !answer.unwrap_or_else(|| memory.forecast.is_likely(&one.candidate)) {
                continue;
            }
            let most = FOLLOWING * self.workers.max(1);
            let next = one.next.get_or_insert_with(|| {
                let next = follow(&one.candidate, most).into_iter().map(Asked::new);
                next.filter(|one| memory.is_fresh(one)).collect()
            });
            if steps > 1 && self.start_among(memory, next, follow, steps - 1) {
                return true;
            }
            if answer.is_some() {
                return false;
            }
        }
        false
    }

    /// Ends the tests that nobody will ask about.
    pub(super) fn withdraw(&mut self, unwanted: impl Fn(&Digest) -> bool) {
        let running = self.running.iter();
        running
            .filter(|(digest, _)| unwanted(digest))
            .for_each(|(_, withdrawn)| withdrawn.withdraw());
    }

    /// What a test that was withdrawn says means nothing.
    fn learn(&mut self, digest: Digest, shown: bool) {
        let withdrawn = self.running.remove(&digest);
        if !withdrawn.is_some_and(|withdrawn| withdrawn.is_withdrawn()) {
            self.known.insert(digest, shown);
        }
    }

    /// Waits until some test has ended, and takes in all that have, or until it is over: a single
    /// test may take longer than all the time there is.
    pub(super) fn wait(&mut self, is_over: &dyn Fn() -> bool) {
        while !self.running.is_empty() && !is_over() {
            let first = match self.results.recv_timeout(LOOK_EVERY) {
                Err(RecvTimeoutError::Timeout) => continue,
                first => first.ok(),
            };
            let ended: Vec<(Digest, bool)> =
                first.into_iter().chain(self.results.try_iter()).collect();
            for (digest, shown) in ended {
                self.learn(digest, shown);
            }
            return;
        }
    }

    /// How many tests were begun.
    pub(super) fn tests(&self) -> u64 {
        self.tests
    }
}

/// Does `work` with so many workers. Tests that nobody waits for any more end
/// before this returns.
pub(super) fn with_workers<R>(
    threads: usize,
    test: &dyn Test,
    work: impl FnOnce(&mut Ahead<'_>) -> R,
) -> R {
    let (jobs, waiting) = channel::<Trial>();
    let (finished, results) = channel();
    let waiting = Mutex::new(waiting);
    let waiting = &waiting;
    std::thread::scope(|scope| {
        let worker = move || {
            loop {
                let queue = waiting.lock().unwrap_or_else(PoisonError::into_inner);
                let next = queue.recv();
                drop(queue);
                let Ok(job) = next else { break };
                if finished.send((job.digest, job.shows(test))).is_err() {
                    break;
                }
            }
        };
        // Without any, each test is run when it is asked for.
        let workers = start_workers(scope, threads, worker).unwrap_or(0);
        work(&mut Ahead {
            test,
            jobs,
            results,
            workers,
            running: BTreeMap::new(),
            known: BTreeMap::new(),
            tests: 0,
        })
    })
}

impl Trial {
    /// A candidate that makes us panic is no use.
    fn shows(&self, test: &dyn Test) -> bool {
        let shows = || !self.withdrawn.is_withdrawn() && test.shows(&self.case, &self.withdrawn);
        catch_unwind(AssertUnwindSafe(shows)).unwrap_or(false)
    }
}

/// How often each sort of candidate showed what is wanted: what follows on a
/// likely success is tried before it is certain.
#[derive(Default)]
struct SuccessForecast(BTreeMap<String, (u32, u32)>);

impl SuccessForecast {
    /// Takes in how one came out.
    fn note(&mut self, candidate: &Candidate, shown: bool) {
        let (tried, succeeded) = self.0.entry(sort_of(&candidate.what)).or_default();
        *tried += 1;
        *succeeded += u32::from(shown);
    }

    /// True if more than half of its sort succeeded; of a sort that was not
    /// seen yet, if it keeps the meaning.
    fn is_likely(&self, candidate: &Candidate) -> bool {
        let known = self.0.get(&sort_of(&candidate.what));
        known.map_or(candidate.keeps_meaning, |(tried, succeeded)| {
            2 * succeeded > *tried
        })
    }
}

/// What was done, without the numbers.
fn sort_of(what: &str) -> String {
    what.chars().filter(|c| !c.is_ascii_digit()).collect()
}
