//! The preprocessor's lines: what they define, and which parts of a text
//! they keep or leave out.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::token::{comment_end, quoted_end};

/// What the directives of a text say.
#[derive(Clone, Debug, Default)]
pub(super) struct Directives {
    /// Not for the grammar: the directives, and branches that are not read.
    pub blank: Vec<Range<usize>>,
    /// All names that are defined as macros.
    pub macros: BTreeSet<Vec<u8>>,
    /// Those with parameters.
    pub functions: BTreeSet<Vec<u8>>,
    /// The others, with their text.
    pub objects: BTreeMap<Vec<u8>, Vec<u8>>,
    /// From `#if` to `#endif`.
    pub conditional: Vec<Range<usize>>,
}

/// A group from `#if` to `#endif` that is still open.
struct Group {
    start: usize,
    /// One branch is read: the first, unless that is known to be left out.
    found: bool,
    /// Where the branch at hand begins, if it is not read.
    skipped_from: Option<usize>,
}

pub(super) fn read(text: &[u8]) -> Directives {
    let mut directives = Directives::default();
    let mut groups: Vec<Group> = Vec::new();
    let mut at = 0;
    let mut line_start = true;
    let mut first_code = None;
    let mut last_code = 0;
    while at < text.len() {
        match text[at] {
            b'\n' => {
                line_start = true;
                at += 1;
            }
            byte if byte.is_ascii_whitespace() => at += 1,
            b'/' if text[at..].starts_with(b"/*") => at = comment_end(text, at),
            b'/' if text[at..].starts_with(b"//") => at = line_end(text, at),
            b'#' if line_start => {
                let end = directive_end(text, at);
                directives.blank.push(at..end);
                directives.add(text, at..end, &mut groups);
                at = end;
            }
            quote @ (b'"' | b'\'') => {
                line_start = false;
                at = quoted_end(text, at, quote);
                last_code = at;
            }
            _ => {
                line_start = false;
                first_code.get_or_insert(at);
                at += 1;
                last_code = at;
            }
        }
    }
    for group in groups {
        directives.close(group, text.len());
    }
    // A guard around the whole file leaves nothing to chance.
    let first_code = first_code.unwrap_or(0);
    directives
        .conditional
        .retain(|range| range.start > first_code || range.end < last_code);
    directives
}

/// The end of the line, backslashes at its end included.
fn line_end(text: &[u8], mut at: usize) -> usize {
    while at < text.len() {
        match text[at] {
            b'\\' if text[at + 1..].starts_with(b"\r\n") => at += 3,
            b'\\' => at += 2,
            b'\n' => return at,
            _ => at += 1,
        }
    }
    text.len()
}

/// The end of a directive: a comment may reach over its line's end.
fn directive_end(text: &[u8], mut at: usize) -> usize {
    while at < text.len() {
        match text[at] {
            b'\\' if text[at + 1..].starts_with(b"\r\n") => at += 3,
            b'\\' => at += 2,
            b'\n' => return at,
            b'/' if text[at..].starts_with(b"/*") => at = comment_end(text, at),
            b'/' if text[at..].starts_with(b"//") => return line_end(text, at),
            _ => at += 1,
        }
    }
    text.len()
}

impl Directives {
    fn add(&mut self, text: &[u8], range: Range<usize>, groups: &mut Vec<Group>) {
        let line = String::from_utf8_lossy(&text[range.start + 1..range.end]);
        let line = line.trim_start();
        let name_len = line.bytes().take_while(u8::is_ascii_alphabetic).count();
        let (name, rest) = line.split_at(name_len);
        match name {
            "define" => self.define(rest),
            "if" | "ifdef" | "ifndef" => {
                let left_out = is_left_out(name, rest.trim());
                groups.push(Group {
                    start: range.start,
                    found: !left_out,
                    skipped_from: left_out.then_some(range.end),
                });
            }
            "elif" | "else" | "elifdef" | "elifndef" => {
                let Some(group) = groups.last_mut() else {
                    return;
                };
                if let Some(from) = group.skipped_from.take() {
                    self.blank.push(from..range.start);
                }
                match group.found {
                    true => group.skipped_from = Some(range.end),
                    false => group.found = true,
                }
            }
            "endif" => {
                if let Some(group) = groups.pop() {
                    self.close(group, range.start);
                }
            }
            _ => {}
        }
    }

    fn close(&mut self, group: Group, end: usize) {
        if let Some(from) = group.skipped_from {
            self.blank.push(from..end);
        }
        self.conditional.push(group.start..end);
    }

    fn define(&mut self, rest: &str) {
        let rest = rest.trim_start();
        let name_len = rest
            .bytes()
            .take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
            .count();
        let (name, body) = rest.split_at(name_len);
        let name = name.as_bytes().to_vec();
        self.macros.insert(name.clone());
        match body.starts_with('(') {
            true => {
                self.functions.insert(name);
            }
            false => {
                self.objects.insert(name, body.trim().as_bytes().to_vec());
            }
        }
    }
}

/// True for branches that no compiler of C sees.
fn is_left_out(directive: &str, condition: &str) -> bool {
    match directive {
        "ifdef" => condition == "__cplusplus",
        "if" => matches!(
            condition,
            "0" | "defined(__cplusplus)" | "defined __cplusplus"
        ),
        _ => false,
    }
}
