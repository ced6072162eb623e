//! The regular expressions of literal classes, as sets of texts to draw from.
//!
//! Alternation, groups, sets of characters, `?` and `{m,n}`. What has no end
//! (`*`, `+`) is refused: a literal class has finitely many texts.
//!
//! Alternatives are alike, whatever the number of their texts: `0|[1-9]{1,18}`
//! is 0 every other time. A program draws from a pool of texts, in which every
//! alternative has its place.

mod read;
#[cfg(test)]
mod tests;
mod turn;

use lydite_core::{Choices, Reject};

pub(crate) use read::split_alternatives;
pub(crate) use turn::Turn;

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

impl Literal {
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
