//! The engine of attribute grammars: what it makes is valid, and what cannot end
//! is refused.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod making;

use std::collections::{BTreeMap, BTreeSet};

use lydite_core::{Choices, Reject};
use lydite_grammar::spec::{KnobValue, Limits, Spec, Unmade, library};
use making::{ASSIGNMENTS, GUARD, height, programs, reachable, spec, text};

#[test]
fn a_tape_remakes_its_program_byte_for_byte() {
    for name in ["assignments", "assignments-guarded"] {
        let spec = spec(library::find_spec(name).unwrap().text);
        let limits = height(spec.height());
        let programs = spec.programs(&BTreeMap::new(), limits).unwrap();
        for index in 0..50 {
            let mut choices = Choices::seeded(7, index);
            let first = text(programs.make(&mut choices).0);
            let mut replay = Choices::replay(choices.into_tape());
            assert_eq!(text(programs.make(&mut replay).0), first);
        }
    }
}

#[test]
fn variables_are_assigned_before_they_are_used() {
    for name in ["assignments", "assignments-guarded"] {
        let spec = spec(library::find_spec(name).unwrap().text);
        let programs = spec.programs(&BTreeMap::new(), height(4)).unwrap();
        let mut used = 0;
        for index in 0..200 {
            let program = text(programs.make(&mut Choices::seeded(1, index)).0);
            let mut known = BTreeSet::new();
            for line in program.lines() {
                let (name, value) = line.strip_suffix(';').unwrap().split_once(" := ").unwrap();
                for word in value.split(' ') {
                    if word.starts_with(|c: char| c.is_ascii_lowercase()) {
                        assert!(known.contains(word), "{program}");
                        used += 1;
                    }
                }
                known.insert(name.to_string());
            }
        }
        assert!(used > 100, "{used}");
    }
}

#[test]
fn what_does_not_end_is_refused_with_a_reason() {
    let fault = |text: &str| {
        let (made, _) = programs(text, height(3)).make(&mut Choices::seeded(0, 0));
        made.unwrap_err().to_string()
    };
    let cases = [
        (
            "fn f(n : Int) : Int = f(n + 1);\nclass A { grd g; a(\"\") { this.g = f(0) == 1; } }",
            "test:1:23: calls nest more than 10000 deep: does this end?\n",
        ),
        (
            "fn f(n : Int) : Int = if n == 0 then 0 else f(n - 1);\n\
             class A { grd g; a(\"\") { this.g = sum([f(5000) for i in range(0, 100000)]) == 1; } }",
            "more than 1000000 steps: does this end?",
        ),
        (
            "class A { grd g; a(\"\") { this.g = count(range(0, 1000000000)) == 1; } }",
            "test:1:41: more than 1000000 steps: does this end?",
        ),
        (
            "class A { grd g; a(\"\") { this.g = length(repeat(\"x\", 90000) ++ \"y\") == 1 / 0; } }",
            "division by zero",
        ),
        (
            "class A { a(\"#{9223372036854775807 + 1}\") {} }",
            "test:1:16: a number beyond 64 bits",
        ),
        (
            "class A { a(\"#{at([1, 2], 2)}\") {} }",
            "there is no item 2: the list has 2",
        ),
        (
            "class A { a(\"#{text(error(\"no such thing\")) ++ \"\"}\") {} }",
            "no such thing",
        ),
        (
            "type N = Z | S(N);\nfn up(n : N, times : Int) : N = if times == 0 then n else up(S(n), times - 1);\n\
             class A { a(\"#{up(Z, 5000)}\") {} }",
            "values nest too deep",
        ),
        // What is doubled again and again is little in memory, and endless to
        // whoever looks at all of it.
        (
            "type T = L | N(T, T);\nfn up(t : T, n : Int) : T = if n == 0 then t else up(N(t, t), n - 1);\n\
             class A { a(\"#{up(L, 60)}\") {} }",
            "values nest too deep, or have too many parts",
        ),
        (
            "type T = L | N(T, T);\nfn up(t : T, n : Int) : T = if n == 0 then t else up(N(t, t), n - 1);\n\
             class A { grd g; a(\"\") { this.g = any([up(L, 19) == up(L, 19) for i in range(0, 1000)]); } }",
            "more than 1000000 steps: does this end?",
        ),
        (
            "type T = L | N(T, T);\nfn up(t : T, n : Int) : T = if n == 0 then t else up(N(t, t), n - 1);\n\
             class A { grd g; a(\"\") { this.g = any([has(put(map(), up(L, 19), i), up(L, 19)) for i in range(0, 1000)]); } }",
            "more than 1000000 steps: does this end?",
        ),
        (
            "fn up(t : String, n : Int) : String = if n == 0 then t else up(t ++ t, n - 1);\n\
             class A { a(\"#{up(\"x\", 40)}\") {} }",
            "more than 1000000 steps: does this end?",
        ),
        (
            "fn up(t : String, n : Int) : String = if n == 0 then t else up(t ++ t, n - 1);\n\
             class A { a(\"#{sum([length(up(\"x\", 24)) for i in range(0, 1000)])}\") {} }",
            "more than 1000000 steps: does this end?",
        ),
        (
            "fn up(t : List<Int>, n : Int) : List<Int> = if n == 0 then t else up(t ++ t, n - 1);\n\
             class A { a(\"#{count(up([1], 40))}\") {} }",
            "more than 1000000 steps: does this end?",
        ),
        (
            "class A { grd g; a(\"\") { this.g = 1 == 2; } }",
            "no program satisfies the guards of the spec within the height limit",
        ),
        (
            "class A { a(\"${l : L}\") {} }\n@list class L { @weight(4000000000) m(\"x${r : L}\") {} o(\"\") {} }",
            "too many nodes: lower height, weights or lists",
        ),
        (
            "class A { a(\"${l : L}\") { l.n = 0; } }\n\
             @list(1000) class L { inh n : Int; @weight(4000000000) m(\"#{count(range(this.n, 800000))}${r : L}\") \
             { r.n = this.n + 1; } o(\"\") {} }",
            "more than 67108864 steps for one program",
        ),
    ];
    for (text, expected) in cases {
        let found = fault(text);
        assert!(found.contains(expected), "{text}\n{found}");
    }
}

#[test]
fn choices_that_run_out_are_a_reject() {
    let programs = programs(&ASSIGNMENTS.replace("USE", GUARD), height(1));
    let (made, _) = programs.make(&mut Choices::seeded(0, 0).with_limit(2));
    assert_eq!(made, Err(Unmade::Reject(Reject::OutOfChoices)));
}

#[test]
fn heights_lists_weights_and_features_are_obeyed() {
    let text = r##"
knob loud = false;
knob most = 3;
class Root { root("${l : List}") {} }
@list(most) class List { one("${e : E}") {} @weight(1000) more("${e : E},${r : List}") {} }
class E { leaf("x") {} @weight(1000) deep("(${e : E})") {} @feature(loud) shout("X") {} }
"##;
    let made = |knobs: &[(&str, KnobValue)], limit| {
        let knobs = knobs.iter().map(|(k, v)| (k.to_string(), *v)).collect();
        let programs = spec(text).programs(&knobs, height(limit)).unwrap();
        let made = (0..200).map(|i| programs.make(&mut Choices::seeded(0, i)).0.unwrap());
        let made: Vec<String> = made.map(|p| String::from_utf8(p).unwrap()).collect();
        made
    };
    let deepest = |programs: &[String]| programs.iter().map(|p| p.matches('(').count()).max();
    let plain = made(&[], 5);
    assert!(
        plain
            .iter()
            .all(|p| p.split(',').count() <= 3 && !p.contains('X'))
    );
    let longest = plain.iter().map(|p| p.split(',').count()).max();
    assert_eq!((longest, deepest(&plain)), (Some(3), Some(15)));
    let loud = made(&[("loud", KnobValue::Bool(true))], 0);
    assert!(loud.iter().any(|p| p.contains('X')));
    assert_eq!(deepest(&loud), Some(0));
}

#[test]
fn parentheses_stand_where_precedence_wants_them_and_lines_are_indented() {
    let text = r##"
class Root { root("{\+\n${e : E};\n\-}\n") {} }
class E {
  x("x") {}
  @precedence(1) sum("\(${l : E}\) + \(${r : T}\)") {}
  @precedence(2) product("\(${l : S}\) * \(${r : S}\)") {}
}
class T { @precedence(2) product("y * y") {} }
class S { @precedence(1) sum("z + z") {} }
"##;
    let (made, _) = reachable(&programs(text, height(1)));
    let expected = [
        "{\n  (z + z) * (z + z) + y * y;\n}\n",
        "{\n  (z + z) * (z + z);\n}\n",
        "{\n  x + y * y;\n}\n",
        "{\n  x;\n}\n",
    ];
    assert_eq!(made, expected.map(str::to_string).into_iter().collect());
}

#[test]
fn values_and_functions_do_what_the_reference_says() {
    let cases = [
        ("1 + 2 * 3 - 4 / 2 % 3", "5"),
        ("-7 / 2", "-3"),
        ("not (1 < 2 and 2 >= 3 or false)", "true"),
        ("if 1 == 2 then \"a\" else \"b\" ++ \"c\"", "bc"),
        (
            "[x * y for x in range(1, 4) for y in [10, 20] if x != 2]",
            "[10, 20, 30, 60]",
        ),
        (
            "fold n = 0 for (k, v) in entries(put(put(map(), 1, 10), 2, 20)) do n + k * v",
            "50",
        ),
        ("let (a, b) = (1, \"x\") in \"#{a}#{b}#{\"#{a}\"}\"", "1x1"),
        (
            "match Some(Some(3)) { Some(Some(n)) => n, Some(None) => 1, None => 2 }",
            "3",
        ),
        (
            "match (true, 2) { (false, _) => \"no\", (true, 2) => \"two\", (true, n) => text(n) }",
            "two",
        ),
        ("match \"b\" { \"a\" => 1, _ => 2 }", "2"),
        (
            "get_or(remove(put(put(map(), \"a\", 1), \"b\", 2), \"a\"), \"a\", 9)",
            "9",
        ),
        ("keys(merge(put(map(), 1, 1), put(map(), 2, 2)))", "[1, 2]"),
        (
            "items(difference(set_of([3, 1, 2, 1]), set_of([2])))",
            "[1, 3]",
        ),
        ("items(intersection(set_of([3, 1]), add(set(), 3)))", "[3]"),
        (
            "contains(union(set_of([1]), without(set_of([2]), 2)), 2)",
            "false",
        ),
        ("sort([3, 1, 2]) == reverse([3, 2, 1])", "true"),
        ("join(sort_texts([\"b\", \"a\"]), \"-\")", "a-b"),
        ("take(drop([1, 2, 3, 4], 1), 2)", "[2, 3]"),
        ("flatten([[1], [], [2, 3]])", "[1, 2, 3]"),
        ("zip([1, 2], [\"a\", \"b\"])", "[(1, a), (2, b)]"),
        // Lists of pairs are not made where a loop takes them apart.
        (
            "[(a, b, c) for (a, (b, c)) in zip([1, 2, 3], zip([4, 5], [\"x\", \"y\", \"z\"])) if a + b > 5]",
            "[(2, 5, y)]",
        ),
        (
            "fold all = 0 for (n, (a, b)) in zip([1, 2, 3], [(1, 1), (2, 0)]) do all * 10 + n * a + b",
            "24",
        ),
        (
            "[(fold n = b for m in [n, a] do n + m) for n in [5] for (a, b) in zip([1, 2], [3, 4])]",
            "[9, 11]",
        ),
        (
            "stretch([1, 2], 2) ++ stretch([3], 0) ++ stretch([4], 0 - 1)",
            "[1, 1, 2, 2]",
        ),
        (
            "let p = Point(x: 1, y: 2) in (p with { x: 3, y: 4 }, p)",
            "((3, 4), (1, 2))",
        ),
        (
            "[match c { Mix(Red, Mix(_, b)) => b, Mix(a, _) => a, other => other } for c in [Red, Mix(Red, Mix(Red, Blue)), Mix(Blue, Red)]]",
            "[Red, Blue, Blue]",
        ),
        (
            "[if not (a or b) and (b or a) == false then 1 else if a and not b then 2 else 3 for a in [true, false] for b in [true, false]]",
            "[3, 2, 3, 1]",
        ),
        ("distinct([1, 2, 1])", "[1, 2]"),
        (
            "number(\"12\") == Some(12) and number(\"x\") == None",
            "true",
        ),
        (
            "upper(\"ab\") ++ lower(\"AB\") ++ repeat(\"-\", 3)",
            "ABab---",
        ),
        (
            "slice(\"abcdef\", 2, 4) ++ slice(\"ab\", 1, 9) ++ slice(\"ab\", 3, 1)",
            "cdb",
        ),
        ("max(2, 3) + min(2, 3) + power(2, 10)", "1029"),
        (
            "any([false, true]) and not all([false, true]) and is_empty([]) == is_empty([1])",
            "false",
        ),
        ("Point(x: 1, y: 2) with { y: 5 }", "(1, 5)"),
        ("(Point(x: 1, y: 2) with { y: 5 }).y", "5"),
        ("[Red, Mix(Red, Blue)]", "[Red, Mix(Red, Blue)]"),
        (
            "or_else(None, 4) + (if is_some(Some(1)) then 1 else 0)",
            "5",
        ),
        ("fact(10)", "3628800"),
        (
            "lookup(leave(declare(enter(declare(no_scopes(), \"a\", 1)), \"a\", 2)), \"a\")",
            "Some(1)",
        ),
        ("map_keys([(1, 2), (3, 4)])", "[1, 3]"),
        ("\"\\u{41}\\t\\\\\\#{}\"", "A\t\\#{}"),
    ];
    for (expression, expected) in cases {
        let text = format!(
            "use scopes;\nrecord Point {{ x : Int, y : Int }}\ntype Color = Red | Blue | Mix(Color, Color);\n\
             fn fact(n : Int) : Int = if n == 0 then 1 else n * fact(n - 1);\n\
             fn map_keys<A, B>(all : List<(A, B)>) : List<A> = [a for (a, _) in all];\n\
             class A {{ a(\"#{{{expression}}}\") {{}} }}"
        );
        let made = programs(&text, height(0))
            .make(&mut Choices::seeded(0, 0))
            .0;
        assert_eq!(self::text(made), expected, "{expression}");
    }
}

#[test]
fn any_tape_makes_a_valid_program_or_none() {
    let spec = spec(library::find_spec("assignments-guarded").unwrap().text);
    let programs = spec.programs(&BTreeMap::new(), height(4)).unwrap();
    for index in 0..60 {
        let mut choices = Choices::seeded(2, index);
        let _ = programs.make(&mut choices);
        // Cut, and with every third choice made smaller: what a reduction does.
        let mut tape = choices.into_tape();
        tape.0.truncate(tape.0.len() * 2 / 3);
        tape.0
            .iter_mut()
            .step_by(3)
            .for_each(|choice| choice.value /= 2);
        let Ok(program) = programs.make(&mut Choices::guided(tape)).0 else {
            continue;
        };
        let program = String::from_utf8(program).unwrap();
        let mut known = BTreeSet::new();
        for line in program.lines() {
            let (name, value) = line.split_once(" := ").unwrap();
            let words = value.trim_end_matches(';').split(' ');
            let mut used = words.filter(|word| word.starts_with(|c: char| c.is_ascii_lowercase()));
            assert!(used.all(|word| known.contains(word)), "{program}");
            known.insert(name);
        }
    }
}

#[test]
fn annotations_and_hidden_children_do_what_the_reference_says() {
    let one = |text: &str| self::text(programs(text, height(5)).make(&mut Choices::seeded(0, 1)).0);
    let deepest = "class A { a(\"${e : E}\") {} }\n\
                   @max_height(2) class E { x(\"x\") {} @weight(4000000000) d(\"(${e : E})\") {} }";
    assert_eq!(one(deepest), "((x))");
    let few = "class A { a(\"${l : L}\") {} }\n\
               @list(60) class L { @weight(4000000000) m(\"${n : N} ${r : L}\") {} o(\"\") {} }\n\
               @count(2) class N(\"[0-9]{9}\");";
    let drawn = one(few);
    let different: BTreeSet<&str> = drawn.split_whitespace().collect();
    assert_eq!((drawn.split_whitespace().count(), different.len()), (59, 2));
    let hidden = "class A { a(\"#{x.str}!${hidden x : B}\") {} } class B(\"b\");";
    assert_eq!(one(hidden), "b!");
    let copied = "class A { a(\"#{b.s}${b : B}\") { b.down = 3; } }\n\
                  @copy class B { inh down : Int; syn s : Int; b(\"${c : C}\") {} }\n\
                  class C { inh down : Int; syn s : Int; c(\"\") { this.s = this.down + 4; } }";
    assert_eq!(one(copied), "7");
    let patient = "class A { a(\"${b : B}\") {} }\n\
                   class B { grd g; b(\"${n : N}\") { this.g = n.str == \"7\"; } }\n\
                   class N(\"[0-9]\");";
    assert_eq!(one(patient), "7");
    let hasty = patient.replace("class B", "@max_alternatives(1) class B");
    let programs = programs(&hasty, height(5));
    let made = (0..40).map(|index| programs.make(&mut Choices::seeded(0, index)).0);
    let gave_up = made.filter(|made| *made == Err(Unmade::Impossible)).count();
    assert!((20..40).contains(&gave_up), "{gave_up}");
}

#[test]
fn annotations_follow_the_knobs_that_the_user_sets() {
    let text = "knob most = 3;\nknob drawn = 1;\n\
                class Program {\n  program(\"${l : List}\") {}\n}\n\
                @list(most)\nclass List {\n  one(\"${d : Digit}\") {}\n  @weight(1000000)\n  more(\"${d : Digit}${r : List}\") {}\n}\n\
                @count(drawn)\nclass Digit(\"[0-9]\");\n";
    let made = |most: i64, drawn: i64| {
        let knobs = [("most", most), ("drawn", drawn)]
            .map(|(name, value)| (name.to_string(), KnobValue::Int(value)));
        let spec = Spec::read("t.spec", text).unwrap();
        let programs = spec.programs(&knobs.into(), Limits::default()).unwrap();
        let (made, _) = programs.make(&mut Choices::seeded(0, 0));
        let text = made.unwrap();
        let digits: BTreeSet<u8> = text.iter().copied().collect();
        (text.len(), digits.len())
    };
    assert_eq!(made(3, 1), (3, 1));
    assert_eq!(made(200, 1), (200, 1));
    assert_eq!(made(200, 10), (200, 10));
    let beyond = [("most".to_string(), KnobValue::Int(-1))];
    let refused = Spec::read("t.spec", text)
        .unwrap()
        .programs(&beyond.into(), Limits::default());
    let said = refused.err().unwrap().to_string();
    assert!(said.contains("@list takes a number from 0 to"), "{said}");
}

#[test]
fn alternatives_of_literal_classes_come_up_alike() {
    // One with more texts than a program draws from, and one with fewer.
    for (expression, is_small) in [("0|[1-9]{1,9}", false), ("0|[1-9]", true)] {
        let text_of = format!(
            "@list(100) class Program {{ one(\"${{n : N}}\\n\") {{}} \
             @weight(1000) more(\"${{n : N}}\\n${{r : Program}}\") {{}} }} class N(\"{expression}\");"
        );
        let programs = programs(&text_of, height(1));
        let (mut zeros, mut all) = (0, 0);
        for index in 0..100 {
            let program = text(programs.make(&mut Choices::seeded(3, index)).0);
            let drawn: Vec<&str> = program.lines().collect();
            let found = drawn.iter().filter(|number| **number == "0").count();
            if drawn.len() > 90 {
                assert!(found > 0 && found < drawn.len(), "{program}");
            }
            (zeros, all) = (zeros + found, all + drawn.len());
        }
        let share = zeros * 100 / all;
        assert!(
            (45..=55).contains(&share),
            "{share} % of {all}, small: {is_small}"
        );
    }
}
