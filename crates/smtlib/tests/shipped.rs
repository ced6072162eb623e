//! What ships: the bank is that of the seeds, and these have every operator at least thrice.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use lydite_core::Seed;
use lydite_smtlib::mutate::bank::collect;
use lydite_smtlib::operators::Operators;
use lydite_smtlib::syntax::{Term, parse};
use lydite_smtlib::typing::{self, Resolved};

/// The folders of scripts that ship.
const FOLDERS: [&str; 3] = ["smtlib", "smtlib-theories", "smtlib-operators"];

/// All scripts below a folder.
#[allow(clippy::disallowed_methods)] // A test reads its data.
fn seeds(folder: &Path, found: &mut Vec<Seed>) {
    for entry in std::fs::read_dir(folder).expect("the folder ships") {
        let path = entry.expect("the folder can be read").path();
        if path.is_dir() {
            seeds(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "smt2") {
            let text: Arc<[u8]> = std::fs::read(&path).expect("the seed can be read").into();
            let name = path.display().to_string();
            found.push(Seed {
                name,
                text,
                claim: None,
            });
        }
    }
}

#[test]
#[allow(clippy::disallowed_methods)] // A test reads its data.
fn the_bank_that_ships_is_that_of_the_seeds_that_ship() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../seeds");
    let mut found = Vec::new();
    for folder in FOLDERS {
        seeds(&root.join(folder), &mut found);
    }
    let shipped = std::fs::read_to_string(root.join("smtlib.bank")).unwrap();
    // lydite bank seeds/smtlib seeds/smtlib-theories seeds/smtlib-operators -o seeds/smtlib.bank
    assert!(
        collect(&found) == shipped,
        "seeds/smtlib.bank is not that of the seeds: make it anew"
    );
}

#[test]
fn every_operator_of_the_table_is_in_the_seeds_at_least_thrice() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../seeds");
    let mut found = Vec::new();
    for folder in FOLDERS {
        seeds(&root.join(folder), &mut found);
    }
    let table = Operators::built_in();
    // Other spellings are names too.
    let own = |name: &&str| {
        table
            .named(name)
            .iter()
            .any(|&id| table.get(id).name == *name)
    };
    let mut counts: BTreeMap<&str, usize> =
        table.names().filter(own).map(|name| (name, 0)).collect();
    for seed in &found {
        let script = parse(&seed.text).unwrap_or_else(|error| panic!("{}: {error}", seed.name));
        let typed = typing::check(&script, &typing::Options::default());
        let typed = typed.unwrap_or_else(|errors| panic!("{}: {:?}", seed.name, errors.first()));
        let mut work: Vec<_> = script
            .commands
            .iter()
            .flat_map(|c| c.kind.terms())
            .collect();
        while let Some(term) = work.pop() {
            script.push_subterms(term, &mut work);
            if let (Term::Application { .. }, Resolved::Operator(id)) =
                (script.term(term), typed.resolved(term))
            {
                *counts.entry(&table.get(id).name).or_default() += 1;
            }
        }
    }
    let seldom: Vec<_> = counts.iter().filter(|(_, count)| **count < 3).collect();
    assert!(seldom.is_empty(), "{seldom:?}");
}
