//! The programs of a grammar within a range of sizes, as a space of cases.

use lydite_core::{BigUint, Case, Choices, Claim, Part, Program, Reject, Space};

use crate::classes::Classes;
use crate::enumerate::{Derivation, Enumeration, Walk};
use crate::sizes::Sizes;

/// How far indices go where the grammar has no end and no size was asked for:
/// beyond 10^4900.
const OPEN_END_BITS: usize = 1 << 14;

/// How many sizes are drawn from if no largest one was asked for.
const DRAWN_SIZES: usize = 64;

/// How many sizes an infinite space shows as its parts.
const SHOWN_SIZES: usize = 16;

const BEYOND: Reject = Reject::NotApplicable("an index beyond the last program");

pub(crate) struct GrammarSpace {
    enumeration: Enumeration,
    classes: Classes,
    /// The file name of every program.
    file: String,
    low: u32,
    high: u32,
    /// The first index of size `low`.
    first: BigUint,
    len: BigUint,
    infinite: bool,
    /// The sizes that are drawn from.
    drawn: Vec<u32>,
}

impl GrammarSpace {
    /// The error says what `size` would have been right.
    pub(crate) fn new(
        enumeration: Enumeration,
        classes: Classes,
        sizes: Sizes,
        extension: &str,
    ) -> Result<GrammarSpace, String> {
        let high = sizes.high.unwrap_or(enumeration.largest_size());
        let first = enumeration.count_up_to(sizes.low - 1);
        let infinite = sizes.high.is_none() && !enumeration.is_finite();
        let len = match infinite {
            true => BigUint::ONE << OPEN_END_BITS,
            false => enumeration.count_up_to(high) - &first,
        };
        let nonempty = |size: &u32| enumeration.count(*size) != BigUint::ZERO;
        let drawn = (sizes.low..=high).filter(nonempty);
        let drawn: Vec<u32> = match infinite {
            true => drawn.take(DRAWN_SIZES).collect(),
            false => drawn.collect(),
        };
        if drawn.is_empty() {
            let smallest = (1..=enumeration.largest_size()).find(nonempty);
            return Err(match smallest {
                Some(size) => format!("a size with programs (the smallest has size {size})"),
                None => format!(
                    "enough: the smallest program is larger than {}",
                    enumeration.largest_size()
                ),
            });
        }
        Ok(GrammarSpace {
            enumeration,
            classes,
            file: format!("case.{extension}"),
            low: sizes.low,
            high,
            first,
            len,
            infinite,
            drawn,
        })
    }

    fn case(&self, text: &[u8]) -> Case {
        Case::single(Program::single(self.file.as_str(), text), Claim::Silent)
    }

    fn check(&self, derivation: impl FnOnce() -> Derivation) -> Result<(), Reject> {
        let unique = self.classes.unique();
        let grammar = self.enumeration.grammar();
        if !unique.is_any() || self.classes.is_least(grammar, &derivation()) {
            return Ok(());
        }
        Err(Reject::NotApplicable(
            match (unique.renaming, unique.commutativity) {
                (true, true) => "the same as an earlier one up to renaming and commutativity",
                (true, false) => "the same as an earlier one up to renaming",
                _ => "the same as an earlier one up to commutativity",
            },
        ))
    }

    /// Number `index` of the grammar, not of this space.
    fn number(&self, index: &BigUint) -> Result<Case, Reject> {
        let (mut derivation, mut text) = (Derivation::default(), Vec::new());
        match self
            .enumeration
            .write_nth(index, &mut derivation, &mut text)
        {
            false => Err(BEYOND),
            true => {
                self.check(|| derivation)?;
                Ok(self.case(&text))
            }
        }
    }
}

impl Space for GrammarSpace {
    /// A size, then a program of that size, uniformly: all programs together
    /// would nearly always give one of the largest size.
    fn sample(&self, choices: &mut Choices) -> Result<Case, Reject> {
        let size = *choices.pick(&self.drawn)?;
        let within = choices.below_big(&self.enumeration.count(size))?;
        self.number(&(self.enumeration.count_up_to(size - 1) + within))
    }

    fn len(&self) -> Option<BigUint> {
        Some(self.len.clone())
    }

    fn is_infinite(&self) -> bool {
        self.infinite
    }

    fn nth(&self, index: &BigUint) -> Result<Case, Reject> {
        match *index < self.len {
            true => self.number(&(&self.first + index)),
            false => Err(BEYOND),
        }
    }

    fn walk<'a>(&'a self, index: &BigUint) -> Box<dyn Iterator<Item = Result<Case, Reject>> + 'a> {
        let walk = match *index < self.len {
            true => self.enumeration.walk(&(&self.first + index), self.high),
            false => None,
        };
        Box::new(Cases {
            space: self,
            walk,
            fresh: true,
        })
    }

    fn parts(&self) -> Vec<Part> {
        let shown = self.drawn.iter().copied();
        let shown: Vec<u32> = match self.infinite {
            true => shown.take(SHOWN_SIZES).collect(),
            false => shown.collect(),
        };
        let last = shown.last().copied().unwrap_or(self.low);
        let unique = match self.classes.unique().is_any() {
            true => self.classes.count(self.enumeration.grammar(), last),
            false => None,
        };
        let part = |size: u32| Part {
            name: format!("size {size}"),
            cases: self.enumeration.count(size),
            unique: unique.as_ref().map(|counts| counts[size as usize].clone()),
            columns: Vec::new(),
        };
        shown.into_iter().map(part).collect()
    }
}

struct Cases<'a> {
    space: &'a GrammarSpace,
    walk: Option<Walk<'a>>,
    /// The walk shows a program that was not given yet.
    fresh: bool,
}

impl Iterator for Cases<'_> {
    type Item = Result<Case, Reject>;

    fn next(&mut self) -> Option<Result<Case, Reject>> {
        let walk = self.walk.as_mut()?;
        if !self.fresh && !walk.advance() {
            self.walk = None;
            return None;
        }
        self.fresh = false;
        let checked = self.space.check(|| walk.derivation());
        Some(checked.map(|()| self.space.case(walk.text())))
    }
}
