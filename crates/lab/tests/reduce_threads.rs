//! The order of candidates decides what a reduction ends with, not who is
//! quick.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

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
            let case = Case {
                programs: vec![of(before)],
                claim: Claim::Silent,
                steps: Vec::new(),
                seeds: Vec::new(),
            };
            let reduced = reducer.by_edits(case);
            assert_eq!(text(&reduced.programs[0]), after, "{threads} threads");
        }
    }
}
