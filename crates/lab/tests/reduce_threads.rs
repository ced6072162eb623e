//! The order of candidates decides what a reduction ends with, not who is
//! quick; and the end of its time ends it, whatever is under way.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use lydite_core::{Case, Claim, Edit, Language, Program};
use lydite_lab::reduce::{Reducer, Test};
use lydite_process::Withdrawn;

/// Programs lose single letters `x`.
struct Letters;

impl Language for Letters {
    fn name(&self) -> &'static str {
        "letters"
    }

    fn about(&self) -> &'static str {
        "letters"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["txt"]
    }

    fn line_comment(&self) -> &'static str {
        "#"
    }

    fn check(&self, _program: &Program) -> Result<(), String> {
        Ok(())
    }

    fn upholds(&self, _case: &Case) -> bool {
        true
    }

    fn fingerprint(&self, program: &Program) -> String {
        text(program)
    }

    fn knows_syntax_alone(&self) -> bool {
        true
    }

    fn edits<'a>(&'a self, program: &'a Program) -> Box<dyn Iterator<Item = Edit> + 'a> {
        let text = text(program);
        let places: Vec<usize> = text.match_indices('x').map(|(at, _)| at).collect();
        Box::new(places.into_iter().map(move |at| Edit {
            what: "remove a letter".to_string(),
            program: of(&format!("{}{}", &text[..at], &text[at + 1..])),
            keeps_meaning: false,
        }))
    }
}

/// What is wanted begins with an `x`.
struct BeginsWithX;

impl Test for BeginsWithX {
    fn shows(&self, case: &Case, _withdrawn: &Withdrawn) -> bool {
        text(&case.programs[0]).starts_with('x')
    }
}

/// Never answers as long as somebody waits, but for so long that a test would fail.
struct NeverSays {
    was_withdrawn: AtomicBool,
}

impl Test for NeverSays {
    fn shows(&self, _case: &Case, withdrawn: &Withdrawn) -> bool {
        let began = Instant::now();
        while !withdrawn.is_withdrawn() && began.elapsed() < Duration::from_secs(60) {
            std::thread::yield_now();
        }
        self.was_withdrawn
            .store(withdrawn.is_withdrawn(), Ordering::Relaxed);
        true
    }
}

fn case_of(text: &str) -> Case {
    Case {
        programs: vec![of(text)],
        claim: Claim::Silent,
        steps: Vec::new(),
        seeds: Vec::new(),
    }
}

fn text(program: &Program) -> String {
    String::from_utf8_lossy(&program.source().text).into_owned()
}

fn of(text: &str) -> Program {
    Program::single("case.txt", text.as_bytes())
}

#[test]
fn a_change_that_fails_is_put_off_but_not_for_ever_on_any_number_of_threads() {
    // The first letter has to stay, so the others go only when nothing else is
    // left to try.
    for (before, after) in [("x1234567x", "x1234567"), ("x1xx", "x1")] {
        for threads in [1, 2, 4] {
            let stop = AtomicBool::new(false);
            let mut quiet = |_: &_, _: &_| ();
            let mut reducer = Reducer::new(Arc::new(Letters), &BeginsWithX, &stop, &mut quiet);
            reducer.threads = threads;
            let reduced = reducer.by_edits(case_of(before));
            assert_eq!(text(&reduced.programs[0]), after, "{threads} threads");
        }
    }
}

#[test]
fn a_test_under_way_ends_with_the_time_of_the_reduction() {
    for threads in [1, 2] {
        let stop = AtomicBool::new(false);
        let test = NeverSays {
            was_withdrawn: AtomicBool::new(false),
        };
        let mut quiet = |_: &_, _: &_| ();
        let mut reducer = Reducer::new(Arc::new(Letters), &test, &stop, &mut quiet);
        reducer.threads = threads;
        reducer.deadline = Some(Instant::now() + Duration::from_millis(20));
        let reduced = reducer.by_edits(case_of("x1x"));
        assert!(reducer.is_over() && !reducer.has_come_further());
        assert_eq!(text(&reduced.programs[0]), "x1x", "{threads} threads");
        assert!(test.was_withdrawn.load(Ordering::Relaxed));
    }
}
