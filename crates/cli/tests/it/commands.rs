//! The commands that read: their output is what their documentation says.

use crate::lydite::{Folder, Ran, zoo_targets};

#[test]
fn check_prints_one_object_with_case_observations_and_symptoms() {
    let folder = Folder::new();
    let zoo = zoo_targets();
    folder.write(
        "a.smt2",
        "(declare-const a Bool)(assert (not (xor a a)))(check-sat)",
    );
    let args = [
        "check", "a.smt2", "-t", "zoo-solver:not-xor", "-t", "zoo-solver", "--target-files", &zoo,
        "--json",
    ];
    let object = folder
        .run(&[&args[..], &["--claim", "sat"]].concat())
        .expect(10)
        .json();
    assert_eq!(object["case"]["claim"], "sat");
    let observations = object["observations"].as_array().unwrap();
    assert_eq!(observations.len(), 2);
    assert_eq!(observations[0]["target"], "zoo-solver@0.1.0:not-xor");
    assert_eq!(observations[0]["outcome"], "answered");
    assert_eq!(observations[0]["answer"], "unsat");
    assert!(observations[0]["wall_ms"].is_u64());
    let symptoms = object["symptoms"].as_array().unwrap();
    let kinds: Vec<&str> = symptoms
        .iter()
        .map(|s| s["kind"].as_str().unwrap())
        .collect();
    assert_eq!(kinds, ["refutation-unsound"]);
    assert!(
        symptoms[0]["signature"]
            .as_str()
            .unwrap()
            .starts_with("v1 refutation-unsound zoo-solver")
    );
    let silent = folder
        .run(
            &[
                &args[..],
                &["--claim", "silent", "--oracles", "differential"],
            ]
            .concat(),
        )
        .expect(10)
        .json();
    assert_eq!(silent["symptoms"][0]["kind"], "disagreement");
    assert_eq!(
        silent["symptoms"][0]["against"],
        serde_json::json!(["zoo-solver@0.1.0"])
    );
    let clean = [
        "check", "a.smt2", "-t", "zoo-solver", "--target-files", &zoo, "--json",
    ];
    let object = folder.run(&clean).expect(0).json();
    assert_eq!(object["symptoms"], serde_json::json!([]));
}

#[test]
fn check_reads_standard_input() {
    let folder = Folder::new();
    let zoo = zoo_targets();
    let text = "(declare-const a Bool)(assert (not (xor a a)))(check-sat)";
    let input = folder.write("piped", text);
    folder.write("b.smt2", "(assert false)(check-sat)");
    let check = |files: &[&str]| {
        let args = [
            "-t", "zoo-solver:not-xor", "--target-files", &zoo, "--json", "--claim", "sat",
        ];
        let args = [&["check"], files, &args].concat();
        let input = std::fs::File::open(&input).expect("the file that is piped");
        let output = folder.command(&args).stdin(input).output();
        Ran::new(&args, output.expect("lydite starts"))
    };
    let object = check(&["-"]).expect(10).json();
    assert_eq!(object["symptoms"][0]["kind"], "refutation-unsound");
    let object = check(&["b.smt2", "-"]).expect(10).json();
    assert_eq!(object["observations"].as_array().unwrap().len(), 2);
    check(&["-", "-"])
        .expect(2)
        .says(&["standard input can be read once"]);
}

#[test]
fn several_check_sats_give_a_list_of_answers() {
    let folder = Folder::new();
    let zoo = zoo_targets();
    folder.write(
        "a.smt2",
        "(declare-const a Bool)(check-sat)(push 1)(assert a)(assert (not a))(check-sat)(pop 1)(check-sat)",
    );
    let args = [
        "check", "a.smt2", "-t", "zoo-solver", "--target-files", &zoo, "--json", "--oracles",
        "answer", "--claim",
    ];
    let with = |claim: &str| folder.run(&[&args[..], &[claim]].concat());
    assert_eq!(
        with("sat unsat sat").expect(0).json()["observations"][0]["answer"],
        "sat unsat sat"
    );
    let symptoms = with("sat unsat unsat").expect(10).json()["symptoms"].clone();
    assert_eq!(symptoms[0]["kind"], "solution-unsound");
    with("sat unsat").expect(0);
    with("maybe").expect(2).says(&["--claim", "maybe"]);
}

#[test]
fn accepted_and_rejected_claims_are_judged() {
    let folder = Folder::new();
    let zoo = zoo_targets();
    folder.write("good.toy", "print -(1);");
    folder.write("bad.toy", "print x;");
    let check = |file: &str, target: &str, claim: &str| {
        folder.run(&[
            "check", file, "-t", target, "--claim", claim, "--target-files", &zoo, "--json",
        ])
    };
    let symptoms = check("good.toy", "zoo-compiler:reject-minus", "accepted")
        .expect(10)
        .json();
    assert_eq!(symptoms["symptoms"][0]["kind"], "rejects-valid");
    check("good.toy", "zoo-compiler", "accepted").expect(0);
    let symptoms = check("bad.toy", "zoo-compiler:accept-undeclared", "rejected")
        .expect(10)
        .json();
    assert_eq!(symptoms["symptoms"][0]["kind"], "accepts-invalid");
    check("bad.toy", "zoo-compiler", "rejected").expect(0);
}

#[test]
fn generate_and_count_agree_on_the_files_of_a_folder() {
    let folder = Folder::new();
    for name in ["b", "a", "c"] {
        folder.write(&format!("seeds/{name}.lua"), format!("print('{name}')"));
    }
    let count = folder
        .run(&["count", "files", "--seeds", "seeds"])
        .expect(0);
    assert_eq!(count.stdout, "3\n");
    let json = folder
        .run(&["count", "files", "--seeds", "seeds", "--json"])
        .expect(0)
        .json();
    assert_eq!(json["count"], "3");
    folder
        .run(&[
            "generate", "files", "--seeds", "seeds", "--enumerate", "-o", "out",
        ])
        .expect(0);
    let first = std::fs::read_to_string(folder.path().join("out/000000000.lua")).unwrap();
    assert_eq!(first, "print('a')");
    assert_eq!(
        std::fs::read_dir(folder.path().join("out"))
            .unwrap()
            .count(),
        3
    );
    let printed = folder
        .run(&[
            "generate", "files", "--seeds", "seeds", "--enumerate", "--from", "1", "-n", "1", "-o",
            "-",
        ])
        .expect(0);
    assert_eq!(printed.stdout, "-- case 1 case.lua (silent)\nprint('b')\n");
    let stats = folder
        .run(&[
            "generate", "files", "--seeds", "seeds", "--stats", "-n", "50",
        ])
        .expect(0)
        .json();
    assert_eq!(stats["cases"], 50);
    assert_eq!(stats["bytes"], 50 * 10);
    for key in ["rejects", "cpu_s", "wall_s"] {
        assert!(stats[key].is_number(), "{key}");
    }
    folder
        .run(&["generate", "files", "--seeds", "seeds"])
        .expect(2)
        .says(&["-o DIR"]);
    folder
        .run(&["count", "fils", "--seeds", "seeds"])
        .expect(2)
        .says(&["did you mean `files`"]);
}

#[test]
fn the_same_seed_generates_the_same_bytes() {
    let folder = Folder::new();
    for index in 0..20 {
        folder.write(&format!("seeds/{index}.sql"), format!("SELECT {index};"));
    }
    let generate = |seed: &str| {
        let args = [
            "generate", "files", "--seeds", "seeds", "-n", "30", "--seed", seed, "-o", "-",
        ];
        folder.run(&args).expect(0).stdout
    };
    assert_eq!(generate("4"), generate("4"));
    assert_ne!(generate("4"), generate("5"));
}

#[test]
fn everything_can_be_listed() {
    let folder = Folder::new();
    for (what, name) in [
        ("strategies", "files"),
        ("oracles", "differential"),
        ("languages", "smtlib"),
        ("presets", "smt-files"),
    ] {
        let text = folder.run(&["list", what]).expect(0).stdout;
        assert!(text.lines().any(|line| line.starts_with(name)), "{text}");
        let objects = folder.run(&["list", what, "--json"]).expect(0).json_lines();
        assert!(objects.iter().any(|object| object["name"] == name));
    }
    let families = folder
        .run(&["targets", "list", "--json"])
        .expect(0)
        .json_lines();
    for family in [
        "z3", "cvc5", "cvc4", "bitwuzla", "yices", "gcc", "clang", "tcc", "lua", "luajit",
        "sqlite", "duckdb", "postgres", "mariadb", "solc", "solc-yul", "slither",
        "solidity-parser",
    ] {
        assert!(
            families.iter().any(|object| object["family"] == family),
            "{family}"
        );
    }
}

/// What a terminal of 80 columns shows.
fn shown(folder: &Folder, args: &[&str]) -> String {
    let mut command = folder.command(args);
    command.env("COLUMNS", "80");
    Ran::new(args, command.output().unwrap()).expect(0).stdout
}

#[test]
fn lists_fit_the_terminal_and_one_of_them_is_shown_in_full() {
    let folder = Folder::new();
    for what in ["strategies", "oracles", "languages", "presets"] {
        let text = shown(&folder, &["list", what]);
        assert!(
            text.lines().all(|line| line.chars().count() <= 80),
            "{text}"
        );
        let objects = folder.run(&["list", what, "--json"]).expect(0).json_lines();
        // A head, a line each, a gap and a hint.
        assert_eq!(text.lines().count(), objects.len() + 3, "{text}");
    }
    let fusion = shown(&folder, &["list", "strategies", "fusion"]);
    for words in ["language: smtlib", "max-seed", "65536", "smt-all"] {
        assert!(fusion.contains(words), "{fusion}");
    }
    let preset = shown(&folder, &["list", "presets", "smt-old"]);
    assert!(preset.contains("targets = [\"z3@4.8.5\""), "{preset}");
    let oracle = shown(&folder, &["list", "oracles", "vote"]);
    assert!(oracle.contains("presets that use it: c-spec"), "{oracle}");
    folder
        .run(&["list", "strategies", "fusoin"])
        .expect(2)
        .says(&["`fusoin` is not known; did you mean `fusion`?"]);
    let families = shown(&folder, &["targets", "list"]);
    assert!(families.lines().all(|line| line.chars().count() <= 80));
    let wide = shown(&folder, &["targets", "list", "--wide"]);
    assert!(wide.lines().count() < families.lines().count());
    let family = shown(&folder, &["targets", "list", "gcc"]);
    assert!(
        family.contains("gcc:O3") && family.contains("gcc.gnu.org"),
        "{family}"
    );
}

#[test]
fn shells_and_man_know_every_command() {
    let folder = Folder::new();
    for shell in ["bash", "zsh", "fish"] {
        let script = folder.run(&["completions", shell]).expect(0).stdout;
        for word in ["hunt", "dry-run", "bisect", "baseline"] {
            assert!(script.contains(word), "{shell}: {word}");
        }
    }
    folder.run(&["man", "pages"]).expect(0);
    let page =
        |name: &str| std::fs::read_to_string(folder.path().join("pages").join(name)).unwrap();
    assert!(page("lydite.1").contains("evolve"));
    assert!(page("lydite-hunt.1").contains("dry\\-run"));
    assert!(page("lydite-targets-install.1").contains("What to install"));
}

#[test]
fn a_report_can_be_printed_in_each_form_and_findings_filtered() {
    let folder = Folder::new();
    let zoo = zoo_targets();
    folder.write(
        "seeds/<b>x.smt2",
        "(declare-const a Bool)(assert (distinct a a a))(check-sat) ; </pre><script>",
    );
    let hunt = [
        "hunt", "-t", "zoo-solver:assert-distinct", "--seeds", "seeds", "--target-files", &zoo,
        "-o", "out", "-q",
    ];
    folder.run(&hunt).expect(10);
    let html = folder
        .run(&["report", "out", "--print", "html"])
        .expect(0)
        .stdout;
    assert!(html.contains("&lt;/pre&gt;&lt;script&gt;") && !html.contains("</pre><script>"));
    let markdown = folder
        .run(&["report", "out", "--print", "markdown"])
        .expect(0)
        .stdout;
    assert!(
        markdown.contains("| crash | zoo-solver@0.1.0:assert-distinct |"),
        "{markdown}"
    );
    let json = folder
        .run(&["report", "out", "--print", "json"])
        .expect(0)
        .json();
    assert_eq!(json["findings"].as_array().unwrap().len(), 1);
    let finding = &folder
        .run(&["findings", "out", "--json"])
        .expect(10)
        .json_lines()[0];
    for key in [
        "id", "kind", "target", "against", "signature", "count", "bytes", "reduced_bytes",
        "strategy", "case_index", "known_issue", "reproduce",
    ] {
        assert!(finding.get(key).is_some(), "{key}");
    }
    folder.run(&["findings", "out", "--kind", "hang"]).expect(0);
    folder
        .run(&[
            "findings", "out", "--kind", "crash", "--family", "zoo-solver",
        ])
        .expect(10);
    folder
        .run(&["findings", "out", "--kind", "crahs"])
        .expect(2)
        .says(&["did you mean `crash`"]);
}

#[test]
fn a_finding_that_points_elsewhere_is_not_followed() {
    let folder = Folder::new();
    let zoo = zoo_targets();
    folder.write("secret", "top secret");
    folder.write(
        "seeds/a.smt2",
        "(declare-const a Bool)(assert (distinct a a a))(check-sat)",
    );
    let hunt = [
        "hunt", "-t", "zoo-solver:assert-distinct", "--seeds", "seeds", "--target-files", &zoo,
        "-o", "out", "-q",
    ];
    folder.run(&hunt).expect(10);
    let id = folder.run(&["findings", "out", "--json"]).json_lines()[0]["id"].clone();
    let place = format!("out/findings/{}", id.as_str().unwrap());
    let path = folder.path().join(&place).join("finding.json");
    let text = std::fs::read_to_string(&path).unwrap();
    let outputs = "outputs/zoo-solver-0.1.0-assert-distinct.stdout";
    assert!(text.contains(outputs), "{text}");
    std::fs::write(&path, text.replace(outputs, "../../../secret")).unwrap();
    let html = folder
        .run(&["report", "out", "--print", "html"])
        .expect(0)
        .stdout;
    assert!(!html.contains("top secret"));
    std::fs::write(&path, text.replace("\"case.smt2\"", "\"../../../secret\"")).unwrap();
    // What is run is what the store has.
    let replayed = folder
        .run(&["replay", &place, "--target-files", &zoo])
        .expect(10);
    assert!(
        replayed.stdout.contains("shown in 1 of 1 runs"),
        "{}",
        replayed.stdout
    );
    assert!(!(replayed.stdout + &replayed.stderr).contains("top secret"));
}

#[test]
fn a_bank_of_terms_is_written_and_used() {
    let folder = Folder::new();
    folder.write(
        "seeds/a.smt2",
        "(declare-const s String)(assert (= (str.len s) 5))(assert (= (str.len s) 5))(check-sat)",
    );
    folder.write("seeds/broken.smt2", "(assert");
    folder.run(&["bank", "seeds", "-o", "bank.txt"]).expect(0);
    let bank = std::fs::read_to_string(folder.path().join("bank.txt")).unwrap();
    let line = "((?0 String)) Bool (= (str.len ?0) 5)";
    assert_eq!(bank.matches(line).count(), 1, "{bank}");
    folder.write(
        "other/b.smt2",
        "(declare-const t String)(declare-const p Bool)(assert (and p (= t \"\")))(check-sat)",
    );
    let made = folder
        .run(&[
            "generate", "typed", "--seeds", "other", "--set", "bank=bank.txt", "-n", "40", "-o",
            "-",
        ])
        .expect(0);
    assert!(made.stdout.contains("(str.len t) 5)"), "{}", made.stdout);
    folder
        .run(&["bank", "seeds", "-o", "no/such/bank.txt"])
        .expect(5);
}
