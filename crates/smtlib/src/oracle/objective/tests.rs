use std::time::Duration;

use lydite_core::{Capture, Claim, Exit, Outcome, Role};

use super::*;

fn observation(target: &str, program: usize, stdout: &str) -> Observation {
    let verdicts = stdout
        .split_whitespace()
        .filter_map(Verdict::from_name)
        .collect();
    Observation {
        program,
        target: target.parse().unwrap(),
        role: Role::Tested,
        outcome: Outcome::Answered(Answer::Verdicts(verdicts)),
        exit: Exit::Status(0),
        wall: Duration::ZERO,
        cpu: Duration::ZERO,
        peak_kb: 0,
        stdout: Capture::whole(stdout),
        stderr: Capture::default(),
        promises: Vec::new(),
    }
}

/// The scripts that follow if z3 says this, as the last assertions of each.
fn followed(script: &str, said: &str) -> Vec<String> {
    let (case, table) = first(script, said);
    let programs = ObjectiveOracle.follow_up(&case, &table);
    let last = |program: &Program| {
        let text = String::from_utf8(program.source().text.to_vec()).unwrap();
        let mut lines = text.lines().filter(|line| {
            line.starts_with("(assert") || line.starts_with("(m") || line.contains("get-objectives")
        });
        lines.next_back().unwrap_or("").to_string()
    };
    programs.iter().map(last).collect()
}

fn first(script: &str, said: &str) -> (Case, Table) {
    let case = Case::single(Program::single("a.smt2", script.as_bytes()), Claim::Silent);
    let table = Table {
        timeout: Duration::from_secs(1),
        observations: vec![observation("z3", 0, said)],
    };
    (case, table)
}

/// What is said if z3 says this, and the scripts that follow get these answers: each of
/// z3 and cvc5.
fn judged(script: &str, said: &str, answers: &[[&str; 2]]) -> Vec<String> {
    let (mut case, mut table) = first(script, said);
    let further = ObjectiveOracle.follow_up(&case, &table);
    assert_eq!(further.len(), answers.len(), "{:?}", followed(script, said));
    case.programs.extend(further);
    for (at, [own, other]) in answers.iter().enumerate() {
        table.observations.push(observation("z3", at + 1, own));
        table.observations.push(observation("cvc5", at + 1, other));
    }
    let symptoms = ObjectiveOracle.judge(&case, &table);
    symptoms
        .iter()
        .map(|s| format!("{}/{} {}", s.program, s.kind, s.site))
        .collect()
}

#[test]
fn polynomials_are_judged_of_who_promises_to_optimize_them() {
    let script = "(declare-const x Real)(declare-const y Int)(assert (<= (- 4.0) x 4.0))\
                  (assert (<= (- 2) y 4))(maximize (* x x (to_real y)))(check-sat)";
    let said = "sat\n((define-fun x () Real 4.0)(define-fun y () Int 4))\n\
                (objectives\n ((* x x (to_real y)) 17)\n)\n";
    let (case, mut table) = first(script, said);
    assert_eq!(
        ObjectiveOracle.judgement(&case, &table),
        Judgement::default()
    );
    table.observations[0].promises = vec![NONLINEAR.to_string()];
    let symptoms = ObjectiveOracle.judge(&case, &table);
    let sites: Vec<&str> = symptoms.iter().map(|one| one.site.as_str()).collect();
    assert_eq!(sites, ["its model is better"]);
    // A quotient of terms, or a power, is no polynomial.
    for term in ["(/ x (to_real y))", "(^ x 2.0)", "(sin x)"] {
        let (case, mut table) = first(&script.replace("(* x x (to_real y))", term), said);
        table.observations[0].promises = vec![NONLINEAR.to_string()];
        assert_eq!(
            ObjectiveOracle.judgement(&case, &table),
            Judgement::default(),
            "{term}"
        );
    }
}

const INT: &str = "(set-logic QF_IDL)(declare-const x Int)(assert (< x 10))(maximize x)(check-sat)";

fn int(value: &str, x: &str) -> String {
    format!("sat\n((define-fun x () Int {x}))\n(objectives\n (x {value})\n)\n")
}

#[test]
fn an_optimum_that_something_beats_is_wrong() {
    assert_eq!(followed(INT, &int("9", "9")), ["(assert (> x 9))"]);
    assert_eq!(judged(INT, &int("9", "9"), &[["unsat", "unsat"]]), [""; 0]);
    let better = "sat\n((define-fun x () Int 9))";
    assert_eq!(
        judged(INT, &int("8", "8"), &[["unsat", better]]),
        ["1/wrong-optimum something is better"]
    );
    assert_eq!(
        judged(INT, &int("8", "8"), &[[better, "unknown"]]),
        ["1/wrong-optimum something is better"]
    );
    assert_eq!(
        judged(INT, &int("8", "8"), &[["unsat", "sat"]]),
        ["1/disagreement something is better"]
    );
    let no_model = "sat\n((define-fun x () Int 8))";
    assert_eq!(judged(INT, &int("8", "8"), &[["unsat", no_model]]), [""; 0]);
}

#[test]
fn a_model_that_is_not_the_optimum_is_seen_by_itself() {
    let answers = [["unsat", "unsat"]];
    assert_eq!(
        judged(INT, &int("9", "3"), &answers),
        ["0/wrong-optimum its model is worse"]
    );
    assert_eq!(
        judged(INT, &int("3", "9"), &answers),
        ["0/wrong-optimum its model is better"]
    );
    // That the model is none is for another oracle.
    assert_eq!(judged(INT, &int("9", "11"), &answers), [""; 0]);
    assert_eq!(
        judged(INT, &int("(* (- 1) oo)", "3"), &[]),
        ["0/wrong-optimum its model is better"]
    );
}

#[test]
fn what_is_unbounded_has_values_beyond_all_bounds() {
    let oo = int("oo", "3");
    assert_eq!(
        followed(INT, &oo),
        ["(assert (> x 1000000000000000000000000))"]
    );
    assert_eq!(judged(INT, &oo, &[["sat", "sat"]]), [""; 0]);
    assert_eq!(
        judged(INT, &oo, &[["unsat", "unsat"]]),
        ["1/wrong-optimum it is bounded"]
    );
    assert_eq!(
        judged(INT, &oo, &[["unsat", "unknown"]]),
        ["1/disagreement it is bounded"]
    );
    assert_eq!(
        judged(INT, &oo, &[["unknown", "unsat"]]),
        ["1/disagreement it is bounded"]
    );
    assert_eq!(judged(INT, &oo, &[["sat", "unsat"]]), [""; 0]);
}

#[test]
fn soft_assertions_cost_what_is_violated() {
    let script = "(set-logic QF_UF)(declare-const p Bool)(declare-const q Bool)\
        (assert (or p q))(assert-soft (not p) :weight 2)(assert-soft (not q) :weight 0.5)\
        (check-sat)";
    let said = |cost: &str, p: &str| {
        format!(
            "sat\n((define-fun p () Bool {p})(define-fun q () Bool true))\n(objectives\n ( {cost})\n)\n"
        )
    };
    assert_eq!(
        followed(script, &said("0.5", "false")),
        ["(assert (and (not p) (not q)))"]
    );
    let better = "sat\n((define-fun p () Bool false)(define-fun q () Bool true))";
    let cheap = judged(script, &said("0.5", "false"), &[["unsat", "unsat"]]);
    assert_eq!(cheap, [""; 0]);
    assert_eq!(
        judged(script, &said("(/ 5.0 2.0)", "true"), &[["unsat", better]]),
        ["1/wrong-optimum something is better"]
    );
    assert_eq!(
        judged(script, &said("2.0", "false"), &[["unsat", "unsat"]]),
        ["0/wrong-optimum its model is better"]
    );
}

#[test]
fn reals_have_to_have_a_best_value_first() {
    let script =
        "(set-logic QF_LRA)(declare-const x Real)(assert (<= x 2.0))(maximize x)(check-sat)";
    let said = "sat\n((define-fun x () Real 1.0))\n(objectives\n (x 1.0)\n)\n";
    assert_eq!(
        followed(script, said),
        [
            "(assert (> x 1.0))",
            "(assert (forall ((x!other Real)) (=> (<= x!other 2.0) (<= x!other x))))"
        ]
    );
    let better = ["unsat", "sat\n((define-fun x () Real 2.0))"];
    assert_eq!(
        judged(script, said, &[better, ["sat", "unknown"]]),
        ["1/wrong-optimum something is better"]
    );
    assert_eq!(judged(script, said, &[better, ["sat", "unsat"]]), [""; 0]);
    assert_eq!(
        judged(script, said, &[better, ["unknown", "unknown"]]),
        [""; 0]
    );
    let beside = said.replace("(x 1.0)", "(x (+ 1.0 (* (- 1.0) epsilon)))");
    assert_eq!(followed(script, &beside)[0], "(assert (>= x 1.0))");
}

#[test]
fn objectives_in_turn_are_best_among_the_best() {
    let script = "(set-logic QF_BV)(declare-const a (_ BitVec 4))(declare-const b (_ BitVec 4))\
        (assert (bvult a b))(minimize a)(maximize b)(check-sat)";
    let said = "sat\n((define-fun a () (_ BitVec 4) #x0)(define-fun b () (_ BitVec 4) #xf))\n\
        (objectives\n (a 0)\n (b 15)\n)\n";
    assert_eq!(
        followed(script, said),
        [
            "(assert (bvult a (_ bv0 4)))",
            "(assert (bvugt b (_ bv15 4)))",
            "(get-objectives)"
        ]
    );
    let alone = "sat\n((define-fun a () (_ BitVec 4) #x1)(define-fun b () (_ BitVec 4) #x2))\n(objectives\n (a 1)\n)\n";
    assert_eq!(
        judged(
            script,
            said,
            &[["unsat", "unsat"], ["unsat", "unsat"], [alone, "sat"]]
        ),
        ["3/disagreement alone it is another"]
    );
}

#[test]
fn boxes_are_attained_one_by_one_and_fronts_are_whole() {
    let script = |priority: &str, questions: &str| {
        format!(
            "(set-option :opt.priority {priority})(declare-const x Int)(declare-const y Int)\
             (assert (<= 0 x 2))(assert (<= 0 y 2))(assert (<= (+ x y) 3))\
             (maximize x)(maximize y){questions}"
        )
    };
    let point = |x: &str, y: &str| {
        format!(
            "sat\n((define-fun x () Int {x})(define-fun y () Int {y}))\n(objectives\n (x {x})\n (y {y})\n)\n"
        )
    };
    let boxed = script("box", "(check-sat)");
    let said = point("2", "1").replace("(y 1)", "(y 2)");
    assert_eq!(
        followed(&boxed, &said),
        [
            "(assert (> x 2))", "(assert (= x 2))", "(get-objectives)", "(assert (> y 2))",
            "(assert (= y 2))", "(get-objectives)"
        ]
    );
    let front = script("pareto", "(check-sat)(check-sat)(check-sat)");
    let whole = point("2", "1") + &point("1", "2") + "unsat\n";
    assert_eq!(
        followed(&front, &whole).last().unwrap(),
        "(assert (or (> x 1) (> y 2)))"
    );
    let none = ["unsat", "unsat"];
    assert_eq!(judged(&front, &whole, &[none, none, none]), [""; 0]);
    let short = point("2", "1") + "unsat\n";
    let other = "sat\n((define-fun x () Int 1)(define-fun y () Int 2))";
    let short_front = script("pareto", "(check-sat)(check-sat)");
    assert_eq!(
        judged(&short_front, &short, &[none, ["unsat", other]]),
        ["2/wrong-optimum a point is missing"]
    );
    let low = point("1", "1");
    let one = script("pareto", "(check-sat)");
    assert_eq!(
        judged(&one, &low, &[["unsat", other]]),
        ["1/wrong-optimum a point is beaten"]
    );
}

#[test]
fn what_z3_does_not_promise_is_not_judged() {
    for script in [
        "(declare-const x Int)(assert (= (* x x) 4))(minimize x)(check-sat)",
        "(declare-const x Int)(assert (forall ((y Int)) (<= x y)))(minimize x)(check-sat)",
        "(declare-const x Int)(push 1)(assert (> x 4))(minimize x)(check-sat)",
        "(declare-const x Int)(assert (> x 4))(minimize (div 7 x))(check-sat)",
        "(declare-const x Int)(assert (> x 4))(minimize x :id a)(check-sat)",
        "(declare-const p Bool)(assert-soft p :weight (- 1))(check-sat)",
    ] {
        assert_eq!(followed(script, &int("2", "5")), [""; 0], "{script}");
    }
}
