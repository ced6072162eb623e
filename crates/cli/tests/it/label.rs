//! `lydite label` with real solvers: what is written down is true, and used.

use std::fs;

use crate::lydite::{Folder, Ran, zoo_targets};
use serde_json::Value;

const WRONG: &str = "z3@4.8.5";
const NEW: &str = "z3@5.4.0";
const OTHER: &str = "cvc5@1.4.2";
const INDEX: &str = "lydite-labels.jsonl";

fn with_solvers() -> Folder {
    let folder = Folder::new();
    folder
        .run(&["targets", "install", WRONG, NEW, OTHER, "-q"])
        .expect(0);
    folder
}

fn label(folder: &Folder, more: &[&str]) -> Ran {
    let mut args = vec![
        "label", "seeds", "-t", NEW, "-t", OTHER, "--timeout", "60s", "--json", "-q",
    ];
    args.extend(more);
    folder.run(&args)
}

/// `path decision answer model` of every seed that was decided.
fn decisions(ran: &Ran) -> Vec<String> {
    let word = |value: &Value| value.as_str().unwrap_or("-").to_string();
    let line = |object: Value| {
        let keys = ["path", "decision", "answer", "model"];
        keys.map(|key| word(&object[key])).join(" ")
    };
    ran.json_lines().into_iter().map(line).collect()
}

fn without_status(text: &str) -> String {
    let lines = text.lines().filter(|line| !line.contains(":status"));
    lines.collect::<Vec<_>>().join("\n")
}

/// A script that an old z3 calls sat, with no status in it.
fn misjudged() -> String {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../seeds/smtlib/regress/regex-reversed-loop.smt2"
    );
    without_status(&fs::read_to_string(path).unwrap())
}

const SAT: &str = "(declare-const x Int)(assert (> x 3))(check-sat)";
const BOTH: &str = "(declare-const x Int)(push 1)(assert (> x 3))(check-sat)(pop 1)\
                    (assert (distinct x x))(check-sat)";
const UNCHECKABLE: &str =
    "(declare-fun f (Int) Int)(assert (forall ((x Int)) (= (f (f x)) 0)))(check-sat)";

#[test]
fn what_two_solvers_say_and_a_model_shows_is_written_down_once() {
    let folder = with_solvers();
    folder.write("seeds/a.smt2", SAT);
    folder.write("seeds/deep/er/both.smt2", BOTH);
    folder.write("seeds/broken.smt2", "(assert");
    folder.write("seeds/hard.smt2", UNCHECKABLE);
    folder.write("seeds/lie.smt2", format!("(set-info :status unsat){SAT}"));
    folder.write("seeds/unsat/lie.smt2", SAT.replace('3', "2"));
    let first = label(&folder, &[]).expect(10);
    assert_eq!(
        decisions(&first),
        [
            "a.smt2 labelled sat checked",
            "broken.smt2 undecided - -",
            "deep/er/both.smt2 labelled sat unsat checked",
            "hard.smt2 unchecked sat -",
            "lie.smt2 contradicted sat -",
            "unsat/lie.smt2 contradicted sat -",
        ]
    );
    assert!(first.stdout.contains("states unsat, but every target"));
    // What is labelled is not done again; what is not, is.
    assert_eq!(
        decisions(&label(&folder, &["--trust"]).expect(10)),
        [
            "broken.smt2 undecided - -",
            "hard.smt2 labelled sat trusted",
            "lie.smt2 contradicted sat -",
            "unsat/lie.smt2 contradicted sat -",
        ]
    );
    // A changed file has lost its label, a cut line is no harm.
    folder.write("seeds/a.smt2", SAT.replace("3", "4"));
    let index = folder.path().join("seeds").join(INDEX);
    let mut text = fs::read(&index).unwrap();
    text.extend_from_slice(b"{\"path\": \"b");
    fs::write(&index, text).unwrap();
    let third = label(&folder, &[]).expect(10);
    assert_eq!(decisions(&third)[0], "a.smt2 labelled sat checked");
    assert_eq!(decisions(&third).len(), 4);
}

#[test]
fn a_label_convicts_a_solver_that_is_alone() {
    let folder = with_solvers();
    folder.write("seeds/sub/m.smt2", misjudged());
    let hunt = |output: &str| {
        let run = folder.run(&[
            "hunt", "-t", WRONG, "--seeds", "seeds/sub", "--oracles", "answer", "-o", output, "-q",
            "--json",
        ]);
        run.json()["findings"].clone()
    };
    assert_eq!(hunt("before"), 0);
    assert_eq!(
        decisions(&label(&folder, &[]).expect(0)),
        ["sub/m.smt2 labelled unsat none"]
    );
    assert_eq!(hunt("after"), 1);
    // Labels are part of what makes a campaign: the first one is another.
    folder
        .run(&["hunt", "-o", "before", "-q"])
        .expect(2)
        .says(&["another campaign is here", "strategies"]);
}

#[test]
fn solvers_that_contradict_each_other_label_nothing() {
    let folder = with_solvers();
    folder.write("seeds/m.smt2", misjudged());
    let ran = folder
        .run(&["label", "seeds", "-t", WRONG, "-t", OTHER, "--json", "-q"])
        .expect(10);
    let why = ran.json()["why"].as_str().unwrap().to_string();
    assert!(why.contains(WRONG), "{why}");
    let index = fs::read_to_string(folder.path().join("seeds").join(INDEX)).unwrap();
    assert_eq!(index.lines().count(), 1, "{index}");
}

#[test]
fn copies_state_what_was_found_out_and_the_seeds_stay_as_they_are() {
    let folder = with_solvers();
    folder.write("seeds/deep/both.smt2", BOTH);
    label(&folder, &["-o", "copies", "--write"]).expect(0);
    let read = |path: &str| fs::read_to_string(folder.path().join(path)).unwrap();
    assert_eq!(read("seeds/deep/both.smt2"), BOTH);
    assert!(!folder.path().join("seeds").join(INDEX).exists());
    let copy = read("copies/deep/both.smt2");
    assert_eq!(copy.matches("(set-info :status ").count(), 2, "{copy}");
    let check = folder.run(&["check", "copies/deep/both.smt2", "-t", NEW, "--json"]);
    assert_eq!(check.expect(0).json()["case"]["claim"], "sat unsat");
    // The copies are not made again.
    assert!(decisions(&label(&folder, &["-o", "copies", "--write"]).expect(0)).is_empty());
}

#[test]
fn wrong_use_of_label_is_explained() {
    let folder = with_solvers();
    folder.write("seeds/a.smt2", SAT);
    let zoo = zoo_targets();
    for (args, part) in [
        (
            vec!["seeds", "-t", NEW, "-t", WRONG],
            "at least two families",
        ),
        (vec!["nowhere", "-t", NEW, "-t", OTHER], "not a folder"),
        (
            vec!["seeds", "-t", NEW, "-t", OTHER, "--write"],
            "--write needs -o",
        ),
        (
            vec!["seeds", "-t", NEW, "-t", OTHER, "-o", "seeds/new"],
            "lies in the folder of the seeds",
        ),
        (
            vec![
                "seeds", "-t", NEW, "-t", "zoo-interpreter", "--target-files", &zoo,
            ],
            "does not answer with sat or unsat",
        ),
    ] {
        let mut all = vec!["label"];
        all.extend(args);
        folder.run(&all).expect(2).says(&[part]);
    }
    assert!(!folder.path().join("seeds/new").exists());
    folder.write(&format!("seeds/{INDEX}"), "not a label file\n");
    let damaged = ["hunt", "-t", NEW, "--seeds", "seeds", "-o", "out", "-q"];
    folder.run(&damaged).expect(2).says(&[INDEX, ":1"]);
}
