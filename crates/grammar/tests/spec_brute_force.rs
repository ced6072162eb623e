//! The engine against brute force: of random small specs, with lists,
//! generators, units, guards that read each other in any order, it makes exactly
//! the programs that going through all trees finds.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod making;

use std::collections::BTreeSet;

use lydite_core::{Choices, Odometer, Reject};
use lydite_grammar::spec::{Limits, Unmade};
use making::{height, programs};

const CLASSES: usize = 4;
/// The longest list.
const CELLS: usize = 2;
/// Specs with more trees or tapes than this are not compared.
const MOST: usize = 600;

/// One of the numbers that a rule can read, and what is added to it.
#[derive(Clone, Copy)]
struct Term {
    /// 0 is what the node inherits, 1 what its generator chose, the rest is what
    /// children synthesize.
    from: usize,
    plus: u64,
}

struct Production {
    letter: char,
    /// Excludes one of three values for each number that is inherited.
    generator: Option<u64>,
    children: Vec<usize>,
    /// Children in the order in which they need each other.
    order: Vec<usize>,
    /// What each child inherits.
    down: Vec<Term>,
    up: Term,
    guard: Option<(Term, Term, u64)>,
}

struct Class {
    unit: bool,
    list: bool,
    guarded: bool,
    productions: Vec<Production>,
}

fn class(number: usize, choices: &mut Choices) -> Result<Class, Reject> {
    let list = number > 0 && choices.chance(1, 3)?;
    let guarded = number > 0 && choices.chance(1, 2)?;
    let unit = number > 0 && choices.chance(1, 5)?;
    let mut productions = Vec::new();
    for index in 0..choices.between(1, 3)? {
        let most = match CLASSES - 1 - number {
            0 => 0,
            _ => choices.below(3)?,
        };
        let mut children = Vec::new();
        for _ in 0..most {
            children.push(number + 1 + choices.index(CLASSES - 1 - number)?);
        }
        if list && index > 0 {
            children.push(number);
        }
        let mut order: Vec<usize> = Vec::new();
        for child in 0..children.len() {
            order.insert(choices.index(order.len() + 1)?, child);
        }
        let generator = match number > 0 && choices.chance(1, 4)? {
            true => Some(choices.below(3)?),
            false => None,
        };
        let mut known = vec![0];
        known.extend(generator.map(|_| 1));
        let mut down = vec![Term { from: 0, plus: 0 }; children.len()];
        for &child in &order {
            down[child] = term(&known, choices)?;
            known.push(2 + child);
        }
        let up = term(&known, choices)?;
        let guard = match guarded {
            true => Some((
                term(&known, choices)?,
                term(&known, choices)?,
                choices.below(3)?,
            )),
            false => None,
        };
        productions.push(Production {
            letter: char::from(b'a' + (number as u8) * 3 + index as u8),
            generator,
            children,
            order,
            down,
            up,
            guard,
        });
    }
    Ok(Class {
        unit,
        list,
        guarded,
        productions,
    })
}

fn term(known: &[usize], choices: &mut Choices) -> Result<Term, Reject> {
    let from = known[choices.index(known.len())?];
    let plus = choices.below(3)?;
    Ok(Term { from, plus })
}

/// The classes as a spec.
fn written(classes: &[Class]) -> String {
    let mut text = String::new();
    for (number, class) in classes.iter().enumerate() {
        let shown = |term: Term| match term.from {
            0 if number == 0 => format!("((1 + {}) % 3)", term.plus),
            0 => format!("((this.n + {}) % 3)", term.plus),
            1 => format!("(($ + {}) % 3)", term.plus),
            child => format!("((x{}.s + {}) % 3)", child - 2, term.plus),
        };
        text.push_str(if class.unit { "@unit " } else { "" });
        if class.list {
            text.push_str(&format!("@list({CELLS}) "));
        }
        text.push_str(&format!("class C{number} {{\n"));
        text.push_str(if number > 0 { "  inh n : Int;\n" } else { "" });
        text.push_str("  syn s : Int;\n");
        text.push_str(if class.guarded { "  grd g;\n" } else { "" });
        for (index, production) in class.productions.iter().enumerate() {
            let mut template = production.letter.to_string();
            let mut rules = format!("this.s = {}; ", shown(production.up));
            template.push_str(if production.generator.is_some() {
                "#{$}"
            } else {
                ""
            });
            for (child, of) in production.children.iter().enumerate() {
                template.push_str(&format!("${{x{child} : C{of}}}"));
                rules.push_str(&format!("x{child}.n = {}; ", shown(production.down[child])));
            }
            if let Some((a, b, value)) = production.guard {
                let sum = format!("({} + {}) % 3", shown(a), shown(b));
                rules.push_str(&format!("this.g = {sum} != {value};"));
            }
            let (list, of) = match production.generator {
                Some(but) => (
                    format!("[v for v in [0, 1, 2] if (v + this.n) % 3 != {but}], "),
                    " : Int",
                ),
                None => (String::new(), ""),
            };
            text.push_str(&format!(
                "  p{index}({list}\"{template}\"){of} {{ {rules} }}\n"
            ));
        }
        text.push_str("}\n");
    }
    text
}

/// All trees of a class that inherits `n`, as text and what they synthesize;
/// none if there are too many.
fn trees(classes: &[Class], number: usize, n: u64, cell: usize) -> Option<Vec<(String, u64)>> {
    let mut all = Vec::new();
    for production in &classes[number].productions {
        let continues = production.children.last() == Some(&number);
        if continues && cell + 1 >= CELLS {
            continue;
        }
        let chosen: Vec<Option<u64>> = match production.generator {
            Some(but) => (0..3).filter(|v| (v + n) % 3 != but).map(Some).collect(),
            None => vec![None],
        };
        for value in chosen {
            // The numbers that rules read, and the texts of the children so far.
            let mut numbers = vec![0; 2 + production.children.len()];
            numbers[0] = n;
            numbers[1] = value.unwrap_or(0);
            let texts = vec![String::new(); production.children.len()];
            let mut partial = vec![(numbers, texts)];
            for &child in &production.order {
                let mut longer = Vec::new();
                for (numbers, texts) in partial {
                    let of = production.children[child];
                    let down = read(production.down[child], &numbers);
                    let next = if of == number { cell + 1 } else { 0 };
                    for (text, s) in trees(classes, of, down, next)? {
                        let (mut numbers, mut texts) = (numbers.clone(), texts.clone());
                        numbers[2 + child] = s;
                        texts[child] = text;
                        longer.push((numbers, texts));
                    }
                    if longer.len() > MOST {
                        return None;
                    }
                }
                partial = longer;
            }
            for (numbers, texts) in partial {
                let holds = production
                    .guard
                    .is_none_or(|(a, b, but)| (read(a, &numbers) + read(b, &numbers)) % 3 != but);
                if holds {
                    let value = value.map_or(String::new(), |value| value.to_string());
                    let text = format!("{}{value}{}", production.letter, texts.concat());
                    all.push((text, read(production.up, &numbers)));
                }
            }
        }
    }
    (all.len() <= MOST).then_some(all)
}

fn read(term: Term, numbers: &[u64]) -> u64 {
    (numbers[term.from] + term.plus) % 3
}

/// All programs that the engine makes, whatever the choices; none if there are
/// too many tapes.
fn made(text: &str, generalize: bool) -> Option<BTreeSet<String>> {
    let limits = Limits {
        generalize,
        verify: true,
        ..height(3)
    };
    let programs = programs(text, limits);
    let mut odometer = Odometer::new(300);
    let (mut all, mut tapes) = (BTreeSet::new(), 0);
    while let Some((made, _)) = odometer.run(|choices| programs.make(choices)) {
        tapes += 1;
        if tapes > MOST {
            return None;
        }
        match made {
            Ok(text) => all.insert(String::from_utf8(text).unwrap()),
            Err(Unmade::Impossible) => continue,
            // Plain backtracking can take longer than the tape is.
            Err(Unmade::Reject(_)) => return None,
            Err(other) => panic!("{other}\n{text}"),
        };
    }
    Some(all)
}

#[test]
fn the_engine_makes_what_brute_force_finds() {
    let (mut compared, mut impossible, mut lists, mut generators) = (0, 0, 0, 0);
    for index in 0..900 {
        let mut choices = Choices::seeded(11, index);
        let classes: Vec<Class> = (0..CLASSES)
            .map(|number| class(number, &mut choices).unwrap())
            .collect();
        let reached = |number: usize| {
            let above = classes[..number]
                .iter()
                .flat_map(|class| &class.productions);
            number == 0
                || above
                    .flat_map(|p| &p.children)
                    .any(|&child| child == number)
        };
        if !(0..CLASSES).all(reached) {
            continue;
        }
        let Some(all) = trees(&classes, 0, 1, 0) else {
            continue;
        };
        let expected: BTreeSet<String> = all.into_iter().map(|(text, _)| text).collect();
        let text = written(&classes);
        for generalize in [true, false] {
            let Some(made) = made(&text, generalize) else {
                continue;
            };
            assert_eq!(made, expected, "spec {index}, {generalize}\n{text}");
            compared += 1;
            impossible += usize::from(expected.is_empty());
            lists += usize::from(classes.iter().any(|class| class.list));
            let mut productions = classes.iter().flat_map(|class| &class.productions);
            generators += usize::from(productions.any(|p| p.generator.is_some()));
        }
    }
    assert!(compared > 200 && impossible > 5, "{compared} {impossible}");
    assert!(lists > 100 && generators > 100, "{lists} {generators}");
}
