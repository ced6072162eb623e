//! The crates stand on each other in one direction, and so do the modules of
//! each crate, as ARCHITECTURE.md says.

#![allow(clippy::unwrap_used)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Each crate and what of ours it may stand on. A crate of a language stands
/// on the core alone, but for what is said here.
const CRATES: [(&str, &[&str]); 16] = [
    ("core", &[]),
    ("grammar", &["core"]),
    ("smtlib", &["core"]),
    ("syntax", &["core"]),
    ("evm", &["core"]),
    ("skeleton", &["core", "syntax"]),
    ("solidity", &["core", "syntax"]),
    ("process", &["core"]),
    ("target", &["core", "process"]),
    ("store", &["core", "process"]),
    ("lab", &["core", "process", "store", "target"]),
    ("studies", &["core", "lab", "process", "store", "target"]),
    ("cluster", &["core", "lab", "process", "store"]),
    ("serve", &["core", "lab", "store", "target"]),
    (
        "cli",
        &[
            "cluster", "core", "evm", "grammar", "lab", "process", "serve", "skeleton", "smtlib",
            "solidity", "store", "studies", "syntax", "target",
        ],
    ),
    ("zoo", &[]),
];

/// The crates whose modules are looked at, too.
const WITHOUT_CYCLES: [&str; 15] = [
    "core", "grammar", "smtlib", "syntax", "evm", "skeleton", "solidity", "process", "target",
    "store", "lab", "studies", "cluster", "serve", "cli",
];

fn crates() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

#[test]
fn a_crate_stands_only_on_crates_below_it() {
    let mut there: Vec<String> = fs::read_dir(crates())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    there.sort();
    let mut listed: Vec<&str> = CRATES.iter().map(|(name, _)| *name).collect();
    listed.sort_unstable();
    assert_eq!(there, listed);
    for (number, (name, allowed)) in CRATES.iter().enumerate() {
        let manifest = fs::read_to_string(crates().join(name).join("Cargo.toml")).unwrap();
        let section = manifest.split("[dependencies]").nth(1).unwrap_or_default();
        let section = section.split("\n[").next().unwrap();
        for line in section.lines() {
            let Some(used) = line.strip_prefix("lydite-") else {
                continue;
            };
            let used = used.split('.').next().unwrap();
            assert!(allowed.contains(&used), "{name} stands on {used}");
            let below = CRATES.iter().position(|(other, _)| *other == used);
            assert!(below.unwrap() < number, "{used} is not below {name}");
        }
    }
}

/// The Rust files below a folder, tests left out.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(self::files(&path));
        } else if path.extension().is_some_and(|end| end == "rs") && !path.ends_with("tests.rs") {
            files.push(path);
        }
    }
    files
}

/// The words of a group `{a, b::c, d::{e, f}}` that begin its members, or the
/// one word that stands there.
fn first_words(text: &str) -> Vec<String> {
    let word = |text: &str| -> String {
        let text = text.trim_start();
        let is_part = |c: &char| c.is_ascii_alphanumeric() || *c == '_';
        text.chars().take_while(is_part).collect()
    };
    let Some(group) = text.strip_prefix('{') else {
        return vec![word(text)];
    };
    let (mut depth, mut start, mut words) = (0, 0, Vec::new());
    for (at, c) in group.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth > 0 => depth -= 1,
            ',' | '}' if depth == 0 => {
                words.push(word(&group[start..at]));
                start = at + 1;
                if c == '}' {
                    break;
                }
            }
            _ => {}
        }
    }
    words
}

/// What each module of a crate uses of the others: by the module's name, or by
/// the name of something that the crate's root gives out for it.
fn uses(name: &str) -> BTreeMap<String, BTreeSet<String>> {
    let root = crates().join(name).join("src");
    // A program has no root that gives something out.
    let lib = fs::read_to_string(root.join("lib.rs")).unwrap_or_default();
    let mut owner: BTreeMap<String, String> = BTreeMap::new();
    for part in lib.split("pub use ").skip(1) {
        // `pub use name;` gives out a crate.
        let Some((module, items)) = part.split_once("::") else {
            continue;
        };
        for item in first_words(items) {
            owner.insert(item, module.to_string());
        }
    }
    let mut uses: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for path in files(&root) {
        let relative = path.strip_prefix(&root).unwrap().to_str().unwrap();
        if ["lib.rs", "main.rs"].contains(&relative) {
            continue;
        }
        let module = relative.split('/').next().unwrap().trim_end_matches(".rs");
        let is_top = !relative.contains('/');
        let text = fs::read_to_string(&path).unwrap();
        let text = text.split("#[cfg(test)]").next().unwrap();
        let code: Vec<&str> = text
            .lines()
            .filter(|line| !line.trim_start().starts_with("//"))
            .collect();
        let code = code.join("\n");
        let of_root = code.split("crate::").skip(1);
        let of_super = code.split("super::").skip(1).filter(|_| is_top);
        let own = uses.entry(module.to_string()).or_default();
        for word in of_root.chain(of_super).flat_map(first_words) {
            let word = owner.get(&word).unwrap_or(&word);
            if word != module {
                own.insert(word.clone());
            }
        }
    }
    let modules: BTreeSet<String> = uses.keys().cloned().collect();
    for used in uses.values_mut() {
        used.retain(|word| modules.contains(word));
    }
    uses
}

#[test]
fn no_module_stands_on_itself() {
    for name in WITHOUT_CYCLES {
        let uses = uses(name);
        for module in uses.keys() {
            let mut reached: BTreeSet<&String> = BTreeSet::new();
            let mut next: Vec<&String> = uses[module].iter().collect();
            while let Some(other) = next.pop() {
                assert_ne!(
                    other, module,
                    "{name}: {module} stands on itself: {uses:#?}"
                );
                if reached.insert(other) {
                    next.extend(&uses[other]);
                }
            }
        }
    }
}

/// What only leaves know of: studies, formats that servers read, messages.
const LEAVES: [&str; 6] = [
    "certificate", "evolution", "evolve", "junit", "nats", "sarif",
];

#[test]
fn nothing_that_runs_and_keeps_cases_mentions_a_leaf() {
    let inner = [
        "core/src", "process/src", "target/src", "store/src", "lab/src",
    ];
    let is_leaf = |path: &Path| path.starts_with(crates().join("lab/src/compare"));
    let inner = inner
        .iter()
        .flat_map(|folder| files(&crates().join(folder)));
    for path in inner.filter(|path| !is_leaf(path)) {
        let text = fs::read_to_string(&path).unwrap().to_lowercase();
        let mut words = text.split(|c: char| !c.is_ascii_alphabetic());
        let leaf = words.find(|word| LEAVES.contains(word));
        assert_eq!(leaf, None, "{}", path.display());
    }
}

#[test]
fn what_stands_on_what_is_seen() {
    let seen = |name: &str, module: &str, on: &str| uses(name)[module].contains(on);
    assert!(seen("lab", "campaign", "finding"));
    assert!(seen("store", "store", "record"));
    assert!(seen("target", "catalogue", "cache"));
    // By the name of a type that the root gives out.
    assert!(seen("target", "install", "run"));
    assert!(seen("process", "sweep", "child_table"));
    assert_eq!(
        first_words("{a, b::{c, d}, E}; f"),
        ["a", "b", "E"].map(String::from)
    );
}
