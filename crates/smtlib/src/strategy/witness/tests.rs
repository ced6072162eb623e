use super::*;
use crate::SmtLib;

fn open(seeds: &[&str], only: &str) -> Box<dyn Space> {
    let given = [("only".to_string(), only.to_string())];
    let settings = Settings::checked(&WitnessStrategy, given.into()).unwrap();
    let seed = |text: &&str| Seed {
        name: "seed.smt2".to_string(),
        text: text.as_bytes().into(),
        claim: None,
    };
    let seeds: Vec<Seed> = seeds.iter().map(seed).collect();
    WitnessStrategy
        .open(Arc::new(SmtLib), seeds.into(), &settings)
        .unwrap()
}

const SEEDS: &[&str] = &[
    "(set-logic QF_LIA)(declare-const x Int)(declare-const y Int)(declare-const p Bool)\
     (assert (or p (> x y)))(assert (=> p (= (+ x 1) (div y x))))(check-sat)",
    "(set-logic ALL)(declare-const s String)(declare-fun f (String Int) String)\
     (assert (= (f s 1) (str.++ s \"a\")))(assert (str.in_re s (re.* (str.to_re \"ab\"))))(check-sat)",
    "(set-logic QF_BV)(declare-const a (_ BitVec 4))(declare-const b (_ BitVec 4))\
     (assert (bvult (bvadd a b) (bvmul a #x3)))(check-sat)(push 1)(assert (= a b))(check-sat)(pop 1)",
    "(set-logic QF_FP)(declare-const u (_ FloatingPoint 3 5))(declare-const m RoundingMode)\
     (assert (fp.lt u (fp.add m u u)))(check-sat)",
    "(set-logic ALL)(declare-datatypes ((L 0)) (((nil) (cons (hd Int) (tl L)))))\
     (declare-const l L)(declare-const a (Array Int L))(assert (= (select a (hd l)) (tl l)))(check-sat)",
    "(set-logic UFLIA)(declare-sort T 0)(declare-fun g (T) Int)(declare-const t T)\
     (assert (forall ((x T)) (> (g x) 0)))(assert (< (g t) 3))(check-sat)",
    "(set-logic ALL)(declare-const A (Set Int))(declare-const p Bool)(declare-const q Bool)\
     (assert (= p (set.member 1 A)))(assert (xor p q))(check-sat)",
];

fn text(case: &Case) -> String {
    String::from_utf8(case.programs[0].source().text.to_vec()).unwrap()
}

#[test]
fn every_case_is_well_sorted_and_its_answer_is_seen_from_its_text() {
    let (mut sat, mut unsat, mut rejected) = (0, 0, 0);
    let space = open(SEEDS, "all");
    for index in 0..400 {
        let Ok(case) = space.sample(&mut Choices::seeded(3, index)) else {
            rejected += 1;
            continue;
        };
        assert_eq!(SmtLib.check(&case.programs[0]), Ok(()), "{}", text(&case));
        assert!(SmtLib.upholds(&case), "{}", text(&case));
        match case.claim.to_string().contains("unsat") {
            true => unsat += 1,
            false => sat += 1,
        }
    }
    assert!(
        sat > 100 && unsat > 60 && rejected < 150,
        "{sat} {unsat} {rejected}"
    );
}

#[test]
fn terms_are_told_their_values_and_the_script_stays_true() {
    // Nothing here is false under any model, so what is added is all that is asked for.
    let seed = "(set-logic ALL)(declare-const s String)(declare-const t String)\
         (assert (= (str.++ s t) (str.++ s t)))(check-sat)";
    let given = [("only", "sat"), ("rounds", "1")];
    let given = given.map(|(key, value)| (key.to_string(), value.to_string()));
    let settings = Settings::checked(&WitnessStrategy, given.into()).unwrap();
    let seeds = [Seed {
        name: "seed.smt2".to_string(),
        text: seed.as_bytes().into(),
        claim: None,
    }];
    let space = WitnessStrategy
        .open(Arc::new(SmtLib), seeds.into(), &settings)
        .unwrap();
    let mut valued = 0;
    for index in 0..80 {
        let Ok(case) = space.sample(&mut Choices::seeded(11, index)) else {
            continue;
        };
        let told = case
            .steps
            .last()
            .unwrap()
            .ends_with("with terms of known value");
        if told && text(&case).contains("(= (str.++ s t) \"") {
            valued += 1;
            assert!(SmtLib.upholds(&case), "{}", text(&case));
        }
    }
    assert!(valued > 5, "{valued}");
}

#[test]
fn a_tape_remakes_the_case() {
    let space = open(SEEDS, "all");
    for index in 0..20 {
        let mut choices = Choices::seeded(5, index);
        let Ok(case) = space.sample(&mut choices) else {
            continue;
        };
        let again = space.sample(&mut Choices::replay(choices.into_tape()));
        assert_eq!(again, Ok(case));
    }
}

#[test]
fn a_claim_that_an_edit_breaks_is_not_upheld() {
    let space = open(&SEEDS[..1], "sat");
    let (mut kept, mut broken) = (0, 0);
    for index in 0..10 {
        let Ok(case) = space.sample(&mut Choices::seeded(7, index)) else {
            continue;
        };
        for edit in SmtLib.edits(&case.programs[0]).take(60) {
            let edited = Case {
                programs: vec![edit.program],
                ..case.clone()
            };
            match SmtLib.upholds(&edited) {
                true => kept += 1,
                false => broken += 1,
            }
        }
    }
    assert!(kept > 50 && broken > 50, "{kept} {broken}");
}

#[test]
fn one_kind_of_answer_can_be_asked_for() {
    for (only, word) in [("sat", "sat"), ("unsat", "unsat")] {
        let space = open(SEEDS, only);
        let cases = (0..60).filter_map(|at| space.sample(&mut Choices::seeded(1, at)).ok());
        for case in cases {
            let claim = case.claim.to_string();
            assert!(claim.split(' ').all(|one| one == word), "{claim}");
        }
    }
    let given = [("only".to_string(), "maybe".to_string())];
    let settings = Settings::checked(&WitnessStrategy, given.into()).unwrap();
    let error = WitnessStrategy.open(Arc::new(SmtLib), Arc::new([]), &settings);
    assert!(
        error
            .err()
            .unwrap()
            .to_string()
            .contains("sat, unsat or all")
    );
}
