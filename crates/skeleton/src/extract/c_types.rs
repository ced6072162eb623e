//! The types of C by their words.

/// Words that say where a variable lives, not what it is. `register` stays:
/// such a variable has no address.
const STORAGE: &[&str] = &[
    "static", "extern", "auto", "inline", "__inline", "__inline__", "__extension__", "typedef",
    "__thread", "_Thread_local", "thread_local",
];

/// Words whose order means nothing.
const UNORDERED: &[&str] = &[
    "char", "short", "int", "long", "signed", "unsigned", "float", "double", "void", "_Bool",
    "bool", "const", "volatile", "register", "restrict", "_Complex", "__complex__", "__complex",
    "__const", "__volatile__", "__signed__", "__signed", "_Atomic", "__int128", "__restrict",
    "__restrict__", "__const__", "__volatile", "mutable",
];

/// Words that are no type by themselves.
const QUALIFIERS: &[&str] = &[
    "const", "volatile", "register", "restrict", "_Atomic", "__const", "__volatile__",
    "__restrict", "__restrict__", "__const__", "__volatile", "mutable",
];

/// Other spellings of the same.
const SPELLINGS: &[(&str, &str)] = &[
    ("__signed__", "signed"),
    ("__signed", "signed"),
    ("__const", "const"),
    ("__const__", "const"),
    ("__volatile", "volatile"),
    ("__volatile__", "volatile"),
    ("__complex__", "_Complex"),
    ("__complex", "_Complex"),
];

/// True if a variable that is declared with this word outlives the call that declares it.
pub(super) fn outlives(word: &str) -> bool {
    matches!(
        word,
        "static" | "extern" | "__thread" | "_Thread_local" | "thread_local"
    )
}

/// The specifiers of a declaration in one spelling.
pub(super) fn specifiers(words: &[String]) -> String {
    let spelled = |word: &String| -> String {
        let known = SPELLINGS.iter().find(|(other, _)| other == word);
        known.map_or(word.clone(), |(_, usual)| usual.to_string())
    };
    let kept: Vec<String> = words
        .iter()
        .filter(|word| !STORAGE.contains(&word.as_str()))
        .map(spelled)
        .collect();
    let (mut loose, rest): (Vec<String>, Vec<String>) = kept
        .into_iter()
        .partition(|word| UNORDERED.contains(&word.as_str()));
    let has = |loose: &[String], word: &str| loose.iter().any(|other| other == word);
    let typed = loose
        .iter()
        .any(|word| !QUALIFIERS.contains(&word.as_str()));
    if !typed
        && !rest
            .iter()
            .any(|word| word.starts_with(|c: char| c.is_alphabetic() || c == '_'))
    {
        loose.push("int".to_string());
    }
    let sized = ["short", "long", "unsigned", "signed"]
        .iter()
        .any(|word| has(&loose, word));
    if has(&loose, "signed") && !has(&loose, "char") {
        loose.retain(|word| word != "signed");
        if !["short", "long", "int"]
            .iter()
            .any(|word| has(&loose, word))
        {
            loose.push("int".to_string());
        }
    }
    if sized
        && loose
            .iter()
            .any(|word| word != "int" && !QUALIFIERS.contains(&word.as_str()))
    {
        loose.retain(|word| word != "int");
    }
    loose.sort();
    loose.extend(rest);
    loose.join(" ")
}

/// True if an argument of such a type may be a pointer in disguise: an array,
/// or a name that may stand for one.
pub(super) fn may_decay(specifiers: &str, declarator: &str) -> bool {
    let named = specifiers.split(' ').any(|word| {
        !UNORDERED.contains(&word) && word.starts_with(|c: char| c.is_alphabetic() || c == '_')
    });
    let tagged = ["struct ", "union ", "enum "]
        .iter()
        .any(|tag| specifiers.contains(tag));
    declarator.contains('[') || named && !tagged && !declarator.contains('*')
}

/// True if nothing is run to make a variable of this type: it is of a type that the language
/// has, or a pointer.
pub(super) fn is_plain(key: &str) -> bool {
    let is_name = |word: &str| word.starts_with(|c: char| c.is_alphabetic() || c == '_');
    let known = |word: &str| !is_name(word) || UNORDERED.contains(&word);
    key.ends_with('*') || key.split(' ').all(known)
}

/// Integers convert to integers and floats to floats; a declarator of any
/// kind makes something else of them.
pub(super) fn family(key: &str) -> Option<&'static str> {
    let mut family = None;
    for word in key.split(' ') {
        family = match word {
            "char" | "short" | "int" | "long" | "signed" | "unsigned" | "_Bool" | "bool" => {
                family.or(Some("integer"))
            }
            "float" | "double" => Some("floating"),
            "volatile" => family,
            _ => return None,
        };
    }
    family
}
