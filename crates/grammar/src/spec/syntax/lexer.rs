//! From text to tokens. Strings stay as they are: what is inside depends on
//! where they stand.

use crate::spec::source::{Problem, Span};

/// One token: what it is and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Token {
    pub kind: TokenKind,
    pub span: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TokenKind {
    /// Letters, digits and `_`; also `$`, the value that a generator chose.
    Name,
    Number(i64),
    /// With its quotes.
    Text,
    Mark(&'static str),
    /// From `#` to the end of the line.
    Comment,
    End,
}

/// Longer marks first.
const MARKS: [&str; 26] = [
    "==", "!=", "<=", ">=", "++", "=>", "{", "}", "(", ")", "[", "]", "<", ">", ",", ";", ":", ".",
    "=", "+", "-", "*", "/", "%", "|", "@",
];

/// What some editors put before everything else.
const BYTE_ORDER_MARK: char = '\u{feff}';

/// What other languages write, and what it is here.
const ELSEWHERE: [(&str, &str); 9] = [
    ("'", "texts stand in \""),
    ("`", "texts stand in \""),
    ("\u{201c}", "texts stand in \""),
    ("\u{201d}", "texts stand in \""),
    ("&&", "write `and`"),
    ("!", "write `not`"),
    ("?", "write `if … then … else …`"),
    ("\u{a0}", "a space of another kind, which looks like one"),
    ("\\", "only texts have escapes"),
];

/// All tokens of `text[from..to]`, with comments; the last one is
/// [`TokenKind::End`].
pub(crate) fn tokens(text: &str, file: u16, from: usize, to: usize) -> Result<Vec<Token>, Problem> {
    let mut tokens = Vec::new();
    let mut at = from;
    if from == 0 && text.starts_with(BYTE_ORDER_MARK) {
        at = BYTE_ORDER_MARK.len_utf8();
    }
    loop {
        let blank = text[at..to]
            .bytes()
            .take_while(|byte| byte.is_ascii_whitespace())
            .count();
        at += blank;
        let (kind, length) = match at == to {
            true => (TokenKind::End, 0),
            false => token(&text[at..to]).map_err(|(length, message)| {
                let end = (at + length) as u32;
                let start = at as u32;
                Problem::error(Span { file, start, end }, message)
            })?,
        };
        let (start, end) = (at as u32, (at + length) as u32);
        let span = Span { file, start, end };
        tokens.push(Token { kind, span });
        if kind == TokenKind::End {
            return Ok(tokens);
        }
        at += length;
    }
}

/// The token at the beginning of `rest`, and its length; or the length of
/// what is wrong, and why.
fn token(rest: &str) -> Result<(TokenKind, usize), (usize, String)> {
    let first = rest.chars().next().expect("not at the end");
    let while_true = |is: fn(char) -> bool| -> usize {
        rest.chars()
            .take_while(|&c| is(c))
            .map(char::len_utf8)
            .sum()
    };
    match first {
        '#' => Ok((TokenKind::Comment, while_true(|c| c != '\n'))),
        '"' => match text_end(rest.as_bytes()) {
            Some(length) => Ok((TokenKind::Text, length)),
            None => {
                let length = while_true(|c| c != '\n');
                let problem = "a text that does not end in its line (a line break is \\n)";
                Err((length, problem.to_string()))
            }
        },
        '$' => Ok((TokenKind::Name, 1)),
        'a'..='z' | 'A'..='Z' | '_' => {
            let length = while_true(|c| c.is_ascii_alphanumeric() || c == '_');
            Ok((TokenKind::Name, length))
        }
        '0'..='9' => number(rest),
        _ => match MARKS.iter().find(|mark| rest.starts_with(**mark)) {
            Some(mark) => Ok((TokenKind::Mark(mark), mark.len())),
            None => {
                let mut known = ELSEWHERE.iter();
                let known = known.find(|(mark, _)| rest.starts_with(mark));
                let hint = known.map_or(String::new(), |(_, hint)| format!(": {hint}"));
                let shown: String = match first {
                    _ if first.is_control() => first.escape_debug().collect(),
                    _ if first.is_whitespace() => format!("U+{:04X}", u32::from(first)),
                    _ => first.to_string(),
                };
                Err((
                    first.len_utf8(),
                    format!("`{shown}` means nothing here{hint}"),
                ))
            }
        },
    }
}

/// The number at the beginning of `rest`, as [`token`] gives it.
fn number(rest: &str) -> Result<(TokenKind, usize), (usize, String)> {
    let length_of = |is: fn(&char) -> bool| rest.chars().take_while(is).count();
    let length = length_of(char::is_ascii_digit);
    let behind = &rest[length..];
    if fraction(behind) {
        let problem = "numbers are whole: write others as texts";
        return Err((length + 2, problem.to_string()));
    }
    if behind.starts_with(|c: char| c.is_ascii_alphabetic()) {
        let problem = "a number has decimal digits only; a name begins with a letter";
        return Err((length_of(char::is_ascii_alphanumeric), problem.to_string()));
    }
    match rest[..length].parse() {
        Ok(number) => Ok((TokenKind::Number(number), length)),
        Err(_) => {
            let most = i64::MAX;
            let problem = format!("a number that does not fit 64 bits: it is at most {most}");
            Err((length, problem))
        }
    }
}

/// True behind the whole part of a number such as 0.5.
fn fraction(rest: &str) -> bool {
    let digits = rest.strip_prefix('.');
    digits.is_some_and(|digits| digits.starts_with(|c: char| c.is_ascii_digit()))
}

/// The length of the text that begins here, quotes included. Inside `#{` and
/// `}` there may be further texts.
fn text_end(bytes: &[u8]) -> Option<usize> {
    #[derive(PartialEq)]
    enum Within {
        Text,
        Braces,
    }
    let mut within = vec![Within::Text];
    let mut at = 1;
    while let Some(&byte) = bytes.get(at) {
        at += 1;
        let in_text = within.last() == Some(&Within::Text);
        match byte {
            b'\n' => return None,
            b'\\' if in_text => at += 1,
            b'"' if in_text => {
                within.pop();
                if within.is_empty() {
                    return Some(at);
                }
            }
            b'"' => within.push(Within::Text),
            b'#' if in_text && bytes.get(at) == Some(&b'{') => {
                at += 1;
                within.push(Within::Braces);
            }
            b'{' if !in_text => within.push(Within::Braces),
            b'}' if !in_text => {
                within.pop();
            }
            _ => {}
        }
    }
    None
}
