//! Strategy `fusion` over the seeds that the project ships.
#![allow(clippy::disallowed_methods)] // A test reads its data.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use lydite_core::{Choices, Language, Seed, Settings, Strategy};
use lydite_smtlib::SmtLib;
use lydite_smtlib::strategy::fusion::Fusion;

fn collect(folder: &Path, seeds: &mut Vec<Seed>) {
    let mut paths: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    paths.sort();
    for path in paths {
        match path.is_dir() {
            true => collect(&path, seeds),
            false => seeds.push(Seed {
                name: path.display().to_string(),
                text: std::fs::read(&path).unwrap().into(),
                claim: None,
            }),
        }
    }
}

#[test]
fn shipped_seeds_fuse_to_well_sorted_scripts_that_their_tapes_remake() {
    let mut seeds = Vec::new();
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../seeds/smtlib");
    collect(Path::new(folder), &mut seeds);
    let settings = Settings::checked(&Fusion, BTreeMap::new()).unwrap();
    let space = Fusion
        .open(Arc::new(SmtLib), seeds.into(), &settings)
        .unwrap();
    let mut rejected = 0;
    for index in 0..1500 {
        let mut choices = Choices::seeded(1, index);
        let Ok(case) = space.sample(&mut choices) else {
            rejected += 1;
            continue;
        };
        let text = String::from_utf8_lossy(&case.programs[0].source().text).into_owned();
        assert_eq!(SmtLib.check(&case.programs[0]), Ok(()), "{text}");
        if index % 10 == 0 {
            let again = space.sample(&mut Choices::replay(choices.into_tape()));
            assert_eq!(again, Ok(case));
        }
    }
    assert!(rejected < 15, "{rejected} of 1500 were rejected");
}
