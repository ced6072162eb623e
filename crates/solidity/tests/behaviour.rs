//! Contracts of known behaviour, as strategies make them: what holds of every
//! one of them without a compiler.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::collections::BTreeMap;
use std::sync::Arc;

use lydite_core::{
    Answer, Case, Choices, Claim, OpenError, PlainLanguage, Reject, Seed, Settings, Space, Strategy,
};
use lydite_solidity::ast::{Words, lay_out};
use lydite_solidity::behaviour::{
    ASSIGNED, COMPLETE, COPIES, EXPRESSIONS, InterpretedStrategy, complete, complete_options,
};
use lydite_solidity::generate::draft;
use lydite_solidity::qualify::{Placeholder, Theory};
use lydite_solidity::version::Dialect;

const VERSIONS: [&str; 8] = [
    "0.4.16", "0.4.24", "0.5.0", "0.6.12", "0.7.6", "0.8.0", "0.8.20", "0.8.37",
];

const STRATEGIES: [&dyn Strategy; 4] = [&ASSIGNED, &EXPRESSIONS, &COMPLETE, &COPIES];

fn opened(strategy: &dyn Strategy, given: &[(&str, &str)]) -> Result<Box<dyn Space>, OpenError> {
    opened_over(strategy, &[], given)
}

fn opened_over(
    strategy: &dyn Strategy,
    seeds: &[Seed],
    given: &[(&str, &str)],
) -> Result<Box<dyn Space>, OpenError> {
    let given: BTreeMap<String, String> = given
        .iter()
        .map(|(key, value)| (key.to_string(), value.to_string()))
        .collect();
    let settings = Settings::checked(strategy, given).unwrap();
    let language = PlainLanguage {
        name: "solidity",
        about: "",
        extensions: &["sol"],
        line_comment: "//",
    };
    strategy.open(Arc::new(language), seeds.into(), &settings)
}

fn claimed(case: &Case) -> String {
    match &case.claim {
        Claim::Answers(Answer::Output { status: 0, text }) => {
            String::from_utf8(text.to_vec()).unwrap()
        }
        other => panic!("{other}"),
    }
}

fn file(case: &Case, number: usize) -> String {
    String::from_utf8(case.programs[0].files[number].text.to_vec()).unwrap()
}

/// The transactions of a case.
fn script(case: &Case) -> String {
    file(case, case.programs[0].files.len() - 1)
}

/// Transactions with their numbers are the lines of the claim, but for events.
#[test]
fn every_transaction_of_a_script_has_its_line_in_the_claim() {
    for strategy in STRATEGIES {
        for version in VERSIONS {
            let Ok(space) = opened(strategy, &[("solc", version), ("functions", "3")]) else {
                let is_old = version.starts_with("0.4.");
                assert!(is_old && strategy.name() == "copies", "{version}");
                continue;
            };
            for number in 0..20 {
                let Ok(case) = space.sample(&mut Choices::seeded(3, number)) else {
                    continue;
                };
                let claim = claimed(&case);
                let script = script(&case);
                let transactions = script.lines().filter(|line| *line != "hide state");
                let mut lines = claim.lines().filter(|line| !line.starts_with("  event "));
                for (at, transaction) in transactions.enumerate() {
                    let line = lines.next().unwrap();
                    let head = format!("{} {transaction}: ", at + 1);
                    assert!(line.starts_with(&head), "{line}\n{head}");
                }
                assert_eq!(lines.next(), None);
            }
        }
    }
}

#[test]
fn sequences_of_assignments_are_computed_whole_in_every_version() {
    for version in VERSIONS {
        let space = opened(&ASSIGNED, &[("solc", version), ("widths", "32")]).unwrap();
        for number in 0..100 {
            let case = space.sample(&mut Choices::seeded(1, number)).unwrap();
            let (text, claim) = (file(&case, 0), claimed(&case));
            assert_eq!(text.matches("event E0(").count(), 1);
            // Checks are there, and none of them is expected to speak.
            assert!(text.matches("E0(").count() > 10, "{text}");
            for line in claim.lines() {
                let known = [": deployed", ": done", ": returned ("];
                assert!(known.iter().any(|end| line.contains(end)), "{line}");
            }
        }
    }
}

#[test]
fn checks_that_are_assertions_fail_only_at_the_end_of_a_function() {
    let given = [("checks", "asserts"), ("solc", "0.8.20")];
    let space = opened(&ASSIGNED, &given).unwrap();
    let [mut failing, mut whole] = [0, 0];
    for number in 0..50 {
        let case = space.sample(&mut Choices::seeded(8, number)).unwrap();
        let (text, claim) = (file(&case, 0), claimed(&case));
        assert!(
            !text.contains("emit") && text.matches("assert(").count() > 10,
            "{text}"
        );
        failing += claim.matches("): reverted Panic(1)\n").count();
        whole += claim.matches("): done\n").count();
        assert!(text.matches(" != ").count() >= claim.matches("Panic(1)").count());
    }
    assert!(failing > 40 && whole > 40, "{failing} {whole}");
    assert!(opened(&ASSIGNED, &[("checks", "asserts"), ("solc", "0.7.6")]).is_err());
    assert!(opened(&ASSIGNED, &[("checks", "none")]).is_err());
}

/// What they hold is known at once, so variants come with the contract, and nothing of the
/// contract is another for them.
#[test]
fn variants_of_assignments_come_without_a_profile() {
    for version in VERSIONS {
        let of = |variants| {
            let set = [
                ("solc", version),
                ("functions", "2"),
                ("variants", variants),
            ];
            opened(&ASSIGNED, &set).unwrap()
        };
        let (alone, varied) = (of("0"), of("2"));
        let mut new = String::new();
        for index in 0..12 {
            let [alone, varied] = [&alone, &varied]
                .map(|space| space.sample(&mut Choices::seeded(8, index)).unwrap());
            assert_eq!(claimed(&alone), claimed(&varied));
            assert_eq!(alone.programs[0], varied.programs[0]);
            assert_eq!(varied.steps.len() + 1, varied.programs.len());
            for pair in varied.programs.windows(2) {
                assert_ne!(pair[0].files[0], pair[1].files[0]);
                assert_eq!(pair[0].files[1], pair[1].files[1]);
                let text = String::from_utf8_lossy(&pair[1].files[0].text).into_owned();
                let pieces = text.split("/*+*/").skip(1);
                new.extend(pieces.filter_map(|piece| piece.split("/*-*/").next()));
                new.push_str(if text.contains("/*~") { "/*~" } else { "" });
            }
        }
        // Parts of variables, calls of new functions, deletions.
        for sign in [".v", "[0]", "z_", "/*~"] {
            assert!(new.contains(sign), "{version}: {sign}");
        }
        assert_eq!(
            new.contains("internal pure"),
            version != "0.4.16",
            "{version}"
        );
    }
}

#[test]
fn what_has_no_value_is_corrected_by_further_operators() {
    let space = opened(&ASSIGNED, &[("types", "uint"), ("solc", "0.8.20")]).unwrap();
    let mut corrected = [0, 0];
    for number in 0..100 {
        let case = space.sample(&mut Choices::seeded(4, number)).unwrap();
        let text = file(&case, 0);
        corrected[0] += text.lines().filter(|line| line.contains(" | uint")).count();
        corrected[1] += text.lines().filter(|line| line.contains(" % uint")).count();
    }
    assert!(corrected.iter().all(|count| *count > 30), "{corrected:?}");
}

#[test]
fn expressions_fail_where_versions_say_so() {
    for (version, said) in [
        (
            "0.8.37",
            &["Panic(17)", "Panic(18)", "Panic(50)", "returned (-"][..],
        ),
        ("0.6.12", &["halted, invalid", "returned (-"]),
    ] {
        let space = opened(&EXPRESSIONS, &[("solc", version)]).unwrap();
        let mut text = String::new();
        for number in 0..5 {
            text += &claimed(&space.sample(&mut Choices::seeded(5, number)).unwrap());
        }
        for said in said {
            assert!(text.contains(said), "{version} {said}");
        }
        assert!(text.lines().count() > 9_000, "{}", text.lines().count());
    }
}

#[test]
fn only_the_types_that_were_asked_for_are_used() {
    let given = [("types", "int,bool"), ("widths", "2")];
    let space = opened(&ASSIGNED, &given).unwrap();
    for number in 0..30 {
        let text = file(&space.sample(&mut Choices::seeded(6, number)).unwrap(), 0);
        for absent in ["address", "bytes", "int32", "int256 public"] {
            assert!(!text.contains(absent), "{absent}\n{text}");
        }
    }
    for bad in [("types", "float"), ("depth", "0"), ("solc", "0.9.0")] {
        assert!(opened(&ASSIGNED, &[bad]).is_err(), "{bad:?}");
    }
}

#[test]
fn a_tape_makes_the_same_contract_again() {
    for strategy in STRATEGIES {
        let space = opened(strategy, &[("functions", "3")]).unwrap();
        for number in 0..10 {
            let mut choices = Choices::seeded(7, number);
            let Ok(case) = space.sample(&mut choices) else {
                continue;
            };
            let again = space.sample(&mut Choices::replay(choices.into_tape()));
            assert_eq!(again.unwrap(), case, "{}", strategy.name());
        }
    }
}

/// Of what is drawn for `complete`, most of what can be deployed is known.
#[test]
fn of_most_programs_that_can_be_deployed_it_is_known_what_they_do() {
    for version in ["0.6.12", "0.8.37"] {
        let given = BTreeMap::from([("solc".to_string(), version.to_string())]);
        let settings = Settings::checked(&COMPLETE, given).unwrap();
        let complete = complete(&settings).unwrap();
        let (mut known, mut unknown) = (0, Vec::new());
        for number in 0..100 {
            match complete.case(&mut Choices::seeded(8, number)) {
                Ok(_) => known += 1,
                Err(Reject::NotApplicable(
                    "no contract"
                    | "no function to call"
                    | "cannot be deployed"
                    | "no place for a new variable",
                )) => {}
                Err(reject) => unknown.push(reject),
            }
        }
        assert!(known > 5 * unknown.len(), "{version} {known} {unknown:?}");
    }
}

/// Each way that data takes in programs of `copies`, in some version.
#[test]
fn data_is_copied_grown_cut_and_encoded_in_every_way() {
    for (version, ways) in [
        (
            "0.5.10",
            &[" calldata ", " storage ", ".pop()", "abi.encode(", "this.f"][..],
        ),
        (
            "0.8.37",
            &[
                ".push()", "abi.encodePacked(", "delete ", "new ", "constructor(",
            ],
        ),
    ] {
        let space = opened(&COPIES, &[("solc", version)]).unwrap();
        let (mut text, mut claims) = (String::new(), String::new());
        for number in 0..60 {
            if let Ok(case) = space.sample(&mut Choices::seeded(9, number)) {
                text += &file(&case, 0);
                claims += &claimed(&case);
            }
        }
        for way in ways {
            assert!(text.contains(way), "{version} {way}");
        }
        let (done, failed) = (
            claims.matches(": done").count() + claims.matches(": returned").count(),
            claims.matches(": reverted").count() + claims.matches(": halted").count(),
        );
        assert!(done > 3 * failed, "{version} {done} {failed}");
    }
}

#[test]
fn contracts_have_an_array_across_the_end_of_storage_where_a_version_lets_pointers_be_set() {
    for (version, share, expected) in [
        ("0.8.31", "100", true),
        ("0.8.31", "0", false),
        ("0.6.12", "100", false),
    ] {
        let settings = [("solc", version), ("across-end", share)];
        let space = opened(&COPIES, &settings).unwrap();
        let cases = (0..20).filter_map(|seed| space.sample(&mut Choices::seeded(4, seed)).ok());
        for text in cases.map(|case| file(&case, 0)) {
            let found = text.contains(".slot := sub(0, ");
            assert_eq!(found, expected, "{version} {share}: {text}");
            // Nothing else is at the beginning of storage.
            let first = text.find(" private behind;").unwrap_or(0);
            let others = text.find(" internal v").unwrap_or(text.len());
            assert!(!found || first < others, "{text}");
        }
    }
    let error = opened(&COPIES, &[("across-end", "101")]).err().unwrap();
    assert!(
        error.to_string().contains("a number from 0 to 100"),
        "{error}"
    );
}

#[test]
fn a_wei_that_nobody_takes_is_refused() {
    let space = opened(&COMPLETE, &[("solc", "0.6.12")]).unwrap();
    let mut refused = 0;
    for number in 0..30 {
        if let Ok(case) = space.sample(&mut Choices::seeded(10, number)) {
            let claim = claimed(&case);
            // The last one may be such a transaction.
            let last = claim.lines().rfind(|line| !line.starts_with("  event "));
            if let Some(line) = last.filter(|line| line.contains(" value 1: ")) {
                assert!(line.ends_with(" value 1: reverted"), "{line}");
                refused += 1;
            }
        }
    }
    assert!(refused > 2, "{refused}");
}

/// A case of a contract that somebody wrote.
fn interpreted(body: &str) -> Result<Case, Reject> {
    let seed = Seed {
        name: "own.sol".to_string(),
        text: format!("contract C {{ uint16 x; {body} }}")
            .into_bytes()
            .into(),
        claim: None,
    };
    let space = opened_over(&InterpretedStrategy, &[seed], &[]).unwrap();
    space.sample(&mut Choices::seeded(5, 0))
}

#[test]
fn an_order_of_evaluation_that_only_the_state_shows_is_left_out() {
    let open = "x |= (((x = 127) * x) | x);";
    let calls = format!(
        "function f() public {{ {open} }} function g() public returns (uint) {{ return 7; }}"
    );
    let script = script(&interpreted(&calls).unwrap());
    let mut lines = script.lines().filter(|line| *line != "hide state");
    assert!(script.contains("C0.f1()"), "{script}");
    assert!(lines.all(|line| !line.starts_with("C0.f0(")), "{script}");
    interpreted(&format!("constructor() {{ {open} }} {calls}")).unwrap_err();
    let closed = "x |= (((x = 127) * 2) | 1);";
    interpreted(&format!("constructor() {{ {closed} }} {calls}")).unwrap();
}

#[test]
fn every_construct_that_the_interpreter_knows_is_drawn() {
    let mut missing: Vec<(&str, regex::Regex)> = include_str!("constructs.txt")
        .lines()
        .filter_map(|line| line.split_once('\t'))
        .map(|(what, pattern)| (what, regex::Regex::new(pattern).unwrap()))
        .collect();
    assert!(missing.len() > 30);
    let dialect: Dialect = "0.8.37".parse().unwrap();
    let options = complete_options(&Settings::default()).unwrap();
    let (theory, words) = (Theory::new(&dialect), Words::new(&dialect));
    for number in 0..3000 {
        let mut choices = Choices::seeded(5, number);
        let Ok(draft) = draft(&mut choices, &dialect, &theory, &options) else {
            continue;
        };
        let value = |at: Placeholder| draft.witness[at.0 as usize];
        let program = lay_out(&draft.ast, &dialect).program(&words, value);
        for file in &program.files {
            let text = std::str::from_utf8(&file.text).unwrap();
            missing.retain(|(_, pattern)| !pattern.is_match(text));
        }
        if missing.is_empty() {
            return;
        }
    }
    let missing: Vec<&str> = missing.iter().map(|(what, _)| *what).collect();
    panic!("never drawn: {missing:?}");
}

#[test]
fn transactions_bring_wei_and_bare_data_and_tell_overloads_apart() {
    let space = opened(&COMPLETE, &[]).unwrap();
    let mut missing = vec![" value ", "raw C", "["];
    for number in 0..100 {
        let Ok(case) = space.sample(&mut Choices::seeded(5, number)) else {
            continue;
        };
        for line in script(&case).lines() {
            let head = line.split('(').next().unwrap();
            missing.retain(|what| !(head.contains(what) || line.contains(what) && *what != "["));
        }
    }
    assert!(missing.is_empty(), "{missing:?}");
}
