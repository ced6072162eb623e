//! A block for given sorts, ready to be written into a script.

use super::letters::Letters;
use super::table::{Block, VARIABLES, tokens};
use super::verify::{Trial, constants};
use crate::logic::{self, Logic};
use crate::mutate::mutant::{Mutant, Original};
use crate::mutate::view::View;
use crate::operators::Operators;

/// How many choices of constants a block gets.
const POOL: u64 = 24;
/// How many values an instance is tried on before it is used: widths may be
/// any, and a block's own verification sees only a few.
const TRIALS: u64 = 24;

/// A text with holes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Template(Vec<Piece>);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    Text(String),
    /// x, y or z.
    Variable(usize),
    Constant(usize),
    Fresh(usize),
}

/// What fills the holes of a template.
#[derive(Clone, Copy, Debug)]
pub(super) struct Filling<'a> {
    /// x, y and z.
    pub(super) variables: [&'a str; 3],
    pub(super) constants: &'a [String],
    pub(super) fresh: &'a [String],
}

impl Template {
    /// The text of a block with its own names as holes.
    pub(super) fn new(block: &Block, text: &str) -> Template {
        let mut pieces = Vec::new();
        let mut plain = String::new();
        let mut last = "";
        for word in tokens(text) {
            if word != ")" && last != "(" && !last.is_empty() {
                plain.push(' ');
            }
            last = word;
            let position = |names: &[super::table::Name]| names.iter().position(|n| n.name == word);
            let variable = VARIABLES.iter().position(|v| *v == word);
            let hole = variable.map(Piece::Variable);
            let hole = hole.or_else(|| position(&block.constants).map(Piece::Constant));
            let hole = hole.or_else(|| position(&block.fresh).map(Piece::Fresh));
            match hole {
                Some(hole) => {
                    if !plain.is_empty() {
                        pieces.push(Piece::Text(std::mem::take(&mut plain)));
                    }
                    pieces.push(hole);
                }
                None => plain.push_str(word),
            }
        }
        if !plain.is_empty() {
            pieces.push(Piece::Text(plain));
        }
        Template(pieces)
    }

    /// Writes it with its holes filled.
    pub(super) fn write(&self, filling: Filling<'_>, out: &mut String) {
        for piece in &self.0 {
            out.push_str(match piece {
                Piece::Text(text) => text,
                Piece::Variable(at) => filling.variables[*at],
                Piece::Constant(at) => &filling.constants[*at],
                Piece::Fresh(at) => &filling.fresh[*at],
            });
        }
    }
}

/// A fusion function for given sorts of x and y.
#[derive(Debug)]
pub(super) struct Instance {
    pub(super) z_sort: String,
    /// The names and sorts of fresh variables.
    pub(super) fresh: Vec<(String, String)>,
    pub(super) fusion: Template,
    pub(super) inversions: [Option<Template>; 2],
    /// What must hold of x and y.
    pub(super) conditions: Vec<Template>,
    /// Constants to choose from, the shortest first; never empty.
    pub(super) pool: Vec<Vec<String>>,
    /// What a logic must allow.
    pub(super) needs: Logic,
    /// True if it brings an array sort that neither x nor y has.
    pub(super) new_arrays: bool,
}

impl Instance {
    /// The block for variables of these sorts; none if it is for others, is
    /// not well-sorted for them, or turns out wrong on some values.
    pub(super) fn new(block: &Block, x: &str, y: &str, operators: &Operators) -> Option<Instance> {
        let mut letters = Letters::default();
        if !letters.fit(&block.sorts[0], x) || !letters.fit(&block.sorts[1], y) {
            return None;
        }
        // Sorts without values stay letters: what holds of any sort holds.
        let numbers = Letters {
            numbers: letters.numbers.clone(),
            ..Letters::default()
        };
        let opaque = numbers.block(block);
        let pool = constants(&opaque, POOL);
        let mut trial = Trial::new(&opaque, operators).ok()?;
        if !numbers.numbers.is_empty() && trial.run(TRIALS, &pool).is_err() {
            return None;
        }
        let needs = needs(&opaque, pool.first()?, operators)?;
        let block = letters.block(block);
        let names = block.fresh.iter().map(|name| &name.sort);
        let brought = || names.clone().chain([&block.sorts[2]]);
        // cvc5 has no arrays whose index is an array.
        if brought().any(|sort| sort.contains("(Array (Array")) {
            return None;
        }
        let new = |sort: &String| sort.contains("(Array") && sort != x && sort != y;
        let new_arrays = brought().any(new);
        let template = |text: &String| Template::new(&block, text);
        let [of_x, of_y] = &block.inversions;
        let fresh = block.fresh.iter();
        Some(Instance {
            z_sort: block.sorts[2].clone(),
            fresh: fresh
                .map(|name| (name.name.clone(), name.sort.clone()))
                .collect(),
            fusion: template(&block.fusion),
            inversions: [of_x.as_ref().map(template), of_y.as_ref().map(template)],
            conditions: block.conditions.iter().map(template).collect(),
            pool,
            needs,
            new_arrays,
        })
    }
}

/// What a logic must allow for the texts of a block with these constants.
fn needs(block: &Block, constants: &[String], operators: &Operators) -> Option<Logic> {
    let original = Original::read(
        script(block, constants).as_bytes(),
        operators,
        View::ANSWERS,
    )
    .ok()?;
    Some(logic::used(&Mutant::new(&original), operators))
}

/// A script that asserts all that a block says, with these constants. Sorts
/// that are letters are declared.
pub(super) fn script(block: &Block, constants: &[String]) -> String {
    let mut text = super::verify::declarations(block);
    for (variable, sort) in VARIABLES.iter().zip(&block.sorts) {
        text.push_str(&format!("(declare-const {variable} {sort})\n"));
    }
    let fresh: Vec<String> = block.fresh.iter().map(|name| name.name.clone()).collect();
    for name in &block.fresh {
        text.push_str(&format!("(declare-const {} {})\n", name.name, name.sort));
    }
    let filling = Filling {
        variables: VARIABLES,
        constants,
        fresh: &fresh,
    };
    let [of_x, of_y] = &block.inversions;
    let equations = [Some(("z", &block.fusion)), of_x.as_ref().map(|t| ("x", t))];
    let equations = equations
        .into_iter()
        .chain([of_y.as_ref().map(|t| ("y", t))]);
    for (variable, term) in equations.flatten() {
        text.push_str(&format!("(assert (= {variable} "));
        Template::new(block, term).write(filling, &mut text);
        text.push_str("))\n");
    }
    for condition in &block.conditions {
        text.push_str("(assert ");
        Template::new(block, condition).write(filling, &mut text);
        text.push_str(")\n");
    }
    text.push_str("(check-sat)\n");
    text
}
