//! The mistakes of newcomers: each has one message that names the place and says what
//! would be right.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod reading;

use reading::problems;

/// Specs and all that is said of them.
const MISTAKES: &[(&str, &str)] = &[
    (
        "class A { a(\"x $name y\") {} }",
        "1:16: `$name` is not a child: write `${name : Class}`, or `\\$` for the sign itself",
    ),
    (
        "class A { a(\"\\$x = ${e : E};\") {} }\nclass E(\"[0-9]\");",
        "",
    ),
    (
        "class A { a(\"x\") {\n",
        "2:1: expected a rule (`this.attribute = …;`) or `}`, found the end of the file",
    ),
    (
        "class A {\n  a(\"x\") {}\n\nclass B {\n  b(\"y\") {}\n}\n",
        "4:1: expected `}` that ends the class above, found `class`",
    ),
    (
        "class A { syn x : Int; a(\"x\") { this.x = 1 } }",
        "1:44: expected `;`, found `}`",
    ),
    (
        "class A { a(\"x) {} }\n",
        "1:13: a text that does not end in its line (a line break is \\n)",
    ),
    (
        "class A { a('x') {} }\n",
        "1:13: `'` means nothing here: texts stand in \"",
    ),
    (
        "class A { a(`x`) {} }\n",
        "1:13: ``` means nothing here: texts stand in \"",
    ),
    (
        "class A { a(\"${b}\") {} }\nclass B(\"x\");",
        "1:14: expected `${name : Class}`",
    ),
    (
        "class A { a(\"${B}\") {} }\nclass B(\"x\");",
        "1:14: expected `${name : Class}`: a name begins with a small letter",
    ),
    (
        "class A { a(\"${B : b}\") {} }\nclass B(\"x\");",
        "1:14: expected `${name : Class}`: a name begins with a small letter",
    ),
    (
        "class A { a(\"${}\") {} }",
        "1:14: expected `${name : Class}`: a name begins with a small letter",
    ),
    (
        "class A { a(\"${b : B\") {} }\nclass B(\"x\");",
        "1:14: a child that does not end: `}`",
    ),
    (
        "class A { a(\"#{1\") {} }",
        "1:13: a text that does not end in its line (a line break is \\n)",
    ),
    (
        "class a { a(\"x\") {} }",
        "1:7: a class begins with a capital letter",
    ),
    (
        "class A { A(\"x\") {} }",
        "1:11: an attribute, a production or `}` begins with a small letter",
    ),
    (
        "class A { \"x\" | \"y\" }",
        "1:11: expected a production, which has a name (`name(\"text\") {}`), found a text",
    ),
    (
        "<program> ::= <expr> \"+\" <expr>\n",
        "1:1: expected an item, found `<` (language, extension, comment, height, extends, use, knob, alias, type, record, fn, class)",
    ),
    (
        "program = { statement } ;\n",
        "1:1: expected an item, found `program` (language, extension, comment, height, extends, use, knob, alias, type, record, fn, class)",
    ),
    (
        "grammar Calc;\nexpr : expr '*' expr | INT ;\n",
        "2:13: `'` means nothing here: texts stand in \"",
    ),
    (
        "class A { a(\"x\") }",
        "1:18: expected `{`: a production ends with its rules, or with `{}`, found `}`",
    ),
    (
        "class A { a(\"x\"); }",
        "1:17: expected `{`: a production ends with its rules, or with `{}`, found `;`",
    ),
    (
        "class A { a(\"${b : B}\") { b.x = b.y; } }\nclass B { inh x : Int; syn y : Int; b(\"#{this.x}\") { this.y = this.x; } }",
        "1:11: production `a`: attributes depend on themselves: b.x -> b.y -> b.x",
    ),
    (
        "class A { a(\"${x : A}\") {} }",
        "1:7: class A never ends: each production leads back to it, so there is no program",
    ),
    (
        "type T = Leaf(T);\nfn f(t : T) : Int = 1;\nclass A { a(\"#{f(f)}\") {} }",
        "1:6: type `T` has no value: each would have another `T` inside, without end",
    ),
    (
        "alias T = T;\nclass A { a(\"x\") {} }\n",
        "1:11: alias `T` is used above its declaration, or in it",
    ),
    (
        "extends nothing;\n",
        "1:9: there is no spec nothing (there is assignments, assignments-guarded, smtlib, smtlib-floats, smtlib-strings, smtlib-wide, lua, c, c-safe, c-known, c-wide, sql, sql-known, javascript, javascript-calls, awk, jq, sh, sed, scheme)",
    ),
    (
        "extends lau;\n",
        "1:9: there is no spec lau; did you mean `lua`?",
    ),
    (
        "extends lua;\nextends c;\n",
        "2:1: `extends` stands here twice",
    ),
    (
        "use nothing;\nclass A { a(\"x\") {} }\n",
        "1:5: there is no library nothing (there is symbols, scopes)",
    ),
    (
        "use \"../../../etc/passwd\";\nclass A { a(\"x\") {} }\n",
        "1:5: a file is named by its path from this one on, without `..`",
    ),
    (
        "use \"/etc/passwd\";\nclass A { a(\"x\") {} }\n",
        "1:5: a file is named by its path from this one on, without `..`",
    ),
    (
        "use \"a\\u{0}b.spec\";\nclass A { a(\"x\") {} }\n",
        "1:5: there is no file a\0b.spec",
    ),
    (
        "fn f() : Int = 99999999999999999999999999999999;\nclass A { a(\"#{f()}\") {} }",
        "1:16: a number that does not fit 64 bits: it is at most 9223372036854775807",
    ),
    (
        "class A { a(\"#{1.5}\") {} }",
        "1:16: numbers are whole: write others as texts",
    ),
    (
        "class A { a(\"#{0xff}\") {} }",
        "1:16: a number has decimal digits only; a name begins with a letter",
    ),
    (
        "height 99999999;\nclass A { a(\"x\") {} }\n",
        "1:1: a height is at most 1000",
    ),
    (
        "height -1;\nclass A { a(\"x\") {} }\n",
        "1:8: expected a height, found `-`",
    ),
    (
        "class A { @weight(0.5) a(\"x\") {} b(\"y\") {} }",
        "1:19: numbers are whole: write others as texts",
    ),
    (
        "class A { @weight(-1) a(\"x\") {} b(\"y\") {} }",
        "1:23: a weight is a number from 0 to 4294967296",
    ),
    (
        "class A { a(\"${b : L}\") {} }\n@list(9999999999) class L { one(\"x\") {} @weight(9999999) more(\"x${r : L}\") {} }",
        "2:7: @list takes a number from 0 to 1000000",
    ),
    (
        "class A { a(\"${b : B}\") {} }\nclass B(\"[a-z]{2000000}\");",
        "2:9: the regular expression of B: expected {m} or {m,n} with m <= n <= 10000",
    ),
    (
        "class A { a(\"${b : B}\") {} }\nclass B(\"[a-z]*\");",
        "2:9: the regular expression of B: `*` has no end: say how often at most, such as {1,8}",
    ),
    (
        "class A { a(\"${b : B}\") {} }\nclass B(\"^[a-z]$\");",
        "2:9: the regular expression of B: `^` and `$` are no anchors: a text is all of the expression; leave them out, or write \\^ and \\$ for the signs themselves",
    ),
    (
        "class A { a(\"${b : B}\") {} }\nclass B(\"\\\\w{1,3}\");",
        "2:9: the regular expression of B: `\\w` means nothing here: list what may occur, such as [a-z0-9_]",
    ),
    (
        "class A { a(\"${b : B}\") {} }\nclass B(\"[^a-z]\");",
        "2:9: the regular expression of B: sets that begin with `^` are too large: list what may occur",
    ),
    (
        "class A { a(\"${b : B}\") {} }\nclass B(\"[z-a]{3,1}\");",
        "2:9: the regular expression of B: the range z-a is empty",
    ),
    (
        "class A { a(\"${b : B}\") {} }\nclass B(\"[]\");",
        "2:9: the regular expression of B: a set that does not end",
    ),
    (
        "class A { a(\"${b : B}\") {} }\nclass B(\"[a-\");",
        "2:9: the regular expression of B: a set that does not end",
    ),
    (
        "class A { a(\"${b : B}\") {} }\nclass B = ;",
        "2:11: expected a text, found `;`",
    ),
    (
        "class A { a(\"${b : B}\") {} }\nclass B = \"a\" | \"b\";",
        "2:15: expected `,` between texts, or `;`, found `|`",
    ),
    (
        "fn f(a : [Int]) : Int = 1;\nclass A { a(\"x\") {} }\n",
        "1:10: expected a type; one of lists is `List<Int>`, found `[`",
    ),
    (
        "fn f(a : String) : String = a + \"x\";\nclass A { a(\"x\") {} }\n",
        "1:29: `+` adds numbers; texts and lists are joined by `++`",
    ),
    (
        "knob x = 1.5;\nclass A { a(\"x\") {} }\n",
        "1:10: numbers are whole: write others as texts",
    ),
    (
        "knob x = \"a\";\nclass A { a(\"x\") {} }\n",
        "1:10: expected a number, `true` or `false`, found a text",
    ),
    (
        "class A { a(\"#{$}\") {} }",
        "1:16: `$` is the value that a generator chose: there is none here",
    ),
    (
        "class A { inh x : Int; a(\"#{this.x}\") {} }",
        "1:7: the first class has nothing above it: it inherits no attributes",
    ),
    (
        "class A { syn x : Int; a(\"x\") {} }",
        "1:24: production `a` has no rule for `this.x`",
    ),
    (
        "class A { a(\"${b : B}\") {} }\nclass B { inh x : Int; b(\"#{this.x}\") {} }",
        "1:11: production `a` has no rule for `b.x`",
    ),
    (
        "class A { syn x : Int; a(\"x\") { this.x = 1; this.x = 2; } }",
        "1:50: `this.x` is set twice",
    ),
    (
        "class A { a(\"${b : B}\") { b.y = 1; } }\nclass B { syn y : Int; b(\"x\") { this.y = 2; } }",
        "1:29: a rule sets inherited attributes of children; this one is their own",
    ),
    (
        "class A { syn o : Int; a(\"${b : B}\") { b.x = 1; this.o = b.x; } }\nclass B { inh x : Int; b(\"#{this.x}\") {} }",
        "1:58: a rule reads inherited attributes of `this` and synthesized ones of children",
    ),
    (
        "class A { syn o : String; a(\"${b : B}\") { this.o = b.str; } }\nclass B { b(\"x\") {} }",
        "1:54: class B has no attribute `str`",
    ),
    (
        "class A { syn o : Int; a(\"x\") { this.o := 1; } }",
        "1:40: expected `=`, found `:`",
    ),
    (
        "class A { syn o : Int; a(\"x\") { this.o == 1; } }",
        "1:40: expected `=`, found `==`",
    ),
    (
        "fn f(a : Bool) : Bool = a && !a;\nclass A { a(\"x\") {} }\n",
        "1:27: `&` means nothing here: write `and`",
    ),
    (
        "fn f(a : Bool) : Int = a ? 1 : 2;\nclass A { a(\"x\") {} }\n",
        "1:26: `?` means nothing here: write `if … then … else …`",
    ),
    (
        "fn f(a : Int) : Int { return a; }\nclass A { a(\"x\") {} }\n",
        "1:21: expected `=`: a function is written `fn name(n : Int) : Int = n + 1;`, found `{`",
    ),
    (
        "fn f(a : Int) -> Int = a;\nclass A { a(\"x\") {} }\n",
        "1:15: expected `:`: a function is written `fn name(n : Int) : Int = n + 1;`, found `-`",
    ),
    (
        "fn f(a : int) : string = \"x\";\nclass A { a(\"x\") {} }\n",
        "1:10: a type begins with a capital letter",
    ),
    (
        "fn f() : Int = 1;\n",
        "1:1: there is no class: the first one is what programs are",
    ),
    (
        "class A { a(\"x\") {} }\nclass B { b(\"y\") {} }",
        "2:7: class B cannot be reached from A",
    ),
    (
        "class A { a(\"x\") {} }\nclass A { b(\"y\") {} }",
        "2:7: class A is declared twice",
    ),
    (
        "class A { a(\"x\") {} a(\"y\") {} }",
        "1:21: production `a` is declared twice",
    ),
    (
        "class A { a(\"${b : B}${b : B}\") {} }\nclass B(\"x\");",
        "1:24: the name `b` is taken",
    ),
    (
        "@lst class A { a(\"x\") {} }",
        "1:2: annotation @lst is not known; did you mean `list`?",
    ),
    (
        "@list(a) class A { one(\"x\") {} more(\"x${r : A}\") {} }",
        "1:7: `a` is not known here",
    ),
    (
        "class A { a(\"\\(${b : B}\") {} }\nclass B(\"x\");",
        "1:11: `\\(` and `\\)` stand right around a child: `\\(${e : Expr}\\)`\n1:11: production `a` has `\\(` but no @precedence",
    ),
    (
        "language \"tcl\";\nclass A { a(\"x\") {} }\n",
        "1:10: expected the language's name, without quotes, found a text",
    ),
    (
        "extension \".tcl\";\nclass A { a(\"x\") {} }\n",
        "1:11: an ending has 1 to 16 letters and digits, without the dot",
    ),
    (
        "extension ../../x;\nclass A { a(\"x\") {} }\n",
        "1:11: expected the ending of files, found `.`",
    ),
    (
        "comment \"\";\nclass A { a(\"x\") {} }\n",
        "1:9: a comment begins with some mark",
    ),
    (
        "comment \"\\n\";\nclass A { a(\"x\") {} }\n",
        "1:9: a comment begins with some mark",
    ),
    (
        "class A { a(\"x\") {} };\n",
        "1:22: expected an item, found `;` (language, extension, comment, height, extends, use, knob, alias, type, record, fn, class)",
    ),
    (
        "class A { without x; a(\"x\") {} }",
        "1:19: `without` takes productions out of a class of the spec that is extended; class A is not one of them",
    ),
    (
        "class A { syn output : Int; a(\"x\") { this.output = 1; } }",
        "1:15: `output` of the first class is what the program prints: a String",
    ),
    (
        "class A { a(\"x\") { text t = \"${b : B}\"; } }\nclass B(\"x\");",
        "1:30: expected `${name}`: the production's first text declares the child",
    ),
    (
        "class A { a(\u{201c}x\u{201d}) {} }",
        "1:13: `\u{201c}` means nothing here: texts stand in \"",
    ),
    (
        "class\u{a0}A { a(\"x\") {} }",
        "1:6: `U+00A0` means nothing here: a space of another kind, which looks like one",
    ),
    ("\0\0\0\0", "1:1: `\\0` means nothing here"),
    (
        "class A { a(\"x\u{1b}[31m\") {} }\n\u{1b}[31m",
        "2:1: `\\u{1b}` means nothing here",
    ),
    (
        "class A { a(5) : Int {} }",
        "1:13: expected List<Int>, found Int",
    ),
];

#[test]
fn what_a_newcomer_writes_is_answered_with_its_place_and_what_would_be_right() {
    let mut wrong = Vec::new();
    for (text, message) in MISTAKES {
        let found = problems(text).join("\n");
        if found != *message {
            wrong.push(format!("{text}\nexpected {message}\nfound    {found}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}
