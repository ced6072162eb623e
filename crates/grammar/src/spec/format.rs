//! `lydite spec fmt`: one way to lay a spec out.
//!
//! Lines stay lines. What changes is how deep they are indented (two spaces
//! per open bracket, and in what goes on after `=`), the space between words,
//! and empty lines (at most one). The result means the same: its tokens are the
//! same.

use super::source::{Problem, Source, SpecError};
use super::syntax::lexer::{Token, TokenKind, tokens};

/// The spec `text`, laid out. Only texts that can be told from the rest are
/// needed: a spec with errors can be laid out, too.
pub fn format(name: &str, text: &str) -> Result<String, SpecError> {
    let shown = |problem: Problem| {
        SpecError::one(problem.shown(&[Source {
            name: name.to_string(),
            text: text.to_string(),
        }]))
    };
    if text.len() > super::MAX_BYTES {
        let problem = format!("more than {} bytes", super::MAX_BYTES);
        return Err(shown(Problem::error(super::Span::default(), problem)));
    }
    let all = tokens(text, 0, 0, text.len()).map_err(shown)?;
    Ok(Layout::new(text).run(&all))
}

struct Layout<'a> {
    text: &'a str,
    out: String,
    depth: usize,
    /// How deep the statement, or the `let` in brackets, began whose `=` came
    /// already.
    continued: Option<usize>,
}

/// Deeper levels are not indented any further: the output stays linear.
const MAX_INDENT: usize = 40;

/// No space stands before these, ...
const TIGHT_BEFORE: [&str; 5] = [",", ";", ".", ")", "]"];
/// ... nor after these.
const TIGHT_AFTER: [&str; 4] = ["(", "[", ".", "@"];

impl<'a> Layout<'a> {
    fn new(text: &'a str) -> Layout<'a> {
        Layout {
            text,
            out: String::with_capacity(text.len()),
            depth: 0,
            continued: None,
        }
    }

    fn words(&self, token: &Token) -> &'a str {
        &self.text[token.span.start as usize..token.span.end as usize]
    }

    fn run(mut self, all: &[Token]) -> String {
        let mut before: Option<usize> = None;
        for (at, token) in all.iter().enumerate() {
            if token.kind == TokenKind::End {
                break;
            }
            let words = self.words(token).trim_end();
            let gap = match before {
                Some(before) => {
                    &self.text[all[before].span.end as usize..token.span.start as usize]
                }
                None => "",
            };
            let lines = gap.matches('\n').count();
            if matches!(token.kind, TokenKind::Mark("}" | ")" | "]")) {
                self.depth = self.depth.saturating_sub(1);
                // What began inside the brackets ends with them.
                self.continued = self.continued.filter(|&began| began <= self.depth);
            }
            if lines > 0 {
                self.out.push_str(if lines > 1 { "\n\n" } else { "\n" });
                let depth = self.depth + usize::from(self.continued.is_some());
                self.out.push_str(&"  ".repeat(depth.min(MAX_INDENT)));
            } else if let Some(before) = before
                && self.spaced(all, before, at)
            {
                self.out.push(' ');
            }
            self.out.push_str(words);
            match token.kind {
                TokenKind::Mark("{" | "(" | "[") => self.depth += 1,
                TokenKind::Mark("=") if self.continued.is_none() => {
                    self.continued = Some(self.depth);
                }
                TokenKind::Mark(";") if self.continued == Some(self.depth) => {
                    self.continued = None;
                }
                _ => {}
            }
            before = Some(at);
        }
        if !self.out.is_empty() {
            self.out.push('\n');
        }
        self.out
    }

    /// True if a space stands between two tokens of a line.
    fn spaced(&self, all: &[Token], before: usize, at: usize) -> bool {
        let (left, right) = (self.words(&all[before]), self.words(&all[at]));
        if all[at].kind == TokenKind::Comment {
            return true;
        }
        let (before, at) = (&all[before], &all[at]);
        let is = |token: &Token, marks: &[&str]| match token.kind {
            TokenKind::Mark(mark) => marks.contains(&mark),
            _ => false,
        };
        if is(before, &["{"]) && is(at, &["}"]) {
            return false;
        }
        // A type's arguments are told from a comparison, a call from what
        // stands before a bracket, a sign from a difference by what the
        // author wrote: nothing in between.
        let touching = before.span.end == at.span.start;
        if is(before, &["<", "-"]) || is(at, &["<", ">", "(", "["]) && left != "," {
            return !touching;
        }
        if is(before, &TIGHT_AFTER) || is(at, &TIGHT_BEFORE) {
            return false;
        }
        // `name: value` in records, `name : Type` in declarations: both are
        // known, and stay as they are.
        if right == ":" {
            return !touching;
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn laying_out_puts_lines_in_their_place_and_twice_is_once() {
        for (text, expected) in [
            (
                "class A {\na(let x = 1 in [x], \"\") : Int {\nb.c = 1;\nb.d =\n2;\n}\n}",
                "class A {\n  a(let x = 1 in [x], \"\") : Int {\n    b.c = 1;\n    b.d =\n      2;\n  }\n}\n",
            ),
            (
                "class A {\na(let (x, y) = this.z in\n[x,\ny]) : Int {}\nb(\"\") {}\n}",
                "class A {\n  a(let (x, y) = this.z in\n      [x,\n        y]) : Int {}\n  b(\"\") {}\n}\n",
            ),
            (
                "fn f() : Int =\ng(let x = 1 in\nx) +\n1;\nfn h() : Int = 1;",
                "fn f() : Int =\n  g(let x = 1 in\n    x) +\n  1;\nfn h() : Int = 1;\n",
            ),
            (
                "class A {\na(\nlet x = 1 in [x]\n) : Int {\n}\n}",
                "class A {\n  a(\n    let x = 1 in [x]\n  ) : Int {\n  }\n}\n",
            ),
            (
                "fn f() : Int = { a: 1,\nb: 2 };\n\n\n\nknob k = 1;",
                "fn f() : Int = { a: 1,\n    b: 2 };\n\nknob k = 1;\n",
            ),
        ] {
            let once = format("a.spec", text).unwrap();
            assert_eq!(once, expected);
            assert_eq!(format("a.spec", &once).unwrap(), once);
            let kinds = |text: &str| -> Vec<TokenKind> {
                let all = tokens(text, 0, 0, text.len()).unwrap();
                all.into_iter().map(|token| token.kind).collect()
            };
            assert_eq!(kinds(&once), kinds(text));
        }
    }
}
