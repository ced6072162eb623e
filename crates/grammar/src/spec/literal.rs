//! The regular expressions of literal classes, as sets of texts to draw from.
//!
//! Alternation, groups, sets of characters, `?` and `{m,n}`. What has no end
//! (`*`, `+`) is refused: a literal class has finitely many texts.
//!
//! Alternatives are alike, whatever the number of their texts: `0|[1-9]{1,18}`
//! is 0 every other time. A program draws from a pool of texts, in which every
//! alternative has its place.

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

    /// One of these texts as they stand.
    pub(crate) fn of_texts<'t>(texts: impl Iterator<Item = &'t str>) -> Literal {
        let characters = |text: &str| text.chars().map(|c| Literal::Set(vec![(c, c)])).collect();
        let parts: Vec<Literal> = texts
            .map(|text| Literal::Sequence(characters(text)))
            .collect();
        Literal::Either(parts)
    }

    /// Its alternatives: itself, if there is one only.
    pub(crate) fn alternatives(&self) -> &[Literal] {
        match self {
            Literal::Either(parts) => parts,
            _ => std::slice::from_ref(self),
        }
    }

    /// True if `text` is one of its texts. Goes through all ways to read it, but
    /// each place of the text once per part.
    pub(crate) fn has(&self, text: &str) -> bool {
        let characters: Vec<char> = text.chars().collect();
        let ends = self.ends(&characters, vec![0]);
        ends.contains(&characters.len())
    }

    /// Where a text of it may end that begins at one of `starts`; sorted.
    fn ends(&self, text: &[char], starts: Vec<usize>) -> Vec<usize> {
        let mut ends = match self {
            Literal::Either(parts) => {
                let of = |part: &Literal| part.ends(text, starts.clone());
                parts.iter().flat_map(of).collect()
            }
            Literal::Sequence(parts) => parts
                .iter()
                .fold(starts, |starts, part| part.ends(text, starts)),
            Literal::Set(ranges) => {
                let fits = |at: &usize| {
                    let next = text.get(*at);
                    next.is_some_and(|c| ranges.iter().any(|(low, high)| (low..=high).contains(&c)))
                };
                starts.into_iter().filter(fits).map(|at| at + 1).collect()
            }
            Literal::Repeat(part, low, high) => {
                let mut all = Vec::new();
                let mut starts = starts;
                for times in 0..=*high {
                    if times >= *low {
                        all.extend_from_slice(&starts);
                    }
                    if starts.is_empty() || times == *high {
                        break;
                    }
                    starts = part.ends(text, starts);
                }
                all
            }
        };
        ends.sort_unstable();
        ends.dedup();
        ends
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

    /// How likely text number `index` is if alternatives are alike, in parts
    /// of 2^32, at least one part.
    pub(crate) fn weight(&self, index: u64) -> u64 {
        (WHOLE / self.ways(index).max(1)).max(1)
    }

    /// One text of so many that would be alike: the product of the numbers
    /// of alternatives, lengths and characters that were chosen from on the way
    /// to text number `index`.
    fn ways(&self, index: u64) -> u64 {
        match self {
            Literal::Either(parts) => {
                let counts = parts.iter().map(Literal::count);
                let (part, index) = locate(counts, index);
                (parts.len() as u64).saturating_mul(parts[part].ways(index))
            }
            Literal::Sequence(parts) => {
                let mut rest: u64 = parts.iter().map(Literal::count).product();
                let mut index = index;
                let mut ways: u64 = 1;
                for part in parts {
                    rest /= part.count();
                    ways = ways.saturating_mul(part.ways(index / rest));
                    index %= rest;
                }
                ways
            }
            Literal::Set(_) => self.count(),
            Literal::Repeat(part, low, high) => {
                let one = part.count();
                let counts = (*low..=*high).map(|times| one.pow(times));
                let (times, mut index) = locate(counts, index);
                let mut ways = u64::from(high - low) + 1;
                let mut rest = one.pow(low + times as u32);
                for _ in 0..low + times as u32 {
                    rest /= one;
                    ways = ways.saturating_mul(part.ways(index / rest));
                    index %= rest;
                }
                ways
            }
        }
    }

    /// A random text for a place in a pool. Alternatives are alike, however
    /// many texts they have, and so are lengths: they take `turn`s, so that
    /// each comes up in a pool that has the room. Characters of a set are
    /// alike.
    pub(crate) fn draw(
        &self,
        turn: Turn,
        choices: &mut Choices,
        out: &mut String,
    ) -> Result<(), Reject> {
        match self {
            Literal::Either(parts) => {
                let (part, turn) = turn.take(parts.len() as u64, choices)?;
                parts[part as usize].draw(turn, choices, out)
            }
            Literal::Sequence(parts) => {
                let mut numbered = parts.iter().zip(0..);
                numbered.try_for_each(|(part, number)| part.draw(turn.at(number), choices, out))
            }
            Literal::Set(_) => {
                self.nth(choices.below(self.count())?, out);
                Ok(())
            }
            Literal::Repeat(part, low, high) => {
                let lengths = u64::from(high - low) + 1;
                let (more, turn) = turn.take(lengths, choices)?;
                let mut times = 0..u64::from(*low) + more;
                times.try_for_each(|number| part.draw(turn.at(number), choices, out))
            }
        }
    }
}

/// What the weights of all texts add up to, about.
const WHOLE: u64 = 1 << 32;

/// Which of parts with so many texts has text number `index`, and which of
/// its texts that is.
fn locate(counts: impl Iterator<Item = u64>, mut index: u64) -> (usize, u64) {
    let mut last = 0;
    for (part, count) in counts.enumerate() {
        if index < count {
            return (part, index);
        }
        index -= count;
        last = part;
    }
    (last, 0)
}

/// Which place of a pool a text is drawn for. Alternatives take turns in blocks:
/// of *n* places one after the other each of *n* alternatives gets one, in an
/// order that differs from block to block and from program to program. What is
/// inside an alternative counts the blocks, so it takes turns as well.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Turn {
    /// The place, among those that get here.
    place: u64,
    /// How many places get here at least.
    room: u64,
    /// Random, the same for all places of a pool; differs from one part of the
    /// expression to the next.
    salt: u64,
}

/// More alternatives than this are drawn at random, not in turn: the order of
/// a block is computed anew for each place.
const MAX_BLOCK: u64 = 64;

impl Turn {
    /// For place number `place` of `room`.
    pub(crate) fn new(place: u64, room: u64, salt: u64) -> Turn {
        Turn { place, room, salt }
    }

    /// The alternative whose turn it is, and the turn of what is inside it.
    fn take(self, alternatives: u64, choices: &mut Choices) -> Result<(u64, Turn), Reject> {
        if alternatives < 2 {
            return Ok((0, self));
        }
        if alternatives > self.room.min(MAX_BLOCK) {
            let inside = Turn { room: 0, ..self };
            return Ok((choices.below(alternatives)?, inside));
        }
        let (block, rank) = (self.place / alternatives, self.place % alternatives);
        let order = |number: &u64| mix(mix(self.salt, block), *number);
        let mut block_order: Vec<u64> = (0..alternatives).collect();
        block_order.sort_by_key(|number| (order(number), *number));
        let chosen = block_order[rank as usize];
        let inside = Turn {
            place: block,
            room: self.room / alternatives,
            salt: mix(self.salt, !chosen),
        };
        Ok((chosen, inside))
    }

    /// The turn of one of several parts that stand beside each other.
    fn at(self, number: u64) -> Turn {
        let salt = mix(self.salt, number);
        Turn { salt, ..self }
    }
}

/// Both numbers in one, well spread (the finalizer of SplitMix64).
fn mix(salt: u64, number: u64) -> u64 {
    let mut mixed = salt.rotate_left(25) ^ number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
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

    fn draw(literal: &Literal, turn: Turn, choices: &mut Choices) -> String {
        let mut out = String::new();
        literal.draw(turn, choices, &mut out).unwrap();
        out
    }

    /// The texts of a pool of `room` places.
    fn pool(expression: &str, room: u64, seed: u64) -> Vec<String> {
        let literal = Literal::read(expression).unwrap();
        let mut choices = Choices::seeded(seed, 0);
        let salt = choices.below(1 << 32).unwrap();
        (0..room)
            .map(|place| draw(&literal, Turn::new(place, room, salt), &mut choices))
            .collect()
    }

    #[test]
    fn a_drawn_text_is_one_of_the_texts_and_large_sets_are_no_trouble() {
        let texts = all("(ab?|[cd]{2})[0-3]");
        for seed in 0..10 {
            for text in pool("(ab?|[cd]{2})[0-3]", 7, seed) {
                assert!(texts.contains(&text), "{text}");
            }
        }
        let large = Literal::read("[a-z]{1,1000}(.{1000}){1000}").unwrap();
        assert_eq!(large.count(), u64::MAX);
        let mut choices = Choices::seeded(0, 0).with_limit(500);
        let drawn = large.draw(Turn::new(0, 50, 0), &mut choices, &mut String::new());
        assert_eq!(drawn, Err(Reject::OutOfChoices));
    }

    #[test]
    fn a_text_is_known_as_one_of_an_expression() {
        let expression = "0|[1-9][0-9]{0,2}|x(a|ab)(bc|c){1,2}";
        let literal = Literal::read(expression).unwrap();
        assert_eq!(literal.alternatives().len(), 3);
        let written = split_alternatives(expression);
        assert_eq!(written, ["0", "[1-9][0-9]{0,2}", "x(a|ab)(bc|c){1,2}"]);
        assert_eq!(split_alternatives("[|]|\\||"), ["[|]", "\\|", ""]);
        for text in all(expression) {
            assert!(literal.has(&text), "{text}");
        }
        for text in ["", "00", "1000", "xab", "xabcc0", "é"] {
            assert!(!literal.has(text), "{text}");
        }
        // As they stand: nothing in them is an operator.
        let plain = Literal::of_texts(["%5.1f", "a|b", "(", ""].into_iter());
        for (text, expected) in [("%5.1f", true), ("%5Y1f", false), ("a", false), ("", true)] {
            assert_eq!(plain.has(text), expected, "{text}");
        }
        assert_eq!(plain.count(), 4);
    }

    #[test]
    fn alternatives_are_alike_in_every_pool_however_many_texts_they_have() {
        type Is = fn(&str) -> bool;
        type Kind<'a> = (&'a str, u64, &'a [(Is, usize)]);
        let kinds: [Kind<'_>; 4] = [
            (
                "0|1|[2-9]|[1-9][0-9]{1,3}|0x[1-9a-f][0-9a-f]{1,14}",
                50,
                &[
                    (|t| t == "0", 10),
                    (|t| t == "1", 10),
                    (|t| t.len() == 1 && t > "1", 10),
                    (|t| t.len() > 1 && !t.starts_with("0x"), 10),
                    (|t| t.starts_with("0x"), 10),
                ],
            ),
            // Alternatives inside alternatives, in sequences and repeated.
            (
                "x|y(a|b|[c-z]{9})|z",
                36,
                &[
                    (|t| t == "x", 12),
                    (|t| t == "z", 12),
                    (|t| t == "ya", 4),
                    (|t| t == "yb", 4),
                    (|t| t.len() == 10, 4),
                ],
            ),
            (
                "(a|[b-z]{5})(0|[1-9]{5})",
                8,
                &[(|t| t.starts_with('a'), 4), (|t| t.ends_with('0'), 4)],
            ),
            (
                "(-|[a-z]{7})?[0-9]{9}",
                40,
                &[
                    (|t| t.len() == 9, 20),
                    (|t| t.starts_with('-'), 10),
                    (|t| t.len() == 16, 10),
                ],
            ),
        ];
        for (expression, room, kinds) in kinds {
            for seed in 0..20 {
                let pool = pool(expression, room, seed);
                for (number, (is, wanted)) in kinds.iter().enumerate() {
                    let found = pool.iter().filter(|text| is(text)).count();
                    assert_eq!(found, *wanted, "{expression}, kind {number}, seed {seed}");
                }
            }
        }
    }

    #[test]
    fn alternatives_beside_each_other_are_combined_in_every_way() {
        let texts = |seed| pool("(a|b|c)(0|1|2)[x-z]{9}", 9, seed);
        let pairs: std::collections::BTreeSet<String> = (0..40)
            .flat_map(texts)
            .map(|text| text[..2].to_string())
            .collect();
        assert_eq!(pairs.len(), 9);
    }

    #[test]
    fn a_pool_too_small_for_all_alternatives_draws_them_alike() {
        let mut seen = std::collections::BTreeMap::<String, u32>::new();
        for seed in 0..2000 {
            let text = pool("aaaa|bbbb|cccc|[d-z]{4}", 2, seed).remove(0);
            *seen.entry(text.replace(|c| c > 'c', "*")).or_default() += 1;
        }
        assert_eq!(seen.len(), 4);
        assert!(seen.values().all(|n| (400..600).contains(n)), "{seen:?}");
    }

    #[test]
    fn a_text_weighs_what_its_alternatives_give_it() {
        let weights = |expression: &str| -> Vec<u64> {
            let literal = Literal::read(expression).unwrap();
            let weight = |index| WHOLE / literal.weight(index);
            (0..literal.count()).map(weight).collect()
        };
        assert_eq!(weights("0|[1-4]"), [2, 8, 8, 8, 8]);
        assert_eq!(weights("a|b(c|[de])"), [2, 4, 8, 8]);
        assert_eq!(weights("[ab]{1,2}"), [4, 4, 8, 8, 8, 8]);
        assert_eq!(weights("(a|[bc])x?"), [4, 4, 8, 8, 8, 8]);
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
