//! What the people behind a family want to hear of, how often, and in which
//! form: the table `[policy]` of a target file.

use anyhow::{Context, Result, ensure};
use lydite_core::Kind;
use serde::{Deserialize, Serialize};

use super::AllowedOption;

/// What upstream wants of reports.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Policy {
    /// The address of the page on which upstream says so.
    pub guide: Option<String>,
    /// How many reports upstream takes in seven days; any number without it, and none at all if it
    /// is 0.
    pub per_week: Option<u32>,
    /// Kinds in the order in which upstream wants them; the rest comes after,
    /// gravest first.
    pub priority: Vec<Kind>,
    /// Kinds that upstream takes no reports of.
    pub unwanted: Vec<Kind>,
    /// Options that a reported bug may need besides those that campaigns may
    /// vary, `*` for any letters. Without the list, all.
    pub allowed_options: Option<Vec<String>>,
    /// What a report must have.
    pub require: Vec<Field>,
    /// What to say of how the bug was found, where upstream asks for that.
    pub found_by: Option<String>,
    /// How the report is written.
    pub form: Form,
}

/// What a report must have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Field {
    /// A reduced case.
    Reduced,
    /// What other versions say.
    Versions,
    /// That the newest version that was tried shows it.
    Newest,
    /// That every replay showed it.
    Replayed,
    /// What the right answer is, and why.
    Expected,
}

/// How a report is written.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Form {
    /// How the tracker reads text.
    pub markup: Markup,
    /// The title: `{kind}`, `{what}`, `{family}` and `{version}` are filled in.
    pub title: Option<String>,
    /// The parts of the report, in order; without any, the report has our own parts.
    pub section: Vec<Section>,
}

/// How a tracker reads text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Markup {
    /// As Markdown.
    #[default]
    Markdown,
    /// As it stands.
    Text,
}

/// One part of a report.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Section {
    /// Its heading in the tracker's form.
    pub heading: String,
    /// The items that stand in it.
    pub has: Vec<Item>,
    /// A text that the form asks for, before the items.
    pub text: Option<String>,
    /// The kinds of bugs that have this part; all kinds if the list is empty.
    pub kinds: Vec<Kind>,
}

/// What a report can say.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Item {
    /// What is wrong, in a sentence or two.
    Summary,
    /// The kind, in upstream's words.
    Kind,
    /// The programs of the case.
    Input,
    /// The exact command.
    Command,
    /// What should have been said, and who says so.
    Expected,
    /// What the target said.
    Actual,
    /// What shows who is right: the model that another target printed.
    Witness,
    /// The version that was run, and where it came from.
    Version,
    /// The machine.
    Platform,
    /// What other versions say.
    Matrix,
    /// The smallest set of options.
    Options,
    /// How often it was seen.
    Often,
    /// How many replays showed it.
    Replays,
    /// How it was found.
    FoundBy,
}

impl Policy {
    /// The place of a kind in the order in which upstream wants them; 0 is the first.
    pub fn rank(&self, kind: Kind) -> usize {
        let listed = self.priority.iter().position(|wanted| *wanted == kind);
        listed.unwrap_or(self.priority.len() + kind as usize)
    }

    /// True if upstream takes reports that need this option; `varied` are
    /// those that campaigns may vary.
    pub fn allows(&self, option: &str, varied: &[AllowedOption]) -> bool {
        let Some(allowed) = &self.allowed_options else {
            return true;
        };
        let listed = |row: &AllowedOption| row.args.iter().any(|arg| arg == option);
        varied.iter().any(listed) || allowed.iter().any(|pattern| fits(pattern, option))
    }

    pub(super) fn check(&self) -> Result<()> {
        let both = self.priority.iter().find(|k| self.unwanted.contains(k));
        ensure!(
            both.is_none(),
            "`{}` is in `priority` and in `unwanted`",
            both.map_or("", |kind| kind.name())
        );
        let empty = |section: &Section| section.has.is_empty() && section.text.is_none();
        ensure!(
            !self.form.section.iter().any(empty),
            "[[policy.form.section]]: `has` or `text` is needed"
        );
        let title = self.form.title.as_deref().unwrap_or("{what}");
        check_title(title).context("`policy.form.title`")
    }
}

/// The parts of a title that are filled in.
pub const TITLE_PARTS: [&str; 4] = ["{kind}", "{what}", "{family}", "{version}"];

fn check_title(title: &str) -> Result<()> {
    let rest = TITLE_PARTS
        .iter()
        .fold(title.to_string(), |text, part| text.replace(part, ""));
    ensure!(
        !rest.contains(['{', '}']),
        "expected no braces but {}",
        TITLE_PARTS.join(", ")
    );
    Ok(())
}

/// Whether a pattern with `*` fits the whole of a word.
fn fits(pattern: &str, word: &str) -> bool {
    let mut pieces = pattern.split('*');
    let Some(mut rest) = word.strip_prefix(pieces.next().unwrap_or("")) else {
        return false;
    };
    let pieces: Vec<&str> = pieces.collect();
    let Some((last, middle)) = pieces.split_last() else {
        return rest.is_empty();
    };
    for piece in middle {
        match rest.find(piece) {
            Some(at) => rest = &rest[at + piece.len()..],
            None => return false,
        }
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_fits_the_whole_word() {
        for (pattern, word, expected) in [
            ("--check-models", "--check-models", true),
            ("--check-models", "--check-models=x", false),
            ("--check-*", "--check-models", true),
            ("*", "", true),
            ("sat.*=*", "sat.euf=true", true),
            ("sat.*=*", "smt.euf=true", false),
            ("a*a", "a", false),
            ("a*b*c", "axbxbc", true),
        ] {
            assert_eq!(fits(pattern, word), expected, "{pattern} {word}");
        }
    }

    #[test]
    fn kinds_come_in_upstreams_order_and_then_in_ours() {
        let policy = Policy {
            priority: vec![Kind::SolutionUnsound, Kind::RefutationUnsound],
            ..Policy::default()
        };
        let mut kinds = Kind::ALL;
        kinds.sort_by_key(|kind| policy.rank(*kind));
        let names: Vec<&str> = kinds.iter().map(|kind| kind.name()).collect();
        assert_eq!(
            names[..4],
            [
                "solution-unsound", "refutation-unsound", "invalid-model", "wrong-optimum"
            ]
        );
    }
}
