//! Strings of code points and sequences of values: the functions that both
//! share are generic over slices, the rest is for strings.
//!
//! Positions are integers of any size; what lies outside is answered as the
//! standard says, never an error. Everything is linear; lengths are bounded.

use dashu_int::Sign;

use super::{CannotSay, Int, MAX_LENGTH, number};

/// Code points are below this.
pub const CODE_POINTS: u32 = 0x30000;

/// `index` as a position in `0..len`.
fn position(index: &Int, len: usize) -> Option<usize> {
    usize::try_from(index).ok().filter(|index| *index < len)
}

/// `(str.++ …)`, `(seq.++ …)`
pub fn concat<T: Clone>(parts: &[&[T]]) -> Result<Vec<T>, CannotSay> {
    let len = parts
        .iter()
        .fold(0usize, |sum, part| sum.saturating_add(part.len()));
    match len <= MAX_LENGTH {
        true => Ok(parts.concat()),
        false => Err(CannotSay::TooLarge("a string")),
    }
}

/// `(str.at s i)`, `(seq.at s i)`: empty outside.
pub fn at<'a, T>(s: &'a [T], index: &Int) -> &'a [T] {
    match position(index, s.len()) {
        Some(index) => &s[index..=index],
        None => &[],
    }
}

/// `(str.substr s i n)`, `(seq.extract s i n)`
pub fn substr<'a, T>(s: &'a [T], index: &Int, len: &Int) -> &'a [T] {
    let Some(start) = position(index, s.len()) else {
        return &[];
    };
    if len.sign() == Sign::Negative {
        return &[];
    }
    let len = usize::try_from(len)
        .unwrap_or(usize::MAX)
        .min(s.len() - start);
    &s[start..start + len]
}

/// The first occurrence of `needle` at or after `from`, in linear time
/// (Knuth, Morris, Pratt).
fn find<T: PartialEq>(s: &[T], needle: &[T], from: usize) -> Option<usize> {
    Finder::new(needle).find(s, from)
}

/// A needle and, for each of its prefixes, the longest proper prefix that is
/// also its suffix.
struct Finder<'a, T> {
    needle: &'a [T],
    borders: Vec<usize>,
}

impl<'a, T: PartialEq> Finder<'a, T> {
    fn new(needle: &'a [T]) -> Finder<'a, T> {
        let mut borders = vec![0; needle.len()];
        let mut border = 0;
        for at in 1..needle.len() {
            while border > 0 && needle[at] != needle[border] {
                border = borders[border - 1];
            }
            border += usize::from(needle[at] == needle[border]);
            borders[at] = border;
        }
        Finder { needle, borders }
    }

    fn find(&self, s: &[T], from: usize) -> Option<usize> {
        if self.needle.is_empty() {
            return (from <= s.len()).then_some(from);
        }
        let mut matched = 0;
        for (at, item) in s.iter().enumerate().skip(from) {
            while matched > 0 && *item != self.needle[matched] {
                matched = self.borders[matched - 1];
            }
            matched += usize::from(*item == self.needle[matched]);
            if matched == self.needle.len() {
                return Some(at + 1 - matched);
            }
        }
        None
    }
}

/// Appends, within the bound on lengths.
pub(super) fn append<T: Clone>(text: &mut Vec<T>, more: &[T]) -> Result<(), CannotSay> {
    if text.len() + more.len() > MAX_LENGTH {
        return Err(CannotSay::TooLarge("a string"));
    }
    text.extend_from_slice(more);
    Ok(())
}

/// `(str.contains s t)`
pub fn contains<T: PartialEq>(s: &[T], needle: &[T]) -> bool {
    find(s, needle, 0).is_some()
}

/// `(str.indexof s t i)`: -1 if there is none or i is outside.
pub fn index_of<T: PartialEq>(s: &[T], needle: &[T], from: &Int) -> Int {
    position(from, s.len() + 1)
        .and_then(|from| find(s, needle, from))
        .map_or(Int::NEG_ONE, Int::from)
}

/// `(seq.last_indexof s t)`: of the last occurrence, -1 if there is none.
pub fn last_index_of<T: PartialEq + Clone>(s: &[T], needle: &[T]) -> Int {
    let (s_rev, needle_rev) = (reverse(s), reverse(needle));
    let found = find(&s_rev, &needle_rev, 0);
    found.map_or(Int::NEG_ONE, |at| Int::from(s.len() - needle.len() - at))
}

/// `(str.replace s t u)`: the first occurrence; an empty t is found in front.
pub fn replace<T: PartialEq + Clone>(s: &[T], t: &[T], u: &[T]) -> Result<Vec<T>, CannotSay> {
    match find(s, t, 0) {
        Some(start) => concat(&[&s[..start], u, &s[start + t.len()..]]),
        None => Ok(s.to_vec()),
    }
}

/// `(str.replace_all s t u)`: from left to right; an empty t changes nothing.
pub fn replace_all<T: PartialEq + Clone>(s: &[T], t: &[T], u: &[T]) -> Result<Vec<T>, CannotSay> {
    let finder = Finder::new(t);
    let mut result = Vec::new();
    let mut done = 0;
    while !t.is_empty()
        && let Some(start) = finder.find(s, done)
    {
        append(&mut result, &s[done..start])?;
        append(&mut result, u)?;
        done = start + t.len();
    }
    append(&mut result, &s[done..])?;
    Ok(result)
}

/// `(str.update s i t)`: overwrites from i on, keeping the length.
pub fn update<T: Clone>(s: &[T], index: &Int, t: &[T]) -> Vec<T> {
    let mut result = s.to_vec();
    if let Some(start) = position(index, s.len()) {
        let len = t.len().min(s.len() - start);
        result[start..start + len].clone_from_slice(&t[..len]);
    }
    result
}

/// `(str.rev s)`, `(seq.rev s)`
pub fn reverse<T: Clone>(s: &[T]) -> Vec<T> {
    s.iter().rev().cloned().collect()
}

fn is_digit(code: u32) -> bool {
    (0x30..=0x39).contains(&code)
}

/// `(str.is_digit s)`
pub fn is_digit_string(s: &[u32]) -> bool {
    s.len() == 1 && is_digit(s[0])
}

/// `(str.to_code s)`: -1 unless of length 1.
pub fn to_code(s: &[u32]) -> Int {
    match s {
        [code] => Int::from(*code),
        _ => Int::NEG_ONE,
    }
}

/// `(str.from_code i)`: empty if there is no such code point.
pub fn from_code(int: &Int) -> Vec<u32> {
    let code = u32::try_from(int).ok().filter(|code| *code < CODE_POINTS);
    code.into_iter().collect()
}

/// `(str.to_int s)`: -1 unless all are digits and there is one.
pub fn to_int(s: &[u32]) -> Result<Int, CannotSay> {
    if s.is_empty() || !s.iter().all(|code| is_digit(*code)) {
        return Ok(Int::NEG_ONE);
    }
    let digits: String = s.iter().filter_map(|code| char::from_u32(*code)).collect();
    let digits = match digits.trim_start_matches('0') {
        "" => "0",
        digits => digits,
    };
    Ok(Int::from(number::parse_numeral(digits)?))
}

/// `(str.from_int i)`: empty for negative numbers.
pub fn from_int(int: &Int) -> Vec<u32> {
    match int.sign() {
        Sign::Negative => Vec::new(),
        Sign::Positive => int.to_string().bytes().map(u32::from).collect(),
    }
}

/// `(str.from_ubv b)` and `(str.from_sbv b)` of z3, by the number.
pub fn from_signed(int: &Int) -> Vec<u32> {
    int.to_string().bytes().map(u32::from).collect()
}

/// `(str.to_lower s)` of cvc5: ASCII letters only.
pub fn to_lower(s: &[u32]) -> Vec<u32> {
    let lower = |code: &u32| match code {
        0x41..=0x5a => code + 0x20,
        _ => *code,
    };
    s.iter().map(lower).collect()
}

/// `(str.to_upper s)` of cvc5: ASCII letters only.
pub fn to_upper(s: &[u32]) -> Vec<u32> {
    let upper = |code: &u32| match code {
        0x61..=0x7a => code - 0x20,
        _ => *code,
    };
    s.iter().map(upper).collect()
}

/// How a solver writes code points outside printable ASCII.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Escapes {
    /// SMT-LIB 2.6 and later: `\u{1F}`, `\u001F`, nothing else.
    #[default]
    Standard,
    /// Older solvers as well: `\x1F`, `\n`, `\\`, and the like.
    Old,
}

/// Reads the inside of a string literal whose doubled quotes are resolved.
pub fn unescape(text: &str, escapes: Escapes) -> Vec<u32> {
    let text: Vec<char> = text.chars().collect();
    let mut codes = Vec::with_capacity(text.len());
    let mut at = 0;
    while let Some(&first) = text.get(at) {
        let (code, len) = match first {
            '\\' => escape(&text[at + 1..], escapes).unwrap_or(('\\' as u32, 1)),
            other => (other as u32, 1),
        };
        // A character beyond the last plane of SMT-LIB cannot be a value.
        codes.push(code.min(CODE_POINTS - 1));
        at += len;
    }
    codes
}

/// The code point of an escape sequence and its length with the backslash.
fn escape(rest: &[char], escapes: Escapes) -> Option<(u32, usize)> {
    let hex = |digits: &[char]| {
        digits
            .iter()
            .try_fold(0u32, |code, digit| Some(code * 16 + digit.to_digit(16)?))
    };
    match (rest.first()?, escapes) {
        ('u', _) if rest.get(1) == Some(&'{') => {
            let close = rest.iter().take(8).position(|c| *c == '}')?;
            let code = hex(&rest[2..close]).filter(|code| *code < CODE_POINTS)?;
            (close > 2).then_some((code, close + 2))
        }
        ('u', _) => Some((hex(rest.get(1..5)?)?, 6)),
        ('x', Escapes::Old) => Some((hex(rest.get(1..3)?)?, 4)),
        (other, Escapes::Old) => {
            let plain = "abfnrtv\\\"e".find(*other)?;
            Some(([7, 8, 12, 10, 13, 9, 11, 0x5c, 0x22, 0x1b][plain], 2))
        }
        _ => None,
    }
}

/// Writes a string literal, quotes included, in the standard's escapes.
pub fn quoted(s: &[u32]) -> String {
    let mut text = String::with_capacity(s.len() + 2);
    text.push('"');
    for &code in s {
        match char::from_u32(code) {
            Some('"') => text.push_str("\"\""),
            Some('\\') => text.push_str("\\u{5c}"),
            Some(printable @ ' '..='~') => text.push(printable),
            _ => text.push_str(&format!("\\u{{{code:x}}}")),
        }
    }
    text.push('"');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn s(text: &str) -> Vec<u32> {
        text.chars().map(|c| c as u32).collect()
    }

    fn i(n: i64) -> Int {
        Int::from(n)
    }

    #[test]
    fn substrings_outside_are_empty() {
        for (text, index, len, expected) in [
            ("hello", 1, 3, "ell"),
            ("hello", 0, 99, "hello"),
            ("hello", 4, 1, "o"),
            ("hello", 5, 1, ""),
            ("hello", -1, 3, ""),
            ("hello", 1, 0, ""),
            ("hello", 1, -1, ""),
            ("", 0, 1, ""),
        ] {
            assert_eq!(
                substr(&s(text), &i(index), &i(len)),
                s(expected),
                "{text} {index} {len}"
            );
        }
        let huge = Int::ONE << 200;
        assert_eq!(substr(&s("hello"), &i(2), &huge), s("llo"));
        assert_eq!(substr(&s("hello"), &huge, &huge), s(""));
        assert_eq!(at(&s("abc"), &i(2)), s("c"));
        assert_eq!(at(&s("abc"), &i(3)), s(""));
    }

    #[test]
    fn searching_follows_the_standard_at_the_edges() {
        for (text, needle, from, expected) in [
            ("abcab", "ab", 0, 0),
            ("abcab", "ab", 1, 3),
            ("abcab", "ab", 4, -1),
            ("abc", "", 0, 0),
            ("abc", "", 3, 3),
            ("abc", "", 4, -1),
            ("abc", "", -1, -1),
            ("", "", 0, 0),
            ("", "a", 0, -1),
            ("abc", "abcd", 0, -1),
        ] {
            assert_eq!(
                index_of(&s(text), &s(needle), &i(from)),
                i(expected),
                "{text} {needle} {from}"
            );
        }
        // Linear: this would take 10^11 comparisons one by one.
        let (many, few) = (vec![97; 600_000], [vec![97; 200_000], vec![98]].concat());
        assert_eq!(index_of(&many, &few, &i(0)), i(-1));
        assert_eq!(
            index_of(&[many, few.clone()].concat(), &few, &i(0)),
            i(600_000)
        );
        assert_eq!(last_index_of(&s("abab"), &s("ab")), i(2));
        assert_eq!(last_index_of(&s("abab"), &s("")), i(4));
        assert_eq!(last_index_of(&s(""), &s("a")), i(-1));
    }

    #[test]
    fn replacing_an_empty_pattern_prepends_or_does_nothing() {
        for (text, t, u, first, all) in [
            ("abab", "b", "xy", "axyab", "axyaxy"),
            ("abab", "", "x", "xabab", "abab"),
            ("", "", "x", "x", ""),
            ("aaa", "aa", "a", "aa", "aa"),
            ("abc", "z", "x", "abc", "abc"),
            ("aaaa", "a", "", "aaa", ""),
        ] {
            assert_eq!(
                replace(&s(text), &s(t), &s(u)).unwrap(),
                s(first),
                "{text} {t} {u}"
            );
            assert_eq!(
                replace_all(&s(text), &s(t), &s(u)).unwrap(),
                s(all),
                "{text} {t} {u}"
            );
        }
    }

    #[test]
    fn numbers_and_codes_convert_as_the_standard_says() {
        for (text, int) in [
            ("0", 0),
            ("007", 7),
            ("", -1),
            ("-1", -1),
            ("1a", -1),
            ("12", 12),
        ] {
            assert_eq!(to_int(&s(text)), Ok(i(int)), "{text}");
        }
        assert!(to_int(&s(&"9".repeat(900_000))).is_err());
        assert_eq!(to_int(&s(&"0".repeat(900_000))), Ok(i(0)));
        assert_eq!(from_int(&i(42)), s("42"));
        assert_eq!(from_int(&i(-1)), s(""));
        assert_eq!(from_code(&i(196607)), [196607]);
        assert_eq!(from_code(&i(196608)), []);
        assert_eq!(from_code(&i(-1)), []);
        assert_eq!(to_code(&s("a")), i(97));
        assert_eq!(to_code(&s("")), i(-1));
        assert!(
            is_digit_string(&s("7")) && !is_digit_string(&s("77")) && !is_digit_string(&s("a"))
        );
    }

    #[test]
    fn updates_keep_the_length_and_reversing_twice_is_nothing() {
        for (text, index, t, expected) in [
            ("hello", 1, "XY", "hXYlo"),
            ("hello", 4, "XY", "hellX"),
            ("hello", 5, "XY", "hello"),
            ("hello", -1, "XY", "hello"),
        ] {
            assert_eq!(update(&s(text), &i(index), &s(t)), s(expected));
        }
        assert_eq!(reverse(&s("abc")), s("cba"));
        assert_eq!(to_upper(&s("aZ1é")), s("AZ1é"));
        assert_eq!(to_lower(&s("aZ1É")), s("az1É"));
    }

    #[test]
    fn escapes_are_read_in_both_dialects_and_written_in_the_standard_one() {
        for (text, standard, old) in [
            (r"\u{41}\u0042", vec![0x41, 0x42], vec![0x41, 0x42]),
            (r"\u{2FFFF}", vec![0x2ffff], vec![0x2ffff]),
            (r"\u{30000}x", s(r"\u{30000}x"), s(r"\u{30000}x")),
            (r"\u{}", s(r"\u{}"), s(r"\u{}")),
            (r"\x41\n", s(r"\x41\n"), vec![0x41, 10]),
            (r"\u12", s(r"\u12"), s(r"\u12")),
            (r"\", s(r"\"), s(r"\")),
            (r"\\", s(r"\\"), s(r"\")),
        ] {
            assert_eq!(unescape(text, Escapes::Standard), standard, "{text}");
            assert_eq!(unescape(text, Escapes::Old), old, "{text}");
        }
        assert_eq!(
            quoted(&[0x22, 0x5c, 0x41, 7, 0x2ffff]),
            "\"\"\"\\u{5c}A\\u{7}\\u{2ffff}\""
        );
    }
}
