//! Reading scripts: SMT-LIB 2.6 and 2.7, and what z3 and cvc5 users write.
//!
//! Everything is iterative and linear: a million nested parentheses and a
//! file of hundreds of megabytes are fine. Numbers stay text.

mod command;
mod error;
mod lexer;
mod make;
mod names;
mod parser;
mod script;
mod sort_parser;
mod symbols;
mod term_parser;

use std::borrow::Cow;

pub use command::{Command, CommandKind, Constructor, Datatype, DatatypeForm, Definition};
pub use error::{ParseError, Place, Problem};
pub(crate) use lexer::{Kind, Lexer, is_field_literal, is_simple_symbol};
pub use names::declared_symbols;
pub(crate) use parser::Parser;
pub(crate) use script::Node;
pub use script::{
    Attribute, AttributeValue, Binder, Binding, Identifier, IdentifierId, Index, Literal,
    MatchCase, Script, Sexpr, SexprId, SortExpr, SortId, Term, TermId, Variable,
};
pub use symbols::{Symbol, Symbols};

/// A stretch of one of the arena's vectors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Range {
    pub(crate) start: u32,
    pub(crate) len: u32,
}

impl Range {
    /// The stretch of `len` items that is about to be appended at `start`.
    pub(crate) fn next(start: usize, len: usize) -> Range {
        Range {
            start: index(start),
            len: index(len),
        }
    }

    pub(crate) fn indices(self) -> std::ops::Range<usize> {
        self.start as usize..self.start as usize + self.len as usize
    }
}

/// An arena index. Texts above 4 GiB are refused and every node takes a byte
/// of text or an append by one of our own edits, so this holds.
pub(crate) fn index(at: usize) -> u32 {
    u32::try_from(at).expect("an arena holds fewer than 2^32 items")
}

/// Reads a script.
///
/// Bytes that are not UTF-8 (old benchmarks have Latin-1 names in their
/// `:source`) are read as Latin-1.
pub fn parse(text: &[u8]) -> Result<Script, ParseError> {
    let text = decode(text)?;
    parse_str(&text)
}

/// Reads a script.
pub fn parse_str(text: &str) -> Result<Script, ParseError> {
    let too_large = text.len() >= u32::MAX as usize;
    if too_large {
        return Err(placed(
            text,
            ParseError::new(0, Problem::TooLarge(text.len())),
        ));
    }
    let mut parser = Parser::new(text, Script::default());
    match parser.script() {
        Ok(()) => Ok(parser.into_script()),
        Err(error) => Err(placed(text, error)),
    }
}

/// Reads one term into an existing script, which gains its nodes.
pub fn parse_term(script: &mut Script, text: &str) -> Result<TermId, ParseError> {
    parse_into(script, text, |parser| {
        let term = parser.term()?;
        parser.end()?;
        Ok(term)
    })
}

/// Reads commands into an existing script, which gains their nodes but not
/// the commands.
pub fn parse_commands(script: &mut Script, text: &str) -> Result<Vec<Command>, ParseError> {
    let kept = std::mem::take(&mut script.commands);
    let result = parse_into(script, text, |parser| {
        parser.script()?;
        Ok(())
    });
    let new = std::mem::replace(&mut script.commands, kept);
    result.map(|()| new)
}

fn parse_into<T>(
    script: &mut Script,
    text: &str,
    read: impl FnOnce(&mut Parser<'_>) -> Result<T, ParseError>,
) -> Result<T, ParseError> {
    if text.len() >= u32::MAX as usize {
        let error = ParseError::new(0, Problem::TooLarge(text.len()));
        return Err(placed(text, error));
    }
    let mut parser = Parser::new(text, std::mem::take(script));
    let result = read(&mut parser);
    *script = parser.into_script();
    result.map_err(|error| placed(text, error))
}

/// The bytes as text; see [`parse`].
pub fn decode(text: &[u8]) -> Result<Cow<'_, str>, ParseError> {
    // Latin-1 takes two bytes where it took one.
    let largest = u32::MAX as usize / 2;
    match std::str::from_utf8(text) {
        Ok(decoded) if decoded.len() < u32::MAX as usize => Ok(Cow::Borrowed(decoded)),
        Err(_) if text.len() < largest => {
            let mut decoded = String::with_capacity(text.len());
            for chunk in text.utf8_chunks() {
                decoded.push_str(chunk.valid());
                decoded.extend(chunk.invalid().iter().map(|&byte| char::from(byte)));
            }
            Ok(Cow::Owned(decoded))
        }
        _ => Err(ParseError::new(0, Problem::TooLarge(text.len()))),
    }
}

fn placed(text: &str, mut error: ParseError) -> ParseError {
    error.place = Place::of(text, error.offset);
    error
}
