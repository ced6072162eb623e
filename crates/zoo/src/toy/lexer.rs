//! Words, numbers and signs.

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    Name(String),
    Number(i64),
    Sign(&'static str),
    End,
}

/// Longer ones first, so that `<=` is not read as `<` and `=`.
const SIGNS: [&str; 20] = [
    "<=", ">=", "==", "!=", "&&", "||", "<", ">", "=", "!", "+", "-", "*", "/", "%", "(", ")", "{",
    "}", ";",
];

/// Cuts a text into tokens, each with its line; the last is the end.
pub(super) fn tokens(text: &str) -> Result<Vec<(Token, usize)>, String> {
    let mut tokens = Vec::new();
    let mut rest = text;
    let mut line = 1;
    while let Some(first) = rest.chars().next() {
        let (token, len) = if first.is_whitespace() {
            line += usize::from(first == '\n');
            (None, first.len_utf8())
        } else if first == '#' {
            (None, rest.find('\n').unwrap_or(rest.len()))
        } else if first.is_ascii_digit() {
            let digits = prefix(rest, |c| c.is_ascii_digit());
            let number = digits.parse();
            let number = number.map_err(|_| format!("{line}: number {digits} is too large"))?;
            (Some(Token::Number(number)), digits.len())
        } else if first.is_ascii_alphabetic() {
            let name = prefix(rest, |c| c.is_ascii_alphanumeric() || c == '_');
            (Some(Token::Name(name.to_string())), name.len())
        } else {
            let sign = SIGNS.iter().find(|sign| rest.starts_with(**sign));
            let sign = sign.ok_or_else(|| {
                format!("{line}: unexpected character `{}`", first.escape_default())
            })?;
            (Some(Token::Sign(sign)), sign.len())
        };
        tokens.extend(token.map(|token| (token, line)));
        rest = &rest[len..];
    }
    tokens.push((Token::End, line));
    Ok(tokens)
}

fn prefix(text: &str, keep: impl Fn(char) -> bool) -> &str {
    &text[..text.find(|c| !keep(c)).unwrap_or(text.len())]
}
