use lydite_core::{Seed, Settings};

use super::read::BankError;
use super::*;
use crate::mutate::mutant::{NONE, Original};
use crate::mutate::repertoire::Repertoire;
use crate::mutate::view::View;
use crate::operators::Operators;

fn seed(text: &str) -> Seed {
    Seed {
        name: "seed.smt2".to_string(),
        text: text.as_bytes().into(),
        claim: None,
    }
}

fn read(text: &str) -> Result<Bank, BankError> {
    let operators = Operators::built_in();
    let repertoire = Repertoire::open(operators, &Settings::default()).expect("defaults");
    Bank::read(text, operators, &repertoire)
}

const STRINGS: &str = "(declare-const x String)(declare-const y String)(declare-sort U 0)
    (declare-fun f (String) Int)(declare-const u U)
    (assert (= (str.len x) 5))(assert (= (str.len y) 5))(assert (= u u))
    (assert (let ((z (str.++ x y x))) (< (f z) (+ (f z) (f y)))))
    (check-sat)";

#[test]
fn terms_that_differ_in_names_are_one() {
    let bank = collect(&[seed(STRINGS), seed(STRINGS), seed("(assert")]);
    assert_eq!(
        bank,
        "; lydite term bank, format 1\n\
         ((?0 Int) (?1 Int)) Bool (< ?0 (+ ?0 ?1))\n\
         ((?0 String)) Bool (= (str.len ?0) 5)\n"
    );
}

#[test]
fn numerals_of_sort_real_are_written_so_that_they_are_everywhere() {
    let lra = "(set-logic QF_LRA)(declare-const r Real)(assert (< r (+ 1 2.5)))(check-sat)";
    assert!(collect(&[seed(lra)]).contains("((?0 Real)) Bool (< ?0 (+ 1.0 2.5))\n"));
}

#[test]
fn a_bank_that_was_made_is_read_and_its_terms_are_made_again() {
    let bank = read(&collect(&[seed(STRINGS)])).expect("it reads");
    let original = "(declare-const a Int)(declare-const s String)(assert true)(check-sat)";
    let mut original = Original::read(original.as_bytes(), Operators::built_in(), View::ANSWERS)
        .expect("it reads");
    let mut sorts = original.typed.sorts.clone();
    let adopted = bank.adopt_sorts(&mut sorts);
    original.typed.sorts = sorts;
    let mut mutant = Mutant::new(&original);
    let bool = adopted
        .iter()
        .position(|&sort| sort == Sort::BOOL)
        .expect("there are");
    let mut texts = Vec::new();
    for &term in bank.of(bool) {
        let mut count = 0;
        let made = bank.make(term, &mut mutant, &adopted, NONE, |mutant, sort| {
            count += 1;
            Ok::<NodeId, ()>(mutant.make(&format!("hole{count}"), None, sort, NONE, &[]))
        });
        let mut text = Vec::new();
        mutant.write_node(made.expect("it is made"), &mut text);
        texts.push(String::from_utf8(text).expect("text"));
    }
    assert_eq!(
        texts,
        ["(< hole1 (+ hole1 hole2))", "(= (str.len hole1) 5)"]
    );
}

#[test]
fn terms_that_are_not_to_be_used_are_passed_over() {
    let text = format!(
        "{HEADER}\n((?0 String)) String (str.rev (str.++ ?0 \"a\"))\n\
         ((?0 String)) RegLan (re.* (re.range \"a\" ?0))\n() RegLan (re.* (re.range \"a\" \"b\"))\n"
    );
    let bank = read(&text).expect("it reads");
    assert_eq!(bank.terms.len(), 1);
    assert!(bank.uses_any(&["re.range"]) && !bank.uses_any(&["str.rev"]));
}

#[test]
fn a_bad_bank_is_refused_with_its_line() {
    let deep = format!("() Bool {}true{}", "(not ".repeat(5_000), ")".repeat(5_000));
    let long = format!("() String \"{}\"", "a".repeat(100_000));
    for (line, what) in [
        ("((?0 Int)) Bool (= ?0 1", "end"),
        (
            "((?0 Int)) Bool (= ?0 1)) (assert true",
            "holes, a sort and one term",
        ),
        ("((?0 Int)) Bool (+ ?0 1)", "Bool"),
        ("((?0 Int)) Bool (forall ((x Int)) (= x ?0))", "no hole"),
        ("((?0 U)) Bool (= ?0 ?0)", "U"),
        ("() Int (f 1)", "f"),
        ("() Bool (let ((x 1)) (= x 1))", "no hole"),
        (&deep, "1000 nodes"),
        (&long, "bytes"),
    ] {
        let text = format!("{HEADER}\n() Bool (not (= 1 2))\n{line}\n");
        let error = read(&text).err().expect(line);
        assert_eq!(error.line, 3, "{line}");
        assert!(error.what.contains(what), "{line}: {}", error.what);
    }
    assert_eq!(read("").err().expect("no header").line, 1);
    assert_eq!(read("(assert true)").err().expect("no header").line, 1);
}
