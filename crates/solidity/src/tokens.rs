//! The words and signs of a text, by which oracles know a program that nobody has read.

use crate::same_code::{Piece, piece};

/// A word or a sign, and where it begins.
pub(crate) type Token<'a> = (usize, &'a str);

/// The words and signs of a text, without comments and spaces.
pub(crate) fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        let word = rest.len()
            - rest
                .trim_start_matches(|c: char| c.is_alphanumeric() || c == '_' || c == '$')
                .len();
        let length = match (word, piece(rest)) {
            (0, Piece::Space(length) | Piece::Comment(length)) => {
                at += length.max(1);
                continue;
            }
            (0, piece) => piece.length().max(1),
            (word, _) => word,
        };
        found.push((at, &rest[..length]));
        at += length;
    }
    found
}
