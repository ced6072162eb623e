//! Text for a tracker: nothing that a program or a target says can end a
//! block, begin a heading, or steer a terminal.

use super::Markup;
use lydite_core::visible::{one_line, visible};

impl Markup {
    /// A heading.
    pub fn heading(self, text: &str) -> String {
        let text = one_line(text);
        match self {
            Markup::Markdown => format!("### {text}\n"),
            Markup::Text => format!("{text}\n{}\n", "-".repeat(text.chars().count())),
        }
    }

    /// Words of ours that may quote anything, as one paragraph.
    pub fn words(self, text: &str) -> String {
        let text = one_line(text);
        match self {
            Markup::Markdown => escaped(&text),
            Markup::Text => text,
        }
    }

    /// A short piece of code inside of words.
    pub fn code(self, text: &str) -> String {
        let text = one_line(text);
        match self {
            Markup::Markdown => {
                let fence = "`".repeat(longest_run(&text) + 1);
                // A space keeps a tick at either end from joining the fence.
                let space = if text.contains('`') { " " } else { "" };
                format!("{fence}{space}{text}{space}{fence}")
            }
            Markup::Text => text,
        }
    }

    /// A block of lines that are shown as they stand.
    pub fn block(self, text: &str, language: &str) -> String {
        let text = visible(text);
        let text = text.trim_end_matches('\n');
        match self {
            Markup::Markdown => {
                let fence = "`".repeat((longest_run(text) + 1).max(3));
                format!("{fence}{language}\n{text}\n{fence}\n")
            }
            Markup::Text => text.lines().map(|line| format!("    {line}\n")).collect(),
        }
    }

    /// A table with these heads.
    pub fn table(self, heads: &[&str], rows: &[Vec<String>]) -> String {
        if self == Markup::Text {
            let line = |row: &Vec<String>| format!("    {}\n", one_line(&row.join("  ")));
            return rows.iter().map(line).collect();
        }
        let mut text = format!(
            "| {} |\n|{}\n",
            heads.join(" | "),
            "---|".repeat(heads.len())
        );
        for row in rows {
            let cells: Vec<String> = row.iter().map(|cell| escaped(&one_line(cell))).collect();
            text += &format!("| {} |\n", cells.join(" | "));
        }
        text
    }
}

/// The longest run of backticks.
fn longest_run(text: &str) -> usize {
    let runs = text.split(|c| c != '`');
    runs.map(str::len).max().unwrap_or(0)
}

/// Markdown that shows the text as it is: no emphasis, link, element, mention
/// or reference comes of it.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut before = ' ';
    for c in text.chars() {
        if "\\`*_[]<>#|~&!$".contains(c) {
            out.push('\\');
        }
        out.push(c);
        if c == '@' && !before.is_alphanumeric() {
            // Keeps people of that name from being called.
            out.push_str("<!-- -->");
        }
        before = c;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fence_is_longer_than_any_in_the_text() {
        for (text, fence) in [
            ("plain", "```"),
            ("a ` b", "```"),
            ("```\n# no heading", "````"),
            ("x ``````", "```````"),
        ] {
            let block = Markup::Markdown.block(text, "c");
            let lines: Vec<&str> = block.lines().collect();
            assert_eq!(lines[0], format!("{fence}c"));
            assert_eq!(lines[lines.len() - 1], fence);
            let inside = &lines[1..lines.len() - 1];
            assert!(inside.iter().all(|line| !line.starts_with(fence)));
        }
        assert_eq!(Markup::Markdown.code("a`b"), "`` a`b ``");
        assert_eq!(Markup::Markdown.code("ab"), "`ab`");
    }

    #[test]
    fn words_of_others_are_words_only() {
        let hostile = "# x\n<img src=y> [a](b) *c* `d` @all z3@4 #12 |\u{1b}[2J\u{202e}";
        let words = Markup::Markdown.words(hostile);
        assert_eq!(
            words,
            "\\# x \\<img src=y\\> \\[a\\](b) \\*c\\* \\`d\\` @<!-- -->all z3@4 \\#12 \\|␛\\[2J⟨U+202E⟩"
        );
        let text = Markup::Text.block("a\u{1b}\nb", "c");
        assert_eq!(text, "    a␛\n    b\n");
        let table = Markup::Markdown.table(&["a", "b"], &[vec!["x|y".into(), "1\n2".into()]]);
        assert_eq!(table, "| a | b |\n|---|---|\n| x\\|y | 1 2 |\n");
    }
}
