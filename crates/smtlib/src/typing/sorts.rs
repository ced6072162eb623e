//! From sorts as written to sorts as meant.

use lydite_core::nearest::nearest;

use super::scope::SortMeaning;
use super::{Checker, TypeProblem};
use crate::sort::{MAX_SORT_DEPTH, Sort, SortKind, Values};
use crate::syntax::{Identifier, Index, SortId, Symbol};

impl Checker<'_> {
    /// The sort meant, or an error at `offset`.
    pub(super) fn resolve_sort(&mut self, sort: SortId, offset: Option<usize>) -> Option<Sort> {
        match self.try_resolve_sort(sort) {
            Ok(meant) => Some(meant),
            Err(problem) => {
                self.report(offset, problem);
                None
            }
        }
    }

    /// Walks the sort with a stack. What was found before is only kept within
    /// one walk: names change their meaning with the scope.
    fn try_resolve_sort(&mut self, sort: SortId) -> Result<Sort, TypeProblem> {
        let script = self.script;
        let mut done: Vec<Sort> = Vec::new();
        let mut work = vec![(sort, false)];
        while let Some((id, parts_done)) = work.pop() {
            let written = script.sort(id);
            if !parts_done && !written.arguments.is_empty() {
                work.push((id, true));
                work.extend(written.arguments.iter().rev().map(|&part| (part, false)));
                continue;
            }
            let base = done.len() - written.arguments.len();
            let head = script.identifier(written.head);
            let meant = self.named_sort(head, &done[base..])?;
            self.typed.sort_ids[id.index()] = Some(meant);
            done.truncate(base);
            done.push(meant);
        }
        Ok(done[0])
    }

    pub(super) fn named_sort(
        &mut self,
        head: &Identifier,
        arguments: &[Sort],
    ) -> Result<Sort, TypeProblem> {
        let script = self.script;
        let name = script.name(head.symbol);
        if head.indices.is_empty()
            && let Some(meaning) = self.scope.sorts.get(head.symbol)
        {
            return self.declared_sort(head.symbol, meaning, arguments);
        }
        let row =
            match self
                .options
                .operators
                .sorts()
                .find(name, head.indices.len(), arguments.len())
            {
                Some(row) => row,
                None => return Err(self.unknown_sort(name)),
            };
        let mut digits = Vec::with_capacity(head.indices.len());
        for (&index, &least) in head.indices.iter().zip(&row.least) {
            let text = match index {
                Index::Numeral(text) => script.name(text),
                _ => "",
            };
            let fits = |number: u32| number >= least;
            match text.parse().is_ok_and(fits) || row.takes_any_number() && !text.is_empty() {
                true => digits.push(text),
                false => return Err(bad_number(least, text)),
            }
        }
        row.make(&digits, arguments, &mut |values, numbers, parts| {
            self.made_sort(values, numbers, &parts)
        })
    }

    fn made_sort(
        &mut self,
        values: &Values,
        digits: &[&str],
        parts: &[Sort],
    ) -> Result<Sort, TypeProblem> {
        if let (Values::Field, [order]) = (values, digits) {
            return Ok(self.typed.sorts.field(order));
        }
        let parsed: Result<Vec<u32>, _> = digits.iter().map(|text| text.parse()).collect();
        let numbers = parsed.map_err(|_| bad_number(0, digits[0]))?;
        let made = self.typed.sorts.make(values, &numbers, parts);
        made.ok_or_else(too_deep)
    }

    fn declared_sort(
        &mut self,
        symbol: Symbol,
        meaning: SortMeaning,
        arguments: &[Sort],
    ) -> Result<Sort, TypeProblem> {
        let arity = match meaning {
            SortMeaning::Declared(id) => self.typed.declaration(id).arity,
            SortMeaning::Defined(arity, _) => arity,
            SortMeaning::Parameter(_) => 0,
        };
        if let (SortMeaning::Declared(id), Some(own), []) = (meaning, &self.own_sorts, arguments)
            && arity == own.len()
        {
            let own = own.clone();
            return self.intern_sort(SortKind::Named(id, own));
        }
        if arity != arguments.len() {
            return Err(TypeProblem::Other(format!(
                "sort `{}` takes {arity} arguments, found {}",
                self.script.name(symbol),
                arguments.len()
            )));
        }
        match meaning {
            SortMeaning::Declared(id) => self.intern_sort(SortKind::Named(id, arguments.into())),
            SortMeaning::Parameter(sort) => Ok(sort),
            SortMeaning::Defined(_, body) => self
                .typed
                .sorts
                .substitute(body, arguments)
                .ok_or_else(too_deep),
        }
    }

    pub(super) fn intern_sort(&mut self, kind: SortKind) -> Result<Sort, TypeProblem> {
        self.typed.sorts.intern(kind).ok_or_else(too_deep)
    }

    fn unknown_sort(&self, name: &str) -> TypeProblem {
        let script = self.script;
        let declared = self.scope.sorts.symbols().map(|symbol| script.name(symbol));
        let known = self.options.operators.sorts().names();
        let known = known.chain(declared.take(1000));
        TypeProblem::Unknown {
            what: "sort",
            name: shown(name),
            nearest: nearest_name(name, known),
        }
    }
}

/// Names can be of any length; messages not.
pub(super) fn shown(name: &str) -> String {
    match name.char_indices().nth(60) {
        None => name.to_string(),
        Some((at, _)) => format!("{}…", &name[..at]),
    }
}

pub(super) fn nearest_name<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Option<String> {
    let known = known.filter(|known| known.len() < 60);
    (name.len() < 60)
        .then(|| nearest(name, known).map(str::to_string))
        .flatten()
}

fn bad_number(least: u32, text: &str) -> TypeProblem {
    TypeProblem::Other(format!(
        "expected a width from {least} to {}, found `{}`",
        u32::MAX,
        text.chars().take(40).collect::<String>()
    ))
}

fn too_deep() -> TypeProblem {
    TypeProblem::Other(format!("sort is nested deeper than {MAX_SORT_DEPTH}"))
}
