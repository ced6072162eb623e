//! Strategy `template` against a real solc: what we say of small templates,
//! combination by combination, and of larger ones by sample.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use lydite_core::{
    BigUint, Choices, Claim, PlainLanguage, Program, Role, Settings, Space, Strategy,
};
use lydite_process::Scratch;
use lydite_solidity::Maker;
use lydite_solidity::generate::{Options, draft};
use lydite_solidity::qualify::Placeholder;
use lydite_solidity::strategy::Templates;
use lydite_solidity::types::values;
use lydite_solidity::version::Dialect;
use lydite_target::install::{self, Cache};
use lydite_target::{Catalogue, RunLimits, Target};

#[path = "../../../solidity/examples/sketches/mod.rs"]
mod sketches;

const VERSION: &str = "0.8.20";

fn solc(version: &str) -> Target {
    let catalogue = Catalogue::load(&[]).unwrap();
    let cache = Cache::open().unwrap();
    let name = format!("solc@{version}").parse().unwrap();
    let installed = install::install(&catalogue, &name, &cache, &mut |line| eprintln!("{line}"));
    installed
        .unwrap_or_else(|error| panic!("{error:#}"))
        .pop()
        .unwrap()
}

/// What one process says of each program, cold where it does not answer.
fn outcomes(version: &str, programs: &[Program]) -> Vec<String> {
    let target = solc(version);
    let limits = RunLimits {
        wall: Duration::from_secs(300),
        cpu: Duration::from_secs(300),
        memory_bytes: Some(2 << 30),
        ..RunLimits::default()
    };
    let scratch = Scratch::new().unwrap();
    let references: Vec<&Program> = programs.iter().collect();
    let warm = target.observe_batch(&references, Role::Tested, &limits, &scratch);
    let seen = warm.into_iter().zip(programs).map(|(warm, program)| {
        let cold = || target.observe(program, 0, Role::Tested, &limits, &scratch);
        warm.unwrap_or_else(cold).outcome.to_string()
    });
    seen.collect()
}

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

fn text(program: &Program) -> String {
    String::from_utf8_lossy(&program.source().text).into_owned()
}

/// Every combination of the qualifiers of small templates, and what we say.
fn combinations(options: &Options, templates: usize, most: u64) -> Vec<(Program, bool)> {
    let dialect: Dialect = VERSION.parse().unwrap();
    let maker = Maker::new(dialect.clone(), options.clone());
    let mut all_of_them = Vec::new();
    let mut found = 0;
    for index in 0.. {
        if found == templates {
            break;
        }
        let mut choices = Choices::seeded(7, index);
        let Ok(draft) = draft(&mut choices, &dialect, maker.theory(), options) else {
            continue;
        };
        let domains: Vec<Vec<u8>> = (0..draft.declared.len() as u32)
            .map(|number| values(draft.declared.domain(Placeholder(number))).collect())
            .collect();
        let mut sizes = domains.iter().map(|domain| domain.len() as u64);
        let Some(all) = sizes.try_fold(1u64, |all, size| all.checked_mul(size)) else {
            continue;
        };
        if !(10..=most).contains(&all) {
            continue;
        }
        found += 1;
        let template = maker.template_of(draft);
        for combination in 0..all {
            let mut rest = combination;
            let mut chosen = Vec::new();
            for domain in &domains {
                chosen.push(domain[(rest % domain.len() as u64) as usize]);
                rest /= domain.len() as u64;
            }
            let value = |placeholder: Placeholder| chosen[placeholder.0 as usize];
            let accepted = template.accepts(maker.theory(), value);
            all_of_them.push((maker.fill(&template, value), accepted));
        }
    }
    all_of_them
}

#[test]
fn solc_accepts_exactly_the_combinations_that_are_enumerated() {
    combinations_are_right("none,arrays,external,bytes", 5);
    combinations_are_right("none,constants", 4);
}

fn combinations_are_right(features: &str, templates: usize) {
    let given = settings(&[
        ("contracts", "1"),
        ("functions", "1"),
        ("variables", "1"),
        ("statements", "2"),
        ("depth", "1"),
        ("parameters", "1"),
        ("widths", "1"),
        ("features", features),
    ]);
    let options = Options::read(&given).unwrap();
    let combinations = combinations(&options, templates, 120);
    let programs: Vec<Program> = combinations
        .iter()
        .map(|(program, _)| program.clone())
        .collect();
    let ours = combinations
        .iter()
        .filter(|(_, accepted)| *accepted)
        .count();
    assert!(
        ours > 20 && ours < combinations.len(),
        "{ours} of {}",
        combinations.len()
    );
    for ((program, accepted), outcome) in combinations.iter().zip(outcomes(VERSION, &programs)) {
        assert_eq!(
            outcome == "accepted",
            *accepted,
            "{outcome}\n{}",
            text(program)
        );
    }
}

#[test]
fn solc_takes_what_is_claimed_accepted_and_refuses_what_is_claimed_broken() {
    for (broken, many) in [("0", 30), ("1", 40), ("grammar", 60)] {
        let space = space(&[("solc", VERSION), ("max", "2"), ("broken", broken)]);
        let cases: Vec<_> = space
            .walk(&BigUint::from(1000u16))
            .take(many)
            .map(|case| case.unwrap())
            .collect();
        let programs: Vec<Program> = cases.iter().map(|case| case.programs[0].clone()).collect();
        for (case, outcome) in cases.iter().zip(outcomes(VERSION, &programs)) {
            let as_claimed = match case.claim {
                Claim::Accepted => outcome == "accepted",
                _ => outcome.starts_with("rejected"),
            };
            let program = text(&case.programs[0]);
            assert!(
                as_claimed,
                "{:?} {:?}: {outcome}\n{program}",
                case.claim, case.steps
            );
        }
    }
}

#[test]
fn solc_accepts_exactly_the_combinations_of_templates_written_by_hand() {
    for version in [VERSION, "0.6.12"] {
        for sketch in &sketches::SKETCHES {
            let (programs, ours): (Vec<Program>, Vec<bool>) =
                sketch.combinations(version).into_iter().unzip();
            for (at, outcome) in outcomes(version, &programs).into_iter().enumerate() {
                let program = text(&programs[at]);
                let name = sketch.name;
                let accepted = outcome == "accepted";
                assert_eq!(
                    accepted, ours[at],
                    "{name}, {version}: {outcome}\n{program}"
                );
            }
        }
    }
}
