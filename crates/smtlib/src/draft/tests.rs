use super::*;
use crate::operators::Operators;
use crate::syntax::{Literal, parse};
use crate::typing;

fn stock(text: &str) -> Stock {
    Stock::read(text.as_bytes(), Operators::built_in()).expect(text)
}

fn printed(draft: &Draft<'_>) -> String {
    let mut out = Vec::new();
    draft.write(&mut out);
    String::from_utf8(out).expect("text")
}

/// The first term with this text.
fn find(stock: &Stock, text: &str) -> TermId {
    let mut terms = stock.script.terms();
    terms.find(|&t| stock.term_text(t) == text).expect(text)
}

#[test]
fn a_stock_keeps_what_asks_and_hides_nothing() {
    let stock = stock(
        "(set-info :status sat)(set-option :produce-models true)(set-logic ALL)
         (declare-fun x () Int)
         (assert (let ((x (+ x 1))) (forall ((x Int) (y Int)) (exists ((y Int)) (= x y)))))
         (check-sat-using smt)(get-model)(exit)(assert false)",
    );
    assert_eq!(
        stock.text,
        "(set-logic ALL)\n(declare-fun x () Int)\n\
         (assert (let ((x_1 (+ x 1))) (forall ((x_2 Int) (y Int)) (exists ((y_1 Int)) (= x_2 y_1)))))\n\
         (check-sat)\n"
    );
    for text in [
        "(get-model)", "(check-sat", "(assert true)", "(foo)(check-sat)", "(assert 1)(check-sat)",
    ] {
        assert!(
            Stock::read(text.as_bytes(), Operators::built_in()).is_err(),
            "{text}"
        );
    }
}

#[test]
fn a_term_fits_where_its_variables_and_declarations_are() {
    let stock = stock(
        "(declare-const a Int)
         (assert (forall ((x Int)) (let ((y (+ x 1))) (and (= y a) (exists ((z Int)) (= z x))))))
         (push 1)(declare-const b Int)(assert (= b 3))(check-sat)(pop 1)
         (assert (= a 4))
         (define-fun-rec f ((n Int)) Int (ite (= n 0) 0 (f (- n 1))))
         (assert (= (f 2) 5))
         (check-sat)",
    );
    let fits = |what: &str, place: &str| {
        let place = find(&stock, place);
        stock.fits(
            find(&stock, what),
            stock.command(place),
            stock.locals.scope_of[place.index()],
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
    let stock = stock(
        "(declare-fun f (Int) Int)
         (assert (and (! (= (f 1) 2) :named n) (forall ((x Int)) (! (= (f x) 3) :pattern ((f x))))))
         (check-sat-assuming (n))",
    );
    let fixed: Vec<&str> = stock
        .script
        .terms()
        .filter(|&term| stock.is_fixed(term))
        .map(|term| stock.term_text(term))
        .collect();
    let (whole, rest) = fixed.split_last().expect("some are fixed");
    assert!(whole.starts_with("(and "));
    assert_eq!(rest, ["(! (= (f 1) 2) :named n)", "x", "(f x)"]);
}

#[test]
fn a_draft_prints_what_was_changed() {
    let stock = stock(
        "(declare-const a Int)(declare-const b Int)
         (assert (forall ((x Int)) (> (+ x a) 0)))(assert (or (= a b) (< a 5)))(check-sat)",
    );
    let mut draft = Draft::new(&stock);
    assert_eq!(printed(&draft), stock.text);
    // A changed operator, a changed binder.
    draft.set_head(find(&stock, "(> (+ x a) 0)").into(), "<=", None);
    let quantified = NodeId::from(find(&stock, "(forall ((x Int)) (> (+ x a) 0))"));
    draft.set_head(quantified, "exists", None);
    // A term wrapped in a new one, with a copy of a changed one beside it.
    let equation = NodeId::from(find(&stock, "(= a b)"));
    let slot = draft.slot(equation).expect("it has a place");
    let copy = draft.copy(quantified, NONE);
    let wrapped = draft.make("=>", None, Sort::BOOL, NONE, &[equation, copy]);
    draft.put(slot, wrapped);
    // A change in the copy only.
    let inner = draft.children(draft.children(copy)[0])[0];
    let seven = draft.make("7", None, Sort::INT, NONE, &[]);
    let slot = draft.slot(inner).expect("it has a place");
    draft.put(slot, seven);
    draft.insert_before(3, "(declare-const c Int)\n".to_string());
    assert_eq!(
        printed(&draft),
        "(declare-const a Int)\n(declare-const b Int)\n\
         (assert (exists ((x Int)) (<= (+ x a) 0)))\n(declare-const c Int)\n\
         (assert (or (=> (= a b) (exists ((x Int)) (<= 7 0))) (< a 5)))\n(check-sat)\n"
    );
    assert_eq!(draft.command(inner), None);
    assert_eq!(draft.command(seven), Some(3));
}

#[test]
fn a_copy_knows_what_is_visible_inside_it() {
    let stock = stock(
        "(declare-const a Int)
         (assert (forall ((x Int)) (exists ((y Int)) (= a y))))(assert (= a 5))(check-sat)",
    );
    let mut draft = Draft::new(&stock);
    let inner = NodeId::from(find(&stock, "(exists ((y Int)) (= a y))"));
    let outside = draft.copy(inner, NONE);
    let equation = draft.children(outside)[0];
    assert_eq!(draft.scope(outside), NONE);
    assert_eq!(draft.scope(equation), NOWHERE);
    let inside = draft.copy(inner, draft.scope(inner));
    let equation = draft.children(inside)[0];
    assert_eq!(
        draft.scope(equation),
        stock.locals.scope_of[find(&stock, "(= a y)").index()]
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
    let stock = stock(text);
    for term in stock.script.terms() {
        let mut draft = Draft::new(&stock);
        let copy = draft.copy(term.into(), NONE);
        let slot = draft.slot(term.into()).expect("it has a place");
        draft.put(slot, copy);
        let leaves: Vec<NodeId> = draft.children(copy).to_vec();
        for child in leaves {
            draft.touch(child);
        }
        assert_eq!(printed(&draft), stock.text);
        if let Term::Literal(Literal::Numeral, _) = stock.script.term(term) {
            let made = draft.make("77", None, Sort::INT, NONE, &[]);
            draft.put(slot, made);
            let script = parse(printed(&draft).as_bytes()).expect("reads");
            assert!(typing::check(&script, &typing::Options::default()).is_ok());
        }
    }
}

#[test]
fn a_quoted_term_is_as_the_stock_has_it() {
    let stock = stock("(declare-const a Int)(assert (= (+ a 1) 2))(assert (= a 5))(check-sat)");
    let mut draft = Draft::new(&stock);
    let one = NodeId::from(find(&stock, "1"));
    let slot = draft.slot(one).expect("it has a place");
    let seven = draft.make("7", None, Sort::INT, NONE, &[]);
    draft.put(slot, seven);
    let five = NodeId::from(find(&stock, "5"));
    let slot = draft.slot(five).expect("it has a place");
    let quoted = draft.quote(find(&stock, "(+ a 1)"), NONE);
    draft.put(slot, quoted);
    draft.insert_before(1, "(assert b)\n".to_string());
    draft.declare_before(1, "(declare-const b Bool)\n".to_string());
    assert_eq!(
        printed(&draft),
        "(declare-const a Int)\n(declare-const b Bool)\n(assert b)\n(assert (= (+ a 7) 2))\n\
         (assert (= a (+ a 1)))\n(check-sat)\n"
    );
}
