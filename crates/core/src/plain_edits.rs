//! Smaller forms of a program of which only the surface is known: lines, brackets,
//! words. Most are no programs any more; whoever runs them says so.

use crate::{Edit, Program};

/// Larger programs are made smaller by other means first.
const MAX_BYTES: usize = 64 << 10;

/// A part of the text, and what may take its place.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Cut {
    from: usize,
    to: usize,
    with: Replacement,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Replacement {
    Nothing,
    Word(&'static str),
    /// A part of the text inside.
    Part(usize, usize),
}

/// All of them, largest cut first.
pub(crate) fn edits(program: &Program) -> impl Iterator<Item = Edit> + use<> {
    let program = program.clone();
    let text = String::from_utf8(program.source().text.to_vec()).ok();
    let text = text
        .filter(|text| text.len() <= MAX_BYTES)
        .unwrap_or_default();
    let words = words(&text);
    let mut cuts = lines(&text, &words);
    cuts.extend(brackets(&text, &words));
    cuts.extend(single_words(&text, &words));
    cuts.retain(|cut| cut.kept() < cut.to - cut.from);
    cuts.sort_by_key(|cut| std::cmp::Reverse(cut.to - cut.from - cut.kept()));
    cuts.dedup();
    cuts.into_iter().map(move |cut| {
        let mut smaller = program.clone();
        if let Some(file) = smaller.files.first_mut() {
            file.text = cut.apply(&text).into_bytes().into();
        }
        Edit {
            what: format!("cut bytes {} to {}", cut.from, cut.to),
            program: smaller,
            keeps_meaning: false,
        }
    })
}

impl Cut {
    fn kept(&self) -> usize {
        match self.with {
            Replacement::Nothing => 0,
            Replacement::Word(word) => word.len(),
            Replacement::Part(from, to) => to - from,
        }
    }

    fn apply(&self, text: &str) -> String {
        let with = match self.with {
            Replacement::Nothing => "",
            Replacement::Word(word) => word,
            Replacement::Part(from, to) => &text[from..to],
        };
        [&text[..self.from], with, &text[self.to..]].concat()
    }
}

/// Where words begin and end: names and numbers, quoted texts, single marks.
fn words(text: &str) -> Vec<(usize, usize)> {
    let bytes = text.as_bytes();
    let mut all = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_' || *byte >= 0x80;
        let length = match bytes[at] {
            quote @ (b'"' | b'\'' | b'`') => quoted(&bytes[at..], quote),
            byte if is_name(&byte) => bytes[at..].iter().take_while(|b| is_name(b)).count(),
            _ => 1,
        };
        if !bytes[at].is_ascii_whitespace() {
            all.push((at, at + length));
        }
        at += length;
    }
    all
}

/// How long a quoted text is; a quote that does not end in its line is a mark.
fn quoted(bytes: &[u8], quote: u8) -> usize {
    let mut at = 1;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'\n' => return 1,
            b'\\' => at += 1,
            byte if byte == quote => return at + 1,
            _ => {}
        }
        at += 1;
    }
    1
}

/// Runs of lines, as many as half of all down to one, whose brackets are even.
fn lines(text: &str, words: &[(usize, usize)]) -> Vec<Cut> {
    let mut ends: Vec<usize> = vec![0];
    ends.extend(text.match_indices('\n').map(|(at, _)| at + 1));
    if ends.last() != Some(&text.len()) {
        ends.push(text.len());
    }
    let count = ends.len() - 1;
    let mut cuts = Vec::new();
    let mut size = count / 2;
    while size > 0 {
        for first in (0..count).step_by(size.div_ceil(2)) {
            let (from, to) = (ends[first], ends[(first + size).min(count)]);
            if is_even(text, words, from, to) {
                let with = Replacement::Nothing;
                cuts.push(Cut { from, to, with });
            }
        }
        size /= 2;
    }
    cuts
}

/// The words between two places.
fn between(words: &[(usize, usize)], from: usize, to: usize) -> &[(usize, usize)] {
    let first = words.partition_point(|(begin, _)| *begin < from);
    let last = words.partition_point(|(begin, _)| *begin < to);
    &words[first..last.max(first)]
}

fn is_even(text: &str, words: &[(usize, usize)], from: usize, to: usize) -> bool {
    let mut depth = 0i64;
    for &(begin, end) in between(words, from, to) {
        depth += bracket(&text[begin..end]);
        if depth < 0 {
            return false;
        }
    }
    depth == 0
}

/// 1 for a bracket that opens, -1 for one that closes.
fn bracket(word: &str) -> i64 {
    match word {
        "(" | "[" | "{" => 1,
        ")" | "]" | "}" => -1,
        _ => 0,
    }
}

/// What is in brackets: gone, nothing but a number, one of its parts, or bare. With
/// the name before it, if it is a call.
fn brackets(text: &str, words: &[(usize, usize)]) -> Vec<Cut> {
    let mut open: Vec<usize> = Vec::new();
    let mut cuts = Vec::new();
    for (at, &(begin, end)) in words.iter().enumerate() {
        match bracket(&text[begin..end]) {
            1 => open.push(at),
            -1 => {
                let Some(first) = open.pop() else {
                    continue;
                };
                cuts.extend(of_pair(text, words, first, at));
            }
            _ => {}
        }
    }
    cuts
}

fn of_pair(text: &str, words: &[(usize, usize)], first: usize, last: usize) -> Vec<Cut> {
    let (inner_from, inner_to) = (words[first].1, words[last].0);
    let to = words[last].1;
    let mut begins = vec![words[first].0];
    if let Some(&(begin, end)) = first.checked_sub(1).and_then(|before| words.get(before))
        && end == words[first].0
        && text[begin..end].starts_with(|c: char| c.is_ascii_alphabetic())
    {
        begins.push(begin);
    }
    let mut all = Vec::new();
    for from in begins {
        let mut add = |with| all.push(Cut { from, to, with });
        add(Replacement::Nothing);
        add(Replacement::Word("0"));
        add(Replacement::Word("()"));
        add(Replacement::Word("{}"));
        add(Replacement::Part(inner_from, inner_to));
        for (from, to) in parts(text, words, first, last) {
            add(Replacement::Part(from, to));
        }
    }
    all
}

/// What marks separate, one level inside a pair of brackets.
fn parts(text: &str, words: &[(usize, usize)], first: usize, last: usize) -> Vec<(usize, usize)> {
    let mut all = Vec::new();
    let mut depth = 0i64;
    let mut from = words[first].1;
    for &(begin, end) in &words[first + 1..last] {
        let word = &text[begin..end];
        depth += bracket(word);
        if depth == 0 && matches!(word, "," | ";" | "?" | ":" | "|" | "&" | "=") {
            all.push((from, begin));
            from = end;
        }
    }
    if !all.is_empty() {
        all.push((from, words[last].0));
    }
    all
}

/// Single words and pairs of them.
fn single_words(text: &str, words: &[(usize, usize)]) -> Vec<Cut> {
    let mut cuts = Vec::new();
    for (at, &(from, to)) in words.iter().enumerate() {
        if bracket(&text[from..to]) != 0 {
            continue;
        }
        let with = Replacement::Nothing;
        cuts.push(Cut { from, to, with });
        if to - from > 1 {
            let with = Replacement::Word("0");
            cuts.push(Cut { from, to, with });
        }
        for &(_, to) in words.iter().skip(at + 1).take(3) {
            if is_even(text, words, from, to) {
                let with = Replacement::Nothing;
                cuts.push(Cut { from, to, with });
            }
        }
    }
    cuts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &str) -> Vec<String> {
        let program = Program::single("case.x", text.as_bytes().to_vec());
        let texts = edits(&program).map(|edit| edit.program.source().text.to_vec());
        texts.map(|text| String::from_utf8(text).unwrap()).collect()
    }

    #[test]
    fn lines_brackets_and_words_are_cut() {
        let smaller = all("a = f(1, \"x)\")\nif (b) {\n  c\n}\nd\n");
        for wanted in [
            "if (b) {\n  c\n}\nd\n",
            "a = f(1, \"x)\")\nif (b) {\n}\nd\n",
            "a = f(1, \"x)\")\nif (b) {\n  c\n}\n",
            "a = 0\nif (b) {\n  c\n}\nd\n",
            "a = f(1)\nif (b) {\n  c\n}\nd\n",
            "a =  \"x)\"\nif (b) {\n  c\n}\nd\n",
            "a = f(1, \"x)\")\nif b {\n  c\n}\nd\n",
        ] {
            assert!(smaller.iter().any(|text| text == wanted), "{wanted}");
        }
        // An open brace is not cut without its end.
        assert!(
            !smaller
                .iter()
                .any(|text| text.contains("  c\n}\n") && !text.contains('{'))
        );
        let sizes: Vec<usize> = smaller.iter().map(String::len).collect();
        assert!(sizes.is_sorted());
    }

    #[test]
    fn hostile_texts_are_no_trouble() {
        for text in ["", ")", "((((", "\"", "\\", "é\u{0}'", "}{)("] {
            for smaller in all(text) {
                assert!(smaller.len() <= text.len() + 2, "{text}");
            }
        }
        let bad = Program::single("case.x", vec![0xff, b'(', b')']);
        assert_eq!(edits(&bad).count(), 0);
    }
}
