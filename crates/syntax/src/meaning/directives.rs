//! What only the text before the preprocessor shows: words to one compiler.

/// Reserved names that every compiler of C has, or that name a standard.
const STANDARD: [&str; 8] = [
    "__STDC__", "__STDC_VERSION__", "__STDC_HOSTED__", "__STDC_NO_VLA__", "__STDC_NO_COMPLEX__",
    "__STDC_NO_ATOMICS__", "__STDC_NO_THREADS__", "__cplusplus",
];

/// The first directive of a text that compilers may take differently, by
/// right: a pragma, or a condition about who compiles.
pub fn find_open_directive(text: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(text)
        .replace("\\\r\n", " ")
        .replace("\\\n", " ");
    let open = |line: &&str| {
        let words = line.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        let mut words = words.filter(|word| !word.is_empty());
        let mut outside = line.split('"').step_by(2);
        if outside.any(|part| has_word(part, "_Pragma")) {
            return true;
        }
        if !line.trim_start().starts_with('#') {
            return false;
        }
        match words.next() {
            Some("pragma") => words.next() != Some("once"),
            Some("if" | "ifdef" | "ifndef" | "elif" | "elifdef" | "elifndef") => {
                words.any(is_of_compiler)
            }
            _ => false,
        }
    };
    let found = text.lines().find(open)?;
    Some(found.trim().chars().take(120).collect())
}

fn has_word(text: &str, word: &str) -> bool {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
        .any(|one| one == word)
}

/// True for a name that a compiler keeps for itself. A guard of a header is
/// tested before it is defined, whoever compiles.
fn is_of_compiler(word: &str) -> bool {
    let second = word.as_bytes().get(1);
    let reserved = word.starts_with('_')
        && second.is_some_and(|byte| *byte == b'_' || byte.is_ascii_uppercase());
    reserved && !STANDARD.contains(&word)
}
