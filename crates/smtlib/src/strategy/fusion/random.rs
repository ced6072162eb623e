//! Fusion functions made up at random, as YinYang's (section 3.4 of the thesis).
//!
//! A function is a chain of steps on x, each of which can be taken back by who knows y
//! and the constants: `(+ t e)` by `(- t e)`, `(bvxor t e)` by itself, and so on. Taken
//! back in reverse order they recover x, whatever e is. The blocks are text in the form
//! of `functions.txt`, and are verified like a user's before they are used.

use lydite_core::{Choices, Reject};

/// A step on `t`, how it is taken back, and what e may be.
struct Layer {
    sort: &'static str,
    there: &'static str,
    back: &'static str,
}

const fn layer(sort: &'static str, there: &'static str, back: &'static str) -> Layer {
    Layer { sort, there, back }
}

/// `t` is what was made so far, `e` a term over y and constants, `p` a condition on them.
const LAYERS: &[Layer] = &[
    layer("Int", "(+ t e)", "(- t e)"),
    layer("Int", "(- t e)", "(+ t e)"),
    layer("Int", "(- e t)", "(- e t)"),
    layer("Int", "(ite p (+ t e) (- t e))", "(ite p (- t e) (+ t e))"),
    layer("Real", "(+ t e)", "(- t e)"),
    layer("Real", "(- e t)", "(- e t)"),
    layer("Real", "(* t 2.0)", "(/ t 2.0)"),
    layer("Real", "(/ t 3.0)", "(* t 3.0)"),
    layer("Real", "(ite p t (- e t))", "(ite p t (- e t))"),
    layer("(_ BitVec m)", "(bvadd t e)", "(bvsub t e)"),
    layer("(_ BitVec m)", "(bvsub e t)", "(bvsub e t)"),
    layer("(_ BitVec m)", "(bvxor t e)", "(bvxor t e)"),
    layer("(_ BitVec m)", "(bvxnor t e)", "(bvxnor t e)"),
    layer("(_ BitVec m)", "(bvnot t)", "(bvnot t)"),
    layer("(_ BitVec m)", "(bvneg t)", "(bvneg t)"),
    layer(
        "(_ BitVec m)", "((_ rotate_left 1) t)", "((_ rotate_right 1) t)",
    ),
    layer(
        "(_ BitVec m)",
        "(ite p (bvadd t e) (bvnot t))",
        "(ite p (bvsub t e) (bvnot t))",
    ),
    layer("Bool", "(xor t e)", "(xor t e)"),
    layer("Bool", "(= t e)", "(= t e)"),
    layer("Bool", "(not t)", "(not t)"),
    layer("Bool", "(ite p t (not t))", "(ite p t (not t))"),
    layer(
        "String",
        "(str.++ t e)",
        "(str.substr t 0 (- (str.len t) (str.len e)))",
    ),
    layer(
        "String",
        "(str.++ e t)",
        "(str.substr t (str.len e) (- (str.len t) (str.len e)))",
    ),
];

/// Terms over y and the constant c, and conditions on them, by sort.
const OPERANDS: &[(&str, &[&str], &[&str])] = &[
    (
        "Int",
        &[
            "y", "c", "(+ y c)", "(- y)", "(abs y)", "(* y c)", "(ite (> y c) y c)", "(mod y 3)",
        ],
        &["(> y c)", "(= y c)", "(< y 0)", "(= (mod y 2) 0)"],
    ),
    (
        "Real",
        &[
            "y", "c", "(+ y c)", "(- y)", "(* y c)", "(ite (> y c) y c)", "(to_real (to_int y))",
        ],
        &["(> y c)", "(= y c)", "(is_int y)"],
    ),
    (
        "(_ BitVec m)",
        &[
            "y", "c", "(bvadd y c)", "(bvmul y y)", "(bvand y c)", "(bvlshr y c)", "(bvudiv y c)",
        ],
        &["(bvult y c)", "(bvslt y c)", "(= y c)"],
    ),
    (
        "Bool",
        &["y", "c", "(and y c)", "(=> y c)"],
        &["y", "c", "(or y c)"],
    ),
    (
        "String",
        &[
            "y", "c", "(str.++ y c)", "(str.substr y 0 1)", "(str.replace y c \"b\")",
        ],
        &["(= y c)", "(str.contains y c)"],
    ),
];

/// The longest chain of steps.
const MOST_LAYERS: u64 = 4;

/// As many blocks, the same every time.
pub(super) fn blocks(count: u64) -> String {
    let made = (0..count).filter_map(|number| block(&mut Choices::seeded(34, number)).ok());
    made.collect()
}

fn block(choices: &mut Choices) -> Result<String, Reject> {
    let (sort, terms, conditions) = *choices.pick(OPERANDS)?;
    let layers: Vec<&Layer> = LAYERS.iter().filter(|layer| layer.sort == sort).collect();
    let mut taken = Vec::new();
    for _ in 0..choices.between(2, MOST_LAYERS)? {
        let layer = *choices.pick(&layers)?;
        taken.push((layer, *choices.pick(terms)?, *choices.pick(conditions)?));
    }
    let forth = taken
        .iter()
        .fold("x".to_string(), |inner, (layer, term, condition)| {
            filled(layer.there, &inner, term, condition)
        });
    let back = taken
        .iter()
        .rev()
        .fold("z".to_string(), |inner, (layer, term, condition)| {
            filled(layer.back, &inner, term, condition)
        });
    let constant = match has_word(&forth, "c") {
        true => format!(" (declare-const c {sort})"),
        false => String::new(),
    };
    Ok(format!(
        "#begin\n(declare-const x {sort}) (declare-const y {sort}) (declare-const z {sort}){constant}\n\
         (assert (= z {forth}))\n(assert (= x {back}))\n#end\n"
    ))
}

/// A step with its words put in; `t` may stand twice.
fn filled(step: &str, inner: &str, term: &str, condition: &str) -> String {
    let mut text = String::new();
    for word in step.split_inclusive([' ', '(', ')']) {
        let bare = word.trim_end_matches([' ', '(', ')']);
        text.push_str(match bare {
            "t" => inner,
            "e" => term,
            "p" => condition,
            other => other,
        });
        text.push_str(&word[bare.len()..]);
    }
    text
}

fn has_word(text: &str, wanted: &str) -> bool {
    text.split([' ', '(', ')']).any(|word| word == wanted)
}

#[cfg(test)]
mod tests {
    use super::super::functions::Functions;
    use super::*;
    use crate::operators::Operators;

    #[test]
    fn every_function_that_is_made_up_is_verified() {
        let text = blocks(60);
        assert_eq!(text.matches("#begin").count(), 60);
        let read = Functions::new(Some(&text), Operators::built_in());
        assert!(read.is_ok(), "{:?}\n{text}", read.err());
        let sorts = ["Int", "Real", "BitVec", "Bool", "String"];
        assert!(sorts.iter().all(|sort| text.contains(sort)));
    }
}
