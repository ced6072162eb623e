//! A change to a text: some ranges of it become something else.

use std::ops::Range;

/// See the module's documentation.
pub(crate) struct Change {
    /// In the order of the text, none inside another.
    cuts: Vec<Cut>,
    /// What it does, in words.
    pub(crate) what: String,
    /// The program means what it meant.
    pub(crate) keeps_meaning: bool,
}

/// One range of a change.
pub(crate) struct Cut {
    pub(crate) range: Range<usize>,
    pub(crate) by: By,
}

/// What a range becomes.
#[derive(Clone)]
pub(crate) enum By {
    /// Another part of the source; nothing if that is empty.
    Part(Range<usize>),
    Text(Vec<u8>),
}

impl By {
    pub(crate) const NOTHING: By = By::Part(0..0);

    pub(crate) fn text(text: &str) -> By {
        By::Text(text.as_bytes().to_vec())
    }

    fn bytes<'a>(&'a self, source: &'a [u8]) -> &'a [u8] {
        match self {
            By::Part(range) => &source[range.clone()],
            By::Text(text) => text,
        }
    }

    fn len(&self) -> usize {
        match self {
            By::Part(range) => range.len(),
            By::Text(text) => text.len(),
        }
    }
}

impl Cut {
    pub(crate) fn out(range: Range<usize>) -> Cut {
        Cut {
            range,
            by: By::NOTHING,
        }
    }
}

impl Change {
    pub(crate) fn one(range: Range<usize>, by: By, what: String) -> Change {
        Change {
            cuts: vec![Cut { range, by }],
            what,
            keeps_meaning: false,
        }
    }

    /// Of ranges that overlap, the one that begins first, or else the longer.
    pub(crate) fn of(mut cuts: Vec<Cut>, what: String) -> Change {
        cuts.sort_by_key(|cut| (cut.range.start, std::cmp::Reverse(cut.range.end)));
        let mut end = 0;
        cuts.retain(|cut| {
            let apart = cut.range.start >= end;
            if apart {
                end = cut.range.end;
            }
            apart
        });
        Change {
            cuts,
            what,
            keeps_meaning: false,
        }
    }

    pub(crate) fn keeping_meaning(self) -> Change {
        Change {
            keeps_meaning: true,
            ..self
        }
    }

    /// How many bytes shorter the text gets; 0 if it does not.
    pub(crate) fn saved(&self) -> usize {
        let gone: usize = self.cuts.iter().map(|cut| cut.range.len()).sum();
        let put: usize = self.cuts.iter().map(|cut| cut.by.len()).sum();
        gone.saturating_sub(put)
    }

    /// The ranges that go and what comes instead, in the order of the text; a
    /// range that becomes a part of itself loses what is around that part.
    pub(crate) fn replacements(&self, text: &[u8]) -> Vec<(Range<usize>, Vec<u8>)> {
        let replaced = self.cuts.iter().flat_map(|cut| {
            let Range { start, end } = cut.range;
            match &cut.by {
                By::Part(part) if !part.is_empty() && start <= part.start && part.end <= end => {
                    vec![(start..part.start, Vec::new()), (part.end..end, Vec::new())]
                }
                by => vec![(start..end, by.bytes(text).to_vec())],
            }
        });
        let replaced = replaced.filter(|(range, by)| !range.is_empty() || !by.is_empty());
        replaced.collect()
    }

    /// What becomes something else, each as a whole.
    pub(crate) fn exchanges(&self, text: &[u8]) -> Vec<(Range<usize>, Vec<u8>)> {
        let cuts = self.cuts.iter();
        cuts.map(|cut| (cut.range.clone(), cut.by.bytes(text).to_vec()))
            .collect()
    }

    /// The same of a text that begins so many bytes further on.
    pub(crate) fn moved(mut self, by: usize) -> Change {
        let moved = |range: &Range<usize>| range.start + by..range.end + by;
        for cut in &mut self.cuts {
            cut.range = moved(&cut.range);
            if let By::Part(part) = &mut cut.by
                && part.start < part.end
            {
                *part = moved(part);
            }
        }
        self
    }

    pub(crate) fn apply(&self, text: &[u8]) -> Vec<u8> {
        let mut made = Vec::with_capacity(text.len());
        let mut done = 0;
        for cut in &self.cuts {
            made.extend_from_slice(&text[done..cut.range.start]);
            made.extend_from_slice(cut.by.bytes(text));
            done = cut.range.end;
        }
        made.extend_from_slice(&text[done..]);
        made
    }
}
