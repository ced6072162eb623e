//! Models as solvers print them.

use lydite_smtlib::model::{Check, Printed, Reading, Reply, ask_for_models, check, replies};
use lydite_smtlib::print;
use lydite_smtlib::syntax::parse_str;

/// The verdict on the model that `target` printed for the first question.
fn verdict(target: &str, script: &str, output: &str) -> String {
    let script = parse_str(&format!("{script}(check-sat)")).expect("a readable script");
    let replies = replies(output);
    let Some(Reply::Model(model)) = replies.last() else {
        return format!("no model: {replies:?}");
    };
    let reading = Reading::of(&target.parse().expect("a target's name"));
    match check(&script, 0, *model, reading) {
        Check::Valid => "valid".to_string(),
        Check::Partial => "partial".to_string(),
        Check::Invalid(term) => format!("false: {}", print::term(&script, term)),
        Check::CannotSay(why) => format!("? {why}"),
    }
}

#[test]
fn irrational_numbers_that_depend_on_each_other_are_compared() {
    let script = "(declare-fun x () Real)(declare-fun r () Real)\
        (assert (= (- (* x x x) (* 2.0 x)) 1.0))(assert (> x (/ 3 2)))(assert (= (* r x) 1.0))";
    for (target, output, expected) in [
        (
            "z3",
            "sat\n((define-fun r () Real (root-obj (+ (^ x 2) x (- 1)) 2))\
             (define-fun x () Real (root-obj (+ (^ x 2) (* (- 1) x) (- 1)) 2)))",
            "valid",
        ),
        (
            "z3",
            "sat\n((define-fun r () Real (root-obj (+ (^ x 2) x (- 1)) 1))\
             (define-fun x () Real (root-obj (+ (^ x 2) (* (- 1) x) (- 1)) 2)))",
            "false: (= (* r x) 1.0)",
        ),
        (
            "cvc5",
            "sat\n(\n(define-fun x () Real (_ real_algebraic_number <1*x^3 + (-2*x) + (-1), (3393263/2097152, 212079/131072)>))\n\
             (define-fun r () Real (_ real_algebraic_number <1*x^3 + 2*x^2 + (-1), (1/2, 3/4)>))\n)",
            "valid",
        ),
    ] {
        assert_eq!(verdict(target, script, output), expected, "{output}");
    }
}

#[test]
fn a_value_of_another_sort_is_no_witness() {
    for (script, model, expected) in [
        (
            "(declare-const x Int)(assert (= (* 2 x) 3))",
            "(define-fun x () Int (/ 3 2))",
            "? the model's value of `x` is not of its sort",
        ),
        (
            "(declare-const x Int)(assert (= (* 2 x) 4))",
            "(define-fun x () Int 2.0)",
            "valid",
        ),
        (
            "(declare-const r Real)(assert (= (* 2.0 r) 4.0))",
            "(define-fun r () Real 2)",
            "valid",
        ),
        (
            "(declare-const v (_ BitVec 8))(assert (= v v))",
            "(define-fun v () (_ BitVec 8) #x0)",
            "? the model's value of `v` is not of its sort",
        ),
        (
            "(declare-fun f (Int) (Seq Bool))(assert (= (seq.len (f 1)) 1))",
            "(define-fun f ((x!0 Int)) (Seq Bool) (seq.unit x!0))",
            "? the model's value of `f` is not of its sort",
        ),
        (
            "(declare-datatypes ((L 1)) ((par (X) ((nil) (cons (hd X) (tl (L X)))))))\
             (declare-const l (L Int))(assert ((_ is cons) l))",
            "(define-fun l () (L Int) (cons true (as nil (L Bool))))",
            "? the model's value of `l` is not of its sort",
        ),
        (
            "(declare-const a (Array Int Bool))(assert (= a a))",
            "(define-fun a () (Array Int Bool) (store ((as const (Array Int Bool)) false) 3 7))",
            "? ill-typed arguments for store",
        ),
        (
            "(declare-const a (Array Int Bool))(assert (= a a))",
            "(define-fun a () (Array Int Bool) ((as const (Array Int Int)) 1))",
            "? the model's value of `a` is not of its sort",
        ),
    ] {
        assert_eq!(
            verdict("cvc5", script, &format!("sat\n({model})")),
            expected,
            "{model}"
        );
    }
}

const LISTS: &str = "(declare-datatypes ((L 1)) ((par (X) ((nil) (cons (hd X) (tl (L X)))))))";

#[test]
fn the_forms_of_values_of_all_solvers_are_read() {
    for (target, script, output, expected) in [
        // z3: the bare list, several lines, as-array and lambda.
        (
            "z3",
            "(declare-fun a () (Array Int Int))(assert (= (select a 1) 5))(assert (= (select a 9) 7))",
            "sat\n(\n  (define-fun a () (Array Int Int)\n    (_ as-array k!0))\n  (define-fun k!0 ((x!0 Int)) Int\n    (ite (= x!0 1) 5\n      7))\n)\n",
            "valid",
        ),
        (
            "z3",
            "(declare-fun a () (Array Int Int))(assert (= a (store a 1 5)))",
            "sat\n((define-fun a () (Array Int Int) (lambda ((x!1 Int)) (ite (= x!1 2) 5 0))))",
            "false: (= a (store a 1 5))",
        ),
        (
            "z3",
            "(declare-fun f (Int Int) Int)(assert (= (f 1 2) 3))(assert (= (f 2 1) 4))",
            "sat\n(model (define-fun f ((x!0 Int) (x!1 Int)) Int (ite (and (= x!0 1) (= x!1 2)) 3 4)))",
            "valid",
        ),
        // Division by zero, as z3 prints it.
        (
            "z3",
            "(declare-fun x () Int)(assert (= (div x 0) 7))(assert (= (mod x 0) 8))",
            "sat\n((define-fun x () Int 3) (define-fun div0 ((x!0 Int) (x!1 Int)) Int 7) (define-fun mod0 ((x!0 Int) (x!1 Int)) Int 8))",
            "valid",
        ),
        (
            "z3",
            "(declare-fun x () Real)(assert (= (/ x 0.0) 7.0))",
            "sat\n((define-fun x () Real 3.0) (define-fun /0 ((x!0 Real)) Real 6.0))",
            "false: (= (/ x 0.0) 7.0)",
        ),
        (
            "cvc5",
            "(declare-fun x () Int)(assert (= (div x 0) 7))",
            "sat\n(\n(define-fun x () Int 3)\n)",
            "? div is underspecified here and the model does not say",
        ),
        (
            "cvc5",
            "(declare-fun x () Int)(assert (= (div x 0) 0))(assert (= x 3))",
            "sat\n(\n(define-fun x () Int 3)\n)",
            "valid",
        ),
        (
            "z3",
            "(declare-fun x () Int)(assert (= (div x 0 2 0) 7))",
            "sat\n((define-fun x () Int 3) (define-fun div0 ((x!0 Int) (x!1 Int)) Int (ite (= x!0 3) 8 7)))",
            "valid",
        ),
        // A name that is given again after a pop means the new term.
        (
            "z3",
            "(declare-fun p () Bool)(declare-fun q () Bool)(push 1)(assert (! (not p) :named n))(pop 1)\
             (push 1)(assert (! p :named n))(assert (= q n))",
            "sat\n((define-fun p () Bool true) (define-fun q () Bool true))",
            "valid",
        ),
        (
            "z3",
            "(declare-fun p () Bool)(push 1)(assert (! p :named n))(pop 1)\
             (declare-fun n () Bool)(assert (not n))(assert (=> n p))",
            "sat\n((define-fun p () Bool false) (define-fun n () Bool false))",
            "valid",
        ),
        (
            "z3",
            "(declare-fun p () Bool)(push 1)(assert (! (not p) :named n))(pop 1)\
             (assert (! p :named n))(assert (not n))",
            "sat\n((define-fun p () Bool true))",
            "false: (not n)",
        ),
        // Two functions of one name.
        (
            "z3",
            "(declare-fun f (Int) Int)(declare-fun f ((_ BitVec 8)) (_ BitVec 8))\
             (assert (= (f 0) 5))(assert (= (f #x00) #x07))",
            "sat\n((define-fun f ((x!0 Int)) Int 5) (define-fun f ((x!0 (_ BitVec 8))) (_ BitVec 8) #x07))",
            "? not evaluated: a name that means two functions at once",
        ),
        (
            "z3",
            "(declare-fun abs (String) Int)(declare-fun x () Int)(assert (= (abs \"a\") 5))(assert (= (abs x) 7))",
            "sat\n((define-fun x () Int 7) (define-fun abs ((x!0 String)) Int 5))",
            "? not evaluated: a name that means two functions at once",
        ),
        // A datatype may have constructors that a theory has.
        (
            "cvc5",
            "(declare-datatype L ((nil) (insert (head Int) (tail L))))(declare-const l L)\
             (assert (= (head l) 3))(assert (= (tail l) nil))",
            "sat\n((define-fun l () L (insert 3 nil)))",
            "valid",
        ),
        // The universe is some superset of the sets at hand.
        (
            "cvc5",
            "(declare-fun A () (Set Int))(assert (= (set.complement A) (set.singleton 1)))",
            "sat\n((define-fun A () (Set Int) (as set.empty (Set Int))))",
            "? set.complement is underspecified here and the model does not say",
        ),
        (
            "cvc5",
            "(declare-fun A () (Set Int))(assert (= (as set.universe (Set Int)) A))",
            "sat\n((define-fun A () (Set Int) (set.singleton 1)))",
            "? set.universe is underspecified here and the model does not say",
        ),
        (
            "cvc5",
            "(declare-fun A () (Set Int))(assert (or (set.member 1 (as set.universe (Set Int))) (set.member 1 A)))",
            "sat\n((define-fun A () (Set Int) (set.singleton 1)))",
            "valid",
        ),
        // Uninterpreted elements and universes.
        (
            "z3",
            "(declare-sort T 0)(declare-fun t () T)(declare-fun u () T)(declare-fun g (T) T)\
             (assert (distinct t u))(assert (= (g t) u))(assert (forall ((x T)) (= (g x) u)))",
            "sat\n(\n  ;; universe for T:\n  ;;   T!val!0 T!val!1 \n  ;; -----------\n  (declare-fun T!val!0 () T)\n  (declare-fun T!val!1 () T)\n  ;; cardinality constraint:\n  (forall ((x T)) (or (= x T!val!0) (= x T!val!1)))\n  (define-fun t () T\n    T!val!0)\n  (define-fun u () T\n    T!val!1)\n  (define-fun g ((x!0 T)) T\n    T!val!1)\n)",
            "valid",
        ),
        (
            "cvc5",
            "(declare-sort T 0)(declare-fun t () T)(declare-fun u () T)(assert (exists ((x T)) (distinct x t u)))",
            "sat\n(\n; cardinality of T is 2\n; rep: (as @T_0 T)\n; rep: (as @T_1 T)\n(define-fun t () T (as @T_0 T))\n(define-fun u () T (as @T_1 T))\n)",
            "false: (exists ((x T)) (distinct x t u))",
        ),
        (
            "cvc4@1.8",
            "(declare-sort T 0)(declare-fun t () T)(declare-fun u () T)(assert (distinct t u))",
            "sat\n(model\n; cardinality of T is 2\n(declare-sort T 0)\n; rep: @uc_T_0\n; rep: @uc_T_1\n(define-fun t () T @uc_T_0)\n(define-fun u () T @uc_T_1)\n)",
            "valid",
        ),
        (
            "z3",
            "(declare-sort |a b| 0)(declare-fun t () |a b|)(assert (exists ((x |a b|)) (distinct x t)))",
            "sat\n(\n  ;; universe for |a b|:\n  ;;   |a b!val!0| |a b!val!1| \n  ;; -----------\n  (declare-fun |a b!val!0| () |a b|)\n  (declare-fun |a b!val!1| () |a b|)\n  (define-fun t () |a b|\n    |a b!val!0|)\n)",
            "valid",
        ),
        (
            "cvc5",
            "(declare-sort |a b| 0)(declare-fun t () |a b|)(declare-fun p (|a b|) Bool)(assert (not (forall ((x |a b|)) (=> (p x) (p t)))))",
            "sat\n(\n; cardinality of |a b| is 2\n; rep: (as |@_a b__0| |a b|)\n; rep: (as |@_a b__1| |a b|)\n(define-fun t () |a b| (as |@_a b__0| |a b|))\n(define-fun p ((x |a b|)) Bool (= (as |@_a b__1| |a b|) x))\n)",
            "valid",
        ),
        // Floats in all clothes.
        (
            "z3",
            "(declare-fun x () Float16)(declare-fun y () Float16)(declare-fun z () Float16)\
             (assert (fp.isInfinite x))(assert (fp.isNaN y))(assert (fp.lt z x))",
            "sat\n((define-fun x () Float16 (_ +oo 5 11)) (define-fun y () Float16 (_ NaN 5 11)) (define-fun z () Float16 (fp #b0 #b00001 #b0000000000)))",
            "valid",
        ),
        (
            "bitwuzla",
            "(declare-const x (_ FloatingPoint 5 11))(declare-const m RoundingMode)(assert (fp.eq x (fp.roundToIntegral m ((_ to_fp 5 11) RNE 0.5))))",
            "sat\n(\n  (define-fun x () (_ FloatingPoint 5 11) (fp #b0 #b01111 #b0000000000))\n  (define-fun m () RoundingMode RNA)\n)",
            "valid",
        ),
        (
            "z3",
            "(declare-fun x () Float32)(assert (fp.eq x ((_ to_fp 8 24) RNE 0.5)))",
            "sat\n((define-fun x () Float32 ((_ to_fp 8 24) RNE 0.5 0)))",
            "? ill-typed arguments for to_fp",
        ),
        // Numbers.
        (
            "cvc5",
            "(declare-fun r () Real)(declare-fun i () Int)(assert (= (* 3 r) (- 1)))(assert (= i (- 5)))",
            "sat\n((define-fun r () Real (/ (- 1) 3)) (define-fun i () Int (- 5)))",
            "valid",
        ),
        (
            "z3",
            "(declare-fun x () Real)(declare-fun y () Real)(assert (= (* x x) 2.0))(assert (> (* x y) 2))(assert (= (* y y y) 7))",
            "sat\n((define-fun x () Real (root-obj (+ (^ x 2) (- 2)) 2)) (define-fun y () Real (root-obj (+ (^ x 3) (- 7)) 1)))",
            "valid",
        ),
        (
            "z3",
            "(declare-fun x () Real)(assert (= (* x x) 2.0))(assert (> x 0))",
            "sat\n((define-fun x () Real (root-obj (+ (^ x 2) (- 2)) 1)))",
            "false: (> x 0)",
        ),
        (
            "z3",
            "(declare-fun x () Real)(assert (= (/ x 2 0) 1.0))",
            "sat\n((define-fun x () Real 2.0) (define-fun /0 ((x!0 Real)) Real 5.0))",
            "false: (= (/ x 2 0) 1.0)",
        ),
        (
            "cvc5",
            "(declare-fun x () Real)(declare-fun y () Real)(assert (= (* x x) 2.0))(assert (< y (- x)))(assert (= (+ (* y y) y) 7))",
            "sat\n(\n(define-fun x () Real (_ real_algebraic_number <1*x^2 + (-2), (5/4, 3/2)>))\n(define-fun y () Real (_ real_algebraic_number <1*x^2 + 1*x + (-7), (-13/4, -3)>))\n)",
            "valid",
        ),
        (
            "cvc5",
            "(declare-fun x () Real)(assert (= (* x x) 2.0))",
            "sat\n((define-fun x () Real (_ real_algebraic_number <odd, ()>)))",
            "? not evaluated: model: 1:52: character `,` begins no token",
        ),
        // Datatypes with and without `as`.
        (
            "cvc5",
            &format!("{LISTS}(declare-fun l () (L Int))(assert (= (hd (tl l)) 2))"),
            "sat\n((define-fun l () (L Int) ((as cons (L Int)) 1 ((as cons (L Int)) 2 (as nil (L Int))))))",
            "valid",
        ),
        (
            "z3",
            &format!("{LISTS}(declare-fun l () (L Int))(assert (not ((_ is cons) l)))"),
            "sat\n((define-fun l () (L Int) (cons 1 nil)))",
            "false: (not ((_ is cons) l))",
        ),
        // Strings in both dialects.
        (
            "z3@4.12.2",
            "(declare-fun s () String)(assert (= (str.len s) 2))(assert (= (str.to_code (str.at s 0)) 7))",
            "sat\n((define-fun s () String \"\\u{7}\"\"\"))",
            "valid",
        ),
        (
            "z3@4.8.7",
            "(declare-fun s () String)(assert (= (str.len s) 2))",
            "sat\n(model (define-fun s () String \"\\x07a\"))",
            "valid",
        ),
        (
            "z3@4.8.10",
            "(declare-fun s () String)(assert (= (str.len s) 1))",
            "sat\n(model (define-fun s () String \"\\x00\"))",
            "valid",
        ),
        (
            "z3@4.8.7",
            "(declare-fun s () String)(assert (= s \"\\u{7}\"))",
            "sat\n(model (define-fun s () String \"\\x07\"))",
            "? not evaluated: escapes of another dialect",
        ),
        // An element that nobody listed may not exist.
        (
            "cvc5",
            "(declare-sort T 0)(declare-fun t () T)(assert (forall ((x T)) (= x t)))",
            "sat\n((define-fun t () T (as @T_0 T)))",
            "? quantifier over T",
        ),
        // What is missing may be anything.
        (
            "z3",
            "(declare-fun x () Int)(declare-fun y () Int)(assert (or (= x 1) (= y 2)))",
            "sat\n((define-fun x () Int 1))",
            "valid",
        ),
        (
            "z3",
            "(declare-fun x () Int)(declare-fun y () Int)(assert (= y 1))",
            "sat\n((define-fun x () Int 1))",
            "partial",
        ),
        (
            "z3",
            "(declare-fun x () Int)(declare-fun y () Int)(assert (= y 2))",
            "sat\n((define-fun x () Int 1))",
            "? no interpretation of `y`",
        ),
        (
            "yices",
            "(declare-fun x () Bool)(assert x)",
            "sat\n(model)",
            "partial",
        ),
        ("z3", "(assert true)", "sat\n()", "valid"),
        // What is no model is no accusation.
        (
            "z3",
            "(declare-fun x () Int)(assert (= x 1))",
            "sat\n((define-fun x () Int (",
            "no model: [Verdict(Sat), Other(\"((define-fun x () Int (\")]",
        ),
        (
            "z3",
            "(declare-fun x () Int)(assert (= x 1))",
            "sat\n((define-fun x () Int (choice ((y Int)) (= y 2))))",
            "? not evaluated: choice",
        ),
    ] {
        assert_eq!(
            verdict(target, script, output),
            expected,
            "{script}\n{output}"
        );
    }
}

/// The verdict on a model with values behind it, of a script that asks for what
/// [`ask_for_models`] puts there.
fn verdict_of_values(script: &str, terms: &str, output: &str) -> String {
    let script = ask_for_models(format!("{script}(check-sat)").as_bytes(), None);
    let script = script.expect("a readable script");
    let asked = match terms {
        "" => "(check-sat)\n(get-model)\n".to_string(),
        terms => format!("(check-sat)\n(get-model)\n(get-value ({terms}))\n"),
    };
    assert!(script.ends_with(&asked), "{script}");
    let again = ask_for_models(script.as_bytes(), None);
    assert_eq!(again.as_ref(), Ok(&script), "asked once");
    let script = parse_str(&script).expect("a readable script");
    let [.., Reply::Model(model), Reply::Other(values)] = replies(output)[..] else {
        return format!("no values: {output}");
    };
    let printed = Printed {
        model,
        values: Some(values),
    };
    let reading = Reading::of(&"cvc5".parse().expect("a target's name"));
    match check(&script, 0, printed, reading) {
        Check::Valid => "valid".to_string(),
        other => format!("{other:?}"),
    }
}

#[test]
fn what_a_solver_says_of_open_terms_is_a_part_of_its_model() {
    let list = "(declare-datatype L ((nil) (cons (hd Int) (tl L))))(declare-const l L)";
    for (script, terms, output, expected) in [
        (
            "(declare-const x Int)(assert (= (div x 0) 7))",
            "(div x 0)",
            "sat\n((define-fun x () Int 3))\n(((div x 0) 7))",
            "valid",
        ),
        // A function: what holds of x holds of what equals it.
        (
            "(declare-const x Int)(declare-const y Int)(assert (> (mod x y) 6))(assert (= (mod 3 0) 9))",
            "(mod x y) (mod 3 0)",
            "sat\n((define-fun x () Int 3) (define-fun y () Int 0))\n(((mod x y) 9) ((mod 3 0) 9))",
            "valid",
        ),
        // A division by a number is not open.
        (
            "(declare-const x Int)(assert (= (div x 2) (mod x 0)))",
            "(mod x 0)",
            "sat\n((define-fun x () Int 8))\n(((mod x 0) 4))",
            "valid",
        ),
        // A chain is taken step by step.
        (
            "(declare-const x Int)(assert (= (div x 0 2 0) 7))",
            "(div x 0) (div (div x 0) 2) (div (div (div x 0) 2) 0)",
            "sat\n((define-fun x () Int 3))\n(((div x 0) 8) ((div (div x 0) 2) 4) ((div (div (div x 0) 2) 0) 7))",
            "valid",
        ),
        // Under let, and inside each other: inner ones are asked for first.
        (
            "(declare-const x Int)(assert (let ((y (div x 0))) (= (div y 0) 7)))",
            "(div x 0) (let ((y (div x 0))) (div y 0))",
            "sat\n((define-fun x () Int 3))\n(((div x 0) 5) ((let ((y (div x 0))) (div y 0)) 7))",
            "valid",
        ),
        (
            &format!("{list}(assert (= l nil))(assert (= (hd (tl l)) 5))"),
            "(tl l) (hd (tl l))",
            "sat\n((define-fun l () L nil))\n(((tl l) nil) ((hd (tl l)) 5))",
            "valid",
        ),
        (
            "(declare-const s (Seq String))(assert (= (seq.nth s 7) \"a b\"))",
            "(seq.nth s 7)",
            "sat\n((define-fun s () (Seq String) (as seq.empty (Seq String))))\n(((seq.nth s 7) \"a b\"))",
            "valid",
        ),
        // What contradicts the assertions is no ground to accuse.
        (
            "(declare-const x Int)(assert (= (div x 0) 7))",
            "(div x 0)",
            "sat\n((define-fun x () Int 3))\n(((div x 0) 8))",
            "CannotSay(Unsupported(\"values of open terms under which an assertion is false\"))",
        ),
        // Without the values, or with others than were asked for, it stays open.
        (
            "(declare-const x Int)(assert (= (div x 0) 7))",
            "(div x 0)",
            "sat\n((define-fun x () Int 3))\n(((div x 0) 7) (x 3))",
            "CannotSay(Underspecified(\"div\"))",
        ),
        (
            "(declare-const x Int)(assert (= (div x 0) 7))",
            "(div x 0)",
            "sat\n((define-fun x () Int 3))\n(((div x 0)))",
            "CannotSay(Underspecified(\"div\"))",
        ),
        // Some are open only so far: of two zeros one.
        (
            "(declare-const x Float16)(assert (fp.lt (fp.min (_ +zero 5 11) x) (_ -zero 5 11)))",
            "(fp.min (_ +zero 5 11) x)",
            "sat\n((define-fun x () Float16 (_ -zero 5 11)))\n(((fp.min (_ +zero 5 11) x) (_ -oo 5 11)))",
            "CannotSay(Underspecified(\"fp.min\"))",
        ),
        // What is bound is not asked for.
        (
            "(assert (exists ((x Int)) (= (div x 0) 7)))",
            "",
            "sat\n()\n(((div x 0) 7))",
            "CannotSay(Underspecified(\"div\"))",
        ),
    ] {
        let found = verdict_of_values(script, terms, output);
        assert_eq!(found, expected, "{script}\n{output}");
    }
}

#[test]
fn wrong_models_of_newest_releases_are_seen() {
    for (target, script, output, expected) in [
        // z3 5.4.0
        (
            "z3",
            "(declare-const a Real)(declare-const b Real)(assert (distinct b 0.0))(assert (= b (tan a)))",
            "sat\n((define-fun a () Real 0.0)(define-fun b () Real (- 1.0)))",
            "false: (= b (tan a))",
        ),
        (
            "z3",
            "(declare-const b Int)(declare-const a (FiniteSet Int))\
             (assert (< b (set.size (ite (< b 1) a (as set.empty (FiniteSet Int))))))",
            "sat\n((define-fun b () Int 1)(define-fun a () (FiniteSet Int) (as set.empty (FiniteSet Int))))",
            "false: (< b (set.size (ite (< b 1) a (as set.empty (FiniteSet Int)))))",
        ),
        // cvc5 1.4.2
        (
            "cvc5",
            "(declare-const i Int)(declare-const j Int)(assert (distinct (div_total i j) (mod_total i j)))",
            "sat\n(\n(define-fun i () Int 0)\n(define-fun j () Int 0)\n)",
            "false: (distinct (div_total i j) (mod_total i j))",
        ),
        // yices 2.6.5 --mcsat
        (
            "yices",
            "(declare-const a (Array (_ BitVec 1) (_ BitVec 1)))(declare-const b (_ BitVec 1))\
             (assert (distinct #b0 (select (store a #b0 #b0) b)))",
            "sat\n(model (define-fun a ((x!0 (_ BitVec 1))) (_ BitVec 1) #b0)(define-fun b () (_ BitVec 1) #b1))",
            "false: (distinct #b0 (select (store a #b0 #b0) b))",
        ),
    ] {
        assert_eq!(verdict(target, script, output), expected, "{script}");
    }
}

#[test]
fn a_function_is_unknown_where_its_author_gives_no_value() {
    let model = "sat\n((define-fun f ((x!1 Int)) Int (ite (= x!1 2) 7 #unspecified)))";
    for (asserted, expected) in [
        ("(= (f 2) 7)", "valid"),
        ("(= (f 2) 8)", "false: (= (f 2) 8)"),
        ("(or (= (f 3) 8) (= (f 2) 7))", "valid"),
    ] {
        let script = format!("(declare-fun f (Int) Int)(assert {asserted})");
        assert_eq!(verdict("z3", &script, model), expected);
    }
    let open = "(declare-fun f (Int) Int)(assert (= (f 3) 8))";
    assert!(verdict("z3", open, model).starts_with('?'));
}
