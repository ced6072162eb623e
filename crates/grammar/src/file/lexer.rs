//! From text to tokens: names, numbers, quoted literals and punctuation.

use super::error::{GrammarError, Position};

/// One token and where it begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Token {
    pub at: Position,
    pub kind: TokenKind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum TokenKind {
    Name(String),
    Number(u32),
    Literal(Literal),
    /// One of `: ; | , = # { } [ ]`.
    Mark(char),
    End,
}

/// A quoted text. `turns` are the offsets of `$` signs that were not escaped:
/// inside brackets they stand for the number of the turn.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Literal {
    pub text: String,
    pub turns: Vec<usize>,
}

impl TokenKind {
    /// How an error names the token.
    pub(crate) fn shown(&self) -> String {
        match self {
            TokenKind::Name(name) => format!("`{name}`"),
            TokenKind::Number(number) => format!("`{number}`"),
            TokenKind::Literal(literal) => format!("'{}'", literal.text.escape_debug()),
            TokenKind::Mark(mark) => format!("`{mark}`"),
            TokenKind::End => "the end of the file".to_string(),
        }
    }
}

impl Literal {
    /// The text of turn number `turn`.
    pub(crate) fn in_turn(&self, turn: Option<u32>) -> String {
        let Some(turn) = turn else {
            return self.text.clone();
        };
        let mut out = String::with_capacity(self.text.len());
        let mut done = 0;
        for &offset in &self.turns {
            out.push_str(&self.text[done..offset]);
            out.push_str(&turn.to_string());
            done = offset + 1;
        }
        out.push_str(&self.text[done..]);
        out
    }
}

/// All tokens of `text`; the last one is [`TokenKind::End`].
pub(crate) fn tokens(text: &str) -> Result<Vec<Token>, GrammarError> {
    let mut lexer = Lexer {
        rest: text,
        at: Position::START,
    };
    let mut tokens = Vec::new();
    loop {
        lexer.skip_blank()?;
        let at = lexer.at;
        let kind = lexer.token()?;
        let end = kind == TokenKind::End;
        tokens.push(Token { at, kind });
        if end {
            return Ok(tokens);
        }
    }
}

struct Lexer<'a> {
    rest: &'a str,
    at: Position,
}

impl Lexer<'_> {
    fn peek(&self) -> Option<char> {
        self.rest.chars().next()
    }

    fn next(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.rest = &self.rest[c.len_utf8()..];
        if c == '\n' {
            self.at.line += 1;
            self.at.column = 1;
        } else {
            self.at.column += 1;
        }
        Some(c)
    }

    /// White space and the comments `// …` and `/* … */`.
    fn skip_blank(&mut self) -> Result<(), GrammarError> {
        loop {
            let at = self.at;
            if self.rest.starts_with("//") {
                while self.peek().is_some_and(|c| c != '\n') {
                    self.next();
                }
            } else if self.rest.starts_with("/*") {
                while !self.rest.starts_with("*/") {
                    if self.next().is_none() {
                        return Err(GrammarError::new(at, "a comment that does not end"));
                    }
                }
                self.next();
                self.next();
            } else if self.peek().is_some_and(char::is_whitespace) {
                self.next();
            } else {
                return Ok(());
            }
        }
    }

    fn token(&mut self) -> Result<TokenKind, GrammarError> {
        let at = self.at;
        let Some(c) = self.peek() else {
            return Ok(TokenKind::End);
        };
        match c {
            '\'' => self.literal(),
            ':' | ';' | '|' | ',' | '=' | '#' | '{' | '}' | '[' | ']' => {
                self.next();
                Ok(TokenKind::Mark(c))
            }
            '0'..='9' => {
                let digits = self.take_while(|c| c.is_ascii_digit());
                let number = digits.parse().map_err(|_| {
                    GrammarError::new(at, format!("`{digits}` is too large a number"))
                })?;
                Ok(TokenKind::Number(number))
            }
            _ if c == '_' || c.is_alphabetic() => Ok(TokenKind::Name(
                self.take_while(|c| c == '_' || c.is_alphanumeric()),
            )),
            '*' | '+' | '?' | '(' | ')' => Err(GrammarError::new(
                at,
                format!("grammar files have no `{c}`: write a rule that names itself instead"),
            )),
            '"' => Err(GrammarError::new(
                at,
                "literals stand in single quotes: '…'",
            )),
            _ => Err(GrammarError::new(
                at,
                format!("`{}` has no meaning here", c.escape_debug()),
            )),
        }
    }

    fn take_while(&mut self, wanted: impl Fn(char) -> bool) -> String {
        let mut word = String::new();
        while let Some(c) = self.peek().filter(|&c| wanted(c)) {
            word.push(c);
            self.next();
        }
        word
    }

    fn literal(&mut self) -> Result<TokenKind, GrammarError> {
        let start = self.at;
        self.next();
        let mut literal = Literal::default();
        loop {
            let at = self.at;
            match self.next() {
                Some('\'') => return Ok(TokenKind::Literal(literal)),
                Some('\\') => literal.text.push(self.escape(at)?),
                Some('\n') | None => {
                    return Err(GrammarError::new(
                        start,
                        "a literal that does not end in its line (a line break is \\n)",
                    ));
                }
                Some('$') => {
                    literal.turns.push(literal.text.len());
                    literal.text.push('$');
                }
                Some(c) => literal.text.push(c),
            }
        }
    }

    /// The character that the escape at `at` stands for; the backslash is
    /// read already.
    fn escape(&mut self, at: Position) -> Result<char, GrammarError> {
        let unknown = || {
            GrammarError::new(
                at,
                "expected an escape: \\n \\t \\r \\' \\\\ \\$ or \\u{41}",
            )
        };
        match self.next() {
            Some('n') => Ok('\n'),
            Some('t') => Ok('\t'),
            Some('r') => Ok('\r'),
            Some(c @ ('\'' | '\\' | '$')) => Ok(c),
            Some('u') if self.peek() == Some('{') => {
                self.next();
                let digits = self.take_while(|c| c.is_ascii_hexdigit());
                let code = u32::from_str_radix(&digits, 16).ok();
                match (self.next(), code.and_then(char::from_u32)) {
                    (Some('}'), Some(c)) => Ok(c),
                    _ => Err(unknown()),
                }
            }
            _ => Err(unknown()),
        }
    }
}
