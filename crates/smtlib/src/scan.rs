//! What a scan over the tokens of a text can tell, parse or not: the answers
//! it states, and the features it uses. Linear, and never an error: a text
//! that has no more tokens ends there.

use std::collections::BTreeSet;
use std::ops::Range;

use lydite_core::Verdict;

use crate::operators::Operators;
use crate::syntax::{self, Kind, Lexer};

/// Sorts, words and what they are features of. Operators come from the table.
const WORDS: &[(&str, &str)] = &[
    ("Int", "ints"),
    ("Real", "reals"),
    ("BitVec", "bitvectors"),
    ("FloatingPoint", "floats"),
    ("Float16", "floats"),
    ("Float32", "floats"),
    ("Float64", "floats"),
    ("Float128", "floats"),
    ("RoundingMode", "floats"),
    ("Array", "arrays"),
    ("String", "strings"),
    ("RegLan", "regex"),
    ("RegEx", "regex"),
    ("Seq", "sequences"),
    ("Set", "sets"),
    ("FiniteSet", "sets"),
    ("Bag", "bags"),
    ("FiniteField", "fields"),
    ("forall", "quantifiers"),
    ("exists", "quantifiers"),
    ("lambda", "lambda"),
    ("declare-sort", "uf"),
    ("declare-datatype", "datatypes"),
    ("declare-datatypes", "datatypes"),
    ("declare-codatatype", "datatypes"),
    ("declare-codatatypes", "datatypes"),
    ("define-fun-rec", "recursion"),
    ("define-funs-rec", "recursion"),
    ("push", "incremental"),
    ("check-sat-assuming", "incremental"),
    ("assert-soft", "optimization"),
    ("minimize", "optimization"),
    ("maximize", "optimization"),
];

/// The verdict stated before each question (`(set-info :status …)`), unknown
/// where none is; none if nothing is stated.
pub(crate) fn stated_verdicts(text: &[u8]) -> Option<Vec<Verdict>> {
    let mut verdicts = Vec::new();
    let mut stated = None;
    each_command(text, |command, _| {
        match command {
            ["set-info", ":status", status, ..] => stated = Verdict::from_name(status),
            ["check-sat" | "check-sat-assuming" | "check-sat-using", ..] => {
                verdicts.push(stated.take().unwrap_or(Verdict::Unknown));
            }
            ["exit", ..] => return false,
            _ => {}
        }
        true
    });
    let says_something = verdicts.iter().any(|&verdict| verdict != Verdict::Unknown);
    says_something.then_some(verdicts)
}

/// Where the first question of a text begins.
pub(crate) fn first_question(text: &[u8]) -> Option<usize> {
    std::str::from_utf8(text).ok()?;
    let mut found = None;
    each_command(text, |command, place| {
        if let ["check-sat" | "check-sat-assuming" | "check-sat-using", ..] = command {
            found = Some(place.start);
        }
        found.is_none()
    });
    found
}

/// The logic that a text declares.
pub(crate) fn declared_logic(text: &[u8]) -> Option<String> {
    let mut logic = None;
    each_command(text, |command, _| {
        if let ["set-logic", name, ..] = command {
            logic = Some(name.to_string());
        }
        logic.is_none()
    });
    logic
}

/// The text with a verdict stated before each question; none if there are
/// more or fewer questions, or it is not UTF-8.
pub(crate) fn with_stated_verdicts(text: &[u8], verdicts: &[Verdict]) -> Option<Vec<u8>> {
    std::str::from_utf8(text).ok()?;
    let mut stated = Vec::new();
    let mut questions = 0;
    let mut end = 0;
    each_command(text, |command, place| {
        match command {
            ["check-sat" | "check-sat-assuming" | "check-sat-using", ..] => {
                stated.extend_from_slice(&text[end..place.start]);
                if let Some(verdict) = verdicts.get(questions) {
                    stated.extend_from_slice(format!("(set-info :status {verdict})\n").as_bytes());
                }
                questions += 1;
                end = place.start;
            }
            ["exit", ..] => return false,
            _ => {}
        }
        true
    });
    stated.extend_from_slice(&text[end..]);
    (questions == verdicts.len()).then_some(stated)
}

/// The text without the verdicts that it states; none if it states none, or
/// is not UTF-8.
pub(crate) fn without_stated_verdicts(text: &[u8]) -> Option<Vec<u8>> {
    std::str::from_utf8(text).ok()?;
    let mut kept = Vec::new();
    let mut end = 0;
    each_command(text, |command, place| {
        if let ["set-info", ":status", ..] = command {
            kept.extend_from_slice(&text[end..place.start]);
            end = place.end;
        }
        true
    });
    kept.extend_from_slice(&text[end..]);
    (end > 0).then_some(kept)
}

/// Calls `see` with the first words of every command and its place, until it
/// says false.
fn each_command(text: &[u8], mut see: impl FnMut(&[&str], Range<usize>) -> bool) {
    let Ok(text) = syntax::decode(text) else {
        return;
    };
    let mut lexer = Lexer::new(&text);
    let mut depth = 0u32;
    let mut start = 0;
    let mut words: Vec<&str> = Vec::new();
    while let Ok(token) = lexer.next() {
        match token.kind {
            Kind::End => return,
            Kind::Open => {
                if depth == 0 {
                    start = token.start as usize;
                }
                depth += 1;
            }
            Kind::Close => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    if !see(&words, start..token.end as usize) {
                        return;
                    }
                    words.clear();
                }
            }
            _ if depth == 1 && words.len() < 3 => words.push(lexer.text(token)),
            _ => {}
        }
    }
}

/// True if the text has this symbol, in whatever place.
pub(crate) fn has_symbol(text: &[u8], symbol: &str) -> bool {
    let Ok(text) = syntax::decode(text) else {
        return false;
    };
    let mut lexer = Lexer::new(&text);
    while let Ok(token) = lexer.next() {
        match token.kind {
            Kind::End => return false,
            Kind::Symbol | Kind::Quoted if lexer.text(token) == symbol => return true,
            _ => {}
        }
    }
    false
}

/// Theories and constructs, sorted.
pub(crate) fn features(text: &[u8]) -> Vec<String> {
    let (mut features, has_decimals) = theories(text);
    if has_decimals {
        features.insert("reals");
    }
    features.into_iter().map(str::to_string).collect()
}

/// Theories and constructs, sorted, but for what decimals alone say: `((_ to_fp 5 11) RNE 0.5)`
/// is a float to who knows no reals.
pub(crate) fn needs(text: &[u8]) -> Vec<String> {
    theories(text).0.into_iter().map(str::to_string).collect()
}

/// Theories and constructs that words and sorts tell, and whether there are decimals.
fn theories(text: &[u8]) -> (BTreeSet<&'static str>, bool) {
    let Ok(text) = syntax::decode(text) else {
        return Default::default();
    };
    let mut lexer = Lexer::new(&text);
    let mut words: BTreeSet<&str> = BTreeSet::new();
    let mut own: BTreeSet<&str> = BTreeSet::new();
    let mut features: BTreeSet<&'static str> = BTreeSet::new();
    let mut has_decimals = false;
    let mut checks = 0usize;
    let mut declaring = Declaring::No;
    while let Ok(token) = lexer.next() {
        let word = lexer.text(token);
        declaring = match (declaring, token.kind) {
            (_, Kind::End) => break,
            (Declaring::Name, Kind::Symbol | Kind::Quoted) => {
                own.insert(word);
                Declaring::Arguments
            }
            (Declaring::Arguments, Kind::Open) => Declaring::FirstArgument,
            (Declaring::FirstArgument, kind) => {
                if kind != Kind::Close {
                    features.insert("uf");
                }
                Declaring::No
            }
            _ => Declaring::No,
        };
        match token.kind {
            Kind::Symbol if word == "declare-fun" => declaring = Declaring::Name,
            Kind::Symbol if word == "check-sat" => checks += 1,
            Kind::Symbol if word.starts_with("define-") || word.starts_with("declare-") => {
                words.insert(word);
                own.extend(next_symbol(&mut lexer));
            }
            Kind::Symbol | Kind::Quoted => {
                words.insert(word);
            }
            Kind::Hexadecimal | Kind::Binary => {
                features.insert("bitvectors");
            }
            Kind::Decimal => has_decimals = true,
            _ => {}
        }
    }
    if checks > 1 {
        features.insert("incremental");
    }
    let operators = Operators::built_in();
    for word in words.difference(&own) {
        features.extend(WORDS.iter().filter(|(w, _)| w == word).map(|(_, f)| *f));
        features.extend(theory(operators, word));
    }
    (features, has_decimals)
}

/// Where a `declare-fun` is being read.
#[derive(Clone, Copy)]
enum Declaring {
    No,
    Name,
    Arguments,
    FirstArgument,
}

/// The symbol that comes next, if one does; nothing else is passed over.
fn next_symbol<'a>(lexer: &mut Lexer<'a>) -> Option<&'a str> {
    let position = lexer.position;
    match lexer.next() {
        Ok(token) if matches!(token.kind, Kind::Symbol | Kind::Quoted) => Some(lexer.text(token)),
        _ => {
            lexer.position = position;
            None
        }
    }
}

/// The theory of an operator; none if only the sorts of its arguments tell
/// integers from reals.
fn theory<'a>(operators: &'a Operators, name: &str) -> Option<&'a str> {
    let theories = || {
        let group = operators.named(name).iter();
        group.map(|&id| operators.get(id).theory.as_str())
    };
    let mixed = theories().any(|t| t == "ints") && theories().any(|t| t == "reals");
    theories()
        .next()
        .filter(|&theory| !mixed && theory != "core")
}

/// A logic that has values of its sorts, comparisons and definitions.
pub(crate) fn wider(logic: &str) -> String {
    match logic {
        "HORN" => "ALL".to_string(),
        "QF_S" => "QF_SLIA".to_string(),
        other => other.replace("IDL", "LIA").replace("RDL", "LRA"),
    }
}
