//! Applying one named rule everywhere: what algorithm 7 of the thesis needs
//! to keep the two scripts of an implication incompleteness in step.

use std::borrow::Cow;

use lydite_core::{Choices, Odometer, Program};

use super::chain::{Chain, Direction};
use super::rules::{Move, Rules};
use super::terms::Supply;
use crate::logic;
use crate::mutate::mutant::{Mutant, Original};
use crate::mutate::view::View;
use crate::operators::Operators;

/// How many choices of added terms are tried at one place.
const MAX_TRIED: usize = 3;

/// Every script that one step makes of `program`, as the steps of a case name
/// it: `weaken by RULE`, `strengthen by RULE` or `rewrite by RULE`. Nothing
/// if the program cannot be read or there is no such built-in rule.
pub fn successors<'a>(
    program: &'a Program,
    step: &str,
    operators: &'a Operators,
) -> Box<dyn Iterator<Item = Program> + 'a> {
    let direction = match step.split_once(" by ") {
        Some(("strengthen", _)) => Direction::Stronger,
        Some(("weaken" | "rewrite", _)) => Direction::Weaker,
        _ => return Box::new(std::iter::empty()),
    };
    // Several steps at once are not one.
    let name = match step.split(' ').collect::<Vec<_>>()[..] {
        [_, "by", name] => name,
        _ => return Box::new(std::iter::empty()),
    };
    let Ok(original) = Original::read(&program.source().text, operators, View::ANSWERS) else {
        return Box::new(std::iter::empty());
    };
    let rules = rules_over(operators);
    let supply = Supply::of(&original);
    let places: Vec<(usize, usize, usize)> = {
        let chain = looked(&original, &rules, &supply, direction, operators);
        let moves = rules.moves.iter().enumerate();
        moves
            .filter(|(_, one)| rules.rules[one.rule].name == name)
            .flat_map(|(number, one)| {
                let sites = chain.sites(one).iter().enumerate();
                let chain = &chain;
                sites.flat_map(move |(at, &site)| {
                    (0..chain.ways(one, site).len()).map(move |way| (number, at, way))
                })
            })
            .collect()
    };
    let mut files = program.clone();
    Box::new(places.into_iter().flat_map(move |place| {
        let mut odometer = Odometer::default();
        let mut made: Vec<Program> = Vec::new();
        for _ in 0..MAX_TRIED {
            let run = |choices: &mut Choices| {
                let chain = looked(&original, &rules, &supply, direction, operators);
                applied(chain, &rules.moves[place.0], (place.1, place.2), choices)
            };
            match odometer.run(run) {
                Some(Some(text)) => {
                    files.files[0].text = text.into();
                    if !made.contains(&files) {
                        made.push(files.clone());
                    }
                }
                Some(None) => {}
                None => break,
            }
        }
        made
    }))
}

/// The rules that come with the crate, over these operators.
fn rules_over(operators: &Operators) -> Cow<'static, Rules> {
    match std::ptr::eq(operators, Operators::built_in()) {
        true => Cow::Borrowed(Rules::built_in()),
        false => Cow::Owned(Rules::read(operators, "").expect("no rules, no error")),
    }
}

fn looked<'a, 'd>(
    original: &'d Original,
    rules: &'a Rules,
    supply: &'a Supply,
    direction: Direction,
    operators: &'a Operators,
) -> Chain<'a, 'd> {
    let mutant = Mutant::new(original);
    let mut chain = Chain::new(mutant, rules, operators, supply, direction);
    chain.look();
    chain
}

/// The script after a move at site `at` in one of the ways.
fn applied(
    mut chain: Chain<'_, '_>,
    one: &Move,
    (at, way): (usize, usize),
    choices: &mut Choices,
) -> Option<Vec<u8>> {
    let site = *chain.sites(one).get(at)?;
    let bindings = *chain.ways(one, site).get(way)?;
    let done = chain.apply(one, site.node, bindings, choices).ok()?;
    if !done {
        return None;
    }
    logic::fit(&mut chain.mutant, chain.operators);
    let mut text = Vec::new();
    chain.mutant.write(&mut text);
    Some(text)
}
