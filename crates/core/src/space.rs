//! Where cases come from: strategies, and the spaces they open.

use std::collections::BTreeMap;
use std::str::FromStr;
use std::sync::Arc;

use crate::nearest::nearest;
use crate::{BigUint, Case, Choices, Language, Reject, Seed};

/// How many seeds a strategy takes to make one case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SeedNeed {
    /// Makes everything itself.
    None,
    /// At least this many in the folder.
    AtLeast(usize),
}

/// One documented setting of a strategy (`--set key=value`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setting {
    /// The key.
    pub key: &'static str,
    /// The value that is used when it is not set; empty if `help` describes it.
    pub default: &'static str,
    /// What it does, in one sentence.
    pub help: &'static str,
    /// What the value stands for.
    pub kind: SettingKind,
}

/// What the value of a setting stands for. Strategies are pure: the lab reads
/// the files that settings name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SettingKind {
    /// Itself.
    Value,
    /// The path of a file.
    File,
    /// The path of a file if it has a `/` or a `.`, else the name of
    /// something built in. Looks alone decide, never what lies around: a plan
    /// means the same on every machine.
    NameOrFile,
}

/// A file that a setting names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingFile {
    /// The path as the user gave it, for messages.
    pub name: String,
    /// The whole content.
    pub text: Arc<str>,
}

impl SettingFile {
    /// The error that says what is wrong in the file that setting `key` names,
    /// and in which line, counted from 1.
    pub fn flaw(&self, key: &str, line: Option<usize>, what: String) -> OpenError {
        OpenError::BadFile {
            key: key.to_string(),
            file: self.name.clone(),
            line,
            what,
        }
    }
}

/// A language by its surface, as far as it is told.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlainSurface {
    /// The ending of its files, without the dot.
    pub extension: Option<String>,
    /// What begins a comment to the end of the line.
    pub line_comment: Option<String>,
}

/// Settings as the user gave them, keys checked against a strategy's list,
/// with the contents of the files that they name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    given: BTreeMap<String, String>,
    files: BTreeMap<String, SettingFile>,
}

/// Why a strategy cannot open a space: the user's seeds or settings.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OpenError {
    /// A key that the strategy does not have.
    #[error("setting `{key}` is not one of {strategy}'s{hint}")]
    UnknownSetting {
        /// The strategy's name.
        strategy: &'static str,
        /// The key given.
        key: String,
        /// The nearest known key, as a half sentence, or the list of keys.
        hint: String,
    },
    /// A value that cannot be read.
    #[error("setting `{key}`: `{value}` is not {expected}")]
    BadSetting {
        /// The key.
        key: String,
        /// The value given.
        value: String,
        /// What would have been right.
        expected: String,
    },
    /// A file that a setting names has something wrong in it.
    #[error("setting `{key}`: {file}{}: {what}", .line.map(|line| format!(":{line}")).unwrap_or_default())]
    BadFile {
        /// The key.
        key: String,
        /// The file's path as given.
        file: String,
        /// From 1, if one line is at fault.
        line: Option<usize>,
        /// What is wrong, and what would have been right.
        what: String,
    },
    /// Too few seeds, or none that is usable.
    #[error("{0}")]
    Seeds(String),
}

/// A set of cases that can be sampled, and perhaps counted.
///
/// Contract: pure; the same choices (or index) give the same case, byte for
/// byte, on every machine.
pub trait Space: Send + Sync {
    /// A random case.
    fn sample(&self, choices: &mut Choices) -> Result<Case, Reject>;

    /// The tree that the case of these choices was written from, for spaces that make trees.
    fn tree(&self, choices: &mut Choices) -> Option<Arc<dyn CaseTree>> {
        let _ = choices;
        None
    }

    /// The exact number of cases, for countable spaces.
    fn len(&self) -> Option<BigUint> {
        None
    }

    /// True if the space is countable and has no case.
    fn is_empty(&self) -> bool {
        self.len().is_some_and(|len| len == BigUint::ZERO)
    }

    /// True if the cases go on for ever: [`Space::len`] is then only how far
    /// indices go.
    fn is_infinite(&self) -> bool {
        false
    }

    /// Case number `index`, made without making those before it.
    fn nth(&self, index: &BigUint) -> Result<Case, Reject> {
        let _ = index;
        Err(Reject::NotApplicable("this space cannot be counted"))
    }

    /// The cases from number `index` on: what [`Space::nth`] gives one by
    /// one, for spaces that find the next case faster than any case.
    fn walk<'a>(&'a self, index: &BigUint) -> Box<dyn Iterator<Item = Result<Case, Reject>> + 'a> {
        let end = self.len().unwrap_or(BigUint::ZERO);
        let mut next = index.clone();
        Box::new(std::iter::from_fn(move || {
            if next >= end {
                return None;
            }
            let case = self.nth(&next);
            next += BigUint::ONE;
            Some(case)
        }))
    }

    /// What a countable space is made of, in the order of its indices; the
    /// first parts only if it is infinite.
    fn parts(&self) -> Vec<Part> {
        Vec::new()
    }
}

/// The tree that a case was written from. What is cut out of the tree is gone from all texts of
/// the case alike, and its claim is made anew.
pub trait CaseTree: Send + Sync {
    /// The cases of smaller trees, the largest cut first, from number `from` on.
    fn smaller(&self, from: usize) -> Box<dyn Iterator<Item = SmallerTree> + '_>;
}

/// A case of which something was cut out.
pub struct SmallerTree {
    /// Its number among those of the tree.
    pub number: usize,
    /// What was done, in words.
    pub what: &'static str,
    /// The case.
    pub case: Case,
    /// Its tree.
    pub tree: Arc<dyn CaseTree>,
}

/// A part of a countable space.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// What its cases have in common: `size 7`.
    pub name: String,
    /// How many indices it has.
    pub cases: BigUint,
    /// How many of these give a case, where some are rejected as the same as
    /// another.
    pub unique: Option<BigUint>,
    /// What else is counted of it; the same columns in all parts of a space.
    pub columns: Vec<(&'static str, BigUint)>,
}

/// Something that must hold for the tables of a strategy to be right, put as
/// a case whose claim says so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Obligation {
    /// The line or the rule that it is about, for messages.
    pub about: String,
    /// The case, which a processor of the strategy's language has to confirm.
    pub case: Case,
}

/// A way to make cases.
pub trait Strategy: Send + Sync {
    /// Its name on the command line.
    fn name(&self) -> &'static str;

    /// One sentence for `lydite list strategies`.
    fn about(&self) -> &'static str;

    /// The name of the one language it makes, or `None` for any.
    fn language(&self) -> Option<&'static str>;

    /// The language that these settings ask for, if they do.
    fn language_of(&self, settings: &Settings) -> Option<String> {
        let _ = settings;
        self.language().map(str::to_string)
    }

    /// What these settings say of a language that nothing else here knows.
    fn plain_surface_of(&self, settings: &Settings) -> PlainSurface {
        let _ = settings;
        PlainSurface::default()
    }

    /// Further files that belong to the one at `path`, which setting `key` names: it
    /// names them itself. Paths are as `path`'s own, and lead to nothing outside of
    /// its folder.
    fn further_files(&self, key: &str, path: &str, text: &str) -> Vec<String> {
        let _ = (key, path, text);
        Vec::new()
    }

    /// The text that defines the space besides seeds and settings, such as a
    /// grammar that comes with lydite: it is part of a campaign's identity.
    fn definition(&self, settings: &Settings) -> Option<String> {
        let _ = settings;
        None
    }

    /// True if its cases are meant to be counted through, and not drawn,
    /// unless asked otherwise.
    fn is_counted(&self) -> bool {
        false
    }

    /// How many seeds it needs.
    fn seeds(&self) -> SeedNeed;

    /// What can be set.
    fn settings(&self) -> &'static [Setting];

    /// True if its programs are made by us, so that one which our own
    /// [`Language::check`] refuses is a bug of ours.
    fn makes_programs(&self) -> bool {
        true
    }

    /// What a processor can confirm of the tables that this strategy works
    /// with: of those that the settings name, or else of the built-in ones.
    fn obligations(&self, settings: &Settings) -> Result<Vec<Obligation>, OpenError> {
        let _ = settings;
        Ok(Vec::new())
    }

    /// Opens the space over these seeds. `settings` have known keys only.
    fn open(
        &self,
        language: Arc<dyn Language>,
        seeds: Arc<[Seed]>,
        settings: &Settings,
    ) -> Result<Box<dyn Space>, OpenError>;
}

impl Setting {
    /// A setting with a plain value.
    pub const fn value(key: &'static str, default: &'static str, help: &'static str) -> Setting {
        let kind = SettingKind::Value;
        Setting {
            key,
            default,
            help,
            kind,
        }
    }

    /// A setting that names a file.
    pub const fn file(key: &'static str, default: &'static str, help: &'static str) -> Setting {
        let kind = SettingKind::File;
        Setting {
            kind,
            ..Setting::value(key, default, help)
        }
    }

    /// A setting that names a file or something built in.
    pub const fn name_or_file(
        key: &'static str,
        default: &'static str,
        help: &'static str,
    ) -> Setting {
        let kind = SettingKind::NameOrFile;
        Setting {
            kind,
            ..Setting::value(key, default, help)
        }
    }

    /// True if `value` names a file for this setting.
    pub fn names_file(&self, value: &str) -> bool {
        match self.kind {
            SettingKind::Value => false,
            SettingKind::File => true,
            SettingKind::NameOrFile => value.contains(['/', '.']),
        }
    }
}

/// The key of a file that belongs to the one that setting `key` names.
pub fn further_key(key: &str, path: &str) -> String {
    format!("{key}:{path}")
}

impl Settings {
    /// Checks the keys of `given` against those of `strategy`.
    pub fn checked(
        strategy: &dyn Strategy,
        given: BTreeMap<String, String>,
    ) -> Result<Settings, OpenError> {
        let known: Vec<&str> = strategy.settings().iter().map(|s| s.key).collect();
        for key in given.keys() {
            if !known.contains(&key.as_str()) {
                let hint = match nearest(key, known.iter().copied()) {
                    Some(near) => format!("; did you mean `{near}`?"),
                    None if known.is_empty() => " (it has none)".to_string(),
                    None => format!(" ({})", known.join(", ")),
                };
                return Err(OpenError::UnknownSetting {
                    strategy: strategy.name(),
                    key: key.clone(),
                    hint,
                });
            }
        }
        Ok(Settings {
            given,
            files: BTreeMap::new(),
        })
    }

    /// The same settings with the contents of the files that they name, by key.
    pub fn with_files(mut self, files: BTreeMap<String, SettingFile>) -> Settings {
        self.files = files;
        self
    }

    /// The value as given; for a file its path.
    pub fn get(&self, key: &str) -> Option<&str> {
        self.given.get(key).map(String::as_str)
    }

    /// True if any setting names a file.
    pub fn has_files(&self) -> bool {
        !self.files.is_empty()
    }

    /// The file that the value names; `None` if it is not set, or names
    /// something built in.
    pub fn file(&self, key: &str) -> Option<&SettingFile> {
        self.files.get(key)
    }

    /// The files that belong to the one that the value names
    /// ([`Strategy::further_files`]).
    pub fn further_files(&self, key: &str) -> impl Iterator<Item = &SettingFile> {
        let begin = further_key(key, "");
        let all = self.files.iter();
        let own = all.filter(move |(known, _)| known.starts_with(&begin));
        own.map(|(_, file)| file)
    }

    /// The value read as `T`, or `default` where it is not set.
    pub fn read<T: FromStr>(&self, key: &str, expected: &str, default: T) -> Result<T, OpenError> {
        match self.get(key) {
            None => Ok(default),
            Some(value) => value.parse().map_err(|_| OpenError::BadSetting {
                key: key.to_string(),
                value: value.to_string(),
                expected: expected.to_string(),
            }),
        }
    }
}
