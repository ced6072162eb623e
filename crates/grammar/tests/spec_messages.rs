//! One mistake, one message: what follows from it is not told as well.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod reading;

use lydite_grammar::spec::{Spec, SpecFiles, document, format};
use reading::problems;

/// A spec without mistakes, to be spoiled.
const SPEC: &str = r##"height 3;
type Type = Number | Truth(Int);
fn shown(of : Type) : String = match of { Number => "num", Truth(_) => "bool" };
class Program {
  program("${s : Statements}") { s.names = map(); }
}
@list
class Statements {
  inh names : Map<String, Type>;
  one("#{join(keys(this.names), "")}") {}
  more("${s : Statement}${r : Statements}") {
    s.before = this.names;
    r.names = s.after;
  }
}
class Statement {
  inh before : Map<String, Type>;
  syn after : Map<String, Type>;
  declare("#{shown(Number)} ${n : Name}") {
    this.after = put(this.before, n.str, Number);
  }
}
class Name("[a-z]");
"##;

#[test]
fn one_mistake_has_one_message() {
    assert_eq!(problems(SPEC), [] as [String; 0]);
    for (right, wrong, message) in [
        (
            "r.names =",
            "r.name =",
            "13:7: class Statements has no attribute `name`; did you mean `names`?",
        ),
        ("r.names =", "q.names =", "13:5: there is no child `q`"),
        (
            "r : Statements}",
            "r : Statments}",
            "11:31: class Statments is not declared; did you mean `Statements`?",
        ),
        (
            "{ Number =>",
            "{ Numbre =>",
            "3:43: variant `Numbre` is not declared; did you mean `Number`?",
        ),
        (
            "Truth(_) =>",
            "Truth =>",
            "3:60: `Truth` has 1 fields, not 0",
        ),
        (
            "class Name",
            "type Type = Other;\nclass Name",
            "23:6: type `Type` is declared twice",
        ),
        (
            "class Name",
            "fn shown(of : Int) : Int = of;\nclass Name",
            "23:4: function `shown` is declared twice, or in the prelude already",
        ),
        (
            "class Name",
            "fn match(of : Int) : Int = of;\nclass Name",
            "23:4: `match` is a word of the language",
        ),
        (
            "${n : Name}",
            "${this : Name}",
            "19:31: the name `this` is taken",
        ),
        (
            "${n : Name}",
            "${N : Name}",
            "19:29: expected `${name : Class}`: a name begins with a small letter",
        ),
        (
            "  }\n}\nclass Name",
            "  }\n@count(1)\nclass Name",
            "23:1: expected `}` that ends the class above, found `class`",
        ),
        (
            "  }\n}\nclass Name",
            "  }\nclass Name",
            "22:1: expected `}` that ends the class above, found `class`",
        ),
        (
            "height 3;",
            "height 3; height 4;",
            "1:11: `height` stands here twice",
        ),
        (
            "map(); }",
            "no_scopes(); }",
            "5:44: function `no_scopes` is not declared; a library has it: `use scopes;`",
        ),
        (
            "\"num\"",
            "'num'",
            "3:53: `'` means nothing here: texts stand in \"",
        ),
        (
            "height 3;",
            "// Small.",
            "1:1: expected an item, found `/`; comments begin with `#`",
        ),
        (
            "class Name",
            "@weight(2)\nclass Name",
            "23:2: @weight does not belong to a literal class; to make a text of it more likely, \
             write the text more than once",
        ),
        (
            "= match",
            "= if \"a\" < \"b\" then \"c\" else match",
            "3:35: texts are compared by `compare(a, b)`",
        ),
        (
            "= match",
            "= if wide(1) >= wide(2) then \"c\" else match",
            "3:35: a Wide is compared by `wide_compare(a, b)`",
        ),
        (
            "= match",
            "= if wide(1) + wide(2) == 3 then \"c\" else match",
            "3:35: a Wide is computed with by `wide_add`, `wide_subtract` and so on",
        ),
        (
            "  one(",
            "  @weight(0)\n  one(",
            "8:7: class Statements: every production has weight 0 or is switched off",
        ),
    ] {
        assert!(SPEC.contains(right), "{right}");
        let text = SPEC.replacen(right, wrong, 1);
        let text = match right {
            // A list whose end has weight 0 has one production left.
            "  one(" => text.replace("  more(", "  @feature(false)\n  more("),
            _ => text,
        };
        assert_eq!(problems(&text), [message], "{wrong}");
    }
}

#[test]
fn what_is_unknown_in_many_places_is_told_once_and_the_rest_is_counted() {
    let uses: String = (0..50)
        .map(|i| format!("fn f{i}() : Int = gone({i});\n"))
        .collect();
    let text = format!("{uses}class A {{ a(\"\") {{}} }}");
    assert_eq!(problems(&text), ["1:17: function `gone` is not declared"]);
    let wrong: String = (0..50_000)
        .map(|i| format!("fn f{i}() : Int = true;\n"))
        .collect();
    let error = Spec::read("test", &format!("{wrong}class A {{ a(\"\") {{}} }}")).unwrap_err();
    assert_eq!((error.diagnostics.len(), error.more), (20, 49_980));
    assert!(error.to_string().ends_with("and 49980 more\n"));
}

#[test]
fn of_a_long_line_the_part_around_the_mark_is_shown() {
    let before = "-".repeat(150);
    let text = format!("class A {{ a(\"{before}\" \"#{{gone(1)}}\" \"{before}\") {{}} }}");
    let error = Spec::read("test", &text).unwrap_err().to_string();
    let lines: Vec<&str> = error.lines().collect();
    let column = lines[2].find('^').unwrap();
    let marks = lines[2].matches('^').count();
    let words: String = lines[1].chars().skip(column).take(marks).collect();
    assert_eq!(words, "gone", "{error}");
    assert!(lines[1].starts_with(" 1 | …---"), "{error}");
    assert!(lines[1].chars().count() < 110, "{error}");
}

#[test]
fn a_byte_order_mark_is_no_part_of_the_spec() {
    let marked = format!("\u{feff}{SPEC}");
    assert_eq!(problems(&marked), [] as [String; 0]);
    assert_eq!(
        format("test", &marked).unwrap(),
        format("test", SPEC).unwrap()
    );
}

#[test]
fn documentation_shows_variants_parameters_and_templates() {
    let text = "type Tree<T> = Leaf | Fork(Tree<T>, T);\nfn id<T>(x : T) : T = x;\n\
                class A { a(\"<${n : N}\\n\\\"#{id(1)}\\\">\") {} }\nclass N(\"n\");\n";
    let shown = document("test", text, &SpecFiles::new()).unwrap();
    for line in [
        "- `Tree<T> = Leaf | Fork(Tree<T>, T)`\n",
        "- `id<T>(x : T) : T`\n",
        "- `a <${n : N}\\n\"#{…}\">`\n",
    ] {
        assert!(shown.contains(line), "{line}\n{shown}");
    }
}
