//! Macros of C++ that no part of the text defines: names in capitals where the grammar
//! knows none, as libraries and test suites use them.

use std::ops::Range;

use super::token::{Kind, Tokens};
use super::{Surface, blank};

/// Words that begin a declaration or a statement, and follow no type.
const BEGINNINGS: &[&str] = &[
    "namespace", "template", "class", "struct", "union", "enum", "using", "typedef", "static",
    "extern", "inline", "virtual", "explicit", "friend", "constexpr", "consteval", "constinit",
    "auto", "void", "bool", "char", "short", "int", "long", "signed", "unsigned", "float",
    "double", "public", "private", "protected", "if", "for", "while", "do", "switch", "return",
    "try", "throw", "break", "continue", "goto",
];

/// A function with this word may be evaluated where the program is compiled.
const CONSTANT: &[u8] = b"constexpr";

/// Types of one word.
const TYPES: &[&str] = &[
    "void", "bool", "char", "short", "int", "long", "signed", "unsigned", "float", "double",
];

/// Words before a brace that opens no code.
const HEADS: &[&str] = &["namespace", "class", "struct", "union", "enum"];

/// How far a declaration or a list of arguments is followed, in tokens.
const LOOK: usize = 256;

/// Blanks out what is no part of a declaration or statement that the grammar could read.
pub(super) fn replace(surface: &mut Surface, tokens: &mut Tokens) {
    // Whether each open brace is that of code or in code.
    let mut code: Vec<bool> = Vec::new();
    let mut number = 0;
    while number < tokens.list.len() {
        match tokens.text(&surface.text, number) {
            b"{" => {
                let in_code = code.last() == Some(&true);
                code.push(in_code || !heads_names(surface, tokens, number));
            }
            b"}" => {
                code.pop();
            }
            word if is_loud(word) && begins(surface, tokens, number) => {
                let in_code = code.last() == Some(&true);
                number = of_macro(surface, tokens, number, in_code).max(number);
            }
            _ => {}
        }
        number += 1;
    }
    *tokens = Tokens::read(&surface.text);
}

/// Blanks out a macro, if it is one; its last token.
fn of_macro(surface: &mut Surface, tokens: &Tokens, number: usize, in_code: bool) -> usize {
    let whole = |last: usize| tokens.list[number].range.start..tokens.list[last].range.end;
    if tokens.text(&surface.text, number + 1) != b"(" {
        if !stands_alone(surface, tokens, number) {
            return number;
        }
        let constant = makes_constant(tokens.text(&surface.text, number));
        blank(&mut surface.text, whole(number));
        if constant {
            surface.text[whole(number)][..CONSTANT.len()].copy_from_slice(CONSTANT);
        } else {
            surface.masked.push(whole(number));
        }
        return number;
    }
    let close = tokens.closing(number + 1);
    let Some(close) = close.filter(|close| *close < number + LOOK) else {
        return number;
    };
    let arguments = number + 2..close;
    let gone = match tokens.text(&surface.text, close + 1) {
        // A block with a head of its own.
        b"{" if in_code && !declares(tokens, &arguments) => whole(close),
        // A function with such a head.
        b"{" if !in_code && has_literal(tokens, &arguments) => {
            tokens.list[number + 1].range.end..tokens.list[close].range.start
        }
        b"}" => whole(close),
        // Whole statements as arguments.
        b";" if has_statements(surface, tokens, &arguments) => whole(close),
        b";" if in_code => {
            name_types(surface, tokens, &arguments);
            return number;
        }
        // A statement without a semicolon.
        _ if tokens.is_word(close + 1) => whole(close),
        _ => return number,
    };
    blank(&mut surface.text, gone.clone());
    surface.hidden.push(gone);
    close
}

/// True for macros that stand for the word, where the compiler knows it.
fn makes_constant(name: &[u8]) -> bool {
    let written = name.to_ascii_lowercase();
    written.windows(CONSTANT.len()).any(|part| part == CONSTANT)
}

/// True for words in capitals.
fn is_loud(word: &[u8]) -> bool {
    let loud = |byte: &u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || *byte == b'_';
    word.len() > 2 && !word[0].is_ascii_digit() && word.iter().all(loud)
}

/// True where a declaration or a statement may begin.
fn begins(surface: &Surface, tokens: &Tokens, number: usize) -> bool {
    let is_gone = |at: &usize| surface.text[tokens.list[*at].range.start] == b' ';
    let before = (0..number).rev().take(LOOK).find(|at| !is_gone(at));
    let before = before.map_or(&b";"[..], |at| tokens.text(&surface.text, at));
    matches!(before, b";" | b"{" | b"}" | b":" | b">")
}

/// True if a word without arguments is no type, as what follows shows.
fn stands_alone(surface: &Surface, tokens: &Tokens, number: usize) -> bool {
    let mut next = number + 1;
    while next < number + LOOK
        && is_loud(tokens.text(&surface.text, next))
        && begins_line(surface, tokens, next)
    {
        next += 1;
    }
    let word = tokens.text(&surface.text, next);
    let begins = BEGINNINGS.iter().any(|known| known.as_bytes() == word);
    let ends = word == b"}" && number > 0 && tokens.text(&surface.text, number - 1) != b"{";
    // The last one has arguments, and is a macro as well.
    let called = next > number + 1 && word == b"(";
    // Of three words in a row the first is no type.
    let three = next == number + 1 && tokens.is_word(next) && tokens.is_word(next + 1);
    begins || ends || called || three && !matches!(word, b"const" | b"volatile" | b"operator")
}

fn begins_line(surface: &Surface, tokens: &Tokens, number: usize) -> bool {
    let between = tokens.list[number - 1].range.end..tokens.list[number].range.start;
    surface.text[between].contains(&b'\n')
}

/// True if the brace is that of a namespace, a class or a list of declarations.
fn heads_names(surface: &Surface, tokens: &Tokens, brace: usize) -> bool {
    let mut named = false;
    for at in (0..brace).rev().take(LOOK) {
        match tokens.text(&surface.text, at) {
            b";" | b"{" | b"}" => break,
            b"(" => return false,
            b"extern" => return tokens.list[at + 1].kind == Kind::Literal,
            word => named |= HEADS.iter().any(|head| head.as_bytes() == word),
        }
    }
    named
}

/// True if two words follow each other, so that a name may be declared.
fn declares(tokens: &Tokens, arguments: &Range<usize>) -> bool {
    let mut pairs = arguments.clone().skip(1);
    pairs.any(|at| tokens.is_word(at - 1) && tokens.is_word(at))
}

/// True if a semicolon stands among the arguments, and in no brackets there.
fn has_statements(surface: &Surface, tokens: &Tokens, arguments: &Range<usize>) -> bool {
    let mut at = arguments.start;
    while at < arguments.end {
        if tokens.text(&surface.text, at) == b";" {
            return true;
        }
        at = tokens.closing(at).unwrap_or(at) + 1;
    }
    false
}

/// A type of the language as an argument becomes a name.
fn name_types(surface: &mut Surface, tokens: &Tokens, arguments: &Range<usize>) {
    for at in arguments.clone() {
        let word = tokens.text(&surface.text, at);
        let alone = tokens.text(&surface.text, at - 1) == b","
            && matches!(tokens.text(&surface.text, at + 1), b"," | b")");
        if alone && TYPES.iter().any(|known| known.as_bytes() == word) {
            surface.text[tokens.list[at].range.clone()].fill(b'_');
        }
    }
}

fn has_literal(tokens: &Tokens, arguments: &Range<usize>) -> bool {
    arguments
        .clone()
        .any(|at| tokens.list[at].kind == Kind::Literal)
}
