//! What is said of an objective, as assertions.
//!
//! An objective is a term, or the sum of the weights of the soft assertions of a group
//! that are violated. What is said of it (`x` is 5 at most) is written as an assertion,
//! so that any solver can be asked, whether it knows objectives or not. Soft assertions
//! stay within the logic of the script: that at most 3 is violated is a disjunction of
//! what then has to hold.

use super::optimum::Extended;
use crate::value::Rational;

/// Larger than any optimum that a script of reasonable numbers has.
const LARGE: &str = "1000000000000000000000000";

/// What is measured by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Measure {
    Int,
    Real,
    /// Unsigned, of this width.
    Bits(u32),
}

/// What is made small or large.
#[derive(Clone, Debug)]
pub(crate) enum Aim {
    /// A term.
    Term(String, Measure),
    /// What soft assertions cost if they are violated.
    Cost(Vec<(String, Rational)>),
}

/// An objective of a script.
#[derive(Clone, Debug)]
pub(crate) struct Objective {
    pub(crate) aim: Aim,
    pub(crate) is_max: bool,
}

impl Objective {
    /// That it is better than `value`, or as good.
    pub(crate) fn beats(&self, value: &Rational, strictly: bool) -> Option<String> {
        match &self.aim {
            Aim::Term(term, measure) => compared(term, *measure, self.is_max, value, strictly),
            Aim::Cost(soft) => Some(costs_less(soft, value, strictly)),
        }
    }

    /// That it is `value`.
    pub(crate) fn equals(&self, value: &Rational) -> Option<String> {
        match &self.aim {
            Aim::Term(term, measure) => Some(format!("(= {term} {})", written(value, *measure)?)),
            Aim::Cost(_) => Some(format!(
                "(and {} (not {}))",
                self.beats(value, false)?,
                self.beats(value, true)?
            )),
        }
    }

    /// That it is larger, or smaller, than anything reasonable.
    pub(crate) fn is_beyond(&self) -> Option<String> {
        match (&self.aim, self.is_max) {
            (Aim::Term(term, Measure::Int), true) => Some(format!("(> {term} {LARGE})")),
            (Aim::Term(term, Measure::Int), false) => Some(format!("(< {term} (- {LARGE}))")),
            (Aim::Term(term, Measure::Real), true) => Some(format!("(> {term} {LARGE}.0)")),
            (Aim::Term(term, Measure::Real), false) => Some(format!("(< {term} (- {LARGE}.0))")),
            _ => None,
        }
    }

    /// True if there is no best value among values that come ever closer to one.
    pub(crate) fn is_dense(&self) -> bool {
        matches!(self.aim, Aim::Term(_, Measure::Real))
    }

    /// True if the first value is better than the second.
    pub(crate) fn prefers(&self, one: &Extended, other: &Extended) -> bool {
        match self.is_max {
            true => one > other,
            false => one < other,
        }
    }

    /// In words.
    pub(crate) fn shown(&self) -> String {
        match (&self.aim, self.is_max) {
            (Aim::Term(term, _), true) => format!("maximize {term}"),
            (Aim::Term(term, _), false) => format!("minimize {term}"),
            (Aim::Cost(soft), _) => format!("{} soft assertions", soft.len()),
        }
    }

    /// The commands that ask for it.
    pub(crate) fn commands(&self) -> String {
        match (&self.aim, self.is_max) {
            (Aim::Term(term, _), true) => format!("(maximize {term})\n"),
            (Aim::Term(term, _), false) => format!("(minimize {term})\n"),
            (Aim::Cost(soft), _) => soft
                .iter()
                .map(|(term, weight)| format!("(assert-soft {term} :weight {})\n", decimal(weight)))
                .collect(),
        }
    }
}

/// A weight, which was read from a decimal.
fn decimal(weight: &Rational) -> String {
    if weight.is_int() {
        return weight.to_string();
    }
    let mut scale = Rational::from(1);
    for digits in 0..=MOST_DIGITS {
        let scaled = weight * &scale;
        if scaled.is_int() {
            let text = format!("{:0>width$}", scaled.to_string(), width = digits + 1);
            let (whole, part) = text.split_at(text.len() - digits);
            return format!("{whole}.{part}");
        }
        scale *= Rational::from(10);
    }
    weight.to_string()
}

/// Weights of more digits are not taken.
pub(super) const MOST_DIGITS: usize = 12;

fn compared(
    term: &str,
    measure: Measure,
    is_max: bool,
    value: &Rational,
    strictly: bool,
) -> Option<String> {
    let bits = matches!(measure, Measure::Bits(_));
    let operator = match (bits, is_max, strictly) {
        (false, true, true) => ">",
        (false, true, false) => ">=",
        (false, false, true) => "<",
        (false, false, false) => "<=",
        (true, true, true) => "bvugt",
        (true, true, false) => "bvuge",
        (true, false, true) => "bvult",
        (true, false, false) => "bvule",
    };
    Some(format!("({operator} {term} {})", written(value, measure)?))
}

/// A value as a term; none if the sort has no such value.
fn written(value: &Rational, measure: Measure) -> Option<String> {
    let is_negative = *value < Rational::ZERO;
    let magnitude = match is_negative {
        true => -value,
        false => value.clone(),
    };
    let (numerator, denominator) = (magnitude.numerator(), magnitude.denominator());
    let text = match measure {
        Measure::Real if magnitude.is_int() => format!("{numerator}.0"),
        Measure::Real => format!("(/ {numerator}.0 {denominator}.0)"),
        _ if !magnitude.is_int() => return None,
        Measure::Int => numerator.to_string(),
        Measure::Bits(_) if is_negative => return None,
        Measure::Bits(width) => return Some(format!("(_ bv{numerator} {width})")),
    };
    Some(match is_negative {
        true => format!("(- {text})"),
        false => text,
    })
}

/// That the violated ones weigh less than `value`, or at most that: some set of them
/// that does not weigh more is all that may be violated.
fn costs_less(soft: &[(String, Rational)], value: &Rational, strictly: bool) -> String {
    let weighs = |set: u32| {
        let within = soft.iter().enumerate().filter(|(at, _)| set >> at & 1 == 1);
        within.fold(Rational::ZERO, |sum, (_, (_, weight))| sum + weight)
    };
    let light = |set: &u32| match strictly {
        true => weighs(*set) < *value,
        false => weighs(*set) <= *value,
    };
    let sets: Vec<u32> = (0..1 << soft.len()).filter(light).collect();
    // What allows more says it all.
    let is_largest = |set: &&u32| !sets.iter().any(|more| more != *set && more & *set == **set);
    let cases = sets.iter().filter(is_largest).map(|set| {
        let kept = soft.iter().enumerate().filter(|(at, _)| set >> at & 1 == 0);
        joined(
            "and",
            "true",
            kept.map(|(_, (term, _))| term.clone()).collect(),
        )
    });
    joined("or", "false", cases.collect())
}

/// Several truths as one.
pub(crate) fn joined(connective: &str, none: &str, parts: Vec<String>) -> String {
    match &parts[..] {
        [] => none.to_string(),
        [one] => one.clone(),
        parts => format!("({connective} {})", parts.join(" ")),
    }
}
