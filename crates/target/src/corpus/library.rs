//! All corpora: those that are built in, and the user's own, which replace them.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, ensure};
use lydite_core::nearest::nearest;

use super::file::Corpus;

/// The files that come with Lydite.
const BUILT_IN: &[(&str, &str)] = &[
    (
        "bitwuzla.toml",
        include_str!("../../../../corpora/bitwuzla.toml"),
    ),
    (
        "boolector.toml",
        include_str!("../../../../corpora/boolector.toml"),
    ),
    (
        "chibicc.toml",
        include_str!("../../../../corpora/chibicc.toml"),
    ),
    (
        "clang-tests-cpp.toml",
        include_str!("../../../../corpora/clang-tests-cpp.toml"),
    ),
    (
        "clang-tests.toml",
        include_str!("../../../../corpora/clang-tests.toml"),
    ),
    ("cvc4.toml", include_str!("../../../../corpora/cvc4.toml")),
    ("cvc5.toml", include_str!("../../../../corpora/cvc5.toml")),
    (
        "g++-dg.toml",
        include_str!("../../../../corpora/g++-dg.toml"),
    ),
    ("gawk.toml", include_str!("../../../../corpora/gawk.toml")),
    (
        "gcc-dg.toml",
        include_str!("../../../../corpora/gcc-dg.toml"),
    ),
    (
        "gcc-torture.toml",
        include_str!("../../../../corpora/gcc-torture.toml"),
    ),
    ("jq.toml", include_str!("../../../../corpora/jq.toml")),
    ("lua.toml", include_str!("../../../../corpora/lua.toml")),
    ("mawk.toml", include_str!("../../../../corpora/mawk.toml")),
    (
        "original-awk.toml",
        include_str!("../../../../corpora/original-awk.toml"),
    ),
    (
        "quickjs.toml",
        include_str!("../../../../corpora/quickjs.toml"),
    ),
    ("scala.toml", include_str!("../../../../corpora/scala.toml")),
    (
        "solidity.toml",
        include_str!("../../../../corpora/solidity.toml"),
    ),
    (
        "spidermonkey.toml",
        include_str!("../../../../corpora/spidermonkey.toml"),
    ),
    (
        "sqlite.toml",
        include_str!("../../../../corpora/sqlite.toml"),
    ),
    ("tcc.toml", include_str!("../../../../corpora/tcc.toml")),
    (
        "test262-parser.toml",
        include_str!("../../../../corpora/test262-parser.toml"),
    ),
    (
        "test262.toml",
        include_str!("../../../../corpora/test262.toml"),
    ),
];

/// A file larger than this describes no corpus.
const FILE_BYTES: u64 = 1 << 20;

/// All corpora that are known, by name.
#[derive(Clone, Debug, Default)]
pub struct Corpora {
    by_name: BTreeMap<String, Corpus>,
}

impl Corpora {
    /// The built-in ones, then those of `user` (folders of `*.toml`) in order: a
    /// later file replaces an earlier one of the same name.
    pub fn load(user: &[PathBuf]) -> Result<Corpora> {
        let mut corpora = Corpora::default();
        for (file, text) in BUILT_IN {
            corpora.add(Corpus::read(text, Path::new(file))?);
        }
        for folder in user {
            let named = || folder.display().to_string();
            let mut files = Vec::new();
            for entry in fs::read_dir(folder).with_context(named)? {
                let file = entry.with_context(named)?.path();
                if file.extension().is_some_and(|ending| ending == "toml") {
                    files.push(file);
                }
            }
            files.sort();
            for file in files {
                corpora.add(read_file(&file)?);
            }
        }
        Ok(corpora)
    }

    /// The user's folders that are there: `$XDG_CONFIG_HOME/lydite/corpora`
    /// (or `~/.config/…`) and `./lydite-corpora`.
    pub fn user_folders() -> Vec<PathBuf> {
        let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
        let config = variable("XDG_CONFIG_HOME")
            .map(PathBuf::from)
            .or_else(|| Some(PathBuf::from(variable("HOME")?).join(".config")));
        let folders = config.map(|config| config.join("lydite/corpora"));
        let folders = folders.into_iter().chain([PathBuf::from("lydite-corpora")]);
        folders.filter(|folder| folder.is_dir()).collect()
    }

    fn add(&mut self, corpus: Corpus) {
        self.by_name.insert(corpus.corpus.clone(), corpus);
    }

    /// All of them, by name.
    pub fn all(&self) -> impl Iterator<Item = &Corpus> {
        self.by_name.values()
    }

    /// The corpus of that name, or an error that names the nearest.
    pub fn find(&self, name: &str) -> Result<&Corpus> {
        let names = self.by_name.keys().map(String::as_str);
        self.by_name
            .get(name)
            .ok_or_else(|| match nearest(name, names) {
                Some(near) => anyhow!("corpus {name}: not known (did you mean `{near}`?)"),
                None => anyhow!("corpus {name}: not known (lydite seeds list)"),
            })
    }
}

fn read_file(file: &Path) -> Result<Corpus> {
    let named = || file.display().to_string();
    let length = fs::metadata(file).with_context(named)?.len();
    ensure!(
        length <= FILE_BYTES,
        "{}: too large for the file of a corpus",
        named()
    );
    let text = fs::read_to_string(file).with_context(named)?;
    Corpus::read(&text, file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_that_ships_is_listed_and_says_what_it_is() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpora");
        let mut files: Vec<String> = fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        files.sort();
        let mut listed: Vec<&str> = BUILT_IN.iter().map(|(file, _)| *file).collect();
        listed.sort_unstable();
        assert_eq!(files, listed);
        for corpus in Corpora::load(&[]).unwrap().all() {
            assert!(listed.contains(&format!("{}.toml", corpus.corpus).as_str()));
            assert!(corpus.licence_file.is_some(), "{}", corpus.corpus);
        }
    }

    #[test]
    fn a_file_of_the_user_replaces_ours_and_a_typo_finds_its_word() {
        let folder = tempfile::tempdir().unwrap();
        let text = "corpus = \"tcc\"\nabout = \"mine\"\nlanguage = \"c\"\nfrom = \"npm\"\n\
                    package = \"mine\"\nfiles = [\"*.c\"]\nlicence = \"MIT\"\n";
        fs::write(folder.path().join("a.toml"), text).unwrap();
        let corpora = Corpora::load(&[folder.path().to_path_buf()]).unwrap();
        assert_eq!(corpora.find("tcc").unwrap().about, "mine");
        let error = corpora.find("gcc-tortur").unwrap_err().to_string();
        assert!(error.contains("did you mean `gcc-torture`?"), "{error}");
        assert!(corpora.find("xyzzy").is_err());
    }
}
