//! The strategy `spec` and `lydite spec` as a user meets them.

use std::fs;

use crate::lydite::Folder;

const GOOD: &str = "## Greetings.\n\nlanguage lua;\n\nknob loud = false;\n\nclass Program {\n  program(\"print(\\\"${w : Word}\\\")\\n\") {}\n  @feature(loud)\n  shout(\"print(\\\"HELLO\\\")\\n\") {}\n}\n\nclass Word(\"hello|bye\");\n";

#[test]
fn a_spec_of_ones_own_makes_programs_of_its_language() {
    let folder = Folder::new();
    folder.write("my.spec", GOOD);
    let args = [
        "generate", "spec", "--set", "spec=my.spec", "-n", "20", "-o", "-",
    ];
    let printed = folder.run(&args).expect(0).stdout;
    assert!(printed.starts_with("-- case 0 case.lua (accepted)\nprint(\""));
    assert!(printed.contains("hello") && printed.contains("bye") && !printed.contains("HELLO"));
    let loud = [&args[..], &["--set", "knobs=loud=true"]].concat();
    assert!(folder.run(&loud).expect(0).stdout.contains("HELLO"));
}

#[test]
fn generate_writes_the_whole_claim_of_each_case_beside_the_programs() {
    let folder = Folder::new();
    let spec = "language lua;\nclass Program {\n  syn output : String;\n  program(\"print('${n : Number}')\\n\") {\n    this.output = \"#{n.str}\\n\";\n  }\n}\nclass Number(\"[0-9]{400}\");\n";
    folder.write("long.spec", spec);
    let args = [
        "generate", "spec", "--set", "spec=long.spec", "-n", "3", "--from", "7", "--claims", "-o",
    ];
    folder.run(&[&args[..], &["out"]].concat()).expect(0);
    let text = fs::read_to_string(folder.path().join("out/claims.jsonl")).unwrap();
    let lines: Vec<serde_json::Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(lines.len(), 3);
    for (line, case) in lines.iter().zip(7..) {
        assert_eq!(line["case"], case.to_string());
        let output = line["claim"]["answers"]["output"]["text"].as_str().unwrap();
        let program = folder.path().join(format!("out/{case:0>9}.lua"));
        let program = fs::read_to_string(program).unwrap();
        assert_eq!(program, format!("print('{}')\n", output.trim_end()));
        assert_eq!(output.len(), 401);
    }
    let beside = [&args[..], &["-"]].concat();
    folder.run(&beside).expect(2).says(&["--claims", "-o DIR"]);
}

#[test]
fn what_is_wrong_with_a_spec_or_its_settings_is_a_usage_error_that_shows_the_place() {
    let folder = Folder::new();
    folder.write(
        "bad.spec",
        "class A {\n  a(\"${x : Bee}\") {}\n}\nclass Been(\"x\");\n",
    );
    folder.write("my.spec", GOOD);
    folder.write("binary.spec", b"class \xff");
    let bad = "bad.spec:2:12: class Bee is not declared; did you mean `Been`?";
    let cases: [(&[&str], &str); 10] = [
        (&["spec", "check", "bad.spec"], bad),
        (&["spec", "doc", "bad.spec"], bad),
        (
            &["generate", "spec", "--set", "spec=bad.spec", "-o", "-"],
            bad,
        ),
        (
            &["spec", "check", "assignmets"],
            "did you mean `assignments`?",
        ),
        (&["spec", "check", "none.spec"], "none.spec"),
        (
            &["spec", "check", "binary.spec"],
            "is not UTF-8 text (from byte 6)",
        ),
        (
            &[
                "generate", "spec", "--set", "spec=my.spec", "--set", "knobs=lod=true", "-o", "-",
            ],
            "setting `knobs`: `lod` is not a knob of the spec (it has: loud)",
        ),
        (
            &[
                "generate", "spec", "--set", "spec=my.spec", "--set", "knobs=loud=3", "-o", "-",
            ],
            "setting `knobs`: `loud=3` is not true or false",
        ),
        (
            &[
                "generate", "spec", "--set", "spec=my.spec", "--set", "knobs=loud=on,loud=off",
                "-o", "-",
            ],
            "setting `knobs`: `loud` is not named just once",
        ),
        (
            &[
                "generate", "spec", "--set", "spec=smtlib", "--language", "lua", "-o", "-",
            ],
            "a spec of lua: it makes smtlib",
        ),
    ];
    for (args, expected) in cases {
        let ran = folder.run(args).expect(2);
        assert!(ran.stderr.contains(expected), "{args:?}: {}", ran.stderr);
    }
}

#[test]
fn check_tells_what_it_takes_to_make_programs() {
    let folder = Folder::new();
    let ran = folder
        .run(&["spec", "check", "assignments", "smtlib", "-n", "5"])
        .expect(0);
    assert!(
        ran.stdout
            .contains("assignments: 8 classes, 8 productions; 5 of 5 programs made")
    );
    assert!(ran.stdout.contains("alternatives") && ran.stderr.is_empty());
    let json = folder
        .run(&["spec", "check", "assignments-guarded", "-n", "50", "--json"])
        .expect(0)
        .json();
    assert_eq!(json["programs"], 50);
    for key in [
        "nodes", "alternatives", "patterns", "failures", "steps", "bytes",
    ] {
        assert!(json[key].as_u64().unwrap() > 0, "{key}: {json}");
    }
    let classes = json["by_class"].as_array().unwrap();
    assert_eq!(classes.len(), 8);
    let guarded = classes.iter().find(|class| class["class"] == "UseVariable");
    assert!(guarded.unwrap()["failures"].as_u64().unwrap() > 0);
    folder.write("never.spec", "class A {\n  grd no;\n\n  a(\"${x : B}\") {\n    this.no = x.str == \"z\";\n  }\n}\nclass B(\"x|y\");\n");
    folder
        .run(&["generate", "spec", "--set", "spec=never.spec", "-o", "-"])
        .expect(2)
        .says(&["never.spec: none of 3 programs could be made: no program satisfies the guards"]);
    let ran = folder.run(&["spec", "check", "never.spec"]).expect(2);
    assert!(
        ran.stderr.contains("none of 3 programs could be made"),
        "{}",
        ran.stderr
    );
    assert!(
        ran.stderr.contains("no program satisfies the guards"),
        "{}",
        ran.stderr
    );
}

#[test]
fn check_writes_all_texts_of_a_tree() {
    let folder = Folder::new();
    let spec = |divisor: &str| {
        format!(
            "language sql;\nclass A {{\n  a(\"select ${{x : B}};\\n\") {{\n    text other = \"select #{{9 / ({divisor})}};\\n\";\n  }}\n}}\nclass B(\"[0-9]{{1,2}}\");\n"
        )
    };
    folder.write("some.spec", spec("length(x.str) - 1"));
    folder.write("none.spec", spec("length(x.str) - length(x.str)"));
    let some = folder.run(&["spec", "check", "some.spec"]).expect(0);
    let unmade = some.stdout.lines().find(|line| line.contains("not made: "));
    assert!(
        unmade.is_some_and(|line| line.contains("some.spec:4:")),
        "{}",
        some.stdout
    );
    assert!(
        !some.stdout.contains("20 of 20 programs"),
        "{}",
        some.stdout
    );
    for argv in [
        &["spec", "check", "none.spec"][..],
        &["generate", "spec", "--set", "spec=none.spec", "-o", "-"],
    ] {
        let reason = ["none of 3 programs could be made", "none.spec:4:"];
        folder.run(argv).expect(2).says(&reason);
    }
    // Only the first text is asked for.
    let first = [
        "generate", "spec", "--set", "spec=none.spec", "--set", "texts=none", "-n", "1",
    ];
    folder.run(&[&first[..], &["-o", "-"]].concat()).expect(0);
}

#[test]
fn fmt_lays_files_out_and_doc_prints_what_they_say() {
    let folder = Folder::new();
    folder.write("my.spec", GOOD.replace("  ", "      "));
    let ran = folder.run(&["spec", "fmt", "--check", "my.spec"]).expect(2);
    assert!(
        ran.stderr
            .contains("not laid out (lydite spec fmt): my.spec")
    );
    folder.run(&["spec", "fmt", "my.spec"]).expect(0);
    assert_eq!(
        fs::read_to_string(folder.path().join("my.spec")).unwrap(),
        GOOD
    );
    folder.run(&["spec", "fmt", "--check", "my.spec"]).expect(0);
    let doc = folder.run(&["spec", "doc", "my.spec"]).expect(0).stdout;
    assert_eq!(
        doc,
        "# my.spec\n\nGreetings.\n\n## Knobs\n\n- `loud = false`\n\n## Classes\n\n### Program\n\n- `program print(\"${w : Word}\")\\n`\n- `shout print(\"HELLO\")\\n`\n\n### Word\n\n- `hello|bye`: the texts of this expression\n"
    );
}

/// Every case of a campaign over a spec is taken by all targets, and they agree.
fn all_agree(targets: &[&str], spec: &str, cases: u64) {
    all_agree_with("texts=all", targets, spec, cases);
}

/// The same with a setting.
fn all_agree_with(more: &str, targets: &[&str], spec: &str, cases: u64) {
    let folder = Folder::new();
    folder
        .run(&[&["targets", "install", "-q"], targets].concat())
        .expect(0);
    let (setting, cases) = (format!("spec={spec}"), cases.to_string());
    let mut args = vec![
        "hunt", "--strategy", "spec", "--set", &setting, "--set", "height=4", "--set", more,
        "--cases", &cases, "--timeout", "8s", "--oracles", "crash,answer,differential", "-o",
        "out", "-q", "--json",
    ];
    for target in targets {
        args.extend(["-t", target]);
    }
    let summary = folder.run(&args).expect(0).json();
    assert_eq!(summary["cases"].to_string(), cases);
    assert_eq!(summary["rejects"], 0);
    for outcome in summary["outcomes"].as_array().unwrap() {
        let outcome = outcome["outcome"].as_str().unwrap();
        let fine = ["answered", "undecided", "timed-out"];
        assert!(fine.contains(&outcome), "{spec}: {summary}");
    }
}

#[test]
fn solvers_and_lua_take_the_programs_of_their_specs() {
    all_agree(&["z3@5.4.0", "cvc5@1.4.2"], "smtlib", 15);
    all_agree(
        &["z3@5.4.0", "cvc5@1.4.2", "bitwuzla@0.9.1"],
        "smtlib-floats",
        10,
    );
    all_agree(&["z3@5.4.0", "cvc5@1.4.2"], "smtlib-strings", 10);
    all_agree(&["lua@5.1.5", "lua@5.4.4"], "lua", 15);
}

#[test]
fn a_compiler_prints_what_is_known_of_c_programs() {
    let folder = Folder::new();
    let summary = folder
        .run(&[
            "hunt", "-t", "gcc:O2", "--install", "--strategy", "spec", "--set", "spec=c-known",
            "--oracles", "crash,answer", "--schedule", "fixed", "--cases", "8", "-o", "out", "-q",
            "--json",
        ])
        .expect(0)
        .json();
    let outcomes = summary["outcomes"].as_array().unwrap();
    assert_eq!(outcomes.len(), 1, "{summary}");
    assert_eq!(outcomes[0]["outcome"], "answered");
    assert_eq!(outcomes[0]["runs"], 8);
}

#[test]
fn four_databases_print_the_same_rows() {
    // With its optimizer mariadb takes some columns for ambiguous.
    let databases = ["sqlite", "duckdb", "postgres", "mariadb:no-optimizer"];
    all_agree_with("texts=none", &databases, "sql", 6);
    all_agree(&databases[..3], "sql", 3);
}

/// Databases that stay for many scripts, each in a database of its own.
#[test]
fn a_database_that_stays_prints_what_a_fresh_one_prints() {
    let folder = Folder::new();
    let targets = ["sqlite", "duckdb", "mariadb"];
    folder
        .run(&[&["targets", "install", "-q"], &targets[..]].concat())
        .expect(0);
    for number in 0..6 {
        let script = format!(
            "CREATE TABLE t (a BIGINT PRIMARY KEY);\nINSERT INTO t VALUES ({number});\n\
             SELECT a FROM t;\nSELECT b FROM t;\n"
        );
        // Every other one is refused at its last line.
        let script = match number % 2 {
            0 => script.replace("SELECT b", "SELECT a + 1"),
            _ => script,
        };
        folder.write(&format!("seeds/{number}.sql"), script);
    }
    let hunt = |output: &str, warm: &str| {
        let args = [
            "hunt", "--seeds", "seeds", "--warm", warm, "-o", output, "-j", "1", "-q", "--json",
            // A server takes long to start while others write.
            "--timeout", "60s", "--oracles", "crash,differential",
        ];
        let named = targets.iter().flat_map(|target| ["-t", target]);
        let args: Vec<&str> = args.into_iter().chain(named).collect();
        folder.run(&args).expect(0).json()
    };
    let (cold, warm) = (hunt("cold", "0"), hunt("warm", "6"));
    assert_eq!(cold["outcomes"].as_array().unwrap().len(), 6, "{cold}");
    assert_eq!(warm["outcomes"], cold["outcomes"]);
}
