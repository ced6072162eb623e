//! What makes two symptoms the same bug: a readable, editable line of text.
//!
//! `v1 crash z3 site="ASSERTION VIOLATION theory_str.cpp"` — the version of
//! the signature function, the kind, the family, then facts. A change of the
//! function is a new version: findings filed under an old one stay filed.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::{Kind, Symptom};

/// The version of the function that makes signatures today.
pub const SIGNATURE_VERSION: u32 = 1;

/// The identity of a bug, as far as its symptom tells.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Signature {
    /// The version of the function that made it.
    pub version: u32,
    /// The kind of symptom.
    pub kind: Kind,
    /// The family at fault (or first accused), without version or variant: one bug
    /// is usually in many versions.
    pub family: String,
    /// `key="value"` facts in a fixed order.
    pub facts: Vec<(String, String)>,
}

impl Signature {
    /// The signature of `symptom` on a program with these `features`.
    ///
    /// A crash with a site needs no features: the same assertion is the same
    /// bug in any theory. A bare signal says too little to stand alone.
    pub fn of(symptom: &Symptom, features: &[String]) -> Signature {
        let mut facts = Vec::new();
        let mut against: Vec<&str> = symptom.against.iter().map(|t| t.family.as_str()).collect();
        against.sort_unstable();
        against.dedup();
        if !against.is_empty() && symptom.kind == Kind::Disagreement {
            facts.push(("against".to_string(), against.join(" ")));
        }
        if !symptom.site.is_empty() {
            facts.push(("site".to_string(), symptom.site.clone()));
        }
        let bare_signal = symptom.site.starts_with("SIG") && !symptom.site.contains(' ');
        let telling = match symptom.kind {
            Kind::Crash => bare_signal,
            // Time-outs are many and alike; one finding per family is enough.
            kind => !kind.is_timing(),
        };
        if telling && !features.is_empty() {
            facts.push(("features".to_string(), features.join(" ")));
        }
        Signature {
            version: SIGNATURE_VERSION,
            kind: symptom.kind,
            family: symptom.target.family.clone(),
            facts,
        }
    }
}

/// How long a site may be.
const SITE_CHARS: usize = 160;

/// A message without what changes from run to run and version to version:
/// addresses and numbers become `N`, paths lose their folders, white space is
/// folded, control characters go.
pub fn normalise_site(message: &str) -> String {
    let words = message.split_whitespace().map(normalise_word);
    let folded = words
        .filter(|word| !word.is_empty())
        .collect::<Vec<_>>()
        .join(" ");
    folded.chars().take(SITE_CHARS).collect()
}

/// The site of a refusal: as [`normalise_site`], and without longer parts of the
/// program that the message quotes, which differ from program to program.
pub fn refusal_site(message: &str) -> String {
    let mut out = String::new();
    let mut rest = message;
    while let Some((at, close)) = next_quote(rest) {
        let open = at + rest[at..].chars().next().map_or(1, char::len_utf8);
        let Some(length) = rest[open..].find(close) else {
            break;
        };
        let quoted = &rest[open..open + length];
        out.push_str(&rest[..open]);
        match quoted.len() > QUOTED_BYTES || quoted.contains(char::is_whitespace) {
            true => out.push('…'),
            false => out.push_str(quoted),
        }
        out.push(close);
        rest = &rest[open + length + close.len_utf8()..];
    }
    out.push_str(rest);
    normalise_site(&out)
}

/// Longer quotes are parts of a program, and no names.
const QUOTED_BYTES: usize = 16;

/// Where a quote of a message begins, and what ends it. A text in double quotes is
/// one only right behind a parenthesis: others stand around whole messages.
fn next_quote(text: &str) -> Option<(usize, char)> {
    let before = |at: usize| text[..at].chars().next_back();
    text.char_indices().find_map(|(at, c)| match c {
        '`' if text[at + 1..].contains('`') => Some((at, '`')),
        '`' => Some((at, '\'')),
        '\'' if !before(at).is_some_and(char::is_alphanumeric) => Some((at, '\'')),
        '‘' => Some((at, '’')),
        '"' if before(at) == Some('(') => Some((at, '"')),
        _ => None,
    })
}

fn normalise_word(word: &str) -> String {
    let base = match word.rfind('/') {
        // A slash with letters around it is a path; a lone one is division.
        Some(at) if at + 1 < word.len() && word[at + 1..].contains('.') => {
            let lead: String = word
                .chars()
                .take_while(|c| "'\"`(<[".contains(*c))
                .collect();
            lead + &word[at + 1..]
        }
        _ => word.to_string(),
    };
    let mut out = String::new();
    let mut chars = base.chars().filter(|c| !c.is_control()).peekable();
    let mut after_name = false;
    while let Some(c) = chars.next() {
        if c.is_ascii_digit() && !after_name {
            // A number of its own, decimal or hexadecimal.
            while chars
                .peek()
                .is_some_and(|c| c.is_ascii_hexdigit() || *c == 'x')
            {
                chars.next();
            }
            out.push('N');
        } else {
            out.push(c);
        }
        after_name = c.is_alphanumeric() || c == '_';
    }
    out
}

impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "v{} {} {}", self.version, self.kind, self.family)?;
        for (key, value) in &self.facts {
            write!(f, " {key}=\"")?;
            for c in value.chars() {
                match c {
                    '"' | '\\' => write!(f, "\\{c}")?,
                    c if c.is_control() => write!(f, "{}", c.escape_default())?,
                    c => write!(f, "{c}")?,
                }
            }
            f.write_str("\"")?;
        }
        Ok(())
    }
}

/// Why a text is not a signature.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("signature: expected `vN KIND FAMILY key=\"value\" …`, {0}")]
pub struct SignatureError(&'static str);

impl FromStr for Signature {
    type Err = SignatureError;

    fn from_str(text: &str) -> Result<Signature, SignatureError> {
        let mut head = text.splitn(4, ' ');
        let version = head
            .next()
            .and_then(|word| word.strip_prefix('v')?.parse().ok())
            .ok_or(SignatureError("the version is missing"))?;
        let kind = head
            .next()
            .and_then(Kind::from_name)
            .ok_or(SignatureError("the kind is unknown"))?;
        let family = head
            .next()
            .filter(|family| !family.is_empty())
            .ok_or(SignatureError("the family is missing"))?
            .to_string();
        let facts = read_facts(head.next().unwrap_or(""))?;
        Ok(Signature {
            version,
            kind,
            family,
            facts,
        })
    }
}

fn read_facts(text: &str) -> Result<Vec<(String, String)>, SignatureError> {
    let mut facts = Vec::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        let (key, after) = rest
            .split_once("=\"")
            .ok_or(SignatureError("a fact is not key=\"value\""))?;
        let mut value = String::new();
        let mut chars = after.char_indices();
        let end = loop {
            match chars.next() {
                Some((_, '\\')) => value.extend(unescaped(&mut chars)?),
                Some((at, '"')) => break at,
                Some((_, c)) => value.push(c),
                None => return Err(SignatureError("a value does not end")),
            }
        };
        facts.push((key.to_string(), value));
        rest = after[end + 1..].trim_start();
    }
    Ok(facts)
}

/// The character that is written behind a backslash.
fn unescaped(chars: &mut std::str::CharIndices<'_>) -> Result<Option<char>, SignatureError> {
    let wrong = SignatureError("an escape is not one");
    match chars.next().map(|(_, c)| c) {
        Some('n') => Ok(Some('\n')),
        Some('t') => Ok(Some('\t')),
        Some('r') => Ok(Some('\r')),
        Some('u') => {
            let digits: String = chars
                .by_ref()
                .map(|(_, c)| c)
                .take(MOST_DIGITS)
                .take_while(|c| *c != '}')
                .collect();
            let number = digits.strip_prefix('{');
            let number = number.and_then(|digits| u32::from_str_radix(digits, 16).ok());
            Ok(Some(number.and_then(char::from_u32).ok_or(wrong)?))
        }
        other => Ok(other),
    }
}

/// `{10ffff}`
const MOST_DIGITS: usize = 8;

impl From<Signature> for String {
    fn from(signature: Signature) -> String {
        signature.to_string()
    }
}

impl TryFrom<String> for Signature {
    type Error = SignatureError;

    fn try_from(text: String) -> Result<Signature, SignatureError> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sites_lose_what_changes_between_runs_and_versions() {
        for (message, site) in [
            (
                "ASSERTION VIOLATION\nFile: ../src/smt/theory_str.cpp\nLine: 1234",
                "ASSERTION VIOLATION File: theory_str.cpp Line: N",
            ),
            (
                "free(): invalid pointer 0x7ffdeadbeef0",
                "free(): invalid pointer N",
            ),
            (
                "x.c:12:3: internal compiler error: in gen_reg_rtx, at emit-rtl.c:1155",
                "x.c:N:N: internal compiler error: in gen_reg_rtx, at emit-rtl.c:N",
            ),
            (
                "theory_arith<mi_ext>::f()  a / b",
                "theory_arith<mi_ext>::f() a / b",
            ),
            ("utf8 i32 x64_86", "utf8 i32 x64_86"),
            ("bell\u{7} esc\u{1b}[31m", "bell esc[Nm"),
        ] {
            assert_eq!(normalise_site(message), site);
        }
        assert_eq!(
            normalise_site(&"é".repeat(1000)).chars().count(),
            SITE_CHARS
        );
    }

    #[test]
    fn a_refusal_is_told_without_the_program_that_it_quotes() {
        for (message, site) in [
            (
                "improper conversion(number 1) in printf(\"%5Y1f %d\\n\")",
                "improper conversion(number N) in printf(\"…\")",
            ),
            (
                "expected ';' before '}' token",
                "expected ';' before '}' token",
            ),
            ("near `x y z'", "near `…'"),
            ("near `a` and `b c`", "near `a` and `…`"),
            ("can't read it, don't ask", "can't read it, don't ask"),
            ("conflicting types for ‘f’", "conflicting types for ‘f’"),
            ("(error \"line 3: no x y\")", "(error \"line N: no x y\")"),
            ("an open ' quote", "an open ' quote"),
        ] {
            assert_eq!(refusal_site(message), site);
        }
    }

    fn symptom(kind: Kind, site: &str) -> Symptom {
        Symptom {
            kind,
            target: "z3@4.8.7:x".parse().unwrap(),
            against: vec!["cvc5@1.2.0".parse().unwrap(), "cvc5".parse().unwrap()],
            program: 0,
            site: site.to_string(),
            evidence: String::new(),
        }
    }

    #[test]
    fn a_signature_names_no_version_and_reads_back() {
        let features = ["strings".to_string(), "ints".to_string()];
        let disagreement = Signature::of(&symptom(Kind::Disagreement, "sat unsat"), &features);
        assert_eq!(
            disagreement.to_string(),
            "v1 disagreement z3 against=\"cvc5\" site=\"sat unsat\" features=\"strings ints\""
        );
        let crash = Signature::of(&symptom(Kind::Crash, "a \"b\" \\ c"), &features);
        assert_eq!(crash.to_string(), "v1 crash z3 site=\"a \\\"b\\\" \\\\ c\"");
        let signal = Signature::of(&symptom(Kind::Crash, "SIGSEGV"), &features);
        assert_eq!(
            signal.to_string(),
            "v1 crash z3 site=\"SIGSEGV\" features=\"strings ints\""
        );
        let odd = Signature::of(
            &symptom(Kind::Crash, "a\u{1b}[2J\n\t\r\0\u{9b} u{1b}\\n"),
            &features,
        );
        for signature in [disagreement, crash, signal, odd] {
            assert_eq!(signature.to_string().parse(), Ok(signature));
        }
        for bad in [
            "", "v1", "v1 crash", "x crash z3", "v1 crush z3", "v1 crash z3 a=\"b",
            "v1 crash z3 a=\"\\u{}\"", "v1 crash z3 a=\"\\u{d800}\"",
        ] {
            assert!(bad.parse::<Signature>().is_err(), "{bad}");
        }
    }
}
