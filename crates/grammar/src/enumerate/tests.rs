//! Counts, order, random access and walks against naive expansion and closed
//! forms.

use std::collections::BTreeMap;

use lydite_core::{BigUint, Choices};

use super::{Derivation, Enumeration};
use crate::built_in::BUILT_IN;
use crate::classes::{Classes, Unique};
use crate::file::GrammarFile;
use crate::grammar::{Grammar, RuleId};

fn grammar(text: &str, parameters: &[(&str, u32)]) -> Grammar {
    let file = GrammarFile::read(text).unwrap();
    let known = |name: &str| file.parameters().iter().any(|(other, _)| other == name);
    let set: BTreeMap<String, u32> = parameters
        .iter()
        .filter(|(name, _)| known(name))
        .map(|(name, value)| (name.to_string(), *value))
        .collect();
    file.grammar(&set).unwrap()
}

fn enumeration(text: &str) -> Enumeration {
    Enumeration::new(grammar(text, &[]))
}

/// All programs of a rule of one size, in order, the plain way.
fn expand(grammar: &Grammar, rule: RuleId, size: u32) -> Vec<String> {
    let mut all = Vec::new();
    for id in grammar.rules[rule as usize].productions.clone() {
        let production = &grammar.productions[id as usize];
        let first = production.texts[0].to_string();
        let rest: Vec<(RuleId, &str)> = production
            .symbols
            .iter()
            .zip(&production.texts[1..])
            .map(|(symbol, text)| (*symbol, &**text))
            .collect();
        if size > 0 {
            all.extend(expand_all(grammar, &rest, size - 1, &first));
        }
    }
    all
}

fn expand_all(grammar: &Grammar, rest: &[(RuleId, &str)], size: u32, before: &str) -> Vec<String> {
    let Some(((symbol, text), rest)) = rest.split_first() else {
        return if size == 0 {
            vec![before.to_string()]
        } else {
            Vec::new()
        };
    };
    let mut all = Vec::new();
    for head in 1..=size {
        for made in expand(grammar, *symbol, head) {
            let before = format!("{before}{made}{text}");
            all.extend(expand_all(grammar, rest, size - head, &before));
        }
    }
    all
}

fn walked(enumeration: &Enumeration, index: u64, count: usize) -> Vec<String> {
    let walk = enumeration.walk(&BigUint::from(index), u32::MAX);
    let mut walk = walk.expect("there are programs");
    let mut all = Vec::new();
    loop {
        all.push(String::from_utf8(walk.text().to_vec()).unwrap());
        if all.len() == count || !walk.advance() {
            return all;
        }
    }
}

#[test]
fn counts_and_order_are_those_of_naive_expansion_up_to_size_7() {
    for built_in in BUILT_IN {
        for variables in [1, 2, 3] {
            let grammar = grammar(built_in.text, &[("variables", variables)]);
            let enumeration = Enumeration::new(grammar.clone());
            let mut expanded = Vec::new();
            for size in 1..=7 {
                let same = expand(&grammar, grammar.start, size);
                let counted = enumeration.count(size);
                assert_eq!(
                    counted,
                    BigUint::from(same.len()),
                    "{} {size}",
                    built_in.name
                );
                expanded.extend(same);
            }
            assert!(!expanded.is_empty(), "{}", built_in.name);
            assert_eq!(enumeration.count_up_to(7), BigUint::from(expanded.len()));
            assert!(
                walked(&enumeration, 0, expanded.len()) == expanded,
                "{}",
                built_in.name
            );
            for (index, text) in expanded.iter().enumerate().step_by(7) {
                let derivation = enumeration.nth(&BigUint::from(index)).unwrap();
                assert_eq!(enumeration.text(&derivation), text.as_bytes());
            }
        }
    }
}

#[test]
fn closed_forms_hold() {
    let trees = enumeration("grammar Trees; start: 'x' | '(' start start ')';");
    let mut catalan = BigUint::ONE;
    for n in 0..200u32 {
        assert_eq!(trees.count(2 * n + 1), catalan, "{n}");
        assert_eq!(trees.count(2 * n + 2), BigUint::ZERO);
        catalan = catalan * BigUint::from(4 * n + 2) / BigUint::from(n + 2);
    }
    let words = enumeration("grammar Words; start: '.' | 'a' start | 'b' start | 'c' start;");
    for n in 0..200usize {
        assert_eq!(words.count(n as u32 + 1), BigUint::from(3u8).pow(n));
    }
    let lists = enumeration("grammar Fibonacci; start: | 'a' start | 'b' two; two: start;");
    let (mut a, mut b) = (BigUint::ONE, BigUint::ONE);
    for n in 1..200 {
        assert_eq!(lists.count(n), a, "{n}");
        (a, b) = (b.clone(), a + b);
    }
}

#[test]
fn a_finite_language_ends() {
    let bits = enumeration("grammar Bits; start: Bit Bit Bit; Bit: '0' | '1';");
    assert!(bits.is_finite());
    assert_eq!(bits.largest_size(), 4);
    assert_eq!(bits.count_up_to(100), BigUint::from(8u8));
    let all = [
        "0 0 0", "0 0 1", "0 1 0", "0 1 1", "1 0 0", "1 0 1", "1 1 0", "1 1 1",
    ];
    assert_eq!(walked(&bits, 0, 100), all);
    assert_eq!(walked(&bits, 6, 100), all[6..]);
    assert_eq!(bits.nth(&BigUint::from(8u8)), None);
    assert!(bits.walk(&BigUint::from(8u8), u32::MAX).is_none());
}

/// Indices from small to beyond `10^digits`.
fn indices(digits: usize, count: u64) -> Vec<BigUint> {
    let mut choices = Choices::seeded(7, digits as u64);
    (0..count)
        .map(|_| {
            let digits = choices.index(digits + 1).unwrap();
            choices.below_big(&BigUint::from(10u8).pow(digits)).unwrap()
        })
        .collect()
}

#[test]
fn index_of_undoes_nth_up_to_10_to_the_300() {
    for built_in in BUILT_IN {
        let enumeration = enumeration(built_in.text);
        for index in indices(300, 400) {
            let (mut derivation, mut text) = (Derivation::default(), Vec::new());
            assert!(enumeration.write_nth(&index, &mut derivation, &mut text));
            assert_eq!(enumeration.index_of(&derivation), Some(index));
            assert_eq!(enumeration.text(&derivation), text);
            let (size, _) = enumeration
                .place(&enumeration.index_of(&derivation).unwrap())
                .unwrap();
            assert_eq!(derivation.size(), size as usize);
        }
    }
}

#[test]
fn index_of_undoes_nth_beyond_10_to_the_1700() {
    let text = "grammar Wide; options { leaves = 1000; }
        start: [leaves | 'x$'] | '(' start start ')' | '-' start;";
    let enumeration = enumeration(text);
    for index in indices(1800, 300) {
        let derivation = enumeration.nth(&index).unwrap();
        assert_eq!(enumeration.index_of(&derivation), Some(index));
    }
}

#[test]
fn without_room_for_running_sums_the_same_programs_are_found() {
    for built_in in BUILT_IN {
        let roomy = enumeration(built_in.text);
        for room in [0, 20_000] {
            let narrow = Enumeration::with_room(grammar(built_in.text, &[]), room);
            for index in indices(100, 60) {
                let derivation = narrow.nth(&index).unwrap();
                assert_eq!(Some(&derivation), roomy.nth(&index).as_ref());
                assert_eq!(narrow.index_of(&derivation), Some(index));
            }
        }
    }
}

#[test]
fn a_walk_goes_where_nth_goes() {
    for built_in in BUILT_IN {
        let enumeration = enumeration(built_in.text);
        let mut starts = indices(300, 20);
        // Over the edge between two sizes.
        starts.push(enumeration.count_up_to(40) - BigUint::from(20u8));
        for start in starts {
            let mut walk = enumeration.walk(&start, u32::MAX).unwrap();
            for step in 0..40u32 {
                let index = &start + BigUint::from(step);
                let derivation = enumeration.nth(&index).unwrap();
                assert_eq!(walk.text(), enumeration.text(&derivation), "{index}");
                assert_eq!(walk.derivation(), derivation);
                assert!(walk.advance());
            }
        }
    }
}

#[test]
fn there_are_no_duplicates_in_the_first_million() {
    for built_in in BUILT_IN {
        let enumeration = enumeration(built_in.text);
        let mut walk = enumeration.walk(&BigUint::ZERO, u32::MAX).unwrap();
        let mut hashes: Vec<u128> = Vec::with_capacity(1_000_000);
        while hashes.len() < 1_000_000 {
            let hash =
                walk.text()
                    .iter()
                    .fold(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d, |hash, byte| {
                        (hash ^ u128::from(*byte)).wrapping_mul(0x0100_0000_0000_0000_0000_013b)
                    });
            hashes.push(hash);
            assert!(walk.advance());
        }
        hashes.sort_unstable();
        let twice = hashes.windows(2).filter(|pair| pair[0] == pair[1]).count();
        assert_eq!(twice, 0, "{}", built_in.name);
    }
}

#[test]
fn a_chain_as_long_as_the_largest_size_is_no_trouble() {
    let chain = enumeration("grammar Chain; start: 'x' | '-' start;");
    let last = BigUint::from(super::MAX_SIZE - 1);
    let derivation = chain.nth(&last).unwrap();
    assert_eq!(derivation.size(), super::MAX_SIZE as usize);
    assert_eq!(chain.index_of(&derivation), Some(last.clone()));
    assert_eq!(chain.nth(&(last.clone() + BigUint::ONE)), None);
    let mut walk = chain.walk(&last, u32::MAX).unwrap();
    assert!(!walk.advance());
    assert_eq!(chain.nth(&BigUint::from(10u8).pow(275)), None);
}

#[test]
fn classes_have_one_least_derivation_each() {
    for built_in in BUILT_IN {
        for variables in [1, 2, 3] {
            let grammar = grammar(built_in.text, &[("variables", variables)]);
            for unique in ["no", "renaming", "commutativity", "renaming,commutativity"] {
                let unique: Unique = unique.parse().unwrap();
                let classes = Classes::new(&grammar, unique).unwrap();
                let enumeration = Enumeration::new(grammar.clone());
                let mut least = vec![BigUint::ZERO; 8];
                let mut walk = enumeration.walk(&BigUint::ZERO, 7).unwrap();
                loop {
                    if classes.is_least(&grammar, &walk.derivation()) {
                        least[walk.size() as usize] += BigUint::ONE;
                    }
                    if !walk.advance() {
                        break;
                    }
                }
                let counted = classes.count(&grammar, 7).unwrap();
                assert_eq!(counted, least, "{} {unique:?}", built_in.name);
            }
        }
    }
}

#[test]
fn exchanging_and_renaming_lead_to_the_same_class() {
    let text = "grammar Sums; options { variables = 3; }
        start: '(=' sum sum ')' # commutative;
        sum: [variables | 'x$'] # interchangeable | '(+' sum sum sum ')' # commutative | '(-' sum sum ')';";
    let grammar = grammar(text, &[]);
    let both: Unique = "renaming,commutativity".parse().unwrap();
    let classes = Classes::new(&grammar, both).unwrap();
    let enumeration = Enumeration::new(grammar.clone());
    let mut least = Vec::new();
    let mut walk = enumeration.walk(&BigUint::ZERO, 6).unwrap();
    loop {
        if classes.is_least(&grammar, &walk.derivation()) {
            least.push(String::from_utf8(walk.text().to_vec()).unwrap());
        }
        if !walk.advance() {
            break;
        }
    }
    let expected = [
        "(= x1 x1)", "(= x1 x2)", // Size 5: one difference.
        "(= x1 (- x1 x1))", "(= x1 (- x1 x2))", "(= x1 (- x2 x1))", "(= x1 (- x2 x2))",
        "(= x1 (- x2 x3))", // Size 6: one sum of three.
        "(= x1 (+ x1 x1 x1))", "(= x1 (+ x1 x1 x2))", "(= x1 (+ x1 x2 x2))", "(= x1 (+ x1 x2 x3))",
        "(= x1 (+ x2 x2 x2))", "(= x1 (+ x2 x2 x3))",
    ];
    assert_eq!(least, expected);
    let counted = classes.count(&grammar, 6).unwrap();
    assert_eq!(
        counted.iter().map(|n| n.to_string()).collect::<Vec<_>>(),
        ["0", "0", "0", "2", "0", "5", "6"]
    );
}
