//! Programs with their words, strings, numbers and comments marked: one table
//! per language, one pass over the text, whatever it holds.
//!
//! The marks are a reading aid and no parse. What is returned is HTML in which
//! every character of the program is escaped.

use lydite_core::visible::escape;

/// The surface of a language.
struct Surface {
    /// Names in target files.
    languages: &'static [&'static str],
    /// What begins a comment to the end of the line.
    line_comment: &'static str,
    /// What begins and ends other comments.
    block_comment: Option<(&'static str, &'static str)>,
    /// What begins and ends a string or a quoted name, the longer first.
    quotes: &'static [(&'static str, &'static str)],
    /// Whether a backslash keeps a quote from ending.
    backslash: bool,
    /// Characters of words besides letters and digits.
    word: &'static str,
    /// Whether upper and lower case are the same in keywords.
    any_case: bool,
    /// Words that are marked, separated by spaces.
    keywords: &'static str,
}

const SURFACES: &[Surface] = &[
    Surface {
        languages: &["smtlib"],
        line_comment: ";",
        block_comment: None,
        quotes: &[("\"", "\""), ("|", "|")],
        backslash: false,
        word: "~!@$%^&*_-+=<>.?/:#",
        any_case: false,
        keywords: "assert assert-soft check-sat check-sat-assuming check-sat-using declare-const \
                   declare-datatype declare-datatypes declare-fun declare-sort define-const \
                   define-fun define-fun-rec define-funs-rec define-sort echo exit get-assertions \
                   get-assignment get-info get-model get-option get-proof get-unsat-assumptions \
                   get-unsat-core get-value maximize minimize pop push reset reset-assertions \
                   set-info set-logic set-option and or not xor => = distinct ite let forall \
                   exists match par as _ ! true false",
    },
    Surface {
        languages: &["c", "cpp"],
        line_comment: "//",
        block_comment: Some(("/*", "*/")),
        quotes: &[("\"", "\""), ("'", "'")],
        backslash: true,
        word: "_#",
        any_case: false,
        keywords: "auto break case char class const constexpr continue default delete do double \
                   else enum extern float for goto if inline int long namespace new private \
                   protected public register restrict return short signed sizeof static struct \
                   switch template this typedef typename union unsigned using virtual void \
                   volatile while _Bool _Atomic _Alignas _Generic _Noreturn _Static_assert bool \
                   true false #define #include #if #ifdef #ifndef #else #endif #pragma #undef",
    },
    Surface {
        languages: &["solidity"],
        line_comment: "//",
        block_comment: Some(("/*", "*/")),
        quotes: &[("\"", "\""), ("'", "'")],
        backslash: true,
        word: "_$",
        any_case: false,
        keywords: "abstract address anonymous assembly assert bool break bytes calldata catch \
                   constant constructor continue contract delete do else emit enum error event \
                   external fallback false fixed for function if immutable import indexed int \
                   int256 interface internal is library mapping memory modifier new override \
                   payable pragma private public pure receive require return returns revert \
                   solidity storage string struct super this transient true try type uint \
                   uint8 uint256 unchecked using view virtual while",
    },
    Surface {
        languages: &["lua"],
        line_comment: "--",
        block_comment: Some(("--[[", "]]")),
        quotes: &[("[[", "]]"), ("\"", "\""), ("'", "'")],
        backslash: true,
        word: "_",
        any_case: false,
        keywords: "and break do else elseif end false for function goto if in local nil not or \
                   repeat return then true until while",
    },
    Surface {
        languages: &["sql"],
        line_comment: "--",
        block_comment: Some(("/*", "*/")),
        quotes: &[("'", "'"), ("\"", "\""), ("`", "`")],
        backslash: false,
        word: "_$",
        any_case: true,
        keywords: "add all alter and as asc begin between by case cast check collate commit \
                   create cross default delete desc distinct drop else end escape except exists \
                   explain false foreign from full glob group having if in index inner insert \
                   intersect into is isnull join key left like limit natural not notnull null \
                   offset on or order outer over partition pragma primary references replace \
                   returning right rollback select set table temp then true union unique update \
                   using values view virtual when where window with",
    },
];

/// What a piece of a program is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PieceKind {
    Plain,
    Comment,
    Quoted,
    Number,
    Keyword,
}

impl PieceKind {
    fn class(self) -> Option<&'static str> {
        match self {
            PieceKind::Plain => None,
            PieceKind::Comment => Some("tc"),
            PieceKind::Quoted => Some("ts"),
            PieceKind::Number => Some("tn"),
            PieceKind::Keyword => Some("tk"),
        }
    }
}

/// The text as HTML; plain if the language is not in the table.
pub(super) fn highlight(text: &str, language: &str) -> String {
    let known = SURFACES
        .iter()
        .find(|surface| surface.languages.contains(&language));
    let Some(surface) = known else {
        return escape(text);
    };
    let mut html = String::with_capacity(text.len() * 2);
    let mut plain = 0;
    let mut at = 0;
    while at < text.len() {
        let (mark, length) = surface.piece(&text[at..]);
        if let Some(class) = mark.class() {
            html += &escape(&text[plain..at]);
            let piece = escape(&text[at..at + length]);
            html += &format!("<span class=\"{class}\">{piece}</span>");
            plain = at + length;
        }
        at += length;
    }
    html + &escape(&text[plain..])
}

impl Surface {
    /// What the text begins with, and how many bytes of it; at least one
    /// character.
    fn piece(&self, text: &str) -> (PieceKind, usize) {
        if let Some((begin, end)) = self.block_comment
            && text.starts_with(begin)
        {
            let inside = &text[begin.len()..];
            let length = inside.find(end).map_or(inside.len(), |at| at + end.len());
            return (PieceKind::Comment, begin.len() + length);
        }
        if text.starts_with(self.line_comment) {
            return (PieceKind::Comment, text.find('\n').unwrap_or(text.len()));
        }
        let quote = self
            .quotes
            .iter()
            .find(|(begin, _)| text.starts_with(begin));
        if let Some((begin, end)) = quote {
            return (PieceKind::Quoted, self.quoted(text, begin, end));
        }
        let first = text.chars().next().unwrap_or(' ');
        if !self.in_word(first) {
            return (PieceKind::Plain, first.len_utf8());
        }
        let length = text
            .find(|c: char| !self.in_word(c) && c != '.')
            .unwrap_or(text.len());
        let word = &text[..length];
        let number = first.is_ascii_digit() || word.starts_with("#x") || word.starts_with("#b");
        let same = |keyword: &str| match self.any_case {
            true => keyword.eq_ignore_ascii_case(word),
            false => keyword == word,
        };
        let mark = match number {
            true => PieceKind::Number,
            false if self.keywords.split_whitespace().any(same) => PieceKind::Keyword,
            false => PieceKind::Plain,
        };
        (mark, length)
    }

    fn in_word(&self, c: char) -> bool {
        c.is_alphanumeric() || self.word.contains(c)
    }

    /// The length of a quoted piece; one that does not end goes to the end.
    fn quoted(&self, text: &str, begin: &str, end: &str) -> usize {
        let mut at = begin.len();
        while at < text.len() {
            let rest = &text[at..];
            if rest.starts_with(end) {
                return at + end.len();
            }
            let mut chars = rest.chars();
            let first = chars.next().map_or(1, char::len_utf8);
            at += match self.backslash && rest.starts_with('\\') {
                true => first + chars.next().map_or(0, char::len_utf8),
                false => first,
            };
        }
        text.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The marks as letters: `k[assert]`.
    fn marks(text: &str, language: &str) -> String {
        let html = highlight(text, language);
        html.replace("<span class=\"t", "")
            .replace("\">", "[")
            .replace("</span>", "]")
    }

    #[test]
    fn every_language_has_its_words_strings_numbers_and_comments() {
        for (language, text, expected) in [
            (
                "smtlib",
                "(assert (= |a b| #x0f)) ; no",
                "(k[assert] (k[=] s[|a b|] n[#x0f])) c[; no]",
            ),
            ("smtlib", "(str.len ifx 1.5)", "(str.len ifx n[1.5])"),
            (
                "c",
                "#include <a>\nint x/* int */=0x1F;",
                "k[#include] &lt;a&gt;\nk[int] xc[/* int */]=n[0x1F];",
            ),
            ("c", "\"a\\\"b\" if", "s[&quot;a\\&quot;b&quot;] k[if]"),
            (
                "lua",
                "--[[ end\n]] end -- x",
                "c[--[[ end\n]]] k[end] c[-- x]",
            ),
            (
                "sql",
                "SELECT 'it''s'",
                "k[SELECT] s[&#39;it&#39;]s[&#39;s&#39;]",
            ),
            ("solidity", "contract C { }", "k[contract] C { }"),
            ("cobol", "IF <x>", "IF &lt;x&gt;"),
        ] {
            assert_eq!(marks(text, language), expected, "{language}");
        }
    }

    #[test]
    fn what_does_not_end_goes_to_the_end() {
        for (language, text) in [
            ("smtlib", "\"<b>"),
            ("smtlib", "|"),
            ("c", "/* <b>"),
            ("c", "\"\\"),
            ("lua", "[[ \u{202e}"),
        ] {
            let html = highlight(text, language);
            assert!(html.starts_with("<span"), "{html}");
            assert!(html.ends_with("</span>"), "{html}");
            assert!(!html.contains("<b>"), "{html}");
        }
    }

    #[test]
    fn the_text_stays_whatever_it_is() {
        let texts = ["é漢\"'|</pre><script>&amp;", "--/*//;#\\\n\t", "漢1é-x"];
        for surface in SURFACES {
            for text in texts {
                let html = highlight(text, surface.languages[0]);
                let mut bare = html.replace("</span>", "");
                for class in ["tc", "ts", "tn", "tk"] {
                    bare = bare.replace(&format!("<span class=\"{class}\">"), "");
                }
                assert_eq!(bare, escape(text), "{}", surface.languages[0]);
            }
        }
    }
}
