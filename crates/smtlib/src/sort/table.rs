//! The sorts of the theories as data; `operators.txt` says the format.

use std::collections::BTreeMap;

use super::Values;
use crate::speaker::Speaker;

/// A row of the table: a sort by its name, its numbers and the sorts it takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SortRow {
    /// Its name.
    pub name: String,
    /// The theory it belongs to.
    pub theory: String,
    /// For each of its numbers the least that it may be.
    pub least: Vec<u32>,
    /// How many sorts it takes.
    pub parameters: usize,
    /// True if the last of them stands for any number of sorts, also none.
    pub repeats: bool,
    /// Who knows it.
    pub speaker: Speaker,
    pub(crate) meaning: Meaning,
}

/// What a row means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Meaning {
    /// Such values, with the row's numbers and sorts.
    Values(Values),
    /// Another sort.
    Defined(Defined),
}

/// A sort that is written with the numbers and sorts of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Defined {
    /// The sort at this position.
    Given(usize),
    /// The sorts from this position on.
    Rest(usize),
    /// Such values of these numbers and sorts.
    Made(Values, Vec<DefinedNumber>, Vec<Defined>),
}

/// A number in a definition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum DefinedNumber {
    /// The row's number at this position.
    Given(usize),
    /// These digits.
    Fixed(String),
}

/// The sorts of all theories, by name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SortTable {
    rows: BTreeMap<String, Vec<SortRow>>,
}

/// Makes a sort of values, the digits of numbers, and parts.
pub(crate) type Make<'a, T, E> = &'a mut dyn FnMut(&Values, &[&str], Vec<T>) -> Result<T, E>;

impl SortTable {
    /// Adds a row; refuses one that there is.
    pub(crate) fn add(&mut self, row: SortRow) -> Result<(), String> {
        let rows = self.rows.entry(row.name.clone()).or_default();
        let same = |other: &SortRow| {
            let (fewer, more) = match other.parameters < row.parameters {
                true => (other, &row),
                false => (&row, other),
            };
            let meet = fewer.parameters == more.parameters
                || fewer.repeats
                || more.repeats && fewer.parameters + 1 == more.parameters;
            meet && other.least.len() == row.least.len()
        };
        if rows.iter().any(same) {
            return Err(format!("a second sort `{}`", row.name));
        }
        rows.push(row);
        Ok(())
    }

    /// The row of this name that takes so many numbers and sorts.
    pub fn find(&self, name: &str, numbers: usize, parts: usize) -> Option<&SortRow> {
        let rows = self.rows.get(name)?;
        rows.iter().find(|row| {
            let enough = match row.repeats {
                true => parts + 1 >= row.parameters,
                false => parts == row.parameters,
            };
            enough && row.least.len() == numbers
        })
    }

    /// All names, in alphabetical order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.rows.keys().map(String::as_str)
    }

    /// All rows, by name.
    pub fn iter(&self) -> impl Iterator<Item = &SortRow> {
        self.rows.values().flatten()
    }
}

impl SortRow {
    /// True if its numbers may be of any length.
    pub(crate) fn takes_any_number(&self) -> bool {
        self.meaning == Meaning::Values(Values::Field)
    }

    /// The values that it has under another name, if that is all it says.
    pub(crate) fn other_name_of(&self) -> Option<&Values> {
        let Meaning::Defined(Defined::Made(values, numbers, parts)) = &self.meaning else {
            return None;
        };
        let mut parts = parts.iter().enumerate();
        let same = parts.all(|(at, part)| *part == Defined::Given(at));
        (same && numbers.is_empty() && self.parameters > 0).then_some(values)
    }

    /// The sort meant with these numbers, as digits, and these sorts.
    pub(crate) fn make<T: Clone, E>(
        &self,
        numbers: &[&str],
        parts: &[T],
        make: Make<'_, T, E>,
    ) -> Result<T, E> {
        match &self.meaning {
            Meaning::Values(values) => make(values, numbers, parts.to_vec()),
            Meaning::Defined(defined) => {
                let mut made = Vec::new();
                defined.make(numbers, parts, make, &mut made)?;
                Ok(made.remove(0))
            }
        }
    }
}

impl Defined {
    /// Recursion is bounded by the text of one row.
    fn make<T: Clone, E>(
        &self,
        numbers: &[&str],
        given: &[T],
        make: Make<'_, T, E>,
        made: &mut Vec<T>,
    ) -> Result<(), E> {
        match self {
            Defined::Given(at) => made.push(given[*at].clone()),
            Defined::Rest(at) => made.extend_from_slice(&given[*at..]),
            Defined::Made(values, own, parts) => {
                let own: Vec<&str> = own
                    .iter()
                    .map(|number| match number {
                        DefinedNumber::Given(at) => numbers[*at],
                        DefinedNumber::Fixed(digits) => digits.as_str(),
                    })
                    .collect();
                let mut inner = Vec::new();
                for part in parts {
                    part.make(numbers, given, make, &mut inner)?;
                }
                made.push(make(values, &own, inner)?);
            }
        }
        Ok(())
    }
}
