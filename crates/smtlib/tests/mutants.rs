//! Every mutant of the shipped seeds passes the check and is remade by its
//! tape.
#![allow(clippy::disallowed_methods)] // A test reads its data.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use lydite_core::{Choices, Language, Reject, Seed, SettingFile, Settings, Space, Strategy};
use lydite_smtlib::SmtLib;
use lydite_smtlib::mutate::bank::collect;
use lydite_smtlib::strategy::operators::OperatorMutation;
use lydite_smtlib::strategy::typed::TypedMutation;

fn shipped() -> Vec<Seed> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../seeds/smtlib");
    let mut folders: Vec<PathBuf> = vec![root];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("the seeds are there") {
            let path = entry.expect("it can be read").path();
            match path.is_dir() {
                true => folders.push(path),
                false if path.extension().is_some_and(|e| e == "smt2") => files.push(path),
                false => {}
            }
        }
    }
    files.sort();
    assert!(files.len() > 50, "{} seeds", files.len());
    let seed = |path: &PathBuf| Seed {
        name: path.display().to_string(),
        text: fs::read(path).expect("it can be read").into(),
        claim: None,
    };
    files.iter().map(seed).collect()
}

fn open(strategy: &dyn Strategy, set: &[(&str, &str)], bank: Option<String>) -> Box<dyn Space> {
    let given = set.iter().map(|(k, v)| (k.to_string(), v.to_string()));
    let mut settings = Settings::checked(strategy, given.collect()).expect("known settings");
    if let Some(text) = bank {
        let file = SettingFile {
            name: "bank".to_string(),
            text: text.into(),
        };
        settings = settings.with_files(BTreeMap::from([("bank".to_string(), file)]));
    }
    let space = strategy.open(Arc::new(SmtLib), shipped().into(), &settings);
    space.expect("it opens")
}

fn all_pass(space: &dyn Space, count: u64) {
    let mut rejects: BTreeMap<Reject, u64> = BTreeMap::new();
    for index in 0..count {
        let mut choices = Choices::seeded(11, index);
        let case = match space.sample(&mut choices) {
            Ok(case) => case,
            Err(reject) => {
                *rejects.entry(reject).or_default() += 1;
                continue;
            }
        };
        let text = String::from_utf8_lossy(&case.programs[0].source().text).into_owned();
        assert_eq!(
            SmtLib.check(&case.programs[0]),
            Ok(()),
            "case {index}:\n{text}"
        );
        if index.is_multiple_of(10) {
            let again = space.sample(&mut Choices::replay(choices.into_tape()));
            assert_eq!(again.as_ref(), Ok(&case), "case {index}");
        }
    }
    let rejected: u64 = rejects.values().sum();
    assert!(rejected * 20 < count, "{rejects:?}");
}

#[test]
fn changed_operators_pass_the_check() {
    all_pass(open(&OperatorMutation, &[], None).as_ref(), 3_000);
    let wide = [("speakers", "all"), ("rounds", "1-200")];
    all_pass(open(&OperatorMutation, &wide, None).as_ref(), 1_000);
}

#[test]
fn new_terms_pass_the_check() {
    all_pass(open(&TypedMutation, &[], None).as_ref(), 3_000);
    let deep = [("depth", "5"), ("rounds", "1-40"), ("wrap", "true")];
    all_pass(open(&TypedMutation, &deep, None).as_ref(), 500);
    let plain = [("literals", "false"), ("fresh", "false")];
    all_pass(open(&TypedMutation, &plain, None).as_ref(), 1_000);
    all_pass(
        open(&TypedMutation, &[("speakers", "all")], None).as_ref(),
        1_000,
    );
}

#[test]
fn terms_of_a_bank_pass_the_check() {
    let bank = collect(&shipped());
    assert!(bank.lines().count() > 100);
    all_pass(open(&TypedMutation, &[], Some(bank)).as_ref(), 500);
}
