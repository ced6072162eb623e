//! What the tables of this crate have in common: rows of words with comments,
//! and sorts in which letters stand for sorts and numbers.
//!
//! `operators.txt`, the fusion functions and the rules of `weaken` are read
//! with this, as are the files of users that are added to them.

use crate::sort::SortTable;

/// Why a text is not a table.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{table}, line {line}: {problem}")]
pub struct TableError {
    /// What the table is of.
    pub table: &'static str,
    /// Counted from 1.
    pub line: usize,
    /// What is wrong there.
    pub problem: String,
}

/// How deep sorts of a table may be nested.
const MAX_DEPTH: usize = 10;

/// Hands every row of a table to `read`, without comments and empty lines.
pub(crate) fn for_rows(
    table: &'static str,
    text: &str,
    mut read: impl FnMut(&str) -> Result<(), String>,
) -> Result<(), TableError> {
    for (at, line) in text.lines().enumerate() {
        let row = line.split(';').next().unwrap_or_default().trim();
        if !row.is_empty() {
            read(row).map_err(|problem| TableError {
                table,
                line: at + 1,
                problem,
            })?;
        }
    }
    Ok(())
}

/// What stands between `#begin` and `#end` in a table, each with the line of
/// its `#begin`. Outside of blocks only comments are allowed.
pub(crate) fn blocks(table: &'static str, text: &str) -> Result<Vec<(usize, String)>, TableError> {
    let mut blocks = Vec::new();
    let mut open: Option<(usize, String)> = None;
    for (at, line) in text.lines().enumerate() {
        let flaw = |problem: &str| {
            Err(TableError {
                table,
                line: at + 1,
                problem: problem.to_string(),
            })
        };
        match (line.trim(), &mut open) {
            ("#begin", None) => open = Some((at + 1, String::new())),
            ("#begin", Some(_)) => return flaw("the block before this one has no `#end`"),
            ("#end", None) => return flaw("`#end` without `#begin`"),
            ("#end", Some(_)) => blocks.extend(open.take()),
            (_, Some((_, text))) => {
                text.push_str(line);
                text.push('\n');
            }
            (line, None) if line.is_empty() || line.starts_with(';') => {}
            _ => return flaw("expected `#begin`, or a comment that starts with `;`"),
        }
    }
    match open {
        Some((line, _)) => Err(TableError {
            table,
            line,
            problem: "the block has no `#end`".to_string(),
        }),
        None => Ok(blocks),
    }
}

/// The words of a row, one after the other; parentheses are words.
pub(crate) struct Words<'a> {
    words: Vec<&'a str>,
    at: usize,
}

/// A sort of a table as it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SortText<'a> {
    /// Its name, or a letter.
    pub(crate) name: &'a str,
    /// What stands for its numbers.
    pub(crate) numbers: Vec<&'a str>,
    /// The sorts it is made of.
    pub(crate) parts: Vec<SortText<'a>>,
}

impl<'a> Words<'a> {
    pub(crate) fn new(row: &'a str) -> Words<'a> {
        let mut words = Vec::new();
        let mut rest = row.trim_start();
        while let Some(first) = rest.chars().next() {
            let length = match first {
                '(' | ')' => 1,
                _ => rest
                    .find(|c: char| c.is_whitespace() || c == '(' || c == ')')
                    .unwrap_or(rest.len()),
            };
            words.push(&rest[..length]);
            rest = rest[length..].trim_start();
        }
        Words { words, at: 0 }
    }

    /// The next word, which stays; empty at the end.
    pub(crate) fn peek(&self) -> &'a str {
        self.words.get(self.at).copied().unwrap_or("")
    }

    /// The next word; empty at the end.
    pub(crate) fn next(&mut self) -> &'a str {
        let word = self.peek();
        self.at += 1;
        word
    }

    /// Takes the next word if it is this one.
    pub(crate) fn skip(&mut self, word: &str) -> bool {
        let found = self.peek() == word;
        self.at += usize::from(found);
        found
    }

    pub(crate) fn expect(&mut self, word: &str) -> Result<(), String> {
        match self.next() {
            found if found == word => Ok(()),
            found => Err(format!("expected `{word}`, found `{found}`")),
        }
    }

    /// How many words were taken.
    pub(crate) fn position(&self) -> usize {
        self.at
    }

    /// The words from a position to the next one, each as it is written.
    pub(crate) fn since(&self, from: usize) -> &[&'a str] {
        &self.words[from..self.at.min(self.words.len())]
    }

    /// Whether there are more words.
    pub(crate) fn is_done(&self) -> bool {
        self.at >= self.words.len()
    }

    /// `S`, `(_ S m)` or `(S T …)`.
    pub(crate) fn sort(&mut self) -> Result<SortText<'a>, String> {
        self.sort_at(0)
    }

    fn sort_at(&mut self, depth: usize) -> Result<SortText<'a>, String> {
        if depth > MAX_DEPTH {
            return Err("sort nested too deep".to_string());
        }
        let mut sort = SortText {
            name: self.next(),
            numbers: Vec::new(),
            parts: Vec::new(),
        };
        match sort.name {
            "" | ")" => return Err("expected a sort".to_string()),
            "(" => sort.name = self.next(),
            _ => return Ok(sort),
        }
        if sort.name == "_" {
            sort.name = self.next();
            while !matches!(self.peek(), ")" | "") {
                sort.numbers.push(self.next());
            }
        }
        while !matches!(self.peek(), ")" | "") {
            sort.parts.push(self.sort_at(depth + 1)?);
        }
        self.expect(")")?;
        Ok(sort)
    }
}

impl<'a> SortText<'a> {
    /// The capital letter that it is, if it is one.
    pub(crate) fn letter(&self) -> Option<u8> {
        match self.name.as_bytes() {
            [letter] if self.is_bare() && letter.is_ascii_uppercase() => Some(*letter),
            _ => None,
        }
    }

    /// True if it is one word.
    pub(crate) fn is_bare(&self) -> bool {
        self.numbers.is_empty() && self.parts.is_empty()
    }

    /// The row of the table that it names.
    pub(crate) fn row<'t>(&self, sorts: &'t SortTable) -> Result<&'t crate::sort::SortRow, String> {
        // `A..` stands for any number of sorts.
        let parts = self.parts.iter().filter(|part| !part.is_rest()).count();
        let found = sorts.find(self.name, self.numbers.len(), parts);
        found.ok_or_else(|| {
            let near = lydite_core::nearest::nearest(self.name, sorts.names());
            let hint = match near {
                Some(near) if near == self.name => "; it takes other numbers or sorts".to_string(),
                Some(near) => format!("; did you mean `{near}`?"),
                None => String::new(),
            };
            format!("unknown sort `{}`{hint}", self.name)
        })
    }

    /// `A..`
    pub(crate) fn is_rest(&self) -> bool {
        self.is_bare() && self.name.ends_with("..") && self.name.len() == 3
    }
}

/// The number of a letter, in the order of first use.
pub(crate) fn slot(letters: &mut Vec<u8>, letter: u8, most: usize) -> Result<u8, String> {
    let at = letters.iter().position(|&known| known == letter);
    let at = at.unwrap_or_else(|| {
        letters.push(letter);
        letters.len() - 1
    });
    match u8::try_from(at) {
        Ok(slot) if at < most => Ok(slot),
        _ => Err(format!("more than {most} different letters")),
    }
}
