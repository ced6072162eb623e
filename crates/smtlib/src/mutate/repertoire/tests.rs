use super::*;
use crate::mutate::view::View;
use crate::typing::Options;

#[test]
fn every_caution_names_an_operator() {
    let operators = Operators::built_in();
    let heads: Vec<String> = operators.iter().map(|(_, o)| head(o)).collect();
    for name in cautions().keys() {
        assert!(heads.contains(name), "{name}");
    }
    let lines = CAUTIONS
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with(';'));
    for line in lines {
        assert!(line.contains(" ; "), "no reason: {line}");
    }
}

#[test]
fn speakers_decide_what_is_used() {
    let operators = Operators::built_in();
    let knows = |speakers: &str, name: &str| {
        let strategy = crate::strategy::operators::OperatorMutation;
        let given = [("speakers".to_string(), speakers.to_string())];
        let settings = Settings::checked(&strategy, given.into_iter().collect()).expect("known");
        let repertoire = Repertoire::open(operators, &settings).expect(speakers);
        let named = operators.named(name);
        named.iter().any(|id| repertoire.usable.contains(id))
    };
    for (name, shared, old, z3, cvc5) in [
        ("bvadd", true, true, true, true),
        ("bvuaddo", true, false, true, true),
        ("rem", false, false, true, false),
        ("str.rev", false, false, false, true),
        ("nat2bv", false, false, false, false),
    ] {
        let found = ["shared", "old", "z3", "cvc5"].map(|speakers| knows(speakers, name));
        assert_eq!(found, [shared, old, z3, cvc5], "{name}");
    }
}

#[test]
fn what_wants_literals_keeps_them() {
    let original = Original::read(
        b"(declare-const s String)(declare-const a Bool)(declare-fun f (Int) Int)
          (assert (str.in_re s (re.++ (re.range \"a\" \"z\") (str.to_re \"b\"))))
          (assert (forall ((x Int)) (! (= (f x) 1) :pattern ((f x)))))
          (check-sat-assuming (a))",
        Options::default().operators,
        View::ANSWERS,
    )
    .expect("it reads");
    let repertoire = Repertoire::open(Operators::built_in(), &Settings::default()).expect("open");
    let frozen = repertoire.frozen(&original);
    let frozen: Vec<&str> = original
        .script
        .terms()
        .filter(|term| frozen[term.index()])
        .map(|term| original.term_text(term))
        .collect();
    assert_eq!(frozen, ["\"a\"", "\"z\"", "x", "(f x)", "a"]);
}
