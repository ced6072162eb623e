//! What the letters of a block stand for.

use std::collections::BTreeMap;

use super::table::{Block, Name, is_sort_letter, tokens};
use super::values::item_len;

/// Sorts by capital letter, numbers by small letter.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Letters {
    pub(super) sorts: BTreeMap<String, String>,
    pub(super) numbers: BTreeMap<String, u64>,
}

impl Letters {
    /// Makes a sort of a block equal to a sort of a seed by binding letters.
    pub(super) fn fit(&mut self, pattern: &str, sort: &str) -> bool {
        let sort: Vec<&str> = tokens(sort).collect();
        let mut rest = &sort[..];
        let mut places = Places::default();
        for word in tokens(pattern) {
            let number = places.next(word);
            if is_sort_letter(word) && !number {
                let (item, after) = rest.split_at(item_len(rest));
                if item.is_empty() || !self.bind_sort(word, &joined(item)) {
                    return false;
                }
                rest = after;
                continue;
            }
            let Some((first, after)) = rest.split_first() else {
                return false;
            };
            let fits = match number {
                true => self.bind_number(word, first),
                false => word == *first,
            };
            if !fits {
                return false;
            }
            rest = after;
        }
        rest.is_empty()
    }

    fn bind_sort(&mut self, letter: &str, sort: &str) -> bool {
        match self.sorts.get(letter) {
            Some(known) => known == sort,
            // Different letters are different sorts.
            None if self.sorts.values().any(|known| known == sort) => false,
            None => {
                self.sorts.insert(letter.to_string(), sort.to_string());
                true
            }
        }
    }

    fn bind_number(&mut self, word: &str, numeral: &str) -> bool {
        let Ok(number) = numeral.parse::<u64>() else {
            return word == numeral;
        };
        match self.number(word) {
            Some(known) => known == number,
            None if is_number_letter(word) => {
                self.numbers.insert(word.to_string(), number);
                true
            }
            None => false,
        }
    }

    /// The value of `7`, `m` or `m+n-1`; none if it is something else, or
    /// below zero.
    fn number(&self, word: &str) -> Option<u64> {
        let mut sum: i128 = 0;
        let mut rest = word;
        let mut sign = 1;
        loop {
            let end = rest.find(['+', '-']).unwrap_or(rest.len());
            let part = &rest[..end];
            let value = match part.parse::<u64>() {
                Ok(number) => number,
                Err(_) => *self.numbers.get(part)?,
            };
            sum += sign * i128::from(value);
            if end == rest.len() {
                return u64::try_from(sum).ok();
            }
            sign = if rest.as_bytes()[end] == b'+' { 1 } else { -1 };
            rest = &rest[end + 1..];
        }
    }

    /// A text of a block with what the letters stand for; letters that are
    /// not bound stay.
    fn written(&self, text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        let mut places = Places::default();
        let mut last = "";
        for word in tokens(text) {
            let number = places.next(word);
            if word != ")" && last != "(" && !last.is_empty() {
                out.push(' ');
            }
            last = word;
            match (number, self.number(word), self.sorts.get(word)) {
                (true, Some(number), _) => out.push_str(&number.to_string()),
                (false, _, Some(sort)) => out.push_str(sort),
                _ => out.push_str(word),
            }
        }
        out
    }

    /// The block for these letters.
    pub(super) fn block(&self, block: &Block) -> Block {
        let written = |text: &String| self.written(text);
        let names = |names: &[Name]| -> Vec<Name> {
            let name = |name: &Name| Name {
                name: name.name.clone(),
                sort: self.written(&name.sort),
                value: name.value.as_ref().map(written),
            };
            names.iter().map(name).collect()
        };
        let [x, y, z] = &block.sorts;
        let [of_x, of_y] = &block.inversions;
        Block {
            line: block.line,
            sorts: [written(x), written(y), written(z)],
            constants: names(&block.constants),
            fresh: names(&block.fresh),
            fusion: written(&block.fusion),
            inversions: [of_x.as_ref().map(written), of_y.as_ref().map(written)],
            constant_conditions: block.constant_conditions.iter().map(written).collect(),
            conditions: block.conditions.iter().map(written).collect(),
        }
    }
}

fn joined(words: &[&str]) -> String {
    words.join(" ").replace("( ", "(").replace(" )", ")")
}

/// True if a word stands for any number, where a number stands.
pub(super) fn is_number_letter(word: &str) -> bool {
    matches!(word.as_bytes(), [letter] if letter.is_ascii_lowercase())
}

/// Follows the words of a text and tells where numbers stand: behind the name
/// in `(_ name number …)`.
#[derive(Default)]
pub(super) struct Places {
    /// For each open list how many words it has had, and whether `_` began it.
    open: Vec<(usize, bool)>,
}

impl Places {
    /// True if `word`, which comes next, stands where a number does.
    pub(super) fn next(&mut self, word: &str) -> bool {
        if word == ")" {
            self.open.pop();
            return false;
        }
        let mut number = false;
        if let Some((words, indexed)) = self.open.last_mut() {
            *words += 1;
            *indexed |= *words == 1 && word == "_";
            number = *indexed && *words > 2;
        }
        if word == "(" {
            self.open.push((0, false));
            return false;
        }
        number
    }
}

/// The letters of a block, sorts and numbers, in the order of the alphabet.
pub(super) fn letters_of(block: &Block) -> (Vec<String>, Vec<String>) {
    let (mut sorts, mut numbers) = (BTreeMap::new(), BTreeMap::new());
    let names = block.fresh.iter().chain(&block.constants);
    let texts = block.sorts.iter().chain(names.map(|name| &name.sort));
    for text in texts {
        let mut places = Places::default();
        for word in tokens(text) {
            match places.next(word) {
                true if is_number_letter(word) => {
                    numbers.insert(word.to_string(), ());
                }
                false if is_sort_letter(word) => {
                    sorts.insert(word.to_string(), ());
                }
                _ => {}
            }
        }
    }
    (sorts.into_keys().collect(), numbers.into_keys().collect())
}
