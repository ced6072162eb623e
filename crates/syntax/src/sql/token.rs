//! The words and marks of a text of SQL, as all databases have them.

use std::ops::Range;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A keyword or a name, quoted or not.
    Word,
    Number,
    /// A literal in quotes.
    Text,
    Mark,
}

/// One token and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) range: Range<usize>,
}

/// Marks of two characters.
const PAIRS: [&[u8]; 7] = [b"<>", b"<=", b">=", b"!=", b"||", b"::", b"->"];

/// All tokens; white space and comments are between them.
pub(super) fn tokens(text: &[u8]) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        if let Some(length) = unseen(rest) {
            at += length;
            continue;
        }
        let (kind, length) = token(rest);
        tokens.push(Token {
            kind,
            range: at..at + length,
        });
        at += length;
    }
    tokens
}

/// The length of the white space or comment that begins here, if one does.
fn unseen(rest: &[u8]) -> Option<usize> {
    match rest {
        [b'-', b'-', ..] => Some(until(rest, b"\n", 2)),
        [b'/', b'*', ..] => Some(until(rest, b"*/", 2)),
        [first, ..] if first.is_ascii_whitespace() => Some(1),
        _ => None,
    }
}

fn token(rest: &[u8]) -> (Kind, usize) {
    let run = |fits: fn(&u8) -> bool| rest.iter().take_while(|byte| fits(byte)).count();
    match rest[0] {
        quote @ b'\'' => (Kind::Text, quoted(rest, quote)),
        quote @ (b'"' | b'`') => (Kind::Word, quoted(rest, quote)),
        b'$' => match dollar_quoted(rest) {
            Some(length) => (Kind::Text, length),
            None => (Kind::Mark, 1),
        },
        first if first.is_ascii_digit() => (
            Kind::Number,
            run(|byte| byte.is_ascii_alphanumeric() || *byte == b'.'),
        ),
        first if is_of_word(&first) => (Kind::Word, run(is_of_word)),
        _ if PAIRS.iter().any(|pair| rest.starts_with(pair)) => (Kind::Mark, 2),
        _ => (Kind::Mark, 1),
    }
}

fn is_of_word(byte: &u8) -> bool {
    byte.is_ascii_alphanumeric() || *byte == b'_' || *byte >= 0x80
}

/// The length up to and with `end`, looked for from `from` on; all of the rest
/// if it is not there.
fn until(rest: &[u8], end: &[u8], from: usize) -> usize {
    let found = rest[from..].windows(end.len()).position(|part| part == end);
    found.map_or(rest.len(), |at| from + at + end.len())
}

/// Two quotes in a row are one that does not end the text.
fn quoted(rest: &[u8], quote: u8) -> usize {
    let mut at = 1;
    while at < rest.len() {
        match (rest[at] == quote, rest.get(at + 1) == Some(&quote)) {
            (true, true) => at += 2,
            (true, false) => return at + 1,
            _ => at += 1,
        }
    }
    rest.len()
}

/// `$tag$ … $tag$`.
fn dollar_quoted(rest: &[u8]) -> Option<usize> {
    let tag = 1 + rest[1..].iter().take_while(|byte| is_of_word(byte)).count();
    (rest.get(tag) == Some(&b'$')).then(|| until(rest, &rest[..=tag], tag + 1))
}
