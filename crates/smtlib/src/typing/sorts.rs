//! From sorts as written to sorts as meant.

use lydite_core::nearest::nearest;

use super::scope::SortMeaning;
use super::{Checker, TypeProblem};
use crate::sort::{MAX_SORT_DEPTH, Sort, SortKind};
use crate::syntax::{Identifier, Index, SortId, Symbol};

/// Sorts without arguments.
const SIMPLE: &[(&str, Sort)] = &[
    ("Bool", Sort::BOOL),
    ("Int", Sort::INT),
    ("Real", Sort::REAL),
    ("String", Sort::STRING),
    ("RegLan", Sort::REG_LAN),
    ("RegEx", Sort::REG_LAN),
    ("RoundingMode", Sort::ROUNDING_MODE),
];

/// Names for common floating-point formats.
const FLOATS: &[(&str, u32, u32)] = &[
    ("Float16", 5, 11),
    ("Float32", 8, 24),
    ("Float64", 11, 53),
    ("Float128", 15, 113),
];

/// Sorts with arguments.
const WITH_ARGUMENTS: &[&str] = &[
    "Array", "Seq", "Set", "Bag", "List", "Nullable", "Tuple", "->", "RegEx",
];

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
        let kind = match (name, &head.indices[..], arguments) {
            ("Array", [], &[from, to]) => SortKind::Array(from, to),
            ("Array", [], parts) if parts.len() > 2 => SortKind::WideArray(parts.into()),
            ("Seq", [], &[part]) => SortKind::Seq(part),
            ("Set", [], &[part]) => SortKind::Set(part),
            ("Bag", [], &[part]) => SortKind::Bag(part),
            ("List", [], &[part]) => SortKind::List(part),
            ("Nullable", [], &[part]) => SortKind::Nullable(part),
            // z3's regular expressions over any sequence.
            ("RegEx", [], &[_]) => SortKind::RegLan,
            ("Tuple" | "UnitTuple", [], parts) => SortKind::Tuple(parts.into()),
            ("Relation", [], parts) => {
                let tuple = self.intern_sort(SortKind::Tuple(parts.into()))?;
                SortKind::Set(tuple)
            }
            ("Table", [], parts) => {
                let tuple = self.intern_sort(SortKind::Tuple(parts.into()))?;
                SortKind::Bag(tuple)
            }
            ("->" | "=>", [], parts) if parts.len() >= 2 => SortKind::Function(parts.into()),
            ("BitVec", [width], []) => SortKind::BitVec(self.width(*width, 1)?),
            ("FloatingPoint" | "FP", [eb, sb], []) => {
                SortKind::Float(self.width(*eb, 2)?, self.width(*sb, 2)?)
            }
            ("FiniteField", [Index::Numeral(order)], []) => {
                SortKind::Field(script.name(*order).to_string())
            }
            (_, [], []) => return self.simple_sort(name),
            _ => return Err(self.unknown_sort(name)),
        };
        self.intern_sort(kind)
    }

    fn simple_sort(&mut self, name: &str) -> Result<Sort, TypeProblem> {
        if let Some(&(_, sort)) = SIMPLE.iter().find(|(simple, _)| *simple == name) {
            return Ok(sort);
        }
        match FLOATS.iter().find(|(float, ..)| *float == name) {
            Some(&(_, eb, sb)) => self.intern_sort(SortKind::Float(eb, sb)),
            None => Err(self.unknown_sort(name)),
        }
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

    fn width(&self, index: Index, least: u32) -> Result<u32, TypeProblem> {
        let text = match index {
            Index::Numeral(text) => self.script.name(text),
            _ => "",
        };
        match text.parse() {
            Ok(width) if width >= least => Ok(width),
            _ => Err(TypeProblem::Other(format!(
                "expected a width from {least} to {}, found `{}`",
                u32::MAX,
                text.chars().take(40).collect::<String>()
            ))),
        }
    }

    fn unknown_sort(&self, name: &str) -> TypeProblem {
        let script = self.script;
        let declared = self.scope.sorts.symbols().map(|symbol| script.name(symbol));
        let known = SIMPLE
            .iter()
            .map(|(name, _)| *name)
            .chain(FLOATS.iter().map(|(name, ..)| *name))
            .chain(WITH_ARGUMENTS.iter().copied())
            .chain(declared.take(1000));
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

fn too_deep() -> TypeProblem {
    TypeProblem::Other(format!("sort is nested deeper than {MAX_SORT_DEPTH}"))
}
