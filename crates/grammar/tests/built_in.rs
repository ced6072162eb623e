//! The grammars in the folder `grammars/`.
#![allow(clippy::disallowed_methods, clippy::unwrap_used)] // A test reads its data and may panic.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use lydite_core::{BigUint, Choices, Claim, Language, OpenError, Settings, Space, Strategy};
use lydite_grammar::built_in::{BUILT_IN, find};
use lydite_grammar::{Enumerate, GrammarFile};
use lydite_smtlib::SmtLib;

fn open(settings: &[(&str, &str)]) -> Result<Box<dyn Space>, OpenError> {
    let given = settings.iter().map(|(k, v)| (k.to_string(), v.to_string()));
    let settings = Settings::checked(&Enumerate, given.collect())?;
    Enumerate.open(Arc::new(SmtLib), Arc::new([]), &settings)
}

fn smt_grammars() -> impl Iterator<Item = &'static str> {
    let smt = |text: &str| GrammarFile::read(text).unwrap().language() == Some("smtlib");
    BUILT_IN.iter().filter(move |g| smt(g.text)).map(|g| g.name)
}

#[test]
fn every_file_of_the_folder_is_built_in() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../grammars");
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| {
            entry
                .unwrap()
                .path()
                .file_stem()
                .unwrap()
                .to_string_lossy()
                .into_owned()
        })
        .collect();
    let mut known: Vec<&str> = BUILT_IN.iter().map(|grammar| grammar.name).collect();
    names.sort();
    known.sort();
    assert_eq!(names, known);
    assert!(find("string").unwrap_err().contains("`strings`"));
}

#[test]
fn variables_and_asserts_can_be_set_in_every_grammar() {
    for grammar in BUILT_IN {
        let file = GrammarFile::read(grammar.text).unwrap();
        let names: Vec<&str> = file
            .parameters()
            .iter()
            .map(|(name, _)| name.as_str())
            .collect();
        assert_eq!(names, ["variables", "asserts"], "{}", grammar.name);
        let set = [("variables", 5), ("asserts", 2)].map(|(k, v)| (k.to_string(), v));
        file.grammar(&BTreeMap::from(set)).unwrap();
    }
}

fn check_all(cases: impl Iterator<Item = lydite_core::Case>, name: &str) {
    for case in cases {
        let program = &case.programs[0];
        let text = String::from_utf8_lossy(&program.source().text);
        assert_eq!(SmtLib.check(program), Ok(()), "{name}: {text}");
        assert_eq!(case.claim, Claim::Silent);
        assert!(text.starts_with("(set-logic ") && text.ends_with("(check-sat)\n"));
    }
}

#[test]
fn the_first_20_000_scripts_of_every_grammar_are_well_sorted() {
    for name in smt_grammars() {
        let space = open(&[("grammar", name)]).unwrap();
        let cases = space.walk(&BigUint::ZERO).take(20_000);
        check_all(cases.map(Result::unwrap), name);
    }
}

#[test]
fn larger_scripts_with_more_variables_and_asserts_are_well_sorted() {
    for name in smt_grammars() {
        let settings = [
            ("grammar", name),
            ("variables", "5"),
            ("asserts", "2"),
            ("size", "..60"),
        ];
        let space = open(&settings).unwrap();
        let drawn = (0..300).map(|i| space.sample(&mut Choices::seeded(3, i)).unwrap());
        check_all(drawn, name);
        let far = open(&[("grammar", name)]).unwrap();
        check_all(
            far.walk(&BigUint::from(10u8).pow(275))
                .take(3)
                .map(Result::unwrap),
            name,
        );
    }
}

#[test]
fn a_range_of_sizes_is_a_space_of_its_own() {
    let texts = |size: &str| -> Vec<Vec<u8>> {
        let space = open(&[("grammar", "ints"), ("size", size)]).unwrap();
        let len = space.len().unwrap();
        let all: Vec<Vec<u8>> = space
            .walk(&BigUint::ZERO)
            .map(|case| case.unwrap().programs[0].source().text.to_vec())
            .collect();
        assert_eq!(BigUint::from(all.len()), len);
        for (index, text) in all.iter().enumerate().step_by(41) {
            let case = space.nth(&BigUint::from(index)).unwrap();
            assert_eq!(&*case.programs[0].source().text, &text[..]);
        }
        assert!(space.nth(&len).is_err());
        assert!(!space.is_infinite());
        let parts: BigUint = space.parts().into_iter().map(|part| part.cases).sum();
        assert_eq!(parts, len);
        all
    };
    let joined: Vec<Vec<u8>> = [texts("5"), texts("6"), texts("7..8")].concat();
    assert_eq!(texts("5..8"), joined);
    assert_eq!(texts("..8"), joined);
    let space = open(&[("grammar", "ints"), ("size", "7..")]).unwrap();
    assert!(space.is_infinite());
    let first = space.nth(&BigUint::ZERO).unwrap();
    assert_eq!(&*first.programs[0].source().text, &texts("7")[0][..]);
}

#[test]
fn unique_rejects_what_it_says_it_removes() {
    for unique in ["renaming", "commutativity", "renaming,commutativity"] {
        let settings = [("grammar", "ints"), ("size", "..8"), ("unique", unique)];
        let space = open(&settings).unwrap();
        let kept = space.walk(&BigUint::ZERO).filter(Result::is_ok).count();
        let promised: BigUint = space
            .parts()
            .into_iter()
            .map(|part| part.unique.unwrap())
            .sum();
        assert_eq!(BigUint::from(kept), promised, "{unique}");
        assert!(promised < space.len().unwrap());
    }
}

#[test]
fn the_same_choices_draw_the_same_program_and_smaller_ones_a_smaller() {
    let space = open(&[("grammar", "strings"), ("size", "5..30")]).unwrap();
    let mut lens = Vec::new();
    for i in 0..200 {
        let mut choices = Choices::seeded(9, i);
        let case = space.sample(&mut choices).unwrap();
        let again = space
            .sample(&mut Choices::replay(choices.into_tape()))
            .unwrap();
        assert_eq!(case, again);
        lens.push(case.bytes());
    }
    let smallest = space.nth(&BigUint::ZERO).unwrap();
    let zeros = space
        .sample(&mut Choices::guided(Default::default()))
        .unwrap();
    assert_eq!(zeros, smallest);
    assert!(lens.iter().max() > lens.iter().min());
}

#[test]
fn bad_settings_are_named() {
    let cases: [(&[(&str, &str)], &str); 6] = [
        (
            &[("grammar", "lua")],
            "setting `grammar`: `lua` is not a grammar of smtlib: it makes lua",
        ),
        (
            &[("grammar", "ints"), ("parameters", "depth=3")],
            "setting `parameters`: `3` is not possible: grammar Ints has no parameter `depth` \
             (it has: variables, asserts)",
        ),
        (
            &[("grammar", "ints"), ("variables", "many")],
            "setting `variables`: `many` is not a number",
        ),
        (
            &[("grammar", "ints"), ("size", "3")],
            "setting `size`: `3` is not a size with programs (the smallest has size 5)",
        ),
        (
            &[("grammar", "ints"), ("size", "9..5")],
            "setting `size`: `9..5` is not a range of sizes, such as 7, ..7 or 5..7",
        ),
        (
            &[("grammar", "ints"), ("unique", "renamed")],
            "setting `unique`: `renamed` is not no, renaming, commutativity or renaming,commutativity",
        ),
    ];
    for (settings, expected) in cases {
        let error = open(settings).err().map(|error| error.to_string());
        assert_eq!(error.as_deref(), Some(expected));
    }
    let unknown = open(&[("grammar", "int")]).err().unwrap().to_string();
    assert!(unknown.contains("`int`") && unknown.ends_with("did you mean `ints`?"));
    let many = [
        ("grammar", "ints"),
        ("variables", "9"),
        ("unique", "renaming,commutativity"),
    ];
    assert!(
        open(&many)
            .err()
            .unwrap()
            .to_string()
            .contains("at most 40320")
    );
    assert!(
        open(&[
            ("grammar", "ints"),
            ("variables", "9"),
            ("unique", "renaming")
        ])
        .is_ok()
    );
}
