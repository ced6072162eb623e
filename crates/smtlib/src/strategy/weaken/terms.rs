//! What metavariables can stand for that a rule adds: terms of the script
//! first, then literals (the two stages of section 6.3).

use lydite_core::{Choices, Reject};

use super::parity::Marks;
use crate::edits::simplest;
use crate::mutate::mutant::{Mutant, NodeId, Original};
use crate::sort::{Sort, SortKind};
use crate::syntax::{Term, TermId};

/// Larger terms are not added.
const MAX_ADDED: usize = 12;

/// A direct argument of a term: `f(…, x, …)` seen as a function of x.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    pub(super) term: TermId,
    pub(super) at: usize,
}

/// What of a original rules use, found once.
pub(super) struct Supply {
    /// By sort.
    terms: Vec<Vec<TermId>>,
    /// By the sort of the argument.
    frames: Vec<Vec<Frame>>,
    pub(super) marks: Marks,
}

impl Supply {
    /// Looks a original over.
    pub(super) fn of(original: &Original) -> Supply {
        let count = original.typed.sorts.len();
        let mut supply = Supply {
            terms: vec![Vec::new(); count],
            frames: vec![Vec::new(); count],
            marks: Marks::of(original),
        };
        let binds = binding_terms(original);
        let mut texts = std::collections::BTreeSet::new();
        for term in original.script.terms() {
            let reached = original.typed.sort(term).is_some();
            if !reached || original.is_fixed(term) || original.size(term) > MAX_ADDED {
                continue;
            }
            // Variables that a term binds itself would be bound twice where
            // it stands inside its original.
            if binds[term.index()] {
                continue;
            }
            // The same text in another scope is another term.
            if !texts.insert((original.term_text(term), original.need(term))) {
                continue;
            }
            supply.terms[original.sort(term).index()].push(term);
            if let Term::Application { arguments, .. } = original.script.term(term)
                && !takes_constants(original.term_text(term))
            {
                for (at, &argument) in arguments.iter().enumerate() {
                    let sort = original.sort(argument).index();
                    supply.frames[sort].push(Frame { term, at });
                }
            }
        }
        supply
    }

    /// A new node for a term of a sort, to stand in a term of `command` where
    /// `scope` is visible; none if there is neither term nor literal.
    pub(super) fn term(
        &self,
        mutant: &mut Mutant<'_>,
        choices: &mut Choices,
        sort: Sort,
        command: usize,
        scope: u32,
    ) -> Result<Option<NodeId>, Reject> {
        let original = mutant.original();
        // A literal now and then even where there are terms.
        if !choices.chance(1, 5)? {
            let terms = &self.terms[sort.index()];
            let fits = |&term: &TermId| original.fits(term, command, scope);
            if let Some(&term) = pick(choices, terms, fits)? {
                return Ok(Some(mutant.copy_original(term, scope)));
            }
        }
        literal(mutant, choices, sort, scope)
    }

    /// A term of the script with an argument of a sort and a result that can
    /// be compared, which means something there.
    pub(super) fn frame(
        &self,
        original: &Original,
        choices: &mut Choices,
        sort: Sort,
        command: usize,
        scope: u32,
    ) -> Result<Option<Frame>, Reject> {
        let comparable = |sort: Sort| {
            let kind = original.typed.sorts.kind(sort);
            !matches!(kind, SortKind::RegLan | SortKind::Function(_))
                && !original.typed.sorts.is_open(sort)
        };
        let fits = |frame: &Frame| {
            original.fits(frame.term, command, scope) && comparable(original.sort(frame.term))
        };
        Ok(pick(choices, &self.frames[sort.index()], fits)?.copied())
    }
}

/// For each term whether something in it binds variables.
fn binding_terms(original: &Original) -> Vec<bool> {
    let mut binds = vec![false; original.script.term_count()];
    let mut subterms = Vec::new();
    for term in original.script.terms() {
        subterms.clear();
        original.script.push_subterms(term, &mut subterms);
        binds[term.index()] = subterms.iter().any(|inner| binds[inner.index()])
            || matches!(
                original.script.term(term),
                Term::Let { .. } | Term::Bind { .. } | Term::Match { .. }
            );
    }
    binds
}

/// Applications that solvers want to be of literals.
fn takes_constants(text: &str) -> bool {
    text.starts_with("((as const") || text.starts_with("((_ to_fp") || text.starts_with("(/ ")
}

/// The first that fits from a random one on.
fn pick<'a, T>(
    choices: &mut Choices,
    items: &'a [T],
    fits: impl Fn(&T) -> bool,
) -> Result<Option<&'a T>, Reject> {
    if items.is_empty() {
        return Ok(None);
    }
    let start = choices.index(items.len())?;
    let (before, after) = items.split_at(start);
    Ok(after.iter().chain(before).find(|item| fits(item)))
}

/// A positive literal of Int or Real.
pub(super) fn positive(
    mutant: &mut Mutant<'_>,
    choices: &mut Choices,
    sort: Sort,
    scope: u32,
) -> Result<NodeId, Reject> {
    let text = match sort == Sort::REAL {
        false => *choices.pick(&["1", "2", "3", "5", "16", "100"])?,
        true => *choices.pick(&["1.0", "2.0", "0.5", "3.0", "10.0", "0.125"])?,
    };
    Ok(mutant.make(text, None, sort, scope, &[]))
}

fn literal(
    mutant: &mut Mutant<'_>,
    choices: &mut Choices,
    sort: Sort,
    scope: u32,
) -> Result<Option<NodeId>, Reject> {
    let original = mutant.original();
    let text = match original.typed.sorts.kind(sort) {
        SortKind::Bool => choices.pick(&["true", "false"])?.to_string(),
        SortKind::Int => choices
            .pick(&["0", "1", "2", "(- 1)", "7", "(- 10)"])?
            .to_string(),
        SortKind::Real => choices
            .pick(&["0.0", "1.0", "(- 1.0)", "0.5", "(- 2.5)"])?
            .to_string(),
        SortKind::String => choices
            .pick(&["\"\"", "\"a\"", "\"b\"", "\"0\"", "\"ab\""])?
            .to_string(),
        SortKind::RegLan => choices
            .pick(&[
                "re.none", "re.all", "re.allchar", "(str.to_re \"\")", "(str.to_re \"a\")",
                "(re.range \"0\" \"9\")",
            ])?
            .to_string(),
        SortKind::RoundingMode => choices
            .pick(&["RNE", "RNA", "RTP", "RTN", "RTZ"])?
            .to_string(),
        // An array that is the same everywhere is not of every array logic.
        SortKind::Array(..) => return Ok(None),
        _ => {
            let rank = choices.below(2)? as u8;
            let simplest = |rank| simplest(&original.script, &original.typed, sort, rank);
            match simplest(rank).or_else(|| simplest(0)) {
                Some(text) => text,
                None => return Ok(None),
            }
        }
    };
    Ok(Some(mutant.make(&text, None, sort, scope, &[])))
}
