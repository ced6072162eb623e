//! Placeholders of data types that stand for composite types.

#![allow(clippy::unwrap_used)]

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use lydite_core::{BigUint, Case, Choices, PlainLanguage, Settings, Space, Strategy};
use lydite_solidity::Maker;
use lydite_solidity::ast::{Atom, Composite};
use lydite_solidity::generate::Options;
use lydite_solidity::strategy::Templates;
use lydite_solidity::types::{COMPOSITE_VALUES, ELEMENTARY};

fn settings(given: &[(&str, &str)]) -> Settings {
    let given: BTreeMap<String, String> = given
        .iter()
        .map(|(key, value)| (key.to_string(), value.to_string()))
        .collect();
    Settings::checked(&Templates, given).unwrap()
}

fn space(given: &[(&str, &str)]) -> Box<dyn Space> {
    let language = PlainLanguage {
        name: "solidity",
        about: "",
        extensions: &["sol"],
        line_comment: "//",
    };
    Templates
        .open(Arc::new(language), Arc::new([]), &settings(given))
        .unwrap()
}

fn text(case: &Case) -> String {
    let files = case.programs[0].files.iter();
    files
        .map(|file| String::from_utf8_lossy(&file.text).into_owned())
        .collect()
}

/// What a composite type is, in a word.
fn sort(composite: &Composite) -> &'static str {
    match composite {
        Composite::Atom(Atom::Contract(_)) => "contract",
        Composite::Atom(Atom::Enum(_)) => "enum",
        Composite::Atom(Atom::Value(_)) => "user-defined value type",
        Composite::Atom(Atom::FixedPoint { .. }) => "fixed-point type",
        Composite::Atom(Atom::Elementary(_)) => "elementary type",
        Composite::Struct(_) => "struct",
        Composite::Array { .. } => "array",
        Composite::Mapping { .. } => "mapping",
    }
}

#[test]
fn placeholders_stand_for_every_sort_of_composite_type() {
    let options = Options::read(&settings(&[("features", "all,fixed-points")])).unwrap();
    let maker = Maker::new("0.8.30".parse().unwrap(), options);
    let mut sorts = BTreeSet::new();
    for index in 0..150 {
        let Ok(template) = maker.template(&mut Choices::seeded(5, index)) else {
            continue;
        };
        for variable in 0..template.reduced.variables() as u32 {
            let domain = template.reduced.domain(variable);
            for (number, composite) in &template.ast.composites {
                let is_open = domain >> number & 1 == 1 && domain & ELEMENTARY != 0;
                if template.reduced.kind(variable) == lydite_solidity::qualify::Kind::Type
                    && is_open
                {
                    sorts.insert(sort(composite));
                }
            }
        }
    }
    let all = [
        "array", "contract", "enum", "fixed-point type", "mapping", "struct",
        "user-defined value type",
    ];
    assert_eq!(sorts.into_iter().collect::<Vec<_>>(), all);
}

#[test]
fn every_solution_is_a_program_of_its_own() {
    let options = Options::read(&settings(&[
        ("features", "all,fixed-points"),
        ("contracts", "1"),
        ("functions", "1"),
        ("variables", "1"),
        ("statements", "1"),
        ("depth", "1"),
        ("parameters", "1"),
        ("widths", "1"),
    ]))
    .unwrap();
    let maker = Maker::new("0.8.30".parse().unwrap(), options);
    let (mut counted, mut with_composites) = (0, 0);
    for index in 0..400 {
        let Ok(template) = maker.template(&mut Choices::seeded(6, index)) else {
            continue;
        };
        let Ok(count) = u64::try_from(template.count()) else {
            continue;
        };
        if count > 20_000 {
            continue;
        }
        let mut programs = BTreeSet::new();
        let mut composite = false;
        for number in 0..count {
            let solution = template.solutions().nth(&BigUint::from(number)).unwrap();
            composite |= (0..template.reduced.variables()).any(|at| {
                template.reduced.kind(at as u32) == lydite_solidity::qualify::Kind::Type
                    && COMPOSITE_VALUES >> solution[at] & 1 == 1
            });
            let program = maker.program(&template, &solution);
            let files: Vec<_> = program.files.iter().map(|file| file.text.clone()).collect();
            programs.insert(files);
        }
        assert_eq!(programs.len() as u64, count, "template {index}");
        counted += 1;
        with_composites += usize::from(composite);
    }
    assert!(
        counted > 5 && with_composites > 3,
        "{counted} templates, {with_composites} with composite types"
    );
}

#[test]
fn a_mapping_is_in_storage_wherever_it_stands() {
    let space = space(&[("max", "3"), ("solc", "0.8.30")]);
    let (mut pointers, mut wrong) = (0, Vec::new());
    for case in space.walk(&BigUint::ZERO).take(900).flatten() {
        for line in text(&case).lines() {
            for (at, _) in line.match_indices("mapping(") {
                let rest = &line[at..];
                let end = rest.find(") ").map_or(rest.len(), |end| end + 2);
                let next = rest[end..].split_whitespace().next().unwrap_or("");
                pointers += usize::from(next == "storage");
                if next == "memory" || next == "calldata" {
                    wrong.push(line.to_string());
                }
            }
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
    assert!(pointers > 3, "{pointers} pointers to mappings");
}

#[test]
fn without_the_feature_no_placeholder_stands_for_a_composite_type() {
    let options = Options::read(&settings(&[("features", "all,-open-types")])).unwrap();
    let maker = Maker::new("0.8.30".parse().unwrap(), options);
    for index in 0..30 {
        if let Ok(template) = maker.template(&mut Choices::seeded(5, index)) {
            assert!(template.ast.composites.is_empty());
            for variable in 0..template.reduced.variables() as u32 {
                assert_eq!(template.reduced.domain(variable) & !ELEMENTARY, 0);
            }
        }
    }
}
