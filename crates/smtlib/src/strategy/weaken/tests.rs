use std::collections::BTreeMap;

use lydite_core::SettingFile;

use super::*;
use crate::SmtLib;
use crate::mutate::mutant::Original;
use crate::mutate::view::View;
use crate::operators::Operators;
use parity::{NEGATIVE, NEITHER, POSITIVE, Places};

fn rules() -> Rules {
    Rules::read(Operators::built_in(), "").unwrap()
}

fn seed(name: &str, text: &str) -> Seed {
    Seed {
        name: name.to_string(),
        text: text.as_bytes().into(),
        claim: None,
    }
}

/// Settings with a file `my.KEY` for each of `texts` that is not empty.
fn with_files(set: &[(&str, &str)], texts: [(&str, &str); 2]) -> Result<Settings, OpenError> {
    let given = set.iter().map(|(k, v)| (k.to_string(), v.to_string()));
    let texts = texts.into_iter().filter(|(_, text)| !text.is_empty());
    let files: BTreeMap<String, SettingFile> = texts
        .map(|(key, text)| {
            let file = SettingFile {
                name: format!("my.{key}"),
                text: text.into(),
            };
            (key.to_string(), file)
        })
        .collect();
    Ok(Settings::checked(&Weaken, given.collect())?.with_files(files))
}

fn open(seeds: Vec<Seed>, set: &[(&str, &str)], rules: &str) -> Result<Box<dyn Space>, OpenError> {
    let settings = with_files(set, [("rules", rules), ("operators", "")])?;
    Weaken.open(Arc::new(SmtLib), seeds.into(), &settings)
}

fn text(program: &Program) -> String {
    String::from_utf8(program.source().text.to_vec()).unwrap()
}

/// The assertions of what one step makes of `script`, which asserts last.
fn after(script: &str, step: &str) -> Vec<String> {
    let program = Program::single("a.smt2", script.as_bytes());
    let assertion = |program: Program| {
        let text = text(&program);
        let line = text.lines().rev().find(|line| line.starts_with("(assert "));
        let line = line.unwrap().strip_prefix("(assert ").unwrap();
        line.strip_suffix(')').unwrap().to_string()
    };
    successors(&program, step, Operators::built_in())
        .map(assertion)
        .collect()
}

#[test]
fn no_rule_is_refuted_by_values() {
    let mut bad = Vec::new();
    for rule in rules().rules.iter().filter(|rule| rule.tactic.is_none()) {
        match obligation::check(rule, Operators::built_in(), 80) {
            Ok(decided) if decided > 10 => {}
            Ok(decided) => bad.push(format!("{}: {decided} decided", rule.name)),
            Err(claim) => bad.push(format!("{}: {claim}", rule.name)),
        }
    }
    assert!(bad.is_empty(), "{}", bad.join("\n"));
}

#[test]
fn no_sign_of_an_operator_is_refuted_by_values() {
    let mut bad = Vec::new();
    let mut rows = 0;
    for (_, operator) in Operators::built_in().iter() {
        rows += usize::from(!operator.monotone.is_empty());
        for claim in monotone::monotonies(operator, 4) {
            match claim.check(60) {
                Ok(decided) if decided > 20 => {}
                Ok(decided) => bad.push(format!("{}: {decided} decided", claim.about())),
                Err(values) => bad.push(format!("{}: {values}", claim.about())),
            }
        }
    }
    assert!(bad.is_empty(), "{}", bad.join("\n"));
    assert!(rows > 40, "{rows} rows");
}

#[test]
fn wrong_signs_are_refuted_and_unknown_ones_not_used() {
    let seeds = || {
        let script = "(declare-const x Int)(declare-const p Bool)(assert (< x 10))(check-sat)";
        vec![seed("sat/a.smt2", script)]
    };
    let open = |operators: &str| {
        let settings = with_files(&[], [("rules", ""), ("operators", operators)])?;
        let space = Weaken.open(Arc::new(SmtLib), seeds().into(), &settings);
        space.map(|_| Weaken.obligations(&settings).expect("it opened").len())
    };
    for (operators, expected) in [
        (
            "\nmod : Int Int -> Int :monotone + 0\n",
            "my.operators:2: `mod` monotone (+)",
        ),
        (
            "abs : Int -> Int :monotone +\n",
            "`abs` monotone (+) in argument 1 of 1: (<= (abs ",
        ),
        (
            "* : Int Int -> Int :left-assoc :monotone +..\n",
            "my.operators:1: `*`",
        ),
        (
            "xor : Bool Bool -> Bool :left-assoc :monotone +..\n",
            "my.operators:1: `xor`",
        ),
        (
            "- : Int Int -> Int :left-assoc :monotone + -.. +\n",
            "in argument 2 of 2",
        ),
        (
            "str.len : String -> Int :monotone +\n",
            "argument 1 of `:monotone` has no order",
        ),
        (
            "foo : Int -> String :monotone +\n",
            "a result without an order",
        ),
        (
            "foo : Int Int -> Int :monotone +\n",
            "signs for no number of arguments",
        ),
        ("foo : Int Int -> Int :monotone +.. -..\n", "only one sign"),
        (
            "foo : Int Int -> Int :monotone up\n",
            "expected signs (+, -, 0)",
        ),
        ("foo : Int Int -> Int :monotone 0 0\n", "says nothing"),
        (
            "foo : Int Int -> Int :monoton + +\n",
            "did you mean `:monotone`?",
        ),
    ] {
        let error = open(operators).expect_err(operators).to_string();
        assert!(error.contains(expected), "{operators}: {error}");
    }
    let known = "if2 : Bool A A -> A :monotone 0 + +\nmax : Int Int -> Int :monotone + +\n";
    assert!(open(known).unwrap() >= 10);
    let operators = Operators::built_in().extended(known).unwrap();
    let mut rules = Rules::read(&operators, "").unwrap();
    let max = operators.named("max")[0];
    assert_eq!(rules.sign(max, 0, 2), 1);
    monotone::keep_proved(&mut rules, &operators).unwrap();
    assert_eq!(rules.sign(max, 0, 2), 0, "nobody knows what it does");
}

#[test]
fn a_sign_is_about_one_number_of_arguments() {
    let signs = |name: &str, count: usize| {
        let rules = rules();
        let ids = Operators::built_in().named(name);
        let fits = ids.iter().find(|id| {
            let operator = Operators::built_in().get(**id);
            operator.counts(9).contains(&count)
        });
        let sign = |at| rules.sign(*fits.unwrap(), at, count);
        (0..count).map(sign).collect::<Vec<_>>()
    };
    assert_eq!(signs("-", 1), [-1]);
    assert_eq!(signs("-", 3), [1, -1, -1]);
    assert_eq!(signs("<=", 2), [-1, 1]);
    assert_eq!(signs("<=", 3), [-1, 0, 1]);
    assert_eq!(signs(">", 4), [1, 0, 0, -1]);
    assert_eq!(signs("=>", 1), [1]);
    assert_eq!(signs("=>", 3), [-1, -1, 1]);
    assert_eq!(signs("re.loop", 3), [1, 0, 0]);
    assert_eq!(signs("ite", 3), [0, 1, 1]);
    assert_eq!(signs("mod", 2), [0, 0]);
}

#[test]
fn every_obligation_is_well_sorted() {
    let obligations = Weaken.obligations(&Settings::default()).unwrap();
    assert!(obligations.len() > 400);
    for Obligation { about, case } in obligations {
        let program = &case.programs[0];
        assert_eq!(SmtLib.check(program), Ok(()), "{about}: {program:?}");
    }
}

/// Where each of these subterms counts, in a script that asserts `assertion`.
fn parities(script: &str) -> Vec<(String, u8)> {
    let original =
        Original::read(script.as_bytes(), Operators::built_in(), View::ANSWERS).expect(script);
    let rules = rules();
    let supply = Supply::of(&original);
    let mutant = Mutant::new(&original);
    let mut places = Places::default();
    places.find(&mutant, &rules, &supply.marks);
    let text = |node| {
        let mut out = Vec::new();
        mutant.write_node(node, &mut out);
        String::from_utf8(out).unwrap()
    };
    let sites = places.sites.iter();
    sites.map(|site| (text(site.node), site.parity)).collect()
}

#[test]
fn parity_is_carried_through_every_connective() {
    let declared = "(declare-datatypes ((L 0)) (((nil) (cons (hd Int) (tl L)))))
        (declare-const p Bool)(declare-const q Bool)(declare-const r Bool)(declare-const l L)
        (declare-const x Int)(declare-const y Int)(declare-const s String)
        (declare-fun P (Bool) Bool)";
    for (assertion, place, parity) in [
        ("p", "p", POSITIVE),
        ("(not p)", "p", NEGATIVE),
        ("(not (not p))", "p", POSITIVE),
        ("(and q (or r p))", "p", POSITIVE),
        ("(=> p q)", "p", NEGATIVE),
        ("(=> q r p)", "p", POSITIVE),
        ("(=> q p r)", "p", NEGATIVE),
        ("(xor p q)", "p", NEITHER),
        ("(= p q)", "p", NEITHER),
        ("(not (= p q))", "(= p q)", NEGATIVE),
        ("(ite p q r)", "p", NEITHER),
        ("(ite q p r)", "p", POSITIVE),
        ("(not (ite q r p))", "p", NEGATIVE),
        ("(P p)", "p", NEITHER),
        ("(= x (ite p 1 2))", "p", NEITHER),
        ("(forall ((z Int)) (=> (= z 1) p))", "p", POSITIVE),
        ("(forall ((z Int)) (=> (= z 1) p))", "(= z 1)", NEGATIVE),
        ("(not (exists ((z Int)) p))", "p", NEGATIVE),
        ("(let ((b p)) (and b q))", "p", POSITIVE),
        ("(let ((b p)) (=> b q))", "p", NEGATIVE),
        ("(let ((b p)) (=> b b))", "p", NEITHER),
        ("(let ((b p)) (let ((c (not b))) (or c q)))", "p", NEGATIVE),
        ("(! (not p) :weight 3)", "p", NEGATIVE),
        ("(match l ((nil (not p)) ((cons h t) q)))", "p", NEGATIVE),
        ("(match l ((nil q) ((cons h t) (> h x))))", "x", NEGATIVE),
        ("(< x y)", "x", NEGATIVE),
        ("(< x y)", "y", POSITIVE),
        ("(< x (+ 1 (- 3 y)))", "y", NEGATIVE),
        ("(<= (- x) 5)", "x", POSITIVE),
        ("(<= (- (- x)) 5)", "x", NEGATIVE),
        ("(>= (- 9 3 x) 5)", "x", NEGATIVE),
        ("(<= 5 x 5)", "x", NEITHER),
        ("(> 9 5 x 3)", "x", NEITHER),
        ("(> 9 5 3 x)", "x", NEGATIVE),
        ("(> x 5 3)", "x", POSITIVE),
        ("(str.in_re s (re.loop re.allchar x 3))", "x", NEITHER),
        ("(str.in_re s (re.^ x re.allchar))", "x", NEITHER),
        ("(= x y)", "y", NEITHER),
        ("(< x (* 2 y))", "y", NEITHER),
        (
            "(str.in_re s (re.* (re.comp (str.to_re \"a\"))))",
            "(str.to_re \"a\")",
            NEGATIVE,
        ),
        (
            "(str.in_re s (re.diff re.all (re.opt re.allchar)))",
            "re.allchar",
            NEGATIVE,
        ),
        (
            "(not (str.in_re s (re.diff re.all (re.opt re.allchar))))",
            "re.all",
            NEGATIVE,
        ),
    ] {
        let script = format!("{declared}(assert {assertion})(check-sat)");
        let found = parities(&script);
        let at = found.iter().find(|(text, _)| text == place);
        assert_eq!(at.expect(assertion).1, parity, "{place} in {assertion}");
    }
}

#[test]
fn what_a_definition_stands_for_has_the_parity_of_its_uses() {
    for (uses, parity) in [
        ("(assert (f 1))", POSITIVE),
        ("(assert (not (f 1)))", NEGATIVE),
        ("(assert (f 1))(assert (or (f 2) (f 3)))", POSITIVE),
        ("(assert (f 1))(assert (not (f 2)))", NEITHER),
        ("(assert (= (f 1) (f 2)))", NEITHER),
        (
            "(define-fun g () Bool (not (f 1)))(assert (not g))",
            POSITIVE,
        ),
        ("(assert (f 1))(check-sat-assuming ((f 2)))", NEITHER),
        ("(assert true)", NEITHER),
    ] {
        let script = format!("(define-fun f ((x Int)) Bool (> x 0)){uses}(check-sat)");
        let found = parities(&script);
        let at = found.iter().find(|(text, _)| text == "(> x 0)").unwrap();
        assert_eq!(at.1, parity, "{uses}");
    }
    let recursive =
        "(define-fun-rec f ((x Int)) Bool (or (= x 0) (f (- x 1))))(assert (f 3))(check-sat)";
    assert!(
        parities(recursive)
            .iter()
            .any(|(text, parity)| text == "(= x 0)" && *parity == NEITHER)
    );
    let named = "(declare-const p Bool)(assert (! (not p) :named n))(assert (not n))(check-sat)";
    assert!(parities(named).contains(&("p".to_string(), NEITHER)));
}

#[test]
fn assumptions_are_left_alone() {
    let script = "(declare-const p Bool)(assert true)(check-sat-assuming ((not p)))";
    assert!(!parities(script).iter().any(|(text, _)| text == "p"));
}

#[test]
fn rules_do_what_the_table_says() {
    let numbers = "(declare-const x Int)(declare-const y Int)";
    for (declared, assertion, step, expected) in [
        (numbers, "(= x y)", "weaken by equal-ge", "(>= x y)"),
        (
            numbers, "(not (>= x y))", "weaken by equal-ge", "(not (= x y))",
        ),
        (numbers, "(>= x y)", "strengthen by equal-ge", "(= x y)"),
        (
            numbers, "(not (= x y))", "strengthen by equal-ge", "(not (>= x y))",
        ),
        (
            numbers,
            "(and (= x 1) (= y 1) (< x y))",
            "weaken by and-drop",
            "(and (= x 1) (< x y))",
        ),
        (
            numbers, "(or (= x 1) (= y 1))", "strengthen by or-left", "(= x 1)",
        ),
        (numbers, "(< x y 3)", "weaken by lt-drop", "(< x 3)"),
        (
            numbers, "(distinct x y)", "rewrite by distinct-not", "(not (= x y))",
        ),
        (
            numbers, "(not (= x y))", "rewrite by distinct-not", "(distinct x y)",
        ),
        (numbers, "(< x y)", "rewrite by int-lt", "(<= (+ x 1) y)"),
        (
            numbers, "(> (+ x 5) y)", "strengthen by gt-slack", "(> x y)",
        ),
        (
            numbers,
            "(or (= x 1) (= y 1))",
            "rewrite by or-exists",
            "(exists ((w0 Bool)) (ite w0 (= x 1) (= y 1)))",
        ),
        (
            numbers, "(forall ((z Int)) (= z x))", "weaken by forall-exists",
            "(exists ((z Int)) (= z x))",
        ),
        (
            numbers,
            "(not (forall ((z Int) (u Int)) (= z u)))",
            "rewrite by not-forall",
            "(exists ((z Int) (u Int)) (not (= z u)))",
        ),
        (
            numbers,
            "(forall ((z Int)) (and (= z x) (= z y)))",
            "rewrite by forall-and",
            "(and (forall ((z Int)) (= z x)) (forall ((z Int)) (= z y)))",
        ),
        (
            numbers, "(forall ((z Int)) (< z x))", "weaken by instance", "(< x x)",
        ),
        (
            numbers, "(exists ((z Int)) (< z x))", "strengthen by choose", "(< x x)",
        ),
        (
            numbers, "(< x 5)", "weaken by witness", "(exists ((w0 Int)) (< x w0))",
        ),
        (
            numbers, "(< x 5)", "strengthen by generalise", "(forall ((w0 Int)) (< w0 5))",
        ),
        (
            numbers,
            "(let ((u (+ x 1))) (= u y))",
            "rewrite by inline",
            "(let ((u (+ x 1))) (= (+ x 1) y))",
        ),
        (
            "(declare-fun f (Int) Int)(declare-const x Int)(assert (= (f 3) 4))",
            "(= x 5)",
            "weaken by congruence",
            "(= (f x) (f 5))",
        ),
        (
            "(declare-datatype P ((mk (l Int) (r Int)) (no)))(declare-const x P)(declare-const y P)",
            "(= x y)",
            "weaken by selector",
            "(= (r x) (r y))",
        ),
        (
            "(declare-datatype P ((mk (l Int) (r Int)) (no)))(declare-const x P)(declare-const y P)",
            "((_ is mk) x)",
            "weaken by other-tester",
            "(not ((_ is no) x))",
        ),
        (
            "(declare-const s String)",
            "(str.in_re s (re.+ (str.to_re \"a\")))",
            "weaken by regex-plus-star",
            "(str.in_re s (re.* (str.to_re \"a\")))",
        ),
        (
            "(declare-const s String)",
            "(str.in_re s (re.comp (re.* (str.to_re \"a\"))))",
            "weaken by regex-plus-star",
            "(str.in_re s (re.comp (re.+ (str.to_re \"a\"))))",
        ),
        (
            "(declare-const r Real)", "(<= r 2.5)", "weaken by le-lt-slack", "(< r (+ 2.5 1.0))",
        ),
        (
            "(declare-const v (_ BitVec 8))",
            "(= (bvor v #x01) (_ bv0 8))",
            "weaken by bv-and-zero",
            "(= (bvand v #x01) (_ bv0 8))",
        ),
        (
            "(declare-const v (_ BitVec 8))",
            "(bvult #x01 v)",
            "weaken by bv-ult-not-zero",
            "(distinct v (_ bv0 8))",
        ),
    ] {
        let script = format!("{declared}(assert {assertion})(check-sat)");
        let made = after(&script, step);
        assert!(
            made.iter().any(|made| made == expected),
            "{step} on {assertion}: {made:#?}"
        );
    }
}

#[test]
fn a_rule_goes_only_where_its_effect_is_wanted() {
    let declared = "(declare-const x Int)(declare-const y Int)";
    for (assertion, step) in [
        ("(not (= x y))", "weaken by equal-ge"),
        ("(>= x y)", "weaken by equal-ge"),
        ("(= x y)", "strengthen by equal-ge"),
        ("(= (= x y) true)", "weaken by equal-ge"),
        ("(xor (= x y) true)", "strengthen by equal-ge"),
        ("(= x y)", "weaken by no-such-rule"),
        ("(= x y)", "equal-ge"),
        ("(= x y)", "weaken by equal-ge, weaken by equal-ge"),
    ] {
        let script = format!("{declared}(assert {assertion})(check-sat)");
        assert_eq!(after(&script, step), [""; 0], "{step} on {assertion}");
    }
}

#[test]
fn the_direction_follows_what_is_known() {
    let one = "(declare-const p Bool)(assert p)(check-sat)";
    let two = "(set-info :status sat)(declare-const p Bool)(assert p)(check-sat)\
               (set-info :status unsat)(assert (not p))(check-sat)";
    for (name, script, claims) in [
        ("sat/a.smt2", one, vec!["weakens sat"]),
        ("unsat/a.smt2", one, vec!["strengthens unsat"]),
        ("a.smt2", one, vec!["strengthens", "weakens"]),
        (
            "b.smt2",
            two,
            vec!["strengthens unknown unsat", "weakens sat unknown"],
        ),
    ] {
        let space = open(vec![seed(name, script)], &[], "").unwrap();
        let claim = |index| {
            let case = space.sample(&mut Choices::seeded(3, index)).unwrap();
            case.claim.to_string()
        };
        let found: std::collections::BTreeSet<String> = (0..30).map(claim).collect();
        assert_eq!(found.into_iter().collect::<Vec<_>>(), claims);
    }
}

#[test]
fn nothing_is_claimed_of_what_depends_on_the_rest_of_the_script() {
    let sets = "(declare-const a (Set Int))(declare-const b (Set Int))";
    for (script, usable) in [
        ("(assert (set.subset a (set.complement b)))", false),
        ("(assert (= a (as set.universe (Set Int))))", false),
        ("(assert (set.subset a b))", true),
        (
            "(declare-fun f (Int) Int)(declare-fun f (Bool) Int)(assert (= (f 1) 2))",
            false,
        ),
    ] {
        let script = format!("{sets}{script}(check-sat)");
        let space = open(vec![seed("sat/a.smt2", &script)], &[], "").unwrap();
        let made = space.sample(&mut Choices::seeded(1, 1));
        assert_eq!(made.is_ok(), usable, "{script}");
    }
}

#[test]
fn settings_choose_rules_and_scripts() {
    let script = "(declare-const x Int)(assert (and (= x 1) (or (< x 2) (> x 3))))(check-sat)";
    let seeds = || vec![seed("sat/a.smt2", script)];
    let space = open(
        seeds(),
        &[("only", "equivalences"), ("rounds", "6"), ("every", "3")],
        "",
    )
    .unwrap();
    for index in 0..40 {
        let case = space.sample(&mut Choices::seeded(1, index)).unwrap();
        assert!(case.programs.len() <= 3);
        for step in case.steps.iter().flat_map(|steps| steps.split(", ")) {
            assert!(step.starts_with("rewrite by "), "{step}");
        }
    }
    let error =
        |set: &[(&str, &str)], rules: &str| open(seeds(), set, rules).err().unwrap().to_string();
    assert!(error(&[("only", "core,strnigs")], "").contains("`strnigs` is not all"));
    assert!(error(&[("rounds", "many")], "").contains("a number"));
}

#[test]
fn the_rules_of_a_user_are_checked_before_they_are_used() {
    let script = "(declare-const x Int)(assert (< x 10))(check-sat)";
    let seeds = || vec![seed("sat/a.smt2", script)];
    let good = "; mine\nmine: (< a b) => (< a (+ b k k)) :weight 100\n";
    let space = open(seeds(), &[("only", "user")], good).unwrap();
    let case = space.sample(&mut Choices::seeded(1, 1)).unwrap();
    assert_eq!(case.steps[0], "weaken by mine");
    for (rules, expected) in [
        (
            "\nbad: (< a b) => (< a (- b k))\n",
            "my.rules:2: rule `bad` is wrong: (=> (< ",
        ),
        (
            "bad: (= x y) => (f x)\n",
            "my.rules:1: `f` is neither a metavariable nor an operator",
        ),
        ("bad: (= x y) -> x\n", "expected `LEFT => RIGHT`"),
        ("bad: (fp.eq f g) => (fp.eq g\n", "my.rules:1: "),
        (
            "bad: s => (str.++ s t)\n",
            "`=>` is for Bool, RegLan, numbers and sets",
        ),
        ("parity xor +..\n", "parity is an attribute of operators"),
        ("and-or: p => p\n", "a second rule `and-or`"),
        ("bad: p => p :wieght 3\n", "unknown attribute `:wieght`"),
    ] {
        let error = open(seeds(), &[], rules).err().expect(rules).to_string();
        assert!(error.contains(expected), "{rules}: {error}");
    }
}
