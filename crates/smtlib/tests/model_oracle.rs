//! What the oracle `model` says of whom.

use std::time::Duration;

use lydite_core::{
    Answer, Capture, Case, Exit, Observation, Oracle, Outcome, Program, Role, Table, Verdict,
};
use lydite_smtlib::oracle::ModelOracle;

/// An observation: target, its verdicts and what it printed.
fn observation(target: &str, output: &str) -> Observation {
    let verdicts = output
        .split_whitespace()
        .filter_map(Verdict::from_name)
        .collect();
    Observation {
        program: 0,
        target: target.parse().expect("a target's name"),
        role: Role::Tested,
        outcome: Outcome::Answered(Answer::Verdicts(verdicts)),
        exit: Exit::Status(0),
        wall: Duration::ZERO,
        cpu: Duration::ZERO,
        peak_kb: 0,
        stdout: Capture::whole(output),
        stderr: Capture::default(),
        promises: Vec::new(),
    }
}

fn judged(claim: &str, script: &str, outputs: &[(&str, &str)]) -> Vec<String> {
    let program = Program::single("a.smt2", script.as_bytes().to_vec());
    let case = Case::single(program, claim.parse().expect("a claim"));
    let table = Table {
        timeout: Duration::from_secs(8),
        observations: outputs
            .iter()
            .map(|(target, output)| observation(target, output))
            .collect(),
    };
    let symptoms = ModelOracle.judge(&case, &table);
    let line = |s: lydite_core::Symptom| {
        let against: Vec<String> = s.against.iter().map(ToString::to_string).collect();
        format!("{} {} [{}] {}", s.kind, s.target, against.join(" "), s.site)
    };
    symptoms.into_iter().map(line).collect()
}

const SCRIPT: &str =
    "(declare-fun x () Int)(assert (> x 3))(check-sat)\n(assert (< x 9))(check-sat)";
const GOOD: &str = "sat\n((define-fun x () Int 5))\nsat\n((define-fun x () Int 5))";
const BAD: &str = "sat\n((define-fun x () Int 5))\nsat\n((define-fun x () Int 10))";

#[test]
fn a_checked_model_convicts_who_said_unsat() {
    let rows = [
        ("z3", GOOD),
        ("cvc5@1.0.9", "sat\nunsat\n"),
        ("yices", GOOD),
    ];
    assert_eq!(
        judged("silent", SCRIPT, &rows),
        ["refutation-unsound cvc5@1.0.9 [z3 yices] unsat not sat"]
    );
    let program = Program::single("a.smt2", SCRIPT.as_bytes().to_vec());
    let case = Case::single(program, "silent".parse().unwrap());
    let observations = rows
        .iter()
        .map(|(target, output)| observation(target, output));
    let table = Table {
        timeout: Duration::ZERO,
        observations: observations.collect(),
    };
    let symptoms = ModelOracle.judge(&case, &table);
    assert!(symptoms[0].evidence.contains("(define-fun x () Int 5)"));
}

#[test]
fn an_error_where_there_is_no_model_is_expected() {
    let output = "sat\n((define-fun x () Int 5))\nunsat\n(error \"model is not available\")";
    assert_eq!(
        judged("silent", SCRIPT, &[("z3", output), ("cvc5", GOOD)]),
        ["refutation-unsound z3 [cvc5] unsat not sat"]
    );
}

#[test]
fn a_wrong_model_convicts_its_author() {
    assert_eq!(
        judged("silent", SCRIPT, &[("z3", BAD), ("cvc5", "sat\nunsat")]),
        ["invalid-model z3 [] false assertion"]
    );
    assert_eq!(
        judged("sat unsat", SCRIPT, &[("z3", BAD)]),
        ["solution-unsound z3 [] sat not unsat"]
    );
    assert_eq!(
        judged("sat sat", SCRIPT, &[("z3", BAD), ("cvc5", GOOD)]),
        ["invalid-model z3 [] false assertion"]
    );
}

#[test]
fn what_cannot_be_decided_convicts_nobody() {
    for (script, outputs) in [
        (SCRIPT, vec![("z3", "sat\nsat\n"), ("cvc5", "unsat\nunsat")]),
        (
            SCRIPT,
            vec![("z3", "unknown\n((define-fun x () Int 1))\nunknown")],
        ),
        (
            SCRIPT,
            vec![("z3", "unsat\n((define-fun x () Int 1))\nunsat")],
        ),
        (
            SCRIPT,
            vec![
                ("z3", "sat\n(garbage))(\nsat\n\u{0}"),
                ("cvc5", "unsat\nunsat"),
            ],
        ),
        ("(declare-fun x () Int", vec![("z3", GOOD)]),
        // An error in front: it did not see the whole script.
        (
            SCRIPT,
            vec![(
                "z3",
                "(error \"line 1: unknown constant\")\nsat\n((define-fun x () Int 0))\nsat",
            )],
        ),
        (
            "(declare-fun x () Int)(assert (forall ((y Int)) (= (* y 0) 0)))(check-sat)",
            vec![("z3", "sat\n((define-fun x () Int 1))"), ("cvc5", "unsat")],
        ),
    ] {
        assert!(
            judged("silent", script, &outputs).is_empty(),
            "{script} {outputs:?}"
        );
    }
}

#[test]
fn every_sat_gets_a_remark_on_how_far_it_could_be_judged() {
    let remarked = |script: &str, output: &str| -> Vec<String> {
        let program = Program::single("a.smt2", script.as_bytes().to_vec());
        let case = Case::single(program, "silent".parse().unwrap());
        let table = Table {
            timeout: Duration::ZERO,
            observations: vec![observation("z3", output)],
        };
        let judgement = ModelOracle.judgement(&case, &table);
        assert_eq!(judgement.symptoms, ModelOracle.judge(&case, &table));
        let line = |r: lydite_core::Remark| format!("{} {} {}", r.target, r.decided, r.what);
        judgement.remarks.into_iter().map(line).collect()
    };
    let forall = "(declare-fun x () Int)(assert (forall ((y Int)) (= (* y 0) 0)))(check-sat)";
    let schematic = "(declare-fun x () Int)(assert (par (a) (= x 1)))(check-sat)";
    for (script, output, expected) in [
        (
            SCRIPT,
            GOOD,
            &["z3 true model right", "z3 true model right"][..],
        ),
        (SCRIPT, BAD, &["z3 true model right", "z3 true model wrong"]),
        (
            SCRIPT,
            "sat\nsat\n",
            &["z3 false no model", "z3 false no model"],
        ),
        (
            SCRIPT,
            "sat\n(error \"what\")\nunsat",
            &["z3 false output not read"],
        ),
        (SCRIPT, "unsat\nunknown\n", &[]),
        ("(assert", "sat\n()", &["z3 false script not read"]),
        (
            forall,
            "sat\n((define-fun x () Int 1))",
            &["z3 false model open: quantifier"],
        ),
        (
            schematic,
            "sat\n((define-fun x () Int 1))",
            &["z3 false model open: not evaluated"],
        ),
    ] {
        assert_eq!(remarked(script, output), expected, "{script} {output}");
    }
}

#[test]
fn a_truncated_output_is_not_judged() {
    let mut bad = observation("z3", BAD);
    bad.stdout.dropped = 5;
    let program = Program::single("a.smt2", SCRIPT.as_bytes().to_vec());
    let case = Case::single(program, "silent".parse().unwrap());
    let table = Table {
        timeout: Duration::ZERO,
        observations: vec![bad],
    };
    assert!(ModelOracle.judge(&case, &table).is_empty());
}

/// What is said when a target's model leaves x out, and behind that asks for x.
#[test]
fn what_a_model_leaves_out_is_asked_for_and_judged_by_what_its_author_says() {
    let script = "(declare-fun x () Int)(declare-const y Int)(assert (or (> x 0) (> y 3)))\
                  (assert (> y x))(check-sat)(get-model)(get-value ((div y 0)))";
    let follow = |model: &str, values: &str| {
        let mut case = Case::single(
            Program::single("a.smt2", script.as_bytes().to_vec()),
            "silent".parse().expect("a claim"),
        );
        let mut table = Table {
            timeout: Duration::from_secs(8),
            observations: vec![observation(
                "z3",
                &format!("sat\n({model})\n(((div y 0) 3))"),
            )],
        };
        let further = ModelOracle.follow_up(&case, &table);
        case.programs.extend(further);
        let mut second = observation("z3", &format!("sat\n({model})\n({values})"));
        second.program = 1;
        table.observations.push(second);
        // Nothing follows from what followed.
        assert_eq!(
            ModelOracle.follow_up(&case, &table),
            case.programs[1..].to_vec()
        );
        let asked = case.programs.get(1).map(|program| {
            let text = String::from_utf8_lossy(&program.source().text).into_owned();
            text.lines().last().unwrap_or_default().to_string()
        });
        let symptoms = ModelOracle.judge(&case, &table).into_iter();
        let symptoms = symptoms.map(|s| format!("{}/{} {}", s.program, s.kind, s.site));
        (asked, symptoms.collect::<Vec<String>>())
    };
    let any = "(define-fun y () Int 4)";
    let whole = "(define-fun x () Int 1) (define-fun y () Int 4)";
    let asked = Some("(get-value ((div y 0) x))".to_string());
    for (model, values, expected) in [
        (whole, "((div y 0) 3)", (None, vec![])),
        (any, "((div y 0) 3) (x 2)", (None, vec![])),
        (
            "(define-fun y () Int 1)(define-fun max ((x!0 Int)) Int x!0)",
            "((div y 0) 3) (x 0)",
            (
                asked.clone(),
                vec!["1/invalid-model false assertion".to_string()],
            ),
        ),
        (
            "(define-fun y () Int 2)",
            "((div y 0) 3) (x 1)",
            (asked.clone(), vec![]),
        ),
    ] {
        assert_eq!(follow(model, values), expected, "{model}");
    }
}
