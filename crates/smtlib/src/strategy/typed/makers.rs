//! The ways to make a term of a sort: operators of the table, and functions,
//! constructors, selectors and testers of the script.

use std::ops::Range;

use super::literal::Literals;
use super::material::is_built_in;
use crate::mutate::mutant::Original;
use crate::mutate::repertoire::{Instance, Repertoire, Supply, declared_names, makers};
use crate::operators::{OperatorId, Operators};
use crate::print::symbol;
use crate::sort::{Sort, SortKind, Sorts};
use crate::typing::{Function, FunctionId, Role};

/// An application that waits for its arguments.
#[derive(Clone, Debug)]
pub(super) struct Maker {
    pub(super) head: Box<str>,
    pub(super) operator: Option<OperatorId>,
    pub(super) arguments: Box<[Sort]>,
    /// For each argument whether it has to be a literal.
    pub(super) literal: Box<[bool]>,
    /// True if the last argument may be repeated.
    pub(super) repeats: bool,
    /// The commands whose terms may hold it.
    pub(super) live: Range<usize>,
}

/// For each sort that the original has terms of, its makers by operator.
pub(super) fn makers_of(
    original: &Original,
    operators: &Operators,
    repertoire: &Repertoire,
    present: &[Sort],
    sorts: &mut Sorts,
) -> Vec<Vec<Vec<Maker>>> {
    let theories = Theories::of(original, present);
    let allowed =
        |sort: Sort, sorts: &Sorts| present.contains(&sort) || theories.allow(sorts.kind(sort));
    let taken = declared_names(original);
    let supply = Supply {
        present,
        allowed: &allowed,
        taken: &taken,
        written: &|sort, sorts| {
            sorts.written(sort, &|id| {
                symbol(&original.script, original.typed.declaration(id).symbol)
            })
        },
    };
    let literals = Literals {
        original,
        minus: [None; 2],
    };
    let mut all: Vec<Vec<Vec<Maker>>> = Vec::new();
    all.resize_with(original.typed.sorts.len(), Vec::new);
    for &sort in present {
        let table = makers(repertoire, operators, sort, &supply, sorts);
        // Constants are among the literals, where a sort has such and the constant is built in.
        let (built_in, has_literal) = (Operators::built_in().iter().count(), literals.has(sort));
        let is_used = |group: &Vec<Instance>| {
            let first = &group[0];
            !first.arguments.is_empty() || !has_literal || first.operator.index() >= built_in
        };
        let groups = table.into_iter().filter(is_used).map(|group| {
            let maker = |instance: Instance| Maker {
                head: instance.head.into(),
                operator: Some(instance.operator),
                live: live_with(original, &instance.arguments, sorts),
                arguments: instance.arguments.into(),
                literal: instance.literal.into(),
                repeats: instance.repeats,
            };
            group.into_iter().map(maker).collect()
        });
        all[sort.index()] = groups.collect();
        let own = own_makers(original, sort, present, sorts);
        all[sort.index()].extend(own);
    }
    all
}

/// Which theories a seed speaks of.
struct Theories {
    strings: bool,
    floats: bool,
    bits: bool,
}

impl Theories {
    fn of(original: &Original, present: &[Sort]) -> Theories {
        let has = |kind: fn(&SortKind) -> bool| {
            let sorts = &original.typed.sorts;
            present.iter().any(|&sort| kind(sorts.kind(sort)))
        };
        let floats = has(|kind| matches!(kind, SortKind::Float(..)));
        Theories {
            strings: has(|kind| matches!(kind, SortKind::String | SortKind::RegLan)),
            floats,
            bits: floats || has(|kind| matches!(kind, SortKind::BitVec(_))),
        }
    }

    /// Other sorts than the seed's only where its own theories speak of them, and never
    /// another float format: cvc5 has few of them.
    fn allow(&self, kind: &SortKind) -> bool {
        match kind {
            SortKind::Bool => true,
            SortKind::Int | SortKind::String | SortKind::RegLan => self.strings,
            SortKind::RoundingMode => self.floats,
            SortKind::BitVec(_) => self.bits,
            _ => false,
        }
    }
}

/// The commands where all these sorts are known.
fn live_with(original: &Original, arguments: &[Sort], sorts: &Sorts) -> Range<usize> {
    let everywhere = 0..original.script.commands.len();
    arguments.iter().fold(everywhere, |live, &sort| {
        // Sorts that are not the original's are built in.
        match sort.index() < original.typed.sorts.len() && !is_built_in(sorts, sort) {
            true => meet(live, original.sort_live(sort)),
            false => live,
        }
    })
}

/// The script's own functions that give `sort`.
fn own_makers(
    original: &Original,
    sort: Sort,
    present: &[Sort],
    sorts: &mut Sorts,
) -> Vec<Vec<Maker>> {
    let mut groups = Vec::new();
    for (at, function) in original.typed.functions.iter().enumerate() {
        let tester = sort == Sort::BOOL && matches!(function.role, Role::Constructor { .. });
        if matches!(function.role, Role::Named(_)) || function.parameters.is_empty() && !tester {
            continue;
        }
        let live = original.function_live(FunctionId(crate::syntax::index(at)));
        let name = symbol(&original.script, function.symbol);
        let mut group = Vec::new();
        for arguments in instances(function, sort, present, sorts) {
            let plain = |&sort: &Sort| !matches!(sorts.kind(sort), SortKind::Function(_));
            if arguments.is_empty() || !arguments.iter().all(plain) {
                continue;
            }
            group.push(own(&name, arguments, live.clone()));
        }
        if !group.is_empty() {
            groups.push(std::mem::take(&mut group));
        }
        if tester {
            for &datatype in present {
                if binding(function, function.result, datatype, sorts).is_some() {
                    group.push(own(&format!("(_ is {name})"), vec![datatype], live.clone()));
                }
            }
            if !group.is_empty() {
                groups.push(group);
            }
        }
    }
    groups
}

fn meet(a: Range<usize>, b: Range<usize>) -> Range<usize> {
    a.start.max(b.start)..a.end.min(b.end)
}

fn own(head: &str, arguments: Vec<Sort>, live: Range<usize>) -> Maker {
    Maker {
        head: head.into(),
        operator: None,
        literal: vec![false; arguments.len()].into(),
        arguments: arguments.into(),
        repeats: false,
        live,
    }
}

/// What makes `formal` of a function's signature `actual`.
fn binding(
    function: &Function,
    formal: Sort,
    actual: Sort,
    sorts: &Sorts,
) -> Option<Vec<Option<Sort>>> {
    let mut bound = vec![None; function.sort_parameters];
    sorts
        .fit(formal, actual, &mut bound, false)
        .then_some(bound)
}

/// The argument sorts with which a function gives `sort`. Where its arguments
/// do not say which instance is meant, it is left out.
fn instances(
    function: &Function,
    sort: Sort,
    present: &[Sort],
    sorts: &mut Sorts,
) -> Vec<Vec<Sort>> {
    if function.sort_parameters == 0 {
        let fits = function.result == sort;
        return fits
            .then(|| function.parameters.clone())
            .into_iter()
            .collect();
    }
    let mut found = Vec::new();
    // One argument of a sort at hand decides: a selector's, a constructor's.
    for &formal in &function.parameters {
        for &actual in present {
            let Some(bound) = binding(function, formal, actual, sorts) else {
                continue;
            };
            let Some(bound) = bound.into_iter().collect::<Option<Vec<Sort>>>() else {
                continue;
            };
            let parameters: Option<Vec<Sort>> = function
                .parameters
                .iter()
                .map(|&parameter| sorts.substitute(parameter, &bound))
                .collect();
            let result = sorts.substitute(function.result, &bound);
            if let Some(parameters) = parameters
                && result == Some(sort)
                && !found.contains(&parameters)
            {
                found.push(parameters);
            }
        }
    }
    found
}
