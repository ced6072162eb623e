//! The texts of one run, each kept once: equal texts have equal numbers.

/// More than this much text in one run is refused.
pub(super) const MAX_BYTES: usize = 64 << 20;

/// See the module's documentation.
#[derive(Debug)]
pub(crate) struct Texts {
    all: String,
    /// Where text *i* ends; it begins where the one before it ends.
    ends: Vec<u32>,
    /// Numbers plus one by hash; 0 is free. The length is a power of two.
    table: Vec<u32>,
}

impl Texts {
    pub(crate) fn new() -> Texts {
        Texts {
            all: String::new(),
            ends: Vec::new(),
            table: vec![0; 256],
        }
    }

    pub(crate) fn get(&self, text: u32) -> &str {
        let end = self.ends[text as usize] as usize;
        let start = match text {
            0 => 0,
            _ => self.ends[text as usize - 1] as usize,
        };
        &self.all[start..end]
    }

    pub(crate) fn intern(&mut self, text: &str) -> Option<u32> {
        self.all.push_str(text);
        self.settle()
    }

    /// The number of the text that `write` appends; `None` if it is too much.
    pub(crate) fn compose(&mut self, write: impl FnOnce(&mut Composer)) -> Option<u32> {
        let mut composer = Composer {
            all: &mut self.all,
            ends: &self.ends,
            overflow: false,
        };
        write(&mut composer);
        if composer.overflow {
            let start = self.start();
            self.all.truncate(start);
            return None;
        }
        self.settle()
    }

    /// Where the text that is being written begins.
    fn start(&self) -> usize {
        self.ends.last().map_or(0, |&end| end as usize)
    }

    /// What was written since the last text becomes a text.
    fn settle(&mut self) -> Option<u32> {
        let start = self.start();
        if self.all.len() > MAX_BYTES {
            self.all.truncate(start);
            return None;
        }
        let mask = self.table.len() - 1;
        let mut at = hash(&self.all.as_bytes()[start..]) as usize & mask;
        loop {
            match self.table[at] {
                0 => break,
                entry if self.get(entry - 1) == &self.all[start..] => {
                    self.all.truncate(start);
                    return Some(entry - 1);
                }
                _ => at = (at + 1) & mask,
            }
        }
        self.ends.push(self.all.len() as u32);
        let number = self.ends.len() as u32;
        self.table[at] = number;
        if self.ends.len() * 2 > self.table.len() {
            self.grow();
        }
        Some(number - 1)
    }

    fn grow(&mut self) {
        let mask = self.table.len() * 2 - 1;
        let mut table = vec![0u32; mask + 1];
        for text in 0..self.ends.len() as u32 {
            let mut at = hash(self.get(text).as_bytes()) as usize & mask;
            while table[at] != 0 {
                at = (at + 1) & mask;
            }
            table[at] = text + 1;
        }
        self.table = table;
    }
}

/// Writes a new text out of old ones.
pub(crate) struct Composer<'a> {
    all: &'a mut String,
    ends: &'a [u32],
    overflow: bool,
}

impl Composer<'_> {
    pub(crate) fn push(&mut self, text: &str) {
        match self.all.len() + text.len() > MAX_BYTES {
            true => self.overflow = true,
            false => self.all.push_str(text),
        }
    }

    /// Appends a text that is known already.
    pub(crate) fn push_known(&mut self, text: u32) {
        let end = self.ends[text as usize] as usize;
        let start = match text {
            0 => 0,
            _ => self.ends[text as usize - 1] as usize,
        };
        match self.all.len() + (end - start) > MAX_BYTES {
            true => self.overflow = true,
            false => self.all.extend_from_within(start..end),
        }
    }
}

/// FNV-1a: texts are short, and the table is never walked through.
fn hash(bytes: &[u8]) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325u64;
    for &byte in bytes {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
    hash ^ (hash >> 29)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_texts_have_equal_numbers_whatever_way_they_are_made() {
        let mut texts = Texts::new();
        let numbers: Vec<u32> = (0..1000)
            .map(|i| texts.intern(&format!("x{i}")).unwrap())
            .collect();
        let x = texts.intern("x").unwrap();
        for (i, &number) in numbers.iter().enumerate() {
            let tail = texts.intern(&i.to_string()).unwrap();
            let composed = texts.compose(|out| {
                out.push_known(x);
                out.push_known(tail);
            });
            assert_eq!(composed, Some(number));
            assert_eq!(texts.get(number), format!("x{i}"));
        }
    }

    #[test]
    fn too_much_text_is_refused_and_leaves_the_rest_whole() {
        let mut texts = Texts::new();
        let block = texts.intern(&"y".repeat(1 << 20)).unwrap();
        let many = texts.compose(|out| (0..100).for_each(|_| out.push_known(block)));
        assert_eq!(many, None);
        let z = texts.intern("z").unwrap();
        assert_eq!(texts.get(z), "z");
    }
}
