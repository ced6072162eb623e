//! Grammar files: what is read, and what is refused where and why.

use std::collections::BTreeMap;

use lydite_core::BigUint;
use lydite_grammar::{Enumeration, Grammar, GrammarFile};

fn read(text: &str, set: &[(&str, u32)]) -> Result<Grammar, String> {
    let set: BTreeMap<String, u32> = set.iter().map(|(k, v)| (k.to_string(), *v)).collect();
    let file = GrammarFile::read(text).map_err(|error| error.to_string())?;
    file.grammar(&set).map_err(|error| error.to_string())
}

/// The first programs, with line breaks shown.
fn programs(text: &str, set: &[(&str, u32)], count: usize) -> Vec<String> {
    let enumeration = Enumeration::new(read(text, set).unwrap());
    let mut walk = enumeration.walk(&BigUint::ZERO, u32::MAX).unwrap();
    let mut all = Vec::new();
    loop {
        all.push(String::from_utf8_lossy(walk.text()).replace('\n', "/"));
        if all.len() == count || !walk.advance() {
            return all;
        }
    }
}

#[test]
fn a_bad_file_is_refused_where_it_is_wrong() {
    let cases = [
        ("", "1:1: a grammar file begins with `grammar NAME;`"),
        ("grammar X", "1:10: expected `;`, found the end of the file"),
        ("grammar 1;", "1:9: expected the grammar's name, found `1`"),
        (
            "grammar X;",
            "1:1: there is no rule `start`, which every program begins with",
        ),
        ("grammar X;\nstart 'a';", "2:7: expected `:`, found 'a'"),
        (
            "grammar X;\nstart: 'a'",
            "2:11: expected a literal, a rule's name, `|`, or the `;` that ends rule `start`, \
             found the end of the file",
        ),
        (
            "grammar X;\nstart: 'a",
            "2:8: a literal that does not end in its line (a line break is \\n)",
        ),
        (
            "grammar X;\nstart: \"a\";",
            "2:8: literals stand in single quotes: '…'",
        ),
        (
            "grammar X;\nstart: 'a'*;",
            "2:11: grammar files have no `*`: write a rule that names itself instead",
        ),
        ("grammar X; /* start", "1:12: a comment that does not end"),
        (
            "grammar X; start: '\\q';",
            "1:20: expected an escape: \\n \\t \\r \\' \\\\ \\$ or \\u{41}",
        ),
        (
            "grammar X; start: '\\u{110000}';",
            "1:20: expected an escape: \\n \\t \\r \\' \\\\ \\$ or \\u{41}",
        ),
        (
            "grammar X;\nstart: int_trm;\nint_term: '0';",
            "2:8: rule `int_trm` is not defined; did you mean `int_term`?",
        ),
        (
            "grammar X; start: 'a'; start: 'b';",
            "1:24: rule `start` is defined twice",
        ),
        (
            "grammar X; start: 'a'; lonely: 'b';",
            "1:24: rule `lonely` cannot be reached from `start`",
        ),
        (
            "grammar X;\nstart: t;\nt: t 'x' | 'y' t;",
            "3:1: rule `t` never ends: each alternative leads back to it, so there is no program",
        ),
        (
            "grammar X;\nstart: 'a' | loop;\nloop: 'b' loop;",
            "3:1: rule `loop` never ends: each alternative leads back to it",
        ),
        (
            "grammar X;\nstart: a;\na: b | 'x';\nb: a;",
            "3:1: rule `a` derives itself without adding any text: every text would come infinitely often",
        ),
        (
            "grammar X;\nstart: e start | 'x';\ne: | 'y';",
            "2:1: rule `start` derives itself without adding any text: every text would come infinitely often",
        ),
        (
            "grammar X;\nstart: 'a' | 'b'\n | 'a';",
            "3:4: rule `start` has this alternative at 2:8 already: every text would come twice",
        ),
        (
            "grammar X;\nstart: [variables | 'x$'];",
            "2:9: parameter `variables` has no default (say `options { variables = 2; }`)",
        ),
        (
            "grammar X; options { variables = 2; }\nstart: [varables | 'x$'];",
            "2:9: parameter `varables` has no default; did you mean `variables`?",
        ),
        (
            "grammar X; options { n = 0; }\nstart: [n | 'x$'];",
            "2:1: rule `start` has no alternative with these parameters",
        ),
        (
            "grammar X; options { n = 4000000000; }\nstart: [n: 'x$'];",
            "2:9: n = 4000000000 is above 10000",
        ),
        (
            "grammar X; options { n = 10000; }\nstart: [n: a a a a a a a a a a a a a a a] [n: a a a a a a a a a a a a a a a]\n\
             [n: a a a a a a a a a a a a a a a] [n: a a a a a a a a a a a a a a a] [n: a a a a a a a a a a a a a a a a]\n\
             [n: a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a]; a: 'x';",
            "4:2: more than 1000000 items with these parameters",
        ),
        (
            "grammar X; options { n = 5000000000; }",
            "1:26: `5000000000` is too large a number",
        ),
        (
            "grammar X; options { colour = red; } start: 'a';",
            "1:22: options are `language = NAME` and numbers, such as `variables = 2`",
        ),
        (
            "grammar X; options { n = 1; n = 2; }",
            "1:29: option `n` stands here twice",
        ),
        (
            "grammar X; options { n = 2; }\nstart: [n: [n: 'x']];",
            "2:12: brackets do not nest: give the inner part a rule of its own",
        ),
        (
            "grammar X; options { n = 2; }\nstart: 'a' [n | 'x'];",
            "2:15: `[NAME | …]` makes alternatives: it has to be the whole alternative",
        ),
        (
            "grammar X;\nstart: 'a' a # comutative;\na: 'b';",
            "2:16: mark `comutative` is not known; did you mean `commutative`?",
        ),
        (
            "grammar X;\nstart: 'a' a # commutative;\na: 'b';",
            "2:8: `# commutative` needs two items that name the same rule",
        ),
        (
            "grammar X;\nstart: 'a' a # interchangeable;\na: 'b';",
            "2:8: `# interchangeable` is for alternatives of literals only",
        ),
        (
            "grammar X;\nstart: A; A: 'a' b; b: 'b';",
            "2:18: a token (a rule with a capital letter) is made of tokens, and `b` is none",
        ),
    ];
    for (text, expected) in cases {
        let error = read(text, &[]).err();
        assert_eq!(error.as_deref(), Some(expected), "{text}");
    }
}

#[test]
fn spaces_go_between_items_but_not_inside_parentheses_and_tokens() {
    let text = "grammar X; start: '(f' a b ',' '(' a ')' ')' Token '\\n' a ';';
        a: 'a'; b: 'b'; Token: Digit '.' Digit; Digit: '1';";
    assert_eq!(programs(text, &[], 9), ["(f a b, (a)) 1.1/a;"]);
}

#[test]
fn brackets_take_turns() {
    let text = "grammar X; options { variables = 2; asserts = 1; }
        start: [variables: 'var x$ = $;\\n'] 'f(' [variables ',': 'x$'] ')\\n' [asserts: 'print' v '\\n'];
        v: [variables | 'x$'] # interchangeable | '\\$' | '$';";
    assert!(
        read(text, &[])
            .unwrap_err()
            .contains("already: every text would come twice")
    );
    let text = text.replace(" | '$'", "");
    assert_eq!(
        programs(&text, &[], 9),
        [
            "var x1 = 1;/var x2 = 2;/f(x1, x2)/print x1/",
            "var x1 = 1;/var x2 = 2;/f(x1, x2)/print x2/",
            "var x1 = 1;/var x2 = 2;/f(x1, x2)/print $/",
        ]
    );
    assert_eq!(
        programs(&text, &[("variables", 1), ("asserts", 2)], 9),
        [
            "var x1 = 1;/f(x1)/print x1/print x1/",
            "var x1 = 1;/f(x1)/print x1/print $/",
            "var x1 = 1;/f(x1)/print $/print x1/",
            "var x1 = 1;/f(x1)/print $/print $/",
        ]
    );
}

#[test]
fn hostile_files_end_in_an_error_or_a_grammar() {
    let many = 60_000;
    let mut chain = String::from("grammar X; start: r0;\n");
    for i in 0..many {
        chain.push_str(&format!("r{i}: r{};\n", i + 1));
    }
    chain.push_str(&format!("r{many}: 'x';"));
    let enumeration = Enumeration::new(read(&chain, &[]).unwrap());
    // The smallest program is larger than what is counted.
    assert!(!enumeration.is_finite());
    let doubled = |depth: usize| {
        let mut text = String::from("grammar X; start: d0;\n");
        for i in 0..depth {
            text.push_str(&format!("d{i}: d{} d{};\n", i + 1, i + 1));
        }
        text + &format!("d{depth}: 'x';")
    };
    let enumeration = Enumeration::new(read(&doubled(60), &[]).unwrap());
    assert_eq!(enumeration.nth(&BigUint::ZERO), None);
    for text in [
        "[", "grammar X; start: [", "grammar X; start: [a", "grammar X; options {", "\u{0}", "🙂",
    ] {
        assert!(read(text, &[]).is_err(), "{text}");
    }
    for depth in [10, 100_000] {
        assert!(read(&format!("grammar X; start: {}", "[n: ".repeat(depth)), &[]).is_err());
        assert!(read(&format!("grammar X; start: {}", "|".repeat(depth)), &[]).is_err());
    }
    assert!(read(&"x".repeat(5 << 20), &[]).is_err());
}
