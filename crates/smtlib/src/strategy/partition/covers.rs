//! The rows of `covers.txt`.

use lydite_core::Obligation;

use super::super::to_refute;

/// Cases that leave nothing out.
#[derive(Clone, Debug)]
pub(super) struct Cover {
    sort: &'static str,
    pub(super) name: &'static str,
    /// They use more than the logic of a script may have.
    pub(super) wide: bool,
    /// They speak of a second term.
    pub(super) has_second: bool,
    cases: Vec<&'static str>,
}

/// The built-in rows.
pub(super) fn covers() -> Vec<Cover> {
    let rows = include_str!("covers.txt").lines();
    let rows = rows.filter(|line| !line.is_empty() && !line.starts_with('#'));
    rows.map(|line| read(line).expect("every row has a sort, a name and cases"))
        .collect()
}

fn read(line: &'static str) -> Option<Cover> {
    let (head, cases) = line.split_once(": ")?;
    let mut words = head.split(' ');
    let cases: Vec<&str> = cases.split(" | ").collect();
    Some(Cover {
        sort: words.next()?,
        name: words.next()?,
        wide: words.next() == Some(":wide"),
        has_second: cases.iter().any(|case| has_word(case, "y")),
        cases,
    })
}

fn has_word(case: &str, word: &str) -> bool {
    case.split([' ', '(', ')']).any(|other| other == word)
}

impl Cover {
    /// True if x may be of this sort.
    pub(super) fn takes(&self, sort: &str) -> bool {
        self.sort == "A" || self.sort == sort
    }

    /// The cases for these terms, of a sort that is written so.
    pub(super) fn cases(&self, x: &str, y: &str, sort: &str) -> Vec<String> {
        let case = |case: &&str| {
            let mut text = String::new();
            for word in case.split_inclusive([' ', '(', ')']) {
                let bare = word.trim_end_matches([' ', '(', ')']);
                let rest = &word[bare.len()..];
                text.push_str(match bare {
                    "x" => x,
                    "y" => y,
                    "BV" | "FP" => sort,
                    other => other,
                });
                text.push_str(rest);
            }
            text
        };
        self.cases.iter().map(case).collect()
    }

    /// A sort for which the row is proved and tried.
    pub(super) fn example(&self) -> &'static str {
        match self.sort {
            "A" => "(_ BitVec 5)",
            "BV" => "(_ BitVec 6)",
            "FP" => "(_ FloatingPoint 3 5)",
            "RM" => "RoundingMode",
            "Seq" => "(Seq Int)",
            "Set" => "(Set Int)",
            other => other,
        }
    }

    /// That no x and y are left out.
    pub(super) fn obligation(&self) -> Obligation {
        let sort = self.example();
        let cases = self.cases("x", "y", sort).join(" ");
        let script = format!(
            "(set-logic ALL)\n(declare-const x {sort})\n(declare-const y {sort})\n\
             (assert (not (or {cases})))\n(check-sat)\n"
        );
        Obligation {
            about: format!("{} {}", self.sort, self.name),
            case: to_refute(script),
        }
    }
}
