//! C as people write it, made into C as the grammar knows it.
//!
//! The grammar of C knows neither the preprocessor's effect nor most of what
//! GNU C adds, nor declarations without a type. A [`Surface`] is a text of
//! the same meaning for our purposes that the grammar can read: what it does
//! not know is blanked out or replaced by a name of the same length, so that
//! offsets stay, and `int ` is put in where C used to imply it
//! ([`Surface::origin`] takes that back). C++ is treated alike. The grammar of jq
//! lacks less: how fractions and formats are written.

mod directives;
mod gnu;
mod implicit;
mod jq;
mod macros;
mod token;

use std::collections::BTreeSet;
use std::ops::Range;

use token::Tokens;

/// What is put in where a type is implied.
const IMPLIED: &[u8] = b"int ";

/// A text as a grammar can read it, and how its places map to the original.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Surface {
    /// What the grammar reads.
    pub text: Vec<u8>,
    /// Names that the text defines as macros.
    pub macros: BTreeSet<Vec<u8>>,
    /// Parts of the original that only some compilations see.
    pub conditional: Vec<Range<usize>>,
    /// Parts of the original whose meaning is hidden: the uses of macros and
    /// what was replaced.
    pub hidden: Vec<Range<usize>>,
    /// Qualifiers and attributes that were blanked out, in order.
    masked: Vec<Range<usize>>,
    /// Where something was put in, as offsets into `text`.
    implied: Vec<usize>,
}

impl Surface {
    /// The surface of a text that the grammar reads as it is.
    pub fn plain(text: &[u8]) -> Surface {
        Surface {
            text: text.to_vec(),
            ..Surface::default()
        }
    }

    /// The surface of a text in C.
    pub fn of_c(text: &[u8]) -> Surface {
        Surface::read(text, true)
    }

    /// The surface of a text in C++, where nothing is implied.
    pub fn of_cpp(text: &[u8]) -> Surface {
        Surface::read(text, false)
    }

    /// The surface of a filter of jq.
    pub fn of_jq(text: &[u8]) -> Surface {
        let mut surface = Surface::plain(text);
        jq::replace(&mut surface.text);
        surface
    }

    fn read(text: &[u8], c: bool) -> Surface {
        let mut surface = Surface::plain(text);
        let directives = directives::read(text);
        for range in &directives.blank {
            blank(&mut surface.text, range.clone());
        }
        let mut tokens = Tokens::read(&surface.text);
        gnu::replace(&mut surface, &mut tokens, &directives, c);
        if !c {
            macros::replace(&mut surface, &mut tokens);
        }
        surface.conditional = directives.conditional;
        surface.macros = directives.macros;
        if c {
            let places = implicit::places(&surface.text, &tokens);
            surface.put_in(&places);
        }
        surface
    }

    fn put_in(&mut self, places: &[usize]) {
        let mut text = Vec::with_capacity(self.text.len() + places.len() * IMPLIED.len());
        let mut done = 0;
        for &place in places {
            text.extend_from_slice(&self.text[done..place]);
            self.implied.push(text.len());
            text.extend_from_slice(IMPLIED);
            done = place;
        }
        text.extend_from_slice(&self.text[done..]);
        self.text = text;
    }

    /// The place in the original of a place in [`Surface::text`]; for a place
    /// within what was put in, where that was.
    pub fn origin(&self, offset: usize) -> usize {
        let before = self.implied.partition_point(|&start| start < offset);
        let within = match before.checked_sub(1).map(|last| self.implied[last]) {
            Some(start) => IMPLIED.len().saturating_sub(offset - start),
            None => 0,
        };
        offset + within - before * IMPLIED.len()
    }

    /// The place in the original where a declaration begins whose node begins
    /// at `offset` of [`Surface::text`]: qualifiers and attributes before it
    /// that were blanked out belong to it.
    pub fn declaration_start(&self, original: &[u8], offset: usize) -> usize {
        let mut start = self.origin(offset);
        let mut before = self.masked.partition_point(|range| range.end <= start);
        while let Some(range) = before.checked_sub(1).map(|last| &self.masked[last]) {
            if !original[range.end..start]
                .iter()
                .all(u8::is_ascii_whitespace)
            {
                break;
            }
            start = range.start;
            before -= 1;
        }
        start
    }

    /// The range in the original of a range in [`Surface::text`].
    pub fn origin_range(&self, range: &Range<usize>) -> Range<usize> {
        self.origin(range.start)..self.origin(range.end)
    }
}

/// Spaces in place of everything but line ends.
fn blank(text: &mut [u8], range: Range<usize>) {
    for byte in &mut text[range] {
        if !matches!(byte, b'\n' | b'\r') {
            *byte = b' ';
        }
    }
}

#[cfg(test)]
mod tests;
