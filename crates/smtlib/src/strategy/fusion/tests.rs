use std::collections::BTreeMap;
use std::sync::Arc;

use lydite_core::SettingFile;

use super::flatten::flatten;
use super::functions::BUILT_IN;
use super::letters::Letters;
use super::values::value;
use super::verify::verify;
use super::*;
use crate::SmtLib;
use crate::eval::{Budget, Completion, Context, evaluate, question};
use crate::operators::Operators;
use crate::syntax::{CommandKind, parse, parse_commands};
use crate::value::Value;

fn seed(name: &str, text: &str) -> Seed {
    Seed {
        name: name.to_string(),
        text: text.as_bytes().into(),
        claim: None,
    }
}

fn open(seeds: &[Seed], set: &[(&str, &str)]) -> Result<Box<dyn Space>, OpenError> {
    let given: BTreeMap<String, String> = set
        .iter()
        .map(|(key, value)| (key.to_string(), value.to_string()))
        .collect();
    let mut files = BTreeMap::new();
    if let Some(text) = given.get("functions") {
        let file = SettingFile {
            name: "own.txt".to_string(),
            text: text.as_str().into(),
        };
        files.insert("functions".to_string(), file);
    }
    let settings = Settings::checked(&Fusion, given)?.with_files(files);
    Fusion.open(Arc::new(SmtLib), seeds.into(), &settings)
}

fn text_of(case: &Case) -> String {
    String::from_utf8(case.programs[0].source().text.to_vec()).expect("text")
}

#[test]
fn the_built_in_functions_are_right_on_many_values() {
    let blocks = table::read(BUILT_IN).unwrap();
    assert!(blocks.len() > 50, "{}", blocks.len());
    for block in &blocks {
        assert_eq!(verify(block, Operators::built_in()), Ok(()));
    }
}

/// A block about integers with this body.
fn block(body: &str) -> String {
    format!(
        "; mine\n#begin\n(declare-const x Int)(declare-const y Int)(declare-const z Int)\n{body}\n#end\n"
    )
}

#[test]
fn a_wrong_block_is_refused_with_its_line_and_a_counterexample() {
    for (body, line, words) in [
        (
            "(assert (= z (+ x y)))(assert (= x (- y z)))",
            2,
            &["with x = ", ", y = ", ", z = ", "the inversion of x gives "][..],
        ),
        (
            "(assert (= z (* x y)))(assert (= x (div z y)))(assert (= y (div z x)))",
            2,
            &["the inversion of ", "cannot be said: div is underspecified"],
        ),
        (
            "(assert (= z (- x y)))(assert (= x (+ z y)))(assert (= y (- z x)))",
            2,
            &["the inversion of y gives"],
        ),
        (
            "(declare-const c Int)(assert (= z (+ x c) y))",
            2,
            &["`(= z (+ x c) y)` is not of the form (= z term)"],
        ),
        (
            "(declare-const c Int)(assert (= z (+ x (* c y))))(assert (= y (div (- z x) c)))",
            2,
            &["c = 0", "cannot be said"],
        ),
        ("(assert (= z (+ x y)))", 2, &["no inversion function"]),
        ("(assert (= x (- z y)))", 2, &["no fusion function"]),
        ("(assert (= z 1))(assert (= x z))", 2, &["neither x nor y"]),
        ("(assert (= z (+ x z)))", 2, &["says z by z itself"]),
        (
            "(assert (= z (+ x y)))(assert (= x y))",
            2,
            &["`(= x y)` does not mention z"],
        ),
        (
            "(assert (= z (bvadd x y)))(assert (= x (bvsub z y)))",
            2,
            &["not well-sorted", "bvadd"],
        ),
        (
            "(assert (= z (+ x y)))(assert (= x (let ((a z)) (- a y))))",
            2,
            &["binds variables"],
        ),
        ("(assert (= z (+ x y))", 5, &["expected"]),
        ("(push 1)", 2, &["`(push 1)` has no place in a block"]),
        ("(declare-const x Int)", 2, &["`x` is declared twice"]),
        (
            "(declare-const c Int)(assert (> c 1))(assert (< c 0))(assert (= z (+ x y c)))(assert (= x (- z y c)))",
            2,
            &["no constants were found"],
        ),
    ] {
        let error = open(
            &[seed(
                "a",
                "(set-info :status sat)(declare-const a Int)(assert (= a 1))(check-sat)",
            )],
            &[("functions", &block(body))],
        );
        let error = error.err().expect(body);
        let shown = error.to_string();
        assert!(
            shown.starts_with(&format!("setting `functions`: own.txt:{line}: ")),
            "{shown}"
        );
        for words in words {
            assert!(shown.contains(words), "{body}: {shown}");
        }
    }
    for (text, line) in [
        ("#end", 1),
        ("\n#begin\n\n#begin", 4),
        ("#begin\n", 1),
        ("\n(x)", 2),
    ] {
        assert_eq!(table::read(text).unwrap_err().line, line, "{text}");
    }
}

#[test]
fn a_users_block_is_used_beside_the_built_in_ones() {
    let own = "(declare-const c Int)\n(assert (= z (+ x y 4711)))\n(assert (= x (- z y 4711)))";
    let seeds = [seed(
        "a",
        "(set-info :status sat)(declare-const a Int)(assert (= a 1))(check-sat)",
    )];
    let space = open(&seeds, &[("functions", &block(own)), ("oracle", "sat")]).unwrap();
    let used = (0..300).any(|index| {
        let case = space.sample(&mut Choices::seeded(7, index)).unwrap();
        text_of(&case).contains("(- z1.z a.y 4711)")
    });
    assert!(used);
}

#[test]
fn letters_stand_for_sorts_and_numbers() {
    for (pattern, sort, expected) in [
        ("Int", "Int", Some("")),
        ("Int", "Real", None),
        ("A", "(Array Int Bool)", Some("A=(Array Int Bool)")),
        (
            "(Array A B)",
            "(Array Int (_ BitVec 8))",
            Some("A=Int B=(_ BitVec 8)"),
        ),
        ("(Array A B)", "(Array Int Int)", None),
        ("(Array A A)", "(Array Int Int)", Some("A=Int")),
        ("(_ BitVec m)", "(_ BitVec 32)", Some("m=32")),
        ("(_ BitVec m)", "Int", None),
        (
            "(_ FloatingPoint e s)",
            "(_ FloatingPoint 8 24)",
            Some("e=8 s=24"),
        ),
    ] {
        let mut letters = Letters::default();
        let fits = letters.fit(pattern, sort);
        let sorts = letters.sorts.iter().map(|(a, b)| format!("{a}={b}"));
        let numbers = letters.numbers.iter().map(|(a, b)| format!("{a}={b}"));
        let bound: Vec<String> = sorts.chain(numbers).collect();
        let found = fits.then(|| bound.join(" "));
        assert_eq!(found.as_deref(), expected, "{pattern} {sort}");
    }
}

#[test]
fn one_question_is_kept_and_names_are_made_different() {
    let script = "(set-logic QF_UFLIA)(declare-const a Int)(push 1)(declare-const b Int)
        (assert (! (> a 0) :named p))(check-sat)(pop 1)(declare-const b Bool)
        (assert (! (< a 5) :named q))(check-sat-assuming (b q))(assert false)(check-sat)";
    let first = "(set-logic QF_UFLIA)\n(declare-const a Int)\n(declare-const b Int)\n\
                 (assert (> a 0))\n(check-sat)\n";
    let second = "(set-logic QF_UFLIA)\n(declare-const a Int)\n(declare-const b Bool)\n\
                  (assert (< a 5))\n(assert b)\n(assert (< a 5))\n(check-sat)\n";
    assert_eq!(flatten(script.as_bytes(), 0, None).as_deref(), Ok(first));
    assert_eq!(flatten(script.as_bytes(), 1, None).as_deref(), Ok(second));
    let renamed = "(declare-datatypes ((L 0)) (((nil) (cons (hd String) (tl L)))))
        (declare-const |a b| L)(declare-const a String)
        (assert (and (= a \"a\") (is-cons |a b|) (forall ((a Int)) (= a a))))(check-sat)";
    assert_eq!(
        flatten(renamed.as_bytes(), 0, Some(".y")).unwrap(),
        "(declare-datatypes ((L.y 0)) (((nil.y) (cons.y (hd.y String) (tl.y L.y)))))\n\
         (declare-const |a b.y| L.y)\n(declare-const a.y String)\n\
         (assert (and (= a.y \"a\") (is-cons.y |a b.y|) (forall ((a.y Int)) (= a.y a.y))))\n\
         (check-sat)\n"
    );
    for (script, asked) in [
        ("(assert true)(check-sat)", 1),
        ("(assert (! true :named p))(assert (not p))(check-sat)", 0),
        ("(assert", 0),
    ] {
        assert!(flatten(script.as_bytes(), asked, None).is_err(), "{script}");
    }
}

/// Seeds of figures 3.1 and 3.3, with more around the variables.
fn thesis_seeds() -> [Seed; 4] {
    [
        seed(
            "phi1",
            "(set-logic QF_LIA)(set-info :status sat)(declare-fun x () Int)(declare-fun w () Bool)
             (assert (= x (- 1)))(assert (= w (= x (- 1))))(assert w)(check-sat)",
        ),
        seed(
            "phi2",
            "(set-logic QF_LIA)(set-info :status sat)(declare-fun x () Int)(declare-fun v () Bool)
             (define-fun same ((a Int)) Bool (= a x))
             (assert (= v (not (= x (- 1)))))(assert (ite v false (same (- 1))))(check-sat)",
        ),
        seed(
            "phi3",
            "(set-logic QF_LIA)(set-info :status unsat)(declare-fun x () Int)
             (assert (not (= (+ (+ 1 x) 6) (+ 7 x))))(check-sat)",
        ),
        seed(
            "phi4",
            "(set-logic QF_LIA)(set-info :status unsat)(declare-fun y () Int)(declare-fun v () Int)
             (declare-fun w () Bool)(assert (and (< y v) w))(assert (let ((k (+ y 0))) (> k v)))
             (check-sat)",
        ),
    ]
}

#[test]
fn every_form_is_made_well_sorted_and_remade_from_its_tape() {
    let seeds = thesis_seeds();
    for (name, form) in Form::ALL {
        let space = open(&seeds, &[("oracle", name)]).unwrap();
        for index in 0..100 {
            let mut choices = Choices::seeded(3, index);
            let case = space.sample(&mut choices).unwrap();
            let text = text_of(&case);
            assert_eq!(SmtLib.check(&case.programs[0]), Ok(()), "{name}: {text}");
            let answer = if form.is_sat() { "sat" } else { "unsat" };
            assert_eq!(case.claim.to_string(), answer);
            assert!(case.steps[0].starts_with(&format!("{name} fusion of phi")));
            let again = space.sample(&mut Choices::replay(choices.into_tape()));
            assert_eq!(again, Ok(case));
        }
        // The simplest tape makes a case too.
        assert!(
            space
                .sample(&mut Choices::guided(Default::default()))
                .is_ok()
        );
    }
}

/// The fused script under values for the seeds' variables, with z by its
/// fusion function: whether all that is asserted holds.
fn holds(case: &Case, given: &[(&str, &str, &str)]) -> Result<bool, String> {
    let mut script = parse(&case.programs[0].source().text).unwrap();
    let asked = question(&script, 0).unwrap();
    let mut context = Context::new(&script, &asked);
    let mut model = String::new();
    for (name, sort, value) in given {
        model += &format!("(define-fun {name} () {sort} {value})\n");
    }
    let declared = script
        .commands
        .iter()
        .filter_map(|command| match &command.kind {
            CommandKind::DeclareFun(symbol, _, sort) => {
                Some((script.name(*symbol), crate::print::sort(&script, *sort)))
            }
            _ => None,
        });
    for (name, sort) in declared.filter(|(name, _)| name.ends_with(".z")) {
        let step = case
            .steps
            .iter()
            .find_map(|step| step.strip_prefix(&format!("{name} = ")));
        let default = value(&sort, &mut Choices::guided(Default::default()));
        let default = default.unwrap().expect("a sort with values");
        let value = step.unwrap_or(&default);
        model += &format!("(define-fun {name} () {sort} {value})\n");
    }
    let commands = parse_commands(&mut script, &model).unwrap();
    context.interpret(&script, &commands);
    for &assertion in &asked.assertions {
        let budget = Budget::default();
        match evaluate(&script, &context, assertion, Completion::None, budget) {
            Ok(Value::Bool(true)) => {}
            Ok(_) => return Ok(false),
            Err(why) => return Err(why.to_string()),
        }
    }
    Ok(true)
}

#[test]
fn the_models_of_two_seeds_make_a_model_of_their_fusion() {
    let seeds = &thesis_seeds()[..2];
    let space = open(seeds, &[("oracle", "sat")]).unwrap();
    for index in 0..300 {
        let case = space.sample(&mut Choices::seeded(1, index)).unwrap();
        let model = [
            ("x", "Int", "(- 1)"),
            ("x.y", "Int", "(- 1)"),
            ("w", "Bool", "true"),
            ("w.y", "Bool", "true"),
            ("v", "Bool", "false"),
            ("v.y", "Bool", "false"),
        ];
        assert_eq!(holds(&case, &model), Ok(true), "{}", text_of(&case));
    }
}

#[test]
fn no_values_satisfy_the_fusion_of_unsatisfiable_seeds() {
    for oracle in ["unsat", "mixed-unsat"] {
        let space = open(&thesis_seeds(), &[("oracle", oracle)]).unwrap();
        for index in 0..200 {
            let mut choices = Choices::seeded(2, index);
            let case = space.sample(&mut choices).unwrap();
            for _ in 0..5 {
                let mut int = || value("Int", &mut choices).unwrap().unwrap();
                let values = [int(), int(), int(), int(), int(), int()];
                let mut given: Vec<(&str, &str, &str)> = ["x", "x.y", "y", "y.y", "v", "v.y"]
                    .into_iter()
                    .zip(&values)
                    .map(|(name, value)| (name, "Int", value.as_str()))
                    .collect();
                let bools = [("w", "Bool", "true"), ("w.y", "Bool", "true")];
                given.extend(bools);
                assert_ne!(holds(&case, &given), Ok(true), "{}", text_of(&case));
            }
        }
    }
}

#[test]
fn bound_variables_and_patterns_are_left_alone() {
    let text =
        "(set-logic UFLIA)(set-info :status sat)(declare-fun f (Int) Int)(declare-const x Int)
        (assert (forall ((x Int) (y Int)) (! (= (f x) (f y)) :pattern ((f x) (f y)))))
        (assert (forall ((y Int)) (! (< y (+ (f x) y 5)) :pattern ((f x) (f y)))))(check-sat)";
    let space = open(&[seed("a", text)], &[("oracle", "sat"), ("pairs", "4")]).unwrap();
    let mut under_binder = 0;
    for index in 0..100 {
        let case = space.sample(&mut Choices::seeded(4, index)).unwrap();
        let text = text_of(&case);
        assert_eq!(SmtLib.check(&case.programs[0]), Ok(()), "{text}");
        assert!(text.contains(":pattern ((f x_1) (f y))"), "{text}");
        assert!(text.contains(":pattern ((f x) (f y_1))"), "{text}");
        assert!(
            text.contains("(forall ((x_1 Int) (y Int)) (! (= (f x_1) (f y))"),
            "{text}"
        );
        under_binder += usize::from(!text.contains("(< y_1 (+ (f x) y_1 5))"));
    }
    assert!(under_binder > 50, "{under_binder}");
}

#[test]
fn seeds_that_share_what_the_standard_leaves_open_are_not_joined() {
    let by_zero = |value: &str, logic: &str| {
        format!(
            "(set-logic {logic})(set-info :status sat)(declare-const r Real)
             (assert (= r 0.0))(assert (= (/ 1.0 r) {value}))(check-sat)"
        )
    };
    let sides = "(set-logic QF_NRA)(set-info :status sat)(declare-const r Real)
                  (assert (= (/ r 2.0) 3.0))(check-sat)";
    let alone = [
        seed("a", &by_zero("1.0", "QF_NRA")),
        seed("b", &by_zero("2.0", "QF_NRA")),
    ];
    let space = open(&alone, &[("oracle", "sat")]).unwrap();
    let made = space.sample(&mut Choices::seeded(1, 1));
    assert!(matches!(made, Err(Reject::NotApplicable(_))), "{made:?}");
    let others = [alone.to_vec(), vec![seed("c", sides)]].concat();
    let space = open(&others, &[("oracle", "sat")]).unwrap();
    for index in 0..50 {
        let case = space.sample(&mut Choices::seeded(1, index)).unwrap();
        assert!(case.steps[0].contains('c'), "{:?}", case.steps);
    }
}

#[test]
fn the_logic_allows_both_seeds_and_what_fuses_them() {
    let of = |logic: &str, sort: &str, value: &str| {
        let text = format!(
            "(set-logic {logic})(set-info :status sat)(declare-const a {sort})
             (assert (= a {value}))(check-sat)"
        );
        seed(logic, &text)
    };
    let logics = |seeds: &[Seed]| -> std::collections::BTreeSet<String> {
        let space = open(seeds, &[("oracle", "sat"), ("across", "true")]).unwrap();
        let logic = |index| {
            let case = space.sample(&mut Choices::seeded(1, index)).unwrap();
            let text = text_of(&case);
            let line = text.lines().next().unwrap();
            line.trim_start_matches("(set-logic ")
                .trim_end_matches(')')
                .to_string()
        };
        (0..300).map(logic).collect()
    };
    let alone = logics(&[of("QF_IDL", "Int", "3")]);
    assert!(
        alone.contains("QF_LIA") && alone.contains("QF_NIA"),
        "{alone:?}"
    );
    let both = logics(&[of("QF_LIA", "Int", "3"), of("QF_BV", "(_ BitVec 4)", "#x1")]);
    assert!(
        both.contains("QF_BVLIA") || both.contains("QF_ABVLIA"),
        "{both:?}"
    );
    assert_eq!(
        logics(&[of("HORN", "Bool", "true")])
            .into_iter()
            .collect::<Vec<_>>(),
        ["ALL"]
    );
}

#[test]
fn settings_that_cannot_be_met_are_refused() {
    let sat = "(set-info :status sat)(declare-const a Int)(assert (= a 1))(check-sat)";
    for (set, words) in [
        (
            ("oracle", "unsat"),
            "the answers of too few seeds are known",
        ),
        (
            ("oracle", "perhaps"),
            "is not sat, unsat, mixed-sat, mixed-unsat or any",
        ),
        (("pairs", "65"), "is not a number from 0 to 64"),
        (("across", "maybe"), "is not true, false or sometimes"),
        (("max-seed", "10"), "larger than 10 bytes"),
    ] {
        let error = open(&[seed("a", sat)], &[set])
            .err()
            .expect(words)
            .to_string();
        assert!(error.contains(words), "{error}");
    }
}

#[test]
fn without_pairs_two_seeds_stand_side_by_side() {
    let space = open(&thesis_seeds(), &[("pairs", "0")]).unwrap();
    for index in 0..20 {
        let case = space.sample(&mut Choices::seeded(1, index)).unwrap();
        assert_eq!(case.steps.len(), 1, "{:?}", case.steps);
        assert_eq!(SmtLib.check(&case.programs[0]), Ok(()));
    }
    assert!(open(&thesis_seeds(), &[("pairs", "65")]).is_err());
}

#[test]
fn fusion_functions_can_be_chosen() {
    let space = open(&thesis_seeds(), &[("only", "*"), ("pairs", "1")]).unwrap();
    for index in 0..20 {
        let Ok(case) = space.sample(&mut Choices::seeded(1, index)) else {
            continue;
        };
        assert!(case.steps[1].contains("(* "), "{:?}", case.steps);
    }
    assert!(open(&thesis_seeds(), &[("only", "frobnicate")]).is_err());
}
