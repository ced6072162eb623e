//! What the language of specs can say: plain texts, weights, numbers, texts, files.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod making;
mod reading;

use std::collections::BTreeMap;

use lydite_core::Choices;
use lydite_grammar::spec::{Limits, Spec, SpecFiles, beside, named_files};
use making::{height, programs, spec, text};
use reading::problems;

/// What programs of a spec look like, each once.
fn made(spec_text: &str, count: u64) -> Vec<String> {
    let programs = programs(spec_text, height(4));
    let texts = (0..count).map(|index| text(programs.make(&mut Choices::seeded(3, index)).0));
    let mut all: Vec<String> = texts.collect();
    all.sort();
    all.dedup();
    all
}

/// What an expression with texts in it comes to, as it is printed.
fn value_of_texts(expression: &str, of: &str) -> String {
    let spec = format!("fn it() : {of} = {expression};\nclass P {{ p(\"#{{it()}}\") {{}} }}");
    made(&spec, 1).remove(0)
}

/// What an expression comes to, as it is printed.
fn value(expression: &str) -> String {
    let spec = format!("class P {{ p(\"#{{{expression}}}\") {{}} }}");
    made(&spec, 1).remove(0)
}

#[test]
fn numbers_may_be_wider_than_64_bits() {
    let number = "or_else(wide_number(\"-170141183460469231731687303715884105729\"), wide(0))";
    for (expression, expected) in [
        (
            "wide_multiply(wide(9223372036854775807), wide(-4))",
            "-36893488147419103228",
        ),
        (
            "wide_power(wide(2), 127)",
            "170141183460469231731687303715884105728",
        ),
        ("wide_power(wide(-1), 1000001)", "-1"),
        ("wide_divide(wide(-7), wide(2))", "-3"),
        ("wide_remainder(wide(-7), wide(2))", "-1"),
        ("wide_and(wide(-1), wide(255))", "255"),
        ("wide_shift_right(wide_shift_left(wide(-3), 100), 99)", "-6"),
        (
            "wide_hexadecimal(wide_shift_left(wide(11), 64))",
            "b0000000000000000",
        ),
        (
            "[narrow(wide(5)), narrow(wide_power(wide(10), 30))]",
            "[Some(5), None]",
        ),
        ("wide_compare(wide_power(wide(10), 30), wide(3))", "1"),
        (
            "sort([wide(3), wide_power(wide(10), 20), wide(-4)])",
            "[-4, 3, 100000000000000000000]",
        ),
        ("wide(3) == wide_add(wide(1), wide(2))", "true"),
    ] {
        assert_eq!(value(expression), expected, "{expression}");
    }
    assert_eq!(
        value_of_texts("wide_number(\"1x\")", "Option<Wide>"),
        "None"
    );
    for (of, bits, expected) in [
        ("wide_wrap", 128, "170141183460469231731687303715884105727"),
        (
            "wide_wrap_unsigned",
            128,
            "170141183460469231731687303715884105727",
        ),
        ("wide_wrap", 127, "-1"),
        ("wide_wrap_unsigned", 64, "18446744073709551615"),
    ] {
        let expression = format!("{of}({number}, {bits})");
        assert_eq!(
            value_of_texts(&expression, "Wide"),
            expected,
            "{expression}"
        );
    }
}

#[test]
fn a_number_that_is_too_wide_ends_the_making_with_a_message() {
    for (expression, expected) in [
        (
            "wide_power(wide(3), 9223372036854775807)",
            "more than 16384 bits",
        ),
        ("wide_shift_left(wide(1), 16385)", "a shift by 16385"),
        ("wide_wrap(wide(1), 0)", "numbers of 0 bits"),
        ("wide_remainder(wide(1), wide(0))", "zero"),
        (
            "fold n = wide(3) for i in range(0, 100) do wide_multiply(n, n)",
            "more than 16384 bits",
        ),
    ] {
        let spec = format!("class P {{ p(\"#{{{expression}}}\") {{}} }}");
        let made = programs(&spec, height(4)).make(&mut Choices::seeded(1, 0));
        let error = made.0.unwrap_err().to_string();
        assert!(error.contains(expected), "{expression}: {error}");
    }
}

#[test]
fn a_class_of_plain_texts_takes_them_as_they_stand() {
    let spec = r##"class P { p("${f : Format}") {} }
class Format = "%5.1f", "a|b", "(", "\\.", "\n";"##;
    assert_eq!(made(spec, 200), ["\n", "%5.1f", "(", "\\.", "a|b"]);
    // More texts than a program draws of an expression come up all the same.
    let many: Vec<String> = (0..120).map(|n| format!("\"t{n}\"")).collect();
    let spec = format!(
        "class P {{ p(\"${{t : T}}\") {{}} }}\nclass T = {};",
        many.join(", ")
    );
    assert_eq!(made(&spec, 4000).len(), 120);
}

#[test]
fn a_weight_may_depend_on_attributes_and_height() {
    let spec = r##"class P { p("${a : A}${b : A}") { a.on = true; b.on = false; } }
class A {
  inh on : Bool;
  @weight(if this.on then 3 else 0)
  yes("y") {}
  @weight(if this.on then 0 else 1)
  no("n") {}
}"##;
    assert_eq!(made(spec, 100), ["yn"]);
    let spec = r##"knob most = 2;
class P { p("${a : A}") {} }
class A {
  leaf("") {}
  @weight(if height > most then 100 else 0)
  deeper("(${a : A})") {}
}"##;
    // Four levels, of which the two upper ones may nest.
    assert_eq!(made(spec, 2000), ["", "(())", "()"]);
}

#[test]
fn a_weight_that_is_none_ends_the_program_with_its_place() {
    let spec = r##"class P { p("${a : A}") { a.n = -1; } }
class A { inh n : Int; @weight(this.n) a("") {} }"##;
    let programs = programs(spec, height(4));
    let error = programs.make(&mut Choices::seeded(0, 0)).0.unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("test:2:32: a weight is a number from 0 to"),
        "{error}"
    );
    assert_eq!(
        problems(r##"class P { syn x : Int; @weight(this.x) p("#{this.x}") { this.x = 1; } }"##),
        ["1:32: a weight reads inherited attributes, knobs and `height` only"]
    );
}

#[test]
fn a_weight_that_varies_excludes_no_valid_program() {
    // Lists whose cells are chosen by what they inherit, under a guard.
    let spec = r##"class P { grd even; syn n : Int;
  p("${l : L}") { l.left = 4; this.n = l.n; this.even = l.n % 2 == 0; } }
@list
class L {
  inh left : Int;
  syn n : Int;
  end(".") { this.n = 0; }
  @weight(if this.left > 0 then 5 else 0)
  more("x${r : L}") { r.left = this.left - 1; this.n = r.n + 1; }
}"##;
    let limits = Limits {
        verify: true,
        ..height(4)
    };
    let programs = self::spec(spec).programs(&BTreeMap::new(), limits).unwrap();
    let texts = (0..200).map(|index| text(programs.make(&mut Choices::seeded(1, index)).0));
    let mut all: Vec<String> = texts.collect();
    all.sort();
    all.dedup();
    assert_eq!(all, [".", "xx.", "xxxx."]);
}

#[test]
fn numbers_have_bits_and_say_where_they_do_not_fit() {
    for (expression, expected) in [
        ("bit_and(12, 10)", "8"),
        ("bit_or(12, 10)", "14"),
        ("bit_xor(12, 10)", "6"),
        ("bit_not(0)", "-1"),
        ("shift_left(1, 62)", "4611686018427387904"),
        ("shift_left(3, 63)", "-9223372036854775808"),
        ("shift_right(-8, 1)", "-4"),
        ("unsigned_shift_right(-1, 60)", "15"),
        ("checked_add(9223372036854775807, 1)", "None"),
        ("checked_add(1, 2)", "Some(3)"),
        ("checked_subtract(-9223372036854775807, 2)", "None"),
        ("checked_multiply(4294967296, 4294967296)", "None"),
        ("checked_divide(1, 0)", "None"),
        ("checked_remainder(7, 4)", "Some(3)"),
        ("checked_power(2, 63)", "None"),
        (
            "wrapped_add(9223372036854775807, 1)",
            "-9223372036854775808",
        ),
        ("wrapped_subtract(0, 1)", "-1"),
        ("wrapped_multiply(4294967297, 4294967297)", "8589934593"),
        ("wrap(200, 8)", "-56"),
        ("wrap_unsigned(-1, 8)", "255"),
        ("wrap(-1, 64)", "-1"),
        ("unsigned_divide(-1, 2)", "9223372036854775807"),
        ("unsigned_remainder(-1, 10)", "5"),
        ("unsigned_less(1, -1)", "true"),
        ("unsigned_text(-1)", "18446744073709551615"),
        ("hexadecimal(255)", "ff"),
        ("fits(127, 8)", "true"),
        ("fits(128, 8)", "false"),
    ] {
        assert_eq!(value(expression), expected, "{expression}");
    }
}

#[test]
fn texts_can_be_compared_and_taken_apart() {
    for (expression, expected) in [
        ("compare(\\\"abc\\\", \\\"abd\\\")", "-1"),
        ("compare(\\\"b\\\", \\\"abd\\\")", "1"),
        ("compare(\\\"b\\\", \\\"b\\\")", "0"),
        ("code(\\\"A\\\")", "65"),
        ("character(233)", "é"),
        ("characters(\\\"aé\\\")", "[a, é]"),
        ("index_of(\\\"éab\\\", \\\"b\\\")", "Some(2)"),
        ("index_of(\\\"ab\\\", \\\"c\\\")", "None"),
        ("replace(\\\"aXbX\\\", \\\"X\\\", \\\"--\\\")", "a--b--"),
        ("replace(\\\"ab\\\", \\\"\\\", \\\"x\\\")", "ab"),
        ("ends_with(\\\"abc\\\", \\\"bc\\\")", "true"),
        (
            "fresh_name(set_of([\\\"v0\\\", \\\"v2\\\"]), \\\"v\\\")",
            "v3",
        ),
    ] {
        let expression = expression.replace("\\\"", "\"");
        assert_eq!(value(&expression), expected, "{expression}");
    }
    let scopes = r##"use scopes;
class P { p("#{fresh(declare(enter(declare(no_scopes(), "x1", 1)), "x0", 2), "x")}") {} }"##;
    assert_eq!(made(scopes, 1), ["x2"]);
}

#[test]
fn what_goes_wrong_in_them_is_told_with_its_place() {
    for (expression, message) in [
        ("shift_left(1, 64)", "a shift by 64: 0 to 63 are possible"),
        ("wrap(1, 0)", "numbers of 0 bits: 1 to 64 are possible"),
        ("character(55296)", "there is no character of code 55296"),
        ("code(\"\")", "an empty text has no code"),
        ("unsigned_divide(1, 0)", "division by zero"),
    ] {
        let spec = format!("class P {{ p(\"#{{{expression}}}\") {{}} }}");
        let made = programs(&spec, height(4))
            .make(&mut Choices::seeded(0, 0))
            .0;
        let error = made.unwrap_err().to_string();
        assert!(error.contains(message), "{error}");
    }
}

#[test]
fn what_is_surely_not_meant_is_told() {
    for (spec, message) in [
        (
            r##"class P { p("a $x b ${n : N}") {} } class N("a");"##,
            "1:16: `$x` is not a child: write `${x : Class}`, or `\\$` for the sign itself",
        ),
        (
            "type T = A(T) | B(Int, T);\nclass P { p(\"\") {} }",
            "1:6: type `T` has no value: each would have another `T` inside, without end",
        ),
        (
            "record R { s : S }\nrecord S { r : R, n : Int }\nclass P { p(\"\") {} }",
            "1:8: type `R` has no value: each would have another `R` inside, without end",
        ),
        (
            "extension \"a.b\";\nclass P { p(\"\") {} }",
            "1:11: an ending has 1 to 16 letters and digits, without the dot",
        ),
    ] {
        assert_eq!(
            problems(spec).first().map(String::as_str),
            Some(message),
            "{spec}"
        );
    }
    // Lists may be empty, and a dollar sign is one.
    for fine in [
        "type T = A(List<T>);\nclass P { p(\"\") {} }",
        "type T = A | B(T);\nclass P { p(\"\") {} }",
        "class P { p(\"\\$x $1 $\") {} }",
    ] {
        assert_eq!(problems(fine), [] as [String; 0]);
    }
    let spec = spec(
        "fn used(n : Int) : Int = n;\nfn dead(n : Int) : Int = dead2(n);\n\
         fn dead2(n : Int) : Int = dead(n);\nclass P { p(\"#{used(1)}\") {} }",
    );
    let warnings: Vec<&str> = spec.warnings().iter().map(|w| w.message.as_str()).collect();
    assert_eq!(
        warnings,
        [
            "function `dead` is never called",
            "function `dead2` is never called"
        ]
    );
}

const BASE: &str = r##"language toy;
extension toy;
comment ";";
use "lib/words.spec";
knob many = 3;
fn mark() : String = "!";
class P { p("${s : S}#{mark()}#{many}") {} }
class S {
  say("say ${w : Word}") {}
  sing("sing") {}
}"##;

const WORDS: &str = "fn of_words() : Int = 1;\nclass Word = \"cat\";";

fn with_files(text: &str) -> Result<Spec, String> {
    let files: SpecFiles = [("dir/base.spec", BASE), ("dir/lib/words.spec", WORDS)]
        .map(|(path, text)| (path.to_string(), text.to_string()))
        .into();
    Spec::read_with("dir/mine.spec", text, &files).map_err(|error| error.to_string())
}

#[test]
fn a_spec_extends_another_and_uses_files_beside_it() {
    let text = r##"extends "base.spec";
knob many = 5;
fn mark() : String = "?";
class S { without sing; shout("shout ${w : Word}") {} }
class Word = "dog";"##;
    assert_eq!(named_files(text), ["base.spec"]);
    assert_eq!(named_files(BASE), ["lib/words.spec"]);
    let spec = with_files(text).unwrap();
    assert_eq!(
        (spec.language(), spec.extension(), spec.comment()),
        (Some("toy"), Some("toy"), Some(";"))
    );
    assert_eq!(spec.warnings(), []);
    let programs = spec.programs(&BTreeMap::new(), height(4)).unwrap();
    let texts = (0..50).map(|index| text_of(&programs, index));
    let mut all: Vec<String> = texts.collect();
    all.sort();
    all.dedup();
    assert_eq!(all, ["say dog?5", "shout dog?5"]);
}

fn text_of(programs: &lydite_grammar::spec::Programs, index: u64) -> String {
    text(programs.make(&mut Choices::seeded(0, index)).0)
}

#[test]
fn a_spec_that_comes_with_lydite_can_be_extended() {
    let text = "extends c-safe;\nheight 3;\nknob statements = 1;";
    let error = with_files(text).err().unwrap_or_default();
    // Whether the knob is one of its own or new is all the same.
    assert_eq!(error, "");
    assert_eq!(with_files(text).unwrap().height(), 3);
}

#[test]
fn what_is_wrong_with_files_is_told_where_they_are_named() {
    for (text, message) in [
        (
            "extends \"none.spec\";",
            "dir/mine.spec:1:9: there is no file dir/none.spec",
        ),
        (
            "use \"../up.spec\";",
            "dir/mine.spec:1:5: a file is named by its path from this one on, without `..`",
        ),
        (
            "use \"/etc/passwd\";",
            "dir/mine.spec:1:5: a file is named by its path from this one on, without `..`",
        ),
        ("extends luna;", "dir/mine.spec:1:9: there is no spec luna"),
        (
            "extends \"base.spec\";\nclass S { without shuot; }",
            "dir/mine.spec:2:19: class S has no production `shuot`",
        ),
        (
            "class P { without p; q(\"\") {} }",
            "dir/mine.spec:1:19: `without` takes productions out of a class of the spec that is extended",
        ),
        (
            "extends \"base.spec\";\nlanguage lua;",
            "dir/mine.spec:2:10: the spec that it extends is of toy",
        ),
        (
            "extends \"base.spec\";\nclass S = \"x\";",
            "dir/mine.spec:2:7: class S has productions in one of the files and texts in the other",
        ),
    ] {
        let error = with_files(text).unwrap_err();
        assert!(error.starts_with(message), "{error}");
    }
    let files: SpecFiles = [
        ("a.spec", "extends \"b.spec\";"),
        ("b.spec", "extends \"a.spec\";"),
    ]
    .map(|(path, text)| (path.to_string(), text.to_string()))
    .into();
    let error = Spec::read_with("a.spec", "extends \"b.spec\";", &files).unwrap_err();
    assert!(
        error.to_string().contains("a.spec extends itself"),
        "{error}"
    );
    let itself = "use \"a.spec\"; class A { a(\"\") {} }";
    let error = Spec::read_with("a.spec", itself, &files).unwrap_err();
    assert!(error.to_string().contains("a.spec uses itself"), "{error}");
    for (path, named, expected) in [
        ("a/b.spec", "c.spec", Some("a/c.spec")),
        ("b.spec", "./d/c.spec", Some("d/c.spec")),
        ("b.spec", "a/../c.spec", None),
        ("b.spec", "", None),
        ("b.spec", "a\\c.spec", None),
    ] {
        assert_eq!(beside(path, named).ok().as_deref(), expected);
    }
}

#[test]
fn usage_says_how_often_what_came() {
    let spec = spec(
        r##"class P { p("${a : A}${t : T}") {} }
class A { one("1") {} @weight(3) three("3") {} @weight(0) never("0") {} }
class T("x|y[0-9]|y7|x");"##,
    );
    let programs = spec.programs(&BTreeMap::new(), height(4)).unwrap();
    let mut usage = programs.no_usage();
    for index in 0..100 {
        let choices = &mut Choices::seeded(0, index);
        programs
            .make_profiled(choices, &mut [], Some(&mut usage))
            .0
            .unwrap();
    }
    let used: Vec<(&str, u64)> = usage
        .productions
        .iter()
        .map(|p| (p.name.as_str(), p.used))
        .collect();
    assert_eq!(used[0], ("p", 100));
    assert_eq!(used[1].1 + used[2].1, 100);
    assert!(used[2].1 > used[1].1);
    assert_eq!(used[3], ("never", 0));
    // What is written twice is one, and a text is of the alternative that has the fewest.
    let written: Vec<(&str, u64)> = usage
        .alternatives
        .iter()
        .map(|a| (a.text.as_str(), a.written))
        .collect();
    assert_eq!(written, [("x", 2), ("y[0-9]", 1), ("y7", 1)]);
    let of_texts: Vec<u64> = usage.alternatives.iter().map(|a| a.used).collect();
    assert_eq!(of_texts.iter().sum::<u64>(), 100);
    assert!(of_texts[0] > 25);
    assert!(of_texts[2] > 10);
}
