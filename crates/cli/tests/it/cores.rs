//! Oracle `core` in the presets that name it: a solver whose unsat cores are
//! wrong is found by each of their strategies, a right one is not accused.

use crate::lydite::{Folder, zoo_targets};

/// The plan of a preset with solvers of the zoo, seeds of our own and so many
/// cases of one of its strategies, without reduction.
fn plan(preset: &str, strategy: &str, solver: &str) -> String {
    let path = format!("{}/presets/{preset}.toml", env!("CARGO_MANIFEST_DIR"));
    #[allow(clippy::disallowed_methods)] // A test reads its data.
    let text = std::fs::read_to_string(path).unwrap();
    let oracles = text.lines().find(|line| line.starts_with("oracles = "));
    assert!(text.contains(&format!("name = \"{strategy}\"")), "{preset}");
    format!(
        "targets = [\"{solver}\", \"zoo-solver\"]\n{}\ncases = 40\nschedule = \"fixed\"\n\
         [[strategy]]\nname = \"{strategy}\"\nseeds = [\"seeds\"]\n",
        oracles.unwrap()
    )
}

fn write_seeds(folder: &Folder) {
    let declared = "(set-logic QF_UF)(declare-const p Bool)(declare-const q Bool)\
                    (declare-const r Bool)";
    for (name, assertions) in [
        (
            "unsat/a",
            "(assert (or p q))(assert (not p))(assert (not q))",
        ),
        ("unsat/b", "(assert (= p q))(assert (xor p q))(assert r)"),
        ("unsat/c", "(assert (=> p q))(assert p)(assert (not q))"),
        (
            "unsat/d",
            "(assert (and p r))(assert (ite q (not p) (not r)))",
        ),
    ] {
        let script = format!("{declared}{assertions}(check-sat)");
        folder.write(&format!("seeds/{name}.smt2"), script);
    }
}

#[test]
fn a_wrong_core_is_found_by_every_strategy_of_every_preset_that_looks_for_one() {
    let folder = Folder::new();
    let zoo = zoo_targets();
    write_seeds(&folder);
    for (preset, strategy, solver, status) in [
        ("smt-operators", "operators", "zoo-solver:short-core", 10),
        ("smt-typed", "typed", "zoo-solver:short-core", 10),
        ("smt-all", "fusion", "zoo-solver:short-core", 10),
        ("smt-all", "weaken", "zoo-solver:short-core", 10),
        ("smt-all", "weaken", "zoo-solver:no-ite", 0),
    ] {
        let name = format!("{preset}-{strategy}-{status}");
        let file = format!("{name}.toml");
        folder.write(&file, plan(preset, strategy, solver));
        folder
            .run(&[
                "hunt", &file, "--target-files", &zoo, "--reduce", "0s", "-o", &name, "-q",
            ])
            .expect(status);
        let findings = folder.run(&["findings", &name, "--json"]).expect(status);
        let of_core = |finding: &serde_json::Value| {
            let signature = finding["signature"].as_str().unwrap();
            signature.contains("core is sat")
        };
        let found = findings.json_lines().iter().any(of_core);
        assert_eq!(found, status == 10, "{name}: {}", findings.stdout);
    }
}

#[test]
fn assumptions_that_are_not_to_blame_are_found() {
    let folder = Folder::new();
    let zoo = zoo_targets();
    folder.write(
        "seeds/a.smt2",
        "(set-logic QF_UF)(declare-const p Bool)(declare-const q Bool)\
         (assert (or (not p) (not q)))(check-sat-assuming (p q))",
    );
    for (solver, status) in [("zoo-solver:short-assumptions", 10), ("zoo-solver", 0)] {
        let name = solver.replace(':', "-");
        folder
            .run(&[
                "hunt", "-t", solver, "-t", "zoo-solver:bad-model", "--strategy", "operators",
                "--seeds", "seeds", "--cases", "60", "--oracles", "core", "--target-files", &zoo,
                "--set", "rounds=1", "-o", &name, "-q",
            ])
            .expect(status);
    }
}
