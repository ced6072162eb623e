//! Nothing that can be read makes the evaluator panic or run away.
#![allow(clippy::disallowed_methods)] // Reads the project's own seeds.

use std::path::Path;

use lydite_core::Choices;
use lydite_smtlib::eval::{Budget, Completion, Context, evaluate_all, question, questions};
use lydite_smtlib::model::{Reading, Reply, check, replies};
use lydite_smtlib::syntax::parse;

const BUDGET: Budget = Budget { steps: 50_000 };

fn seeds() -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/smtlib");
    let mut paths: Vec<_> = std::fs::read_dir(folder)
        .expect("the project's seeds")
        .map(|entry| entry.expect("a readable folder").path())
        .collect();
    paths.sort();
    paths
        .iter()
        .filter(|path| path.is_file())
        .map(|path| std::fs::read(path).expect("a readable seed"))
        .collect()
}

/// Evaluates every assertion of the first questions; how many had a value.
fn evaluate_everything(text: &[u8]) -> usize {
    let Ok(script) = parse(text) else { return 0 };
    let mut values = 0;
    for index in 0..questions(&script).min(3) {
        let asked = question(&script, index).expect("counted");
        let context = Context::new(&script, &asked);
        for completion in [Completion::None, Completion::Zero, Completion::Ones] {
            let outcomes = evaluate_all(&script, &context, &asked.assertions, completion, BUDGET);
            values += outcomes.iter().filter(|outcome| outcome.is_ok()).count();
        }
    }
    values
}

#[test]
fn every_seed_is_evaluated_and_many_have_values() {
    let seeds = seeds();
    let values: usize = seeds.iter().map(|seed| evaluate_everything(seed)).sum();
    assert!(
        seeds.len() >= 60 && values >= 200,
        "{} seeds, {values} values",
        seeds.len()
    );
}

#[test]
fn damaged_models_are_checked_without_panic() {
    let script = parse(
        b"(declare-sort T 0)(declare-datatypes ((L 0)) (((nil) (cons (hd Int) (tl L)))))\
          (declare-fun a () (Array Int Int))(declare-fun f (T Int) Float16)(declare-fun l () L)\
          (declare-fun t () T)(declare-fun r () Real)\
          (assert (fp.lt (f t (select a 1)) (f t (hd l))))(assert (> (* r r) r))\
          (assert (forall ((x T)) (= x t)))(check-sat)",
    )
    .unwrap();
    let output = "sat\n(\n;; universe for T:\n;; T!val!0\n(declare-fun T!val!0 () T)\n\
        (define-fun a () (Array Int Int) (_ as-array k!0))(define-fun k!0 ((x!0 Int)) Int (ite (= x!0 1) 5 (- 7)))\
        (define-fun f ((x!0 T) (x!1 Int)) Float16 (ite (= x!1 5) (_ -oo 5 11) (fp #b0 #b00001 #b0000000000)))\
        (define-fun l () L (cons 1 nil))(define-fun t () T T!val!0)\
        (define-fun r () Real (root-obj (+ (^ x 2) (- 2)) 2))\n)";
    let words: Vec<&str> = output
        .split([' ', '(', ')', '\n'])
        .filter(|w| !w.is_empty())
        .collect();
    let reading = Reading {
        budget: BUDGET,
        ..Reading::of(&"z3".parse().unwrap())
    };
    let mut kinds = std::collections::BTreeSet::new();
    for index in 0..1500 {
        let mut choices = Choices::seeded(5, index);
        let mut text = output.to_string();
        for _ in 0..choices.below(4).unwrap() {
            let old = *choices.pick(&words).unwrap();
            let new = *choices.pick(&words).unwrap();
            text = text.replacen(old, new, 1);
        }
        for reply in replies(&text) {
            if let Reply::Model(model) = reply {
                let verdict = format!("{:?}", check(&script, 0, model, reading));
                kinds.insert(verdict.split('(').next().unwrap_or_default().to_string());
            }
        }
    }
    assert_eq!(
        kinds.into_iter().collect::<Vec<_>>(),
        ["CannotSay", "Invalid", "Valid"]
    );
}
