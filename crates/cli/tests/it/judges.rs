//! Judges that say something of one solver alone, or of what is printed behind an answer:
//! each finds a planted bug that the others cannot see, keeps it while it is reduced,
//! and accuses nobody who is right.

use crate::lydite::target_file::TargetFile;
use crate::lydite::{Folder, zoo_targets};

/// Seeds that show none of the planted bugs.
fn write_seeds(folder: &Folder) {
    let declared = "(set-logic QF_UF)(declare-const p Bool)(declare-const q Bool)\
                    (declare-const r Bool)";
    for (name, assertions) in [
        ("sat/a", "(assert (or p q))(assert (or (not p) r))"),
        (
            "sat/b",
            "(assert (or p (and q r)))(assert (or (not q) (not r)))",
        ),
        (
            "unsat/c",
            "(assert (or p q))(assert (not p))(assert (not q))",
        ),
        ("sat/e", "(assert (ite p (ite q p r) (ite r (not q) q)))"),
        (
            "sat/f",
            "(define-fun d () Bool (and p q))(define-fun e () Bool (or q r))\
             (assert (or d e))(assert (not d))",
        ),
        ("unsat/d", "(assert (and p r))(assert (or (not p) (not r)))"),
        // What no evaluation of ours decides, whatever p and q are.
        (
            "open/g",
            "(assert (forall ((x Int)) (exists ((y Int)) (or p q))))(assert (or q r))",
        ),
        (
            "open/h",
            "(assert (forall ((x Int)) (exists ((y Int)) (=> p q))))(assert (or p r))",
        ),
    ] {
        let script = format!("{declared}{assertions}(check-sat)");
        folder.write(&format!("seeds/{name}.smt2"), script);
    }
}

/// How many cases show a bug, and how many show that there is none to be seen.
const MANY: &str = "150";
const FEW: &str = "50";

/// What a hunt on one solver with one strategy finds: the signatures.
fn found(folder: &Folder, solver: &str, strategy: &str, cases: &str) -> Vec<String> {
    let (zoo, output) = (
        zoo_targets(),
        format!("{solver}-{strategy}").replace([':', ' ', '='], "-"),
    );
    let strategy_words: Vec<&str> = strategy.split(' ').collect();
    let [strategy, settings @ ..] = strategy_words.as_slice() else {
        panic!("a strategy");
    };
    let mut args = vec![
        "hunt",
        "-t",
        solver,
        "--strategy",
        strategy,
        "--seeds",
        "seeds",
        "--cases",
        cases,
        "--oracles",
        "crash,answer,objective,differential",
        "--schedule",
        "fixed",
        "--target-files",
        &zoo,
        "-o",
        &output,
        "-q",
    ];
    args.extend(settings);
    if cases == MANY {
        args.extend(["--reduce", "20s"]);
    }
    let ran = folder.run(&args);
    assert!(
        ran.stderr.is_empty() || !ran.stderr.contains("error"),
        "{}",
        ran.stderr
    );
    let listed = folder.run(&["findings", &output, "--json"]);
    let lines = listed.json_lines();
    let signature = |line: &serde_json::Value| line["signature"].as_str().unwrap().to_string();
    lines.iter().map(signature).collect()
}

/// A bug, who finds it with which settings, and what is said.
const BUGS: [(&str, &str, &str); 5] = [
    ("only-true", "witness", "refutation-unsound"),
    ("no-assumptions", "equals", "disagreement"),
    ("last-compared", "partition", "disagreement"),
    ("defined-ite", "history --set from-bank=false", "crash"),
    ("greedy-soft", "objectives --set only=lex", "wrong-optimum"),
];

#[test]
fn each_finds_what_no_other_strategy_sees_on_one_solver() {
    let folder = Folder::new();
    write_seeds(&folder);
    for (bug, strategy, kind) in BUGS {
        let signatures = found(&folder, &format!("zoo-solver:{bug}"), strategy, MANY);
        let is_it = |signature: &String| signature.contains(kind) || signature.contains("-unsound");
        assert!(signatures.iter().any(is_it), "{bug}: {signatures:?}");
        for (_, other, _) in BUGS.iter().filter(|(other, ..)| *other != bug) {
            let signatures = found(&folder, &format!("zoo-solver:{bug}"), other, FEW);
            assert_eq!(signatures, Vec::<String>::new(), "{bug}, {other}");
        }
    }
    for older in ["fusion", "operators", "typed", "weaken"] {
        let signatures = found(&folder, "zoo-solver:judged", older, MANY);
        assert_eq!(signatures, Vec::<String>::new(), "{older}");
    }
}

#[test]
fn nobody_who_is_right_is_accused() {
    let folder = Folder::new();
    write_seeds(&folder);
    for (_, strategy, _) in BUGS {
        let signatures = found(&folder, "zoo-solver", strategy, FEW);
        assert_eq!(signatures, Vec::<String>::new(), "{strategy}");
    }
}

/// A judge of what solvers print behind their answers.
struct Asked {
    /// Who has the bug, and who else is asked.
    targets: &'static [&'static str],
    script: &'static str,
    /// What the judge says.
    kind: &'static str,
    site: &'static str,
    oracle: &'static str,
    /// Whom all others judge, and what they say: nothing, or less.
    others: &'static [&'static str],
    less: &'static str,
    /// The same solvers without the bug.
    right: &'static [&'static str],
}

const CELL: &str = "(declare-datatypes ((Cell 0)) (((none) (some (val Bool) (rest Bool)))))";

/// Oracles that are not about what is printed behind an answer.
const PLAIN: &str = "crash,answer,objective,differential";

const TWO: &[&str] = &["zoo-solver", "zoo-twin"];

const ASKED: [Asked; 7] = [
    Asked {
        targets: &["zoo-solver:proofs"],
        script: "(assert (not (=> p q p)))(check-sat)",
        kind: "crash",
        site: "rules.cpp",
        oracle: "crash",
        others: &["zoo-solver:bad-proof", "zoo-twin"],
        less: "",
        right: TWO,
    },
    Asked {
        targets: &["zoo-solver:short-core", "zoo-twin"],
        script: "(assert (! p :named a))(assert (! (not p) :named b))(check-sat)(get-unsat-core)",
        kind: "refutation-unsound",
        site: "core is sat",
        oracle: "core",
        others: &["zoo-solver:short-core", "zoo-twin"],
        less: "",
        right: TWO,
    },
    Asked {
        targets: &["zoo-solver:short-assumptions", "zoo-twin"],
        script: "(assert (or (not p) (not q)))(check-sat-assuming (p q))(get-unsat-assumptions)",
        kind: "refutation-unsound",
        site: "core is sat",
        oracle: "core",
        others: &["zoo-solver:short-assumptions", "zoo-twin"],
        less: "",
        right: TWO,
    },
    Asked {
        targets: &["zoo-solver:minimal-cores", "zoo-twin"],
        script: "(assert (! p :named a))(assert (! q :named b))(assert (not p))(check-sat)\
                 (get-unsat-core)",
        kind: "wrong-output",
        site: "core is not minimal",
        oracle: "core",
        others: &["zoo-solver:minimal-cores", "zoo-twin"],
        less: "",
        right: &["zoo-twin:minimal-cores", "zoo-solver"],
    },
    Asked {
        targets: &["zoo-solver:quantified-model", "zoo-twin"],
        script: "(assert (exists ((x Int)) (and p q)))(check-sat)",
        kind: "invalid-model",
        site: "false under its model",
        oracle: "model",
        others: &["zoo-solver:quantified-model", "zoo-twin"],
        less: "",
        right: TWO,
    },
    Asked {
        targets: &["zoo-solver:left-out", "zoo-twin"],
        script: "(assert (xor p q))(assert (or p (not q) r))(check-sat)",
        kind: "invalid-model",
        site: "false assertion",
        oracle: "model",
        others: &["zoo-solver:left-out", "zoo-twin"],
        less: "",
        right: TWO,
    },
    Asked {
        targets: &["zoo-solver:open-false", "zoo-twin"],
        script: "(assert (and (val none) (not (rest none))))(check-sat)",
        kind: "refutation-unsound",
        site: "unsat not sat",
        oracle: "model",
        others: &["zoo-solver:open-false", "zoo-twin"],
        less: "disagreement",
        right: TWO,
    },
];

/// What these oracles say of one script, and how it is put to these solvers.
fn said(folder: &Folder, number: usize, targets: &[&str], oracles: &str) -> Vec<String> {
    let zoo = zoo_targets();
    let output = format!("{number}-{}-{oracles}", targets.join("-")).replace([':', ','], "-");
    let seeds = format!("asked/{number}");
    let mut args = vec![
        "hunt", "--strategy", "files", "--seeds", &seeds, "--oracles", oracles, "--reduce", "5s",
        "--schedule", "fixed", "--target-files", &zoo, "-o", &output, "-q",
    ];
    args.extend(targets.iter().flat_map(|target| ["-t", target]));
    let ran = folder.run(&args);
    assert!(!ran.stderr.contains("error"), "{}", ran.stderr);
    let listed = folder.run(&["findings", &output, "--json"]);
    let lines = listed.json_lines();
    let signature = |line: &serde_json::Value| line["signature"].as_str().unwrap().to_string();
    lines.iter().map(signature).collect()
}

#[test]
fn what_is_printed_behind_an_answer_is_judged_by_one_oracle_alone() {
    let folder = Folder::new();
    for (number, row) in ASKED.iter().enumerate() {
        let options = match row.script {
            script if script.contains(":named") => "(set-option :produce-unsat-cores true)",
            script if script.contains("assumptions") => {
                "(set-option :produce-unsat-assumptions true)"
            }
            _ => "",
        };
        let declared = "(declare-const p Bool)(declare-const q Bool)(declare-const r Bool)";
        let cell = if row.script.contains("none") {
            CELL
        } else {
            ""
        };
        let text = format!("{options}(set-logic ALL){declared}{cell}{}", row.script);
        folder.write(&format!("asked/{number}/a.smt2"), text);
        let found = said(&folder, number, row.targets, row.oracle);
        let is_it = |one: &String| one.contains(row.kind) && one.contains(row.site);
        assert!(found.iter().any(is_it), "{}: {found:?}", row.targets[0]);
        let all = [PLAIN, "model", "core"].join(",");
        let others = match row.oracle {
            "crash" => all.clone(),
            "core" => [PLAIN, "model"].join(","),
            _ => [PLAIN, "core"].join(","),
        };
        let other = said(&folder, number, row.others, &others);
        let is_less = |one: &String| !row.less.is_empty() && one.contains(row.less);
        assert!(other.iter().all(is_less), "{}: {other:?}", row.targets[0]);
        assert_eq!(said(&folder, number, row.right, &all), Vec::<String>::new());
    }
}

#[test]
fn an_option_that_promises_minimal_cores_is_held_to_it() {
    let folder = Folder::new();
    let text = "(set-option :produce-unsat-cores true)(declare-const p Bool)(declare-const q Bool)\
                (assert (! p :named a))(assert (! q :named b))(assert (! (not p) :named c))\
                (check-sat)(get-unsat-core)";
    for number in 0..8 {
        folder.write(
            &format!("seeds/{number}.smt2"),
            format!("; {number}\n{text}"),
        );
    }
    let found = |promises: &str, output: &str| {
        let args = r#"["--bug", "fat-core", "--minimal-cores"]"#;
        let file = TargetFile::new("fat")
            .keys(&format!("option = [{{ args = {args}{promises} }}]"))
            .commands(&["zoo-solver"])
            .like_zoo_solver()
            .version(&["{bin}", "--version"], r"zoo-solver (\S+)")
            .write(&folder, "fat.toml");
        let (zoo, file) = (zoo_targets(), file.display().to_string());
        folder.run(&[
            "hunt", "-t", "fat", "-t", "zoo-twin", "--strategy", "files", "--seeds", "seeds",
            "--oracles", "core", "--options", "1", "--schedule", "fixed", "--target-files", &zoo,
            "--target-files", &file, "-o", output, "-q",
        ]);
        let findings = folder.run(&["findings", output, "--json"]).json_lines();
        let line = |one: &serde_json::Value| format!("{} {}", one["signature"], one["options"]);
        findings.iter().map(line).collect::<Vec<String>>()
    };
    let kept = found(", promises = \"minimal-cores\"", "kept");
    let is_it = |one: &String| one.contains("core is not minimal") && one.contains("--minimal");
    assert!(kept.len() == 1 && kept.iter().all(is_it), "{kept:?}");
    assert_eq!(found("", "none"), Vec::<String>::new());
}

#[test]
fn a_program_that_needs_what_a_target_does_not_know_is_not_run() {
    let folder = Folder::new();
    // Says in a file that it ran.
    let ran = folder.path().join("ran");
    let script = format!("echo run >>{}; echo sat", ran.display());
    let script = folder.write("small.sh", script).display().to_string();
    let file = TargetFile::new("small")
        .keys("knows = [\"bitvectors\", \"floats\"]")
        .commands(&["sh"])
        .step(&["{bin}", &script, "{file}"])
        .version(&["echo", "small 1.0"], r"small (\S+)")
        .smoke("")
        .write(&folder, "small.toml")
        .display()
        .to_string();
    for (name, asserted) in [
        ("ints", "(declare-const x Int)(assert (= x 1))"),
        ("bits", "(declare-const x (_ BitVec 4))(assert (= x #x1))"),
        (
            "decimal",
            "(declare-const x Float16)(assert (= x ((_ to_fp 5 11) RNE 0.5)))",
        ),
        (
            "all",
            "(declare-const x Bool)(assert (forall ((y Bool)) (= x y)))",
        ),
    ] {
        let text = format!("(set-logic ALL){asserted}(check-sat)");
        folder.write(&format!("seeds/{name}.smt2"), text);
    }
    let args = [
        "hunt", "-t", "small", "--strategy", "files", "--seeds", "seeds", "--target-files", &file,
        "--oracles", "crash", "--schedule", "fixed", "-o", "out", "--json",
    ];
    let hunted = folder.run(&args).expect(0).json();
    let runs_of = |outcome: &str| {
        let mut rows = hunted["outcomes"].as_array().unwrap().iter();
        rows.find(|row| row["outcome"] == outcome)
            .map(|row| row["runs"].clone())
    };
    assert_eq!(runs_of("unsupported"), Some(2.into()), "{hunted}");
    assert_eq!(runs_of("answered"), Some(2.into()), "{hunted}");
    let runs = std::fs::read_to_string(&ran).unwrap().lines().count();
    assert!((2..=4).contains(&runs), "{runs}");
    let ints = folder.path().join("seeds/ints.smt2").display().to_string();
    let checked = folder.run(&["check", &ints, "-t", "small", "--target-files", &file]);
    assert!(checked.stdout.contains("ints"), "{}", checked.stdout);
}
