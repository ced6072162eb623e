//! How the expression of a literal class is read.

use super::Literal;

const MAX_REPEAT: u32 = 10_000;
const MAX_DEPTH: usize = 50;
/// A program draws many texts of a class and keeps them.
const MAX_LENGTH: u64 = 1 << 21;

impl Literal {
    /// Reads `text`; the error has an offset in characters.
    pub(crate) fn read(text: &str) -> Result<Literal, String> {
        if is_anchored(text) {
            let problem = "`^` and `$` are no anchors: a text is all of the expression; \
                           leave them out, or write \\^ and \\$ for the signs themselves";
            return Err(problem.to_string());
        }
        let mut reader = Reader {
            rest: text.chars().collect(),
            at: 0,
            depth: 0,
        };
        let literal = reader.either()?;
        match reader.peek() {
            None if literal.longest() > MAX_LENGTH => Err(format!(
                "its texts have up to {} characters; at most {MAX_LENGTH} are allowed",
                literal.longest()
            )),
            None => Ok(literal),
            Some(found) => Err(format!("`{found}` without its beginning")),
        }
    }
}

/// True for an expression that is written as one that searches in a text.
fn is_anchored(text: &str) -> bool {
    let Some(rest) = text.strip_prefix('^') else {
        return false;
    };
    let ends = rest.ends_with('$') && !rest.ends_with("\\$");
    ends || rest.starts_with(['[', '('])
}

/// The alternatives of an expression, as they are written.
pub(crate) fn split_alternatives(expression: &str) -> Vec<String> {
    let mut all = vec![String::new()];
    let (mut depth, mut in_set) = (0u32, false);
    let mut rest = expression.chars();
    while let Some(c) = rest.next() {
        let last = all.last_mut().expect("there is always one");
        match c {
            '|' if depth == 0 && !in_set => {
                all.push(String::new());
                continue;
            }
            '[' if !in_set => in_set = true,
            ']' => in_set = false,
            '(' if !in_set => depth += 1,
            ')' if !in_set => depth = depth.saturating_sub(1),
            _ => {}
        }
        last.push(c);
        if c == '\\' {
            last.extend(rest.next());
        }
    }
    all
}

struct Reader {
    rest: Vec<char>,
    at: usize,
    depth: usize,
}

impl Reader {
    fn peek(&self) -> Option<char> {
        self.rest.get(self.at).copied()
    }

    fn next(&mut self) -> Option<char> {
        let next = self.peek();
        self.at += usize::from(next.is_some());
        next
    }

    fn take(&mut self, wanted: char) -> bool {
        let found = self.peek() == Some(wanted);
        self.at += usize::from(found);
        found
    }

    fn either(&mut self) -> Result<Literal, String> {
        if self.depth == MAX_DEPTH {
            return Err(format!("groups nest more than {MAX_DEPTH} deep"));
        }
        self.depth += 1;
        let mut parts = vec![self.sequence()?];
        while self.take('|') {
            parts.push(self.sequence()?);
        }
        self.depth -= 1;
        Ok(match parts.len() {
            1 => parts.remove(0),
            _ => Literal::Either(parts),
        })
    }

    fn sequence(&mut self) -> Result<Literal, String> {
        let mut parts = Vec::new();
        while let Some(next) = self.peek() {
            if next == '|' || next == ')' {
                break;
            }
            let part = self.atom()?;
            parts.push(self.repeated(part)?);
        }
        Ok(match parts.len() {
            1 => parts.remove(0),
            _ => Literal::Sequence(parts),
        })
    }

    fn repeated(&mut self, part: Literal) -> Result<Literal, String> {
        match self.peek() {
            Some('?') => {
                self.next();
                Ok(Literal::Repeat(Box::new(part), 0, 1))
            }
            Some(mark @ ('*' | '+')) => Err(format!(
                "`{mark}` has no end: say how often at most, such as {{1,8}}"
            )),
            Some('{') => {
                self.next();
                let low = self.number()?;
                let high = match self.take(',') {
                    true => self.number()?,
                    false => low,
                };
                if !self.take('}') || low > high || high > MAX_REPEAT {
                    return Err(format!(
                        "expected {{m}} or {{m,n}} with m <= n <= {MAX_REPEAT}"
                    ));
                }
                Ok(Literal::Repeat(Box::new(part), low, high))
            }
            _ => Ok(part),
        }
    }

    fn number(&mut self) -> Result<u32, String> {
        let mut digits = String::new();
        while let Some(digit) = self.peek().filter(char::is_ascii_digit) {
            digits.push(digit);
            self.next();
        }
        let bad = |_| "expected a number after `{` or `,`".to_string();
        digits.parse().map_err(bad)
    }

    fn atom(&mut self) -> Result<Literal, String> {
        let single = |c: char| Ok(Literal::Set(vec![(c, c)]));
        match self.next() {
            Some('(') => {
                let inner = self.either()?;
                match self.take(')') {
                    true => Ok(inner),
                    false => Err("a group that does not end".to_string()),
                }
            }
            Some('[') => self.set(),
            Some('.') => Ok(Literal::Set(vec![(' ', '~')])),
            Some('\\') => match self.next() {
                Some('d') => Ok(Literal::Set(vec![('0', '9')])),
                Some(c) if c.is_ascii_alphanumeric() => Err(format!(
                    "`\\{c}` means nothing here: list what may occur, such as [a-z0-9_]"
                )),
                Some(c) => single(c),
                None => Err("a `\\` at the end".to_string()),
            },
            Some(mark @ ('*' | '+' | '?' | '{' | '}' | ']')) => Err(format!(
                "`{mark}` follows nothing (write \\{mark} for itself)"
            )),
            Some(c) => single(c),
            None => Err("nothing".to_string()),
        }
    }

    fn set(&mut self) -> Result<Literal, String> {
        let mut ranges: Vec<(char, char)> = Vec::new();
        if self.peek() == Some('^') {
            return Err("sets that begin with `^` are too large: list what may occur".to_string());
        }
        loop {
            let low = match self.next() {
                Some(']') if !ranges.is_empty() => break,
                Some('\\') => self.next(),
                other => other,
            };
            let low = low.ok_or("a set that does not end")?;
            let is_range = self.peek() == Some('-') && self.rest.get(self.at + 1) != Some(&']');
            let high = match is_range {
                true => {
                    self.next();
                    match self.next() {
                        Some('\\') => self.next(),
                        other => other,
                    }
                    .ok_or("a set that does not end")?
                }
                false => low,
            };
            if low > high {
                return Err(format!("the range {low}-{high} is empty"));
            }
            ranges.push((low, high));
        }
        // Sorted and without overlap: each character counts once.
        ranges.sort_unstable();
        let mut merged: Vec<(char, char)> = Vec::new();
        for (low, high) in ranges {
            match merged.last_mut() {
                Some(last) if low <= last.1 => last.1 = last.1.max(high),
                _ => merged.push((low, high)),
            }
        }
        Ok(Literal::Set(merged))
    }
}
