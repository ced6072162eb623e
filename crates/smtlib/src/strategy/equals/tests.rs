use super::*;
use crate::SmtLib;
use crate::eval::{Budget, Completion, Context, evaluate_all, question, questions};
use crate::syntax::parse;
use crate::value::Value;

const SEEDS: &[&str] = &[
    "(set-logic ALL)(declare-const p Bool)(declare-const q Bool)(define-fun both ((a Bool) (b Bool)) Bool (and a b))\
     (assert (let ((x (xor p q))) (or x (both p x))))(assert (and (=> p q) (not (and p q))))(check-sat)",
    "(declare-const a (_ BitVec 2))(declare-const b (_ BitVec 2))(assert (bvult a (bvadd b #b01)))\
     (assert (= (bvmul a b) #b10))(assert (distinct a b))(check-sat)(assert (= a #b11))(check-sat)",
    "(declare-const p Bool)(assert (exists ((x Bool)) (and x (not p))))(push 1)(assert p)(check-sat)(pop 1)(check-sat)",
];

fn open(seeds: &[&str], only: &str) -> Box<dyn Space> {
    let given = [("only".to_string(), only.to_string())];
    let settings = Settings::checked(&EqualsStrategy, given.into()).unwrap();
    let seed = |text: &&str| Seed {
        name: "seed.smt2".to_string(),
        text: text.as_bytes().into(),
        claim: None,
    };
    let seeds: Vec<Seed> = seeds.iter().map(seed).collect();
    EqualsStrategy
        .open(Arc::new(SmtLib), seeds.into(), &settings)
        .unwrap()
}

/// The answers of a script over constants of few values, by trying all.
fn answers(program: &Program) -> Option<Vec<bool>> {
    let script = parse(&program.source().text).unwrap();
    (0..questions(&script))
        .map(|at| {
            let asked = question(&script, at)?;
            let context = Context::new(&script, &asked);
            let mut open: Vec<Context> = vec![context.clone()];
            for symbol in context.uninterpreted() {
                let values = context.all_values(&script, symbol)?;
                let with = |context: &Context| {
                    let mut all = vec![context.clone(); values.len()];
                    for (one, value) in all.iter_mut().zip(values.iter()) {
                        one.assign(symbol, value.clone());
                    }
                    all
                };
                open = open.iter().flat_map(with).collect();
            }
            let mut sat = false;
            for context in open {
                let budget = Budget::default();
                let values = evaluate_all(
                    &script,
                    &context,
                    &asked.assertions,
                    Completion::None,
                    budget,
                );
                if values.iter().any(Result::is_err) {
                    return None;
                }
                sat |= values.iter().all(|value| *value == Ok(Value::Bool(true)));
            }
            Some(sat)
        })
        .collect()
}

#[test]
fn every_rewrite_keeps_the_answers() {
    for rewrite in REWRITES {
        assert!(!rewrite.why.is_empty());
        let space = open(SEEDS, rewrite.name);
        let (mut compared, mut rewritten) = (0, 0);
        for index in 0..40 {
            let Ok(case) = space.sample(&mut Choices::seeded(9, index)) else {
                continue;
            };
            for program in &case.programs {
                let text = String::from_utf8_lossy(&program.source().text);
                assert_eq!(SmtLib.check(program), Ok(()), "{}: {text}", rewrite.name);
            }
            rewritten += u32::from(case.steps[0].contains(rewrite.name));
            if let (Some(first), Some(second)) =
                (answers(&case.programs[0]), answers(&case.programs[1]))
            {
                compared += 1;
                let texts: Vec<_> = case
                    .programs
                    .iter()
                    .map(|p| String::from_utf8_lossy(&p.source().text))
                    .collect();
                assert_eq!(first, second, "{} {texts:?}", case.steps[0]);
            }
        }
        assert!(
            compared > 3 && rewritten > 1,
            "{}: {compared} {rewritten}",
            rewrite.name
        );
    }
}

#[test]
fn a_tape_remakes_the_case_and_a_step_remakes_the_second_program() {
    let space = open(SEEDS, "all");
    let (mut single, mut found) = (0, 0);
    for index in 0..200 {
        let mut choices = Choices::seeded(4, index);
        let Ok(case) = space.sample(&mut choices) else {
            continue;
        };
        let again = space.sample(&mut Choices::replay(choices.into_tape()));
        assert_eq!(again, Ok(case.clone()));
        if is_step(&case.steps[0]) && !case.steps[0].contains(", ") {
            single += 1;
            let made: Vec<Program> =
                successors(&case.programs[0], &case.steps[0], Operators::built_in()).collect();
            found += u32::from(made.contains(&case.programs[1]));
        }
    }
    assert!(single > 5 && found * 2 > single, "{single} {found}");
}

#[test]
fn a_rewrite_that_does_not_exist_is_refused() {
    let given = [("only".to_string(), "shuffle".to_string())];
    let settings = Settings::checked(&EqualsStrategy, given.into()).unwrap();
    let error = EqualsStrategy.open(Arc::new(SmtLib), Arc::new([]), &settings);
    assert!(error.err().unwrap().to_string().contains("rename, reorder"));
}
