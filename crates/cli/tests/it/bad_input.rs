//! Bad input of every sort: a clear error, the documented exit code, nothing
//! lost.

use std::process::{Command, Stdio};

use crate::lydite::target_file::TargetFile;
use crate::lydite::{Folder, zoo_targets};

const PLAN: &str =
    "targets = [\"zoo-solver\"]\n[[strategy]]\nname = \"files\"\nseeds = [\"seeds\"]\n";

fn with_seed() -> Folder {
    let folder = Folder::new();
    folder.write(
        "seeds/a.smt2",
        "(declare-const a Bool)(assert a)(check-sat)",
    );
    folder
}

#[test]
fn a_malformed_plan_points_at_the_line_and_the_nearest_key() {
    let folder = with_seed();
    for (plan, parts) in [
        ("targets = [", vec!["plan.toml", "line 1"]),
        (
            &format!("tragets = []\n{PLAN}"),
            vec!["line 1", "did you mean `targets`"],
        ),
        (
            &format!("{PLAN}sedes = []\n"),
            vec!["line 5", "did you mean `seeds`"],
        ),
        (
            &format!("seed = \"x\"\n{PLAN}"),
            vec!["line 1", "invalid type"],
        ),
        (
            &format!("{PLAN}[limits]\ntimeout = \"soon\"\n"),
            vec!["line 6", "such as 8s"],
        ),
        (
            &format!("oracles = [\"crahs\"]\n{PLAN}"),
            vec!["did you mean `crash`"],
        ),
        (&PLAN.replace("files", "file"), vec!["did you mean `files`"]),
        (
            &PLAN.replace("zoo-solver", "zoo-solve"),
            vec!["did you mean `zoo-solver`"],
        ),
        (
            &PLAN.replace("\"seeds\"]", "\"nowhere\"]"),
            vec!["nowhere", "cannot be read"],
        ),
        (
            &format!("{PLAN}set = {{ claim = true }}\n"),
            vec!["did you mean `claims`"],
        ),
    ] {
        folder.write("plan.toml", plan);
        let ran = folder.run(&[
            "hunt",
            "plan.toml",
            "--target-files",
            &zoo_targets(),
            "-o",
            "out",
        ]);
        let code = if plan.contains("zoo-solve\"") { 4 } else { 2 };
        ran.expect(code).says(&parts);
        assert!(!folder.path().join("out/campaign.sqlite").exists());
    }
    folder
        .run(&["hunt", "nowhere.toml"])
        .expect(2)
        .says(&["nowhere.toml", "cannot be read"]);
}

#[test]
fn a_plan_that_is_no_text_is_an_error() {
    let folder = with_seed();
    folder.write("plan.toml", [0xff, 0xfe, 0x00]);
    folder
        .run(&["hunt", "plan.toml"])
        .expect(2)
        .says(&["plan.toml"]);
}

#[test]
fn a_target_that_is_not_there_is_named_with_what_to_do() {
    let folder = with_seed();
    folder
        .run(&["check", "seeds/a.smt2", "-t", "z3@0.0.1"])
        .expect(4)
        .says(&["target z3@0.0.1: not installed (lydite targets install z3@0.0.1)"]);
    folder
        .run(&["check", "seeds/a.smt2", "-t", "z4"])
        .expect(4)
        .says(&["did you mean `z3`"]);
    folder
        .run(&["check", "seeds/a.smt2", "-t", "z3@"])
        .expect(2)
        .says(&["family[@version][:variant]"]);
    folder
        .run(&[
            "check",
            "seeds/a.smt2",
            "-t",
            "zoo-solver:not-xro",
            "--target-files",
            &zoo_targets(),
        ])
        .expect(4)
        .says(&["did you mean `not-xor`"]);
}

#[test]
fn a_target_that_does_not_work_stops_the_hunt_before_it_begins() {
    let folder = with_seed();
    TargetFile::new("broken")
        .commands(&["false"])
        .version(&["echo", "1.0"], r"(\S+)")
        .write(&folder, "broken.toml");
    folder
        .run(&[
            "hunt", "-t", "broken", "--seeds", "seeds", "--target-files", "broken.toml", "-o",
            "out",
        ])
        .expect(4)
        .says(&["target broken@1.0", "smoke run"]);
}

#[test]
fn folders_without_seeds_and_targets_of_two_languages_are_errors() {
    let folder = with_seed();
    let zoo = zoo_targets();
    std::fs::create_dir(folder.path().join("empty")).unwrap();
    let hunt = |more: &[&str]| {
        let mut args = vec![
            "hunt", "--target-files", &zoo, "-o", "out", "-t", "zoo-solver",
        ];
        args.extend(more);
        folder.run(&args)
    };
    hunt(&["--seeds", "empty"])
        .expect(2)
        .says(&["empty", "no file ending in .smt2"]);
    hunt(&[]).expect(2).says(&["at least 1 seed"]);
    hunt(&["-t", "zoo-compiler", "--seeds", "seeds"])
        .expect(2)
        .says(&["read different languages"]);
    hunt(&["-t", "zoo-solver", "--seeds", "seeds"])
        .expect(2)
        .says(&["named twice"]);
    hunt(&["--seeds", "seeds", "--shard", "4/3"])
        .expect(2)
        .says(&["1 <= I <= K"]);
}

#[test]
fn results_that_cannot_be_written_have_their_own_code() {
    let folder = with_seed();
    let zoo = zoo_targets();
    folder.write("file", "");
    let hunt = [
        "hunt", "-t", "zoo-solver", "--seeds", "seeds", "--target-files", &zoo, "-o",
    ];
    let to = |output: &str| folder.run(&[&hunt[..], &[output]].concat());
    to("file/out").expect(5).says(&["cannot write", "file/out"]);
    to("seeds")
        .expect(2)
        .says(&["neither empty nor a campaign", "a.smt2"]);
    assert!(!folder.path().join("seeds/lock").exists());
    folder
        .run(&["generate", "files", "--seeds", "seeds", "-o", "file/out"])
        .expect(5)
        .says(&["cannot write"]);
}

#[test]
fn a_huge_seed_is_left_out_and_said() {
    let folder = with_seed();
    let zoo = zoo_targets();
    let big = std::fs::File::create(folder.path().join("seeds/big.smt2")).unwrap();
    big.set_len(200 << 20).unwrap();
    let ran = folder.run(&[
        "hunt", "-t", "zoo-solver", "--seeds", "seeds", "--target-files", &zoo, "-o", "out",
        "--json",
    ]);
    let ran = ran.expect(0).says(&["big.smt2", "left out", "seed-size"]);
    assert_eq!(ran.json()["cases"], 1);
    let alone = [
        "hunt", "-t", "zoo-solver", "--seeds", "seeds/big.smt2", "--target-files", &zoo, "-o",
        "two",
    ];
    folder
        .run(&alone)
        .expect(2)
        .says(&["every file was left out", "seed-size"]);
}

#[test]
fn a_named_pipe_is_refused_where_a_file_is_wanted_and_what_a_shell_pipes_is_read() {
    let folder = with_seed();
    let zoo = zoo_targets();
    let made = Command::new("mkfifo")
        .arg(folder.path().join("pipe.spec"))
        .status();
    assert!(made.unwrap().success());
    std::os::unix::fs::symlink("pipe.spec", folder.path().join("link.spec")).unwrap();
    let readers: [&[&str]; 7] = [
        &["meaning", "pipe.spec"],
        &["spec", "check", "pipe.spec"],
        &["spec", "check", "link.spec"],
        &["spec", "fmt", "pipe.spec"],
        &["generate", "spec", "--set", "spec=pipe.spec", "-o", "-"],
        &["hunt", "pipe.spec"],
        &[
            "hunt", "-t", "zoo-solver", "--target-files", &zoo, "--seeds", "pipe.spec", "-o", "out",
        ],
    ];
    for args in readers {
        folder
            .run(args)
            .expect(2)
            .says(&["is a named pipe, not a file"]);
    }
    folder
        .run(&["spec", "check", "seeds/"])
        .expect(2)
        .says(&["seeds/: is a folder, not a file"]);
    folder.write(
        "my.spec",
        "language lua;\nclass Program {\n  program(\"print(1)\\n\") {}\n}\n",
    );
    let mut piped = folder.command(&["spec", "check", "/dev/stdin"]);
    let mut cat = Command::new("cat");
    cat.arg(folder.path().join("my.spec"))
        .stdout(Stdio::piped());
    let mut writer = cat.spawn().unwrap();
    let output = piped.stdin(writer.stdout.take().unwrap()).output().unwrap();
    writer.wait().unwrap();
    assert!(output.status.success(), "{output:?}");
}

#[test]
fn a_million_nested_parentheses_are_a_case_like_any_other() {
    let folder = with_seed();
    let zoo = zoo_targets();
    let deep = format!(
        "(assert {}true{})(check-sat)",
        "(not ".repeat(1_000_000),
        ")".repeat(1_000_000)
    );
    folder.write("seeds/deep.smt2", deep);
    folder.write("seeds/open.smt2", "(".repeat(1_000_000));
    folder.write("seeds/bytes.smt2", [0u8, 255, b'(', 27, b'[', 200]);
    let ran = folder.run(&[
        "hunt", "-t", "zoo-solver", "--seeds", "seeds", "--target-files", &zoo, "-o", "out", "-q",
        "--json",
    ]);
    let summary = ran.expect(0).json();
    assert_eq!(summary["cases"], 4);
    assert_eq!(summary["own_failures"], serde_json::json!({}));
}

#[test]
fn a_folder_that_holds_no_campaign_is_named() {
    let folder = with_seed();
    for args in [["findings", "seeds"], ["report", "seeds"]] {
        folder
            .run(&args)
            .expect(2)
            .says(&["seeds", "no campaign here"]);
    }
    folder
        .run(&["merge", "seeds", "-o", "out"])
        .expect(2)
        .says(&["no campaign here"]);
    folder
        .run(&["replay", "nothing"])
        .expect(2)
        .says(&["nothing"]);
    folder.write("out/campaign.sqlite", "not a database");
    folder.write("out/plan.json", "{}");
    folder.run(&["findings", "out"]).expect(2).says(&["out"]);
}

#[test]
fn a_file_whose_language_is_asked_of_its_name_is_named_if_that_fails() {
    let folder = with_seed();
    folder
        .run(&["profile", "nothing.c"])
        .expect(2)
        .says(&["nothing.c", "cannot be read"]);
    folder.write("notes.text", "no program");
    folder
        .run(&["reduce", "notes.text", "--", "true"])
        .expect(2)
        .says(&[
            "notes.text: no file whose ending tells its language",
            "smtlib",
        ]);
    folder
        .run(&["generate", "files", "--seeds", "notes.text", "-o", "-"])
        .expect(2)
        .says(&["--language"]);
}

#[test]
fn what_a_target_prints_never_reaches_the_terminal_as_it_is() {
    let folder = with_seed();
    let zoo = zoo_targets();
    let ran = folder.run(&[
        "check", "seeds/a.smt2", "-t", "zoo-manners:garbage", "--target-files", &zoo,
    ]);
    let ran = ran.expect(0);
    for text in [&ran.stdout, &ran.stderr] {
        assert!(
            !text.contains('\u{1b}') && !text.contains('\u{7}'),
            "{text:?}"
        );
    }
}

#[test]
fn bad_manners_get_their_outcome_and_leave_nothing() {
    let folder = with_seed();
    folder.write("seeds/b.smt2", "(check-sat)");
    let zoo = zoo_targets();
    let manners = [
        ("hold-pipes", "no-answer"),
        ("escape", "no-answer"),
        ("flood", "unusable"),
        ("flood-forever", "timed-out"),
        ("eat", "out-of-memory"),
        ("hang", "timed-out"),
        ("spin", "timed-out"),
        ("close-stdout", "no-answer"),
        ("garbage", "no-answer"),
        ("delete-folder", "no-answer"),
        ("fill-disk", "unusable"),
        ("die-abrt", "crashed"),
        ("die-segv", "crashed"),
        ("die-kill", "no-answer"),
        ("die-term", "no-answer"),
    ];
    let scratch = folder.path().join("scratch");
    std::fs::create_dir(&scratch).unwrap();
    let targets: Vec<String> = manners
        .iter()
        .map(|(manner, _)| format!("zoo-manners:{manner}"))
        .collect();
    let mut args = vec![
        "hunt", "--seeds", "seeds", "--target-files", &zoo, "-o", "out", "-q", "--json",
    ];
    args.extend(["--timeout", "3s", "--memory", "200MiB"]);
    for target in &targets {
        args.extend(["-t", target]);
    }
    let output = folder
        .command(&args)
        .env("TMPDIR", &scratch)
        .output()
        .unwrap();
    let ran = crate::lydite::Ran::new(&args, output).expect(10);
    let summary = ran.json();
    assert_eq!(summary["cases"], 2);
    for (manner, outcome) in manners {
        let target = format!("zoo-manners@0.1.0:{manner}");
        let rows: Vec<&serde_json::Value> = summary["outcomes"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|row| row["target"] == target.as_str())
            .collect();
        assert_eq!(rows.len(), 1, "{manner}: {rows:?}");
        assert_eq!(rows[0]["outcome"], outcome, "{manner}");
        assert_eq!(rows[0]["runs"], 2, "{manner}");
    }
    let left: Vec<_> = std::fs::read_dir(&scratch).unwrap().collect();
    assert!(left.is_empty(), "{left:?}");
    assert_eq!(
        processes_with(&scratch.display().to_string()),
        Vec::<String>::new()
    );
}

/// Processes whose environment names this folder.
fn processes_with(folder: &str) -> Vec<String> {
    let processes = std::fs::read_dir("/proc")
        .unwrap()
        .filter_map(|entry| entry.ok());
    let named = processes.filter(|process| {
        let environment = std::fs::read(process.path().join("environ")).unwrap_or_default();
        String::from_utf8_lossy(&environment).contains(folder)
    });
    named
        .map(|process| process.path().display().to_string())
        .collect()
}

#[test]
fn a_target_that_vanishes_stops_the_hunt_and_its_cases_stay_open() {
    let folder = with_seed();
    for index in 0..5 {
        folder.write(&format!("seeds/{index}.smt2"), "(check-sat)");
    }
    // The solver removes itself once it has run on a case, unless it may stay.
    let stay = folder.path().join("stay");
    let script = format!(
        "#!/bin/sh\necho sat\n[ -e {} ] || grep -q smoke \"$1\" || rm -f \"$0\"\n",
        stay.display()
    );
    let solver = folder.write_program("brief", &script);
    TargetFile::new("brief")
        .commands(&[solver.display().to_string()])
        .version(&["echo", "1.0"], r"(\S+)")
        .smoke("(check-sat) ; smoke")
        .write(&folder, "brief.toml");
    let hunt = [
        "hunt", "-t", "brief", "--seeds", "seeds", "--target-files", "brief.toml", "-o", "out",
        "-j", "1",
    ];
    folder
        .run(&hunt)
        .expect(4)
        .says(&["target unusable", "brief@1.0", "did not start"]);
    folder.write_program("brief", &script);
    folder.write("stay", "");
    let summary = folder
        .run(&["hunt", "-o", "out", "-q", "--json"])
        .expect(0)
        .json();
    assert_eq!(summary["cases"], 6);
    let outcomes = summary["outcomes"].as_array().unwrap();
    assert_eq!(outcomes.len(), 1, "{outcomes:?}");
    assert_eq!(outcomes[0]["runs"], 6);
}

#[test]
fn a_setting_beside_a_plan_is_used_or_refused() {
    let folder = with_seed();
    folder.write("plan.toml", PLAN);
    let zoo = zoo_targets();
    let hunt = |set: &str, output: &str| {
        folder.run(&[
            "hunt", "plan.toml", "--set", set, "--target-files", &zoo, "-o", output, "-q",
        ])
    };
    hunt("claims=false", "out").expect(0);
    hunt("claims=true", "out")
        .expect(2)
        .says(&["another campaign", "strategies"]);
    hunt("rounds=3", "new")
        .expect(2)
        .says(&["--set rounds", "no strategy of the plan"]);
}
