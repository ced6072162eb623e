//! Sorts of terms, scopes, and messages.

use lydite_smtlib::syntax::{self, CommandKind};
use lydite_smtlib::typing::{self, Options};

const DECLARATIONS: &str = "
    (declare-sort U 0)
    (declare-sort P 2)
    (define-sort W () (_ BitVec 8))
    (define-sort Map (X) (Array Int X))
    (declare-datatypes ((List 1) (Color 0)) ((par (T) ((nil) (cons (head T) (tail (List T)))))
        ((red) (rgb (r W) (g W) (b W)))))
    (declare-const p Bool) (declare-const i Int) (declare-const x Real) (declare-const w W)
    (declare-const v (_ BitVec 16)) (declare-const f Float32) (declare-const d (_ FloatingPoint 11 53))
    (declare-const rm RoundingMode) (declare-const a (Array Int Real)) (declare-const m (Map Bool))
    (declare-const s String) (declare-const re RegLan) (declare-const q (Seq Int))
    (declare-const t (Set Int)) (declare-const bag1 (Bag Int)) (declare-const u U)
    (declare-const pu (P U Int)) (declare-const l (List Int)) (declare-const c Color)
    (declare-const ho (-> Int Int Bool)) (declare-fun k (Int Real) U)
    (declare-const zs (Array Int Bool)) (declare-const tup (Tuple Int Bool))
    (declare-const ff (_ FiniteField 7))
";

/// The sort of `term`, or what is wrong with it.
fn sort_of(term: &str, strict: bool) -> Result<String, String> {
    sort_among(DECLARATIONS, term, strict)
}

fn sort_among(declarations: &str, term: &str, strict: bool) -> Result<String, String> {
    let text = format!("{declarations}(simplify {term})");
    let script = syntax::parse_str(&text).map_err(|error| error.to_string())?;
    let options = Options {
        strict,
        ..Options::default()
    };
    let typed = typing::check(&script, &options).map_err(|errors| errors[0].problem.to_string())?;
    let Some(CommandKind::Simplify(term, _)) = script.commands.last().map(|c| &c.kind) else {
        return Err("no term".to_string());
    };
    let sort = typed.sort(*term).ok_or("no sort")?;
    Ok(typed.show(&script, sort))
}

#[test]
fn every_theory_has_its_sorts() {
    for (term, sort) in [
        ("true", "Bool"),
        ("(and p p p)", "Bool"),
        ("(=> p p p)", "Bool"),
        ("(= i i 3)", "Bool"),
        ("(distinct u u u)", "Bool"),
        ("(ite p i 1)", "Int"),
        ("(- i)", "Int"),
        ("(- x 1.5)", "Real"),
        ("(+ i 1 2)", "Int"),
        ("(div i 2 3)", "Int"),
        ("((_ divisible 3) i)", "Bool"),
        ("(/ x 2.0)", "Real"),
        ("(to_real i)", "Real"),
        ("(sin x)", "Real"),
        ("real.pi", "Real"),
        ("#b101", "(_ BitVec 3)"),
        ("#xff", "(_ BitVec 8)"),
        ("(_ bv5 8)", "(_ BitVec 8)"),
        (
            "(_ bv340282366920938463463374607431768211456 200)",
            "(_ BitVec 200)",
        ),
        ("(concat w v #b1)", "(_ BitVec 25)"),
        ("((_ extract 6 2) w)", "(_ BitVec 5)"),
        ("((_ zero_extend 3) w)", "(_ BitVec 11)"),
        ("((_ repeat 3) w)", "(_ BitVec 24)"),
        ("((_ rotate_left 30) w)", "(_ BitVec 8)"),
        ("(bvcomp w w)", "(_ BitVec 1)"),
        ("(bvult w (bvadd w w w))", "Bool"),
        ("((_ int2bv 5) i)", "(_ BitVec 5)"),
        (
            "(fp #b0 #x80 #b00000000000000000000001)",
            "(_ FloatingPoint 8 24)",
        ),
        ("(_ +oo 5 11)", "(_ FloatingPoint 5 11)"),
        ("(fp.add RNE f f)", "(_ FloatingPoint 8 24)"),
        ("((_ to_fp 11 53) rm f)", "(_ FloatingPoint 11 53)"),
        ("((_ to_fp 11 53) rm 0.1)", "(_ FloatingPoint 11 53)"),
        ("((_ to_fp 5 11) v)", "(_ FloatingPoint 5 11)"),
        ("((_ to_fp 5 11) rm w)", "(_ FloatingPoint 5 11)"),
        ("((_ to_fp_unsigned 5 11) rm w)", "(_ FloatingPoint 5 11)"),
        ("((_ fp.to_sbv 12) rm d)", "(_ BitVec 12)"),
        ("(fp.lt f f f)", "Bool"),
        ("(select a i)", "Real"),
        ("(store a 1 2.5)", "(Array Int Real)"),
        ("((as const (Array Int U)) u)", "(Array Int U)"),
        ("m", "(Array Int Bool)"),
        ("(str.++ s \"a\" s)", "String"),
        ("(str.in_re s (re.* (re.range \"a\" \"z\")))", "Bool"),
        ("((_ re.loop 1 3) re)", "RegLan"),
        ("((_ re.^ 3) re)", "RegLan"),
        ("(str.in.re s (str.to.re \"a\"))", "Bool"),
        ("(int.to.str (str.to.int s))", "String"),
        ("(_ char #x41)", "String"),
        (
            "(seq.++ q (seq.unit 1) (as seq.empty (Seq Int)))",
            "(Seq Int)",
        ),
        ("(seq.nth q 0)", "Int"),
        (
            "(set.union t (set.singleton 1) (as set.empty (Set Int)))",
            "(Set Int)",
        ),
        ("(set.insert 1 2 t)", "(Set Int)"),
        ("(member 1 t)", "Bool"),
        ("(union t t)", "(Set Int)"),
        ("(union zs zs)", "(Array Int Bool)"),
        ("(bag.count 1 bag1)", "Int"),
        ("(k 1 2.0)", "U"),
        ("pu", "(P U Int)"),
        ("(cons 1 l)", "(List Int)"),
        ("(cons u (as nil (List U)))", "(List U)"),
        ("((as cons (List Int)) 1 l)", "(List Int)"),
        ("(tail l)", "(List Int)"),
        ("((_ is cons) l)", "Bool"),
        ("(is-rgb c)", "Bool"),
        ("((_ is (cons (Int (List Int)) (List Int))) l)", "Bool"),
        ("((_ update r) c #x00)", "Color"),
        ("(match l ((nil 0) ((cons h t) (+ h 1))))", "Int"),
        (
            "(match c (((rgb a b c) (concat a b)) (z #x0000)))",
            "(_ BitVec 16)",
        ),
        ("(let ((i 1.5) (y i)) (+ i y))", "Real"),
        ("(forall ((i U)) (= i u))", "Bool"),
        (
            "(lambda ((n Int) (w W)) (= n 1))",
            "(-> Int (_ BitVec 8) Bool)",
        ),
        ("((lambda ((n Int)) (+ n 1)) 2)", "Int"),
        ("(ho 1 2)", "Bool"),
        ("((ho 1) 2)", "Bool"),
        ("(choice ((n Int)) (> n 2))", "Int"),
        ("(! i :named foo :pattern (p))", "Int"),
        ("(@ ho 1 2)", "Bool"),
        ("(let ((cos x)) (cos cos))", "Real"),
        ("(ff.add ff #f3m7)", "(_ FiniteField 7)"),
        (
            "(lambda ((n Int)) (lambda ((b Bool)) b))",
            "(-> Int Bool Bool)",
        ),
        (
            "(rel.join (set.singleton (tuple i p)) (set.singleton (tuple p w)))",
            "(Set (Tuple Int (_ BitVec 8)))",
        ),
        ("(sep (pto i x) sep.emp)", "Bool"),
        ("(tuple i p)", "(Tuple Int Bool)"),
        ("((_ tuple.select 1) tup)", "Bool"),
        (
            "(ff.add ff (as ff3 (_ FiniteField 7)))",
            "(_ FiniteField 7)",
        ),
    ] {
        assert_eq!(sort_of(term, false), Ok(sort.to_string()), "for {term}");
    }
}

#[test]
fn solvers_take_more_than_the_standard() {
    for (term, sort) in [
        ("(+ x 1)", "Real"),
        ("(+ i 1.5)", "Real"),
        ("(= x i)", "Bool"),
        ("(= i x)", "Bool"),
        ("(ite p 1 x)", "Real"),
        ("(/ 1 3)", "Real"),
        ("(k 1 2)", "U"),
        ("(store a 1 2)", "(Array Int Real)"),
        ("(and p)", "Bool"),
        ("-5", "Int"),
        ("(= zs (lambda ((n Int)) true))", "Bool"),
        ("k", "(-> Int Real U)"),
        ("(_ as-array k)", "(-> Int Real U)"),
        ("((_ map and) zs zs)", "(Array Int Bool)"),
    ] {
        assert_eq!(sort_of(term, false), Ok(sort.to_string()), "for {term}");
    }
    for term in [
        "(+ x 1)", "(= i x)", "(k 1 2)", "(and p)", "-5", "k", "(store a 1 2)",
    ] {
        assert!(sort_of(term, true).is_err(), "for {term}");
    }
}

/// What the dialects have beside the standard, with declarations of its own.
const DIALECTS: &str = "
    (declare-datatypes ((Maybe 1)) ((par (T) ((nothing) (just (value T))))))
    (declare-const i Int) (declare-const p Bool) (declare-const l (List Int))
    (declare-const w (Array Int Bool Real)) (declare-const wb (Array Int Int Bool))
    (declare-const n (Nullable Int)) (declare-const m (Maybe Int))
    (declare-const t (Tuple Int String Bool)) (declare-const b (Bag Int))
    (declare-const r (Relation Int String)) (declare-const r2 (Relation String Bool))
    (declare-const tb (Table Int String)) (declare-const q (Seq Int)) (declare-const s (Set Int))
    (declare-fun fold ((Tuple Int String) Int) Int) (declare-fun same (Int Int) Bool)
    (declare-fun over (Int Int) Int) (declare-fun over (Int) Bool)
    (declare-sort U 0) (declare-const u U) (declare-const v (_ BitVec 4))
";

#[test]
fn dialects_have_their_own_containers() {
    for (term, sort) in [
        ("nil", "(List ?)"),
        ("(insert i nil)", "(List Int)"),
        ("(= (insert i nil) l)", "Bool"),
        ("(= nil l)", "Bool"),
        ("(insert i (insert 2 (as nil (List Int))))", "(List Int)"),
        ("(head (tail l))", "Int"),
        ("(is-insert l)", "Bool"),
        ("(is-nil nil)", "Bool"),
        ("((_ is nil) l)", "Bool"),
        ("(select w i true)", "Real"),
        ("(store w i true 1)", "(Array Int Bool Real)"),
        (
            "((as const (Array Int Bool Real)) 1.0)",
            "(Array Int Bool Real)",
        ),
        ("((_ map and) wb wb)", "(Array Int Int Bool)"),
        ("(= wb (store wb 1 2 p))", "Bool"),
        ("(as nullable.null (Nullable Int))", "(Nullable Int)"),
        ("(= n nullable.null)", "Bool"),
        ("(nullable.val (nullable.some i))", "Int"),
        ("(nullable.is_some n)", "Bool"),
        ("((_ nullable.lift +) n n)", "(Nullable Int)"),
        ("((_ nullable.lift same) n n)", "(Nullable Bool)"),
        (
            "(nullable.lift (lambda ((x Int)) (= x 1)) n)",
            "(Nullable Bool)",
        ),
        ("((_ tuple.update 1) t \"a\")", "(Tuple Int String Bool)"),
        ("((_ tuple.project 2 0 0) t)", "(Tuple Bool Int Int)"),
        ("(rel.join r r2)", "(Set (Tuple Int Bool))"),
        ("(rel.product r r2)", "(Set (Tuple Int String String Bool))"),
        (
            "((_ rel.table_join 1 0) r r2)",
            "(Set (Tuple Int String String Bool))",
        ),
        ("((_ rel.project 1) r)", "(Set (Tuple String))"),
        ("((_ rel.group 0) r)", "(Set (Set (Tuple Int String)))"),
        ("((_ rel.aggr 0) fold 0 r)", "(Set Int)"),
        (
            "(table.product tb tb)",
            "(Bag (Tuple Int String Int String))",
        ),
        (
            "((_ table.join 0 0) tb tb)",
            "(Bag (Tuple Int String Int String))",
        ),
        ("((_ table.project 1 0) tb)", "(Bag (Tuple String Int))"),
        ("((_ table.group 0) tb)", "(Bag (Bag (Tuple Int String)))"),
        ("((_ table.aggr 1) fold 0 tb)", "(Bag Int)"),
        ("(bag.partition same b)", "(Bag (Bag Int))"),
        ("(bag.difference_subtract b b b)", "(Bag Int)"),
        ("(set.minus s s s)", "(Set Int)"),
        (
            "(set.comprehension ((x Int)) (> x i) (* 2.0 x))",
            "(Set Real)",
        ),
        ("(set.comprehension ((x Int) (y U)) true y)", "(Set U)"),
        ("(set.comprehension ((x Int)) (> x i))", "(Set Int)"),
        ("(root-obj (+ (^ x 5) (* (- 1) x) (- 1)) 1)", "Real"),
        (
            "(let ((x p)) (and (= (root-obj (- (* x x) 2) 2) 1.5) x))",
            "Bool",
        ),
        ("(bvredxor (bvrol (bvinc v) v))", "(_ BitVec 1)"),
        ("(bvror v (bvdec v))", "(_ BitVec 4)"),
        ("(iff u u)", "Bool"),
        ("(bvsmod_i v v)", "(_ BitVec 4)"),
        ("(over 1)", "Bool"),
        ("(over 1 2)", "Int"),
    ] {
        let found = sort_among(DIALECTS, term, false);
        assert_eq!(found, Ok(sort.to_string()), "for {term}");
    }
    for term in [
        "(set.comprehension ((x Int)) x x)",
        "(set.comprehension p i)",
        "(insert p l)",
        "(select w i i)",
        "(select w i)",
        "(store w i true)",
        "(nullable.some)",
        "((_ nullable.lift and) n n)",
        "((_ tuple.update 1) t i)",
        "((_ tuple.project 3) t)",
        "(rel.join r r)",
        "((_ rel.table_join 0 0) r r2)",
        "((_ rel.project 2) r)",
        "((_ table.join 0) tb tb)",
        "(table.product r r)",
        "((_ rel.aggr 0) same 0 r)",
    ] {
        let found = sort_among(DIALECTS, term, false);
        assert!(found.is_err(), "{term} has the sort {found:?}");
    }
}

#[test]
fn constants_without_their_sort_take_it_from_their_place() {
    for (term, sort) in [
        ("seq.empty", "(Seq ?)"),
        ("(seq.++ seq.empty q)", "(Seq Int)"),
        ("(seq.++ q seq.empty)", "(Seq Int)"),
        ("(ite p seq.empty q)", "(Seq Int)"),
        ("(= seq.empty q)", "Bool"),
        ("(seq.prefixof seq.empty seq.empty)", "Bool"),
        ("(distinct set.empty (set.union s s))", "Bool"),
        ("(set.inter set.empty set.empty)", "(Set ?)"),
        ("(set.union set.empty set.empty s)", "(Set Int)"),
        ("(set.insert i set.empty)", "(Set Int)"),
        ("(bag.count i bag.empty)", "Int"),
        ("nothing", "(Maybe ?)"),
        ("(= m nothing)", "Bool"),
        ("(ite p nothing m)", "(Maybe Int)"),
        ("(just nothing)", "(Maybe (Maybe ?))"),
        ("(= (just m) (just nothing))", "Bool"),
    ] {
        let found = sort_among(DIALECTS, term, false);
        assert_eq!(found, Ok(sort.to_string()), "for {term}");
    }
    for term in [
        "(= seq.empty s)", "(= (just p) (just nothing))", "(set.union seq.empty s)",
        "(+ nothing 1)",
    ] {
        let found = sort_among(DIALECTS, term, false);
        assert!(found.is_err(), "{term} has the sort {found:?}");
    }
    for term in ["seq.empty", "(= m nothing)"] {
        assert!(sort_among(DIALECTS, term, true).is_err(), "for {term}");
    }
}

/// In the form that TIP gives its definitions.
const PARAMETRIC: &str = "
    (declare-datatype list (par (a) ((nil) (cons (head a) (tail (list a))))))
    (declare-fun any (par (a) (((list a)) a)))
    (define-fun single (par (a) (((x a)) (list a))) (cons x (as nil (list a))))
    (define-fun-rec map (par (a b) (((f (=> a b)) (l (list a))) (list b)))
        (match l ((nil (as nil (list b))) ((cons h t) (cons (f h) (map f t))))))
    (declare-const l (list Int)) (declare-const even (=> Int Bool)) (declare-const p Bool)
";

#[test]
fn functions_can_have_sort_parameters() {
    for (term, sort) in [
        ("(any l)", "Int"),
        ("(single p)", "(list Bool)"),
        ("(single (single 1))", "(list (list Int))"),
        ("(map even l)", "(list Bool)"),
        ("(any (map even l))", "Bool"),
        ("(_ nil Int)", "(list Int)"),
        ("((_ cons Int) 1 l)", "(list Int)"),
        ("(cons l (_ nil (list Int)))", "(list (list Int))"),
        ("(= (cons 1 (_ nil Int)) l)", "Bool"),
    ] {
        let found = sort_among(PARAMETRIC, term, false);
        assert_eq!(found, Ok(sort.to_string()), "for {term}");
    }
    for term in [
        "(any p)", "(= (_ nil Bool) l)", "(_ nil 3)", "(_ nil None)", "(map even (single p))",
        "(= (single p) l)",
    ] {
        let found = sort_among(PARAMETRIC, term, false);
        assert!(found.is_err(), "{term} has the sort {found:?}");
    }
    assert!(!accepts(
        "(define-fun f (par (X) (((x X)) X)) x) (declare-const c X)"
    ));
    assert!(!accepts("(define-fun f (par (X Y) (((x X) (y Y)) X)) y)"));
}

#[test]
fn mutual_recursion_and_assertions_can_have_sort_parameters() {
    for (text, expected) in [
        (
            "(define-funs-rec ((evens (par (a) (((l (list a))) (list a))))
                (odds (par (b) (((l (list b))) (list b)))) (zero () Int))
                ((match l ((nil l) ((cons h t) (cons h (odds t)))))
                 (match l ((nil l) ((cons h t) (evens t)))) 0))
             (assert (= (evens (cons zero l)) l))",
            true,
        ),
        (
            "(define-funs-rec ((f (par (a) (((x a)) a))) (g ((x a)) Int)) (x 0))",
            false,
        ),
        ("(define-funs-rec ((f (par (a b) (((x a)) b)))) (x))", false),
        (
            "(assert (par (a) (forall ((x a) (y (list a))) (= (head (cons x y)) x))))",
            true,
        ),
        ("(assert (par (a b) (forall ((x a) (y b)) (= x y))))", false),
        ("(assert (par (a) (forall ((x a)) x)))", false),
        ("(assert (par (a) true))(declare-const c a)", false),
    ] {
        assert_eq!(accepts(&format!("{PARAMETRIC}{text}")), expected, "{text}");
    }
}

#[test]
fn ill_sorted_terms_are_refused_with_a_reason() {
    for (term, problem) in [
        (
            "(and p i)",
            "`and` does not take (Bool Int); it takes Bool Bool -> Bool",
        ),
        (
            "(bvadd w v)",
            "`bvadd` does not take ((_ BitVec 8) (_ BitVec 16)); it takes (_ BitVec m) (_ BitVec m) -> (_ BitVec m)",
        ),
        (
            "((_ extract 8 0) w)",
            "`(_ extract 8 0)` does not take ((_ BitVec 8)); it takes (_ BitVec m) -> (_ BitVec i-j+1)",
        ),
        (
            "(k 1 p)",
            "`k` does not take (Int Bool); it takes Int Real -> U",
        ),
        (
            "(bvad w w)",
            "unknown function or constant `bvad`; did you mean `bvadd`?",
        ),
        (
            "(forall ((y Itn)) true)",
            "unknown sort `Itn`; did you mean `Int`?",
        ),
        (
            "(forall ((y Int)) y)",
            "expected a term of sort Bool, found one of sort Int",
        ),
        (
            "(forall ((y List)) true)",
            "sort `List` takes 1 arguments, found 0",
        ),
        (
            "(forall ((y (_ BitVec 0))) true)",
            "expected a width from 1 to 4294967295, found `0`",
        ),
        (
            "(forall ((y (_ BitVec 99999999999))) true)",
            "expected a width from 1 to 4294967295, found `99999999999`",
        ),
        (
            "(select a 1.5)",
            "`select` does not take ((Array Int Real) Real); it takes (Array A B) A -> B",
        ),
        (
            "(match l (((cons h) h)))",
            "pattern `cons` has 1 variables, the constructor 2 selectors",
        ),
        (
            "(match i ((y 1)))",
            "expected a term of sort a datatype, found one of sort Int",
        ),
        (
            "(match l ((nil 1) (z p)))",
            "expected a term of sort Int, found one of sort Bool",
        ),
        ("(i 1)", "`i` does not take (Int); it takes Int"),
        (
            "((_ repeat 99999999999) w)",
            "`(_ repeat 99999999999)` does not take ((_ BitVec 8)); it takes (_ BitVec m) -> (_ BitVec m*i)",
        ),
        (
            "(ite p i s)",
            "`ite` does not take (Bool Int String); it takes Bool A A -> A",
        ),
    ] {
        let found = sort_of(term, false).expect_err(term);
        assert_eq!(found, problem, "for {term}");
    }
}

/// True if the script is well-sorted.
fn accepts(text: &str) -> bool {
    let script = syntax::parse_str(text).expect("the text parses");
    typing::check(&script, &Options::default()).is_ok()
}

#[test]
fn scopes_end_where_they_should() {
    for text in [
        "(push 1)(declare-const x Int)(pop 1)(declare-const x Bool)(assert x)",
        "(set-option :global-declarations true)(push)(declare-const x Bool)(pop)(assert x)",
        "(declare-const x Bool)(push 1000000000000)(pop 999999999999)(assert x)(pop)",
        "(declare-const x Int)(assert (forall ((x Bool)) x))(assert (= x 1))",
        "(define-fun f ((x Bool)) Bool x)(declare-const x Int)(assert (f (= x 1)))",
        "(define-fun-rec f ((n Int)) Int (ite (= n 0) 0 (f (- n 1))))(assert (= 1 (f 2)))",
        "(define-funs-rec ((a ((n Int)) Bool) (b ((n Int)) Bool)) ((b n) (a n)))(assert (a 1))",
        "(declare-const x Int)(assert (! (> x 0) :named pos))(assert (not pos))",
        "(declare-fun f (Int) Bool)(declare-fun f (Bool) Bool)(assert (f (f 1)))",
        "(declare-fun member (Int Int) Bool)(assert (member 1 2))",
        "(declare-datatypes (T) ((List nil (cons (head T) (tail List)))))
         (declare-const l (List Int))(assert (= (head (tail l)) 1))",
        "(declare-datatypes () ((A (a (b B))) (B (c (d A)) e)))(declare-const x A)(assert (= (b x) e))",
        "(set-logic QF_LRA)(declare-const x Real)(assert (= (+ 1 2) (* 2 x)))",
        "(define-const c Int 1)(assert (= c 1))",
        "(declare-const x Int)(reset)(declare-const x Bool)(assert x)",
        "(declare-sort T)(declare-const t T)(assert (= t t))",
        "(declare-sort-parameter A)(declare-sort-parameter B)(declare-fun pick (A B) B)
         (define-fun same ((x A) (y A)) Bool (= x y))
         (assert (and (same 1 2) (same true false) (= (pick 1 \"a\") \"b\")))",
    ] {
        assert!(accepts(text), "{text}");
    }
    for text in [
        "(push 1)(declare-const x Bool)(pop 1)(assert x)",
        "(pop 1)",
        "(push 1)(pop 2)",
        "(push 99999999999999999999999)",
        "(assert (let ((x true)) x))(assert x)",
        "(assert (let ((x true) (y x)) y))",
        "(define-fun f ((x Bool)) Bool x)(assert x)",
        "(define-fun f () Bool f)",
        "(declare-sort-parameter A)(define-fun same ((x A) (y A)) Bool (= x y))(assert (same 1 true))",
        "(define-fun f () Bool 1)",
        "(declare-const x Bool)(reset)(assert x)",
        "(assert 1)",
        "(assert-soft 1)",
        "(check-sat-assuming (1))",
    ] {
        assert!(!accepts(text), "{text}");
    }
}

#[test]
fn errors_name_line_and_column() {
    let text = "(declare-const x Int)\n(assert (and true\n  (= x true)))";
    let script = syntax::parse_str(text).unwrap();
    let errors = typing::check(&script, &Options::default()).unwrap_err();
    assert_eq!(
        errors[0].located(text),
        "3:3: `=` does not take (Int Bool); it takes A A -> Bool"
    );
    assert_eq!(errors.len(), 1);
}

#[test]
fn deep_terms_and_doubling_sorts_are_no_problem() {
    let deep = format!(
        "(declare-const x Bool)(assert {}x{})",
        "(not ".repeat(200_000),
        ")".repeat(200_000)
    );
    assert!(accepts(&deep));
    let lets = format!(
        "(assert {}true{})",
        "(let ((x true)) ".repeat(200_000),
        ")".repeat(200_000)
    );
    assert!(accepts(&lets));
    let nested = format!(
        "(declare-const x {}Int{})",
        "(Set ".repeat(100_000),
        ")".repeat(100_000)
    );
    assert!(!accepts(&nested));
    let mut doubling = "(define-sort D0 (X) (Array X X))".to_string();
    for i in 1..200 {
        doubling += &format!("(define-sort D{i} (X) (Array (D{0} X) (D{0} X)))", i - 1);
    }
    doubling += "(declare-const x (D199 Int))(assert (= x 1))";
    assert!(!accepts(&doubling));
}
