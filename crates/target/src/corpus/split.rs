//! Files that hold several programs, and programs that stand in files of
//! another language.

use anyhow::{Result, ensure};
use serde::{Deserialize, Serialize};

use crate::Pattern;

/// How a file becomes programs: it is divided `at` some lines, of each part the
/// lines that `skip` matches are left out, and every match of `text` in what is
/// left is a program.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Split {
    /// Lines that stand between two parts and belong to neither.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<Pattern>,
    /// Lines that belong to no program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub skip: Option<Pattern>,
    /// What a program looks like; without it, the whole part is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<Pattern>,
    /// What becomes of a match of `text`: `${1}` is its first group.
    #[serde(default = "first_group")]
    pub form: String,
    /// The programs of a part are joined by this to one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub join: Option<String>,
}

fn first_group() -> String {
    "${1}".to_string()
}

impl Split {
    pub(super) fn check(&self) -> Result<()> {
        ensure!(
            self.at.is_some() || self.text.is_some(),
            "`at` or `text` is missing"
        );
        ensure!(
            self.join.is_none() || self.text.is_some(),
            "`join` goes with `text`"
        );
        Ok(())
    }

    /// The programs of a file, those that are empty left out.
    pub(super) fn programs(&self, file: &str) -> Vec<String> {
        let mut programs = Vec::new();
        for part in self.parts(file) {
            let Some(text) = &self.text else {
                programs.push(part);
                continue;
            };
            let matches = text.regex().captures_iter(&part).map(|captures| {
                let mut program = String::new();
                captures.expand(&self.form, &mut program);
                program
            });
            match &self.join {
                None => programs.extend(matches),
                Some(join) => programs.push(matches.collect::<Vec<_>>().join(join)),
            }
        }
        programs.retain(|program| !program.trim().is_empty());
        programs
    }

    fn parts(&self, file: &str) -> Vec<String> {
        let matches = |pattern: &Option<Pattern>, line: &str| {
            let line = line.trim_end_matches(['\n', '\r']);
            pattern.as_ref().is_some_and(|p| p.regex().is_match(line))
        };
        let mut parts = vec![String::new()];
        for line in file.split_inclusive('\n') {
            if matches(&self.at, line) {
                parts.push(String::new());
            } else if !matches(&self.skip, line)
                && let Some(part) = parts.last_mut()
            {
                part.push_str(line);
            }
        }
        parts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn programs(split: &str, file: &str) -> Vec<String> {
        let split: Split = toml::from_str(split).unwrap();
        split.check().unwrap();
        split.programs(file)
    }

    #[test]
    fn sources_between_headings_are_programs() {
        let split = "at = '^==== Source: .* ====$'";
        let file =
            "==== Source: A ====\ncontract A {}\n==== Source: B ====\r\ncontract B {}\n// ----\n";
        assert_eq!(
            programs(split, file),
            ["contract A {}\n", "contract B {}\n// ----\n"]
        );
        assert_eq!(programs(split, "contract C {}\n"), ["contract C {}\n"]);
        assert!(programs(split, "\n  \n").is_empty());
    }

    #[test]
    fn paragraphs_become_programs_in_another_form() {
        let split = "at = '^\\s*$'\nskip = '^#'\ntext = '\\A(.+)\\n(.+)\\n'\nform = '${2} | ${1}'";
        let file = "# says\n.[0]\n[1]\n1\n\nlength\n\"ab\"\n2\n\n.only\n";
        assert_eq!(programs(split, file), ["[1] | .[0]", "\"ab\" | length"]);
    }

    #[test]
    fn what_belongs_together_is_joined() {
        let split = "text = 'sql \\{([^{}]*)\\}'\njoin = \";\\n\"";
        let file = "do sql { CREATE TABLE t(a) } x\ndo sql {SELECT 1} y\n";
        assert_eq!(programs(split, file), [" CREATE TABLE t(a) ;\nSELECT 1"]);
    }
}
