//! Every form of the language comes back as it was written.

use lydite_smtlib::print::{self, Dialect};
use lydite_smtlib::syntax::{self, CommandKind, Term};

fn check_command(text: &str, expected: &str) {
    let script = syntax::parse_str(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    let printed = print::script(&script);
    assert_eq!(printed.trim_end(), expected, "for {text}");
    let again = syntax::parse_str(&printed).expect("what we print reads");
    assert_eq!(again, script, "for {text}");
    let pretty = syntax::parse_str(&print::pretty(&script)).expect("what we print reads");
    assert_eq!(pretty, script, "pretty, for {text}");
}

#[test]
fn commands_print_as_they_were_written() {
    for text in [
        "(set-logic QF_BV)",
        "(set-option :produce-models true)",
        "(set-option :random-seed 42)",
        "(set-info :status sat)",
        "(set-info :source |several\nlines|)",
        "(set-info :notes \"a \"\"quoted\"\" word\")",
        "(set-info :keyword-only)",
        "(get-info :all-statistics)",
        "(get-option :verbosity)",
        "(declare-sort S 0)",
        "(declare-sort S)",
        "(declare-sort-parameter X)",
        "(define-sort Pair (X Y) (Array X (Array Y Bool)))",
        "(declare-fun f (Int (_ BitVec 8)) (Array Int Real))",
        "(declare-const c (_ FloatingPoint 8 24))",
        "(declare-var v Int)",
        "(define-fun f ((x Int) (y Int)) Int (+ x y))",
        "(define-fun c () Int 1)",
        "(define-const c Int 1)",
        "(define-fun-rec f ((x Int)) Int (f (- x 1)))",
        "(define-funs-rec ((f ((x Int)) Int) (g () Int)) ((g x) (f 1)))",
        "(declare-fun f (par (X Y) ((X (Pair X Y)) Y)))",
        "(define-fun f (par (X) (((x X) (y X)) X)) y)",
        "(define-fun-rec f (par (X) (((x X)) Int)) (f x))",
        "(define-funs-rec ((f (par (X) (((x X)) Int))) (g () Int) (h (par (Y Z) (((y Y)) Z)))) (0 1 (h y)))",
        "(assert (par (X Y) (forall ((x X)) (= x x))))",
        "(declare-datatype Color ((red) (green)))",
        "(declare-datatype List (par (T) ((nil) (cons (head T) (tail (List T))))))",
        "(declare-datatypes ((T 0) (P 2)) (((c (s Int))) (par (X Y) ((pair (fst X) (snd Y))))))",
        "(declare-datatypes (T) ((List nil (cons (head T) (tail List)))))",
        "(declare-datatypes () ((A a (b (x Int))) (B c)))",
        "(declare-codatatypes ((S 0)) (((more (first Int) (rest S)))))",
        "(declare-codatatype S ((more (rest S))))",
        "(assert true)",
        "(assert-soft p :weight 0.5 :id goal)",
        "(minimize (+ x 1))",
        "(maximize x :id a)",
        "(check-sat)",
        "(check-sat p (not q))",
        "(check-sat-assuming (p (not q)))",
        "(check-sat-assuming ())",
        "(check-sat-using (then simplify (using-params smt :random-seed 1)))",
        "(get-value (x (+ x 1)))",
        "(get-value (x) :model-index 0)",
        "(simplify (+ 1 2) :som true)",
        "(eval x)",
        "(echo \"hello \"\"you\"\"\")",
        "(push 2)",
        "(push)",
        "(pop 2)",
        "(pop)",
        "(get-model)",
        "(get-unsat-core)",
        "(reset-assertions)",
        "(exit)",
        "(declare-rel reach (Int Int))",
        "(rule (=> p (reach 1 2)) name)",
        "(query (reach 1 2) :print-answer true)",
        "(block-model :literals)",
        "(synth-fun f ((x Int)) Int)",
        "(some-command (with |odd words|) \"and\" 1.5 #xff :kinds)",
    ] {
        check_command(text, text);
    }
}

#[test]
fn terms_print_as_they_were_written() {
    for text in [
        "x",
        "|a b|",
        "||",
        "42",
        "4.20",
        "#b0101",
        "#xDeadBEEF",
        "\"\"",
        "\"a\"\"b\\u{1F600}\\x41\"",
        "(f x y)",
        "(_ bv5 8)",
        "(_ char #x41)",
        "(_ +oo 8 24)",
        "((_ extract 3 0) x)",
        "((_ is cons) x)",
        "((_ is (cons (Int) List)) x)",
        "(as nil (List Int))",
        "((as const (Array Int Int)) 0)",
        "(as (_ f 1) Int)",
        "((_ map (+ (Int Int) Int)) a b)",
        "((f x) y)",
        "((lambda ((x Int)) (+ x 1)) 2)",
        "(((f x) y) z)",
        "(let ((x 1) (y (f 2))) (+ x y))",
        "(let ((x (let ((y 1)) y))) (let ((z x)) z))",
        "(forall ((x Int)) (exists ((y (Array Int Bool)) (z T)) (p x y)))",
        "(choice ((x Int)) (> x 1))",
        "(set.comprehension ((x Int)) (> x 1) (* 2 x))",
        "(set.comprehension ((x Int)) (> x 1))",
        "(set.comprehension a b)",
        "(forall ((x Int)) (! (p x) :pattern ()))",
        "(lambda ((x Int)) x)",
        "(|lambda| x)",
        "(choice a b)",
        "(match l ((nil 0) ((cons h t) (+ h 1)) (x 2)))",
        "(match (f l) (((cons h _) (match h ((y y))))))",
        "(match l (((as nil (List Int)) 0) (((as cons (List Int)) h t) 1)))",
        "(! (> x 1) :named a)",
        "(! p :named |b c| :weight 3 :flag :other (x y (z)))",
        "(forall ((x Int)) (! (p x) :pattern ((p x) (q (f x) x)) :pattern (x) :qid k!1))",
        "(! (! p :named a) :named b)",
        "(|let| x |forall|)",
    ] {
        check_command(&format!("(assert {text})"), &format!("(assert {text})"));
    }
}

#[test]
fn layout_comments_and_needless_bars_vanish() {
    for (text, expected) in [
        ("( assert ; why\n\ttrue\r\n)", "(assert true)"),
        ("(assert |x|)", "(assert x)"),
        ("(assert |par|)", "(assert |par|)"),
        ("(assert (|par| (f x) y))", "(assert (|par| (f x) y))"),
        (
            "(define-funs-rec ((par (X) (f ((x X)) X)) (g () Int)) (x 1))",
            "(define-funs-rec ((f (par (X) (((x X)) X))) (g () Int)) (x 1))",
        ),
        ("(declare-const x (U))", "(declare-const x U)"),
        ("(assert (= 2. #f3m7))", "(assert (= 2. #f3m7))"),
        (
            "(declare-datatypes ((T 0)) ((a b)))",
            "(declare-datatypes ((T 0)) (((a) (b))))",
        ),
        (
            "(declare-datatypes () ((T (a) b)))",
            "(declare-datatypes () ((T a b)))",
        ),
        ("(match-me)(assert x)", "(match-me)\n(assert x)"),
        ("(assert (let () x))", "(assert (let () x))"),
    ] {
        check_command(text, expected);
    }
}

#[test]
fn errors_name_the_place_and_what_was_expected() {
    for (text, expected) in [
        ("(assert", "1:8: expected a term, found the end of the text"),
        (
            "\n (assert ())",
            "2:11: expected a function or a binder, found `)`",
        ),
        ("(assert (f))", "1:11: expected a term, found `)`"),
        (
            "(assert x y)",
            "1:11: expected `)` at the end of the command, found `y`",
        ),
        (")", "1:1: expected a command, found `)`"),
        ("x", "1:1: expected a command, found `x`"),
        ("(assert (let ((x)) x))", "1:17: expected a term, found `)`"),
        (
            "(assert (forall ((x)) x))",
            "1:20: expected a sort, found `)`",
        ),
        (
            "(declare-fun 3 () Int)",
            "1:14: expected a symbol, found `3`",
        ),
        (
            "(declare-const x ())",
            "1:19: expected the name of a sort, found `)`",
        ),
        ("(assert 12ab)", "1:9: malformed number"),
        ("(assert #b12)", "1:9: malformed number"),
        ("(assert #q)", "1:9: malformed number"),
        ("(echo \"abc", "1:7: string literal is not closed"),
        ("(assert |abc", "1:9: quoted symbol is not closed"),
        ("(assert ,)", "1:9: character `,` begins no token"),
        ("(set-info x)", "1:11: expected an info, found `x`"),
        ("(foo (bar", "1:10: expected `)`, found the end of the text"),
        ("(assert (_ bv1))", "1:15: expected an index, found `)`"),
        ("é(", "1:1: expected a command, found `é`"),
    ] {
        let error = syntax::parse_str(text).unwrap_err();
        assert_eq!(error.to_string(), expected, "for {text:?}");
    }
}

#[test]
fn bytes_that_are_not_utf8_are_read_as_latin1() {
    let script = syntax::parse(b"(set-info :source |Andr\xe9|)").unwrap();
    assert_eq!(print::script(&script), "(set-info :source |André|)\n");
}

#[test]
fn a_million_nested_terms_read_and_print() {
    let text = format!(
        "(assert {}x{})\n",
        "(not ".repeat(1_000_000),
        ")".repeat(1_000_000)
    );
    let script = syntax::parse_str(&text).unwrap();
    assert!(print::script(&script) == text);
}

#[test]
fn depth_is_no_problem_anywhere() {
    // A thread's stack of 2 MiB would not hold one frame per level.
    const DEPTH: usize = 100_000;
    let nested = |open: &str, core: &str, close: &str| {
        format!("{}{core}{}", open.repeat(DEPTH), close.repeat(DEPTH))
    };
    for text in [
        format!("(assert {})", nested("(not ", "x", ")")),
        format!("(assert {})", nested("(let ((x ", "1", ")) x)")),
        format!("(assert {})", nested("(let ((x 1)) ", "x", ")")),
        format!("(assert {})", nested("(! ", "x", " :named a)")),
        format!("(assert {})", nested("(! x :pattern (", "x", "))")),
        format!("(assert {})", nested("(forall ((x Int)) ", "x", ")")),
        format!("(assert {})", nested("(match ", "x", " ((y y)))")),
        format!("(assert {})", nested("(", "f", " x)")),
        format!("(declare-const x {})", nested("(Set ", "Int", ")")),
        format!("(unknown {})", nested("(", "x", ")")),
        format!("(set-info :x {})", nested("(", "", ")")),
    ] {
        let script = syntax::parse_str(&text).unwrap();
        let printed = print::script(&script);
        assert!(syntax::parse_str(&printed).unwrap() == script);
        assert!(syntax::parse_str(&print::pretty(&script)).unwrap() == script);
    }
    for open in [
        "(", "(assert (", "(assert (f ", "(assert (let ((x ", "(assert (! ",
    ] {
        assert!(syntax::parse_str(&open.repeat(DEPTH)).is_err());
    }
}

#[test]
fn a_long_term_is_broken_over_lines() {
    let text = "(assert (and (= (bvadd aaaaaaaaaaaaaaa bbbbbbbbbbbbbbbbb) cccccccccccccccccc) \
                (= (bvadd aaaaaaaaaaaaaaa bbbbbbbbbbbbbbbbb) dddddddddddddddd)))";
    let script = syntax::parse_str(text).unwrap();
    assert_eq!(
        print::pretty(&script),
        "(assert\n  (and\n    (= (bvadd aaaaaaaaaaaaaaa bbbbbbbbbbbbbbbbb) cccccccccccccccccc)\n    \
         (= (bvadd aaaaaaaaaaaaaaa bbbbbbbbbbbbbbbbb) dddddddddddddddd)))\n"
    );
}

#[test]
fn old_and_new_string_names_are_printed_for_the_solver_that_wants_them() {
    let new = "(assert (str.in_re (str.from_int (str.to_int \"\\u{41}\\u0042\")) (str.to_re s)))\n";
    let old = "(assert (str.in.re (int.to.str (str.to.int \"\\x41\\x42\")) (str.to.re s)))\n";
    let script = syntax::parse_str(new).unwrap();
    assert_eq!(print::script_for(&script, Dialect::Old), old);
    assert_eq!(print::script_for(&script, Dialect::Standard), new);
    let script = syntax::parse_str("(assert (str.in.re x re.nostr))").unwrap();
    assert_eq!(
        print::script_for(&script, Dialect::Standard),
        "(assert (str.in_re x re.none))\n"
    );
    let own = "(declare-fun str.in.re (Int) Bool)\n(assert (str.in.re 1))\n";
    let script = syntax::parse_str(own).unwrap();
    assert_eq!(print::script_for(&script, Dialect::Standard), own);
}

#[test]
fn terms_can_be_read_into_a_script_and_made_by_hand() {
    let mut script = syntax::parse_str("(declare-const x Int)").unwrap();
    let read = syntax::parse_term(&mut script, "(+ x 1)").unwrap();
    let x = script.make_call("x", &[]);
    let made = script.make_call("*", &[x, read]);
    assert_eq!(print::term(&script, made), "(* x (+ x 1))");
    assert!(syntax::parse_term(&mut script, "(+ x 1) 2").is_err());
    let commands = syntax::parse_commands(&mut script, "(assert (> x 1))(check-sat)").unwrap();
    assert!(matches!(commands[0].kind, CommandKind::Assert(_)));
    assert_eq!(script.commands.len(), 1);
    let Term::Application { arguments, .. } = script.term(made) else {
        panic!("an application");
    };
    assert_eq!(arguments, [x, read]);
    let swapped = script.with_subterms(made, &[read, x]);
    assert_eq!(print::term(&script, swapped), "(* (+ x 1) x)");
}

#[test]
fn old_datatypes_and_testers_are_printed_as_the_standard_has_them() {
    let old = "(declare-datatypes (T) ((List nil (cons (head T) (tail List)))))
(declare-const l (List Int))
(assert (is-cons l))
";
    let new = "(declare-datatypes ((List 1)) ((par (T) ((nil) (cons (head T) (tail (List T)))))))
(declare-const l (List Int))
(assert ((_ is cons) l))
";
    let script = syntax::parse_str(old).unwrap();
    assert_eq!(print::script(&script), old);
    assert_eq!(print::script_for(&script, Dialect::Standard), new);
}
