//! A candidate against its baseline: only what is new fails, in every form
//! that continuous integration reads, and the baseline is asked once.

use std::fs;

use crate::lydite::Folder;
use crate::lydite::formulas::write_formulas;
use crate::lydite::versions::{calls, write_versions};
use serde_json::Value;

const VERSIONS: [(&str, &str); 3] = [
    ("1.0", "--bug assert-distinct --bug bad-model"),
    ("1.1", "--bug assert-distinct --bug bad-model"),
    (
        "2.0",
        "--bug assert-distinct --bug bad-model --bug segv-shadow --bug not-xor",
    ),
];

fn hunt<'a>(candidate: &'a str, output: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let mut args = vec![
        "hunt", "--baseline", "line@1.0", "--candidate", candidate, "--seeds", "seeds", "--budget",
        "2m", "--target-files", "targets", "-o", output, "-q", "--json",
    ];
    args.extend(more);
    args
}

/// Standings by what is found.
fn standings(summary: &Value) -> Vec<String> {
    let findings = summary["gate"]["findings"].as_array().unwrap();
    let mut lines: Vec<String> = findings
        .iter()
        .map(|finding| {
            let id = finding["id"].as_str().unwrap();
            let kind = id.strip_prefix("line-").unwrap();
            let kind = &kind[..kind.rfind('-').unwrap()];
            format!("{kind} {}", finding["standing"].as_str().unwrap())
        })
        .collect();
    lines.sort();
    lines
}

/// A cache of its own, so that no other test has filled it.
fn run(folder: &Folder, args: &[&str]) -> crate::lydite::Ran {
    let mut command = folder.command(args);
    command.env("LYDITE_CACHE", folder.path().join("cache/lydite"));
    crate::lydite::Ran::new(args, command.output().unwrap())
}

#[test]
fn a_candidate_fails_only_on_what_is_new() {
    let folder = Folder::new();
    write_versions(&folder, &VERSIONS);
    write_formulas(&folder, 300);
    let same = run(&folder, &hunt("line@1.1", "same", &[]))
        .expect(0)
        .json();
    assert_eq!(same["gate"]["new"], 0);
    assert_eq!(standings(&same), ["crash old", "invalid-model old"]);
    let worse = run(&folder, &hunt("line@2.0", "worse", &[]))
        .expect(10)
        .json();
    assert_eq!(
        standings(&worse),
        [
            "crash new", "crash old", "disagreement new", "invalid-model old"
        ]
    );
    let read = |name: &str| fs::read_to_string(folder.path().join("worse").join(name)).unwrap();
    let junit = read("junit.xml");
    assert!(
        junit.contains("tests=\"5\" failures=\"2\" errors=\"0\" skipped=\"2\""),
        "{junit}"
    );
    let sarif: Value = serde_json::from_str(&read("results.sarif")).unwrap();
    let results = sarif["runs"][0]["results"].as_array().unwrap();
    let new = results.iter().filter(|r| r["baselineState"] == "new");
    for result in new.clone() {
        let uri = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"].as_str();
        assert!(folder.path().join("worse").join(uri.unwrap()).is_file());
    }
    assert_eq!((new.count(), results.len()), (2, 4));
    assert!(read("summary.md").starts_with("## Lydite: 2 new findings"));
}

#[test]
fn the_baseline_is_asked_once_and_again_only_about_findings() {
    let folder = Folder::new();
    write_versions(&folder, &VERSIONS);
    write_formulas(&folder, 200);
    let first = run(&folder, &hunt("line@2.0", "first", &[]))
        .expect(10)
        .json();
    // A few seeds are the same.
    let same = first["gate"]["reused"].as_u64().unwrap() as usize;
    let before = calls(&folder, "1.0");
    assert!(same < 10 && before + same >= 200);
    let second = run(&folder, &hunt("line@2.0", "second", &[]))
        .expect(10)
        .json();
    assert_eq!(second["gate"]["reused"], 200);
    assert_eq!(standings(&second), standings(&first));
    let again = calls(&folder, "1.0") - before;
    let cold = before + same - 200;
    assert_eq!(again, cold, "confirming and comparing, as in the first run");
    let fresh = run(&folder, &hunt("line@2.0", "fresh", &["--fresh"]))
        .expect(10)
        .json();
    assert_eq!(fresh["gate"]["reused"], 0);
    // A damaged file of answers costs time, and no more.
    fs::write(folder.path().join("cache/lydite/answers.sqlite"), [7; 9000]).unwrap();
    let damaged = run(&folder, &hunt("line@2.0", "damaged", &[])).expect(10);
    assert_eq!(standings(&damaged.json()), standings(&first));
    damaged.says(&["no kept answers"]);
    // The same version, built anew.
    let other = [VERSIONS[0], ("2.0", "--bug not-xor")];
    write_versions(&folder, &other);
    run(&folder, &hunt("line@2.0", "second", &[]))
        .expect(2)
        .says(&["line@2.0 is another binary"]);
    let other = run(&folder, &hunt("line@2.0", "other", &[]))
        .expect(10)
        .json();
    assert!(standings(&other).contains(&"disagreement new".to_string()));
}
