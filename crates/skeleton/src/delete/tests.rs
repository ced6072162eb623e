//! What is probed, what may go, and what a variant is.

use std::collections::BTreeSet;
use std::sync::Arc;

use lydite_core::{Case, Choices, Claim, Seed, Space};

use super::dead_code::{DeadCode, DeadCodeError};
use super::probed::Probed;
use super::probing::{MARK, Probing};
use super::space::DeleteSpace;
use super::statements::statements;
use crate::extract::{DIALECTS, Dialect};

/// The statements of a text, and of those the ones that could go.
fn found(language: &str, text: &str) -> (Vec<String>, Vec<String>) {
    let dialect = Dialect::of(language).unwrap();
    let probing = Probing::of(dialect).unwrap();
    let all = statements(dialect, probing, &Arc::from(text.as_bytes())).unwrap();
    let texts = |removable: bool| {
        let wanted = all.iter().filter(move |one| one.removable || !removable);
        wanted.map(|one| text[one.range.clone()].to_string())
    };
    (texts(false).collect(), texts(true).collect())
}

fn removable(language: &str, text: &str) -> Vec<String> {
    found(language, text).1
}

fn refusal(language: &str, text: &str) -> String {
    let dialect = Dialect::of(language).unwrap();
    let error = Probed::read(dialect, text.as_bytes()).err();
    error.map(|why| why.to_string()).unwrap_or_default()
}

/// The text with a profile that says that only these probes were reached.
fn profiled(language: &str, text: &str, reached: &[usize]) -> Vec<u8> {
    let probed = Probed::read(Dialect::of(language).unwrap(), text.as_bytes()).unwrap();
    let marks: String = reached
        .iter()
        .map(|number| format!("{MARK}{number}@\n"))
        .collect();
    let reached = probed.reached(marks.as_bytes());
    probed.profiled(&probed.dead_code(vec!["somebody".to_string()], &reached))
}

fn space(language: &str, text: Vec<u8>) -> Result<DeleteSpace, lydite_core::OpenError> {
    let seed = Seed {
        name: "seed".to_string(),
        text: text.into(),
        claim: None,
    };
    DeleteSpace::read(Dialect::of(language).unwrap(), &[seed], 3, "x")
}

fn samples(space: &DeleteSpace) -> Vec<Case> {
    let sample = |index| space.sample(&mut Choices::seeded(7, index)).unwrap();
    (0..100).map(sample).collect()
}

#[test]
fn every_language_with_probes_has_statements_and_loses_some() {
    let programs = [
        (
            "c",
            "int f(int a) { if (a) a = 1; else { a = 2; } return a; }",
        ),
        (
            "cpp",
            "int f(int a) { if (a) a = 1; else { a = 2; } return a; }",
        ),
        ("lua", "local a = 1 if a then a = 1 else a = 2 end print(a)"),
        (
            "javascript",
            "let a = 1; if (a) a = 1; else { a = 2; } print(a);",
        ),
        (
            "rust",
            "fn f(mut a: i32) -> i32 { if a > 0 { a = 1; a = 2; } return a; }",
        ),
        (
            "scala",
            "object T { def f(b: Int): Int = { var a = b; if (a > 0) { a = 1; a = 2; }; a } }",
        ),
        (
            "awk",
            "function f(a) { if (a) a = 1; else { a = 2 } return a }\nBEGIN { print f(0) }",
        ),
    ];
    for (language, text) in programs {
        let (all, gone) = found(language, text);
        assert!(all.len() >= 3, "{language}: {all:?}");
        assert!(
            gone.iter().any(|one| one.starts_with("a = ")),
            "{language}: {gone:?}"
        );
        assert!(Dialect::of(language).is_some());
    }
    let without: Vec<&str> = DIALECTS
        .iter()
        .filter(|dialect| Probing::of(dialect).is_none())
        .map(|dialect| dialect.language)
        .collect();
    assert_eq!(
        without,
        ["solidity", "jq"],
        "contracts have profiles of their own, and jq has no statements"
    );
}

#[test]
fn a_probe_stands_before_every_statement_and_lines_stay() {
    let text = "int f(int a) {\n  while (a)\n    a--;\n  if (a) return 1; else { a = 2; }\n  return a;\n}\n";
    let probed = Probed::read(Dialect::of("c").unwrap(), text.as_bytes()).unwrap();
    let whole = String::from_utf8(probed.text.clone()).unwrap();
    let (before, after) = whole.split_once("#line 1\n").unwrap();
    assert!(before.contains("lydite_done[7]"), "{before}");
    assert_eq!(
        after,
        "int f(int a) {\n  lydite_seen(0);while (a)\n    {lydite_seen(1);a--;}\n  \
         lydite_seen(2);if (a) {lydite_seen(3);return 1;} else {lydite_seen(4);{ lydite_seen(5);a = 2; }}\n  \
         lydite_seen(6);return a;\n}\n"
    );
    let reached = probed.reached(b"x@lydite 0000002@\ntext@lydite 6@ @lydite 99@ @lydite @");
    assert_eq!(reached, BTreeSet::from([2, 6]));
}

#[test]
fn in_awk_an_expression_is_a_statement_and_a_semicolon_belongs_to_one_that_stands_alone() {
    let text = "function f(a,  b) {\n  if (a) b++ ; else if (b)\n    next\n  do a-- ; while (a > 0)\n  \
                for (b in T) delete T[b]\n  while (a) # no\n    { print a > \"x\"; a }\n}\n\
                a[$1]++ { \"date\" | getline; print }\nEND { exit }\n";
    let probed = Probed::read(Dialect::of("awk").unwrap(), text.as_bytes()).unwrap();
    let whole = String::from_utf8(probed.text.clone()).unwrap();
    let (before, after) = whole.split_once("\nfunction lydite_seen(n)").unwrap();
    assert!(after.contains("/dev/stderr"), "{after}");
    assert_eq!(
        before,
        "function f(a,  b) {\n  lydite_seen(0);if (a) {lydite_seen(1);b++ ;} else \
         {lydite_seen(2);if (b)\n    {lydite_seen(3);next}}\n  \
         lydite_seen(4);do {lydite_seen(5);a-- ;} while (a > 0)\n  \
         lydite_seen(6);for (b in T) {lydite_seen(7);delete T[b]}\n  \
         lydite_seen(8);while (a) # no\n    {lydite_seen(9);{ lydite_seen(10);print a > \"x\"; \
         lydite_seen(11);a }}\n}\n\
         a[$1]++ { lydite_seen(12);\"date\" | getline; lydite_seen(13);print }\nEND { lydite_seen(14);exit }\n"
    );
    let gone = removable("awk", text);
    assert!(gone.contains(&"b++ ;".to_string()), "{gone:?}");
    assert_eq!(
        gone.len(),
        probed.probes(),
        "nothing jumps in awk: {gone:?}"
    );
    let broken = "function f(a) { if (a) b++ }\nBEGIN { x = = 1 }\n";
    assert_eq!(found("awk", broken).0, Vec::<String>::new());
}

#[test]
fn what_jumps_lead_into_stays() {
    let text = "int f(int a) { switch (a) { case 1: do { a = 2; case 3: a = 4; } while (a); } \
                { back: a = 5; } switch (a) { case 6: a = 7; } goto back; }";
    let gone = removable("c", text);
    let loops = gone.iter().any(|one| one.starts_with("do "));
    assert!(!loops, "the switch around it jumps into it: {gone:?}");
    assert!(!gone.iter().any(|one| one.contains("back:")), "{gone:?}");
    assert!(
        gone.contains(&"switch (a) { case 6: a = 7; }".to_string()),
        "{gone:?}"
    );
    assert!(gone.contains(&"a = 4;".to_string()), "{gone:?}");
}

#[test]
fn what_matters_without_being_reached_stays() {
    let c = |body: &str| removable("c", &format!("int f(int a) {{ {body} a = 9; return a; }}"));
    assert_eq!(c("__asm__(\".globl x\");"), ["a = 9;"]);
    assert_eq!(c("int b = ({ a = 1; a; });"), ["a = 9;"]);
    assert_eq!(c("\n#ifdef X\n a = 1;\n#endif\n"), ["a = 9;"]);
    assert_eq!(c("if (a) {\n#define N 1\n a = N; }"), ["a = N;", "a = 9;"]);
    let hidden =
        "#define AT(n) case n: a = n;\nint f(int a) { switch (a) { { AT(3); } } return 1; }";
    assert!(
        removable("c", hidden).is_empty(),
        "{:?}",
        removable("c", hidden)
    );
    let js = "function f(a) { \"use strict\"; if (a) { var b = 1; } if (b) { a = 2; } }";
    assert_eq!(
        removable("javascript", js),
        ["if (b) { a = 2; }", "{ a = 2; }", "a = 2;"]
    );
    let rust = "fn f(c: i32) { let x = 5; g(x); let y: u8 = 6; g(y); h(); }";
    assert_eq!(removable("rust", rust), ["g(y);"]);
    let scala = "object T { def f(a: Int): Int = { g(1); while (a > 1) h(2); { k(3) }\n val b = { g(4); 5 }; \
                 if (a > b) a else { m(6); a } // worth\n } def n = { g(7); 8 } }";
    assert_eq!(
        removable("scala", scala),
        ["g(1)", "while (a > 1) h(2)", "h(2)", "{ k(3) }", "m(6)"]
    );
    let cpp = "auto f(int a) { if (a) return 1; return 2; } \
               constexpr int g(int a) { if (a) a = 1; return a; } int h(int a) { a = 3; return a; }";
    assert_eq!(removable("cpp", cpp), ["a = 3;"]);
}

#[test]
fn programs_that_see_their_own_code_are_refused() {
    let counter = "int f(void) { if (0) { __COUNTER__; } return __COUNTER__; }";
    assert!(refusal("c", counter).contains("__COUNTER__"));
    let constant = "int f(int a) { if (a) a = 1; return __builtin_constant_p(a); }";
    assert!(refusal("c", constant).contains("__builtin_constant_p"));
    let chosen = "#ifdef __TINYC__\n#define N 1\n#else\n#define N 2\n#endif\nint f(int a) { if (a == N) a = 3; return a; }";
    assert!(refusal("c", chosen).contains("only some compilers see"));
    let made = "template <class T> struct S { static int n; }; int f(int a) { a = 1; return a; }";
    assert!(refusal("cpp", made).contains("template"));
    assert!(refusal("solidity", "contract C {}").contains("strategy equivalent"));
    assert!(refusal("jq", "1 as $x | $x").contains("without statements"));
    assert!(refusal("awk", "BEGIN { if (0) x = 1; print length(SYMTAB) }").contains("SYMTAB"));
}

#[test]
fn variants_lack_nothing_that_was_reached_and_keep_their_lines() {
    let text = "int f(int a) {\n  if (a) {\n    a = 1;\n    a = 2;\n  }\n  if (a) a = 3;\n  return a;\n}\n";
    // Probes: if, its block, a = 1, a = 2, if, a = 3, return.
    let space = space("c", profiled("c", text, &[0, 4, 6])).unwrap();
    let mut met = BTreeSet::new();
    for case in samples(&space) {
        assert_eq!(case.claim, Claim::Equivalent);
        let texts: Vec<String> = case
            .programs
            .iter()
            .map(|program| String::from_utf8(program.source().text.to_vec()).unwrap())
            .collect();
        assert_eq!(texts[0], text);
        assert!(texts.len() >= 2, "{texts:?}");
        assert_eq!(case.steps.len() + 1, texts.len());
        for variant in &texts[1..] {
            assert_ne!(variant, text);
            assert_eq!(variant.lines().count(), text.lines().count(), "{variant}");
            assert_eq!(variant.matches("if (a)").count(), 2, "{variant}");
            assert!(variant.contains("return a;"), "{variant}");
            met.insert(variant.clone());
        }
    }
    // The block with or without each of its two, or all of it, and the rest or not.
    assert_eq!(met.len(), 5 * 2 - 1, "{met:?}");
    assert_eq!(samples(&space), samples(&space));
}

#[test]
fn a_profile_is_read_as_it_was_written() {
    let dead_code = DeadCode {
        by: vec!["a".to_string(), "b:c".to_string()],
        unreached: (0..20).map(|at| at..at + 1).collect(),
    };
    let source = b"int a; int b; int c;";
    let text = dead_code.attach("//", source);
    let (back, read) = DeadCode::detach("//", &text).unwrap();
    assert_eq!((back, read), (&b"int a; int b; int c;\n"[..], dead_code));
    let mut changed = b"x".to_vec();
    changed.extend_from_slice(&text);
    assert_eq!(
        DeadCode::detach("//", &changed),
        Err(DeadCodeError::Stale(21))
    );
    assert_eq!(DeadCode::detach("//", source), Err(DeadCodeError::Missing));
    for odd in ["5-2", "0-99", "1", "-", "x-y", "18446744073709551616-2"] {
        let text = format!("int a;\n//# unreached 1\n//# by x\n//# bytes 7\n//# {odd}\n");
        assert_eq!(
            DeadCode::detach("//", text.as_bytes()),
            Err(DeadCodeError::Line(4)),
            "{odd}"
        );
    }
}

#[test]
fn a_profile_that_names_something_else_takes_nothing_out() {
    let text = "int f(int a) { if (a) a = 1; return a; }\n//# unreached 1\n//# by x\n//# bytes 41\n//# 0-12 15-40\n";
    let error = space("c", text.as_bytes().to_vec()).err().unwrap();
    assert!(
        error.to_string().contains("every statement was reached"),
        "{error}"
    );
    let bare = space("c", b"int f(int a) { return a; }".to_vec())
        .err()
        .unwrap();
    assert!(bare.to_string().contains("lydite profile"), "{bare}");
}
