//! The modules of the lab stand on each other in one direction, as
//! ARCHITECTURE.md says: no module reaches itself through others.

#![allow(clippy::unwrap_used)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// Modules that know each other and are one thing in two folders.
const PAIR: [&str; 2] = ["install", "target"];

/// What each module uses of the others, tests left out.
fn uses() -> BTreeMap<String, BTreeSet<String>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut uses: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut folders = vec![root.clone()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let name = path.strip_prefix(&root).unwrap().to_str().unwrap();
            if !name.ends_with(".rs") || name.ends_with("tests.rs") || name == "lib.rs" {
                continue;
            }
            let module = name.split('/').next().unwrap().trim_end_matches(".rs");
            let text = fs::read_to_string(&path).unwrap();
            let text = text.split("#[cfg(test)]").next().unwrap();
            for part in text.split("crate::").skip(1) {
                let word: String = part
                    .chars()
                    .take_while(|c| c.is_ascii_lowercase() || *c == '_')
                    .collect();
                let own = uses.entry(module.to_string()).or_default();
                if word != module && !(PAIR.contains(&module) && PAIR.contains(&word.as_str())) {
                    own.insert(word);
                }
            }
        }
    }
    uses
}

#[test]
fn no_module_stands_on_itself() {
    let uses = uses();
    assert!(uses["campaign"].contains("store"), "{uses:?}");
    for module in uses.keys() {
        let mut reached: BTreeSet<&String> = BTreeSet::new();
        let mut next: Vec<&String> = uses[module].iter().collect();
        while let Some(other) = next.pop() {
            assert_ne!(other, module, "{module} stands on itself");
            if reached.insert(other) {
                next.extend(uses.get(other).into_iter().flatten());
            }
        }
    }
    let below_the_store = ["clock", "failpoint", "fault", "folder", "record"];
    assert!(
        uses["store"]
            .iter()
            .all(|module| below_the_store.contains(&module.as_str()))
    );
}
