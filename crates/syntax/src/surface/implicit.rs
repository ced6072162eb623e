//! Where C implies `int`: old functions and declarations without a type.

use super::token::Tokens;

/// Words that may come before a type and are none.
const BEFORE_TYPE: &[&[u8]] = &[
    b"static", b"extern", b"register", b"auto", b"inline", b"__inline", b"__inline__", b"const",
    b"volatile", b"typedef",
];

/// Words that begin no declarator.
const KEYWORDS: &[&[u8]] = &[
    b"auto", b"break", b"case", b"char", b"const", b"continue", b"default", b"do", b"double",
    b"else", b"enum", b"extern", b"float", b"for", b"goto", b"if", b"inline", b"int", b"long",
    b"register", b"restrict", b"return", b"short", b"signed", b"sizeof", b"static", b"struct",
    b"switch", b"typedef", b"union", b"unsigned", b"void", b"volatile", b"while", b"__inline",
    b"__inline__", b"_Bool",
];

/// How many tokens the declarations of an old function may have.
const LOOK_AHEAD: usize = 512;

/// How many qualifiers may follow each other.
const LOOK_BACK: usize = 16;

/// The offsets where `int` is implied.
pub(super) fn places(text: &[u8], tokens: &Tokens) -> Vec<usize> {
    let mut places = Vec::new();
    let mut item = true;
    let mut number = 0;
    let mut depth = 0usize;
    while number < tokens.list.len() {
        let token = tokens.text(text, number);
        if depth == 0 && item {
            item = false;
            if let Some(at) = top_level(text, tokens, number) {
                places.push(at);
            }
        } else if BEFORE_TYPE.contains(&token)
            && let Some(at) = declaration(text, tokens, number)
            && places.last().is_none_or(|&last| last < at)
        {
            places.push(at);
        }
        match token {
            b"{" => depth += 1,
            b"}" => {
                depth = depth.saturating_sub(1);
                item = depth == 0 && ends_function(text, tokens, number);
            }
            b";" => item = depth == 0,
            _ => {}
        }
        number += 1;
    }
    places
}

/// True if the brace at token `number` closes the body of a function, and not
/// a structure or an initializer.
fn ends_function(text: &[u8], tokens: &Tokens, number: usize) -> bool {
    let before = tokens.opening(number).and_then(|open| open.checked_sub(1));
    before.is_none_or(|before| matches!(tokens.text(text, before), b")" | b";"))
}

/// The place of the declarator if the item that begins at token `number`
/// outside of all functions has no type.
fn top_level(text: &[u8], tokens: &Tokens, number: usize) -> Option<usize> {
    let mut at = number;
    while BEFORE_TYPE.contains(&tokens.text(text, at)) {
        at += 1;
    }
    let declarator = at;
    while tokens.text(text, at) == b"*" {
        at += 1;
    }
    if !is_name(text, tokens, at) {
        return None;
    }
    let place = tokens.list[declarator].range.start;
    match tokens.text(text, at + 1) {
        b"(" => {
            let close = tokens.closing(at + 1)?;
            let body = match tokens.text(text, close + 1) {
                b"{" => true,
                _ if tokens.is_word(close + 1) => is_old_style(text, tokens, at + 2, close),
                _ => false,
            };
            body.then_some(place)
        }
        b";" | b"=" | b"," | b"[" => Some(place),
        _ => None,
    }
}

/// `(a, b) int a; char b; {`: names only, and declarations up to a body.
fn is_old_style(text: &[u8], tokens: &Tokens, first: usize, close: usize) -> bool {
    let names = (first..close).all(|at| is_name(text, tokens, at) || tokens.text(text, at) == b",");
    let mut at = close + 1;
    let mut before: &[u8] = b"";
    while at < tokens.list.len().min(close + LOOK_AHEAD) {
        match tokens.text(text, at) {
            b"{" => return names && first < close && before == b";",
            b"=" | b"}" => return false,
            token => before = token,
        }
        at += 1;
    }
    false
}

/// The place of the declarator of `register i;` or `static x = 1;`.
fn declaration(text: &[u8], tokens: &Tokens, number: usize) -> Option<usize> {
    let mut at = number + 1;
    while tokens.text(text, at) == b"*" {
        at += 1;
    }
    let ends = matches!(tokens.text(text, at + 1), b";" | b"=" | b"," | b"[");
    let untyped = is_name(text, tokens, at) && ends && !follows_type(text, tokens, number);
    untyped.then(|| tokens.list[number + 1].range.start)
}

/// True if the qualifier at token `number` comes after its type: `int const x`.
fn follows_type(text: &[u8], tokens: &Tokens, number: usize) -> bool {
    let before = (number.saturating_sub(LOOK_BACK)..number)
        .rev()
        .find(|&at| !BEFORE_TYPE.contains(&tokens.text(text, at)));
    let Some(before) = before else {
        return false;
    };
    match tokens.text(text, before) {
        b"*" => true,
        // The end of a structure, or of a statement.
        b"}" => matches!(tokens.text(text, number), b"const" | b"volatile"),
        word => tokens.is_word(before) && !matches!(word, b"else" | b"do"),
    }
}

fn is_name(text: &[u8], tokens: &Tokens, number: usize) -> bool {
    tokens.is_word(number) && !KEYWORDS.contains(&tokens.text(text, number))
}
