//! Kinds of values, and how sorts are made of them.

use std::sync::Arc;

use super::{Sort, SortKind};

/// What values a sort of a theory has: what `:values` in the table may name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Values {
    /// True and false.
    Bool,
    /// Whole numbers.
    Int,
    /// Real numbers.
    Real,
    /// Words over Unicode.
    String,
    /// Sets of words.
    RegLan,
    /// The five ways to round.
    RoundingMode,
    /// Words of bits, by their length.
    BitVec,
    /// Floating-point numbers, by the widths of exponent and significand.
    Float,
    /// Numbers modulo a prime.
    Field,
    /// Total maps from one sort to another.
    Array,
    /// Total maps from several sorts to another.
    WideArray,
    /// Words over any sort.
    Seq,
    /// Finite sets.
    Set,
    /// Finite multisets.
    Bag,
    /// Tuples.
    Tuple,
    /// Functions.
    Function,
    /// What is called so; nothing else is known of it.
    Opaque(Arc<str>),
}

/// The words of `:values`.
const WORDS: &[(&str, Values)] = &[
    ("Bool", Values::Bool),
    ("Int", Values::Int),
    ("Real", Values::Real),
    ("String", Values::String),
    ("RegLan", Values::RegLan),
    ("RoundingMode", Values::RoundingMode),
    ("BitVec", Values::BitVec),
    ("Float", Values::Float),
    ("Field", Values::Field),
    ("Array", Values::Array),
    ("WideArray", Values::WideArray),
    ("Seq", Values::Seq),
    ("Set", Values::Set),
    ("Bag", Values::Bag),
    ("Tuple", Values::Tuple),
    ("Function", Values::Function),
];

impl Values {
    /// The kind of this name.
    pub(crate) fn named(word: &str) -> Result<Values, String> {
        let known = WORDS.iter().find(|(known, _)| *known == word);
        known.map(|(_, values)| values.clone()).ok_or_else(|| {
            let near = lydite_core::nearest::nearest(word, WORDS.iter().map(|(known, _)| *known));
            let hint = near.map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
            format!("no kind of values `{word}`{hint}")
        })
    }

    /// What such sorts are called.
    pub fn name(&self) -> &str {
        match self {
            Values::Opaque(name) => name,
            Values::Float => "FloatingPoint",
            Values::Field => "FiniteField",
            Values::WideArray => "Array",
            Values::Function => "->",
            _ => {
                let known = WORDS.iter().find(|(_, values)| values == self);
                known.map_or("", |(word, _)| word)
            }
        }
    }

    /// The sort of such values where there is only one.
    pub(crate) fn simple(&self) -> Option<Sort> {
        Some(match self {
            Values::Bool => Sort::BOOL,
            Values::Int => Sort::INT,
            Values::Real => Sort::REAL,
            Values::String => Sort::STRING,
            Values::RegLan => Sort::REG_LAN,
            Values::RoundingMode => Sort::ROUNDING_MODE,
            _ => return None,
        })
    }

    /// True if a row of so many numbers and sorts, and perhaps more, can have
    /// such values.
    pub(crate) fn are_made_of(&self, numbers: usize, parts: usize, repeats: bool) -> bool {
        let (least, more) = self.part_count();
        let enough = match repeats {
            true => more && parts > least,
            false => parts == least,
        };
        enough && self.number_count().is_none_or(|count| count == numbers)
    }

    /// How many numbers such a sort has; none if any number of them.
    pub(super) fn number_count(&self) -> Option<usize> {
        match self {
            Values::BitVec | Values::Field => Some(1),
            Values::Float => Some(2),
            Values::Opaque(_) => None,
            _ => Some(0),
        }
    }

    /// How many sorts such a sort is made of, and whether it may be more.
    pub(super) fn part_count(&self) -> (usize, bool) {
        match self {
            Values::Seq | Values::Set | Values::Bag => (1, false),
            Values::Array => (2, false),
            Values::WideArray => (3, true),
            Values::Function => (2, true),
            Values::Tuple | Values::Opaque(_) => (0, true),
            _ => (0, false),
        }
    }
}

impl SortKind {
    /// The sort of such values; none if they are not made of these.
    pub fn new(values: &Values, numbers: &[u32], parts: &[Sort]) -> Option<SortKind> {
        let (least, more) = values.part_count();
        let enough = parts.len() == least || more && parts.len() > least;
        if !enough
            || values
                .number_count()
                .is_some_and(|count| count != numbers.len())
        {
            return None;
        }
        Some(match values {
            Values::Bool => SortKind::Bool,
            Values::Int => SortKind::Int,
            Values::Real => SortKind::Real,
            Values::String => SortKind::String,
            Values::RegLan => SortKind::RegLan,
            Values::RoundingMode => SortKind::RoundingMode,
            Values::BitVec => SortKind::BitVec(numbers[0]),
            Values::Float => SortKind::Float([numbers[0], numbers[1]]),
            Values::Field => SortKind::Field(numbers[0]),
            Values::Array => SortKind::Array([parts[0], parts[1]]),
            Values::WideArray => SortKind::WideArray(parts.into()),
            Values::Seq => SortKind::Seq(parts[0]),
            Values::Set => SortKind::Set(parts[0]),
            Values::Bag => SortKind::Bag(parts[0]),
            Values::Tuple => SortKind::Tuple(parts.into()),
            Values::Function => SortKind::Function(parts.into()),
            Values::Opaque(name) => {
                SortKind::Opaque(Arc::clone(name), numbers.into(), parts.into())
            }
        })
    }

    /// The sorts it is made of.
    pub fn parts(&self) -> &[Sort] {
        match self {
            SortKind::Seq(part) | SortKind::Set(part) | SortKind::Bag(part) => {
                std::slice::from_ref(part)
            }
            SortKind::Array(parts) => parts,
            SortKind::Tuple(parts)
            | SortKind::Function(parts)
            | SortKind::WideArray(parts)
            | SortKind::Opaque(_, _, parts)
            | SortKind::Named(_, parts) => parts,
            _ => &[],
        }
    }

    /// The numbers it is made of: widths, or which order a field has.
    pub fn numbers(&self) -> &[u32] {
        match self {
            SortKind::BitVec(number) | SortKind::Field(number) => std::slice::from_ref(number),
            SortKind::Float(numbers) => numbers,
            SortKind::Opaque(_, numbers, _) => numbers,
            _ => &[],
        }
    }

    /// The same with other parts, as many as it has.
    pub(crate) fn with_parts(&self, parts: Vec<Sort>) -> SortKind {
        match self {
            SortKind::Array(_) => SortKind::Array([parts[0], parts[1]]),
            SortKind::Seq(_) => SortKind::Seq(parts[0]),
            SortKind::Set(_) => SortKind::Set(parts[0]),
            SortKind::Bag(_) => SortKind::Bag(parts[0]),
            SortKind::WideArray(_) => SortKind::WideArray(parts.into()),
            SortKind::Tuple(_) => SortKind::Tuple(parts.into()),
            SortKind::Function(_) => SortKind::Function(parts.into()),
            SortKind::Opaque(name, numbers, _) => {
                SortKind::Opaque(Arc::clone(name), numbers.clone(), parts.into())
            }
            SortKind::Named(declaration, _) => SortKind::Named(*declaration, parts.into()),
            flat => flat.clone(),
        }
    }

    /// The values of a sort of a theory.
    pub(crate) fn values(&self) -> Option<Values> {
        Some(match self {
            SortKind::Bool => Values::Bool,
            SortKind::Int => Values::Int,
            SortKind::Real => Values::Real,
            SortKind::String => Values::String,
            SortKind::RegLan => Values::RegLan,
            SortKind::RoundingMode => Values::RoundingMode,
            SortKind::BitVec(_) => Values::BitVec,
            SortKind::Float(_) => Values::Float,
            SortKind::Field(_) => Values::Field,
            SortKind::Array(_) => Values::Array,
            SortKind::WideArray(_) => Values::WideArray,
            SortKind::Seq(_) => Values::Seq,
            SortKind::Set(_) => Values::Set,
            SortKind::Bag(_) => Values::Bag,
            SortKind::Tuple(_) => Values::Tuple,
            SortKind::Function(_) => Values::Function,
            SortKind::Opaque(name, ..) => Values::Opaque(Arc::clone(name)),
            SortKind::Named(..) | SortKind::Parameter(_) | SortKind::Unknown => return None,
        })
    }

    /// True if it has such values.
    pub fn has(&self, values: &Values) -> bool {
        self.values().as_ref() == Some(values)
    }

    /// True for the sort of a theory that this word names and of whose values
    /// nothing is known.
    pub fn is_called(&self, word: &str) -> bool {
        matches!(self, SortKind::Opaque(name, ..) if **name == *word)
    }

    /// True if the two differ in their parts at most.
    pub(super) fn is_made_like(&self, other: &SortKind) -> bool {
        let alike = match (self, other) {
            (SortKind::Named(a, _), SortKind::Named(b, _)) => a == b,
            (SortKind::Opaque(a, ..), SortKind::Opaque(b, ..)) => a == b,
            _ => std::mem::discriminant(self) == std::mem::discriminant(other),
        };
        alike && self.numbers() == other.numbers() && self.parts().len() == other.parts().len()
    }

    /// What stands before its parts; a number for a field's order.
    pub(super) fn head(&self) -> String {
        match self {
            SortKind::Bool => "Bool".to_string(),
            SortKind::Int => "Int".to_string(),
            SortKind::Real => "Real".to_string(),
            SortKind::String => "String".to_string(),
            SortKind::RegLan => "RegLan".to_string(),
            SortKind::RoundingMode => "RoundingMode".to_string(),
            SortKind::BitVec(width) => format!("(_ BitVec {width})"),
            SortKind::Float([eb, sb]) => format!("(_ FloatingPoint {eb} {sb})"),
            SortKind::Field(order) => format!("(_ FiniteField {order})"),
            SortKind::Array(_) | SortKind::WideArray(_) => "Array".to_string(),
            SortKind::Seq(_) => "Seq".to_string(),
            SortKind::Set(_) => "Set".to_string(),
            SortKind::Bag(_) => "Bag".to_string(),
            SortKind::Tuple(parts) => match parts.is_empty() {
                true => "UnitTuple".to_string(),
                false => "Tuple".to_string(),
            },
            SortKind::Function(_) => "->".to_string(),
            SortKind::Opaque(name, numbers, _) => match numbers.is_empty() {
                true => name.to_string(),
                false => {
                    let numbers: Vec<String> = numbers.iter().map(u32::to_string).collect();
                    format!("(_ {name} {})", numbers.join(" "))
                }
            },
            SortKind::Named(..) => String::new(),
            SortKind::Parameter(at) => format!("?{at}"),
            SortKind::Unknown => "?".to_string(),
        }
    }
}
