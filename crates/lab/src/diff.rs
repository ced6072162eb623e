//! What changed from one text to another, line by line.

use serde::Serialize;

/// Two texts compared.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Diff {
    /// From what to what: `original/case.smt2 to case.smt2`.
    pub title: String,
    /// The lines of both, in order.
    pub lines: Vec<DiffLine>,
}

/// One line of a difference.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DiffLine {
    /// `same`, `gone`, `new`, or `skipped` for lines that are left out.
    pub change: &'static str,
    /// The line.
    pub text: String,
}

impl Diff {
    /// How many lines are gone or new.
    pub(crate) fn changes(&self) -> usize {
        let changed = |line: &&DiffLine| matches!(line.change, "gone" | "new");
        self.lines.iter().filter(changed).count()
    }
}

/// How many unchanged lines are shown around a change.
const AROUND: usize = 3;

/// Above so many pairs of lines the middle is shown as gone and new.
const PAIRS: usize = 1 << 20;

/// The difference; lines that stay are left out where nothing changes near.
pub(crate) fn diff(title: String, before: &str, after: &str) -> Diff {
    let (old, new): (Vec<&str>, Vec<&str>) = (before.lines().collect(), after.lines().collect());
    let same = |(a, b): &(&&str, &&str)| a == b;
    let head = old.iter().zip(&new).take_while(same).count();
    let tails = old[head..].iter().rev().zip(new[head..].iter().rev());
    let tail = tails.take_while(same).count();
    let (old_middle, new_middle) = (&old[head..old.len() - tail], &new[head..new.len() - tail]);
    let mut lines: Vec<(&'static str, &str)> = old[..head].iter().map(|l| ("same", *l)).collect();
    if old_middle.len().saturating_mul(new_middle.len()) > PAIRS {
        lines.extend(old_middle.iter().map(|line| ("gone", *line)));
        lines.extend(new_middle.iter().map(|line| ("new", *line)));
    } else {
        lines.extend(common(old_middle, new_middle));
    }
    lines.extend(old[old.len() - tail..].iter().map(|line| ("same", *line)));
    Diff {
        title,
        lines: shortened(&lines),
    }
}

/// By the longest common subsequence.
fn common<'a>(old: &[&'a str], new: &[&'a str]) -> Vec<(&'static str, &'a str)> {
    let width = new.len() + 1;
    // `longest[i * width + j]` is that of old[i..] and new[j..].
    let mut longest = vec![0u32; (old.len() + 1) * width];
    for i in (0..old.len()).rev() {
        for j in (0..new.len()).rev() {
            longest[i * width + j] = match old[i] == new[j] {
                true => longest[(i + 1) * width + j + 1] + 1,
                false => longest[(i + 1) * width + j].max(longest[i * width + j + 1]),
            };
        }
    }
    let (mut i, mut j) = (0, 0);
    let mut lines = Vec::new();
    while i < old.len() || j < new.len() {
        let both = i < old.len() && j < new.len();
        if both && old[i] == new[j] {
            lines.push(("same", old[i]));
            (i, j) = (i + 1, j + 1);
        } else if j == new.len()
            || (both && longest[(i + 1) * width + j] >= longest[i * width + j + 1])
        {
            lines.push(("gone", old[i]));
            i += 1;
        } else {
            lines.push(("new", new[j]));
            j += 1;
        }
    }
    lines
}

fn shortened(lines: &[(&'static str, &str)]) -> Vec<DiffLine> {
    let mut near = vec![false; lines.len()];
    for (number, (change, _)) in lines.iter().enumerate() {
        if *change != "same" {
            let last = (number + AROUND + 1).min(lines.len());
            near[number.saturating_sub(AROUND)..last].fill(true);
        }
    }
    let mut shown: Vec<DiffLine> = Vec::new();
    let mut skipped = 0;
    for (number, (change, text)) in lines.iter().enumerate() {
        if near[number] {
            skipped = 0;
            shown.push(DiffLine {
                change,
                text: text.to_string(),
            });
            continue;
        }
        if skipped > 0 {
            shown.pop();
        }
        skipped += 1;
        shown.push(DiffLine {
            change: "skipped",
            text: format!("{skipped} line(s)"),
        });
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    fn letters(before: &str, after: &str) -> String {
        let split = |text: &str| text.split(' ').collect::<Vec<_>>().join("\n");
        let diff = diff(String::new(), &split(before), &split(after));
        let lines = diff.lines.iter().map(|line| match line.change {
            "gone" => format!("-{}", line.text),
            "new" => format!("+{}", line.text),
            "skipped" => format!("({})", line.text),
            _ => line.text.clone(),
        });
        lines.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn lines_that_stay_are_matched() {
        for (before, after, expected) in [
            ("a b c", "a b c", "(3 line(s))"),
            ("a b c d", "a c x d", "a -b c +x d"),
            ("a", "b", "-a +b"),
            ("1 2 3 4 5 6 7", "1 2 3 4 5 7", "(2 line(s)) 3 4 5 -6 7"),
            ("a b a b", "b a b a", "-a b a b +a"),
        ] {
            assert_eq!(letters(before, after), expected);
        }
    }

    /// Both texts; what was skipped is taken from the one before.
    fn read_back<'a>(diff: &'a Diff, before: &'a str) -> (Vec<&'a str>, Vec<&'a str>) {
        let lines: Vec<&str> = before.lines().collect();
        let (mut old, mut new) = (Vec::new(), Vec::new());
        for line in &diff.lines {
            match line.change {
                "gone" => old.push(line.text.as_str()),
                "new" => new.push(line.text.as_str()),
                "skipped" => {
                    let count = line
                        .text
                        .split(' ')
                        .next()
                        .unwrap()
                        .parse::<usize>()
                        .unwrap();
                    let same = &lines[old.len()..old.len() + count];
                    old.extend(same);
                    new.extend(same);
                }
                _ => {
                    old.push(line.text.as_str());
                    new.push(line.text.as_str());
                }
            }
        }
        (old, new)
    }

    #[test]
    fn both_texts_can_be_read_off_the_difference_at_any_size() {
        for size in [0, 1, 7, 300, 3000] {
            let before: Vec<String> = (0..size).map(|n| format!("{}", n % 7)).collect();
            let after: Vec<String> = (0..size).map(|n| format!("{}", n % 5)).collect();
            let (before, after) = (before.join("\n"), after.join("\n"));
            let diff = diff(String::new(), &before, &after);
            let (old, new) = read_back(&diff, &before);
            assert_eq!(old, before.lines().collect::<Vec<_>>(), "{size}");
            assert_eq!(new, after.lines().collect::<Vec<_>>(), "{size}");
            assert!(diff.lines.len() <= 2 * size + 1);
        }
    }
}
