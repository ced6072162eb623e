//! Two seeds and the pairs that fuse them, written as one script.
//!
//! The propositions (3.2.1 to 3.2.3) in one picture: declarations of both, the
//! fusion variables, definitions, then the two formulas side by side or in one
//! disjunction, then fusion constraints.
//!
//! Two slips of proposition 3.2.3 as printed: `r_x(x, z)` must be `r_x(y, z)`,
//! and its `g` is the fusion function `f`. It also replaces all occurrences;
//! replacing some, as in the others, is as right: what replaces x has the
//! value of x.

use std::sync::Arc;

use lydite_core::{Choices, Reject};

use super::functions::Fitting;
use super::instance::{Filling, Instance};
use super::side::{Fusible, Place, Side};
use crate::logic::Logic;

/// How two formulas are put together, and what the answer is then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// Both satisfiable, their conjunction is.
    Sat,
    /// Neither satisfiable, nor is their disjunction.
    Unsat,
    /// One of them is satisfiable, so is their disjunction.
    MixedSat,
    /// One of them is not satisfiable, nor is their conjunction.
    MixedUnsat,
}

impl Form {
    /// All of them, by their names in the setting `oracle`.
    pub(super) const ALL: [(&'static str, Form); 4] = [
        ("sat", Form::Sat),
        ("unsat", Form::Unsat),
        ("mixed-sat", Form::MixedSat),
        ("mixed-unsat", Form::MixedUnsat),
    ];

    /// True if the answer is sat.
    pub(super) fn is_sat(self) -> bool {
        matches!(self, Form::Sat | Form::MixedSat)
    }

    fn disjoins(self) -> bool {
        matches!(self, Form::Unsat | Form::MixedSat)
    }

    /// Its name.
    pub(super) fn name(self) -> &'static str {
        let named = Form::ALL.iter().find(|(_, form)| *form == self);
        named.map_or("", |(name, _)| name)
    }
}

/// A variable of each seed and what fuses them.
pub(super) struct Pair<'a> {
    pub(super) fusibles: [&'a Fusible; 2],
    pub(super) fitting: Arc<Fitting>,
    pub(super) instance: usize,
    pub(super) constants: usize,
    /// z's name.
    pub(super) z: String,
    pub(super) fresh: Vec<String>,
    pub(super) constraints: Constraints,
}

/// What is asserted about a fusion variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Constraints {
    /// Nothing: sat fusion needs nothing.
    None,
    /// What z is, and the conditions of the fusion function.
    Fusion,
    /// What z is, and that x and y are what the inversions give. This alone
    /// makes unsat fusion right, also where an inversion is not.
    Inversions,
}

impl Pair<'_> {
    fn instance(&self) -> &Instance {
        &self.fitting.instances[self.instance]
    }

    fn filling(&self) -> Filling<'_> {
        Filling {
            variables: [&self.fusibles[0].text, &self.fusibles[1].text, &self.z],
            constants: &self.instance().pool[self.constants],
            fresh: &self.fresh,
        }
    }

    /// The fusion function, filled in.
    pub(super) fn fusion(&self) -> String {
        let mut text = String::new();
        self.instance().fusion.write(self.filling(), &mut text);
        text
    }

    fn declare(&self, out: &mut String) {
        let instance = self.instance();
        let mut declare = |name: &str, sort: &str| {
            for part in ["(declare-fun ", name, " () ", sort, ")\n"] {
                out.push_str(part);
            }
        };
        for (name, (_, sort)) in self.fresh.iter().zip(&instance.fresh) {
            declare(name, sort);
        }
        declare(&self.z, &instance.z_sort);
    }

    fn constrain(&self, out: &mut String) {
        if self.constraints == Constraints::None {
            return;
        }
        let (instance, filling) = (self.instance(), self.filling());
        let [x, y, z] = filling.variables;
        let mut equations = vec![(z, &instance.fusion)];
        if self.constraints == Constraints::Inversions {
            let inversions = [x, y].into_iter().zip(&instance.inversions);
            equations.extend(inversions.filter_map(|(name, term)| Some((name, term.as_ref()?))));
        }
        for (name, term) in equations {
            out.push_str("(assert (= ");
            out.push_str(name);
            out.push(' ');
            term.write(filling, out);
            out.push_str("))\n");
        }
        if self.constraints == Constraints::Fusion {
            for condition in &instance.conditions {
                out.push_str("(assert ");
                condition.write(filling, out);
                out.push_str(")\n");
            }
        }
    }
}

/// One side with some places replaced.
pub(super) struct Replaced<'a> {
    side: &'a Side,
    /// Texts that are written instead, and where, in order, none inside
    /// another.
    texts: Vec<String>,
    places: Vec<(Place, usize)>,
}

impl<'a> Replaced<'a> {
    /// Replaces occurrences of the pairs' variables, some of each, chosen at
    /// random.
    pub(super) fn new(
        choices: &mut Choices,
        side: &'a Side,
        pairs: &[Pair<'_>],
        second: usize,
    ) -> Result<Replaced<'a>, Reject> {
        let mut texts = Vec::with_capacity(pairs.len());
        let mut places: Vec<(Place, usize)> = Vec::new();
        for pair in pairs {
            let Some(inversion) = &pair.instance().inversions[second] else {
                continue;
            };
            let mut text = String::new();
            inversion.write(pair.filling(), &mut text);
            let occurrences = &pair.fusibles[second].places;
            let certain = choices.index(occurrences.len())?;
            for (at, place) in occurrences.iter().enumerate() {
                if at == certain || choices.chance(1, 2)? {
                    places.push((place.clone(), texts.len()));
                }
            }
            texts.push(text);
        }
        // What is inside a replaced term is gone.
        places.sort_by_key(|(place, _)| (place.start, u32::MAX - place.end));
        let mut end = 0;
        places.retain(|(place, _)| {
            let outside = place.start >= end;
            if outside {
                end = place.end;
            }
            outside
        });
        Ok(Replaced {
            side,
            texts,
            places,
        })
    }

    /// Writes a stretch of the body.
    fn write(&self, stretch: &Place, out: &mut String) {
        let body = &self.side.body;
        let mut copied = stretch.start as usize;
        let first = self
            .places
            .partition_point(|(place, _)| place.start < stretch.start);
        for (place, text) in &self.places[first..] {
            if place.start >= stretch.end {
                break;
            }
            out.push_str(&body[copied..place.start as usize]);
            out.push_str(&self.texts[*text]);
            copied = place.end as usize;
        }
        out.push_str(&body[copied..stretch.end as usize]);
    }

    fn write_definitions(&self, out: &mut String) {
        for command in &self.side.commands {
            if command.asserted.is_none() {
                self.write(&command.place, out);
            }
        }
    }

    /// Writes what is asserted as one term.
    fn write_conjunction(&self, out: &mut String) {
        let asserted = || {
            let commands = self.side.commands.iter();
            commands.filter_map(|command| command.asserted.as_ref())
        };
        let several = asserted().count() > 1;
        if several {
            out.push_str("(and");
        }
        for term in asserted() {
            if several {
                out.push_str("\n  ");
            }
            self.write(term, out);
        }
        if several {
            out.push(')');
        }
    }
}

/// The fused script.
pub(super) fn combine(form: Form, sides: &[Replaced<'_>; 2], pairs: &[Pair<'_>]) -> String {
    let sizes = sides.iter().map(|r| r.side.head.len() + r.side.body.len());
    let mut out = String::with_capacity(sizes.sum::<usize>() * 3 / 2 + 512);
    out.push_str("(set-logic ");
    out.push_str(&logic(sides, pairs));
    out.push_str(")\n");
    for side in sides {
        out.push_str(&side.side.head);
    }
    for pair in pairs {
        pair.declare(&mut out);
    }
    if form.disjoins() {
        for side in sides {
            side.write_definitions(&mut out);
        }
        out.push_str("(assert (or\n ");
        sides[0].write_conjunction(&mut out);
        out.push_str("\n ");
        sides[1].write_conjunction(&mut out);
        out.push_str("))\n");
    } else {
        for side in sides {
            let end = u32::try_from(side.side.body.len()).unwrap_or(u32::MAX);
            side.write(&(0..end), &mut out);
        }
    }
    for pair in pairs {
        pair.constrain(&mut out);
    }
    out.push_str("(check-sat)\n");
    out
}

/// The least logic that allows both seeds and what fuses them; the seeds' own
/// name for it if they have the same.
fn logic(sides: &[Replaced<'_>; 2], pairs: &[Pair<'_>]) -> String {
    let [first, second] = sides.each_ref().map(|replaced| replaced.side);
    let seeds = first.logic.join(second.logic);
    let all = pairs
        .iter()
        .fold(seeds, |sum, pair| sum.join(pair.instance().needs));
    let bit_arrays = all.covers(Logic::ARRAYS.join(Logic::BIT_VECTORS));
    let new_arrays = pairs.iter().any(|pair| pair.instance().new_arrays);
    if first.logic_name == second.logic_name
        && all == first.logic
        && all != Logic::ALL
        && !(bit_arrays && new_arrays)
    {
        return first.logic_name.clone();
    }
    let name = all.name();
    // z3 takes strings in these logics only, and in logics of bit-vectors it
    // takes arrays of bit-vectors only.
    let strings = all.covers(Logic::STRINGS) && !matches!(&name[..], "QF_SLIA" | "QF_SNIA");
    match strings || bit_arrays {
        true => Logic::ALL.name(),
        false => name,
    }
}
