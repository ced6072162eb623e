//! The text of a type, without what does not belong to it.

use std::ops::Range;

/// The words and marks of parts of a text, without comments.
pub(super) fn words(text: &[u8], parts: &[Range<usize>]) -> Vec<String> {
    let mut words = Vec::new();
    for part in parts {
        add_words(&text[part.clone()], &mut words);
    }
    words
}

fn add_words(text: &[u8], words: &mut Vec<String>) {
    let is_word =
        |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || byte >= 0x80;
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        let end = if rest.starts_with(b"/*") {
            let close = rest.windows(2).skip(2).position(|pair| pair == b"*/");
            close.map_or(text.len(), |close| at + close + 4)
        } else if rest.starts_with(b"//") {
            at + rest
                .iter()
                .position(|&byte| byte == b'\n')
                .unwrap_or(rest.len())
        } else if rest[0].is_ascii_whitespace() {
            at + 1
        } else {
            let word = rest
                .iter()
                .take_while(|&&byte| is_word(byte))
                .count()
                .max(1);
            words.push(String::from_utf8_lossy(&rest[..word]).into_owned());
            at + word
        };
        at = end.min(text.len());
    }
}

/// `whole` without the parts in `holes`, which are sorted.
pub(super) fn without(whole: Range<usize>, holes: &[Range<usize>]) -> Vec<Range<usize>> {
    let mut parts = Vec::new();
    let mut at = whole.start;
    for hole in holes {
        if hole.end <= at || hole.start >= whole.end {
            continue;
        }
        if hole.start > at {
            parts.push(at..hole.start);
        }
        at = hole.end;
    }
    if at < whole.end {
        parts.push(at..whole.end);
    }
    parts
}
