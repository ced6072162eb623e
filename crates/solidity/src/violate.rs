//! Programs whose qualifiers the grammar does not allow: a word twice, one too
//! few, or one that does not belong there. Compilers have to refuse them, and
//! some broke down instead.

use std::collections::BTreeSet;

use crate::ast::{Ast, Hole, Layout};
use crate::qualify::Placeholder;
use crate::types::{Elementary, Family, Location, Mutability, Persistence, Visibility};
use crate::version::{Dialect, Feature};

/// A wrong word in one gap.
pub(crate) struct Violation {
    /// The number of the gap.
    pub hole: usize,
    /// What is written in it.
    pub word: String,
    /// What is wrong with that.
    pub about: &'static str,
}

/// All of a program.
pub(crate) fn violations(
    ast: &Ast,
    layout: &Layout,
    dialect: &Dialect,
    value: impl Fn(Placeholder) -> u8,
) -> Vec<Violation> {
    let functions = ast
        .functions
        .iter()
        .filter_map(|function| function.visibility);
    let functions: BTreeSet<Placeholder> = functions.collect();
    let mut all = Vec::new();
    for (number, hole) in layout.holes().enumerate() {
        let own = value(hole.placeholder());
        let words = match hole {
            Hole::Type(_) | Hole::Conversion(_) if own >= Elementary::COUNT => Vec::new(),
            Hole::Type(_) | Hole::Conversion(_) => of_type(Elementary::from_number(own)),
            Hole::Location(_) => of_location(own, dialect),
            Hole::Visibility(placeholder) => {
                of_visibility(own, functions.contains(&placeholder), dialect)
            }
            Hole::Mutability(_) => of_mutability(own, dialect),
            Hole::Persistence(_) => of_persistence(own),
        };
        all.extend(words.into_iter().map(|(word, about)| Violation {
            hole: number,
            word,
            about,
        }));
    }
    all
}

type Wrong = Vec<(String, &'static str)>;

fn of_type(kind: Elementary) -> Wrong {
    let name = kind.name();
    let mut wrong = Vec::new();
    let sizeless = match kind.family() {
        Family::Uint => "uint7",
        Family::Int => "int264",
        Family::FixedBytes => "bytes33",
        Family::Bool => "bool8",
        Family::Address => "address8",
        Family::String => "string8",
        Family::Bytes => "bytes0",
    };
    wrong.push((sizeless.to_string(), "a type of no such size"));
    // A sequence may have a location in many of these places.
    if !kind.is_reference() {
        wrong.push((format!("{name} memory"), "a location of a value"));
    }
    if kind.family() != Family::Address {
        wrong.push((format!("{name} payable"), "a payable type that is none"));
    }
    wrong
}

fn of_location(own: u8, dialect: &Dialect) -> Wrong {
    let word = Location::ALL[usize::from(own)].word();
    let other = match own == Location::Memory.number() {
        true => Location::Storage.word(),
        false => Location::Memory.word(),
    };
    let mut wrong = Vec::new();
    if dialect.has(Feature::Locations) {
        wrong.push((format!(" {word} {other}"), "two locations"));
        wrong.push((String::new(), "no location"));
    }
    wrong
}

fn of_visibility(own: u8, is_function: bool, dialect: &Dialect) -> Wrong {
    let word = Visibility::ALL[usize::from(own)].word();
    let other = match own == Visibility::Private.number() {
        true => Visibility::Public.word(),
        false => Visibility::Private.word(),
    };
    let mut wrong = vec![(format!(" {word} {other}"), "two visibilities")];
    if !is_function {
        wrong.push((" external".to_string(), "an external variable"));
    } else if dialect.has(Feature::Locations) {
        wrong.push((String::new(), "no visibility"));
    }
    wrong
}

fn of_mutability(own: u8, dialect: &Dialect) -> Wrong {
    let (word, other) = match Mutability::ALL[usize::from(own)] {
        Mutability::NonPayable => ("view", "pure"),
        Mutability::Pure => ("pure", "payable"),
        Mutability::View => ("view", "view"),
        Mutability::Payable => ("payable", "view"),
    };
    let mut wrong = vec![(format!(" {word} {other}"), "two mutabilities")];
    if dialect.has(Feature::Locations) {
        wrong.push((" constant".to_string(), "a constant function"));
    }
    wrong
}

fn of_persistence(own: u8) -> Wrong {
    let (word, other) = match Persistence::ALL[usize::from(own)] {
        Persistence::Stored | Persistence::Constant => ("constant", "immutable"),
        Persistence::Immutable => ("immutable", "immutable"),
        Persistence::Transient => ("transient", "transient"),
    };
    vec![
        (format!(" {word} {other}"), "two persistences"),
        (" indexed".to_string(), "an indexed state variable"),
        (" virtual".to_string(), "a virtual state variable"),
    ]
}
