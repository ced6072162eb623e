//! What an optimum claims, as scripts that any solver can answer.

use crate::model::aim::joined;
use crate::model::objectives::{Optimization, Priority};
use crate::model::optimum::{Extended, Optimum};
use crate::value::Rational;

/// What the answer to a script says of an optimum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    /// `sat`: objective number so and so has a better value.
    Better(usize),
    /// `sat`: it has a best value at all, which is asked for reals alone.
    Best(usize),
    /// `unsat`: it does not have the value.
    Attained(usize),
    /// `unsat`: it is bounded.
    Unbounded(usize),
    /// `sat`: some solution beats the point.
    Beaten,
    /// `sat`: no point of the front is as good as some solution.
    Missing,
    /// What z3 itself says of the objective without the others.
    Alone(usize),
}

/// A script, and what it is asked for.
#[derive(Clone, Debug)]
pub(super) struct Ask {
    pub(super) meaning: Meaning,
    pub(super) script: String,
}

/// What one optimum, or the points of a front so far, claim.
pub(super) fn claims(of: &Optimization, points: &[Vec<Optimum>], is_whole: bool) -> Vec<Ask> {
    let mut asks = Asks {
        of,
        list: Vec::new(),
    };
    let fits = |point: &Vec<Optimum>| point.len() == of.objectives.len();
    if !points.iter().all(fits) {
        return Vec::new();
    }
    match (of.priority, points) {
        (Priority::Pareto, points) => asks.front(points, is_whole),
        (Priority::Lexicographic, [point]) => asks.in_turn(point),
        (Priority::Box, [point, ..]) => asks.apart(point),
        _ => {}
    }
    asks.list
}

struct Asks<'a> {
    of: &'a Optimization,
    list: Vec<Ask>,
}

impl Asks<'_> {
    fn ask(&mut self, meaning: Meaning, assertions: Option<Vec<String>>) {
        if let Some(assertions) = assertions {
            let script = self.of.with(&assertions);
            self.list.push(Ask { meaning, script });
        }
    }

    /// Each is the best among what is best for those before it, as long as these have
    /// a value: behind an unbounded one z3 stops.
    fn in_turn(&mut self, point: &[Optimum]) {
        let mut given: Vec<(usize, Rational)> = Vec::new();
        for (at, optimum) in point.iter().enumerate() {
            match self.one(at, optimum, &given) {
                Some(value) => given.push((at, value)),
                None => break,
            }
        }
        if self.of.objectives.len() > 1 {
            self.alone(0);
        }
    }

    /// Each is the best by itself.
    fn apart(&mut self, point: &[Optimum]) {
        for (at, optimum) in point.iter().enumerate() {
            if let Some(value) = self.one(at, optimum, &[]) {
                let equal = self.of.objectives[at].equals(&value);
                self.ask(Meaning::Attained(at), equal.map(|equal| vec![equal]));
            }
            if point.len() > 1 {
                self.alone(at);
            }
        }
    }

    fn alone(&mut self, at: usize) {
        self.list.push(Ask {
            meaning: Meaning::Alone(at),
            script: self.of.alone(at),
        });
    }

    /// What the optimum of one objective claims, given those of others; its value, if
    /// that is a number.
    fn one(
        &mut self,
        at: usize,
        optimum: &Optimum,
        given: &[(usize, Rational)],
    ) -> Option<Rational> {
        let of = self.of;
        let objective = &of.objectives[at];
        let facts: Option<Vec<String>> = given
            .iter()
            .map(|(number, value)| of.objectives[*number].equals(value))
            .collect();
        let facts = facts?;
        let with = |more: Option<String>| {
            let mut all = facts.clone();
            all.push(more?);
            Some(all)
        };
        let (bound, is_exact) = match optimum {
            Optimum::Exactly(value) => (value, true),
            Optimum::Between(low, high) => match objective.is_max {
                true => (high, false),
                false => (low, false),
            },
        };
        let better = match (bound.number(), bound.beside()) {
            (Some(number), _) => objective.beats(number, true),
            // It comes close to the number from within and does not have it.
            (None, Some((number, is_above))) if is_above != objective.is_max => {
                objective.beats(number, false)
            }
            _ => None,
        };
        if better.is_some() {
            self.ask(Meaning::Better(at), with(better));
            if let Some(script) = objective.is_dense().then(|| of.best(at, given)).flatten() {
                let meaning = Meaning::Best(at);
                self.list.push(Ask { meaning, script });
            }
        }
        if is_exact && bound.infinity() == Some(objective.is_max) {
            self.ask(Meaning::Unbounded(at), with(objective.is_beyond()));
        }
        bound.number().filter(|_| is_exact).cloned()
    }

    /// Nothing beats a point; and once there are no more, nothing is missing.
    fn front(&mut self, points: &[Vec<Optimum>], is_whole: bool) {
        let numbers: Option<Vec<Vec<Rational>>> = points.iter().map(|point| plain(point)).collect();
        let Some(numbers) = numbers else { return };
        let beats = |point: &Vec<Rational>, strictly: bool| -> Option<Vec<String>> {
            let each = self.of.objectives.iter().zip(point);
            each.map(|(objective, value)| objective.beats(value, strictly))
                .collect()
        };
        let mut asked = Vec::new();
        for point in &numbers {
            asked.push(
                beats(point, false)
                    .zip(beats(point, true))
                    .map(|(mut all, some)| {
                        all.push(joined("or", "false", some));
                        all
                    }),
            );
        }
        let missing: Option<Vec<String>> = numbers
            .iter()
            .map(|point| Some(joined("or", "false", beats(point, true)?)))
            .collect();
        for assertions in asked {
            self.ask(Meaning::Beaten, assertions);
        }
        if is_whole && !numbers.is_empty() {
            self.ask(Meaning::Missing, missing);
        }
    }
}

/// The numbers of a point, if it has no others.
fn plain(point: &[Optimum]) -> Option<Vec<Rational>> {
    let number = |optimum: &Optimum| match optimum {
        Optimum::Exactly(value) => value.number().cloned(),
        Optimum::Between(..) => None,
    };
    point.iter().map(number).collect()
}

/// The value that is said to be the optimum.
pub(super) fn exact(optimum: &Optimum) -> Option<&Extended> {
    match optimum {
        Optimum::Exactly(value) => Some(value),
        Optimum::Between(..) => None,
    }
}
