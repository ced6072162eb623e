//! Files that settings name: read once, so that a campaign goes on with what
//! they held when it began, whatever becomes of them.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use lydite_core::{SettingFile, Settings, Strategy, further_key};
use serde::{Deserialize, Serialize};

use crate::named_file::open_file;
use lydite_core::quantity::Size;
use lydite_store::folder::{LockedFolder, RelativePath};

/// A larger file is refused.
const LIMIT: Size = Size(64 << 20);

/// Where their copies are in a campaign's folder, named by hash.
pub(crate) const FOLDER: &str = "settings";

/// The files of one strategy's settings, by key.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SettingFiles(BTreeMap<String, ReadFile>);

/// One file as it was read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ReadFile {
    /// The path as the user gave it.
    path: String,
    /// Of the content.
    hash: String,
    #[serde(skip)]
    text: Arc<str>,
}

impl SettingFiles {
    /// Reads what the settings of `strategy` name; relative paths are
    /// relative to `folder`.
    pub fn read(
        strategy: &dyn Strategy,
        settings: &BTreeMap<String, String>,
        folder: &Path,
    ) -> Result<SettingFiles> {
        let mut files = BTreeMap::new();
        for setting in strategy.settings() {
            let Some(value) = settings.get(setting.key) else {
                continue;
            };
            if setting.names_file(value) {
                let file = ReadFile::read(setting.key, value, folder)?;
                let further = further_files(strategy, setting.key, &file, folder)?;
                files.insert(setting.key.to_string(), file);
                files.extend(further);
            }
        }
        Ok(SettingFiles(files))
    }

    /// The settings of a strategy, checked, with these files.
    pub fn settings(
        &self,
        strategy: &dyn Strategy,
        given: &BTreeMap<String, String>,
    ) -> Result<Settings> {
        let file = |(key, file): (&String, &ReadFile)| {
            let name = file.path.clone();
            let text = file.text.clone();
            (key.clone(), SettingFile { name, text })
        };
        let files = self.0.iter().map(file).collect();
        Ok(Settings::checked(strategy, given.clone())?.with_files(files))
    }

    /// True if no setting names a file.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The hash of the file that `key` names.
    pub fn hash(&self, key: &str) -> Option<&str> {
        self.0.get(key).map(|file| file.hash.as_str())
    }

    /// Writes copies into a campaign's folder.
    pub fn keep(&self, campaign: &LockedFolder) -> Result<()> {
        for file in self.0.values() {
            let path = RelativePath::new(format!("{FOLDER}/{}", file.hash))?;
            if !campaign.place(&path).is_file() {
                campaign.write(&path, file.text.as_bytes())?;
            }
        }
        Ok(())
    }

    /// Reads the copies in a campaign's folder.
    pub fn recall(&mut self, campaign: &Path) -> Result<()> {
        self.fill(&mut |hash| {
            let path = campaign.join(FOLDER).join(hash);
            read_text(&path).with_context(|| format!("the copy {}", path.display()))
        })
    }

    /// Fills in the contents: `read` gives the content of a hash.
    pub fn fill(&mut self, read: &mut dyn FnMut(&str) -> Result<String>) -> Result<()> {
        for (key, file) in &mut self.0 {
            let context = || format!("setting `{key}`");
            // The hash becomes part of a path, and a plan may come from anybody.
            if !file.hash.bytes().all(|b| b.is_ascii_hexdigit()) {
                bail!("setting `{key}`: `{}` is not a hash", file.hash);
            }
            let text = read(&file.hash).with_context(context)?;
            if hash(&text) != file.hash {
                bail!("setting `{key}`: the copy {} was changed", file.hash);
            }
            file.text = text.into();
        }
        Ok(())
    }

    /// The contents with their hashes.
    pub fn contents(&self) -> impl Iterator<Item = (&str, &str)> {
        let files = self.0.values();
        files.map(|file| (file.hash.as_str(), &*file.text))
    }
}

impl ReadFile {
    fn read(key: &str, path: &str, folder: &Path) -> Result<ReadFile> {
        let whole = folder.join(path);
        let text =
            read_text(&whole).with_context(|| format!("setting `{key}`: {}", whole.display()))?;
        Ok(ReadFile {
            path: path.to_string(),
            hash: hash(&text),
            text: text.into(),
        })
    }
}

/// More files than this do not belong to one.
const MAX_FURTHER: usize = 64;

/// The files that belong to `file`, and to these, by key. One that is not there is
/// left out: the strategy says where it is named.
fn further_files(
    strategy: &dyn Strategy,
    key: &str,
    file: &ReadFile,
    folder: &Path,
) -> Result<BTreeMap<String, ReadFile>> {
    let mut found: BTreeMap<String, ReadFile> = BTreeMap::new();
    let mut todo = strategy.further_files(key, &file.path, &file.text);
    while let Some(path) = todo.pop() {
        let of = further_key(key, &path);
        if found.contains_key(&of) || !folder.join(&path).is_file() {
            continue;
        }
        if leads_out(&folder.join(&file.path), &folder.join(&path)) {
            bail!(
                "setting `{key}`: {path} is a link that leads out of the folder of {}",
                file.path
            );
        }
        if found.len() == MAX_FURTHER {
            bail!(
                "setting `{key}`: more than {MAX_FURTHER} files belong to {}",
                file.path
            );
        }
        let read = ReadFile::read(key, &path, folder)?;
        todo.extend(strategy.further_files(key, &path, &read.text));
        found.insert(of, read);
    }
    Ok(found)
}

/// True if `path` is not below the folder of `first`, whatever links there are: what
/// comes from a stranger reads nothing else.
fn leads_out(first: &Path, path: &Path) -> bool {
    let home = first.parent().unwrap_or(first).canonicalize();
    let place = path.canonicalize();
    !matches!((home, place), (Ok(home), Ok(place)) if place.starts_with(&home))
}

fn hash(text: &str) -> String {
    blake3::hash(text.as_bytes()).to_hex().to_string()
}

fn read_text(path: &Path) -> Result<String> {
    let file = open_file(path).context("cannot be read")?;
    let mut bytes = Vec::new();
    file.take(LIMIT.0 + 1)
        .read_to_end(&mut bytes)
        .context("cannot be read")?;
    if bytes.len() as u64 > LIMIT.0 {
        bail!("is larger than {LIMIT}");
    }
    match String::from_utf8(bytes) {
        Ok(text) => Ok(text),
        Err(error) => bail!(
            "is not UTF-8 text (from byte {})",
            error.utf8_error().valid_up_to()
        ),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::PathBuf;

    use lydite_core::{Language, OpenError, Seed, SeedNeed, Setting, Space};

    use super::*;
    use lydite_process::Scratch;

    /// A strategy that only has settings.
    struct Named;

    impl Strategy for Named {
        fn name(&self) -> &'static str {
            "named"
        }

        fn about(&self) -> &'static str {
            ""
        }

        fn language(&self) -> Option<&'static str> {
            None
        }

        fn seeds(&self) -> SeedNeed {
            SeedNeed::None
        }

        fn settings(&self) -> &'static [Setting] {
            const {
                &[
                    Setting::file("rules", "", "rules"),
                    Setting::name_or_file("grammar", "ints", "a grammar"),
                    Setting::value("rounds", "1", "rounds"),
                ]
            }
        }

        fn open(
            &self,
            _: Arc<dyn Language>,
            _: Arc<[Seed]>,
            _: &Settings,
        ) -> Result<Box<dyn Space>, OpenError> {
            Err(OpenError::Seeds("nothing to open".to_string()))
        }
    }

    fn given(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
        let owned = |(key, value): &(&str, &str)| (key.to_string(), value.to_string());
        pairs.iter().map(owned).collect()
    }

    fn folder(scratch: &Scratch) -> PathBuf {
        let path = scratch.root().join("files");
        fs::create_dir_all(path.join("plain")).unwrap();
        fs::write(path.join("mine"), "m").unwrap();
        fs::write(path.join("g.txt"), "g").unwrap();
        fs::write(path.join("bad.txt"), b"ab\xff").unwrap();
        path
    }

    #[test]
    fn a_setting_gets_the_file_that_it_names_and_a_built_in_name_stays_one() {
        let scratch = Scratch::new().unwrap();
        let folder = folder(&scratch);
        for (pairs, rules, grammar) in [
            (vec![("rules", "mine")], Some("m"), None),
            (vec![("grammar", "g.txt")], None, Some("g")),
            (vec![("grammar", "./mine")], None, Some("m")),
            // A file of that name is there, but a plain name is built in.
            (vec![("grammar", "mine"), ("rounds", "g.txt")], None, None),
        ] {
            let given = given(&pairs);
            let files = SettingFiles::read(&Named, &given, &folder).unwrap();
            let settings = files.settings(&Named, &given).unwrap();
            let text = |key| settings.file(key).map(|file| file.text.to_string());
            assert_eq!(text("rules").as_deref(), rules);
            assert_eq!(text("grammar").as_deref(), grammar);
            assert_eq!(settings.get(pairs[0].0), Some(pairs[0].1));
        }
    }

    #[test]
    fn a_file_that_cannot_be_text_is_an_error_that_names_setting_and_path() {
        let scratch = Scratch::new().unwrap();
        let folder = folder(&scratch);
        for (value, part) in [
            ("none.txt", "cannot be read"),
            ("plain", "is a folder"),
            ("bad.txt", "not UTF-8 text (from byte 2)"),
            ("/dev/zero", "larger than 64MiB"),
        ] {
            let error = SettingFiles::read(&Named, &given(&[("rules", value)]), &folder);
            let error = format!("{:#}", error.unwrap_err());
            let path = folder.join(value).display().to_string();
            for part in ["setting `rules`", path.as_str(), part] {
                assert!(error.contains(part), "{part} is not in: {error}");
            }
        }
    }

    #[test]
    fn a_file_of_a_file_does_not_lie_behind_a_link_that_leads_out() {
        let scratch = Scratch::new().unwrap();
        let folder = folder(&scratch);
        fs::write(scratch.root().join("outside"), "o").unwrap();
        let link = |to: &str, name: &str| {
            std::os::unix::fs::symlink(folder.join(to), folder.join(name)).unwrap();
        };
        link("../outside", "out");
        link("g.txt", "inside");
        link("..", "plain/up");
        let out = |path: &str| leads_out(&folder.join("mine"), &folder.join(path));
        let paths = [
            "g.txt", "inside", "out", "plain/up/outside", "plain/up/files/g.txt",
        ];
        assert_eq!(paths.map(out), [false, false, true, true, false]);
    }

    #[test]
    fn a_campaign_keeps_a_copy_and_notices_a_change_of_it() {
        let scratch = Scratch::new().unwrap();
        let folder = folder(&scratch);
        let files = SettingFiles::read(&Named, &given(&[("rules", "mine")]), &folder).unwrap();
        let campaign = folder.join("campaign");
        let locked = LockedFolder::make(&campaign, &lydite_store::folder::CAMPAIGN).unwrap();
        files.keep(&locked).unwrap();
        fs::write(folder.join("mine"), "other").unwrap();
        let json = serde_json::to_string(&files).unwrap();
        let mut again: SettingFiles = serde_json::from_str(&json).unwrap();
        again.recall(&campaign).unwrap();
        assert_eq!(again, files);
        let hash = files.hash("rules").unwrap();
        fs::write(campaign.join(FOLDER).join(hash), "forged").unwrap();
        let error = format!("{:#}", again.recall(&campaign).unwrap_err());
        assert!(error.contains("was changed"), "{error}");
        let evil = json.replace(hash, "../mine");
        let mut evil: SettingFiles = serde_json::from_str(&evil).unwrap();
        assert!(evil.recall(&campaign).is_err());
    }
}
