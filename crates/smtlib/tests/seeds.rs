//! The seeds that the project ships: each reads, types, prints and reads
//! again to the same script, and random damage to it breaks no part of the crate.
#![allow(clippy::disallowed_methods)] // A test reads its data.

mod damage;
mod generator;

use damage::{damage, survive, words};
use lydite_core::{Choices, Language, Program};
use lydite_smtlib::print::{self, Dialect};
use lydite_smtlib::{SmtLib, syntax, typing};

/// Name and text of every seed, in order.
fn seeds() -> Vec<(String, Vec<u8>)> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/smtlib");
    let mut seeds: Vec<(String, Vec<u8>)> = std::fs::read_dir(folder)
        .expect("testdata/smtlib is part of the project")
        .map(|entry| {
            let path = entry.expect("a readable folder").path();
            let text = std::fs::read(&path).expect("a readable seed");
            (path.display().to_string(), text)
        })
        .collect();
    seeds.sort();
    seeds
}

#[test]
fn every_seed_comes_back_as_the_same_script() {
    let seeds = seeds();
    assert!(seeds.len() >= 60);
    for (name, text) in seeds {
        let script = syntax::parse(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
        let typed = typing::check(&script, &typing::Options::default())
            .unwrap_or_else(|errors| panic!("{name}: {}", errors[0]));
        for term in script.terms() {
            assert!(typed.sort(term).is_some(), "{name}: a term without a sort");
        }
        for printed in [print::script(&script), print::pretty(&script)] {
            assert_eq!(syntax::parse_str(&printed).unwrap(), script, "{name}");
        }
        for dialect in [Dialect::Standard, Dialect::Old] {
            let printed = print::script_for(&script, dialect);
            let again = syntax::parse_str(&printed).unwrap();
            assert!(
                typing::check(&again, &typing::Options::default()).is_ok(),
                "{name} for {dialect:?}"
            );
        }
    }
}

#[test]
fn seeds_have_different_fingerprints() {
    let mut prints: Vec<String> = seeds()
        .into_iter()
        .map(|(name, text)| SmtLib.fingerprint(&Program::single(name, text)))
        .collect();
    let count = prints.len();
    prints.sort();
    prints.dedup();
    assert_eq!(prints.len(), count);
}

#[test]
fn damaged_seeds_are_answered() {
    let seeds = seeds();
    for round in 0..1500 {
        let mut choices = Choices::seeded(7, round);
        let (_, text) = choices.pick(&seeds).expect("there are seeds");
        let mut text = text.clone();
        let (_, other) = choices.pick(&seeds).expect("there are seeds");
        damage(&mut text, &words(other), &mut choices).expect("enough choices");
        survive(&text, &mut choices).expect("enough choices");
    }
}

#[test]
fn random_bytes_are_answered() {
    for round in 0..2000 {
        let mut choices = Choices::seeded(8, round);
        let length = choices.index(200).expect("enough choices");
        let alphabet = b"()()()()ab_!| \"\\:#x10.;\n\xc3\xa9\xff";
        let text: Vec<u8> = (0..length)
            .map(|_| *choices.pick(alphabet).expect("enough choices"))
            .collect();
        survive(&text, &mut choices).expect("enough choices");
    }
}

#[test]
fn generated_scripts_are_well_sorted_and_come_back() {
    let mut commands = 0;
    for round in 0..400 {
        let mut choices = Choices::seeded(9, round);
        let text = generator::script(&mut choices).expect("enough choices");
        let script = syntax::parse_str(&text).unwrap_or_else(|error| panic!("{text}\n{error}"));
        commands += script.commands.len();
        if let Err(errors) = typing::check(&script, &typing::Options::default()) {
            panic!("{text}\n{}", errors[0].located(&text));
        }
        for printed in [print::script(&script), print::pretty(&script)] {
            assert_eq!(syntax::parse_str(&printed).unwrap(), script, "{text}");
        }
    }
    assert!(commands > 2000);
}
