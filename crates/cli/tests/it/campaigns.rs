//! Campaigns end to end: what is planted in the zoo is found, filed once,
//! replayed; and nothing about how a campaign is run changes its result.

use std::process::{Child, Stdio};
use std::time::Duration;

use crate::lydite::formulas::write_formulas;
use crate::lydite::script::write_target;
use crate::lydite::{Folder, Ran, essence, zoo_targets};
use lydite_core::Choices;

fn hunt<'a>(zoo: &'a str, output: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let mut args = vec![
        "hunt", "-t", "zoo-solver:all", "-t", "zoo-solver", "--seeds", "seeds", "--target-files",
        zoo, "-o", output, "-q",
    ];
    args.extend(more);
    args
}

#[test]
fn every_planted_bug_is_found_once_and_replays() {
    let folder = Folder::new();
    let zoo = zoo_targets();
    write_formulas(&folder, 400);
    let ran = folder.run(&hunt(&zoo, "out", &["--json"])).expect(10);
    let summary = ran.json();
    assert_eq!(summary["cases"], 400);
    assert_eq!(summary["runs"], 800);
    assert_eq!(summary["own_failures"], serde_json::json!({}));
    let findings = folder
        .run(&["findings", "out", "--json"])
        .expect(10)
        .json_lines();
    let signatures: Vec<&str> = findings
        .iter()
        .map(|finding| finding["signature"].as_str().unwrap())
        .collect();
    // One line per bug that is on in `all`; a wrong rejection is no symptom
    // for a case of which nothing is known.
    for part in [
        "crash zoo-solver site=\"distinct.cpp\"",
        "crash zoo-solver site=\"SIGSEGV\"",
        "crash zoo-solver site=\"Chain::flatten() at chain.cpp\"",
        "invalid-model zoo-solver",
        "disagreement zoo-solver against=\"zoo-solver\" site=\"unsat not sat\"",
        "disagreement zoo-solver against=\"zoo-solver\" site=\"sat not unsat\"",
    ] {
        let matching = signatures
            .iter()
            .filter(|signature| signature.contains(part))
            .count();
        assert_eq!(matching, 1, "{part} in {signatures:#?}");
    }
    assert_eq!(findings.len(), 6, "{signatures:#?}");
    for finding in &findings {
        let id = finding["id"].as_str().unwrap();
        let place = format!("out/findings/{id}");
        let replay = folder.run(&[
            "replay", &place, "--times", "2", "--target-files", &zoo, "--json",
        ]);
        let replay = replay.expect(10).json();
        assert_eq!(replay["shown"], 2, "{id}");
        assert_eq!(replay["remade"], true, "{id}");
        reproduces(&folder, finding);
    }
}

/// The finding's script shows it again without lydite.
fn reproduces(folder: &Folder, finding: &serde_json::Value) {
    let script = folder
        .path()
        .join("out")
        .join(finding["reproduce"].as_str().unwrap());
    let output = std::process::Command::new(script)
        .output()
        .expect("the script starts");
    let text = String::from_utf8_lossy(&output.stdout).into_owned()
        + &String::from_utf8_lossy(&output.stderr);
    let expected = match finding["kind"].as_str().unwrap() {
        "crash" => "exit status 13",
        "invalid-model" => "an invalid model was generated",
        _ => "unsat",
    };
    assert!(text.contains(expected), "{expected} is not in: {text}");
}

#[test]
fn a_zoo_without_bugs_ends_with_nothing_found() {
    let folder = Folder::new();
    write_formulas(&folder, 60);
    let zoo = zoo_targets();
    let args = [
        "hunt", "-t", "zoo-solver", "--seeds", "seeds", "--target-files", &zoo, "-o", "out",
    ];
    let ran = folder.run(&args).expect(0);
    assert!(ran.stdout.starts_with("no findings"), "{}", ran.stdout);
    assert!(folder.path().join("out/report.html").is_file());
}

#[test]
fn compilers_and_interpreters_are_compared_by_output() {
    let folder = Folder::new();
    let zoo = zoo_targets();
    for (name, text) in [
        ("plain", "let x = 7; while x > 0 { print x; x = x - 1; }"),
        ("fold", "print 0 - 7 % 3; print (0 - 7) % 3;"),
        (
            "nested",
            "let x = 2; while x > 0 { let y = 2; while y > 0 { print y; y = y - 1; } x = x - 1; }",
        ),
        ("le", "let x = 1; if x <= 1 { print 1; } else { print 2; }"),
    ] {
        folder.write(&format!("seeds/{name}.toy"), text);
    }
    let ran = folder.run(&[
        "hunt", "-t", "zoo-compiler:fold-rem", "-t", "zoo-compiler:ice-while", "-t",
        "zoo-compiler", "-t", "zoo-interpreter:less-equal", "-t", "zoo-interpreter", "--seeds",
        "seeds", "--target-files", &zoo, "-o", "out", "-q",
    ]);
    ran.expect(10);
    let findings = folder.run(&["findings", "out", "--json"]).json_lines();
    let mut found: Vec<(String, String)> = findings
        .iter()
        .map(|finding| {
            let text = |key: &str| finding[key].as_str().unwrap().to_string();
            (text("kind"), text("target"))
        })
        .collect();
    found.sort();
    let expected = [
        ("crash", "zoo-compiler@0.1.0:ice-while"),
        ("disagreement", "zoo-compiler@0.1.0:fold-rem"),
        ("disagreement", "zoo-interpreter@0.1.0:less-equal"),
    ];
    let expected = expected.map(|(kind, target)| (kind.to_string(), target.to_string()));
    assert_eq!(found, expected);
}

#[test]
fn hangs_and_slowness_are_found_beside_a_quick_target() {
    let folder = Folder::new();
    let zoo = zoo_targets();
    folder.write(
        "seeds/hang.smt2",
        "(declare-const a Bool)(push 1)(push 1)(assert a)(check-sat)",
    );
    folder.write(
        "seeds/slow.smt2",
        "(declare-const a Bool)(assert (xor a a a))(check-sat)",
    );
    folder.write(
        "seeds/fine.smt2",
        "(declare-const a Bool)(assert a)(check-sat)",
    );
    let ran = folder.run(&[
        "hunt", "-t", "zoo-solver:hang-push", "-t", "zoo-solver:slow-xor", "--reference",
        "zoo-solver", "--seeds", "seeds", "--oracles", "hang,slow", "--timeout", "6s",
        "--target-files", &zoo, "-o", "out", "-q",
    ]);
    ran.expect(10);
    let findings = folder.run(&["findings", "out", "--json"]).json_lines();
    let found: Vec<String> = findings
        .iter()
        .map(|f| {
            format!(
                "{} {}",
                f["kind"].as_str().unwrap(),
                f["target"].as_str().unwrap()
            )
        })
        .collect();
    for expected in [
        "hang zoo-solver@0.1.0:hang-push",
        "slow-regression zoo-solver@0.1.0:slow-xor",
    ] {
        assert!(
            found.iter().any(|line| line == expected),
            "{expected} is not in {found:?}"
        );
    }
}

#[test]
fn what_comes_and_goes_is_counted_and_marked() {
    let folder = Folder::new();
    let zoo = zoo_targets();
    for index in 0..40 {
        let text =
            format!("(declare-const a Bool)(assert (= (not a) (not a)))(check-sat) ; {index}");
        folder.write(&format!("seeds/{index:02}.smt2"), text);
    }
    let ran = folder.run(&[
        "hunt", "-t", "zoo-solver:flaky-eq", "-t", "zoo-solver", "--seeds", "seeds",
        "--target-files", &zoo, "-o", "out", "-q", "--json",
    ]);
    let summary = ran.expect(10).json();
    assert_eq!(summary["cases"], 40);
    assert!(summary["unconfirmed"].as_u64().unwrap() > 0, "{summary}");
    let findings = folder.run(&["findings", "out", "--json"]).json_lines();
    assert!(!findings.is_empty());
    for finding in findings {
        assert_eq!(finding["nondeterministic"], true, "{finding}");
        assert_eq!(finding["replays"]["of"], 3, "{finding}");
    }
}

#[test]
fn threads_and_shards_change_nothing() {
    let folder = Folder::new();
    let zoo = zoo_targets();
    write_formulas(&folder, 300);
    folder.run(&hunt(&zoo, "one", &["-j", "1"])).expect(10);
    folder.run(&hunt(&zoo, "four", &["-j", "4"])).expect(10);
    let whole = essence(&folder, "one");
    assert_eq!(essence(&folder, "four"), whole);
    for shard in ["1/3", "2/3", "3/3"] {
        let output = format!("shard-{}", &shard[..1]);
        folder
            .run(&hunt(&zoo, &output, &["--shard", shard]))
            .expect(10);
    }
    let merge = |folders: &[&str], output: &str| -> Ran {
        let mut args = vec!["merge"];
        args.extend(folders);
        args.extend(["-o", output]);
        folder.run(&args)
    };
    merge(&["shard-1", "shard-2", "shard-3"], "merged").expect(10);
    assert_eq!(essence(&folder, "merged"), whole);
    merge(&["shard-3", "shard-1"], "other").expect(10);
    merge(&["shard-2", "shard-3", "shard-2"], "other").expect(10);
    merge(&["shard-1", "merged"], "other").expect(10);
    assert_eq!(essence(&folder, "other"), whole);
}

#[test]
fn shards_of_different_campaigns_are_not_merged() {
    let folder = Folder::new();
    let zoo = zoo_targets();
    write_formulas(&folder, 20);
    folder
        .run(&hunt(&zoo, "one", &["--shard", "1/2"]))
        .expect(10);
    folder
        .run(&hunt(&zoo, "two", &["--shard", "2/2", "--timeout", "7s"]))
        .expect(10);
    folder
        .run(&["merge", "one", "two", "-o", "out"])
        .expect(2)
        .says(&["cannot be merged"]);
}

#[test]
fn killed_at_twenty_instants_a_campaign_loses_and_repeats_nothing() {
    let folder = Folder::new();
    let zoo = zoo_targets();
    write_formulas(&folder, 1200);
    folder.run(&hunt(&zoo, "calm", &[])).expect(10);
    let mut choices = Choices::seeded(3, 0);
    let mut kills = 0;
    while kills < 20 {
        let mut child = folder
            .command(&hunt(&zoo, "killed", &[]))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("lydite starts");
        // A random instant: this is the experiment, not a way to wait.
        std::thread::park_timeout(Duration::from_millis(choices.between(1, 500).unwrap()));
        child.kill().expect("it can be killed");
        child.wait().expect("it can be reaped");
        kills += 1;
    }
    folder.run(&hunt(&zoo, "killed", &[])).expect(10);
    assert_eq!(essence(&folder, "killed"), essence(&folder, "calm"));
}

/// Ctrl-C at a hunt, and how it ends.
fn interrupt(hunt: Child) -> Ran {
    let pid = hunt.id().to_string();
    let signalled = std::process::Command::new("kill")
        .args(["-INT", &pid])
        .status();
    assert!(signalled.expect("kill starts").success());
    Ran::new(&["hunt"], hunt.wait_with_output().expect("it ends")).expect(130)
}

#[test]
fn an_interrupt_finishes_what_runs_and_the_campaign_goes_on_later() {
    let folder = Folder::new();
    let zoo = zoo_targets();
    write_formulas(&folder, 1500);
    let mut child = folder
        .command(&hunt(&zoo, "out", &["--json"]))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("lydite starts");
    let store = folder.path().join("out/campaign.sqlite");
    while !store.is_file() {
        assert!(child.try_wait().unwrap().is_none(), "the hunt ended");
        std::thread::yield_now();
    }
    let ran = interrupt(child);
    let done = ran.json()["cases"].as_u64().unwrap();
    assert!(done < 1500, "{done}");
    assert!(folder.path().join("out/report.html").is_file());
    let summary = folder
        .run(&["hunt", "-o", "out", "-q", "--json"])
        .expect(10)
        .json();
    assert_eq!(summary["cases"], 1500);
}

#[test]
fn an_interrupt_gives_up_what_would_run_for_an_hour() {
    let folder = Folder::new();
    write_formulas(&folder, 1);
    let begun = folder.path().join("begun");
    let stuck = format!(
        "echo sat\ngrep -q assert \"$1\" && touch {} && exec tail -f /dev/null",
        begun.display()
    );
    write_target(&folder, "stuck", &stuck);
    let mut child = folder
        .command(&[
            "hunt", "-t", "stuck", "--target-files", "targets", "--seeds", "seeds", "--strategy",
            "files", "--timeout", "1h", "-j", "1", "-o", "out", "--json",
        ])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("lydite starts");
    while !begun.is_file() {
        assert!(child.try_wait().unwrap().is_none(), "the hunt ended");
        std::thread::yield_now();
    }
    let ran = interrupt(child);
    assert_eq!(ran.json()["cases"], 0);
}

#[test]
fn a_finished_campaign_is_not_run_again_and_can_be_extended() {
    let folder = Folder::new();
    let zoo = zoo_targets();
    write_formulas(&folder, 50);
    folder
        .run(&hunt(&zoo, "out", &["--cases", "20"]))
        .expect(10);
    let again = folder
        .run(&hunt(&zoo, "out", &["--cases", "20", "--json"]))
        .expect(10)
        .json();
    assert_eq!(again["cases"], 20);
    let more = folder
        .run(&hunt(&zoo, "out", &["--json"]))
        .expect(10)
        .json();
    assert_eq!(more["cases"], 50);
    folder
        .run(&hunt(&zoo, "out", &["--timeout", "3s"]))
        .expect(2)
        .says(&["another campaign is here", "timeout"]);
}

#[test]
fn a_campaign_says_how_many_answers_it_could_judge() {
    let folder = Folder::new();
    let zoo = zoo_targets();
    write_formulas(&folder, 60);
    let oracles = ["--oracles", "crash,model"];
    let more = [&oracles[..], &["--json"]].concat();
    let summary = folder.run(&hunt(&zoo, "one", &more)).expect(10).json();
    let remarks = summary["remarks"].as_array().unwrap();
    let honest = remarks
        .iter()
        .filter(|remark| !remark["target"].as_str().unwrap().ends_with(":all"));
    let honest: Vec<&serde_json::Value> = honest.collect();
    assert_eq!(honest.len(), 1, "{remarks:#?}");
    assert_eq!(honest[0]["what"], "model right");
    assert_eq!(honest[0]["decided"], true);
    let count = honest[0]["count"].as_u64().unwrap();
    assert!(count > 5, "{count}");
    let report = folder.run(&["report", "one", "--json"]).expect(0).json();
    let judged = report["targets"][1]["judged"].as_str().unwrap();
    assert_eq!(
        judged,
        format!("{count} of {count} (100.0 %): {count} model right")
    );
    for shard in ["1/2", "2/2"] {
        let output = format!("shard-{}", &shard[..1]);
        let more = [&oracles[..], &["--shard", shard]].concat();
        folder.run(&hunt(&zoo, &output, &more));
    }
    let merge = ["merge", "shard-1", "shard-2", "shard-1", "-o", "merged"];
    folder.run(&merge).expect(10);
    assert_eq!(essence(&folder, "merged"), essence(&folder, "one"));
}
