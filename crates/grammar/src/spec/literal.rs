//! The regular expressions of literal classes, as sets of texts to draw from.
//!
//! Alternation, groups, sets of characters, `?` and `{m,n}`. What has no end
//! (`*`, `+`) is refused: a literal class has finitely many texts.

use lydite_core::{Choices, Reject};

/// A set of texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Literal {
    /// One of these.
    Either(Vec<Literal>),
    /// These one after the other.
    Sequence(Vec<Literal>),
    /// One character of these ranges.
    Set(Vec<(char, char)>),
    /// From so many to so many times.
    Repeat(Box<Literal>, u32, u32),
}

const MAX_REPEAT: u32 = 10_000;
const MAX_DEPTH: usize = 50;
/// A program draws many texts of a class and keeps them.
const MAX_LENGTH: u64 = 1 << 21;

impl Literal {
    /// Reads `text`; the error has an offset in characters.
    pub(crate) fn read(text: &str) -> Result<Literal, String> {
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

    /// How many characters a text has at most.
    fn longest(&self) -> u64 {
        let of = |parts: &[Literal]| -> Vec<u64> { parts.iter().map(Literal::longest).collect() };
        match self {
            Literal::Either(parts) => of(parts).into_iter().max().unwrap_or(0),
            Literal::Sequence(parts) => of(parts).into_iter().fold(0, u64::saturating_add),
            Literal::Set(_) => 1,
            Literal::Repeat(part, _, high) => part.longest().saturating_mul(u64::from(*high)),
        }
    }

    /// How many texts there are, at most `u64::MAX`; texts that can be made in
    /// several ways count several times.
    pub(crate) fn count(&self) -> u64 {
        match self {
            Literal::Either(parts) => parts
                .iter()
                .fold(0, |n: u64, p| n.saturating_add(p.count())),
            Literal::Sequence(parts) => parts
                .iter()
                .fold(1, |n: u64, p| n.saturating_mul(p.count())),
            Literal::Set(ranges) => ranges.iter().map(range_size).sum(),
            Literal::Repeat(part, low, high) => {
                let one = part.count();
                let counts = (*low..=*high).map(|times| one.saturating_pow(times));
                counts.fold(0, u64::saturating_add)
            }
        }
    }

    /// Text number `index`; below [`Literal::count`], which is below 2^64.
    pub(crate) fn nth(&self, index: u64, out: &mut String) {
        let mut index = index;
        match self {
            Literal::Either(parts) => {
                for part in parts {
                    let count = part.count();
                    if index < count {
                        return part.nth(index, out);
                    }
                    index -= count;
                }
            }
            Literal::Sequence(parts) => {
                let mut rest: u64 = parts.iter().map(Literal::count).product();
                for part in parts {
                    rest /= part.count();
                    part.nth(index / rest, out);
                    index %= rest;
                }
            }
            Literal::Set(ranges) => {
                for range in ranges {
                    let count = range_size(range);
                    if index < count {
                        out.push(nth_char(range, index));
                        return;
                    }
                    index -= count;
                }
            }
            Literal::Repeat(part, low, high) => {
                let one = part.count();
                for times in *low..=*high {
                    let count = one.pow(times);
                    if index < count {
                        let mut rest = count;
                        for _ in 0..times {
                            rest /= one;
                            part.nth(index / rest, out);
                            index %= rest;
                        }
                        return;
                    }
                    index -= count;
                }
            }
        }
    }

    /// A random text: alternatives by how many texts they have, lengths
    /// uniformly.
    pub(crate) fn draw(&self, choices: &mut Choices, out: &mut String) -> Result<(), Reject> {
        match self {
            Literal::Either(parts) => {
                let weights = parts.iter().map(|part| part.count().min(1 << 32));
                let weights: Vec<u64> = weights.collect();
                parts[choices.weighted(&weights)?].draw(choices, out)
            }
            Literal::Sequence(parts) => parts.iter().try_for_each(|part| part.draw(choices, out)),
            Literal::Set(_) => {
                self.nth(choices.below(self.count())?, out);
                Ok(())
            }
            Literal::Repeat(part, low, high) => {
                let times = choices.between(u64::from(*low), u64::from(*high))?;
                (0..times).try_for_each(|_| part.draw(choices, out))
            }
        }
    }
}

fn range_size((low, high): &(char, char)) -> u64 {
    // Surrogates are no characters.
    let gap = u64::from(*low < '\u{e000}' && *high >= '\u{e000}') * 0x800;
    u64::from(*high) - u64::from(*low) + 1 - gap
}

fn nth_char((low, _): &(char, char), index: u64) -> char {
    let code = *low as u32 + index as u32;
    let code = match *low < '\u{e000}' && code >= 0xd800 {
        true => code + 0x800,
        false => code,
    };
    char::from_u32(code).unwrap_or(*low)
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

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &str) -> Vec<String> {
        let literal = Literal::read(text).unwrap();
        let nth = |index| {
            let mut out = String::new();
            literal.nth(index, &mut out);
            out
        };
        (0..literal.count()).map(nth).collect()
    }

    #[test]
    fn every_text_of_an_expression_is_numbered() {
        for (expression, texts) in [
            ("abc", "abc"),
            ("a|b|", "a b "),
            ("[a-c]{1,2}", "a b c aa ab ac ba bb bc ca cb cc"),
            ("x(y|z)?", "x xy xz"),
            ("[+|\\-*/]", "* + - / |"),
            ("[]a]", "] a"),
            ("0|[12][01]", "0 10 11 20 21"),
            ("\\.\\d{0}", "."),
        ] {
            assert_eq!(all(expression).join(" "), texts, "{expression}");
        }
    }

    #[test]
    fn a_drawn_text_is_one_of_the_texts_and_large_sets_are_no_trouble() {
        let texts = all("(ab?|[cd]{2})[0-3]");
        let literal = Literal::read("(ab?|[cd]{2})[0-3]").unwrap();
        for index in 0..100 {
            let mut out = String::new();
            literal
                .draw(&mut Choices::seeded(0, index), &mut out)
                .unwrap();
            assert!(texts.contains(&out), "{out}");
        }
        let large = Literal::read("[a-z]{1,1000}(.{1000}){1000}").unwrap();
        assert_eq!(large.count(), u64::MAX);
        let mut choices = Choices::seeded(0, 0).with_limit(500);
        let drawn = large.draw(&mut choices, &mut String::new());
        assert_eq!(drawn, Err(Reject::OutOfChoices));
    }

    #[test]
    fn what_has_no_end_or_no_sense_is_refused() {
        for (expression, problem) in [
            ("a*", "`*` has no end: say how often at most, such as {1,8}"),
            ("a+", "`+` has no end: say how often at most, such as {1,8}"),
            ("a{3,2}", "expected {m} or {m,n} with m <= n <= 10000"),
            (
                "((a{1000}){1000}){1000}",
                "its texts have up to 1000000000 characters; at most 2097152 are allowed",
            ),
            ("a{x}", "expected a number after `{` or `,`"),
            ("(a", "a group that does not end"),
            ("a)", "`)` without its beginning"),
            ("[a", "a set that does not end"),
            ("[z-a]", "the range z-a is empty"),
            (
                "[^a]",
                "sets that begin with `^` are too large: list what may occur",
            ),
            ("?", "`?` follows nothing (write \\? for itself)"),
            ("a\\", "a `\\` at the end"),
        ] {
            assert_eq!(Literal::read(expression).unwrap_err(), problem);
        }
        let deep = "(".repeat(100_000);
        assert_eq!(
            Literal::read(&deep).unwrap_err(),
            "groups nest more than 50 deep"
        );
    }
}
