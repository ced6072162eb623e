//! Strategies that judge one solver alone: each finds a planted bug that the older
//! ones cannot see without a second solver, keeps it while it is reduced, and
//! accuses nobody who is right.

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
        (
            "sat/e",
            "(assert (or (and p q r) (and q r p) (and p r q) (and (not p) (not q)) (and p (not r))))",
        ),
        ("unsat/d", "(assert (and p r))(assert (or (not p) (not r)))"),
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
    ("last-distinct", "partition", "disagreement"),
    (
        "crowd",
        "history --set from-bank=false --set share=false",
        "crash",
    ),
    ("greedy-soft", "objectives --set only=lex", "wrong-optimum"),
];

#[test]
fn each_finds_what_the_older_strategies_cannot_see_on_one_solver() {
    let folder = Folder::new();
    write_seeds(&folder);
    for (bug, strategy, kind) in BUGS {
        let signatures = found(&folder, &format!("zoo-solver:{bug}"), strategy, MANY);
        let is_it = |signature: &String| signature.contains(kind) || signature.contains("-unsound");
        assert!(signatures.iter().any(is_it), "{bug}: {signatures:?}");
    }
    for older in ["fusion", "operators", "typed", "weaken"] {
        let signatures = found(&folder, "zoo-solver:judged", older, FEW);
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
