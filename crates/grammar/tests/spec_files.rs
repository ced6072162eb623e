//! Spec files: what is refused, where and why; layout and documentation.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod reading;

use std::collections::BTreeMap;

use lydite_grammar::spec::{Limits, Spec, format};
use reading::{check, problems};

#[test]
fn what_cannot_be_read_is_refused_where_it_is_wrong() {
    check(&[
        (
            "",
            "1:1: there is no class: the first one is what programs are",
        ),
        (
            "klass A {}",
            "1:1: expected an item, found `klass`; did you mean `class`?",
        ),
        (
            "17",
            "1:1: expected an item, found `17` (language, extension, comment, height, extends, use, knob, alias, type, record, fn, class)",
        ),
        ("class a {}", "1:7: a class begins with a capital letter"),
        ("class A", "1:8: expected `{`, found the end of the file"),
        (
            "class A { a(\"x) {} }",
            "1:13: a text that does not end in its line (a line break is \\n)",
        ),
        (
            "class A { a(\"\\q\") {} }",
            "1:14: expected an escape: \\n \\t \\r \\\" \\\\ \\$ \\# \\+ \\- \\( \\) or \\u{41}",
        ),
        (
            "class A { a(\"${x}\") {} }",
            "1:14: expected `${name : Class}`",
        ),
        (
            "class A { a(\"${x : A\") {} }",
            "1:14: a child that does not end: `}`",
        ),
        (
            "fn f() : String = \"${x : A}\"; class A { a(\"\") {} }",
            "1:20: a child can only stand in a production's template",
        ),
        (
            "class A { a(\"#{1 +}\") {} }",
            "1:19: expected an expression, found `}`",
        ),
        (
            "class A { a(\"#{1 2}\") {} }",
            "1:18: expected `}`, found `2`",
        ),
        ("class A { a(\"\") {} } ~", "1:22: `~` means nothing here"),
        (
            "fn f() : Int = 99999999999999999999; class A { a(\"\") {} }",
            "1:16: a number that does not fit 64 bits: it is at most 9223372036854775807",
        ),
        (
            "fn f() : Int = 1 < 2 < 3; class A { a(\"\") {} }",
            "1:22: comparisons do not chain: write `a < b and b < c`",
        ),
        (
            "fn f() : Int = if 1; class A { a(\"\") {} }",
            "1:20: expected `then`, found `;`",
        ),
        (
            "height 5000; class A { a(\"\") {} }",
            "1:1: a height is at most 1000",
        ),
        (
            "language c; language lua; class A { a(\"\") {} }",
            "1:13: `language` stands here twice",
        ),
        (
            "@list fn f() : Int = 1;",
            "1:7: expected `class` after annotations, found `fn`",
        ),
        (
            "use symbls; class A { a(\"\") {} }",
            "1:5: there is no library symbls; did you mean `symbols`?",
        ),
        (
            "use symbols; use symbols; class A { a(\"\") {} }",
            "1:18: library symbols is used twice",
        ),
    ]);
}

#[test]
fn names_have_to_be_declared_once_and_used_right() {
    check(&[
        (
            "class A { a(\"${x : Bee}\") {} } class Bees { b(\"\") {} }",
            "1:20: class Bee is not declared; did you mean `Bees`?",
        ),
        (
            "class A { a(\"\") {} } class A { a(\"\") {} }",
            "1:28: class A is declared twice",
        ),
        (
            "class A { a(\"\") {} a(\"\") {} }",
            "1:20: production `a` is declared twice",
        ),
        (
            "class A { a(\"${x : B}${x : B}\") {} } class B { b(\"\") {} }",
            "1:24: the name `x` is taken",
        ),
        (
            "class A { syn s : Int; syn s : Int; a(\"\") { this.s = 1; } }",
            "1:28: class A: attribute `s` is declared twice",
        ),
        (
            "class A { inh s : Int; a(\"\") {} }",
            "1:7: the first class has nothing above it: it inherits no attributes",
        ),
        ("class A { }", "1:7: class A has no production"),
        (
            "class A { a(\"\") {} } class B { b(\"\") {} }",
            "1:28: class B cannot be reached from A",
        ),
        (
            "class A { syn s : Itn; a(\"\") { this.s = 1; } }",
            "1:19: type `Itn` is not declared; did you mean `Int`?",
        ),
        (
            "class A { syn s : List; a(\"\") { this.s = []; } }",
            "1:19: type `List` takes 1 arguments, not 0",
        ),
        (
            "fn f(x : Int) : Int = y; class A { a(\"\") {} }",
            "1:23: `y` is not known here",
        ),
        (
            "fn f(value : Int) : Int = vaule; class A { a(\"\") {} }",
            "1:27: `vaule` is not known here; did you mean `value`?",
        ),
        (
            "fn f() : Int = g(); class A { a(\"\") {} }",
            "1:16: function `g` is not declared",
        ),
        (
            "fn f() : Int = cuont([1]); class A { a(\"\") {} }",
            "1:16: function `cuont` is not declared; did you mean `count`?",
        ),
        (
            "fn f() : Int = count; class A { a(\"\") {} }",
            "1:16: `count` is a function: call it with `count(…)`",
        ),
        (
            "fn f() : Int = max(1); class A { a(\"\") {} }",
            "1:16: function `max` takes 2 arguments, not 1",
        ),
        (
            "fn max(a : Int) : Int = a; class A { a(\"\") {} }",
            "1:4: function `max` is declared twice, or in the prelude already",
        ),
        (
            "fn f(a : Int, a : Int) : Int = a; class A { a(\"\") {} }",
            "1:15: argument `a` is declared twice",
        ),
        (
            "fn f() : Int = builtin; class A { a(\"\") {} }",
            "1:4: function `f`: only the prelude has built-in functions",
        ),
        (
            "knob k = 1; knob k = 2; class A { a(\"\") {} }",
            "1:18: knob `k` is declared twice",
        ),
        (
            "type T = X; type T = Y; class A { a(\"\") {} }",
            "1:18: type `T` is declared twice",
        ),
        (
            "type T = X; type U = X; class A { a(\"\") {} }",
            "1:22: `X` already makes a value of another type",
        ),
        (
            "record R { a : Int, a : Int } class A { a(\"\") {} }",
            "1:21: field `a` is declared twice",
        ),
        (
            "alias T = List<T>; class A { a(\"\") {} }",
            "1:16: alias `T` is used above its declaration, or in it",
        ),
        (
            "class A { a(\"#{$}\") {} }",
            "1:16: `$` is the value that a generator chose: there is none here",
        ),
        (
            "class A { a(\"#{this}\") {} }",
            "1:16: `this` is a node: name one of its attributes",
        ),
        (
            "class A { a(\"\") { loc x = 1; loc x = 2; } }",
            "1:34: the name `x` is taken",
        ),
    ]);
}

const TWO: &str = "class A { a(\"${x : B}${y : B}\") { RULES } }\n\
                   class B { inh i : Int; syn s : Int; grd g; b(\"#{this.i}\") { OTHERS } }";

fn two(rules: &str, others: &str) -> String {
    TWO.replace("RULES", rules).replace("OTHERS", others)
}

#[test]
fn every_attribute_has_one_rule_that_reads_what_it_may() {
    let good = (
        "x.i = 1; y.i = x.s;",
        "this.s = this.i; this.g = this.i > 0;",
    );
    assert_eq!(problems(&two(good.0, good.1)), Vec::<String>::new());
    let cases = [
        (
            two("x.i = 1;", good.1),
            "1:11: production `a` has no rule for `y.i`",
        ),
        (
            two(good.0, "this.s = 1;"),
            "2:44: production `b` has no rule for `this.g`",
        ),
        (
            two(good.0, "this.g = true or false;"),
            "2:44: production `b` has no rule for `this.s`",
        ),
        (
            two("x.i = 1; y.i = 2; x.i = 3;", good.1),
            "1:55: `x.i` is set twice",
        ),
        (
            two("x.j = 1;", good.1),
            "1:37: class B has no attribute `j`",
        ),
        (two("z.i = 1;", good.1), "1:35: there is no child `z`"),
        (
            two("x.s = 1;", good.1),
            "1:37: a rule sets inherited attributes of children; this one is their own",
        ),
        (
            two(good.0, "this.i = 1;"),
            "2:66: a rule sets synthesized attributes and guards of `this`; this one is set from above",
        ),
        (
            two(good.0, "this.s = this.g;"),
            "2:70: a rule reads inherited attributes of `this` and synthesized ones of children",
        ),
        (
            two("x.i = y.i;", good.1),
            "1:41: a rule reads inherited attributes of `this` and synthesized ones of children",
        ),
        (
            two("x.i = y.z;", good.1),
            "1:43: class B has no attribute `z`",
        ),
        (
            two("x.i = y.s; y.i = x.s;", good.1),
            "1:11: production `a`: attributes depend on themselves: x.i -> x.s -> y.i -> y.s -> x.i",
        ),
        (
            two("loc n = x.s + 1; x.i = n; y.i = 1;", good.1),
            "1:11: production `a`: attributes depend on themselves: n -> x.i -> x.s -> n",
        ),
        (
            two("x.i = x.s; y.i = 1;", good.1),
            "1:11: production `a`: attributes depend on themselves: x.i -> x.s -> x.i",
        ),
    ];
    for (text, expected) in &cases {
        check(&[(text, expected)]);
    }
}

#[test]
fn types_have_to_agree() {
    check(&[
        (
            "fn f() : Int = \"x\"; class A { a(\"\") {} }",
            "1:16: expected Int, found String",
        ),
        (
            "fn f() : Int = 1 + \"x\"; class A { a(\"\") {} }",
            "1:20: expected Int, found String",
        ),
        (
            "fn f() : Bool = \"a\" < \"b\"; class A { a(\"\") {} }",
            "1:17: texts are compared by `compare(a, b)`",
        ),
        (
            "fn f() : List<Int> = [1, true]; class A { a(\"\") {} }",
            "1:26: expected Int, found Bool",
        ),
        (
            "fn f() : Int = if 1 then 2 else 3; class A { a(\"\") {} }",
            "1:19: expected Bool, found Int",
        ),
        (
            "fn f() : Map<Int, Int> = put(map(), 1, \"x\"); class A { a(\"\") {} }",
            "1:26: expected Map<Int, Int>, found Map<Int, String>",
        ),
        (
            "fn f() : Int = 1 ++ 2; class A { a(\"\") {} }",
            "1:16: `++` joins texts or lists, not Int",
        ),
        (
            "fn f(x : Int) : Int = x.y; class A { a(\"\") {} }",
            "1:25: a Int has no fields",
        ),
        (
            "record R { a : Int } fn f(r : R) : Int = r.b; class A { a(\"\") {} }",
            "1:44: record R has no field `b`",
        ),
        (
            "record R { a : Int } fn f() : R = R(b: 1); class A { a(\"\") {} }",
            "1:37: record R has no field `b`",
        ),
        (
            "record R { a : Int, b : Int } fn f() : R = R(b: 1); class A { a(\"\") {} }",
            "1:44: field `a` of record R is missing",
        ),
        (
            "record R { a : Int } fn f() : R = R(1); class A { a(\"\") {} }",
            "1:35: record R: name its fields: `R(field: …)`",
        ),
        (
            "type T = X(Int); fn f() : T = X; class A { a(\"\") {} }",
            "1:31: `X` takes 1 arguments, not 0",
        ),
        (
            "fn f<T>(x : T) : T = 1; class A { a(\"\") {} }",
            "1:22: expected parameter A, found Int",
        ),
        (
            "fn f() : List<List<Int>> = fold l = [] for x in [1] do [l]; class A { a(\"\") {} }",
            "1:56: expected List<_>, found List<List<_>>",
        ),
        (
            "class A { grd g; a(\"\") { this.g = 1; } }",
            "1:35: expected Bool, found Int",
        ),
        (
            "class A { a(1, \"\") : Int {} }",
            "1:13: expected List<Int>, found Int",
        ),
        (
            "class A { a(1, \"\") {} }",
            "1:13: a generator gives a list to choose from, not Int",
        ),
        (
            "class A { a([[1]]) {} }",
            "1:11: how is a List<Int> printed? give a template: `a(…, \"#{…}\")`",
        ),
        (
            "class A { a(\"\") : Int {} }",
            "1:19: only a generator production has a type",
        ),
    ]);
}

#[test]
fn a_match_covers_everything_and_has_no_idle_arm() {
    let text = |body: &str| {
        format!(
            "type T = X | Y(Bool) | Z(T, T);\nfn f(t : T, n : Int) : Int = {body};\nclass A {{ a(\"\") {{}} }}"
        )
    };
    for (body, expected) in [
        (
            "match t { X => 1, Y(_) => 2 }",
            "2:30: this match does not cover `Z(_, _)`",
        ),
        (
            "match t { X => 1, Y(true) => 2, Z(_, _) => 3 }",
            "2:30: this match does not cover `Y(false)`",
        ),
        (
            "match t { X => 1, Y(_) => 2, Z(X, _) => 3, Z(_, X) => 4 }",
            "2:30: this match does not cover `Z(Y(_), Y(_))`",
        ),
        (
            "match n { 1 => 1, 2 => 2 }",
            "2:30: this match does not cover `_`",
        ),
        (
            "match (t, n) { (X, _) => 1, (_, 1) => 2 }",
            "2:30: this match does not cover `(Y(_), _)`",
        ),
        (
            "match t { _ => 1, X => 2 }",
            "2:48: this arm is never reached: those above it match everything here",
        ),
        (
            "match n { 1 => 1, 1 => 2, _ => 3 }",
            "2:48: this arm is never reached: those above it match everything here",
        ),
        (
            "match t { X(_) => 1, _ => 2 }",
            "2:40: `X` has 0 fields, not 1",
        ),
        (
            "match t { W => 1, _ => 2 }",
            "2:40: variant `W` is not declared",
        ),
        ("match t { 1 => 1, _ => 2 }", "2:40: expected T, found Int"),
        (
            "let Y(b) = t in 1",
            "2:34: this does not always match: `X` is left over",
        ),
    ] {
        check(&[(&text(body), expected)]);
    }
    let fine = "match (t, n) { (X, 1) => 1, (X, _) => 2, (Y(true), _) => 3, (Y(false), _) => 4, (Z(_, _), n) => n }";
    let uncalled = ["2:4: warning: function `f` is never called"];
    assert_eq!(problems(&text(fine)), uncalled);
}

#[test]
fn annotations_stand_where_they_mean_something() {
    check(&[
        (
            "@lst class A { a(\"\") {} }",
            "1:2: annotation @lst is not known; did you mean `list`?",
        ),
        (
            "@weight(3) class A { a(\"\") {} }",
            "1:2: @weight does not belong to a class with productions",
        ),
        (
            "class A { @list a(\"\") {} }",
            "1:12: @list does not belong to a production",
        ),
        (
            "class A { a(\"${b : B}\") {} } @unit class B(\"x\");",
            "1:31: @unit does not belong to a literal class",
        ),
        (
            "class A { @weight a(\"\") {} }",
            "1:12: @weight takes 1 arguments",
        ),
        (
            "class A { @weight(true) a(\"\") {} }",
            "1:19: expected Int, found Bool",
        ),
        (
            "class A { @weight(1) @weight(2) a(\"\") {} }",
            "1:23: @weight stands here twice",
        ),
        (
            "@list(1000000000) class A { a(\"\") {} }",
            "1:7: @list takes a number from 0 to 1000000",
        ),
        (
            "class A { @weight(-1) a(\"\") {} }",
            "1:23: a weight is a number from 0 to 4294967296",
        ),
        (
            "class A { @weight(1 / 0) a(\"\") {} }",
            "1:19: division by zero",
        ),
        (
            "class A { @copy(1) a(\"\") {} }",
            "1:17: @copy takes names of attributes",
        ),
        (
            "@list class A { a(\"${x : A}${y : A}\") {} b(\"\") {} }",
            "1:17: a production of a list continues it at most once",
        ),
        (
            "class A { a(\"\\(x\\)\") {} }",
            "1:11: `\\(` and `\\)` stand right around a child: `\\(${e : Expr}\\)`",
        ),
        (
            "class A { a(\"\\(${x : B}\\)\") {} } class B(\"x\");",
            "1:11: production `a` has `\\(` but no @precedence",
        ),
    ]);
}

#[test]
fn a_spec_without_programs_is_refused() {
    check(&[
        (
            "class A { a(\"x${a : A}\") {} }",
            "1:7: class A never ends: each production leads back to it, so there is no program",
        ),
        (
            "class A { a(\"${b : B}\") {} b(\"\") {} } class B { b(\"x${b : B}\") {} }",
            "1:45: class B never ends: each production leads back to it, so there is no program",
        ),
        (
            "class A { a(\"${x : L}\") {} } class L(\"a*\");",
            "1:38: the regular expression of L: `*` has no end: say how often at most, such as {1,8}",
        ),
        (
            "class A { @feature(false) a(\"\") {} }",
            "1:7: class A: every production has weight 0 or is switched off",
        ),
        (
            "class A { grd g; a(\"\") { this.g = false; } }",
            "1:18: warning: guard `g` is always the same here",
        ),
        (
            "class A { a(\"${b : B}\") { b.i = 1; } } class B { inh i : Int; b(\"\") {} }",
            "1:54: warning: attribute `i` of B is never read",
        ),
    ]);
    let spec = Spec::read("test", "class A { a(\"${b : B}\") {} } class B { x(\"${a : C}\") {} } class C { c(\"\") {} d(\"${b : B}\") {} }").unwrap();
    let limits = Limits {
        height: 0,
        ..Limits::default()
    };
    let error = spec
        .programs(&BTreeMap::new(), limits)
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("programs have a height of at least 1"),
        "{error}"
    );
}

#[test]
fn a_message_shows_the_line_and_marks_the_words() {
    let error = Spec::read("my.spec", "class A {\n  a(\"\") { this.size = 1; }\n}\n").unwrap_err();
    assert_eq!(
        error.to_string(),
        "my.spec:2:16: class A has no attribute `size`\n 2 |   a(\"\") { this.size = 1; }\n   |                ^^^^\n"
    );
}

#[test]
fn hostile_files_are_refused_in_no_time() {
    let deep = |open: &str, close: &str| {
        format!(
            "fn f() : Int = {}1{}; class A {{ a(\"\") {{}} }}",
            open.repeat(50_000),
            close.repeat(50_000)
        )
    };
    for text in [
        deep("(", ")"),
        deep("[", "]"),
        deep("- ", ""),
        deep("not ", ""),
        deep("if true then ", " else 1"),
        deep("let x = ", " in x"),
        deep("\"#{", "}\""),
        format!(
            "fn f() : Int = {}1; class A {{ a(\"\") {{}} }}",
            "1 + ".repeat(50_000)
        ),
        format!(
            "fn f(x : Int) : Int = x{}; class A {{ a(\"\") {{}} }}",
            ".y".repeat(50_000)
        ),
        format!(
            "fn f(x : {}Int{}) : Int = 1; class A {{ a(\"\") {{}} }}",
            "List<".repeat(50_000),
            ">".repeat(50_000)
        ),
        format!(
            "class A {{ a(\"{}\") {{}} }} class B {{ b(\"\") {{}} }}",
            (0..100_000)
                .map(|i| format!("${{c{i} : B}}"))
                .collect::<String>()
        ),
        "x".repeat(5 << 20),
        "{".repeat(1 << 20),
        "\"".repeat(1 << 20),
        "\u{1f600}\u{0}\u{202e}".repeat(1000),
    ] {
        assert!(Spec::read("test", &text).is_err());
        let _ = format("test", &text);
    }
    // Far more classes than a spec has, each with the next one inside.
    let chain = |count: usize| {
        let classes =
            (1..count).map(|i| format!("class C{i} {{ c(\"${{x : C{}}}\") {{}} }}\n", i + 1));
        let classes: String = classes.collect();
        format!("{classes}class C{count} {{ c(\"x\") {{}} }}\n")
    };
    assert_eq!(problems(&chain(50_000)), ["4001:7: more than 4000 classes"]);
    assert_eq!(problems(&chain(4000)), [] as [String; 0]);
    // Types that double with every line stay within bounds.
    let mut text = String::from("fn f() : Int = ");
    for i in 0..60 {
        let inner = if i == 0 {
            "1".to_string()
        } else {
            format!("x{}", i - 1)
        };
        text.push_str(&format!("let x{i} = ({inner}, {inner}) in "));
    }
    text.push_str("1; class A { a(\"\") {} }");
    let _ = Spec::read("test", &text);
}
