//! What the grammar of jq does not know: fractions, exponents and formats
//! (`0.5e3`, `@csv`, `@json "…"`). Each is replaced in place.

/// Where a text is: in how many parentheses of the filter around, and of each
/// text with `\(…)` around that.
#[derive(Default)]
struct Place {
    parentheses: usize,
    around: Vec<usize>,
    in_text: bool,
}

impl Place {
    /// Goes over a byte or two; how many.
    fn step(&mut self, text: &[u8], at: usize) -> usize {
        match (self.in_text, text[at], text.get(at + 1)) {
            (true, b'\\', Some(b'(')) => {
                self.around.push(std::mem::take(&mut self.parentheses));
                self.in_text = false;
                return 2;
            }
            (true, b'\\', Some(_)) => return 2,
            (_, b'"', _) => self.in_text = !self.in_text,
            (true, ..) => {}
            (false, b'(', _) => self.parentheses += 1,
            (false, b')', _) => match self.parentheses.checked_sub(1) {
                Some(fewer) => self.parentheses = fewer,
                None => {
                    let around = self.around.pop();
                    self.in_text = around.is_some();
                    self.parentheses = around.unwrap_or(0);
                }
            },
            (false, b'#', _) => return count(&text[at..], |byte| byte != b'\n'),
            _ => {}
        }
        1
    }
}

/// Replaces all of it.
pub(super) fn replace(text: &mut [u8]) {
    let mut place = Place::default();
    let mut at = 0;
    while at < text.len() {
        at += match (place.in_text, text[at]) {
            (false, b'@') => format(&mut text[at..]),
            (false, b'0'..=b'9' | b'.') => number(&mut text[at..]),
            (false, byte) if is_of_word(byte) || byte == b'$' => {
                1 + count(&text[at + 1..], is_of_word)
            }
            _ => place.step(text, at),
        };
    }
}

/// `@csv` is a function; before a text it says nothing of its syntax.
fn format(text: &mut [u8]) -> usize {
    let name = 1 + count(&text[1..], is_of_word);
    let space = count(&text[name..], |byte| byte.is_ascii_whitespace());
    if text.get(name + space) == Some(&b'"') {
        text[..name].fill(b' ');
    } else {
        text[0] = b'_';
    }
    name
}

/// `1.5e-3` is as many digits; a point that begins no number is left alone.
fn number(text: &mut [u8]) -> usize {
    let digits = |from: usize| count(&text[from.min(text.len())..], |byte| byte.is_ascii_digit());
    let mut end = digits(0);
    if text.get(end) == Some(&b'.') && (end > 0 || digits(1) > 0) {
        end += 1 + digits(end + 1);
    }
    if end == 0 {
        return 1;
    }
    if matches!(text.get(end), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(text.get(end + 1), Some(b'+' | b'-')));
        match digits(end + 1 + sign) {
            0 => {}
            exponent => end += 1 + sign + exponent,
        }
    }
    text[..end].fill(b'0');
    end
}

fn is_of_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

fn count(text: &[u8], wanted: impl Fn(u8) -> bool) -> usize {
    text.iter().take_while(|byte| wanted(**byte)).count()
}
