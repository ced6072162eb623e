//! Hostile text made harmless: what would steer a terminal, hide itself or
//! turn the reading direction is shown instead of obeyed.

/// Shows control characters of `text` as pictures, and characters that are invisible or change the
/// direction of writing by their numbers. Line breaks and tabs stay.
pub fn visible(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' | '\t' => out.push(c),
            '\0'..='\u{1f}' => {
                // U+2400 and the following are pictures of U+0000 and so on.
                out.extend(char::from_u32(0x2400 + u32::from(c)));
            }
            '\u{7f}' => out.push('\u{2421}'),
            c if c.is_control() || is_invisible(c) => {
                out.push_str(&format!("\u{27e8}U+{:04X}\u{27e9}", u32::from(c)));
            }
            c => out.push(c),
        }
    }
    out
}

/// The same as [`visible`], without line breaks.
pub fn one_line(text: &str) -> String {
    let words: Vec<String> = text.split_whitespace().map(visible).collect();
    words.join(" ")
}

/// Text that HTML, SVG and XML show as it stands, also inside of attributes. It
/// steers a terminal as before: make it [`visible`] first.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c => out.push(c),
        }
    }
    out
}

/// Visible text in one cell of a Markdown table.
pub fn markdown_cell(text: &str) -> String {
    let text = visible(text).replace(['\n', '\t'], " ");
    text.replace('|', "\\|").replace('<', "&lt;")
}

/// Zero-width, direction, separator and tag characters.
fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_ends_an_element_or_an_attribute() {
        let text = r#"</b a='1' b="2">&lt;"#;
        let escaped = "&lt;/b a=&#39;1&#39; b=&quot;2&quot;&gt;&amp;lt;";
        assert_eq!(escape(text), escaped);
    }

    #[test]
    fn nothing_ends_a_cell_or_begins_an_element() {
        assert_eq!(markdown_cell("a|b\n<c>\u{7}"), "a\\|b &lt;c>␇");
    }

    #[test]
    fn nothing_steers_the_terminal_or_hides() {
        assert_eq!(visible("a\tb\nc é 漢"), "a\tb\nc é 漢");
        assert_eq!(visible("\u{1b}[31mred\u{7}\r\0\u{7f}"), "␛[31mred␇␍␀␡");
        assert_eq!(
            visible("x\u{202e}y\u{9b}z\u{feff}"),
            "x⟨U+202E⟩y⟨U+009B⟩z⟨U+FEFF⟩"
        );
    }
}
