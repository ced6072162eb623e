//! Membership against its definition, replacement, hostile expressions.

use super::*;
use lydite_core::{Choices, Reject};

fn s(text: &str) -> Vec<u32> {
    text.chars().map(|c| c as u32).collect()
}

fn lit(text: &str) -> Regex {
    Regex::literal(s(text).into())
}

/// All words over {a, b} of up to four letters.
fn words() -> Vec<Vec<u32>> {
    let mut words = vec![Vec::new()];
    for i in 0..15 {
        for letter in ['a', 'b'] {
            let mut word: Vec<u32> = words[i].clone();
            word.push(letter as u32);
            words.push(word);
        }
    }
    words
}

/// Membership straight from the definition, exponential and recursive.
fn naive(nodes: &[Node], node: u32, w: &[u32]) -> bool {
    let splits = |f: &dyn Fn(&[u32], &[u32]) -> bool| (0..=w.len()).any(|i| f(&w[..i], &w[i..]));
    match &nodes[node as usize] {
        Node::Nothing => false,
        Node::All => true,
        Node::Range(low, high) => matches!(w, [c] if low <= c && c <= high),
        Node::Literal(text) => **text == *w,
        Node::Concat(a, b) => splits(&|u, v| naive(nodes, *a, u) && naive(nodes, *b, v)),
        Node::Union(a, b) => naive(nodes, *a, w) || naive(nodes, *b, w),
        Node::Inter(a, b) => naive(nodes, *a, w) && naive(nodes, *b, w),
        Node::Diff(a, b) => naive(nodes, *a, w) && !naive(nodes, *b, w),
        Node::Complement(a) => !naive(nodes, *a, w),
        Node::Loop(a, low, high) => naive_loop(nodes, *a, *low, *high, w),
    }
}

fn naive_loop(nodes: &[Node], a: u32, low: u64, high: Option<u64>, w: &[u32]) -> bool {
    if w.is_empty() && (low == 0 || naive(nodes, a, w)) {
        return true;
    }
    let high = high.unwrap_or(low + 6);
    high > 0
        && (0..=w.len()).any(|i| {
            (i > 0 || low > 0)
                && naive(nodes, a, &w[..i])
                && naive_loop(nodes, a, low.saturating_sub(1), Some(high - 1), &w[i..])
        })
}

fn random(choices: &mut Choices, size: u32) -> Result<Regex, Reject> {
    if size == 0 {
        return Ok(match choices.below(6)? {
            0 => lit("a"),
            1 => lit("b"),
            2 => lit(""),
            3 => Regex::all_char(),
            4 => lit("ab"),
            _ => Regex::all(),
        });
    }
    let left = size - 1 - choices.below(u64::from(size))? as u32;
    let a = random(choices, left)?;
    let refused = |_| Reject::NotApplicable("too large");
    let b = random(choices, size - 1 - left)?;
    match choices.below(6)? {
        0 => Regex::concat(&[&a, &b]),
        1 => Regex::union(&[&a, &b]),
        2 => Regex::inter(&[&a, &b]),
        3 => Regex::diff(&[&a, &b]),
        4 => a.complement(),
        _ => {
            let low = choices.below(3)?;
            let high = choices.below(4)?;
            a.repeat(low, (high < 3).then_some(high))
        }
    }
    .map_err(refused)
}

#[test]
fn membership_is_its_definition_on_small_words() {
    let mut accepted = 0;
    for index in 0..1500 {
        let mut choices = Choices::seeded(11, index);
        let size = choices.below(7).unwrap() as u32;
        let regex = random(&mut choices, size).unwrap();
        for word in words() {
            let root = regex.nodes.len() as u32 - 1;
            let expected = naive(&regex.nodes, root, &word);
            accepted += u32::from(expected);
            assert_eq!(regex.matches(&word), Ok(expected), "{regex:?} {word:?}");
        }
    }
    assert!(accepted > 5000);
}

#[test]
fn replacing_takes_the_shortest_leftmost_match() {
    let star = lit("a").repeat(0, None).unwrap();
    let plus = lit("a").repeat(1, None).unwrap();
    let ab = Regex::union(&[&lit("b"), &lit("ab"), &lit("abb")]).unwrap();
    for (regex, text, by, first, all) in [
        (&star, "baa", "x", "xbaa", "bxx"),
        (&plus, "baa", "x", "bxa", "bxx"),
        (&plus, "bbb", "x", "bbb", "bbb"),
        (&ab, "cabb", "x", "cxb", "cxx"),
        (&star, "", "x", "x", ""),
    ] {
        assert_eq!(regex.replace(&s(text), &s(by)), Ok(s(first)), "{text}");
        assert_eq!(regex.replace_all(&s(text), &s(by)), Ok(s(all)), "{text}");
    }
    assert_eq!(plus.index_of(&s("bba"), 1), Ok(Some(2)));
    assert_eq!(star.index_of(&s("bba"), 1), Ok(Some(1)));
    assert_eq!(plus.index_of(&s("bb"), 0), Ok(None));
}

#[test]
fn hostile_bounds_and_nesting_cost_little() {
    let huge = lit("a").repeat(1 << 60, Some(1 << 62)).unwrap();
    assert_eq!(huge.matches(&s("aaa")), Ok(false));
    let optional = lit("a").repeat(0, Some(1)).unwrap();
    let huge = optional.repeat(1 << 60, Some(1 << 62)).unwrap();
    assert_eq!(huge.matches(&s("aaa")), Ok(true));
    let mut nested = lit("a");
    for _ in 0..2000 {
        nested = nested.complement().unwrap();
    }
    assert_eq!(nested.matches(&s("a")), Ok(true));
    // (a|aa|…)* and the like, exponential for naive search.
    let mut deep = lit("a");
    for _ in 0..12 {
        let twice = Regex::concat(&[&deep, &deep]).unwrap();
        deep = Regex::union(&[&deep, &twice]).unwrap();
    }
    assert!(
        deep.repeat(0, None)
            .unwrap()
            .matches(&s(&"a".repeat(30)))
            .is_ok()
    );
    assert!(Regex::all().matches(&vec![97; 100_000]).is_ok());
    // A long string is fine where little is asked of it.
    let star = Regex::range(&s("a"), &s("z")).repeat(0, None).unwrap();
    assert_eq!(
        star.complement().unwrap().matches(&vec![97; 2000]),
        Ok(false)
    );
    assert!(
        star.complement()
            .unwrap()
            .repeat(0, None)
            .unwrap()
            .matches(&vec![97; 50_000])
            .is_err()
    );
}
