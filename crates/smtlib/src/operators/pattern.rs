//! Sorts with holes, and numbers computed from other numbers.

use crate::sort::{Sort, SortKind, Sorts};

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
    /// A sort without parts
    Simple(Sort),
    /// `(_ BitVec m)`
    BitVec(Number),
    /// `(_ FloatingPoint e s)`
    Float(Number, Number),
    /// `(Array A B)`
    Array(Box<(Pattern, Pattern)>),
    /// `(Seq A)`
    Seq(Box<Pattern>),
    /// `(Set A)`
    Set(Box<Pattern>),
    /// `(Bag A)`
    Bag(Box<Pattern>),
    /// `(List A)`
    List(Box<Pattern>),
    /// `(Nullable A)`
    Nullable(Box<Pattern>),
    /// `(-> A B)`
    Function(Vec<Pattern>),
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
    /// Makes it equal `actual` by binding letters.
    pub(crate) fn fit(&self, actual: Sort, bound: &mut Bound, coerce: bool, sorts: &Sorts) -> bool {
        let kind = match self {
            Pattern::Simple(sort) => {
                return *sort == actual
                    || actual == Sort::UNKNOWN
                    || coerce && *sort == Sort::REAL && actual == Sort::INT;
            }
            Pattern::Any(letter) => return fit_any(*letter, actual, bound, coerce, sorts),
            _ => sorts.kind(actual),
        };
        match (self, kind) {
            (_, SortKind::Unknown) => true,
            (Pattern::BitVec(width), SortKind::BitVec(actual)) => {
                width.fit(u64::from(*actual), bound)
            }
            (Pattern::Float(e, s), SortKind::Float(eb, sb)) => {
                e.fit(u64::from(*eb), bound) && s.fit(u64::from(*sb), bound)
            }
            (Pattern::Array(parts), SortKind::Array(from, to)) => {
                parts.0.fit(*from, bound, false, sorts) && parts.1.fit(*to, bound, false, sorts)
            }
            (Pattern::Seq(part), SortKind::Seq(actual))
            | (Pattern::Set(part), SortKind::Set(actual))
            | (Pattern::Bag(part), SortKind::Bag(actual))
            | (Pattern::List(part), SortKind::List(actual))
            | (Pattern::Nullable(part), SortKind::Nullable(actual)) => {
                part.fit(*actual, bound, false, sorts)
            }
            (Pattern::Function(parts), SortKind::Function(actual)) => {
                parts.len() == actual.len()
                    && parts
                        .iter()
                        .zip(actual)
                        .all(|(part, &actual)| part.fit(actual, bound, false, sorts))
            }
            (Pattern::Array(parts), SortKind::Function(actual)) if actual.len() == 2 => {
                parts.0.fit(actual[0], bound, false, sorts)
                    && parts.1.fit(actual[1], bound, false, sorts)
            }
            // z3 has no function sorts: a function is an array.
            (Pattern::Function(parts), SortKind::Array(from, to)) if parts.len() == 2 => {
                parts[0].fit(*from, bound, false, sorts) && parts[1].fit(*to, bound, false, sorts)
            }
            _ => false,
        }
    }

    /// Like `fit`, but numbers that cannot be computed yet fit anything.
    pub(crate) fn fit_loosely(&self, actual: Sort, bound: &mut Bound, sorts: &Sorts) -> bool {
        match (self, sorts.kind(actual)) {
            (Pattern::BitVec(_), SortKind::BitVec(_))
            | (Pattern::Float(..), SortKind::Float(..)) => true,
            _ => self.fit(actual, bound, false, sorts),
        }
    }

    /// Like `fit`, but numbers are solved for the letter that is not known
    /// yet; none if that is more than one.
    pub(crate) fn solve(&self, actual: Sort, bound: &mut Bound, sorts: &Sorts) -> Option<bool> {
        match (self, sorts.kind(actual)) {
            (Pattern::BitVec(width), SortKind::BitVec(actual)) => {
                width.solve(u64::from(*actual), bound)
            }
            (Pattern::Float(e, s), SortKind::Float(eb, sb)) => {
                let exponent = e.solve(u64::from(*eb), bound)?;
                Some(exponent && s.solve(u64::from(*sb), bound)?)
            }
            _ => Some(self.fit(actual, bound, false, sorts)),
        }
    }

    /// The sort it stands for; none if a letter is not known.
    pub(crate) fn instance(&self, bound: &Bound, sorts: &mut Sorts) -> Option<Sort> {
        let width = |number: &Number| u32::try_from(number.value(bound)?).ok();
        let kind = match self {
            Pattern::Simple(sort) => return Some(*sort),
            Pattern::Any(letter) => return bound.sorts[usize::from(*letter)],
            Pattern::BitVec(number) => {
                return width(number)
                    .filter(|&width| width > 0)
                    .map(|width| sorts.bit_vec(width));
            }
            Pattern::Float(e, s) => {
                let (eb, sb) = (width(e)?, width(s)?);
                if eb < 2 || sb < 2 {
                    return None;
                }
                SortKind::Float(eb, sb)
            }
            Pattern::Array(parts) => SortKind::Array(
                parts.0.instance(bound, sorts)?,
                parts.1.instance(bound, sorts)?,
            ),
            Pattern::Seq(part) => SortKind::Seq(part.instance(bound, sorts)?),
            Pattern::Set(part) => SortKind::Set(part.instance(bound, sorts)?),
            Pattern::Bag(part) => SortKind::Bag(part.instance(bound, sorts)?),
            Pattern::List(part) => SortKind::List(part.instance(bound, sorts)?),
            Pattern::Nullable(part) => SortKind::Nullable(part.instance(bound, sorts)?),
            Pattern::Function(parts) => SortKind::Function(
                parts
                    .iter()
                    .map(|part| part.instance(bound, sorts))
                    .collect::<Option<_>>()?,
            ),
        };
        sorts.intern(kind)
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
