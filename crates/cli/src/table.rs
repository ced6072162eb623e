//! Tables that fit: rows as columns, wrapped to the width of the terminal.

use std::io::IsTerminal;
use std::sync::OnceLock;

use lydite_core::visible::visible;
use rustix::termios::tcgetwinsize;

use crate::console::print;

/// What stands between two columns.
const GAP: &str = "  ";

/// No column is wrapped to less than this.
const NARROWEST: usize = 16;

/// The width that was found or asked for; set once, before anything is printed.
static WIDTH: OnceLock<usize> = OnceLock::new();

/// Decides how wide tables are: `--wide` and pipes do not wrap.
pub(crate) fn decide_width(wide: bool) {
    WIDTH.get_or_init(|| if wide { usize::MAX } else { terminal_width() });
}

/// True if lines may have any length, so that nothing needs to be left out.
pub(crate) fn is_wide() -> bool {
    WIDTH.get().is_none_or(|width| *width == usize::MAX)
}

fn terminal_width() -> usize {
    let asked = std::env::var("COLUMNS").ok();
    if let Some(columns) = asked.and_then(|columns| columns.parse().ok()) {
        return columns;
    }
    let stdout = std::io::stdout();
    let size = match stdout.is_terminal() {
        true => tcgetwinsize(&stdout).ok(),
        false => None,
    };
    let columns = size.map(|size| usize::from(size.ws_col));
    columns.filter(|columns| *columns > 0).unwrap_or(usize::MAX)
}

/// Prints rows as columns, made harmless. Cells that are too long go on in
/// further lines.
pub(crate) fn print_table(heads: &[&str], rows: &[Vec<String>]) {
    let width = *WIDTH.get().unwrap_or(&usize::MAX);
    for line in lay_out(heads, rows, width) {
        print(&line);
    }
}

/// Prints a paragraph, wrapped like a cell.
pub(crate) fn print_text(text: &str) {
    let width = *WIDTH.get().unwrap_or(&usize::MAX);
    for line in wrap(&visible(text), width.max(NARROWEST)) {
        print(&line);
    }
}

/// Prints one line per row: what does not fit of the last column is cut.
pub(crate) fn print_lines(heads: &[&str], rows: &[Vec<String>]) {
    let width = *WIDTH.get().unwrap_or(&usize::MAX);
    for line in lay_out(heads, rows, usize::MAX) {
        print(&cut(line, width));
    }
}

fn cut(line: String, width: usize) -> String {
    if line.chars().count() <= width {
        return line;
    }
    let kept: String = line.chars().take(width.saturating_sub(1)).collect();
    format!("{}…", kept.trim_end())
}

fn lay_out(heads: &[&str], rows: &[Vec<String>], width: usize) -> Vec<String> {
    let clean = |cell: &String| visible(cell).replace(['\n', '\t'], " ");
    let heads: Vec<String> = heads.iter().map(ToString::to_string).collect();
    let rows = rows.iter().map(|row| row.iter().map(clean).collect());
    let rows: Vec<Vec<String>> = std::iter::once(heads).chain(rows).collect();
    let widths = fitting_widths(&rows, width);
    rows.iter().flat_map(|row| lines(row, &widths)).collect()
}

/// The widths of the columns: as their cells need, the widest made narrower
/// until all fit.
fn fitting_widths(rows: &[Vec<String>], width: usize) -> Vec<usize> {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let longest = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let mut widths: Vec<usize> = (0..columns).map(longest).collect();
    let gaps = GAP.len() * columns.saturating_sub(1);
    let room = width.saturating_sub(gaps);
    while widths.iter().sum::<usize>() > room {
        let over = widths.iter().sum::<usize>() - room;
        let widest = widths.iter().copied().max().unwrap_or(0);
        if widest <= NARROWEST {
            break;
        }
        // Down to the next widest at once, or as far as is needed.
        let next = widths.iter().copied().filter(|w| *w < widest).max();
        let floor = next.unwrap_or(0).max(NARROWEST);
        let shared = widths.iter().filter(|w| **w == widest).count();
        let less = (over.div_ceil(shared)).min(widest - floor);
        for width in widths.iter_mut().filter(|width| **width == widest) {
            *width -= less;
        }
    }
    widths
}

/// One row as lines.
fn lines(row: &[String], widths: &[usize]) -> Vec<String> {
    let cells: Vec<Vec<String>> = row
        .iter()
        .zip(widths)
        .map(|(cell, width)| wrap(cell, *width))
        .collect();
    let height = cells.iter().map(Vec::len).max().unwrap_or(0);
    let line = |number: usize| {
        let words = cells.iter().zip(widths).map(|(cell, width)| {
            let text = cell.get(number).map_or("", String::as_str);
            format!("{text:width$}")
        });
        let line: Vec<String> = words.collect();
        line.join(GAP).trim_end().to_string()
    };
    (0..height).map(line).collect()
}

/// Breaks a text between words, and a word that is too long behind a sign in it,
/// or anywhere.
fn wrap(text: &str, width: usize) -> Vec<String> {
    if text.chars().count() <= width {
        return vec![text.to_string()];
    }
    let mut lines = vec![String::new()];
    let mut length = 0;
    for word in text.split(' ') {
        let mut word: Vec<char> = word.chars().collect();
        let space = usize::from(length > 0);
        if length > 0 && length + space + word.len() > width {
            lines.push(String::new());
            length = 0;
        } else if length > 0 {
            lines.last_mut().expect("one line at least").push(' ');
            length += 1;
        }
        while word.len() > width {
            let rest = word.split_off(break_place(&word[..width]));
            lines.last_mut().expect("one line at least").extend(word);
            lines.push(String::new());
            word = rest;
        }
        length += word.len();
        lines.last_mut().expect("one line at least").extend(word);
    }
    lines
}

/// Where a word that begins like this is broken: behind its last comma or
/// another sign, unless that leaves half of the line empty.
fn break_place(word: &[char]) -> usize {
    let behind = |signs: &[char]| {
        let found = word.iter().rposition(|sign| signs.contains(sign));
        found.map(|at| at + 1).filter(|at| *at > word.len() / 2)
    };
    let place = behind(&[',']).or_else(|| behind(&['-', '=', '/', ':']));
    place.unwrap_or(word.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROWS: [[&str; 2]; 2] = [
        [
            "files",
            "every seed as it stands, with what it says of itself",
        ],
        ["fusion", "two seeds made one"],
    ];

    fn laid_out(width: usize) -> Vec<String> {
        let rows = ROWS.map(|row| row.map(str::to_string).to_vec());
        lay_out(&["name", "about"], &rows, width)
    }

    #[test]
    fn a_table_that_fits_has_a_line_per_row() {
        assert_eq!(
            laid_out(usize::MAX),
            [
                "name    about",
                "files   every seed as it stands, with what it says of itself",
                "fusion  two seeds made one",
            ]
        );
    }

    #[test]
    fn long_cells_are_wrapped_between_words_below_themselves() {
        assert_eq!(
            laid_out(34),
            [
                "name    about",
                "files   every seed as it stands,",
                "        with what it says of",
                "        itself",
                "fusion  two seeds made one",
            ]
        );
    }

    #[test]
    fn no_line_is_wider_than_the_terminal_and_no_word_is_lost() {
        let cell = "word ".repeat(30) + &"x".repeat(200);
        let rows = vec![vec![cell.clone(), "short".to_string(), cell]];
        for width in [60, 80, 100, 132] {
            let lines = lay_out(&["one", "two", "three"], &rows, width);
            assert!(lines.iter().all(|line| line.chars().count() <= width));
            let letters = |c: char| lines.concat().chars().filter(|other| *other == c).count();
            assert_eq!(letters('x'), 400);
            // And those of `two` and `three`.
            assert_eq!(letters('w'), 61);
        }
    }

    #[test]
    fn a_word_that_is_too_long_is_broken_behind_a_sign() {
        assert_eq!(
            wrap("solc:evm-step-common-subexpressions", 22),
            ["solc:evm-step-common-", "subexpressions"]
        );
        assert_eq!(
            wrap("all,-assembly,-receive,-smt", 16),
            ["all,-assembly,", "-receive,-smt"]
        );
        assert_eq!(wrap("a-bcdefghijkl", 8), ["a-bcdefg", "hijkl"]);
    }

    #[test]
    fn a_line_that_is_cut_says_so() {
        assert_eq!(cut("two seeds made one".to_string(), 11), "two seeds…");
        assert_eq!(cut("two seeds".to_string(), 9), "two seeds");
    }

    #[test]
    fn many_columns_on_a_narrow_terminal_keep_their_least_width() {
        let rows = vec![vec!["a".repeat(40); 6]];
        let lines = lay_out(&["h"; 6], &rows, 20);
        assert_eq!(lines[1].len(), 6 * NARROWEST + 5 * GAP.len());
    }
}
