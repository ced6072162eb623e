//! The evaluator on closed terms and small scripts, as tables.

use lydite_smtlib::eval::{Budget, CannotSay, Completion, Context, evaluate, question};
use lydite_smtlib::syntax::{CommandKind, parse_str};

/// The value of the last assertion of a script, or why there is none.
fn value(script: &str, completion: Completion) -> Result<String, CannotSay> {
    let script = parse_str(&format!("{script}(check-sat)")).expect("a readable script");
    let asked = question(&script, 0).expect("one question");
    let context = Context::new(&script, &asked);
    let term = script
        .commands
        .iter()
        .rev()
        .find_map(|command| match command.kind {
            CommandKind::Assert(term) => Some(term),
            _ => None,
        })
        .expect("an assertion");
    let value = evaluate(
        &script,
        &context,
        term,
        completion,
        Budget { steps: 2_000_000 },
    );
    value.map(|value| value.to_string())
}

/// Each line: a term, ` => `, its value.
fn check(table: &str) {
    let mut failures = Vec::new();
    for line in table.lines().filter(|line| !line.trim().is_empty()) {
        let (term, expected) = line.rsplit_once(" => ").expect("term => value");
        let found = value(&format!("(assert {term})"), Completion::None);
        let found = found.unwrap_or_else(|why| format!("? {why}"));
        if found != expected.trim() {
            failures.push(format!("{}: {found}, expected {expected}", term.trim()));
        }
    }
    assert!(failures.is_empty(), "{failures:#?}");
}

#[test]
fn core_and_let() {
    check(
        r#"
        (=> false false false) => true
        (=> true true false) => false
        (=> false true false) => true
        (xor true true true) => true
        (= 1 1 2) => false
        (distinct 1 2 3) => true
        (distinct 1 2 1) => false
        (ite (< 1 2) "yes" "no") => "yes"
        (let ((x 1) (y 2)) (let ((x y) (y x)) (- x y))) => 1
        (let ((x (div 1 0))) 5) => 5
        (or (= (div 1 0) 5) true) => true
        (and (= (div 1 0) 5) false) => false
        (=> (= (div 1 0) 5) true) => true
        (ite (= (div 1 0) 5) 1 2) => ? div is underspecified here and the model does not say
        (! (+ 1 2) :named sum) => 3
        "#,
    );
}

#[test]
fn numbers() {
    check(
        r#"
        (+ 1 2 3) => 6
        (- 5) => (- 5)
        (- 10 3 2) => 5
        (* 2 3 4) => 24
        (div (- 7) 2) => (- 4)
        (mod (- 7) 2) => 1
        (mod 7 (- 2)) => 1
        (rem 7 (- 2)) => (- 1)
        (div 100 7 2) => 7
        (abs (- 5)) => 5
        (abs (- 5.5)) => (/ 11.0 2.0)
        (/ 1 3) => (/ 1.0 3.0)
        (/ 6.0 2.0) => 3.0
        (/ 8 2 2) => 2.0
        (+ 1 0.5) => (/ 3.0 2.0)
        (= 1 1.0) => true
        (to_int (- 1.5)) => (- 2)
        (to_real 3) => 3.0
        (is_int 2.0) => true
        (is_int 2.5) => false
        ((_ divisible 3) 9) => true
        ((_ divisible 3) (- 8)) => false
        (^ 2 10) => 1024
        (^ 2.0 (- 1)) => (/ 1.0 2.0)
        (< 1 2 3) => true
        (>= 3 2 2.5) => false
        (^ 2 1000000000) => ? too large: a number
        (/ 1 0) => ? / is underspecified here and the model does not say
        (+ (tan 0.0) (sin 0) (cos 0.0) (arccos 1.0)) => 1.0
        (sin 1.0) => ? not evaluated: sin
        (+ true 1) => ? ill-typed arguments for +
        "#,
    );
}

#[test]
fn bit_vectors() {
    check(
        r#"
        (_ bv5 8) => #x05
        (_ bv300 8) => #x2c
        (concat #b1 #b01 #xf) => #b1011111
        ((_ extract 6 3) #xa5) => #x4
        ((_ rotate_left 9) #x81) => #x03
        ((_ repeat 2) #b101) => #b101101
        (bvudiv #x05 #x00) => #xff
        (bvurem #x05 #x00) => #x05
        (bvsdiv #x85 #x00) => #x01
        (bvsmod #xf9 #x02) => #x01
        (bvadd #xff #x01 #x02) => #x02
        (bvcomp #x1 #x1) => #b1
        (bv2nat #xff) => 255
        (ubv_to_int #xff) => 255
        (sbv_to_int #xff) => (- 1)
        ((_ int2bv 8) (- 1)) => #xff
        ((_ int_to_bv 4) 17) => #x1
        (bvsdivo #x80 #xff) => true
        (bvnego #x80) => true
        (bvumulo #x10 #x10) => true
        (bvsmulo #x10 #x08) => true
        (bvuaddo #xff #x01) => true
        (bvssubo #x80 #x01) => true
        (bvult #x01 #x02) => true
        (bvslt #xff #x01) => true
        ((_ bit2bool 3) #x08) => true
        (_ bv1 99999999999) => ? too large: a bit-vector
        ((_ repeat 4000000000) #xff) => ? too large: a bit-vector
        ((_ zero_extend 99999999999999999999999) #xff) => ? too large: an index
        ((_ extract 8 0) #xff) => ? ill-typed arguments for extract
        (bvadd #xff #xf) => ? ill-typed arguments for bvadd
        "#,
    );
}

#[test]
fn floats() {
    check(
        r#"
        (fp #b0 #b10000 #b1000000000) => (fp #b0 #b10000 #b1000000000)
        (fp.add RNE ((_ to_fp 5 11) RNE 1.0) ((_ to_fp 5 11) RNE 2.0)) => (fp #b0 #b10000 #b1000000000)
        ((_ to_fp 5 11) #x3c00) => (fp #b0 #b01111 #b0000000000)
        ((_ to_fp 5 11) RTZ (/ 1 3)) => (fp #b0 #b01101 #b0101010101)
        ((_ to_fp 5 11) RNE #xff) => (fp #b1 #b01111 #b0000000000)
        ((_ to_fp_unsigned 5 11) RNE #xff) => (fp #b0 #b10110 #b1111111000)
        ((_ to_fp 5 11) roundTowardZero 100000.0) => (fp #b0 #b11110 #b1111111111)
        ((_ to_fp 5 11) RNE 100000.0) => (fp #b0 #b11111 #b0000000000)
        (fp.div RNE (_ +zero 5 11) (_ -zero 5 11)) => (_ NaN 5 11)
        (= (_ NaN 5 11) (fp #b1 #b11111 #b0000000001)) => true
        (fp.eq (_ NaN 5 11) (_ NaN 5 11)) => false
        (fp.eq (_ +zero 5 11) (_ -zero 5 11)) => true
        (= (_ +zero 5 11) (_ -zero 5 11)) => false
        (fp.isSubnormal (fp #b0 #b00000 #b0000000001)) => true
        ((_ fp.to_ubv 8) RTZ ((_ to_fp 5 11) RNE 3.75)) => #x03
        ((_ fp.to_sbv 8) RNE ((_ to_fp 5 11) RNE (- 3.5))) => #xfc
        (fp.to_real ((_ to_fp 5 11) RNE 0.1)) => (/ 819.0 8192.0)
        (fp.to_ieee_bv (_ -oo 5 11)) => #xfc00
        (fp.rem ((_ to_fp 5 11) RNE 5.0) ((_ to_fp 5 11) RNE 3.0)) => (fp #b1 #b01111 #b0000000000)
        ((_ fp.to_ubv 8) RTZ (_ NaN 5 11)) => ? fp.to_ubv is underspecified here and the model does not say
        (fp.min (_ +zero 5 11) (_ -zero 5 11)) => ? fp.min is underspecified here and the model does not say
        (_ +oo 99999 11) => ? too large: a float format
        (fp.isInfinite (_ +oo 60 11)) => true
        "#,
    );
}

#[test]
fn strings_and_regular_expressions() {
    check(
        r#"
        (str.++ "a" "b" "c") => "abc"
        (str.len "a\u{1F600}b") => 3
        (str.replace_all "aXbX" "X" "") => "ab"
        (str.replace_re "aab" (re.+ (str.to_re "a")) "x") => "xab"
        (str.in_re "abab" (re.* (str.to_re "ab"))) => true
        (str.in_re "aba" (re.comp (re.* (str.to_re "ab")))) => true
        (str.in_re "b" (re.range "a" "c")) => true
        (str.in_re "b" (re.range "ab" "c")) => false
        (str.in_re "" re.none) => false
        (str.in_re "xyz" re.all) => true
        (str.in_re "aaa" ((_ re.loop 2 3) (str.to_re "a"))) => true
        (str.in_re "aaaa" ((_ re.loop 2 3) (str.to_re "a"))) => false
        (str.in_re "" ((_ re.loop 3 2) (str.to_re "a"))) => false
        (str.in_re "aa" ((_ re.^ 2) (str.to_re "a"))) => true
        (str.in_re "ab" (re.diff re.all (str.to_re "ab"))) => false
        (str.to_int "012") => 12
        (str.from_int (- 3)) => ""
        (str.< "a" "b" "c") => true
        (str.< "ab" "a") => false
        (str.to_code "\u{2FFFF}") => 196607
        (str.indexof "abc" "" 3) => 3
        (str.indexof_re "xab" (str.to_re "ab") 0) => 1
        (str.rev "abc") => "cba"
        (str.update "abc" 1 "XYZ") => "aXY"
        (str.to_lower "AbC") => "abc"
        (str.to.int "5") => 5
        (int.to.str 5) => "5"
        (str.in.re "a" (str.to.re "a")) => true
        (_ char #x41) => "A"
        (= (re.* (str.to_re "a")) (re.* (str.to_re "a"))) => true
        (= (re.* (str.to_re "a")) re.all) => ? not evaluated: equality of regular expressions, functions or the like
        "#,
    );
}

#[test]
fn arrays_sequences_and_sets() {
    check(
        r#"
        (select (store ((as const (Array Int Int)) 0) 1 5) 1) => 5
        (= (store ((as const (Array Int Int)) 0) 1 0) ((as const (Array Int Int)) 0)) => true
        (= (store (store ((as const (Array Bool Int)) 7) true 1) false 1) ((as const (Array Bool Int)) 1)) => true
        (= ((as const (Array (_ BitVec 32) Int)) 1) ((as const (Array (_ BitVec 32) Int)) 2)) => false
        (select (lambda ((x Int)) (+ x 1)) 4) => 5
        (select (lambda ((x Int)) (ite (= x 1) 5 (ite (= 2 x) 6 7))) 2) => 6
        (= (lambda ((x Int)) (ite (= x 1) 5 7)) (store ((as const (Array Int Int)) 7) 1 5)) => true
        (= (lambda ((x Bool)) (not x)) (store ((as const (Array Bool Bool)) true) true false)) => true
        (let ((k 3)) (select (lambda ((x Int)) (* k x)) 4)) => 12
        (= (seq.map (lambda ((x Int)) (+ x 1)) (seq.++ (seq.unit 1) (seq.unit 4))) (seq.++ (seq.unit 2) (seq.unit 5))) => true
        (seq.nth (seq.mapi (lambda ((i Int) (x Int)) (* i x)) 2 (seq.++ (seq.unit 1) (seq.unit 4))) 1) => 12
        (seq.foldl (lambda ((all Int) (x Int)) (- all x)) 10 (seq.++ (seq.unit 1) (seq.unit 4))) => 5
        (seq.foldl (lambda ((all Int) (x Int)) (- all x)) 10 (as seq.empty (Seq Int))) => 10
        (seq.foldli (lambda ((i Int) (all Int) (x Int)) (+ (* i x) all)) 1 0 (seq.++ (seq.unit 5) (seq.unit 7))) => 19
        (set.card (set.map (lambda ((x Int)) (mod x 2)) (set.insert 1 3 4 (set.singleton 0)))) => 2
        (= (set.filter (lambda ((x Int)) (> x 2)) (set.insert 1 3 4 (set.singleton 0))) (set.insert 3 (set.singleton 4))) => true
        (seq.map (lambda ((x Int)) (div x 0)) (seq.unit 1)) => ? div is underspecified here and the model does not say
        ((_ map or) ((as const (Array Int Bool)) false) ((as const (Array Int Bool)) true)) => ((as const Array) true)
        (seq.len (seq.++ (seq.unit 1) (seq.unit 2) (as seq.empty (Seq Int)))) => 2
        (seq.nth (seq.++ (seq.unit 1) (seq.unit 2)) 1) => 2
        (seq.extract (seq.++ (seq.unit 1) (seq.unit 2)) 1 5) => (seq.unit 2)
        (seq.nth (seq.unit 1) 1) => ? seq.nth is underspecified here and the model does not say
        (set.member 1 (set.union (set.singleton 1) (set.singleton 2))) => true
        (set.card (set.minus (set.insert 1 2 3 (as set.empty (Set Int))) (set.singleton 2))) => 2
        (set.subset (set.singleton 1) (set.insert 1 2 (as set.empty (Set Int)))) => true
        (set.subset (set.insert 1 2 (as set.empty (Set Int))) (set.singleton 1)) => false
        (set.card (set.union (set.singleton ((as const (Array Int Int)) 0)) (set.singleton ((as const (Array Int Int)) 1)))) => 2
        (= (set.singleton (tuple 1 (set.singleton 2))) (set.singleton (tuple 1 (set.singleton 3)))) => false
        "#,
    );
}

#[test]
fn finite_sets_in_the_names_of_z3() {
    check(
        r#"
        (set.in 2 (set.range 1 3)) => true
        (set.size (set.union (set.range 1 3) (set.singleton 7))) => 4
        (set.size (set.range 3 1)) => 0
        (set.in 1 (set.difference (set.range 1 3) (set.intersect (set.range 1 2) (set.range 1 5)))) => false
        (= (as set.empty (FiniteSet Int)) (set.range 2 1)) => true
        (set.size (set.range 1 100000)) => ? too large: a range
        (set.diff (set.range 1 2) (set.range 1 4)) => ? set.diff is underspecified here and the model does not say
        "#,
    );
}

#[test]
fn finite_fields_bags_and_relations() {
    check(
        r#"
        (ff.add (as ff4 (_ FiniteField 5)) (as ff3 (_ FiniteField 5))) => #f2m5
        (ff.mul (as ff4 (_ FiniteField 5)) (as ff3 (_ FiniteField 5)) (as ff-1 (_ FiniteField 5))) => #f3m5
        (= (ff.neg (as ff0 (_ FiniteField 5))) (as ff0 (_ FiniteField 5))) => true
        (ff.bitsum (as ff1 (_ FiniteField 17)) (as ff1 (_ FiniteField 17)) (as ff1 (_ FiniteField 17))) => #f7m17
        (= (as ff1 (_ FiniteField 5)) (as ff1 (_ FiniteField 7))) => ? ill-typed arguments for =
        (bag.count 1 (bag.union_disjoint (bag 1 2) (bag 1 3) (bag 2 1))) => 5
        (bag.count 1 (bag.union_max (bag 1 2) (bag 1 3))) => 3
        (bag.card (bag.difference_subtract (bag.union_disjoint (bag 1 2) (bag 2 1)) (bag 1 1))) => 2
        (bag.card (bag.difference_remove (bag.union_disjoint (bag 1 2) (bag 2 1)) (bag 1 1))) => 1
        (= (bag 1 0) (as bag.empty (Bag Int))) => true
        (= (bag 1 (- 3)) (as bag.empty (Bag Int))) => true
        (bag.subbag (bag 1 2) (bag 1 3)) => true
        (bag.subbag (bag 1 3) (bag 1 2)) => false
        (bag.count 1 (bag.inter_min (bag 1 2) (bag 1 3))) => 2
        (= (bag.setof (bag 1 2)) (bag 1 1)) => true
        ((_ tuple.select 1) (tuple 1 true)) => true
        (= ((_ tuple.update 0) (tuple 1 true) 2) (tuple 2 true)) => true
        (= (rel.transpose (set.singleton (tuple 1 2))) (set.singleton (tuple 2 1))) => true
        (= (rel.join (set.singleton (tuple 1 2)) (set.singleton (tuple 2 3))) (set.singleton (tuple 1 3))) => true
        (set.card (rel.tclosure (set.union (set.singleton (tuple 1 2)) (set.singleton (tuple 2 3))))) => 3
        (set.member (tuple 1 2 3 4) (rel.product (set.singleton (tuple 1 2)) (set.singleton (tuple 3 4)))) => true
        "#,
    );
}

#[test]
fn values_of_different_kinds_are_not_compared() {
    for (term, what) in [
        ("(= 5 #x05)", "="),
        ("(distinct true 1)", "distinct"),
        ("(distinct 1 2 #b1)", "distinct"),
        ("(= #b1 #x1)", "="),
        ("(= (as seq.empty (Seq Int)) \"\")", "="),
        ("(= (seq.unit 1) (seq.unit #b1))", "="),
        (
            "(= ((as const (Array Int Int)) 0) ((as const (Array Int Bool)) false))",
            "=",
        ),
        (
            "(select (store ((as const (Array Int Int)) 0) 1 2) #b1)",
            "an index",
        ),
        (
            "(store (store ((as const (Array Int Int)) 0) 1 2) true 2)",
            "store",
        ),
        ("(select ((as const (Array Bool Int)) 0) 1)", "an index"),
        ("(set.member true (set.singleton 1))", "an index"),
        // Their values are alike, their sorts are not.
        (
            "(= (as seq.empty (Seq Int)) (as seq.empty (Seq Bool)))",
            "=",
        ),
        (
            "(= (as set.empty (Set Int)) (as set.empty (Set String)))",
            "=",
        ),
        (
            "(distinct (as bag.empty (Bag Int)) (as bag.empty (Bag Bool)))",
            "distinct",
        ),
        ("(forall ((b Bool)) 1)", "a quantifier"),
    ] {
        let script = format!("(assert {term})(check-sat)");
        let found = value(&script, Completion::None);
        assert_eq!(found, Err(CannotSay::IllTyped(what.to_string())), "{term}");
    }
    check(
        "(= 1 1.0) => true
         (= (/ 1 2) 1) => false
         (distinct (seq.unit 1) (as seq.empty (Seq Int))) => true",
    );
}

#[test]
fn what_is_ill_sorted_is_never_compared_and_the_rest_is() {
    let declarations = "(declare-datatypes ((L 1)) ((par (X) ((nil) (cons (hd X) (tl (L X)))))))
        (define-fun wrong () Int (= (as nil (L Int)) (as nil (L Bool))))";
    let ill = |what: &str| Err(CannotSay::IllTyped(what.to_string()));
    for (term, expected) in [
        ("(= (as nil (L Int)) (as nil (L Bool)))", ill("=")),
        ("(= wrong 1)", ill("=")),
        ("(and false (= 1 true))", Ok("false".to_string())),
        ("(or (= 1 true) true)", Ok("true".to_string())),
        ("(or true (nobody-knows 1))", Ok("true".to_string())),
    ] {
        let script = format!("{declarations}(assert {term})");
        assert_eq!(value(&script, Completion::None), expected, "{term}");
    }
}

#[test]
fn sets_and_bags_are_equal_if_they_hold_the_same_whatever_their_sort_has() {
    let declarations = "(declare-datatype C ((red) (green) (blue)))(declare-sort U 0)
        (define-fun some () (Set C) (set.union (set.singleton red) (set.singleton green)))";
    for term in [
        "(= some (set.insert red green (as set.empty (Set C))))",
        "(= some (set.minus (set.insert blue some) (set.singleton blue)))",
        "(= (set.card (set.insert blue some)) 3)",
        "(= (set.singleton some) (set.insert some (as set.empty (Set (Set C)))))",
        "(= (set.union (as set.empty (Set Bool)) (set.singleton true)) (set.singleton true))",
        "(= (bag.setof (bag red 2)) (bag.union_max (as bag.empty (Bag C)) (bag red 1)))",
        "(= (as set.empty (Set U)) (set.minus (set.singleton (as @U_0 U)) (set.singleton (as @U_0 U))))",
        "(distinct (as bag.empty (Bag U)) (bag (as @U_0 U) 1))",
    ] {
        let script = format!("{declarations}(assert {term})");
        let found = value(&script, Completion::None);
        assert_eq!(found.as_deref(), Ok("true"), "{term}");
    }
}

#[test]
fn a_function_keeps_what_is_unknown_around_it() {
    // The variable x has no value; inside the function it must not become the
    // constant of that name.
    let script = "(declare-fun f (Int) Int)(define-fun x () Int 1)
        (define-fun apply ((g (-> Int Int))) Int (g 0))
        (assert (let ((x (f 3))) (= 2 (apply (lambda ((y Int)) (+ x y 1))))))(check-sat)";
    let found = value(script, Completion::None);
    assert_eq!(found, Err(CannotSay::NoInterpretation("f".to_string())));
}

#[test]
fn quantifiers_are_decided_over_small_domains_and_by_examples() {
    check(
        r#"
        (forall ((x Bool)) (or x (not x))) => true
        (exists ((x (_ BitVec 4)) (y (_ BitVec 4))) (= (bvmul x y) #xf)) => true
        (forall ((x (_ BitVec 4))) (= (bvadd x x) (bvshl x #x1))) => true
        (exists ((m RoundingMode)) (= m RTZ)) => true
        (forall ((x Int)) (> x 0)) => false
        (exists ((x Int)) (= (* x x) 4)) => true
        (forall ((x Int)) (= (+ x 0) x)) => ? quantifier over Int
        (forall ((x Int)) true) => ? quantifier over Int
        (and (forall ((x Real)) (= x x)) false) => false
        "#,
    );
}

#[test]
fn datatypes_functions_and_recursion() {
    let declarations = r#"
        (declare-datatypes ((L 1) (E 0)) ((par (X) ((nil) (cons (hd X) (tl (L X))))) ((r) (g) (b))))
        (define-sort IL () (L Int))
        (define-fun one () Int 1)
        (define-fun twice ((x Int)) Int (let ((one 2)) (* one x)))
        (define-fun-rec len ((l IL)) Int (ite ((_ is cons) l) (+ one (len (tl l))) 0))
        (define-fun-rec loop ((x Int)) Int (loop (+ x 1)))
        (define-fun shadow ((one Int)) Int (twice one))
    "#;
    for (term, expected) in [
        ("(len (cons 5 (cons 6 (as nil IL))))", "2"),
        ("(hd (cons 5 (as nil IL)))", "5"),
        ("(is-cons (as nil (L Int)))", "false"),
        ("((_ is cons) (cons 1 (as nil IL)))", "true"),
        (
            "(match (cons 7 (as nil IL)) ((nil 0) ((cons h t) (+ h 1))))",
            "8",
        ),
        ("(match (as nil IL) (((cons h t) h) (other 3)))", "3"),
        (
            "(hd (as nil IL))",
            "? a selector is underspecified here and the model does not say",
        ),
        (
            "((_ update-field hd) (cons 1 (as nil IL)) 9)",
            "(cons 9 nil)",
        ),
        ("(twice 4)", "8"),
        ("(shadow 10)", "20"),
        ("(loop 0)", "? the budget of evaluation steps is used up"),
        ("(forall ((e E)) (or (= e r) (= e g) (= e b)))", "true"),
        ("(exists ((e E)) (distinct e r g b))", "false"),
    ] {
        let found = value(
            &format!("{declarations}(assert (= 0 0))(assert {term})"),
            Completion::None,
        );
        assert_eq!(
            found.unwrap_or_else(|why| format!("? {why}")),
            expected,
            "{term}"
        );
    }
}

#[test]
fn completions_choose_what_is_open() {
    for (term, zero, ones) in [
        ("(div 5 0)", "0", "1"),
        ("(/ 5.0 0.0)", "0.0", "1.0"),
        ("((_ fp.to_ubv 4) RTZ (_ NaN 5 11))", "#x0", "#xf"),
        (
            "(fp.min (_ +zero 2 2) (_ -zero 2 2))",
            "(fp #b0 #b00 #b0)",
            "(fp #b1 #b00 #b0)",
        ),
        ("x", "0", "1"),
        ("(f x)", "false", "true"),
        ("(fp.to_ieee_bv (_ NaN 5 11))", "#x7e00", "#x7e00"),
        ("(hd (as nil (L Bool)))", "false", "true"),
        (
            "(hd (tl (cons #b01 (as nil (L (_ BitVec 2))))))",
            "#b00",
            "#b11",
        ),
        ("(tl (as nil (L (L Int))))", "nil", "nil"),
    ] {
        let script = format!(
            "(declare-datatypes ((L 1)) ((par (X) ((nil) (cons (hd X) (tl (L X)))))))
             (declare-fun x () Int)(declare-fun f (Int) Bool)(assert {term})"
        );
        assert_eq!(
            value(&script, Completion::Zero).as_deref(),
            Ok(zero),
            "{term}"
        );
        assert_eq!(
            value(&script, Completion::Ones).as_deref(),
            Ok(ones),
            "{term}"
        );
        assert!(value(&script, Completion::None).is_err(), "{term}");
    }
}

#[test]
fn deep_and_wide_terms_cost_no_stack() {
    let depth = 200_000;
    let nested = format!("{}true{}", "(not ".repeat(depth), ")".repeat(depth));
    assert_eq!(
        value(&format!("(assert {nested})"), Completion::None).as_deref(),
        Ok("true")
    );
    let sum = format!("(+ {})", "1 ".repeat(depth));
    assert_eq!(
        value(&format!("(assert {sum})"), Completion::None).as_deref(),
        Ok("200000")
    );
    // Each let doubles: the value has 2^100000 parts if it were written out.
    let lets: String = (1..depth / 2)
        .map(|i| format!("(let ((x{i} (not x{})))", i - 1))
        .collect();
    let term = format!("(let ((x0 true)) {lets} x5{}", ")".repeat(depth / 2));
    assert_eq!(
        value(&format!("(assert {term})"), Completion::None).as_deref(),
        Ok("false")
    );
    let doubled: String = (1..60)
        .map(|i| format!("(let ((x{i} (str.++ x{0} x{0})))", i - 1))
        .collect();
    let term = format!("(let ((x0 \"a\")) {doubled} x59{}", ")".repeat(60));
    assert!(value(&format!("(assert {term})"), Completion::None).is_err());
    let pairs: String = (1..60)
        .map(|i| format!("(let ((x{i} (cons x{0} x{0})))", i - 1))
        .collect();
    let term = format!("(let ((x0 nil)) {pairs} (= x59 x59){}", ")".repeat(60));
    let script = format!("(declare-datatypes ((T 0)) (((nil) (cons (a T) (b T)))))(assert {term})");
    assert!(value(&script, Completion::None).is_err());
}

#[test]
fn long_chains_of_stores_and_hostile_values_are_cheap() {
    let count = 30_000;
    let stores = format!(
        "{}((as const (Array Int Int)) 0){}",
        "(store ".repeat(count),
        (0..count)
            .map(|i| format!(" {i} {})", i + 1))
            .collect::<String>(),
    );
    let term = format!(
        "(let ((a {stores})) (+ (select a 7) (select a {})))",
        count - 1
    );
    let expected = (8 + count).to_string();
    assert_eq!(
        value(&format!("(assert {term})"), Completion::None),
        Ok(expected)
    );
    for (term, refused) in [
        ("(* x x x x)".to_string(), true),
        ("(str.len (str.from_int x))".to_string(), false),
        (format!("#b{}", "1".repeat(2_000_000)), true),
        (format!("(_ bv1 {})", "9".repeat(1_000_000)), true),
        ("9".repeat(10_000_000), true),
        (format!("0.{}", "9".repeat(10_000_000)), true),
        ("((_ to_fp 60 200000) RNE 0.1)".to_string(), false),
        ("(fp.to_real (fp.div RNE (_ +zero 50 10) (fp #b0 #b00000000000000000000000000000000000000000000000001 #b000000000)))".to_string(), false),
        ("(fp.to_real (fp #b0 #b00000000000000000000000000000000000000000000000001 #b000000000))".to_string(), true),
        ("(str.in_re (str.from_int x) (re.* (re.comp (re.* (re.range \"0\" \"7\")))))".to_string(), true),
    ] {
        let script = format!(
            "(define-fun x () Int (^ 10 100000))(assert {term})"
        );
        assert_eq!(value(&script, Completion::None).is_err(), refused, "{:.80}", term);
    }
}

#[test]
fn questions_see_what_is_in_force() {
    let script = parse_str(
        "(declare-const a Bool)(assert a)(check-sat)(push 2)(assert (not a))(declare-const b Bool)\
         (check-sat-assuming (b))(pop 1)(assert a)(pop)(check-sat)(reset)(check-sat)",
    )
    .expect("a readable script");
    let sizes: Vec<(usize, usize)> = (0..4)
        .map(|index| question(&script, index).expect("four questions"))
        .map(|asked| (asked.assertions.len(), asked.declarations.len()))
        .collect();
    assert_eq!(sizes, [(1, 1), (3, 2), (1, 1), (0, 0)]);
    assert_eq!(question(&script, 4), None);
}

#[test]
fn a_recursion_without_end_ends_before_its_steps_do() {
    let count = "(define-fun-rec f ((x Int)) Int (ite (= x 0) 0 (+ 1 (f (- x 1)))))";
    for (start, ends) in [("50000", true), ("(- 1)", false)] {
        let script = format!("{count}(assert (>= (f {start}) 0))");
        let expected = match ends {
            true => Ok("true".to_string()),
            false => Err(CannotSay::OutOfSteps),
        };
        assert_eq!(value(&script, Completion::None), expected, "{start}");
    }
}
