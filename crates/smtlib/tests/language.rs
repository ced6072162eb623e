//! SMT-LIB as the lab uses it: claims, features, fingerprints, edits.

use lydite_core::{Claim, Language, Program, Seed};
use lydite_smtlib::{SmtLib, syntax};

fn program(text: &str) -> Program {
    Program::single("a.smt2", text.as_bytes())
}

fn claim(text: &str) -> Option<String> {
    let seed = Seed {
        name: "a.smt2".to_string(),
        text: text.as_bytes().into(),
        claim: None,
    };
    SmtLib.stated_claim(&seed).map(|claim| claim.to_string())
}

#[test]
fn tactics_are_for_z3_alone() {
    let text = "(declare-const x Int)\n(assert (> x 0))\n(check-sat-using (then simplify smt))\n";
    let program = Program::single("a.smt2", text.as_bytes());
    for (dialect, question) in [
        ("standard", "(check-sat)"),
        ("plain", "(check-sat)"),
        ("old", "(check-sat-using (then simplify smt))"),
    ] {
        let spoken = SmtLib.in_dialect(&program, dialect);
        let spoken = String::from_utf8(spoken.source().text.to_vec()).unwrap();
        assert_eq!(spoken.lines().last(), Some(question), "{dialect}");
    }
    let plain = Program::single(
        "a.smt2",
        &b"(assert (str.in.re \"\" re.nostr))(check-sat)"[..],
    );
    assert_eq!(SmtLib.in_dialect(&plain, "plain"), plain);
}

/// The program in a dialect, as text.
fn spoken(text: &str, dialect: &str) -> String {
    let program = Program::single("a.smt2", text.as_bytes());
    let spoken = SmtLib.in_dialect(&program, dialect);
    String::from_utf8(spoken.source().text.to_vec()).expect("text")
}

#[test]
fn characters_that_old_solvers_have_not_are_names_that_they_refuse() {
    for (standard, old) in [
        ("\"ab\"", "\"ab\""),
        ("\"a\\u{41}\\u00ff\"", "\"a\\x41\\xff\""),
        ("\"a\\u{100}\"", "str.above_255"),
        ("\"a\\u{2}\\u1234\"", "str.above_255"),
        // No escape, neither then nor now.
        ("\"a\\u{}\"", "\"a\\u{}\""),
    ] {
        let text = |literal: &str| format!("(assert (= \"x\" {literal}))\n");
        assert_eq!(spoken(&text(standard), "old"), text(old));
        assert_eq!(spoken(&text(standard), "standard"), text(standard));
    }
}

#[test]
fn the_logic_of_everything_has_its_name_of_today() {
    for (ours, todays) in [("ALL_SUPPORTED", "ALL"), ("QF_ALL_SUPPORTED", "QF_ALL")] {
        let text = |logic: &str| format!("(set-logic {logic})\n(check-sat)\n");
        assert_eq!(spoken(&text(ours), "standard"), text(todays));
        assert_eq!(spoken(&text(ours), "z3"), text(todays));
        assert_eq!(spoken(&text(ours), "plain"), text(ours));
    }
}

#[test]
fn finite_sets_are_written_as_each_solver_has_them() {
    let ours = "(declare-const A (Set Int))\n(assert (set.member 1 (set.inter A (set.minus A (as set.empty (Set Int))))))\n(assert (= (set.card A) 2))\n";
    let z3s = "(declare-const A (FiniteSet Int))\n(assert (set.in 1 (set.intersect A (set.difference A (as set.empty (FiniteSet Int))))))\n(assert (= (set.size A) 2))\n";
    for text in [ours, z3s] {
        assert_eq!(spoken(text, "z3"), z3s);
        assert_eq!(spoken(text, "standard"), ours);
    }
    // z3's own sets are arrays.
    let arrays = "(declare-const A (Set Int))\n(assert (= A (union A A)))\n";
    assert_eq!(spoken(arrays, "z3"), arrays);
    // A name of the script is nobody's.
    let own = "(declare-fun set.in (Int) Bool)\n(assert (set.in 1))\n";
    assert_eq!(spoken(own, "standard"), own);
}

#[test]
fn a_file_adds_a_theory_to_the_language() {
    let theory = "theory colours
        sort (Shade A) :z3
        sort (Tint A) = (Shade A) :cvc5
        mix : (Shade A) (Shade A) -> (Shade A) :left-assoc
        alias blend = mix :z3
        dark : (Shade A) -> Bool\n";
    let extended = SmtLib.extended(theory).unwrap().unwrap();
    let text = "(declare-const a (Shade Int))\n(declare-const b (Tint Int))\n(assert (dark (mix a b b)))\n";
    let program = Program::single("a.smt2", text.as_bytes());
    assert!(SmtLib.check(&program).is_err());
    assert_eq!(extended.check(&program), Ok(()));
    let z3 = extended.in_dialect(&program, "z3");
    let z3 = String::from_utf8(z3.source().text.to_vec()).unwrap();
    assert!(z3.contains("(dark (blend a b b))"), "{z3}");
    let standard = extended.in_dialect(&program, "standard");
    let standard = String::from_utf8(standard.source().text.to_vec()).unwrap();
    assert!(
        standard.contains("(declare-const b (Shade Int))"),
        "{standard}"
    );
    let wrong =
        "(declare-const a (Shade Int))(declare-const b (Shade Bool))(assert (dark (mix a b)))";
    assert!(
        extended
            .check(&Program::single("a.smt2", wrong.as_bytes()))
            .is_err()
    );
    for (text, error) in [
        (
            "sort (Shade a)",
            "operators, line 1: `a` is not a capital letter",
        ),
        ("sort (Set A)", "operators, line 1: a second sort `Set`"),
        (
            "sort (Two A B) :values Seq",
            "operators, line 1: such values are not made of these",
        ),
        (
            "sort Hue :values Sequence",
            "operators, line 1: no kind of values `Sequence`",
        ),
        (
            "sort Hue = (Seq B)",
            "operators, line 1: `B` stands for nothing",
        ),
        (
            "alias f = g :z4",
            "operators, line 1: unknown attribute `:z4` of an alias",
        ),
    ] {
        assert_eq!(SmtLib.extended(text).err().as_deref(), Some(error));
    }
}

#[test]
fn what_is_stated_can_be_read_back_and_taken_out() {
    for (text, answer, expected) in [
        ("(check-sat)", "sat", Some("sat")),
        (
            "(set-info :status unsat)\n(assert true)(check-sat)\n; (check-sat)\n(exit)(check-sat)",
            "sat",
            Some("sat"),
        ),
        (
            "(check-sat)(push 1)(check-sat)",
            "sat unsat",
            Some("sat unsat"),
        ),
        ("(check-sat)", "sat unsat", None),
        ("(assert |(check-sat)|)", "sat", None),
    ] {
        let Claim::Answers(known) = answer.parse().unwrap() else {
            panic!("{answer} is an answer");
        };
        let stated = SmtLib.stating(&program(text), &known);
        let read = stated
            .as_ref()
            .and_then(|program| claim(std::str::from_utf8(&program.source().text).unwrap()));
        assert_eq!(read.as_deref(), expected, "{text}");
        if let Some(stated) = stated {
            let bare = SmtLib.without_hints(&program(text));
            let again = SmtLib.without_hints(&stated);
            assert_eq!(
                SmtLib.fingerprint(&again),
                SmtLib.fingerprint(&bare),
                "{text}"
            );
        }
    }
}

#[test]
fn a_seed_states_one_verdict_per_question() {
    for (text, expected) in [
        ("(set-info :status sat)(check-sat)", Some("sat")),
        (
            "(set-info :status unsat)(check-sat)(exit)(check-sat)",
            Some("unsat"),
        ),
        (
            "(set-info :status sat)(check-sat)(push 1)(set-info :status unsat)(check-sat)(check-sat)",
            Some("sat unsat unknown"),
        ),
        ("(set-info :status unknown)(check-sat)", None),
        ("(check-sat)", None),
        ("(set-info :status sat)", None),
        ("; (set-info :status sat)\n(check-sat)", None),
        (
            "(set-info :source |(set-info :status sat)|)(check-sat)",
            None,
        ),
        (
            "(set-info :status sat)(check-sat)(assert |unclosed",
            Some("sat"),
        ),
        ("", None),
    ] {
        assert_eq!(claim(text).as_deref(), expected, "for {text}");
    }
}

#[test]
fn targets_are_not_told_what_is_expected_and_nothing_else_changes() {
    let without = |text: &str| {
        let program = SmtLib.without_hints(&program(text));
        String::from_utf8(program.source().text.to_vec()).unwrap()
    };
    let text = "(set-logic ALL) ; (set-info :status sat)\n(set-info  :status\nunsat)(check-sat)";
    assert_eq!(
        without(text),
        "(set-logic ALL) ; (set-info :status sat)\n(check-sat)"
    );
    let several = "(set-info :status sat)(check-sat)(set-info :status unsat)(check-sat)(";
    assert_eq!(without(several), "(check-sat)(check-sat)(");
    for same in [
        "",
        "(check-sat)",
        "(echo \"(set-info :status sat)\")",
        "(set-info :status sat",
        ")(",
    ] {
        assert_eq!(without(same), same);
    }
}

#[test]
fn features_are_coarse_sorted_and_found_in_broken_texts_too() {
    for (text, expected) in [
        ("(declare-const x Int)(assert (= x 1))", "ints"),
        ("(declare-fun f (Int) Int)(declare-fun c () Int)", "ints uf"),
        ("(declare-fun c () Bool)(check-sat)", ""),
        ("(assert (bvult #x00 #x01))(assert (", "bitvectors"),
        (
            "(declare-const a (Array Int Real))(assert (forall ((i Int)) true))",
            "arrays ints quantifiers reals",
        ),
        ("(assert (str.in_re s (re.* r)))", "regex"),
        ("(push 1)(check-sat)", "incremental"),
        ("(check-sat)(check-sat)", "incremental"),
        (
            "(declare-fun member (Bool) Bool)(assert (member true))",
            "uf",
        ),
        ("(declare-datatypes ((T 0)) (((a))))", "datatypes"),
        ("\u{0}|", ""),
    ] {
        assert_eq!(
            SmtLib.features(&program(text)).join(" "),
            expected,
            "for {text}"
        );
    }
}

#[test]
fn check_says_where_and_why() {
    assert_eq!(SmtLib.check(&program("(assert true)")), Ok(()));
    for (text, expected) in [
        (
            "(assert\n tru)",
            "2:2: unknown function or constant `tru`; did you mean `true`?",
        ),
        ("(assert", "1:8: expected a term, found the end of the text"),
    ] {
        assert_eq!(SmtLib.check(&program(text)), Err(expected.to_string()));
    }
}

#[test]
fn fingerprints_do_not_see_names_and_layout() {
    let print = |text: &str| SmtLib.fingerprint(&program(text));
    let first = "(declare-fun x () Int)(assert (forall ((y Int)) (! (> x y) :named a)))";
    let same = "; a comment\n(set-info :status sat)\n(declare-fun |a b| () Int)
        (assert (forall ((x Int)) (! (> |a b| x) :named y)))";
    let swapped = "(declare-fun x () Int)(assert (forall ((y Int)) (! (> y x) :named a)))";
    assert_eq!(print(first), print(same));
    assert_ne!(print(first), print(swapped));
    assert_ne!(print(first), print(&first.replace("Int", "Real")));
    assert_eq!(print(first).len(), 32);
    assert_eq!(print("(broken  text"), print("(broken\ntext"));
    assert_ne!(print("(broken text"), print("(broken test"));
}

const REDUCIBLE: &str = "(set-logic ALL)
(set-option :produce-models true)
(declare-const unused Int)
(declare-fun long-name (Int) (_ BitVec 32))
(define-fun twice ((n Int)) Int (* 2 n))
(declare-const s String)
(assert (and (= (long-name (twice 12345)) #xdeadbeef) (= s \"some text\") true))
(assert (let ((v (long-name 7)) (w #x00000001)) (bvult v (bvadd v w))))
(assert (forall ((x Int) (y Int)) (=> (> x y) (distinct x y))))
(check-sat)
(get-model)
";

#[test]
fn a_string_that_looks_like_a_canonical_name_does_no_harm() {
    let text =
        |string: &str| format!("(declare-const s String)(assert (= s \"{string}\"))(check-sat)");
    let prints: Vec<String> = ["|1", "|2", "|3", "s"]
        .map(|s| SmtLib.fingerprint(&program(&text(s))))
        .to_vec();
    for (i, print) in prints.iter().enumerate() {
        assert!(!prints[..i].contains(print), "{prints:?}");
    }
}

#[test]
fn every_edit_is_a_different_well_formed_program() {
    let start = program(REDUCIBLE);
    let mut words = Vec::new();
    let mut seen = std::collections::BTreeSet::new();
    for edit in SmtLib.edits(&start) {
        assert_eq!(SmtLib.check(&edit.program), Ok(()), "{}", edit.what);
        assert_ne!(edit.program, start);
        seen.insert(edit.program.source().text.clone());
        words.push(edit.what);
    }
    for what in [
        "drop 3 assertions",
        "drop 1 declarations",
        "replace a term by true",
        "replace a term by its subterm",
        "drop 1 arguments",
        "inline a binding",
        "inline a definition",
        "instantiate a quantifier",
        "shrink a literal",
        "bit-vectors of width 8 instead of 32",
        "short names",
    ] {
        assert!(words.iter().any(|word| word == what), "{what} in {words:?}");
    }
    assert!(seen.len() > 60, "{}", seen.len());
    assert!(words[0].starts_with("drop"), "{}", words[0]);
}

/// Takes the first edit that keeps `wanted`, again and again.
fn reduce(text: &str, wanted: impl Fn(&str) -> bool) -> String {
    let mut best = program(text);
    'again: loop {
        let now = best.clone();
        for edit in SmtLib.edits(&now) {
            let text = String::from_utf8_lossy(&edit.program.source().text).into_owned();
            if wanted(&text) && edit.program.bytes() < best.bytes() {
                best = edit.program;
                continue 'again;
            }
        }
        return String::from_utf8_lossy(&best.source().text).into_owned();
    }
}

#[test]
fn a_greedy_reduction_ends_small() {
    let small = reduce(REDUCIBLE, |text| text.contains("bvult"));
    assert_eq!(small, "(assert (bvult #b0 #b0))\n");
    let small = reduce(REDUCIBLE, |text| {
        text.contains("forall") && text.contains('>')
    });
    assert_eq!(small, "(assert (forall ((y Int)) (> 0 y)))\n");
    let small = reduce(REDUCIBLE, |text| text.contains("\"s"));
    assert_eq!(small, "(assert (= \"\" \"s\"))\n");
}

#[test]
fn two_assertions_become_one_that_has_a_term_of_each() {
    let text = "(declare-const x Real)(assert (forall ((v Real)) (= (* v x) 0.0)))\
                (assert (> (/ 1.0 x) 0.0))";
    let has_both = |text: &str| text.contains("(* v x)") && text.contains("(/ 1.0 x)");
    let small = reduce(text, has_both);
    assert_eq!(small.matches("assert").count(), 1, "{small}");
}

#[test]
fn sorts_become_as_narrow_as_what_must_stay_allows() {
    // What must stay, what must not be there, and what the result has.
    for (text, kept, not, expected) in [
        (
            "(declare-const x (_ BitVec 64))(assert (bvult x #x00000000ffffffff))",
            "(bvult x ",
            ["BitVec 1", "BitVec 2", "BitVec 3)"],
            "(_ BitVec 4)",
        ),
        // Widths that depend on each other change together.
        (
            "(declare-const x (_ BitVec 32))(declare-const y (_ BitVec 64))\
             (assert (= y (concat x ((_ extract 63 32) y))))",
            "(= y (concat x (",
            ["-"; 3],
            "(_ BitVec 2)",
        ),
        (
            "(declare-const x (_ BitVec 32))\n\n(assert (fp.isNaN ((_ to_fp 8 24) x)))\n\n",
            " x))",
            ["-"; 3],
            "(_ BitVec 5)",
        ),
        (
            "(declare-const x Float64)\
             (assert (fp.eq x (fp #b0 #b01111111111 #x0000000000000)))",
            "x (fp ",
            ["Float16", "-", "-"],
            "(_ FloatingPoint 2 3)",
        ),
    ] {
        let wanted = |text: &str| {
            let absent = not.iter().all(|part| *part == "-" || !text.contains(part));
            text.contains(kept) && absent
        };
        let small = reduce(text, wanted);
        assert!(small.contains(expected), "{small}");
    }
}

#[test]
fn edits_of_a_large_script_are_made_one_by_one() {
    let mut text = "(declare-const x Int)".to_string();
    for i in 0..20_000 {
        text += &format!("(assert (< x (+ x {i})))");
    }
    let start = program(&text);
    let first: Vec<String> = SmtLib.edits(&start).take(3).map(|edit| edit.what).collect();
    assert_eq!(
        first,
        [
            "drop 20000 assertions", "drop 10000 assertions", "drop 10000 assertions"
        ]
    );
    assert_eq!(SmtLib.edits(&program("(assert (")).count(), 0);
}

#[test]
fn claims_that_need_a_solver_are_not_upheld() {
    let case = |claim| lydite_core::Case::single(program("(assert true)"), claim);
    assert!(SmtLib.upholds(&case(Claim::Silent)));
    assert!(SmtLib.upholds(&case(Claim::Accepted)));
    assert!(!SmtLib.upholds(&case("sat".parse().unwrap())));
    assert!(syntax::parse_str("(assert true)").is_ok());
}

#[test]
fn what_a_script_declares_shrinks_with_what_speaks_of_it() {
    for (text, kept, small) in [
        (
            "(declare-fun f (Int Bool) Int)(declare-const x Int)(assert (= (f x true) (f 2 false)))",
            vec!["(f "],
            "(declare-fun f (Bool) Int)\n(assert (= (f true) 0))\n",
        ),
        (
            "(declare-datatypes ((T 0)) (((A (a Int) (b T)) (B) (C (c Real)))))\
             (declare-const t T)(assert (= t (A 3 B)))",
            vec!["(A 3"],
            "(declare-datatypes ((T 0)) (((A (a Int)) (B))))\n(assert (= B (A 3)))\n",
        ),
        (
            "(declare-const x Int)(declare-const y Int)(assert (= x (+ y 1)))(assert (> (* x x) y))",
            vec!["(* x x)"],
            "(declare-const x Int)\n(assert (> (* x x) 0))\n",
        ),
        (
            "(declare-fun some_name () (_ FloatingPoint 11 53))\
             (assert (fp.lt some_name (fp #b0 #b10000000000 #x8000000000000)))",
            vec!["fp.lt", "(fp ", "declare"],
            "(declare-const a (_ FloatingPoint 2 3))\n(assert (fp.lt a (fp #b0 #b00 #b00)))\n",
        ),
        (
            "(push 1)(assert true)(push 1)(assert (= \"abc\" \"\"))(pop 1)(pop 1)(check-sat)",
            vec!["b", "push", "check-sat"],
            "(push 1)\n(assert (= \"b\" \"\"))\n(check-sat)\n",
        ),
    ] {
        let reduced = reduce(text, |text| kept.iter().all(|part| text.contains(part)));
        assert_eq!(reduced, small);
    }
}

#[test]
fn a_script_uses_its_symbols_and_features_and_not_its_comments_and_strings() {
    let text = "(declare-fun x () String) ; str.rev\n\
                (assert (= (str.replace x \"str.len\" |a b|) x))";
    let program = Program::single("case.smt2", text.as_bytes().to_vec());
    for (feature, expected) in [
        ("str.replace", true),
        ("str.rev", false),
        ("str.len", false),
        ("replace", false),
        ("a b", true),
        ("strings", true),
        ("bitvectors", false),
    ] {
        assert_eq!(SmtLib.uses(&program, feature), expected, "{feature}");
    }
    let broken = Program::single("case.smt2", b"(assert (str.rev \"".to_vec());
    assert!(SmtLib.uses(&broken, "str.rev"));
    let foreign = Program::single("case.smt2", vec![0xff, 0xfe]);
    assert!(!SmtLib.uses(&foreign, "str.rev"));
}
