//! A family over its versions, end to end: bugs are counted in the versions
//! that have them, what got worse is listed, and no cell is measured twice.

use std::fs;
use std::process::Stdio;

use crate::lydite::Folder;
use crate::lydite::versions::{calls, write_versions};
use serde_json::Value;

const CASES: usize = 250;

/// The smallest programs in which the bugs below show.
const GRAMMAR: &str = "grammar Small; options { language = smtlib; variables = 2; }
start: '(set-logic QF_UF)\\n' [variables: '(declare-const b$ Bool)\\n'] '(assert' term ')\\n(check-sat)\\n';
term: [variables | 'b$'] | '(not' term ')' | '(xor' term term ')' | '(and' term term ')'
  | '(or' term term ')' | '(distinct' term term term ')';
";

fn family(folder: &Folder, versions: &[(&str, &str)]) {
    write_versions(folder, versions);
    folder.write("small.grammar", GRAMMAR);
}

const OLD: [(&str, &str); 3] = [
    ("1.0", "--bug not-xor --bug assert-distinct"),
    ("1.2", ""),
    ("1.10", "--bug bad-model"),
];

fn evolve<'a>(more: &[&'a str]) -> Vec<&'a str> {
    let mut args = vec![
        "evolve", "--target-files", "targets", "-o", "out", "-q", "--json",
    ];
    args.extend(more);
    args
}

const ASK: [&str; 8] = [
    "--targets", "line@*", "--against", "zoo-solver", "--grammar", "small.grammar", "-n", "250",
];

fn cells(folder: &Folder) -> Vec<String> {
    let text = fs::read_to_string(folder.path().join("out/cells.csv")).unwrap();
    let lines = text.lines().skip(1);
    // Without the times.
    let what = |line: &str| {
        let fields: Vec<&str> = line.split(',').collect();
        [&fields[..5], &fields[7..]].concat().join(",")
    };
    lines.map(what).collect()
}

fn counts<'a>(study: &'a Value, version: &str) -> &'a Value {
    let versions = study["theories"][0]["versions"].as_array().unwrap();
    versions.iter().find(|v| v["version"] == version).unwrap()
}

#[test]
fn bugs_are_counted_by_version_and_what_got_worse_is_listed() {
    let folder = Folder::new();
    family(&folder, &OLD);
    let study = folder.run(&evolve(&ASK)).expect(10).json();
    assert_eq!(study["versions"], serde_json::json!(["1.0", "1.2", "1.10"]));
    let theory = &study["theories"][0];
    assert_eq!(
        (&theory["cases"], &theory["missing"]),
        (&CASES.into(), &0.into())
    );
    assert_eq!(theory["truth"]["references"], CASES);
    let some = |version: &str, what: &str| counts(&study, version)[what].as_u64() > Some(0);
    assert!(some("1.0", "unsound") && some("1.0", "crash") && !some("1.0", "invalid_model"));
    assert!(!some("1.2", "unsound") && !some("1.2", "crash") && !some("1.2", "invalid_model"));
    assert!(some("1.10", "invalid_model") && !some("1.10", "unsound") && !some("1.10", "crash"));
    assert_eq!(counts(&study, "1.2")["solved"], CASES);
    let lines: Vec<String> = theory["regressions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|r| {
            format!(
                "{} {} {} {}",
                r["kind"], r["since"], r["last_good"], r["fixed_in"]
            )
        })
        .collect();
    assert_eq!(
        lines,
        [
            "\"refutation-unsound\" \"1.0\" null \"1.2\"",
            "\"invalid-model\" \"1.10\" \"1.2\" null",
            "\"crash\" \"1.0\" null \"1.2\"",
        ]
    );
    // The smallest trigger, as it can be given to the solver.
    let unsound = &theory["regressions"][0];
    assert!(
        unsound["program"]
            .as_str()
            .unwrap()
            .contains("(assert (not (xor b1 b1)))")
    );
    let trigger = format!(
        "out/triggers/small-refutation-unsound-{}.smt2",
        unsound["index"]
    );
    folder
        .run(&[
            "check", &trigger, "-t", "line@1.0", "--claim", "sat", "--target-files", "targets",
        ])
        .expect(10);
    let page = fs::read_to_string(folder.path().join("out/evolution.html")).unwrap();
    for part in [
        "line over 3 versions", "(assert (not (xor b1 b1)))", "<svg", "since 1.10 (good in 1.2)",
    ] {
        assert!(page.contains(part), "{part}");
    }
    for outside in ["http://", "https://", "<script", "src=", "@import", "url("] {
        assert!(!page.contains(outside), "{outside}");
    }
}

#[test]
fn a_further_version_or_case_costs_only_itself_and_a_kill_costs_little() {
    let folder = Folder::new();
    family(&folder, &OLD[..2]);
    let mut child = folder
        .command(&evolve(&ASK))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    while calls(&folder, "1.2") < 20 && child.try_wait().unwrap().is_none() {
        std::thread::yield_now();
    }
    child.kill().unwrap();
    child.wait().unwrap();
    folder.run(&evolve(&[])).expect(0);
    let first = cells(&folder);
    assert_eq!(first.len(), 3 * CASES);
    // What was not stored is run again; also one call each to see that it works.
    let before = calls(&folder, "1.2");
    assert!(before < CASES + 120, "{before} calls");
    family(&folder, &OLD);
    let study = folder.run(&evolve(&ASK)).expect(10).json();
    assert_eq!(study["versions"].as_array().unwrap().len(), 3);
    assert_eq!(
        calls(&folder, "1.2"),
        before + 1,
        "one call to see that it works"
    );
    assert!(calls(&folder, "1.10") >= CASES);
    let second = cells(&folder);
    assert_eq!(second.len(), 4 * CASES);
    assert!(first.iter().all(|line| second.contains(line)));
    // The same in one go, on one thread.
    let whole = Folder::new();
    family(&whole, &OLD);
    whole
        .run(&[&evolve(&ASK)[..], &["-j", "1"]].concat())
        .expect(10);
    assert!(cells(&whole) == second, "the cells differ");
}

#[test]
fn what_does_not_fit_is_refused() {
    let folder = Folder::new();
    family(&folder, &OLD[1..2]);
    folder
        .run(&["evolve", "--targets", "line", "--target-files", "targets"])
        .expect(2)
        .says(&["which versions? line@*"]);
    folder
        .run(&["evolve", "-q"])
        .expect(2)
        .says(&["say --targets"]);
    folder
        .run(&evolve(&["--targets", "line@*"]))
        .expect(2)
        .says(&["say --grammar"]);
    folder.run(&evolve(&ASK)).expect(0);
    folder
        .run(&evolve(&["--timeout", "3s"]))
        .expect(2)
        .says(&["measured with timeout 8s, not 3s"]);
    folder.write("small.grammar", GRAMMAR.replace("'(or'", "'(and'"));
    folder.run(&evolve(&ASK)).expect(2).says(&["small"]);
    folder.write("small.grammar", GRAMMAR.replace("'(or'", "'(=>'"));
    folder
        .run(&evolve(&ASK))
        .expect(2)
        .says(&["its small has another grammar"]);
    folder.write("other/file.txt", "x");
    folder
        .run(&["evolve", "-o", "other"])
        .expect(2)
        .says(&["neither empty nor made by lydite evolve"]);
}
