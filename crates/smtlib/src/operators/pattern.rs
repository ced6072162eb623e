//! Sorts with holes, and numbers computed from other numbers.

use crate::sort::{Sort, SortKind, Sorts, Values};

/// A sum of products: `m+n`, `i-j+1`, `2*m`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Number {
    pub(crate) terms: Vec<Product>,
}

/// A coefficient and the numbers it is multiplied with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Product {
    pub(crate) coefficient: i64,
    pub(crate) letters: Vec<u8>,
}

/// A sort of a signature.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pattern {
    /// `A`: any sort, the same everywhere in the signature
    Any(u8),
    /// A sort without parts or numbers
    Simple(Sort),
    /// A sort of such values with these numbers and parts
    Made(Values, Vec<Number>, Vec<Pattern>),
}

/// Different letters of either kind that one signature may have.
pub(crate) const MAX_LETTERS: usize = 8;

/// What the letters of a signature stand for, numbered as they come.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Bound {
    pub(crate) sorts: [Option<Sort>; MAX_LETTERS],
    /// Letters that were bound inside another sort: these cannot be coerced.
    pub(crate) fixed: u32,
    pub(crate) numbers: [Option<u64>; MAX_LETTERS],
}

impl Number {
    /// Its value; none if a letter is not known, or it is out of range.
    pub(crate) fn value(&self, bound: &Bound) -> Option<u64> {
        let mut sum: i128 = 0;
        for product in &self.terms {
            let mut value = i128::from(product.coefficient);
            for &letter in &product.letters {
                value = value.checked_mul(i128::from(bound.numbers[usize::from(letter)]?))?;
            }
            sum = sum.checked_add(value)?;
        }
        u64::try_from(sum).ok()
    }

    /// Makes it equal `value` by binding the one letter that is not known;
    /// true if it does, none if more than one letter is not known.
    pub(crate) fn solve(&self, value: u64, bound: &mut Bound) -> Option<bool> {
        let mut rest = i128::from(value);
        let mut unknown: Option<(u8, i128)> = None;
        for product in &self.terms {
            let mut known = i128::from(product.coefficient);
            let mut letter = None;
            for &next in &product.letters {
                match bound.numbers[usize::from(next)] {
                    Some(number) => known = known.checked_mul(i128::from(number))?,
                    None if letter.is_none() => letter = Some(next),
                    None => return None,
                }
            }
            match letter {
                None => rest = rest.checked_sub(known)?,
                Some(_) if unknown.is_some() => return None,
                Some(letter) => unknown = Some((letter, known)),
            }
        }
        Some(match unknown {
            None => rest == 0,
            Some((_, 0)) => false,
            Some((letter, factor)) => match u64::try_from(rest / factor) {
                Ok(number) if rest % factor == 0 => {
                    bound.numbers[usize::from(letter)] = Some(number);
                    true
                }
                _ => false,
            },
        })
    }

    /// True if it is one letter.
    fn is_letter(&self) -> bool {
        let single = |product: &Product| product.coefficient == 1 && product.letters.len() == 1;
        self.terms.len() == 1 && self.terms.iter().all(single)
    }

    /// Makes it equal `value`, by binding its letter if that is all it is.
    fn fit(&self, value: u64, bound: &mut Bound) -> bool {
        if let [product] = self.terms.as_slice()
            && let (1, [letter]) = (product.coefficient, product.letters.as_slice())
        {
            let slot = &mut bound.numbers[usize::from(*letter)];
            return match *slot {
                Some(known) => known == value,
                None => {
                    *slot = Some(value);
                    true
                }
            };
        }
        self.value(bound) == Some(value)
    }
}

impl Pattern {
    /// A sort of such values. A field's order is a letter: it can be too large
    /// a number to compute with.
    pub(super) fn new(
        values: Values,
        numbers: Vec<Number>,
        parts: Vec<Pattern>,
    ) -> Result<Pattern, String> {
        match values == Values::Field && !numbers.iter().all(Number::is_letter) {
            true => Err("the order of a field can only be a letter".to_string()),
            false => Ok(Pattern::Made(values, numbers, parts)),
        }
    }

    /// True for a sort of functions.
    pub(crate) fn is_function(&self) -> bool {
        matches!(self, Pattern::Made(Values::Function, ..))
    }

    /// Makes it equal `actual` by binding letters.
    pub(crate) fn fit(&self, actual: Sort, bound: &mut Bound, coerce: bool, sorts: &Sorts) -> bool {
        let (values, numbers, parts) = match self {
            Pattern::Simple(sort) => {
                return *sort == actual
                    || actual == Sort::UNKNOWN
                    || coerce && *sort == Sort::REAL && actual == Sort::INT;
            }
            Pattern::Any(letter) => return fit_any(*letter, actual, bound, coerce, sorts),
            Pattern::Made(values, numbers, parts) => (values, numbers, parts),
        };
        let kind = sorts.kind(actual);
        let alike = match (values, kind) {
            (_, SortKind::Unknown) => return true,
            // z3 has no function sorts: a function is an array.
            (Values::Array, SortKind::Function(actual)) => actual.len() == 2,
            (Values::Function, SortKind::Array(_)) => parts.len() == 2,
            _ => kind.has(values),
        };
        let mut own = numbers.iter().zip(kind.numbers());
        alike
            && numbers.len() == kind.numbers().len()
            && parts.len() == kind.parts().len()
            && own.all(|(number, &actual)| number.fit(u64::from(actual), bound))
            && parts
                .iter()
                .zip(kind.parts())
                .all(|(part, &actual)| part.fit(actual, bound, false, sorts))
    }

    /// Like `fit`, but numbers that cannot be computed yet fit anything.
    pub(crate) fn fit_loosely(&self, actual: Sort, bound: &mut Bound, sorts: &Sorts) -> bool {
        match self {
            Pattern::Made(values, numbers, parts) if parts.is_empty() && !numbers.is_empty() => {
                sorts.kind(actual).has(values) || actual == Sort::UNKNOWN
            }
            _ => self.fit(actual, bound, false, sorts),
        }
    }

    /// Like `fit`, but numbers are solved for the letter that is not known
    /// yet; none if that is more than one.
    pub(crate) fn solve(&self, actual: Sort, bound: &mut Bound, sorts: &Sorts) -> Option<bool> {
        let kind = sorts.kind(actual);
        match self {
            Pattern::Made(values, numbers, parts)
                if parts.is_empty() && !numbers.is_empty() && kind.has(values) =>
            {
                for (number, &actual) in numbers.iter().zip(kind.numbers()) {
                    if !number.solve(u64::from(actual), bound)? {
                        return Some(false);
                    }
                }
                Some(true)
            }
            _ => Some(self.fit(actual, bound, false, sorts)),
        }
    }

    /// The sort it stands for; none if a letter is not known.
    pub(crate) fn instance(&self, bound: &Bound, sorts: &mut Sorts) -> Option<Sort> {
        let (values, numbers, parts) = match self {
            Pattern::Simple(sort) => return Some(*sort),
            Pattern::Any(letter) => return bound.sorts[usize::from(*letter)],
            Pattern::Made(values, numbers, parts) => (values, numbers, parts),
        };
        let width = |number: &Number| u32::try_from(number.value(bound)?).ok();
        match (values, &numbers[..]) {
            (Values::BitVec, [number]) => width(number)
                .filter(|&width| width > 0)
                .map(|width| sorts.bit_vec(width)),
            (Values::Float, [eb, sb]) => {
                let format = [width(eb)?, width(sb)?];
                let sensible = format.iter().all(|&width| width > 1);
                sensible.then(|| sorts.intern(SortKind::Float(format)))?
            }
            _ => {
                let numbers: Vec<u32> = numbers.iter().map(width).collect::<Option<_>>()?;
                let mut made = Vec::with_capacity(parts.len());
                for part in parts {
                    made.push(part.instance(bound, sorts)?);
                }
                sorts.make(values, &numbers, &made)
            }
        }
    }
}

fn fit_any(letter: u8, actual: Sort, bound: &mut Bound, coerce: bool, sorts: &Sorts) -> bool {
    let slot = &mut bound.sorts[usize::from(letter)];
    match *slot {
        None => {
            *slot = Some(actual);
            if !coerce {
                bound.fixed |= 1 << letter;
            }
            true
        }
        Some(known) if known == actual => true,
        Some(known) if sorts.is_unknown(known) || sorts.is_unknown(actual) => {
            *slot = Some(sorts.more_known(known, actual));
            sorts.consistent(known, actual)
        }
        Some(_) if !coerce => false,
        Some(Sort::INT) if actual == Sort::REAL && bound.fixed & (1 << letter) == 0 => {
            *slot = Some(actual);
            true
        }
        Some(known) => sorts.assignable(known, actual),
    }
}
