//! How a processor is built from its source.

use std::collections::BTreeMap;

use anyhow::{Result, ensure};
use serde::{Deserialize, Serialize};

/// How long a build may take unless its file says otherwise, in minutes.
const USUAL_MINUTES: u64 = 30;

/// How many minutes are the most that a file may ask for.
const MOST_MINUTES: u64 = 24 * 60;

/// The commands that make a processor out of its source. They run one after
/// the other in the folder of the source, with a clean environment.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Build {
    /// The command lines, no shell. `{flags}`, `{jobs}`, `{cc}`, `{cxx}` and
    /// `{tools}` may be part of a word. None of a crate, which cargo builds.
    #[serde(default)]
    pub commands: Vec<Vec<String>>,
    /// What `{flags}` stands for in the plain build; a variant has its own. Of a crate,
    /// further words for cargo.
    #[serde(default)]
    pub flags: String,
    /// Commands that have to be on the PATH.
    #[serde(default)]
    pub needs: Vec<String>,
    /// Environment of the commands, with the same placeholders.
    #[serde(default)]
    pub env: BTreeMap<String, String>,
    /// What is kept of the folder when all commands have ended: globs, as in `bin`. Of a
    /// crate, what cargo installs.
    #[serde(default)]
    pub keep: Vec<String>,
    /// How long all of it may take, in minutes.
    #[serde(default = "usual_minutes")]
    pub minutes: u64,
}

fn usual_minutes() -> u64 {
    USUAL_MINUTES
}

impl Build {
    /// The build of a crate, which cargo does in one command, with what a target file
    /// says of it.
    pub(crate) fn of_crate(said: Option<&Build>) -> Build {
        let words = [
            "cargo", "install", "--locked", "--force", "--root", "{out}", "--version", "={version}",
        ];
        let flags = said.map_or("", |said| &said.flags).split_whitespace();
        let words = words.into_iter().chain(flags).chain(["{package}"]);
        Build {
            commands: vec![words.map(str::to_string).collect()],
            flags: String::new(),
            needs: vec!["cargo".to_string()],
            env: said.map_or_else(BTreeMap::new, |said| said.env.clone()),
            keep: Vec::new(),
            minutes: said.map_or(USUAL_MINUTES, |said| said.minutes),
        }
    }

    /// Of a crate only flags, environment and time are said.
    pub(super) fn check_crate(&self) -> Result<()> {
        ensure!(
            self.commands.is_empty() && self.keep.is_empty() && self.needs.is_empty(),
            "cargo builds a crate: `commands`, `keep` and `needs` are not said of it"
        );
        self.check_minutes()
    }

    fn check_minutes(&self) -> Result<()> {
        ensure!(
            (1..=MOST_MINUTES).contains(&self.minutes),
            "`minutes` is not a number from 1 to {MOST_MINUTES}"
        );
        Ok(())
    }

    pub(super) fn check(&self) -> Result<()> {
        ensure!(!self.commands.is_empty(), "`commands` is empty");
        let empty = |words: &Vec<String>| words.is_empty() || words[0].is_empty();
        ensure!(
            !self.commands.iter().any(empty),
            "`commands`: one of them is empty"
        );
        ensure!(
            !self.keep.is_empty(),
            "`keep` is empty: nothing would be left of the build"
        );
        let words = self.commands.iter().flatten().chain(self.env.values());
        ensure!(
            self.flags.is_empty() || words.into_iter().any(|word| word.contains("{flags}")),
            "`flags` are given, and no word of `commands` and no value of `env` has {{flags}}: \
             every variant would be the same build"
        );
        let outside =
            |glob: &String| glob.starts_with('/') || glob.split('/').any(|part| part == "..");
        ensure!(
            !self.keep.iter().any(outside),
            "`keep`: expected globs below the source's folder"
        );
        self.check_minutes()
    }
}
