//! Places in spec files, and what can be wrong there.
//!
//! A diagnostic knows where it is; it is shown with its line and a mark below
//! the words at fault, so that a message can be read without an editor.

use std::fmt;

use crate::file::Position;

/// A part of one of the texts that make up a spec: the user's file, or one of
/// the standard library's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Span {
    /// Which text: 0 is the user's.
    pub file: u16,
    /// The first byte.
    pub start: u32,
    /// The byte after the last.
    pub end: u32,
}

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// No program can be made.
    Error,
    /// Surely not meant, but it works.
    Warning,
}

/// One thing that is wrong with a spec, as it is shown: position, message,
/// and the line with a mark.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Diagnostic {
    /// The file's name.
    pub file: String,
    /// Where it begins.
    pub at: Position,
    /// How bad it is.
    pub severity: Severity,
    /// What is wrong, and what would be right.
    pub message: String,
    /// The line of the file, without its end.
    pub line: String,
    /// How many characters are marked; at least one.
    pub width: usize,
}

/// Why a text is not a spec: everything that was found wrong, in the order of
/// the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpecError {
    /// Errors and warnings; at least one error.
    pub diagnostics: Vec<Diagnostic>,
    /// How many there are beyond these.
    pub more: usize,
}

/// A text with its name.
#[derive(Clone, Debug)]
pub(crate) struct Source {
    pub name: String,
    pub text: String,
}

/// A problem before it is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Problem {
    pub severity: Severity,
    pub span: Span,
    pub message: String,
}

impl Span {
    /// From the beginning of this one to the end of `other`.
    pub(crate) fn to(self, other: Span) -> Span {
        Span {
            end: other.end.max(self.end),
            ..self
        }
    }
}

impl SpecError {
    pub(crate) fn one(diagnostic: Diagnostic) -> SpecError {
        SpecError {
            diagnostics: vec![diagnostic],
            more: 0,
        }
    }
}

impl Problem {
    pub(crate) fn error(span: Span, message: impl Into<String>) -> Problem {
        Problem {
            severity: Severity::Error,
            span,
            message: message.into(),
        }
    }

    pub(crate) fn warning(span: Span, message: impl Into<String>) -> Problem {
        Problem {
            severity: Severity::Warning,
            ..Problem::error(span, message)
        }
    }

    /// With the words of the text that it is about.
    pub(crate) fn shown(self, sources: &[Source]) -> Diagnostic {
        let source = &sources[usize::from(self.span.file)];
        let (at, line) = place(&source.text, self.span.start as usize);
        let rest = line.chars().count() + 1 - (at.column as usize).min(line.chars().count());
        let marked = source
            .text
            .get(self.span.start as usize..self.span.end as usize);
        let width = marked.map_or(1, |text| text.chars().count()).clamp(1, rest);
        Diagnostic {
            file: source.name.clone(),
            at,
            severity: self.severity,
            message: self.message,
            line: line.to_string(),
            width,
        }
    }
}

/// The position of a byte, and the line it is in.
pub(crate) fn place(text: &str, offset: usize) -> (Position, &str) {
    let offset = (0..=offset.min(text.len()))
        .rev()
        .find(|&offset| text.is_char_boundary(offset))
        .unwrap_or(0);
    let begin = text[..offset].rfind('\n').map_or(0, |at| at + 1);
    let line = text[begin..].lines().next().unwrap_or("");
    let count = |text: &str| u32::try_from(text.chars().count()).unwrap_or(u32::MAX);
    let lines = text[..begin].bytes().filter(|&byte| byte == b'\n').count();
    let position = Position {
        line: u32::try_from(lines).unwrap_or(u32::MAX).saturating_add(1),
        column: count(&text[begin..offset]).saturating_add(1),
    };
    (position, line)
}

/// Of longer lines the part around the mark is shown.
const SHOWN_COLUMNS: usize = 100;

/// The part of a line that has the marked words, and how many characters of it
/// stand before them.
fn shown_part(line: &str, column: usize, width: usize) -> (String, usize) {
    let whole: Vec<char> = line.replace('\t', " ").chars().collect();
    if column + width <= SHOWN_COLUMNS {
        return (whole.iter().take(SHOWN_COLUMNS).collect(), column);
    }
    // As much before the marked words as there is room for, and a third at least.
    let room = (SHOWN_COLUMNS - 1)
        .saturating_sub(width)
        .max(SHOWN_COLUMNS / 3);
    let from = column.saturating_sub(room);
    let part: String = whole.iter().skip(from).take(SHOWN_COLUMNS).collect();
    match from {
        0 => (part, column),
        _ => (format!("…{part}"), column - from + 1),
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match self.severity {
            Severity::Error => "",
            Severity::Warning => "warning: ",
        };
        writeln!(f, "{}:{}: {kind}{}", self.file, self.at, self.message)?;
        let number = self.at.line.to_string();
        let column = (self.at.column as usize).saturating_sub(1);
        let (line, before) = shown_part(&self.line, column, self.width);
        writeln!(f, " {number} | {line}")?;
        let (margin, before) = (" ".repeat(number.len()), " ".repeat(before));
        let room = line.chars().count().saturating_sub(before.len()).max(1);
        let marks = "^".repeat(self.width.min(room));
        writeln!(f, " {margin} | {before}{marks}")?;
        Ok(())
    }
}

impl fmt::Display for SpecError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for diagnostic in &self.diagnostics {
            write!(f, "{diagnostic}")?;
        }
        match self.more {
            0 => Ok(()),
            more => writeln!(f, "and {more} more"),
        }
    }
}

impl std::error::Error for SpecError {}
