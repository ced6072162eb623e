//! Which edits there are, and how much each would cut.

use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;

use super::apply::constant;
use super::declared::{conjuncts, equation};
use super::simplest::MOST_SIMPLE;
use super::{Change, MAX_PLANS, floats};
use crate::sort::{Sort, SortKind};
use crate::syntax::{
    Binder, Command, CommandKind, Datatype, Literal, Script, Symbol, Term, TermId, declared_symbols,
};
use crate::typing::{Resolved, Typed};

/// What goes with declarations that nothing uses.
pub(super) const DECLARATIONS: &str = "declarations";

/// One edit to try.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Plan {
    /// About how many nodes it removes.
    cut: u64,
    pub(super) change: Change,
}

/// The commands by what they are for.
#[derive(Default)]
struct Groups {
    assertions: Vec<u32>,
    unused: Vec<u32>,
    rest: Vec<u32>,
}

/// All edits of a script, largest cut first.
pub(super) fn plans(script: &Script, typed: &Typed) -> Vec<Plan> {
    let sizes = sizes(script);
    let mut plans = Vec::new();
    let groups = groups(script);
    drop_chunks(&mut plans, script, &sizes, groups.assertions, "assertions");
    drop_chunks(&mut plans, script, &sizes, groups.unused, DECLARATIONS);
    drop_chunks(&mut plans, script, &sizes, groups.rest, "other commands");
    let mut terms = reachable(script);
    terms.sort_by_key(|term| std::cmp::Reverse(sizes[term.index()]));
    let constants = constants(script, typed);
    let mut is_root = vec![false; script.term_count()];
    for root in script.commands.iter().flat_map(|c| c.kind.terms()) {
        is_root[root.index()] = true;
    }
    for &term in &terms {
        if plans.len() > MAX_PLANS {
            break;
        }
        term_plans(&mut plans, script, typed, &sizes, term);
        let size = sizes[term.index()];
        constant_plans(&mut plans, typed, &constants, term, size);
        // A new constant in place of a whole assertion says nothing.
        if size >= WORTH_A_CONSTANT && !is_root[term.index()] {
            plans.push(Plan {
                cut: size - 4,
                change: Change::Fresh(term),
            });
        }
    }
    command_plans(&mut plans, script, &sizes);
    declaration_plans(&mut plans, script, &constants);
    scope_plans(&mut plans, script);
    merge_plans(&mut plans, script, typed, &sizes);
    width_plans(&mut plans, typed, &terms);
    for change in [Change::Constants, Change::Rename] {
        plans.push(Plan { cut: 0, change });
    }
    // Stable: the order of the script among equals.
    plans.sort_by_key(|plan| std::cmp::Reverse(plan.cut));
    plans.truncate(MAX_PLANS);
    plans
}

/// The number of nodes of every term, as a tree.
fn sizes(script: &Script) -> Vec<u64> {
    let mut sizes: Vec<u64> = Vec::with_capacity(script.term_count());
    let mut subterms = Vec::new();
    for term in script.terms() {
        subterms.clear();
        script.push_subterms(term, &mut subterms);
        let inner = subterms
            .iter()
            .fold(1u64, |sum, term| sum.saturating_add(sizes[term.index()]));
        sizes.push(inner);
    }
    sizes
}

fn reachable(script: &Script) -> Vec<TermId> {
    let mut found = Vec::new();
    for command in &script.commands {
        let mut work = command.kind.terms();
        while let Some(term) = work.pop() {
            found.push(term);
            script.push_subterms(term, &mut work);
        }
    }
    found
}

fn groups(script: &Script) -> Groups {
    let used = used_symbols(script);
    let mut groups = Groups::default();
    for (at, command) in (0u32..).zip(&script.commands) {
        let unused = |symbols: &[Symbol]| symbols.iter().all(|symbol| !used.contains(symbol));
        match &command.kind {
            CommandKind::Assert(_) | CommandKind::AssertSoft(..) => groups.assertions.push(at),
            // These speak of themselves; whether they are needed, typing says.
            CommandKind::DeclareDatatypes(..)
            | CommandKind::DefineFunRec(_)
            | CommandKind::DefineFunsRec(_)
            | CommandKind::ParametricFunsRec(_) => groups.rest.push(at),
            _ => match declared_symbols(command) {
                Some(symbols) if unused(&symbols) => groups.unused.push(at),
                Some(_) => {}
                None => groups.rest.push(at),
            },
        }
    }
    groups
}

/// Symbols that terms and sorts speak of: not those that only a declaration
/// of their own names.
fn used_symbols(script: &Script) -> BTreeSet<Symbol> {
    let mut used = BTreeSet::new();
    for term in reachable(script) {
        if let Term::Application { head, .. } = script.term(term) {
            let identifier = script.identifier(head);
            used.insert(identifier.symbol);
            for index in &identifier.indices {
                if let crate::syntax::Index::Symbol(symbol) = index {
                    used.insert(*symbol);
                }
            }
        }
        if let Term::Match { cases, .. } = script.term(term) {
            used.extend(cases.iter().map(|case| script.identifier(case.head).symbol));
        }
    }
    for sort in script.sort_ids() {
        used.insert(script.identifier(script.sort(sort).head).symbol);
    }
    used
}

/// Halves, quarters, … and single ones.
fn drop_chunks(
    plans: &mut Vec<Plan>,
    script: &Script,
    sizes: &[u64],
    commands: Vec<u32>,
    what: &'static str,
) {
    let count = commands.len();
    let mut before = vec![0u64];
    for &at in &commands {
        let terms = script.commands[at as usize].kind.terms();
        let size = terms
            .iter()
            .fold(1u64, |sum, t| sum.saturating_add(sizes[t.index()]));
        before.push(before[before.len() - 1].saturating_add(size));
    }
    let commands: Arc<[u32]> = commands.into();
    let mut length = count;
    while length > 0 && plans.len() < MAX_PLANS {
        let mut start = 0;
        while start < count {
            let end = (start + length).min(count);
            plans.push(Plan {
                cut: before[end] - before[start],
                change: Change::Drop(commands.clone(), start as u32..end as u32, what),
            });
            start = end;
        }
        length /= 2;
    }
}

fn term_plans(plans: &mut Vec<Plan>, script: &Script, typed: &Typed, sizes: &[u64], term: TermId) {
    let size = sizes[term.index()];
    let Some(sort) = typed.sort(term) else { return };
    let mut push = |cut: u64, change: Change| plans.push(Plan { cut, change });
    if size > 1 {
        (0..MOST_SIMPLE).for_each(|rank| push(size - 1, Change::Simplest(term, rank)));
        for below in nearest(script, typed, sort, term) {
            push(size - sizes[below.index()], Change::Hoist(term, below));
        }
    }
    match script.term(term) {
        Term::Literal(literal, text) => literal_plans(&mut push, term, literal, text),
        Term::Application { arguments, .. } => {
            match typed.resolved(term) {
                Resolved::Local | Resolved::Function(_) if size == 1 => {
                    (0..MOST_SIMPLE).for_each(|rank| push(0, Change::Simplest(term, rank)));
                }
                Resolved::Literal => push(0, Change::Simplest(term, 0)),
                _ => {}
            }
            if let Resolved::Operator(_) = typed.resolved(term) {
                argument_plans(&mut push, sizes, term, arguments);
            }
        }
        Term::Let { bindings, .. } => {
            for (at, binding) in (0u32..).zip(bindings) {
                let cut = sizes[binding.term.index()];
                push(cut, Change::DropBinding(term, at));
                push(0, Change::Inline(term, at));
            }
        }
        Term::Bind {
            binder, variables, ..
        } => {
            if !matches!(binder, Binder::Lambda | Binder::Comprehension) {
                push(1, Change::Instantiate(term));
            }
            if variables.len() > 1 {
                for at in 0..variables.len() as u32 {
                    push(1, Change::DropVariable(term, at));
                }
            }
        }
        Term::Apply { .. } | Term::Match { .. } | Term::Annotated { .. } => {}
    }
}

/// How many subterms of the same sort are tried in place of a term, and how
/// far down they are looked for.
const MOST_BELOW: usize = 12;
const MOST_VISITED: usize = 200;

/// The nearest subterms of a sort, below those of other sorts.
fn nearest(script: &Script, typed: &Typed, sort: Sort, term: TermId) -> Vec<TermId> {
    let mut found = Vec::new();
    let mut work = VecDeque::from([term]);
    let mut subterms = Vec::new();
    for _ in 0..MOST_VISITED {
        let Some(next) = work.pop_front() else { break };
        subterms.clear();
        script.push_subterms(next, &mut subterms);
        for &below in &subterms {
            match typed.sort(below) == Some(sort) {
                true => found.push(below),
                false => work.push_back(below),
            }
        }
        if found.len() >= MOST_BELOW {
            break;
        }
    }
    found
}

/// A declared constant.
struct Constant {
    /// The number of its declaration.
    at: u32,
    sort: Sort,
    name: Arc<str>,
}

/// More than this many are not tried in place of others.
const MOST_CONSTANTS: usize = 500;

fn constants(script: &Script, typed: &Typed) -> Vec<Constant> {
    let of = |(at, command): (u32, &Command)| {
        let (symbol, sort) = constant(&command.kind)?;
        Some(Constant {
            at,
            sort: typed.sort_of_id(sort)?,
            name: crate::print::symbol(script, symbol).into(),
        })
    };
    let declared = (0u32..).zip(&script.commands).filter_map(of);
    declared.take(MOST_CONSTANTS).collect()
}

/// How many constants are tried in place of one term.
const TRIED_CONSTANTS: usize = 2;

/// A new constant in place of a smaller term does not pay.
const WORTH_A_CONSTANT: u64 = 5;

/// A declared constant in place of a term.
fn constant_plans(
    plans: &mut Vec<Plan>,
    typed: &Typed,
    constants: &[Constant],
    term: TermId,
    size: u64,
) {
    let Some(sort) = typed.sort(term).filter(|_| size > 1) else {
        return;
    };
    // `(- 1)` is a value, and no larger than a name.
    if matches!(typed.resolved(term), Resolved::Literal) {
        return;
    }
    let fitting = constants.iter().filter(|constant| constant.sort == sort);
    for constant in fitting.take(TRIED_CONSTANTS) {
        plans.push(Plan {
            cut: size - 1,
            change: Change::Constant(term, constant.name.clone()),
        });
    }
}

/// Fewer constants, parameters, constructors and selectors.
fn declaration_plans(plans: &mut Vec<Plan>, script: &Script, constants: &[Constant]) {
    let mut push = |change: Change| plans.push(Plan { cut: 1, change });
    for (number, one) in constants.iter().enumerate() {
        (0..MOST_SIMPLE).for_each(|rank| push(Change::FixConstant(one.at, rank)));
        let before = constants[..number].iter().rev();
        let same = before.filter(|other| other.sort == one.sort);
        for other in same.take(TRIED_CONSTANTS) {
            push(Change::Unify(one.at, other.at));
        }
    }
    for (at, command) in (0u32..).zip(&script.commands) {
        match &command.kind {
            CommandKind::Assert(term) if equation(script, *term).is_some() => {
                push(Change::Substitute(at));
            }
            CommandKind::Assert(term) if conjuncts(script, *term).is_some() => {
                push(Change::SplitConjunction(at));
            }
            CommandKind::DeclareFun(_, parameters, _) => {
                (0..parameters.len() as u32).for_each(|one| push(Change::DropParameter(at, one)));
            }
            CommandKind::DeclareDatatypes(_, _, datatypes) => {
                datatype_plans(&mut push, at, datatypes);
            }
            _ => {}
        }
    }
}

fn datatype_plans(push: &mut impl FnMut(Change), at: u32, datatypes: &[Datatype]) {
    for (number, datatype) in (0u32..).zip(datatypes) {
        if datatypes.len() > 1 {
            push(Change::DropDatatype(at, number));
        }
        for (which, constructor) in (0u32..).zip(&datatype.constructors) {
            if datatype.constructors.len() > 1 {
                push(Change::DropConstructor(at, number, which));
            }
            for selector in 0..constructor.selectors.len() as u32 {
                push(Change::DropSelector(at, number, which, selector));
            }
        }
    }
}

/// Assertions of larger scripts are not merged, and no more than so many ways
/// to do it are tried.
const MERGED_TERMS: u64 = 60;
const MOST_MERGES: usize = 40;

/// A term of one assertion in place of a leaf of another.
fn merge_plans(plans: &mut Vec<Plan>, script: &Script, typed: &Typed, sizes: &[u64]) {
    let asserted = (0u32..).zip(&script.commands);
    let asserted = asserted.filter_map(|(at, command)| match command.kind {
        CommandKind::Assert(term) => Some((at, term)),
        _ => None,
    });
    let asserted: Vec<(u32, TermId)> = asserted.collect();
    let total = asserted.iter().fold(0u64, |sum, (_, term)| {
        sum.saturating_add(sizes[term.index()])
    });
    if total > MERGED_TERMS {
        return;
    }
    let mut merges = Vec::new();
    for (gone, root) in &asserted {
        let parts = below(script, *root).into_iter().skip(1);
        for part in parts.filter(|part| sizes[part.index()] > 1) {
            let others = asserted.iter().filter(|(at, _)| at != gone);
            let leaves = others.flat_map(|(_, other)| below(script, *other));
            let fitting = leaves
                .filter(|leaf| sizes[leaf.index()] == 1 && typed.sort(*leaf) == typed.sort(part));
            merges.extend(fitting.map(|leaf| Plan {
                cut: 0,
                change: Change::Merge(*gone, part, leaf),
            }));
        }
    }
    plans.extend(merges.into_iter().take(MOST_MERGES));
}

/// A term and all below it, itself first.
fn below(script: &Script, root: TermId) -> Vec<TermId> {
    let mut found = vec![root];
    let mut next = 0;
    while let Some(&term) = found.get(next) {
        script.push_subterms(term, &mut found);
        next += 1;
    }
    found
}

/// A push goes with its pop.
fn scope_plans(plans: &mut Vec<Plan>, script: &Script) {
    let mut open = Vec::new();
    for (at, command) in (0u32..).zip(&script.commands) {
        match &command.kind {
            CommandKind::Push(_) => open.push(at),
            CommandKind::Pop(_) => {
                if let Some(push) = open.pop() {
                    plans.push(Plan {
                        cut: 2,
                        change: Change::Drop([push, at].into(), 0..2, "commands: a scope"),
                    });
                }
            }
            _ => {}
        }
    }
}

/// Letters of a longer string are not dropped one by one.
const SHORT_STRING: usize = 12;

/// Halves, quarters, … of the arguments of an n-ary operator.
fn argument_plans(
    push: &mut impl FnMut(u64, Change),
    sizes: &[u64],
    term: TermId,
    arguments: &[TermId],
) {
    let count = arguments.len();
    if count < 3 {
        return;
    }
    let mut length = count / 2;
    while length > 0 {
        let mut start = 0;
        while start < count {
            let end = (start + length).min(count);
            let cut = arguments[start..end]
                .iter()
                .map(|argument| sizes[argument.index()])
                .sum();
            push(cut, Change::DropArguments(term, start as u32..end as u32));
            start = end;
        }
        length /= 2;
    }
}

fn literal_plans(push: &mut impl FnMut(u64, Change), term: TermId, literal: Literal, text: &str) {
    let smallest: &[&str] = match literal {
        Literal::Numeral => &["0", "1"],
        Literal::Decimal => &["0.0", "1.0"],
        Literal::String => &[""],
        Literal::Binary | Literal::Hexadecimal => &[],
    };
    if !smallest.contains(&text) {
        // A long literal is worth more than one node.
        let cut = text.len() as u64 / 8;
        for rank in 0..3 {
            push(cut, Change::Shrink(term, rank));
        }
        if literal == Literal::String && text.len() <= SHORT_STRING {
            for letter in 0..text.len() as u8 {
                push(0, Change::Shrink(term, 3 + letter));
            }
        }
    }
}

fn command_plans(plans: &mut Vec<Plan>, script: &Script, sizes: &[u64]) {
    for (at, command) in (0u32..).zip(&script.commands) {
        let change = match &command.kind {
            CommandKind::DefineFun(_) | CommandKind::DefineConst(_) => Change::InlineDefinition(at),
            CommandKind::AssertSoft(..) | CommandKind::CheckSatAssuming(_) => Change::Plain(at),
            _ => continue,
        };
        let terms = command.kind.terms();
        let cut = match change {
            Change::Plain(_) => terms.iter().map(|term| sizes[term.index()]).sum(),
            _ => 0,
        };
        plans.push(Plan { cut, change });
    }
}

fn width_plans(plans: &mut Vec<Plan>, typed: &Typed, terms: &[TermId]) {
    let mut widths = BTreeSet::new();
    let mut formats = BTreeSet::new();
    for &term in terms {
        match typed.sort(term).map(|sort| typed.sorts.kind(sort)) {
            Some(SortKind::BitVec(width)) => widths.insert(*width),
            Some(SortKind::Float([eb, sb])) => formats.insert((*eb, *sb)),
            _ => continue,
        };
        if widths.len() + formats.len() > 20 {
            break;
        }
    }
    let mut push = |change: Change| plans.push(Plan { cut: 0, change });
    for format in formats {
        let smaller = floats::SMALLER.iter();
        for to in smaller.filter(|to| to.0 + to.1 < format.0 + format.1) {
            push(Change::Float(format, *to));
            if widths.contains(&(format.0 + format.1)) {
                push(Change::FloatBits(format, *to));
            }
        }
    }
    if widths.len() > 1 {
        let parts = [16, 8, 4, 2].into_iter();
        let widest = widths.iter().max().copied().unwrap_or(0);
        parts
            .filter(|parts| *parts <= widest)
            .for_each(|parts| push(Change::Widths(parts)));
    }
    for width in widths {
        for smaller in [1, 2, 3, 4, 8, width / 2] {
            if 0 < smaller && smaller < width {
                push(Change::Width(width, smaller));
            }
        }
    }
}
