use super::*;
use crate::mutate::view::View;
use crate::operators::Operators;
use crate::syntax::{Literal, parse};
use crate::typing;

fn original(text: &str) -> Original {
    Original::read(text.as_bytes(), Operators::built_in(), View::ANSWERS).expect(text)
}

fn printed(mutant: &Mutant<'_>) -> String {
    let mut out = Vec::new();
    mutant.write(&mut out);
    String::from_utf8(out).expect("text")
}

/// The first term with this text.
fn find(original: &Original, text: &str) -> TermId {
    let mut terms = original.script.terms();
    terms.find(|&t| original.term_text(t) == text).expect(text)
}

#[test]
fn an_original_keeps_what_asks_and_hides_nothing() {
    let original = original(
        "(set-info :status sat)(set-option :produce-models true)(set-logic ALL)
         (declare-fun x () Int)
         (assert (let ((x (+ x 1))) (forall ((x Int) (y Int)) (exists ((y Int)) (= x y)))))
         (check-sat-using smt)(get-model)(exit)(assert false)",
    );
    assert_eq!(
        original.text,
        "(set-logic ALL)\n(declare-fun x () Int)\n\
         (assert (let ((x_1 (+ x 1))) (forall ((x_2 Int) (y Int)) (exists ((y_1 Int)) (= x_2 y_1)))))\n\
         (check-sat)\n"
    );
    for text in [
        "(get-model)", "(check-sat", "(assert true)", "(foo)(check-sat)", "(assert 1)(check-sat)",
    ] {
        assert!(
            Original::read(text.as_bytes(), Operators::built_in(), View::ANSWERS).is_err(),
            "{text}"
        );
    }
}

#[test]
fn a_term_fits_where_its_variables_and_declarations_are() {
    let original = original(
        "(declare-const a Int)
         (assert (forall ((x Int)) (let ((y (+ x 1))) (and (= y a) (exists ((z Int)) (= z x))))))
         (push 1)(declare-const b Int)(assert (= b 3))(check-sat)(pop 1)
         (assert (= a 4))
         (define-fun-rec f ((n Int)) Int (ite (= n 0) 0 (f (- n 1))))
         (assert (= (f 2) 5))
         (check-sat)",
    );
    let fits = |what: &str, place: &str| {
        let place = find(&original, place);
        original.fits(
            find(&original, what),
            original.command(place),
            original.locals.scope_of[place.index()],
        )
    };
    for (what, place, expected) in [
        ("(= z x)", "(= y a)", false),
        ("(= y a)", "(= z x)", true),
        ("(+ x 1)", "(= z x)", true),
        ("y", "(+ x 1)", false),
        ("(exists ((z Int)) (= z x))", "(+ x 1)", true),
        ("(= z x)", "(= a 4)", false),
        ("a", "(= a 4)", true),
        ("b", "(= b 3)", true),
        ("b", "(= a 4)", false),
        ("(f (- n 1))", "0", true),
        ("(f 2)", "(= a 4)", false),
        ("(f 2)", "0", true),
        ("(f 2)", "(= (f 2) 5)", true),
    ] {
        assert_eq!(fits(what, place), expected, "{what} in {place}");
    }
}

#[test]
fn names_and_patterns_are_fixed() {
    let original = original(
        "(declare-fun f (Int) Int)
         (assert (and (! (= (f 1) 2) :named n) (forall ((x Int)) (! (= (f x) 3) :pattern ((f x))))))
         (check-sat-assuming (n))",
    );
    let fixed: Vec<&str> = original
        .script
        .terms()
        .filter(|&term| original.is_fixed(term))
        .map(|term| original.term_text(term))
        .collect();
    let (whole, rest) = fixed.split_last().expect("some are fixed");
    assert!(whole.starts_with("(and "));
    assert_eq!(rest, ["(! (= (f 1) 2) :named n)", "x", "(f x)"]);
}

#[test]
fn a_mutant_prints_what_was_changed() {
    let original = original(
        "(declare-const a Int)(declare-const b Int)
         (assert (forall ((x Int)) (> (+ x a) 0)))(assert (or (= a b) (< a 5)))(check-sat)",
    );
    let mut mutant = Mutant::new(&original);
    assert_eq!(printed(&mutant), original.text);
    // A changed operator, a changed binder.
    mutant.set_head(find(&original, "(> (+ x a) 0)").into(), "<=", None);
    let quantified = NodeId::from(find(&original, "(forall ((x Int)) (> (+ x a) 0))"));
    mutant.set_head(quantified, "exists", None);
    // A term wrapped in a new one, with a copy of a changed one beside it.
    let equation = NodeId::from(find(&original, "(= a b)"));
    let slot = mutant.slot(equation).expect("it has a place");
    let copy = mutant.copy(quantified, NONE);
    let wrapped = mutant.make("=>", None, Sort::BOOL, NONE, &[equation, copy]);
    mutant.put(slot, wrapped);
    // A change in the copy only.
    let inner = mutant.children(mutant.children(copy)[0])[0];
    let seven = mutant.make("7", None, Sort::INT, NONE, &[]);
    let slot = mutant.slot(inner).expect("it has a place");
    mutant.put(slot, seven);
    mutant.insert_before(3, "(declare-const c Int)\n".to_string());
    assert_eq!(
        printed(&mutant),
        "(declare-const a Int)\n(declare-const b Int)\n\
         (assert (exists ((x Int)) (<= (+ x a) 0)))\n(declare-const c Int)\n\
         (assert (or (=> (= a b) (exists ((x Int)) (<= 7 0))) (< a 5)))\n(check-sat)\n"
    );
    assert_eq!(mutant.command(inner), None);
    assert_eq!(mutant.command(seven), Some(3));
}

#[test]
fn a_copy_knows_what_is_visible_inside_it() {
    let original = original(
        "(declare-const a Int)
         (assert (forall ((x Int)) (exists ((y Int)) (= a y))))(assert (= a 5))(check-sat)",
    );
    let mut mutant = Mutant::new(&original);
    let inner = NodeId::from(find(&original, "(exists ((y Int)) (= a y))"));
    let outside = mutant.copy(inner, NONE);
    let equation = mutant.children(outside)[0];
    assert_eq!(mutant.scope(outside), NONE);
    assert_eq!(mutant.scope(equation), NOWHERE);
    let inside = mutant.copy(inner, mutant.scope(inner));
    let equation = mutant.children(inside)[0];
    assert_eq!(
        mutant.scope(equation),
        original.locals.scope_of[find(&original, "(= a y)").index()]
    );
}

/// Every term of every kind is replaced by itself and by a leaf.
#[test]
fn every_form_of_term_is_printed_piece_by_piece() {
    let text = "(declare-datatypes ((L 0)) (((nil) (cons (hd Int) (tl L)))))
        (declare-const l L)(declare-const a (Array Int Int))(declare-const v (_ BitVec 8))
        (define-fun g ((p Int) (q Bool)) Int (ite q p (- p)))
        (assert (match l ((nil true) ((cons h t) (> h (select ((as const (Array Int Int)) 1) 2))))))
        (assert (! (let ((k ((_ extract 3 0) v)) (|odd name| #x0f)) (= k (_ bv3 4))) :weight 3))
        (assert (forall ((i Int)) (! (= (select a i) (g i (str.prefixof \"a\"\"b\" \"c\"))) :pattern ((select a i)))))
        (check-sat)";
    let original = original(text);
    for term in original.script.terms() {
        let mut mutant = Mutant::new(&original);
        let copy = mutant.copy(term.into(), NONE);
        let slot = mutant.slot(term.into()).expect("it has a place");
        mutant.put(slot, copy);
        let leaves: Vec<NodeId> = mutant.children(copy).to_vec();
        for child in leaves {
            mutant.touch(child);
        }
        assert_eq!(printed(&mutant), original.text);
        if let Term::Literal(Literal::Numeral, _) = original.script.term(term) {
            let made = mutant.make("77", None, Sort::INT, NONE, &[]);
            mutant.put(slot, made);
            let script = parse(printed(&mutant).as_bytes()).expect("reads");
            assert!(typing::check(&script, &typing::Options::default()).is_ok());
        }
    }
}

#[test]
fn a_quoted_term_is_as_the_original_has_it() {
    let original =
        original("(declare-const a Int)(assert (= (+ a 1) 2))(assert (= a 5))(check-sat)");
    let mut mutant = Mutant::new(&original);
    let one = NodeId::from(find(&original, "1"));
    let slot = mutant.slot(one).expect("it has a place");
    let seven = mutant.make("7", None, Sort::INT, NONE, &[]);
    mutant.put(slot, seven);
    let five = NodeId::from(find(&original, "5"));
    let slot = mutant.slot(five).expect("it has a place");
    let quoted = mutant.quote(find(&original, "(+ a 1)"), NONE);
    mutant.put(slot, quoted);
    mutant.insert_before(1, "(assert b)\n".to_string());
    mutant.declare_before(1, "(declare-const b Bool)\n".to_string());
    assert_eq!(
        printed(&mutant),
        "(declare-const a Int)\n(declare-const b Bool)\n(assert b)\n(assert (= (+ a 7) 2))\n\
         (assert (= a (+ a 1)))\n(check-sat)\n"
    );
}
