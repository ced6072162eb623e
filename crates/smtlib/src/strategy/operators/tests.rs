use std::collections::BTreeSet;

use super::*;
use crate::SmtLib;

fn open(seed: &str, settings: &[(&str, &str)]) -> Result<Box<dyn Space>, OpenError> {
    let given = settings.iter().map(|(k, v)| (k.to_string(), v.to_string()));
    let settings = Settings::checked(&OperatorMutation, given.collect())?;
    let seed = Seed {
        name: "seed.smt2".to_string(),
        text: seed.as_bytes().into(),
        claim: None,
    };
    OperatorMutation.open(Arc::new(SmtLib), Arc::new([seed]), &settings)
}

fn text(case: &Case) -> String {
    String::from_utf8(case.programs[0].source().text.to_vec()).expect("text")
}

/// All texts that the one assertion becomes by one change.
fn mutants(declarations: &str, assertion: &str) -> BTreeSet<String> {
    let seed = format!("{declarations}\n(assert {assertion})\n(check-sat)\n");
    let space = open(&seed, &[("rounds", "1"), ("tactics", "never")]).expect("it opens");
    let mut found = BTreeSet::new();
    let mut odometer = lydite_core::Odometer::default();
    while let Some(case) = odometer.run(|choices| space.sample(choices)) {
        let Ok(case) = case else { continue };
        assert_eq!(SmtLib.check(&case.programs[0]), Ok(()), "{}", text(&case));
        let text = text(&case);
        let line = text.lines().find(|line| line.starts_with("(assert "));
        let line = line.expect("an assertion");
        found.insert(line["(assert ".len()..line.len() - 1].to_string());
    }
    found
}

fn check(declarations: &str, assertion: &str, expected: &[&str]) {
    let expected: BTreeSet<String> = expected.iter().map(|text| text.to_string()).collect();
    assert_eq!(mutants(declarations, assertion), expected);
}

#[test]
fn an_operator_becomes_every_other_of_its_type() {
    check(
        "(set-logic QF_LIA)(declare-const a Int)",
        "(> a 1)",
        &[
            "(= a 1)", "(distinct a 1)", "(<= a 1)", "(< a 1)", "(>= a 1)",
        ],
    );
    // Example 4.3.1.
    check(
        "",
        "(= (mod 1 1) 1)",
        &[
            "(= (div 1 1) 1)", "(= (- 1 1) 1)", "(= (+ 1 1) 1)", "(= (* 1 1) 1)",
            "(distinct (mod 1 1) 1)", "(<= (mod 1 1) 1)", "(< (mod 1 1) 1)", "(>= (mod 1 1) 1)",
            "(> (mod 1 1) 1)",
        ],
    );
}

#[test]
fn quantifiers_are_swapped() {
    check(
        "(declare-fun p (Int) Bool)",
        "(forall ((x Int)) (p x))",
        &["(exists ((x Int)) (p x))"],
    );
}

#[test]
fn functions_of_the_script_count_where_they_are_declared() {
    check(
        "(declare-fun f (Bool) Bool)(declare-const a Bool)",
        "(f a)",
        &["(not a)", "(f true)", "(f false)"],
    );
    let later = "(declare-const a Bool)(assert (not a))(declare-fun f (Bool) Bool)(check-sat)";
    let space = open(later, &[("rounds", "1"), ("constants", "false")]).expect("it opens");
    assert!(space.sample(&mut Choices::seeded(1, 1)).is_err());
}

#[test]
fn a_name_that_the_script_takes_is_no_operator() {
    check(
        "(declare-fun xor (Bool Bool) Int)(declare-fun or (Int) Int)(declare-const a Bool)",
        "(and a a)",
        &[
            "(=> a a)", "(= a a)", "(distinct a a)", "(and true a)", "(and a true)",
            "(and false a)", "(and a false)",
        ],
    );
}

#[test]
fn names_and_patterns_and_assumptions_stay() {
    let seed = "(declare-fun f (Int) Int)(declare-fun g (Int) Int)(declare-const b Bool)
        (declare-const c Bool)
        (assert (! (forall ((x Int)) (! (= (f x) 1) :pattern ((f x)))) :named n))
        (check-sat-assuming (b))";
    let space = open(seed, &[("rounds", "1")]).expect("it opens");
    for index in 0..200 {
        let case = space
            .sample(&mut Choices::seeded(1, index))
            .expect("a case");
        let text = text(&case);
        assert!(text.contains(":pattern ((f x))"), "{text}");
        assert!(text.contains(":named n"), "{text}");
        assert!(text.contains("(check-sat-assuming (b))"), "{text}");
    }
}

#[test]
fn a_chain_changes_what_was_changed_and_the_logic_follows() {
    let seed = "(set-logic QF_LIA)(declare-const a Int)(assert (> (+ a a) 1))(check-sat)";
    let space = open(seed, &[("rounds", "30"), ("tactics", "never")]).expect("it opens");
    let mut logics = BTreeSet::new();
    for index in 0..50 {
        let case = space
            .sample(&mut Choices::seeded(1, index))
            .expect("a case");
        assert_eq!(case.steps.len(), 30);
        let text = text(&case);
        assert_eq!(SmtLib.check(&case.programs[0]), Ok(()), "{text}");
        logics.insert(text.lines().next().expect("a line").to_string());
    }
    assert!(logics.contains("(set-logic QF_NIA)"), "{logics:?}");
}

#[test]
fn a_tape_remakes_the_case() {
    let seed = "(declare-const a Real)(declare-const b Real)
        (assert (and (< (* a b) 1.0) (= a (+ b a))))(check-sat)";
    let space = open(seed, &[]).expect("it opens");
    for index in 0..50 {
        let mut choices = Choices::seeded(7, index);
        let case = space.sample(&mut choices).expect("a case");
        let again = space.sample(&mut Choices::replay(choices.into_tape()));
        assert_eq!(again.expect("the same"), case);
    }
}

#[test]
fn bad_settings_are_named() {
    for (key, value) in [
        ("rounds", "0"),
        ("constants", "maybe"),
        ("speakers", "yices"),
    ] {
        let error = open("(check-sat)", &[(key, value)]).err().expect(key);
        assert!(error.to_string().contains(value), "{error}");
    }
}

#[test]
fn what_the_author_said_about_how_to_answer_stays() {
    let seed = "(set-logic HORN)(declare-fun p (Int) Bool)
        (assert (forall ((x Int)) (=> (> x 0) (p x))))
        (minimize 3)(assert-soft (p 1) :weight 2)(check-sat-using (then simplify smt))";
    let space = open(seed, &[("rounds", "1"), ("tactics", "never")]).expect("it opens");
    for index in 0..50 {
        let case = space
            .sample(&mut Choices::seeded(1, index))
            .expect("a case");
        let text = text(&case);
        for kept in [
            "(set-logic HORN)", "(minimize", "(assert-soft", "(check-sat-using (then",
        ] {
            assert!(text.contains(kept), "{kept}: {text}");
        }
        let plain = SmtLib.in_dialect(&case.programs[0], "standard");
        let plain = String::from_utf8(plain.source().text.to_vec()).expect("text");
        assert!(
            plain.contains("(check-sat)") && !plain.contains("minimize"),
            "{plain}"
        );
        assert!(!plain.contains("assert-soft"), "{plain}");
    }
}

#[test]
fn a_question_gets_tactics_as_often_as_is_asked() {
    let seed = "(declare-const x Int)(assert (> x 0))(check-sat)";
    for (tactics, least, most) in [("never", 0, 0), ("sometimes", 10, 60), ("always", 200, 200)] {
        let space = open(seed, &[("tactics", tactics)]).expect("it opens");
        let drawn = (0..200)
            .map(|index| {
                space
                    .sample(&mut Choices::seeded(1, index))
                    .expect("a case")
            })
            .filter(|case| text(case).contains("(check-sat-using (then "))
            .count();
        assert!((least..=most).contains(&drawn), "{tactics}: {drawn}");
    }
    assert!(open(seed, &[("tactics", "often")]).is_err());
}
