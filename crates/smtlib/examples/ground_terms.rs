//! Random ground terms with the values that our evaluator gives them, as a
//! script that a solver must answer with `unsat` throughout:
//!
//! `cargo run --release --example ground_terms -- THEORY COUNT SEED [BATCH]`
//!
//! Each question refutes `(= term value)` for BATCH terms at once (1 unless
//! told otherwise); with BATCH 0 the script asks z3 to `simplify` each equation
//! to `true` instead. Terms whose value the standard leaves open are left out;
//! how many is said on stderr.
#![allow(clippy::disallowed_methods)] // An example is a program: it reads its arguments.

use lydite_core::{Choices, Reject};
use lydite_smtlib::eval::{Budget, Completion, Context, Question, evaluate};
use lydite_smtlib::syntax::{Script, parse_term};
use lydite_smtlib::value::{BitVec, Float, Format, Int, Natural, Value};

/// One production a line: result sort, then the term with sorts as holes.
const CORE: &str = "
Bool (not Bool)
Bool (and Bool Bool)
Bool (or Bool Bool Bool)
Bool (xor Bool Bool)
Bool (=> Bool Bool Bool)
Bool (= Bool Bool)
Bool (distinct Bool Bool)
Bool (ite Bool Bool Bool)
";

const INTS: &str = "
Int (+ Int Int)
Int (- Int Int)
Int (- Int)
Int (* Int Int)
Int (div Int Int)
Int (mod Int Int)
Int (abs Int)
Int (ite Bool Int Int)
Bool (< Int Int)
Bool (<= Int Int Int)
Bool (> Int Int)
Bool (>= Int Int)
Bool (= Int Int)
Bool (distinct Int Int Int)
";

const REALS: &str = "
Real (+ Real Real)
Real (- Real Real)
Real (- Real)
Real (* Real Real)
Real (/ Real Real)
Real (to_real Int)
Real (ite Bool Real Real)
Int (to_int Real)
Bool (is_int Real)
Bool (< Real Real)
Bool (<= Real Real)
Bool (= Real Real)
Bool (> Real Real Real)
";

const BITVECS: &str = "
B8 (bvnot B8)
B8 (bvneg B8)
B8 (bvand B8 B8)
B8 (bvor B8 B8)
B8 (bvxor B8 B8)
B8 (bvnand B8 B8)
B8 (bvnor B8 B8)
B8 (bvxnor B8 B8)
B8 (bvadd B8 B8)
B8 (bvsub B8 B8)
B8 (bvmul B8 B8)
B8 (bvudiv B8 B8)
B8 (bvurem B8 B8)
B8 (bvsdiv B8 B8)
B8 (bvsrem B8 B8)
B8 (bvsmod B8 B8)
B8 (bvshl B8 B8)
B8 (bvlshr B8 B8)
B8 (bvashr B8 B8)
B8 (ite Bool B8 B8)
B8 (concat B4 B4)
B8 ((_ zero_extend 4) B4)
B8 ((_ sign_extend 4) B4)
B8 ((_ repeat 2) B4)
B8 ((_ rotate_left 3) B8)
B8 ((_ rotate_right 11) B8)
B8 ((_ extract 40 33) B70)
B8 ((_ int2bv 8) Int)
B4 ((_ extract 5 2) B8)
B4 (concat B1 B1 B1 B1)
B4 (bvadd B4 B4)
B4 (bvsdiv B4 B4)
B4 (bvsmod B4 B4)
B1 (bvcomp B8 B8)
B1 (bvredor B8)
B1 (bvredand B8)
B1 (bvmul B1 B1)
B1 (bvsdiv B1 B1)
B1 (bvsmod B1 B1)
B70 (bvmul B70 B70)
B70 (bvudiv B70 B70)
B70 (bvsrem B70 B70)
B70 (bvsmod B70 B70)
B70 (bvsdiv B70 B70)
B70 (bvlshr B70 B70)
B70 (bvashr B70 B70)
B70 (bvshl B70 B70)
B70 ((_ sign_extend 62) B8)
B70 ((_ rotate_left 69) B70)
Int (bv2nat B8)
Int (bv2nat B70)
Bool (bvult B8 B8)
Bool (bvule B8 B8)
Bool (bvugt B70 B70)
Bool (bvuge B8 B8)
Bool (bvslt B8 B8)
Bool (bvsle B70 B70)
Bool (bvsgt B8 B8)
Bool (bvsge B4 B4)
Bool (= B8 B8)
Bool (bvnego B4)
Bool (bvuaddo B8 B8)
Bool (bvsaddo B4 B4)
Bool (bvumulo B8 B8)
Bool (bvsmulo B8 B8)
Bool (bvusubo B8 B8)
Bool (bvssubo B4 B4)
Bool (bvsdivo B4 B4)
";

const FLOATS: &str = "
F (fp.abs F)
F (fp.neg F)
F (fp.add RM F F)
F (fp.sub RM F F)
F (fp.mul RM F F)
F (fp.div RM F F)
F (fp.fma RM F F F)
F (fp.sqrt RM F)
F (fp.rem F F)
F (fp.roundToIntegral RM F)
F (fp.min F F)
F (fp.max F F)
F (ite Bool F F)
F ((_ to_fp 8 24) RM G)
F ((_ to_fp 8 24) RM H)
F ((_ to_fp 8 24) RM Real)
F ((_ to_fp 8 24) RM B8)
F ((_ to_fp 8 24) RM B70)
F ((_ to_fp_unsigned 8 24) RM B8)
F ((_ to_fp_unsigned 8 24) RM B70)
G (fp.add RM G G)
G (fp.sub RM G G)
G (fp.mul RM G G)
G (fp.div RM G G)
G (fp.fma RM G G G)
G (fp.sqrt RM G)
G (fp.rem G G)
G (fp.roundToIntegral RM G)
G ((_ to_fp 3 4) RM F)
G ((_ to_fp 3 4) RM Real)
G ((_ to_fp 3 4) RM B4)
G ((_ to_fp 3 4) (bvxor B7 B7))
H (fp.mul RM H H)
H (fp.add RM H H)
H ((_ to_fp 11 53) RM F)
H ((_ to_fp 11 53) RM Real)
H (fp.div RM H H)
H (fp.sqrt RM H)
B8 ((_ fp.to_ubv 8) RM F)
B8 ((_ fp.to_sbv 8) RM F)
B4 ((_ fp.to_ubv 4) RM G)
B4 ((_ fp.to_sbv 4) RM G)
Real (fp.to_real F)
Real (fp.to_real G)
Bool (fp.leq F F)
Bool (fp.lt F F)
Bool (fp.geq G G)
Bool (fp.gt F F)
Bool (fp.eq G G)
Bool (= F F)
Bool (= G G)
Bool (fp.isNormal F)
Bool (fp.isSubnormal F)
Bool (fp.isZero F)
Bool (fp.isInfinite F)
Bool (fp.isNaN F)
Bool (fp.isNegative F)
Bool (fp.isPositive F)
";

const STRINGS: &str = "
String (str.++ String String)
String (str.at String Int)
String (str.substr String Int Int)
String (str.replace String String String)
String (str.replace_all String String String)
String (str.replace_re String RegLan String)
String (str.replace_re_all String RegLan String)
String (str.from_int Int)
String (str.from_code Int)
String (ite Bool String String)
Int (str.len String)
Int (str.indexof String String Int)
Int (str.to_int String)
Int (str.to_code String)
Int (+ Int Int)
Int (- Int Int)
Bool (str.< String String)
Bool (str.<= String String)
Bool (str.prefixof String String)
Bool (str.suffixof String String)
Bool (str.contains String String)
Bool (str.is_digit String)
Bool (str.in_re String RegLan)
Bool (str.in_re String RegLan)
Bool (str.in_re String RegLan)
Bool (= String String)
RegLan (str.to_re String)
RegLan (re.++ RegLan RegLan)
RegLan (re.union RegLan RegLan)
RegLan (re.inter RegLan RegLan)
RegLan (re.diff RegLan RegLan)
RegLan (re.comp RegLan)
RegLan (re.* RegLan)
RegLan (re.+ RegLan)
RegLan (re.opt RegLan)
RegLan (re.range String String)
RegLan ((_ re.^ 2) RegLan)
RegLan ((_ re.loop 1 3) RegLan)
RegLan ((_ re.loop 3 1) RegLan)
";

const ARRAYS: &str = "
A (store A Int Int)
A (store A Int Int)
A (ite Bool A A)
P (store P Bool B1)
P (ite Bool P P)
Int (select A Int)
B1 (select P Bool)
B1 (bvadd B1 B1)
Bool (= A A)
Bool (= P P)
Bool (distinct P P P)
Int (+ Int Int)
Bool (= Int Int)
";

const SEQUENCES: &str = "
Q (seq.++ Q Q)
Q (seq.unit Int)
Q (seq.at Q Int)
Q (seq.extract Q Int Int)
Q (seq.replace Q Q Q)
Q (ite Bool Q Q)
Int (seq.len Q)
Int (seq.indexof Q Q Int)
Int (seq.nth Q Int)
Bool (seq.contains Q Q)
Bool (seq.prefixof Q Q)
Bool (seq.suffixof Q Q)
Bool (= Q Q)
";

const THEORIES: &[(&str, &[&str], &[&str])] = &[
    ("core", &[CORE], &["Bool"]),
    ("ints", &[CORE, INTS], &["Int", "Bool"]),
    ("reals", &[CORE, INTS, REALS], &["Real", "Int", "Bool"]),
    (
        "bitvecs",
        &[BITVECS],
        &["B8", "B4", "B1", "B70", "Int", "Bool"],
    ),
    (
        "floats",
        &[FLOATS],
        &["F", "G", "H", "B8", "B4", "Real", "Bool"],
    ),
    ("strings", &[STRINGS], &["String", "Int", "Bool"]),
    ("arrays", &[ARRAYS], &["A", "P", "Int", "B1", "Bool"]),
    ("sequences", &[SEQUENCES], &["Q", "Int", "Bool"]),
];

struct Generator {
    productions: Vec<(&'static str, &'static str)>,
}

const SORTS: &[&str] = &[
    "Bool", "Int", "Real", "B1", "B4", "B7", "B8", "B70", "F", "G", "H", "RM", "String", "RegLan",
    "A", "P", "Q",
];

impl Generator {
    fn term(&self, choices: &mut Choices, sort: &str, depth: u32) -> Result<String, Reject> {
        let mine: Vec<&str> = self
            .productions
            .iter()
            .filter(|p| p.0 == sort)
            .map(|p| p.1)
            .collect();
        if depth == 0 || mine.is_empty() || choices.chance(1, 6)? {
            return leaf(choices, sort);
        }
        let template = *choices.pick(&mine)?;
        let mut text = String::new();
        for (i, word) in template.split(' ').enumerate() {
            let bare = word.trim_matches(['(', ')']);
            if i > 0 {
                text.push(' ');
            }
            match i > 0 && SORTS.contains(&bare) {
                true => {
                    let argument = self.term(choices, bare, depth - 1)?;
                    text.push_str(&word.replace(bare, &argument));
                }
                false => text.push_str(word),
            }
        }
        Ok(text)
    }
}

/// A literal of a sort: corner cases and random ones.
fn leaf(choices: &mut Choices, sort: &str) -> Result<String, Reject> {
    let bits = |choices: &mut Choices, width: u32| -> Result<String, Reject> {
        let random =
            u128::from(choices.between(0, u64::MAX)?) << 32 | u128::from(choices.below(1 << 32)?);
        let n = match choices.below(4)? {
            0 => u128::from(choices.below(3)?),
            1 => u128::MAX - u128::from(choices.below(3)?),
            2 => (1 << (width - 1)) - 1 + u128::from(choices.below(3)?),
            _ => random,
        };
        let value = BitVec::new(width, Natural::from(n)).expect("a small width");
        Ok(value.to_string())
    };
    Ok(match sort {
        "Bool" => choices.pick(&["true", "false"])?.to_string(),
        "Int" => {
            let n: i64 = match choices.below(5)? {
                0 => choices.below(4)? as i64 - 1,
                1 => choices.below(1 << 40)? as i64 - (1 << 39),
                _ => choices.below(24)? as i64 - 8,
            };
            Value::Int(Int::from(n)).to_string()
        }
        "Real" => {
            let n = choices.below(40)? as i64 - 20;
            let d = choices.between(1, 9)?;
            match choices.below(3)? {
                0 => format!("(/ {}.0 {d}.0)", n.abs()),
                1 if n < 0 => format!("(- {}.{d})", -n),
                _ => format!("{}.{d}", n.abs()),
            }
        }
        "B1" => bits(choices, 1)?,
        "B4" => bits(choices, 4)?,
        "B7" => bits(choices, 7)?,
        "B8" => bits(choices, 8)?,
        "B70" => bits(choices, 70)?,
        "F" => float(choices, Format::SINGLE)?,
        "G" => float(choices, Format { eb: 3, sb: 4 })?,
        "H" => float(choices, Format::DOUBLE)?,
        "RM" => choices
            .pick(&["RNE", "RNA", "RTP", "RTN", "RTZ"])?
            .to_string(),
        "String" => string(choices)?,
        "RegLan" => match choices.below(5)? {
            0 => choices
                .pick(&["re.none", "re.all", "re.allchar"])?
                .to_string(),
            1 => "(re.range \"a\" \"c\")".to_string(),
            _ => format!("(str.to_re {})", string(choices)?),
        },
        "A" => format!("((as const (Array Int Int)) {})", choices.below(3)?),
        "P" => format!(
            "((as const (Array Bool (_ BitVec 1))) #b{})",
            choices.below(2)?
        ),
        "Q" => match choices.below(3)? {
            0 => "(as seq.empty (Seq Int))".to_string(),
            1 => format!("(seq.unit {})", choices.below(3)?),
            _ => format!(
                "(seq.++ (seq.unit {}) (seq.unit {}))",
                choices.below(3)?,
                choices.below(3)?
            ),
        },
        _ => return Err(Reject::NotApplicable("no such sort")),
    })
}

fn string(choices: &mut Choices) -> Result<String, Reject> {
    let letters = [
        "a",
        "b",
        "a",
        "b",
        "c",
        "0",
        "1",
        "9",
        "-",
        "\\u{5c}",
        "\\u{7f}",
        "\\u{2ffff}",
        "\"\"",
    ];
    let len = choices.below(5)?;
    let mut text = String::from("\"");
    for _ in 0..len {
        text.push_str(choices.pick(&letters)?);
    }
    text.push('"');
    Ok(text)
}

fn float(choices: &mut Choices, format: Format) -> Result<String, Reject> {
    let width = format.width();
    let random = u128::from(choices.between(0, u64::MAX)?);
    let one = 1u128 << (format.sb - 1);
    let bias = (1u128 << (format.eb - 1)) - 1;
    let bits = match choices.below(5)? {
        0 => random,
        1 => *choices.pick(&[
            0,
            1,
            one,
            one - 1,
            one * (2 * bias + 1),
            one * (2 * bias + 1) - 1,
            one * (2 * bias + 1) + 1,
        ])?,
        2 => (bias + u128::from(choices.below(7)?) - 2) * one + random % 4,
        3 => ((bias + u128::from(choices.below(9)?)) * one) | ((random % one) & !(one / 8 - 1)),
        _ => bias * one + (random % (one * 4)),
    };
    let sign = u128::from(choices.below(2)?) << (width - 1);
    let bits = BitVec::new(width, Natural::from(bits ^ sign)).expect("a small width");
    Ok(Float::from_bits(format, &bits)
        .expect("the format's width")
        .to_string())
}

/// A value as a term of its sort.
fn written(value: &Value, sort: &str) -> String {
    let array = |sort: &str| {
        let text = value.to_string();
        text.replace("(as const Array)", &format!("(as const {sort})"))
    };
    match (value, sort) {
        (Value::Int(_), "Real") => format!("(to_real {value})"),
        (Value::Seq(items), _) if items.is_empty() => "(as seq.empty (Seq Int))".to_string(),
        (_, "A") => array("(Array Int Int)"),
        (_, "P") => array("(Array Bool (_ BitVec 1))"),
        _ => value.to_string(),
    }
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let number = |at: usize, default: u64| {
        args.get(at)
            .map_or(default, |n| n.parse().expect("a number"))
    };
    let name = args.first().map_or("ints", String::as_str);
    let (_, tables, sorts) = THEORIES
        .iter()
        .find(|(theory, ..)| *theory == name)
        .expect("a theory of the list");
    let productions = tables
        .iter()
        .flat_map(|table| table.lines())
        .filter_map(|line| line.split_once(' '));
    let generator = Generator {
        productions: productions.collect(),
    };
    let (count, seed, batch) = (number(1, 100), number(2, 0), number(3, 1) as usize);
    println!("(set-logic ALL)");
    let mut left_out = 0;
    let mut equations: Vec<String> = Vec::new();
    for index in 0..count {
        let mut choices = Choices::seeded(seed, index);
        let sort = *choices.pick(sorts).expect("random choices do not end");
        let depth = choices.between(1, 4).expect("random choices do not end") as u32;
        let text = generator
            .term(&mut choices, sort, depth)
            .expect("random choices do not end");
        let mut script = Script::default();
        let term = parse_term(&mut script, &text).expect("terms of the tables parse");
        let context = Context::new(&script, &Question::default());
        match evaluate(&script, &context, term, Completion::None, Budget::default()) {
            Ok(value) => equations.push(format!("(= {text} {})", written(&value, sort))),
            Err(why) => {
                left_out += 1;
                if args.len() > 4 {
                    eprintln!("{why}: {text}");
                }
            }
        }
    }
    let made = equations.len();
    if batch == 0 {
        equations
            .iter()
            .for_each(|equation| println!("(simplify {equation})"));
        equations.clear();
    }
    for batch in equations.chunks(batch.max(1)) {
        let conjunction = match batch {
            [one] => one.clone(),
            several => format!("(and {})", several.join(" ")),
        };
        println!("(push 1)\n(assert (not {conjunction}))\n(check-sat)\n(pop 1)");
    }
    eprintln!("{made} terms, {left_out} left open");
}
