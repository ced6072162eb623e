//! Incompleteness of real releases: an unknown where an older version, or the
//! same version one step before, knows the answer.

use crate::lydite::Folder;

const OLD: &str = "z3@4.8.5";
const MIDDLE: &str = "z3@4.8.9";
const NEW: &str = "z3@5.4.0";

#[test]
fn incompleteness_of_real_releases_is_found() {
    let folder = Folder::new();
    let regressed = "z3@4.8.7";
    folder
        .run(&["targets", "install", OLD, regressed, MIDDLE, NEW, "-q"])
        .expect(0);
    let check = |args: &[&str]| {
        let mut all = vec![
            "check",
            "--oracles",
            "incomplete-regression,incomplete-implication",
        ];
        all.extend(args);
        all.extend(["--timeout", "60s", "--json"]);
        let symptoms = folder.run(&all).json()["symptoms"].clone();
        let line = |symptom: &serde_json::Value| {
            let word = |key: &str| symptom[key].as_str().unwrap().to_string();
            format!("{} {}", word("kind"), word("target"))
        };
        symptoms
            .as_array()
            .unwrap()
            .iter()
            .map(line)
            .collect::<Vec<_>>()
    };
    // The formula of z3's issue 5338, as this release sees it.
    folder.write(
        "a.smt2",
        "(assert (forall ((v Int)) (= 0 v)))(assert (= 0 (mod 0 0)))(check-sat)",
    );
    assert_eq!(
        check(&["a.smt2", "-t", OLD, "-t", regressed, "-t", NEW]),
        [format!("incomplete-regression {regressed}")]
    );
    // The second is weaker: equal strings are digits both or neither (5491).
    let declared = "(declare-const p String)(declare-const t String)";
    folder.write("0.smt2", format!("{declared}(assert (= t p))(check-sat)"));
    folder.write(
        "1.smt2",
        format!("{declared}(assert (= (str.is_digit t) (str.is_digit p)))(check-sat)"),
    );
    let chain = ["0.smt2", "1.smt2", "-t", MIDDLE, "-t", NEW, "--claim"];
    assert_eq!(
        check(&[&chain[..], &["weakens"]].concat()),
        [format!("incomplete-implication {MIDDLE}")]
    );
    assert!(check(&[&chain[..], &["strengthens"]].concat()).is_empty());
}
