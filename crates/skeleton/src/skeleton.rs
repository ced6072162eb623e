//! A program with holes, and all that may fill them.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use lydite_core::{BigUint, Choices, Reject};

use crate::combine::{Fillings, Shape, TooWide, Walk, paper_count};
use crate::extract::{Dialect, Outline, Refusal};
use crate::options::{Options, Types};
use crate::plan::{Plan, Planned};

/// The paper's count is not made for more holes than this in one function.
const PAPER_HOLES: usize = 400;

/// The figures of tables 1 and 2 for one program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Figures {
    /// The number of holes: uses of variables that can be filled.
    pub holes: usize,
    /// The number of scopes, the file's own included.
    pub scopes: usize,
    /// The number of functions.
    pub functions: usize,
    /// The number of functions that could not be read, and are left alone.
    pub unread: usize,
    /// The number of types of variables.
    pub types: usize,
    /// The number of candidates of all holes together.
    pub candidates: usize,
    /// The number of all fillings, equivalent ones included.
    pub naive: BigUint,
    /// The number of patterns: fillings of which no two are equivalent.
    pub exact: BigUint,
}

/// A program with holes for variables, and all ways to fill them.
pub struct Skeleton {
    text: Arc<[u8]>,
    /// The holes in the order of the text: where they are, and their place in
    /// fillings.
    holes: Vec<(Range<usize>, usize)>,
    /// The names of the slots of fillings.
    names: Vec<Arc<[u8]>>,
    fillings: Fillings,
    original: Vec<u32>,
    figures: Figures,
    paper_shapes: Vec<Shape>,
}

impl Skeleton {
    /// The skeleton of a program; the error says why there is none.
    pub fn read(
        dialect: &Dialect,
        text: &Arc<[u8]>,
        options: Options,
    ) -> Result<Skeleton, Refusal> {
        let outline = Outline::read(dialect, text)?;
        Skeleton::of(&outline, options)
    }

    fn of(outline: &Outline, options: Options) -> Result<Skeleton, Refusal> {
        // Where counting would be too wide, types are kept apart, and then
        // variables that others hide are left alone.
        let exact = Options {
            types: Types::Exact,
            ..options
        };
        let attempts = [(options, true), (exact, true), (exact, false)];
        let planned = attempts.into_iter().find_map(|(options, hidden)| {
            let plan = Plan::new(outline, options, hidden);
            let parts = plan.parts().ok()?;
            let shapes = parts.iter().map(|part| part.shape.clone()).collect();
            Fillings::new(shapes).ok().map(|fillings| (parts, fillings))
        });
        let (parts, fillings) = planned.ok_or_else(|| Refusal::TooLarge(TooWide.to_string()))?;
        let figures = figures(outline, &parts, &fillings);
        let mut holes = Vec::with_capacity(fillings.holes());
        let mut names = Vec::new();
        let mut original = Vec::with_capacity(fillings.holes());
        for part in &parts {
            for (&place, &slot) in part.uses.iter().zip(&part.original) {
                holes.push((outline.uses[place].range.clone(), holes.len()));
                original.push(names.len() as u32 + slot);
            }
            let name = |&variable: &usize| outline.variables[variable].name.clone();
            names.extend(part.slots.iter().map(name));
        }
        holes.sort_by_key(|(range, _)| range.start);
        Ok(Skeleton {
            text: outline.text.clone(),
            holes,
            names,
            fillings,
            original,
            figures,
            paper_shapes: parts.into_iter().map(|part| part.paper_shape).collect(),
        })
    }

    /// The program that it was made from.
    pub fn text(&self) -> &Arc<[u8]> {
        &self.text
    }

    /// Its fillings.
    pub fn fillings(&self) -> &Fillings {
        &self.fillings
    }

    /// The filling that gives back the program.
    pub fn original(&self) -> &[u32] {
        &self.original
    }

    /// Where its holes are, in the order of the text, and the names that may
    /// fill each; holes without a choice are not among them.
    pub fn holes(&self) -> Vec<(Range<usize>, Vec<&[u8]>)> {
        let names = |place: usize| -> Vec<&[u8]> {
            let slots = self.fillings.candidates(place).into_iter();
            slots.map(|slot| &*self.names[slot as usize]).collect()
        };
        let holes = self.holes.iter();
        holes
            .map(|(range, place)| (range.clone(), names(*place)))
            .collect()
    }

    /// The figures of the program.
    pub fn figures(&self) -> &Figures {
        &self.figures
    }

    /// What the paper's algorithm 1 counts; `None` where that would take long.
    pub fn paper_count(&self) -> Option<BigUint> {
        let mut product = BigUint::ONE;
        for shape in &self.paper_shapes {
            if shape.holes().len() > PAPER_HOLES {
                return None;
            }
            product *= paper_count(shape);
        }
        Some(product)
    }

    /// The patterns from number `index` on.
    pub fn walk(&self, index: &BigUint) -> Option<Walk> {
        self.fillings.walk(index)
    }

    /// Pattern number `index` as a program.
    pub fn nth(&self, index: &BigUint) -> Option<Vec<u8>> {
        let filling = self.fillings.nth(index)?;
        Some(self.render(&filling))
    }

    /// Draws a program; all patterns are equally likely.
    pub fn sample(&self, choices: &mut Choices) -> Result<Vec<u8>, Reject> {
        let filling = self.fillings.sample(choices)?;
        Ok(self.render(&filling))
    }

    /// The program with its holes filled.
    pub fn render(&self, filling: &[u32]) -> Vec<u8> {
        let mut text = Vec::with_capacity(self.text.len() + self.text.len() / 8);
        self.render_into(filling, &mut text);
        text
    }

    /// The same into a buffer that is emptied first.
    pub fn render_into(&self, filling: &[u32], text: &mut Vec<u8>) {
        text.clear();
        let mut done = 0;
        for (range, place) in &self.holes {
            text.extend_from_slice(&self.text[done..range.start]);
            text.extend_from_slice(&self.names[filling[*place] as usize]);
            done = range.end;
        }
        text.extend_from_slice(&self.text[done..]);
    }
}

fn figures(outline: &Outline, parts: &[Planned], fillings: &Fillings) -> Figures {
    let mut types: BTreeMap<&str, ()> = BTreeMap::new();
    for place in &outline.uses {
        types.insert(&outline.variables[place.variable].type_text, ());
    }
    let candidates = |part: &Planned| -> usize {
        let holes = part.shape.holes().iter();
        holes.map(|hole| part.shape.candidates(hole)).sum()
    };
    // Holes without a choice are in no part.
    let filled: usize = parts.iter().map(|part| part.uses.len()).sum();
    Figures {
        holes: outline.uses.len(),
        scopes: outline.scopes.len() - outline.functions(),
        functions: outline.functions(),
        unread: outline.unread,
        types: types.len(),
        candidates: parts.iter().map(candidates).sum::<usize>() + outline.uses.len() - filled,
        naive: fillings.naive().clone(),
        exact: fillings.count().clone(),
    }
}
