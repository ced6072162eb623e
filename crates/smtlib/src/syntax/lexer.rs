//! Tokens of SMT-LIB 2.6/2.7, with what z3 and cvc5 take beyond it.

use super::error::{ParseError, Problem};

/// What a token is; its text is a span of the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Open,
    Close,
    Symbol,
    /// `|…|`; the span is what stands between the bars.
    Quoted,
    /// With its colon.
    Keyword,
    Numeral,
    Decimal,
    /// With its `#x`.
    Hexadecimal,
    /// With its `#b`.
    Binary,
    /// The span is what stands between the quotes, `""` still doubled.
    String,
    End,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Token {
    pub(crate) kind: Kind,
    pub(crate) start: u32,
    pub(crate) end: u32,
    /// Where the token begins for messages: before the bar or the quote.
    pub(crate) offset: u32,
}

pub(crate) struct Lexer<'a> {
    pub(crate) source: &'a str,
    pub(crate) position: usize,
}

const BLANK: u8 = 1;
const SYMBOL: u8 = 2;

/// The class of every byte. Bytes above 127 count as symbol characters: z3
/// takes them, and a name in somebody's language is no reason to refuse a file.
const CLASSES: [u8; 256] = classes();

const fn classes() -> [u8; 256] {
    let mut classes = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let c = byte as u8;
        if matches!(c, b' ' | b'\t' | b'\n' | b'\r' | 0x0c | 0x0b) {
            classes[byte] = BLANK;
        } else if c.is_ascii_alphanumeric()
            || c >= 128
            || matches!(
                c,
                b'~' | b'!'
                    | b'@'
                    | b'$'
                    | b'%'
                    | b'^'
                    | b'&'
                    | b'*'
                    | b'_'
                    | b'-'
                    | b'+'
                    | b'='
                    | b'<'
                    | b'>'
                    | b'.'
                    | b'?'
                    | b'/'
            )
        {
            classes[byte] = SYMBOL;
        }
        byte += 1;
    }
    classes
}

/// True if `name` can be written without bars.
pub(crate) fn is_simple_symbol(name: &str) -> bool {
    let bytes = name.as_bytes();
    !bytes.is_empty()
        && !bytes[0].is_ascii_digit()
        && bytes
            .iter()
            .all(|&byte| CLASSES[byte as usize] == SYMBOL && byte < 128)
}

/// True for `#f3m7` and `#f-3m7`: 3 in the field of order 7.
pub(crate) fn is_field_literal(text: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    text.strip_prefix("#f")
        .and_then(|rest| rest.split_once('m'))
        .is_some_and(|(value, order)| {
            digits(value.strip_prefix('-').unwrap_or(value)) && digits(order)
        })
}

impl<'a> Lexer<'a> {
    /// The text must be below 4 GiB.
    pub(crate) fn new(source: &'a str) -> Lexer<'a> {
        Lexer {
            source,
            position: 0,
        }
    }

    pub(crate) fn text(&self, token: Token) -> &'a str {
        &self.source[token.start as usize..token.end as usize]
    }

    pub(crate) fn next(&mut self) -> Result<Token, ParseError> {
        let bytes = self.source.as_bytes();
        let mut at = self.position;
        loop {
            match bytes.get(at) {
                None => {
                    self.position = at;
                    return Ok(token(Kind::End, at, at, at));
                }
                Some(b';') => {
                    while at < bytes.len() && bytes[at] != b'\n' && bytes[at] != b'\r' {
                        at += 1;
                    }
                }
                Some(&byte) if CLASSES[byte as usize] == BLANK => at += 1,
                Some(_) => break,
            }
        }
        let first = bytes[at];
        match first {
            b'(' => Ok(self.taken(Kind::Open, at, at + 1)),
            b')' => Ok(self.taken(Kind::Close, at, at + 1)),
            b'0'..=b'9' => self.number(at),
            b'"' => self.string(at),
            b'|' => self.quoted(at),
            b':' => Ok(self.taken(Kind::Keyword, at, self.symbol_end(at + 1))),
            b'#' => self.hash(at),
            _ if CLASSES[first as usize] == SYMBOL => {
                Ok(self.taken(Kind::Symbol, at, self.symbol_end(at + 1)))
            }
            _ => Err(ParseError::new(at, Problem::BadByte(first))),
        }
    }

    fn taken(&mut self, kind: Kind, start: usize, end: usize) -> Token {
        self.position = end;
        token(kind, start, end, start)
    }

    fn symbol_end(&self, from: usize) -> usize {
        let bytes = self.source.as_bytes();
        let mut at = from;
        while at < bytes.len() && CLASSES[bytes[at] as usize] == SYMBOL {
            at += 1;
        }
        at
    }

    fn number(&mut self, start: usize) -> Result<Token, ParseError> {
        let bytes = self.source.as_bytes();
        let digits = |mut at: usize| {
            while at < bytes.len() && bytes[at].is_ascii_digit() {
                at += 1;
            }
            at
        };
        let mut end = digits(start);
        let mut kind = Kind::Numeral;
        // z3 users write `2.` too.
        if bytes.get(end) == Some(&b'.') {
            end = digits(end + 1);
            kind = Kind::Decimal;
        }
        if bytes
            .get(end)
            .is_some_and(|&byte| CLASSES[byte as usize] == SYMBOL)
        {
            return Err(ParseError::new(start, Problem::BadNumber));
        }
        Ok(self.taken(kind, start, end))
    }

    fn hash(&mut self, start: usize) -> Result<Token, ParseError> {
        let bytes = self.source.as_bytes();
        let (kind, digit): (Kind, fn(&u8) -> bool) = match bytes.get(start + 1) {
            Some(b'x') => (Kind::Hexadecimal, u8::is_ascii_hexdigit),
            Some(b'b') => (Kind::Binary, |byte| matches!(byte, b'0' | b'1')),
            Some(b'f') => return self.field_literal(start),
            _ => return Err(ParseError::new(start, Problem::BadNumber)),
        };
        let end = self.symbol_end(start + 2);
        if end == start + 2 || !bytes[start + 2..end].iter().all(digit) {
            return Err(ParseError::new(start, Problem::BadNumber));
        }
        Ok(self.taken(kind, start, end))
    }

    /// cvc5's `#f3m7`, kept as a symbol.
    fn field_literal(&mut self, start: usize) -> Result<Token, ParseError> {
        let end = self.symbol_end(start + 2);
        match is_field_literal(&self.source[start..end]) {
            true => Ok(self.taken(Kind::Symbol, start, end)),
            false => Err(ParseError::new(start, Problem::BadNumber)),
        }
    }

    fn string(&mut self, start: usize) -> Result<Token, ParseError> {
        let bytes = self.source.as_bytes();
        let mut at = start + 1;
        loop {
            match bytes.get(at) {
                None => return Err(ParseError::new(start, Problem::OpenString)),
                Some(b'"') if bytes.get(at + 1) == Some(&b'"') => at += 2,
                Some(b'"') => break,
                Some(_) => at += 1,
            }
        }
        self.position = at + 1;
        Ok(token(Kind::String, start + 1, at, start))
    }

    fn quoted(&mut self, start: usize) -> Result<Token, ParseError> {
        let rest = &self.source.as_bytes()[start + 1..];
        match rest.iter().position(|&byte| byte == b'|') {
            None => Err(ParseError::new(start, Problem::OpenQuoted)),
            Some(len) => {
                self.position = start + len + 2;
                Ok(token(Kind::Quoted, start + 1, start + 1 + len, start))
            }
        }
    }
}

/// The source is below 4 GiB (see [`super::parse`]), so offsets fit.
fn token(kind: Kind, start: usize, end: usize, offset: usize) -> Token {
    Token {
        kind,
        start: start as u32,
        end: end as u32,
        offset: offset as u32,
    }
}
