use super::*;

fn all(text: &str) -> Vec<String> {
    let literal = Literal::read(text).unwrap();
    let nth = |index| {
        let mut out = String::new();
        literal.nth(index, &mut out);
        out
    };
    (0..literal.count()).map(nth).collect()
}

#[test]
fn every_text_of_an_expression_is_numbered() {
    for (expression, texts) in [
        ("abc", "abc"),
        ("a|b|", "a b "),
        ("[a-c]{1,2}", "a b c aa ab ac ba bb bc ca cb cc"),
        ("x(y|z)?", "x xy xz"),
        ("[+|\\-*/]", "* + - / |"),
        ("[]a]", "] a"),
        ("0|[12][01]", "0 10 11 20 21"),
        ("\\.\\d{0}", "."),
    ] {
        assert_eq!(all(expression).join(" "), texts, "{expression}");
    }
}

fn draw(literal: &Literal, turn: Turn, choices: &mut Choices) -> String {
    let mut out = String::new();
    literal.draw(turn, choices, &mut out).unwrap();
    out
}

/// The texts of a pool of `room` places.
fn pool(expression: &str, room: u64, seed: u64) -> Vec<String> {
    let literal = Literal::read(expression).unwrap();
    let mut choices = Choices::seeded(seed, 0);
    let salt = choices.below(1 << 32).unwrap();
    (0..room)
        .map(|place| draw(&literal, Turn::new(place, room, salt), &mut choices))
        .collect()
}

#[test]
fn a_drawn_text_is_one_of_the_texts_and_large_sets_are_no_trouble() {
    let texts = all("(ab?|[cd]{2})[0-3]");
    for seed in 0..10 {
        for text in pool("(ab?|[cd]{2})[0-3]", 7, seed) {
            assert!(texts.contains(&text), "{text}");
        }
    }
    let large = Literal::read("[a-z]{1,1000}(.{1000}){1000}").unwrap();
    assert_eq!(large.count(), u64::MAX);
    let mut choices = Choices::seeded(0, 0).with_limit(500);
    let drawn = large.draw(Turn::new(0, 50, 0), &mut choices, &mut String::new());
    assert_eq!(drawn, Err(Reject::OutOfChoices));
}

#[test]
fn a_text_is_known_as_one_of_an_expression() {
    let expression = "0|[1-9][0-9]{0,2}|x(a|ab)(bc|c){1,2}";
    let literal = Literal::read(expression).unwrap();
    assert_eq!(literal.alternatives().len(), 3);
    let written = split_alternatives(expression);
    assert_eq!(written, ["0", "[1-9][0-9]{0,2}", "x(a|ab)(bc|c){1,2}"]);
    assert_eq!(split_alternatives("[|]|\\||"), ["[|]", "\\|", ""]);
    for text in all(expression) {
        assert!(literal.has(&text), "{text}");
    }
    for text in ["", "00", "1000", "xab", "xabcc0", "é"] {
        assert!(!literal.has(text), "{text}");
    }
    // As they stand: nothing in them is an operator.
    let plain = Literal::of_texts(["%5.1f", "a|b", "(", ""].into_iter());
    for (text, expected) in [("%5.1f", true), ("%5Y1f", false), ("a", false), ("", true)] {
        assert_eq!(plain.has(text), expected, "{text}");
    }
    assert_eq!(plain.count(), 4);
}

#[test]
fn alternatives_are_alike_in_every_pool_however_many_texts_they_have() {
    type Is = fn(&str) -> bool;
    type Kind<'a> = (&'a str, u64, &'a [(Is, usize)]);
    let kinds: [Kind<'_>; 4] = [
        (
            "0|1|[2-9]|[1-9][0-9]{1,3}|0x[1-9a-f][0-9a-f]{1,14}",
            50,
            &[
                (|t| t == "0", 10),
                (|t| t == "1", 10),
                (|t| t.len() == 1 && t > "1", 10),
                (|t| t.len() > 1 && !t.starts_with("0x"), 10),
                (|t| t.starts_with("0x"), 10),
            ],
        ),
        // Alternatives inside alternatives, in sequences and repeated.
        (
            "x|y(a|b|[c-z]{9})|z",
            36,
            &[
                (|t| t == "x", 12),
                (|t| t == "z", 12),
                (|t| t == "ya", 4),
                (|t| t == "yb", 4),
                (|t| t.len() == 10, 4),
            ],
        ),
        (
            "(a|[b-z]{5})(0|[1-9]{5})",
            8,
            &[(|t| t.starts_with('a'), 4), (|t| t.ends_with('0'), 4)],
        ),
        (
            "(-|[a-z]{7})?[0-9]{9}",
            40,
            &[
                (|t| t.len() == 9, 20),
                (|t| t.starts_with('-'), 10),
                (|t| t.len() == 16, 10),
            ],
        ),
    ];
    for (expression, room, kinds) in kinds {
        for seed in 0..20 {
            let pool = pool(expression, room, seed);
            for (number, (is, wanted)) in kinds.iter().enumerate() {
                let found = pool.iter().filter(|text| is(text)).count();
                assert_eq!(found, *wanted, "{expression}, kind {number}, seed {seed}");
            }
        }
    }
}

#[test]
fn alternatives_beside_each_other_are_combined_in_every_way() {
    let texts = |seed| pool("(a|b|c)(0|1|2)[x-z]{9}", 9, seed);
    let pairs: std::collections::BTreeSet<String> = (0..40)
        .flat_map(texts)
        .map(|text| text[..2].to_string())
        .collect();
    assert_eq!(pairs.len(), 9);
}

#[test]
fn a_pool_too_small_for_all_alternatives_draws_them_alike() {
    let mut seen = std::collections::BTreeMap::<String, u32>::new();
    for seed in 0..2000 {
        let text = pool("aaaa|bbbb|cccc|[d-z]{4}", 2, seed).remove(0);
        *seen.entry(text.replace(|c| c > 'c', "*")).or_default() += 1;
    }
    assert_eq!(seen.len(), 4);
    assert!(seen.values().all(|n| (400..600).contains(n)), "{seen:?}");
}

#[test]
fn a_text_weighs_what_its_alternatives_give_it() {
    let weights = |expression: &str| -> Vec<u64> {
        let literal = Literal::read(expression).unwrap();
        let weight = |index| WHOLE / literal.weight(index);
        (0..literal.count()).map(weight).collect()
    };
    assert_eq!(weights("0|[1-4]"), [2, 8, 8, 8, 8]);
    assert_eq!(weights("a|b(c|[de])"), [2, 4, 8, 8]);
    assert_eq!(weights("[ab]{1,2}"), [4, 4, 8, 8, 8, 8]);
    assert_eq!(weights("(a|[bc])x?"), [4, 4, 8, 8, 8, 8]);
}

#[test]
fn what_has_no_end_or_no_sense_is_refused() {
    for (expression, problem) in [
        ("a*", "`*` has no end: say how often at most, such as {1,8}"),
        ("a+", "`+` has no end: say how often at most, such as {1,8}"),
        ("a{3,2}", "expected {m} or {m,n} with m <= n <= 10000"),
        (
            "((a{1000}){1000}){1000}",
            "its texts have up to 1000000000 characters; at most 2097152 are allowed",
        ),
        ("a{x}", "expected a number after `{` or `,`"),
        ("(a", "a group that does not end"),
        ("a)", "`)` without its beginning"),
        ("[a", "a set that does not end"),
        ("[z-a]", "the range z-a is empty"),
        (
            "[^a]",
            "sets that begin with `^` are too large: list what may occur",
        ),
        ("?", "`?` follows nothing (write \\? for itself)"),
        ("a\\", "a `\\` at the end"),
    ] {
        assert_eq!(Literal::read(expression).unwrap_err(), problem);
    }
    let deep = "(".repeat(100_000);
    assert_eq!(
        Literal::read(&deep).unwrap_err(),
        "groups nest more than 50 deep"
    );
}
