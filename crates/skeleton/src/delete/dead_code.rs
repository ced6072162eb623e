//! What a run did not reach, written into comments at the end of the text:
//!
//! ```text
//! //# unreached 1
//! //# by gcc@12.2.0:O0 clang@14.0.6:O2
//! //# bytes 1234                    of the text above
//! //# 120-140 150-199               places of statements
//! ```

use std::ops::Range;

/// The number of this format.
const FORMAT: &str = "1";

/// What the first line says, behind the comment's beginning.
const HEAD: &str = "# unreached ";

/// How many places stand on one line.
const PER_LINE: usize = 8;

/// The statements of a program that no run of it has reached, and that it
/// does not need.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DeadCode {
    /// The targets that ran it.
    pub by: Vec<String>,
    /// Where the statements are; one comes before those in it.
    pub unreached: Vec<Range<usize>>,
}

/// Why it is not known what a run of a text reaches.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DeadCodeError {
    /// Nothing says it.
    #[error("no profile (lydite profile FILE writes one)")]
    Missing,
    /// A line of the profile cannot be read.
    #[error("line {0} of the profile cannot be read (lydite profile FILE writes a new one)")]
    Line(usize),
    /// The text was changed after it was made.
    #[error("the profile is of another text, of {0} bytes (lydite profile FILE writes a new one)")]
    Stale(usize),
}

impl DeadCode {
    /// The text with this behind it.
    pub(super) fn attach(&self, comment: &str, source: &[u8]) -> Vec<u8> {
        let mut text = source.to_vec();
        if !text.ends_with(b"\n") {
            text.push(b'\n');
        }
        let mut lines = vec![
            format!("{HEAD}{FORMAT}"),
            format!("# by {}", self.by.join(" ")),
            format!("# bytes {}", text.len()),
        ];
        for part in self.unreached.chunks(PER_LINE) {
            let places = part.iter().map(|one| format!(" {}-{}", one.start, one.end));
            lines.push(format!("#{}", places.collect::<String>()));
        }
        for line in lines {
            text.extend_from_slice(format!("{comment}{line}\n").as_bytes());
        }
        text
    }

    /// A text and what it says of itself.
    pub(super) fn detach<'a>(
        comment: &str,
        text: &'a [u8],
    ) -> Result<(&'a [u8], DeadCode), DeadCodeError> {
        let head = format!("{comment}{HEAD}");
        let at = last_line_of(text, head.as_bytes()).ok_or(DeadCodeError::Missing)?;
        let (source, rest) = text.split_at(at);
        let mut dead_code = DeadCode::default();
        for (number, line) in rest.split(|&byte| byte == b'\n').enumerate() {
            let error = || DeadCodeError::Line(number + 1);
            let line = std::str::from_utf8(line).map_err(|_| error())?.trim_end();
            if line.is_empty() {
                continue;
            }
            let line = line.strip_prefix(comment).ok_or_else(error)?;
            let line = line.strip_prefix("# ").ok_or_else(error)?;
            let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
            match word {
                "unreached" if rest == FORMAT => {}
                "by" => dead_code.by = rest.split(' ').map(str::to_string).collect(),
                "bytes" => {
                    let bytes: usize = rest.parse().map_err(|_| error())?;
                    if bytes != source.len() {
                        return Err(DeadCodeError::Stale(bytes));
                    }
                }
                _ => {
                    let places = line.split(' ').map(|place| read_place(place, source.len()));
                    let places: Option<Vec<Range<usize>>> = places.collect();
                    dead_code.unreached.extend(places.ok_or_else(error)?);
                }
            }
        }
        Ok((source, dead_code))
    }
}

fn read_place(word: &str, length: usize) -> Option<Range<usize>> {
    let (start, end) = word.split_once('-')?;
    let (start, end) = (start.parse().ok()?, end.parse().ok()?);
    (start < end && end <= length).then_some(start..end)
}

/// Where the last line that begins so is.
fn last_line_of(text: &[u8], head: &[u8]) -> Option<usize> {
    let begins = |at: &usize| {
        let first = *at == 0 || text[at - 1] == b'\n';
        first && text[*at..].starts_with(head)
    };
    (0..text.len()).rev().find(begins)
}
