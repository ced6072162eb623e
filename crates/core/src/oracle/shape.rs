//! How two outputs differ, in a few words: what stands where they first do.
//!
//! Programs without features say nothing of the bug that they show, and their
//! output is as random as they are. But where they part a number stands in the place
//! of a NaN, or a text in that of a number, and that is mostly the same for one
//! bug and other for another.

/// Words that mean the same in every program.
const WORDS: [&str; 12] = [
    "nan", "inf", "infinity", "true", "false", "null", "undefined", "nil", "none", "t", "f", "hole",
];

/// The site of a bug that makes `other` of an output that should be `said`.
pub(super) fn site(said: &[u8], other: &[u8]) -> String {
    match difference(said, other) {
        Some(difference) => format!("output: {difference}"),
        None => "output".to_string(),
    }
}

/// What `said` has where `other` has something else: `fraction not nan`. `None` if
/// both are of one kind, which tells nothing.
pub(super) fn difference(said: &[u8], other: &[u8]) -> Option<String> {
    let equal = said.iter().zip(other);
    let equal = equal.take_while(|(a, b)| a == b).count();
    let before = said[..equal].iter().rev();
    let begin = match ends_there(said, equal) && ends_there(other, equal) {
        true => equal,
        false => equal - before.take_while(|byte| is_of_word(**byte)).count(),
    };
    let (said, other) = (kind(said, begin, equal), kind(other, begin, equal));
    (said != other).then(|| format!("{other} not {said}"))
}

/// True if no word goes on at `at`.
fn ends_there(text: &[u8], at: usize) -> bool {
    !text.get(at).is_some_and(|byte| is_of_word(*byte))
}

fn is_of_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b".+-_".contains(&byte) || byte >= 0x80
}

/// What the word is that begins at `begin`; texts part at `part`.
fn kind(text: &[u8], begin: usize, part: usize) -> String {
    let rest = &text[begin..];
    let length = rest.iter().take_while(|byte| is_of_word(**byte)).count();
    let word = String::from_utf8_lossy(&rest[..length]);
    let named = |name: &str| name.to_string();
    if word.is_empty() {
        return match text.get(part) {
            None => named("nothing"),
            Some(b'\n') => named("end of line"),
            Some(b' ' | b'\t') => named("space"),
            Some(_) => named("mark"),
        };
    }
    let plain = word.trim_start_matches(['-', '+']).to_ascii_lowercase();
    if WORDS.contains(&plain.as_str()) {
        return plain;
    }
    // The names of exceptions.
    if word.ends_with("Error") && word.len() > "Error".len() {
        return word.into_owned();
    }
    let digits = plain.starts_with(|c: char| c.is_ascii_digit() || c == '.');
    if !digits || plain.parse::<f64>().is_err() {
        return named("word");
    }
    match (word.starts_with('-'), plain.as_str()) {
        (true, "0") => named("-0"),
        _ if plain.contains('e') => named("exponent"),
        _ if plain.contains('.') => named("fraction"),
        _ => named("integer"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outputs_differ_by_what_stands_where_they_part() {
        for (said, other, expected) in [
            ("a 12\nb 7\n", "a 12\nb 8\n", None),
            ("a 1.5\n", "a 1.25\n", None),
            ("a NaN\n", "a 12\n", Some("integer not nan")),
            ("a 0\n", "a -0\n", Some("-0 not integer")),
            ("a 0.1\n", "a 0.1e5\n", Some("exponent not fraction")),
            ("a\nb\n", "a\n", Some("nothing not word")),
            ("a b\n", "a\n", Some("end of line not space")),
            ("TypeError\n", "7\n", Some("integer not TypeError")),
            ("undefined", "unseen", Some("word not undefined")),
            ("[1, 2]", "[1]", None),
            ("é", "è", None),
            ("", "", None),
        ] {
            let found = difference(said.as_bytes(), other.as_bytes());
            assert_eq!(found.as_deref(), expected, "{said} {other}");
        }
    }
}
