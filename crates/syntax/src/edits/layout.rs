//! Comments, white space and the preprocessor's lines.

use std::ops::Range;

use super::Source;
use crate::change::{By, Change, Cut};

pub(super) fn changes(source: &Source<'_>) -> Vec<Change> {
    let mut changes = vec![squeezed(source)];
    if source.language.scoped {
        let lines = directives(source.text);
        for line in &lines {
            changes.push(Change::one(
                line.clone(),
                By::NOTHING,
                "remove a directive".to_string(),
            ));
        }
        let cuts = lines.into_iter().map(Cut::out);
        changes.push(Change::of(cuts.collect(), "remove directives".to_string()));
    }
    changes
}

/// Next to these no space is needed.
const CLEAR: &[u8] = b"(){}[];,";

/// Between these and a word no space is needed.
const OPERATORS: &[u8] = b"+-*/%^&|=<>!~?:";

/// True if the tokens that end and begin so are the same side by side.
fn stay_apart(before: u8, after: u8) -> bool {
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let is_operator = |byte: u8| OPERATORS.contains(&byte);
    // `0xe +1` is a sum, `0xe+1` is one strange number.
    let exponent = b"eEpP".contains(&before) && b"+-".contains(&after);
    CLEAR.contains(&before)
        || CLEAR.contains(&after)
        || is_operator(before) && is_word(after)
        || is_word(before) && is_operator(after) && !exponent
}

/// Between two tokens at most one character that is not seen.
fn squeezed(source: &Source<'_>) -> Change {
    let text = source.text;
    let nodes = source.tree.nodes().iter().enumerate();
    let token = |(number, node): &(usize, &crate::Node)| {
        source.is_leaf(*number)
            && !node.range.is_empty()
            && !source.kind(*number).contains("comment")
    };
    let mut cuts = Vec::new();
    let mut done = 0;
    let mut gap = |range: Range<usize>| {
        let Some(between) = text.get(range.clone()) else {
            return;
        };
        let around = [range.start.checked_sub(1), Some(range.end)];
        let around = around.map(|at| at.and_then(|at| text.get(at)));
        let by = match around {
            [Some(_), Some(_)] if between.contains(&b'\n') => b"\n".to_vec(),
            [Some(&before), Some(&after)] if !stay_apart(before, after) => b" ".to_vec(),
            _ => Vec::new(),
        };
        // What the grammar does not see is no gap.
        if is_unseen(&text[range.clone()]) && by.len() < range.len() {
            let by = By::Text(by);
            cuts.push(Cut { range, by });
        }
    };
    for (number, _) in nodes.filter(token) {
        let range = source.range(number);
        if range.start >= done {
            gap(done..range.start);
        }
        done = done.max(range.end);
    }
    if done < text.len() {
        gap(done..text.len());
    }
    Change::of(cuts, "remove comments and white space".to_string()).keeping_meaning()
}

/// True for white space and comments as C has them.
fn is_unseen(text: &[u8]) -> bool {
    let mut rest = text.trim_ascii_start();
    while !rest.is_empty() {
        let end = match rest {
            [b'/', b'*', ..] => rest
                .windows(2)
                .skip(2)
                .position(|two| two == b"*/")
                .map(|at| at + 4),
            [b'/', b'/', ..] => Some(rest.iter().position(|&b| b == b'\n').unwrap_or(rest.len())),
            _ => None,
        };
        match end {
            Some(end) => rest = rest[end..].trim_ascii_start(),
            None => return false,
        }
    }
    true
}

/// The lines of the preprocessor, with what continues them.
fn directives(text: &[u8]) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    let (mut start, mut goes_on) = (0, false);
    for line in text.split_inclusive(|&byte| byte == b'\n') {
        let end = start + line.len();
        match found.last_mut() {
            Some(last) if goes_on => last.end = end,
            _ if line.trim_ascii_start().starts_with(b"#") => found.push(start..end),
            _ => {}
        }
        let directive = found.last().is_some_and(|last| last.end == end);
        goes_on = directive && line.trim_ascii_end().ends_with(b"\\");
        start = end;
    }
    found
}
