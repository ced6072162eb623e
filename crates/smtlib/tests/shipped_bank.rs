//! The bank that ships is the bank of the seeds that ship.

use std::path::Path;
use std::sync::Arc;

use lydite_core::Seed;
use lydite_smtlib::mutate::bank::collect;

/// All scripts below a folder.
#[allow(clippy::disallowed_methods)] // A test reads its data.
fn seeds(folder: &Path, found: &mut Vec<Seed>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            seeds(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "smt2") {
            let text: Arc<[u8]> = std::fs::read(&path).unwrap().into();
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
    for folder in ["smtlib", "smtlib-theories"] {
        seeds(&root.join(folder), &mut found);
    }
    let shipped = std::fs::read_to_string(root.join("smtlib.bank")).unwrap();
    // lydite bank seeds/smtlib seeds/smtlib-theories -o seeds/smtlib.bank
    assert!(
        collect(&found) == shipped,
        "seeds/smtlib.bank is not that of the seeds: make it anew"
    );
}
