//! Literals of any sort that has them: corner cases first.

use lydite_core::{Choices, Reject};

use crate::mutate::mutant::{Mutant, NodeId, Original};
use crate::operators::{OperatorId, Operators};
use crate::print::symbol;
use crate::sort::{Sort, SortKind};
use crate::typing::Role;

const STRINGS: [&str; 10] = [
    "\"\"", "\"a\"", "\"b\"", "\"0\"", "\"ab\"", "\"-1\"", "\"10\"", "\"aa\"", "\"\\u{0}\"",
    "\"\\u{2ffff}\"",
];
/// Elements of finite fields, whatever the order: they are taken modulo it.
const FIELD_ELEMENTS: [&str; 5] = ["0", "1", "2", "-1", "-2"];
const REGEXES: [&str; 6] = [
    "re.allchar", "re.all", "re.none", "(str.to_re \"a\")", "(re.range \"a\" \"c\")",
    "(re.* (str.to_re \"ab\"))",
];
const ROUNDING_MODES: [&str; 5] = ["RNE", "RNA", "RTP", "RTN", "RTZ"];
const INTS: [&str; 12] = [
    "0", "1", "2", "3", "5", "7", "10", "64", "255", "65536", "2147483648", "18446744073709551616",
];
const REALS: [&str; 8] = [
    "0.0", "1.0", "2.0", "0.5", "3.0", "0.1", "1000.0", "0.0000001",
];

/// Widths of bit-vectors up to this have literals beyond the simplest.
const MAX_WIDTH: u32 = 64;

/// What literals are made with.
pub(super) struct Literals<'a> {
    pub(super) original: &'a Original,
    /// Unary minus, for integers and reals.
    pub(super) minus: [Option<OperatorId>; 2],
}

/// Unary minus of integers and of reals, where the names are as usual.
pub(super) fn minus(operators: &Operators, taken: &[&str]) -> [Option<OperatorId>; 2] {
    [Sort::INT, Sort::REAL].map(|sort| {
        let unary = |id: &&OperatorId| {
            let operator = operators.get(**id);
            operator.parameters.len() == 1
                && operator.result == crate::operators::Pattern::Simple(sort)
        };
        let free = taken.binary_search(&"-").is_err();
        let found = operators.named("-").iter().find(unary).copied();
        found.filter(|_| free)
    })
}

impl Literals<'_> {
    /// True if `sort` has literals.
    pub(super) fn has(&self, sort: Sort) -> bool {
        match self.original.typed.sorts.kind(sort) {
            SortKind::Bool
            | SortKind::Int
            | SortKind::Real
            | SortKind::String
            | SortKind::RegLan
            | SortKind::RoundingMode
            | SortKind::BitVec(_)
            | SortKind::Float(..)
            | SortKind::Field(_)
            | SortKind::Seq(_)
            | SortKind::Set(_)
            | SortKind::Bag(_) => true,
            SortKind::Named(..) => self.plain_constructor(sort).is_some(),
            _ => false,
        }
    }

    /// A literal without a place; none if the sort has none.
    pub(super) fn make(
        &self,
        mutant: &mut Mutant<'_>,
        choices: &mut Choices,
        sort: Sort,
        scope: u32,
    ) -> Result<Option<NodeId>, Reject> {
        let operator = match sort {
            Sort::INT => self.minus[0],
            Sort::REAL => self.minus[1],
            _ => None,
        };
        let Some(text) = self.text(choices, sort)? else {
            return Ok(None);
        };
        let leaf = mutant.make(&text, None, sort, scope, &[]);
        // A node of its own, so that it is seen to be a constant.
        if operator.is_some() && choices.chance(1, 4)? {
            return Ok(Some(mutant.make("-", operator, sort, scope, &[leaf])));
        }
        Ok(Some(leaf))
    }

    /// No arrays: cvc5 takes constant ones only where it is asked to.
    fn text(&self, choices: &mut Choices, sort: Sort) -> Result<Option<String>, Reject> {
        let sorts = &self.original.typed.sorts;
        let written = |sort: Sort| self.original.written_sort(sort);
        Ok(Some(match sorts.kind(sort) {
            SortKind::Bool => choices.pick(&["true", "false"])?.to_string(),
            SortKind::Int => choices.pick(&INTS)?.to_string(),
            SortKind::Real => choices.pick(&REALS)?.to_string(),
            SortKind::String => choices.pick(&STRINGS)?.to_string(),
            SortKind::RegLan => choices.pick(&REGEXES)?.to_string(),
            SortKind::RoundingMode => choices.pick(&ROUNDING_MODES)?.to_string(),
            SortKind::BitVec(width) => bits(choices, *width)?,
            SortKind::Float([eb, sb]) => float(choices, *eb, *sb)?,
            SortKind::Field(_) => match written(sort) {
                Some(sort) => format!("(as ff{} {sort})", choices.pick(&FIELD_ELEMENTS)?),
                None => return Ok(None),
            },
            kind @ (SortKind::Seq(_) | SortKind::Set(_) | SortKind::Bag(_)) => {
                let empty = match kind {
                    SortKind::Seq(_) => "seq.empty",
                    SortKind::Set(_) => "set.empty",
                    _ => "bag.empty",
                };
                match written(sort) {
                    Some(sort) => format!("(as {empty} {sort})"),
                    None => return Ok(None),
                }
            }
            SortKind::Named(..) => match self.plain_constructor(sort) {
                Some(name) => name,
                None => return Ok(None),
            },
            _ => return Ok(None),
        }))
    }

    /// The first constructor without arguments of a datatype without
    /// parameters.
    fn plain_constructor(&self, sort: Sort) -> Option<String> {
        let typed = &self.original.typed;
        let SortKind::Named(id, parts) = typed.sorts.kind(sort) else {
            return None;
        };
        let constructors = typed.declaration(*id).constructors.as_ref()?;
        let mut functions = constructors
            .iter()
            .map(|info| typed.function(info.function));
        let plain = functions.find(|function| {
            function.parameters.is_empty() && matches!(function.role, Role::Constructor { .. })
        })?;
        parts
            .is_empty()
            .then(|| symbol(&self.original.script, plain.symbol))
    }
}

/// Zero, one, all ones, the least and the greatest signed number, any.
fn bits(choices: &mut Choices, width: u32) -> Result<String, Reject> {
    if width > MAX_WIDTH {
        return Ok(format!("(_ bv{} {width})", choices.below(4)?));
    }
    let all = u64::MAX >> (64 - width);
    let value = match choices.below(6)? {
        0 => 0,
        1 => 1,
        2 => all,
        3 => all ^ (all >> 1),
        4 => all >> 1,
        _ => choices.between(0, all)?,
    };
    Ok(match width.is_multiple_of(4) {
        true => format!("#x{value:0digits$x}", digits = width as usize / 4),
        false => format!("#b{value:0digits$b}", digits = width as usize),
    })
}

/// The special values, one, the least and the greatest numbers, any.
fn float(choices: &mut Choices, eb: u32, sb: u32) -> Result<String, Reject> {
    let special = ["+zero", "-zero", "+oo", "-oo", "NaN"];
    let small = eb < MAX_WIDTH && sb <= MAX_WIDTH;
    let kind = choices.index(special.len() + if small { 4 } else { 0 })?;
    if let Some(name) = special.get(kind) {
        return Ok(format!("(_ {name} {eb} {sb})"));
    }
    let exponents = u64::MAX >> (64 - eb);
    let fractions = u64::MAX >> (65 - sb);
    let (exponent, fraction) = match kind - special.len() {
        0 => (exponents >> 1, 0),
        1 => (0, 1),
        2 => (exponents - 1, fractions),
        _ => (
            choices.between(0, exponents)?,
            choices.between(0, fractions)?,
        ),
    };
    let sign = choices.below(2)?;
    Ok(format!(
        "(fp #b{sign} #b{exponent:0eb$b} #b{fraction:0sb$b})",
        eb = eb as usize,
        sb = sb as usize - 1
    ))
}
