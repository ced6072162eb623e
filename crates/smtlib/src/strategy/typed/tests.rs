use std::collections::{BTreeMap, BTreeSet};

use lydite_core::SettingFile;

use super::*;
use crate::SmtLib;
use crate::mutate::bank::collect;

fn seed(text: &str) -> Seed {
    Seed {
        name: "seed.smt2".to_string(),
        text: text.as_bytes().into(),
        claim: None,
    }
}

fn open(text: &str, settings: &[(&str, &str)]) -> Box<dyn Space> {
    open_with_bank(text, settings, None).expect("it opens")
}

fn open_with_bank(
    text: &str,
    settings: &[(&str, &str)],
    bank: Option<&str>,
) -> Result<Box<dyn Space>, OpenError> {
    let given = settings.iter().map(|(k, v)| (k.to_string(), v.to_string()));
    let mut settings = Settings::checked(&TypedMutation, given.collect())?;
    if let Some(bank) = bank {
        let file = SettingFile {
            name: "bank.txt".to_string(),
            text: bank.into(),
        };
        settings = settings.with_files(BTreeMap::from([("bank".to_string(), file)]));
    }
    TypedMutation.open(Arc::new(SmtLib), Arc::new([seed(text)]), &settings)
}

/// The texts of many mutants, which all pass the check.
fn mutants(space: &dyn Space, count: u64) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for index in 0..count {
        let case = space
            .sample(&mut Choices::seeded(1, index))
            .expect("a case");
        let text = String::from_utf8(case.programs[0].source().text.to_vec()).expect("text");
        assert_eq!(SmtLib.check(&case.programs[0]), Ok(()), "{text}");
        found.insert(text);
    }
    found
}

const PLAIN: &[(&str, &str)] = &[
    ("rounds", "1"),
    ("depth", "1"),
    ("literals", "false"),
    ("fresh", "false"),
    ("assertions", "false"),
    ("wrap", "false"),
    ("swaps", "false"),
    ("tactics", "never"),
];

#[test]
fn a_term_becomes_an_operator_on_terms_of_the_seed() {
    // Figure 5.2.
    let text = "(declare-fun x () String)\n(assert (= (str.len x) 0))\n(check-sat)\n";
    let found = mutants(open(text, PLAIN).as_ref(), 3_000);
    for expected in [
        "(str.len (str.from_int 0))",
        "(str.len (str.from_int (str.len x)))",
    ] {
        let found = found.iter().any(|text| text.contains(expected));
        assert!(found, "{expected}");
    }
    assert!(
        !found
            .iter()
            .any(|text| text.contains("(str.++ x ") && text.contains("(str.len (str.++"))
    );
}

#[test]
fn only_what_is_visible_is_used() {
    let text = "(declare-const a Int)\n\
        (assert (forall ((x Int)) (let ((y (+ x 1))) (and (= y a) (exists ((z Int)) (= z x))))))\n\
        (push 1)\n(declare-const b Int)\n(assert (= b 3))\n(check-sat)\n(pop 1)\n\
        (assert (= a 4))\n(define-fun f ((n Int)) Int (- n 1))\n(assert (= (f 2) 5))\n\
        (declare-datatypes ((L 0)) (((nil) (cons (hd Int) (tl L)))))\n(declare-const l L)\n\
        (assert (match l ((nil true) ((cons h t) (> h 0)))))\n(check-sat)\n";
    // The check refuses whatever is not visible.
    let found = mutants(open(text, &[]).as_ref(), 3_000);
    for expected in ["(hd l)", "(_ is cons)", "(cons ", "(f ", "new0"] {
        assert!(
            found.iter().any(|text| text.contains(expected)),
            "{expected}"
        );
    }
}

#[test]
fn the_replaced_term_is_wrapped_only_if_wanted() {
    let text = "(declare-const a Bool)\n(assert (or a (not a)))\n(check-sat)\n";
    let wrapped = |wrap: &str| {
        let mut settings = PLAIN.to_vec();
        settings.push(("wrap", wrap));
        let found = mutants(open(text, &settings).as_ref(), 500);
        found
            .iter()
            .any(|text| text.contains("(not (not a))") && !text.contains("(or (not a)"))
    };
    assert!(wrapped("true"));
}

#[test]
fn new_constants_and_assertions_are_declared_before_they_are_used() {
    let text = "(set-logic QF_UF)\n(declare-sort U 0)\n(declare-const u U)\n\
        (assert (= u u))\n(check-sat)\n(assert (distinct u u))\n(check-sat)\n";
    let settings = &[("rounds", "8"), ("literals", "false")];
    let found = mutants(open(text, settings).as_ref(), 500);
    assert!(
        found
            .iter()
            .any(|text| text.matches("(assert ").count() > 2)
    );
    assert!(
        found
            .iter()
            .any(|text| text.contains("(declare-const new0 U)\n"))
    );
}

#[test]
fn a_name_of_the_seed_is_never_declared_again() {
    let text =
        "(declare-const new0 Int)\n(declare-const new_1 Int)\n(assert (= new0 1))\n(check-sat)\n";
    let found = mutants(open(text, &[]).as_ref(), 500);
    assert!(
        found
            .iter()
            .any(|text| text.contains("(declare-const new__0 "))
    );
}

#[test]
fn what_wants_a_literal_keeps_it() {
    let text = "(declare-const s String)\n(declare-const a (Array Int Int))\n\
        (assert (str.in_re s (re.+ (re.range \"a\" \"b\"))))\n\
        (assert (= a ((as const (Array Int Int)) 0)))\n(check-sat)\n";
    for text in mutants(open(text, &[("rounds", "8")]).as_ref(), 2_000) {
        for range in text.split("(re.range ").skip(1) {
            assert!(range.starts_with('"'), "{text}");
        }
        for constant in text.split("((as const (Array Int Int)) ").skip(1) {
            let first = constant.trim_start_matches("(- ").chars().next();
            assert!(first.is_some_and(|c| c.is_ascii_digit()), "{text}");
        }
    }
}

#[test]
fn a_bank_brings_terms_that_the_seed_does_not_have() {
    let bank = collect(&[seed(
        "(declare-const x String)(declare-const b (_ BitVec 8))(assert (= (str.len x) 54321))\
         (assert (= (bvadd b #xab) b))(check-sat)",
    )]);
    let text = "(declare-const s String)\n(assert (= s \"a\"))\n(check-sat)\n";
    let space = open_with_bank(text, &[], Some(&bank)).expect("it opens");
    let found = mutants(space.as_ref(), 1_000);
    for expected in ["(= (str.len s) 54321)", "#xab"] {
        assert!(
            found.iter().any(|text| text.contains(expected)),
            "{expected}"
        );
    }
    let error = open_with_bank(text, &[], Some("; no\n"))
        .err()
        .expect("it is refused");
    assert!(
        error
            .to_string()
            .starts_with("setting `bank`: bank.txt:1: "),
        "{error}"
    );
}

#[test]
fn a_tape_remakes_the_case() {
    let text = "(declare-const a Real)\n(declare-fun f (Real) Bool)\n\
        (assert (exists ((x Real)) (and (f x) (< (* a x) 1.0))))\n(check-sat)\n";
    let space = open(text, &[("rounds", "1-20"), ("depth", "4")]);
    for index in 0..50 {
        let mut choices = Choices::seeded(7, index);
        let case = space.sample(&mut choices).expect("a case");
        let again = space.sample(&mut Choices::replay(choices.into_tape()));
        assert_eq!(again.expect("the same"), case);
    }
}

#[test]
fn a_chain_may_begin_with_changed_operators() {
    let text = "(declare-const x Int)(declare-const y Int)
        (assert (or (< x y) (= (+ x y) (* x 3))))(check-sat)";
    let swapped = |swaps: &str| {
        let space = open(text, &[("swaps", swaps), ("rounds", "8")]);
        let cases = (0..200).map(|index| {
            let case = space
                .sample(&mut Choices::seeded(3, index))
                .expect("a case");
            assert_eq!(SmtLib.check(&case.programs[0]), Ok(()));
            case
        });
        let has = |case: &Case| {
            let changed = |step: &String| step.contains(" to ");
            case.steps.iter().any(changed) && !case.steps.iter().all(changed)
        };
        cases.filter(has).count()
    };
    assert!((20..100).contains(&swapped("true")));
    assert_eq!(swapped("false"), 0);
}

#[test]
fn sets_and_fields_are_mutated_and_stay_well_sorted() {
    for text in [
        "(declare-const A (FiniteSet Int))(declare-const i Int)
         (assert (set.in i (set.union A (set.singleton 1))))(check-sat)",
        "(declare-const x (_ FiniteField 7))(assert (= (ff.mul x x) (as ff2 (_ FiniteField 7))))(check-sat)",
    ] {
        let found = mutants(open(text, &[("rounds", "1-8")]).as_ref(), 300);
        let uses = |word: &str| found.iter().any(|text| text.contains(word));
        match text.contains("FiniteSet") {
            true => assert!(uses("set.inter") && uses("set.card") && uses("(as set.empty ")),
            false => assert!(uses("ff.add") && uses("ff.neg") && uses("(as ff-1 ")),
        }
    }
}

#[test]
fn a_theory_of_a_file_is_used() {
    let theory = "theory colours\nsort (Shade A)\ngrey : (Shade A)\nanswer : Int\nmix : (Shade A) (Shade A) -> (Shade A)\ndark : (Shade A) -> Bool\n";
    let file = SettingFile {
        name: "colours.txt".to_string(),
        text: theory.into(),
    };
    let settings = Settings::checked(&TypedMutation, BTreeMap::new()).expect("defaults");
    let settings = settings.with_files(BTreeMap::from([("operators".to_string(), file)]));
    let text = "(declare-const a (Shade Int))(declare-const n Int)(assert (dark a))(assert (< n 3))(check-sat)";
    let space = TypedMutation
        .open(Arc::new(SmtLib), Arc::new([seed(text)]), &settings)
        .expect("it opens");
    let language = SmtLib
        .extended(theory)
        .expect("a theory")
        .expect("a language");
    let mut used = [0; 3];
    for index in 0..100 {
        let case = space
            .sample(&mut Choices::seeded(1, index))
            .expect("a case");
        assert_eq!(language.check(&case.programs[0]), Ok(()));
        let text = String::from_utf8(case.programs[0].source().text.to_vec()).expect("text");
        for (used, word) in used
            .iter_mut()
            .zip(["(mix ", "(as grey (Shade Int))", "answer"])
        {
            *used += usize::from(text.contains(word));
        }
    }
    assert!(used.iter().all(|used| *used > 8), "{used:?}");
}
