//! Real solvers, old and new, on the seeds that come with lydite. What is
//! needed is installed first; that is quick where it is there already.

use serde_json::Value;

use crate::lydite::Folder;

const OLD: &str = "z3@4.8.5";
const MIDDLE: &str = "z3@4.8.9";
const NEW: &str = "z3@5.4.0";
const OTHER: &str = "cvc5@1.4.2";
/// With the options that floats of any size take.
const OTHER_EXP: &str = "cvc5@1.4.2:exp";

fn seeds(folder: &str) -> String {
    format!("{}/../../seeds/smtlib/{folder}", env!("CARGO_MANIFEST_DIR"))
}

fn with_solvers() -> Folder {
    let folder = Folder::new();
    folder
        .run(&["targets", "install", OLD, MIDDLE, NEW, OTHER, "-q"])
        .expect(0);
    folder
}

#[test]
fn bugs_of_old_releases_are_found_and_convicted() {
    let folder = with_solvers();
    let regress = seeds("regress");
    let ran = folder.run(&[
        "hunt",
        "-t",
        OLD,
        "-t",
        MIDDLE,
        "-t",
        NEW,
        "-t",
        OTHER,
        "--seeds",
        &regress,
        "--oracles",
        "crash,answer,model,differential",
        "--timeout",
        "4s",
        "-o",
        "out",
        "-q",
        "--json",
    ]);
    let summary = ran.expect(10).json();
    assert_eq!(summary["own_failures"], serde_json::json!({}));
    let findings = folder
        .run(&["findings", "out", "--json"])
        .expect(10)
        .json_lines();
    let found = |kind: &str, target: &str, words: &str| {
        findings.iter().any(|finding| {
            finding["kind"] == kind
                && finding["target"] == target
                && finding["evidence"].as_str().unwrap().contains(words)
        })
    };
    for (kind, target, words) in [
        ("refutation-unsound", MIDDLE, "says unsat"),
        ("refutation-unsound", OLD, "says unsat"),
        ("solution-unsound", OLD, "fp.rem"),
        ("solution-unsound", OLD, "seq.nth"),
        ("invalid-model", MIDDLE, "str.fro"),
        ("crash", MIDDLE, "fpa2bv_converter.cpp"),
        ("crash", OLD, "SIGSEGV"),
    ] {
        assert!(
            found(kind, target, words),
            "{kind} {target} {words} is not in {findings:#?}"
        );
    }
    for finding in &findings {
        let target = finding["target"].as_str().unwrap();
        assert!(
            target == OLD || target == MIDDLE,
            "a new release is accused: {finding:#}"
        );
    }
}

#[test]
fn a_refutation_is_convicted_by_a_checked_model_alone() {
    let folder = with_solvers();
    let script = format!("{}/array-stores-cancel.smt2", seeds("regress"));
    let checked = folder.run(&[
        "check", &script, "-t", MIDDLE, "-t", NEW, "--claim", "silent", "--json",
    ]);
    let symptoms = checked.expect(10).json()["symptoms"].clone();
    assert_eq!(symptoms[0]["kind"], "refutation-unsound");
    assert_eq!(symptoms[0]["target"], MIDDLE);
    assert_eq!(symptoms[0]["against"], serde_json::json!([NEW]));
    assert!(
        symptoms[0]["evidence"]
            .as_str()
            .unwrap()
            .contains("define-fun"),
        "{symptoms:#}"
    );
}

#[test]
fn a_wrong_label_convicts_nobody() {
    let folder = with_solvers();
    folder.write(
        "seeds/unsat/a.smt2",
        "(set-logic QF_LIA)(declare-const x Int)(assert (> x 3))(check-sat)",
    );
    let checked = folder.run(&[
        "check", "seeds/unsat/a.smt2", "-t", NEW, "-t", OTHER, "--json",
    ]);
    let object = checked.expect(0).json();
    assert_eq!(object["case"]["claim"], "unsat");
    assert!(
        object["case"]["claim_refuted"]
            .as_str()
            .unwrap()
            .contains("satisfies every assertion")
    );
    let oracles = "crash,answer,model,differential";
    let hunt = [
        "hunt", "-t", NEW, "-t", OTHER, "--seeds", "seeds", "--oracles", oracles, "-o", "out",
        "--json",
    ];
    let summary = folder.run(&hunt).expect(0).json();
    assert_eq!(summary["findings"], 0);
    assert_eq!(
        summary["own_failures"].as_object().unwrap().len(),
        1,
        "{summary}"
    );
}

#[test]
fn a_finding_of_a_real_solver_reproduces_without_lydite() {
    let folder = with_solvers();
    let script = format!("{}/array-stores-cancel.smt2", seeds("regress"));
    let hunt = [
        "hunt", "-t", MIDDLE, "-t", NEW, "--seeds", &script, "-o", "out", "-q",
    ];
    folder.run(&hunt).expect(10);
    let finding = &folder.run(&["findings", "out", "--json"]).json_lines()[0];
    let reproduce = folder
        .path()
        .join("out")
        .join(finding["reproduce"].as_str().unwrap());
    let run = |variable: Option<(&str, &str)>| {
        let mut command = std::process::Command::new(&reproduce);
        command
            .env_clear()
            .env("PATH", "/usr/bin:/bin")
            .envs(variable);
        String::from_utf8_lossy(&command.output().unwrap().stdout).into_owned()
    };
    let text = run(None);
    let (first, second) = text
        .split_once(&format!("== {NEW}"))
        .expect("both targets are run");
    assert!(first.contains("\nunsat\n"), "{text}");
    assert!(second.contains("\nsat\n"), "{text}");
    // Another binary can be named.
    let echoed = run(Some(("Z3_4_8_9", "/bin/echo")));
    assert!(echoed.contains("\ncase.smt2\n"), "{echoed}");
}

#[test]
fn the_newest_releases_agree_with_every_seed() {
    let folder = with_solvers();
    let mut args = vec!["hunt", "-t", NEW, "-t", OTHER, "-o", "out", "-q", "--json"];
    args.extend([
        "--oracles",
        "crash,answer,model,differential",
        "--timeout",
        "20s",
    ]);
    let folders = ["sat", "unsat", "incremental"].map(seeds);
    for seeds in &folders {
        args.extend(["--seeds", seeds]);
    }
    let summary = folder.run(&args).expect(0).json();
    assert_eq!(summary["cases"], 100);
    for row in summary["outcomes"].as_array().unwrap() {
        assert_eq!(row["outcome"], "answered", "{row}");
    }
}

/// What `lydite prove` says of each obligation.
fn proofs(folder: &Folder, strategy: &str, more: &[&str]) -> Vec<serde_json::Value> {
    let mut args = vec![
        "prove", strategy, "-t", NEW, "-t", OTHER_EXP, "--json", "-q",
    ];
    args.extend(more);
    folder.run(&args).expect(0).json_lines()
}

fn proved(all: &[serde_json::Value]) -> usize {
    all.iter().filter(|one| one["proof"] == "proved").count()
}

#[test]
fn the_fusion_functions_are_proved() {
    let folder = with_solvers();
    let all = proofs(&folder, "fusion", &["--timeout", "5s"]);
    assert!(all.len() > 150, "{}", all.len());
    // That nobody finds a counterexample is the point; a proof may take long.
    assert!(proved(&all) > all.len() * 9 / 10, "{all:#?}");
}

#[test]
fn tables_of_the_user_are_proved_before_they_are_used() {
    let folder = with_solvers();
    let sat = seeds("sat");
    let generate = |strategy: &str, set: &str| {
        folder.run(&[
            "generate", strategy, "--seeds", &sat, "--set", set, "-n", "1", "-o", "-",
        ])
    };
    let function = |at: &str| {
        format!(
            "#begin\n(declare-const x Int) (declare-const y Int) (declare-const z Int)\n\
             (assert (= z (+ x y)))\n(assert (= x (ite {at} 0 (- z y))))\n#end\n"
        )
    };
    let rule = |at: &str| format!("vars i : Int\nmine: {at} => (distinct i 1234567)\n");
    // The wrong ones are right for every small value, so that the check by
    // evaluation lets them pass.
    for (strategy, key, right, wrong) in [
        (
            "fusion",
            "functions",
            function("(< x x)"),
            function("(= x 123456789)"),
        ),
        ("weaken", "rules", rule("(< i 5)"), rule("(> i 5)")),
    ] {
        folder.write("right.txt", &right);
        let ran = generate(strategy, &format!("{key}=right.txt"));
        let stderr = ran.expect(0).stderr;
        assert!(stderr.contains("proved"), "{stderr}");
        folder.write("wrong.txt", &wrong);
        let wrong = format!("{key}=wrong.txt");
        let stderr = generate(strategy, &wrong).expect(2).stderr;
        assert!(stderr.contains("is wrong: the model of"), "{stderr}");
        assert!(stderr.contains("define-fun"), "{stderr}");
        folder.run(&["prove", strategy, "--set", &wrong]).expect(10);
        let hunt = [
            "hunt", "-t", NEW, "--seeds", &sat, "--strategy", strategy, "--set", &wrong,
        ];
        folder.run(&hunt).expect(2);
    }
}

#[test]
fn the_models_of_every_solver_are_read_and_checked() {
    let folder = Folder::new();
    folder.write(
        "all.smt2",
        "(set-logic ALL)(declare-const x (_ BitVec 8))(declare-fun f (Int) Int)\
         (declare-const a (Array Int Int))(declare-const s String)(declare-const r Real)\
         (assert (= (bvmul x x) #x31))(assert (= (f 3) 4))(assert (= (f 4) 9))\
         (assert (= (select a 1) 5))(assert (= (str.len s) 2))(assert (= (* 3.0 r) 1.0))(check-sat)",
    );
    folder.write(
        "arrays.smt2",
        "(set-logic QF_ABV)(declare-const x (_ BitVec 8))\
         (declare-const a (Array (_ BitVec 8) (_ BitVec 8)))(assert (= (bvmul x x) #x31))\
         (assert (= (select a x) #x05))(assert (not (= (select a #x00) #x05)))(check-sat)",
    );
    folder.write(
        "floats.smt2",
        "(set-logic QF_FP)(declare-const x (_ FloatingPoint 8 24))\
         (assert (fp.lt x ((_ to_fp 8 24) RNE 0.1)))(assert (not (fp.isNaN (fp.sqrt RNE x))))(check-sat)",
    );
    for (target, files) in [
        (OLD, vec!["all", "arrays", "floats"]),
        (NEW, vec!["all", "arrays", "floats"]),
        (OTHER, vec!["all", "arrays", "floats"]),
        ("cvc5@1.0.3", vec!["all", "arrays"]),
        ("cvc4@1.8", vec!["all", "arrays"]),
        ("bitwuzla@0.9.1", vec!["arrays", "floats"]),
        ("yices@2.6.5", vec!["arrays"]),
    ] {
        folder.run(&["targets", "install", target, "-q"]).expect(0);
        for name in files {
            // Only a model that was read and found right refutes the claim.
            let file = format!("{name}.smt2");
            let ran = folder.run(&[
                "check", &file, "-t", target, "--claim", "unsat", "--timeout", "60s", "--json",
            ]);
            let refuted = &ran.expect(0).json()["case"]["claim_refuted"];
            assert!(refuted.is_string(), "{target} {name}");
        }
    }
}

#[test]
fn every_weakening_rule_is_proved() {
    /// Neither solver decides these within seconds: the lexicographic order
    /// of strings. The evaluator checks them on values, as it does all rules.
    const OPEN: [&str; 3] = ["string-le-part", "string-le-append", "string-lt-append"];
    let folder = with_solvers();
    let all = proofs(&folder, "weaken", &["--timeout", "2s"]);
    assert!(all.len() > 500);
    // Signs of operators that neither solver takes with so many arguments rest
    // on the evaluator too.
    let is_refused = |one: &Value| {
        let why = one["why"].as_str().unwrap_or_default();
        let sign = one["obligation"].as_str().unwrap().contains(" monotone ");
        sign && why.split("; ").all(|said| said.contains(": rejected: "))
    };
    let mut refused = 0;
    for one in &all {
        let rule = one["obligation"].as_str().unwrap();
        if is_refused(one) {
            refused += 1;
            continue;
        }
        assert!(one["proof"] == "proved" || OPEN.contains(&rule), "{one:#}");
    }
    assert!(refused < 10, "{refused} of {} signs are refused", all.len());
}

#[test]
fn a_finding_of_an_old_release_is_reduced_and_bisected() {
    let folder = with_solvers();
    let script = "(set-logic ALL)(declare-fun s () (Seq Int))(declare-fun t () (Seq Int))
        (assert (= t (seq.++ s (seq.unit 3))))(assert (<= (seq.len s) 2))
        (assert (= (seq.nth t 0) 5))(assert (= s (as seq.empty (Seq Int))))
        (set-info :status unsat)(check-sat)";
    folder.write("seeds/a.smt2", script);
    folder
        .run(&[
            "hunt", "-t", OLD, "-t", NEW, "-t", OTHER, "--seeds", "seeds", "--oracles",
            "answer,model,differential", "-o", "out", "-q",
        ])
        .expect(10);
    let reduced = folder
        .run(&["reduce", "out", "--json", "-q"])
        .expect(0)
        .json();
    let bytes = |key: &str| reduced[key].as_u64().unwrap();
    assert!(
        bytes("reduced_bytes") * 3 < bytes("bytes") * 2,
        "{reduced:#}"
    );
    let life = folder.run(&["bisect", "out", "--versions", ">=4.8.5", "--json", "-q"]);
    let life = life.expect(0).json();
    let seen = |version: &str| {
        let runs = life["versions"].as_array().unwrap();
        let run = runs.iter().find(|run| run["version"] == version).unwrap();
        run["seen"].clone()
    };
    assert_eq!(seen("4.8.5"), "bad", "{life:#}");
    assert_eq!(seen("4.8.9"), "good", "{life:#}");
    assert_eq!(seen("5.4.0"), "good", "{life:#}");
    let findings = folder.run(&["findings", "out", "--json"]).expect(10).json();
    assert_eq!(findings["since"], "4.8.5 or earlier");
    assert_eq!(findings["fixed_in"], life["fixed_in"]);
    assert_eq!(findings["reduced_bytes"], reduced["reduced_bytes"]);
}
