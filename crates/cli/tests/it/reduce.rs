//! `lydite reduce`: the same bug, smaller, for findings and for files.

use std::fs;

use crate::lydite::formulas::write_formulas;
use crate::lydite::{Folder, zoo_targets};

/// A script in which only one assertion matters, between many that do not.
fn noisy(matters: &str) -> String {
    let mut text = String::from("(set-logic QF_UF)\n");
    for i in 0..12 {
        text += &format!("(declare-const variable_{i} Bool)\n");
    }
    for i in 0..11 {
        text += &format!(
            "(assert (or variable_{i} (not variable_{}) variable_3))\n",
            i + 1
        );
    }
    text + &format!("(assert {matters})\n(check-sat)\n")
}

#[test]
fn every_finding_of_a_campaign_gets_smaller_and_still_shows() {
    let folder = Folder::new();
    let zoo = zoo_targets();
    write_formulas(&folder, 150);
    folder
        .run(&[
            "hunt", "-t", "zoo-solver:all", "-t", "zoo-solver", "--seeds", "seeds",
            "--target-files", &zoo, "-o", "out", "-q",
        ])
        .expect(10);
    let ran = folder.run(&["reduce", "out", "--target-files", &zoo, "--json", "-q"]);
    let reduced = ran.expect(0).json_lines();
    let findings = folder
        .run(&["findings", "out", "--json"])
        .expect(10)
        .json_lines();
    assert_eq!(reduced.len(), findings.len());
    assert!(findings.len() >= 4, "{findings:#?}");
    for finding in &findings {
        let id = finding["id"].as_str().unwrap();
        let bytes = finding["bytes"].as_u64().unwrap();
        let after = finding["reduced_bytes"].as_u64().expect(id);
        assert!(after < bytes && after < 200, "{id}: {bytes} to {after}");
        let place = format!("out/findings/{id}");
        let readme = fs::read_to_string(folder.path().join(&place).join("README.md")).unwrap();
        assert!(
            readme.contains(&format!("reduced from {bytes} to {after} bytes")),
            "{readme}"
        );
        let replay = folder.run(&["replay", &place, "--target-files", &zoo, "--json"]);
        let replay = replay.expect(10).json();
        assert_eq!(replay["remade"], true, "{id}: the case as it was found");
        assert_eq!(replay["shown"], 1, "{id}");
    }
}

#[test]
fn the_number_of_threads_does_not_change_the_result() {
    let folder = Folder::new();
    let zoo = zoo_targets();
    folder.write(
        "a.smt2",
        noisy("(distinct variable_1 variable_2 variable_4)"),
    );
    let mut results = Vec::new();
    for jobs in ["1", "4"] {
        let output = format!("reduced-{jobs}.smt2");
        folder
            .run(&[
                "reduce", "a.smt2", "-t", "zoo-solver:all", "--target-files", &zoo, "-j", jobs,
                "-o", &output, "-q",
            ])
            .expect(0);
        results.push(fs::read_to_string(folder.path().join(output)).unwrap());
    }
    assert_eq!(results[0], results[1]);
    assert!(results[0].contains("(distinct "), "{}", results[0]);
    assert!(results[0].len() < 120, "{}", results[0]);
}

#[test]
fn a_file_is_reduced_by_what_is_printed_or_by_a_command() {
    let folder = Folder::new();
    let zoo = zoo_targets();
    folder.write("a.smt2", noisy("(and variable_7 (not variable_7))"));
    let by_output = [
        "reduce", "a.smt2", "-t", "zoo-solver", "--target-files", &zoo, "--interesting",
        "(?m)^unsat$", "-q",
    ];
    folder.run(&by_output).expect(0);
    let reduced = fs::read_to_string(folder.path().join("a.reduced.smt2")).unwrap();
    assert!(reduced.len() < 60, "{reduced}");
    let by_command = [
        "reduce", "a.smt2", "-o", "b.smt2", "-q", "--", "grep", "-q", "variable_7 (not", "@@",
    ];
    folder.run(&by_command).expect(0);
    let reduced = fs::read_to_string(folder.path().join("b.smt2")).unwrap();
    assert!(
        reduced.contains("variable_7 (not") && reduced.len() < 120,
        "{reduced}"
    );
}

#[test]
fn what_cannot_be_reduced_is_said() {
    let folder = Folder::new();
    let zoo = zoo_targets();
    folder.write("a.smt2", noisy("true"));
    for (args, expected) in [
        (
            vec![
                "reduce", "a.smt2", "-t", "zoo-solver", "--target-files", &zoo,
            ],
            "nothing is wrong",
        ),
        (
            vec![
                "reduce", "a.smt2", "-t", "zoo-solver", "--target-files", &zoo, "--interesting",
                "xyz",
            ],
            "not interesting as it stands",
        ),
        (
            vec![
                "reduce", "a.smt2", "-t", "zoo-solver", "--target-files", &zoo, "--interesting",
                "(",
            ],
            "--interesting (",
        ),
        (vec!["reduce", "nowhere"], "no such folder"),
        (
            vec![
                "reduce", "a.smt2", "b.smt2", "-t", "zoo-solver", "--target-files", &zoo,
            ],
            "one file",
        ),
    ] {
        let ran = folder.run(&args);
        assert!(
            ran.code != 0 && ran.stderr.contains(expected),
            "{args:?}: {}",
            ran.stderr
        );
    }
}

#[test]
fn a_drawn_case_is_reduced_by_its_recipe_too() {
    let folder = Folder::new();
    let zoo = zoo_targets();
    write_formulas(&folder, 40);
    folder
        .run(&[
            "hunt", "-t", "zoo-solver:all", "-t", "zoo-solver", "--strategy", "operators",
            "--seeds", "seeds", "--cases", "150", "--target-files", &zoo, "-o", "out", "-q",
        ])
        .expect(10);
    let ran = folder.run(&["reduce", "out", "--target-files", &zoo, "--json"]);
    let ran = ran.expect(0);
    assert!(!ran.json_lines().is_empty());
    for finding in folder
        .run(&["findings", "out", "--json"])
        .expect(10)
        .json_lines()
    {
        let id = finding["id"].as_str().unwrap();
        let place = format!("out/findings/{id}");
        let replay = folder.run(&["replay", &place, "--target-files", &zoo, "--json"]);
        let replay = replay.expect(10).json();
        assert_eq!(replay["remade"], true, "{id}");
        assert_eq!(replay["shown"], 1, "{id}");
        assert!(
            finding["reduced_bytes"].as_u64() < finding["bytes"].as_u64(),
            "{id}"
        );
        names_its_seed(&folder, id);
    }
}

/// The seed lies beside the case, and what was changed in it is shown.
fn names_its_seed(folder: &Folder, id: &str) {
    let place = folder.path().join("out/findings").join(id);
    let read = |name: &str| fs::read_to_string(place.join(name)).unwrap();
    let file: serde_json::Value = serde_json::from_str(&read("finding.json")).unwrap();
    let seed = &file["recipe"]["seeds"][0];
    let (name, path) = (
        seed["name"].as_str().unwrap(),
        seed["path"].as_str().unwrap(),
    );
    assert_eq!(
        read(path),
        fs::read_to_string(folder.path().join(name)).unwrap()
    );
    assert!(read("README.md").contains(&format!("from seed `{name}`")));
    let diff = read("seed.diff");
    assert!(
        diff.starts_with(&format!("{name} to case.smt2\n")),
        "{diff}"
    );
    let same = read(path).lines().eq(read("original/case.smt2").lines());
    let changes = diff.contains("\n+ ") || diff.contains("\n- ");
    assert_eq!(changes, !same, "{diff}");
    let page = fs::read_to_string(folder.path().join("out/report.html")).unwrap();
    let title = format!("changes: {path} to original/case.smt2");
    assert!(
        page.contains(&title) || page.contains(&title.replace('/', "&#x2f;")),
        "{title}"
    );
}

#[test]
fn a_reduction_ends_in_the_same_program_however_busy_the_machine_is() {
    let folder = Folder::new();
    let text = "(declare-const KEEP Bool)\n(declare-const b Bool)\n(assert (and KEEP b))\n\
                (assert (or b KEEP))\n(check-sat)\n";
    folder.write("a.smt2", text);
    let reduced = |test: &str| {
        let args = [
            "reduce", "a.smt2", "-o", "b.smt2", "-q", "-j", "4", "--", "sh", "-c", test, "@@",
        ];
        folder.run(&args).expect(0);
        let _ = fs::remove_file(folder.path().join("begun"));
        fs::read_to_string(folder.path().join("b.smt2")).unwrap()
    };
    let quick = reduced("grep -q KEEP \"$0\"");
    assert!(quick.len() < text.len(), "{quick}");
    // All but the first run wait for longer than a quick one may take by the clock.
    let begun = folder.path().join("begun");
    let waits = format!(
        "[ -e {0} ] && sleep 0.6; touch {0}; grep -q KEEP \"$0\"",
        begun.display()
    );
    assert_eq!(reduced(&waits), quick);
    // One that works in vain is given up, however little of the machine it gets.
    let burns = "grep -q KEEP \"$0\" || while :; do :; done";
    assert_eq!(reduced(burns), quick);
}

#[test]
fn a_killed_reduction_keeps_the_best_so_far() {
    let folder = Folder::new();
    let text = noisy("(and variable_7 (not variable_7))");
    folder.write("a.smt2", &text);
    // Slow enough that it is far from its end when the first result is kept.
    let slow = "sleep 0.1; grep -q 'variable_7 (not' \"$0\"";
    let args = [
        "reduce", "a.smt2", "-o", "b.smt2", "-q", "-j", "1", "--", "sh", "-c", slow, "@@",
    ];
    let mut child = folder.command(&args).spawn().unwrap();
    let kept = folder.path().join("b.smt2");
    while !kept.exists() {
        assert!(child.try_wait().unwrap().is_none(), "it ended too early");
        std::thread::yield_now();
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let best = fs::read_to_string(&kept).unwrap();
    assert!(
        best.contains("variable_7 (not") && best.len() < text.len(),
        "{best}"
    );
}

#[test]
fn a_killed_reduction_of_a_finding_goes_on_from_the_best_so_far() {
    let folder = Folder::new();
    // Slow enough that it is far from its end when the first result is kept.
    let target = "family = \"zoo-slow\"\nextends = \"zoo-solver\"\n[[run.step]]\nargv = [\"sleep\", \"0.2\"]\n";
    folder.write("zoo-slow.toml", target);
    let (slow, zoo) = ("zoo-slow.toml", zoo_targets());
    folder.write(
        "seeds/a.smt2",
        noisy("(distinct variable_1 variable_2 variable_4)"),
    );
    folder
        .run(&[
            "hunt", "-t", "zoo-slow:assert-distinct", "--seeds", "seeds", "--target-files", &zoo,
            "--target-files", slow, "-o", "out", "-q",
        ])
        .expect(10);
    let kept = || {
        let finding = folder.run(&["findings", "out", "--json"]).expect(10).json();
        finding["reduced_bytes"].as_u64()
    };
    let args = [
        "reduce", "out", "--target-files", &zoo, "--target-files", slow, "-q", "--json", "-j", "1",
    ];
    let mut child = folder.command(&args).spawn().unwrap();
    // A second result: what starts over has no more than the first so soon.
    let mut first = None;
    while first.is_none() || kept() == first {
        first = first.or(kept());
        assert!(child.try_wait().unwrap().is_none(), "it ended too early");
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let best = kept().unwrap();
    let again = [&args[..], &["--for", "1ms"]].concat();
    let resumed = folder.run(&again).expect(0).json();
    assert!(resumed["reduced_bytes"].as_u64().unwrap() <= best);
    assert!(best < first.unwrap());
}

#[test]
fn a_bug_that_comes_and_goes_half_way_is_noticed() {
    let folder = Folder::new();
    folder.write("a.smt2", noisy("(and variable_7 (not variable_7))"));
    folder.write("shown", "");
    let shown = folder.path().join("shown").display().to_string();
    // Below 400 bytes every text shows it once.
    let flaky = format!(
        "grep -q 'variable_7 (not' \"$0\" || exit 1; [ $(wc -c < \"$0\") -ge 400 ] && exit 0; \
         text=$(cksum < \"$0\"); ! grep -qx \"$text\" {shown} && echo \"$text\" >> {shown}"
    );
    let ran = folder
        .run(&[
            "reduce", "a.smt2", "-o", "b.smt2", "-j", "1", "--", "sh", "-c", &flaky, "@@",
        ])
        .expect(0);
    assert!(ran.stderr.contains("comes and goes"), "{}", ran.stderr);
    let reduced = fs::read_to_string(folder.path().join("b.smt2")).unwrap();
    assert!(reduced.len() >= 400, "{reduced}");
}

#[test]
fn a_hunt_reduces_what_it_finds_if_told_so() {
    let folder = Folder::new();
    let zoo = zoo_targets();
    folder.write(
        "seeds/a.smt2",
        noisy("(distinct variable_1 variable_2 variable_4)"),
    );
    let hunt = |span, out| {
        let ran = folder.run(&[
            "hunt", "-t", "zoo-solver:assert-distinct", "--seeds", "seeds", "--target-files", &zoo,
            "--reduce", span, "-o", out,
        ]);
        let told = ran.expect(10).stderr.contains("reducing");
        let findings = folder.run(&["findings", out, "--json"]).expect(10);
        (told, findings.json()["reduced_bytes"].as_u64())
    };
    let (told, bytes) = hunt("30s", "out");
    assert!(told && bytes.is_some_and(|bytes| bytes < 120), "{bytes:?}");
    // A preset's own reduction is switched off so.
    assert_eq!(hunt("0s", "as-found"), (false, None));
}

#[test]
fn a_reduction_does_not_slip_to_another_bug_of_the_same_input() {
    let folder = Folder::new();
    let zoo = zoo_targets();
    let solver = fs::read_to_string(format!("{zoo}/zoo-solver.toml")).unwrap();
    let head = &solver[..solver.find("# All bugs at once").unwrap()];
    // Every input that shows one of the two shows the other in a part of it.
    for (number, (kept, other)) in [
        ("crash:first.cpp", "crash:second.cpp"),
        ("crash:first.cpp", "segv"),
        ("crash:first.cpp", "unsat"),
        ("unsat", "invalid"),
    ]
    .into_iter()
    .enumerate()
    {
        let variant = format!(
            "{head}\n[variant.two]\noptions = [\"--plant\", \"and/xor={kept}\", \"--plant\", \"or/xor={other}\"]\n"
        );
        folder.write(&format!("t{number}/zoo-solver.toml"), variant);
        let matters =
            "(or (xor variable_1 variable_2) (and (xor variable_1 variable_2) variable_5))";
        folder.write(&format!("s{number}/a.smt2"), noisy(matters));
        let (targets, seeds, out) = (
            format!("t{number}"),
            format!("s{number}"),
            format!("out{number}"),
        );
        folder
            .run(&[
                "hunt", "-t", "zoo-solver:two", "--reference", "zoo-solver", "--seeds", &seeds,
                "--target-files", &targets, "--oracles", "crash,answer,model", "--reduce", "60s",
                "-o", &out, "-q",
            ])
            .expect(10);
        for finding in folder
            .run(&["findings", &out, "--json"])
            .expect(10)
            .json_lines()
        {
            let id = finding["id"].as_str().unwrap();
            let case = folder
                .path()
                .join(&out)
                .join("findings")
                .join(id)
                .join("case.smt2");
            let case = fs::read_to_string(case).unwrap();
            assert!(finding["reduced_bytes"].as_u64().unwrap() < 120, "{case}");
            let shows_kept = finding["evidence"].as_str().unwrap().contains("first.cpp")
                || kept == "unsat" && finding["kind"] == "refutation-unsound";
            let operator = if shows_kept { "(and " } else { "(or " };
            assert!(case.contains(operator), "{finding:#} {case}");
        }
    }
}
