//! From text to words, numbers, texts and signs.

use super::Unread;

/// A token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// A name or keyword.
    Word(String),
    /// A number as it is written.
    Number(String),
    /// The bytes of a text.
    Text(Vec<u8>),
    /// Punctuation or an operator.
    Sign(&'static str),
}

/// Longer signs come first.
const SIGNS: [&str; 47] = [
    ">>>=", "<<=", ">>=", ">>>", "**", "++", "--", "=>", "->", "==", "!=", "<=", ">=", "&&", "||",
    "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<", ">>", "(", ")", "{", "}", "[", "]", ";",
    ",", ".", "?", ":", "=", "+", "-", "*", "/", "%", "&", "|", "^", "~", "!",
];

/// The rest, one letter each.
const SMALLER: [&str; 2] = ["<", ">"];

/// The tokens of a program; comments are left out.
pub(super) fn tokens(text: &str) -> Result<Vec<Token>, Unread> {
    let mut tokens = Vec::new();
    let mut rest = text;
    loop {
        rest = rest.trim_start();
        let Some(first) = rest.chars().next() else {
            return Ok(tokens);
        };
        if rest.starts_with("//") {
            rest = rest.split_once('\n').map_or("", |(_, rest)| rest);
        } else if rest.starts_with("/*") {
            rest = rest.split_once("*/").map_or("", |(_, rest)| rest);
        } else if is_letter(first) {
            let word = taken(rest, |c| is_letter(c) || c.is_ascii_digit());
            rest = &rest[word.len()..];
            match (word, rest.chars().next()) {
                ("hex" | "unicode", Some('"' | '\'')) => {
                    let (bytes, after) = text_of(rest)?;
                    rest = after;
                    let bytes = match word {
                        "hex" => unhexed(&bytes)?,
                        _ => bytes,
                    };
                    push_text(&mut tokens, bytes);
                }
                _ => tokens.push(Token::Word(word.to_string())),
            }
        } else if first.is_ascii_digit() || is_fraction(rest) {
            let number = taken(rest, |c| c.is_ascii_alphanumeric() || c == '_' || c == '.');
            rest = &rest[number.len()..];
            tokens.push(Token::Number(number.replace('_', "")));
        } else if first == '"' || first == '\'' {
            let (bytes, after) = text_of(rest)?;
            rest = after;
            push_text(&mut tokens, bytes);
        } else {
            let mut signs = SIGNS.iter().chain(&SMALLER);
            let sign = signs.find(|sign| rest.starts_with(**sign));
            let sign = sign.ok_or(Unread("a letter that no token begins with"))?;
            rest = &rest[sign.len()..];
            tokens.push(Token::Sign(sign));
        }
    }
}

fn is_letter(c: char) -> bool {
    c.is_ascii_alphabetic() || c == '_' || c == '$'
}

fn is_fraction(rest: &str) -> bool {
    let mut letters = rest.chars();
    letters.next() == Some('.') && letters.next().is_some_and(|c| c.is_ascii_digit())
}

fn taken(rest: &str, fits: impl Fn(char) -> bool) -> &str {
    let end = rest.find(|c| !fits(c)).unwrap_or(rest.len());
    &rest[..end]
}

/// Texts side by side are one.
fn push_text(tokens: &mut Vec<Token>, bytes: Vec<u8>) {
    match tokens.last_mut() {
        Some(Token::Text(before)) => before.extend(bytes),
        _ => tokens.push(Token::Text(bytes)),
    }
}

/// The bytes of a text in quotes, and what follows it.
fn text_of(rest: &str) -> Result<(Vec<u8>, &str), Unread> {
    const OPEN: Unread = Unread("a text without an end");
    let bytes = rest.as_bytes();
    let quote = bytes[0];
    let mut text = Vec::new();
    let mut at = 1;
    loop {
        match *bytes.get(at).ok_or(OPEN)? {
            byte if byte == quote => return Ok((text, &rest[at + 1..])),
            b'\\' => {
                at += 1;
                match *bytes.get(at).ok_or(OPEN)? {
                    b'n' => text.push(b'\n'),
                    b'r' => text.push(b'\r'),
                    b't' => text.push(b'\t'),
                    b'x' => {
                        let digits = rest.get(at + 1..at + 3).ok_or(OPEN)?;
                        text.extend(unhexed(digits.as_bytes())?);
                        at += 2;
                    }
                    b'u' => return Err(Unread("a letter by its number")),
                    b'\n' => {}
                    other => text.push(other),
                }
            }
            other => text.push(other),
        }
        at += 1;
    }
}

pub(super) fn unhexed(digits: &[u8]) -> Result<Vec<u8>, Unread> {
    const BAD: Unread = Unread("digits that are none");
    let digits: Vec<u8> = digits
        .iter()
        .copied()
        .filter(|byte| *byte != b'_')
        .collect();
    if digits.len() % 2 == 1 {
        return Err(BAD);
    }
    let pairs = digits.chunks(2);
    pairs
        .map(|pair| {
            let pair = std::str::from_utf8(pair).map_err(|_| BAD)?;
            u8::from_str_radix(pair, 16).map_err(|_| BAD)
        })
        .collect()
}
