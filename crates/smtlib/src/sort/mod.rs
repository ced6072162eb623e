//! Sorts as they are meant: definitions unfolded, names resolved, each once.
//!
//! Equal sorts have equal ids within one [`Sorts`]. Their depth is bounded, so
//! that what walks them may recurse; their number is bounded by the script.

mod kind;
mod table;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::syntax::index;
pub use kind::Values;
pub(crate) use table::{Defined, DefinedNumber, Meaning};
pub use table::{SortRow, SortTable};

/// A sort of one [`Sorts`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Sort(u32);

/// A declared sort or datatype of one script: what [`SortKind::Named`] names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SortDeclarationId(pub(crate) u32);

impl SortDeclarationId {
    /// Its number in the order of declaration.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a sort is: one of a theory, by the values it has, or one of the script.
/// Which sorts theories have is said by the table (see [`SortTable`]); the kinds
/// of values are all that code has to know.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SortKind {
    /// `Bool`
    Bool,
    /// `Int`
    Int,
    /// `Real`
    Real,
    /// `String`
    String,
    /// `RegLan`
    RegLan,
    /// `RoundingMode`
    RoundingMode,
    /// `(_ BitVec width)`
    BitVec(u32),
    /// `(_ FloatingPoint eb sb)`
    Float([u32; 2]),
    /// `(_ FiniteField p)`: the number of p among the orders of its [`Sorts`]
    Field(u32),
    /// `(Array index element)`
    Array([Sort; 2]),
    /// `(Seq element)`
    Seq(Sort),
    /// `(Set element)`
    Set(Sort),
    /// `(Bag element)`
    Bag(Sort),
    /// z3's `(Array index index … element)`, of two indices or more
    WideArray(Box<[Sort]>),
    /// `(Tuple element …)`
    Tuple(Box<[Sort]>),
    /// `(-> argument … result)`
    Function(Box<[Sort]>),
    /// A sort of a theory of whose values nothing is known
    Opaque(Arc<str>, Box<[u32]>, Box<[Sort]>),
    /// A declared sort or datatype and its arguments
    Named(SortDeclarationId, Box<[Sort]>),
    /// A sort parameter: of a definition (by position), or declared (in order)
    Parameter(u32),
    /// What the script leaves open, as in `seq.empty` without its sort
    Unknown,
}

/// Sorts deeper than this are refused.
pub const MAX_SORT_DEPTH: u32 = 400;

/// About how many bytes of a sort are shown.
const MAX_SHOWN: usize = 200;

#[derive(Clone, Debug)]
struct Entry {
    kind: SortKind,
    depth: u32,
    /// True if a parameter or [`SortKind::Unknown`] occurs in it.
    open: bool,
    /// True if [`SortKind::Unknown`] occurs in it.
    unknown: bool,
}

/// The sorts of one script.
#[derive(Clone, Debug)]
pub struct Sorts {
    entries: Vec<Entry>,
    ids: BTreeMap<SortKind, Sort>,
    bit_vectors: Vec<Option<Sort>>,
    /// The orders of finite fields, as digits.
    orders: Vec<String>,
}

/// Widths up to this are found without a search.
const COMMON_WIDTHS: usize = 130;

impl Default for Sorts {
    fn default() -> Sorts {
        let mut sorts = Sorts {
            entries: Vec::new(),
            ids: BTreeMap::new(),
            bit_vectors: vec![None; COMMON_WIDTHS],
            orders: Vec::new(),
        };
        for (kind, sort) in [
            (SortKind::Bool, Sort::BOOL),
            (SortKind::Int, Sort::INT),
            (SortKind::Real, Sort::REAL),
            (SortKind::String, Sort::STRING),
            (SortKind::RegLan, Sort::REG_LAN),
            (SortKind::RoundingMode, Sort::ROUNDING_MODE),
            (SortKind::Unknown, Sort::UNKNOWN),
        ] {
            let made = sorts.intern(kind);
            debug_assert_eq!(made, Some(sort));
        }
        sorts
    }
}

impl Sort {
    /// `Bool`
    pub const BOOL: Sort = Sort(0);
    /// `Int`
    pub const INT: Sort = Sort(1);
    /// `Real`
    pub const REAL: Sort = Sort(2);
    /// `String`
    pub const STRING: Sort = Sort(3);
    /// `RegLan`
    pub const REG_LAN: Sort = Sort(4);
    /// `RoundingMode`
    pub const ROUNDING_MODE: Sort = Sort(5);
    /// What the script leaves open.
    pub const UNKNOWN: Sort = Sort(6);

    /// Its number.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl Sorts {
    /// What a sort is.
    pub fn kind(&self, sort: Sort) -> &SortKind {
        &self.entries[sort.index()].kind
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// All of them, parts before what they are parts of.
    pub(crate) fn ids(&self) -> impl Iterator<Item = Sort> + use<> {
        (0..index(self.entries.len())).map(Sort)
    }

    /// Never: the simple sorts are always there.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The sort of this kind; none if it is nested too deep.
    pub fn intern(&mut self, kind: SortKind) -> Option<Sort> {
        match kind {
            SortKind::BitVec(width) => Some(self.bit_vec(width)),
            SortKind::Function(parts) => {
                let kind = self.flat_function(parts);
                self.intern_entry(kind)
            }
            _ => self.intern_entry(kind),
        }
    }

    fn intern_entry(&mut self, kind: SortKind) -> Option<Sort> {
        if let Some(&sort) = self.ids.get(&kind) {
            return Some(sort);
        }
        let mut depth = 0;
        let mut unknown = matches!(kind, SortKind::Unknown);
        let mut open = unknown || matches!(kind, SortKind::Parameter(_));
        let mut look = |part: Sort| {
            let entry = &self.entries[part.index()];
            depth = depth.max(entry.depth + 1);
            open |= entry.open;
            unknown |= entry.unknown;
        };
        kind.parts().iter().copied().for_each(&mut look);
        if depth > MAX_SORT_DEPTH {
            return None;
        }
        let sort = Sort(index(self.entries.len()));
        self.entries.push(Entry {
            kind: kind.clone(),
            depth,
            open,
            unknown,
        });
        self.ids.insert(kind, sort);
        Some(sort)
    }

    /// `(-> A (-> B C))` is `(-> A B C)`.
    fn flat_function(&self, parts: Box<[Sort]>) -> SortKind {
        let inner = parts.last().map(|&result| self.kind(result));
        match inner {
            Some(SortKind::Function(inner)) => {
                let mut flat = parts[..parts.len() - 1].to_vec();
                flat.extend_from_slice(inner);
                SortKind::Function(flat.into())
            }
            _ => SortKind::Function(parts),
        }
    }

    /// `(_ BitVec width)`
    pub fn bit_vec(&mut self, width: u32) -> Sort {
        if let Some(Some(sort)) = self.bit_vectors.get(width as usize) {
            return *sort;
        }
        let sort = self
            .intern_entry(SortKind::BitVec(width))
            .expect("a bit-vector has no depth");
        if let Some(slot) = self.bit_vectors.get_mut(width as usize) {
            *slot = Some(sort);
        }
        sort
    }

    /// `(_ FiniteField order)`, of which these are the digits.
    pub fn field(&mut self, order: &str) -> Sort {
        let known = self.orders.iter().position(|known| known == order);
        let at = known.unwrap_or_else(|| {
            self.orders.push(order.to_string());
            self.orders.len() - 1
        });
        self.intern_entry(SortKind::Field(index(at)))
            .expect("a field has no depth")
    }

    /// The digits of the order of a field.
    pub fn order(&self, field: u32) -> &str {
        &self.orders[field as usize]
    }

    /// A sort of a theory; none if such values are not made of these numbers
    /// and sorts, or it is nested too deep.
    pub fn make(&mut self, values: &Values, numbers: &[u32], parts: &[Sort]) -> Option<Sort> {
        self.intern(SortKind::new(values, numbers, parts)?)
    }

    /// True if a parameter occurs in it, or something the script leaves open.
    pub fn is_open(&self, sort: Sort) -> bool {
        self.entries[sort.index()].open
    }

    /// True if something the script leaves open occurs in it.
    pub fn is_unknown(&self, sort: Sort) -> bool {
        self.entries[sort.index()].unknown
    }

    /// True if the two are equal up to what the script leaves open in either.
    pub fn consistent(&self, left: Sort, right: Sort) -> bool {
        let mut seen = BTreeSet::new();
        let mut work = vec![(left, right)];
        while let Some((left, right)) = work.pop() {
            if left == right || left == Sort::UNKNOWN || right == Sort::UNKNOWN {
                continue;
            }
            if !self.is_unknown(left) && !self.is_unknown(right) {
                return false;
            }
            if !seen.insert((left, right)) {
                continue;
            }
            let (left, right) = (self.kind(left), self.kind(right));
            let (parts, others) = (left.parts(), right.parts());
            if !left.is_made_like(right) || parts.is_empty() {
                return false;
            }
            work.extend(parts.iter().copied().zip(others.iter().copied()));
        }
        true
    }

    /// Of two consistent sorts the one that leaves less open.
    pub fn more_known(&self, left: Sort, right: Sort) -> Sort {
        if self.is_unknown(left) { right } else { left }
    }

    /// The parameters that occur in a sort.
    pub fn parameters(&self, sort: Sort) -> BTreeSet<u32> {
        let mut found = BTreeSet::new();
        let mut seen = BTreeSet::new();
        let mut work = vec![sort];
        while let Some(sort) = work.pop() {
            if !self.is_open(sort) || !seen.insert(sort) {
                continue;
            }
            match self.kind(sort) {
                SortKind::Parameter(at) => {
                    found.insert(*at);
                }
                kind => work.extend(kind.parts()),
            }
        }
        found
    }

    /// True if a term of sort `actual` may stand where `expected` is wanted:
    /// an `Int` for a `Real`, z3's arrays for functions, and what the script
    /// leaves open for anything that it may turn out to be.
    pub fn assignable(&self, expected: Sort, actual: Sort) -> bool {
        expected == actual
            || expected == Sort::REAL && actual == Sort::INT
            || self.consistent(expected, actual)
            || match (self.kind(expected), self.kind(actual)) {
                (SortKind::WideArray(parts), SortKind::Function(others))
                | (SortKind::Function(others), SortKind::WideArray(parts)) => parts == others,
                (SortKind::Array([from, to]), SortKind::Function(parts))
                | (SortKind::Function(parts), SortKind::Array([from, to])) => {
                    self.array_takes(*from, *to, parts)
                }
                _ => false,
            }
    }

    /// True if `(Array from to)` takes and gives what a function of `parts`
    /// does, one argument after the other.
    fn array_takes(&self, from: Sort, to: Sort, parts: &[Sort]) -> bool {
        match parts {
            [argument, result] => *argument == from && *result == to,
            [argument, rest @ ..] => match self.kind(to) {
                SortKind::Array([next, to]) => {
                    *argument == from && self.array_takes(*next, *to, rest)
                }
                _ => false,
            },
            [] => false,
        }
    }

    /// The sort with `arguments` for its parameters, by position; none if the
    /// result is nested too deep. Parameters beyond `arguments` stay.
    pub fn substitute(&mut self, sort: Sort, arguments: &[Sort]) -> Option<Sort> {
        let mut done = BTreeMap::new();
        self.substitute_into(sort, arguments, &mut done)
    }

    /// Recursion is bounded by [`MAX_SORT_DEPTH`], work by the number of sorts.
    fn substitute_into(
        &mut self,
        sort: Sort,
        arguments: &[Sort],
        done: &mut BTreeMap<Sort, Sort>,
    ) -> Option<Sort> {
        if !self.is_open(sort) {
            return Some(sort);
        }
        if let Some(&known) = done.get(&sort) {
            return Some(known);
        }
        let kind = self.kind(sort).clone();
        if let SortKind::Parameter(at) = kind {
            return Some(arguments.get(at as usize).copied().unwrap_or(sort));
        }
        let mut parts = Vec::with_capacity(kind.parts().len());
        for &part in kind.parts() {
            parts.push(self.substitute_into(part, arguments, done)?);
        }
        let kind = kind.with_parts(parts);
        let made = self.intern(kind)?;
        done.insert(sort, made);
        Some(made)
    }

    /// Finds arguments for the parameters of `formal` that make it `actual`;
    /// false if there are none. Where `coerce` holds, an `Int` fits a `Real`.
    pub fn fit(
        &self,
        formal: Sort,
        actual: Sort,
        arguments: &mut [Option<Sort>],
        coerce: bool,
    ) -> bool {
        let mut seen = BTreeMap::new();
        self.fit_into(formal, actual, arguments, coerce, &mut seen)
    }

    fn fit_into(
        &self,
        formal: Sort,
        actual: Sort,
        arguments: &mut [Option<Sort>],
        coerce: bool,
        seen: &mut BTreeMap<(Sort, Sort), ()>,
    ) -> bool {
        if !self.is_open(formal) {
            return formal == actual
                || coerce && formal == Sort::REAL && actual == Sort::INT
                || self.is_unknown(actual) && self.consistent(formal, actual);
        }
        if seen.insert((formal, actual), ()).is_some() {
            return true;
        }
        let (formal, other) = (self.kind(formal), self.kind(actual));
        match (formal, other) {
            (SortKind::Parameter(at), _) => match arguments.get_mut(*at as usize) {
                None => *formal == *other,
                Some(slot @ None) => {
                    *slot = Some(actual);
                    true
                }
                Some(Some(bound)) if self.is_unknown(*bound) || self.is_unknown(actual) => {
                    let fits = self.consistent(*bound, actual);
                    *bound = self.more_known(*bound, actual);
                    fits
                }
                Some(Some(bound)) => {
                    *bound == actual || coerce && *bound == Sort::REAL && actual == Sort::INT
                }
            },
            (_, SortKind::Unknown) => true,
            _ => {
                formal.is_made_like(other)
                    && formal
                        .parts()
                        .iter()
                        .zip(other.parts())
                        .all(|(&part, &other)| self.fit_into(part, other, arguments, false, seen))
            }
        }
    }

    /// The sort as text, shortened; `name` gives the names of declared sorts.
    pub fn show(&self, sort: Sort, name: &dyn Fn(SortDeclarationId) -> String) -> String {
        let mut text = String::new();
        self.show_into(sort, name, &mut text);
        text
    }

    /// The sort as text if that is short and it has no parameter: see
    /// [`Sorts::show`].
    pub(crate) fn written(
        &self,
        sort: Sort,
        name: &dyn Fn(SortDeclarationId) -> String,
    ) -> Option<String> {
        let text = self.show(sort, name);
        (!self.is_open(sort) && text.len() <= MAX_SHOWN).then_some(text)
    }

    /// Stops growing after a while: shared sorts can be exponentially long.
    fn show_into(&self, sort: Sort, name: &dyn Fn(SortDeclarationId) -> String, text: &mut String) {
        if text.len() > MAX_SHOWN {
            text.push('…');
            return;
        }
        let kind = self.kind(sort);
        let head = match kind {
            SortKind::Named(declaration, _) => name(*declaration),
            SortKind::Field(order) => format!("(_ FiniteField {})", self.order(*order)),
            _ => kind.head(),
        };
        let parts = kind.parts();
        if parts.is_empty() {
            text.push_str(&head);
            return;
        }
        text.push('(');
        text.push_str(&head);
        for &part in parts {
            text.push(' ');
            self.show_into(part, name, text);
        }
        text.push(')');
    }
}
