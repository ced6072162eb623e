//! The tokens of C, as far as they matter here.

use std::ops::Range;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Word,
    /// A number, a character or a string.
    Literal,
    /// Also `&&` and `...`, each as one; everything else byte by byte.
    Mark,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Token {
    pub kind: Kind,
    pub range: Range<usize>,
}

/// The tokens of a text, without white space, comments and directives.
pub(super) struct Tokens {
    pub list: Vec<Token>,
    /// The partner of each bracket; itself where there is none.
    partners: Vec<usize>,
}

impl Tokens {
    pub(super) fn read(text: &[u8]) -> Tokens {
        let mut list = Vec::new();
        let mut at = 0;
        while at < text.len() {
            let (kind, end) = next(text, at);
            if let Some(kind) = kind {
                list.push(Token {
                    kind,
                    range: at..end,
                });
            }
            at = end;
        }
        let partners = partners(text, &list);
        Tokens { list, partners }
    }

    /// The text of a token; empty beyond the last.
    pub(super) fn text<'a>(&self, text: &'a [u8], number: usize) -> &'a [u8] {
        self.list
            .get(number)
            .map_or(&[], |token| &text[token.range.clone()])
    }

    pub(super) fn is_word(&self, number: usize) -> bool {
        self.list
            .get(number)
            .is_some_and(|token| token.kind == Kind::Word)
    }

    /// The bracket that closes the one at `number`, if that is an opening
    /// one with a partner.
    pub(super) fn closing(&self, number: usize) -> Option<usize> {
        self.partners
            .get(number)
            .copied()
            .filter(|&partner| partner > number)
    }
}

impl Tokens {
    /// The bracket that the one at `number` closes.
    pub(super) fn opening(&self, number: usize) -> Option<usize> {
        let partner = self.partners.get(number).copied();
        partner.filter(|&partner| partner < number)
    }
}

/// The kind of what begins at `at` (`None` for space and comments) and its end.
fn next(text: &[u8], at: usize) -> (Option<Kind>, usize) {
    let rest = &text[at..];
    let run =
        |while_: &dyn Fn(&u8) -> bool| at + rest.iter().take_while(|byte| while_(byte)).count();
    let word =
        |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$') || *byte >= 0x80;
    match rest[0] {
        byte if byte.is_ascii_whitespace() => (None, run(&|byte| byte.is_ascii_whitespace())),
        b'\\' => (None, at + 1),
        b'/' if rest.starts_with(b"//") => (None, run(&|byte| *byte != b'\n')),
        b'/' if rest.starts_with(b"/*") => (None, comment_end(text, at)),
        quote @ (b'"' | b'\'') => (Some(Kind::Literal), quoted_end(text, at, quote)),
        byte if byte.is_ascii_digit() => (Some(Kind::Literal), number_end(text, at)),
        b'.' if rest.get(1).is_some_and(u8::is_ascii_digit) => {
            (Some(Kind::Literal), number_end(text, at))
        }
        byte if word(&byte) => (Some(Kind::Word), run(&word)),
        _ if rest.starts_with(b"...") => (Some(Kind::Mark), at + 3),
        _ if rest.starts_with(b"&&") => (Some(Kind::Mark), at + 2),
        _ => (Some(Kind::Mark), at + 1),
    }
}

/// The end of the comment `/* … */` that begins at `at`.
pub(super) fn comment_end(text: &[u8], at: usize) -> usize {
    let inside = &text[(at + 2).min(text.len())..];
    let end = inside.windows(2).position(|pair| pair == b"*/");
    end.map_or(text.len(), |end| at + 2 + end + 2)
}

/// The end of the string or character that begins at `at`; the line's end if
/// it is never closed.
pub(super) fn quoted_end(text: &[u8], at: usize, quote: u8) -> usize {
    let mut end = at + 1;
    while end < text.len() {
        match text[end] {
            b'\\' => end += 2,
            b'\n' => return end,
            byte if byte == quote => return end + 1,
            _ => end += 1,
        }
    }
    text.len()
}

fn number_end(text: &[u8], at: usize) -> usize {
    let mut end = at;
    while end < text.len() {
        let signed = matches!(text[end], b'+' | b'-')
            && end > at
            && matches!(text[end - 1], b'e' | b'E' | b'p' | b'P');
        if !(text[end].is_ascii_alphanumeric() || matches!(text[end], b'.' | b'_') || signed) {
            break;
        }
        end += 1;
    }
    end.max(at + 1)
}

fn partners(text: &[u8], list: &[Token]) -> Vec<usize> {
    let mut partners: Vec<usize> = (0..list.len()).collect();
    let mut open: Vec<(usize, u8)> = Vec::new();
    for (number, token) in list.iter().enumerate() {
        if token.kind != Kind::Mark {
            continue;
        }
        match text[token.range.start] {
            byte @ (b'(' | b'[' | b'{') => open.push((number, byte)),
            byte @ (b')' | b']' | b'}') => {
                let wanted = match byte {
                    b')' => b'(',
                    b']' => b'[',
                    _ => b'{',
                };
                // A bracket of another kind in between is somebody's mistake.
                while let Some((opening, kind)) = open.pop() {
                    if kind == wanted {
                        partners[opening] = number;
                        partners[number] = opening;
                        break;
                    }
                }
            }
            _ => {}
        }
    }
    partners
}
