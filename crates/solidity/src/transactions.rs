//! Smaller lists of transactions (the lines of `case.tx`, docs/evm.md).
//!
//! SOLTIX tells its users to leave out transactions from the bottom, since
//! earlier ones make the state that later ones work on. So do these edits:
//! large pieces first, of equal ones the last first; then what single lines
//! say is made simpler.

use lydite_core::{Edit, Program, SourceFile};

/// A list longer than this is only cut in pieces.
const LINES: usize = 2000;

/// The file with transactions, if a program has one.
fn place(program: &Program) -> Option<usize> {
    let is_script = |file: &SourceFile| file.name.ends_with(".tx");
    program.files.iter().position(is_script)
}

fn lines(program: &Program, place: usize) -> Option<Vec<&str>> {
    let text = std::str::from_utf8(&program.files[place].text).ok()?;
    Some(text.lines().collect())
}

fn with(program: &Program, place: usize, lines: &[&str]) -> Program {
    let mut text = lines.join("\n");
    if !text.is_empty() {
        text.push('\n');
    }
    let mut program = program.clone();
    program.files[place].text = text.into_bytes().into();
    program
}

/// Lists with fewer transactions, or simpler ones.
pub fn edits(program: &Program) -> Box<dyn Iterator<Item = Edit> + '_> {
    let found = place(program).and_then(|place| Some((place, lines(program, place)?)));
    let Some((place, lines)) = found else {
        return Box::new(std::iter::empty());
    };
    let cuts = pieces(lines.len()).map({
        let lines = lines.clone();
        move |(start, end)| Edit {
            what: "fewer transactions".to_string(),
            program: with(program, place, &[&lines[..start], &lines[end..]].concat()),
            keeps_meaning: false,
        }
    });
    let numbers = (0..lines.len().min(LINES)).rev();
    let changed = numbers.flat_map(|number| {
        let simpler = simpler(lines[number]).into_iter();
        simpler.map(move |line| (number, line))
    });
    let changed: Vec<(usize, String)> = changed.collect();
    let simpler = changed.into_iter().map(move |(number, line)| {
        let mut lines = lines.clone();
        lines[number] = &line;
        Edit {
            what: "a simpler transaction".to_string(),
            program: with(program, place, &lines),
            keeps_meaning: false,
        }
    });
    Box::new(cuts.chain(simpler))
}

/// The same transactions left out of all programs, from the end: what was
/// equal under all of them is equal under the first of them.
pub fn shorter_everywhere(
    programs: &[Program],
) -> Box<dyn Iterator<Item = (String, Vec<Program>)> + '_> {
    let scripts = programs.iter().map(|program| {
        let place = place(program)?;
        Some((place, lines(program, place)?))
    });
    let scripts: Vec<(usize, Vec<&str>)> = scripts.collect::<Option<_>>().unwrap_or_default();
    let same = scripts.windows(2).all(|pair| pair[0].1 == pair[1].1);
    let count = match scripts.first() {
        Some((_, lines)) if same => lines.len(),
        _ => 0,
    };
    let lengths = std::iter::successors(Some(count / 2), |&cut| (cut > 0).then_some(cut / 2));
    Box::new(lengths.filter(|cut| *cut > 0).map(move |cut| {
        let shorter = programs.iter().zip(&scripts);
        let shorter =
            shorter.map(|(program, (place, lines))| with(program, *place, &lines[..count - cut]));
        ("fewer transactions".to_string(), shorter.collect())
    }))
}

/// Stretches of a list, halving in length, the last first.
fn pieces(count: usize) -> impl Iterator<Item = (usize, usize)> {
    let lengths = std::iter::successors(Some(count), |&length| (length > 1).then_some(length / 2));
    lengths
        .filter(|length| *length > 0)
        .flat_map(move |length| {
            let ends = (1..=count).rev().step_by(length);
            ends.map(move |end| (end.saturating_sub(length), end))
        })
}

/// Shorter forms of one line.
fn simpler(line: &str) -> Vec<String> {
    let mut found = Vec::new();
    for word in [" value ", " from "] {
        if let Some(at) = line.rfind(word) {
            let rest = &line[at + word.len()..];
            let end = rest.find(' ').unwrap_or(rest.len());
            found.push(format!("{}{}", &line[..at], &rest[end..]));
        }
    }
    for token in tokens(line) {
        let text = &line[token.clone()];
        let with = |by: &str| format!("{}{by}{}", &line[..token.start], &line[token.end..]);
        match text.as_bytes() {
            [b'"', .., b'"'] if text.len() > 2 => found.push(with("\"\"")),
            [b'[', .., b']'] if text.len() > 2 => found.push(with("[]")),
            [b'0', b'x', digits @ ..] if digits.len() > 2 => {
                let half = 2 + digits.len() / 4 * 2;
                found.extend([with("0x"), with(&text[..half])]);
            }
            [first, ..] if first.is_ascii_digit() && text.len() > 1 && !text.starts_with("0x") => {
                found
                    .extend(["0", "1", &text[..text.len() / 2], &text[..text.len() - 1]].map(with));
            }
            _ => {}
        }
    }
    found.retain(|one| one.len() < line.len());
    found.dedup();
    found
}

/// Numbers, texts, bytes and lists in the arguments of a line.
fn tokens(line: &str) -> Vec<std::ops::Range<usize>> {
    let Some(start) = line.find('(') else {
        return Vec::new();
    };
    let bytes = line.as_bytes();
    let of_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let mut tokens = Vec::new();
    let mut open = Vec::new();
    let mut at = start;
    while at < bytes.len() {
        let from = at;
        match bytes[at] {
            b'"' => {
                at += 1;
                while at < bytes.len() && bytes[at] != b'"' {
                    at += 1 + usize::from(bytes[at] == b'\\');
                }
                at = (at + 1).min(bytes.len());
                tokens.push(from..at);
                continue;
            }
            b'[' => open.push(at),
            b']' => tokens.extend(open.pop().map(|from| from..at + 1)),
            byte if of_word(byte) => {
                while at < bytes.len() && of_word(bytes[at]) {
                    at += 1;
                }
                let named = from > 0 && matches!(bytes[from - 1], b'@' | b'.');
                if byte.is_ascii_digit() && !named {
                    tokens.push(from..at);
                }
                continue;
            }
            _ => {}
        }
        at += 1;
    }
    let whole = |token: &std::ops::Range<usize>| {
        line.is_char_boundary(token.start) && line.is_char_boundary(token.end)
    };
    tokens.retain(whole);
    tokens
}

#[cfg(test)]
mod tests {
    use super::*;

    fn program(script: &str) -> Program {
        let mut program = Program::single("case.sol", *b"contract A {}");
        program.files.push(SourceFile {
            name: "case.tx".to_string(),
            text: script.as_bytes().into(),
        });
        program
    }

    fn scripts(edits: impl Iterator<Item = Edit>) -> Vec<String> {
        let text = |edit: Edit| String::from_utf8(edit.program.files[1].text.to_vec()).unwrap();
        edits.map(text).collect()
    }

    #[test]
    fn transactions_are_left_out_from_the_bottom() {
        let made = scripts(edits(&program("A.a()\nA.b()\nA.c()\nA.d()\n")));
        assert_eq!(
            made,
            [
                "", "A.a()\nA.b()\n", "A.c()\nA.d()\n", "A.a()\nA.b()\nA.c()\n",
                "A.a()\nA.b()\nA.d()\n", "A.a()\nA.c()\nA.d()\n", "A.b()\nA.c()\nA.d()\n",
            ]
        );
    }

    #[test]
    fn arguments_get_simpler() {
        for (line, expected) in [
            ("A.f()", vec![]),
            ("A.f(7, @2, true)", vec![]),
            ("A.f(1234)", vec!["A.f(0)", "A.f(1)", "A.f(12)", "A.f(123)"]),
            ("A.f(-15)", vec!["A.f(-0)", "A.f(-1)"]),
            ("A.f(\"a]b\")", vec!["A.f(\"\")"]),
            ("A.f([1, 2])", vec!["A.f([])"]),
            ("A.f(0x0102)", vec!["A.f(0x)", "A.f(0x01)"]),
            (
                "A.f() value 5 from 2",
                vec!["A.f() from 2", "A.f() value 5"],
            ),
            ("raw A 0x01", vec![]),
            ("A.f(\"\u{e9}", vec![]),
        ] {
            assert_eq!(simpler(line), expected, "{line}");
        }
    }

    #[test]
    fn equal_programs_lose_the_same_transactions_from_the_end() {
        let programs = [
            program("A.a()\nA.b()\nA.c()\nA.d()\n"),
            program("A.a()\nA.b()\nA.c()\nA.d()\n"),
        ];
        let made: Vec<Vec<String>> = shorter_everywhere(&programs)
            .map(|(_, programs)| {
                let text = |program: &Program| String::from_utf8(program.files[1].text.to_vec());
                programs
                    .iter()
                    .map(|program| text(program).unwrap())
                    .collect()
            })
            .collect();
        let twice = |text: &str| vec![text.to_string(); 2];
        assert_eq!(
            made,
            [twice("A.a()\nA.b()\n"), twice("A.a()\nA.b()\nA.c()\n")]
        );
        let other = [program("A.a()\n"), program("A.b()\n")];
        assert_eq!(shorter_everywhere(&other).count(), 0);
    }
}
