//! A program printed once, with gaps for its qualifiers: every instance of a
//! template is then a copy of text with words filled in.

use std::collections::BTreeMap;

use lydite_core::{Program, SourceFile};

use crate::qualify::Placeholder;
use crate::types::{Elementary, Location, Mutability, Persistence, Visibility};
use crate::version::{Dialect, Feature};

/// A gap in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hole {
    /// The name of an elementary type.
    Type(Placeholder),
    /// The same before what is converted to it: `payable` of `address payable`.
    Conversion(Placeholder),
    /// A data location, with a space before it.
    Location(Placeholder),
    /// A visibility, with a space before it.
    Visibility(Placeholder),
    /// A mutability, with a space before it, or nothing.
    Mutability(Placeholder),
    /// A persistence, with a space before it, or nothing.
    Persistence(Placeholder),
}

impl Hole {
    /// The placeholder that fills it.
    pub fn placeholder(self) -> Placeholder {
        match self {
            Hole::Type(placeholder)
            | Hole::Conversion(placeholder)
            | Hole::Location(placeholder)
            | Hole::Visibility(placeholder)
            | Hole::Mutability(placeholder)
            | Hole::Persistence(placeholder) => placeholder,
        }
    }
}

/// Text with gaps, file by file.
#[derive(Clone, Debug, Default)]
pub struct Layout {
    text: String,
    /// A gap and where the text before it ends.
    holes: Vec<(usize, Hole)>,
    /// Where each file ends: in the text, and in the gaps.
    ends: Vec<(usize, usize)>,
    /// The composite types by name, from a gap on: other names in other scopes.
    scopes: Vec<(usize, BTreeMap<u8, String>)>,
}

/// What fills the gaps, word by word.
#[derive(Clone, Debug)]
pub struct Words {
    types: Vec<String>,
    locations: Vec<String>,
    visibilities: Vec<String>,
    mutabilities: Vec<String>,
    persistences: Vec<String>,
}

impl Words {
    /// The words of a dialect.
    pub fn new(dialect: &Dialect) -> Words {
        let location = |location: &Location| match location {
            // What is read-only is so by the function's visibility there.
            Location::Calldata if !dialect.has(Feature::Locations) => String::new(),
            location => format!(" {}", location.word()),
        };
        let mutability = |mutability: &Mutability| match mutability {
            Mutability::NonPayable => String::new(),
            mutability => format!(" {}", mutability.word()),
        };
        let persistence = |persistence: &Persistence| match persistence {
            Persistence::Stored => String::new(),
            persistence => format!(" {}", persistence.word()),
        };
        let visibility = |visibility: &Visibility| format!(" {}", visibility.word());
        Words {
            types: Elementary::all().map(Elementary::name).collect(),
            locations: Location::ALL.iter().map(location).collect(),
            visibilities: Visibility::ALL.iter().map(visibility).collect(),
            mutabilities: Mutability::ALL.iter().map(mutability).collect(),
            persistences: Persistence::ALL.iter().map(persistence).collect(),
        }
    }

    fn word(&self, hole: Hole, value: u8) -> &str {
        let words = match hole {
            Hole::Conversion(_) if value == Elementary::PAYABLE.number() => return "payable",
            Hole::Type(_) | Hole::Conversion(_) => &self.types,
            Hole::Location(_) => &self.locations,
            Hole::Visibility(_) => &self.visibilities,
            Hole::Mutability(_) => &self.mutabilities,
            Hole::Persistence(_) => &self.persistences,
        };
        &words[usize::from(value)]
    }
}

impl Layout {
    pub(super) fn push(&mut self, text: &str) {
        self.text.push_str(text);
    }

    pub(super) fn push_number(&mut self, number: u64) {
        use std::fmt::Write;
        write!(self.text, "{number}").expect("a string takes all");
    }

    pub(super) fn push_hole(&mut self, hole: Hole) {
        self.holes.push((self.text.len(), hole));
    }

    /// From here on the composite types have these names.
    pub(super) fn name_composites(&mut self, names: BTreeMap<u8, String>) {
        self.scopes.push((self.holes.len(), names));
    }

    /// What a layout has printed.
    pub(super) fn into_text(self) -> String {
        self.text
    }

    pub(super) fn end_file(&mut self) {
        self.ends.push((self.text.len(), self.holes.len()));
    }

    /// The gaps, in order.
    pub fn holes(&self) -> impl Iterator<Item = Hole> {
        self.holes.iter().map(|(_, hole)| *hole)
    }

    /// The files with their gaps filled, one of them perhaps by another word.
    fn fill(
        &self,
        words: &Words,
        value: impl Fn(Placeholder) -> u8,
        other: Option<(usize, &str)>,
    ) -> Vec<Vec<u8>> {
        let (mut at, mut hole) = (0, 0);
        let mut files = Vec::with_capacity(self.ends.len());
        for &(end, last_hole) in &self.ends {
            let mut file = Vec::with_capacity(end - at + 12 * (last_hole - hole));
            for (number, &(before, gap)) in self.holes[hole..last_hole].iter().enumerate() {
                file.extend_from_slice(&self.text.as_bytes()[at..before]);
                let word = match other {
                    Some((own, word)) if own == hole + number => word,
                    _ => self.word(words, hole + number, gap, value(gap.placeholder())),
                };
                file.extend_from_slice(word.as_bytes());
                at = before;
            }
            file.extend_from_slice(&self.text.as_bytes()[at..end]);
            (at, hole) = (end, last_hole);
            files.push(file);
        }
        files
    }

    /// The word of a gap: of a composite type the name that it has there.
    fn word<'a>(&'a self, words: &'a Words, number: usize, gap: Hole, value: u8) -> &'a str {
        let named =
            |gap| matches!(gap, Hole::Type(_) | Hole::Conversion(_)) && value >= Elementary::COUNT;
        if !named(gap) {
            return words.word(gap, value);
        }
        let scope = self.scopes.partition_point(|&(from, _)| from <= number);
        let names = scope.checked_sub(1).map(|scope| &self.scopes[scope].1);
        let name = names.and_then(|names| names.get(&value));
        name.expect("a placeholder stands for types of its program")
    }

    /// The program with its gaps filled; the first file is the source.
    pub fn program(&self, words: &Words, value: impl Fn(Placeholder) -> u8) -> Program {
        self.program_with(words, value, None)
    }

    /// The same with another word in one gap.
    pub fn program_with(
        &self,
        words: &Words,
        value: impl Fn(Placeholder) -> u8,
        other: Option<(usize, &str)>,
    ) -> Program {
        let texts = self.fill(words, value, other);
        let files = texts.into_iter().enumerate();
        let files = files.map(|(number, text)| SourceFile {
            name: match number {
                0 => "case.sol".to_string(),
                number => format!("file{number}.sol"),
            },
            text: text.into(),
        });
        Program {
            files: files.collect(),
        }
    }
}
