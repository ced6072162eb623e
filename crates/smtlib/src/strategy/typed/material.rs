//! What a seed offers to make terms of: all that does not depend on choices.

use std::collections::BTreeSet;
use std::ops::Range;

use lydite_core::{Choices, Reject};

use super::literal::{Literals, minus};
use super::makers::{Maker, makers_of};
use crate::mutate::bank::Bank;
use crate::mutate::mutant::{NONE, NOWHERE, Original};
use crate::mutate::repertoire::{Repertoire, declared_names};
use crate::operators::{OperatorId, Operators};
use crate::sort::{Sort, SortKind, Sorts};
use crate::syntax::{CommandKind, TermId};

/// Terms of more nodes than this are not copied: mutants would replace too fast.
const MAX_COPIED: usize = 60;

/// Scopes beyond this many around a place are not searched for terms.
const MAX_SCOPES: usize = 16;

/// Where a term is to stand.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub(super) command: usize,
    pub(super) scope: u32,
}

/// The terms of one sort, each text once.
#[derive(Clone, Debug, Default)]
struct Terms {
    /// Those without free variables, with the command from which on they mean
    /// something; in that order, small ones first.
    closed: Vec<(u32, TermId)>,
    /// The others, with the innermost scope that they need; in that order,
    /// small ones first.
    open: Vec<(u32, TermId)>,
}

/// What a seed offers.
pub(super) struct Material {
    /// The terms that may be replaced.
    pub(super) targets: Vec<TermId>,
    /// The commands that assert.
    pub(super) asserts: Vec<usize>,
    /// The command before which constants of built-in sorts are declared; none
    /// if not all that follows would know them.
    pub(super) declared_before: Option<usize>,
    /// No name of the script begins with this.
    pub(super) stem: String,
    /// For each sort of the original, and of the bank, its terms.
    terms: Vec<Terms>,
    /// For each such sort the ways to make a term of it, by operator.
    makers: Vec<Vec<Vec<Maker>>>,
    /// For each such sort the text that declares a constant of it.
    declarable: Vec<Option<String>>,
    has_literal: Vec<bool>,
    minus: [Option<OperatorId>; 2],
    /// The bank's sorts as the original's.
    pub(super) bank_sorts: Vec<Sort>,
    /// For each sort the bank's number of it, if the bank has terms of it.
    bank_of: Vec<Option<usize>>,
}

impl Material {
    /// Takes original. The sorts of the bank, and those of arguments that only
    /// literals are of, are added to the original's.
    pub(super) fn fill(
        original: &mut Original,
        operators: &Operators,
        repertoire: &Repertoire,
        bank: &Bank,
    ) -> Material {
        let frozen = repertoire.frozen(original);
        let replaceable = |&term: &TermId| {
            !frozen[term.index()]
                && !original.is_fixed(term)
                && is_plain(original, original.sort(term))
        };
        let targets: Vec<TermId> = original.script.terms().filter(replaceable).collect();
        let mut terms = terms_by_sort(original);
        let present: Vec<Sort> = original
            .typed
            .sorts
            .ids()
            .filter(|sort| terms.get(sort.index()).is_some_and(|t| !t.is_empty()))
            .collect();
        let mut sorts = original.typed.sorts.clone();
        let bank_sorts = bank.adopt_sorts(&mut sorts);
        let mut makers = makers_of(original, operators, repertoire, &present, &mut sorts);
        original.typed.sorts = sorts;
        let original = &*original;
        let declared = declared_names(original);
        let minus = minus(operators, &declared);
        let literals = Literals { original, minus };
        let count = original.typed.sorts.len();
        let sorts = || original.typed.sorts.ids();
        terms.resize_with(count, Terms::default);
        makers.resize_with(count, Vec::new);
        let mut bank_of = vec![None; count];
        if !bank.uses_any(&declared) {
            for (at, sort) in bank_sorts.iter().enumerate() {
                bank_of[sort.index()] = (!bank.of(at).is_empty()).then_some(at);
            }
        }
        Material {
            targets,
            asserts: asserts(original),
            declared_before: declared_before(original),
            stem: stem(original),
            terms,
            makers,
            declarable: sorts().map(|sort| declarable(original, sort)).collect(),
            has_literal: sorts().map(|sort| literals.has(sort)).collect(),
            minus,
            bank_sorts,
            bank_of,
        }
    }

    /// The ways to make a term of this sort, by operator.
    pub(super) fn makers(&self, sort: Sort) -> &[Vec<Maker>] {
        &self.makers[sort.index()]
    }

    /// The sort as text, if constants of it can be declared.
    pub(super) fn declarable(&self, sort: Sort) -> Option<&str> {
        self.declarable[sort.index()].as_deref()
    }

    /// True if the sort has literals.
    pub(super) fn has_literal(&self, sort: Sort) -> bool {
        self.has_literal[sort.index()]
    }

    pub(super) fn literals<'a>(&self, original: &'a Original) -> Literals<'a> {
        Literals {
            original,
            minus: self.minus,
        }
    }

    /// The bank's number of a sort that it has terms of.
    pub(super) fn bank_of(&self, sort: Sort) -> Option<usize> {
        self.bank_of[sort.index()]
    }

    /// The terms of a sort that mean something at a place (definition 5.3.2),
    /// as far as scopes and earlier declarations go.
    pub(super) fn visible(&self, original: &Original, sort: Sort, place: Place) -> Visible<'_> {
        let terms = &self.terms[sort.index()];
        let known = |&(from, _): &(u32, TermId)| from as usize <= place.command;
        let mut visible = Visible {
            closed: &terms.closed[..terms.closed.partition_point(known)],
            open: [&[]; MAX_SCOPES],
            scopes: 0,
        };
        let mut scope = match place.scope {
            NOWHERE => NONE,
            scope => scope,
        };
        let mut looked = 0;
        while scope != NONE && looked < MAX_SCOPES && !terms.open.is_empty() {
            let range = needing(&terms.open, scope);
            if !range.is_empty() {
                visible.open[visible.scopes] = &terms.open[range];
                visible.scopes += 1;
            }
            looked += 1;
            scope = original.locals.scopes[scope as usize].parent;
        }
        visible
    }
}

impl Terms {
    fn is_empty(&self) -> bool {
        self.closed.is_empty() && self.open.is_empty()
    }
}

fn needing(open: &[(u32, TermId)], scope: u32) -> Range<usize> {
    let start = open.partition_point(|&(need, _)| need < scope);
    let count = open[start..].partition_point(|&(need, _)| need == scope);
    start..start + count
}

/// Terms that can be seen from a place.
pub(super) struct Visible<'a> {
    closed: &'a [(u32, TermId)],
    open: [&'a [(u32, TermId)]; MAX_SCOPES],
    scopes: usize,
}

impl Visible<'_> {
    /// How many there are.
    pub(super) fn len(&self) -> usize {
        let open = self.open[..self.scopes].iter();
        self.closed.len() + open.map(|terms| terms.len()).sum::<usize>()
    }

    fn get(&self, mut at: usize) -> Option<TermId> {
        let lists = [self.closed]
            .into_iter()
            .chain(self.open[..self.scopes].iter().copied());
        for list in lists {
            match list.get(at) {
                Some(&(_, term)) => return Some(term),
                None => at -= list.len(),
            }
        }
        None
    }

    /// True if one of them fits.
    pub(super) fn any(&self, fits: impl Fn(TermId) -> bool) -> bool {
        (0..self.len()).any(|at| self.get(at).is_some_and(&fits))
    }

    /// One that `fits`: the next if it is not the one that is picked.
    pub(super) fn pick(
        &self,
        choices: &mut Choices,
        fits: impl Fn(TermId) -> bool,
    ) -> Result<Option<TermId>, Reject> {
        let count = self.len();
        if count == 0 {
            return Ok(None);
        }
        let start = choices.index(count)?;
        let mut around = (start..count).chain(0..start);
        Ok(around.find_map(|at| self.get(at).filter(|&term| fits(term))))
    }
}

/// True if terms of this sort can be replaced and copied.
pub(super) fn is_plain(original: &Original, sort: Sort) -> bool {
    let sorts = &original.typed.sorts;
    !sorts.is_open(sort) && !matches!(sorts.kind(sort), SortKind::Function(_))
}

fn terms_by_sort(original: &Original) -> Vec<Terms> {
    let mut by_sort: Vec<Terms> = Vec::new();
    by_sort.resize_with(original.typed.sorts.len(), Terms::default);
    let mut seen: BTreeSet<(&str, Sort, usize, usize)> = BTreeSet::new();
    for term in original.script.terms() {
        let (sort, live) = (original.sort(term), original.live(term));
        let wanted = !original.is_fixed(term)
            && original.size(term) <= MAX_COPIED
            && !live.is_empty()
            && is_plain(original, sort);
        // Names are unique, so equal texts mean the same where both live.
        if !wanted || !seen.insert((original.term_text(term), sort, live.start, live.end)) {
            continue;
        }
        let terms = &mut by_sort[sort.index()];
        match original.need(term) {
            NONE => terms.closed.push((crate::syntax::index(live.start), term)),
            need => terms.open.push((need, term)),
        }
    }
    for terms in &mut by_sort {
        let by_size = |&(first, term): &(u32, TermId)| (first, original.size(term), term);
        terms.closed.sort_by_key(by_size);
        terms.open.sort_by_key(by_size);
    }
    by_sort
}

fn asserts(original: &Original) -> Vec<usize> {
    let commands = original.script.commands.iter().enumerate();
    commands
        .filter(|(_, command)| matches!(command.kind, CommandKind::Assert(_)))
        .map(|(at, _)| at)
        .collect()
}

/// The first command after the options and the logic, if nothing undoes what
/// is declared there.
fn declared_before(original: &Original) -> Option<usize> {
    let commands = &original.script.commands;
    let resets = |kind: &CommandKind| matches!(kind, CommandKind::Word(_));
    if commands.iter().any(|command| resets(&command.kind)) {
        return None;
    }
    commands.iter().position(|command| {
        !matches!(
            command.kind,
            CommandKind::SetLogic(_) | CommandKind::SetOption(_) | CommandKind::SetInfo(_)
        )
    })
}

fn stem(original: &Original) -> String {
    let mut stem = "new".to_string();
    let taken = |stem: &str| {
        let mut symbols = original.script.symbols().iter();
        symbols.any(|(_, name)| name.starts_with(stem))
    };
    while taken(&stem) {
        stem.push('_');
    }
    stem
}

/// The sort as text if it is one that constants may have for all solvers.
fn declarable(original: &Original, sort: Sort) -> Option<String> {
    let plain = is_plain(original, sort) && sort != Sort::REG_LAN;
    plain.then(|| original.written_sort(sort)).flatten()
}

/// True if nothing of the script is named in the sort.
pub(super) fn is_built_in(sorts: &Sorts, sort: Sort) -> bool {
    let mut work = vec![sort];
    while let Some(sort) = work.pop() {
        match sorts.kind(sort) {
            SortKind::Named(..) | SortKind::Parameter(_) | SortKind::Unknown => return false,
            kind => work.extend_from_slice(kind.parts()),
        }
    }
    true
}
