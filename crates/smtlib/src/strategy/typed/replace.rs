//! Making terms and putting them in place.

use lydite_core::{Choices, Reject};

use super::Wishes;
use super::makers::Maker;
use super::material::{Material, Place, is_built_in};
use crate::mutate::bank::Bank;
use crate::mutate::mutant::{Mutant, NONE, NodeId, Original};
use crate::sort::Sort;
use crate::syntax::TermId;

const NOTHING_TO_REPLACE: Reject = Reject::NotApplicable("the seed has no term to replace");
const NO_TERM: Reject = Reject::NotApplicable("no term of a sort is visible at a place");

/// How often each kind of argument is taken, where it is to be had: terms of
/// the seed, literals, new constants, operators again, terms of the bank.
const ARGUMENTS: [u64; 5] = [16, 3, 1, 5, 4];
/// How often a term is replaced by each of these: an operator comes first, as
/// in algorithm 6.
const REPLACEMENTS: [u64; 5] = [1, 1, 1, 16, 8];

/// The same for a new assertion: a constant alone says nothing.
const ASSERTED: [u64; 5] = [0, 0, 0, 16, 8];

/// The work on one case.
pub(super) struct Replacing<'a> {
    original: &'a Original,
    material: &'a Material,
    bank: &'a Bank,
    wishes: Wishes,
    /// Nodes that were made and may be replaced in their turn.
    made: Vec<NodeId>,
    /// New constants: sort, and the command before which each is declared.
    constants: Vec<(Sort, usize)>,
}

impl<'a> Replacing<'a> {
    pub(super) fn new(
        original: &'a Original,
        material: &'a Material,
        bank: &'a Bank,
        wishes: Wishes,
    ) -> Replacing<'a> {
        Replacing {
            original,
            material,
            bank,
            wishes,
            made: Vec::new(),
            constants: Vec::new(),
        }
    }

    /// One mutation, and what it did.
    pub(super) fn step(
        &mut self,
        mutant: &mut Mutant<'_>,
        choices: &mut Choices,
    ) -> Result<String, Reject> {
        let assertable = self.wishes.assertions && !self.material.asserts.is_empty();
        if assertable && choices.chance(1, 12)? {
            return self.assert(mutant, choices);
        }
        let (target, command) = self.target(mutant, choices)?;
        let slot = mutant.slot(target).ok_or(NOTHING_TO_REPLACE)?;
        let (sort, scope) = (mutant.sort(target), mutant.scope(target));
        let place = Place { command, scope };
        let wrap = match self.wishes.wrap {
            Some(wrap) => wrap,
            None => choices.chance(1, 2)?,
        };
        let wanted = Wanted {
            sort,
            place,
            depth: self.wishes.depth,
            weights: &REPLACEMENTS,
            not: (!wrap).then(|| mutant.origin(target)).flatten(),
        };
        let made = self.term(mutant, choices, wanted)?;
        let step = format!("{} for {}", mutant.head(made), mutant.head(target));
        mutant.put(slot, made);
        self.made.push(made);
        Ok(step)
    }

    /// A new assertion before one that is there.
    fn assert(&mut self, mutant: &mut Mutant<'_>, choices: &mut Choices) -> Result<String, Reject> {
        let command = *choices.pick(&self.material.asserts)?;
        let place = Place {
            command,
            scope: NONE,
        };
        let wanted = Wanted {
            sort: Sort::BOOL,
            place,
            depth: self.wishes.depth,
            weights: &ASSERTED,
            not: None,
        };
        let made = self.term(mutant, choices, wanted)?;
        let mut text = b"(assert ".to_vec();
        mutant.write_node(made, &mut text);
        text.extend_from_slice(b")\n");
        let text = String::from_utf8(text).expect("terms are made of text");
        mutant.insert_before(command, text);
        Ok(format!("{} asserted", mutant.head(made)))
    }

    /// A term that has a place and may be replaced, and its command.
    fn target(
        &self,
        mutant: &Mutant<'_>,
        choices: &mut Choices,
    ) -> Result<(NodeId, usize), Reject> {
        let (old, new) = (&self.material.targets, &self.made);
        let count = old.len() + new.len();
        if count == 0 {
            return Err(NOTHING_TO_REPLACE);
        }
        let start = choices.index(count)?;
        let node = |at: usize| match old.get(at) {
            Some(&term) => NodeId::from(term),
            None => new[at - old.len()],
        };
        let mut around = (start..count).chain(0..start).map(node);
        around
            .find_map(|node| Some((node, mutant.command(node)?)))
            .ok_or(NOTHING_TO_REPLACE)
    }

    /// A term without a place. Recursion is bounded by its depth.
    fn term(
        &mut self,
        mutant: &mut Mutant<'_>,
        choices: &mut Choices,
        wanted: Wanted<'_>,
    ) -> Result<NodeId, Reject> {
        let (sort, material) = (wanted.sort, self.material);
        let visible = material.visible(self.original, sort, wanted.place);
        let has = [
            visible.any(|term| self.is_usable(term, wanted)),
            self.wishes.literals && material.has_literal(sort),
            self.wishes.fresh && material.declarable(sort).is_some(),
            wanted.depth > 0 && self.can_apply(wanted),
            wanted.depth > 0 && material.bank_of(sort).is_some(),
        ];
        let mut weights = *wanted.weights;
        for (weight, has) in weights.iter_mut().zip(has) {
            *weight *= u64::from(has);
        }
        if weights == [0; 5] {
            return Err(NO_TERM);
        }
        let kind = choices.weighted(&weights)?;
        match kind {
            0 => {
                let usable = |term: TermId| self.is_usable(term, wanted);
                match visible.pick(choices, usable)? {
                    Some(term) => Ok(mutant.quote(term, wanted.place.scope)),
                    None => self.leaf(mutant, choices, wanted),
                }
            }
            1 => self.literal(mutant, choices, wanted),
            2 => self.constant(mutant, choices, wanted),
            3 => self.application(mutant, choices, wanted),
            _ => self.banked(mutant, choices, wanted),
        }
    }

    /// Where all terms of the seed turned out not to fit.
    fn leaf(
        &mut self,
        mutant: &mut Mutant<'_>,
        choices: &mut Choices,
        wanted: Wanted<'_>,
    ) -> Result<NodeId, Reject> {
        if self.wishes.literals && self.material.has_literal(wanted.sort) {
            return self.literal(mutant, choices, wanted);
        }
        match self.wishes.fresh {
            true => self.constant(mutant, choices, wanted),
            false => Err(NO_TERM),
        }
    }

    fn literal(
        &self,
        mutant: &mut Mutant<'_>,
        choices: &mut Choices,
        wanted: Wanted<'_>,
    ) -> Result<NodeId, Reject> {
        let literals = self.material.literals(self.original);
        let made = literals.make(mutant, choices, wanted.sort, wanted.place.scope)?;
        made.ok_or(NO_TERM)
    }

    /// A constant that the seed does not have. Those that all commands know
    /// are used again.
    fn constant(
        &mut self,
        mutant: &mut Mutant<'_>,
        choices: &mut Choices,
        wanted: Wanted<'_>,
    ) -> Result<NodeId, Reject> {
        let (sort, material) = (wanted.sort, self.material);
        let sorts = &self.original.typed.sorts;
        let declared_before = material
            .declared_before
            .filter(|_| is_built_in(sorts, sort));
        let declared_at = declared_before.unwrap_or(wanted.place.command);
        material.declarable(sort).ok_or(NO_TERM)?;
        let known = (sort, declared_at);
        let same: Vec<usize> = (0..self.constants.len())
            .filter(|&at| self.constants[at] == known)
            .collect();
        let picked = choices.index(same.len() + 1)?;
        let number = match same.get(picked) {
            Some(&number) => number,
            None => {
                self.constants.push(known);
                self.constants.len() - 1
            }
        };
        let name = format!("{}{number}", material.stem);
        Ok(mutant.make(&name, None, sort, wanted.place.scope, &[]))
    }

    /// Declares the new constants.
    pub(super) fn declare(&self, mutant: &mut Mutant<'_>) {
        for (number, &(sort, command)) in self.constants.iter().enumerate() {
            if let Some(sort) = self.material.declarable(sort) {
                let stem = &self.material.stem;
                mutant.declare_before(command, format!("(declare-const {stem}{number} {sort})\n"));
            }
        }
    }

    fn application(
        &mut self,
        mutant: &mut Mutant<'_>,
        choices: &mut Choices,
        wanted: Wanted<'_>,
    ) -> Result<NodeId, Reject> {
        let groups = self.material.makers(wanted.sort);
        let fits = |maker: &&Maker| self.fits(maker, wanted);
        let start = choices.index(groups.len())?;
        let mut around = groups[start..].iter().chain(&groups[..start]);
        let group = around.find(|group| group.iter().any(|maker| fits(&maker)));
        let group = group.ok_or(NO_TERM)?;
        let start = choices.index(group.len())?;
        let mut around = group[start..].iter().chain(&group[..start]);
        let maker = around.find(fits).ok_or(NO_TERM)?;
        let mut arguments: Vec<NodeId> = Vec::with_capacity(maker.arguments.len() + 1);
        for (&sort, &literal) in maker.arguments.iter().zip(&maker.literal) {
            let wanted = wanted.argument(sort);
            if literal {
                arguments.push(self.literal(mutant, choices, wanted)?);
                continue;
            }
            let argument = self.term(mutant, choices, wanted)?;
            arguments.push(argument);
            self.made.push(argument);
        }
        if let Some(&sort) = maker.arguments.last()
            && maker.repeats
            && choices.chance(1, 8)?
        {
            arguments.push(self.term(mutant, choices, wanted.argument(sort))?);
        }
        let scope = wanted.place.scope;
        Ok(mutant.make(&maker.head, maker.operator, wanted.sort, scope, &arguments))
    }

    fn can_apply(&self, wanted: Wanted<'_>) -> bool {
        let mut makers = self.material.makers(wanted.sort).iter().flatten();
        makers.any(|maker| self.fits(maker, wanted))
    }

    /// True if a maker is known at a place, and there are arguments for it.
    fn fits(&self, maker: &Maker, wanted: Wanted<'_>) -> bool {
        maker.live.contains(&wanted.place.command) && self.can_feed(maker, wanted)
    }

    fn can_feed(&self, maker: &Maker, wanted: Wanted<'_>) -> bool {
        let mut arguments = maker.arguments.iter().zip(&maker.literal);
        arguments.all(|(&sort, &literal)| {
            let has_literal = self.wishes.literals && self.material.has_literal(sort);
            has_literal
                || !literal
                    && (self.wishes.fresh && self.material.declarable(sort).is_some()
                        || self.has_visible(sort, wanted))
        })
    }

    fn has_visible(&self, sort: Sort, wanted: Wanted<'_>) -> bool {
        let visible = self.material.visible(self.original, sort, wanted.place);
        visible.any(|term| self.is_usable(term, wanted))
    }

    /// True if a visible term is declared at the place, and is not the one
    /// that is replaced.
    fn is_usable(&self, term: TermId, wanted: Wanted<'_>) -> bool {
        self.original.live(term).contains(&wanted.place.command)
            && wanted
                .not
                .is_none_or(|not| self.original.term_text(term) != self.original.term_text(not))
    }

    /// A term of the bank, its holes filled.
    fn banked(
        &mut self,
        mutant: &mut Mutant<'_>,
        choices: &mut Choices,
        wanted: Wanted<'_>,
    ) -> Result<NodeId, Reject> {
        let (bank, material) = (self.bank, self.material);
        let number = material.bank_of(wanted.sort).ok_or(NO_TERM)?;
        let term = *choices.pick(bank.of(number))?;
        let scope = wanted.place.scope;
        bank.make(term, mutant, &material.bank_sorts, scope, |mutant, sort| {
            // Nothing but leaves in holes: a term of the bank is deep enough.
            let wanted = Wanted {
                depth: 0,
                ..wanted.argument(sort)
            };
            self.term(mutant, choices, wanted)
        })
    }
}

/// What a term has to be.
#[derive(Clone, Copy)]
struct Wanted<'a> {
    sort: Sort,
    place: Place,
    /// Operators above each other, at most.
    depth: u32,
    weights: &'a [u64; 5],
    /// The term that it may not be.
    not: Option<TermId>,
}

impl Wanted<'_> {
    fn argument(self, sort: Sort) -> Wanted<'static> {
        Wanted {
            sort,
            place: self.place,
            depth: self.depth.saturating_sub(1),
            weights: &ARGUMENTS,
            not: self.not,
        }
    }
}
