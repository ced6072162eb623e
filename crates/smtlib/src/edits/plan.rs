//! Which edits there are, and how much each would cut.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::{Change, MAX_PLANS};
use crate::sort::SortKind;
use crate::syntax::{Binder, CommandKind, Literal, Script, Symbol, Term, TermId, declared_symbols};
use crate::typing::{Resolved, Typed};

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
    drop_chunks(&mut plans, script, &sizes, groups.unused, "declarations");
    drop_chunks(&mut plans, script, &sizes, groups.rest, "other commands");
    let mut terms = reachable(script);
    terms.sort_by_key(|term| std::cmp::Reverse(sizes[term.index()]));
    for &term in &terms {
        if plans.len() > MAX_PLANS {
            break;
        }
        term_plans(&mut plans, script, typed, &sizes, term);
    }
    command_plans(&mut plans, script, &sizes);
    width_plans(&mut plans, typed, &terms);
    plans.push(Plan {
        cut: 0,
        change: Change::Rename,
    });
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
        push(size - 1, Change::Simplest(term, 0));
        push(size - 1, Change::Simplest(term, 1));
        let mut subterms = Vec::new();
        script.push_subterms(term, &mut subterms);
        for child in subterms {
            if typed.sort(child) == Some(sort) {
                push(size - sizes[child.index()], Change::Hoist(term, child));
            }
        }
    }
    match script.term(term) {
        Term::Literal(literal, text) => literal_plans(&mut push, term, literal, text),
        Term::Application { arguments, .. } => {
            if size == 1 && typed.resolved(term) == Resolved::Local {
                push(0, Change::Simplest(term, 0));
            }
            if typed.resolved(term) == Resolved::Literal {
                push(0, Change::Simplest(term, 0));
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
    }
}

fn command_plans(plans: &mut Vec<Plan>, script: &Script, sizes: &[u64]) {
    for (at, command) in (0u32..).zip(&script.commands) {
        let change = match &command.kind {
            CommandKind::DefineFun(_) | CommandKind::DefineConst(_) => Change::InlineDefinition(at),
            CommandKind::DeclareConst(..) => Change::FixConstant(at),
            CommandKind::DeclareFun(_, parameters, _) if parameters.is_empty() => {
                Change::FixConstant(at)
            }
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
    for &term in terms {
        if let Some(SortKind::BitVec(width)) = typed.sort(term).map(|s| typed.sorts.kind(s)) {
            widths.insert(*width);
        }
        if widths.len() > 20 {
            break;
        }
    }
    for width in widths {
        for smaller in [1, 2, 4, 8, width / 2] {
            if 0 < smaller && smaller < width {
                plans.push(Plan {
                    cut: 0,
                    change: Change::Width(width, smaller),
                });
            }
        }
    }
}
