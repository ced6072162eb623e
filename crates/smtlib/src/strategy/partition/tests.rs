use super::*;
use crate::SmtLib;
use crate::eval::{Budget, Completion, Context, evaluate, question};
use crate::syntax::{parse, parse_term};
use crate::value::Value;

/// Values of each sort that rows are tried on.
const VALUES: &[(&str, &[&str])] = &[
    (
        "(_ BitVec 5)",
        &["#b00000", "#b00001", "#b11111", "#b10000"],
    ),
    (
        "(_ BitVec 6)",
        &["#b000000", "#b000011", "#b111111", "#b100000", "#b011111"],
    ),
    ("Bool", &["true", "false"]),
    ("Int", &["0", "1", "2", "(- 1)", "(- 7)", "100"]),
    ("Real", &["0.0", "0.5", "(- 1.5)", "3.0", "3.5"]),
    (
        "(_ FloatingPoint 3 5)",
        &[
            "(_ NaN 3 5)", "(_ +oo 3 5)", "(_ -oo 3 5)", "(_ +zero 3 5)", "(_ -zero 3 5)",
            "(fp #b0 #b000 #b0001)", "(fp #b1 #b011 #b0101)", "(fp #b0 #b110 #b1111)",
        ],
    ),
    ("RoundingMode", &["RNE", "RNA", "RTP", "RTN", "RTZ"]),
    ("String", &["\"\"", "\"a\"", "\"ab\"", "\"b\""]),
    (
        "(Seq Int)",
        &[
            "(as seq.empty (Seq Int))",
            "(seq.unit 1)",
            "(seq.++ (seq.unit 1) (seq.unit 2))",
        ],
    ),
    (
        "(Set Int)",
        &[
            "(as set.empty (Set Int))",
            "(set.singleton 1)",
            "(set.union (set.singleton 1) (set.singleton 2))",
        ],
    ),
];

fn value(text: &str) -> Option<bool> {
    let mut script = parse(b"(check-sat)").unwrap();
    let asked = question(&script, 0).unwrap();
    let term = parse_term(&mut script, text).unwrap();
    let context = Context::new(&script, &asked);
    match evaluate(&script, &context, term, Completion::None, Budget::default()) {
        Ok(Value::Bool(value)) => Some(value),
        _ => None,
    }
}

#[test]
fn the_cases_of_every_row_leave_no_value_out() {
    for cover in covers() {
        let sort = cover.example();
        let (_, values) = VALUES.iter().find(|(known, _)| *known == sort).unwrap();
        for x in *values {
            for y in *values {
                let cases = cover.cases(x, y, sort);
                let found: Vec<Option<bool>> = cases.iter().map(|case| value(case)).collect();
                // A quantifier over all numbers may not be decided.
                let open = cover.wide && found.contains(&None);
                assert!(
                    open || found.contains(&Some(true)),
                    "{}: {cases:?}",
                    cover.name
                );
            }
        }
    }
}

const SEEDS: &[&str] = &[
    "(set-logic QF_IDL)(declare-const x Int)(declare-const y Int)(assert (< (- x y) 3))(check-sat)",
    "(set-logic UFLIA)(declare-fun f (Int) Int)(assert (forall ((x Int)) (> (f x) (f 0))))(check-sat)",
    "(set-logic QF_S)(declare-const s String)(assert (str.contains s \"a\"))(push 1)\
     (assert (str.< s \"b\"))(check-sat)(pop 1)(check-sat)",
    "(set-logic QF_FP)(declare-const u Float16)(assert (fp.lt u u))(check-sat)",
];

fn open() -> Box<dyn Space> {
    let seed = |text: &&str| Seed {
        name: "seed.smt2".to_string(),
        text: text.as_bytes().into(),
        claim: None,
    };
    let seeds: Vec<Seed> = SEEDS.iter().map(seed).collect();
    PartitionStrategy
        .open(Arc::new(SmtLib), seeds.into(), &Settings::default())
        .unwrap()
}

#[test]
fn parts_are_the_whole_and_one_case_more() {
    let space = open();
    let mut made = 0;
    for index in 0..200 {
        let mut choices = Choices::seeded(11, index);
        let Ok(case) = space.sample(&mut choices) else {
            continue;
        };
        made += 1;
        assert_eq!(case.claim, Claim::Partition);
        assert_eq!(case.programs.len(), case.steps.len() + 1);
        for (part, step) in case.programs[1..].iter().zip(&case.steps) {
            assert_eq!(SmtLib.check(part), Ok(()));
            assert_eq!(
                successor(&case.programs[0], step, Operators::built_in()).as_ref(),
                Some(part)
            );
        }
        let again = space.sample(&mut Choices::replay(choices.into_tape()));
        assert_eq!(again, Ok(case));
    }
    assert!(made > 120, "{made}");
}

#[test]
fn an_edit_of_the_whole_is_made_in_every_part() {
    let space = open();
    let mut edited = 0;
    for index in 0..20 {
        let Ok(case) = space.sample(&mut Choices::seeded(2, index)) else {
            continue;
        };
        for (_, programs) in edits(&case.programs, Operators::built_in()).take(20) {
            edited += 1;
            assert_eq!(programs.len(), case.programs.len());
            for (part, step) in programs[1..].iter().zip(&case.steps) {
                assert_eq!(
                    successor(&programs[0], step, Operators::built_in()).as_ref(),
                    Some(part)
                );
            }
        }
    }
    assert!(edited > 50, "{edited}");
}
