//! Chains of weaker and stronger scripts over the seeds that ship.
#![allow(clippy::disallowed_methods)] // A test reads its data.

use std::path::Path;
use std::sync::Arc;

use lydite_core::{Choices, Language, Program, Seed, Settings, Space, Strategy};
use lydite_smtlib::SmtLib;
use lydite_smtlib::strategy::weaken::Weaken;

/// Every seed below a folder, in order.
fn seeds_below(folder: &Path, name: &str, seeds: &mut Vec<Seed>) {
    let entries = std::fs::read_dir(folder).expect("the seeds are part of the project");
    let mut paths: Vec<_> = entries
        .map(|entry| entry.expect("a readable folder").path())
        .collect();
    paths.sort();
    for path in paths {
        let file = path
            .file_name()
            .expect("a name")
            .to_string_lossy()
            .into_owned();
        let name = format!("{name}/{file}");
        match path.is_dir() {
            true => seeds_below(&path, &name, seeds),
            false => seeds.push(Seed {
                text: std::fs::read(&path).expect("a readable seed").into(),
                name,
                claim: None,
            }),
        }
    }
}

fn space() -> Box<dyn Space> {
    let mut seeds = Vec::new();
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../seeds/smtlib");
    seeds_below(Path::new(folder), "smtlib", &mut seeds);
    assert!(seeds.len() >= 100);
    let settings = Settings::checked(&Weaken, [].into()).expect("no settings");
    let opened = Weaken.open(Arc::new(SmtLib), seeds.into(), &settings);
    opened.unwrap_or_else(|error| panic!("{error}"))
}

fn text(program: &Program) -> String {
    String::from_utf8_lossy(&program.source().text).into_owned()
}

#[test]
fn every_script_of_every_chain_passes_the_check_and_a_tape_remakes_it() {
    let space = space();
    let mut rejects = 0;
    for index in 0..800 {
        let mut choices = Choices::seeded(11, index);
        let Ok(case) = space.sample(&mut choices) else {
            rejects += 1;
            continue;
        };
        assert_eq!(case.steps.len() + 1, case.programs.len());
        for (at, program) in case.programs.iter().enumerate() {
            let check = SmtLib.check(program);
            assert_eq!(check, Ok(()), "{:?}\n{}", case.step_to(at), text(program));
        }
        if index % 10 == 0 {
            let again = space.sample(&mut Choices::replay(choices.into_tape()));
            assert_eq!(again.expect("a tape that was recorded"), case);
        }
    }
    assert!(rejects < 40, "{rejects} rejects");
}
